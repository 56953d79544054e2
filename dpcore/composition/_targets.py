"""The x at which a falling ε meets a target, and with it the runs, or the ε of a query, that a budget allows.

The search finds the root and moves it to the safe side until ε is at most the target.

Accountants are those of `dpcore.composition.epsilon`: "basic", "advanced" and "kairouz", which share δ where a release
needs some; "zcdp", "rdp"; "certified", the smaller of RDP and the certified loss distribution. Each is an upper bound
of ε, which rises with how often and how much is released, so a search looks for the answer, and what is returned was
checked itself: numbers of runs and ε of a query are rounded down. A total that is met exactly is met, as by four times
0.25 within 1; numbers are the doubles that they are, of which ten times 0.1 is more than 1.
"""

import math
from collections.abc import Callable, Sequence

from numpy.typing import ArrayLike

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, integer, interval_bounds, number, option
from dpcore.composition._accounts import COARSE, accounts_of, repeated
from dpcore.composition.bounds import elementwise
from dpcore.composition.releases import COUNT_RANGE, Release, exponential_release, guarantee_release, laplace_release
from dpcore.rounding import total_up

_FIRST_STEP = 0.04  # of the search for a bracket
_BEYOND = 1.1  # how far the search goes, of the way to where a line has its root
_CLOSE = 5e-3  # how far `excess` may be from 0 where another function decides
_NARROW = 0.01  # a bracket of `excess` in which a line is near enough, whatever its values
_LEAST_STEP, _MOST_STEP = 1e-7, 0.1  # of the search for a value on the other side of the target
_LEAST_SLOPE, _MOST_SLOPE = 0.3, 30.0
_LEAST_GROWTH, _MOST_GROWTH = 0.25, 4.0  # of a total in n, where both are logarithms
_WIDENING = 1.25  # how much longer than the last one each step of that search is at least
_TRIES, _MOST_TRIES = 5, 12
_WIDE = 2e-3  # between an x that fails and the one returned: beyond it, halves follow the tries by lines
_MOST_FAR = 20.0

Function = Callable[[float], float]
Point = tuple[float, float]


def least_satisfying(
    excess: Function, bound: Function, target: float, estimate: float, ends: Point, near: float = 5e-4
) -> float | None:
    """Return about the least x between `ends` with bound(x) ≤ target; None if none has.

    `excess`, which falls with x and crosses 0 near the answer, only shows where to look, beginning with `estimate`:
    bound(x) ≤ target is true of what is returned. That no smaller x would do is not proved. `near` is how far below the
    target, relative, ε may stay, or further where that moves x by less.

    Examples
    --------
    >>> print(f"{least_satisfying(lambda x: 2.9 - x, lambda x: 1 / x, 1 / 3, 1.0, (0.5, 10)):.2f}")
    3.00
    """
    return least_beside(bound, target, root_between(excess, bound, target, estimate, ends), ends, near)


def least_beside(bound: Function, target: float, start: Point, ends: Point, near: float) -> float | None:
    """`least_satisfying` from a root on, which `start` is, with how fast ln ε falls there."""
    x, slope = start
    if x not in ends:
        x = min(x + near / 2 / min(slope, 1.0), ends[1])
    least = target * math.exp(-near * max(slope, 1.0))
    failing, satisfying = _enclosing_neighbours(bound, (least, target), (x, slope), ends)
    if satisfying is None or failing is None or target == 0:
        return None if satisfying is None else satisfying[0]
    return _satisfying_x(bound, (least, target), failing, satisfying, near)


def root_between(excess: Function, bound: Function, target: float, estimate: float, ends: Point) -> Point:
    """Return about where a falling function crosses 0, or the end nearest to that, and how it falls there.

    `estimate` is where to begin. Each value may take a tenth of a second and need not be right to more than half a
    percent, so the bracket is grown from there: 5.1 values on average, where SciPy's `root_scalar` takes 9.9 between
    the ends.
    """
    x = min(max(estimate, ends[0]), ends[1])
    current = x, excess(x)
    up = current[1] > 0
    end, before = ends[up], current
    step = max(_FIRST_STEP, abs(current[1]) / _MOST_SLOPE)  # no root is nearer than the second
    is_short = False  # whether a line has led to its root: beyond it, as of a function by steps, the steps grow
    while (current[1] > 0) == up:
        if current[0] == end:
            return end, 1.0
        x = min(current[0] + step, end) if up else max(current[0] - step, end)
        before, current = current, (x, excess(x))
        way = max(_BEYOND * abs(current[1]) / _slope(before, current), _NARROW)
        step, is_short = (3 * step, True) if is_short else (min(3 * step, way), way < 3 * step)
    if current[0] == ends[0] and bound(ends[0]) <= target:  # where `excess` is too large
        return ends[0], 1.0
    return _root_between_points(excess, before, current)


def most_satisfying(total: Callable[[int], float], target: float, most: int) -> int:
    """Return the most n up to a limit, 0 at least, with total(n) ≤ target, for a total that rises with n.

    Both it and the next n have been tried. The tries go along lines in the logarithms of n and the total, further and
    further while they stay on one side, and to the middle where a total has no logarithm.

    Examples
    --------
    >>> most_satisfying(lambda n: 0.25 * n, 1.0, 10**6)
    4
    """
    fits, over, n, last = 0, most + 1, 1, None
    slope, beyond, side = 1.0, 0, None
    while True:
        value = total(n)
        is_fitting = value <= target
        fits, over = (n, over) if is_fitting else (fits, n)
        if over - fits == 1:
            return fits
        if not 0 < min(value, target) <= max(value, target) < math.inf:
            n, last = (most if over > most else (fits + over) // 2), None
            continue
        point = math.log(n), math.log(value)
        if last is not None:
            slope = min(max((point[1] - last[1]) / (point[0] - last[0]), _LEAST_GROWTH), _MOST_GROWTH)
        beyond, side, last = 2 * beyond + 1 if is_fitting is side else 0, is_fitting, point
        near = math.exp(min(point[0] + (math.log(target) - point[1]) / slope, math.log(over)))
        n = min(max(math.floor(near) + (beyond if is_fitting else -beyond), fits + 1), over - 1)


def _root_between_points(excess: Function, before: Point, current: Point) -> Point:
    """Return about where a function crosses 0 between two points on different sides of it, and how it falls there.

    Where a line through both moves the same end twice, the other one counts as much less as the value at the moved end
    has fallen, or half if it has not (Anderson and Björck 1973).
    """
    bracket, weights, moved = [before, current], [1.0, 1.0], None
    for _ in range(_MOST_TRIES):
        (low, low_value), (high, high_value) = bracket
        if min(abs(low_value), abs(high_value)) < _CLOSE or abs(high - low) < _NARROW:
            break
        x = _crossing((low, weights[0] * low_value), (high, weights[1] * high_value), 0.05)
        new = x, excess(x)
        side = int((new[1] > 0) == (high_value > 0))
        if side == moved:
            fallen = 1 - new[1] / bracket[side][1]
            weights[1 - side] *= fallen if fallen > 0 else 0.5
        bracket[side], weights[side], moved = new, 1.0, side
    before, current = bracket
    return _crossing(before, current, 0.0), _slope(before, current)


def _crossing(before: Point, current: Point, apart: float) -> float:
    """Return the root of the line through two points on different sides, a share of their distance from both."""
    share = min(max(before[1] / (before[1] - current[1]), apart), 1 - apart)
    return before[0] + share * (current[0] - before[0])


def _slope(before: Point, current: Point) -> float:
    """Return the slope of a falling function between two points."""
    fallen = (before[1] - current[1]) / (current[0] - before[0])
    return min(max(fallen, _LEAST_SLOPE), _MOST_SLOPE)


def _enclosing_neighbours(bound: Function, aim: Point, start: Point, ends: Point) -> tuple[Point | None, Point | None]:
    """Return two neighbours, each with its ε: an x that fails and one that keeps the target; None beyond the ends.

    `aim` are the least ε that is near enough, with which x alone will do, and the target; `start` is where to begin,
    and how fast ln ε falls there, until two values tell it.
    """
    failing = satisfying = last = None
    (least, target), (x, slope), step = aim, start, _LEAST_STEP
    while True:
        value = bound(x)
        if value > target:
            failing, end, side = (x, value), ends[1], 1
        else:
            satisfying, end, side = (x, value), ends[0], -1
        if (failing and satisfying) or x == end or (satisfying and (satisfying[1] > least or target == 0)):
            return failing, satisfying
        # From below, half of what may be left is enough; from above, the step goes a little too far.
        goal = math.sqrt(least * target) if satisfying else target
        far = math.log(max(value, target * 1e-3) / goal) if target else _MOST_STEP
        if last is not None and target:
            slope = min(max((last[1] - far) / (x - last[0]), _LEAST_SLOPE), _MOST_SLOPE)
        last = x, far
        step = max(_WIDENING * step, min((1 if satisfying else _BEYOND) * abs(far) / slope, _MOST_STEP))
        x = min(max(x + side * step, ends[0]), ends[1])


def _satisfying_x(bound: Function, aims: Point, failing: Point, satisfying: Point, near: float) -> float:
    """Return the x that satisfies the target, once another that fails is near enough in ε or in x.

    The tries go along lines through both in the logarithm of ε, the one end halved while the other moves (Illinois);
    where that is not enough, as for a bound that falls by steps, halves of the way follow. `aims` are the least ε that
    is near enough, and the target.
    """
    least, target = aims
    aim = math.sqrt(least * target)
    weights = [_log_distance(failing[1], aim), _log_distance(satisfying[1], aim)]
    moved, tries = None, 0
    while satisfying[1] <= least:
        way = satisfying[0] - failing[0]
        if way <= near:
            break
        share = 0.5 if tries >= _TRIES else weights[0] / sum(weights)
        x = failing[0] + share * way
        if (tries >= _TRIES and way <= _WIDE) or not failing[0] < x < satisfying[0]:
            break
        value, tries = bound(x), tries + 1
        is_satisfying = value <= target
        failing, satisfying = (failing, (x, value)) if is_satisfying else ((x, value), satisfying)
        if is_satisfying is moved:
            weights[not is_satisfying] /= 2
        weights[is_satisfying], moved = _log_distance(value, aim), is_satisfying
    return satisfying[0]


def _log_distance(value: float, aim: float) -> float:
    """Return |ln(value/aim)|, at most a limit."""
    return min(abs(math.log(max(value / aim, 1e-3))), _MOST_FAR)


TOTALS = ("basic", "advanced", "kairouz", "zcdp", "rdp", "certified")
QUERY_MECHANISMS = ("guarantee", "laplace", "exponential")
_QUERY_RELEASES = {"guarantee": guarantee_release, "laplace": laplace_release, "exponential": exponential_release}
_TOTAL_RANGE = "[1e-6, 1e3]"
_MOST_RUNS = interval_bounds(COUNT_RANGE)[1]
_MOST = 1e300  # an ε that is not ∞
_LEAST_EPSILON, _MOST_EPSILON = 1e-12, 1e3  # of a query
_BUDGET_CLOSE, _CLOSE_CERTIFIED = 1e-9, 5e-4  # relative, how far below the total a query's ε may leave it


def releases_within(
    epsilon: ArrayLike, delta: ArrayLike, releases: Sequence[Release], accountant: str = "certified"
) -> Array:
    """Return the number of runs of a whole list of releases within (ε, δ), rounded down.

    Parameters
    ----------
    epsilon : ε of all runs together, in [0, 1e6], in nats.
    delta : δ of all runs together, in [1e-300, 1).
    releases : the list, at least one; what one run releases.
    accountant : "basic", "advanced", "kairouz", "zcdp", "rdp" or "certified".

    Returns
    -------
    A whole number as a float, of the shape of ε and δ: 0 if not even one run is kept, and the most for which no line is
    released more than 1e6 times where more would be kept.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> [float(releases_within(1, 1e-6, [gaussian_release(42.25)], name)) for name in ("zcdp", "certified")]
    [86.0, 100.0]
    """
    option("accountant", accountant, TOTALS)
    epsilon, delta = number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE)
    if not releases:
        raise ValueError("releases must be at least one, got []")
    listed, most = tuple(releases), math.floor(_MOST_RUNS / max(release.count for release in releases))

    def solve(epsilon: float, delta: float) -> int:
        return most_satisfying(lambda n_runs: _total(repeated(listed, n_runs), delta, accountant), epsilon, most)

    return elementwise(solve, epsilon, delta)


def epsilon_per_query(
    epsilon_total: ArrayLike,
    delta: ArrayLike,
    n_queries: ArrayLike,
    mechanism: str = "guarantee",
    accountant: str = "certified",
) -> Array:
    """Return the ε that each of k equal queries may spend within (ε, δ) in total, rounded down.

    Parameters
    ----------
    epsilon_total : of all queries together, in [1e-6, 1e3], in nats.
    delta : of all queries together, in [1e-300, 1).
    n_queries : k, a whole number in [1, 1e6].
    mechanism : "guarantee" (any mechanism that satisfies ε-DP), "laplace" or "exponential".
    accountant : "basic", "advanced", "kairouz", "zcdp", "rdp" or "certified".

    Returns
    -------
    ε of a query in nats, in [1e-12, 1e3]; 0 if not even 1e-12 is kept.

    Examples
    --------
    >>> print(f"{epsilon_per_query(1, 1e-6, 100):.5f} {epsilon_per_query(1, 1e-6, 100, accountant='basic'):.5f}")
    0.02401 0.01000
    """
    option("accountant", accountant, TOTALS)
    option("mechanism", mechanism, QUERY_MECHANISMS)
    total, delta = number("epsilon_total", epsilon_total, _TOTAL_RANGE), number("delta", delta, DELTA_RANGE)

    def solve(target: float, delta: float, k: float) -> float:
        def query_epsilon(x: float) -> float:
            return min(max(math.exp(-x), _LEAST_EPSILON), _MOST_EPSILON)

        def total(query: float) -> float:
            return _total((_QUERY_RELEASES[mechanism](query, count=int(k)),), delta, accountant)

        def total_at(x: float) -> float:
            return total(query_epsilon(x))

        def log_ratio(x: float) -> float:
            return math.log(min(max(total_at(x) / target, 1e-3), _MOST))

        limits = -math.log(_MOST_EPSILON), -math.log(_LEAST_EPSILON)
        near = _CLOSE_CERTIFIED if accountant == "certified" else _BUDGET_CLOSE
        x = least_satisfying(log_ratio, total_at, target, math.log(k / target), limits, near)
        share = target / k  # of basic composition, which no other search meets exactly
        share = share if total_up([share], [int(k)]) <= target else math.nextafter(share, 0.0)
        is_kept = share >= _LEAST_EPSILON and total(share) <= target
        return max(0.0 if x is None else query_epsilon(x), share if is_kept else 0.0)

    n_queries = integer("n_queries", n_queries, COUNT_RANGE)
    return elementwise(solve, total, delta, n_queries)


def _total(releases: tuple[Release, ...], delta: float, accountant: str) -> float:
    """ε of a list at δ by an accountant, as `epsilon` says it; ∞ where it has no answer."""
    if accountant == "certified":
        return accounts_of(releases, delta).certified(COARSE).value
    return accounts_of(releases, delta).by_rule(accountant).value
