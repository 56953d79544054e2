"""The losses of all noises that the queries of a plan can have, and the estimates of many totals at once."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.composition import Release
from dpcore.plan._close_estimate import close_epsilons, list_saddles
from dpcore.plan._estimate import order_moments, saddles
from dpcore.plan._options import Keys, Options
from dpcore.plan.queries import Query
from dpcore.plan.totals import delta_left

Places = NDArray[np.intp]
_MOST_LISTS = 64  # of which each is estimated; with more, all queries count as if one person were in all


@dataclass(frozen=True)
class PlanLosses:
    """The losses of each noise of each query, and which queries one person can be in together.

    Attributes
    ----------
    keys : the mechanisms that each query can have.
    losses : of shape (n_queries, n_noises, 215): K(s), K′(s) and K″(s), then the pure ε, 0 where there is none, and 1
        there, else 0.
    lists : which queries are in each list that one person can be in, of shape (n_lists, n_queries).
    """

    keys: tuple[Keys, ...]
    losses: Array
    lists: Array

    def places(self, plans: Sequence[Keys]) -> Places:
        """Return the place of the noise of each query among those that it can have, of shape (n_plans, n_queries)."""
        return np.array([list(map(tuple.index, self.keys, plan)) for plan in plans])

    def plans(self, places: Places) -> list[Keys]:
        """Return the plans with the noises at these places."""
        return [tuple(own[place] for own, place in zip(self.keys, row, strict=True)) for row in places.tolist()]

    def estimates(self, places: Places, delta: float) -> Array:
        """Return the estimate of the total of each plan: the largest of the lists that one person can be in."""
        return _largest(self._sums(places), delta)

    def changes(self, places: Places, delta: float) -> Array:
        """Return the estimate of each plan with another noise of one query, ∞ where that is its own or not possible.

        It is of shape (n_plans, n_queries, n_noises).
        """
        noises = np.arange(self.losses.shape[1])
        is_possible = noises < np.array([len(own) for own in self.keys])[:, None]
        plan, query, new = np.nonzero(is_possible & (noises != places[:, :, None]))
        change = self.losses[query, new] - self.losses[query, places[plan, query]]
        sums = self._sums(places)[plan] + self.lists.T[query][:, :, None] * change[:, None]
        totals = np.full((*places.shape, noises.size), math.inf)
        totals[plan, query, new] = _largest(sums, delta)
        return totals

    def _sums(self, places: Places) -> Array:
        """Return the losses of the lists of each plan, of shape (n_plans, n_lists, 215)."""
        return np.einsum("lq,pqs->pls", self.lists, self.losses[np.arange(len(self.keys)), places])


def _largest(sums: Array, delta: float) -> Array:
    """Return the largest of the estimates of the lists of each plan."""
    rows = sums.reshape(-1, sums.shape[-1])
    pure = np.where(rows[:, -1] > 0, math.inf, rows[:, -2])
    moments = rows[:, :-2].reshape(len(rows), 3, (rows.shape[1] - 2) // 3)
    return saddles(moments, pure, delta).epsilon.reshape(sums.shape[:-1]).max(axis=1)


def plan_losses(queries: Sequence[Query], options: Options) -> PlanLosses:
    """Return the losses of the noises in `options`, the possible ones of each query."""
    moments, pure = order_moments(tuple(noise.release for possible in options for noise in possible.values()))
    is_pure = np.isfinite(pure)
    own = np.column_stack([moments.reshape(len(pure), -1), np.where(is_pure, pure, 0.0), ~is_pure])
    is_possible = np.arange(max(map(len, options))) < np.array([len(possible) for possible in options])[:, None]
    losses = np.zeros((*is_possible.shape, own.shape[1]))
    losses[is_possible] = own
    return PlanLosses(tuple(tuple(possible) for possible in options), losses, _lists(queries))


def close_totals(queries: Sequence[Query], plans: Sequence[Sequence[Release]], delta: float) -> Array:
    """Return a close estimate of the total of each plan, the releases of which are given."""
    lists, delta = _lists(queries), delta_left(queries, delta)
    releases = list(dict.fromkeys(release for plan in plans for release in plan))
    counts = np.zeros((len(plans), len(lists), len(releases)))
    for plan, row in zip(plans, counts, strict=True):
        for place, release in enumerate(plan):
            row[:, releases.index(release)] += lists[:, place]
    return close_epsilons(releases, counts.reshape(-1, len(releases)), delta).reshape(len(plans), -1).max(axis=1)


def close_totals_without(queries: Sequence[Query], releases: Sequence[Release], delta: float) -> Array:
    """Return a close estimate of the total of releases, and of the totals without each of them."""
    n_queries = len(releases)
    rests = [queries, *([*queries[:place], *queries[place + 1 :]] for place in range(n_queries))]
    lefts = np.array([delta_left(rest, delta) for rest in rests])
    present = np.vstack([np.ones((1, n_queries)), 1 - np.eye(n_queries)])
    totals = np.zeros(n_queries + 1)
    for left in set(lefts.tolist()):
        rows = lefts == left
        counts = (present[rows][:, None, :] * _lists(queries)[None]).reshape(-1, n_queries)
        totals[rows] = close_epsilons(releases, counts, left).reshape(rows.sum(), -1).max(axis=1)
    return totals


def estimated_total(queries: Sequence[Query], releases: Sequence[Release], delta: float) -> float:
    """Return the estimate of the total of releases."""
    return float(np.max(list_saddles(releases, _lists(queries), delta_left(queries, delta)).epsilon))


def _lists(queries: Sequence[Query]) -> NDArray[np.float64]:
    """Return which queries are in each list of those that one person can be in, as 0 and 1."""
    groups: dict[str, list[int]] = {}
    for place, query in enumerate(queries):
        if query.group:
            groups.setdefault(query.group, []).append(place)
    always = np.array([0.0 if query.group else 1.0 for query in queries])
    if math.prod(len(group) for group in groups.values()) > _MOST_LISTS:
        return np.ones((1, len(queries)))
    lists = [always.copy() for _ in range(math.prod(len(group) for group in groups.values()))]
    for row, chosen in zip(lists, product(*groups.values()), strict=True):
        row[list(chosen)] = 1.0
    return np.array(lists)
