"""The result of the page at one setting: a row for each mechanism, the recommended one, and half-widths along ε."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import accuracy, optimal_noise, tables, truncated_geometric
from dpcore.accuracy import RULES
from dpcore.calibrations import (
    ANALYTIC,
    DISCRETE_GAUSSIAN,
    GEOMETRIC,
    GEOMETRIC_PUBLISHED,
    LAPLACE,
    PROVED,
    PURE_DP,
    STAIRCASE,
    STAIRCASE_MEAN,
    TRUNCATED_GEOMETRIC,
    TRUNCATED_LAPLACE,
    UNDEFINED,
    Calibration,
)
from dpcore.checks import EPSILON_RANGE, Array, interval_bounds
from dpcore.families import FAMILIES
from dpcore.mechanism import Mechanism, calibrated_by_each, of_half_width
from dpcore.recommendation import AS_GOOD, Recommendation, recommend
from dpcore.sensitivity import Sensitivity, table_sensitivity
from pages.accuracy.parameters import LIMITED_QUERIES, QUERY, AccuracySetting, QueryFacts
from pages.accuracy.text import setting_text
from pages.framework.chart.theme import coincide
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.uploaded_files import kept
from pages.shared.conditions import CONTRIBUTION
from pages.shared.counts.table import PER_TOTAL
from pages.shared.shared_parameters import read_setting
from pages.shared.status_lines import limits_over_epsilon, refined

_MOST_EPSILON = interval_bounds(EPSILON_RANGE)[1]
EXTRA_RULES = {rule.key: rule for rule in (DISCRETE_GAUSSIAN, TRUNCATED_GEOMETRIC)}
"""The mechanisms for whole answers that are computed as for a table, where ε is known."""


@dataclass(frozen=True)
class MechanismRow:
    """One calibration in the table of mechanisms: what it gives at the page's ε and for the target ±.

    Attributes
    ----------
    calibration : the formula of the row.
    mechanism : the one at the page's ε.
    half_width : its ± at the significance level; that of the published formula for `GEOMETRIC_PUBLISHED`.
    sufficient : the mechanism of the least ε that reaches the target ±, None where there is no target.
    significance : the level of the ±.
    """

    calibration: Calibration
    mechanism: Mechanism
    half_width: float
    sufficient: Mechanism | None
    significance: float

    @property
    def chosen(self) -> Mechanism:
        """The mechanism of the answer: that of the target ± or, without a target, that at the page's ε."""
        return self.sufficient or self.mechanism

    @property
    def epsilon(self) -> float:
        """The ε that the target ± takes, NaN where there is none."""
        return np.nan if self.sufficient is None else self.sufficient.epsilon

    @property
    def sufficient_half_width(self) -> float:
        """The ± that the noise of that ε really has, NaN where there is none."""
        return np.nan if self.sufficient is None else self.sufficient.half_width(self.significance)


Rows = dict[str, MechanismRow]
"""The row of every mechanism that suits the query, by key."""


@dataclass(frozen=True)
class RecommendedRow:
    """The row of the mechanism to use; `recommendation` is None where the rule finds no mechanism.

    Where there is no recommendation, the row is that of the mechanism which comes nearest to the target.
    """

    row: MechanismRow
    recommendation: Recommendation | None


def rows_at(facts: QueryFacts, epsilon: float, delta: float, significance: float, target: float | None) -> Rows:
    """Return the row of every suited mechanism, by key.

    Discrete Gaussian noise has a row where ε is known: no formula here has the ε that a target ± of it takes.
    """
    rows: Rows = {}
    suited = (rule for rule in RULES if not facts.unsuitability(rule))
    for _, group in groupby(suited, lambda rule: (rule.true_delta, rule.norm)):
        rules = tuple(group)
        mechanisms = calibrated_by_each(rules, epsilon, delta, facts.sensitivity(rules[0]))
        for rule, mechanism in zip(rules, mechanisms, strict=True):
            rows[rule.key] = _mechanism_row(rule, mechanism, delta, significance, facts.sensitivity(rule), target)
    if facts.whole and not facts.is_beyond_whole_noise:
        keys = tuple(EXTRA_RULES) if target is None else (TRUNCATED_GEOMETRIC.key,)
        sensitivity = sensitivity_of_whole_answers(facts)
        for mechanism in tables.mechanisms(epsilon, delta, sensitivity, keys=keys):
            rule, half_width, sufficient = EXTRA_RULES[mechanism.key], mechanism.half_width(significance), None
            if target is not None:
                sufficient = tables.of_half_width(rule.key, target, significance, delta, sensitivity)
            rows[rule.key] = MechanismRow(rule, mechanism, half_width, sufficient, significance)
    return rows


def noise_of_whole_answers(rule: Calibration, facts: QueryFacts, epsilon: float, delta: float) -> Mechanism:
    """Return the noise of one of `EXTRA_RULES` at an ε."""
    return tables.mechanisms(epsilon, delta, sensitivity_of_whole_answers(facts), keys=(rule.key,))[0]


def sensitivity_of_whole_answers(facts: QueryFacts) -> Sensitivity:
    """Return the sensitivity of a query of whole answers: one number or two cells of a histogram."""
    return table_sensitivity(1, facts.l1) if facts.single else table_sensitivity(1, 1.0, "replace")


def _mechanism_row(
    rule: Calibration, mechanism: Mechanism, delta: float, significance: float, sensitivity: float, target: float | None
) -> MechanismRow:
    half_width = mechanism.half_width(significance)
    if rule is GEOMETRIC_PUBLISHED and not math.isnan(half_width):
        half_width = float(accuracy.geometric_published_accuracy(mechanism.epsilon, significance, sensitivity))
    sufficient = None if target is None else of_half_width(rule, target, significance, delta, sensitivity)
    return MechanismRow(rule, mechanism, half_width, sufficient, significance)


def recommended_row(rows: Rows, setting: AccuracySetting, *, are_values_whole: bool = False) -> RecommendedRow:
    """Return the row of the mechanism for the chosen guarantee.

    Where no mechanism of pure ε-DP has an answer, that is one of (ε, δ)-DP in spite of the choice. Noise on the whole
    numbers is recommended for a sum only where its values are known to be whole.
    """
    rows = rows if are_values_whole else _for_any_values(rows, setting)
    pure = _recommended_pure_row(rows, setting)
    if setting.promise == "pure" and not math.isnan(answer_value(pure.row, setting)):
        return pure
    recommendation = _recommendation_of_rule(rows, setting, "delta")
    if recommendation is not None:
        return RecommendedRow(rows[recommendation.mechanism.key], recommendation)
    return RecommendedRow(rows["analytic"], None) if math.isnan(answer_value(pure.row, setting)) else pure


def recommended_pure_row(rows: Rows, setting: AccuracySetting) -> RecommendedRow:
    """Return the row of the mechanism of pure ε-DP to use; its numbers are NaN where none has an answer."""
    return _recommended_pure_row(_for_any_values(rows, setting), setting)


def _for_any_values(rows: Rows, setting: AccuracySetting) -> Rows:
    is_whole = setting.facts.is_surely_whole
    return rows if is_whole else {key: row for key, row in rows.items() if not row.calibration.whole}


def _recommended_pure_row(rows: Rows, setting: AccuracySetting) -> RecommendedRow:
    recommendation = _recommendation_of_rule(rows, setting, "pure")
    if recommendation is not None:
        return RecommendedRow(rows[recommendation.mechanism.key], recommendation)
    keys = [family.calibration.key for family in FAMILIES.values() if family.pure and family.is_sampled_safely]
    values = {key: answer_value(rows[key], setting) for key in keys if key in rows}
    least = min(values, key=lambda key: math.inf if math.isnan(values[key]) else values[key])
    return RecommendedRow(rows[least], None)


def answer_value(row: MechanismRow, setting: AccuracySetting) -> float:
    """Return the number of the answer: the ± or, where that is the target, the ε."""
    return row.half_width if setting.target is None else row.epsilon


def _recommendation_of_rule(rows: Rows, setting: AccuracySetting, guarantee: str) -> Recommendation | None:
    """Apply the rule at the known ε or, for a target ±, at the least ε of any usable mechanism plus the rule's 1 %.

    There, every mechanism whose ε counts as equal to the least reaches the target.
    """
    if setting.target is not None:
        candidates = _candidate_mechanisms(rows, sufficient=True)
        usable = [mechanism for mechanism in candidates if mechanism.releasable]
        usable = [mechanism for mechanism in usable if guarantee == "delta" or mechanism.guarantee == PURE_DP]
        epsilons = [mechanism.epsilon for mechanism in usable]
        if not epsilons:
            return None
        least = min(epsilons)
        epsilon = min(AS_GOOD * least, max(least, _MOST_EPSILON))
        at_least = kept(rows_at, setting.facts, epsilon, setting.delta, setting.significance, None)
        rows = {key: row for key, row in at_least.items() if key in rows}
    return kept(recommend, _candidate_mechanisms(rows), guarantee, setting.facts.whole, setting.significance)


def _candidate_mechanisms(rows: Rows, sufficient: bool = False) -> tuple[Mechanism, ...]:
    """Return the mechanisms of the rows; the published geometric formula is another for the same noise."""
    different = [row for row in rows.values() if row.calibration is not GEOMETRIC_PUBLISHED]
    mechanisms = (row.sufficient if sufficient else row.mechanism for row in different)
    return tuple(mechanism for mechanism in mechanisms if mechanism is not None)


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
        return kept(rows_at, setting.facts, setting.epsilon, setting.delta, setting.significance, setting.target)

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
        unit = facts.measure or "the unit of the values"
        return {
            **setting.texts(*keys),
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


def epsilon_limits(
    rules: tuple[Calibration, ...],
    delta: float,
    on_steps: tuple[tuple[Calibration, float], ...] = (),
    significance: float = 0.05,
) -> tuple[float, ...]:
    """Return the ε, beside `EPSILONS`, between which the verdict on a mechanism changes.

    With noises `on_steps`, each with its sensitivity, also those at which their errors bend.
    """
    limits = limits_over_epsilon(rules, EPSILONS, delta)
    if not on_steps:
        return limits

    def half_widths(epsilon: Array) -> Array:
        return np.stack([accuracy.half_width(rule, epsilon, significance, l1, 0.0) for rule, l1 in on_steps])

    return *limits, *refined(EPSILONS, half_widths)


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
    """Return the half-widths of the mechanisms that are drawn, along `EPSILONS` and `_limits`.

    Truncated noise whose line could not be told from that of the same noise without an end has none, unless all are
    wanted.
    """
    facts, delta, significance = setting.facts, setting.delta, setting.significance
    limits = _limits(setting)
    curves = tuple(
        kept(_truncated_curve, facts, delta, significance, limits)
        if rule is TRUNCATED_GEOMETRIC
        else kept(_half_width_curve, rule, facts.sensitivity(rule), own_delta, significance, limits)
        for rule in setting.drawn_rules
        for own_delta in [0.0 if rule.guarantee == PURE_DP else delta]
    )
    if setting.mechanisms == "all":
        return curves
    values = {curve.rule: curve.value for curve in curves}
    twins = {rule: values[twin] for rule, twin in _TWINS.items() if twin in values}
    return tuple(curve for curve in curves if curve.rule not in twins or not coincide(curve.value, twins[curve.rule]))


_TWINS = {TRUNCATED_LAPLACE: LAPLACE, TRUNCATED_GEOMETRIC: GEOMETRIC}


def least_half_widths(setting: AccuracySetting) -> tuple[Array, Array] | None:
    """Return the ε of the curves, and half-widths below which no noise of (ε, δ)-DP is.

    It is None for several numbers, and unless all mechanisms are drawn.
    """
    facts = setting.facts
    if not facts.single or setting.mechanisms != "all":
        return None
    epsilon = np.union1d(EPSILONS, _limits(setting))
    return epsilon, optimal_noise.least_half_width(setting.significance, epsilon, setting.delta, facts.l1)


def _limits(setting: AccuracySetting) -> tuple[float, ...]:
    """Return the ε, beside `EPSILONS`, at which a verdict changes or an error of noise on steps bends."""
    rules = tuple(rule for rule in setting.drawn_rules if rule is not TRUNCATED_GEOMETRIC)
    on_steps = tuple((rule, setting.facts.sensitivity(rule)) for rule in rules if rule in (STAIRCASE, STAIRCASE_MEAN))
    return kept(epsilon_limits, rules, setting.delta, on_steps, setting.significance)


def _half_width_curve(
    rule: Calibration, sensitivity: float, delta: float, significance: float, limits: tuple[float, ...]
) -> Curve:
    epsilon = np.union1d(EPSILONS, limits)
    half_widths = accuracy.half_width(rule, epsilon, significance, sensitivity, delta)
    return Curve(rule, epsilon, half_widths, rule.verdict(epsilon, delta).status)


def _truncated_curve(facts: QueryFacts, delta: float, significance: float, limits: tuple[float, ...]) -> Curve:
    """Return the half-widths of truncated geometric noise, NaN where there is none."""
    epsilon = np.union1d(EPSILONS, limits)
    half_widths = np.full(epsilon.shape, np.nan)
    bound, scale = tables.truncated_geometric_noise(epsilon, delta, sensitivity_of_whole_answers(facts))
    fits = np.isfinite(bound)
    half_widths[fits] = truncated_geometric.half_width(significance, bound[fits], scale[fits])
    return Curve(TRUNCATED_GEOMETRIC, epsilon, half_widths, np.where(fits, PROVED, UNDEFINED))
