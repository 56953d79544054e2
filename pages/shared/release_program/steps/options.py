"""The command of the program of a release: what the user says of the file, its columns and the folder."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pages.shared.release_program.steps.check import ReleaseError, Source, rows_of, shown
from pages.shared.release_program.steps.limit import JOINS


def options_of(arguments: Sequence[str]) -> argparse.Namespace:
    """Return what the user says of the file and the folder."""
    parser = argparse.ArgumentParser(description="Publish the numbers of a plan from a CSV file on this machine.")
    parser.add_argument("file", type=Path, help="the CSV file, one row a record")
    parser.add_argument("--person", default="", metavar="COLUMN", help="the column that identifies a person")
    parser.add_argument("--each-row-a-person", action="store_true", help="no person has a second row")
    name = "[STATISTIC=]COLUMN"
    parser.add_argument("--column", action="append", default=[], metavar=name, help="a column of a statistic")
    name = "[STATISTIC=]FILE"
    parser.add_argument(
        "--categories",
        action="append",
        default=[],
        metavar=name,
        help="a CSV file of public categories, periods or candidates; of a series also its first month, as 2026-01",
    )
    name = "[STATISTIC=]COLUMN"
    period = "the column that says in which period each category is, or each row; its dates count in their years"
    parser.add_argument("--period", action="append", default=[], metavar=name, help=period)
    name = "[STATISTIC=]COLUMN=VALUE"
    parser.add_argument("--where", action="append", default=[], metavar=name, help="take only rows with this value")
    totals = "a set of totals: the columns of the categories by which it adds up, none for the grand total"
    parser.add_argument("--totals", action="append", default=[], nargs="*", metavar="COLUMN", help=totals)
    time = "the month or other time that this release is for, where the plan has several"
    parser.add_argument("--for", dest="time", default="", metavar="TIME", help=time)
    several = (
        "how several values of a person become one: sum (of a sum, unless you say otherwise), mean, or same, which "
        "stops where they differ (of means and quantiles)"
    )
    parser.add_argument("--join", action="append", default=[], metavar="[STATISTIC=]HOW", help=several)
    bad = "leave a row out of the statistics that can’t use it, such as an empty age; without it such a row stops all"
    parser.add_argument("--leave-out-bad-rows", action="store_true", help=bad)
    own = "a CSV file of the numbers of a statistic that you compute yourself, in its last column"
    parser.add_argument("--own", action="append", default=[], metavar="STATISTIC=FILE", help=own)
    only = "release only this statistic now; once for each"
    parser.add_argument("--only", action="append", default=[], metavar="STATISTIC", help=only)
    until = (
        "of a series that is published as it goes, the last period that has ended: a later run in the same folder goes "
        "on with the same noise, at no new ε; a first run in another folder costs ε again; where the plan has other "
        "statistics name the series with --only"
    )
    parser.add_argument("--until", default="", metavar="PERIOD", help=until)
    empty = "of such a series, the period that --until names, if nobody has a row in it: nothing is then missing"
    parser.add_argument("--empty", default="", metavar="PERIOD", help=empty)
    parser.add_argument("--out", type=Path, default=Path("release"), metavar="FOLDER", help="where the numbers go")
    parts = "for files beyond memory: take the people in so many parts, which Polars writes to a temporary folder"
    parser.add_argument("--parts", type=int, default=0, metavar="NUMBER", help=parts)
    cluster = (
        "take the parts on the workers of a Dask cluster, such as tcp://host:8786, which read the file at its path"
    )
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help=cluster)
    parser.add_argument("--again", action="store_true", help="publish once more, which costs the same ε again")
    return parser.parse_args(arguments)


def by_statistic(texts: Sequence[str], plan: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return what an option says of each statistic: STATISTIC=TEXT, or TEXT where the plan has only one."""
    names = [statistic["name"] for statistic in plan["statistics"]]
    entries: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name = max((name for name in names if text.startswith(f"{name}=")), key=len, default=None)
        entry = text if name is None else text[len(name) + 1 :]
        if name is None and len(names) > 1:
            known = ", ".join(map(shown, names))
            raise ReleaseError(f"Write STATISTIC=…, not {shown(text)}: the statistics are {known}.")
        key = names[0] if name is None else name
        entries[key] = (*entries.get(key, ()), entry)
    return entries


def source_of(options: argparse.Namespace, plan: dict[str, Any]) -> Source:
    """Return the user's file with the names of its columns."""
    if bool(options.person) == options.each_row_a_person:
        raise ReleaseError(
            "Say who a row belongs to: --person COLUMN, or --each-row-a-person if nobody can have a second row."
        )
    categories = {name: Path(paths[-1]) for name, paths in by_statistic(options.categories, plan).items()}
    periods = {name: columns[-1] for name, columns in by_statistic(options.period, plan).items()}
    columns, totals = by_statistic(options.column, plan), tuple(map(tuple, options.totals))
    joins = {name: words[-1] for name, words in by_statistic(options.join, plan).items()}
    for name, how in joins.items():
        if how not in JOINS:
            raise ReleaseError(f"Values of {shown(name)} are joined by {', '.join(JOINS)}; {shown(how)} was given.")
    leaves_out = options.leave_out_bad_rows
    own = {name: Path(paths[-1]) for name, paths in by_statistic(options.own, plan).items()}
    source = Source(options.file, options.person, columns, categories, periods, {}, totals, joins, leaves_out, own)
    return replace(source, conditions=conditions_of(options.where, plan, source)) if options.where else source


def conditions_of(texts: Sequence[str], plan: dict[str, Any], source: Source) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the columns with the value that a row must have there to count for each statistic."""
    names, header = [statistic["name"] for statistic in plan["statistics"]], next(rows_of(source, 1), {})
    conditions: dict[str, tuple[tuple[str, str], ...]] = {}
    for text in texts:
        readings = [
            (own, column, rest[len(column) + 1 :])
            for own, rest in (*((name, text.removeprefix(f"{name}=")) for name in names), ("", text))
            for column in header
            if (not own or rest != text) and rest.startswith(f"{column}=")
        ]
        if not readings:
            columns = ", ".join(map(shown, header))
            raise ReleaseError(f"Write --where COLUMN=VALUE, not {shown(text)}: the columns are {columns}.")
        own, column, value = max(readings, key=lambda reading: (len(reading[0]), len(reading[1])))
        for name in [own] if own else names:
            conditions[name] = (*conditions.get(name, ()), (column, value))
    return conditions
