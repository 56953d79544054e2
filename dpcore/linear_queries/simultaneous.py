"""Half-widths that hold for all published numbers at once: exact, by simulation, or by a bound."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from dpcore._binomial import least_with_tail
from dpcore.accuracy import each_significance
from dpcore.checks import Array
from dpcore.linear_queries.errors import WHOLE_NOISES, Errors
from dpcore.linear_queries.spreads import (
    half_widths_of_scale,
    largest_of_scales,
    level_of,
    lower_of_scales,
    noise_scale,
)
from dpcore.linear_queries.strategies import Options, Persons
from dpcore.linear_queries.weighted_sums import shared_weights
from dpcore.linear_queries.workloads import Workload

_SEED, _BLOCK = 20261130, 1 << 15  # of the draws, and how many are drawn in one go
_DOUBT = 1e-3  # how often a simulated half-width may be too narrow
_ENTRIES, _FEWEST_DRAWS, _MOST_DRAWS = 400_000, 1_000, 20_000
_LEAST_OUTSIDE, _MOST_WEIGHTS = 50, 400_000  # draws beyond the half-widths, and numbers times periods, of a simulation
_FIRST_DRAWS, _FIRST_STEP, _MORE = 200, 8, 1.5  # of far errors, of which are read, and more of them than are sought
_FARTHEST, _N_HALVINGS = 40.0, 40  # standard deviations, and how often they are halved for the size of a far error
_ROUNDING = 1e-5  # relative, of sums in single precision
_NUMBERS_AT_ONCE = 96  # whose errors stay near the processor, and have no noise of later sums
_PARTS, _OUTER_PARTS = 1 << 16, 128  # of quantiles, and of these on each side
_WIDEST = 1e6  # a scale whose steps are lost in single precision
_WIDE = 1_000.0  # from which on rounded noise differs from noise in whole numbers by less than 1e-6
_IN_TIME, _ADDED_UP = ("running_totals", "cumulated_distribution", "window", "year_to_date"), 2
_ONE_PERSON = Persons(1, 1.0, np.inf, "add_remove")
_IN_STEPS = "per_period", "binary_tree"  # whose published numbers are sums of whole noise


Single = NDArray[np.float32]


class Simultaneous(NamedTuple):
    """Half-widths of all numbers at once, and what they stand on.

    Attributes
    ----------
    half_widths : of each number, such that all are inside with probability 1 − α at least.
    is_exact : whether that is the probability, but for steps of whole noise: where the errors are independent.
    n_draws : of a simulation, 0 without one.
    doubt : the chance that a simulation gave half-widths which are too narrow, at most; 0 without one.
    """

    half_widths: Array
    is_exact: bool
    n_draws: int
    doubt: float


def simultaneous_half_widths(
    errors: Errors, epsilon: float, delta: float = 0.0, significance: float = 0.05
) -> Simultaneous:
    """Return half-widths such that all numbers at once are inside with probability 1 − α at least.

    Independent errors, as of noise in each number: each is inside with (1 − α)^(1/m), which is exact. Else, of up to
    400,000 numbers times periods, q √(‖L_i‖₂ max‖L‖₂), where q is an order statistic of the largest of
    |error|/√(‖L_i‖₂ max‖L‖₂) in 500 to 20,000 draws from a fixed seed, so far up that it is too small with probability
    1e-3 at most (Clopper & Pearson); of normal errors, of draws in which one of them is far off. With half-widths in
    proportion to √‖L_i‖₂ the largest is nearly as small as if all were the same, and much smaller than in proportion
    to ‖L_i‖₂. Of more numbers, where fewer than 50 draws would be outside, or if their largest is smaller: those of
    `half_widths` at 1 − (1 − α)^(1/m) of normal errors ([S67]), else at α/m.

    Parameters
    ----------
    errors, epsilon, delta, significance : as in `half_widths`.

    Returns
    -------
    Simultaneous
        In the unit of `per_cell`, rounded up.

    Examples
    --------
    >>> from dpcore.linear_queries import error, half_widths
    >>> months = error("running_totals", "per_period", 36)
    >>> found = simultaneous_half_widths(months, 1, 1e-6)
    >>> print(f"{found.half_widths.max():.0f}, of one alone {half_widths(months, 1, 1e-6).max():.0f}")
    59, of one alone 50
    """
    return simultaneous_half_widths_of_scale(errors, noise_scale(errors, epsilon, delta), significance)


def simultaneous_half_widths_of_scale(errors: Errors, scale: float, significance: float = 0.05) -> Simultaneous:
    """Return the half-widths of all numbers at once where each noisy sum has noise of a scale.

    Parameters
    ----------
    errors, scale, significance : as in `half_widths_of_scale`.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> months = error("running_totals", "per_number", 12, noise="geometric")
    >>> simultaneous_half_widths_of_scale(months, 2.0).half_widths[:3].tolist()
    [11.0, 11.0, 11.0]
    """
    alpha, m = level_of(errors, significance), errors.workload.first.size
    if (each := independent_level(errors, alpha)) is not None:
        return Simultaneous(half_widths_of_scale(errors, scale, each), True, 0, 0.0)
    largest, n_draws = simulated_largest(errors, scale, alpha)
    if not n_draws:
        each = _level_of_each(errors.noise, alpha, m)
        return Simultaneous(half_widths_of_scale(errors, scale, each), False, 0, 0.0)
    widths = largest * np.sqrt(errors.each / errors.largest)
    return Simultaneous(np.floor(widths) if are_in_steps(errors) else widths, False, n_draws, _DOUBT)


def independent_level(errors: Errors, alpha: float) -> float | None:
    """Return the level of each number at which all are inside at α, where their errors are independent; else None."""
    if not _are_independent(*errors.asked):
        return None
    m = errors.workload.first.size
    return float(each_significance(alpha, m)) if m > 1 else alpha


def are_in_steps(errors: Errors) -> bool:
    """Return whether the errors are whole numbers."""
    return errors.noise in WHOLE_NOISES and errors.strategy in _IN_STEPS


def simulated_largest(errors: Errors, scale: float, alpha: float) -> tuple[float, int]:
    """Return the largest half-width of all numbers at once, in no steps, and the number of draws: 0 without any."""
    if errors.noise in WHOLE_NOISES:
        return _largest_at_once(*errors.asked, errors.noise, alpha, scale)
    largest, n_draws = _largest_at_once(*errors.asked, errors.noise, alpha, 1.0)
    return largest * scale, n_draws


def _level_of_each(noise: str, alpha: float, m: int) -> float:
    """Return the level of each of m numbers at which all are inside at α: by Šidák, or by the union bound."""
    return float(each_significance(alpha, m)) if noise == "gaussian" else alpha / m


def _are_independent(numbers: Workload, strategy: str, options: Options) -> bool:
    """Return whether no two numbers have the noise of the same sum."""
    if numbers.first.size == 1 or strategy == "per_number":
        return True
    if numbers.name == "ranges":
        return False
    weights = shared_weights(numbers, strategy, options)
    if (weights[-1] * weights[-2]).any():  # mostly, and sooner seen
        return False
    return bool(np.count_nonzero(weights) <= weights.shape[1] and np.count_nonzero(weights, axis=0).max() <= 1)


@lru_cache(256)
def _largest_at_once(
    numbers: Workload, strategy: str, options: Options, noise: str, alpha: float, scale: float
) -> tuple[float, int]:
    """Return the largest half-width of all numbers at once with noise of a scale, and the number of draws.

    Both are 0 where there are too many numbers, too few draws for them, or where a bound is smaller.
    """
    m, n = numbers.first.size, numbers.n
    if m * n > _MOST_WEIGHTS:
        return 0.0, 0
    weights = shared_weights(numbers, strategy, options)
    if not (is_used := weights.any(axis=0)).all():
        weights = weights[:, is_used]
    lengths = np.sqrt(np.einsum("ij,ij->i", weights, weights))
    largest, n_draws = _simulated(numbers, strategy, noise, weights, lengths, alpha, scale)
    unit = Errors(strategy, 1.0, True, lengths, float(lengths.max()), 0.0, noise, numbers, options, _ONE_PERSON)
    each = _level_of_each(noise, alpha, m)
    is_less = largest <= lower_of_scales([unit], np.array([scale]), each)[0]
    is_less = is_less or largest <= largest_of_scales(unit, np.array([scale]), each)[0]
    return (largest, n_draws) if is_less else (0.0, 0)


def _simulated(
    numbers: Workload, strategy: str, noise: str, weights: Array, lengths: Array, alpha: float, scale: float
) -> tuple[float, int]:
    """Return the largest half-width by a simulation and its number of draws; both are 0 if they would be too few."""
    m, n, shape = numbers.first.size, numbers.n, np.sqrt(lengths / lengths.max())
    shaped = (weights / shape[:, np.newaxis]).astype(np.float32)
    is_added_up = strategy == "per_period" and numbers.name in _IN_TIME
    n_draws = min(max((_ADDED_UP if is_added_up else 1) * _ENTRIES // max(m, n), _FEWEST_DRAWS), _MOST_DRAWS)
    if noise == "gaussian" and (found := _far_half_width(shaped, lengths / shape, alpha, n_draws // 2)):
        return found * scale * (1 + _ROUNDING), n_draws // 2
    if n_draws * alpha < _LEAST_OUTSIDE:
        return 0.0, 0
    seed = _SEED + (noise == "gaussian")  # apart from the far draws, which have shown that these tell as much
    drawn = _draws(noise, scale, seed).first(weights.shape[1], n_draws)
    if is_added_up:
        largest = _largest_sums(numbers, drawn, shape.astype(np.float32))
    else:
        largest = _largest_of_each(shaped, drawn)
    return _order_statistic(largest, n_draws, alpha) * scale * (1 + _ROUNDING), n_draws


def _largest_of_each(weights: Single, drawn: Single) -> Single:
    """Return the largest |error| of each draw, a column of `drawn`; of a few numbers at once up to their last sum."""
    largest = np.zeros(drawn.shape[1], np.float32)
    for part in np.array_split(weights, -(-len(weights) // _NUMBERS_AT_ONCE)):
        end = part.shape[1] - int(np.flip(part.any(axis=0)).argmax())
        errors = part[:, :end] @ drawn[:end]
        np.maximum(largest, np.maximum(errors.max(axis=0), -errors.min(axis=0)), out=largest)
    return largest


def _largest_sums(numbers: Workload, drawn: Single, shape: Single) -> Single:
    """Return the largest |error|/shape of each draw, of sums of noisy periods: one number at a time."""
    total, largest = np.zeros((numbers.n + 1, drawn.shape[1]), np.float32), np.zeros(drawn.shape[1], np.float32)
    error, factors = np.empty_like(largest), (1 / shape).tolist()
    for period, (first, end, factor) in enumerate(zip(numbers.first, numbers.end, factors, strict=True)):
        np.add(total[period], drawn[period], out=total[period + 1])
        added = np.subtract(total[end], total[first], out=error) if first else total[end]
        np.multiply(np.abs(added, out=error), factor, out=error)
        np.maximum(largest, error, out=largest)
    return largest


def _order_statistic(sizes: Array | Single, n_draws: int, chance: float) -> float:
    """Return the size that a draw is beyond with a chance at most, but for the doubt (Clopper & Pearson).

    `sizes` are the largest of all draws; 0 if they are too few to tell.
    """
    n_beyond = n_draws - 1 - least_with_tail(n_draws, 1 - chance, _DOUBT)
    place = sizes.size - n_beyond - 1
    return float(np.partition(sizes, place)[place]) if place >= 0 else 0.0


@dataclass(eq=False)
class _Draws:
    """Noise over its scale, drawn in blocks as far as it is needed: the first draws are the same for all methods."""

    draw: Callable[[int], Single]
    drawn: Single = field(default_factory=lambda: np.empty(0, np.float32))

    def first(self, *shape: int) -> Single:
        """Return as many of the first draws as an array of a shape has, in its order."""
        n = math.prod(shape)
        if self.drawn.size < n:
            more = [self.draw(_BLOCK) for _ in range(self.drawn.size, n, _BLOCK)]
            self.drawn = np.concatenate([self.drawn, *more])
            self.drawn.flags.writeable = False
        return self.drawn[:n].reshape(shape)


@lru_cache(4)
def _draws(noise: str, scale: float, seed: int) -> _Draws:
    """Return the draws of a noise of a scale: 3 to 8 MB."""
    return _Draws(sampler(noise, scale, np.random.default_rng(seed)))


def _far_half_width(weights: Single, lengths: Array, alpha: float, n_draws: int) -> float:
    """Return the half-width of sums of normal noise by draws of releases in which one number is far off, else 0.

    Let number I, drawn in proportion to its chance p of an error beyond a, have such an error e, and the others theirs
    given e. The releases with |e| > x, for x ≥ a, and no larger error than e are then the share Pr(any beyond x)/Σp of
    these draws. It is 0 where this share is below α, so that plain draws tell as much.
    """

    def chances(size: float | Single) -> Array:
        return 2 * ndtr(-size / lengths)

    n_sums, draws = weights.shape[1], _draws("gaussian", 1.0, _SEED)
    first = np.sort(_largest_of_each(weights, draws.first(_FIRST_DRAWS, n_sums).T))[_FIRST_STEP // 2 :: _FIRST_STEP]
    total = _MORE * alpha * float(chances(first[:, np.newaxis]).sum(axis=1).mean())
    if total > min(1, n_draws * alpha / _LEAST_OUTSIDE):
        return 0.0
    least, most = 0.0, _FARTHEST * float(lengths.max())
    for _ in range(_N_HALVINGS):
        middle = (least + most) / 2
        least, most = (middle, most) if chances(middle).sum() > total else (least, middle)
    chance = chances(least)
    below = np.cumsum(chance)
    uniform, drawn = np.random.default_rng(_SEED).random((2, n_draws)), draws.first(_FIRST_DRAWS + n_draws, n_sums)
    number = np.searchsorted(below[:-1] / below[-1], uniform[0], side="right")
    far = -ndtri(chance[number] * (1 - uniform[1]) / 2)  # over its standard deviation
    unit = (weights / lengths[:, np.newaxis].astype(np.float32))[number]
    drawn = drawn[_FIRST_DRAWS:]
    missing = (far - np.einsum("ij,ij->i", drawn, unit)).astype(np.float32)
    noise, size = drawn + missing[:, np.newaxis] * unit, far * lengths[number]
    is_largest = _largest_of_each(weights, noise.T) <= size * (1 + _ROUNDING)
    return _order_statistic(size[is_largest], n_draws, alpha / float(chance.sum())) or least


def sampler(noise: str, scale: float, rng: np.random.Generator) -> Callable[[int], Single]:
    """Return what draws so many numbers over their scale, in single precision: for a simulation of a larger error.

    Examples
    --------
    >>> sampler("geometric", 2.0, np.random.default_rng(1))(4).tolist()
    [1.5, 0.0, 0.5, 0.0]
    """
    if noise in WHOLE_NOISES and scale > _WIDE:
        return _rounded(sampler("laplace" if noise == "geometric" else "gaussian", 1.0, rng), min(scale, _WIDEST))
    known, quantile = (_whole_quantiles if noise in WHOLE_NOISES else _smooth_quantiles)(noise, scale)

    def draw(n: int) -> Single:
        part = rng.integers(_PARTS, size=n, dtype=np.uint16)  # of the uniform number whose quantile is drawn
        drawn = known[part]
        others = np.flatnonzero(np.isnan(drawn))
        drawn[others] = quantile((part[others] + rng.random(others.size)) / _PARTS)
        return drawn

    return draw


def _rounded(draw: Callable[[int], Single], scale: float) -> Callable[[int], Single]:
    unit = np.float32(scale)
    return lambda n: np.asarray(np.rint(unit * draw(n)) / unit, np.float32)


def _smooth_quantiles(noise: str, _: float) -> tuple[Single, Callable[[Array], Array]]:
    """Return the median of each part, or NaN of the outer parts, and the quantiles: the variance is off by 1e-7."""

    def quantile(level: Array) -> Array:
        return (
            ndtri(level) if noise == "gaussian" else np.copysign(np.log(2 * np.minimum(level, 1 - level)), level - 0.5)
        )

    lower = quantile((np.arange(_PARTS // 2) + 0.5) / _PARTS)
    lower[:_OUTER_PARTS] = np.nan
    return np.append(lower, -lower[::-1]).astype(np.float32), quantile


def _whole_quantiles(noise: str, scale: float) -> tuple[Single, Callable[[Array], Array]]:
    """Return the quantile of each part in which it is the same, else NaN, and the quantiles."""
    is_geometric = noise == "geometric"
    last = np.ceil((40 if is_geometric else 9) * scale)  # beyond it is less than 1e-17
    values = np.arange(-last, last + 1) / scale
    below = np.cumsum(np.exp(-abs(values) if is_geometric else -(values**2) / 2))
    below /= below[-1]
    first = np.cumsum(np.bincount(np.ceil(below * _PARTS).astype(np.int64))).clip(max=values.size - 1)  # at j/parts
    known = np.where(first[1:] > first[:-1], np.nan, values[first[:-1]]).astype(np.float32)
    return known, lambda level: values[np.searchsorted(below, level, side="right")]
