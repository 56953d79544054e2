"""The half-widths of the mechanisms along ε."""

from functools import lru_cache

import numpy as np

from dpcore import accuracy, optimal_noise, tables, truncated_geometric
from dpcore.calibrations import PROVED, PURE_DP, TRUNCATED_GEOMETRIC, UNDEFINED, Calibration
from dpcore.checks import Array
from pages.accuracy.query import AccuracySetting, QueryFacts
from pages.accuracy.recommendation import sensitivity_of_whole_answers
from pages.accuracy.results import EPSILONS, Curve, epsilon_limits


def half_width_curves(setting: AccuracySetting) -> tuple[Curve, ...]:
    """Return the half-widths of the mechanisms that are drawn, along `EPSILONS` and the limits of their verdicts."""
    facts, delta, significance = setting.facts, setting.delta, setting.significance
    limits = _limits(setting)
    return tuple(
        _truncated_curve(facts, delta, significance, limits)
        if rule is TRUNCATED_GEOMETRIC
        else _half_width_curve(
            rule, facts.sensitivity(rule), 0.0 if rule.guarantee == PURE_DP else delta, significance, limits
        )
        for rule in facts.rules(setting.mechanisms)
    )


def least_half_widths(setting: AccuracySetting) -> tuple[Array, Array] | None:
    """Return the ε of the curves, and half-widths below which no noise of (ε, δ)-DP is; None for several numbers."""
    facts = setting.facts
    if not facts.single:
        return None
    epsilon = np.union1d(EPSILONS, _limits(setting))
    return epsilon, optimal_noise.least_half_width(setting.significance, epsilon, setting.delta, facts.l1)


def _limits(setting: AccuracySetting) -> tuple[float, ...]:
    rules = setting.facts.rules(setting.mechanisms)
    return epsilon_limits(tuple(rule for rule in rules if rule is not TRUNCATED_GEOMETRIC), setting.delta)


@lru_cache(256)  # it does not depend on ε
def _half_width_curve(
    rule: Calibration, sensitivity: float, delta: float, significance: float, limits: tuple[float, ...]
) -> Curve:
    epsilon = np.union1d(EPSILONS, limits)
    half_widths = accuracy.half_width(rule, epsilon, significance, sensitivity, delta)
    return Curve(rule, epsilon, half_widths, rule.verdict(epsilon, delta).status)


@lru_cache(256)  # as `_half_width_curve`
def _truncated_curve(facts: QueryFacts, delta: float, significance: float, limits: tuple[float, ...]) -> Curve:
    """Return the half-widths of truncated geometric noise, NaN where there is none."""
    epsilon = np.union1d(EPSILONS, limits)
    half_widths = np.full(epsilon.shape, np.nan)
    bound, scale = tables.truncated_geometric_noise(epsilon, delta, sensitivity_of_whole_answers(facts))
    fits = np.isfinite(bound)
    half_widths[fits] = truncated_geometric.half_width(significance, bound[fits], scale[fits])
    return Curve(TRUNCATED_GEOMETRIC, epsilon, half_widths, np.where(fits, PROVED, UNDEFINED))
