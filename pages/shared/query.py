"""A query and what is known of it: the Accuracy page's parameters, its sensitivity, each mechanism's answer."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dpcore import accuracy, queries
from dpcore.calibrations import FAILS, UNDEFINED, WITHIN, Calibration
from dpcore.checks import POSITIVE_EPSILON_RANGE, Array, ends
from pages.shared import inputs
from pages.shared.inputs import L1_SENSITIVITY, Choice, Quantity, Words, steps
from pages.shared.text import calm, nearest, plain, up

KNOWN = Choice("known", "what you know", {"epsilon": "ε", "accuracy": "the error I can accept"}, "epsilon")
ACCURACY = Quantity(
    "accuracy",
    "accuracy",
    "Error you can accept, ± in query units",
    "The half-width within which a release shall fall: smaller is better. It speaks of the added noise alone.",
    accuracy.ACCURACY_RANGE,
    "3",
    "← more accurate · ± · less →",
    steps(-3, 5, ("1", "2", "3", "5")),
)
UNIT = Words("unit", "unit of the query", "people")
QUERY = Choice(
    "query",
    "query",
    {
        "count": "Count",
        "sum": "Sum",
        "mean": "Mean",
        "proportion": "Proportion",
        "histogram": "Histogram",
        "own": "Own sensitivity",
    },
    "count",
)
NEIGHBOURS = Choice(
    "neighbours",
    "neighbours",
    {"add_remove": "Add or remove one record", "replace": "Replace one record"},
    "add_remove",
)
LOW = Quantity("low", "lo", "Lowest value of a record, lo", "", queries.BOUND_RANGE, "0", "", ())
HIGH = Quantity("high", "hi", "Highest value of a record, hi", "", queries.BOUND_RANGE, "100", "", ())
N_RECORDS = Quantity(
    "n_records",
    "n",
    "Number of records n, taken as public",
    "The noise is made for this n, so anybody may learn it.",
    queries.RECORDS_RANGE,
    "1000",
    "",
    (),
    whole=True,
)
OWN = (KNOWN, ACCURACY, UNIT, QUERY, NEIGHBOURS, LOW, HIGH, N_RECORDS, L1_SENSITIVITY)
LEAST_EPSILON, _ = ends(POSITIVE_EPSILON_RANGE)  # below it only the analytic Gaussian has an answer that means anything
EPSILONS = np.logspace(-3, 2, 401)
RECORD_RULES = (accuracy.LAPLACE, accuracy.STAIRCASE, accuracy.ANALYTIC, accuracy.PDP, accuracy.CLASSICAL)


@dataclass(frozen=True)
class Asked:
    """The query that is asked: its sensitivities, which noise suits it, its unit, and how it comes to them.

    `width` is hi − lo of a mean or a proportion, whose sensitivity falls with the number of records; else None. `unit`
    is empty for a proportion, which is a share of 1.
    """

    query: str
    l1: float
    l2: float
    whole: bool
    single: bool
    width: float | None
    unit: str
    reason: str
    problem: str | None


def query_field() -> None:
    """Draw the choice of the query as a list: a row of six buttons would be cut on a phone."""
    inputs.mirror("query_option", st.session_state.used["query"])
    st.selectbox(
        "Query", list(QUERY.options), format_func=QUERY.options.__getitem__, key="query_option", on_change=_take_query
    )


def _take_query() -> None:
    inputs.enter("query", st.session_state.query_option)


def asked(values: dict[str, Any]) -> Asked:
    """The query that the parameters describe; what can't be used has its sentence, and something in its place."""
    query, relation = values["query"], values["neighbours"]
    unit = "" if query == "proportion" else values["unit"]
    if query == "own":
        l1, l2, wrong = values["l1_sensitivity"], values["l2_sensitivity"], None
        if l2 > l1:
            wrong = (
                f"The ℓ₂ sensitivity Δ₂ = {nearest(l2, 17)} can't be above the ℓ₁ sensitivity Δ₁ = {nearest(l1, 17)}, "
                f"since no Euclidean length exceeds the sum over its numbers. Δ₁ = {nearest(l2, 17)} is used instead."
            )
            l1 = l2
        several = "read as one number" if l1 == l2 else "so the query is several numbers"
        reason = (
            f"**Δ₁ = {_shown(l1, unit)}, Δ₂ = {_shown(l2, unit)}**, your own, for the neighbours under which you found "
            f"them: {several}. Δ₂ is the one at the side."
        )
        return Asked(query, l1, l2, False, l1 == l2, None, unit, reason, wrong)
    low, high, wrong = values["low"], values["high"], None
    try:
        found = queries.sensitivities(query, relation, low, high, values["n_records"])
    except ValueError as error:
        said = calm(str(error)) if error.args[0].startswith("high −") else "lo must be below hi"
        wrong = f"{said}: lo = {nearest(low, 17)} and hi = {nearest(high, 17)} were given. 0 and 100 are used instead."
        low, high = 0.0, 100.0
        found = queries.sensitivities(query, relation, low, high, values["n_records"])
    l1, l2, ends = float(found.l1), float(found.l2), (1.0 if query == "proportion" else high - low)
    width = ends if query in ("mean", "proportion") else None
    reason = _reason(query, relation, l1, unit, low, high, values["n_records"])
    reason += f" The Δ₂ = {nearest(values['l2_sensitivity'], 17)} at the side is not used for this query."
    return Asked(query, l1, l2, bool(found.whole), found.single, width, unit, reason, wrong)


def _reason(query: str, relation: str, l1: float, unit: str, low: float, high: float, n_records: float) -> str:
    replaced = relation == "replace"
    act = "replacing one record" if replaced else "adding or removing one record"
    size, ends = _shown(l1, unit), f"{_signed(high)} − {_signed(low)}"
    if query == "count":
        return f"**Δ₁ = Δ₂ = {size}**: {act} moves the number of records with a property by at most that."
    if query == "histogram":
        if replaced:
            return (
                f"**Δ₁ = {size}, Δ₂ = √2**: the record leaves one cell and enters another. Each ± is that of one cell."
            )
        return f"**Δ₁ = Δ₂ = {size}**: a record is in one cell. Each ± is that of one cell."
    if query == "sum":
        how = f"hi − lo = {ends}" if replaced else f"the larger of |lo| and |hi|, of {_signed(low)} and {_signed(high)}"
        return f"**Δ₁ = Δ₂ = {size}** = {how}: {act} moves the sum by at most that."
    how = f"1 ÷ {n_records:,.0f}" if query == "proportion" else f"(hi − lo) ÷ n = ({ends}) ÷ {n_records:,.0f}"
    said = f"**Δ₁ = Δ₂ = {size}** = {how}: {act} moves the {query} by at most that. n is taken as public"
    said += "." if replaced else ", so the number of records itself is not protected."
    return (
        f"{said} The ± is that of the noise alone, not of sampling: the {query} of a sample has its own error besides."
    )


def _signed(value: float) -> str:
    return f"({nearest(value, 17)})" if value < 0 else nearest(value, 17)


def _shown(value: float, unit: str) -> str:
    return f"{up(value, 10)} {plain(unit)}".rstrip()


@dataclass(frozen=True)
class Row:
    """What one mechanism answers: its half-width at ε, the ε that a wanted half-width needs, and a verdict on it.

    A number is NaN where there is none.
    """

    rule: Calibration
    accuracy: float
    epsilon: float
    verdict: str


@st.cache_resource(max_entries=256)  # shared and never changed
def rows(query: Asked, epsilon: float, delta: float, significance: float, wanted: float | None) -> dict[str, Row]:
    """Every mechanism's answer; with a wanted accuracy the verdict speaks of the ε that it needs, else of `epsilon`."""
    made = {}
    for rule in accuracy.RULES:
        lacks = unsuited(rule, query)
        if lacks is not None:
            made[rule.key] = Row(rule, np.nan, np.nan, lacks)
            continue
        size = query.l1 if rule.norm == "l1" else query.l2
        found = accuracy.answer(rule, epsilon, delta, significance, size, wanted)
        made[rule.key] = Row(rule, found.accuracy, found.epsilon, _verdict(found, epsilon, delta, wanted))
    return made


def unsuited(rule: Calibration, query: Asked) -> str | None:
    """Why a mechanism does not suit a query, or None if it does."""
    if rule.whole and not query.whole:
        return "needs whole-numbered answers"
    if rule.family == "staircase" and not query.single:
        return "for one number only: with several, each may spend ε"
    return None


def _verdict(found: accuracy.Answer, epsilon: float, delta: float, wanted: float | None) -> str:
    rule = found.calibration
    if wanted is not None and found.epsilon > 1e6:
        return "ε above 1e6: no privacy worth the name"
    if found.status == UNDEFINED:
        small = wanted is None and epsilon < rule.least_epsilon
        return f"no answer at ε = {nearest(epsilon, 17)}" if small else "no answer: outside what numbers can hold"
    if found.status == FAILS:
        return f"✗ FAILS: true δ {up(found.true_delta, 3)} for a target of {nearest(delta, 17)}"
    if found.status == WITHIN:
        return f"! outside its theorem (ε < 1); true δ here {up(found.true_delta, 3)}, within target"
    if wanted is not None and found.reached > wanted:
        return f"! falls short: at this ε its ± is {up(found.reached)}, not {nearest(wanted, 17)}"
    return "✓ proved, for probabilistic DP, which implies DP" if rule is accuracy.PDP else "✓ proved"


@st.cache_resource(max_entries=64)  # shared and never changed: it does not depend on ε
def curves(query: Asked, delta: float, significance: float) -> dict[str, Array]:
    """The half-width of every suited mechanism along `EPSILONS`."""
    suited = [rule for rule in accuracy.RULES if unsuited(rule, query) is None]
    return {
        rule.key: accuracy.half_width(rule, EPSILONS, significance, query.l1 if rule.norm == "l1" else query.l2, delta)
        for rule in suited
    }


@st.cache_resource(max_entries=64)
def records(width: float, wanted: float, delta: float, significance: float) -> dict[str, Array]:
    """The least n for a wanted accuracy along `EPSILONS`."""
    return {
        rule.key: accuracy.least_records(rule, wanted, EPSILONS, significance, width, delta) for rule in RECORD_RULES
    }
