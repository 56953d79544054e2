"""What only this page asks: what is known, the query and its range, and the queries of a budget."""

from dpcore import accuracy, queries
from pages.accuracy.budget import BUDGET
from pages.shared.common import L1_SENSITIVITY, l1_below_l2
from pages.shared.parameters import Choice, Correction, Quantity, Values, Words, steps
from pages.shared.text import calm, given_down, given_up

KNOWN = Choice("known", "what you know", {"epsilon": "ε", "accuracy": "the error I can accept"}, "epsilon")
ACCURACY = Quantity(
    "accuracy",
    "accuracy",
    "Error you can accept, ± in query units",
    accuracy.ACCURACY_RANGE,
    "3",
    help="The half-width within which a release shall fall: smaller is better. It speaks of the added noise alone.",
    ends="← more accurate · ± · less →",
    scale=steps(-3, 5, ("1", "2", "3", "5")),
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
LOW = Quantity("low", "lo", "Lowest value of a record, lo", queries.BOUND_RANGE, "0")
HIGH = Quantity("high", "hi", "Highest value of a record, hi", queries.BOUND_RANGE, "100")
N_RECORDS = Quantity(
    "n_records",
    "n",
    "Number of records n, taken as public",
    queries.RECORDS_RANGE,
    "1000",
    help="The noise is made for this n, so anybody may learn it.",
    whole=True,
)
OWN = (KNOWN, ACCURACY, UNIT, QUERY, NEIGHBOURS, LOW, HIGH, N_RECORDS, L1_SENSITIVITY, BUDGET)


def correct(values: Values) -> list[Correction]:
    """A range of a sum or mean that is none, or own sensitivities that no query has, with what is used instead."""
    if values[QUERY.key] == "own":
        return l1_below_l2(values)
    return _no_range(values) if values[QUERY.key] in ("sum", "mean") else []


def _no_range(values: Values) -> list[Correction]:
    low, high = values[LOW.key], values[HIGH.key]
    try:
        queries.sensitivities(values[QUERY.key], values[NEIGHBOURS.key], low, high, values[N_RECORDS.key])
    except ValueError as error:
        wrong = "lo must be below hi" if low >= high else calm(str(error))
        said = (
            f"{wrong}: lo = {given_down(low)} and hi = {given_up(high)} were given. {LOW.default} and {HIGH.default} "
            "are used instead."
        )
        return [Correction(bound.key, bound.default, said) for bound in (LOW, HIGH)]
    return []
