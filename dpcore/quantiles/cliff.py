"""The cliff: a release in the empty part of the range beyond all values, and from which ε or n on it is rare.

Its probability grows with the width of the range, which is why bounds must be no wider than needed, and why a maximum
cannot be released.

On a grid the release is among the candidates beyond all values (`grid_cliff_probability`).
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore._records import plain
from dpcore.checks import POSITIVE_EPSILON_RANGE, Array, interval_bounds, number, option, refuse, scalar
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.quantiles.grid import grid_release
from dpcore.quantiles.half_widths import MOST_RECORDS, least_count
from dpcore.quantiles.released import (
    QUANTILE_RANGE,
    Intervals,
    each_release,
    intervals,
    ordered_values,
    typical_intervals,
    values_at,
)
from dpcore.selection.winners import MECHANISMS

PROBABILITY_RANGE = "(0, 1)"
_N_HALVINGS = 30


class Cliff(NamedTuple):
    """How probable a release beyond all values is, rounded up.

    Attributes
    ----------
    below : between the lower end of the range and the least value.
    above : between the greatest value and the upper end of the range.
    """

    below: Array
    above: Array


def cliff_probability(
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    neighbours: str = "add_remove",
) -> Cliff:
    """Return how probable a release beyond all values is: in the empty part of the range, on either side.

    The example is of 1, …, 1000.

    Parameters
    ----------
    values, neighbours : as in `released_distribution`.
    quantile, epsilon, low, high : as there; they broadcast.

    Examples
    --------
    >>> ", ".join(f"{share:.4g}" for share in cliff_probability(range(1, 1001), 0.9, [0.1, 1], 0, 10_000).above)
    '0.4919, 1.818e-21'
    """
    both = each_release(_cliff, values, quantile, epsilon, low, high, neighbours)
    return Cliff(plain(both[..., 0]), plain(both[..., 1]))


def epsilon_without_cliff(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    low: float,
    high: float,
    probability: float = 1e-3,
    neighbours: str = "add_remove",
    least_epsilon: float = 1e-12,
) -> float:
    """Return the ε from which on a release beyond all values is at most so probable, on both sides together.

    Parameters
    ----------
    values, quantile, low, high, neighbours : as in `released_distribution`.
    probability : of a release beyond the values, in (0, 1).
    least_epsilon : in [1e-12, 1e6], where the search ends.

    Returns
    -------
    ε in [1e-12, 1e6]: its cliff was computed. It is `least_epsilon` where the cliff is rare there and above.

    Raises
    ------
    ValueError
        `probability must be in [0.475, 1), got 0.001` where no ε is enough, as for a maximum.

    Examples
    --------
    >>> numbers, wide, wider = range(1, 1001), 10_000, 20_000
    >>> [round(epsilon_without_cliff(numbers, 0.9, 0, high), 4) for high in (wide, wider)]
    [0.2394, 0.2539]
    """
    share = scalar("quantile", quantile, QUANTILE_RANGE)
    known = intervals(ordered_values(values), share, 1.0, low, high, neighbours)
    return _least_rare_epsilon(
        lambda loss: sum(_cliff(replace(known, rate=known.rate * loss))), probability, least_epsilon
    )


def _least_rare_epsilon(cliff: Callable[[float], float], probability: float, least_epsilon: float) -> float:
    """Return the ε from which on a cliff, a function of ε, is at most so probable, or raise where none is enough.

    A cliff may grow with ε before it falls: ε is halved until the cliff is too probable, and is sought from there on.
    """
    limit = scalar("probability", probability, PROBABILITY_RANGE)
    least = scalar("least_epsilon", least_epsilon, POSITIVE_EPSILON_RANGE)
    rare = interval_bounds(POSITIVE_EPSILON_RANGE)[1]
    reached = cliff(rare)
    refuse("probability", np.asarray(limit), np.asarray(reached > limit), f"[{reached:.6g}, 1)")
    frequent = max(rare / 2, least)
    while cliff(frequent) <= limit:
        rare = frequent
        if rare == least:
            return rare
        frequent = max(rare / 2, least)
    for _ in range(_N_HALVINGS):
        middle = np.sqrt(frequent * rare)
        frequent, rare = (middle, rare) if cliff(middle) > limit else (frequent, middle)
    return float(rare)


def records_without_cliff(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: float,
    low: float,
    high: float,
    probability: float = 1e-3,
    neighbours: str = "add_remove",
) -> int:
    """Return the least n of whose typical sample a release beyond all values is at most so probable.

    Parameters
    ----------
    values, quantile, low, high, neighbours : as in `released_distribution`; how many values there are has no effect.
    epsilon : in [1e-12, 1e6].
    probability : of a release beyond the values, in (0, 1).

    Returns
    -------
    n in [1, 1e6].

    Raises
    ------
    ValueError
        `probability must be in [0.475, 1), got 0.001` where a million values are too few.

    Examples
    --------
    >>> [records_without_cliff(range(1, 1001), 0.9, epsilon, 0, 10_000) for epsilon in (0.1, 1)]
    [2395, 240]
    """
    limit, share = scalar("probability", probability, PROBABILITY_RANGE), scalar("quantile", quantile, QUANTILE_RANGE)
    value_at, loss = partial(values_at, as_values(values)), scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)

    def beyond(n: int) -> float:
        return sum(_cliff(typical_intervals(value_at, n, share, loss, low, high, neighbours)))

    enough = least_count(beyond, limit)
    if not enough:
        refuse("probability", np.asarray(limit), np.asarray(True), f"[{beyond(MOST_RECORDS):.6g}, 1)")
    return enough


def _cliff(known: Intervals) -> tuple[float, float]:
    """Return the probability of a release below all values, and of one above them, not too small."""
    up = (1 + known.rounding) / known.total
    below = float(known.weights[0] * up) if known.n_below[0] == 0 else 0.0
    return below, float(known.weights[-1] * up) if known.n_below[-1] == known.n else 0.0


def grid_cliff_probability(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: ArrayLike,
    candidates: ArrayLike,
    neighbours: str = "add_remove",
    mechanism: str = "permute_and_flip",
) -> Cliff:
    """Return how probable the release of a candidate beyond all values is, on either side, rounded up.

    Parameters
    ----------
    values, quantile, candidates, neighbours, mechanism : as in `grid_distribution`.
    epsilon : in [1e-12, 1e6].

    Returns
    -------
    Below all values and above them, each in the shape of ε.

    Examples
    --------
    >>> grid = np.arange(10_001)
    >>> above = grid_cliff_probability(range(1, 1001), 0.9, [0.1, 0.2, 1], grid).above
    >>> ", ".join(f"{share:.4g}" for share in above)
    '0.4833, 0.006832, 1.247e-21'
    """
    losses = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    release = grid_release(values, quantile, candidates, neighbours, mechanism)
    both = [release.is_beyond @ release.chances(loss) for loss in losses.ravel()]
    below, above = (np.reshape(side, losses.shape) for side in np.transpose(both))
    return Cliff(plain(below), plain(above))


def grid_epsilon_without_cliff(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    candidates: ArrayLike,
    probability: float = 1e-3,
    neighbours: str = "add_remove",
    mechanism: str = "permute_and_flip",
    least_epsilon: float = 1e-12,
) -> float:
    """Return the ε from which on the release of a candidate beyond all values is at most so probable.

    It is `epsilon_without_cliff` on a grid.

    Parameters
    ----------
    values, quantile, candidates, neighbours, mechanism : as in `grid_least_epsilon`.
    probability, least_epsilon : as in `epsilon_without_cliff`.

    Examples
    --------
    >>> numbers = range(1, 1001)
    >>> [round(grid_epsilon_without_cliff(numbers, 0.9, np.arange(high + 1)), 4) for high in (10_000, 20_000)]
    [0.2375, 0.2519]
    """
    option("mechanism", mechanism, MECHANISMS)
    release = grid_release(values, quantile, candidates, neighbours, mechanism)
    is_beyond = release.is_beyond.any(axis=0)
    return _least_rare_epsilon(lambda loss: float(is_beyond @ release.chances(loss)), probability, least_epsilon)
