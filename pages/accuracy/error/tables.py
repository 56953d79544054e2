"""The mechanisms side by side, with their verdicts: as an HTML table and as a data frame."""

import math
from collections.abc import Callable
from html import escape

import numpy as np
import pandas as pd

from dpcore.accuracy import RULES
from dpcore.calibrations import CLASSICAL, CLASSICAL_TIGHT, PROVED, UNDEFINED, Calibration
from dpcore.mechanism import NO_SAFE_SAMPLER
from pages.accuracy.query import AccuracySetting
from pages.accuracy.recommendation import EXTRA_RULES, MechanismRow, Rows, recommended_row
from pages.accuracy.text import epsilon_equation, epsilon_text
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.shared import formulas
from pages.shared.error_text import share

ROUNDING = (
    "± and ε are rounded up to four digits. ± is a half-width, so smaller is better; for several numbers it holds for "
    "one of them. (ε, δ)-DP: probabilities may exceed the e^ε bound by up to δ. Probabilistic DP (pDP): the privacy "
    "loss exceeds ε with probability at most δ."
)


_TOO_LARGE = "not available: too large to compute"


def verdict_text(rule: Calibration, rows: Rows, setting: AccuracySetting) -> str:
    """Return a mark and words: does the mechanism suit the query, and does its guarantee hold?"""
    if rule.key not in rows:
        return setting.facts.unsuitability(rule) or _TOO_LARGE
    row = rows[rule.key]
    if setting.target is not None and row.epsilon > 1e6:
        return "requires ε above 1e6, which protects nobody"
    if row.status == UNDEFINED and (setting.target is not None or setting.epsilon >= rule.least_epsilon):
        return _TOO_LARGE
    if row.status == PROVED and setting.target is not None and row.sufficient_half_width > setting.target:
        half_width = format_up(row.sufficient_half_width)
        return f"! falls short: at this ε its ± is {half_width}, not {format_input_up(setting.target)}"
    mechanism = row.chosen
    verdict = formulas.verdict(rule, row.status, row.true_delta, setting)
    if math.isfinite(mechanism.hard_limit):
        verdict = f"{verdict}; the error never exceeds ±{format_up(mechanism.hard_limit)}"
    return f"{verdict}; {formulas.NO_SAMPLER}" if mechanism.obstacle == NO_SAFE_SAMPLER else verdict


def mechanisms_html(rows: Rows, setting: AccuracySetting, pinned: tuple[Rows, AccuracySetting] | None = None) -> str:
    """Return the mechanisms as an accessible HTML table, with what they had at a pinned setting."""
    unit, inside = escape(setting.facts.unit or "share of 1"), share(setting.significance)
    heads = ["Mechanism", "Guarantee"]
    if setting.target is None:
        heads += [
            f"± at <span>ε = {format_input_up(setting.epsilon)}</span>, {unit}, <span>{inside} of releases</span>"
        ]
    else:
        heads += [f"ε for <span>±{format_input_up(setting.target)}</span> {unit}"]
    heads += [] if pinned is None else ["Pinned"]
    heads += ["Verdict" if setting.target is None else "Verdict at that ε"]
    body = []
    for rule in _table_rules(rows, setting):
        cells = [rule.guarantee, _value_cell(rows.get(rule.key), setting, "")]
        if pinned is not None:
            cells.append(_value_cell(pinned[0].get(rule.key), pinned[1], "±" if pinned[1].target is None else "ε = "))
        body.append([rule.name, *cells, verdict_text(rule, rows, setting)])
    return number_format.table_html("The mechanisms", "verdicts readings", heads, body)


def _table_rules(rows: Rows, setting: AccuracySetting) -> tuple[Calibration, ...]:
    """Return the mechanisms of the table: all, or those that matter, among them the recommended one."""
    if setting.mechanisms == "all":
        return tuple(rule for rule in _all_rules(rows) if rule != CLASSICAL_TIGHT or not _is_one_classical(rows))
    recommended = recommended_row(rows, setting).row.calibration
    return tuple(dict.fromkeys((*setting.facts.rules("three"), recommended)))


def tight_constant_text(rows: Rows, setting: AccuracySetting) -> str:
    """Return what the tight constant of the classical formula gives, where the table has one row for both."""
    if setting.mechanisms != "all" or not _is_one_classical(rows):
        return ""
    tight, plain = (_value_cell(rows[rule.key], setting, "") for rule in (CLASSICAL_TIGHT, CLASSICAL))
    what = "±" if setting.target is None else "ε"
    other = "the same to four digits" if tight == plain else f"{tight} instead of {plain}"
    return f"With the tight constant of its proof, the {what} of the classical Gaussian is {other}."


def _is_one_classical(rows: Rows) -> bool:
    """Return whether both classical formulas have the same verdict, so that they differ in the fourth digit only."""
    both = [rows[rule.key] for rule in (CLASSICAL, CLASSICAL_TIGHT) if rule.key in rows]
    return len(both) == 2 and both[0].status == both[1].status != UNDEFINED


def _all_rules(rows: Rows) -> tuple[Calibration, ...]:
    return (*RULES, *(rule for key, rule in EXTRA_RULES.items() if key in rows))


def _value_cell(row: MechanismRow | None, setting: AccuracySetting, sign: str) -> str:
    """Return the ± of a mechanism or, where that is the target, its ε."""
    if row is None:
        return "–"
    if setting.target is None:
        return _cell_or_dash(row.half_width, lambda value: f"{sign}{format_up(value)}")
    return _cell_or_dash(row.epsilon, lambda value: epsilon_equation(value) if sign else epsilon_text(value))


def _cell_or_dash(value: float, format_cell: Callable[[float], str]) -> str:
    """Return a number as text, a dash for NaN."""
    return "–" if math.isnan(value) else format_cell(value)


def mechanisms_frame(rows: Rows, setting: AccuracySetting) -> pd.DataFrame:
    """Return the table as a data frame, with every mechanism."""
    rules = _all_rules(rows)
    rows_of_rules = [rows.get(rule.key) for rule in rules]
    return pd.DataFrame(
        {
            "mechanism": [rule.name for rule in rules],
            "guarantee": [rule.guarantee for rule in rules],
            "accuracy": [np.nan if row is None else row.half_width for row in rows_of_rules],
            "epsilon_for_wanted_accuracy": [np.nan if row is None else row.epsilon for row in rows_of_rules],
            "verdict": [verdict_text(rule, rows, setting) for rule in rules],
        }
    )
