"""The words on the mechanisms side by side: their table with its verdicts, what the pictures show, the CSV's header."""

import math
from collections.abc import Callable
from html import escape

import numpy as np
import pandas as pd

from dpcore.accuracy import RULES
from dpcore.calibrations import PROVED, UNDEFINED, Calibration
from pages.accuracy.parameters import QUERY
from pages.accuracy.query import AccuracySetting
from pages.accuracy.recommendation import MechanismRow, Rows
from pages.accuracy.text import epsilon_is, epsilon_text, kept_place
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_up, within
from pages.shared import formulas

_FOLLOWS = "“people” and “units” are suggestions that follow the query."
_COUNTED = f"What the query counts: people, trips. {_FOLLOWS}"
_MEASURED = f"What a value is measured in: dollars, years. {_FOLLOWS}"
UNIT_HELPS = {
    "count": _COUNTED,
    "histogram": _COUNTED,
    "sum": _MEASURED,
    "mean": _MEASURED,
    "own": f"What your query counts or measures: people, dollars. {_FOLLOWS}",
}
ROUNDING = (
    "± and ε are rounded up to four digits. ± is a half-width, so smaller is better. For several numbers it is that of "
    "each. Pure ε-DP, (ε, δ)-DP and probabilistic DP (pDP: the privacy loss stays within ε but with probability δ) are "
    "different promises."
)


def verdict(rule: Calibration, answers: Rows, setting: AccuracySetting) -> str:
    """A mark and words: does the mechanism suit the query, and then keep its promise?"""
    if rule.key not in answers:
        return setting.asked.unsuited(rule)
    found = answers[rule.key]
    if setting.wanted is not None and found.epsilon > 1e6:
        return "ε above 1e6: no privacy worth the name"
    if found.status == UNDEFINED and (setting.wanted is not None or setting.epsilon >= rule.least_epsilon):
        return "no answer: outside what numbers can hold"
    if found.status == PROVED and setting.wanted is not None and found.reached > setting.wanted:
        return f"! falls short: at this ε its ± is {format_up(found.reached)}, not {format_input_up(setting.wanted)}"
    said = formulas.verdict(rule, found.status, found.true_delta, setting)
    return f"{said}, but {formulas.NO_SAMPLER}" if rule.family == "staircase" and found.status == PROVED else said


def table_html(answers: Rows, setting: AccuracySetting, before: tuple[Rows, AccuracySetting] | None = None) -> str:
    """The answers of the chosen mechanisms, as an accessible HTML table; with a kept setting, what they had there."""
    unit, share = escape(setting.asked.unit or "share of 1"), number_format.share(setting.significance)
    heads = ["Mechanism", "Promise"]
    if setting.wanted is None:
        heads += [f"± at <span>ε = {format_input_up(setting.epsilon)}</span>, {unit}, <span>{share} of releases</span>"]
    else:
        heads += [f"ε for <span>±{format_input_up(setting.wanted)}</span> {unit}"]
    heads += [] if before is None else ["Pinned"]
    heads += ["Verdict" if setting.wanted is None else "Verdict at that ε"]
    body = []
    for rule in setting.asked.rules("three") if setting.mechanisms == "three" else RULES:
        cells = [rule.promise, _size(answers.get(rule.key), setting, "")]
        if before is not None:
            cells.append(_size(before[0].get(rule.key), before[1], "±" if before[1].wanted is None else "ε = "))
        body.append([rule.name, *cells, verdict(rule, answers, setting)])
    return number_format.table_html("The mechanisms", "verdicts readings", heads, body)


def _size(found: MechanismRow | None, setting: AccuracySetting, sign: str) -> str:
    """The ± of a mechanism or, where that is wanted, its ε."""
    if found is None:
        return "–"
    if setting.wanted is None:
        return _cell(found.accuracy, lambda value: f"{sign}{format_up(value)}")
    return _cell(found.epsilon, lambda value: epsilon_is(value) if sign else epsilon_text(value))


def _cell(value: float, written: Callable[[float], str]) -> str:
    return "–" if math.isnan(value) else written(value)


def described(setting: AccuracySetting) -> str:
    """The query and its parameters, as text."""
    asked, name = setting.asked, {**QUERY.options, "own": "Own query"}[setting.query]
    sizes = f"{name}: Δ₁ = {asked.size(asked.l1)}, Δ₂ = {asked.size(asked.l2)} {asked.unit}".rstrip()
    return f"{sizes}, {_level(setting)}"


def records_described(width: float, setting: AccuracySetting) -> str:
    """The parameters of the picture of records, as text."""
    wanted = f"±{format_input_up(setting.accuracy)} {setting.asked.unit}".rstrip()
    return f"{QUERY.options[setting.query]} within {wanted}, hi − lo = {format_input_down(width)}, {_level(setting)}"


def _level(setting: AccuracySetting) -> str:
    return f"significance level {format_input_up(setting.significance)}, δ = {format_input_up(setting.delta)}"


def alternative(answers: Rows, setting: AccuracySetting) -> str:
    """What the picture shows, in a sentence for those who can't see it."""
    reached = "; ".join(
        f"{each.calibration.name} ±{format_up(each.accuracy)} {setting.asked.unit}".rstrip()
        for each in answers.values()
        if not math.isnan(each.accuracy) and each.calibration in setting.asked.rules(setting.mechanisms)
    )
    shown = (
        f"Accuracy against ε of {len(setting.asked.rules(setting.mechanisms))} mechanisms. At ε ="
        f" {format_input_up(setting.epsilon)}, {within(setting.significance)} within:"
        f" {reached or 'none has an answer'}."
    )
    if setting.wanted is None:
        return shown
    needs = [each for each in answers.values() if not math.isnan(each.epsilon)]
    listed = "; ".join(f"{each.calibration.name} {epsilon_text(each.epsilon)}" for each in needs)
    return f"{shown} The ε that ±{format_input_up(setting.wanted)} needs: {listed}."


def csv_header(setting: AccuracySetting, before: AccuracySetting | None = None) -> dict[str, str]:
    """The parameters and units for the top of a CSV, with the kept setting's, if there is one."""
    keys = ("epsilon", "delta", "significance", "known", "accuracy", "query", "neighbours", "low", "high", "n_records")
    unit = setting.asked.unit or "share of 1"
    return {
        **{key: str(getattr(setting, key)) for key in keys},
        "l1_sensitivity": repr(setting.asked.l1),
        "l2_sensitivity": repr(setting.asked.l2),
        **({} if before is None else {"pinned": kept_place(before)}),
        "unit": unit,
        "units": f"accuracy and sensitivities in {unit}; epsilon in nats; delta and significance are probabilities",
    }


def answers_frame(answers: Rows, setting: AccuracySetting) -> pd.DataFrame:
    """The table as a frame, with every mechanism."""
    found = [answers.get(rule.key) for rule in RULES]
    return pd.DataFrame(
        {
            "mechanism": [rule.name for rule in RULES],
            "promise": [rule.promise for rule in RULES],
            "accuracy": [np.nan if each is None else each.accuracy for each in found],
            "epsilon_for_wanted_accuracy": [np.nan if each is None else each.epsilon for each in found],
            "verdict": [verdict(rule, answers, setting) for rule in RULES],
        }
    )
