"""Step 1 of the program of a release: read the user's file and the earlier releases, and check it against the plan."""

import csv
import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

SHOWN = 60  # characters of a text of the file in a message
LISTED = ("table", "series", "largest")  # the statistics with a public list: of categories, periods, candidates

FORMULA_STARTS = ("=", "+", "-", "−", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


Periods = dict[int | tuple[str, ...], int]
"""The period of each category, by its place."""


class ReleaseError(Exception):
    """A condition of the release that does not hold, in one sentence."""


@dataclass(frozen=True)
class Source:
    """The user's file, and the names of its columns.

    `person` is the column that identifies a person, empty where each row is one person's only one. `columns` and
    `categories` have, for the name of a statistic, its column or columns, and the file with its public categories;
    `periods` the column of that file which says in which period each category is.
    """

    path: Path
    person: str
    columns: dict[str, tuple[str, ...]]
    categories: dict[str, Path]
    periods: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """What one row says for one statistic: the person, the place of its category or its group, and its value."""

    person: str | int
    cell: int | tuple[str, ...] = 0
    value: float = 0.0


@dataclass(frozen=True)
class Tally:
    """What is added up of the records that are kept.

    `cells` has how many of them each category or group has, or each place on the steps of a quantile, `total` is the
    sum of all values in steps, and `n` their number.
    """

    cells: Counter[int | tuple[str, ...]]
    total: int
    n: int

    def __add__(self, other: "Tally") -> "Tally":
        """Return both together, of other people each."""
        return Tally(self.cells + other.cells, self.total + other.total, self.n + other.n)


def shown(text: object) -> str:
    """Return a text of the file for a message: in quotation marks, on one line, and short."""
    whole = str(text)
    return repr(whole if len(whole) <= SHOWN else f"{whole[:SHOWN]}…")


def cell_text(text: str) -> str:
    """Return a text for a CSV file that no spreadsheet runs as a formula."""
    lines = " ".join(text.split())
    return f"'{lines}" if text.startswith(FORMULA_STARTS) or lines.startswith(FORMULA_STARTS) else lines


def rows_of(source: Source, n_first: int | None = None) -> Iterator[dict[str, str]]:
    """Yield the rows of the file, by the names of the columns; of its first ones only, if n_first says so."""
    try:
        with source.path.open(newline="", encoding="utf-8-sig") as file:
            rows = csv.reader(file, strict=True)
            header = next(rows, [])
            if len(set(header)) < len(header):
                raise ReleaseError("Two columns of the file have the same name: rename one of them.")
            for place, row in enumerate(rows):
                if place == n_first:
                    return
                if len(row) != len(header):
                    message = f"Line {rows.line_num} has {len(row)} fields, and the first line has {len(header)}."
                    raise ReleaseError(message)
                yield dict(zip(header, row, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ReleaseError(f"The file can’t be read as CSV in UTF-8: {error}.") from error


def columns_of(statistic: dict[str, Any], source: Source) -> tuple[str, ...]:
    """Return the columns of a statistic: those that the user names or, of a table, those of its list of categories.

    Of a list these are all but that of the periods, unless the file has it too.
    """
    name = statistic["name"]
    if name in source.columns or name not in source.categories:
        return source.columns.get(name, ())
    listed, period = next(rows_of(Source(source.categories[name], "", {}, {})), {}), source.periods.get(name)
    own = {} if period is None else next(rows_of(source, 1), {})
    return tuple(column for column in listed if column != period or column in own)


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
    rows = [*rows_of(Source(source.categories[name], "", {}, {}))]
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


def periods_of(statistic: dict[str, Any], source: Source) -> Periods:
    """Return in which period each category is, by the user's public list; none where no period has a limit.

    Raises
    ------
    ReleaseError
        if the list does not say so, or has more periods than the plan.
    """
    name, most = statistic["name"], statistic["n_periods"]
    if most == 1:
        return {}
    column = source.periods.get(name)
    rows = [*rows_of(Source(source.categories[name], "", {}, {}))]
    if column is None or column not in rows[0]:
        raise ReleaseError(
            f"A person has at most {statistic['max_in_period']} records in each of {most} periods: name with --period "
            f"the column of the list of categories for {shown(name)} that says in which period each is."
        )
    places: dict[str, int] = {}
    found: Periods = {place: places.setdefault(row[column], len(places)) for place, row in enumerate(rows)}
    if len(places) > most:
        raise ReleaseError(
            f"The list for {shown(name)} has {len(places)} periods, and the plan is made for at most {most}."
        )
    return found


def missing_options(plan: dict[str, Any], source: Source) -> list[str]:
    """Return the options that the command lacks, of several statistics."""
    missing = []
    for statistic in plan["statistics"]:
        name, kind = statistic["name"], statistic["kind"]
        if kind in LISTED and name not in source.categories:
            missing.append(f"--categories {shown(f'{name}=FILE.csv')}")
        if statistic["n_periods"] > 1 and name not in source.periods:
            missing.append(f"--period {shown(f'{name}=COLUMN')}")
        if kind not in (*LISTED, "count") and name not in source.columns:
            missing.append(f"--column {shown(f'{name}=COLUMN')}")
    return missing


def checked_columns(plan: dict[str, Any], source: Source) -> None:
    """Stop where the file lacks a column that the plan needs, or the identifier."""
    first = next(rows_of(source, 1), None)
    if first is None:
        raise ReleaseError("The file has no rows.")
    if len(missing := missing_options(plan, source)) > 1:
        names = ", ".join(map(shown, first))
        raise ReleaseError(f"Add {' '.join(missing)}, with the public lists and the columns, which are {names}.")
    for statistic in plan["statistics"]:
        if statistic["name"] in source.categories:
            periods_of(statistic, source)
    columns = [(source.person, "--person")] if source.person else []
    columns += [(column, "--column") for statistic in plan["statistics"] for column in columns_of(statistic, source)]
    for column, option in columns:
        if column not in first:
            names = ", ".join(map(shown, first))
            raise ReleaseError(f"The file has no column {shown(column)}; it has {names}: name yours with {option}.")
    for statistic in plan["statistics"]:
        if statistic["kind"] in LISTED:
            categories_of(statistic, source)
        elif statistic["kind"] == "groups":
            if statistic["name"] in source.categories or not columns_of(statistic, source):
                name = shown(statistic["name"])
                raise ReleaseError(f"Name the column or columns of {name} with --column: its groups have no list.")
        elif statistic["kind"] != "count" and len(columns_of(statistic, source)) != 1:
            raise ReleaseError(f"Name the one column of {shown(statistic['name'])} with --column.")


def entries_of(statistic: dict[str, Any], source: Source) -> Iterator[Entry]:
    """Yield what each row of the file says for a statistic, checked: persons, categories, values and their number."""
    name, kind, columns = statistic["name"], statistic["kind"], columns_of(statistic, source)
    places = {}
    if kind in LISTED:
        places = {category: place for place, category in enumerate(categories_of(statistic, source))}
    for number, row in enumerate(rows_of(source)):
        person = row[source.person] if source.person else number
        if person == "":
            raise ReleaseError(f"Row {number + 1} has nobody in the column {shown(source.person)}.")
        texts = tuple(row[column] for column in columns)
        if kind == "count":
            yield Entry(person)
        elif kind in LISTED:
            if texts not in places:
                label = shown(" · ".join(texts))
                raise ReleaseError(f"Row {number + 1} has the category {label}, which the list of {shown(name)} lacks.")
            yield Entry(person, places[texts])
        elif kind == "groups":
            yield Entry(person, texts)
        else:
            yield Entry(person, value=value_of(texts[0], statistic, number))


def value_of(text: str, statistic: dict[str, Any], number: int) -> float:
    """Return the number in a field; whole where the noise is for whole numbers."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ReleaseError(f"Row {number + 1} has {shown(text)} for {shown(statistic['name'])}, which is no number.")
    if statistic["whole"] and value != round(value):
        raise ReleaseError(f"Row {number + 1} has {shown(text)}: {shown(statistic['name'])} needs whole numbers.")
    return value


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


@dataclass(frozen=True)
class Ledger:
    """The place of a release in its folder: its number there, and (ε, δ) of all releases of the folder together."""

    folder: Path
    number: int
    epsilon: float
    delta: float


def ledger_of(folder: Path, plan: dict[str, Any], again: bool) -> Ledger:
    """Return the place of a new release, whose file is made now: one that is stopped from here on counts too.

    Raises
    ------
    ReleaseError
        if the folder has a release and the user did not ask for another.
    """
    folder.mkdir(parents=True, exist_ok=True)
    earlier = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("release-*.json")]
    epsilon, delta = (sum(each[key] for each in [*earlier, plan]) for key in ("epsilon", "delta"))
    if earlier and not again:
        raise ReleaseError(
            f"The folder {folder} has a release already. Another one costs the same people again: with it ε = "
            f"{epsilon:.6g} and δ = {delta:.3g} in all. Use --again to pay that."
        )
    number = 1 + len(earlier)
    with (folder / f"release-{number}.json").open("x", encoding="utf-8") as file:
        json.dump({key: plan[key] for key in ("epsilon", "delta")}, file)
    return Ledger(folder, number, epsilon, delta)
