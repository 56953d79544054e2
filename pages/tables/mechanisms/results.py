"""The half-widths of the mechanisms over the number of cells per person and over ε."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import accuracy, geometric, tables
from dpcore.calibrations import ANALYTIC, CLASSICAL, FAILS, LAPLACE, PDP, PROVED, PURE_DP, Calibration
from dpcore.checks import Array
from dpcore.families import FAMILIES
from dpcore.mechanism import NO_SAFE_SAMPLER, NOT_PROVED, Mechanism
from dpcore.sensitivity import Sensitivity, table_sensitivity
from pages.framework.rendering.uploaded_files import kept
from pages.shared.shared_parameters import MECHANISMS
from pages.shared.status_lines import limits_over_epsilon
from pages.tables.results import TablesResult

_PURE = tuple(family.calibration for family in FAMILIES.values() if family.pure and not family.single)
CURVE_RULES = (*_PURE, ANALYTIC, PDP, CLASSICAL)
"""The calibrations that are drawn as lines: computed at once for all settings of a picture."""
EPSILONS = np.logspace(-3, 2, 201)
MOST_EPSILON = 1e6  # of the parameter
_AXIS_ENDS = tuple(float(f"{mantissa}e{decade}") for decade in range(1, 16) for mantissa in (1, 2, 5))


@dataclass(frozen=True)
class Curve:
    """The half-widths of a mechanism over k or ε, and the status of `Calibration.verdict` at each."""

    rule: Calibration
    x: Array
    half_width: Array
    status: NDArray[np.str_]


@dataclass(frozen=True)
class RankedNoise:
    """A noise at the current setting: its ±, and why it cannot be used for the wanted guarantee, empty where it can."""

    mechanism: Mechanism
    half_width: float
    obstacle: str


def ranked_noises(result: TablesResult) -> list[RankedNoise]:
    """Return the noises that are drawn: the recommended one, the others that can be used, and the rest, each by ±."""
    best = result.recommendation
    noises = [
        RankedNoise(mechanism, mechanism.half_width(result.significance), obstacle_text(mechanism, result))
        for mechanism in result.mechanisms
        if mechanism.key in drawn_keys(result)
    ]

    def rank(noise: RankedNoise) -> tuple[bool, bool, float]:
        return best is None or noise.mechanism != best.mechanism, bool(noise.obstacle), noise.half_width

    return sorted((noise for noise in noises if np.isfinite(noise.half_width)), key=rank)


def obstacle_text(mechanism: Mechanism, result: TablesResult) -> str:
    """Return in a few words why a noise cannot be used for the wanted guarantee, empty where it can."""
    if mechanism.status == FAILS:
        return "guarantee violated"
    if result.setting.promise == "pure" and mechanism.guarantee != PURE_DP:
        return "needs δ > 0"
    return {NOT_PROVED: "outside its theorem", NO_SAFE_SAMPLER: "no safe sampler"}.get(mechanism.obstacle, "")


def drawn_keys(result: TablesResult) -> set[str]:
    """Return the noises that are drawn: all, or the recommended one beside those of the three common families."""
    if result.values[MECHANISMS.key] == "all":
        return {*tables.KEYS}
    recommended = () if result.recommendation is None else (result.recommendation.mechanism.key,)
    return {*(rule.key for rule in (*_PURE, ANALYTIC)), *recommended}


def doubled(result: TablesResult, mechanism: Mechanism, quantity: str) -> Mechanism | None:
    """Return a mechanism of the same kind at twice the ε, the k or the c (`quantity`); None where it has none.

    There is none either where a larger k has no effect, because there are no more cells.
    """
    setting, times = result.setting, {quantity: 2}
    persons = min(setting.per_person * times.get("per_person", 1), result.n_cells)
    if quantity == "per_person" and persons <= setting.per_person:
        return None
    epsilon = min(setting.epsilon * times.get("epsilon", 1), MOST_EPSILON)
    sensitivity = result.sensitivity_at(persons, setting.per_cell * times.get("per_cell", 1))
    p = setting.p if mechanism.key == "generalized_gaussian" else None
    others = tables.mechanisms(epsilon, setting.delta, sensitivity, p, keys=(mechanism.key,))
    return next((other for other in others if other.status == PROVED), None)


def curves_over_persons(result: TablesResult) -> list[Curve]:
    """Return the half-widths over the number of cells per person: whole numbers up to the end of the axis, or to m."""
    setting, n_cells = result.setting, result.n_cells
    persons = np.unique(np.rint(np.geomspace(1, min(persons_axis_end(result), n_cells), 60)))
    cap = None if np.isnan(setting.per_total) else setting.per_total
    limits = setting.per_cell, setting.neighbours, setting.margins, n_cells, cap, setting.n_periods
    sensitivity = table_sensitivity(persons, *limits)
    rule_by_key = {rule.key: rule for rule in CURVE_RULES}
    return [
        _curve_over_persons(rule_by_key[mechanism.key], mechanism, persons, sensitivity, result)
        for mechanism in result.mechanisms
        if mechanism.key in rule_by_key.keys() & drawn_keys(result)
    ]


def _curve_over_persons(
    rule: Calibration, mechanism: Mechanism, persons: Array, sensitivity: Sensitivity, result: TablesResult
) -> Curve:
    """Scale the mechanism's noise with the sensitivity; its half-width is in proportion unless it is whole."""
    factor = sensitivity.l1 / result.sensitivity.l1 if rule.norm == "l1" else sensitivity.l2 / result.sensitivity.l2
    if rule.whole:
        half_width = geometric.half_width(result.significance, mechanism.scale * factor)
    else:
        half_width = mechanism.half_width(result.significance) * factor
    return Curve(rule, persons, half_width, np.broadcast_to(mechanism.status, persons.shape))


def curves_over_epsilon(result: TablesResult) -> list[Curve]:
    """Return the half-widths of each mechanism over ε."""
    sensitivities = {"l1": float(result.sensitivity.l1), "l2": float(result.sensitivity.l2)}
    keys = drawn_keys(result)
    rules = tuple(rule for rule in CURVE_RULES if rule.key in keys and (result.sensitivity.whole or not rule.whole))
    delta = result.setting.delta
    limits = kept(_epsilon_limits, rules, delta)
    return [
        kept(_curve_over_epsilon, rule, delta, result.significance, sensitivities[rule.norm], limits) for rule in rules
    ]


def _epsilon_limits(rules: tuple[Calibration, ...], delta: float) -> tuple[float, ...]:
    return limits_over_epsilon(rules, EPSILONS, delta)  # between which the verdict on a mechanism changes


def persons_axis_end(result: TablesResult) -> float:
    """Return the end of the axis of k: a round number at or above the current k and up to 100 of the cells."""
    return next(end for end in _AXIS_ENDS if end >= max(result.setting.per_person, min(result.n_cells, 100)))


def laplace_and_gaussian(result: TablesResult) -> tuple[Mechanism, Mechanism] | None:
    """Return Laplace and analytic Gaussian noise where both are available."""
    by_key = {mechanism.key: mechanism for mechanism in result.mechanisms}
    laplace, gaussian = by_key.get(LAPLACE.key), by_key.get(ANALYTIC.key)
    return None if laplace is None or gaussian is None else (laplace, gaussian)


def narrower_range(result: TablesResult) -> tuple[int, int] | None:
    """Return the least and the most k up to m at which the analytic Gaussian is narrower than Laplace, or None."""
    noises = laplace_and_gaussian(result)
    if noises is None:
        return None
    laplace, gaussian = (noise.half_width(result.significance) for noise in noises)
    ratio = (laplace / float(result.sensitivity.l1)) / (gaussian / float(result.sensitivity.l2))
    m = result.n_cells  # Δ₁/Δ₂ grows as long as a replacement can change as many cells again
    maxima = (max(m // 2, 1), (m + 1) // 2) if result.setting.neighbours == "replace" else (m,)
    best = max(maxima, key=lambda k: _sensitivity_ratio(result, k))
    if _sensitivity_ratio(result, best) * ratio <= 1:
        return None
    return _last_narrower(result, best, 0, ratio), _last_narrower(result, best, m + 1, ratio)


def _last_narrower(result: TablesResult, inside: int, outside: int, ratio: float) -> int:
    """Return by bisection the last k from `inside` towards `outside` at which the Gaussian is narrower."""
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        inside, outside = (middle, outside) if _sensitivity_ratio(result, middle) * ratio > 1 else (inside, middle)
    return inside


def _sensitivity_ratio(result: TablesResult, persons: int) -> float:
    sensitivity = result.sensitivity_at(persons)
    return float(sensitivity.l1 / sensitivity.l2)


def _curve_over_epsilon(
    rule: Calibration, delta: float, significance: float, sensitivity: float, limits: tuple[float, ...]
) -> Curve:
    epsilon = np.union1d(EPSILONS, limits)
    if rule.whole:  # computed from the scale, so that Δ₁ may be beyond 1e15
        half_width = geometric.half_width(significance, sensitivity / epsilon)
        return Curve(rule, epsilon, half_width, rule.verdict(epsilon, 0.0).status)
    delta = 0.0 if rule.guarantee == PURE_DP else delta
    half_width = accuracy.half_width(rule, epsilon, significance, sensitivity, delta)
    return Curve(rule, epsilon, half_width, rule.verdict(epsilon, delta).status)
