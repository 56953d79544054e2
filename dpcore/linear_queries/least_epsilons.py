"""The least ε at which every published number is within a wanted half-width, and the strategy with the least one."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dpcore import discrete_gaussian, gaussian
from dpcore.checks import DELTA_RANGE, Array, scalar
from dpcore.composition import epsilon_from_rho
from dpcore.families import FAMILIES
from dpcore.linear_queries.errors import WHOLE_NOISES, Errors
from dpcore.linear_queries.simultaneous import (
    are_in_steps,
    independent_level,
    simulated_largest,
    simultaneous_half_widths,
    simultaneous_half_widths_of_scale,
)
from dpcore.linear_queries.spreads import (
    WIDTH_RANGE,
    largest_half_width,
    largest_of_scales,
    level_of,
    lower_half_widths,
    noise_scale,
)
from dpcore.linear_queries.tallies import Tallies
from dpcore.linear_queries.weighted_sums import added_noise
from dpcore.linear_queries.whole_sums import equal_sum_tails, whole_half_widths
from dpcore.roots import safe_root

_EPSILONS = 1e-6, 1e6  # between which the least ε is sought
_ROUNDING, _CLOSE, _N_PLACES = 1e-14, 1e-10, 32  # relative, of what is sought, and at how many places at once
_ALL_ZERO, _FAR_OFF = 0.03, 30.0  # a scale at which whole noise is 0, and by how much a guess of a scale is off
_BEYOND_ROUNDING, _CLOSE_IN_WAVES = 1e-12, 1e-7  # relative, of ε
_FIRST_STEP = 2e-3  # relative, from a guess of a scale
_EQUAL = 1 + 1e-9  # half-widths that differ in rounding alone
_MOST_FACTOR, _CLOSE_OF_ALL = 4.0, 1.01  # between two scales of whole noise of which all numbers are inside


def _largest(errors: Errors, epsilon: float, delta: float, significance: float, *, simultaneous: bool) -> float:
    """Return the largest half-width of a number, or of one among all at once."""
    if not simultaneous:
        return largest_half_width(errors, epsilon, delta, significance)
    return float(simultaneous_half_widths(errors, epsilon, delta, significance).half_widths.max())


def best_errors(
    every: Sequence[Errors],
    epsilon: float,
    delta: float = 0.0,
    significance: float = 0.05,
    *,
    simultaneous: bool = False,
) -> Errors:
    """Return the errors with the least `largest_half_width`; of equal ones, which differ in rounding, the first.

    Those of which one number alone is wider than the least need no more than this number.

    Parameters
    ----------
    every : of `error`, all with the same noise.
    epsilon, delta, significance : as in `half_widths`.
    simultaneous : whether the half-widths are those of all numbers at once.

    Examples
    --------
    >>> from dpcore.linear_queries import error
    >>> every = [error("running_totals", name, 36, noise="laplace") for name in ("per_number", "per_period", "tree")]
    >>> best_errors(every, 1.0).strategy
    'per_period'
    """
    lowest, found = lower_half_widths(every, epsilon, delta, significance), np.full(len(every), np.inf)
    for place in np.argsort(lowest, kind="stable"):
        if lowest[place] <= found.min() * _EQUAL:
            found[place] = _largest(every[place], epsilon, delta, significance, simultaneous=simultaneous)
    return every[int((found <= found.min() * _EQUAL).argmax())]


def least_epsilon(
    errors: Errors, half_width: float, delta: float = 0.0, significance: float = 0.05, *, simultaneous: bool = False
) -> float:
    """Return the least ε in [1e-6, 1e6] at which every published number is within ± a half-width, rounded up.

    It is the least to a relative 1e-9; of discrete Gaussian noise so narrow that δ rises and falls with σ, to 1e-7. Of
    whole noise with all numbers at once, whose half-widths are simulated at each scale, to about 1 %, or
    a step of the half-width.

    Parameters
    ----------
    errors, delta : as in `noise_scale`.
    half_width : what each number shall be within, in the unit of `per_cell`, in [1e-100, 1e100].
    significance : α of each number, as in `half_widths`.
    simultaneous : whether all numbers shall be within it at once, and α is that of all of them.

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
    wanted, alpha = scalar("half_width", half_width, WIDTH_RANGE), level_of(errors, significance)
    each = independent_level(errors, alpha) if simultaneous else alpha
    scale, step = (
        (_scale_of_all(errors, wanted, alpha), _FIRST_STEP)
        if each is None
        else (_widest_scale(errors, wanted, each), _CLOSE)
    )
    while True:
        least = _least_epsilon_of_scale(errors, scale, delta)
        if not _EPSILONS[0] <= least <= _EPSILONS[1]:
            high, low = (_largest(errors, epsilon, delta, alpha, simultaneous=simultaneous) for epsilon in _EPSILONS)
            scalar("half_width", wanted, f"[{low}, {high}]")
            least = min(max(least, _EPSILONS[0]), _EPSILONS[1])
        if _largest(errors, least, delta, alpha, simultaneous=simultaneous) <= wanted:
            return least
        scale, step = scale / (1 + step), 8 * step  # tails of noise in whole numbers waver in their last digits


def _scale_of_all(errors: Errors, half_width: float, alpha: float) -> float:
    """Return about the largest scale of the noise in each sum at which all numbers are within ± a half-width at once.

    Half-widths are proportional to it, but for noise in whole numbers.
    """

    def of_all(scale: float) -> float:
        return float(simultaneous_half_widths_of_scale(errors, scale, alpha).half_widths.max())

    if errors.noise not in WHOLE_NOISES:
        return half_width / of_all(1.0) * (1 - _ROUNDING)
    scale = max(half_width / float(gaussian.half_width(alpha, errors.largest / errors.sensitivity)), _ALL_ZERO)
    most = np.floor(half_width) + 1 if are_in_steps(errors) else half_width
    low, high = 0.0, np.inf
    while high > low * _CLOSE_OF_ALL:
        width = simulated_largest(errors, scale, alpha)[0] or of_all(scale)
        if width <= most:
            low = scale
            if most <= width * _CLOSE_OF_ALL:
                break
        else:
            high = scale
        guess = scale * most / max(width, most / _MOST_FACTOR) / _CLOSE_OF_ALL**0.5
        scale = guess if low < guess < high else float(np.sqrt(low * high))
    return low


def _widest_scale(errors: Errors, half_width: float, alpha: float) -> float:
    """Return the largest scale of the noise in each sum at which all numbers are within ± a half-width.

    Half-widths are proportional to it, but for noise in whole numbers.
    """
    if errors.noise not in WHOLE_NOISES:
        return half_width / float(largest_of_scales(errors, np.ones(1), alpha)[0]) * (1 - _ROUNDING)
    rows, sought = added_noise(*errors.asked).largest, set[int]()
    scale = max(half_width / float(gaussian.half_width(alpha, errors.largest / errors.sensitivity)), _ALL_ZERO)
    number = int((rows.counts * rows.values**2).sum(axis=1).argmax())
    while number not in sought:  # the number with the largest variance alone, and then those that turn out to be beyond
        sought.add(number)
        scale = _widest_scale_of(Tallies(*(part[[number]] for part in rows)), half_width, alpha, errors.noise, scale)
        widths = whole_half_widths(rows, alpha, errors.noise, scale)
        if widths.max() <= half_width:
            break
        number = int(widths.argmax())
    return scale


def _widest_scale_of(row: Tallies, half_width: float, alpha: float, noise: str, guess: float) -> float:
    """Return the largest scale of the noise at which one number is within ± a half-width.

    Half-widths are nearly proportional to it. Those of a sum of equal weights are in steps; its tails are not.
    """
    unit, n = float(row.values[0, 0]), float(row.counts[0, 0])
    is_equal = not row.values[0, 1:].any()

    def beyond(scales: Array) -> Array:
        many = Tallies(*(np.tile(part, (scales.size, 1)) for part in row))
        return whole_half_widths(many, alpha, noise, scales) - half_width

    def too_wide(scales: Array) -> Array:
        tails = equal_sum_tails(n, np.floor(half_width / unit), noise, scales) if is_equal else None
        return beyond(scales) if tails is None else np.log(np.maximum(tails, 1e-300) / alpha)

    if is_equal and n == 1:
        low, high = max(guess / _FAR_OFF, _ALL_ZERO), guess * (1 + 1 / half_width) * _FAR_OFF
        return _turn(lambda scales: beyond(scales) > 0, low, high)[0]
    width = float(beyond(np.array([guess]))[0]) + half_width
    guess = guess * half_width / width if width > 0 else guess
    per_unit = safe_root(lambda _, x: too_wide(1 / x), [1 / guess], [1e-300], _CLOSE, _FIRST_STEP)
    return 1 / float(per_unit[0])


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
