"""The noises for a table of counts side by side, each calibrated to what one person moves or to a wanted error.

Every noise is drawn anew for each number that is released. ε is in nats, δ a probability, scales are in the unit of the
table and rounded up.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammainccinv

from dpcore import (
    calibrations,
    discrete_gaussian,
    generalized_gaussian,
    geometric,
    truncated_geometric,
    truncated_laplace,
)
from dpcore.calibrations import PROBABILISTIC_DP, Calibration
from dpcore.checks import (
    DELTA_RANGE,
    EPSILON_RANGE,
    LEAST_DELTA,
    POSITIVE_EPSILON_RANGE,
    SHAPE_RANGE,
    Array,
    DomainError,
    interval_bounds,
    leave_out,
    number,
    option,
    or_default,
    scalar,
)
from dpcore.families import FAMILIES, Family
from dpcore.mechanism import Mechanism, calibrated, calibrated_by_each, proved
from dpcore.roots import bisect, positive_mean
from dpcore.rounding import round_down, round_up
from dpcore.sensitivity import Sensitivity

_PURE = {family.calibration.key: family for family in FAMILIES.values() if family.pure}
_GAUSSIAN = {rule.key: rule for rule in (calibrations.ANALYTIC, calibrations.PDP, calibrations.CLASSICAL)}
KEYS = (
    *_PURE,
    *("analytic", "discrete_gaussian", "pdp", "classical", "generalized_gaussian", "truncated_geometric"),
)
"""The noises of `mechanisms`: those of ε-DP, then those with a δ."""
_MOST_SCALE = 1e100  # beyond it nothing is left of any count
_MOST_MOVED = 1e4  # numbers, up to which the quantile of ‖noise‖ was found right to 1e-12
_SEVERAL = replace(
    calibrations.GENERALIZED_ADP,
    guarantee=PROBABILISTIC_DP,
    theorem="Liu 2019, Proposition 8, by Minkowski’s inequality",
)
_BY_ZCDP = "Canonne, Kamath & Steinke 2020, Theorem 14; Bun & Steinke 2016, Proposition 1.3"
_MOST_EXACT, _MOST_EXACT_CELLS = 1e7, 1e6  # Δ₂, and numbers that move alike
_LONGEST_UNEVEN = 30.5**0.5  # Δ₂ of moves that are not alike
_LONGEST_FLAT = 1000.0
_LEAST_DISCRETE = 1e-4
_MOST_DISCRETE = 1e14  # of σ, up to which draws are doubles
_MOST_BOUND = interval_bounds(truncated_geometric.TRUNCATION_RANGE)[1]
_UNEVEN = "It requires that a person changes all affected numbers by the same amount; here the amounts differ."
_TOO_SMALL = "It requires an ε of at least 1e-12."
_FRACTIONS = "It is for whole counts, and here c, the most that one person adds to a cell, is not whole."
_TOO_LARGE = "It is offered up to {}, and this setting requires more."
_ONE_NUMBER = "It is proved only for a person who changes one released number; here a person changes {:,.0f}."
_RARE = "It requires a δ of at least 1e-300 for each number that the person changes."


def unavailable(
    epsilon: float, delta: float, sensitivity: Sensitivity, p: float | None = None, keys: tuple[str, ...] = KEYS
) -> dict[str, str]:
    """Return why `mechanisms` does not offer a noise: its key and a sentence, for each of `keys` that is not offered.

    Examples
    --------
    >>> from dpcore.sensitivity import table_sensitivity
    >>> unavailable(1.0, 1e-6, table_sensitivity(3))
    {'staircase': 'It is proved only for a person who changes one released number; here a person changes 3.'}
    """
    shape = _shape(p, keys)
    own = {key: _mechanism_or_obstacle(key, epsilon, delta, sensitivity, shape) for key in keys}
    return {key: reason for key, reason in own.items() if isinstance(reason, str)}


def mechanisms(
    epsilon: float, delta: float, sensitivity: Sensitivity, p: float | None = None, keys: tuple[str, ...] = KEYS
) -> tuple[Mechanism, ...]:
    """Return the noises side by side, each with the scale that its guarantee needs for all released numbers together.

    Laplace and geometric noise take Δ₁ and satisfy ε-DP, whatever δ; so does staircase noise, for one moved number. The
    Gaussians take Δ₂; the discrete one the exact profile of the worst move, or zCDP where that is not known: for moves
    that are uneven, with Δ₂² > 30 and Δ₂ > 1000 or σ < 1.5 Δ₂, and for Δ₂ > 1e7 or more than 1e6 cells.

    Truncated geometric noise has the scale of geometric noise and the least N at which none of the r moved numbers
    identifies the person with probability 1 − δ, each with (1 − δ)^{1/r}: that is the exact composition of r of them
    at ε, since together they lose ε at most. No cell is ever off by more than ±N.

    Generalized Gaussian noise of shape p takes the least scale of (ε, δ)-DP for one moved number, and for p = 2. For r
    of them b = Δ_p/(u expm1(log1p(ε/u^p)/p)), where u^p is the upper δ-quantile of the gamma distribution of shape
    r/p, that of ‖noise/b‖_p^p: the loss times b^p is at most (‖noise‖_p + Δ_p)^p − ‖noise‖_p^p, by Minkowski's
    inequality, so that this b satisfies (ε, δ)-pDP (own).

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1), of (ε, δ)-DP, or of pDP where the guarantee says so.
    sensitivity : of one setting, not of several, as `dpcore.sensitivity.table_sensitivity` returns it.
    p : shape of the generalized Gaussian noise alone, in [1, 100]; 3 by default.
    keys : which of `KEYS` to return.

    Returns
    -------
    Those of `keys` that have an answer, in that order; `unavailable` has the others.

    Examples
    --------
    >>> from dpcore.sensitivity import table_sensitivity
    >>> for noise in mechanisms(1.0, 1e-6, table_sensitivity(3), keys=("laplace", "geometric", "analytic")):
    ...     print(f"{noise.name}: {noise.symbol} = {noise.scale:.3f}, ±{noise.half_width(0.05):.3f}")
    Laplace: b = 3.000, ±8.987
    Geometric: s = 3.000, ±9.000
    Analytic Gaussian: σ = 7.317, ±14.342
    """
    shape, gaussians = _shape(p, keys), _gaussians_at_once(epsilon, delta, sensitivity, keys)
    own = (gaussians.get(key) or _mechanism_or_obstacle(key, epsilon, delta, sensitivity, shape) for key in keys)
    return tuple(mechanism for mechanism in own if isinstance(mechanism, Mechanism))


def _shape(p: float | None, keys: tuple[str, ...]) -> float:
    if "generalized_gaussian" not in keys:
        leave_out("keys without generalized_gaussian", p=p)
    return scalar("p", or_default(p, 3.0), SHAPE_RANGE)


def _mechanism_or_obstacle(
    key: str, epsilon: float, delta: float, sensitivity: Sensitivity, p: float
) -> Mechanism | str:
    """Return the mechanism of one key, or a sentence that says why it is not available."""
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, DELTA_RANGE)
    scalar("sensitivity.l1", sensitivity.l1, "(0, inf)")
    if key in _PURE:
        return _pure(_PURE[key], epsilon, sensitivity)
    if key in _GAUSSIAN:
        return _gaussian(_GAUSSIAN[key], epsilon, delta, sensitivity)
    if key == "discrete_gaussian":
        return _discrete(epsilon, delta, sensitivity)
    if key == "truncated_geometric":
        return _truncated(epsilon, delta, sensitivity)
    if key == "generalized_gaussian":
        return _generalized(epsilon, delta, sensitivity, p)
    raise DomainError("keys", ", ".join(KEYS), key)


def _pure(family: Family, epsilon: float, sensitivity: Sensitivity) -> Mechanism | str:
    rule = family.calibration
    obstacles = [
        (epsilon < rule.least_epsilon, _TOO_SMALL),
        (rule.whole and not sensitivity.whole, _FRACTIONS),
        (
            rule.whole and sensitivity.l1 > interval_bounds(geometric.SENSITIVITY_RANGE)[1],
            _TOO_LARGE.format("Δ₁ = 1e15"),
        ),
        (family.single and sensitivity.n_moved > 1, _ONE_NUMBER.format(sensitivity.n_moved)),
    ]
    obstacle = next((reason for is_met, reason in obstacles if is_met), None)
    if obstacle is not None:
        return obstacle
    mechanism = calibrated(rule, epsilon, 0.0, float(sensitivity.l1))
    return replace(mechanism, name=mechanism.name.partition(",")[0])  # a table has one of each


def _gaussian(rule: Calibration, epsilon: float, delta: float, sensitivity: Sensitivity) -> Mechanism | str:
    if epsilon < rule.least_epsilon:
        return _TOO_SMALL
    mechanism = calibrated(rule, epsilon, delta, float(sensitivity.l2))
    return mechanism if mechanism.scale <= _MOST_SCALE else _TOO_LARGE.format("σ = 1e100")


def _gaussians_at_once(
    epsilon: float, delta: float, sensitivity: Sensitivity, keys: tuple[str, ...]
) -> dict[str, Mechanism]:
    """Return the available ones of several Gaussian mechanisms, in less time than one after the other."""
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, DELTA_RANGE)
    rules = [_GAUSSIAN[key] for key in keys if key in _GAUSSIAN and epsilon >= _GAUSSIAN[key].least_epsilon]
    if len(rules) < 2:
        return {}
    noises = calibrated_by_each(rules, epsilon, delta, float(sensitivity.l2))
    return {mechanism.key: mechanism for mechanism in noises if mechanism.scale <= _MOST_SCALE}


def _discrete(epsilon: float, delta: float, sensitivity: Sensitivity) -> Mechanism | str:
    if not sensitivity.whole:
        return _FRACTIONS
    sigma, rule = _exact_discrete(epsilon, delta, sensitivity), calibrations.DISCRETE_GAUSSIAN
    if sigma is None:
        if epsilon < interval_bounds(POSITIVE_EPSILON_RANGE)[0]:
            return _TOO_SMALL
        sigma, rule = (
            _zcdp_sigma(epsilon, delta, float(sensitivity.l2)),
            replace(calibrations.DISCRETE_GAUSSIAN, theorem=_BY_ZCDP),
        )
    return _TOO_LARGE.format("σ = 1e14") if sigma > _MOST_DISCRETE else proved(rule, epsilon, delta, sigma, (sigma,))


def _truncated(epsilon: float, delta: float, sensitivity: Sensitivity) -> Mechanism | str:
    """Return truncated geometric noise of s = Δ₁/ε and the least N that satisfies δ, or why it is not available."""
    obstacles = [
        (not sensitivity.whole, _FRACTIONS),
        (epsilon < interval_bounds(POSITIVE_EPSILON_RANGE)[0], _TOO_SMALL),
        (not sensitivity.equal, _UNEVEN),
        (_delta_of_one(delta, float(sensitivity.n_moved)) < LEAST_DELTA, _RARE),
    ]
    obstacle = next((reason for is_met, reason in obstacles if is_met), None)
    if obstacle is not None:
        return obstacle
    bound, scale = (float(part) for part in truncated_geometric_noise(epsilon, delta, sensitivity))
    return (
        _TOO_LARGE.format("a largest error of N = 1,000,000")
        if np.isnan(bound)
        else proved(calibrations.TRUNCATED_GEOMETRIC, epsilon, delta, bound, (bound, scale))
    )


def truncated_geometric_noise(epsilon: ArrayLike, delta: float, sensitivity: Sensitivity) -> tuple[Array, Array]:
    """Return the limit N and the scale s = rΔ/ε of the truncated geometric noise of `mechanisms`, along ε.

    Parameters
    ----------
    epsilon : in [1e-12, 1e6].
    delta : in [1e-300, 1).
    sensitivity : of one setting in which a person moves r numbers by the same whole amount Δ.

    Returns
    -------
    N and s in the unit of the table, both of the shape of ε, and NaN where N would be 1e6 or more, or the δ of one
    number is below 1e-300.

    Examples
    --------
    >>> from dpcore.sensitivity import table_sensitivity
    >>> bound, scale = truncated_geometric_noise([0.1, 1], 0.01, table_sensitivity(2))
    >>> print(bound, scale.round(3))
    [36.  8.] [20.  2.]
    >>> truncated_geometric_noise(1e-9, 1e-9, table_sensitivity(2))[0].item()
    nan
    """
    epsilon, delta = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE), scalar("delta", delta, DELTA_RANGE)
    largest, n_moved = float(sensitivity.largest), float(sensitivity.n_moved)
    own_epsilon, own_delta = epsilon / n_moved * (1 - 1e-15), _delta_of_one(delta, n_moved)
    bound, scale = np.full(epsilon.shape, np.nan), np.full(epsilon.shape, np.nan)
    if own_delta < LEAST_DELTA or largest >= _MOST_BOUND:
        return bound, scale
    fits = np.asarray(truncated_laplace.bound_from_epsilon(own_epsilon, own_delta, largest) < _MOST_BOUND - 1)
    bound[fits] = truncated_geometric.bound_from_epsilon(own_epsilon[fits], own_delta, largest)
    scale[fits] = truncated_geometric.scale_from_epsilon(own_epsilon[fits], largest)
    return bound, scale


def _delta_of_one(delta: float, n_moved: float) -> float:
    """1 − (1 − δ)^{1/r}, rounded down: of so many numbers none identifies with probability 1 − δ."""
    return float(round_down(-np.expm1(np.log1p(-delta) / n_moved), 8))


def _exact_discrete(epsilon: float, delta: float, sensitivity: Sensitivity) -> float | None:
    """Return the σ of the exact profile, of the worst move by c in each or of any as long; None where it is large.

    No part of a move matters for itself: noise that hides a move hides every move that is nowhere larger.
    """
    if sensitivity.equal:
        length = float(sensitivity.largest) * float(np.sqrt(sensitivity.n_moved))
        if length <= _MOST_EXACT and sensitivity.n_moved <= _MOST_EXACT_CELLS:
            return _discrete_sigma(epsilon, delta, length, int(sensitivity.n_moved))
    elif sensitivity.l2 < _LONGEST_UNEVEN:
        return _discrete_sigma(epsilon, delta, float(np.sqrt(np.rint(sensitivity.l2**2))), None)
    elif sensitivity.l2 < _LONGEST_FLAT:
        return _flat_sigma(epsilon, delta, int(np.rint(sensitivity.l2**2)))
    return None


def _flat_sigma(epsilon: float, delta: float, squared: int) -> float | None:
    """Return the σ of every move of whole numbers of squared length up to Δ₂², if it is at least 1.5 Δ₂; else None.

    A move v is g·u without a common divisor in u. Its loss depends on ⟨u, noise⟩, whose chances are those of a discrete
    Gaussian times the weights of the lattice off u. These are flat to a relative e^{−2π²σ²|q|²}, q the shortest part of
    a whole vector z off u: |u|²|q|² = Σ_{i<j} (u_i z_j − u_j z_i)² ≥ 1. So from σ = 1.5 |u| on, by e^{−44}, only g and
    Δ₂ matter, and the even moves of Δ₂²/g² cells by g stand for all.
    """
    length = float(np.sqrt(squared))
    cells = [squared // step**2 for step in range(1, int(length) + 1) if squared % step**2 == 0]
    sigma = max(_discrete_sigma(epsilon, delta, length, n_moved) for n_moved in cells)
    true = discrete_gaussian.delta_from_sigma(epsilon, sigma, length, np.array(cells))
    return sigma if sigma >= 1.5 * length and np.all(true <= delta) else None


@lru_cache(64)  # some milliseconds each, and `unavailable` asks again for what `mechanisms` asks
def _discrete_sigma(epsilon: float, delta: float, length: float, n_moved: int | None) -> float:
    return float(discrete_gaussian.sigma_from_delta(epsilon, delta, length, n_moved))


def _zcdp_sigma(epsilon: float, delta: float, l2: float) -> float:
    """σ = Δ₂/√(2ρ) with ε = ρ + 2√(ρ ln(1/δ)), at least the least σ that the family takes."""
    depth = -np.log(delta)
    root = epsilon / (np.sqrt(depth + epsilon) + np.sqrt(depth))
    return max(float(round_up(l2 / (np.sqrt(2) * root), 16)), _LEAST_DISCRETE)


def _generalized(epsilon: float, delta: float, sensitivity: Sensitivity, p: float) -> Mechanism | str:
    exact = sensitivity.n_moved == 1 or p == 2  # p = 2 is the Gaussian, of which only Δ₂ counts
    if not exact and epsilon < interval_bounds(POSITIVE_EPSILON_RANGE)[0]:
        return _TOO_SMALL
    if not exact and sensitivity.n_moved > _MOST_MOVED:
        return f"It is offered where a person changes at most {_MOST_MOVED:,.0f} released numbers."
    unit = _one_moved(epsilon, delta, p) if exact else _scale_for_cells(epsilon, delta, p, float(sensitivity.n_moved))
    scale = round_up(unit * float(sensitivity.lp(p)), 2)
    if scale > _MOST_SCALE:
        return _TOO_LARGE.format("b = 1e100")
    rule = calibrations.GENERALIZED_ADP if exact else _SEVERAL
    return replace(proved(rule, epsilon, delta, scale, (scale, p)), name=f"Generalized Gaussian, p = {p:.4g}")


@lru_cache(64)  # as `_discrete_sigma`
def _one_moved(epsilon: float, delta: float, p: float) -> float:
    """Return b/Δ of generalized Gaussian noise for one moved number."""
    return float(generalized_gaussian.adp_scale(epsilon, delta, p))


def _scale_for_cells(epsilon: float, delta: float, p: float, n_moved: float) -> float:
    """Return b/Δ_p of generalized Gaussian noise for several moved numbers: see `mechanisms`."""
    power = np.maximum(gammainccinv(n_moved / p, delta) * (1 + 1e-10), 1e-300)  # it would underflow where δ is near 1
    with np.errstate(over="ignore"):
        return float(round_up(1 / (power ** (1 / p) * np.expm1(np.log1p(epsilon / power) / p)), 64))


_LEAST, _MOST = 1e-9, 1e6
_N_HALVINGS = 50


def of_half_width(
    key: str, accuracy: float, significance: float, delta: float, sensitivity: Sensitivity
) -> Mechanism | None:
    """Return the noise of `mechanisms` with the least ε whose half-width is at most `accuracy`; None for none.

    Parameters
    ----------
    key : one of `KEYS`.
    accuracy : a in [0, 1e100], in the unit of the table.
    significance : α in [1e-300, 1), of one cell.
    delta : in [1e-300, 1).
    sensitivity : as in `mechanisms`.

    Returns
    -------
    A `Mechanism` whose ε, in [1e-9, 1e6], is above the least by a relative 1e-10 at most.

    Examples
    --------
    >>> from dpcore.sensitivity import table_sensitivity
    >>> noise = of_half_width("truncated_geometric", 3, 0.05, 0.01, table_sensitivity(1))
    >>> f"{noise.epsilon:.4f} {noise.half_width(0.05):.0f} {noise.hard_limit:.0f}"
    '0.7702 3 5'
    """
    option("key", key, KEYS)
    accuracy = scalar("accuracy", accuracy, "[0, 1e100]")

    def noise_at(epsilon: float) -> Mechanism | None:
        return next(iter(mechanisms(epsilon, delta, sensitivity, keys=(key,))), None)

    def is_enough(epsilon: Array) -> NDArray[np.bool_]:
        noise = noise_at(float(epsilon))
        return np.asarray(noise is not None and noise.half_width(significance) <= accuracy)

    least = float(bisect(is_enough, np.asarray(_LEAST), np.asarray(_MOST), _N_HALVINGS, positive_mean)[1])
    noise = noise_at(least)
    return noise if noise is not None and noise.half_width(significance) <= accuracy else None
