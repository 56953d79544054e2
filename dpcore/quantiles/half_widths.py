"""How far a released quantile is from the true one in most releases, and which ε or n an error requires."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dpcore._binomial import least_with_tail
from dpcore.checks import (
    POSITIVE_EPSILON_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    interval_bounds,
    number,
    option,
    refuse,
    scalar,
)
from dpcore.clipping.distributions import Data, Distribution
from dpcore.quantiles.distribution import each_release, sample_of, single_release, typical_releases
from dpcore.quantiles.grid import Grid
from dpcore.quantiles.intervals import Range
from dpcore.quantiles.release import ReleasedQuantile, least_reached
from dpcore.roots import safe_root
from dpcore.rounding import ULP
from dpcore.selection.winners import MECHANISMS

ERROR_RANGE = "(0, 1e16]"
MOST_RECORDS = 10**6  # that are tried
_LEAST = 1e-300  # probability whose logarithm is taken
_LARGE = 1000  # number of values
_CLOSE, _FIRST_STEP = 1e-12, 0.1  # relative, of an ε
_SHARES = (0.9, 0.5, 0.2, 0.05, 0.01)  # of α, for the release
_ROUNDING = 1e-9  # of a share of α, for the binomial distribution


def half_width(
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    outputs: Range | Grid,
    significance: ArrayLike = 0.05,
    neighbours: str = "add_remove",
) -> Array:
    """Return the least a with Pr(|release − quantile of the values| > a) ≤ α, by the exact distribution.

    The quantile of the values lies between two of them linearly, as in `numpy.quantile`; of a range, the values are
    those within it. On a grid a is the distance of a candidate from it, so that its step is in a. The first example is
    of 1, …, 1000, whose 0.9 quantile is on a cliff at ε = 0.1.

    Parameters
    ----------
    values, outputs, neighbours : as in `released_distribution`.
    quantile, epsilon : as there; they broadcast, with the ends of a range too.
    significance : α in [1e-300, 1), broadcasts too.

    Returns
    -------
    a in the unit of the values, rounded up.

    Examples
    --------
    >>> half_width(range(1, 1001), 0.5, [0.01, 0.1, 1], Range(0, 10_000)).round(6).tolist()
    [7575.356125, 29.957196, 2.995373]
    >>> half_width(range(1, 1001), 0.9, [0.1, 1], Range(0, 10_000)).round(4).tolist()
    [8185.0983, 5.4324]
    >>> ages = np.random.default_rng(1).integers(18, 90, 1000)
    >>> half_width(ages, 0.5, [0.1, 0.5, 1], Grid(np.arange(121))).tolist()
    [2.0, 0.0, 0.0]
    >>> half_width(ages, 0.5, [0.1, 0.5, 1], Grid(np.arange(121), "binary_search")).tolist()
    [6.0, 1.0, 1.0]
    """
    alpha = number("significance", significance, SIGNIFICANCE_RANGE)

    def width(release: ReleasedQuantile, level: float) -> float:
        return release.half_width(level)

    return each_release(width, values, quantile, epsilon, outputs, neighbours, alpha)


def rank_half_width(
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    outputs: Range | Grid,
    significance: ArrayLike = 0.05,
    neighbours: str = "add_remove",
) -> Array:
    """Return the least a with Pr(rank error > a) ≤ α, in people.

    The rank error of a release is max(0, n_below − qn, qn − n_at_or_below), which is |n_below − qn| where no value is.
    For a median without ties a is about ln(1/α)/ε if a person is added or removed, whatever n is; and more on the
    cliff, where the empty range beyond the data is probable.

    Parameters
    ----------
    values, quantile, epsilon, outputs, significance, neighbours : as in `half_width`.

    Examples
    --------
    >>> rank_half_width(range(1, 1001), 0.5, [0.01, 0.1, 1], Range(0, 10_000)).tolist()
    [500.0, 30.0, 3.0]
    """
    alpha = number("significance", significance, SIGNIFICANCE_RANGE)

    def width(release: ReleasedQuantile, level: float) -> float:
        return least_reached(release.rank_errors, release.chances, level)

    return each_release(width, values, quantile, epsilon, outputs, neighbours, alpha)


def population_half_width(
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    outputs: Range | Grid,
    significance: ArrayLike = 0.05,
    neighbours: str = "add_remove",
) -> Array:
    """Return an a with Pr(|release − quantile of the population| > a) ≤ α, over random samples and releases.

    A part β of α is spent on the sample: the population's quantile lies between the order statistics a and b with
    Pr(Bin(n, q) < a) + Pr(Bin(n, q) ≥ b) ≤ β, whatever the distribution is. The rest is spent on the release
    (`half_width`); the sum of both distances is the least over several parts. No independence is used, so it is on the
    safe side. Like the half-width of a release, it is read off the values, and so is itself confidential.

    Parameters
    ----------
    values, quantile, epsilon, outputs, neighbours : as in `half_width`; the population lies between the ends of the
        range, or of the grid.
    significance : α in [1e-300, 1), broadcasts too.

    Returns
    -------
    a in the unit of the values, rounded up.

    Examples
    --------
    >>> from dpcore.clipping import lognormal
    >>> waiting_times = lognormal(np.log(30), 0.8, 12_400)
    >>> population_half_width(waiting_times, 0.5, [0.1, 0.5], Range(0, 600)).round(3).tolist()
    [0.784, 0.599]
    >>> ages = np.random.default_rng(1).integers(18, 90, 1000)
    >>> population_half_width(ages, 0.5, [0.1, 0.5, 1], Grid(np.arange(121))).tolist()
    [5.0, 3.0, 3.0]
    """
    alpha, known = number("significance", significance, SIGNIFICANCE_RANGE), sample_of(values)

    def width(release: ReleasedQuantile, level: float) -> float:
        sums = []
        for share in _SHARES:
            ranks = _ranks((1 - share) * level, release.n, release.quantile)
            low, high = (_order_statistic(release, known.sorted, rank) for rank in ranks)
            distance = max(release.truth - low, high - release.truth)
            sums.append(distance + release.half_width(share * level))
        return min(sums)

    return each_release(width, known, quantile, epsilon, outputs, neighbours, alpha)


def _ranks(level: float, n: int, quantile: float) -> tuple[int, int]:
    """Return the ranks, 0 to n + 1, of the order statistics between which the population's quantile lies but for β."""
    tail = level / 2 * (1 - _ROUNDING)
    return n - least_with_tail(n, 1 - quantile, tail), least_with_tail(n, quantile, tail) + 1


def _order_statistic(release: ReleasedQuantile, ordered: Array, rank: int) -> float:
    """Return the value of a rank, counted from 1 on: below that the least output, beyond n the greatest."""
    if rank == 0:
        return release.points.min()
    return release.points.max() if rank > release.n else release.counted(ordered[rank - 1])


def least_epsilon(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    error: float,
    outputs: Range | Grid,
    significance: float = 0.05,
    neighbours: str = "add_remove",
) -> float:
    """Return the least ε whose `half_width` is at most a wanted error.

    Parameters
    ----------
    values, quantile, outputs, neighbours : as in `released_distribution`; no binary search, whose error may rise with
        ε.
    error : the wanted half-width in the unit of the values.
    significance : α in [1e-300, 1).

    Returns
    -------
    ε in [1e-12, 1e6], rounded up: its half-width was computed.

    Raises
    ------
    ValueError
        `error must be in [0.475, 1e16], got 0.1` where no ε is enough: the values next to the quantile are so far
        apart, and between them a release from a range is uniform; or no candidate is so near to it.

    Examples
    --------
    >>> f"{least_epsilon(range(1, 1001), 0.5, 10, Range(0, 10_000)):.4f}"
    '0.2996'
    >>> ages = np.random.default_rng(1).integers(18, 90, 1000)
    >>> [round(least_epsilon(ages, 0.5, error, Grid(np.arange(121))), 4) for error in (1, 2)]
    [0.1382, 0.0832]
    """
    wanted, known = scalar("error", error, ERROR_RANGE), sample_of(values)
    alpha = scalar("significance", significance, SIGNIFICANCE_RANGE)
    release = single_release(known, quantile, outputs, neighbours)
    option("mechanism", outputs.mechanism, MECHANISMS)
    least, most = interval_bounds(POSITIVE_EPSILON_RANGE)
    if release.at(most).outside(wanted) > alpha:
        refuse("error", np.asarray(wanted), np.asarray(True), f"[{release.at(most).half_width(alpha):.6g}, 1e16]")
    truth = release.truth
    below, at, above = np.searchsorted(known.sorted, [truth - wanted, truth, truth + wanted]).tolist()
    # the ε of an error in ranks: Pr(|rank − qn| > r) is about e^{−εr/(2Δ)} with Δ = ½
    guess = -np.log(alpha) / max(min(at - below, above - at), 0.5)

    def log_excess(_: object, epsilons: Array) -> Array:
        tails = np.array([release.at(min(epsilon, most)).outside(wanted) for epsilon in epsilons.tolist()])
        return np.log(np.maximum(tails, _LEAST) / alpha)

    return min(float(safe_root(log_excess, [np.clip(guess, least, most)], [least], _CLOSE, _FIRST_STEP)[0]), most)


def least_records(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    error: float,
    epsilon: float,
    outputs: Range | Grid,
    significance: float = 0.05,
    neighbours: str = "add_remove",
) -> int:
    """Return the least n whose typical sample of the values has a `half_width` of at most a wanted error.

    A typical sample has the quantiles at (i − ½)/n, of data those between two values linearly; on a grid, each value is
    at the nearest candidate, as values that are recorded on the grid are. Whether n is odd or even moves the error of a
    small sample; of two neighbouring n, the larger may have the larger error.

    Parameters
    ----------
    values, quantile, outputs, neighbours : as in `least_epsilon`; how many values there are has no effect.
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
    >>> least_records(waiting_times, 0.5, 1.0, 0.5, Range(0, 600))
    362
    >>> [least_records(waiting_times, 0.5, 1.0, epsilon, Grid(np.arange(601))) for epsilon in (0.5, 1)]
    [228, 104]
    """
    wanted, alpha = scalar("error", error, ERROR_RANGE), scalar("significance", significance, SIGNIFICANCE_RANGE)
    sample = typical_releases(values, quantile, epsilon, outputs, neighbours)
    enough = least_count(lambda n: float(sample(n).outside(wanted)), alpha)
    if not enough:
        reached = sample(MOST_RECORDS).half_width(alpha)
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
