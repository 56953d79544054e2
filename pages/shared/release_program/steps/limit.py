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
    ReleaseError,
    Source,
    categories_of,
    entries_of,
    shown,
)
from pages.shared.release_program.steps.choose import rank_scores
from pages.shared.release_program.steps.histogram import part_of
from pages.shared.release_program.steps.series import sums_of

LARGEST = 2**62  # of an aggregated number, in steps
FINE = 24  # a step is at most a sensitivity ÷ 2^24, where the noise is not for whole numbers

MARGIN = 2.0**-20  # by which noise on such a grid is larger: it is then at least as private as that of the plan


def limited(entries: Iterable[Entry], statistic: dict[str, Any]) -> list[Entry]:
    """Return the entries within the limits on one person, chosen at random, whatever their values and their order."""
    of_person: defaultdict[str | int, list[Entry]] = defaultdict(list)
    for entry in entries:
        of_person[entry.person].append(entry)
    random = secrets.SystemRandom()
    kept: list[Entry] = []
    for own in of_person.values():
        if len(own) > 1:
            random.shuffle(own)
        in_cells: Counter[int | tuple[str, ...]] = Counter()
        for entry in own:
            is_new = in_cells[entry.cell] == 0
            n_used = sum(count > 0 for count in in_cells.values())
            if (is_new and n_used >= statistic["max_cells"]) or in_cells[entry.cell] >= statistic["max_in_cell"]:
                continue
            if in_cells.total() >= statistic["max_in_all"]:
                break
            in_cells[entry.cell] += 1
            kept.append(entry)
    return kept


def step_of(statistic: dict[str, Any]) -> float:
    """Return the step of the grid on which a statistic is aggregated and noised: 1, or a small power of two.

    On the grid all sums are exact, and so is the noise: nothing depends on how a computer rounds.
    """
    if statistic["whole"] or statistic["choice"]:
        return 1.0
    if statistic["kind"] in ("count", "groups", "quantiles", *LISTED):
        return 2.0**-FINE
    width = statistic["l1"] / statistic["max_in_all"]
    return 2.0 ** (math.frexp(width)[1] - 1 - FINE)


def grouped(kept: list[Entry], statistic: dict[str, Any]) -> dict[str, int]:
    """Return the counts of the groups that somebody is in, in steps, by their names as JSON."""
    unit = round(1 / step_of(statistic))
    counts = Counter(json.dumps(entry.cell, ensure_ascii=False) for entry in kept)
    return {name: count * unit for name, count in counts.items()}


def aggregated(kept: list[Entry], statistic: dict[str, Any], n_cells: int = 1) -> list[int]:
    """Return a statistic of the entries that are kept, in steps: counts, the sums of a series, a sum or a mean."""
    kind, step = statistic["kind"], step_of(statistic)
    if kind in ("count", "quantiles", *LISTED):
        cells = (part_of(entry.value, statistic) if kind == "quantiles" else entry.cell for entry in kept)
        of_cell, unit = Counter(cells), round(1 / step)
        counts = [of_cell[cell] for cell in range(n_cells)]
        return sums_of(statistic["series"], counts, unit) if statistic["series"] else [count * unit for count in counts]
    low, high = math.ceil(statistic["low"] / step), math.floor(statistic["high"] / step)
    total = sum(min(max(round(entry.value / step), low), high) for entry in kept)
    if kind == "sum":
        return [total]
    n, public = len(kept), statistic["n_records"]
    if n < public or (statistic["is_number_public"] and n != public):
        relation = "exactly" if statistic["is_number_public"] else "at least"
        raise ReleaseError(f"{shown(statistic['name'])} needs {relation} {public} records after the limits.")
    return [(2 * total + n) // (2 * n)]


def aggregates_of(plan: dict[str, Any], source: Source) -> dict[str, Any]:
    """Return the aggregated numbers of each statistic, by name, in steps of its grid.

    Those of groups stand by their names, and those of a choice are scores.
    """
    aggregates: dict[str, Any] = {}
    for each in plan["statistics"]:
        kept = limited(entries_of(each, source), each)
        if each["kind"] == "groups":
            aggregates[each["name"]] = grouped(kept, each)
            continue
        if each["kind"] == "quantile":
            aggregates[each["name"]] = rank_scores([entry.value for entry in kept], each["choice"])
            continue
        n_cells = len(categories_of(each, source)) if each["kind"] in LISTED else each["n_cells"] or 1
        aggregates[each["name"]] = aggregated(kept, each, n_cells)
    for name, numbers in aggregates.items():
        every = numbers.values() if isinstance(numbers, dict) else numbers
        if max(map(abs, every), default=0) > LARGEST:
            raise ReleaseError(f"The numbers of {shown(name)} are too large for exact sums: use a larger unit.")
    return aggregates
