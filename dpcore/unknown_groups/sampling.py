"""Draws of which groups appear, and with which count. With a seed that others may know, a draw is a trial.

Noise on whole numbers is drawn exactly, from uniform whole numbers of `rng` alone, and so is keep-or-drop, whose
probabilities are doubles taken for the fractions that they are. Gaussian and Laplace noise is that of NumPy: a release
needs a sampler that floating point can't betray.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import discrete_gaussian, gaussian, laplace, truncated_geometric
from dpcore.checks import Array, generator, integer, number
from dpcore.checks import shape as sample_shape
from dpcore.discrete_gaussian._coins import Bits, Unbounded, Whole, exponential_coin, less_by_digits
from dpcore.unknown_groups.selection import SIZE_RANGE, Split, optimal_keep_probability
from dpcore.unknown_groups.thresholds import ThresholdRelease, noise_of, whole_limit

_SCALE_RANGE = "[1e-7, 1e14]"  # of exact geometric draws, which are whole doubles


def sample(
    rng: np.random.Generator,
    release: ThresholdRelease,
    counts: ArrayLike,
    size: int | tuple[int, ...] | None = None,
) -> Array:
    """Draws of a release: count + noise where that reaches the threshold, and NaN where the group does not appear.

    Parameters
    ----------
    rng : the source of randomness.
    release : from `threshold`. Geometric noise has s in [1e-7, 1e14].
    counts : of each group, whole numbers in [0, 1e15]; a group of 0 never appears.
    size : shape of the result, to which the common shape of counts and release broadcasts; by default that shape.

    Examples
    --------
    >>> from dpcore.unknown_groups import threshold
    >>> release = threshold(epsilon=1, delta=1e-6, noise="geometric")
    >>> print(sample(np.random.default_rng(seed=1), release, [0, 3, 15, 400]))
    [ nan  nan  15. 401.]
    """
    generator("rng", rng)
    counts = integer("counts", counts, SIZE_RANGE)
    family, rule = noise_of(release.noise), release.rule
    arrays = np.broadcast_arrays(counts, release.scale, release.threshold, release.bound)
    draws = sample_shape("size", size, arrays[0].shape)
    counts, scale, threshold, bound = (np.broadcast_to(array, draws) for array in arrays)
    noisy = counts + _noise(rng, release.noise, scale, bound)
    reached = (noisy >= whole_limit(family, rule, threshold)) & (counts > 0)
    return np.where(reached, noisy, np.nan)[()]


def _noise(rng: np.random.Generator, noise: str, scale: Array, bound: Array) -> Array:
    if noise == "gaussian":
        return gaussian.sample(rng, scale)
    if noise == "laplace":
        return laplace.sample(rng, scale)
    if noise == "discrete_gaussian":
        return discrete_gaussian.sample(rng, scale)
    if noise == "truncated_geometric":
        return truncated_geometric.sample(rng, bound, scale)
    return _exact_geometric(rng, number("scale", scale, _SCALE_RANGE))


def _exact_geometric(rng: np.random.Generator, scale: Array) -> Array:
    """Draws of Pr(k) ∝ e^{−|k|/s}: u + mv, u < m uniform, kept by a coin of e^{−u/s}, v heads of e^{−m/s}, a sign."""
    scales = scale.ravel()
    fraction = _fractions(scales)
    block = np.floor(scales).astype(np.int64) + 1
    samples, pending = np.zeros(scales.size, dtype=np.int64), np.arange(scales.size)
    while pending.size:
        size = rng.integers(0, block[pending])
        accepted = _exponential_heads(rng, size, fraction[:, pending])
        going = np.flatnonzero(accepted)
        while going.size:
            going = going[_exponential_heads(rng, block[pending[going]], fraction[:, pending[going]])]
            size[going] += block[pending[going]]
        negative = rng.integers(0, 2, size.size) == 1
        accepted &= ~(negative & (size == 0))
        samples[pending[accepted]] = np.where(negative, -size, size)[accepted]
        pending = pending[~accepted]
    return samples.reshape(scale.shape).astype(float)


def _exponential_heads(rng: np.random.Generator, distance: Whole, fraction: Unbounded) -> Bits:
    return exponential_coin(rng, distance.astype(object) * fraction[1], fraction[0])


def _fractions(values: Array) -> Unbounded:
    """Return numerators and denominators of doubles."""
    fraction = np.empty((2, values.size), dtype=object)
    for place, value in enumerate(values.tolist()):
        fraction[0, place], fraction[1, place] = value.as_integer_ratio()
    return fraction


def sample_names(
    rng: np.random.Generator, split: Split, counts: ArrayLike, size: int | tuple[int, ...] | None = None
) -> NDArray[np.bool_]:
    """Draws of keep-or-drop: whether each group appears, with the probability π_n (`optimal_keep_probability`).

    Parameters
    ----------
    rng : the source of randomness.
    split : the guarantee of each group, from `best_split`.
    counts : people in each group, whole numbers in [0, 1e15].
    size : shape of the result, to which the common shape of counts and split broadcasts; by default that shape.

    Examples
    --------
    >>> from dpcore.unknown_groups import best_split
    >>> print(sample_names(np.random.default_rng(seed=1), best_split(1, 1e-6), [0, 3, 28, 400]))
    [False False  True  True]
    """
    generator("rng", rng)
    probability = np.asarray(optimal_keep_probability(counts, split.epsilon, split.delta))
    draws = sample_shape("size", size, probability.shape)
    numerator, denominator = _fractions(np.broadcast_to(probability, draws).ravel())
    kept = less_by_digits(rng, numerator, denominator) | (numerator == denominator)
    return kept.astype(bool).reshape(draws)[()]
