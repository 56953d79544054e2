"""The search for the plan of the least total: descents by an estimate, then exact totals of the plans near the best."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dpcore.composition import EpsilonBound, Release
from dpcore.plan._estimate import estimated_epsilon, log_moments
from dpcore.plan.candidates import Candidate, candidates, mechanism_of
from dpcore.plan.queries import MECHANISMS, PURE_MECHANISMS, Query
from dpcore.plan.records import Plan
from dpcore.plan.totals import person_lists, total

CONTINUOUS = {"geometric": "laplace", "discrete_gaussian": "gaussian"}
_NEAR = 1.01  # plans whose estimates are so near to the least are compared by their exact totals
_MOST_TRIED = 12  # plans that are compared so, besides the uniform ones
_FINE, _FINER = 1e-4, 1e-5  # the excess of the certified total of a plan, and of one of few lines
_FEW_LINES = 4
Queries = tuple[Query, ...]
Keys = tuple[str, ...]


def _options(queries: Queries, delta: float, forced: str, factor: float) -> list[dict[str, Candidate]]:
    """Return the candidates of each query; refuse one that has none."""
    options = []
    for query in queries:
        possible = candidates(query, delta, factor)
        if forced and not (query.mechanism or query.epsilon):
            possible = {key: candidate for key, candidate in possible.items() if key == forced}
        if not possible:
            kind = f" of {forced} noise" if forced else ""
            raise ValueError(
                f"half_width of {query.name} must be in the range{kind} that can be released,"
                f" got {query.half_width * factor:g}"
            )
        options.append(possible)
    return options


@lru_cache(256)
def best_plan(queries: Queries, delta: float, forced: str, factor: float) -> Plan:
    """Return the plan of the least total that is found where all wanted errors are `factor` times as large."""
    options = _options(queries, delta, forced, factor)
    uniform = {key: _uniform(options, key) for key in (PURE_MECHANISMS if delta == 0 else MECHANISMS)}
    uniform = {key: keys for key, keys in uniform.items() if keys is not None}
    totals = {keys: _total(queries, options, keys, delta) for keys in dict.fromkeys(uniform.values())}
    tried = _near_plans(queries, options, delta, list(totals))
    for keys in tried:
        totals.setdefault(keys, _total(queries, options, keys, delta))
    best, *others = sorted(totals, key=lambda keys: (float(totals[keys].value), keys))
    chosen = [possible[key] for possible, key in zip(options, best, strict=True)]
    releases = tuple(noise.release for noise in chosen)
    return Plan(
        queries=queries,
        mechanisms=tuple(mechanism_of(noise, query, delta) for noise, query in zip(chosen, queries, strict=True)),
        releases=releases,
        delta=delta,
        total=total(queries, releases, delta, excess=_FINER if len(set(releases)) <= _FEW_LINES else _FINE),
        basic=total(queries, releases, delta, "basic"),
        uniform={key: totals[keys] for key, keys in uniform.items()},
        runner_up=float(totals[others[0]].value) if others else math.inf,
    )


def _uniform(options: Sequence[dict[str, Candidate]], key: str) -> Keys | None:
    """Return the plan of one mechanism for all queries that are not fixed, or None where a query has no such noise."""
    keys = []
    for possible in options:
        name = key if key in possible else CONTINUOUS.get(key, key)
        if name not in possible and len(possible) > 1:
            return None
        keys.append(name if name in possible else next(iter(possible)))
    return tuple(keys)


def _total(queries: Queries, options: Sequence[dict[str, Candidate]], keys: Keys, delta: float) -> EpsilonBound:
    return total(queries, [possible[key].release for possible, key in zip(options, keys, strict=True)], delta)


def _near_plans(
    queries: Queries, options: Sequence[dict[str, Candidate]], delta: float, starts: Sequence[Keys]
) -> list[Keys]:
    """Return the plans at the ends of the descents from the starts and those near the best of them, by the estimate."""
    first = tuple(next(iter(possible)) for possible in options)
    ends = dict(_descent(queries, options, delta, keys) for keys in (first, *starts))
    best = min(ends, key=lambda keys: (ends[keys], keys))
    changes = _changes(options, best)
    near = dict(zip(changes, _estimates(queries, options, changes, delta), strict=True)) | ends
    order = sorted(near, key=lambda keys: (near[keys], keys))
    return [keys for keys in order[:_MOST_TRIED] if near[keys] <= _NEAR * near[order[0]] or keys in ends]


def _descent(queries: Queries, options: Sequence[dict[str, Candidate]], delta: float, keys: Keys) -> tuple[Keys, float]:
    """Return the plan where no change of one query lowers the estimate, and its estimate."""
    (value,) = _estimates(queries, options, [keys], delta)
    while True:
        changes = _changes(options, keys)
        values = _estimates(queries, options, changes, delta)
        place = int(np.argmin(values)) if changes else -1
        if place < 0 or values[place] >= value:
            return keys, value
        keys, value = changes[place], values[place]


def _changes(options: Sequence[dict[str, Candidate]], keys: Keys) -> list[Keys]:
    """Return the plans that differ from one in a single query."""
    return [
        (*keys[:place], key, *keys[place + 1 :])
        for place, possible in enumerate(options)
        for key in possible
        if key != keys[place]
    ]


def _estimates(
    queries: Queries, options: Sequence[dict[str, Candidate]], plans: Sequence[Keys], delta: float
) -> list[float]:
    """Return the estimate of the total of each plan: the largest of the lists that one person can be in."""
    releases = [[possible[key].release for possible, key in zip(options, keys, strict=True)] for keys in plans]
    return list_estimates([person_lists(queries, lines) for lines in releases], delta)


def list_estimates(plans: Sequence[list[list[Release]]], delta: float) -> list[float]:
    """Return the largest estimate of the lists of each plan."""
    moments, pure, owners = [], [], []
    for owner, lists in enumerate(plans):
        for lines in lists:
            parts = [log_moments(line) for line in lines]
            moments.append(np.sum([part for part, _ in parts], axis=0))
            pure.append(math.fsum(own for _, own in parts))
            owners.append(owner)
    largest = np.zeros(len(plans))
    if plans:
        np.maximum.at(largest, owners, estimated_epsilon(np.array(moments), np.array(pure), delta))
    return largest.tolist()
