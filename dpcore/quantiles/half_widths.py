"""How far a released quantile is from the true one in most releases, and which ε or n an error requires."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import POSITIVE_EPSILON_RANGE, SIGNIFICANCE_RANGE, Array, interval_bounds, number, refuse, scalar
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.quantiles.released import (
    QUANTILE_RANGE,
    Intervals,
    each_release,
    intervals,
    ordered_values,
    typical_intervals,
    values_at,
)
from dpcore.roots import bisect, positive_mean, safe_root
from dpcore.rounding import ULP, round_sum_up

ERROR_RANGE = "(0, 1e16]"
MOST_RECORDS = 10**6  # that are tried
_HALVINGS = 100
_LEAST = 1e-300  # probability whose logarithm is taken
_LARGE = 1000  # number of values
_FEW_EDGES = 5000  # of which all distances are tried at once
_TRIED = 1 + np.append(0.0, ULP * 2.0 ** np.arange(40))  # times a distance that may be too small by rounding
_CLOSE, _FIRST_STEP = 1e-12, 0.1  # relative, of an ε


def half_width(
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    significance: ArrayLike = 0.05,
    neighbours: str = "add_remove",
) -> Array:
    """Return the least a with Pr(|release − quantile of the values| > a) ≤ α, by the exact distribution.

    The quantile of the values lies between two of them linearly, as in `numpy.quantile`, and within the range. The
    example is of 1, …, 1000, whose 0.9 quantile is on a cliff at ε = 0.1.

    Parameters
    ----------
    values, neighbours : as in `released_distribution`.
    quantile, epsilon, low, high : as there; they broadcast.
    significance : α in [1e-300, 1), broadcasts too.

    Returns
    -------
    a in the unit of the values, rounded up.

    Examples
    --------
    >>> half_width(range(1, 1001), 0.5, [0.01, 0.1, 1], 0, 10_000).round(6).tolist()
    [7575.356125, 29.957196, 2.995373]
    >>> half_width(range(1, 1001), 0.9, [0.1, 1], 0, 10_000).round(4).tolist()
    [8185.0983, 5.4324]
    """
    alpha = number("significance", significance, SIGNIFICANCE_RANGE)
    return each_release(least_distance, values, quantile, epsilon, low, high, neighbours, alpha)


def rank_half_width(
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    significance: ArrayLike = 0.05,
    neighbours: str = "add_remove",
) -> Array:
    """Return the least a with Pr(|n_below(release) − qn| > a) ≤ α: the error in ranks, that is, in people.

    For a median without ties it is about ln(1/α)/ε if a person is added or removed, whatever n is; and more on the
    cliff, where the empty range beyond the data is probable.

    Parameters
    ----------
    values, neighbours : as in `released_distribution`.
    quantile, epsilon, low, high : as there; they broadcast.
    significance : α in [1e-300, 1), broadcasts too.

    Examples
    --------
    >>> rank_half_width(range(1, 1001), 0.5, [0.01, 0.1, 1], 0, 10_000).tolist()
    [500.0, 30.0, 3.0]
    """
    alpha = number("significance", significance, SIGNIFICANCE_RANGE)
    return each_release(_least_rank, values, quantile, epsilon, low, high, neighbours, alpha)


def least_epsilon(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    error: float,
    low: float,
    high: float,
    significance: float = 0.05,
    neighbours: str = "add_remove",
) -> float:
    """Return the least ε whose `half_width` is at most a wanted error.

    Parameters
    ----------
    values, quantile, low, high, neighbours : as in `released_distribution`.
    error : the wanted half-width in the unit of the values.
    significance : α in [1e-300, 1).

    Returns
    -------
    ε in [1e-12, 1e6], rounded up: its half-width was computed.

    Raises
    ------
    ValueError
        `error must be in [0.475, 1e16], got 0.1` where the values next to the quantile are so far apart that no ε is
        enough: between these, the release is uniform.

    Examples
    --------
    >>> f"{least_epsilon(range(1, 1001), 0.5, 10, 0, 10_000):.4f}"
    '0.2996'
    """
    wanted, ordered = scalar("error", error, ERROR_RANGE), ordered_values(values)
    alpha = scalar("significance", significance, SIGNIFICANCE_RANGE)
    share = scalar("quantile", quantile, QUANTILE_RANGE)
    known = intervals(ordered, share, 1.0, low, high, neighbours)

    def outside(epsilon: float) -> float:
        return float(replace(known, rate=known.rate * epsilon).outside(np.asarray(wanted)))

    def reached(epsilon: float) -> float:
        return float(half_width(ordered, share, epsilon, low, high, alpha, neighbours))

    return least_loss(outside, reached, ordered, known.truth, wanted, alpha)


def least_loss(
    outside: Callable[[float], float],
    reached: Callable[[float], float],
    ordered: Array,
    truth: float,
    wanted: float,
    significance: float,
) -> float:
    """Return the least ε whose release is outside ± the wanted error with a probability of at most α.

    The search begins at the ε of an error in ranks: Pr(|rank − qn| > r) is about e^{−εr/(2Δ)} with Δ = ½.
    """
    least, most = interval_bounds(POSITIVE_EPSILON_RANGE)
    if outside(most) > significance:
        refuse("error", np.asarray(wanted), np.asarray(True), f"[{reached(most):.6g}, 1e16]")
    below, at, above = np.searchsorted(ordered, [truth - wanted, truth, truth + wanted]).tolist()
    guess = -np.log(significance) / max(min(at - below, above - at), 0.5)

    def log_excess(_: object, epsilons: Array) -> Array:
        tails = np.array([outside(min(epsilon, most)) for epsilon in epsilons.tolist()])
        return np.log(np.maximum(tails, _LEAST) / significance)

    return min(float(safe_root(log_excess, [np.clip(guess, least, most)], [least], _CLOSE, _FIRST_STEP)[0]), most)


def least_records(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    error: float,
    epsilon: float,
    low: float,
    high: float,
    significance: float = 0.05,
    neighbours: str = "add_remove",
) -> int:
    """Return the least n whose typical sample of the values has a `half_width` of at most a wanted error.

    A typical sample has the quantiles at (i − ½)/n, of data those between two values linearly. Whether n is odd or even
    moves the error of a small sample; of two neighbouring n, the larger may have the larger error.

    Parameters
    ----------
    values, quantile, low, high, neighbours : as in `released_distribution`; how many values there are has no effect.
    error : the wanted half-width in the unit of the values.
    epsilon : in [1e-12, 1e6].
    significance : α in [1e-300, 1).

    Returns
    -------
    n in [1, 1e6]: its half-width was computed.

    Raises
    ------
    ValueError
        `error must be in [0.000335, 1e16], got 1e-06` where a million values are too few.

    Examples
    --------
    >>> from dpcore.clipping import lognormal
    >>> waiting_times = lognormal(np.log(30), 0.8, 1)
    >>> least_records(waiting_times, 0.5, 1.0, 0.5, 0, 600)
    362
    """
    wanted, alpha = scalar("error", error, ERROR_RANGE), scalar("significance", significance, SIGNIFICANCE_RANGE)
    share, epsilon = scalar("quantile", quantile, QUANTILE_RANGE), scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    value_at = partial(values_at, as_values(values))

    def sample(n: int) -> Intervals:
        return typical_intervals(value_at, n, share, epsilon, low, high, neighbours)

    enough = least_count(lambda n: float(sample(n).outside(np.asarray(wanted))), alpha)
    if not enough:
        reached = least_distance(sample(MOST_RECORDS), alpha)
        refuse("error", np.asarray(wanted), np.asarray(True), f"[{reached:.6g}, 1e16]")
    return enough


def least_count(probability: Callable[[int], float], limit: float) -> int:
    """Return an n up to a million with a probability of at most a limit where n − 1 has more; 0 if a million has more.

    It is bracketed by doubling, and then by halving. Between two large n, the line through both logarithms
    is tried first, and its neighbours: the logarithm of the probability is about linear in n.
    """

    def excess_at(n: int) -> float:
        reached = probability(n)
        return min(np.log(max(reached, _LEAST) / limit), 0.0) if reached <= limit else max(np.log(reached / limit), ULP)

    few, many, at_few, at_many = 0, 1, 0.0, excess_at(1)
    while at_many > 0:
        if many == MOST_RECORDS:
            return 0
        few, at_few, many = many, at_many, min(2 * many, MOST_RECORDS)
        at_many = excess_at(many)
    while many - few > 1:
        line = int(np.ceil(few + (many - few) * at_few / (at_few - at_many)))
        on_line = (line, line - 1, line + 1) if few >= _LARGE else ()
        for n in (*on_line, (few + many) // 2):
            if not few < n < many:
                continue
            excess = excess_at(n)
            if excess > 0:
                few, at_few = n, excess
            else:
                many, at_many = n, excess
    return many


def least_distance(known: Intervals, significance: float) -> float:
    """Return the half-width in the unit of the values; c ± a and the truth c are rounded too."""
    if known.edges.size <= _FEW_EDGES:
        distance = _distance_between_edges(known, significance)
    else:
        farthest = max(known.truth - known.edges[0], known.edges[-1] - known.truth)
        _, enough = bisect(lambda a: known.outside(a) <= significance, 0.0, farthest, _HALVINGS, positive_mean)
        distance = float(enough)
    return float(round_sum_up(distance, abs(known.truth) + distance, 4))


def _distance_between_edges(known: Intervals, significance: float) -> float:
    """Return the least distance beyond which there is a probability of at most α, from those at all edges at once.

    Between two distances of edges the probability is linear; as much more as its rounding may need is tried too.
    """
    distances = np.unique(np.append(abs(known.edges - known.truth), 0.0))
    chances = known.outside(distances)
    far = int(np.count_nonzero(chances > significance))  # at distance 0 it is 1, and at the farthest edge 0
    near = far - 1
    share = (chances[near] - significance) / (chances[near] - chances[far])
    tried = distances[near] + share * (distances[far] - distances[near]) * _TRIED
    tried = np.append(np.minimum(tried, distances[far]), distances[far])
    return float(tried[known.outside(tried) <= significance][0])


def _least_rank(known: Intervals, significance: float) -> float:
    """Return the half-width in ranks."""
    chance = known.weights / known.total * (1 + known.rounding)
    return least_reached(abs(known.n_below - known.aim), chance, significance)


def least_reached(distance: Array, chance: Array, significance: float) -> float:
    """Return the least of some distances beyond which there is a probability of at most α.

    They are taken in falling order, until the probability of those before is too much.
    """
    falling = np.argsort(-distance, kind="stable")
    place = int(np.searchsorted(np.cumsum(chance[falling]), significance, side="right"))
    return float(distance[falling[min(place, falling.size - 1)]])
