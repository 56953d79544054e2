"""The search for the one factor on all wanted errors that a total ε allows."""

import math
from collections.abc import Callable

from dpcore.composition import Release
from dpcore.plan._losses import Keys
from dpcore.plan._search import Queries, estimated_plans, plan_of, plan_options, uniform_plans
from dpcore.plan.candidates import candidate
from dpcore.plan.records import ScaledPlan
from dpcore.plan.totals import total

_MOST_FACTOR = 1e12
_MOST_LOG = math.log(_MOST_FACTOR)
_CLOSE, _CLOSE_WITH_DELTA = 1e-6, 1e-5  # relative: how far a factor is rounded up
_NEAR = 0.02  # relative: how far an estimate of the total may be off
_MOST_SECANT_STEPS, _MOST_SECANT_LOG = 3, 0.1  # of a guess by exact totals
_MOST_STEPS = 12  # of the search by the estimate
_STEEPEST, _FLATTEST = -4.0, -0.3  # slopes of ln ε against the logarithm of the factor
_SMALLER = (0.98, 0.95)  # of a factor, at which other mechanisms are tried


def scaled_plan(queries: Queries, epsilon: float, delta: float, forced: str) -> ScaledPlan:
    """Return the plan at the least factor that is found.

    It is the factor of the mechanisms of the best plan there, by the estimate. With noise on the whole numbers totals
    fall in steps, so that the mechanisms of the best plans at smaller factors may meet ε at one of these: they are
    tried.
    """
    if all(query.is_fixed for query in queries):
        raise ValueError("queries must be such that the noise of one is not fixed, got only fixed ones")
    plan_options(queries, delta, forced, 1.0)  # refuses a query that has no noise
    guess, keys = _estimated_factor(queries, epsilon, delta, forced)
    factor = _factor(queries, keys, epsilon, delta, guess)
    shares = _SMALLER if any(query.whole for query in queries) else ()
    plans = [_estimated(queries, delta, forced, factor * share) for share in shares]
    others = {plan[0] for plan in plans if plan is not None and plan[1] <= (1 + _NEAR) * epsilon} - {keys}
    tried = [(factor, keys), *((_factor(queries, other, epsilon, delta, factor), other) for other in sorted(others))]
    factor, best = min(tried)
    options = plan_options(queries, delta, forced, factor)
    return ScaledPlan(factor, plan_of(queries, options, best, delta, None, uniform_plans(options, delta)))


def _estimated(queries: Queries, delta: float, forced: str, factor: float) -> tuple[Keys, float] | None:
    """Return the best plan at a factor and its estimate; None where the error is too small for any noise."""
    try:
        options = plan_options(queries, delta, forced, factor)
    except ValueError:
        return None
    return estimated_plans(queries, options, delta)[0]


def _estimated_factor(queries: Queries, epsilon: float, delta: float, forced: str) -> tuple[float, Keys]:
    """Return a factor at which the estimate of the best plan is near ε, and its mechanisms.

    The total falls about as one over the factor: the steps are those of the secant in the logarithms, of bounded size,
    and go back halfway from where a query has no noise.
    """
    log, slope, points = 0.0, -1.0, list[tuple[float, float, Keys]]()
    for _ in range(_MOST_STEPS):
        plan = _estimated(queries, delta, forced, math.exp(log))
        if plan is None:
            log = (log + points[-1][0]) / 2
            continue
        miss = math.log(max(plan[1], 1e-300) / epsilon)
        if points and points[-1][0] != log:
            slope = min(max((miss - points[-1][1]) / (log - points[-1][0]), _STEEPEST), _FLATTEST)
        points.append((log, miss, plan[0]))
        if abs(miss) < _NEAR:
            break
        log = min(max(log - miss / slope, -_MOST_LOG), _MOST_LOG)
    log, _, keys = min(points, key=lambda point: abs(point[1]))
    return math.exp(log), keys


def _factor(queries: Queries, keys: Keys, epsilon: float, delta: float, guess: float) -> float:
    """Return a factor at which these mechanisms cost at most ε together, close above the least one; it was tried."""

    def cost(factor: float) -> float:
        releases = _releases(queries, keys, factor)
        return math.inf if releases is None else float(total(queries, releases, delta).value)

    close = _CLOSE if delta == 0 else _CLOSE_WITH_DELTA
    return _first_below(cost, epsilon, _secant_guess(cost, epsilon, guess), close)


def _secant_guess(cost: Callable[[float], float], epsilon: float, guess: float) -> float:
    """Return a factor at which the cost is near ε where it has no steps, after a few steps of the secant."""
    slope, last = -1.0, (0.0, 0.0)
    for step in range(_MOST_SECANT_STEPS):
        value = cost(guess)
        if not 0 < value < math.inf:
            return guess
        log, miss = math.log(guess), math.log(value / epsilon)
        if step and log != last[0]:
            slope = min(max((miss - last[1]) / (log - last[0]), _STEEPEST), _FLATTEST)
        last = log, miss
        guess *= math.exp(min(max(-miss / slope, -_MOST_SECANT_LOG), _MOST_SECANT_LOG))
    return guess


def _releases(queries: Queries, keys: Keys, factor: float) -> list[Release] | None:
    """Return the releases of mechanisms at a factor, or None where a noise is too narrow."""
    releases = []
    for query, key in zip(queries, keys, strict=True):
        noise = candidate(key, query, factor)
        if noise is None:
            return None
        releases.append(noise.release)
    return releases


def _first_below(cost: Callable[[float], float], epsilon: float, guess: float, close: float) -> float:
    """Return a tried factor with cost ≤ ε, above one with cost > ε by a relative `close` at most.

    The steps are those of the secant in the logarithms, kept inside a bracket, whose middle they alternate with.
    """
    low, high, step = guess, guess, 1 + close / 2
    while cost(high) > epsilon:
        if high > _MOST_FACTOR:  # noise that is fixed, or that ends at its largest scale
            raise ValueError(f"epsilon must be in [{cost(high):.4g}, 1e6] with this noise, got {epsilon:g}")
        low, high, step = high, high * step, step**3
    while low == high or cost(low) <= epsilon:
        high, low, step = low, low / step, step**3
        if low < 1 / _MOST_FACTOR:
            return high
    f_low, f_high = math.log(cost(low) / epsilon), math.log(max(cost(high), 1e-300) / epsilon)
    halve = False
    while high > low * (1 + close):
        share = 0.5 if halve or math.isinf(f_low) or f_low == f_high else min(max(f_low / (f_low - f_high), 0.02), 0.98)
        middle = low * (high / low) ** share
        value = math.log(max(cost(middle), 1e-300) / epsilon)
        halve = share != 0.5 and (share < 0.1 or share > 0.9) and not halve
        if value > 0:
            low, f_low = middle, value
        else:
            high, f_high = middle, value
    return high
