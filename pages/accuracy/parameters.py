"""The parameters of this page alone: its views, what is known, the query, a pinned setting."""

from dataclasses import dataclass

from dpcore import accuracy
from dpcore.checks import BOUND_RANGE, RECORDS_RANGE
from dpcore.sensitivity import NEIGHBOURS as RELATIONS
from dpcore.sensitivity import query_sensitivity
from pages.framework.parameters import number_parser
from pages.framework.parameters.kinds import Choice, FreeText, Quantity, steps
from pages.framework.parameters.number_format import exact_text, format_input_down, format_input_up, refusal_text
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.framework.parameters.pin import Pin
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.parameters import PER_TOTAL
from pages.shared.shared_parameters import GUARANTEE, KNOWN, L1_SENSITIVITY, MECHANISMS, l1_below_l2


class SuggestedNumber(float):
    """A number that follows the rest of the setting until another is typed."""


@dataclass(frozen=True)
class SuggestibleQuantity(Quantity):
    """A quantity whose text may be a suggestion, with ± before it: such a one is replaced where another fits better."""

    def read(self, entry: str) -> float:
        """Return the number that a text means, as a `SuggestedNumber` if it is; ValueError if there is none."""
        value = super().read(entry.strip().removeprefix("±"))
        return SuggestedNumber(value) if entry.strip().startswith("±") else value


VIEW = Choice("shown", "what is drawn", {"accuracy": "± against ε", "ratio": "÷ Laplace’s ±"}, "accuracy")
ACCURACY = SuggestibleQuantity(
    "accuracy",
    "±",
    "Error you can accept, ± in query units",
    accuracy.ACCURACY_RANGE,
    "±3",
    help="The half-width within which a release shall fall: smaller is better. It covers the added noise alone. "
    "With ± before it, it is a suggestion that follows the query.",
    ends="← more accurate · ± · less →",
    scale=steps(-3, 5, ("1", "2", "3", "5")),
    caption="± · acceptable error",
)
_SUGGESTED_UNITS = {"count": "people", "histogram": "people", "sum": "units", "mean": "units", "own": "units"}
UNIT = FreeText("unit", "unit of the query", "people", suggestions=tuple(sorted({*_SUGGESTED_UNITS.values()})))
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
    {"add_remove": "Add or remove one person", "replace": "Replace one person"},
    RELATIONS[0],
)
LOW = Quantity(
    "low",
    "lo",
    "Lowest value of a record, lo",
    BOUND_RANGE,
    "0",
    caption="lo · lowest value",
)
HIGH = Quantity(
    "high",
    "hi",
    "Highest value of a record, hi",
    BOUND_RANGE,
    "100",
    caption="hi · highest value",
)
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
    caption="n · number of records",
)
LIMITED_QUERIES = ("count", "sum", "mean", "proportion")
"""The queries for which a person may have several records here."""
_PINNABLE: tuple[Parameter, ...] = (
    *(KNOWN, ACCURACY, QUERY, NEIGHBOURS, LOW, HIGH, N_RECORDS, L1_SENSITIVITY, PER_TOTAL, GUARANTEE),
    *CONDITION_PARAMETERS,
)


def fitting_unit(unit: str, query: str) -> str:
    """Return the unit of a query: what was typed, but one of the suggestions is replaced by that for the query.

    A count is one of people or things; a sum, a mean and a query of one's own are measured in the unit of a value.

    >>> fitting_unit("people", "mean"), fitting_unit("units", "count"), fitting_unit("dollars", "mean")
    ('units', 'people', 'dollars')
    """
    return _SUGGESTED_UNITS.get(query, unit) if unit in UNIT.suggestions else unit


def suggested_accuracy(values: Values) -> float:
    """Return an accuracy that fits the query, to one digit: three sensitivities, or a hundredth of the range."""
    query = values[QUERY.key]
    if query in ("mean", "proportion"):
        width = values[HIGH.key] - values[LOW.key] if query == "mean" else 1.0
        return float(f"{width / 100:.0e}")
    if query == "own":
        return min(float(f"{3 * values[L1_SENSITIVITY.key]:.0e}"), 1e100)
    if query == "sum":
        sensitivity = query_sensitivity("sum", values[NEIGHBOURS.key], values[LOW.key], values[HIGH.key]).l1
        return float(f"{3 * float(sensitivity):.0e}")
    return 3.0


def correct(values: Values) -> list[Correction]:
    """Return corrections of impossible ranges or sensitivities, of suggestions that do not fit, and of the section."""
    corrections = l1_below_l2(values) if values[QUERY.key] == "own" else []
    corrections = _range_corrections(values) if values[QUERY.key] in ("sum", "mean") else corrections
    suggestion = suggested_accuracy(
        values | {correction.key: number_parser.parse_number(correction.used) for correction in corrections}
    )
    if isinstance(values[ACCURACY.key], SuggestedNumber) and values[ACCURACY.key] != suggestion:
        corrections.append(Correction(ACCURACY.key, f"±{exact_text(suggestion)}", ""))
    if UNIT.key in values and values[UNIT.key] != (unit := fitting_unit(values[UNIT.key], values[QUERY.key])):
        corrections.append(Correction(UNIT.key, unit, ""))
    if values.get("section") == "records" and values[QUERY.key] not in ("mean", "proportion"):
        corrections.append(Correction("section", "accuracy", ""))
    return corrections


PINNED = Pin(_PINNABLE, correct, retired_keys=("budget",))
PARAMETERS: tuple[Parameter, ...] = (*_PINNABLE, UNIT, VIEW, MECHANISMS, PINNED)


def _range_corrections(values: Values) -> list[Correction]:
    """Return corrections of bounds that are no range."""
    low, high = values[LOW.key], values[HIGH.key]
    try:
        query_sensitivity(values[QUERY.key], values[NEIGHBOURS.key], low, high)
    except ValueError as error:
        reason = "lo must be below hi" if low >= high else refusal_text(error, with_input=False)
        problem = (
            f"{reason}: lo = {format_input_down(low)} and hi = {format_input_up(high)} were given. {LOW.default} and"
            f" {HIGH.default} are used instead."
        )
        return [Correction(bound.key, bound.default, problem) for bound in (LOW, HIGH)]
    return []
