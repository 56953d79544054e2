"""Step 2 of the program of a release: limit what one person contributes, clip, and aggregate exactly."""

import json
import math
import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from pages.shared.release_program.steps.check import (
    LISTED,
    Entry,
    Periods,
    ReleaseError,
    Source,
    Tally,
    categories_of,
    entries_of,
    is_meant,
    periods_of,
    rows_of,
    shown,
    totals_of,
)
from pages.shared.release_program.steps.choose import cell_of, part_of, rank_runs, rank_scores
from pages.shared.release_program.steps.series import sums_of

ADDED = "sum", "mean", "hidden_mean"  # the statistics of values that are added
LARGEST = 2**62  # of an aggregated number, in steps
FINE = 24  # a step is at most a sensitivity ÷ 2^24, where the noise is not for whole numbers

MARGIN = 2.0**-20  # by which noise on such a grid is larger: it is then at least as private as that of the plan


def limited(entries: Iterable[Entry], statistic: dict[str, Any], periods: Periods | None = None) -> list[Entry]:
    """Return the entries within the limits on one person, chosen at random, whatever their values and their order.

    Where each period has a limit, `periods` has the period of each category.
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
        in_periods: Counter[int] = Counter()
        for entry in own:
            is_new = in_cells[entry.cell] == 0
            n_used = sum(count > 0 for count in in_cells.values())
            if (is_new and n_used >= statistic["max_cells"]) or in_cells[entry.cell] >= statistic["max_in_cell"]:
                continue
            if in_cells.total() >= statistic["max_in_all"]:
                break
            if periods:
                period = periods[entry.cell]
                if in_periods[period] >= statistic["max_in_period"]:
                    continue
                in_periods[period] += 1
            in_cells[entry.cell] += 1
            kept.append(entry)
    return kept


def step_of(statistic: dict[str, Any]) -> float:
    """Return the step of the grid on which a statistic is aggregated and noised: 1, or a small power of two.

    On the grid all sums are exact, and so is the noise: nothing depends on how a computer rounds.
    """
    if statistic["whole"] or (statistic["choice"] and statistic["noise"] != "report_noisy_max"):
        return 1.0
    if statistic["kind"] in ("count", "groups", "quantiles", "hidden_mean", *LISTED):
        return 2.0**-FINE
    width = statistic["l1"] / statistic["max_in_all"]
    return 2.0 ** (math.frexp(width)[1] - 1 - FINE)


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
    return Tally(cells, total, len(kept))


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
            raise ReleaseError(f"{shown(statistic['name'])} needs {relation} {public} records after the limits.")
        return [(2 * total + n) // (2 * n)]
    counts = [tally.cells[cell] for cell in range(n_cells)]
    return sums_of(statistic["series"], counts, unit) if statistic["series"] else [count * unit for count in counts]


def owners_of(plan: dict[str, Any], source: Source) -> dict[str, dict[str | int, str]]:
    """Return, of each group, in which of its statistics each person is: that of one of the own rows, at random."""
    members = [statistic for statistic in plan["statistics"] if statistic["group"]]
    owners: dict[str, dict[str | int, str]] = {statistic["group"]: {} for statistic in members}
    n_rows = Counter[tuple[str, str | int]]()
    for number, row in enumerate(rows_of(source) if members else ()):
        person = row[source.person] if source.person else number
        for statistic in members:
            if is_meant(row, statistic, source):
                n_rows[statistic["group"], person] += 1
                if secrets.randbelow(n_rows[statistic["group"], person]) == 0:
                    owners[statistic["group"]][person] = statistic["name"]
    return owners


def kept_tally(statistic: dict[str, Any], source: Source, owners: dict[str, dict[str | int, str]]) -> Tally:
    """Return what is added up of the records of the file within the limits; `owners` are those of `owners_of`."""
    entries = entries_of(statistic, source)
    if own := statistic["group"] and owners[statistic["group"]]:
        entries = (entry for entry in entries if own.get(entry.person) == statistic["name"])
    return tally_of(limited(entries, statistic, periods_of(statistic, source)), statistic)


def aggregates_of(plan: dict[str, Any], source: Source, tallies: dict[str, Tally] | None = None) -> dict[str, Any]:
    """Return the aggregated numbers of each statistic, by name, in steps of its grid; from tallies, if there are."""
    aggregates: dict[str, Any] = {}
    owners = {} if tallies else owners_of(plan, source)
    for statistic in plan["statistics"]:
        name = statistic["name"]
        tally = tallies[name] if tallies else kept_tally(statistic, source, owners)
        n_cells = len(categories_of(statistic, source)) if statistic["kind"] in LISTED else statistic["n_cells"] or 1
        numbers = aggregated(tally, statistic, n_cells)
        for _, totals in totals_of(statistic, source):
            numbers += [sum(numbers[place] for place in places) for _, places in totals]
        aggregates[name] = numbers
        every = numbers.values() if isinstance(numbers, dict) else numbers
        if statistic["kind"] != "quantile" and max(map(abs, every), default=0) > LARGEST:
            raise ReleaseError(f"The numbers of {shown(name)} are too large for exact sums: use a larger unit.")
    return aggregates
