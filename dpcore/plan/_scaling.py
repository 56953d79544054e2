"""The search for the one factor on all wanted errors that a total ε allows."""

import math
from functools import lru_cache

from dpcore.plan._factor import MOST_FACTOR, least_factor, least_factor_below, noises_at, releases_at
from dpcore.plan._losses import estimated_total
from dpcore.plan._options import Keys, Queries, plan_options
from dpcore.plan._search import choice_plans, estimated_plans, releases_of
from dpcore.plan.records import Plan, ScaledPlan
from dpcore.plan.totals import total

_MOST_LOG = math.log(MOST_FACTOR)
_NEAR = 0.02  # relative: how far an estimate of the total may be off
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
    factor = least_factor(queries, keys, epsilon, delta, guess)
    if any(query.whole for query in queries):
        other = _estimated(queries, delta, forced, factor * _SMALLER, keys)
        if other is not None and other[0] != keys:
            below = least_factor_below(queries, other[0], epsilon, delta, factor)
            factor, keys = (factor, keys) if below is None else (below, other[0])
    factor, keys = _with_choices(queries, epsilon, delta, factor, keys)
    noises = tuple(noises_at(queries, keys, factor) or ())
    bound = total(queries, [noise.release for noise in noises], delta)
    return ScaledPlan(factor, Plan(queries, noises, delta, bound, None, forced, factor))


def _with_choices(queries: Queries, epsilon: float, delta: float, factor: float, keys: Keys) -> tuple[float, Keys]:
    """Return the least factor and its plan, where all choices of a short list may have another mechanism.

    The accountants take long for a long list with exponential mechanisms.
    """
    options = plan_options(queries, delta, "", factor)
    for other in choice_plans(queries, options, keys) if len(queries) <= _FEW else ():
        if float(total(queries, releases_of(options, other), delta).value) < epsilon:
            factor, keys = least_factor(queries, other, epsilon, delta, factor), other
    return factor, keys


def _estimated(
    queries: Queries, delta: float, forced: str, factor: float, near: Keys | None = None
) -> tuple[Keys, float] | None:
    """Return the best plan at a factor, or the best near one, and its estimate; None where a query has no noise."""
    try:
        options = plan_options(queries, delta, forced, factor)
    except ValueError:
        return None
    is_possible = near is not None and all(key in own for key, own in zip(near, options, strict=True))
    return estimated_plans(queries, options, delta, [near] if near is not None and is_possible else [])[0]


def _estimate_of(queries: Queries, keys: Keys, delta: float, factor: float) -> tuple[Keys, float] | None:
    """Return mechanisms with the estimate of their total at a factor; None where a noise is too narrow."""
    releases = releases_at(queries, keys, factor)
    return None if releases is None else (keys, estimated_total(queries, releases, delta))


@lru_cache(256)  # for every total of a list
def _unscaled_keys(queries: Queries, delta: float, forced: str) -> Keys:
    """Return the mechanisms of the best plan at the wanted errors, by the estimate."""
    return estimated_plans(queries, plan_options(queries, delta, forced, 1.0), delta)[0][0]


def _estimated_factor(queries: Queries, epsilon: float, delta: float, forced: str) -> tuple[float, Keys]:
    """Return a factor at which the estimate of the best plan is next to ε, and its mechanisms.

    The total falls about as one over the factor: the steps are those of the secant in the logarithms, of bounded size,
    with the mechanisms of the plan that was the best, which is sought again where the factor has changed by more than
    three, and where its estimate is near ε. They go back halfway from where a query has no noise, or it no estimate.
    """
    keys = _unscaled_keys(queries, delta, forced)
    is_sought, sought, log, slope, points = False, 0.0, 0.0, -1.0, list[tuple[float, float]]()
    for _ in range(_MOST_STEPS):
        plan = _estimate_of(queries, keys, delta, math.exp(log)) if abs(log - sought) < _FAR else None
        if plan is None:
            plan, sought = _estimated(queries, delta, forced, math.exp(log)), log
        if plan is None or (points and not math.isfinite(plan[1])):
            log = (log + points[-1][0]) / 2
            continue
        keys, estimate = plan
        miss = math.log(max(estimate, 1e-300) / epsilon)
        if points and points[-1][0] != log:
            (last_log, last_miss) = points[-1]
            slope = min(max((miss - last_miss) / (log - last_log), _STEEPEST), _FLATTEST)
        points.append((log, miss))
        if abs(miss) < _NEAR:
            best = None if is_sought or log == sought else _estimated(queries, delta, forced, math.exp(log))
            if best is None or best[0] == keys:
                break
            keys, is_sought = best[0], True
        log = min(max(log - miss / slope, -_MOST_LOG), _MOST_LOG)
    log, miss = min(points, key=lambda point: abs(point[1]))
    return math.exp(log - (miss / slope if abs(miss) < _NEAR else 0.0)), keys
