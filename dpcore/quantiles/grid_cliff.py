"""The cliff of a quantile on a public grid: a release among the candidates beyond all values, and when it is rare."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore._records import plain
from dpcore.checks import POSITIVE_EPSILON_RANGE, number
from dpcore.clipping.distributions import Data, Distribution
from dpcore.quantiles._intervals import rank_sensitivity
from dpcore.quantiles.cliff import Cliff, least_rare_epsilon
from dpcore.quantiles.grid import ROUNDING, grid_setting, rank_scores
from dpcore.selection.winners import chosen


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
    known, share, grid = grid_setting(values, quantile, candidates)
    score, sensitivity = rank_scores(known, share * known.size, grid), rank_sensitivity(share, neighbours)
    beyond = np.array([grid < known[0], grid > known[-1]])
    both = [beyond @ chosen(mechanism, score, loss, sensitivity) * (1 + ROUNDING) for loss in losses.ravel()]
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

    Parameters
    ----------
    values, quantile, candidates, neighbours, mechanism : as in `grid_distribution`.
    probability : of a release beyond the values, in (0, 1).
    least_epsilon : in [1e-12, 1e6], where the search ends.

    Returns
    -------
    ε in [1e-12, 1e6]: its cliff was computed. It is `least_epsilon` where the cliff is rare there and above.

    Raises
    ------
    ValueError
        `probability must be in [0.475, 1), got 0.001` where no ε is enough.

    Examples
    --------
    >>> numbers = range(1, 1001)
    >>> [round(grid_epsilon_without_cliff(numbers, 0.9, np.arange(high + 1)), 4) for high in (10_000, 20_000)]
    [0.2375, 0.2519]
    """
    known, share, grid = grid_setting(values, quantile, candidates)
    score, sensitivity = rank_scores(known, share * known.size, grid), rank_sensitivity(share, neighbours)
    beyond = (grid < known[0]) | (grid > known[-1])

    def cliff(loss: float) -> float:
        return float(beyond @ chosen(mechanism, score, loss, sensitivity) * (1 + ROUNDING))

    return least_rare_epsilon(cliff, probability, least_epsilon)
