"""The half-widths of the mechanisms along ε."""

from functools import lru_cache

import numpy as np

from dpcore import accuracy, optimal_noise, tables, truncated_geometric
from dpcore.calibrations import PROVED, PURE_DP, TRUNCATED_GEOMETRIC, UNDEFINED, Calibration
from dpcore.checks import Array
from pages.accuracy.query import AccuracySetting, QueryFacts
from pages.accuracy.recommendation import sensitivity_of_whole_answers
from pages.accuracy.results import EPSILONS, Curve


def half_width_curves(setting: AccuracySetting) -> tuple[Curve, ...]:
    """Return the half-widths of the mechanisms that are drawn, along `EPSILONS`."""
    facts, delta = setting.facts, setting.delta
    return tuple(
        _truncated_curve(facts, delta, setting.significance)
        if rule is TRUNCATED_GEOMETRIC
        else _half_width_curve(
            rule, facts.sensitivity(rule), 0.0 if rule.guarantee == PURE_DP else delta, setting.significance
        )
        for rule in facts.rules(setting.mechanisms)
    )


def least_half_widths(setting: AccuracySetting) -> Array | None:
    """Return a half-width along `EPSILONS` below which no noise of (ε, δ)-DP is; None for several numbers."""
    facts = setting.facts
    if not facts.single:
        return None
    return optimal_noise.least_half_width(setting.significance, EPSILONS, setting.delta, facts.l1)


@lru_cache(256)  # it does not depend on ε
def _half_width_curve(rule: Calibration, sensitivity: float, delta: float, significance: float) -> Curve:
    half_widths = accuracy.half_width(rule, EPSILONS, significance, sensitivity, delta)
    return Curve(rule, half_widths, rule.verdict(EPSILONS, delta).status)


@lru_cache(256)  # as `_half_width_curve`
def _truncated_curve(facts: QueryFacts, delta: float, significance: float) -> Curve:
    """Return the half-widths of truncated geometric noise, NaN where there is none."""
    half_widths = np.full(EPSILONS.shape, np.nan)
    bound, scale = tables.truncated_geometric_noise(EPSILONS, delta, sensitivity_of_whole_answers(facts))
    fits = np.isfinite(bound)
    half_widths[fits] = truncated_geometric.half_width(significance, bound[fits], scale[fits])
    return Curve(TRUNCATED_GEOMETRIC, half_widths, np.where(fits, PROVED, UNDEFINED))
