"""The result of the page at one setting, and the half-widths of the mechanisms along ε."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import accuracy, optimal_noise, tables, truncated_geometric
from dpcore.calibrations import ANALYTIC, LAPLACE, PROVED, PURE_DP, TRUNCATED_GEOMETRIC, UNDEFINED, Calibration
from dpcore.checks import Array
from pages.accuracy.parameters import LIMITED_QUERIES, QUERY
from pages.accuracy.query import AccuracySetting, QueryFacts
from pages.accuracy.recommendation import Rows, rows_at, sensitivity_of_whole_answers
from pages.accuracy.text import setting_text
from pages.framework.parameters.parameter import Values
from pages.shared.conditions import CONTRIBUTION
from pages.shared.counts.parameters import PER_TOTAL
from pages.shared.shared_parameters import read_setting
from pages.shared.status_lines import limits_over_epsilon

EPSILONS = np.logspace(-3, 2, 401)


@dataclass(frozen=True)
class AccuracyResult:
    """One setting and what follows from it, each computed once; `pinned` is the result of the pinned setting."""

    setting: AccuracySetting
    values: Values
    pinned: "AccuracyResult | None" = None

    @property
    def section(self) -> str:
        """The key of the open section."""
        return self.setting.section

    @cached_property
    def rows(self) -> Rows:
        """The row of every mechanism that suits the query, by key."""
        setting = self.setting
        return rows_at(setting.facts, setting.epsilon, setting.delta, setting.significance, setting.target)

    @property
    def pinned_rows(self) -> tuple[Rows, AccuracySetting] | None:
        """The rows of the pinned setting, and that setting."""
        return self.pinned and (self.pinned.rows, self.pinned.setting)

    @cached_property
    def least_records(self) -> tuple[float, float]:
        """The least n with Laplace and with analytic Gaussian noise, NaN where there is none."""
        width = self.setting.facts.person_width
        if width is None:
            return np.nan, np.nan
        return _least_records(LAPLACE, width, self.setting), _least_records(ANALYTIC, width, self.setting)

    @property
    def csv_header(self) -> dict[str, str]:
        """The parameters and units for the top of a CSV."""
        setting, facts = self.setting, self.setting.facts
        keys = ("epsilon", "delta", "significance", "known", "accuracy")
        keys += ("query", "neighbours", "low", "high", "n_records", "per_total")
        unit = facts.unit or "share of 1"
        return {
            **{key: str(getattr(setting, key)) for key in keys},
            "l1_sensitivity": repr(facts.l1),
            "l2_sensitivity": repr(facts.l2),
            **({} if self.pinned is None else {"pinned": setting_text(self.pinned.setting)}),
            "unit": unit,
            "units": f"accuracy and sensitivities in {unit}; epsilon in nats; delta and significance are probabilities",
        }


def compute_result(values: Values) -> AccuracyResult:
    """Return the result of the page's parameters; the pinned setting has the same section and views."""
    pinned = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None})
    values = values | {PER_TOTAL.key: records_per_person(values)}
    return AccuracyResult(read_setting(AccuracySetting, values), values, pinned)


def records_per_person(values: Values) -> float:
    """Return the most records of a person: 1 unless a limit is stated that has an effect on the query."""
    limit = values[PER_TOTAL.key]
    has_limit = values[CONTRIBUTION.key] != "once" and values[QUERY.key] in LIMITED_QUERIES
    return limit if has_limit and not np.isnan(limit) else 1.0


def _least_records(rule: Calibration, width: float, setting: AccuracySetting) -> float:
    """Return the least n at the setting's ε, NaN where there is none or it is above 1e300."""
    if setting.epsilon < rule.least_epsilon:
        return np.nan
    try:
        return float(
            accuracy.least_records(rule, setting.accuracy, setting.epsilon, setting.significance, width, setting.delta)
        )
    except ValueError:
        return np.nan


@dataclass(frozen=True)
class Curve:
    """A mechanism's values along ε, and the status of `Calibration.verdict` at each.

    The curves of a setting have the same ε.
    """

    rule: Calibration
    epsilon: Array
    value: Array
    status: NDArray[np.str_]


@lru_cache(256)
def epsilon_limits(rules: tuple[Calibration, ...], delta: float) -> tuple[float, ...]:
    """Return the ε, beside `EPSILONS`, between which the verdict on a mechanism changes."""
    return limits_over_epsilon(rules, EPSILONS, delta)


@dataclass(frozen=True)
class PinnedCurves:
    """The ε and the curves of a pinned setting."""

    epsilon: float
    curves: Sequence[Curve]


def curves_frame(curves: Sequence[Curve], column: str) -> pd.DataFrame:
    """Return curves along ε as a data frame, one below the other."""
    return pd.DataFrame(
        {
            "mechanism": np.concatenate([np.full(curve.epsilon.size, curve.rule.key) for curve in curves]),
            "epsilon": np.concatenate([curve.epsilon for curve in curves]),
            column: np.concatenate([curve.value for curve in curves]),
            "status": np.concatenate([curve.status for curve in curves]),
        }
    )


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
        for rule in setting.drawn_rules
    )


def least_half_widths(setting: AccuracySetting) -> tuple[Array, Array] | None:
    """Return the ε of the curves, and half-widths below which no noise of (ε, δ)-DP is; None for several numbers.

    It is None too where the guarantee is pure ε-DP, unless all mechanisms are drawn.
    """
    facts = setting.facts
    if not facts.single or (setting.promise == "pure" and setting.mechanisms != "all"):
        return None
    epsilon = np.union1d(EPSILONS, _limits(setting))
    return epsilon, optimal_noise.least_half_width(setting.significance, epsilon, setting.delta, facts.l1)


def _limits(setting: AccuracySetting) -> tuple[float, ...]:
    return epsilon_limits(tuple(rule for rule in setting.drawn_rules if rule is not TRUNCATED_GEOMETRIC), setting.delta)


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
