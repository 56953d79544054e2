"""What the page shows: accuracy against ε, the mechanisms in numbers, records, and a budget, at one setting."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from dpcore import accuracy, queries
from dpcore.calibrations import ANALYTIC, CLASSICAL, LAPLACE, PDP, PURE_DP, STAIRCASE, Calibration
from dpcore.queries import Budget
from pages.accuracy import budget, budget_text, figures, mechanism_text, records_text, text
from pages.accuracy.explanation import explanation
from pages.accuracy.figures import Curve, Kept, Marked
from pages.accuracy.query import AccuracySetting
from pages.accuracy.recommendation import Rows, rows_at
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters.kinds import Values
from pages.framework.parameters.number_format import without_markdown
from pages.shared.shared_parameters import read_setting

EPSILONS = np.logspace(-3, 2, 401)
RECORD_RULES = (LAPLACE, STAIRCASE, ANALYTIC, PDP, CLASSICAL)


@dataclass(frozen=True)
class AccuracyResult:
    """One setting, and what follows from it, each computed once; `pinned` is the kept setting beside it."""

    setting: AccuracySetting
    pinned: "AccuracyResult | None" = None

    @cached_property
    def answers(self) -> Rows:
        """What every suited mechanism answers, by key."""
        setting = self.setting
        return rows_at(setting.asked, setting.epsilon, setting.delta, setting.significance, setting.wanted)

    @property
    def before(self) -> tuple[Rows, AccuracySetting] | None:
        """The answers of the kept setting, and that setting."""
        return self.pinned and (self.pinned.answers, self.pinned.setting)

    @cached_property
    def least_records(self) -> tuple[float, float]:
        """The least n with Laplace and with analytic Gaussian noise, NaN where there is none."""
        width = self.setting.asked.width
        if width is None:
            return np.nan, np.nan
        laplace, normal = (_least(rule, width, self.setting) for rule in (LAPLACE, ANALYTIC))
        return laplace, normal

    @cached_property
    def shares(self) -> Budget | None:
        """The budget over the queries; None where the locked ones ask for more than there is."""
        setting = self.setting
        sizes, weights, locked = np.array([item.numbers for item in setting.budget]).T
        try:
            return queries.budget(setting.epsilon, setting.delta, setting.significance, sizes, weights, locked)
        except ValueError:
            return None

    @property
    def header(self) -> dict[str, str]:
        """The parameters and units for the top of a CSV."""
        return mechanism_text.csv_header(self.setting, self.pinned and self.pinned.setting)

    @property
    def explanation(self) -> str:
        """How the numbers are computed."""
        return explanation(self.answers, self.setting)


def compute_result(values: Values) -> AccuracyResult:
    """What the page's parameters ask for; a kept setting is shown in the same section and views."""
    kept = values["pinned"]
    return AccuracyResult(read_setting(AccuracySetting, values), compute_result(values | kept) if kept else None)


def _curves(setting: AccuracySetting) -> tuple[Curve, ...]:
    """The half-width of the chosen mechanisms along `EPSILONS`."""
    return tuple(_curve(rule, setting) for rule in setting.asked.rules(setting.mechanisms))


def _curve(rule: Calibration, setting: AccuracySetting) -> Curve:
    delta = 0.0 if rule.promise == PURE_DP else setting.delta
    return _half_widths(rule, setting.asked.sensitivity(rule), delta, setting.significance)


@lru_cache(256)  # it does not depend on ε
def _half_widths(rule: Calibration, sensitivity: float, delta: float, significance: float) -> Curve:
    value = accuracy.half_width(rule, EPSILONS, significance, sensitivity, delta)
    return Curve(rule, value, rule.verdict(EPSILONS, delta).status)


def _record_curves(setting: AccuracySetting, width: float) -> tuple[Curve, ...]:
    """The least n for a wanted accuracy along `EPSILONS`."""
    rules = RECORD_RULES if setting.mechanisms == "all" else setting.asked.rules("three")
    deltas = (0.0 if rule.promise == PURE_DP else setting.delta for rule in rules)
    wanted = float(setting.accuracy)
    return tuple(
        _records(rule, width, wanted, delta, setting.significance) for rule, delta in zip(rules, deltas, strict=True)
    )


@lru_cache(256)
def _records(rule: Calibration, width: float, wanted: float, delta: float, significance: float) -> Curve:
    value = accuracy.least_records(rule, wanted, EPSILONS, significance, width, delta)
    return Curve(rule, value, rule.verdict(EPSILONS, delta).status)


def _least(rule: Calibration, width: float, setting: AccuracySetting) -> float:
    """The least n at the setting's ε, NaN where the mechanism has no answer or asks for more than 1e300 records."""
    if setting.epsilon < rule.least_epsilon:
        return np.nan
    try:
        return float(
            accuracy.least_records(rule, setting.accuracy, setting.epsilon, setting.significance, width, setting.delta)
        )
    except ValueError:
        return np.nan


def accuracies(result: AccuracyResult, colour: Colours) -> Exhibit:
    """The accuracy of the chosen mechanisms against ε."""
    setting, before = result.setting, result.pinned and result.pinned.setting
    curves, kept = _curves(setting), before and Kept(before.epsilon, _curves(before))
    figure = figures.accuracy_figure(EPSILONS, curves, _marked(result), mechanism_text.described(setting), colour, kept)
    return _against_epsilon(result, "accuracy", figure, curves)


def ratios(result: AccuracyResult, colour: Colours) -> Exhibit:
    """The accuracy of the chosen mechanisms over Laplace's, against ε."""
    setting, before = result.setting, result.pinned and result.pinned.setting
    curves, kept = _curves(setting), before and Kept(before.epsilon, _curves(before))
    figure = figures.ratio_figure(EPSILONS, curves, _marked(result), mechanism_text.described(setting), colour, kept)
    return _against_epsilon(result, "ratio", figure, curves)


def _marked(result: AccuracyResult) -> Marked:
    setting = result.setting
    return Marked(setting.epsilon, setting.wanted, list(result.answers.values()), setting.asked.unit)


def _against_epsilon(result: AccuracyResult, name: str, figure: Figure, curves: tuple[Curve, ...]) -> Exhibit:
    setting = result.setting
    picks = ("epsilon", "") if setting.wanted is None else ("", "accuracy" if name == "accuracy" else "")
    said = mechanism_text.alternative(result.answers, setting)
    return Exhibit(
        name,
        figure,
        said,
        lambda: _frame(curves, "accuracy"),
        result.header,
        picks,
    )


def mechanisms(result: AccuracyResult, _: Colours) -> Exhibit:
    """The chosen mechanisms in numbers."""
    setting, answers = result.setting, result.answers
    numbers = mechanism_text.answers_frame(answers, setting)
    html, said = (
        mechanism_text.table_html(answers, setting, result.before),
        mechanism_text.alternative(answers, setting),
    )
    return Exhibit("mechanisms", html, said, numbers, result.header)


def records(result: AccuracyResult, colour: Colours) -> Exhibit | None:
    """The least number of records against ε; nothing where the sensitivity does not depend on it."""
    setting, width, before = result.setting, result.setting.asked.width, result.pinned and result.pinned.setting
    if width is None:
        return None
    curves, kept = _record_curves(setting, width), None
    if before is not None and before.asked.width is not None:
        kept = Kept(before.epsilon, _record_curves(before, before.asked.width))
    subtitle = mechanism_text.records_described(width, setting)
    figure = figures.records_figure(EPSILONS, curves, setting.epsilon, setting.n_records, subtitle, colour, kept)
    said = without_markdown(" ".join(records_text.answer(result.least_records, setting, None)))
    header = result.header
    return Exhibit("records", figure, said, lambda: _frame(curves, "n_records"), header, ("epsilon", ""))


def shares(result: AccuracyResult, colour: Colours) -> Exhibit | None:
    """Each query's share of ε; nothing where the locked ones ask for more than there is."""
    items, before = result.setting.budget, result.pinned and result.pinned.shares
    if result.shares is None:
        return None
    figure = figures.shares_figure(
        budget.names_of(items),
        result.shares.epsilon,
        [bool(item.locked) for item in items],
        result.setting.epsilon,
        budget_text.described(result.setting),
        colour,
        before and before.epsilon,
    )
    return _of_budget("budget", figure, result, result.shares)


def shares_table(result: AccuracyResult, _: Colours) -> Exhibit | None:
    """Each query's share, its accuracies and the totals; nothing where the locked ones ask for more than there is."""
    setting, before = result.setting, result.pinned and result.pinned.shares
    if result.shares is None:
        return None
    html = budget_text.table_html(setting.budget, result.shares, setting.significance, before)
    return _of_budget("budget_table", html, result, result.shares)


def _of_budget(name: str, picture: Figure | str, result: AccuracyResult, shares: Budget) -> Exhibit:
    setting = result.setting
    said, numbers = budget_text.alternative(setting.budget, shares), budget_text.frame(setting.budget, shares)
    pinned = {} if result.pinned is None else {"pinned": text.kept_place(result.pinned.setting)}
    return Exhibit(name, picture, said, numbers, budget_text.csv_header(setting, shares) | pinned)


def _frame(curves: tuple[Curve, ...], column: str) -> pd.DataFrame:
    """Curves along `EPSILONS`, one below the other."""
    return pd.DataFrame(
        {
            "mechanism": np.repeat([curve.rule.key for curve in curves], EPSILONS.size),
            "epsilon": np.tile(EPSILONS, len(curves)),
            column: np.concatenate([curve.value for curve in curves]),
            "status": np.concatenate([curve.status for curve in curves]),
        }
    )


ALL = (accuracies, ratios, mechanisms, records, shares, shares_table)
