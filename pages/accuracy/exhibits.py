"""What the page shows: accuracy against ε, the mechanisms in numbers, records, and a budget, at one setting."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from dpcore import accuracy, queries
from dpcore.calibrations import ANALYTIC, CLASSICAL, LAPLACE, PDP, PURE_DP, STAIRCASE, Calibration
from dpcore.queries import Budget
from pages.accuracy import budget, budget_words, figures, mechanism_words, record_words, words
from pages.accuracy.explanation import explanation
from pages.accuracy.figures import Curve, Kept, Marked
from pages.accuracy.query import Setting
from pages.accuracy.recommendation import Rows, rows_at
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters.kinds import Values
from pages.framework.parameters.number_format import without_markdown
from pages.shared.shared_parameters import read_setting

EPSILONS = np.logspace(-3, 2, 401)
RECORD_RULES = (LAPLACE, STAIRCASE, ANALYTIC, PDP, CLASSICAL)


@dataclass(frozen=True)
class Found:
    """One setting, and what follows from it, each computed once; `pinned` is the kept setting beside it."""

    setting: Setting
    pinned: "Found | None" = None

    @cached_property
    def answers(self) -> Rows:
        """What every suited mechanism answers, by key."""
        now = self.setting
        return rows_at(now.asked, now.epsilon, now.delta, now.significance, now.wanted)

    @property
    def before(self) -> tuple[Rows, Setting] | None:
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
        now = self.setting
        sizes, weights, locked = np.array([item.numbers for item in now.budget]).T
        try:
            return queries.budget(now.epsilon, now.delta, now.significance, sizes, weights, locked)
        except ValueError:
            return None

    @property
    def header(self) -> dict[str, str]:
        """The parameters and units for the top of a CSV."""
        return mechanism_words.csv_header(self.setting, self.pinned and self.pinned.setting)

    @property
    def explanation(self) -> str:
        """How the numbers are computed."""
        return explanation(self.answers, self.setting)


def found(values: Values) -> Found:
    """What the page's parameters ask for; a kept setting is shown in the same section and views."""
    kept = values["pinned"]
    return Found(read_setting(Setting, values), found(values | kept) if kept else None)


def _curves(now: Setting) -> tuple[Curve, ...]:
    """The half-width of the chosen mechanisms along `EPSILONS`."""
    return tuple(_curve(rule, now) for rule in now.asked.rules(now.mechanisms))


def _curve(rule: Calibration, now: Setting) -> Curve:
    delta = 0.0 if rule.promise == PURE_DP else now.delta
    return _half_widths(rule, now.asked.sensitivity(rule), delta, now.significance)


@lru_cache(256)  # it does not depend on ε
def _half_widths(rule: Calibration, sensitivity: float, delta: float, significance: float) -> Curve:
    value = accuracy.half_width(rule, EPSILONS, significance, sensitivity, delta)
    return Curve(rule, value, rule.verdict(EPSILONS, delta).status)


def _record_curves(now: Setting, width: float) -> tuple[Curve, ...]:
    """The least n for a wanted accuracy along `EPSILONS`."""
    rules = RECORD_RULES if now.mechanisms == "all" else now.asked.rules("three")
    deltas = (0.0 if rule.promise == PURE_DP else now.delta for rule in rules)
    wanted = float(now.accuracy)
    return tuple(
        _records(rule, width, wanted, delta, now.significance) for rule, delta in zip(rules, deltas, strict=True)
    )


@lru_cache(256)
def _records(rule: Calibration, width: float, wanted: float, delta: float, significance: float) -> Curve:
    value = accuracy.least_records(rule, wanted, EPSILONS, significance, width, delta)
    return Curve(rule, value, rule.verdict(EPSILONS, delta).status)


def _least(rule: Calibration, width: float, now: Setting) -> float:
    """The least n at the setting's ε, NaN where the mechanism has no answer or asks for more than 1e300 records."""
    if now.epsilon < rule.least_epsilon:
        return np.nan
    try:
        return float(accuracy.least_records(rule, now.accuracy, now.epsilon, now.significance, width, now.delta))
    except ValueError:
        return np.nan


def accuracies(found: Found, colour: Colours) -> Exhibit:
    """The accuracy of the chosen mechanisms against ε."""
    now, before = found.setting, found.pinned and found.pinned.setting
    curves, kept = _curves(now), before and Kept(before.epsilon, _curves(before))
    figure = figures.accuracy_figure(EPSILONS, curves, _marked(found), mechanism_words.described(now), colour, kept)
    return _against_epsilon(found, "accuracy", figure, curves)


def ratios(found: Found, colour: Colours) -> Exhibit:
    """The accuracy of the chosen mechanisms over Laplace's, against ε."""
    now, before = found.setting, found.pinned and found.pinned.setting
    curves, kept = _curves(now), before and Kept(before.epsilon, _curves(before))
    figure = figures.ratio_figure(EPSILONS, curves, _marked(found), mechanism_words.described(now), colour, kept)
    return _against_epsilon(found, "ratio", figure, curves)


def _marked(found: Found) -> Marked:
    now = found.setting
    return Marked(now.epsilon, now.wanted, list(found.answers.values()), now.asked.unit)


def _against_epsilon(found: Found, name: str, figure: Figure, curves: tuple[Curve, ...]) -> Exhibit:
    now = found.setting
    picks = ("epsilon", "") if now.wanted is None else ("", "accuracy" if name == "accuracy" else "")
    said = mechanism_words.alternative(found.answers, now)
    return Exhibit(
        name,
        figure,
        said,
        lambda: _frame(curves, "accuracy"),
        found.header,
        picks,
    )


def mechanisms(found: Found, _: Colours) -> Exhibit:
    """The chosen mechanisms in numbers."""
    now, answers = found.setting, found.answers
    numbers = mechanism_words.answers_frame(answers, now)
    html, said = mechanism_words.table_html(answers, now, found.before), mechanism_words.alternative(answers, now)
    return Exhibit("mechanisms", html, said, numbers, found.header)


def records(found: Found, colour: Colours) -> Exhibit | None:
    """The least number of records against ε; nothing where the sensitivity does not depend on it."""
    now, width, before = found.setting, found.setting.asked.width, found.pinned and found.pinned.setting
    if width is None:
        return None
    curves, kept = _record_curves(now, width), None
    if before is not None and before.asked.width is not None:
        kept = Kept(before.epsilon, _record_curves(before, before.asked.width))
    subtitle = mechanism_words.records_described(width, now)
    figure = figures.records_figure(EPSILONS, curves, now.epsilon, now.n_records, subtitle, colour, kept)
    said = without_markdown(" ".join(record_words.answer(found.least_records, now, None)))
    header = found.header
    return Exhibit("records", figure, said, lambda: _frame(curves, "n_records"), header, ("epsilon", ""))


def shares(found: Found, colour: Colours) -> Exhibit | None:
    """Each query's share of ε; nothing where the locked ones ask for more than there is."""
    items, before = found.setting.budget, found.pinned and found.pinned.shares
    if found.shares is None:
        return None
    figure = figures.shares_figure(
        budget.names_of(items),
        found.shares.epsilon,
        [bool(item.locked) for item in items],
        found.setting.epsilon,
        budget_words.described(found.setting),
        colour,
        before and before.epsilon,
    )
    return _of_budget("budget", figure, found, found.shares)


def shares_table(found: Found, _: Colours) -> Exhibit | None:
    """Each query's share, its accuracies and the totals; nothing where the locked ones ask for more than there is."""
    now, before = found.setting, found.pinned and found.pinned.shares
    if found.shares is None:
        return None
    html = budget_words.table_html(now.budget, found.shares, now.significance, before)
    return _of_budget("budget_table", html, found, found.shares)


def _of_budget(name: str, picture: Figure | str, found: Found, shares: Budget) -> Exhibit:
    now = found.setting
    said, numbers = budget_words.alternative(now.budget, shares), budget_words.frame(now.budget, shares)
    pinned = {} if found.pinned is None else {"pinned": words.kept_place(found.pinned.setting)}
    return Exhibit(name, picture, said, numbers, budget_words.csv_header(now, shares) | pinned)


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
