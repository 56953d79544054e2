"""A quick estimate of the total ε, by which the search compares plans before it computes the exact one.

With K(s) = ln E e^{sL} of all losses together, the saddle point s of e^{K(s) − εs}/(s(1 + s)) has ε = K′(s) and
δ ≈ e^{K(s) − εs}/(s(1 + s)√(2πK″(s))), the first term of the contour integral. It is no bound.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.composition import Release, log_moment
from dpcore.plan.totals import is_pure

_ORDERS = np.geomspace(1e-2, 1e5, 141)
_LOG_ORDERS = np.log(_ORDERS)
_LOG_FACTORS = np.log(_ORDERS * (1 + _ORDERS)) + math.log(2 * math.pi) / 2
_SLOPE = np.gradient(np.eye(_ORDERS.size), _LOG_ORDERS, axis=0) / _ORDERS[:, None]  # the matrix of d/ds
_BEND = np.gradient(_SLOPE, _LOG_ORDERS, axis=0) / _ORDERS[:, None]


@lru_cache(8192)
def log_moments(release: Release) -> tuple[Array, float]:
    """Return K, K′ and K″ of a release with all its runs, and its ε where it is pure, else ∞.

    They are at the orders of the search, of shape (3, 141); the derivatives are those of parabolas through neighbours,
    so that they add up over releases as K does.
    """
    moments = release.count * np.real(log_moment(release, _ORDERS.astype(complex))).astype(np.float64)
    return np.array([moments, _SLOPE @ moments, _BEND @ moments]), release.count * release.numbers[0] if is_pure(
        release
    ) else math.inf


def estimated_epsilon(moments: Array, pure: Array, delta: float) -> Array:
    """Return the estimate of ε at δ for each row of K(s), at most the sum of pure ε.

    Parameters
    ----------
    moments : K, K′ and K″, of shape (n, 3, 141).
    pure : of shape (n,), the sum of the pure ε of each row, ∞ where a release has none.
    delta : 0, or in [1e-300, 1).

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> moments, pure = log_moments(gaussian_release(1.0))
    >>> estimated_epsilon(moments[None], np.array([pure]), 1e-5).round(1).tolist()
    [4.4]
    """
    if delta == 0:
        return pure
    slope = moments[:, 1]
    log_delta = moments[:, 0] - _ORDERS * slope - np.log(np.maximum(moments[:, 2], 1e-300)) / 2 - _LOG_FACTORS
    below: NDArray[np.bool_] = log_delta <= math.log(delta)
    rows, place = np.arange(len(moments)), np.maximum(np.argmax(below, axis=-1), 1)
    after, before = log_delta[rows, place], log_delta[rows, place - 1]
    share = np.clip((before - math.log(delta)) / np.maximum(before - after, 1e-300), 0, 1)
    epsilon = slope[rows, place - 1] * (1 - share) + slope[rows, place] * share
    return np.minimum(np.where(below.any(axis=-1), epsilon, pure), pure)
