"""The list of queries: the list as text for the link, and the query of dpcore that each row is.

A row is written `kind:half_width,number*flag,flag@lock,number=name`, and rows are separated by semicolons; `!` stands
before the chosen one. Flags are `all` (the error is that of all cells at once), `hidden` (the number of records is not
public), `A` to `D` (a group of queries on disjoint people), `size:number` (the expected answer), `times:number` (how
often it is released), and `cap:number` with `periods:number`: the most that a person adds in all, or in each of so many
years. Of a count, a sum, a mean, a share or a quantile that is the most records of a person.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from dpcore.plan import Query, query
from pages.framework.parameters import kinds
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.list_parameter import (
    Listing,
    length_problems,
    linkable,
    numbered_labels,
    single_line,
    wrong_count_note,
)
from pages.framework.parameters.number_format import refusal_text
from pages.framework.parameters.parameter import excerpt
from pages.plan.quantities import (
    CAP,
    CAP_PERIODS,
    FIXED_EPSILON,
    FIXED_SCALE,
    GROUPS,
    HALF_WIDTH,
    LOCKS,
    MOST_RECORDS,
    NOISE_NAMES,
    SIZE,
    TIMES,
    lock_quantity,
)
from pages.plan.query_kinds import KINDS, LABELS, kind_with_numbers

MAX_QUERIES = 30
NAME_LENGTH = 40
DEFAULTS = (
    "!count:10=People;table:40,60,6,1*all=Visits by age;histogram:20,8=Regions;"
    "mean:1,0,100,2000=Mean age;sum:5000,0,500=Total spending"
)
_ROW = re.compile(r"(!?)([a-z]+):([^*@=]*)(?:\*([^@=]*))?(?:@([^=]*))?(?:=(.*))?")


@dataclass(frozen=True)
class QueryItem:
    """A row of the list; numbers are texts. `numbers` are those of its kind, without the wanted error."""

    kind: str
    half_width: str
    numbers: tuple[str, ...] = ()
    is_joint: bool = False
    is_hidden: bool = False
    group: str = ""
    lock: str = ""
    lock_number: str = ""
    size: str = ""
    cap: str = ""
    cap_periods: str = ""
    times: str = ""
    name: str = ""
    chosen: bool = False

    def link_text(self) -> str:
        """Return the row as text."""
        flags = [
            *(["all"] if self.is_joint else []),
            *(["hidden"] if self.is_hidden else []),
            *([self.group] if self.group else []),
            *(f"{flag}:{text}" for flag, _, text in self._optional_numbers),
        ]
        lock = f"@{self.lock}{',' + self.lock_number if self.lock_number else ''}" if self.lock else ""
        numbers = ",".join((self.half_width, *self.numbers))
        star = f"*{','.join(flags)}" if flags else ""
        return f"{'!' if self.chosen else ''}{self.kind}:{numbers}{star}{lock}={quote(self.name, safe='')}"

    @property
    def _optional_numbers(self) -> tuple[tuple[str, Quantity, str], ...]:
        """The numbers beyond those of its kind that it has, each with its flag and its text."""
        numbers = (
            ("size", SIZE, self.size),
            ("cap", KINDS[self.kind].cap or CAP, self.cap),
            ("periods", CAP_PERIODS, self.cap_periods),
            ("times", TIMES, self.times),
        )
        return tuple(number for number in numbers if number[-1])

    @property
    def fields(self) -> tuple[tuple[Quantity, str], ...]:
        """Return its quantities, each with its text."""
        fixed = lock_quantity(self.lock)
        return (
            (HALF_WIDTH, self.half_width),
            *zip(KINDS[self.kind].quantities, self.numbers, strict=True),
            *(((fixed, self.lock_number),) if fixed else ()),
            *((quantity, text) for _, quantity, text in self._optional_numbers),
        )

    @property
    def is_fixed(self) -> bool:
        """Whether its noise is fixed, so that its error follows from it."""
        return lock_quantity(self.lock) is not None

    @property
    def target(self) -> float:
        """Return the wanted half-width as a number."""
        return HALF_WIDTH.read(self.half_width)

    @property
    def expected(self) -> float | None:
        """Return the size of the expected answer, None if it is not given."""
        return SIZE.read(self.size) if self.size else None

    @property
    def n_times(self) -> int:
        """Return how often it is released, each time the list is."""
        return int(TIMES.read(self.times)) if self.times else 1

    @property
    def values(self) -> dict[str, float]:
        """Return the numbers of its kind, by their names there."""
        places = zip(KINDS[self.kind].numbers.items(), self.numbers, strict=True)
        return {name: _value(quantity, entry) for (name, quantity), entry in places}

    @property
    def texts(self) -> dict[str, str]:
        """Return the texts of the numbers of its kind, by their names there."""
        return dict(zip(KINDS[self.kind].numbers, self.numbers, strict=True))

    @property
    def n_cells(self) -> int:
        """Return the number of its cells, 1 of a query that is one number."""
        return int(KINDS[self.kind].quantities[0].read(self.numbers[0])) if KINDS[self.kind].has_cells else 1

    @property
    def summary(self) -> str:
        """Return its kind with its numbers, and what of it is not usual."""
        words = [LABELS[self.kind], KINDS[self.kind].words.format(*self.numbers)]
        words += ["± of all cells"] if self.has_joint_error() else []
        words += ["n is not public"] if self.is_hidden else []
        words += [self.cap_text] if self.cap else []
        words += [f"released {self.times} times"] if self.times else []
        words += [f"answer about {self.size}"] if self.size else []
        fixed_at = f" at {self.lock_number}" if self.is_fixed else ""
        words += [f"{LOCKS[self.lock]}{fixed_at}"] if self.lock else []
        words += [f"group {self.group}"] if self.group else []
        return " · ".join(filter(None, words))

    @property
    def n_years(self) -> int:
        """Return in how many years its limit holds, each by itself; 1 where it is one in all, or has none."""
        return int(CAP_PERIODS.read(self.cap_periods)) if self.cap_periods else 1

    @property
    def records_of_year(self) -> int:
        """Return how many records of a person count in each year, of a kind whose values are those of records."""
        return int(MOST_RECORDS.read(self.cap)) if self.cap and KINDS[self.kind].counts_records else 1

    @property
    def records_per_person(self) -> int:
        """Return how many records of a person count in all years together."""
        return self.records_of_year * self.n_years if KINDS[self.kind].counts_records else 1

    @property
    def labelled_quantities(self) -> tuple[Quantity, ...]:
        """Return the quantities of its fields: where a limit on records is given, lo and hi are those of a record."""
        own = KINDS[self.kind].quantities
        if not (self.cap and KINDS[self.kind].counts_records):
            return own
        return tuple(
            replace(quantity, label=quantity.label.replace(" of a person", " of a record")) for quantity in own
        )

    @property
    def most_in_number(self) -> float:
        """Return what one person adds to one of its numbers at most, in multiples of what one record or cell has."""
        if KINDS[self.kind].places is None and self.cap:
            return CAP.read(self.cap) * self.n_years
        return 1.0

    @property
    def cap_text(self) -> str:
        """Return the limit on what a person adds in all, or in each year, in words."""
        years = f"each of {self.n_years:,} years" if self.n_years > 1 else ""
        if KINDS[self.kind].counts_records:
            where = f" in {years}" if years else ""
            return f"{self.cap} record{'s' * (self.records_of_year > 1)} per person{where}"
        return f"{self.cap} per person in {years or 'all'}"

    def has_joint_error(self) -> bool:
        """Return whether its error is that of several cells at once."""
        return self.is_joint and self.n_cells > 1


class Terms(NamedTuple):
    """What the rows of a list have in common: `threshold_delta` is that of one release of unknown groups."""

    significance: float = 0.05
    neighbours: str = "add_remove"
    periods: int = 1
    factor: float = 1.0
    threshold_delta: float = 1e-9


@lru_cache(4096)
def dpcore_query(item: QueryItem, name: str, terms: Terms) -> Query:
    """Return the query that a row is, with `factor` times its wanted error where its noise is not fixed.

    Raises
    ------
    ValueError
        where its numbers do not go together, or not with the neighbouring relation.
    """
    half_width = None if item.is_fixed else min(max(item.target * terms.factor, 1e-100), 1e100)
    statistic = KINDS[item.kind].record(**statistic_arguments(item, terms.threshold_delta))
    arguments = query_arguments(item, terms.neighbours, terms.periods)
    return query(half_width, statistic, terms.significance, name=name, **arguments)


def statistic_arguments(item: QueryItem, threshold_delta: float) -> dict[str, Any]:
    """Return the arguments of the record of a row's kind, by their names, where they are not the default."""
    kind = KINDS[item.kind]
    arguments = kind.arguments(item.values)
    years = "cap_years" if kind.published else CAP_PERIODS.key
    cap = kind.cap or CAP
    limits = ((cap.key, cap, item.cap), (years, CAP_PERIODS, item.cap_periods))
    arguments |= {name: _value(quantity, entry) for name, quantity, entry in limits if entry}
    arguments |= {"is_joint": True} if item.is_joint and kind.has_cells else {}
    arguments |= {"published": kind.published} if kind.published else {}
    arguments |= {"threshold_delta": threshold_delta} if kind.has_threshold else {}
    return arguments | ({"is_n_public": False} if item.is_hidden else {})


def _value(quantity: Quantity, entry: str) -> float:
    value = quantity.read(entry)
    return int(value) if quantity.whole else value


def query_arguments(item: QueryItem, neighbours: str, periods: int) -> dict[str, Any]:
    """Return the arguments of `dpcore.plan.query` after the statistic, where they are not the default, but the name."""
    is_default = neighbours == "add_remove" or not (KINDS[item.kind].record.has_neighbours or item.group)
    arguments: dict[str, Any] = {} if is_default else {"neighbours": neighbours}
    fixed = lock_quantity(item.lock)
    arguments |= {_FIXED[fixed.key]: fixed.read(item.lock_number)} if fixed else {}
    arguments |= {"group": item.group} if item.group else {}
    mechanism = item.lock.removesuffix("_scale")
    arguments |= {"mechanism": mechanism} if mechanism not in ("", "epsilon") else {}
    n_releases = periods * item.n_times
    return arguments | ({} if n_releases == 1 else {"n_releases": n_releases})


_FIXED = {FIXED_EPSILON.key: "epsilon", FIXED_SCALE.key: "scale"}


def _parse_row(part: str, _: int) -> tuple[QueryItem | None, list[str]]:
    """Return a row of the list, None if it can't be read, and what is wrong with it."""
    match = _ROW.fullmatch(part)
    if match is None or match[2] not in KINDS:
        return None, [f"its kind must be one of {', '.join(KINDS)}; {excerpt(part)} was given."]
    mark, kind, numbers_text, flags, lock_text, name = (group or "" for group in match.groups())
    half_width, *numbers = (number.strip() for number in numbers_text.split(","))
    n_numbers = len(KINDS[kind].quantities)
    if len(numbers) != n_numbers:
        return None, [wrong_count_note(kind_with_numbers(kind), n_numbers + 1, len(numbers) + 1)]
    lock, _comma, lock_number = (word.strip() for word in lock_text.partition(","))
    item = QueryItem(kind, half_width, tuple(numbers), lock=lock, lock_number=lock_number, chosen=mark == "!")
    item, problem = _with_flags(replace(item, name=single_line(unquote(name), NAME_LENGTH)), flags)
    problem = problem or _lock_problem(item) or item_problem(item)
    return (item, length_problems(unquote(name), NAME_LENGTH)) if problem is None else (None, [problem])


def _with_flags(item: QueryItem, flags: str) -> tuple[QueryItem, str | None]:
    """Return a row with its flags, and what is wrong with the first that cannot be used."""
    for flag in filter(None, (word.strip() for word in flags.split(","))):
        if flag == "all" and KINDS[item.kind].has_cells:
            item = replace(item, is_joint=True)
        elif flag == "hidden" and KINDS[item.kind].may_hide_records:
            item = replace(item, is_hidden=True)
        elif flag in GROUPS:
            item = replace(item, group=flag)
        elif flag.startswith("size:"):
            item = replace(item, size=flag.removeprefix("size:"))
        elif flag.startswith("times:"):
            item = replace(item, times=flag.removeprefix("times:"))
        elif flag.startswith("cap:") and KINDS[item.kind].cap:
            item = replace(item, cap=flag.removeprefix("cap:"))
        elif flag.startswith("periods:") and KINDS[item.kind].cap:
            item = replace(item, cap_periods=flag.removeprefix("periods:"))
        else:
            words = "all, hidden, A to D, size, cap, periods or times"
            return item, f"after * it may have {words}; {excerpt(flag)} was given."
    return item, None


def _lock_problem(item: QueryItem) -> str | None:
    if item.lock not in LOCKS:
        return f"its noise must be one of {', '.join(filter(None, LOCKS))}; {excerpt(item.lock)} was given."
    if (lock_quantity(item.lock) is None) == bool(item.lock_number):
        return wrong_count_note(item.lock, int(lock_quantity(item.lock) is not None), int(bool(item.lock_number)))
    return None


def item_problem(item: QueryItem) -> str | None:
    """Return why no query has these numbers; None if one has."""
    problem = kinds.first_problem(item.fields)
    if problem is not None:
        return problem
    if item.n_years > 1 and not item.cap:
        return f"P needs N, the most that one person adds in each of the {item.cap_periods} years."
    try:
        dpcore_query(item, "it", Terms())
    except ValueError as error:
        return worded(error)
    return None


def worded(error: ValueError) -> str:
    """Return an error of dpcore with the names that the fields have.

    >>> from dpcore.checks import DomainError
    >>> worded(DomainError("l2_sensitivity", "[1e-100, l1_sensitivity]", 3))
    'Δ₂ must be from 1e-100 to Δ₁; 3 was given'
    >>> worded(DomainError("mechanism", "laplace, gaussian", "geometric"))
    'the noise must be Laplace or Gaussian; geometric was given'
    """
    return refusal_text(error, _SYMBOLS)


_SYMBOLS = {
    "l1_sensitivity": "Δ₁",
    "l2_sensitivity": "Δ₂",
    "half_width": "±",
    "mechanism": "the noise",
    "neighbours": "neighbouring data sets",
    "n_releases": "the number of releases",
    "p90": "the 90th percentile",
    "significance": "1 − the confidence",
    "cap_years": "P",
    "cap": "the most in all",
    "records_per_person in all periods": "N in all years",
    "add_remove": "“add or remove one person”",
    "replace": "“replace one person”",
} | NOISE_NAMES


def with_entries(item: QueryItem, entries: Mapping[str, str]) -> QueryItem:
    """Return a row with other texts for some of its numbers, by the keys of their quantities."""
    own = zip(KINDS[item.kind].quantities, item.numbers, strict=True)
    fixed, cap = lock_quantity(item.lock), KINDS[item.kind].cap or CAP
    return replace(
        item,
        half_width=linkable(entries.get(HALF_WIDTH.key, item.half_width)),
        numbers=tuple(linkable(entries.get(quantity.key, number)) for quantity, number in own),
        lock_number=linkable(entries.get(fixed.key, item.lock_number)) if fixed else "",
        size=linkable(entries.get(SIZE.key, item.size)),
        cap=linkable(entries.get(cap.key, item.cap)),
        cap_periods=linkable(entries.get(CAP_PERIODS.key, item.cap_periods)),
        times=linkable(entries.get(TIMES.key, item.times)),
    )


QUERIES = Listing(
    "queries",
    "queries",
    DEFAULTS,
    "rows kind:half_width,number*flag@lock,number=name",
    "queries",
    MAX_QUERIES,
    _parse_row,
    with_entries,
    item_problem,
    entry_name="Query",
    entry_texts=lambda items: [
        f"{name}: {item.summary}{'' if item.is_fixed else f', ± {item.half_width}'}"
        for name, item in zip(names_of(items), items, strict=True)
    ],
)


def new_item(kind: str) -> QueryItem:
    """Return a new row of a kind."""
    return QueryItem(kind, KINDS[kind].half_width, tuple(quantity.default for quantity in KINDS[kind].quantities))


def names_of(items: Sequence[QueryItem]) -> list[str]:
    """Return a short name for every row, no two alike.

    >>> names_of((new_item("count"), new_item("count"), replace(new_item("sum"), name="Income")))
    ['Count', 'Count (2)', 'Income']
    """
    return numbered_labels(item.name or LABELS[item.kind] for item in items)
