"""Step 1 of the program of a release: read the user's file, and check it against the plan."""

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field
from decimal import ROUND_CEILING, Context
from importlib import import_module
from operator import add
from pathlib import Path
from typing import Any

NO_EXCESS = 2.0**-19  # of a ±: noise on a grid is larger by half of that
SHOWN = 60  # characters of a text of the file in a message
LISTED = ("table", "series", "largest")  # the statistics with a public list: of categories, periods, candidates
OWN = "own"  # a statistic whose numbers the user has computed
MOST_OWN = 1000  # numbers of one such statistic

FORMULA_STARTS = ("=", "+", "-", "−", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


LARGEST_VALUE = 1e290  # of which many can be added
MONTH, YEAR = re.compile(r"\d{4}-(0[1-9]|1[0-2])"), re.compile(r"\d{4}")

Periods = dict[int | tuple[str, ...], int]
"""The period of each category, by its place."""


class ReleaseError(Exception):
    """A condition of the release that does not hold, in one sentence."""


@dataclass(frozen=True)
class Source:
    """The user's file, and the names of its columns.

    `person` is the column that identifies a person, empty where each row is one person's only one. `columns` and
    `categories` have, for the name of a statistic, its column or columns, and the file with its public categories;
    `periods` the column which says in which period each category of that file, or each row, is. `conditions` are the
    columns with the value that a row must have there to count for a statistic, and `totals` the columns of each set of
    totals. `joins` has how several values of a person become one, and `leaves_out_bad` says what to do with rows that
    cannot be used. `own` are the files with numbers that the user has computed, by the name of their statistic.
    """

    path: Path
    person: str
    columns: dict[str, tuple[str, ...]]
    categories: dict[str, Path]
    periods: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    totals: tuple[tuple[str, ...], ...] = ()
    joins: dict[str, str] = field(default_factory=dict)
    leaves_out_bad: bool = False
    own: dict[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """What one row says for one statistic: the person, the place of its category or its group, and its value.

    Its period is one of the row itself, empty where its category has one or there are none.
    """

    person: str | int
    cell: int | tuple[str, ...] = 0
    value: float = 0.0
    period: str = ""


@dataclass(frozen=True)
class LeftOut:
    """What the limits on one person leave out, for those who choose limits: it is confidential.

    Of `n_rows` rows of `n_people` people `n_left_out` do not count, those of `n_people_beyond` people; where a person
    counts once in a category, several rows of both are one. `of_all`, `of_kept` and `of_clipped` are the sums of the
    values of all rows, of those that count, and of these within the range. At least `n_late` rows of a series that is
    published as it goes were added to published periods: they never count.
    """

    n_rows: int = 0
    n_left_out: int = 0
    n_people: int = 0
    n_people_beyond: int = 0
    n_late: int = 0
    of_all: float = 0.0
    of_kept: float = 0.0
    of_clipped: float = 0.0

    def __add__(self, other: "LeftOut") -> "LeftOut":
        """Return both together, of other people each."""
        return LeftOut(*map(add, astuple(self), astuple(other)))

    def words(self, statistic: dict[str, Any]) -> str:
        """Return how many rows of how many people do not count.

        >>> LeftOut(20_000, 116, 5_000, 57).words({"max_in_cell": 2})
        '116 of 20,000 rows (57 of 5,000 people have more)'
        """
        rows = f"{self.n_left_out:,} of {self.n_rows:,} rows{', repeats aside' * is_once(statistic)}"
        return f"{rows} ({self.n_people_beyond:,} of {self.n_people:,} people have more)"


@dataclass(frozen=True)
class Tally:
    """What is added up of the records that are kept.

    `cells` has how many of them each category or group has, or each place on the steps of a quantile, `total` is the
    sum of all values in steps, `n` their number, and `n_cut` how many are beyond the range and count as its end.
    `periods` are those of all rows, where rows have such. `limits` says what the limits leave out.
    """

    cells: Counter[int | tuple[str, ...]]
    total: int
    n: int
    n_cut: int = 0
    periods: frozenset[str] = frozenset()
    limits: LeftOut = LeftOut()

    def __add__(self, other: "Tally") -> "Tally":
        """Return both together, of other people each."""
        sums = self.total + other.total, self.n + other.n, self.n_cut + other.n_cut
        return Tally(self.cells + other.cells, *sums, self.periods | other.periods, self.limits + other.limits)


def beyond_text(plan: dict[str, Any], tallies: dict[str, Tally]) -> str:
    """Return how many rows and values of each statistic are beyond its limits; empty where none are."""
    texts = []
    for statistic in plan["statistics"]:
        if statistic["kind"] == OWN:
            continue
        tally, kind, parts = tallies[statistic["name"]], statistic["kind"], list[str]()
        limits = tally.limits
        if limits.n_left_out:
            change = change_text("sum", limits.of_all, limits.of_kept) if kind == "sum" else ""
            parts.append(f"the limits on one {plan['unit']} leave out {limits.words(statistic)}{change}")
        if limits.n_late:
            parts.append(f"at least {limits.n_late:,} rows were added to periods that are published, and never count")
        if tally.n_cut:
            changed = "sum" if kind == "sum" else "mean" if kind in ("mean", "hidden_mean") else ""
            change = change_text(changed, limits.of_kept, limits.of_clipped) if changed else ""
            parts.append(
                f"{tally.n_cut:,} of the {tally.n:,} values that are counted are beyond {statistic['low']:,.15g} to "
                f"{statistic['high']:,.15g} and count as its end{change}"
            )
        if parts:
            texts.append(f"{shown(statistic['name'])}: {', and '.join(parts)}")
    return "; ".join(texts)


def is_once(statistic: dict[str, Any]) -> bool:
    """Return whether a person counts at most once in a category: rows more of both are then repeats."""
    return int(statistic["max_in_cell"]) == 1


def change_text(changed: str, before: float, after: float) -> str:
    """Return by which share of itself a sum, or the mean of as many values, is changed; empty of one that is 0.

    >>> change_text("sum", 200.0, 190.0), change_text("mean", 0.0, 1.0)
    (', which changes the sum by -5 %', '')
    """
    return f", which changes the {changed} by {100 * (after - before) / abs(before):+.2g} %" if before else ""


def shown(text: object) -> str:
    """Return a text of the file for a message: in quotation marks, on one line, and short."""
    whole = str(text)
    return repr(whole if len(whole) <= SHOWN else f"{whole[:SHOWN]}…")


def up(number: float) -> float:
    """Return a cost or an error with four digits, rounded up: on the safe side.

    >>> up(4.506719713463015), up(0.1), up(0.0)
    (4.507, 0.1, 0.0)
    """
    return float(Context(prec=4, rounding=ROUND_CEILING).create_decimal(repr(number)))


def width_up(width: float) -> float:
    """Return a ± with four digits, rounded up; the excess of noise on a grid, or of a computer, is none.

    >>> width_up(20 * (1 + 2**-20)), width_up(19.9999999999), width_up(16.4213)
    (20.0, 20.0, 16.43)
    """
    return up(width / (1 + NO_EXCESS))


def up_text(number: float) -> str:
    """Return the text of `up`, such as 1e-6."""
    return f"{up(number):g}".replace("e-0", "e-")


def cell_text(text: str) -> str:
    """Return a text for a CSV file that no spreadsheet runs as a formula."""
    lines = " ".join(text.split())
    return f"'{lines}" if text.startswith(FORMULA_STARTS) or lines.startswith(FORMULA_STARTS) else lines


def rows_of(source: Source, n_first: int | None = None) -> Iterator[dict[str, str]]:
    """Yield the rows of the file, by the names of the columns; of its first ones only, if n_first says so."""
    return (row for _, row in lines_of(source, n_first))


def lines_of(source: Source, n_first: int | None = None) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of the file as `rows_of`, each with the line of the file on which it begins."""
    try:
        with source.path.open(newline="", encoding="utf-8-sig") as file:
            rows = csv.reader(file, strict=True)
            header = next(rows, [])
            if len(set(header)) < len(header):
                raise ReleaseError("Two columns of the file have the same name: rename one of them.")
            line = rows.line_num + 1
            for place, row in enumerate(rows):
                if place == n_first:
                    return
                if len(row) != len(header):
                    raise ReleaseError(f"Line {line} has {len(row)} fields, and the first line has {len(header)}.")
                yield line, dict(zip(header, row, strict=True))
                line = rows.line_num + 1
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ReleaseError(f"The file can’t be read as CSV in UTF-8: {error}.") from error


def listed_rows(statistic: dict[str, Any], source: Source) -> list[dict[str, str]]:
    """Return the rows of a public list, or the months from a first one; one column is that which the user names."""
    name, path = statistic["name"], source.categories[statistic["name"]]
    own = source.columns.get(name, ())
    is_series = statistic["kind"] == "series"
    if path != source.path and not path.exists() and not (is_series and MONTH.fullmatch(path.name)):
        month = ", or the first month of the series, such as 2026-01" if is_series else ""
        raise ReleaseError(
            f"--categories {shown(f'{name}={path}')} names no file: give a CSV file of the "
            f"{listed_words(statistic).rstrip(',')}, one on each line below a heading{month}."
        )
    if is_series and not path.exists():
        first = 12 * int(path.name[:4]) + int(path.name[5:]) - 1
        months = range(first, first + statistic["n_cells"])
        return [{own[0] if own else "month": f"{month // 12:04}-{month % 12 + 1:02}"} for month in months]
    rows = [*rows_of(Source(path, "", {}, {}))]
    if len(own) == 1 and rows and len(rows[0]) == 1:
        return [{own[0]: next(iter(row.values()))} for row in rows]
    return rows


def columns_of(statistic: dict[str, Any], source: Source) -> tuple[str, ...]:
    """Return the columns of a statistic: those that the user names or, of a table, those of its list of categories.

    Of a list these are all but those of the periods and of totals, unless the file has them too.
    """
    name = statistic["name"]
    if name in source.columns or name not in source.categories:
        return source.columns.get(name, ())
    listed = next(iter(listed_rows(statistic, source)), {})
    coarser = {source.periods.get(name), *(column for columns in source.totals for column in columns)}
    own = next(rows_of(source, 1), {}) if coarser & set(listed) else {}
    return tuple(column for column in listed if column not in coarser or column in own)


def listed_words(statistic: dict[str, Any]) -> str:
    """Return what the public list of a statistic has."""
    if statistic["kind"] != "series":
        return "categories"
    return f"{'cells' if statistic['series']['published'] in ('ranges', 'own') else 'periods'}, in their order,"


def categories_of(statistic: dict[str, Any], source: Source) -> list[tuple[str, ...]]:
    """Return the categories of the user's public list: they never come from the data.

    Raises
    ------
    ReleaseError
        if there is no list, or one with another number of categories than the plan or with one of them twice.
    """
    name, n_cells = statistic["name"], statistic["n_cells"]
    words = listed_words(statistic)
    if name not in source.categories:
        raise ReleaseError(
            f"Give the public list of the {words} of {shown(name)} as a file with --categories; it must not come "
            "from the data, since one that appears would reveal that somebody is in it."
        )
    columns = columns_of(statistic, source)
    rows = listed_rows(statistic, source)
    missing = [column for column in columns if not rows or column not in rows[0]]
    if missing or not rows:
        raise ReleaseError(f"The list of categories for {shown(name)} has no column {shown(' · '.join(missing))}.")
    categories = [tuple(row[column] for column in columns) for row in rows]
    if len(set(categories)) < len(categories):
        raise ReleaseError(f"The list of categories for {shown(name)} has one of them twice.")
    if n_cells is not None and len(categories) != n_cells:
        raise ReleaseError(
            f"The list for {shown(name)} has {len(categories)} categories, and the plan is made for {n_cells}."
        )
    return categories


def date_digits(categories: list[tuple[str, ...]]) -> list[int]:
    """Return, for each column of a list, to how many characters a date is cut: 7 for months, 4 for years, else 0."""
    return [
        7 if all(map(MONTH.fullmatch, column)) else 4 if all(map(YEAR.fullmatch, column)) else 0
        for column in zip(*categories, strict=True)
    ]


def years_of(categories: list[tuple[str, ...]]) -> list[str]:
    """Return the year of each category of a list of months; nothing for any other list."""
    is_of_months = date_digits(categories) == [len("2026-01")]
    return [category[0][:4] for category in categories] if is_of_months else []


def periods_of(statistic: dict[str, Any], source: Source) -> Periods:
    """Return in which period each category is, by a column of the list or as the years of its months; or none.

    Raises
    ------
    ReleaseError
        if the list does not say so, or has more periods than the plan.
    """
    name, most = statistic["name"], statistic["n_periods"]
    if most == 1 or statistic["has_periods_of_rows"]:
        return {}
    column = source.periods.get(name)
    rows = listed_rows(statistic, source)
    years = years_of(categories_of(statistic, source)) if column is None else []
    if not years and (column is None or column not in rows[0]):
        raise ReleaseError(
            f"A person has at most {statistic['max_in_period']} records in each of {most} periods: name with --period "
            f"the column of the list of categories for {shown(name)} that says in which period each is."
        )
    places: dict[str, int] = {}
    names = years or [row[str(column)] for row in rows]
    periods: Periods = {place: places.setdefault(period, len(places)) for place, period in enumerate(names)}
    if len(places) > most:
        words = "years: name with --period a column of it that says in which period each is" if years else "periods"
        raise ReleaseError(
            f"The plan is made for at most {most} periods, and the list for {shown(name)} has {len(places)} {words}."
        )
    return periods


def own_numbers(statistic: dict[str, Any], source: Source) -> list[tuple[str, float]]:
    """Return the labels and the numbers of a statistic that the user has computed, from a CSV file.

    The last column has the number, the others together the label.

    Raises
    ------
    ReleaseError
        if there is no such file, or an entry is no number.
    """
    name = shown(statistic["name"])
    if statistic["name"] not in source.own:
        raise ReleaseError(
            f"Give the numbers of {name}, which you compute, as a CSV file with --own: the last column has the number."
        )
    rows = [list(row.values()) for row in rows_of(Source(source.own[statistic["name"]], "", {}, {}))]
    if not 0 < len(rows) <= MOST_OWN:
        raise ReleaseError(f"The file of {name} has {len(rows):,} numbers; it must have 1 to {MOST_OWN:,}.")
    numbers = []
    for *label, text in rows:
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not abs(number) <= LARGEST_VALUE:
            raise ReleaseError(f"The file of {name} has {shown(text)} in its last column, which is no number.")
        numbers.append((" · ".join(label), number))
    return numbers


def period_column(statistic: dict[str, Any], source: Source) -> str:
    """Return the column of the file that says in which period each row is; empty where rows have none."""
    if not statistic["has_periods_of_rows"]:
        return ""
    if statistic["name"] not in source.periods:
        raise ReleaseError(
            f"A person has at most {statistic['max_in_period']} records in each of {statistic['n_periods']} periods: "
            f"name with --period the column of the file that says in which period each row of "
            f"{shown(statistic['name'])} is."
        )
    return source.periods[statistic["name"]]


def checked_periods(statistic: dict[str, Any], periods: frozenset[str]) -> None:
    """Stop where the rows of a statistic are of more periods than the plan."""
    if len(periods) > (most := statistic["n_periods"]):
        first = ", ".join(map(shown, sorted(periods)[: most + 1]))
        raise ReleaseError(
            f"The plan is made for at most {most} periods, and the rows of {shown(statistic['name'])} are of "
            f"{len(periods)}, such as {first}: take those of {most} only, with --where or in another file."
        )


def totals_of(statistic: dict[str, Any], source: Source) -> list[tuple[str, list[tuple[str, list[int]]]]]:
    """Return the sets of totals: the name of each, and the label of each total with the places of what it adds up.

    Raises
    ------
    ReleaseError
        if the user names another number of sets than the plan has, one twice, or a column that the list lacks.
    """
    name, most = shown(statistic["name"]), statistic["n_totals"]
    if len({frozenset(columns) for columns in source.totals}) != most or len(source.totals) != most:
        raise ReleaseError(
            f"The plan has {most} set{'s' * (most != 1)} of totals of {name}: write --totals once for each, and behind "
            "it the columns of the list by which it adds up, none for the grand total."
        )
    rows = [*rows_of(Source(source.categories[statistic["name"]], "", {}, {}))] if most else []
    named = []
    for columns in source.totals:
        if missing := [column for column in columns if column not in rows[0]]:
            raise ReleaseError(f"The list of categories for {name} has no column {shown(missing[0])} for totals.")
        places: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, row in enumerate(rows):
            places[tuple(row[column] for column in columns)].append(place)
        words = f"totals by {' · '.join(columns)}" if columns else "grand total"
        named.append((words, [(" · ".join(label), own) for label, own in places.items()]))
    return named


def module_named(name: str, install: str, library: str = "") -> Any:
    """Return a library, or stop where it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        library = library or name.partition(".")[0].capitalize()
        raise ReleaseError(f"{library} is not installed: run pip install '{install}'.") from error


def opendp_module() -> Any:
    """Return OpenDP, or stop where it is not installed."""
    opendp = module_named("opendp.prelude", "opendp>=0.16,<0.17", "OpenDP")
    opendp.enable_features("contrib", "honest-but-curious")
    return opendp
