"""Sums in the program of a release: which sums of periods or cells get noise, and the numbers that are made of them.

A series that is published as it goes has all its noise drawn in the first run. A secret file keeps it for the later
ones, with what was counted of whom: so a number that is published never changes, and nobody exceeds the limits.
"""

import json
import math
import os
import secrets
from collections import Counter
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

from pages.shared.release_program.steps.check import LeftOut, ReleaseError, Source, shown
from pages.shared.release_program.steps.ledger import plan_key
from pages.shared.release_program.steps.lists import categories_of

SECRET = "SECRET-never-publish.json"
SECRET_WORDS = (
    "Secret: whoever has this file can take the noise out of the published numbers. Never publish it, and keep it: "
    "without it the series can’t go on."
)
Span = tuple[int, int]
"""From which period, or cell, to before which one a sum goes."""
ROUNDED_WIDTH = 1e-3  # by how much a ± of four digits can be rounded up
TRIANGULAR = "square_root", "optimum"  # the ways whose noisy sums are weighted


def spans_of(series: dict[str, Any]) -> list[list[Span]]:
    """Return which periods each published number adds up: one span of them, or of the user’s own sums several."""
    if series["published"] == "own":
        return [runs_of(marks) for marks in series["sums"]]
    return [[span] for span in single_spans(series)]


def runs_of(marks: str) -> list[Span]:
    """Return the spans of a row of zeros and ones.

    >>> runs_of("0110001")
    [(1, 3), (6, 7)]
    """
    runs = [(mark, [place for place, _ in run]) for mark, run in groupby(enumerate(marks), lambda one: one[1])]
    return [(places[0], places[-1] + 1) for mark, places in runs if mark == "1"]


def single_spans(series: dict[str, Any]) -> list[Span]:
    """Return the span of each published number, of periods or of all ranges of cells."""
    n, window = series["n_periods"], series["window"]
    if series["published"] == "ranges":
        return [(first, end) for first in range(n) for end in range(first + 1, n + 1)]
    firsts = {
        "each": lambda period: period,
        "running_totals": lambda _: 0,
        "window": lambda period: max(period + 1 - window, 0),
        "year_to_date": lambda period: period // window * window,
    }
    first = firsts[series["published"]]
    return [(first(period), period + 1) for period in range(n)]


def widths_of(series: dict[str, Any]) -> list[float]:
    """Return the ± of each published number; a range has the largest of the ranges of its length."""
    widths = list(series["half_widths"])
    return (
        [widths[end - first - 1] for first, end in single_spans(series)] if series["published"] == "ranges" else widths
    )


def names_of(series: dict[str, Any], labels: list[str]) -> list[str]:
    """Return the name of each published number: of a period, or of the cells that it adds up, by their labels."""
    if series["published"] not in ("ranges", "own"):
        return labels
    names = [
        [labels[first] if end == first + 1 else f"{labels[first]} … {labels[end - 1]}" for first, end in spans]
        for spans in spans_of(series)
    ]
    return [" + ".join(parts) for parts in names]


def sizes_of(n_periods: int, branching: int) -> list[int]:
    """Return over how many periods the sums of a tree go: 1, b, b², …, and all of them if whole subtrees fill them."""
    sizes = [1]
    while sizes[-1] * branching <= n_periods:
        sizes.append(sizes[-1] * branching)
    return sizes if n_periods % sizes[-1] or n_periods == sizes[-1] else [*sizes, n_periods]


def nodes_of(n_periods: int, branching: int) -> list[Span]:
    """Return the sums of a tree, the smallest first."""
    sizes = sizes_of(n_periods, branching)
    return [(first, first + size) for size in sizes for first in range(0, n_periods - size + 1, size)]


def weights_of(series: dict[str, Any], unit: int) -> list[list[tuple[int, int]]]:
    """Return the sums that get noise: of each one the periods that it adds up, with their weights in steps.

    A step is 1/unit. The weights of a square root are rounded to steps, so that all sums are exact.
    """
    n, strategy = series["n_periods"], series["strategy"]
    if strategy in TRIANGULAR:
        return root_rows(series, unit)
    if strategy == "per_number":
        sums = spans_of(series)
    else:
        alone = [(period, period + 1) for period in range(n)]
        sums = [[span] for span in (alone if strategy == "per_period" else nodes_of(n, series["branching"]))]
    return [[(period, unit) for span in spans for period in range(*span)] for spans in sums]


def root_rows(series: dict[str, Any], unit: int) -> list[list[tuple[int, int]]]:
    """Return the rows of a triangular matrix: of a square root, which begins again every year, or of the optimum."""
    if series["strategy"] == "optimum":
        return [[(place, round(weight * unit)) for place, weight in enumerate(row)] for row in series["rows"]]
    n, coefficients = series["n_periods"], series["coefficients"]
    year = len(coefficients)
    left = [min((period // year + 1) * year, n) - period for period in range(n)]  # of the year, with the period itself
    lengths = [math.hypot(*coefficients[:later]) if series["is_normalized"] else 1.0 for later in left]
    return [
        [
            (earlier, round(coefficients[period - earlier] / lengths[earlier] * unit))
            for earlier in range(period // year * year, period + 1)
        ]
        for period in range(n)
    ]


def rounding_of(series: dict[str, Any], most_in_all: int, in_l2: bool) -> float:
    """Return by how many steps the rounded weights can move the sums more than the exact ones, for two persons.

    A weight is off by half a step at most, and a period has one in each row: √n of them in ℓ₂ norm, n in ℓ₁.
    """
    n, is_rounded = series["n_periods"], series["strategy"] in TRIANGULAR
    return 1.001 * most_in_all * (math.sqrt(n) if in_l2 else n) if is_rounded else 0.0


def sums_of(series: dict[str, Any], counts: list[int], unit: int) -> list[int]:
    """Return the sums that get noise, in steps."""
    return [sum(weight * counts[period] for period, weight in row) for row in weights_of(series, unit)]


def numbers_of(series: dict[str, Any], noisy: list[int], unit: int) -> list[float]:
    """Return the published numbers, which are made of the noisy sums alone."""
    strategy, spans = series["strategy"], spans_of(series)
    values = [number / unit for number in noisy]
    if strategy == "per_number":
        return values
    if strategy in ("tree", "binary_tree"):
        sums = dict(zip(nodes_of(series["n_periods"], series["branching"]), values, strict=True))
        if strategy == "binary_tree":
            return [sum(plain_sum(sums, *span) for span in each) for each in spans]
        if series["is_as_it_goes"]:
            return tree_numbers(series, sums)
        periods = tree_periods(series, sums, series["n_periods"], {})
    else:
        periods = solved(root_rows(series, unit), noisy) if strategy in TRIANGULAR else values
    totals = [0.0, *accumulate(periods)]
    return [sum(totals[end] - totals[first] for first, end in each) for each in spans]


def solved(rows: list[list[tuple[int, int]]], noisy: list[int]) -> list[float]:
    """Return the periods of which the noisy sums are these rows, each of which ends with its own period."""
    periods: list[float] = []
    for (*earlier, (_, own)), number in zip(rows, noisy, strict=True):
        periods.append((number - sum(weight * periods[period] for period, weight in earlier)) / own)
    return periods


def plain_sum(sums: dict[Span, float], first: int, end: int) -> float:
    """Return a number as the sum of the fewest noisy sums of a binary tree."""
    total = 0.0
    while first < end:
        size = 1
        while first % (2 * size) == 0 and first + 2 * size <= end:
            size *= 2
        total += sums[first, first + size]
        first += size
    return total


def tree_numbers(series: dict[str, Any], sums: dict[Span, float]) -> list[float]:
    """Return the numbers by least squares as they go: over what is complete of the tree when each of them ends."""
    whole: dict[Span, list[float]] = {}
    return [sum(tree_periods(series, sums, end, whole)[first:end]) for first, end in single_spans(series)]


def tree_periods(
    series: dict[str, Any], sums: dict[Span, float], known: int, whole: dict[Span, list[float]]
) -> list[float]:
    """Return the first periods by least squares over the whole subtrees of them; `whole` keeps those of each."""
    sizes, periods = sizes_of(series["n_periods"], series["branching"]), list[float]()
    for level in reversed(range(len(sizes))):
        while (end := len(periods) + sizes[level]) <= known:
            node = len(periods), end
            if node not in whole:
                whole[node] = least_squares(sums, sizes[: level + 1], len(periods))[0]
            periods = periods + whole[node]
    return periods


def least_squares(sums: dict[Span, float], sizes: list[int], first: int) -> tuple[list[float], list[float]]:
    """Return the periods of a whole subtree estimated by least squares, and how each varies with their total."""
    size = sizes[-1]
    if size == 1:
        return [sums[first, first + 1]], [1.0]
    parts = [least_squares(sums, sizes[:-1], place) for place in range(first, first + size, sizes[-2])]
    periods, shares = ([number for part in parts for number in part[side]] for side in (0, 1))
    whole = 1 + sum(shares)
    rest = (sums[first, first + size] - sum(periods)) / whole
    estimates = [period + share * rest for period, share in zip(periods, shares, strict=True)]
    return estimates, [share / whole for share in shares]


@dataclass(frozen=True)
class Ongoing:
    """A series that is published as it goes, in a run in which `n_ended` periods have ended.

    `counts` are the exact ones of the periods that had ended in the run before, `people` has what was counted of each
    person in which period, `left_out` how many rows of a person the limits left out in all runs, and `noise` is that
    of each noisy sum, none before the first run. `rows` are published already, `key` hides the names of people, and
    `terms` must be the same in every run. The user can say of the last period that it `is_last_empty`.
    """

    name: str
    n_ended: int
    terms: list[Any]
    key: str
    people: dict[str, dict[int, int]]
    left_out: dict[str, int]
    counts: tuple[int, ...] = ()
    noise: tuple[int, ...] = ()
    rows: tuple[list[str], ...] = ()
    is_last_empty: bool = False

    def pseudonym(self, person: str) -> str:
        """Return what stands for a person in the secret file."""
        return blake2b(person.encode(), key=bytes.fromhex(self.key), digest_size=16).hexdigest()

    def left_out_in_all(self) -> LeftOut:
        """Return what the limits left out in all runs, of the rows that were new when their periods were published."""
        n_left_out = sum(self.left_out.values())
        n_counted = sum(sum(own.values()) for own in self.people.values())
        return LeftOut(n_counted + n_left_out, n_left_out, len(self.people), len(self.left_out))


def is_over_time(statistic: dict[str, Any]) -> bool:
    """Return whether a statistic is a series of periods, one after the other."""
    return statistic["kind"] == "series" and statistic["series"]["published"] not in ("ranges", "own")


def n_ended_of(statistic: dict[str, Any], source: Source, until: str) -> int:
    """Return how many periods have ended with the one that the user names; all of them where none is named.

    Raises
    ------
    ReleaseError
        if the list has no such period, or the series is not published as it goes and it is not the last one.
    """
    labels, name = [" · ".join(category) for category in categories_of(statistic, source)], shown(statistic["name"])
    if until and until not in labels:
        raise ReleaseError(f"The list of periods of {name} has no {shown(until)}: name one of them with --until.")
    n_ended = labels.index(until) + 1 if until else len(labels)
    if n_ended < len(labels) and not statistic["series"]["is_as_it_goes"]:
        raise ReleaseError(f"{name} is planned for publication at its end, in {shown(labels[-1])}: run this then.")
    return n_ended


def checked_end(statistic: dict[str, Any], source: Source, counts: Counter[Any]) -> None:
    """Stop where nobody has a row in the last period of a series, of which the user did not say that it has ended."""
    labels, name = [" · ".join(category) for category in categories_of(statistic, source)], shown(statistic["name"])
    last = max((place for place in range(len(labels)) if counts[place]), default=None)
    if last == len(labels) - 1:
        return
    rows = "There are no rows" if last is None else f"The last rows are those of {shown(labels[last])}"
    if statistic["series"]["is_as_it_goes"]:
        ended = labels[0 if last is None else last]
        raise ReleaseError(
            f"{rows} for {name}, whose last period is {shown(labels[-1])}. Name the last period that has ended, such "
            f"as --until {shown(ended)}: a later run in the same folder goes on at no new ε."
        )
    raise ReleaseError(
        f"{rows} for {name}, which is published when its last period has ended: if it has, say --until "
        f"{shown(labels[-1])}."
    )


def checked_rows(statistic: dict[str, Any], source: Source, ongoing: Ongoing, last: int) -> None:
    """Stop where no row is of the last new period of a series or a later one: its rows may not be in the file yet.

    They would never count. `last` is the latest period that has rows.
    """
    if last >= ongoing.n_ended - 1 or ongoing.n_ended <= len(ongoing.counts) or ongoing.is_last_empty:
        return
    labels, name = [" · ".join(category) for category in categories_of(statistic, source)], shown(statistic["name"])
    raise ReleaseError(
        f"No row of {name} is of {shown(labels[ongoing.n_ended - 1])} or later, and rows that are added for a "
        "published period never count. Name an earlier one with --until, or, if nobody has a row in this one, say "
        f"--empty {shown(labels[ongoing.n_ended - 1])}."
    )


def ongoing_of(folder: Path, plan: dict[str, Any], statistic: dict[str, Any], source: Source, n_ended: int) -> Ongoing:
    """Return a series with what earlier runs in the folder fixed.

    Raises
    ------
    ReleaseError
        if it was published up to a later period, or from another column of people, other conditions or another list.
    """
    name = statistic["name"]
    categories = [list(category) for category in categories_of(statistic, source)]
    terms = [source.person, [list(each) for each in source.conditions.get(name, ())], categories]
    known = kept_series(folder).get(series_key(plan, name))
    if known is None:
        return Ongoing(name, n_ended, terms, secrets.token_hex(32), {}, {})
    if known["terms"] != terms:
        raise ReleaseError(
            f"{shown(name)} goes on with the column of people, the conditions and the list of its first run: name them."
        )
    if n_ended < len(known["counts"]):
        last = " · ".join(categories[len(known["counts"]) - 1])
        raise ReleaseError(f"{shown(name)} is published up to {shown(last)} already: name a later period with --until.")
    people = {person: {int(place): n for place, n in own.items()} for person, own in known["people"].items()}
    counts, noise, rows = (tuple(known[word]) for word in ("counts", "noise", "rows"))
    left_out = known.get("left_out", {})  # which an earlier version did not keep
    return Ongoing(name, n_ended, terms, known["key"], people, left_out, counts, noise, rows)


def kept_series(folder: Path) -> dict[str, Any]:
    """Return what the secret file of a folder has, by series."""
    path = folder / SECRET
    return json.loads(path.read_text(encoding="utf-8"))["series"] if path.exists() else {}


def series_key(plan: dict[str, Any], name: str) -> str:
    """Return under which name the secret file has a series of a plan."""
    return f"{plan_key(plan)} {name}"


def keep_series(folder: Path, plan: dict[str, Any], ongoing: Ongoing) -> None:
    """Write a series into the secret file, which nobody but its owner can read."""
    facts = {word: getattr(ongoing, word) for word in ("terms", "key", "counts", "people", "left_out", "noise", "rows")}
    every = kept_series(folder) | {series_key(plan, ongoing.name): facts}
    new = folder / f"{SECRET}.new"
    new.unlink(missing_ok=True)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({"warning": SECRET_WORDS, "series": every}, file, ensure_ascii=False)
    new.replace(folder / SECRET)


def checked_noise(ongoing: Ongoing, rows: list[list[str]]) -> None:
    """Stop where the noise that a folder keeps is larger than this program's: `rows` have the ± that it would state.

    An earlier version drew more geometric noise for some series.
    """
    for before, now in zip(ongoing.rows, rows, strict=False):  # of the periods that are published already
        if float(before[3]) > float(now[3]) * (1 + ROUNDED_WIDTH):
            raise ReleaseError(
                f"The first run of {shown(ongoing.name)} was by an earlier version of this program, whose noise is "
                f"larger: ± {before[3]} in {shown(before[1])} and not {now[3]}. Go on with the program of that run, "
                "whose version its JSON file names; or begin anew in another folder with --out, which costs the same "
                "people the same ε again."
            )


def with_rows(ongoing: Ongoing, counts: Counter[Any], noise: list[int], rows: list[list[str]]) -> Ongoing:
    """Return a series after a run: what was published before stays, and the rows of the periods that ended are new."""
    n_before = len(ongoing.counts)
    return replace(
        ongoing,
        counts=tuple(counts[place] for place in range(ongoing.n_ended)),
        noise=tuple(noise),
        rows=(*ongoing.rows, *rows[n_before : ongoing.n_ended]),
    )
