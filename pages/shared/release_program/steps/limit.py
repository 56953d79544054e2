"""Step 2 of the program of a release: limit what one person contributes, clip, and aggregate exactly."""

import json
import math
import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pages.shared.release_program.steps.check import (
    OWN,
    Entry,
    LeftOut,
    ReleaseError,
    Source,
    Tally,
    is_once,
    own_numbers,
    shown,
)
from pages.shared.release_program.steps.choose import candidate_at, cell_of, part_of, rank_runs, rank_scores
from pages.shared.release_program.steps.entries import Problem, entries_of, owners_of, problem_text
from pages.shared.release_program.steps.lists import (
    LISTED,
    Periods,
    categories_of,
    checked_periods,
    columns_of,
    periods_of,
    totals_of,
)
from pages.shared.release_program.steps.series import Ongoing, checked_rows, sums_of

ADDED = "sum", "mean", "hidden_mean"  # the statistics of values that are added
VALUED = *ADDED, "quantile", "quantiles"
JOINS = "sum", "mean", "same"
LARGEST = 2**62  # of an aggregated number, in steps
FINE = 24  # a step is at most a sensitivity ÷ 2^24, where the noise is not for whole numbers
OWN_FINER = 10  # or ÷ 2^34 of numbers that the user has computed, of which there may be many to round
OTHER_NUMBER = "Plan with the number of records that is public."
LESS_RECORDS = (
    "On the page lower n to a number that is public, or tick “The number of records is not public” in the plan of "
    "several statistics."
)
MARGIN = 2.0**-20  # by which noise on such a grid is larger: it is then at least as private as that of the plan


def join_of(statistic: dict[str, Any], source: Source) -> str:
    """Return how several values of a person become one: "sum", "mean", or "same" if they must be the same.

    It is empty where there is nothing to join: each row is a person, no values, or several of a person count.
    """
    if not source.person or statistic["kind"] not in VALUED or statistic["max_in_all"] > 1:
        return ""
    return source.joins.get(statistic["name"], "sum" if statistic["kind"] == "sum" else "same")


def joined_values(entries: Iterable[Entry], how: str, statistic: dict[str, Any]) -> Iterator[Entry]:
    """Yield one entry for each person: all values of the person joined, before they are clipped.

    Raises
    ------
    ReleaseError
        if the values of a person must be the same, and are not.
    """
    of_person: defaultdict[str | int, list[float]] = defaultdict(list)
    for entry in entries:
        of_person[entry.person].append(entry.value)
    several = {person: len(set(own)) for person, own in of_person.items() if how == "same" and len(set(own)) > 1}
    if several:
        person, n = next(iter(several.items()))
        raise ReleaseError(several_values(f"Person {shown(person)}", n, len(several), statistic["name"]))
    for person, own in of_person.items():
        total = own[0] if how == "same" else math.fsum(own)
        yield Entry(person, value=on_steps(total / len(own), statistic) if how == "mean" else total)


def on_steps(value: float, statistic: dict[str, Any]) -> float:
    """Return the value on the steps of a quantile that is nearest to a mean, also beyond its range; else the mean."""
    choice = statistic["choice"]
    if not choice or choice["is_fine"]:
        return value
    return candidate_at(choice, round((value - choice["low"]) / choice["step"]))


def several_values(who: str, n_values: int, n_people: int, name: str) -> str:
    """Return what to do about people with several values of a statistic that takes one of each."""
    others = f", and {n_people - 1:,} more people have several" if n_people > 1 else ""
    return (
        f"{who} has {n_values} different values of {shown(name)}{others}; each person counts with "
        f"one. Choose how to join them: --join {shown(f'{name}=mean')} or --join {shown(f'{name}=sum')}."
    )


def join_words(statistic: dict[str, Any], how: str) -> str:
    """Return how several values of a person are joined, as a sentence; empty where nothing is."""
    ends = f"cut to {statistic['low']:.15g} to {statistic['high']:.15g}"
    return {
        "": "",
        "sum": f"All values of a person are added up, and the total is {ends}.",
        "mean": f"The mean of all values of a person counts, {ends}.",
        "same": f"All values of a person are the same, {ends}.",
    }[how]


def limited(entries: Iterable[Entry], statistic: dict[str, Any], periods: Periods | None = None) -> list[Entry]:
    """Return the entries within the limits on one person, chosen at random, whatever their values and their order.

    Where each period has a limit, `periods` has the period of each category, or each entry has its own.
    """
    of_person: defaultdict[str | int, list[Entry]] = defaultdict(list)
    for entry in entries:
        of_person[entry.person].append(entry)
    random = secrets.SystemRandom()
    kept: list[Entry] = []
    for own in of_person.values():
        if len(own) > 1:
            random.shuffle(own)
        in_cells: Counter[int | tuple[str, ...]] = Counter()
        in_periods: Counter[int | str] = Counter()
        for entry in own:
            is_new = in_cells[entry.cell] == 0
            n_used = sum(count > 0 for count in in_cells.values())
            if (is_new and n_used >= statistic["max_cells"]) or in_cells[entry.cell] >= statistic["max_in_cell"]:
                continue
            if in_cells.total() >= statistic["max_in_all"]:
                break
            if periods or entry.period:
                period = periods[entry.cell] if periods else entry.period
                if in_periods[period] >= statistic["max_in_period"]:
                    continue
                in_periods[period] += 1
            in_cells[entry.cell] += 1
            kept.append(entry)
    return kept


def counted_as_it_goes(
    entries: Iterable[Entry], statistic: dict[str, Any], periods: Periods, ongoing: Ongoing
) -> Tally:
    """Return how many records count in each period that has ended: of a person the first ones within the limits.

    Periods that had ended before keep their counts. What is new of a person is added to `people` of the series, and
    how many rows are beyond the limits to `left_out`. What the limits leave out of the tally is that of this run. Rows
    that were added to a published period are counted as late, as far as no others of such periods are gone.

    Raises
    ------
    ReleaseError
        if rows without a column of people are others than before in a period that had ended: they may have moved.
    """
    counts, before = Counter[int | tuple[str, ...]](dict(enumerate(ongoing.counts))), Counter[Any]()
    of_person: defaultdict[str | int, Counter[Any]] = defaultdict(Counter)
    published: Counter[tuple[str | int, Any]] = Counter()
    for entry in entries:
        place: Any = entry.cell
        if len(ongoing.counts) <= place < ongoing.n_ended:
            of_person[entry.person][place] += 1
        elif place < ongoing.n_ended and isinstance(entry.person, int):
            before[place] += 1
        elif place < ongoing.n_ended:
            published[entry.person, place] += 1
    if before and before != counts:
        raise ReleaseError(
            f"The rows of {shown(statistic['name'])} for periods that are published are not those of the last run, and "
            "without a column of people a row that has moved would count twice: restore them."
        )
    n_known = sum(ongoing.counts) + sum(ongoing.left_out.values())
    n_late = max((len(published) if is_once(statistic) else published.total()) - n_known, 0)
    n_rows, n_left_out, n_people_beyond = 0, 0, 0
    for person, cells in of_person.items():
        pseudonym = "" if isinstance(person, int) else ongoing.pseudonym(person)
        used = ongoing.people.setdefault(pseudonym, {}) if pseudonym else {}
        n_kept = 0
        for place, n_records in sorted(cells.items()):
            left = statistic["max_in_all"] - sum(used.values()) if len(used) < statistic["max_cells"] else 0
            if periods:
                in_period = sum(n for other, n in used.items() if periods[other] == periods[place])
                left = min(left, statistic["max_in_period"] - in_period)
            if (n := min(n_records, statistic["max_in_cell"], left)) > 0:
                used[place] = n
                counts[place] += n
                n_kept += n
        n_own = len(cells) if is_once(statistic) else cells.total()
        n_rows += n_own
        if n_beyond := n_own - n_kept:
            n_left_out, n_people_beyond = n_left_out + n_beyond, n_people_beyond + 1
            ongoing.left_out[pseudonym] = ongoing.left_out.get(pseudonym, 0) + n_beyond
    limits = LeftOut(n_rows, n_left_out, len(of_person), n_people_beyond, n_late)
    return Tally(counts, 0, counts.total(), limits=limits)


def checked_bounds(plan: dict[str, Any], source: Source, tallies: dict[str, Tally]) -> None:
    """Stop where most values of a statistic are beyond its bounds: its number would be one of the bounds.

    Of a quantile that is a share max(q, 1 − q) of the values, of others one half.
    """
    for statistic in plan["statistics"]:
        if statistic["kind"] not in VALUED:
            continue
        tally, choice = tallies[statistic["name"]], statistic["choice"] or {}
        levels = statistic["levels"] or [choice.get("quantile") or 0.5]
        if tally.n_cut > max(max(level, 1 - level) for level in levels) * tally.n:
            (column,) = columns_of(statistic, source)
            raise ReleaseError(
                f"{shown(statistic['name'])} is planned for values from {statistic['low']:,.15g} to "
                f"{statistic['high']:,.15g}, and {tally.n_cut:,} of the {tally.n:,} values of the column "
                f"{shown(column)} are beyond: name its column with --column, or plan with wider bounds, which must "
                "not come from the data."
            )


def step_of(statistic: dict[str, Any]) -> float:
    """Return the step of the grid on which a statistic is aggregated and noised: 1, or a small power of two.

    On the grid all sums are exact, and so is the noise: nothing depends on how a computer rounds.
    """
    if statistic["whole"] or (statistic["choice"] and statistic["noise"] != "report_noisy_max"):
        return 1.0
    if statistic["kind"] in ("count", "groups", "quantiles", "hidden_mean", *LISTED):
        return 2.0**-FINE
    width, finer = statistic["l1"] / statistic["max_in_all"], OWN_FINER * (statistic["kind"] == OWN)
    return 2.0 ** (math.frexp(width)[1] - 1 - FINE - finer)


def grid_of(statistic: dict[str, Any]) -> tuple[float, float, int, int]:
    """Return the value of 0 steps, the size of a step in values, and the bounds of a value, in steps within them.

    Where the number of records of a mean is hidden, a step is one of (value − middle) ÷ half the width of the range.
    """
    step, low, high = step_of(statistic), statistic["low"], statistic["high"]
    if statistic["kind"] == "hidden_mean":
        return low + (high - low) / 2, (high - low) / 2 * step, -round(1 / step), round(1 / step)
    return 0.0, step, math.ceil(low / step), math.floor(high / step)


def tally_of(kept: list[Entry], statistic: dict[str, Any]) -> Tally:
    """Return what is added up of the entries that are kept; values of a sum or a mean are clipped."""
    cells, total = Counter[int | tuple[str, ...]](entry.cell for entry in kept), 0
    if statistic["kind"] == "quantile":
        cells = Counter[int | tuple[str, ...]](map(cell_of(statistic["choice"]), (entry.value for entry in kept)))
    if statistic["kind"] == "quantiles":
        cells = Counter[int | tuple[str, ...]](part_of(entry.value, statistic) for entry in kept)
    if statistic["kind"] in ADDED:
        zero, step, low, high = grid_of(statistic)
        total = sum(min(max(round((entry.value - zero) / step), low), high) for entry in kept)
    n_cut = 0
    if statistic["kind"] in VALUED:
        n_cut = sum(not statistic["low"] <= entry.value <= statistic["high"] for entry in kept)
    return Tally(cells, total, len(kept), n_cut)


def aggregated(tally: Tally, statistic: dict[str, Any], n_cells: int = 1) -> Any:
    """Return a statistic in steps: counts, also of groups by their names as JSON, sums of a series, a sum or a mean.

    Of a quantile it returns the scores, or the runs of candidates with one score where they are many; of several drawn
    quantiles the number of people at each place.
    """
    kind, unit, total, n = statistic["kind"], round(1 / step_of(statistic)), tally.total, tally.n
    if kind == "groups":
        return {json.dumps(name, ensure_ascii=False): count * unit for name, count in tally.cells.items()}
    if kind == "quantile":
        choice, cells = statistic["choice"], Counter[Any](tally.cells)
        if statistic["levels"]:
            return cells
        return rank_runs(cells, choice) if choice["is_fine"] else rank_scores(cells, choice)
    if kind == "sum":
        return [total]
    if kind == "hidden_mean":
        return [n * unit, total]
    if kind == "mean":
        public = statistic["n_records"]
        if n < public or (statistic["is_number_public"] and n != public):
            relation = "exactly" if statistic["is_number_public"] else "at least"
            raise ReleaseError(
                f"{shown(statistic['name'])} needs {relation} {public:,} records after the limits. "
                f"{OTHER_NUMBER if statistic['is_number_public'] else LESS_RECORDS}"
            )
        return [(2 * total + n) // (2 * n)]
    counts = [tally.cells[cell] for cell in range(n_cells)]
    return sums_of(statistic["series"], counts, unit) if statistic["series"] else [count * unit for count in counts]


def kept_tally(
    statistic: dict[str, Any],
    source: Source,
    owners: dict[str, dict[str | int, str]],
    problems: list[Problem],
    ongoing: Ongoing | None = None,
) -> Tally:
    """Return what is added up of the records of the file within the limits; `owners` are those of `owners_of`."""
    entries: Iterable[Entry] = entries_of(statistic, source, problems)
    if own := statistic["group"] and owners[statistic["group"]]:
        entries = (entry for entry in entries if own.get(entry.person) == statistic["name"])
    if ongoing is not None:
        entries = [*entries]
        checked_rows(
            statistic,
            source,
            ongoing,
            max((entry.cell for entry in entries if isinstance(entry.cell, int)), default=-1),
        )
        return counted_as_it_goes(entries, statistic, periods_of(statistic, source), ongoing)
    if how := join_of(statistic, source):
        entries = joined_values(entries, how, statistic)
    entries = [*entries]
    if statistic["has_periods_of_rows"]:
        checked_periods(statistic, frozenset(entry.period for entry in entries))
    kept = limited(entries, statistic, periods_of(statistic, source))
    return replace(tally_of(kept, statistic), limits=left_out_of(entries, kept, statistic))


def left_out_of(entries: list[Entry], kept: list[Entry], statistic: dict[str, Any]) -> LeftOut:
    """Return what the limits leave out of the entries that a statistic can use, and clipping of their sums."""
    rows: Iterable[tuple[Any, Any]] = ((entry.person, entry.cell) for entry in entries)
    before = Counter(person for person, _ in (set(rows) if is_once(statistic) else rows))
    beyond = before - Counter(entry.person for entry in kept)
    sums: list[float] = []
    if statistic["kind"] in ADDED:
        sums = [math.fsum(entry.value for entry in of) for of in (entries, kept)]
        sums.append(math.fsum(min(max(entry.value, statistic["low"]), statistic["high"]) for entry in kept))
    return LeftOut(before.total(), beyond.total(), len(before), len(beyond), 0, *sums)


def tallies_of(
    plan: dict[str, Any], source: Source, problems: list[Problem], ongoing: Ongoing | None = None
) -> dict[str, Tally]:
    """Return what is added up of the records within the limits, for each statistic, by name; of one, as it goes.

    Raises
    ------
    ReleaseError
        all that stops the release: rows that can’t be used, unless the user has them left out (then they are added to
        `problems`), and people with several values that nobody said how to join.
    """
    owners, tallies, stops = owners_of(plan, source), dict[str, Tally](), list[str]()
    for statistic in plan["statistics"]:
        if statistic["kind"] == OWN:
            continue
        try:
            tallies[statistic["name"]] = kept_tally(statistic, source, owners, problems, ongoing)
        except ReleaseError as error:
            stops.append(str(error))
    if problems and not source.leaves_out_bad:
        stops.append(
            f"{problem_text(problems)}. Correct them, or leave such rows out of the statistics that can’t use them "
            "with --leave-out-bad-rows."
        )
    if stops:
        raise ReleaseError(" ".join(dict.fromkeys(stops)))
    return tallies


def aggregates_of(plan: dict[str, Any], source: Source, tallies: dict[str, Tally] | None = None) -> dict[str, Any]:
    """Return the aggregated numbers of each statistic, by name, in steps of its grid; from tallies, if there are."""
    aggregates: dict[str, Any] = {}
    tallies = tallies_of(plan, source, []) if tallies is None else tallies
    for statistic in plan["statistics"]:
        name = statistic["name"]
        if statistic["kind"] == OWN:
            numbers: Any = [
                round(Fraction(own) / Fraction(step_of(statistic))) for _, own in own_numbers(statistic, source)
            ]
        else:
            n_cells = (
                len(categories_of(statistic, source)) if statistic["kind"] in LISTED else statistic["n_cells"] or 1
            )
            numbers = aggregated(tallies[name], statistic, n_cells)
        for _, totals in totals_of(statistic, source):
            numbers += [sum(numbers[place] for place in places) for _, places in totals]
        aggregates[name] = numbers
        every = numbers.values() if isinstance(numbers, dict) else numbers
        if statistic["kind"] != "quantile" and max(map(abs, every), default=0) > LARGEST:
            raise ReleaseError(f"The numbers of {shown(name)} are too large for exact sums: use a larger unit.")
    return aggregates
