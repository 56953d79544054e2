"""Several quantiles of the same people: each by itself and composed, one after the other, or from one histogram.

The recursive method releases the middle quantile, splits the values there, and goes on in both parts ([KSS22]). Each
person is in one part of a level, so that m quantiles cost as much as ⌊log₂ m⌋ + 1.

A noisy histogram has public bins; any number of quantiles is read from it.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore import linear_queries
from dpcore._binomial import least_with_tail
from dpcore.checks import (
    POSITIVE_EPSILON_RANGE,
    PURE_DELTA_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    generator,
    number,
    record,
    refuse,
    scalar,
    scalar_integer,
    shape,
)
from dpcore.clipping.distributions import Data, Distribution
from dpcore.composition._targets import epsilon_per_query
from dpcore.quantiles.distribution import sample_of
from dpcore.quantiles.intervals import Range
from dpcore.rounding import round_down

_MOST_QUANTILES = "[1, 1000]"
DRAWS_RANGE = "[100, 1e6]"
_DOUBT = 0.01


def single_epsilon(epsilon: float, n_quantiles: int, delta: float = 0.0) -> float:
    """Return the ε of each of m quantiles that are released by themselves and satisfy (ε, δ)-DP together.

    Without δ it is ε/m. With δ the exact composition of exponential mechanisms allows more, since their losses have a
    range of ε ([DDR20]); the releases must not depend on each other.

    Parameters
    ----------
    epsilon : of all together, in [1e-6, 1e3].
    n_quantiles : m, a whole number in [1, 1000].
    delta : of all together, in [0, 1).

    Returns
    -------
    ε of each, rounded down.

    Examples
    --------
    >>> f"{single_epsilon(1.0, 9):.4f} {single_epsilon(1.0, 9, 1e-6):.4f}"
    '0.1111 0.1593'
    """
    total, m = scalar("epsilon", epsilon, "[1e-6, 1e3]"), scalar_integer("n_quantiles", n_quantiles, _MOST_QUANTILES)
    if scalar("delta", delta, PURE_DELTA_RANGE) == 0:
        return round_down(total / m)
    return float(epsilon_per_query(total, delta, m, "exponential"))


def recursive_epsilon(epsilon: float, n_quantiles: int) -> float:
    """Return the ε of each level of the recursive method: ε/(⌊log₂ m⌋ + 1).

    Parameters
    ----------
    epsilon : of all together, in [1e-12, 1e6].
    n_quantiles : m, a whole number in [1, 1000].

    Examples
    --------
    >>> recursive_epsilon(1.0, 3), recursive_epsilon(1.0, 9)
    (0.4999999999999999, 0.24999999999999994)
    """
    total = scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    return round_down(total / scalar_integer("n_quantiles", n_quantiles, _MOST_QUANTILES).bit_length())


def sample_recursive(
    rng: np.random.Generator,
    values: ArrayLike | Distribution | Data,
    quantiles: ArrayLike,
    epsilon: float,
    outputs: Range,
    size: int | tuple[int, ...] | None = None,
) -> Array:
    """Draws of several quantiles by the recursive method, increasing; ε-DP if a person is added or removed.

    With another value in place of one, a person may be in two parts of a level, so that it satisfies 2ε-DP then. For
    trials and pictures: a release needs a sampler that floating point cannot betray.

    Parameters
    ----------
    rng : the source of randomness.
    values : as in `half_width`.
    outputs : the range.
    quantiles : q₁ < q₂ < … in (0, 1), at most 1000.
    epsilon : of all together, in [1e-12, 1e6].
    size : how many draws; by default one.

    Returns
    -------
    The quantiles along the last axis.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> sample_recursive(rng, range(1, 1001), [0.25, 0.5, 0.75], 1.0, Range(0, 1001)).round().tolist()
    [249.0, 501.0, 749.0]
    """
    generator("rng", rng)
    record("outputs", outputs, Range)
    levels, ends = _levels_of(quantiles), outputs.ends
    own, draws = recursive_epsilon(epsilon, levels.size), shape("size", size)
    known = np.clip(sample_of(values).sorted, *ends)
    released = np.empty((int(np.prod(draws)), levels.size))
    for row in released:
        row[:] = _split(rng, known, levels, own, *ends)
    return released.reshape(*draws, levels.size)


def drawn_half_widths(
    draws: ArrayLike,
    values: ArrayLike | Distribution | Data,
    quantiles: ArrayLike,
    outputs: Range,
    significance: float = 0.05,
) -> Array:
    """Estimate the half-width of each of several quantiles from draws, not too small with 99 % confidence.

    It is the order statistic of the errors that exceeds the half-width with that probability, of each quantile.

    Parameters
    ----------
    draws : a row for each of 100 to 1e6 draws by `sample_recursive` or `sample_histogram`. Of fewer than ln 100/α it is
        the largest error.
    values, quantiles, outputs : those that the draws are of.
    significance : α in [1e-300, 1), of each.

    Examples
    --------
    >>> known, quartiles, outputs = range(1, 1001), [0.25, 0.5, 0.75], Range(0, 1001)
    >>> draws = sample_recursive(np.random.default_rng(1), known, quartiles, 1.0, outputs, 1000)
    >>> drawn_half_widths(draws, known, quartiles, outputs).round(1).tolist()
    [7.5, 6.4, 6.7]
    >>> draws = sample_histogram(np.random.default_rng(1), known, quartiles, 1.0, outputs, size=1000)
    >>> drawn_half_widths(draws, known, quartiles, outputs).round(1).tolist()
    [23.0, 21.2, 20.1]
    """
    record("outputs", outputs, Range)
    alpha, rows = scalar("significance", significance, SIGNIFICANCE_RANGE), number("draws", draws, "(-inf, inf)")
    n = scalar_integer("the number of draws", len(np.atleast_1d(rows)), DRAWS_RANGE)
    truth = np.quantile(np.clip(sample_of(values).sorted, *outputs.ends), _levels_of(quantiles))
    errors = np.sort(abs(rows - truth), axis=0)
    return errors[min(least_with_tail(n, 1 - alpha, _DOUBT), n - 1)]


def _levels_of(quantiles: ArrayLike) -> Array:
    """Return the levels of several quantiles, or raise unless they increase."""
    levels = np.atleast_1d(number("quantiles", quantiles, "(0, 1)")).ravel()
    scalar_integer("the number of quantiles", levels.size, _MOST_QUANTILES)
    refuse("quantiles", levels[1:], np.diff(levels) <= 0, "(the one before, 1)")
    return levels


def _split(
    rng: np.random.Generator, ordered: Array, levels: Array, epsilon: float, low: float, high: float
) -> list[float]:
    """Return a release of each quantile of a part of the values: the middle one is drawn first, then both sides."""
    if not levels.size:
        return []
    middle = (levels.size - 1) // 2
    share = float(levels[middle])
    value = _draw(rng, ordered, share, epsilon, low, high)
    place = int(np.searchsorted(ordered, value))
    below = _split(rng, ordered[:place], levels[:middle] / share, epsilon, low, value)
    above = _split(rng, ordered[place:], (levels[middle + 1 :] - share) / (1 - share), epsilon, value, high)
    return [*below, value, *above]


def _draw(rng: np.random.Generator, ordered: Array, share: float, epsilon: float, low: float, high: float) -> float:
    """Return one release of a quantile within a range; one of no width is its only value."""
    if not low < high:
        return low
    return float(Range(low, high).release_of(ordered, share, epsilon, "add_remove").sample(rng))


_BINS_RANGE = "[1, 1000]"


def sample_histogram(
    rng: np.random.Generator,
    values: ArrayLike | Distribution | Data,
    quantiles: ArrayLike,
    epsilon: float,
    outputs: Range,
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
    values, quantiles, outputs : as in `sample_recursive`.
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
    >>> sample_histogram(rng, range(1, 1001), [0.25, 0.5, 0.75], 1.0, Range(0, 1001)).round().tolist()
    [235.0, 490.0, 743.0]
    """
    record("outputs", outputs, Range)
    levels, ends = _levels_of(quantiles), outputs.ends
    bins = scalar_integer("n_bins", n_bins, _BINS_RANGE)
    counts, edges = np.histogram(np.clip(sample_of(values).sorted, *ends), bins, ends)
    noise = "laplace" if scalar("delta", delta, PURE_DELTA_RANGE) == 0 else "gaussian"
    errors = linear_queries.error("running_totals", "best", bins, neighbours=neighbours, noise=noise)
    draws = shape("size", size)
    noisy = linear_queries.sample(rng, errors, counts, epsilon, delta, int(np.prod(draws)))
    rising = np.maximum.accumulate(noisy, axis=-1), np.minimum.accumulate(noisy[:, ::-1], axis=-1)[:, ::-1]
    totals = np.maximum((rising[0] + rising[1]) / 2, 0)
    released = [np.interp(levels * row[-1], np.append(0.0, row), edges) for row in totals]
    return np.reshape(released, (*draws, levels.size))
