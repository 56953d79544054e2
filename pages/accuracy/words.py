"""The words of the Accuracy page: its answer, the table of mechanisms, the readings of geometric noise, the records."""

import math
from collections.abc import Callable
from html import escape

import numpy as np
import pandas as pd

from dpcore.accuracy import RULES, Answer
from dpcore.calibrations import LAPLACE, PROVED, PURE_DP, UNDEFINED, Calibration
from pages.accuracy.parameters import QUERY
from pages.accuracy.query import Setting
from pages.shared import formulas, text
from pages.shared.text import beyond, given_down, given_up, plain, up, within

Answers = dict[str, Answer]
"""The answer of every mechanism that suits the query, by key."""

_ONLY_GAUSSIAN = "At so small an ε, pure ε-DP, the pDP and the classical formula have none here."
UNIT_HELP = "What the query counts or measures: people, dollars."
ROUNDING = (
    "± and ε are rounded up to four digits. ± is a half-width, so smaller is better. For several numbers it is that of "
    "each. Pure ε-DP, (ε, δ)-DP and probabilistic DP are different promises."
)


def _best_pure(answers: Answers, column: str) -> Answer:
    """The mechanism of pure ε-DP with the smallest half-width or ε, as it is shown; the plainest of equal ones."""
    rivals = [each for each in answers.values() if each.calibration.promise == PURE_DP]
    return min(rivals, key=lambda each: float(up(getattr(each, column)).replace(",", "")))


def _noise(rule: Calibration) -> str:
    """The noise within a sentence."""
    return f"{'Laplace' if rule is LAPLACE else rule.family} noise"


def reach(value: float, unit: str) -> str:
    """A half-width that was found, in Markdown."""
    return f"±{up(value)} {plain(unit)}".rstrip()


def aim(now: Setting) -> str:
    """The half-width that is wanted, in Markdown."""
    return f"±{given_up(now.accuracy)} {plain(now.asked.unit)}".rstrip()


def kept(significance: float) -> str:
    """How many releases fall within the accuracy, without what they do.

    >>> kept(0.05), kept(1 / 3)
    ('95 of 100 releases', 'at least 66.66 % of releases')
    """
    return within(significance).rsplit(" ", 1)[0]


def answer(answers: Answers, now: Setting) -> tuple[str, str]:
    """The page's answer, and what it means beside the analytic Gaussian."""
    return _accuracy_answer(answers, now) if now.wanted is None else _epsilon_answer(answers, now)


def _accuracy_answer(answers: Answers, now: Setting) -> tuple[str, str]:
    place, unit, normal = f"At ε = {given_up(now.epsilon)}", now.asked.unit, answers["analytic"]
    if math.isnan(answers["laplace"].accuracy):
        if math.isnan(normal.accuracy):
            return f"{place}, no noise that numbers can hold keeps the promise.", "Raise ε or δ."
        only = f"only the analytic Gaussian has an answer: {within(now.significance)} within"
        return (
            f"{place}, {only} {reach(normal.accuracy, unit)} of the truth.",
            f"{_misses(now, normal)} {_ONLY_GAUSSIAN}",
        )
    pure = _best_pure(answers, "accuracy")
    sentence = f"{place}, {_falls(pure, now)} within {reach(pure.accuracy, unit)} of the truth with "
    beside = f"reaches {reach(normal.accuracy, unit)} at ε = {given_up(now.epsilon)}, δ = {given_up(now.delta)}"
    beside = "" if math.isnan(normal.accuracy) else beside
    return f"{sentence}{_noise(pure.calibration)}.", _beside(now, _misses(now, pure), beside)


def _falls(found: Answer, now: Setting) -> str:
    """How many releases fall within the accuracy, which for whole-numbered noise may be more than were asked for."""
    said = within(now.significance)
    if not found.calibration.whole or said.startswith("at least"):
        return said
    return said.replace("all but", "all but at most") if said.startswith("all but") else f"at least {said}"


def _epsilon_answer(answers: Answers, now: Setting) -> tuple[str, str]:
    pure, normal = _best_pure(answers, "epsilon"), answers["analytic"]
    sentence = (
        f"To have {kept(now.significance)} within {aim(now)} of the truth you need {_epsilon_is(pure.epsilon)} with "
        f"{_noise(pure.calibration)}."
    )
    beside = f"needs {_epsilon_is(normal.epsilon)} at δ = {given_up(now.delta)}"
    return sentence, _beside(now, _misses(now, pure), "" if math.isnan(normal.epsilon) else beside)


def _beside(now: Setting, misses: str, normal: str) -> str:
    """What the answer leaves out, and what the analytic Gaussian does, if anything."""
    if not normal:
        return f"{misses} That is pure ε-DP. The analytic Gaussian has no answer here."
    other = f"another promise, to be chosen only if a δ of {given_up(now.delta)} can be accepted"
    return f"{misses} That is pure ε-DP; the analytic Gaussian {normal}, for (ε, δ)-DP: {other}."


def _misses(now: Setting, found: Answer) -> str:
    """How many releases miss by more, which for whole-numbered noise may be fewer."""
    sentence = beyond(now.significance)
    if found.calibration.whole and not sentence.startswith("at most"):
        sentence = f"at most {sentence}"
    return f"{sentence[:1].upper()}{sentence[1:]} by more."


def _epsilon(value: float) -> str:
    return "above 1e6" if value > 1e6 else up(value)


def _epsilon_is(value: float) -> str:
    return "ε above 1e6" if value > 1e6 else f"ε = {up(value)}"


def verdict(rule: Calibration, answers: Answers, now: Setting) -> str:
    """A mark and words: does the mechanism suit the query, and then keep its promise?"""
    if rule.key not in answers:
        return now.asked.unsuited(rule)
    found = answers[rule.key]
    if now.wanted is not None and found.epsilon > 1e6:
        return "ε above 1e6: no privacy worth the name"
    if found.status == UNDEFINED and (now.wanted is not None or now.epsilon >= rule.least_epsilon):
        return "no answer: outside what numbers can hold"
    if found.status == PROVED and now.wanted is not None and found.reached > now.wanted:
        return f"! falls short: at this ε its ± is {up(found.reached)}, not {given_up(now.wanted)}"
    return formulas.verdict(rule, found.status, found.true_delta, now)


def table_html(answers: Answers, now: Setting) -> str:
    """Every mechanism's answer, as an accessible HTML table."""
    unit, share = escape(now.asked.unit or "share of 1"), text.share(now.significance)
    heads = ["Mechanism", "Promise"]
    if now.wanted is not None:
        heads.append(f"ε for <span>±{given_up(now.wanted)}</span> {unit}")
    heads += [f"± at <span>ε = {given_up(now.epsilon)}</span>, {unit}, <span>{share} of releases</span>"]
    heads.append("Verdict" if now.wanted is None else "Verdict at that ε")
    body = []
    for rule in RULES:
        found = answers.get(rule.key)
        cells = [rule.promise]
        if now.wanted is not None:
            cells.append(_cell(found.epsilon if found else math.nan, _epsilon))
        cells.append(_cell(found.accuracy if found else math.nan, up))
        body.append([rule.name, *cells, verdict(rule, answers, now)])
    return text.table_html("All mechanisms", "verdicts readings", heads, body)


def _cell(value: float, written: Callable[[float], str]) -> str:
    return "–" if math.isnan(value) else written(value)


def readings(answers: Answers, now: Setting) -> str:
    """The three readings of geometric noise, and why they differ."""
    if "geometric" not in answers:
        return f"**Geometric noise** is whole-numbered, so it needs whole-numbered answers; {_not_whole(now)}."
    why = (
        "The ceiling hides a near miss: 3.02 is published as 4, though a slightly larger ε gives 3 (Geometric "
        "Mechanism Accuracy 2020, §0.1). The exact value solves the definition over the whole numbers, and is often "
        "one less than the published one."
    )
    inverse = (
        "The published inverse, ε = (Δ₁ ÷ a) ln(1/α), always reaches a rounded up to a whole number, but not always an "
        "a that is none; the exact one always does."
    )
    only_whole = " For a sum, the values themselves must be whole numbers." if now.query == "sum" else ""
    laplace, published, exact = (answers[key] for key in ("laplace", "geometric_published", "geometric"))
    if now.wanted is not None:
        numbers = f"{_epsilon_is(published.epsilon)} as published, {_epsilon_is(exact.epsilon)} exactly"
        return f"**Geometric noise for ±{given_up(now.wanted)}**: {numbers}. {inverse} {why}{only_whole}"
    epsilon = given_up(now.epsilon)
    if math.isnan(exact.accuracy):
        return f"**Geometric noise** has no answer at ε = {epsilon}. {why}{only_whole}"
    numbers = f"{up(laplace.accuracy)} before the ceiling, which is Laplace's value, {up(published.accuracy)} as "
    numbers += f"published, {up(exact.accuracy)} exactly"
    return f"**Geometric noise at ε = {epsilon}, in three readings**: {numbers}. {why} {inverse}{only_whole}"


def _not_whole(now: Setting) -> str:
    """Why the answers of the query are not known to be whole numbers."""
    if now.query == "own":
        return "whether those of your own query are whole is not known here: choose a count, a sum or a histogram"
    if now.query != "sum":
        return f"a {now.query} has others"
    if now.asked.beyond_whole:
        return "it is computed where a record moves a sum by at most 1e15, and it moves this one by more"
    return "the lo and hi of this sum are not both whole"


def no_records(now: Setting) -> str:
    """Why there is no number of records to ask for."""
    falls = "only the sensitivity of a mean or a proportion falls with the number of records"
    if now.query == "own":
        return f"**No sample size**: {falls}; how your own depends on it is not known here."
    return f"**No sample size**: {falls}. The noise of this query is the same for any number of them."


def records_said(laplace: float, normal: float, width: float, now: Setting) -> str:
    """The least n at the current ε with Laplace and with analytic Gaussian noise, NaN where there is none."""
    wanted, place = aim(now), f"ε = {given_up(now.epsilon)}"
    if now.accuracy >= width:
        return (
            f"**{wanted} is as wide as the whole range**: any value of the range is as near to the truth, without a "
            "look at the data. Choose a smaller one."
        )
    target = f"**{wanted} for {kept(now.significance)} at {place} takes n = "
    if not math.isnan(laplace):
        said = f"{target}{_records(laplace)} with Laplace noise** (pure ε-DP)"
        if not math.isnan(normal):
            said += f", n = {up(normal)} with the analytic Gaussian at δ = {given_up(now.delta)}"
        return said + (". With Laplace noise, half the ε takes about twice the records." if laplace >= 10 else ".")
    if math.isnan(normal):
        return f"At {place} no number of records that is worth asking for reaches {wanted}. Raise ε."
    return (
        f"{target}{_records(normal)} with the analytic Gaussian** at δ = {given_up(now.delta)}. Laplace noise has no "
        "answer at so small an ε. Raise ε for pure ε-DP."
    )


def _records(n: float) -> str:
    return "1 record" if n == 1 else f"{up(n)} records"


def described(now: Setting) -> tuple[str, str]:
    """The query and its parameters in two lines that fit a phone, as text."""
    asked, name = now.asked, {**QUERY.options, "own": "Own query"}[now.query]
    return (
        f"{name}: Δ₁ = {asked.size(asked.l1)}, Δ₂ = {asked.size(asked.l2)} {asked.unit}".rstrip(),
        _level(now),
    )


def records_described(width: float, now: Setting) -> tuple[str, str]:
    """The parameters of the picture of records in two lines, as text."""
    wanted = f"±{given_up(now.accuracy)} {now.asked.unit}".rstrip()
    return f"{QUERY.options[now.query]} within {wanted}, hi − lo = {given_down(width)}", _level(now)


def _level(now: Setting) -> str:
    return f"significance level {given_up(now.significance)}, δ = {given_up(now.delta)}"


def alternative(answers: Answers, now: Setting) -> str:
    """What the picture shows, in a sentence for those who can't see it."""
    reached = "; ".join(
        f"{each.calibration.name} ±{up(each.accuracy)} {now.asked.unit}".rstrip()
        for each in answers.values()
        if not math.isnan(each.accuracy)
    )
    shown = (
        "Accuracy against ε for every mechanism, and under it over Laplace's. "
        f"At ε = {given_up(now.epsilon)}, {within(now.significance)} within: {reached or 'none has an answer'}."
    )
    if now.wanted is None:
        return shown
    needs = [each for each in answers.values() if not math.isnan(each.epsilon)]
    listed = "; ".join(f"{each.calibration.name} {_epsilon(each.epsilon)}" for each in needs)
    return f"{shown} The ε that ±{given_up(now.wanted)} needs: {listed}."


def csv_header(now: Setting) -> dict[str, str]:
    """The parameters and units for the top of a CSV."""
    keys = ("epsilon", "delta", "significance", "known", "accuracy", "query", "neighbours", "low", "high", "n_records")
    unit = now.asked.unit or "share of 1"
    return {
        **{key: str(getattr(now, key)) for key in keys},
        "l1_sensitivity": repr(now.asked.l1),
        "l2_sensitivity": repr(now.asked.l2),
        "unit": unit,
        "units": f"accuracy and sensitivities in {unit}; epsilon in nats; delta and significance are probabilities",
    }


def answers_frame(answers: Answers, now: Setting) -> pd.DataFrame:
    """The table as a frame."""
    found = [answers.get(rule.key) for rule in RULES]
    return pd.DataFrame(
        {
            "mechanism": [rule.name for rule in RULES],
            "promise": [rule.promise for rule in RULES],
            "accuracy": [np.nan if each is None else each.accuracy for each in found],
            "epsilon_for_wanted_accuracy": [np.nan if each is None else each.epsilon for each in found],
            "verdict": [verdict(rule, answers, now) for rule in RULES],
        }
    )
