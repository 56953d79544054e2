"""How far each published number falls from the truth, and all of them at once; the least ε for a wanted half-width.

With Gaussian noise a number's error is normal. With other noise it is a weighted sum, of which `weighted_sums` and
`whole_sums` have the tail. `sample` draws trials: numbers that never change as later counts arrive.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv

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
from dpcore.linear_queries.errors import WHOLE_NOISES, Errors, Options, added, noise_weights, sensitivities
from dpcore.linear_queries.weighted_sums import (
    Tallies,
    added_noise,
    laplace_half_widths,
    wider,
)
from dpcore.linear_queries.whole_sums import whole_half_widths
from dpcore.linear_queries.workloads import Workload

FAMILIES = {"gaussian": gaussian, "laplace": laplace, "discrete_gaussian": discrete_gaussian, "geometric": geometric}
_COUNTS_RANGE = "[-1e15, 1e15]"
_WIDTH_RANGE = "[1e-100, 1e100]"
_SIGNIFICANCES_RANGE = "[1e-9, 0.999]"
_NORMAL_SIGNIFICANCES_RANGE = "[1e-12, 0.999]"
_DRAWS_RANGE = "[1000, 1e6]"
_HALVINGS, _WHOLE_HALVINGS = 60, 36
_MOST_KNOWN = 4096  # σ of one guarantee
_MANY = 400  # numbers, of which the largest half-width is sought without the others
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
    alpha, scale = _level(errors, significance), scalar("scale", scale, _WIDTH_RANGE)
    if errors.noise == "gaussian":
        return gaussian.half_width(alpha, scale / errors.sensitivity * errors.of_numbers * (1 + 1e-14))
    if errors.noise == "laplace":
        return scale * _laplace_widths(errors.workload, errors.strategy, errors.options, alpha)
    return _whole_widths(errors.workload, errors.strategy, errors.options, alpha, errors.noise, scale)


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
    scale = noise_scale(errors, epsilon, delta)
    return float(_largest_of_scales([errors], np.array([[scale]]), significance)[0, 0])


def largest_half_widths(
    errors: Errors | Sequence[Errors],
    contributions: ArrayLike,
    epsilon: float,
    delta: float = 0.0,
    significance: float = 0.05,
) -> Array:
    """Return the `largest_half_width` of the same strategy for persons in other numbers of periods, in one go.

    Parameters
    ----------
    errors : of `error`, or several of them with the same noise.
    contributions : k, in how many periods a person may be, in [1, 1000]; any shape. Where k is above n, n counts.
    epsilon, delta, significance : as in `half_widths`.

    Returns
    -------
    The largest half-width of each k, in the shape of `contributions`, rounded up; with one more axis in front for
    several errors.

    Raises
    ------
    ValueError
        `the number of noises must be in [1, 1], got 2`.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> months = error("running_totals", "per_period", 36, noise="geometric")
    >>> largest_half_widths(months, [1, 4, 12], 1.0).tolist()
    [16.0, 67.0, 200.0]
    """
    every = [errors] if isinstance(errors, Errors) else list(errors)
    noises = {one.noise for one in every}
    scalar_integer("the number of noises", len(noises), "[1, 1]")
    sizes = np.array([sensitivities(one, contributions) for one in every])
    scales = _noise_scales(every[0].noise, epsilon, delta, sizes.ravel()).reshape(len(every), -1)
    found = _largest_of_scales(every, scales, significance)
    return np.reshape(found, sizes.shape[1:] if isinstance(errors, Errors) else sizes.shape)


def _largest_of_scales(every: Sequence[Errors], scales: Array, significance: float) -> Array:
    """Return the largest half-width of each strategy where its noisy sums have noise of each scale of its row."""
    noise, alpha = every[0].noise, _level(every[0], significance)
    if noise == "gaussian":
        multiples = np.array([errors.largest / errors.sensitivity for errors in every])
        return gaussian.half_width(alpha, scales * multiples[:, np.newaxis] * (1 + 1e-14))
    asked = tuple((errors.workload, errors.strategy, errors.options) for errors in every)
    if noise == "laplace":
        are_many = every[0].workload.first.size > _MANY
        found = _largest_laplace_width if are_many else _laplace_widths
        return scales * np.array([np.max(found(*one, alpha)) for one in asked])[:, np.newaxis]
    return np.array(_largest_whole_widths(asked, alpha, noise, tuple(map(tuple, scales.tolist()))))


@lru_cache(256)
def _largest_whole_widths(
    asked: tuple[tuple[Workload, str, Options], ...], alpha: float, noise: str, scales: tuple[tuple[float, ...], ...]
) -> tuple[tuple[float, ...], ...]:
    rows = [added_noise(*one).largest for one in asked]
    sizes, n_scales = [len(part.values) for part in rows], len(scales[0])
    shape = n_scales * sum(sizes), max(part.values.shape[1] for part in rows)
    values, counts, place = np.zeros(shape), np.zeros(shape), 0
    for part, size in zip(rows, sizes, strict=True):
        block = slice(place, place + n_scales * size), slice(part.values.shape[1])
        values[block], counts[block] = np.tile(part.values, (n_scales, 1)), np.tile(part.counts, (n_scales, 1))
        place += n_scales * size
    of_rows = np.concatenate([np.repeat(one, size) for one, size in zip(scales, sizes, strict=True)])
    widths = whole_half_widths(Tallies(values, counts), alpha, noise, of_rows)
    begins = np.cumsum([0, *np.repeat(sizes, n_scales)])[:-1]
    largest = np.maximum.reduceat(widths, begins).reshape(len(rows), n_scales)
    return tuple(map(tuple, largest.tolist()))


@lru_cache(64)
def _laplace_widths(numbers: Workload, strategy: str, options: Options, alpha: float) -> Array:
    """Return the half-widths of the numbers with noise of scale 1."""
    if (shared := wider(numbers, strategy, options)).n > numbers.n:
        return _laplace_widths(shared, strategy, options, alpha)[: numbers.first.size]
    noise = added_noise(numbers, strategy, options)
    rows, place = noise.tallies
    widths = laplace_half_widths(rows, alpha, noise.laplace)[place]
    widths.flags.writeable = False
    return widths


@lru_cache(64)
def _largest_laplace_width(numbers: Workload, strategy: str, options: Options, alpha: float) -> float:
    return float(laplace_half_widths(added_noise(numbers, strategy, options).largest, alpha).max())


@lru_cache(64)
def _whole_widths(numbers: Workload, strategy: str, options: Options, alpha: float, noise: str, scale: float) -> Array:
    if (shared := wider(numbers, strategy, options)).n > numbers.n:
        return _whole_widths(shared, strategy, options, alpha, noise, scale)[: numbers.first.size]
    rows, place = added_noise(numbers, strategy, options).tallies
    widths = whole_half_widths(rows, alpha, noise, scale)[place]
    widths.flags.writeable = False
    return widths


def _level(errors: Errors, significance: float) -> float:
    allowed = _NORMAL_SIGNIFICANCES_RANGE if errors.noise == "gaussian" else _SIGNIFICANCES_RANGE
    return scalar("significance", significance, allowed)


def least_epsilon(errors: Errors, half_width: float, delta: float = 0.0, significance: float = 0.05) -> float:
    """Return the least ε in [1e-6, 1e6] at which every published number is within ± a half-width, rounded up.

    Parameters
    ----------
    errors, delta : as in `noise_scale`.
    half_width : what each number shall be within, in the unit of `per_cell`, in [1e-100, 1e100].
    significance : α of each number, as in `half_widths`.

    Raises
    ------
    ValueError
        If an ε of 1e6 is not enough: `half_width must be in [0.000197, 1e100], got 1e-06`; or if 1e-6 would be.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> print(f"{least_epsilon(error('running_totals', 'normalized_square_root', 36), 20, 1e-6):.4f}")
    0.8307
    """
    wanted, (low, high) = scalar("half_width", half_width, _WIDTH_RANGE), (1e-6, 1e6)
    is_whole = errors.noise in WHOLE_NOISES
    unit = 0.0 if is_whole else largest_half_width(errors, 1.0, delta, significance) / noise_scale(errors, 1.0, delta)

    def largest(epsilon: float) -> float:
        if is_whole:
            return largest_half_width(errors, epsilon, delta, significance)
        return unit * noise_scale(errors, epsilon, delta)

    scalar("half_width", wanted, f"[{largest(high)}, {largest(low)}]")
    for _ in range(_WHOLE_HALVINGS if is_whole else _HALVINGS):
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if largest(middle) <= wanted else (middle, high)
    return high


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
    alpha = scalar("significance", significance, _SIGNIFICANCES_RANGE)
    draws = scalar_integer("n_draws", n_draws, _DRAWS_RANGE)
    scalar("n_draws · significance", draws * alpha, "[20, 1e6]")
    scale = noise_scale(errors, epsilon, delta)
    weights = noise_weights(errors.workload, errors.strategy, errors.options)
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
        noise = FAMILIES[errors.noise].sample(rng, scale, (min(step, draws - first), weights.shape[1]))
        largest[first : first + step] = (abs(noise @ weights.T) / spread).max(axis=1)
    place = np.arange(1, draws + 1)  # the k-th smallest covers a share that is Beta(k, n + 1 − k)
    k = int(place[betaincinv(place, draws + 1 - place, _DOUBT) >= 1 - alpha][0])
    return Simultaneous(np.sort(largest)[k - 1] * spread, float(np.sqrt(alpha * (1 - alpha) / draws)))


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
    family, asked = FAMILIES[errors.noise], (errors.workload, errors.strategy, errors.options)
    complete = errors.workload.end <= x.size
    if size is None:
        published = errors.workload.sums(known) + added(*asked, lambda n_sums: family.sample(rng, scale, n_sums))
        return published[complete]
    weights = noise_weights(errors.workload, errors.strategy, errors.options)
    noise = family.sample(rng, scale, (*shape("size", size), weights.shape[1]))
    return (errors.workload.sums(known) + noise @ weights.T)[..., complete]
