"""What the page shows: accuracy against ε, every mechanism in numbers, records, and a budget, at one setting."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from dpcore import accuracy, queries
from dpcore.accuracy import RULES
from dpcore.calibrations import ANALYTIC, CLASSICAL, LAPLACE, PDP, STAIRCASE, Calibration
from dpcore.queries import Budget
from pages.accuracy import budget, budget_words, figures, words
from pages.accuracy.explanation import explanation
from pages.accuracy.figures import Curve
from pages.accuracy.query import Asked, Setting
from pages.accuracy.words import Answers
from pages.shared.common import setting
from pages.shared.export import Colours, Exhibit, Figure
from pages.shared.parameters import Values
from pages.shared.text import unmarked

EPSILONS = np.logspace(-3, 2, 401)
RECORD_RULES = (LAPLACE, STAIRCASE, ANALYTIC, PDP, CLASSICAL)


@dataclass(frozen=True)
class Found:
    """One setting, and what follows from it, each computed once."""

    setting: Setting

    @cached_property
    def answers(self) -> Answers:
        """What every suited mechanism answers, by key."""
        now = self.setting
        return _answers(now.asked, now.epsilon, now.delta, now.significance, now.wanted)

    @property
    def answer(self) -> tuple[str, str]:
        """The page's answer."""
        return words.answer(self.answers, self.setting)

    @property
    def readings(self) -> str:
        """The three readings of geometric noise."""
        return words.readings(self.answers, self.setting)

    @property
    def records_said(self) -> str:
        """How many records the wanted accuracy takes, or why there is no such number."""
        width = self.setting.asked.width
        if width is None:
            return words.no_records(self.setting)
        laplace, normal = (_least(rule, width, self.setting) for rule in (LAPLACE, ANALYTIC))
        return words.records_said(laplace, normal, width, self.setting)

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
    def too_much(self) -> str:
        """The sentence for locks beyond the budget, empty if they are within."""
        return "" if self.shares is not None else budget_words.too_much(self.setting.budget, self.setting.epsilon)

    @property
    def shares_said(self) -> str:
        """What the queries spend together; empty where the locked ones ask for more than there is."""
        return budget_words.summary(self.shares) if self.shares is not None else ""

    @property
    def explanation(self) -> str:
        """How the numbers are computed."""
        return explanation(self.answers, self.setting)


def found(values: Values) -> Found:
    """What the page's parameters ask for."""
    return Found(setting(Setting, values))


@lru_cache(256)
def _answers(asked: Asked, epsilon: float, delta: float, significance: float, wanted: float | None) -> Answers:
    return {
        rule.key: accuracy.answer(rule, epsilon, delta, significance, asked.sensitivity(rule), wanted)
        for rule in RULES
        if asked.suits(rule)
    }


@lru_cache(64)  # it does not depend on ε
def _curves(asked: Asked, delta: float, significance: float) -> tuple[Curve, ...]:
    """The half-width of every suited mechanism along `EPSILONS`."""
    return tuple(
        Curve(
            rule,
            accuracy.half_width(rule, EPSILONS, significance, asked.sensitivity(rule), delta),
            rule.status(EPSILONS, delta).word,
        )
        for rule in RULES
        if asked.suits(rule)
    )


@lru_cache(64)
def _records(width: float, wanted: float, delta: float, significance: float) -> tuple[Curve, ...]:
    """The least n for a wanted accuracy along `EPSILONS`."""
    return tuple(
        Curve(
            rule,
            accuracy.least_records(rule, wanted, EPSILONS, significance, width, delta),
            rule.status(EPSILONS, delta).word,
        )
        for rule in RECORD_RULES
    )


def _least(rule: Calibration, width: float, now: Setting) -> float:
    """The least n at the setting's ε, NaN where the mechanism has no answer or asks for more than 1e300 records."""
    if now.epsilon < rule.least_epsilon:
        return np.nan
    try:
        return float(accuracy.least_records(rule, now.accuracy, now.epsilon, now.significance, width, now.delta))
    except ValueError:
        return np.nan


def accuracies(found: Found, colour: Colours) -> Exhibit:
    """Every mechanism's accuracy against ε."""
    now, answers = found.setting, found.answers
    curves = _curves(now.asked, now.delta, now.significance)
    figure = figures.accuracy_figure(
        EPSILONS,
        curves,
        now.epsilon,
        now.wanted,
        list(answers.values()),
        now.asked.unit,
        words.described(now),
        colour,
    )
    said = words.alternative(answers, now)
    return Exhibit("accuracy", figure, said, lambda: _frame(curves, "accuracy"), words.csv_header(now))


def mechanisms(found: Found, _: Colours) -> Exhibit:
    """All mechanisms in numbers."""
    now, answers = found.setting, found.answers
    numbers = words.answers_frame(answers, now)
    html, said = words.table_html(answers, now), words.alternative(answers, now)
    return Exhibit("mechanisms", html, said, numbers, words.csv_header(now))


def records(found: Found, colour: Colours) -> Exhibit | None:
    """The least number of records against ε; nothing where the sensitivity does not depend on it."""
    now, width = found.setting, found.setting.asked.width
    if width is None:
        return None
    curves = _records(width, now.accuracy, now.delta, now.significance)
    subtitle = words.records_described(width, now)
    figure = figures.records_figure(EPSILONS, curves, now.epsilon, now.n_records, subtitle, colour)
    header = words.csv_header(now)
    return Exhibit("records", figure, unmarked(found.records_said), lambda: _frame(curves, "n_records"), header)


def shares(found: Found, colour: Colours) -> Exhibit | None:
    """Each query's share of ε; nothing where the locked ones ask for more than there is."""
    items = found.setting.budget
    if found.shares is None:
        return None
    figure = figures.shares_figure(
        budget.names_of(items),
        found.shares.epsilon,
        [bool(item.locked) for item in items],
        found.setting.epsilon,
        budget_words.described(found.setting),
        colour,
    )
    return _of_budget("budget", figure, found.setting, found.shares)


def shares_table(found: Found, _: Colours) -> Exhibit | None:
    """Each query's share, its accuracies and the totals; nothing where the locked ones ask for more than there is."""
    now = found.setting
    if found.shares is None:
        return None
    html = budget_words.table_html(now.budget, found.shares, now.significance)
    return _of_budget("budget_table", html, now, found.shares)


def _of_budget(name: str, picture: Figure | str, now: Setting, found: Budget) -> Exhibit:
    said, numbers = budget_words.alternative(now.budget, found), budget_words.frame(now.budget, found)
    return Exhibit(name, picture, said, numbers, budget_words.csv_header(now, found))


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


ALL = (accuracies, mechanisms, records, shares, shares_table)
