"""The command of the program of a release: what the user says of the file, its columns and the folder."""

import argparse
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pages.shared.release_program.steps.check import OWN, ReleaseError, Source, rows_of, shown
from pages.shared.release_program.steps.limit import JOINS, VALUED
from pages.shared.release_program.steps.lists import LISTED
from pages.shared.release_program.steps.series import is_over_time

PROGRAM, FILE, PERSON = "release.py", "FILE.csv", "PERSON-COLUMN"
NO_MONTH, DATES = "FIRST-MONTH", "DATE-COLUMN"
REPLACED = {
    FILE: "your file",
    PERSON: "the column that names the person (or write --each-row-a-person, if nobody has a second row)",
    "COLUMN": "the column of that statistic",
    "COLUMN=VALUE": "the column, with its value, that says which rows the statistic is about",
    "LIST.csv": "its public list, one on each line below a heading",
    NO_MONTH: "the first month of the series, such as 2026-01, or its list of dates",
    DATES: "the column with the date of each row",
    "PERIOD-COLUMN": "the column of its list that has the period (leave --period out for a list of months)",
    "LIST-COLUMNS": "the columns of its list by which it adds up, none for the grand total",
    "NUMBERS.csv": "the file of numbers that you compute",
    "MONTH": "the month that this run is for",
}
"""What stands in a call for what the user must say, with what it is."""


def calls_of(
    statistics: Sequence[dict[str, Any]],
    file: str = FILE,
    person: str = PERSON,
    columns: Mapping[str, str] | None = None,
    lists: Mapping[str, str] | None = None,
    dates: str = DATES,
    more: Sequence[str] = (),
) -> list[str]:
    """Return the calls of the program that publish statistics: one, or one for each of several rhythms.

    Without a column for the person each row is one. `columns` and `lists` are those that are known, by statistic, and
    `dates` is the column with the date of each row; for others there are the words of `REPLACED`. Several values of a
    person are joined by their mean.
    """
    calls, rhythms = [], sorted({statistic["n_releases"] for statistic in statistics})
    for n_releases in rhythms:
        own = [statistic for statistic in statistics if statistic["n_releases"] == n_releases]
        words = [file, *(["--person", person] if person else ["--each-row-a-person"])]
        for statistic in own:
            words += said_of(statistic, person, columns or {}, lists or {}, dates)
            words += ["--only", statistic["name"]] if len(rhythms) > 1 else []
        words += [*more, *(["--for", "MONTH"] if n_releases > 1 else [])]
        calls.append(f"python {PROGRAM} {shlex.join(words)}")
    return calls


def said_of(
    statistic: dict[str, Any], person: str, columns: Mapping[str, str], lists: Mapping[str, str], dates: str
) -> list[str]:
    """Return what a call says of one statistic."""
    name, kind, words = statistic["name"], statistic["kind"], list[str]()
    if kind not in ("count", OWN):
        words += ["--column", f"{name}={columns.get(name, 'COLUMN')}"]
    if kind in LISTED:
        listed = lists.get(name, NO_MONTH if is_over_time(statistic) else "LIST.csv")
        words += ["--categories", f"{name}={listed}", *(["--totals", "LIST-COLUMNS"] * statistic["n_totals"])]
    if person and kind in VALUED and kind != "sum" and statistic["max_in_all"] == 1:
        words += ["--join", f"{name}=mean"]
    words += ["--own", f"{name}=NUMBERS.csv"] if kind == OWN else []
    if statistic["n_periods"] > 1 and not is_over_time(statistic):
        words += ["--period", f"{name}={dates if statistic['has_periods_of_rows'] else 'PERIOD-COLUMN'}"]
    return words + (["--where", f"{name}=COLUMN=VALUE"] if statistic["group"] else [])


def replaced_words(calls: Sequence[str]) -> str:
    """Return what the user must replace in calls, as a sentence; empty where there is nothing.

    >>> replaced_words(["python release.py visits.csv --person id --column Age=COLUMN --for MONTH"])
    'Replace COLUMN by the column of that statistic; MONTH by the month that this run is for.'
    """
    text = " ".join(calls)
    open_words = (word for word in REPLACED if re.search(rf"[ =]{re.escape(word)}(?!\S?\w)", text))
    parts = [f"{word} by {REPLACED[word]}" for word in open_words]
    return f"Replace {'; '.join(parts)}." if parts else ""


def options_of(arguments: Sequence[str], calls: Sequence[str] = ()) -> argparse.Namespace:
    """Return what the user says of the file and the folder; `calls` are those of the plan, for the help."""
    help_text = "\n\n".join((*calls, replaced_words(calls)))
    help_text = help_text.replace("%", "%%") if "%(prog)" in help_text else help_text  # names are no formats
    parser = argparse.ArgumentParser(
        description="Publish the numbers of a plan from a CSV file on this machine, in the folder release or --out.",
        epilog=f"The command of this plan:\n\n{help_text}" if calls else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, help="the CSV file, one row a record, with , ; or tabs")
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
    period = (
        "the column that says in which period each category is, or each row; that of a row is its year, written as "
        "2025, 2025-01 or 2025-01-31"
    )
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
    out = "where the numbers (CSV) and the statement (JSON) go; the folder release, unless you say another one"
    parser.add_argument("--out", type=Path, default=Path("release"), metavar="FOLDER", help=out)
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
