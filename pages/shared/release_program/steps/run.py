"""The program of a release: the plan, the user's file, and the steps in their order."""

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pages.shared.release_program.steps.check import (
    OWN,
    ReleaseError,
    Source,
    beyond_text,
    lines_of,
    opendp_module,
    own_numbers,
    rows_of,
    shown,
    up_text,
)
from pages.shared.release_program.steps.entries import Problem, problem_text
from pages.shared.release_program.steps.large import in_parts, large_tallies, polars_module
from pages.shared.release_program.steps.ledger import Ledger, Occasion, ledger_of
from pages.shared.release_program.steps.limit import (
    VALUED,
    aggregates_of,
    checked_bounds,
    join_of,
    join_words,
    tallies_of,
)
from pages.shared.release_program.steps.lists import (
    LISTED,
    categories_of,
    columns_of,
    period_column,
    periods_of,
    totals_of,
    years_of,
)
from pages.shared.release_program.steps.noise import OPENDP, Composition, composition_of, sampler_of
from pages.shared.release_program.steps.options import calls_of, options_of, source_of
from pages.shared.release_program.steps.series import (
    SECRET,
    Ongoing,
    checked_end,
    checked_noise,
    is_over_time,
    keep_series,
    kept_series,
    n_ended_of,
    ongoing_of,
    series_key,
    with_rows,
)
from pages.shared.release_program.steps.together import guarantee_text, with_earlier
from pages.shared.release_program.steps.write import (
    assumed_text,
    counted_text,
    limits_of,
    numbers_rows,
    own_text,
    with_counted,
    without_refuted,
    written,
)

N_FIRST = 100  # rows that show how a file writes numbers
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
ONGOING = (
    "It is published as it goes, with noise that was drawn once: no published number changes. Of a person beyond the "
    "limits the first periods count, and rows that come later for a published period do not."
)
CONFIDENTIAL = "This message is confidential: never publish it. No file has it"
BY_THE_DATA = "Limits that are chosen by it tell of the data too, and the guarantee does not cover that"
LEFT_OUT = "a row that a statistic can’t use is left out of that statistic (--leave-out-bad-rows)"


def occasion_of(options: argparse.Namespace, plan: dict[str, Any]) -> Occasion:
    """Return which statistics this run releases: all, or those that the user names, where they have several rhythms.

    Raises
    ------
    ReleaseError
        if that is not said, or is not possible: statistics on disjoint people must be released together.
    """
    times = {statistic["name"]: statistic["n_releases"] for statistic in plan["statistics"]}
    known = ", ".join(f"{shown(name)} ({n} {'time' if n == 1 else 'times'})" for name, n in times.items())
    if unknown := [name for name in options.only if name not in times]:
        raise ReleaseError(f"The plan has no statistic {shown(unknown[0])}; it has {known}.")
    if not options.only and len(set(times.values())) > 1:
        raise ReleaseError(f"Name with --only each statistic that this run releases: the plan has {known}.")
    released = tuple(name for name in times if name in options.only or not options.only)
    if max(times[name] for name in released) > 1 and not options.time:
        raise ReleaseError(
            f"Say with --for which month or other time this release is for, such as --for 2026-01, so that none is "
            f"released twice: the plan has {known}."
        )
    for group in {statistic["group"] for statistic in plan["statistics"]} - {""}:
        members = [statistic["name"] for statistic in plan["statistics"] if statistic["group"] == group]
        if set(members) & set(released) and not set(members) <= set(released):
            raise ReleaseError(f"{', '.join(map(shown, members))} are about disjoint people: release them together.")
    return Occasion(released, options.time)


def missing_options(plan: dict[str, Any], source: Source) -> list[str]:
    """Return the options that the command lacks, of several statistics."""
    missing = []
    for statistic in plan["statistics"]:
        name, kind = statistic["name"], statistic["kind"]
        if kind in LISTED and name not in source.categories:
            options = {"--categories": "FIRST-MONTH", "--column": "COLUMN"}
            options = options if kind == "series" else {"--categories": "LIST.csv"}
            missing.append(" ".join(f"{option} {shown(f'{name}={word}')}" for option, word in options.items()))
        if statistic["group"] and name not in source.conditions:
            missing.append(f"--where {shown(f'{name}=COLUMN=VALUE')}")
        has_list = kind in LISTED and name in source.categories
        is_by_year = has_list and years_of(categories_of(statistic, source))
        may_be_by_year = (is_by_year or (kind == "series" and not has_list)) and not statistic["has_periods_of_rows"]
        if statistic["n_periods"] > 1 and name not in source.periods and not may_be_by_year:
            missing.append(f"--period {shown(f'{name}=COLUMN')}")
        if kind == OWN and name not in source.own:
            missing.append(f"--own {shown(f'{name}=FILE.csv')}")
        if kind not in (*LISTED, "count", OWN) and name not in source.columns:
            missing.append(f"--column {shown(f'{name}=COLUMN')}")
    return missing


def checked_columns(plan: dict[str, Any], source: Source) -> None:
    """Stop where the file lacks a column that the plan needs, or the identifier."""
    first = next(rows_of(source, 1), None)
    if first is None:
        raise ReleaseError("The file has no rows.")
    if len(missing := missing_options(plan, source)) > 1:
        names = ", ".join(map(shown, first))
        month = " FIRST-MONTH is one such as 2026-01." if any("FIRST-MONTH" in each for each in missing) else ""
        raise ReleaseError(f"Add {' '.join(missing)}, with the public lists and the columns, which are {names}.{month}")
    for statistic in plan["statistics"]:
        if statistic["name"] in source.categories:
            periods_of(statistic, source)
    checked_groups(plan, source)
    columns = [(source.person, "--person")] if source.person else []
    columns += [(column, "--column") for statistic in plan["statistics"] for column in columns_of(statistic, source)]
    columns += [(own, "--period") for each in plan["statistics"] if (own := period_column(each, source))]
    for column, option in columns:
        if column not in first:
            names = ", ".join(map(shown, first))
            raise ReleaseError(f"The file has no column {shown(column)}; it has {names}: name yours with {option}.")
    for statistic in plan["statistics"]:
        if statistic["kind"] in LISTED:
            categories_of(statistic, source)
            totals_of(statistic, source)
        elif statistic["kind"] == "groups":
            if statistic["name"] in source.categories or not columns_of(statistic, source):
                name = shown(statistic["name"])
                raise ReleaseError(f"Name the column or columns of {name} with --column: its groups have no list.")
        elif statistic["kind"] == OWN:
            own_numbers(statistic, source)
        elif statistic["kind"] != "count" and len(columns_of(statistic, source)) != 1:
            raise ReleaseError(f"Name the one column of {shown(statistic['name'])} with --column.")
        if statistic["kind"] in VALUED:
            checked_decimals(statistic, source)


def checked_decimals(statistic: dict[str, Any], source: Source) -> None:
    """Stop where the first numbers of a column have decimal commas: no row is then to be left out for it."""
    (column,) = columns_of(statistic, source)
    texts = [(line, row[column]) for line, row in lines_of(source, N_FIRST)]
    with_comma = [(line, text) for line, text in texts if DECIMAL_COMMA.fullmatch(text)]
    if with_comma and not any("." in text for _, text in texts):
        line, text = with_comma[0]
        raise ReleaseError(
            f"Line {line} has {shown(text)} for {shown(statistic['name'])}, with a comma: write the numbers of the "
            f"column {shown(column)} with decimal points, and without marks of thousands."
        )


def checked_groups(plan: dict[str, Any], source: Source) -> None:
    """Stop where a row could count for two statistics that are about disjoint people."""
    members: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for statistic in plan["statistics"]:
        if statistic["group"]:
            members[statistic["group"]].append(dict(source.conditions.get(statistic["name"], ())))
    for group, own in members.items():
        first = own[0]
        if not any(len({conditions.get(column) for conditions in own} - {None}) == len(own) for column in first):
            raise ReleaseError(
                f"The statistics of the group {group} are about disjoint people: say with --where STATISTIC=COLUMN="
                "VALUE for each of them which rows it is about, by one column with another value for each."
            )


def checked_values(plan: dict[str, Any], source: Source) -> None:
    """Stop where a person without a value could change a sum by more than another value of the person would."""
    for statistic in plan["statistics"]:
        is_narrow = not statistic["low"] <= 0 <= statistic["high"]
        may_lack = source.leaves_out_bad or statistic["name"] in source.conditions
        is_once = statistic["kind"] == "sum" and statistic["max_in_all"] == 1
        if plan["neighbours"] == "replace" and is_once and is_narrow and may_lack:
            raise ReleaseError(
                f"The noise of {shown(statistic['name'])} is made for replacing one value by another from "
                f"{statistic['low']:g} to {statistic['high']:g}, so everybody needs one: give no --where and no "
                "--leave-out-bad-rows, or plan with bounds around 0."
            )


def going_on(options: argparse.Namespace, plan: dict[str, Any], own: dict[str, Any], source: Source) -> Ongoing | None:
    """Return the series that is published up to a period, or that goes on; None where a run publishes all at once.

    Raises
    ------
    ReleaseError
        if something else is released with it, or it can’t be published as it goes.
    """
    kept = kept_series(options.out)
    begun = [each["name"] for each in own["statistics"] if series_key(plan, each["name"]) in kept]
    if not options.until and not begun:
        return None
    statistic, *others = own["statistics"]
    if others or not is_over_time(statistic):
        raise ReleaseError(
            "A series over time that is published up to a period has a run of its own: name it with --only."
        )
    name, n_ended = shown(statistic["name"]), n_ended_of(statistic, source, options.until)
    if not begun and n_ended == len(categories_of(statistic, source)):
        return None
    if options.parts or options.scheduler:
        last = shown(" · ".join(categories_of(statistic, source)[-1]))
        at_once = "" if begun else f", or publish all periods at once, with --until {last}, when that has ended"
        raise ReleaseError(
            f"{name} is counted in memory as it goes, with what was counted of each person in earlier runs: leave out "
            f"--parts and --scheduler{at_once}."
        )
    if statistic["n_releases"] > 1 or statistic["group"]:
        raise ReleaseError(
            f"{name} is released several times, or of a group: publish it when its last period has ended."
        )
    if begun and options.again:
        raise ReleaseError(
            f"{name} goes on in the folder {options.out} at no new ε. For fresh noise name another folder with --out, "
            "which costs the same people the same ε again."
        )
    if options.empty and options.empty != options.until:
        raise ReleaseError(f"--empty names the period of --until; {shown(options.empty)} was given.")
    return replace(ongoing_of(options.out, plan, statistic, source, n_ended), is_last_empty=bool(options.empty))


def ongoing_words(ongoing: Ongoing, folder: Path) -> str:
    """Return what a run of a series that is published as it goes costs, and what the user must keep."""
    if ongoing.noise:
        return "The series goes on with the noise of its first run: no new ε, and no published number changes."
    return (
        f"ε is spent now, for the whole series: later runs go on in this folder. {folder / SECRET} keeps the noise: "
        "never publish it, and don’t lose it. A first run in another folder costs the same people the same ε again."
    )


def publish(plan: dict[str, Any], arguments: Sequence[str], note: Callable[[str], object] = print) -> None:
    """Publish the numbers of a plan once, from the file that the arguments name.

    Raises
    ------
    ReleaseError
        if a condition of the plan does not hold: then nothing was published.
    """
    options = options_of(arguments, calls_of(plan["statistics"]))
    opendp_module()
    if options.parts or options.scheduler:
        polars_module()
    source, occasion = source_of(options, plan), occasion_of(options, plan)
    assumed = ["nobody has a second row (said with --each-row-a-person)"] if options.each_row_a_person else []
    assumed += [f"rows counted: {text}" for text in options.where]
    assumed += [LEFT_OUT] if options.leave_out_bad_rows else []
    released = [statistic for statistic in plan["statistics"] if statistic["name"] in occasion.statistics]
    assumed += [assumed_text(each) for each in released if each["assumed"]]
    assumed += [f"{each['name']}: {own_text(each, plan['unit'])}" for each in released if each["kind"] == OWN]
    plan = plan | {"assumptions": [*plan["assumptions"], *assumed]}
    released = [in_parts(each) if options.scheduler else each for each in released]
    own = plan | {"statistics": [with_join(each, source) for each in released]}
    checked_columns(own, source)
    checked_values(own, source)
    problems: list[Problem] = []
    if ongoing := going_on(options, plan, own, source):
        own = own | {"statistics": [with_note(each | {"is_ongoing": True}, ONGOING) for each in own["statistics"]]}
    is_large = options.parts > 0 or options.scheduler
    tallies = (
        large_tallies(own, source, options.parts, options.scheduler)
        if is_large
        else tallies_of(own, source, problems, ongoing)
    )
    checked_bounds(own, source, tallies)
    if problems:
        note(f"{problem_text(problems)}. They are left out there. {CONFIDENTIAL}.")
    beyond = [text] if (text := beyond_text(own, tallies)) else []
    if ongoing and ongoing.left_out:
        beyond.append(
            f"In all runs the limits leave out at least {ongoing.left_out_in_all().words(own['statistics'][0])}"
        )
    if beyond:
        note(" ".join(f"{text}." for text in (*beyond, CONFIDENTIAL, BY_THE_DATA)))
    for statistic in own["statistics"]:
        if is_over_time(statistic) and not options.until:
            checked_end(statistic, source, tallies[statistic["name"]].cells)
    if ongoing and ongoing.noise:
        checked_noise(ongoing, numbers_rows(own, source, [list(ongoing.noise)])[1:])
    aggregates = aggregates_of(own, source, tallies)
    composition = composition_of(plan, occasion.statistics)
    ledger = ledger_of(options.out, plan, options.again, Occasion() if ongoing and ongoing.noise else occasion)
    note(guarantee_text(plan, ledger))
    note(check_text(plan, own["statistics"], composition))
    if ongoing:
        note(ongoing_words(ongoing, options.out))
        noise = list(ongoing.noise) or composition.invoke({ongoing.name: [0] * len(aggregates[ongoing.name])})[0]
        noisy = [number + own_noise for number, own_noise in zip(aggregates[ongoing.name], noise, strict=True)]
        header, *every = numbers_rows(own, source, [noisy])
        ongoing = with_rows(ongoing, tallies[ongoing.name].cells, noise, every)
        keep_series(options.out, plan, ongoing)
        rows = [header, *ongoing.rows]
        ledger = replace(ledger, terms=ledger.terms | {"published_until": rows[-1][1], "series": ongoing.name})
    else:
        if any(statistic["n_releases"] > 1 for statistic in plan["statistics"]):
            note(share_text(own, occasion, ledger, composition.share))
        noisy = composition.invoke(aggregates)
        own = without_refuted(own, source, noisy)
        rows = numbers_rows(own, source, noisy)
    counted = f"{own_words(plan, occasion)}{counted_text(own, source)}"
    note(counted)
    own = with_earlier(own | {"statement": with_counted(str(own["statement"]), counted)}, ledger)
    note(written(ledger, own, rows, composition, limits_of(own, source)))


def own_words(plan: dict[str, Any], occasion: Occasion) -> str:
    """Return which statistics of the plan this run publishes, and for when; empty where it is all of them, once."""
    time = f" for {occasion.time}" if occasion.time else ""
    is_all = len(occasion.statistics) == len(plan["statistics"])
    return "" if is_all and not time else f"Of these, this file has {', '.join(occasion.statistics)}{time}. "


def with_join(statistic: dict[str, Any], source: Source) -> dict[str, Any]:
    """Return a statistic whose note says how several values of a person are joined, too."""
    return with_note(statistic, join_words(statistic, join_of(statistic, source)))


def with_note(statistic: dict[str, Any], words: str) -> dict[str, Any]:
    """Return a statistic with more words in its note."""
    return statistic | {"note": " ".join(filter(None, (statistic["note"], words)))}


def check_text(plan: dict[str, Any], statistics: Sequence[dict[str, Any]], composition: Composition) -> str:
    """Return what OpenDP confirms of the noise, and what its bound is, in words for those who don’t know it."""
    own = [statistic["name"] for statistic in statistics if sampler_of(statistic) != OPENDP]
    but = f" but that of {', '.join(map(shown, own))}, which this program draws and accounts for itself" if own else ""
    checked = f"Checked: OpenDP, another program, confirms the noise of each statistic{but}."
    if composition.epsilon <= plan["epsilon"] * (1 + 1e-9):
        return f"{checked} By its rules all of it costs no more than the guarantee."
    return (
        f"{checked} Its own rule for the sum is rougher, and gives ε ≤ {up_text(composition.epsilon)} for this noise. "
        "That is no second cost: the guarantee above is the one to state."
    )


def share_text(plan: dict[str, Any], occasion: Occasion, ledger: Ledger, share: float) -> str:
    """Return what a run releases, and which share of the whole plan it uses."""
    counts = ", ".join(
        f"{shown(statistic['name'])} ({ledger.n_earlier[statistic['name']] + 1} of {statistic['n_releases']})"
        for statistic in plan["statistics"]
    )
    words = f"For {shown(occasion.time)} this run" if occasion.time else "This run"
    return f"{words} releases {counts}, which is {share:.3%} of the plan by OpenDP’s map."


def main(plan: dict[str, Any]) -> None:
    """Publish the numbers of a plan from the command line; a condition that does not hold ends it in one sentence."""
    try:
        publish(plan, sys.argv[1:])
    except ReleaseError as error:
        sys.exit(f"Nothing was published. {error}")
