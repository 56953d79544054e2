"""The query: its sensitivities with their reason, and which noise suits it."""

from dataclasses import dataclass
from functools import cached_property

from dpcore import geometric
from dpcore.accuracy import RULES
from dpcore.calibrations import (
    ANALYTIC,
    GEOMETRIC,
    LAPLACE,
    TRUNCATED_GEOMETRIC,
    TRUNCATED_LAPLACE,
    Calibration,
)
from dpcore.checks import interval_bounds
from dpcore.rounding import round_up
from dpcore.sensitivity import QUERY_ARGUMENTS, query_sensitivity
from pages.accuracy.parameters import fitting_unit
from pages.framework.parameters.number_format import escape_markdown, format_input_down, format_input_up, format_nearest
from pages.shared import shared_parameters
from pages.shared.values.amounts import unit_after

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
        return _query_facts(self)

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

    @property
    def sensitivity_text(self) -> str:
        """The sensitivities of the query and their reason, in Markdown."""
        return _sensitivity_text(self)


@dataclass(frozen=True)
class QueryFacts:
    """What follows from a query: its sensitivities, which noise suits it, and its unit.

    `width` is hi − lo of a mean or a proportion, whose sensitivity falls with the number of records; else None.
    `n_own` is the most records of a person. `unit` is empty for a proportion, which is a share of 1.
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

    def suits(self, rule: Calibration) -> bool:
        """Return whether a mechanism suits the query."""
        return not self.unsuitability(rule)

    def unsuitability(self, rule: Calibration) -> str:
        """Return why a mechanism does not suit the query, empty if it does."""
        if rule.whole and self.is_beyond_whole_noise:
            return f"for Δ₁ of at most {format_nearest(_MOST_WHOLE)} only"
        if rule.whole and not self.whole:
            return "needs whole-numbered answers"
        if rule.family in ("staircase", "truncated_laplace") and not self.single:
            return "for one number only: with several, each may spend ε"
        return ""

    def rules(self, mechanisms: str) -> tuple[Calibration, ...]:
        """Return the mechanisms that suit it: all, or those with the least error for each guarantee and sampler."""
        if mechanisms == "all":
            return tuple(rule for rule in (*RULES, TRUNCATED_GEOMETRIC) if self.suits(rule))
        return tuple(
            rule for rule in (LAPLACE, GEOMETRIC, ANALYTIC, TRUNCATED_LAPLACE, TRUNCATED_GEOMETRIC) if self.suits(rule)
        )

    def format_sensitivity(self, sensitivity: float) -> str:
        """Return the text of a sensitivity: one that was entered never too large, a computed one never too small."""
        return format_input_down(sensitivity) if self.query == "own" else format_input_up(sensitivity)


def _query_facts(setting: AccuracySetting) -> QueryFacts:
    if setting.query == "own":
        l1, l2 = setting.l1_sensitivity, setting.l2_sensitivity
        return QueryFacts(
            "own", l1, l2, whole=False, single=l1 == l2, width=None, unit=fitting_unit(setting.unit, "own")
        )
    numbers = {name: getattr(setting, name) for name in QUERY_ARGUMENTS[setting.query]}
    sensitivity = query_sensitivity(setting.query, setting.neighbours, **numbers, records_per_person=setting.per_total)
    width = {"mean": setting.high - setting.low, "proportion": 1.0}.get(setting.query)
    unit = "" if setting.query == "proportion" else fitting_unit(setting.unit, setting.query)
    return QueryFacts(
        setting.query,
        float(sensitivity.l1),
        float(sensitivity.l2),
        bool(sensitivity.whole),
        bool(sensitivity.single),
        width,
        unit,
        setting.per_total,
    )


def _sensitivity_text(setting: AccuracySetting) -> str:
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
