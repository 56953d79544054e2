"""Sums in the program of a release: which sums of periods or cells get noise, and the numbers that are made of them."""

import math
from itertools import accumulate, groupby
from typing import Any

Span = tuple[int, int]
"""From which period, or cell, to before which one a sum goes."""
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
