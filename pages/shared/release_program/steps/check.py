"""Step 1 of the program of a release: read the user's file, and check it against the plan."""

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field
from decimal import ROUND_CEILING, Context
from importlib import import_module
from operator import add
from pathlib import Path
from typing import Any

NO_EXCESS = 2.0**-19  # of a ±: noise on a grid is larger by half of that
SHOWN = 60  # characters of a text of the file in a message
OWN = "own"  # a statistic whose numbers the user has computed
MOST_OWN = 1000  # numbers of one such statistic

FORMULA_STARTS = ("=", "+", "-", "−", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
LARGEST_VALUE = 1e290  # of which many can be added


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


def separator_of(path: Path) -> str:
    """Return which of `SEPARATORS` a file has: the first that divides the names of its columns, a comma if none does.

    Raises
    ------
    OSError, UnicodeDecodeError
        if the file can’t be read as UTF-8.
    """
    with path.open(newline="", encoding="utf-8-sig") as file:
        header = file.readline()
    is_divided = (len(next(csv.reader([header], delimiter=each), [])) > 1 for each in SEPARATORS)
    return next((each for each, divides in zip(SEPARATORS, is_divided, strict=True) if divides), ",")


def lines_of(source: Source, n_first: int | None = None) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of the file as `rows_of`, each with the line of the file on which it begins."""
    try:
        with source.path.open(newline="", encoding="utf-8-sig") as file:
            separator = separator_of(source.path)
            rows = csv.reader(file, strict=True, delimiter=separator)
            header = next(rows, [])
            if len(set(header)) < len(header):
                raise ReleaseError("Two columns of the file have the same name: rename one of them.")
            line = rows.line_num + 1
            for place, row in enumerate(rows):
                if place == n_first:
                    return
                if len(row) != len(header):
                    fields = f"has {len(row)} fields, and the first line has {len(header)}"
                    raise ReleaseError(f"Line {line} {fields}, read as separated by {SEPARATORS[separator]}.")
                yield line, dict(zip(header, row, strict=True))
                line = rows.line_num + 1
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ReleaseError(f"The file can’t be read as CSV in UTF-8: {error}.") from error


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
