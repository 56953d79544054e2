"""How far each published number falls from the truth, and trials: draws that never change as later counts arrive.

With Gaussian noise a number's error is normal. With other noise it is a weighted sum, of which `weighted_sums` and
`whole_sums` have the tail.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpcore import discrete_gaussian, gaussian, geometric, laplace
from dpcore.checks import (
    DELTA_RANGE,
    POSITIVE_EPSILON_RANGE,
    PURE_DELTA_RANGE,
    Array,
    generator,
    integer,
    number,
    scalar,
    scalar_integer,
    shape,
)
from dpcore.composition import Release, gaussian_release, guarantee_release, rho_from_epsilon
from dpcore.families import FAMILIES
from dpcore.linear_queries.errors import WHOLE_NOISES, Errors, added, noise_weights, sensitivities
from dpcore.linear_queries.strategies import Options
from dpcore.linear_queries.tallies import Tallies, tallies
from dpcore.linear_queries.weighted_sums import (
    added_noise,
    laplace_half_widths,
    largest_laplace_width,
    shared_weights,
    wider,
)
from dpcore.linear_queries.whole_sums import whole_half_widths
from dpcore.linear_queries.workloads import Workload

WIDTH_RANGE = "[1e-100, 1e100]"
SIGNIFICANCES_RANGE, _NORMAL_SIGNIFICANCES_RANGE = "[1e-9, 0.999]", "[1e-12, 0.999]"
_MOST_KNOWN, _FEW_NUMBERS = 4096, 1000  # σ of one guarantee; and numbers of which each one's half-width is computed


def noise_scale(errors: Errors, epsilon: float, delta: float = 0.0) -> float:
    """σ, b or s on each noisy sum: what its noise needs at the sensitivity of R, which is whole for whole noise.

    Discrete Gaussian noise has the least σ for every whole move of squared length up to 30; beyond it the σ of zCDP,
    which is some per cent larger than needed.

    Parameters
    ----------
    errors : of `error`.
    epsilon : in [1e-12, 1e6], of a person for the whole series.
    delta : in [1e-300, 1) of (discrete) Gaussian noise; in [0, 1) of Laplace and geometric noise, which do not use it.

    Returns
    -------
    The scale in the unit of `per_cell`, rounded up.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> print(f"{noise_scale(error('running_totals', 'normalized_square_root', 36), 1, 1e-6):.3f}")
    4.225
    """
    return float(_noise_scales(errors.noise, epsilon, delta, np.array([errors.sensitivity]))[0])


def _noise_scales(noise: str, epsilon: float, delta: float, sensitivities: Array) -> Array:
    """Return the scale of the noise at each sensitivity, an array of one axis."""
    epsilon = scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    if noise == "gaussian":
        return gaussian.analytic_sigma(epsilon, scalar("delta", delta, DELTA_RANGE), sensitivities)
    if noise == "discrete_gaussian":
        return _whole_gaussian(epsilon, scalar("delta", delta, DELTA_RANGE)).sigmas(np.floor(sensitivities**2))
    scalar("delta", delta, PURE_DELTA_RANGE)
    if noise == "geometric":
        return geometric.scale_from_epsilon(epsilon, 0.0, np.floor(sensitivities))
    return laplace.scale_from_epsilon(epsilon, 0.0, sensitivities)


@dataclass(frozen=True, eq=False)
class _WholeGaussian:
    """The σ of discrete Gaussian noise at one (ε, δ), each computed once."""

    epsilon: float
    delta: float
    known: dict[float, float] = field(default_factory=dict)

    def sigmas(self, squared: Array) -> Array:
        """Return the σ of whole moves of length √squared: the least, or for long moves one by zCDP, ρ = Δ²/(2σ²)."""
        if len(self.known) > _MOST_KNOWN:
            self.known.clear()
        new = np.array(sorted(set(squared.tolist()) - self.known.keys()))
        short, long = new[new <= discrete_gaussian.MOST_SQUARED], new[new > discrete_gaussian.MOST_SQUARED]
        if short.size:
            least = discrete_gaussian.sigma_from_delta(self.epsilon, self.delta, np.sqrt(short))
            self.known.update(zip(short.tolist(), least.tolist(), strict=True))
        if long.size:
            enough = np.sqrt(long / (2 * rho_from_epsilon(self.epsilon, self.delta))) * (1 + 1e-14)
            self.known.update(zip(long.tolist(), enough.tolist(), strict=True))
        return np.array([self.known[move] for move in squared.tolist()])


_whole_gaussian = lru_cache(16)(_WholeGaussian)


def half_widths(errors: Errors, epsilon: float, delta: float = 0.0, significance: float = 0.05) -> Array:
    """Return the t of each number with Pr(|error| > t) = α: exact of Gaussian noise, to 1 % of α of Laplace noise.

    With noise in whole numbers it is the least t with at most α where the weights of the noise are multiples of one of
    them ("per_period", "per_number", "binary_tree", and some numbers of "tree"). Of the others, and of sums of noise
    beyond a scale of 1e4 or so, it is an upper bound: at α = 0.05 about 1.1 times as wide at a scale of 2, and 1.02
    times from 20 on.

    Parameters
    ----------
    errors, epsilon, delta : as in `noise_scale`.
    significance : α in [1e-9, 0.999], of Gaussian noise in [1e-12, 0.999].

    Returns
    -------
    t of each published number, rounded up. Normal errors are all inside at once with probability (1 − α)^m at least,
    however they are correlated ([S67]): with `accuracy.each_significance` for α, at its α. Those of other noise are so
    with 1 − mα (union bound).

    Raises
    ------
    ValueError
        For other than Gaussian noise, if the matrices would have more than 4e6 entries.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> for strategy in ("normalized_square_root", "per_period"):
    ...     print(f"{half_widths(error('running_totals', strategy, 36), 1, 1e-6).max():.2f}")
    16.83
    49.68
    """
    return half_widths_of_scale(errors, noise_scale(errors, epsilon, delta), significance)


def half_widths_of_scale(errors: Errors, scale: float, significance: float = 0.05) -> Array:
    """Return the half-widths where each noisy sum has noise of a scale, whichever guarantee that has.

    Parameters
    ----------
    errors, significance : as in `half_widths`.
    scale : σ, b or s of the noise in each noisy sum, in [1e-100, 1e100].

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> half_widths_of_scale(error("running_totals", "per_period", 3, noise="geometric"), 2.0).tolist()
    [6.0, 8.0, 10.0]
    """
    alpha, scale = level_of(errors, significance), scalar("scale", scale, WIDTH_RANGE)
    if errors.noise == "gaussian":
        return gaussian.half_width(alpha, scale / errors.sensitivity * errors.each * (1 + 1e-14))
    numbers, strategy, options = errors.asked
    shared = wider(numbers, strategy, options), strategy, options
    if errors.noise == "laplace":
        return scale * _laplace_widths(*shared, alpha)[: numbers.first.size]
    return _whole_widths(*shared, alpha, errors.noise, scale)[: numbers.first.size]


def largest_half_width(errors: Errors, epsilon: float, delta: float = 0.0, significance: float = 0.05) -> float:
    """Return the largest of `half_widths`, in less time: without numbers whose noise that of another one contains.

    Where each weight is at most that of another number, so is the half-width: noise that is symmetric, with its mode in
    the middle, leaves an interval around the middle more often if more such noise is added or if it is multiplied.

    Parameters
    ----------
    errors, epsilon, delta, significance : as in `half_widths`.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> print(f"{largest_half_width(error('running_totals', 'per_period', 36, noise='laplace'), 1):.4f}")
    16.6803
    """
    return float(largest_of_scales(errors, np.array([noise_scale(errors, epsilon, delta)]), significance)[0])


def largest_half_widths(
    errors: Errors, contributions: ArrayLike, epsilon: float, delta: float = 0.0, significance: float = 0.05
) -> Array:
    """Return the `largest_half_width` of the same strategy for persons in other numbers of periods, in one go.

    Parameters
    ----------
    errors, epsilon, delta, significance : as in `half_widths`.
    contributions : k, in how many periods a person may be, in [1, 1000]; any shape. Where k is above n, n counts.

    Returns
    -------
    The largest half-width of each k, in the shape of `contributions`, rounded up.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> months = error("running_totals", "per_period", 36, noise="geometric")
    >>> largest_half_widths(months, [1, 4, 12], 1.0).tolist()
    [16.0, 67.0, 200.0]
    """
    sizes = sensitivities(errors, contributions)
    scales = _noise_scales(errors.noise, epsilon, delta, sizes.ravel())
    return largest_of_scales(errors, scales, significance).reshape(sizes.shape)


def largest_of_scales(errors: Errors, scales: Array, significance: float) -> Array:
    """Return the largest half-width where the noisy sums have noise of each scale, an array of one axis."""
    alpha = level_of(errors, significance)
    if errors.noise == "gaussian":
        return gaussian.half_width(alpha, scales * (errors.largest / errors.sensitivity) * (1 + 1e-14))
    if errors.noise == "laplace":
        return scales * _largest_laplace_width(*errors.asked, alpha)
    return np.array(_largest_whole_widths(*errors.asked, alpha, errors.noise, tuple(scales.tolist())))


@lru_cache(256)
def _largest_whole_widths(
    numbers: Workload, strategy: str, options: Options, alpha: float, noise: str, scales: tuple[float, ...]
) -> tuple[float, ...]:
    rows = added_noise(numbers, strategy, options).largest
    repeated = Tallies(*(np.tile(part, (len(scales), 1)) for part in rows))
    widths = whole_half_widths(repeated, alpha, noise, np.repeat(scales, len(rows.values)))
    return tuple(widths.reshape(len(scales), -1).max(axis=1).tolist())


def lower_half_widths(every: Sequence[Errors], epsilon: float, delta: float = 0.0, significance: float = 0.05) -> Array:
    """Return the half-width of the number with the largest variance: mostly `largest_half_width`, in less time.

    Parameters
    ----------
    every : of `error`, all with the same noise.
    epsilon, delta, significance : as in `half_widths`.

    Returns
    -------
    One of each errors, at most their largest half-width; with Gaussian noise it is that.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> every = [error("running_totals", name, 36, noise="laplace") for name in ("per_number", "per_period", "tree")]
    >>> lower_half_widths(every, 1.0).round(1).tolist()
    [107.8, 16.7, 20.0]
    """
    scales = _noise_scales(every[0].noise, epsilon, delta, np.array([one.sensitivity for one in every]))
    return lower_of_scales(every, scales, level_of(every[0], significance))


def lower_of_scales(every: Sequence[Errors], scales: Array, alpha: float) -> Array:
    """Return the half-width of the number with the largest variance, with noise of a scale each."""
    noise = every[0].noise
    if noise == "gaussian":
        units = np.array([one.largest / one.sensitivity for one in every])
        return gaussian.half_width(alpha, scales * units * (1 + 1e-14))
    rows = tallies([added_noise(*one.asked).longest for one in every])
    return (
        scales * laplace_half_widths(rows, alpha)
        if noise == "laplace"
        else whole_half_widths(rows, alpha, noise, scales)
    )


@lru_cache(64)
def _laplace_widths(numbers: Workload, strategy: str, options: Options, alpha: float) -> Array:
    """Return the half-widths of the numbers with noise of scale 1."""
    noise = added_noise(numbers, strategy, options)
    rows, place = noise.tallies
    widths = laplace_half_widths(rows, alpha, noise.laplace)[place]
    widths.flags.writeable = False
    return widths


@lru_cache(64)
def _largest_laplace_width(numbers: Workload, strategy: str, options: Options, alpha: float) -> float:
    if numbers.first.size <= _FEW_NUMBERS:  # which are all known soon, and for pictures too
        shared = wider(numbers, strategy, options), strategy, options
        return float(_laplace_widths(*shared, alpha)[: numbers.first.size].max())
    return largest_laplace_width(shared_weights(numbers, strategy, options), alpha)


@lru_cache(64)
def _whole_widths(numbers: Workload, strategy: str, options: Options, alpha: float, noise: str, scale: float) -> Array:
    rows, place = added_noise(numbers, strategy, options).tallies
    widths = whole_half_widths(rows, alpha, noise, scale)[place]
    widths.flags.writeable = False
    return widths


def level_of(errors: Errors, significance: float) -> float:
    """Return a significance, of which other than Gaussian noise has a narrower range."""
    allowed = _NORMAL_SIGNIFICANCES_RANGE if errors.noise == "gaussian" else SIGNIFICANCES_RANGE
    return scalar("significance", significance, allowed)


def release(errors: Errors, epsilon: float, delta: float = 0.0) -> Release:
    """Return the whole series as one release for `composition`: Gaussian of σ/max‖Rx‖, or one of its (ε, δ).

    Other noise on several sums is no release of one number with that noise, whose profile is known.

    Parameters
    ----------
    errors, epsilon, delta : as in `noise_scale`.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> release(error("running_totals", "tree", 36, noise="laplace"), 0.5).kind
    'guarantee'
    """
    scale = noise_scale(errors, epsilon, delta)
    if errors.noise == "gaussian":
        return gaussian_release(scale / errors.sensitivity * (1 - 1e-15))
    return guarantee_release(epsilon, delta if errors.noise == "discrete_gaussian" else 0.0)


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
