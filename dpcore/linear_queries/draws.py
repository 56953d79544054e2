"""Draws of the noise: trials, whose numbers never change as later counts arrive, and half-widths of all at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore import gaussian
from dpcore._binomial import least_with_tail
from dpcore.checks import Array, generator, integer, number, scalar, scalar_integer, shape
from dpcore.families import FAMILIES
from dpcore.linear_queries.errors import WHOLE_NOISES, Errors, added, noise_weights
from dpcore.linear_queries.spreads import SIGNIFICANCES_RANGE, noise_scale

_COUNTS_RANGE = "[-1e15, 1e15]"
_DRAWS_RANGE = "[1000, 1e6]"
_DOUBT = 1e-3  # how often a simulated half-width may be too narrow


class Simultaneous(NamedTuple):
    """Half-widths that are one multiple of each number's ‖L_i‖₂, and what they stand on.

    Attributes
    ----------
    half_widths : of each number, such that all are inside with probability 1 − α.
    standard_error : of that probability, where it is simulated; 0 where it is exact.
    """

    half_widths: Array
    standard_error: float


def simultaneous_half_widths(
    rng: np.random.Generator,
    errors: Errors,
    epsilon: float,
    delta: float = 0.0,
    significance: float = 0.05,
    n_draws: int = 20_000,
) -> Simultaneous:
    """Return q · ‖L_i‖₂ · (scale of the noise), such that all numbers at once are inside with probability 1 − α.

    Exact if the errors are independent: each number with Gaussian noise of its own. Else q is an order statistic of
    the largest of |error|/(‖L_i‖₂ · scale) in a simulation, so far up that it is too small with probability 1e-3
    at most (Clopper & Pearson).

    Parameters
    ----------
    rng : the source of randomness of the simulation.
    errors, epsilon, delta, significance : as in `half_widths`.
    n_draws : of the simulation, in [1000, 1e6]; at least 20/α are needed.

    Returns
    -------
    Simultaneous

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> months = error("running_totals", "square_root", 36)
    >>> print(f"{simultaneous_half_widths(np.random.default_rng(1), months, 1, 1e-6).half_widths.max():.0f}")
    29
    """
    generator("rng", rng)
    alpha = scalar("significance", significance, SIGNIFICANCES_RANGE)
    draws = scalar_integer("n_draws", n_draws, _DRAWS_RANGE)
    scalar("n_draws · significance", draws * alpha, "[20, 1e6]")
    scale = noise_scale(errors, epsilon, delta)
    weights = noise_weights(*errors.asked)
    lengths = np.sqrt((weights**2).sum(axis=1))
    spread = scale * lengths * (1 + 1e-14)
    if errors.noise == "gaussian" and np.count_nonzero(weights) == len(weights) == np.count_nonzero(
        weights.any(axis=0)
    ):
        each = -np.expm1(np.log1p(-alpha) / len(weights))
        return Simultaneous(gaussian.half_width(each, spread), 0.0)
    largest = np.empty(draws)
    step = max(1, 2_000_000 // sum(weights.shape))
    for first in range(0, draws, step):
        noise = FAMILIES[errors.noise].functions.sample(rng, scale, (min(step, draws - first), weights.shape[1]))
        largest[first : first + step] = (abs(noise @ weights.T) / spread).max(axis=1)
    k = least_with_tail(draws, 1 - alpha, _DOUBT)  # of n draws, those below the quantile of 1 − α are Bin(n, 1 − α)
    return Simultaneous(np.sort(largest)[k] * spread, float(np.sqrt(alpha * (1 - alpha) / draws)))


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
