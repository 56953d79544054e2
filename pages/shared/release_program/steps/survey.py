"""A survey with noise by each person: the report of a device, and the shares that an office estimates of all reports.

A report is drawn exactly: coins decide it in whole numbers only. The answer itself is not written down anywhere.
"""

import argparse
import csv
import json
import math
import secrets
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from pages.shared.release_program.steps.check import ReleaseError, Source, cell_text, shown
from pages.shared.release_program.steps.choose import exact, is_heads
from pages.shared.release_program.steps.lists import categories_of

ROUGH = 1000  # reports, below which ± is that of a rough approximation


def is_false(rate: Fraction) -> bool:
    """Return whether a bit is turned: with probability 1/(e^rate + 1)."""
    while secrets.randbelow(2):
        if is_heads(*rate.as_integer_ratio()):
            return True
    return False


def n_entries(n_options: int) -> int:
    """Return the number of entries of a row of signs: the power of 2 above the number of options."""
    return 1 << n_options.bit_length()


def sign(entry: int, option: int) -> int:
    """Return 0 or 1: the sign of an option at an entry of the Hadamard matrix."""
    return (entry & (option + 1)).bit_count() % 2


def report_of(answer: int, plan: dict[str, Any]) -> list[int]:
    """Return what a device sends for an answer: places of options, or of Hadamard response an entry and a sign."""
    n, rate, method = plan["n_options"], exact(plan["epsilon"]), plan["method"]
    if method == "hadamard":
        entry = secrets.randbelow(n_entries(n))
        return [entry, sign(entry, answer) ^ is_false(rate)]
    if method == "optimized_unary":
        return [place for place in range(n) if (secrets.randbelow(2) if place == answer else is_false(rate))]
    if method == "symmetric_unary":
        return [place for place in range(n) if (place == answer) ^ is_false(rate / 2)]
    while True:
        places = secrets.SystemRandom().sample(range(n), plan["size"])
        if answer in places or is_heads(*rate.as_integer_ratio()):
            return sorted(places)


def checked_report(line: str, number: int, plan: dict[str, Any]) -> list[int]:
    """Return a report of a line of the file, or stop where it can’t be one of this survey."""
    try:
        read = json.loads(line)
    except ValueError:
        read = None
    report: list[int] = read if isinstance(read, list) else [-1]
    is_whole = all(type(place) is int and place >= 0 for place in report)
    if plan["method"] == "hadamard":
        is_known = is_whole and len(report) == 2 and report[0] < n_entries(plan["n_options"]) and report[1] < 2
    else:
        has_size = plan["size"] == 0 or len(report) == plan["size"]
        is_known = is_whole and has_size and len(set(report)) == len(report)
        is_known = is_known and max(report, default=0) < plan["n_options"]
    if not is_known:
        raise ReleaseError(
            f"Line {number} of the reports has {shown(line.strip())}, which is no report of this survey."
        )
    return report


def reports_of(path: Path, plan: dict[str, Any]) -> Iterator[list[int]]:
    """Yield the reports of a file, one a line, checked."""
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield checked_report(line, number, plan)
    except (OSError, UnicodeDecodeError) as error:
        raise ReleaseError(f"The reports can’t be read: {error}.") from error


def supports_of(reports: Iterator[list[int]], plan: dict[str, Any]) -> tuple[list[int], int]:
    """Return how many reports speak for each option, and the number of reports."""
    n_options, counts, n = plan["n_options"], Counter[int](), 0
    is_hadamard = plan["method"] == "hadamard"
    for report in reports:
        n += 1
        if is_hadamard:
            counts[report[0]] += 1 - 2 * report[1]
        else:
            counts.update(report)
    if not is_hadamard:
        return [counts[option] for option in range(n_options)], n
    sums, half = [counts[entry] for entry in range(n_entries(n_options))], 1
    while half < len(sums):  # the fast Walsh–Hadamard transform
        for start in range(0, len(sums), 2 * half):
            for place in range(start, start + half):
                first, second = sums[place], sums[place + half]
                sums[place], sums[place + half] = first + second, first - second
        half *= 2
    return [(n + part) // 2 for part in sums[1 : n_options + 1]], n


def share_of(support: int, n: int, plan: dict[str, Any]) -> tuple[float, float]:
    """Return the estimate of a share, and its ±: the one for the share within ± that makes it widest."""
    share = (support / n - plan["q"]) / plan["gap"]
    own, others = plan["p"] * (1 - plan["p"]), plan["q"] * (1 - plan["q"])

    def width(of_share: float) -> float:
        within = min(max(of_share, 0.0), 1.0)
        return float(plan["z"] * math.sqrt((within * own + (1 - within) * others) / n) / plan["gap"])

    return share, max(width(share + width(share)), width(share - width(share)))


def options_list(path: Path, plan: dict[str, Any]) -> list[str]:
    """Return the names of the options, in their order."""
    statistic = {"name": plan["name"], "n_cells": plan["n_options"], "kind": "table"}
    return [" · ".join(labels) for labels in categories_of(statistic, Source(path, "", {}, {plan["name"]: path}))]


def answered(plan: dict[str, Any], options: argparse.Namespace, ask: Callable[[str], str] = input) -> str:
    """Write the report of this device for an answer that is asked for, and return a sentence on it.

    Raises
    ------
    ReleaseError
        if the device has a report already and its user did not ask for another.
    """
    names, epsilon = options_list(options.options, plan), plan["epsilon"]
    options.out.mkdir(parents=True, exist_ok=True)
    earlier = [*options.out.glob("report-*.json")]
    if earlier and not options.again:
        raise ReleaseError(
            f"This device has a report already, in {options.out}: send that one again, which costs nothing. "
            f"Another one costs you ε = {epsilon:.6g} again, ε = {epsilon * (1 + len(earlier)):.6g} in all. "
            "Use --again to pay that."
        )
    answer = ask("Your answer, which is not kept: ").strip()
    if answer not in names:
        raise ReleaseError("The answer is none of the options.")
    path = options.out / f"report-{1 + len(earlier)}.json"
    with path.open("x", encoding="utf-8") as file:
        file.write(f"{json.dumps(report_of(names.index(answer), plan))}\n")
    return f"Written: {path}. It may lie for you: by it nobody can be sure of your answer (ε = {epsilon})."


def estimated(plan: dict[str, Any], options: argparse.Namespace) -> str:
    """Write the shares with their ± and the statement, and return a sentence on where they are."""
    names = options_list(options.options, plan)
    supports, n = supports_of(reports_of(options.reports, plan), plan)
    if not n:
        raise ReleaseError("There are no reports.")
    options.out.mkdir(parents=True, exist_ok=True)
    numbers, statement = (options.out / f"survey.{kind}" for kind in ("csv", "json"))
    rows = [["statistic", "category", "number", "plus_minus", "unit"]]
    for name, support in zip(names, supports, strict=True):
        share, width = share_of(support, n, plan)
        rows.append([cell_text(plan["name"]), cell_text(name), repr(share), repr(width), "share of those who answer"])
    with numbers.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    rough = " Of so few reports it is a rough one." if n < ROUGH else ""
    facts = plan | {"n_reports": n, "level": f"{plan['level']}{rough}", "date": date.today().isoformat()}
    statement.write_text(json.dumps(facts, ensure_ascii=False, indent=2), encoding="utf-8")
    return f"Written: {numbers} and {statement}. Shares of all reports cost nobody more than the own report did."


def survey(plan: dict[str, Any], arguments: Sequence[str], note: Callable[[str], object] = print) -> None:
    """Draw the report of a device, or estimate the shares of all reports, as the arguments say.

    Raises
    ------
    ReleaseError
        if a condition of the survey does not hold.
    """
    parser = argparse.ArgumentParser(description="A survey in which each device adds the noise.")
    commands = parser.add_subparsers(dest="command", required=True)
    device = commands.add_parser("answer", help="on the device of each person: take the answer and draw the report")
    device.add_argument("--again", action="store_true", help="draw another report, which costs the same ε again")
    office = commands.add_parser("estimate", help="in the office: estimate the shares of all reports")
    office.add_argument("reports", type=Path, help="the file of the reports, one a line")
    for command in (device, office):
        command.add_argument(
            "--options", type=Path, required=True, metavar="FILE", help="a CSV file of the public options"
        )
        command.add_argument("--out", type=Path, default=Path("survey"), metavar="FOLDER", help="where the results go")
    options = parser.parse_args(arguments)
    note(answered(plan, options) if options.command == "answer" else estimated(plan, options))


def survey_main(plan: dict[str, Any]) -> None:
    """Run the survey from the command line; a condition that does not hold ends it in one sentence."""
    try:
        survey(plan, sys.argv[1:])
    except ReleaseError as error:
        sys.exit(f"Nothing was written. {error}")
