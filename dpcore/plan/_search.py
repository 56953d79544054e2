"""The search for the plan of the least total: descents by an estimate, then exact totals of the plans near the best."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dpcore.checks import Array
from dpcore.composition import EpsilonBound, Release
from dpcore.plan._losses import Places, PlanLosses, close_totals, plan_losses
from dpcore.plan._options import Keys, Options, Queries, plan_options, uniform_plans
from dpcore.plan.choices import CHOICE_MECHANISMS
from dpcore.plan.records import Plan
from dpcore.plan.totals import delta_left, total

_NEAR, _NEAR_UNIFORM = 1.005, 1.05  # plans whose quick estimates are so near to the least are estimated closely
_MOST_NEAR = 6  # plans that are estimated closely, besides those of one mechanism
_CLOSE = 1.0005  # plans whose close estimates are so near to the least are compared by their exact totals
_MOST_TRIED = 2  # plans that are compared so, besides those of one mechanism
_LOWER = 1 - 1e-12  # an estimate that is lower than another by rounding alone is not lower


class Choice(NamedTuple):
    """The mechanisms of the plan of the least total that is found, those of the best other one, and the total."""

    options: Options
    keys: Keys
    other: Keys | None
    total: EpsilonBound


@lru_cache(256)
def best_plan(queries: Queries, delta: float, forced: str) -> Plan:
    """Return the plan of the least total that is found."""
    best = best_choice(queries, delta, forced)
    other = None if best.other is None else tuple(releases_of(best.options, best.other))
    noises = tuple(possible[key] for possible, key in zip(best.options, best.keys, strict=True))
    return Plan(queries, noises, delta, best.total, other, forced)


@lru_cache(256)
def best_choice(queries: Queries, delta: float, forced: str) -> Choice:
    """Return what `best_plan` is made of, which takes less time."""
    options = plan_options(queries, delta, forced, 1.0)
    uniform = uniform_plans(options, delta)
    order = estimated_plans(queries, options, delta)
    tried = _tried_plans(queries, options, delta, order, set(uniform.values()))
    tried += [keys for keys in choice_plans(queries, options, tried[0]) if keys not in tried]
    totals = {keys: total(queries, releases_of(options, keys), delta) for keys in tried}
    best = min(totals, key=lambda keys: (float(totals[keys].value), keys))
    other = next((keys for keys, _ in order if keys != best), None)
    return Choice(options, best, other, totals[best])


def choice_plans(queries: Queries, options: Options, keys: Keys) -> list[Keys]:
    """Return the plans in which all choices have the same mechanism; none where nothing can be changed.

    Estimates do not tell which is best: the accountants know of an exponential mechanism more than its losses.
    """
    plans = [
        tuple(
            name if name in possible and query.statistic.is_choice else key
            for key, possible, query in zip(keys, options, queries, strict=True)
        )
        for name in CHOICE_MECHANISMS
    ]
    return [plan for plan in plans if plan != keys]


def _tried_plans(
    queries: Queries, options: Options, delta: float, order: Sequence[tuple[Keys, float]], uniform: set[Keys]
) -> list[Keys]:
    """Return the plans of which one has the least total, by close estimates of those that come near it.

    The totals of many lists of disjoint people are bounded in another way than they are estimated: there all plans of
    one mechanism are tried.
    """
    least = order[0][1]
    near = [keys for keys, value in order[:_MOST_NEAR] if value <= _NEAR * least]
    near += [keys for keys, value in order if keys in uniform and keys not in near and value <= _NEAR_UNIFORM * least]
    estimates = (
        close_totals(queries, [releases_of(options, keys) for keys in near], delta).tolist() if near[1:] else [0.0]
    )
    closest = sorted(zip(estimates, near, strict=True))
    tried = [keys for value, keys in closest if value <= _CLOSE * closest[0][0]]
    tried = tried[:_MOST_TRIED] + [keys for keys in tried[_MOST_TRIED:] if keys in uniform]
    has_groups = any(query.group for query in queries)
    return tried + [keys for keys, _ in order if has_groups and keys in uniform and keys not in tried]


def estimated_plans(
    queries: Queries, options: Options, delta: float, near: Sequence[Keys] = ()
) -> list[tuple[Keys, float]]:
    """Return plans by their estimates, the best first: where the descents end, where they begin, and those near.

    The descents begin at the plans in `near`, or at those of one mechanism where there is none.
    """
    losses, left = plan_losses(queries, options), delta_left(queries, delta)
    starts = [tuple(next(iter(possible)) for possible in options), *uniform_plans(options, delta).values()]
    places = losses.places(list(dict.fromkeys(near or starts)))
    values = losses.estimates(places, left)
    estimates = dict(zip(losses.plans(places), values.tolist(), strict=True))
    estimates |= _descents(losses, places, values, left)
    return sorted(estimates.items(), key=lambda item: (item[1], item[0]))


def releases_of(options: Options, keys: Keys) -> list[Release]:
    """Return the releases of mechanisms."""
    return [possible[key].release for possible, key in zip(options, keys, strict=True)]


def _descents(losses: PlanLosses, places: Places, values: Array, delta: float) -> dict[Keys, float]:
    """Return the plans where no change of one query lowers the estimate, with their estimates; one for each start.

    Plans that differ from the best of them in a single query are returned too. A step makes the best change of each
    query, where all of these together are better than the best one alone.
    """
    ends, around = dict[Keys, float](), dict[Keys, Array]()
    while len(places):
        changes = losses.changes(places, delta)
        best, noises = changes.min(axis=2), changes.argmin(axis=2)
        is_lower = best < values[:, None] * _LOWER
        is_end = ~is_lower.any(axis=1)
        for keys, value, own in zip(
            losses.plans(places[is_end]), values[is_end].tolist(), changes[is_end], strict=True
        ):
            ends[keys], around[keys] = value, own
        places, best, noises, is_lower = (part[~is_end] for part in (places, best, noises, is_lower))
        alone = np.where(np.arange(places.shape[1]) == best.argmin(axis=1)[:, None], noises, places)
        joint = np.where(is_lower, noises, places)
        values = best.min(axis=1)
        several = np.flatnonzero(is_lower.sum(axis=1) > 1)
        if several.size:
            joint_values = losses.estimates(joint[several], delta)
            better = several[joint_values < values[several]]
            alone[better], values[better] = joint[better], joint_values[joint_values < values[several]]
        first = list({row: number for number, row in enumerate(map(tuple, alone.tolist()))}.values())
        places, values = alone[first], values[first]
    least = min(ends, key=lambda keys: (ends[keys], keys))
    query, noise = np.nonzero(np.isfinite(around[least]))
    neighbours = np.tile(losses.places([least]), (query.size, 1))
    neighbours[np.arange(query.size), query] = noise
    return dict(zip(losses.plans(neighbours), around[least][query, noise].tolist(), strict=True)) | ends
