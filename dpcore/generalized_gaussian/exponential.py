"""The exponential mechanism with utility −‖s* − s‖_p^p: truncated generalized Gaussian noise, calibrated by Δ_u.

[Liu19] Eq. 15–16: the release has the density ∝ exp(−‖s* − s‖_p^p ε/(2Δ_u)) within the bounds, so b^p = 2Δ_u/ε, where
Δ_u = max | ‖s* − s‖_p^p − ‖s* − s'‖_p^p | over neighbours s, s' and releases s* within the bounds. Any upper bound of
Δ_u satisfies pure ε-DP; `exact_truncated_scale` is the least b of the same noise for one statistic.

Statistic k lies in an interval of width W_k and neighbours move it by at most Δ_{1,k}. ε (`epsilon`) is in nats,
lengths are in the unit of the query, Δ_u is in its p-th power: where that leaves the doubles, take the scale from the
function that needs no Δ_u. The statistics lie along the last axis; otherwise arguments broadcast. Scales and
sensitivities are rounded up.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import SHAPE_RANGE, Array, integer, number, refuse
from dpcore.rounding import round_down, round_up

EPSILON_RANGE = "[1e-30, 1e6]"
WIDTH_RANGE = "[1e-100, 1e100]"
SCALE_RANGE = "[1e-150, 1e150]"
BOUND_RANGE = "[-1e100, 1e100]"
LEAST_WIDTH = 1e-100
LEAST_SHARE = 1e-9  # of the width, that neighbours move
FLAT = 1e-17  # e^{−v} is 1 in doubles below such a v, where t^p may underflow though t does not


def lengths(sensitivity: ArrayLike, width: ArrayLike, name: str, width_name: str) -> tuple[Array, Array]:
    """Return sensitivity and width in their common shape, the one from 1e-9 of the other to the other."""
    width, sensitivity = np.broadcast_arrays(
        number(width_name, width, WIDTH_RANGE), number(name, sensitivity, "(0, inf)")
    )
    wrong = (sensitivity > width) | (sensitivity < round_down(LEAST_SHARE * width, 4))
    if np.any(wrong):
        at = width[wrong].flat[0]
        refuse(name, sensitivity, wrong, f"[{LEAST_SHARE * at:.4g}, {at:.4g}] at this width")
    return sensitivity, width


def apart(low: Array, high: Array) -> None:
    """Refuse bounds of which the higher is not above the lower."""
    refuse("high", high, high - low < LEAST_WIDTH, "(low, 1e100], 1e-100 above low or more")


UTILITY_RANGE = "[1e-250, 1e250]"
_LARGEST = 1e250


def exponential_mechanism_scale(epsilon: ArrayLike, p: ArrayLike, utility_sensitivity: ArrayLike) -> Array:
    """b = (2Δ_u/ε)^{1/p}: the scale of the noise that the exponential mechanism draws ([Liu19] Eq. 15–16).

    Parameters
    ----------
    epsilon : in [1e-30, 1e6].
    p : shape, in [1, 100].
    utility_sensitivity : Δ_u or an upper bound of it, in [1e-250, 1e250], in the p-th power of the query unit.

    Returns
    -------
    b in query units, above the formula by a relative 6e-13 at most.

    Examples
    --------
    >>> f"{exponential_mechanism_scale(1, 2, 19.0):.4f}"
    '6.1644'
    """
    epsilon, p = number("epsilon", epsilon, EPSILON_RANGE), number("p", p, SHAPE_RANGE)
    exponent = number("utility_sensitivity", utility_sensitivity, UTILITY_RANGE) * (2 / epsilon)
    return round_up(exponent ** (1 / p), 8 + np.abs(np.log(exponent)))[()]


def utility_sensitivity(p: ArrayLike, l1_sensitivities: ArrayLike, widths: ArrayLike) -> Array:
    """Δ_u = Σ_k [W_k^p − (W_k − Δ_{1,k})^p]: exact where neighbours may move every statistic at once (own).

    |s* − s|^p − |s* − s'|^p grows with the distance of s* from s, so it is largest for s and s* at opposite bounds.

    Parameters
    ----------
    p : shape, in [1, 100].
    l1_sensitivities : Δ_{1,k} from 1e-9 W_k to W_k, in query units.
    widths : W_k in [1e-100, 1e100], in query units.

    Returns
    -------
    Δ_u in the p-th power of the query unit, above the formula by a relative 2e-13 at most.

    Examples
    --------
    >>> f"{utility_sensitivity(2, [1.0], [10.0]):.4f}"
    '19.0000'
    """
    p = number("p", p, SHAPE_RANGE)
    unit, share = _utility_share(p, l1_sensitivities, widths)
    return _in_power_units(unit, share, p, "widths")


def utility_sensitivity_bound(p: ArrayLike, l1_sensitivities: ArrayLike, low: ArrayLike, high: ArrayLike) -> Array:
    """Lemma 10's bound of Δ_u, for whole p ([Liu19]): Σ Δ_{1,k}, then 2 Σ Δ_{1,k} W_k, and from p = 3 on

    Σ_k Σ_{j=1}^p C(p, j) max(|c_{k0}|, |c_{k1}|)^{p−j} Δ^{(j)}_{1,k}, where Δ^{(j)}_{1,k} is the sensitivity of s_k^j.

    Parameters
    ----------
    p : shape, a whole number in [1, 100].
    l1_sensitivities : Δ_{1,k} from 1e-9 W_k to W_k, in query units.
    low, high : c_{k0} < c_{k1} in query units, 1e-100 to 1e100 apart. From p = 3 on the bound depends
        on where 0 lies: it is 2^{p−1} times the exact Δ_u for small Δ and bounds [0, W], and grows as these move away.

    Returns
    -------
    The bound in the p-th power of the query unit, above the formula by a relative 2e-13 at most.

    Examples
    --------
    >>> f"{utility_sensitivity_bound(2, [1.0], [0.0], [10.0]):.4f}"
    '20.0000'
    """
    p = integer("p", p, SHAPE_RANGE)
    unit, share = _lemma_share(p, l1_sensitivities, low, high)
    return _in_power_units(unit, share, p, "high")


def bounded_exponential_scale(
    epsilon: ArrayLike, p: ArrayLike, l1_sensitivities: ArrayLike, widths: ArrayLike
) -> Array:
    """b = (2Δ_u/ε)^{1/p} with the Δ_u of `utility_sensitivity` (own); it is below the published `truncated_scale`.

    Parameters
    ----------
    epsilon : in [1e-30, 1e6].
    p, l1_sensitivities, widths : as in `utility_sensitivity`.

    Returns
    -------
    b in query units, finite for all of them; above the formula by a relative 2e-13 at most.

    Examples
    --------
    >>> f"{bounded_exponential_scale(1, 2, [1.0], [10.0]):.4f}"
    '6.1644'
    """
    epsilon, p = number("epsilon", epsilon, EPSILON_RANGE), number("p", p, SHAPE_RANGE)
    unit, share = _utility_share(p, l1_sensitivities, widths)
    return _in_query_units(unit, share, p, epsilon)


def lemma_exponential_scale(
    epsilon: ArrayLike, p: ArrayLike, l1_sensitivities: ArrayLike, low: ArrayLike, high: ArrayLike
) -> Array:
    """b = (2Δ_u/ε)^{1/p} with Lemma 10's bound of Δ_u: the scale that the paper's exponential mechanism would use.

    Parameters
    ----------
    epsilon : in [1e-30, 1e6].
    p, l1_sensitivities, low, high : as in `utility_sensitivity_bound`.

    Returns
    -------
    b in query units, finite for all of them; above the formula by a relative 2e-13 at most.

    Examples
    --------
    >>> f"{lemma_exponential_scale(1, 2, [1.0], [0.0], [10.0]):.4f}"
    '6.3246'
    """
    epsilon, p = number("epsilon", epsilon, EPSILON_RANGE), integer("p", p, SHAPE_RANGE)
    unit, share = _lemma_share(p, l1_sensitivities, low, high)
    return _in_query_units(unit, share, p, epsilon)


def _utility_share(p: Array, l1_sensitivities: ArrayLike, widths: ArrayLike) -> tuple[Array, Array]:
    """Return a unit of length, and the sensitivity Δ_u of the utility divided by the p-th power of that unit."""
    sensitivity, width = lengths(np.atleast_1d(l1_sensitivities), np.atleast_1d(widths), "l1_sensitivities", "widths")
    unit = np.max(width, axis=-1)
    shape = p[..., np.newaxis]
    with np.errstate(divide="ignore", under="ignore"):
        terms = -((width / unit[..., np.newaxis]) ** shape) * np.expm1(shape * np.log1p(-sensitivity / width))
    return unit, np.sum(terms, axis=-1)


def _lemma_share(p: Array, l1_sensitivities: ArrayLike, low: ArrayLike, high: ArrayLike) -> tuple[Array, Array]:
    """Return a unit of length, and the bound of Lemma 10 divided by the p-th power of that unit."""
    low, high = np.atleast_1d(number("low", low, BOUND_RANGE)), np.atleast_1d(number("high", high, BOUND_RANGE))
    apart(low, high)
    sensitivity, width = lengths(np.atleast_1d(l1_sensitivities), high - low, "l1_sensitivities", "high − low")
    largest = np.maximum(abs(low), abs(high))
    unit = np.max(np.maximum(width, largest), axis=-1)
    widths, shape = unit[..., np.newaxis], p[..., np.newaxis]
    moved, size = sensitivity / largest, (largest / widths) ** shape
    with np.errstate(all="ignore"):
        first, second = sensitivity / widths, 2 * (sensitivity / widths) * (width / widths)
        total, choices = np.zeros(np.broadcast_shapes(moved.shape, shape.shape)), np.ones_like(shape)
        for j in range(1, 1 + int(np.max(p, initial=1))):
            choices = choices * (shape - j + 1) / j
            total = total + choices * _power_sensitivity(j, low / largest, high / largest, moved)
        terms = np.where(shape == 1, first, np.where(shape == 2, second, size * total))
    return unit, np.sum(terms, axis=-1)


def _power_sensitivity(j: int, low: Array, high: Array, moved: Array) -> Array:
    """Return max |s^j − s'^j| over s, s' in [low, high] at most `moved` apart, one of them at the end far from 0."""
    most = np.zeros_like(moved)
    for end in (np.maximum(high, 0), np.maximum(-low, 0)):
        inside = end**j * -np.expm1(j * np.log1p(-np.minimum(moved / end, 1)))
        beyond = np.maximum(moved - end, 0) ** j if j % 2 else 0.0  # an even power is least at 0
        most = np.maximum(most, np.where(end > 0, inside + beyond, 0))
    return most


def _in_power_units(unit: Array, share: Array, p: Array, name: str) -> Array:
    with np.errstate(over="ignore", under="ignore"):
        value = round_up(share * unit**p, 20 + 4 * p)
    lost = (value > _LARGEST) | (value < 1 / _LARGEST)
    if np.any(lost):
        refuse(name, unit, lost, "a range that leaves the sensitivity in [1e-250, 1e250] at this p")
    return value[()]


def _in_query_units(unit: Array, share: Array, p: Array, epsilon: Array) -> Array:
    return round_up(unit * (2 * share / epsilon) ** (1 / p), 20 + 4 * p)[()]
