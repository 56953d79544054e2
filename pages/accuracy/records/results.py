"""The least number of records along ε."""

from functools import lru_cache

import numpy as np

from dpcore import accuracy
from dpcore.calibrations import ANALYTIC, CLASSICAL, LAPLACE, PDP, PURE_DP, STAIRCASE, TRUNCATED_LAPLACE, Calibration
from pages.accuracy.query import AccuracySetting
from pages.accuracy.results import EPSILONS, Curve, epsilon_limits

RECORD_RULES = (LAPLACE, STAIRCASE, ANALYTIC, PDP, CLASSICAL, TRUNCATED_LAPLACE)


def records_curves(setting: AccuracySetting, width: float) -> tuple[Curve, ...]:
    """Return the least n for the accuracy of the setting, along `EPSILONS` and the limits of the verdicts."""
    rules = RECORD_RULES if setting.mechanisms == "all" else setting.facts.rules("three")
    target, delta = float(setting.accuracy), setting.delta
    limits = epsilon_limits(tuple(rules), delta)
    return tuple(
        _records_curve(rule, width, target, 0.0 if rule.guarantee == PURE_DP else delta, setting.significance, limits)
        for rule in rules
    )


@lru_cache(256)
def _records_curve(
    rule: Calibration, width: float, target: float, delta: float, significance: float, limits: tuple[float, ...]
) -> Curve:
    epsilon = np.union1d(EPSILONS, limits)
    n_records = accuracy.least_records(rule, target, epsilon, significance, width, delta)
    return Curve(rule, epsilon, n_records, rule.verdict(epsilon, delta).status)
