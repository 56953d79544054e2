"""The search for the plan of the least total, and for the one factor on all wanted errors that a total ε allows.

Plans are found in descents by an estimate, and those near the best are compared by exact totals. For given mechanisms a
close estimate of the total leads to the factor, near a guess; exact totals bracket it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from dpcore.checks import Array
from dpcore.composition import EpsilonBound, Release
from dpcore.plan._losses import (
    Keys,
    Options,
    Places,
    PlanLosses,
    Queries,
    close_totals,
    estimated_total,
    plan_losses,
    plan_options,
    releases_of,
    uniform_plans,
)
from dpcore.plan.candidates import Candidate, Chooser, candidate
from dpcore.plan.choices import CHOICE_MECHANISMS
from dpcore.plan.queries import delta_left, total
from dpcore.plan.records import Plan, ScaledPlan
from dpcore.roots import safe_root

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


@dataclass(frozen=True, eq=False)
class Search:
    """The search for the plan of the least total of some queries, each part done once."""

    queries: Queries
    delta: float
    forced: str

    @cached_property
    def plan(self) -> Plan:
        """The plan of the least total that is found."""
        best = self.choice
        other = None if best.other is None else releases_of(best.options, best.other)
        noises = tuple(possible[key] for possible, key in zip(best.options, best.keys, strict=True))
        return Plan(self.queries, noises, self.delta, best.total, other, self.forced)

    @cached_property
    def options(self) -> Options:
        """The noises that each query can have at its wanted error."""
        return plan_options(self.queries, self.delta, self.forced, 1.0)

    @cached_property
    def order(self) -> list[tuple[Keys, float]]:
        """Plans by their estimates, the best first."""
        return _estimated_plans(self.queries, self.options, self.delta)

    @cached_property
    def choice(self) -> Choice:
        """What `plan` is made of, which takes less time."""
        queries, delta, options, order = self.queries, self.delta, self.options, self.order
        uniform = uniform_plans(options, delta)
        tried = _tried_plans(queries, options, delta, order, set(uniform.values()))
        tried += [keys for keys in _choice_plans(queries, options, tried[0]) if keys not in tried]
        totals = {keys: total(queries, releases_of(options, keys), delta) for keys in tried}
        best = min(totals, key=lambda keys: (float(totals[keys].value), keys))
        other = next((keys for keys, _ in order if keys != best), None)
        return Choice(options, best, other, totals[best])


search = lru_cache(256)(Search)


def _choice_plans(queries: Queries, options: Options, keys: Keys) -> list[Keys]:
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


def _estimated_plans(
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


MOST_FACTOR = 1e12
_FACTOR_CLOSE, _CLOSE_WITH_DELTA = 1e-6, 1e-5  # relative: how far a factor is rounded up
_SURE = 1.002  # a close estimate that is so far above ε is not below it
_FIRST_STEP, _FIRST_EXACT_STEP = 0.01, 3e-5  # relative: about as far as the guesses of a factor mostly are off
Cost = Callable[[float], float]


def _least_factor(queries: Queries, keys: Keys, epsilon: float, delta: float, guess: float) -> float:
    """Return a factor at which these mechanisms cost at most ε together, close above the least one; it was tried."""
    cost, close = _cost(queries, keys, delta), _closeness(delta)
    near = _root(_estimated_cost(queries, keys, delta), epsilon, guess, close, _FIRST_STEP)
    factor = _root(cost, epsilon, min(near, MOST_FACTOR), close, _FIRST_EXACT_STEP)
    if factor > MOST_FACTOR:  # noise that is fixed, or that ends at its largest scale
        raise ValueError(f"epsilon must be in [{cost(MOST_FACTOR):.4g}, 1e6] with this noise, got {epsilon:g}")
    return factor


def _least_factor_below(queries: Queries, keys: Keys, epsilon: float, delta: float, factor: float) -> float | None:
    """Return a smaller factor at which these mechanisms cost at most ε together; None where they do not just below."""
    below = factor / (1 + _closeness(delta))
    is_above = _estimated_cost(queries, keys, delta)(below) > _SURE * epsilon
    if is_above or _cost(queries, keys, delta)(below) > epsilon:
        return None
    return _least_factor(queries, keys, epsilon, delta, below)


def _root(cost: Cost, epsilon: float, guess: float, close: float, first_step: float) -> float:
    """Return a tried factor with cost ≤ ε, above one with cost > ε by a relative `close` at most.

    It is `1 / MOST_FACTOR` where any factor has cost ≤ ε, and above `MOST_FACTOR` where none up to that has.
    """

    def log_ratio(_: object, factors: Array) -> Array:
        costs = np.array([cost(factor) if factor <= MOST_FACTOR else 0.0 for factor in factors.tolist()])
        return np.clip(np.log(np.maximum(costs, 1e-300) / epsilon), -1, 1)

    least = 1 / MOST_FACTOR
    return float(safe_root(log_ratio, [max(guess, least)], [least], close, first_step)[0])


def _closeness(delta: float) -> float:
    return _FACTOR_CLOSE if delta == 0 else _CLOSE_WITH_DELTA


def _cost(queries: Queries, keys: Keys, delta: float) -> Cost:
    """Return the total as a function of the factor, ∞ where a noise is too narrow."""
    return _cost_by(lambda releases: float(total(queries, releases, delta).value), queries, keys)


def _estimated_cost(queries: Queries, keys: Keys, delta: float) -> Cost:
    """Return a close estimate of the total as a function of the factor, ∞ where a noise is too narrow."""
    return _cost_by(lambda releases: float(close_totals(queries, [releases], delta)[0]), queries, keys)


def _cost_by(total_of: Callable[[list[Release]], float], queries: Queries, keys: Keys) -> Cost:
    def cost(factor: float) -> float:
        releases = releases_at(queries, keys, factor)
        return math.inf if releases is None else total_of(releases)

    return cost


def releases_at(queries: Queries, keys: Keys, factor: float) -> list[Release] | None:
    """Return the releases of mechanisms at a factor, or None where a noise is too narrow."""
    noises = _noises_at(queries, keys, factor)
    return None if noises is None else [noise.release for noise in noises]


def _noises_at(queries: Queries, keys: Keys, factor: float) -> list[Candidate | Chooser] | None:
    """Return the noises of mechanisms at a factor, or None where one is too narrow."""
    noises = [candidate(key, query, factor) for query, key in zip(queries, keys, strict=True)]
    possible = [noise for noise in noises if noise is not None]
    return possible if len(possible) == len(noises) else None


_MOST_LOG = math.log(MOST_FACTOR)
_SCALING_NEAR = 0.02  # relative: how far an estimate of the total may be off
_STEEPEST, _FLATTEST = -4.0, -0.3  # slopes of ln ε against the logarithm of the factor
_FAR = math.log(3)  # in the logarithm of the factor: the best plan may be another one
_MOST_STEPS = 12
_FEW = 8  # queries
_SMALLER = 0.97  # of a factor, at which other mechanisms are looked for


def scaled_plan(queries: Queries, epsilon: float, delta: float, forced: str) -> ScaledPlan:
    """Return the plan at the least factor that is found.

    It is the factor of the mechanisms of the best plan there, by the estimate. With noise on the whole numbers totals
    fall in steps, so that the mechanisms of the best plan at a smaller factor may meet ε at one of these: they are
    tried, if they meet it just below the factor.
    """
    if all(query.is_fixed for query in queries):
        raise ValueError("queries must be such that the noise of one is not fixed, got only fixed ones")
    guess, keys = _estimated_factor(queries, epsilon, delta, forced)
    factor = _least_factor(queries, keys, epsilon, delta, guess)
    if any(query.whole for query in queries):
        other = _best_estimate(queries, delta, forced, factor * _SMALLER, keys)
        if other is not None and other[0] != keys:
            below = _least_factor_below(queries, other[0], epsilon, delta, factor)
            factor, keys = (factor, keys) if below is None else (below, other[0])
    factor, keys = _with_choices(queries, epsilon, delta, factor, keys)
    noises = tuple(_noises_at(queries, keys, factor) or ())
    bound = total(queries, [noise.release for noise in noises], delta)
    return ScaledPlan(factor, Plan(queries, noises, delta, bound, None, forced, factor))


def _with_choices(queries: Queries, epsilon: float, delta: float, factor: float, keys: Keys) -> tuple[float, Keys]:
    """Return the least factor and its plan, where all choices of a short list may have another mechanism.

    The accountants take long for a long list with exponential mechanisms.
    """
    options = plan_options(queries, delta, "", factor)
    for other in _choice_plans(queries, options, keys) if len(queries) <= _FEW else ():
        if float(total(queries, releases_of(options, other), delta).value) < epsilon:
            factor, keys = _least_factor(queries, other, epsilon, delta, factor), other
    return factor, keys


def _best_estimate(
    queries: Queries, delta: float, forced: str, factor: float, near: Keys | None = None
) -> tuple[Keys, float] | None:
    """Return the best plan at a factor, or the best near one, and its estimate; None where a query has no noise."""
    try:
        options = plan_options(queries, delta, forced, factor)
    except ValueError:
        return None
    is_possible = near is not None and all(key in own for key, own in zip(near, options, strict=True))
    return _estimated_plans(queries, options, delta, [near] if near is not None and is_possible else [])[0]


def _estimate_of(queries: Queries, keys: Keys, delta: float, factor: float) -> tuple[Keys, float] | None:
    """Return mechanisms with the estimate of their total at a factor; None where a noise is too narrow."""
    releases = releases_at(queries, keys, factor)
    return None if releases is None else (keys, estimated_total(queries, releases, delta))


def _estimated_factor(queries: Queries, epsilon: float, delta: float, forced: str) -> tuple[float, Keys]:
    """Return a factor at which the estimate of the best plan is next to ε, and its mechanisms.

    The total falls about as one over the factor: the steps are those of the secant in the logarithms, of bounded size,
    with the mechanisms of the plan that was the best, which is sought again where the factor has changed by more than
    three, and where its estimate is near ε. They go back halfway from where a query has no noise, or it no estimate.
    """
    keys = search(queries, delta, forced).order[0][0]
    is_sought, sought, log, slope, points = False, 0.0, 0.0, -1.0, list[tuple[float, float]]()
    for _ in range(_MOST_STEPS):
        plan = _estimate_of(queries, keys, delta, math.exp(log)) if abs(log - sought) < _FAR else None
        if plan is None:
            plan, sought = _best_estimate(queries, delta, forced, math.exp(log)), log
        if plan is None or (points and not math.isfinite(plan[1])):
            log = (log + points[-1][0]) / 2
            continue
        keys, estimate = plan
        miss = math.log(max(estimate, 1e-300) / epsilon)
        if points and points[-1][0] != log:
            (last_log, last_miss) = points[-1]
            slope = min(max((miss - last_miss) / (log - last_log), _STEEPEST), _FLATTEST)
        points.append((log, miss))
        if abs(miss) < _SCALING_NEAR:
            best = None if is_sought or log == sought else _best_estimate(queries, delta, forced, math.exp(log))
            if best is None or best[0] == keys:
                break
            keys, is_sought = best[0], True
        log = min(max(log - miss / slope, -_MOST_LOG), _MOST_LOG)
    log, miss = min(points, key=lambda point: abs(point[1]))
    return math.exp(log - (miss / slope if abs(miss) < _SCALING_NEAR else 0.0)), keys
