"""The losses of all noises that the queries of a plan can have, and the estimates of many totals at once."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.composition import Release
from dpcore.plan._estimate import estimated_epsilon, log_moments
from dpcore.plan.candidates import Candidate
from dpcore.plan.queries import Query

_MOST_LISTS = 128  # of which each is estimated; with more, all queries count as if one person were in all

Options = Sequence[dict[str, Candidate]]
Keys = tuple[str, ...]


@dataclass(frozen=True)
class PlanLosses:
    """The losses of each noise of each query, and which queries one person can be in together.

    Attributes
    ----------
    keys : the mechanisms that each query can have.
    moments, pure : K(s) and the pure ε of each noise, of shape (n_queries, n_noises, …).
    lists : which queries are in each list that one person can be in, of shape (n_lists, n_queries).
    """

    keys: tuple[Keys, ...]
    moments: Array
    pure: Array
    lists: Array

    def estimates(self, plans: Sequence[Keys], delta: float) -> Array:
        """Return the estimate of the total of each plan: the largest of the lists that one person can be in."""
        places = np.array([[own.index(key) for own, key in zip(self.keys, plan, strict=True)] for plan in plans])
        rows = np.arange(len(self.keys))
        moments = np.einsum("lq,pqs->pls", self.lists, self.moments[rows, places])
        pure = np.where(self.lists[None] > 0, self.pure[rows, places][:, None, :], 0.0).sum(axis=-1)
        shape = pure.shape
        epsilon = estimated_epsilon(moments.reshape(-1, moments.shape[-1]), pure.ravel(), delta)
        return epsilon.reshape(shape).max(axis=1)


def plan_losses(queries: Sequence[Query], options: Options) -> PlanLosses:
    """Return the losses of the noises in `options`, the possible ones of each query."""
    most = max(len(possible) for possible in options)
    parts = [[log_moments(noise.release) for noise in possible.values()] for possible in options]
    moments = np.zeros((len(options), most, parts[0][0][0].size))
    pure = np.full((len(options), most), math.inf)
    for row, own in enumerate(parts):
        for column, (log_moment, epsilon) in enumerate(own):
            moments[row, column], pure[row, column] = log_moment, epsilon
    return PlanLosses(tuple(tuple(possible) for possible in options), moments, pure, _lists(queries))


def estimates_without(queries: Sequence[Query], releases: Sequence[Release], delta: float) -> Array:
    """Return the estimate of the total of releases, and of the totals without each of them."""
    parts = [log_moments(release) for release in releases]
    n_queries = len(parts)
    present = np.vstack([np.ones((1, n_queries)), 1 - np.eye(n_queries)])
    rows = (present[:, None, :] * _lists(queries)[None]).reshape(-1, n_queries)
    moments = rows @ np.array([log_moment for log_moment, _ in parts])
    pure = np.where(rows > 0, np.array([epsilon for _, epsilon in parts]), 0.0).sum(axis=1)
    return estimated_epsilon(moments, pure, delta).reshape(n_queries + 1, -1).max(axis=1)


def estimated_total(queries: Sequence[Query], releases: Sequence[Release], delta: float) -> float:
    """Return the estimate of the total of releases."""
    parts, lists = [log_moments(release) for release in releases], _lists(queries)
    moments = lists @ np.array([log_moment for log_moment, _ in parts])
    pure = np.where(lists > 0, np.array([epsilon for _, epsilon in parts]), 0.0).sum(axis=1)
    return float(estimated_epsilon(moments, pure, delta).max())


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
