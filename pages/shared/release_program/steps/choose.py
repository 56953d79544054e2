"""Quantiles and choices in the program of a release: a quantile, or the largest of several counts, drawn exactly.

Coins decide it, whose probabilities are fractions, or a random number with as many digits as it takes. Several
quantiles are read off a noisy histogram, whose parts and readings are here too.
"""

import math
import secrets
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from itertools import accumulate
from typing import Any

Run = tuple[int, Fraction]
"""How many candidates one after the other have the same score, and that score."""


def exact(number: float | Fraction) -> Fraction:
    """Return a number of the plan as the decimal fraction that is written there."""
    return number if isinstance(number, Fraction) else Fraction(repr(number))


def candidate_at(choice: dict[str, Any], place: int) -> float:
    """Return a value that can be published as a quantile, of low, low + step, …"""
    if choice["is_fine"]:
        return float(Fraction(choice["low"]) + Fraction(choice["step"]) * place)
    return float(exact(choice["low"]) + exact(choice["step"]) * place)


def candidates_of(choice: dict[str, Any]) -> list[float]:
    """Return all values that can be published as a quantile."""
    return [candidate_at(choice, place) for place in range(choice["n_candidates"])]


def cell_of(choice: dict[str, Any]) -> Callable[[float], int]:
    """Return the function of the place of a value among the candidates: 2i + 1 at the i-th, 2i before it.

    Beyond the ends it is at the ends. The step of very many candidates is a power of 2, by which no digit is lost.
    """
    low, step, n = choice["low"], choice["step"], choice["n_candidates"]
    if choice["is_fine"]:
        first = round(low / step)

        def place(value: float) -> int:
            below = math.floor(value / step)
            return min(max(2 * (below - first) + 1 + (below != value / step), 1), 2 * n - 1)

        return place
    candidates = candidates_of(choice)
    return lambda value: min(max(bisect_left(candidates, value) + bisect_right(candidates, value), 1), 2 * n - 1)


def rank_runs(cells: Counter[int], choice: dict[str, Any]) -> list[Run]:
    """Return the candidates in runs of one score: −max(0, number below − qn, qn − number at or below)."""
    aim, n_below = exact(choice["quantile"]) * cells.total(), 0
    runs, start = list[Run](), 0

    def add(end: int, n_at: int) -> None:
        score = -max(Fraction(0), n_below - aim, aim - n_below - n_at)
        if end > start:
            runs.append((end - start, score))

    for cell in sorted(cells):
        add(cell // 2, 0)
        start = cell // 2
        if cell % 2:
            add(start + 1, cells[cell])
            start += 1
        n_below += cells[cell]
    add(choice["n_candidates"], 0)
    return runs


def rank_scores(cells: Counter[int], choice: dict[str, Any]) -> list[Fraction]:
    """Return the score of each candidate."""
    return [score for n, score in rank_runs(cells, choice) for _ in range(n)]


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
    known = [0.0, *(max((one + other) / 2, 0.0) for one, other in zip(rising, falling, strict=True))]
    edges = [low + (high - low) * place / n for place in range(n + 1)]
    found = []
    for level in statistic["levels"]:
        aim = level * known[-1]
        place = bisect_right(known, aim) - 1
        if place >= n:
            found.append(high)
            continue
        share = (aim - known[place]) / (known[place + 1] - known[place])
        found.append(edges[place] + share * (edges[place + 1] - edges[place]))
    return found


def sensitivity_of(choice: dict[str, Any], most_in_cell: int) -> Fraction:
    """Return the Δ of coins of e^(ε · (score − best)/(2Δ)): by how much one person can change a score.

    Of counts it is half of that where a person is added or removed, which moves all of them in one direction.
    """
    if choice["quantile"] is None:
        return Fraction(most_in_cell) if choice["is_replaced"] else Fraction(most_in_cell, 2)
    q = exact(choice["quantile"])
    return most_in_cell * (Fraction(1) if choice["is_replaced"] else max(q, 1 - q))


def is_heads(numerator: int, denominator: int) -> bool:
    """Return heads with probability e^−γ, γ = numerator/denominator (Canonne, Kamath & Steinke 2020, Algorithm 1)."""
    if any(not is_heads_below_one(1, 1) for _ in range(numerator // denominator)):
        return False
    return is_heads_below_one(numerator % denominator, denominator)


def is_heads_below_one(numerator: int, denominator: int) -> bool:
    """Return the same for γ in [0, 1]: coins of probability γ/1, γ/2, … until one shows tails, at an odd place."""
    place = 1
    while secrets.randbelow(denominator * place) < numerator:
        place += 1
    return place % 2 == 1


def drawn(scores: Sequence[Fraction | int], rate: Fraction, mechanism: str) -> int:
    """Return the place of a candidate, with coins of e^(rate · (score − best)).

    Permute-and-flip takes the first in a random order whose coin shows heads (McKenna & Sheldon 2020). The exponential
    mechanism proposes any of them, again and again, until the coin of one shows heads.
    """
    best = max(scores)
    exponents = [(best - score) * rate for score in scores]
    places = list(range(len(scores)))
    if mechanism == "permute_and_flip":
        secrets.SystemRandom().shuffle(places)
        return next(place for place in places if is_heads(*exponents[place].as_integer_ratio()))
    while True:
        place = secrets.choice(places)
        if is_heads(*exponents[place].as_integer_ratio()):
            return place


def drawn_of_runs(runs: Sequence[Run], rate: Fraction) -> int:
    """Return the place of a candidate by the exponential mechanism, of very many in runs.

    A random number is drawn, digit by digit, until it is certain between which sums of weights n · e^(rate · (score −
    best)) it is: each weight is known to 30 digits more than are drawn, and one that is left out is below that.
    """
    best = max(score for _, score in runs)
    exponents = [(best - score) * rate for _, score in runs]
    digits, number = 0, 0
    while True:
        digits, number = digits + 30, number * 10**30 + secrets.randbelow(10**30)
        with localcontext(Context(prec=digits + 40)):
            sums = list(accumulate(weight(n, each, digits) for (n, _), each in zip(runs, exponents, strict=True)))
            slack, unit = sums[-1].scaleb(-digits - 10), sums[-1].scaleb(-digits)
            place = bisect_right(sums, unit * number - slack)
            if place < len(sums) and unit * (number + 1) + slack < sums[place]:
                return sum(n for n, _ in runs[:place]) + secrets.randbelow(runs[place][0])


def weight(n: int, exponent: Fraction, digits: int) -> Decimal:
    """Return n · e^−exponent, or 0 where it does not matter for so many digits."""
    if exponent > 100 + 3 * digits:
        return Decimal(0)
    return n * (-Decimal(exponent.numerator) / exponent.denominator).exp()


def rate_of(statistic: dict[str, Any]) -> Fraction:
    """Return the rate of the coins of one choice, which has its part of ε: ε/(2Δ)."""
    choice = statistic["choice"]
    epsilon = exact(choice["epsilon"]) / choice["n_chosen"]
    return epsilon / (2 * sensitivity_of(choice, statistic["max_in_cell"]))


def drawn_levels(cells: Counter[int], statistic: dict[str, Any]) -> list[int]:
    """Return the places of several quantiles: each by itself with its part of ε, or one after the other by halves.

    By halves, the middle quantile divides the people, and both parts go on (Kaplan, Schnapp & Stemmer 2022). A person
    who is added or removed is in one part of a level, so that the levels share ε; one with several values is a group of
    so many people.
    """
    choice, levels = statistic["choice"], [exact(level) for level in statistic["levels"]]
    n_shares = len(levels).bit_length() if choice["is_recursive"] else len(levels)
    share = exact(choice["epsilon"]) / n_shares

    def place_of(own: Counter[int], level: Fraction, n: int) -> int:
        one = choice | {"quantile": level, "n_candidates": n}
        return drawn_of_runs(rank_runs(own, one), share / (2 * sensitivity_of(one, statistic["max_in_cell"])))

    def by_halves(own: Counter[int], asked: list[Fraction], first: int, last: int) -> list[int]:
        """Return the places of quantiles of a part of the people, among the candidates from `first` to `last`."""
        if not asked:
            return []
        middle = (len(asked) - 1) // 2
        level = asked[middle]
        moved = Counter({cell - 2 * first: count for cell, count in own.items()})
        place = first + place_of(moved, level, last - first + 1)
        below, above = (
            Counter({cell: n for cell, n in own.items() if (cell > 2 * place) == is_above})
            for is_above in (False, True)
        )
        lower = by_halves(below, [each / level for each in asked[:middle]], first, place)
        rest = [(each - level) / (1 - level) for each in asked[middle + 1 :]]
        return [*lower, place, *by_halves(above, rest, place, last)]

    n = choice["n_candidates"]
    if choice["is_recursive"]:
        return by_halves(cells, levels, 0, n - 1)
    return [place_of(cells, level, n) for level in levels]


def chosen(scores: Any, statistic: dict[str, Any], noise: Callable[[int], int] | None = None) -> list[int]:
    """Return the places that are chosen, one after the other among those that are left, each with its part of ε.

    With noise for each count, the one that is then the largest is chosen, the first of equal ones.
    """
    if statistic["levels"]:
        return drawn_levels(Counter[int](scores), statistic)
    choice, left, chosen_places = statistic["choice"], dict(enumerate(scores)), []
    rate = rate_of(statistic)
    if choice["is_fine"]:
        return [drawn_of_runs(scores, rate)]
    for _ in range(choice["n_chosen"]):
        places, counts = list(left), list(left.values())
        if noise is None:
            chosen_places.append(places[drawn(counts, rate, choice["mechanism"])])
        else:
            noisy = [noise(count) for count in counts]
            chosen_places.append(places[noisy.index(max(noisy))])
        del left[chosen_places[-1]]
    return chosen_places
