"""A quick estimate of the total ε, by which the search compares plans before it computes the exact one.

With K(s) = ln E e^{sL} of all losses together, δ = (1/2πi) ∫ e^{Φ(s)} ds with Φ(s) = K(s) − εs − ln s − ln(1 + s). The
saddle point s has ε = K′(s) − 1/s − 1/(1 + s), and δ ≈ e^{Φ(s)}/√(2πΦ″(s)) (1 + Φ⁗/8Φ″² − 5Φ‴²/24Φ″³), where Φ‴ and Φ⁗
are those of the logarithms alone: without them a large δ would be far off. Between two orders s, ε is a cubic of ln δ,
with the slope −1/s at each. It is no bound.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from dpcore.checks import Array
from dpcore.composition import Release, log_moments
from dpcore.plan.totals import is_pure

ORDERS = np.geomspace(1e-2, 1e5, 71)
_LOG_ORDERS = np.log(ORDERS)
_SPLINE = CubicSpline(_LOG_ORDERS, np.eye(ORDERS.size))
_SLOPE = _SPLINE(_LOG_ORDERS, 1) / ORDERS[:, None]  # the matrices of d/ds and d²/ds²
_BEND = (_SPLINE(_LOG_ORDERS, 2) - _SPLINE(_LOG_ORDERS, 1)) / ORDERS[:, None] ** 2
_POLES = np.log(ORDERS * (1 + ORDERS)) + np.log(2 * np.pi) / 2
_POLES_SLOPE = 1 / ORDERS + 1 / (1 + ORDERS)
POLES_BEND = ORDERS**-2 + (1 + ORDERS) ** -2
_THIRD_SQUARED = 5 / 24 * (2 * (ORDERS**-3 + (1 + ORDERS) ** -3)) ** 2
_FOURTH = 6 / 8 * (ORDERS**-4 + (1 + ORDERS) ** -4)
_INVERSE = 1 / ORDERS


class Saddles(NamedTuple):
    """The estimates of ε, and the places of their saddle points among the orders."""

    epsilon: Array
    place: NDArray[np.intp]


@lru_cache(128)  # a search needs those of the same list again and again
def order_moments(releases: tuple[Release, ...]) -> tuple[Array, Array]:
    """Return K, K′ and K″ of each release with all its runs, and its ε where it is pure, else ∞.

    They are at the orders of the search, of shape (n_releases, 3, 71); the derivatives are those of a cubic spline, so
    that they add up over releases as K does.
    """
    counts = np.array([release.count for release in releases])
    moments = counts[:, None] * np.real(log_moments(releases, ORDERS)).astype(np.float64, copy=False)
    pure = [release.count * release.numbers[0] if is_pure(release) else math.inf for release in releases]
    return np.stack([moments, moments @ _SLOPE.T, moments @ _BEND.T], axis=1), np.array(pure)


def saddles(moments: Array, pure: Array, delta: float) -> Saddles:
    """Return the estimate of ε at δ for each row of K(s), at most the sum of pure ε, with the place of its saddle.

    Parameters
    ----------
    moments : K, K′ and K″, of shape (n, 3, 71).
    pure : of shape (n,), the sum of the pure ε of each row, ∞ where a release has none.
    delta : 0, or in [1e-300, 1).

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> saddles(*order_moments((gaussian_release(1.0),)), 1e-5).epsilon.round(2).tolist()
    [4.38]
    """
    if delta == 0:
        return Saddles(pure, np.zeros(len(moments), np.intp))
    epsilons = moments[:, 1] - _POLES_SLOPE
    inverse = 1 / (np.maximum(moments[:, 2], 0) + POLES_BEND)
    more = (_FOURTH - _THIRD_SQUARED * inverse) * inverse * inverse
    log_delta = moments[:, 0] - ORDERS * epsilons - _POLES + np.log((1 + more) * np.sqrt(inverse))
    below: NDArray[np.bool_] = log_delta <= math.log(delta)
    place = np.maximum(np.argmax(below, axis=-1), 1)
    last = np.arange(0, log_delta.size, ORDERS.size) + place  # in the flattened rows
    before, first, then = log_delta.take(last - 1), epsilons.take(last - 1), epsilons.take(last)
    gap = np.maximum(before - log_delta.take(last), 1e-300)
    share = np.minimum(np.maximum((before - math.log(delta)) / gap, 0), 1)
    left = 1 - share
    slopes = share * left * gap * (left * _INVERSE.take(place - 1) - share * _INVERSE.take(place))
    epsilon = first + share * share * (3 - 2 * share) * (then - first) + slopes
    is_pure = (place == 1) & ~below[:, :2].any(axis=-1)
    return Saddles(np.minimum(np.maximum(np.where(is_pure, pure, epsilon), 0), pure), place)
