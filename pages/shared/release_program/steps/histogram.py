"""Several quantiles of one noisy histogram in the program of a release: its parts, and what is read off its totals."""

from bisect import bisect_right
from itertools import accumulate
from typing import Any


def part_of(value: float, statistic: dict[str, Any]) -> int:
    """Return the part of the range in which a value is; one at an end of two parts is in the upper one."""
    low, high, n = statistic["low"], statistic["high"], statistic["n_cells"]
    return min(int((min(max(value, low), high) - low) / (high - low) * n), n - 1)


def quantiles_of(totals: list[float], statistic: dict[str, Any]) -> list[float]:
    """Return the quantiles of noisy running totals over equal parts of the range.

    The totals are made to rise: the mean of their running maximum and, from the end, of their running minimum. A
    quantile is where they reach its share of the last one, linearly between the ends of the parts.
    """
    low, high, n = statistic["low"], statistic["high"], statistic["n_cells"]
    rising = accumulate(totals, max)
    falling = reversed(list(accumulate(reversed(totals), min)))
    known = [0.0, *(max((up + down) / 2, 0.0) for up, down in zip(rising, falling, strict=True))]
    edges = [low + (high - low) * place / n for place in range(n + 1)]
    values = []
    for level in statistic["levels"]:
        aim = level * known[-1]
        place = bisect_right(known, aim) - 1
        if place >= n:
            values.append(high)
            continue
        share = (aim - known[place]) / (known[place + 1] - known[place])
        values.append(edges[place] + share * (edges[place + 1] - edges[place]))
    return values
