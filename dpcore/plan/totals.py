"""The total ε of the releases of a plan, where some queries are of disjoint sets of people."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from dpcore import composition
from dpcore.composition import EpsilonBound, Release
from dpcore.composition._normalize import merged
from dpcore.composition.bounds import CERTIFIED, Account
from dpcore.composition.releases import PURE_KINDS, failure_up
from dpcore.plan.queries import Query
from dpcore.rounding import round_down, total_up

MOST_QUERIES = 200
_MOST_LISTS = 32  # of the members of groups, of which each combination is one that a person can be in
_SMALLER_FIRST = ("gaussian", "discrete_gaussian")  # kinds of which the smaller first number costs more


def delta_left(queries: Sequence[Query], delta: float) -> float:
    """Return the δ that the thresholds of unknown groups leave to all noise: (δ − δ₀)/(1 − δ₀), rounded down.

    δ₀ = 1 − Π(1 − δᵢ) over all thresholds. It is exact: a total loss that is infinite with a probability of δ₀, apart
    from the others, has δ(ε) = δ₀ + (1 − δ₀)δ′(ε). It is delta itself without any.
    """
    thresholds = [query for query in queries if query.threshold_delta]
    if not thresholds:
        return delta
    broken = failure_up([query.threshold_delta for query in thresholds], [query.n_releases for query in thresholds])
    return max(round_down((delta - broken) / (1 - broken), 4), 0.0)


def total(
    queries: Sequence[Query],
    releases: Sequence[Release],
    delta: float,
    accountant: str = "best",
) -> EpsilonBound:
    """Return ε of all queries together: the largest of the lists that one person can be in.

    A person is in every query without a group, and in one query of each group ([McS09] Thm 4; the largest of the exact
    totals is never more than the largest ε of the group, added). Where groups make more than 32 lists, all their
    queries are composed as if one person were in all, which is an upper bound. At δ = 0 the total is basic composition
    of pure guarantees. Gaussians alone have a closed form. Thresholds of unknown groups take their part of δ before.
    """
    delta = delta_left(queries, delta)
    bounds = [_bound(tuple(merged(lines)), delta, accountant) for lines in person_lists(queries, releases)]
    largest = max(bounds, key=lambda bound: bound.value)
    return EpsilonBound(*(np.asarray(part) for part in largest))


@lru_cache(8192)
def _bound(lines: tuple[Release, ...], delta: float, accountant: str) -> Account:
    if delta == 0:
        pure = total_up([line.numbers[0] for line in lines], [line.count for line in lines])
        return Account(pure, CERTIFIED, "basic", 0.0)
    if accountant == "best" and all(line.kind == "gaussian" for line in lines):  # a closed form, rounded up
        return Account(float(composition.certified_epsilon(lines, delta).value), CERTIFIED, "exact", 0.0)
    bound = composition.epsilon(lines, delta, accountant)
    return Account(float(bound.value), str(bound.kind), str(bound.accountant), float(bound.error))


def person_lists(queries: Sequence[Query], releases: Sequence[Release]) -> list[list[Release]]:
    """Return the lists of releases that one person can be in, without those that another one costs more than."""
    always = [release for query, release in zip(queries, releases, strict=True) if not query.group]
    groups: dict[str, list[Release]] = {}
    for query, release in zip(queries, releases, strict=True):
        if query.group:
            groups.setdefault(query.group, []).append(release)
    members = [_worst(group) for group in groups.values()]
    if math.prod(len(group) for group in members) > _MOST_LISTS:
        return [[*always, *(release for group in members for release in group)]]
    return [[*always, *chosen] for chosen in product(*members)]


def _worst(group: Iterable[Release]) -> list[Release]:
    """Return the releases of a group that no other one of the same kind stands for."""
    worst: dict[tuple[object, ...], Release] = {}
    for release in group:
        kind = (release.kind, release.numbers[1:], release.count)
        other = worst.get(kind)
        if other is None or _costs_more(release, other):
            worst[kind] = release
    return list(worst.values())


def _costs_more(release: Release, other: Release) -> bool:
    smaller = release.numbers[0] < other.numbers[0]
    return smaller if release.kind in _SMALLER_FIRST else not smaller


def is_pure(release: Release) -> bool:
    """Return whether a release satisfies ε-DP without a δ."""
    return release.kind in PURE_KINDS and (release.kind != "guarantee" or release.numbers[1] == 0)
