"""A series in the program of a release: which sums of its periods get noise, and the numbers that are made of them."""

import math
from itertools import accumulate
from typing import Any


def spans_of(series: dict[str, Any]) -> list[tuple[int, int]]:
    """Return from which period to before which one each published number adds up."""
    window = series["window"]
    firsts = {
        "each": lambda period: period,
        "running_totals": lambda _: 0,
        "window": lambda period: max(period + 1 - window, 0),
        "year_to_date": lambda period: period // window * window,
    }
    first = firsts[series["published"]]
    return [(first(period), period + 1) for period in range(series["n_periods"])]


def nodes_of(n_periods: int) -> list[tuple[int, int]]:
    """Return the sums of a binary tree over 1, 2, 4, 8, … periods: each from which period to before which one."""
    sizes = [2**level for level in range(n_periods.bit_length())]
    return [(first, first + size) for size in sizes for first in range(0, n_periods - size + 1, size)]


def weights_of(series: dict[str, Any], unit: int) -> list[list[tuple[int, int]]]:
    """Return the sums that get noise: of each one the periods that it adds up, with their weights in steps.

    A step is 1/unit. The weights of a square root are rounded to steps, so that all sums are exact.
    """
    n, strategy = series["n_periods"], series["strategy"]
    if strategy == "square_root":
        return root_rows(series, unit)
    alone = [(period, period + 1) for period in range(n)]
    spans = {"per_period": alone, "per_number": spans_of(series)}.get(strategy) or nodes_of(n)
    return [[(period, unit) for period in range(first, end)] for first, end in spans]


def root_rows(series: dict[str, Any], unit: int) -> list[list[tuple[int, int]]]:
    """Return the rows of a square root: a triangular matrix with these coefficients, which begins again every year."""
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
    n, is_rounded = series["n_periods"], series["strategy"] == "square_root"
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
        sums = dict(zip(nodes_of(series["n_periods"]), values, strict=True))
        return tree_numbers(series, sums) if strategy == "tree" else [plain_sum(sums, *span) for span in spans]
    periods = solved(root_rows(series, unit), noisy) if strategy == "square_root" else values
    totals = [0.0, *accumulate(periods)]
    return [totals[end] - totals[first] for first, end in spans]


def solved(rows: list[list[tuple[int, int]]], noisy: list[int]) -> list[float]:
    """Return the periods of which the noisy sums are these rows, each of which ends with its own period."""
    periods: list[float] = []
    for (*earlier, (_, own)), number in zip(rows, noisy, strict=True):
        periods.append((number - sum(weight * periods[period] for period, weight in earlier)) / own)
    return periods


def plain_sum(sums: dict[tuple[int, int], float], first: int, end: int) -> float:
    """Return a number as the sum of the fewest noisy sums of a binary tree."""
    total = 0.0
    while first < end:
        size = 1
        while first % (2 * size) == 0 and first + 2 * size <= end:
            size *= 2
        total += sums[first, first + size]
        first += size
    return total


def tree_numbers(series: dict[str, Any], sums: dict[tuple[int, int], float]) -> list[float]:
    """Return the numbers by least squares over a tree: over all of it, or as it goes over what is complete by then."""
    whole: dict[tuple[int, int], list[float]] = {}
    numbers = []
    for first, end in spans_of(series):
        known = end if series["is_as_it_goes"] else series["n_periods"]
        periods: list[float] = []
        for level in reversed(range(known.bit_length())):
            if known >> level & 1:
                node = len(periods), len(periods) + 2**level
                if node not in whole:
                    whole[node] = least_squares(sums, *node)[0]
                periods += whole[node]
        numbers.append(sum(periods[first:end]))
    return numbers


def least_squares(sums: dict[tuple[int, int], float], first: int, end: int) -> tuple[list[float], list[float]]:
    """Return the periods of a whole subtree estimated by least squares, and how each varies with their total."""
    if end - first == 1:
        return [sums[first, end]], [1.0]
    middle = (first + end) // 2
    (left, left_shares), (right, right_shares) = least_squares(sums, first, middle), least_squares(sums, middle, end)
    periods, shares = left + right, left_shares + right_shares
    whole = 1 + sum(shares)
    rest = (sums[first, end] - sum(periods)) / whole
    estimates = [period + share * rest for period, share in zip(periods, shares, strict=True)]
    return estimates, [share / whole for share in shares]
