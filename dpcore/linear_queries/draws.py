"""Draws of the noise: trials, whose numbers never change as later counts arrive."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, generator, integer, number, scalar_integer, shape
from dpcore.families import FAMILIES
from dpcore.linear_queries.errors import WHOLE_NOISES, Errors, added, noise_weights
from dpcore.linear_queries.spreads import noise_scale

_COUNTS_RANGE = "[-1e15, 1e15]"


def sample(
    rng: np.random.Generator,
    errors: Errors,
    counts: ArrayLike,
    epsilon: float,
    delta: float = 0.0,
    size: int | tuple[int, ...] | None = None,
) -> Array:
    """L(Rx + noise) of the numbers that are complete: for pictures and trials, not for a release.

    The noise is drawn in the order in which the sums are complete, for all n periods at once. So with a generator of
    the same seed, the numbers of the first periods are the same, to rounding, however many more periods are given. A
    release needs a sampler that floating point can't betray, and a seed that nobody else knows.

    Parameters
    ----------
    rng : the source of randomness.
    errors, epsilon, delta : as in `noise_scale`. If its publication is "once", all n counts are needed.
    counts : x of the first periods, at most n, in [−1e15, 1e15]; whole numbers for noise in whole numbers.
    size : how many draws; by default one.

    Returns
    -------
    The published numbers whose last period is there, in the order of the workload, along the last axis.

    Raises
    ------
    ValueError
        `the number of counts must be in [36, 36], got 12`.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> months = error("running_totals", "square_root", 36, publication="as_it_goes")
    >>> sample(np.random.default_rng(1), months, [520, 480, 505], 1, 1e-6).round(1).tolist()
    [522.2, 1006.2, 1510.5]
    """
    generator("rng", rng)
    x = (integer if errors.noise in WHOLE_NOISES else number)("counts", counts, _COUNTS_RANGE)
    n = errors.workload.n
    scalar_integer("the number of dimensions of counts", x.ndim, "[1, 1]")
    least = n if errors.options.publication == "once" else 1
    scalar_integer("the number of counts", x.size, f"[{least}, {n}]")
    scale = noise_scale(errors, epsilon, delta)
    known = np.append(x, np.zeros(n - x.size))
    family = FAMILIES[errors.noise].functions
    complete = errors.workload.end <= x.size
    if size is None:
        published = errors.workload.sums(known) + added(*errors.asked, lambda n_sums: family.sample(rng, scale, n_sums))
        return published[complete]
    weights = noise_weights(*errors.asked)
    noise = family.sample(rng, scale, (*shape("size", size), weights.shape[1]))
    return (errors.workload.sums(known) + noise @ weights.T)[..., complete]
