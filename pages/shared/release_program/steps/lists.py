"""The public lists of the program of a release: categories, candidates or periods, and the totals over them."""

import re
from collections import defaultdict
from typing import Any

from pages.shared.release_program.steps.check import ReleaseError, Source, rows_of, shown

LISTED = ("table", "series", "largest")  # the statistics with a public list: of categories, periods, candidates
MONTH, YEAR = re.compile(r"\d{4}-(0[1-9]|1[0-2])"), re.compile(r"\d{4}")

Periods = dict[int | tuple[str, ...], int]
"""The period of each category, by its place."""


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
        if other := sorted(period for period in periods if not YEAR.fullmatch(period)):
            raise ReleaseError(
                f"The rows of {shown(statistic['name'])} have periods such as {shown(other[0])}, and the plan is made "
                f"for {most} years: the column of --period must have the year of each row, written as 2025, 2025-01 or "
                "2025-01-31."
            )
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
