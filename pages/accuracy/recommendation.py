"""The mechanisms of the page, each in a row of its table, and the one that `dpcore.recommendation` recommends."""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np

from dpcore import accuracy, tables
from dpcore.accuracy import RULES
from dpcore.calibrations import DISCRETE_GAUSSIAN, GEOMETRIC_PUBLISHED, PURE_DP, TRUNCATED_GEOMETRIC, Calibration
from dpcore.checks import EPSILON_RANGE, interval_bounds
from dpcore.mechanism import Mechanism, calibrated_by_each, of_half_width
from dpcore.recommendation import AS_GOOD, Recommendation, recommend
from dpcore.sensitivity import Sensitivity, table_sensitivity
from pages.accuracy.query import AccuracySetting, QueryFacts

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

    @property
    def status(self) -> str:
        """Whether the guarantee holds, at the ε that is used."""
        return (self.sufficient or self.mechanism).status

    @property
    def true_delta(self) -> float:
        """The least δ of (ε, δ)-DP at that ε."""
        return (self.sufficient or self.mechanism).true_delta


Rows = dict[str, MechanismRow]
"""The row of every mechanism that suits the query, by key."""


@dataclass(frozen=True)
class RecommendedRow:
    """The row of the mechanism to use; `recommendation` is None where the rule finds no mechanism.

    Where there is no recommendation, the row is that of the mechanism which comes nearest to the target.
    """

    row: MechanismRow
    recommendation: Recommendation | None


@lru_cache(512)
def rows_at(facts: QueryFacts, epsilon: float, delta: float, significance: float, target: float | None) -> Rows:
    """Return the row of every suited mechanism, by key.

    Discrete Gaussian noise has a row where ε is known: no formula here has the ε that a target ± of it takes.
    """
    rows: Rows = {}
    for _, group in groupby((rule for rule in RULES if facts.suits(rule)), lambda rule: (rule.true_delta, rule.norm)):
        rules = tuple(group)
        for rule, mechanism in zip(
            rules, calibrated_by_each(rules, epsilon, delta, facts.sensitivity(rules[0])), strict=True
        ):
            rows[rule.key] = _mechanism_row(rule, mechanism, delta, significance, facts.sensitivity(rule), target)
    if facts.whole and not facts.is_beyond_whole_noise:
        keys = tuple(EXTRA_RULES) if target is None else (TRUNCATED_GEOMETRIC.key,)
        sensitivity = sensitivity_of_whole_answers(facts)
        for mechanism in tables.mechanisms(epsilon, delta, sensitivity, keys=keys):
            rule, half_width = EXTRA_RULES[mechanism.key], mechanism.half_width(significance)
            sufficient = _sufficient_noise(rule.key, target, significance, delta, sensitivity)
            rows[rule.key] = MechanismRow(rule, mechanism, half_width, sufficient, significance)
    return rows


def noise_of_whole_answers(rule: Calibration, facts: QueryFacts, epsilon: float, delta: float) -> Mechanism:
    """Return the noise of one of `EXTRA_RULES` at an ε."""
    return tables.mechanisms(epsilon, delta, sensitivity_of_whole_answers(facts), keys=(rule.key,))[0]


def _sufficient_noise(
    key: str, target: float | None, significance: float, delta: float, sensitivity: Sensitivity
) -> Mechanism | None:
    """Return the noise of the least ε that reaches a target ±; None without a target."""
    return None if target is None else tables.of_half_width(key, target, significance, delta, sensitivity)


def sensitivity_of_whole_answers(facts: QueryFacts) -> Sensitivity:
    """Return the sensitivity of a query of whole answers: one number or two cells of a histogram."""
    return table_sensitivity(1, facts.l1) if facts.single else table_sensitivity(1, 1.0, "replace")


def _mechanism_row(
    rule: Calibration,
    mechanism: Mechanism,
    delta: float,
    significance: float,
    sensitivity: float,
    target: float | None,
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
    rivals = [rows[key] for key in ("laplace", "geometric") if key in rows]
    least = min(
        rivals, key=lambda row: math.inf if math.isnan(answer_value(row, setting)) else answer_value(row, setting)
    )
    return RecommendedRow(least, None)


def answer_value(row: MechanismRow, setting: AccuracySetting) -> float:
    """Return the number of the answer: the ± or, where that is the target, the ε."""
    return row.half_width if setting.target is None else row.epsilon


def _recommendation_of_rule(rows: Rows, setting: AccuracySetting, guarantee: str) -> Recommendation | None:
    """Apply the rule at the known ε or, for a target ±, at the least ε of any usable mechanism plus the rule's 1 %.

    There, every mechanism whose ε counts as equal to the least reaches the target.
    """
    if setting.target is not None:
        candidates = _candidate_mechanisms(rows, sufficient=True)
        epsilons = [mechanism.epsilon for mechanism in candidates if _meets_guarantee(mechanism, guarantee)]
        if not epsilons:
            return None
        least = min(epsilons)
        epsilon = min(AS_GOOD * least, max(least, _MOST_EPSILON))
        at_least = rows_at(setting.facts, epsilon, setting.delta, setting.significance, None)
        rows = {key: row for key, row in at_least.items() if key in rows}
    return _recommendation(_candidate_mechanisms(rows), guarantee, setting.facts.whole, setting.significance)


_recommendation = lru_cache(256)(recommend)  # several sentences and the table name the recommended mechanism


def _candidate_mechanisms(rows: Rows, sufficient: bool = False) -> tuple[Mechanism, ...]:
    """Return the mechanisms of the rows; the published geometric formula is another for the same noise."""
    different = [row for row in rows.values() if row.calibration is not GEOMETRIC_PUBLISHED]
    mechanisms = (row.sufficient if sufficient else row.mechanism for row in different)
    return tuple(mechanism for mechanism in mechanisms if mechanism is not None)


def _meets_guarantee(mechanism: Mechanism, guarantee: str) -> bool:
    return mechanism.releasable and (guarantee == "delta" or mechanism.guarantee == PURE_DP)
