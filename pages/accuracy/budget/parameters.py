"""The queries of a budget: the list as text for the link, and the numbers of its entries.

An entry is written `sensitivity,weight=name`, or `sensitivity,weight,epsilon=name` with an ε of its own; entries apart
by semicolons; `!` stands before the one that is edited. Only what can be used is in the list.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from dpcore import queries
from dpcore.checks import POSITIVE_EPSILON_RANGE, SENSITIVITY_RANGE
from pages.framework.parameters import kinds
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.list_parameter import Listing, length_problems, linkable, single_line
from pages.framework.parameters.parameter import excerpt

MOST_QUERIES = 8
NAME_LENGTH = 30
SENSITIVITY = Quantity("query_sensitivity", "Δ", "Δ · sensitivity, in the query's own unit", SENSITIVITY_RANGE, "1")
WEIGHT = Quantity("weight", "weight", "Weight · its share of the ε that is not locked", queries.WEIGHT_RANGE, "1")
LOCKED = Quantity("locked", "ε", "ε of this query · privacy loss, in nats", POSITIVE_EPSILON_RANGE, "0.1")
_ENTRY = re.compile(r"(!?)([^=]*)(?:=(.*))?")


@dataclass(frozen=True)
class BudgetItem:
    """A query of the budget; `locked` is its own ε as text, empty if it shares by weight."""

    sensitivity: str = "1"
    weight: str = "1"
    locked: str = ""
    name: str = ""
    chosen: bool = False

    def link_text(self) -> str:
        """The entry as text."""
        numbers = [self.sensitivity, self.weight, *([self.locked] if self.locked else [])]
        return f"{'!' if self.chosen else ''}{','.join(numbers)}={quote(self.name, safe='')}"

    @property
    def fields(self) -> tuple[tuple[Quantity, str], ...]:
        """Its quantities, each with its text."""
        locked = ((LOCKED, self.locked),) if self.locked else ()
        return (SENSITIVITY, self.sensitivity), (WEIGHT, self.weight), *locked

    @property
    def numbers(self) -> tuple[float, float, float]:
        """Sensitivity, weight and own ε, 0 for none."""
        locked = LOCKED.read(self.locked) if self.locked else 0.0
        return SENSITIVITY.read(self.sensitivity), WEIGHT.read(self.weight), locked


def _parse_item(part: str, _: int) -> tuple[BudgetItem | None, list[str]]:
    """Return an entry of the list, None if it can't be read, and what is wrong with it."""
    match = _ENTRY.fullmatch(part)
    mark, numbers_text, name = (group or "" for group in match.groups()) if match else ("", "", "")
    numbers = [number.strip() for number in numbers_text.split(",")]
    problem = f"it must be sensitivity,weight or sensitivity,weight,epsilon; {excerpt(part)} was given."
    if len(numbers) in (2, 3):
        problem = _first_problem(zip((SENSITIVITY, WEIGHT, LOCKED), numbers, strict=False))
    if problem is not None:
        return None, [problem]
    problems = length_problems(unquote(name), NAME_LENGTH)
    return BudgetItem(*numbers, name=single_line(unquote(name), NAME_LENGTH), chosen=mark == "!"), problems


def _first_problem(fields: Iterable[tuple[Quantity, str]]) -> str | None:
    return next(filter(None, (kinds.problem(quantity, entry) for quantity, entry in fields)), None)


def _with_entries(item: BudgetItem, entries: Mapping[str, str]) -> BudgetItem:
    return replace(
        item,
        sensitivity=linkable(entries.get(SENSITIVITY.key, item.sensitivity)),
        weight=linkable(entries.get(WEIGHT.key, item.weight)),
        locked=linkable(entries.get(LOCKED.key, item.locked)),
    )


def _item_problem(item: BudgetItem) -> str | None:
    return _first_problem(item.fields)


BUDGET = Listing(
    "budget",
    "budget",
    "!1,2=People;100,1=Sum of ages;1,1=Histogram of regions",
    "entries sensitivity,weight=name or sensitivity,weight,epsilon=name",
    "queries",
    MOST_QUERIES,
    _parse_item,
    _with_entries,
    _item_problem,
    entry_name="Budget query",
)


def item_names(items: Sequence[BudgetItem]) -> list[str]:
    """Return a name for every query."""
    return [item.name or f"Query {place}" for place, item in enumerate(items, 1)]
