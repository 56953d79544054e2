"""The mechanisms of the page, each in a row of its table, and the one that `dpcore.recommendation` recommends."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore import accuracy, tables
from dpcore.accuracy import RULES
from dpcore.calibrations import DISCRETE_GAUSSIAN, GEOMETRIC_PUBLISHED, PURE_DP, Calibration
from dpcore.mechanism import Mechanism, calibrated, of_half_width
from dpcore.recommendation import Recommendation, recommend
from dpcore.sensitivity import Sensitivity, table_sensitivity
from pages.accuracy.query import AccuracySetting, Asked


@dataclass(frozen=True)
class MechanismRow:
    """One calibration in the table of mechanisms: what it gives at the page's ε and for the ± that is wanted.

    Attributes
    ----------
    calibration : the formula of the row.
    mechanism : the one at the page's ε.
    accuracy : its ± at the significance level; that of the published formula for `GEOMETRIC_PUBLISHED`.
    sufficient : the mechanism of the least ε that reaches the wanted ±, None where none is wanted.
    significance : the level of the ±.
    """

    calibration: Calibration
    mechanism: Mechanism
    accuracy: float
    sufficient: Mechanism | None
    significance: float

    @property
    def epsilon(self) -> float:
        """The ε that the wanted ± takes, NaN where there is none."""
        return np.nan if self.sufficient is None else self.sufficient.epsilon

    @property
    def reached(self) -> float:
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
    """The row of the mechanism to use; `because` is None where the rule finds no mechanism.

    Where there is no recommendation, the row is that of the mechanism which comes nearest to what is asked for.
    """

    row: MechanismRow
    because: Recommendation | None


@lru_cache(512)
def rows_at(asked: Asked, epsilon: float, delta: float, significance: float, wanted: float | None) -> Rows:
    """Return the row of every suited mechanism, by key.

    Discrete Gaussian noise has a row where ε is known: no formula here has the ε that a wanted ± of it takes.
    """
    rows = {
        rule.key: _row(rule, epsilon, delta, significance, asked.sensitivity(rule), wanted)
        for rule in RULES
        if asked.suits(rule)
    }
    if asked.whole and not asked.beyond_whole and wanted is None:
        for mechanism in tables.mechanisms(epsilon, delta, _whole_sensitivity(asked), keys=(DISCRETE_GAUSSIAN.key,)):
            half_width = mechanism.half_width(significance)
            rows[mechanism.key] = MechanismRow(DISCRETE_GAUSSIAN, mechanism, half_width, None, significance)
    return rows


def _whole_sensitivity(asked: Asked) -> Sensitivity:
    """The sensitivity of a query of whole answers: of one number or, of a histogram, of two that one record moves."""
    return table_sensitivity(1, asked.l1) if asked.single else table_sensitivity(1, 1.0, "replace")


def _row(
    rule: Calibration, epsilon: float, delta: float, significance: float, sensitivity: float, wanted: float | None
) -> MechanismRow:
    mechanism = calibrated(rule, epsilon, delta, sensitivity)
    half_width = mechanism.half_width(significance)
    if rule is GEOMETRIC_PUBLISHED and not math.isnan(half_width):
        half_width = float(accuracy.geometric_published_accuracy(epsilon, significance, sensitivity))
    sufficient = None if wanted is None else of_half_width(rule, wanted, significance, delta, sensitivity)
    return MechanismRow(rule, mechanism, half_width, sufficient, significance)


def recommended(rows: Rows, setting: AccuracySetting) -> RecommendedRow:
    """Return the row of the mechanism for the guarantee that is ticked.

    Where no mechanism of pure ε-DP has an answer, that is one of (ε, δ)-DP in spite of what is ticked.
    """
    pure = best_pure(rows, setting)
    if setting.promise == "pure" and not math.isnan(value(pure.row, setting)):
        return pure
    found = _recommendation(rows, setting, "delta")
    if found is not None:
        return RecommendedRow(rows[found.mechanism.key], found)
    return RecommendedRow(rows["analytic"], None) if math.isnan(value(pure.row, setting)) else pure


def best_pure(rows: Rows, setting: AccuracySetting) -> RecommendedRow:
    """Return the row of the mechanism of pure ε-DP to use; its numbers are NaN where none has an answer."""
    found = _recommendation(rows, setting, "pure")
    if found is not None:
        return RecommendedRow(rows[found.mechanism.key], found)
    rivals = [rows[key] for key in ("laplace", "geometric") if key in rows]
    least = min(rivals, key=lambda row: math.inf if math.isnan(value(row, setting)) else value(row, setting))
    return RecommendedRow(least, None)


def value(row: MechanismRow, setting: AccuracySetting) -> float:
    """Return what is asked for: the ± or, where that is known, the ε."""
    return row.accuracy if setting.wanted is None else row.epsilon


def _recommendation(rows: Rows, setting: AccuracySetting, guarantee: str) -> Recommendation | None:
    """Apply the rule at the known ε or, at a wanted ±, at the least ε that any usable mechanism needs."""
    if setting.wanted is not None:
        needed = [each.epsilon for each in _candidates(rows, wanted=True) if _is_usable(each, guarantee)]
        if not needed:
            return None
        at_least = rows_at(setting.asked, min(needed), setting.delta, setting.significance, None)
        rows = {key: row for key, row in at_least.items() if key in rows}
    return recommend(_candidates(rows), guarantee, setting.asked.whole, setting.significance)


def _candidates(rows: Rows, wanted: bool = False) -> list[Mechanism]:
    """The mechanisms of the rows; the published geometric formula is another for the same noise."""
    chosen = [row for row in rows.values() if row.calibration is not GEOMETRIC_PUBLISHED]
    return [each for row in chosen if (each := row.sufficient if wanted else row.mechanism) is not None]


def _is_usable(mechanism: Mechanism, guarantee: str) -> bool:
    return mechanism.releasable and (guarantee == "delta" or mechanism.guarantee == PURE_DP)
