"""What only this page asks: its section and views, what is known, the query, a budget, a kept setting."""

from dataclasses import dataclass

from dpcore import accuracy
from dpcore.checks import BOUND_RANGE, RECORDS_RANGE
from dpcore.sensitivity import NEIGHBOURS as RELATIONS
from dpcore.sensitivity import query_sensitivity
from pages.accuracy.budget import BUDGET
from pages.framework.parameters import number_parser
from pages.framework.parameters.kinds import Choice, Correction, Parameter, Quantity, Values, Words, steps
from pages.framework.parameters.number_format import exact_text, format_input_down, format_input_up, humanize_error
from pages.framework.parameters.pin import Pin
from pages.shared.shared_parameters import L1_SENSITIVITY, l1_below_l2


class Suggested(float):
    """A number that follows the rest of the setting until another is typed."""


@dataclass(frozen=True)
class Suggestion(Quantity):
    """A quantity whose text may be a suggestion, with ± before it: such a one is replaced where another fits better."""

    def read(self, entry: str) -> float:
        """Return the number that a text means, as a `Suggested` one if it is; ValueError if there is none."""
        value = super().read(entry.strip().removeprefix("±"))
        return Suggested(value) if entry.strip().startswith("±") else value


SECTION = Choice(
    "section",
    "section",
    {"accuracy": "What each ε buys", "records": "How many records", "budget": "Budget"},
    "accuracy",
)
VIEW = Choice("shown", "what is drawn", {"accuracy": "± against ε", "ratio": "÷ Laplace’s ±"}, "accuracy")
MECHANISMS = Choice("mechanisms", "mechanisms", {"three": "Those that matter", "all": "All"}, "three")
PROMISE = Choice("promise", "promise", {"pure": "Pure ε-DP", "delta": "A δ is acceptable"}, "pure")
KNOWN = Choice("known", "what you know", {"epsilon": "ε", "accuracy": "the error I can accept"}, "epsilon")
ACCURACY = Suggestion(
    "accuracy",
    "accuracy",
    "Error you can accept, ± in query units",
    accuracy.ACCURACY_RANGE,
    "±3",
    help="The half-width within which a release shall fall: smaller is better. It speaks of the added noise alone. "
    "With ± before it, it is a suggestion that follows the query.",
    short="±",
    ends="← more accurate · ± · less →",
    scale=steps(-3, 5, ("1", "2", "3", "5")),
)
UNIT = Words("unit", "unit of the query", "people")
_SUGGESTED_UNITS = {"count": "people", "histogram": "people", "sum": "units", "mean": "units", "own": "units"}
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
    RELATIONS[0],
)
LOW = Quantity("low", "lo", "Lowest value of a record, lo", BOUND_RANGE, "0")
HIGH = Quantity("high", "hi", "Highest value of a record, hi", BOUND_RANGE, "100")
N_RECORDS = Quantity(
    "n_records",
    "n",
    "Number of records n, taken as public",
    RECORDS_RANGE,
    "1000",
    help="The noise is made for this n, so anybody may learn it. Where records are added or removed it is a lower "
    "bound of their number, since neighbours then never have the same number of records.",
    whole=True,
    ends="← fewer · n · more →",
    scale=steps(0, 7, ("1", "2", "5")),
)
_KEPT: tuple[Parameter, ...] = (*(KNOWN, ACCURACY, QUERY, NEIGHBOURS, LOW, HIGH, N_RECORDS, L1_SENSITIVITY, PROMISE),)


def fitting_unit(unit: str, query: str) -> str:
    """Return the unit of a query: what was typed, but one of the suggestions is replaced by that for the query.

    A count is one of people or things; a sum, a mean and a query of one's own are measured in the unit of a value.

    >>> fitting_unit("people", "mean"), fitting_unit("units", "count"), fitting_unit("dollars", "mean")
    ('units', 'people', 'dollars')
    """
    return _SUGGESTED_UNITS.get(query, unit) if unit in _SUGGESTED_UNITS.values() else unit


def suggested(values: Values) -> float:
    """An accuracy that fits the query, to one digit: three times the sensitivity, or a hundredth of the range."""
    query = values[QUERY.key]
    if query in ("mean", "proportion"):
        width = values[HIGH.key] - values[LOW.key] if query == "mean" else 1.0
        return float(f"{width / 100:.0e}")
    if query == "own":
        return min(float(f"{3 * values[L1_SENSITIVITY.key]:.0e}"), 1e100)
    if query == "sum":
        moved = query_sensitivity("sum", values[NEIGHBOURS.key], values[LOW.key], values[HIGH.key]).l1
        return float(f"{3 * float(moved):.0e}")
    return 3.0


def correct(values: Values) -> list[Correction]:
    """A range or sensitivities that no query has, suggestions that fit another query, and a section that is not."""
    wrong = l1_below_l2(values) if values[QUERY.key] == "own" else []
    wrong = _no_range(values) if values[QUERY.key] in ("sum", "mean") else wrong
    fitting = suggested(values | {each.key: number_parser.parse_number(each.used) for each in wrong})
    if isinstance(values[ACCURACY.key], Suggested) and values[ACCURACY.key] != fitting:
        wrong.append(Correction(ACCURACY.key, f"±{exact_text(fitting)}", ""))
    if UNIT.key in values and values[UNIT.key] != (unit := fitting_unit(values[UNIT.key], values[QUERY.key])):
        wrong.append(Correction(UNIT.key, unit, ""))
    if values.get(SECTION.key) == "records" and values[QUERY.key] not in ("mean", "proportion"):
        wrong.append(Correction(SECTION.key, SECTION.default, ""))
    return wrong


def refused(values: Values) -> list[Correction]:
    """What of a kept setting can't be used with the rest of it."""
    return [each for each in correct(values) if each.problem]


PINNED = Pin(_KEPT, refused)
PARAMETERS: tuple[Parameter, ...] = (*_KEPT, UNIT, BUDGET, SECTION, VIEW, MECHANISMS, PINNED)


def _no_range(values: Values) -> list[Correction]:
    low, high = values[LOW.key], values[HIGH.key]
    try:
        query_sensitivity(values[QUERY.key], values[NEIGHBOURS.key], low, high, values[N_RECORDS.key])
    except ValueError as error:
        wrong = "lo must be below hi" if low >= high else humanize_error(str(error).partition(", got")[0])
        said = (
            f"{wrong}: lo = {format_input_down(low)} and hi = {format_input_up(high)} were given. {LOW.default} and"
            f" {HIGH.default} are used instead."
        )
        return [Correction(bound.key, bound.default, said) for bound in (LOW, HIGH)]
    return []
