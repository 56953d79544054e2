"""The cliff: a release in the empty part of a range beyond all values, and from which ε or n on it is rare.

Its probability grows with the width of the range, which is why bounds must be no wider than needed, and why a maximum
cannot be released. On a grid the release is one of the candidates beyond all values.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import POSITIVE_EPSILON_RANGE, Array, interval_bounds, option, plain, refuse, scalar
from dpcore.clipping.distributions import Data, Distribution
from dpcore.quantiles.distribution import each_release, single_release, typical_releases
from dpcore.quantiles.grid import Grid
from dpcore.quantiles.half_widths import MOST_RECORDS, least_count
from dpcore.quantiles.intervals import Range
from dpcore.selection.winners import MECHANISMS

_PROBABILITY_RANGE = "(0, 1)"
_N_HALVINGS = 30


class Cliff(NamedTuple):
    """How probable a release beyond all values is, rounded up.

    Attributes
    ----------
    below : between the lower end of the range and the least value, or of a candidate below all values.
    above : between the greatest value and the upper end of the range, or of a candidate above all values.
    """

    below: Array
    above: Array


def cliff_probability(
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    outputs: Range | Grid,
    neighbours: str = "add_remove",
) -> Cliff:
    """Return how probable a release beyond all values is, on either side.

    The example is of 1, …, 1000.

    Parameters
    ----------
    values, outputs, neighbours : as in `released_distribution`.
    quantile, epsilon : as there; they broadcast, with the ends of a range too.

    Examples
    --------
    >>> ", ".join(f"{share:.4g}" for share in cliff_probability(range(1, 1001), 0.9, [0.1, 1], Range(0, 10_000)).above)
    '0.4919, 1.818e-21'
    >>> grid = Grid(np.arange(10_001))
    >>> ", ".join(f"{share:.4g}" for share in cliff_probability(range(1, 1001), 0.9, [0.1, 0.2, 1], grid).above)
    '0.4833, 0.006832, 1.247e-21'
    """
    both = each_release(lambda release: release.beyond, values, quantile, epsilon, outputs, neighbours)
    return Cliff(plain(both[..., 0]), plain(both[..., 1]))


def epsilon_without_cliff(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    outputs: Range | Grid,
    probability: float = 1e-3,
    neighbours: str = "add_remove",
    least_epsilon: float = 1e-12,
) -> float:
    """Return the ε from which on a release beyond all values is at most so probable, on both sides together.

    A cliff may grow with ε before it falls: ε is halved until the cliff is too probable, and is sought from there on.

    Parameters
    ----------
    values, quantile, outputs, neighbours : as in `least_epsilon`.
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
    >>> numbers = range(1, 1001)
    >>> [round(epsilon_without_cliff(numbers, 0.9, Range(0, high)), 4) for high in (10_000, 20_000)]
    [0.2394, 0.2539]
    >>> [round(epsilon_without_cliff(numbers, 0.9, Grid(np.arange(high + 1))), 4) for high in (10_000, 20_000)]
    [0.2375, 0.2519]
    """
    release = single_release(values, quantile, outputs, neighbours)
    option("mechanism", outputs.mechanism, MECHANISMS)
    limit = scalar("probability", probability, _PROBABILITY_RANGE)
    least = scalar("least_epsilon", least_epsilon, POSITIVE_EPSILON_RANGE)
    rare = interval_bounds(POSITIVE_EPSILON_RANGE)[1]
    reached = sum(release.at(rare).beyond)
    refuse("probability", np.asarray(limit), np.asarray(reached > limit), f"[{reached:.6g}, 1)")
    frequent = max(rare / 2, least)
    while sum(release.at(frequent).beyond) <= limit:
        rare = frequent
        if rare == least:
            return rare
        frequent = max(rare / 2, least)
    for _ in range(_N_HALVINGS):
        middle = float(np.sqrt(frequent * rare))
        is_rare = sum(release.at(middle).beyond) <= limit
        frequent, rare = (frequent, middle) if is_rare else (middle, rare)
    return rare


def records_without_cliff(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: float,
    outputs: Range | Grid,
    probability: float = 1e-3,
    neighbours: str = "add_remove",
) -> int:
    """Return the least n of whose typical sample a release beyond all values is at most so probable.

    Parameters
    ----------
    values, quantile, epsilon, outputs, neighbours : as in `least_records`.
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
    >>> [records_without_cliff(range(1, 1001), 0.9, epsilon, Range(0, 10_000)) for epsilon in (0.1, 1)]
    [2395, 240]
    >>> [records_without_cliff(range(1, 1001), 0.9, epsilon, Grid(np.arange(10_001))) for epsilon in (0.1, 1)]
    [2376, 238]
    """
    limit = scalar("probability", probability, _PROBABILITY_RANGE)
    sample = typical_releases(values, quantile, epsilon, outputs, neighbours)
    enough = least_count(lambda n: sum(sample(n).beyond), limit)
    if not enough:
        beyond = sum(sample(MOST_RECORDS).beyond)
        refuse("probability", np.asarray(limit), np.asarray(True), f"[{beyond:.6g}, 1)")
    return enough
