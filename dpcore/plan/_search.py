"""The search for the plan of the least total: descents by an estimate, then exact totals of the plans near the best."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from dpcore.composition import EpsilonBound, Release
from dpcore.plan._losses import Keys, Options, PlanLosses, plan_losses
from dpcore.plan.candidates import Candidate, candidates, mechanisms_of
from dpcore.plan.queries import MECHANISMS, PURE_MECHANISMS, Query
from dpcore.plan.records import Plan
from dpcore.plan.totals import total

CONTINUOUS = {"geometric": "laplace", "discrete_gaussian": "gaussian"}
_NEAR = 1.002  # plans whose estimates are so near to the least are compared by their exact totals
_SMALL_DELTA = 1e-6  # up to which the estimate is off by less than a hundredth
_NEAR_UNIFORM, _NEAR_AT_LARGE_DELTA = 1.02, 1.1  # and so are plans of one mechanism, of which the estimate says less
_MOST_TRIED = 3  # plans that are compared so, besides those of one mechanism
_LOWER = 1 - 1e-12  # an estimate that is lower than another by rounding alone is not lower
Queries = tuple[Query, ...]


def plan_options(queries: Queries, delta: float, forced: str, factor: float) -> list[dict[str, Candidate]]:
    """Return the noises that each query can have; refuse a query that has none.

    Raises
    ------
    ValueError
        where no noise has the wanted error of a query.
    """
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


class Choice(NamedTuple):
    """The mechanisms of the plan of the least total that is found, those of the best other one, and the total."""

    options: Options
    keys: Keys
    other: Keys | None
    uniform: dict[str, Keys]
    total: EpsilonBound


@lru_cache(256)
def best_plan(queries: Queries, delta: float, forced: str) -> Plan:
    """Return the plan of the least total that is found."""
    best = best_choice(queries, delta, forced)
    return plan_of(queries, best.options, best.keys, delta, best.other, best.uniform)


@lru_cache(256)
def best_choice(queries: Queries, delta: float, forced: str) -> Choice:
    """Return what `best_plan` is made of, which takes less time."""
    options = plan_options(queries, delta, forced, 1.0)
    uniform = uniform_plans(options, delta)
    order = estimated_plans(queries, options, delta)
    least = order[0][1]
    near = _NEAR_UNIFORM if delta <= _SMALL_DELTA else _NEAR_AT_LARGE_DELTA
    near = math.inf if any(query.group for query in queries) else near  # totals of many lists are bounded otherwise
    tried = [keys for keys, value in order[:_MOST_TRIED] if value <= _NEAR * least]
    tried += [keys for keys, value in order if keys in uniform.values() and value <= near * least]
    totals = {keys: total(queries, _releases(options, keys), delta) for keys in dict.fromkeys(tried)}
    best = min(totals, key=lambda keys: (float(totals[keys].value), keys))
    other = next((keys for keys, _ in order if keys != best), None)
    return Choice(options, best, other, uniform, totals[best])


def plan_of(
    queries: Queries, options: Options, keys: Keys, delta: float, other: Keys | None, uniform: dict[str, Keys]
) -> Plan:
    """Return the plan with one noise for each query; `other` is the best other plan."""
    chosen = [possible[key] for possible, key in zip(options, keys, strict=True)]
    releases = tuple(noise.release for noise in chosen)
    return Plan(
        queries=queries,
        mechanisms=mechanisms_of(chosen, queries, delta),
        releases=releases,
        delta=delta,
        total=total(queries, releases, delta),
        other_releases=None if other is None else tuple(_releases(options, other)),
        uniform_releases={key: tuple(_releases(options, other)) for key, other in uniform.items()},
    )


def estimated_plans(
    queries: Queries, options: Options, delta: float, near: Sequence[Keys] = ()
) -> list[tuple[Keys, float]]:
    """Return plans by their estimates, the best first: where the descents end, where they begin, and those near.

    The descents begin at the plans in `near`, or at those of one mechanism where there is none.
    """
    losses = plan_losses(queries, options)
    starts = [tuple(next(iter(possible)) for possible in options), *uniform_plans(options, delta).values()]
    starts = list(near) or starts
    ends = _descents(losses, list(dict.fromkeys(starts)), delta)
    values = dict(zip(starts, losses.estimates(starts, delta).tolist(), strict=True)) | ends
    values |= losses.changes([min(ends, key=lambda keys: (ends[keys], keys))], delta)[0]
    return sorted(values.items(), key=lambda item: (item[1], item[0]))


def _releases(options: Options, keys: Keys) -> list[Release]:
    return [possible[key].release for possible, key in zip(options, keys, strict=True)]


def uniform_plans(options: Options, delta: float) -> dict[str, Keys]:
    """Return the plans of one mechanism for all queries that are not fixed, as far as every query has such noise."""
    plans = {key: _uniform(options, key) for key in (PURE_MECHANISMS if delta == 0 else MECHANISMS)}
    return {key: keys for key, keys in plans.items() if keys is not None}


def _uniform(options: Options, key: str) -> Keys | None:
    """Return the plan of one mechanism for all queries that are not fixed, or None where a query has no such noise."""
    keys = []
    for possible in options:
        name = key if key in possible else CONTINUOUS.get(key, key)
        if name not in possible and len(possible) > 1:
            return None
        keys.append(name if name in possible else next(iter(possible)))
    return tuple(keys)


def _descents(losses: PlanLosses, starts: Sequence[Keys], delta: float) -> dict[Keys, float]:
    """Return the plans where no change of one query lowers the estimate, with their estimates; one for each start."""
    current = dict(zip(starts, losses.estimates(starts, delta).tolist(), strict=True))
    ends: dict[Keys, float] = {}
    while current:
        following: dict[Keys, float] = {}
        for (keys, value), changes in zip(current.items(), losses.changes(list(current), delta), strict=True):
            best = min(changes, key=changes.__getitem__, default=None)
            if best is None or changes[best] >= value * _LOWER:
                ends[keys] = value
            else:
                following[best] = changes[best]
        current = {keys: value for keys, value in following.items() if keys not in ends}
    return ends
