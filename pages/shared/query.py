"""A query and what is known of it: the Accuracy page's parameters, its sensitivity, each mechanism's answer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dpcore import accuracy, gaussian, queries
from dpcore.accuracy import Rule
from dpcore.checks import Array
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
LEAST_EPSILON = 1e-12  # below it only the analytic Gaussian has an answer that means anything
EPSILONS = np.logspace(-3, 2, 401)
RECORD_RULES = (accuracy.LAPLACE, accuracy.STAIRCASE, accuracy.ANALYTIC, accuracy.PDP, accuracy.CLASSICAL)
_CLASSICAL = (accuracy.CLASSICAL, accuracy.CLASSICAL_TIGHT)
_STAIRCASES = (accuracy.STAIRCASE, accuracy.STAIRCASE_MEAN)


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

    rule: Rule
    accuracy: float
    epsilon: float
    verdict: str


@st.cache_resource(max_entries=256)  # shared and never changed
def rows(query: Asked, epsilon: float, delta: float, significance: float, wanted: float | None) -> dict[str, Row]:
    """Every mechanism's answer; with a wanted accuracy the verdict speaks of the ε that it needs, else of `epsilon`."""
    made = {}
    for rule in accuracy.RULES:
        size = query.l1 if rule.norm == "l1" else query.l2
        lacks = unsuited(rule, query)
        reached = needed = np.nan
        if lacks is None:
            if epsilon >= LEAST_EPSILON or rule is accuracy.ANALYTIC:
                reached = _known(rule.accuracy, epsilon, significance, size, delta)
            if wanted is not None:
                within_reach = min(wanted, 1e50) if rule is accuracy.GEOMETRIC else wanted  # no count is beyond it
                needed = _known(rule.epsilon, within_reach, significance, size, delta)
        said = lacks or _verdict(rule, query, epsilon, delta, significance, wanted, needed, reached)
        made[rule.key] = Row(rule, reached, needed, said)
    return made


def unsuited(rule: Rule, query: Asked) -> str | None:
    """Why a mechanism does not suit a query, or None if it does."""
    if rule.whole and not query.whole:
        return "needs whole-numbered answers"
    if rule in _STAIRCASES and not query.single:
        return "for one number only: with several, each may spend ε"
    return None


def _known(formula: Callable[..., Array], *numbers: float) -> float:
    """A formula's answer, NaN where the noise would be outside what a double holds."""
    try:
        return float(formula(*numbers))
    except ValueError:
        return float("nan")


def _verdict(
    rule: Rule,
    query: Asked,
    epsilon: float,
    delta: float,
    significance: float,
    wanted: float | None,
    needed: float,
    reached: float,
) -> str:
    promised = epsilon if wanted is None else needed
    if np.isnan(reached if wanted is None else needed):
        small = wanted is None and epsilon < LEAST_EPSILON and rule is not accuracy.ANALYTIC
        return f"no answer at ε = {nearest(epsilon, 17)}" if small else "no answer: outside what numbers can hold"
    if promised > 1e6:
        return "ε above 1e6: no privacy worth the name"
    if rule in _CLASSICAL:
        return _classical_verdict(rule, query, promised, delta)
    if rule is accuracy.GEOMETRIC_PUBLISHED and wanted is not None:
        exact = float(accuracy.geometric_accuracy(max(needed, 1e-130), significance, query.l1))
        if exact > wanted:
            return f"! falls short: at this ε its ± is {up(exact)}, not {nearest(wanted, 17)}"
    if rule is accuracy.PDP:
        return "✓ proved, for probabilistic DP, which implies DP"
    return "✓ proved"


def _classical_verdict(rule: Rule, query: Asked, epsilon: float, delta: float) -> str:
    if epsilon < 1:
        return "✓ proved"
    sigma = gaussian.classical_sigma if rule is accuracy.CLASSICAL else gaussian.classical_tight_sigma
    true = float(gaussian.delta_from_sigma(epsilon, sigma(epsilon, delta)))
    if true <= delta:
        return f"! outside its theorem (ε < 1); true δ here {up(true, 3)}, within target"
    return f"✗ FAILS: true δ {up(true, 3)} for a target of {nearest(delta, 17)}"


@st.cache_resource(max_entries=64)  # shared and never changed: it does not depend on ε
def curves(query: Asked, delta: float, significance: float) -> dict[str, Array]:
    """The half-width of every suited mechanism along `EPSILONS`."""
    suited = [rule for rule in accuracy.RULES if unsuited(rule, query) is None]
    return {
        rule.key: rule.accuracy(EPSILONS, significance, query.l1 if rule.norm == "l1" else query.l2, delta)
        for rule in suited
    }


@st.cache_resource(max_entries=64)
def records(width: float, wanted: float, delta: float, significance: float) -> dict[str, Array]:
    """The least n for a wanted accuracy along `EPSILONS`."""
    return {
        rule.key: accuracy.least_records(rule, wanted, EPSILONS, significance, width, delta) for rule in RECORD_RULES
    }
