"""Several quantiles of one noisy histogram with public bins, from which any number of them is read."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore import linear_queries
from dpcore.checks import PURE_DELTA_RANGE, SIGNIFICANCE_RANGE, Array, scalar, scalar_integer, shape
from dpcore.clipping.distributions import Data, Distribution
from dpcore.quantiles._intervals import intervals
from dpcore.quantiles.released import ordered_values
from dpcore.quantiles.several import DRAWS_RANGE, drawn_half_widths, levels_of

_BINS_RANGE = "[1, 1000]"


def sample_histogram(
    rng: np.random.Generator,
    values: ArrayLike | Distribution | Data,
    quantiles: ArrayLike,
    epsilon: float,
    low: float,
    high: float,
    n_bins: int = 128,
    delta: float = 0.0,
    neighbours: str = "add_remove",
    size: int | tuple[int, ...] | None = None,
) -> Array:
    """Draws of several quantiles from one noisy histogram, which they are read off, so that their number costs nothing.

    The numbers of people up to the end of each of n equal bins are released as running totals by the best strategy of
    `dpcore.linear_queries`, with Laplace noise, or with Gaussian noise if δ > 0. The mean of their running maximum and,
    from the end, of their running minimum never falls; each quantile q is where it reaches q times its end, linearly
    between the ends of bins. A value counts for the bin in which it is, and at an end of one for the bin above.

    Parameters
    ----------
    rng : the source of randomness. It is for trials and pictures: a release needs a sampler that floating point cannot
        betray.
    values, quantiles, low, high : as in `sample_recursive`.
    epsilon, delta : of all together, ε in [1e-12, 1e6] and δ in [0, 1).
    n_bins : n, a whole number in [1, 1000].
    neighbours : "add_remove" or "replace".
    size : how many draws; by default one.

    Returns
    -------
    The quantiles along the last axis, in the range, and none below the one before.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> sample_histogram(rng, range(1, 1001), [0.25, 0.5, 0.75], 1.0, 0, 1001).round().tolist()
    [235.0, 490.0, 743.0]
    """
    levels, ordered = levels_of(quantiles), ordered_values(values)
    clipped = intervals(ordered, 0.5, epsilon, low, high, neighbours)  # which checks the range
    ends = float(clipped.edges[0]), float(clipped.edges[-1])
    bins = scalar_integer("n_bins", n_bins, _BINS_RANGE)
    counts, edges = np.histogram(np.clip(ordered, *ends), bins, ends)
    noise = "laplace" if scalar("delta", delta, PURE_DELTA_RANGE) == 0 else "gaussian"
    errors = linear_queries.error("running_totals", "best", bins, neighbours=neighbours, noise=noise)
    draws = shape("size", size)
    noisy = linear_queries.sample(rng, errors, counts, epsilon, delta, int(np.prod(draws)))
    rising = np.maximum.accumulate(noisy, axis=-1), np.minimum.accumulate(noisy[:, ::-1], axis=-1)[:, ::-1]
    totals = np.maximum((rising[0] + rising[1]) / 2, 0)
    released = [np.interp(levels * row[-1], np.append(0.0, row), edges) for row in totals]
    return np.reshape(released, (*draws, levels.size))


def histogram_half_widths(
    rng: np.random.Generator,
    values: ArrayLike | Distribution | Data,
    quantiles: ArrayLike,
    epsilon: float,
    low: float,
    high: float,
    significance: float = 0.05,
    n_bins: int = 128,
    delta: float = 0.0,
    neighbours: str = "add_remove",
    n_draws: int = 1000,
) -> Array:
    """Estimate the half-width of each quantile of a noisy histogram from draws, as `recursive_half_widths` does.

    Parameters
    ----------
    rng, significance, n_draws : as in `recursive_half_widths`.
    values, quantiles, epsilon, low, high, n_bins, delta, neighbours : as in `sample_histogram`.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> histogram_half_widths(rng, range(1, 1001), [0.25, 0.5, 0.75], 1.0, 0, 1001).round(1).tolist()
    [23.0, 21.2, 20.1]
    """
    n, alpha = (
        scalar_integer("n_draws", n_draws, DRAWS_RANGE),
        scalar("significance", significance, SIGNIFICANCE_RANGE),
    )
    drawn = sample_histogram(rng, values, quantiles, epsilon, low, high, n_bins, delta, neighbours, n)
    return drawn_half_widths(drawn, values, quantiles, low, high, alpha)
