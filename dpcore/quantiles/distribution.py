"""The exact distribution of a released quantile, its bias, and exact draws on a grid."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import (
    POSITIVE_EPSILON_RANGE,
    Array,
    generator,
    number,
    option,
    record,
    scalar,
    scalar_integer,
    shape,
)
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.quantiles.grid import Grid
from dpcore.quantiles.intervals import Intervals, Range
from dpcore.quantiles.release import QUANTILE_RANGE, ReleasedQuantile
from dpcore.selection.probabilities import exponents, flipped_places, proposed_places
from dpcore.selection.winners import MECHANISMS

_MOST_VALUES = "[1, 1e7]"
_DRAWN = {"permute_and_flip": flipped_places, "exponential": proposed_places}


class ReleasedDistribution(NamedTuple):
    """The distribution of a released quantile.

    Attributes
    ----------
    points : of a range the ends of intervals, increasing: its own, and each value between them. A release is uniform
        within each interval. Of a grid the candidates.
    probabilities : of each interval, one fewer than there are points; or of each candidate.
    """

    points: Array
    probabilities: Array


def released_distribution(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: float,
    outputs: Range | Grid,
    neighbours: str = "add_remove",
) -> ReleasedDistribution:
    """Return the distribution of a released quantile, exactly.

    From a range the exponential mechanism draws ([Smi11]): an interval of width w with k values below it has a
    probability ∝ w e^{−ε|k − qn|/(2Δ)}. Equal values leave no interval between them. It is ε-DP, and its losses have a
    range of ε: `composition.exponential_release`. On a grid the scores of candidates are those of
    `dpcore.quantiles.grid`.

    Parameters
    ----------
    values : data in [−1e15, 1e15], or a distribution. At most 1e7 values.
    quantile : q in [0, 1].
    epsilon : in [1e-12, 1e6].
    outputs : what can be released, `Range(low, high)` or `Grid(candidates, mechanism)`.
    neighbours : "add_remove", Δ = max(q, 1 − q), or "replace", Δ = 1.

    Examples
    --------
    >>> points, probabilities = released_distribution([2, 3, 3, 7], 0.5, 1.0, Range(0, 10))
    >>> points.tolist(), probabilities.round(4).tolist()
    ([0.0, 2.0, 3.0, 7.0, 10.0], [0.1076, 0.1462, 0.5848, 0.1614])
    >>> ages, candidates = [23, 31, 31, 34, 40, 52, 60], [20, 30, 34, 40, 50]
    >>> released_distribution(ages, 0.5, 1.0, Grid(candidates)).probabilities.round(4).tolist()
    [0.011, 0.0304, 0.6018, 0.2707, 0.0861]
    >>> released_distribution(ages, 0.5, 1.0, Grid(candidates, "binary_search")).probabilities.round(4).tolist()
    [0.0029, 0.0577, 0.5811, 0.2924, 0.0659]
    """
    loss = scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    release = single_release(values, quantile, outputs, neighbours).at(loss)
    return ReleasedDistribution(release.points, release.probabilities)


def bias(
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    outputs: Range | Grid,
    neighbours: str = "add_remove",
) -> Array:
    """E[release] − quantile of the values.

    It is the mean of how far each candidate, or the middle of each interval, is above the truth, which lies between
    two values linearly, as in `numpy.quantile`.

    Parameters
    ----------
    values, outputs, neighbours : as in `released_distribution`.
    quantile, epsilon : as there; they broadcast, with the ends of a range too.

    Returns
    -------
    The bias in the unit of the values.

    Examples
    --------
    >>> bias(range(1, 1001), 0.5, [0.01, 0.1], Range(0, 10_000)).round(3).tolist()
    [1169.221, 0.0]
    """

    def mean_excess(release: ReleasedQuantile) -> float:
        return float(release.probabilities @ release.deviations)

    return each_release(mean_excess, values, quantile, epsilon, outputs, neighbours)


def sample(
    rng: np.random.Generator,
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: float,
    outputs: Range | Grid,
    neighbours: str = "add_remove",
    size: int | tuple[int, ...] | None = None,
) -> Array:
    """Draws of a released quantile: exact on a grid; from a range for trials and pictures.

    On a grid scores and exponents are fractions, and coins are tossed in whole numbers. From a range an interval is
    drawn by its probability, and a number of it uniformly: a release needs a sampler that floating point cannot betray.

    Equal values leave an interval of width 0 between them, which is never chosen: where many people have the same
    value, the release from a range is uniform between it and its neighbours, or the ends of the range, however many
    people there are and however large ε is. Values spread by independent random numbers of half their rounding step
    avoid that, and so does a grid.

    Parameters
    ----------
    rng : the source of randomness. With a seed that others may know it is a trial.
    values, quantile, epsilon, neighbours : as in `released_distribution`.
    outputs : as there; of a grid's mechanisms, "permute_and_flip" or "exponential".
    size : shape of the result; by default one draw.

    Examples
    --------
    >>> ages = [23, 31, 31, 34, 40, 52, 60]
    >>> sample(np.random.default_rng(1), ages, 0.5, 1.0, Grid(np.arange(121)), size=5).tolist()
    [68.0, 34.0, 3.0, 34.0, 51.0]

    The median of equal values is anywhere in a range; that of spread ones is near.

    >>> rng, equal = np.random.default_rng(1), np.full(1000, 5.0)
    >>> [round(float(sample(rng, equal, 0.5, 1.0, Range(0, 10))), 2) for _ in range(3)]
    [9.75, 4.74, 2.12]
    >>> spread = equal + rng.uniform(-0.5, 0.5, 1000)
    >>> 4.9 < float(sample(rng, spread, 0.5, 1.0, Range(0, 10))) < 5.1
    True
    """
    generator("rng", rng)
    release = single_release(values, quantile, outputs, neighbours)
    option("mechanism", outputs.mechanism, tuple(_DRAWN))
    loss = scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    if isinstance(release, Intervals):
        return release.at(loss).sample(rng, shape("size", size))
    exact = Fraction(release.quantile)
    sensitivity = max(exact, 1 - exact) if neighbours == "add_remove" else Fraction(1)
    aim, pairs = exact * release.n, zip(release.n_below.tolist(), release.n_at_or_below.tolist(), strict=True)
    score = [-max(Fraction(0), low - aim, aim - high) for low, high in pairs]
    return release.points[_DRAWN[outputs.mechanism](rng, *exponents(score, Fraction(loss) / (2 * sensitivity)), size)]


def sample_of(values: ArrayLike | Distribution | Data) -> Data:
    """Return values as data: as they are, or of a distribution its quantiles at (i − ½)/n."""
    known = as_values(values)
    n_values = scalar_integer("the number of values", known.n, _MOST_VALUES)
    return known if isinstance(known, Data) else Data(known.quantile((np.arange(n_values) + 0.5) / n_values))


def single_release(
    values: ArrayLike | Distribution | Data, quantile: float, outputs: Range | Grid, neighbours: str
) -> ReleasedQuantile:
    """Return the release of one quantile of values at ε = 1."""
    record("outputs", outputs, Range, Grid)
    ordered, share = sample_of(values).sorted, scalar("quantile", quantile, QUANTILE_RANGE)
    return outputs.release_of(ordered, share, 1.0, neighbours)


def typical_releases(
    values: ArrayLike | Distribution | Data, quantile: float, epsilon: float, outputs: Range | Grid, neighbours: str
) -> Callable[[int], ReleasedQuantile]:
    """Return the release of a quantile of a typical sample, by its n: of data, values between two of them linearly."""
    record("outputs", outputs, Range, Grid)
    option("mechanism", outputs.mechanism, MECHANISMS)
    known, share = as_values(values), scalar("quantile", quantile, QUANTILE_RANGE)
    loss = scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    value_at = partial(np.quantile, known.sorted) if isinstance(known, Data) else known.quantile
    return lambda n: outputs.typical_release(value_at, n, share, loss, neighbours)


def each_release(
    measure: Callable[..., object],
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    outputs: Range | Grid,
    neighbours: str,
    *others: Array,
) -> Array:
    """Return a measure of the release at each entry of arrays that broadcast; several measures have an axis more.

    The measure gets the release, and the entries of the other arrays.
    """
    record("outputs", outputs, Range, Grid)
    ordered = sample_of(values).sorted
    of_release = number("quantile", quantile, QUANTILE_RANGE), *outputs.arrays
    broadcast = np.broadcast(*of_release, number("epsilon", epsilon, POSITIVE_EPSILON_RANGE), *others)
    rows, n_own = (tuple(map(float, entries)) for entries in broadcast), len(of_release)
    results: list[object] = []
    for (share, *ends), alike in groupby(rows, itemgetter(slice(n_own))):
        own = Range(*ends) if isinstance(outputs, Range) else outputs
        release = own.release_of(ordered, share, 1.0, neighbours)
        results += [measure(release.at(row[n_own]), *row[n_own + 1 :]) for row in alike]
    array = np.array(results, np.float64)
    return array.reshape(broadcast.shape + array.shape[1:])[()]
