"""Which groups appear: the probability of each, from which size on, how many groups and people, and draws.

Draws are also of the counts of the groups. With a seed that others may know, a draw is a trial.
Noise on whole numbers is drawn exactly, from uniform whole numbers of `rng` alone, and so is keep-or-drop, whose
probabilities are doubles taken for the fractions that they are. Gaussian and Laplace noise is that of NumPy: a release
needs a sampler that floating point can't betray.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import discrete_gaussian, gaussian, laplace, truncated_geometric
from dpcore.checks import Array, generator, integer, number, refuse, scalar, scalar_integer, shape
from dpcore.discrete_gaussian.sampling import less_by_digits
from dpcore.roots import bisect, whole_mean
from dpcore.rounding import ULP
from dpcore.unknown_groups.selection import KEPT_RANGE, MOST_PEOPLE, SIZE_RANGE, Split, optimal_keep_probability
from dpcore.unknown_groups.thresholds import ThresholdRelease, noise_of, whole_limit

_LIST_RANGE = "[1, 1e7]"  # of the number of groups of a list


def keep_probability(release: ThresholdRelease | Split, counts: ArrayLike) -> Array:
    """Pr(count + noise ≥ τ), or > τ by the rule "above"; of keep-or-drop π_n (`optimal_keep_probability`). 0 of none.

    Parameters
    ----------
    release : from `threshold`, or a `Split` for keep-or-drop alone.
    counts : of each group, whole numbers in [0, 1e15]: people, or contributions where c > 1.

    Returns
    -------
    Probabilities, rounded down in their last bits, of the common shape of the counts and the release.

    Examples
    --------
    >>> from dpcore.unknown_groups import threshold
    >>> release = threshold(epsilon=1, delta=1e-6, groups_per_person=3)
    >>> print(keep_probability(release, [1, 37, 50, 60]).round(4))
    [0.     0.4797 0.9578 0.999 ]
    """
    counts = integer("counts", counts, SIZE_RANGE)
    if isinstance(release, Split):
        return optimal_keep_probability(counts, release.epsilon, release.delta)
    family = noise_of(release.noise)
    limit, scale, bound = np.broadcast_arrays(
        whole_limit(family, release.rule, release.threshold) - counts, release.scale, release.bound
    )
    probability = np.where(counts > 0, family.sure_exceedance(limit, scale, bound), 0.0)
    return probability[()]


def least_size(release: ThresholdRelease | Split, probability: ArrayLike) -> Array:
    """Return the least n with `keep_probability` of at least p: from which count on a group appears so often.

    Parameters
    ----------
    release : as in `keep_probability`.
    probability : p in (0, 1], such that n is at most 1e15.

    Returns
    -------
    n, a whole number; where p is within the rounding of the probability, the next one.

    Examples
    --------
    >>> from dpcore.unknown_groups import best_split, threshold
    >>> print(least_size(threshold(epsilon=1, delta=1e-6, groups_per_person=3), [0.5, 0.95]))
    [38. 50.]
    >>> print(least_size(best_split(1, 1e-6), [0.5, 0.95, 1]))
    [14. 16. 28.]
    """
    probability = number("probability", probability, KEPT_RANGE)
    most = np.asarray(keep_probability(release, MOST_PEOPLE))
    refuse("probability", probability, most < probability, "those of groups of up to 1e15 people")
    ends = np.zeros(np.broadcast_shapes(probability.shape, most.shape)), MOST_PEOPLE
    return bisect(lambda n: keep_probability(release, n) >= probability, *ends, 50, whole_mean)[1][()]


def expected_groups(release: ThresholdRelease | Split, counts: ArrayLike) -> Array:
    """Σ Pr(the group appears): the mean number of groups in a release, rounded down.

    Parameters
    ----------
    release : as in `keep_probability`; entries of its arrays are releases of their own.
    counts : of the groups, along the last axis.

    Examples
    --------
    >>> from dpcore.unknown_groups import threshold
    >>> release = threshold(epsilon=1, delta=1e-6, groups_per_person=3)
    >>> print(f"{expected_groups(release, zipf_counts(900, 20_000)):.1f} of 900")
    75.2 of 900
    """
    return _mean_total(release, counts, weighed=False)


def expected_people(release: ThresholdRelease | Split, counts: ArrayLike) -> Array:
    """Σ n Pr(the group appears): the mean total of the counts of the groups in a release, rounded down.

    Where a person is in several groups, or contributes more than once, it counts memberships or contributions.
    Arguments as in `expected_groups`.

    Examples
    --------
    >>> from dpcore.unknown_groups import threshold
    >>> release = threshold(epsilon=1, delta=1e-6, groups_per_person=3)
    >>> print(f"{expected_people(release, zipf_counts(900, 20_000)) / 20_000:.2f}")
    0.66
    """
    return _mean_total(release, counts, weighed=True)


def _mean_total(release: ThresholdRelease | Split, counts: ArrayLike, *, weighed: bool) -> Array:
    counts = np.atleast_1d(integer("counts", counts, SIZE_RANGE))
    if isinstance(release, Split):
        rows = Split(_column(release.epsilon), _column(release.delta))
    else:
        parts = _column(release.scale), _column(release.threshold), _column(release.bound)
        rows = replace(release, scale=parts[0], threshold=parts[1], bound=parts[2])
    probability = keep_probability(rows, counts)
    total = np.sum(probability * counts if weighed else probability, axis=-1)
    return (total * (1 - 64 * ULP))[()]


def _column(values: Array) -> Array:
    return np.asarray(values)[..., np.newaxis]


def zipf_counts(n_groups: int, total: int, exponent: float = 1.0) -> Array:
    """total · i^{−s}/Σ j^{−s}, i = 1 … G, in whole numbers that sum to the total: a list like those of codes or names.

    Parameters
    ----------
    n_groups : G, a whole number in [1, 1e7].
    total : of all counts, a whole number in [0, 1e15].
    exponent : s in [0, 10]; 0 for groups of one size.

    Returns
    -------
    Counts, the largest first; some may be 0. Those of ranks whose shares are below 1 alternate between 0 and 1 before
    they are sorted, as the cumulated shares are rounded.

    Examples
    --------
    >>> print(zipf_counts(5, 100))
    [44. 22. 14. 11.  9.]
    """
    n_groups, total = scalar_integer("n_groups", n_groups, _LIST_RANGE), scalar_integer("total", total, SIZE_RANGE)
    weights = np.arange(1.0, n_groups + 1) ** -scalar("exponent", exponent, "[0, 10]")
    reached = np.cumsum(weights)
    counts = np.diff(np.rint(reached / reached[-1] * total), prepend=0)
    return np.sort(counts)[::-1]


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
    draws = shape("size", size, arrays[0].shape)
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
    scale = number("scale", scale, _SCALE_RANGE)
    unbounded = np.full(scale.size, 2**62)
    return truncated_geometric.exact_draws(rng, scale.ravel(), unbounded).reshape(scale.shape).astype(float)


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
    draws = shape("size", size, probability.shape)
    numerator, denominator = truncated_geometric.fractions(np.broadcast_to(probability, draws).ravel())
    appears = less_by_digits(rng, numerator, denominator) | (numerator == denominator)
    return appears.astype(bool).reshape(draws)[()]
