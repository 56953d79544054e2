"""The number of runs of a list of releases, and the ε of each of k equal queries, that a budget allows, by accountant.

Accountants are those of `dpcore.composition.epsilon`: "basic", "advanced" and "kairouz", which share δ where a release
needs some; "zcdp", "rdp"; "certified", the smaller of RDP and the certified loss distribution. Each is an upper bound
of ε, which rises with how often and how much is released, so a search looks for the answer, and what is returned was
checked itself: numbers of runs and ε of a query are rounded down. A total that is met exactly is met, as by four times
0.25 within 1; numbers are the doubles that they are, of which ten times 0.1 is more than 1.
"""

import math
from collections.abc import Sequence

from numpy.typing import ArrayLike

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, integer, interval_bounds, number, option
from dpcore.composition._accounts import COARSE, certified_account, repeated, rule_account
from dpcore.composition._elementwise import elementwise
from dpcore.composition._targets import least_satisfying, most_satisfying
from dpcore.composition.releases import COUNT_RANGE, Release, exponential_release, guarantee_release, laplace_release
from dpcore.rounding import total_up

TOTALS = ("basic", "advanced", "kairouz", "zcdp", "rdp", "certified")
QUERY_MECHANISMS = ("guarantee", "laplace", "exponential")
_MADE = {"guarantee": guarantee_release, "laplace": laplace_release, "exponential": exponential_release}
_TOTAL_RANGE = "[1e-6, 1e3]"
_MOST_RUNS = interval_bounds(COUNT_RANGE)[1]
_MOST = 1e300  # an ε that is not ∞
_LEAST_EPSILON, _MOST_EPSILON = 1e-12, 1e3  # of a query
_CLOSE, _CLOSE_CERTIFIED = 1e-9, 5e-4  # relative, how far below the total a query's ε may leave it


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
            return _total((_MADE[mechanism](query, count=int(k)),), delta, accountant)

        def total_at(x: float) -> float:
            return total(query_epsilon(x))

        limits = -math.log(_MOST_EPSILON), -math.log(_LEAST_EPSILON)
        near = _CLOSE_CERTIFIED if accountant == "certified" else _CLOSE
        x = least_satisfying(lambda x: _over(total_at(x), target), total_at, target, math.log(k / target), limits, near)
        share = _share_down(target, int(k))  # of basic composition, which no other search meets exactly
        is_kept = share >= _LEAST_EPSILON and total(share) <= target
        return max(0.0 if x is None else query_epsilon(x), share if is_kept else 0.0)

    n_queries = integer("n_queries", n_queries, COUNT_RANGE)
    return elementwise(solve, total, delta, n_queries)


def _share_down(total: float, k: int) -> float:
    """Return the largest ε of which k sum to no more than a total, exactly."""
    share = total / k
    return share if total_up([share], [k]) <= total else math.nextafter(share, 0.0)


def _over(value: float, target: float) -> float:
    """Return ln(value / target), kept finite, or only its sign where the target is 0."""
    return math.log(min(max(value / target, 1e-3), _MOST)) if target else float(value > 0) - 0.5


def _total(releases: tuple[Release, ...], delta: float, accountant: str) -> float:
    """ε of a list at δ by an accountant, as `epsilon` says it; ∞ where it has no answer."""
    if accountant == "certified":
        return certified_account(releases, delta, COARSE).value
    return rule_account(accountant, releases, delta).value
