"""Rows of the plan from elsewhere: from another kind of row, from a column of a file, or from a spreadsheet.

A file gives the names and the types of its columns. Every number of a row is public and comes from the user: no range,
no category and no number of people of the file is in a proposal.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dpcore.plan import possible_mechanisms
from pages.framework.parameters import kinds
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.list_parameter import linkable, single_line
from pages.framework.parameters.number_format import format_nearest
from pages.framework.parameters.parameter import excerpt
from pages.plan.kind_record import Amount, Range
from pages.plan.quantities import (
    CAP,
    CAP_PERIODS,
    CELLS,
    FIXED_EPSILON,
    FIXED_SCALE,
    HALF_WIDTH,
    LIMITS_OF_PERSON,
    LOCKS,
    PEOPLE,
    RECORDS,
    SAME_MEANING,
)
from pages.plan.queries import MAX_QUERIES, NAME_LENGTH, QueryItem, Terms, dpcore_query, item_problem, new_item
from pages.plan.query_kinds import KINDS, LABELS, kind_with_numbers

_DELTA = 1e-6  # at which a kind must have noise of an error


def with_kind(item: QueryItem, kind: str) -> QueryItem:
    """Return a row as one of another kind: what both kinds have stays, and the wanted ± if it still makes sense.

    >>> with_kind(replace(new_item("sum"), half_width="5000", numbers=("0", "500")), "mean").link_text()
    'mean:5,0,500,1000='
    >>> with_kind(replace(new_item("mean"), half_width="3"), "quantile").link_text()
    'quantile:3,0.5,0,100,1,30,84,1000='
    """
    known, new = _known_texts(item), new_item(kind)
    same = replace(new, name=item.name, group=item.group, size=item.size, times=item.times, chosen=item.chosen)
    if KINDS[kind].has_cells:
        same = replace(same, is_joint=item.is_joint)
    same = replace(same, is_hidden=item.is_hidden and KINDS[kind].may_hide_records)
    places = zip(KINDS[kind].quantities, new.numbers, strict=True)
    moved = replace(same, numbers=tuple(_usable(quantity, known, text) for quantity, text in places))
    capped = _with_cap(moved, item)
    moved = next(each for each in (capped, moved, same) if each is same or not item_problem(each))
    moved = replace(moved, half_width=first_half_width(moved))
    locked = replace(moved, lock=item.lock, lock_number=item.lock_number)
    moved = moved if item_problem(locked) else locked
    with_error = replace(moved, half_width=item.half_width)
    return moved if half_width_problem(with_error) else with_error


def _with_cap(item: QueryItem, before: QueryItem) -> QueryItem:
    """Return a row with the limit of another one in all, or in each year, if its kind has such."""
    has_cap = KINDS[item.kind].cap is not None
    return replace(item, cap=before.cap, cap_periods=before.cap_periods) if has_cap else item


def _known_texts(item: QueryItem) -> dict[str, str]:
    """Return the numbers of a row by the keys of their quantities, and of those that mean the same in other kinds."""
    known = {quantity.key: text for quantity, text in item.fields}
    same = {other: known[key] for keys in SAME_MEANING for key in keys if key in known for other in keys}
    return same | known


def _usable(quantity: Quantity, known: Mapping[str, str], default: str) -> str:
    """Return the known text of a quantity if it can have it, else its default."""
    text = known.get(quantity.key, default)
    return default if kinds.first_problem([(quantity, text)]) else text


def change_note(before: QueryItem, after: QueryItem) -> str:
    """Return why the wanted ± of a row has changed with its kind, and what the row has lost; empty if nothing."""
    return " ".join(filter(None, (_half_width_note(before, after), _lost_note(before, after))))


def _lost_note(before: QueryItem, after: QueryItem) -> str:
    """Return which numbers of a row its new kind does not have, or has with another value."""
    kept, lost = _known_texts(after), []
    for quantity, text in before.fields:
        if quantity not in (HALF_WIDTH, FIXED_EPSILON, FIXED_SCALE) and kept.get(quantity.key) != text:
            now = f" (now {kept[quantity.key]})" if quantity.key in kept else ""
            lost.append(f"{quantity.symbol} = {text}{now}")
    return f"Not kept of {LABELS[before.kind].lower()}: {', '.join(lost)}." if lost else ""


def _half_width_note(before: QueryItem, after: QueryItem) -> str:
    if before.half_width == after.half_width or after.is_fixed:
        return ""
    reason = half_width_problem(replace(after, half_width=before.half_width))
    return f"± was {before.half_width} and is now {after.half_width}, a value to begin with: {reason}."


def half_width_problem(item: QueryItem) -> str:
    """Return why the wanted ± of a row makes no sense, as a clause; empty where it does, or where noise is fixed.

    It must be less than half the range of a mean, a quantile or a share, and at least what one person adds otherwise.
    """
    if item.is_fixed:
        return ""
    subject, size = f"±{item.half_width} {{}} {LABELS[item.kind].lower()}", KINDS[item.kind].size
    if isinstance(size, Range):
        is_narrow = item.target < size.of(item.values) / 2
        return "" if is_narrow else f"{subject.format('would leave nothing to say of a')} in its range"
    if item.target < size.of(item.values) * item.most_in_number:
        return f"{subject.format('is less than one person adds to a')}"
    query = dpcore_query(item, "it", Terms())
    return "" if possible_mechanisms(query, _DELTA) else f"no noise has {subject.format('for')}"


def first_half_width(item: QueryItem) -> str:
    """Return the wanted ± of a new row, in proportion to the range of a person's values and to the most that one adds.

    It is at least a quantile's step.

    >>> first_half_width(new_item("sum")), first_half_width(replace(new_item("sum"), numbers=("0", "5000")))
    ('200', '10000')
    """
    new, size = new_item(item.kind), KINDS[item.kind].size
    factor = item.most_in_number if isinstance(size, Amount) else 1.0
    if "low" in item.values:
        factor *= size.of(item.values) / size.of(new.values)
    elif factor == 1:
        return new.half_width
    return linkable(format_nearest(max(float(new.half_width) * factor, item.values.get("step", 0.0)), 2))


TYPES = {"number": "Numbers", "text": "Categories", "date": "Dates"}
"""What a column can be treated as, by its type in `dpcore.readers`."""
PEOPLE_KEY = RECORDS.key
_PUBLIC_PEOPLE = replace(RECORDS, label="Number of people n, at least")
_SHARED = {PEOPLE_KEY: _PUBLIC_PEOPLE}
_ONCE = dict.fromkeys(LIMITS_OF_PERSON, "1")
"""The limits of a person who has one row."""
_MEDIAN = 0.5


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
    rows = ("any", "one" if is_row_person else "several")
    columns = [(key, kind.column) for key, kind in KINDS.items() if kind.column is not None]
    return tuple(
        _proposal(kind, column.phrase, is_row_person)
        for kind, column in columns
        if column.type == column_type and column.phrase and column.rows in rows
    )


def _proposal(kind: str, phrase: str, is_row_person: bool) -> Proposal:
    known = _ONCE if is_row_person else {}
    missing = [quantity for quantity in KINDS[kind].quantities if quantity.key not in known and quantity != CELLS]
    numbers = tuple(_SHARED.get(quantity.key, quantity) for quantity in missing)
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
    quantities = KINDS[proposal.kind].quantities
    if PEOPLE in quantities and RECORDS.read(texts[PEOPLE_KEY]) > PEOPLE.largest:
        texts[PEOPLE_KEY] = f"{PEOPLE.largest:.0f}"  # a lower bound of the number, as the kind has it
    numbers = _ONCE | texts | {CELLS.key: str(len(cells))}
    item = replace(new_item(proposal.kind), numbers=tuple(linkable(numbers[quantity.key]) for quantity in quantities))
    item = replace(item, half_width=first_half_width(item), name=_row_name(name, proposal, item))
    if problem := item_problem(item):
        raise ValueError(f"{problem.rstrip('.')}.")
    return item


def _row_name(name: str, proposal: Proposal, item: QueryItem) -> str:
    """Return the name of a column with what of it is published."""
    word = proposal.phrase.removeprefix("the ")
    if item.values.get("quantile", _MEDIAN) != _MEDIAN:
        word = f"quantile {item.texts['quantile']}"
    line = single_line(name, NAME_LENGTH)
    if not line or proposal is NUMBER_OF_PEOPLE:
        return line
    return f"{line[: NAME_LENGTH - len(word) - 2].rstrip()}: {word}"


_WORD, _LEAST_ALIKE = re.compile(r"[^\W\d_]{3,}"), 5  # letters with which two words that are not the same begin


def likely_columns(items: Sequence[QueryItem], names: Sequence[str], columns: Mapping[str, str]) -> dict[str, str]:
    """Return the column that each query is likely to be of: one of its type with a word of its name, or the only one.

    A query has none where two are as likely, or none is. `columns` has the type of each column.

    >>> items = [new_item("mean"), new_item("sum"), new_item("each")]
    >>> types = {"year": "number", "age": "number", "eur_costs": "number", "visit_date": "date"}
    >>> likely_columns(items, ["Mean age in years", "Total costs", "By month"], types)
    {'Mean age in years': 'age', 'Total costs': 'eur_costs', 'By month': 'visit_date'}
    """
    likely = {}
    for item, name in zip(items, names, strict=True):
        known = KINDS[item.kind].column
        of_type = [column for column, own in columns.items() if known is not None and own == known.type]
        alike = {column: likeness for column in of_type if (likeness := _likeness(name, column)) is not None}
        best = [column for column in alike if alike[column] == max(alike.values())] if alike else of_type
        if len(best) == 1:
            likely[name] = best[0]
    return likely


def _likeness(name: str, column: str) -> tuple[int, int, int] | None:
    """Return how well a column fits the name of a query, the larger the better; None where no two words are alike.

    The same word is better than its plural, and that than one that begins alike; then an earlier word of the name is
    better than a later one, and a column without other words better than one with some.
    """
    words = [word for word in _WORD.findall(name.lower()) if word not in _KIND_WORDS]
    own = _WORD.findall(column.lower())
    found = [
        (alike, -place, 1 - len(own))
        for place, word in enumerate(words)
        for other in own
        if (alike := _alike(word, other))
    ]
    return max(found, default=None)


def _alike(word: str, other: str) -> int:
    """Return how alike two words are: 3 if they are the same, 2 but for a plural, 1 if they begin alike, else 0.

    >>> _alike("age", "age"), _alike("codes", "code"), _alike("diagnosis", "diagnoses"), _alike("age", "agent")
    (3, 2, 1, 0)
    """
    begins_alike = word[:_LEAST_ALIKE] == other[:_LEAST_ALIKE] and len(word) >= _LEAST_ALIKE
    return 3 if word == other else 2 if word.removesuffix("s") == other.removesuffix("s") else int(begins_alike)


MAX_LENGTH = 10_000  # characters
COLUMNS = "name, kind, wanted ±, then the numbers of the kind in the order of the fields"
_LIMIT = re.compile(r"(N|P)\s*=\s*(.+)", re.IGNORECASE)  # by the symbols of their fields
_KIND_WORDS = {label.lower(): key for key, label in LABELS.items()} | {key: key for key in KINDS}
_KIND_WORDS |= {"average": "mean", "share": "proportion", "counts": "count", "total": "sum"}
_JOINT_WORDS = ("all", "all cells", "joint", "simultaneous")
_HEADS = ("name", "query", "question")
_LOCK_WORDS = {label.lower().split(" (")[0]: key for key, label in LOCKS.items() if key and "fixed" not in label}


def read_rows(text: str) -> tuple[list[QueryItem], list[str]]:
    """Return the queries of a pasted text, and a sentence for each row that cannot be used.

    >>> items, sentences = read_rows("Income; sum; 500; 0; 100")
    >>> [item.link_text() for item in items], sentences
    (['sum:500,0,100=Income'], [])
    """
    items, sentences = list[QueryItem](), list[str]()
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if lines and _cells(lines[0][1])[0].lower() in _HEADS:
        lines = lines[1:]
    for number, line in lines:
        item, problem = _read_row(_cells(line))
        if item is None:
            sentences.append(f"Row {number}: {problem.rstrip('.')}. It is left out.")
        else:
            items.append(item)
    if len(items) > MAX_QUERIES:
        sentences.append(f"{len(items)} rows can be used; only the first {MAX_QUERIES} are taken.")
    return items[:MAX_QUERIES], sentences


def _cells(line: str) -> list[str]:
    """Return the cells of a row: separated by tabs, else by semicolons, else by commas."""
    mark = next((mark for mark in "\t;" if mark in line), ",")
    return [cell.strip().strip('"').strip() for cell in line.split(mark)]


def _read_row(cells: Sequence[str]) -> tuple[QueryItem | None, str]:
    """Return a query, or None and what is wrong."""
    name, kind_word, *rest = [*cells, "", ""][: max(len(cells), 2)]
    kind = _KIND_WORDS.get(kind_word.lower())
    if kind is None:
        return None, f"its kind must be one of {', '.join(KINDS)}; {excerpt(kind_word) or 'nothing'} was given"
    numbers, words, limits = [], [], dict[str, str]()
    for cell in filter(None, rest):
        if match := _LIMIT.fullmatch(cell):
            limits[match[1].upper()] = linkable(match[2])
            continue
        (words if re.fullmatch(r"[^\W\d_][^\d]*", cell) else numbers).append(cell)
    item = replace(new_item(kind), name=single_line(name, NAME_LENGTH))
    if len(numbers) > 1 + len(item.numbers):
        query = f"“{excerpt(item.name)}”" if item.name else "it"
        return None, f"{query} is {kind_with_numbers(kind)}; {len(numbers)} numbers were given"
    texts = [linkable(number) for number in numbers]
    half_width, *own = [*texts, *(item.half_width, *item.numbers)[len(texts) :]]
    item = replace(item, half_width=half_width, numbers=tuple(own))
    if limits and KINDS[kind].cap is None:
        return None, f"{kind} has no limit in all; {min(limits)} was given"
    item = replace(item, cap=limits.get(CAP.symbol, ""), cap_periods=limits.get(CAP_PERIODS.symbol, ""))
    for word in words:
        if word.lower() in _JOINT_WORDS and KINDS[kind].has_cells:
            item = replace(item, is_joint=True)
        elif word.lower() in _LOCK_WORDS:
            item = replace(item, lock=_LOCK_WORDS[word.lower()])
        else:
            return None, f"“{excerpt(word)}” is not a number, nor a word that is allowed there"
    problem = item_problem(item)
    return (item, "") if problem is None else (None, problem)
