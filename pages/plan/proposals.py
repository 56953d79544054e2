"""What a column of a file can become in the plan, and the row that is made of it.

A file gives the names and the types of its columns. Every number of a row is public and comes from the user: no range,
no category and no number of people of the file is in a proposal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pages.framework.parameters import kinds
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.list_parameter import linkable, single_line
from pages.plan.kind_change import first_half_width
from pages.plan.queries import NAME_LENGTH, QueryItem, item_problem, new_item
from pages.plan.query_kinds import CELLS, KINDS, LEVEL, PEOPLE, RECORDS

TYPES = {"number": "Numbers", "text": "Categories", "date": "Dates"}
"""What a column can be treated as, by its type in `dpcore.readers`."""
PEOPLE_KEY = RECORDS.key
_PUBLIC_PEOPLE = replace(RECORDS, label="Number of people n, at least")
_KINDS_OF = {
    "number": {"sum": "the sum", "mean": "the mean", "quantile": "the median"},
    "text": {"histogram": "the table", "groups": "unknown groups"},
    "date": {"each": "each period", "running": "running totals"},
}
"""The kinds of row that a type can become, where each row of the file is a person, with what each is called."""
_SHARED = {PEOPLE_KEY: _PUBLIC_PEOPLE}
_ONCE = dict.fromkeys(("per_person", "per_cell", "groups_per_person", "per_group", "in_periods", "per_period"), "1")
"""The limits of a person who has one row."""
_MEDIAN = 0.5
_MOST_PEOPLE = float(PEOPLE.limits[1:-1].split(",")[1])


@dataclass(frozen=True)
class Proposal:
    """A row that a column can become: its kind in the plan, what is added, and the numbers that it requires.

    Of a table, `asks_categories` stands for the number of its cells.
    """

    kind: str
    phrase: str
    quantities: tuple[Quantity, ...]
    asks_categories: bool = False


NUMBER_OF_PEOPLE = Proposal("count", "the number of people", ())
"""The row that no column is for."""


def proposals(column_type: str, is_row_person: bool) -> tuple[Proposal, ...]:
    """Return what a column of a type can become; where a person can have several rows, limits are numbers too.

    >>> [(proposal.kind, len(proposal.quantities)) for proposal in proposals("text", is_row_person=False)]
    [('table', 2), ('groups', 2)]
    """
    return tuple(_proposal(kind, phrase, is_row_person) for kind, phrase in _KINDS_OF[column_type].items())


def _proposal(kind: str, phrase: str, is_row_person: bool) -> Proposal:
    kind = "table" if kind == "histogram" and not is_row_person else kind
    known = _ONCE if is_row_person else {}
    asked = [quantity for quantity in KINDS[kind].quantities if quantity.key not in known and quantity != CELLS]
    numbers = tuple(_SHARED.get(quantity.key, quantity) for quantity in asked)
    return Proposal(kind, phrase, numbers, asks_categories=CELLS in KINDS[kind].quantities)


def categories(text: str) -> tuple[str, ...]:
    r"""Return the different categories of a list, one on each line; those on a single line stand between commas.

    >>> categories("East\nWest, inner\n\nEast"), categories("East, West; North")
    (('East', 'West, inner'), ('East', 'West', 'North'))
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    parts = lines[0].replace(";", ",").split(",") if len(lines) == 1 else lines
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def proposed_row(proposal: Proposal, entries: Mapping[str, str], listed: str, name: str) -> QueryItem:
    """Return the row of a proposal with a name; the wanted ± is that of a new row, in proportion to the public range.

    Parameters
    ----------
    proposal : what the column shall become.
    entries : the texts of its numbers, by the keys of their quantities.
    listed : the text of the public list of categories.
    name : of the row, which stands in the link.

    Raises
    ------
    ValueError
        the sentence on what is missing or cannot be used.
    """
    texts = {quantity.key: entries.get(quantity.key, "").strip() for quantity in proposal.quantities}
    cells = categories(listed) if proposal.asks_categories else ()
    missing = [quantity.label for quantity in proposal.quantities if not texts[quantity.key]]
    missing += ["Public list of categories"] if proposal.asks_categories and not cells else []
    if missing:
        raise ValueError(f"Enter first: {'; '.join(missing)}. Take it from public knowledge, not from the file.")
    if problem := kinds.first_problem((quantity, texts[quantity.key]) for quantity in proposal.quantities):
        raise ValueError(problem)
    if proposal.kind == "quantile" and RECORDS.read(texts[PEOPLE_KEY]) > _MOST_PEOPLE:
        texts[PEOPLE_KEY] = f"{_MOST_PEOPLE:g}"  # a lower bound of the number, as the kind has it
    numbers = _ONCE | texts | {CELLS.key: str(len(cells))}
    quantities = KINDS[proposal.kind].quantities
    item = replace(new_item(proposal.kind), numbers=tuple(linkable(numbers[quantity.key]) for quantity in quantities))
    item = replace(item, half_width=first_half_width(item), name=_row_name(name, proposal, item))
    if problem := item_problem(item):
        raise ValueError(f"{problem.rstrip('.')}.")
    return item


def _row_name(name: str, proposal: Proposal, item: QueryItem) -> str:
    """Return the name of a column with what of it is published."""
    word = proposal.phrase.removeprefix("the ")
    if proposal.kind == "quantile" and LEVEL.read(item.numbers[0]) != _MEDIAN:
        word = f"quantile {item.numbers[0]}"
    line = single_line(name, NAME_LENGTH)
    if not line or proposal is NUMBER_OF_PEOPLE:
        return line
    return f"{line[: NAME_LENGTH - len(word) - 2].rstrip()}: {word}"
