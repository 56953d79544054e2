"""The half-widths of the mechanisms along ε."""

from functools import lru_cache

from dpcore import accuracy, optimal_noise
from dpcore.calibrations import PURE_DP, Calibration
from dpcore.checks import Array
from pages.accuracy.query import AccuracySetting
from pages.accuracy.results import EPSILONS, Curve


def half_width_curves(setting: AccuracySetting) -> tuple[Curve, ...]:
    """Return the half-widths of the mechanisms that are drawn, along `EPSILONS`."""
    facts, delta = setting.facts, setting.delta
    return tuple(
        _half_width_curve(
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
