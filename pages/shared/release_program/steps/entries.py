"""What each row of the file says for a statistic, in the program of a release, and which rows it can't use."""

import math
import re
import secrets
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from pages.shared.release_program.steps.check import LARGEST_VALUE, Entry, ReleaseError, Source, lines_of, shown
from pages.shared.release_program.steps.lists import (
    LISTED,
    MONTH,
    categories_of,
    columns_of,
    date_digits,
    period_column,
)

N_NAMED = 5  # rows that can’t be used in a message
DATE = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?")
N_YEAR = 4  # characters of a year, to which the date of a row is cut


@dataclass(frozen=True)
class Problem:
    """Why a statistic can’t use a row of the file, which begins on a line."""

    line: int
    name: str
    text: str


def owners_of(plan: dict[str, Any], source: Source) -> dict[str, dict[str | int, str]]:
    """Return, of each group, in which of its statistics each person is: that of one of the own rows, at random."""
    members = [statistic for statistic in plan["statistics"] if statistic["group"]]
    owners: dict[str, dict[str | int, str]] = {statistic["group"]: {} for statistic in members}
    n_rows = Counter[tuple[str, str | int]]()
    for line, row in lines_of(source) if members else ():
        person = row[source.person] if source.person else line
        for statistic in members:
            if is_meant(row, statistic, source):
                n_rows[statistic["group"], person] += 1
                if secrets.randbelow(n_rows[statistic["group"], person]) == 0:
                    owners[statistic["group"]][person] = statistic["name"]
    return owners


def is_meant(row: dict[str, str], statistic: dict[str, Any], source: Source) -> bool:
    """Return whether a row counts for a statistic, by the user’s conditions."""
    return all(row[column] == value for column, value in source.conditions.get(statistic["name"], ()))


def entries_of(statistic: dict[str, Any], source: Source, problems: list[Problem]) -> Iterator[Entry]:
    """Yield what each row of the file says for a statistic; why it can’t use the other rows is added to `problems`."""
    name, columns = statistic["name"], columns_of(statistic, source)
    categories = categories_of(statistic, source) if statistic["kind"] in LISTED else []
    places, digits = {category: place for place, category in enumerate(categories)}, date_digits(categories)
    of_period = period_column(statistic, source)
    for line, row in lines_of(source):
        if not is_meant(row, statistic, source):
            continue
        person = row[source.person] if source.person else line
        if person == "":
            problems.append(Problem(line, name, f"has nobody in the column {shown(source.person)}"))
            continue
        period = date_part(row[of_period], N_YEAR) if of_period else ""
        if of_period and not period:
            problems.append(Problem(line, name, f"has nothing in the column {shown(of_period)}"))
            continue
        try:
            entry = entry_of(person, tuple(row[column] for column in columns), statistic, places, digits)
        except ReleaseError as error:
            problems.append(Problem(line, name, str(error)))
        else:
            yield replace(entry, period=period) if period else entry


def entry_of(
    person: str | int,
    texts: tuple[str, ...],
    statistic: dict[str, Any],
    places: dict[tuple[str, ...], int],
    digits: list[int],
) -> Entry:
    """Return what one row says for a statistic; its dates are months or years where the public list has these.

    Raises
    ------
    ReleaseError
        what is wrong with the row, without its line.
    """
    kind, name = statistic["kind"], shown(statistic["name"])
    if kind == "count":
        return Entry(person)
    if kind == "groups":
        return Entry(person, texts)
    if kind not in LISTED:
        return Entry(person, value=value_of(texts[0], statistic))
    cell = tuple(date_part(text, n) for text, n in zip(texts, digits, strict=True))
    if cell not in places:
        raise ReleaseError(f"has {shown(' · '.join(texts))} for {name}, which is not in its list")
    return Entry(person, places[cell])


def date_part(text: str, n: int) -> str:
    """Return the year or the month of a date or a month, its first n characters; any other text as it is.

    >>> date_part("2026-08-25", 7), date_part("2026-08-25 10:30", 4), date_part("2026-02-30", 7), date_part("A-1", 0)
    ('2026-08', '2026', '2026-02-30', 'A-1')
    >>> date_part("2026-08", 4), date_part("2026-13", 4)
    ('2026', '2026-13')
    """
    if n and MONTH.fullmatch(text):
        return text[:n]
    if n == 0 or not DATE.fullmatch(text):
        return text
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return text
    return text[:n]


def value_of(text: str, statistic: dict[str, Any]) -> float:
    """Return the number in a field; whole where the noise is for whole numbers."""
    name = shown(statistic["name"])
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST_VALUE:
        raise ReleaseError(f"has {shown(text)} for {name}, which is no number")
    if statistic["whole"] and value != round(value):
        raise ReleaseError(f"has {shown(text)} for {name}, which needs whole numbers")
    return value


def problem_text(problems: list[Problem]) -> str:
    """Return how many rows can’t be used, for which statistics, and what is wrong with the first ones."""
    lines = sorted({problem.line for problem in problems})
    counts = Counter(problem.name for problem in problems)
    said = list(dict.fromkeys((problem.line, problem.text) for problem in problems))  # once for all statistics
    first = sorted(said, key=lambda problem: problem[0])[:N_NAMED]
    words = "; ".join(f"line {line} {text}" for line, text in first)
    more = "; …" if len(said) > N_NAMED else ""
    listed = ", ".join(f"{n} for {shown(name)}" for name, n in counts.items())
    return f"{len(lines)} row{'s' * (len(lines) != 1)} can’t be used ({listed}): {words}{more}"
