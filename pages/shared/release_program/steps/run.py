"""The program of a release: the plan, the user's file, and the steps in their order."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pages.shared.release_program.steps.check import ReleaseError, Source, checked_columns, ledger_of, shown
from pages.shared.release_program.steps.large import large_tallies
from pages.shared.release_program.steps.limit import aggregates_of
from pages.shared.release_program.steps.noise import OPENDP, composition_of, sampler_of
from pages.shared.release_program.steps.write import numbers_rows, written


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
        help="a CSV file of public categories, periods or candidates",
    )
    name = "[STATISTIC=]COLUMN"
    period = "the column of the categories that says in which period each is"
    parser.add_argument("--period", action="append", default=[], metavar=name, help=period)
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
    return Source(options.file, options.person, by_statistic(options.column, plan), categories, periods)


def publish(plan: dict[str, Any], arguments: Sequence[str], note: Callable[[str], object] = print) -> None:
    """Publish the numbers of a plan once, from the file that the arguments name.

    Raises
    ------
    ReleaseError
        if a condition of the plan does not hold: then nothing was published.
    """
    options = options_of(arguments)
    source = source_of(options, plan)
    checked_columns(plan, source)
    assumed = ["nobody has a second row (said with --each-row-a-person)"] if options.each_row_a_person else []
    plan = plan | {"assumptions": [*plan["assumptions"], *assumed]}
    is_large = options.parts > 0 or options.scheduler
    tallies = large_tallies(plan, source, options.parts, options.scheduler) if is_large else None
    aggregates = aggregates_of(plan, source, tallies)
    composition = composition_of(plan)
    note(f"ε of the plan: {plan['epsilon']} (δ = {plan['delta']}).")
    note(f"ε by OpenDP’s map: {composition.epsilon} (δ = {composition.delta}).")
    for statistic in plan["statistics"]:
        if sampler_of(statistic) != OPENDP:
            note(f"{shown(statistic['name'])} is in it as this program’s own: {sampler_of(statistic)}.")
    if composition.epsilon > plan["epsilon"] * (1 + 1e-9):
        note("The plan’s ε is less: it is computed from the exact losses of all noise, of which OpenDP’s is a bound.")
    ledger = ledger_of(options.out, plan, options.again)
    rows = numbers_rows(plan, source, composition.invoke(aggregates))
    note(written(ledger, plan, rows, composition))


def main(plan: dict[str, Any]) -> None:
    """Publish the numbers of a plan from the command line; a condition that does not hold ends it in one sentence."""
    try:
        publish(plan, sys.argv[1:])
    except ReleaseError as error:
        sys.exit(f"Nothing was published. {error}")
