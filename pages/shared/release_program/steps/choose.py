"""A choice in the program of a release: a quantile on steps, or the largest of several counts, drawn exactly.

OpenDP has no such draw. All probabilities here are fractions, and coins decide them in whole numbers only.
"""

import secrets
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any


def exact(number: float) -> Fraction:
    """Return a number of the plan as the decimal fraction that is written there."""
    return Fraction(repr(number))


def candidates_of(choice: dict[str, Any]) -> list[float]:
    """Return the values that can be published as a quantile: low, low + step, …"""
    low, step = exact(choice["low"]), exact(choice["step"])
    return [float(low + step * place) for place in range(choice["n_candidates"])]


def rank_scores(values: Counter[float], choice: dict[str, Any]) -> list[Fraction]:
    """Return the score of each candidate: −max(0, number below − qn, qn − number at or below), within the range."""
    candidates = candidates_of(choice)
    counts: Counter[float] = Counter()
    for value, n in values.items():
        counts[min(max(value, candidates[0]), candidates[-1])] += n
    known = sorted(counts)
    up_to = [0, *accumulate(counts[value] for value in known)]
    aim = exact(choice["quantile"]) * up_to[-1]
    return [
        -max(Fraction(0), up_to[bisect_left(known, each)] - aim, aim - up_to[bisect_right(known, each)])
        for each in candidates
    ]


def sensitivity_of(choice: dict[str, Any], most_in_cell: int) -> Fraction:
    """Return the Δ of coins of e^(ε · (score − best)/(2Δ)): by how much one person can change a score.

    Of counts it is half of that where a person is added or removed, which moves all of them in one direction.
    """
    if choice["quantile"] is None:
        return Fraction(most_in_cell) if choice["is_replaced"] else Fraction(most_in_cell, 2)
    q = exact(choice["quantile"])
    return Fraction(1) if choice["is_replaced"] else max(q, 1 - q)


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


def chosen(scores: Sequence[Fraction | int], statistic: dict[str, Any]) -> list[int]:
    """Return the places that are chosen, one after the other among those that are left, each with its part of ε."""
    choice, left, found = statistic["choice"], dict(enumerate(scores)), []
    epsilon = exact(choice["epsilon"]) / choice["n_chosen"]
    rate = epsilon / (2 * sensitivity_of(choice, statistic["max_in_cell"]))
    for _ in range(choice["n_chosen"]):
        places = list(left)
        found.append(places[drawn([left[place] for place in places], rate, choice["mechanism"])])
        del left[found[-1]]
    return found
