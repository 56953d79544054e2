"""How far each published number falls from the truth, and the least ε for a wanted half-width.

With Gaussian noise a number's error is normal. With other noise it is a weighted sum, of which `weighted_sums` and
`whole_sums` have the tail.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import discrete_gaussian, gaussian, geometric, laplace
from dpcore.checks import DELTA_RANGE, POSITIVE_EPSILON_RANGE, PURE_DELTA_RANGE, Array, scalar
from dpcore.composition import Release, epsilon_from_rho, gaussian_release, guarantee_release, rho_from_epsilon
from dpcore.families import FAMILIES
from dpcore.linear_queries.errors import WHOLE_NOISES, Errors, noise_weights, sensitivities
from dpcore.linear_queries.strategies import Options
from dpcore.linear_queries.weighted_sums import (
    Tallies,
    added_noise,
    laplace_half_widths,
    largest_laplace_width,
    tallies,
    wider,
)
from dpcore.linear_queries.whole_sums import whole_half_widths
from dpcore.linear_queries.workloads import Workload
from dpcore.roots import safe_root

_WIDTH_RANGE = "[1e-100, 1e100]"
SIGNIFICANCES_RANGE, _NORMAL_SIGNIFICANCES_RANGE = "[1e-9, 0.999]", "[1e-12, 0.999]"
_EPSILONS = 1e-6, 1e6  # between which the least ε is sought
_ROUNDING, _CLOSE, _N_PLACES = 1e-14, 1e-10, 32  # relative, of what is sought, and at how many places at once
_ALL_ZERO, _FAR_OFF = 0.03, 30.0  # a scale at which whole noise is 0, and by how much a guess of a scale is off
_MOST_KNOWN = 4096  # σ of one guarantee
_BEYOND_ROUNDING, _CLOSE_IN_WAVES = 1e-12, 1e-7  # relative, of ε
_FIRST_STEP = 0.02  # relative, from a guess of a scale
_EQUAL = 1 + 1e-9  # half-widths that differ in rounding alone


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
    return float(_largest_of_scales(errors, np.array([noise_scale(errors, epsilon, delta)]), significance)[0])


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
    return _largest_of_scales(errors, scales, significance).reshape(sizes.shape)


def _largest_of_scales(errors: Errors, scales: Array, significance: float) -> Array:
    """Return the largest half-width where the noisy sums have noise of each scale, an array of one axis."""
    alpha = _level(errors, significance)
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


def best_errors(every: Sequence[Errors], epsilon: float, delta: float = 0.0, significance: float = 0.05) -> Errors:
    """Return the errors with the least `largest_half_width`; of equal ones, which differ in rounding, the first.

    Those of which one number alone is wider than the least need no more than this number.

    Parameters
    ----------
    every : of `error`, all with the same noise.
    epsilon, delta, significance : as in `half_widths`.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> every = [error("running_totals", name, 36, noise="laplace") for name in ("per_number", "per_period", "tree")]
    >>> best_errors(every, 1.0).strategy
    'per_period'
    """
    noise, alpha = every[0].noise, _level(every[0], significance)
    scales = _noise_scales(noise, epsilon, delta, np.array([one.sensitivity for one in every]))
    lowest = np.zeros(len(every))
    if noise != "gaussian":
        rows, is_laplace = tallies([added_noise(*one.asked).longest for one in every]), noise == "laplace"
        lowest = (
            scales * laplace_half_widths(rows, alpha) if is_laplace else whole_half_widths(rows, alpha, noise, scales)
        )
    found = np.full(len(every), np.inf)
    for place in np.argsort(lowest, kind="stable"):
        if lowest[place] <= found.min() * _EQUAL:
            found[place] = _largest_of_scales(every[place], scales[[place]], significance)[0]
    return every[int((found <= found.min() * _EQUAL).argmax())]


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
    weights = noise_weights(wider(numbers, strategy, options), strategy, options)
    return largest_laplace_width(weights[: numbers.first.size], alpha)


@lru_cache(64)
def _whole_widths(numbers: Workload, strategy: str, options: Options, alpha: float, noise: str, scale: float) -> Array:
    rows, place = added_noise(numbers, strategy, options).tallies
    widths = whole_half_widths(rows, alpha, noise, scale)[place]
    widths.flags.writeable = False
    return widths


def _level(errors: Errors, significance: float) -> float:
    allowed = _NORMAL_SIGNIFICANCES_RANGE if errors.noise == "gaussian" else SIGNIFICANCES_RANGE
    return scalar("significance", significance, allowed)


def least_epsilon(errors: Errors, half_width: float, delta: float = 0.0, significance: float = 0.05) -> float:
    """Return the least ε in [1e-6, 1e6] at which every published number is within ± a half-width, rounded up.

    It is the least to a relative 1e-9; of discrete Gaussian noise so narrow that δ rises and falls with σ, to 1e-7.

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
    wanted, alpha = scalar("half_width", half_width, _WIDTH_RANGE), _level(errors, significance)
    scale, step = _widest_scale(errors, wanted, alpha), _CLOSE
    while True:
        least = _least_epsilon_of_scale(errors, scale, delta)
        if not _EPSILONS[0] <= least <= _EPSILONS[1]:
            high, low = (largest_half_width(errors, epsilon, delta, alpha) for epsilon in _EPSILONS)
            scalar("half_width", wanted, f"[{low}, {high}]")
            least = min(max(least, _EPSILONS[0]), _EPSILONS[1])
        if largest_half_width(errors, least, delta, alpha) <= wanted:
            return least
        scale, step = scale / (1 + step), 8 * step  # tails of noise in whole numbers waver in their last digits


def _widest_scale(errors: Errors, half_width: float, alpha: float) -> float:
    """Return the largest scale of the noise in each sum at which all numbers are within ± a half-width.

    Half-widths are proportional to it, but for noise in whole numbers.
    """
    if errors.noise not in WHOLE_NOISES:
        return half_width / float(_largest_of_scales(errors, np.ones(1), alpha)[0]) * (1 - _ROUNDING)
    rows, sought = added_noise(*errors.asked).largest, set[int]()
    scale = max(half_width / float(gaussian.half_width(alpha, errors.largest / errors.sensitivity)), _ALL_ZERO)
    while True:  # one number alone, and then those that turn out to be beyond it
        widths = whole_half_widths(rows, alpha, errors.noise, scale)
        number = int(widths.argmax())
        if number in sought or (sought and widths[number] <= half_width):
            return scale
        sought.add(number)
        scale = _widest_scale_of(Tallies(*(part[[number]] for part in rows)), half_width, alpha, errors.noise, scale)


def _widest_scale_of(row: Tallies, half_width: float, alpha: float, noise: str, guess: float) -> float:
    """Return the largest scale of the noise at which one number is within ± a half-width."""

    def beyond(scales: Array) -> Array:
        many = Tallies(*(np.tile(part, (scales.size, 1)) for part in row))
        return whole_half_widths(many, alpha, noise, scales) - half_width

    if row.values[0, 1:].any():
        per_unit = safe_root(lambda _, x: beyond(1 / x), [1 / guess], [1e-300], _CLOSE, _FIRST_STEP)
        return 1 / float(per_unit[0])
    low, high = max(guess / _FAR_OFF, _ALL_ZERO), guess * (1 + 1 / half_width) * _FAR_OFF  # equal weights: in steps
    return _turn(lambda scales: beyond(scales) > 0, low, high)[0]


def _least_epsilon_of_scale(errors: Errors, scale: float, delta: float) -> float:
    """Return the least ε whose `noise_scale` is at most a scale.

    Discrete Gaussian noise of that scale may satisfy a smaller ε, while noise of a larger scale does not.
    """
    size, squared = errors.sensitivity, float(np.floor(errors.sensitivity**2))
    if errors.noise == "discrete_gaussian" and squared <= discrete_gaussian.MOST_SQUARED:
        return _least_epsilon_in_waves(scale, delta, float(np.sqrt(squared)))
    if FAMILIES[errors.noise].pure:
        least = (np.floor(size) if errors.noise in WHOLE_NOISES else size) / scale
    elif errors.noise == "gaussian":
        least = float(gaussian.epsilon_from_sigma(scalar("delta", delta, DELTA_RANGE), scale, size))
    else:
        least = float(epsilon_from_rho(delta, squared / (2 * scale**2)))
    step = _ROUNDING
    while _EPSILONS[0] <= least < _EPSILONS[1] and noise_scale(errors, least, delta) > scale:
        least, step = least * (1 + step), 8 * step
    return least


def _least_epsilon_in_waves(scale: float, delta: float, size: float) -> float:
    """Return the least ε of discrete Gaussian noise: that of the scale, or of a larger one, to 1e-7."""

    def is_enough(epsilons: Array) -> NDArray[np.bool_]:
        return discrete_gaussian.sigma_from_delta(epsilons, delta, size) <= scale

    least = float(discrete_gaussian.epsilon_from_sigma(delta, scale, size)) * (1 + _BEYOND_ROUNDING)
    if not _EPSILONS[0] <= least < _EPSILONS[1] or is_enough(np.array([least]))[0]:
        return least
    most = discrete_gaussian.epsilon_of_least_sigma(delta, scale, size) * (1 + _BEYOND_ROUNDING)
    while not is_enough(np.array([most]))[0]:
        most *= 1 + _FIRST_STEP
    return _turn(is_enough, least, most, _CLOSE_IN_WAVES)[1]


def _turn(
    holds: Callable[[Array], NDArray[np.bool_]], low: float, high: float, close: float = _CLOSE
) -> tuple[float, float]:
    """Return two close numbers, the first of which a condition does not hold and the second it does, or both ends.

    It is tried at many places at once.
    """
    while high > low * (1 + close):
        places = np.geomspace(low, high, _N_PLACES)
        first = int(np.append(holds(places), True).argmax())
        low, high = float(places[max(first - 1, 0)]), float(places[min(first, _N_PLACES - 1)])
    return low, high


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
