"""The parameters of this page alone, a setting of them, and its query: the sensitivities, and which noise suits it."""

from dataclasses import dataclass
from functools import cached_property

from dpcore import accuracy, geometric
from dpcore.accuracy import RULES
from dpcore.calibrations import ANALYTIC, GEOMETRIC, LAPLACE, TRUNCATED_GEOMETRIC, TRUNCATED_LAPLACE, Calibration
from dpcore.checks import BOUND_RANGE, RECORDS_RANGE, interval_bounds
from dpcore.families import FAMILIES
from dpcore.rounding import round_up
from dpcore.sensitivity import NEIGHBOURS as RELATIONS
from dpcore.sensitivity import QUERY_ARGUMENTS, query_sensitivity
from pages.framework.parameters import number_parser
from pages.framework.parameters.kinds import Choice, FreeText, Pin, Quantity, SuggestibleQuantity, steps
from pages.framework.parameters.number_format import (
    escape_markdown,
    format_input_down,
    format_input_up,
    format_nearest,
    refusal_text,
)
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.shared import shared_parameters
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.table import PER_TOTAL
from pages.shared.shared_parameters import GUARANTEE, KNOWN, L1_SENSITIVITY, MECHANISMS, l1_below_l2
from pages.shared.values.parameters import unit_after

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
    mark="±",
)
_SUGGESTED_UNITS = {"count": "people", "histogram": "people", "sum": "units", "mean": "units", "own": "units"}
UNIT = FreeText("unit", "unit of the statistic", "people", suggestions=tuple(sorted({*_SUGGESTED_UNITS.values()})))
QUERY = Choice(
    "query",
    "statistic",
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
LOW = Quantity("low", "lo", "Lowest value of a record, lo", BOUND_RANGE, "0", caption="lo · lowest value")
HIGH = Quantity("high", "hi", "Highest value of a record, hi", BOUND_RANGE, "100", caption="hi · highest value")
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


def named_unit(unit: str, query: str) -> str:
    """Return the unit that stands after a number: nothing for a proportion, nor where nobody named that of the values.

    >>> named_unit("people", "count"), named_unit("people", "mean"), named_unit("dollars", "mean")
    ('people', '', 'dollars')
    """
    fitting = "" if query == "proportion" else fitting_unit(unit, query)
    return "" if fitting == _SUGGESTED_UNITS["mean"] else fitting


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
    used = {correction.key: number_parser.parse_number(correction.used) for correction in corrections}
    corrections += ACCURACY.suggestion(values, suggested_accuracy(values | used))
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


_PUBLIC_BOUND = (
    "Neighbouring data sets never have the same number of records, so n is taken as a public lower bound of that "
    "number, and the exact number must not be published. If it is published, the guarantee is that of replacing one "
    "record"
)
_, _MOST_WHOLE = interval_bounds(geometric.SENSITIVITY_RANGE)


@dataclass(frozen=True)
class AccuracySetting(shared_parameters.SharedSetting):
    """The parameters of the page as numbers."""

    known: str
    accuracy: float
    unit: str
    query: str
    neighbours: str
    low: float
    high: float
    n_records: float
    l1_sensitivity: float
    per_total: float
    promise: str
    mechanisms: str
    shown: str
    section: str

    @property
    def target(self) -> float | None:
        """The half-width from which ε follows; None where ε is known, as it is where n follows."""
        return self.accuracy if self.known == "accuracy" and self.section != "records" else None

    @cached_property
    def facts(self) -> "QueryFacts":
        """What follows from the query."""
        if self.query == "own":
            l1, l2, unit = self.l1_sensitivity, self.l2_sensitivity, named_unit(self.unit, "own")
            return QueryFacts("own", l1, l2, whole=False, single=l1 == l2, width=None, unit=unit)
        numbers = {name: getattr(self, name) for name in QUERY_ARGUMENTS[self.query]}
        person = query_sensitivity(self.query, self.neighbours, **numbers, records_per_person=self.per_total)
        width = {"mean": self.high - self.low, "proportion": 1.0}.get(self.query)
        unit = named_unit(self.unit, self.query)
        shape = bool(person.whole), bool(person.single)
        return QueryFacts(self.query, float(person.l1), float(person.l2), *shape, width, unit, self.per_total)

    @property
    def drawn_rules(self) -> tuple[Calibration, ...]:
        """The mechanisms of the pictures; unless all are wanted, none that coincides there with one that is drawn.

        Truncated noise, which needs a δ, is not drawn under pure ε-DP, and of whole numbers only the geometric one is.
        """
        rules = self.facts.rules(self.mechanisms)
        if self.mechanisms == "all":
            return rules
        twin = {TRUNCATED_LAPLACE} if TRUNCATED_GEOMETRIC in rules else set()
        hidden = {TRUNCATED_LAPLACE, TRUNCATED_GEOMETRIC} if self.promise == "pure" else twin
        return tuple(rule for rule in rules if rule not in hidden)


@dataclass(frozen=True)
class QueryFacts:
    """What follows from a query: its sensitivities, which noise suits it, and its unit.

    `width` is hi − lo of a mean or a proportion, whose sensitivity falls with the number of records; else None.
    `n_own` is the most records of a person.
    `unit` is empty for a proportion, which is a share of 1, and where nobody named the unit of the values.
    """

    query: str
    l1: float
    l2: float
    whole: bool
    single: bool
    width: float | None
    unit: str
    n_own: float = 1.0

    @property
    def measure(self) -> str:
        """What errors are measured in; empty where nobody named the unit of the values."""
        return "share of 1" if self.query == "proportion" else self.unit

    @property
    def person_width(self) -> float | None:
        """By how much one person can change n times a mean or a proportion; None for another query."""
        return None if self.width is None else round_up(self.width * self.n_own) if self.n_own > 1 else self.width

    @property
    def is_surely_whole(self) -> bool:
        """Whether the answers are whole numbers in every data set; those of a sum are only if the values are."""
        return self.whole and self.query != "sum"

    @property
    def is_beyond_whole_noise(self) -> bool:
        """Whether it is a sum whose Δ₁ is too large for whole-numbered noise."""
        return self.query == "sum" and self.l1 > _MOST_WHOLE

    def sensitivity(self, rule: Calibration) -> float:
        """Return the sensitivity that a mechanism goes by."""
        return self.l1 if rule.norm == "l1" else self.l2

    def unsuitability(self, rule: Calibration) -> str:
        """Return why a mechanism does not suit the query, empty if it does."""
        if rule.whole and self.is_beyond_whole_noise:
            return f"for Δ₁ of at most {format_nearest(_MOST_WHOLE)} only"
        if rule.whole and not self.whole:
            return "needs whole-numbered answers"
        if FAMILIES[rule.family].single and not self.single:
            return "for one number only: with several, each may spend ε"
        return ""

    def rules(self, mechanisms: str) -> tuple[Calibration, ...]:
        """Return the mechanisms that suit it: all, or those with the least error for each guarantee and sampler."""
        few = LAPLACE, GEOMETRIC, ANALYTIC, TRUNCATED_LAPLACE, TRUNCATED_GEOMETRIC
        rules = (*RULES, TRUNCATED_GEOMETRIC) if mechanisms == "all" else few
        return tuple(rule for rule in rules if not self.unsuitability(rule))

    def format_sensitivity(self, sensitivity: float) -> str:
        """Return the text of a sensitivity: one that was entered never too large, a computed one never too small."""
        return format_input_down(sensitivity) if self.query == "own" else format_input_up(sensitivity)


def sensitivity_text(setting: AccuracySetting) -> str:
    """Return the sensitivities of the query and their reason, in Markdown."""
    facts = setting.facts
    size, second = (
        _with_unit(facts.format_sensitivity(sensitivity), facts.unit) for sensitivity in (facts.l1, facts.l2)
    )
    if setting.query == "own":
        several = "one number" if facts.single else "several numbers, since Δ₁ exceeds Δ₂"
        return (
            f"**Δ₁ = {size}, Δ₂ = {second}**, as you entered them, for the neighbours for which you computed them. The "
            f"query is taken as {several}."
        )
    replaced = setting.neighbours == "replace"
    if setting.query == "histogram" and replaced:
        return f"**Δ₁ = {size}, Δ₂ = √2**: the person leaves one cell and enters another. Each ± is that of one cell."
    reason = _reason_of_equal_sensitivities(setting, replaced)
    if facts.n_own == 1:
        return f"**Δ₁ = Δ₂ = {size}**{reason}"
    n_own = format_input_up(facts.n_own)
    sum_text = " (for a sum under replace N (max(hi, 0) − min(lo, 0)), since their number may change too)"
    longer = sum_text if setting.query == "sum" and replaced else ""
    return f"**Δ₁ = Δ₂ = {size}**: up to N = {n_own} records of a person, each of which changes the answer{longer}."


def _reason_of_equal_sensitivities(setting: AccuracySetting, replaced: bool) -> str:
    """Return why a query has its two sensitivities, which are equal."""
    change = "replacing one person" if replaced else "adding or removing one person"
    low, high = _in_parentheses(format_input_down(setting.low)), _in_parentheses(format_input_up(setting.high))
    if setting.query == "count":
        return f": {change} changes the number of records with a property by at most that."
    if setting.query == "histogram":
        return ": a person is in one cell. Each ± is that of one cell."
    if setting.query == "sum":
        ends = f"lo = {format_input_down(setting.low)} and hi = {format_input_up(setting.high)}"
        formula = f"hi − lo = {high} − {low}" if replaced else f"the larger of |lo| and |hi|, with {ends}"
        return f" = {formula}: {change} changes the sum by at most that."
    n = f"{setting.n_records:,.0f}"
    formula = f"1 ÷ {n}" if setting.query == "proportion" else f"(hi − lo) ÷ n = ({high} − {low}) ÷ {n}"
    public = "n is taken as public" if replaced else _PUBLIC_BOUND
    return (
        f" = {formula}: {change} changes the {setting.query} by at most that. {public}. The ± is that of the "
        f"noise alone, not of sampling: for the population, the sampling error is added below."
    )


def _in_parentheses(number: str) -> str:
    return f"({number})" if number.startswith("−") else number


def _with_unit(number: str, unit: str) -> str:
    return f"{number} {escape_markdown(unit_after(number, unit))}".rstrip()
