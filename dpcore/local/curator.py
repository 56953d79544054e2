"""A survey with a trusted office, which adds Laplace noise to the counts: its error, and what a wanted one requires."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erfcx, ndtr

from dpcore import gaussian, laplace
from dpcore.checks import POSITIVE_EPSILON_RANGE, PROBABILITY_RANGE, RECORDS_RANGE, Array, integer, number
from dpcore.local.shares import HALF_WIDTH_RANGE, LEAST_EPSILON, MOST_EPSILON, OPTIONS_RANGE, TOGETHER_RANGE
from dpcore.roots import bisect, positive_mean, whole_mean
from dpcore.rounding import round_up

_LEAST_EXACT = 1e-9  # of the significance of a sum of errors, which cancellation spoils below
_SUM_HALVINGS = 60  # between the error of the noise, or so many people, and the union bound
_N_HALVINGS = 70  # of the ratio of 1e18, to the last bits


def curator_half_width(
    epsilon: ArrayLike, n_options: ArrayLike, n_people: ArrayLike, significance: ArrayLike = 0.05
) -> Array:
    """(Δ₁/ε) ln(1/α)/n: the half-width of a share that a trusted office publishes, with Laplace noise on its counts.

    Neighbouring surveys differ in the answer of one person. Of d > 2 options that moves one count up and another down,
    so that Δ₁ = 2 for all counts together. Of two options one count is enough, with Δ₁ = 1: how many answer is known,
    and the other count is the rest.

    Parameters
    ----------
    epsilon : ε of the release, in [1e-12, 1e6].
    n_options : d, a whole number in [2, 1e9].
    n_people : n, a whole number in [1, 1e12].
    significance : α in [1e-300, 1).

    Returns
    -------
    The half-width, as a share of 1, rounded up.

    Examples
    --------
    >>> (100 * curator_half_width([0.5, 2], [[2], [20]], 50_000)).round(5).tolist()
    [[0.01198, 0.003], [0.02397, 0.00599]]
    """
    n_options, n_people = integer("n_options", n_options, OPTIONS_RANGE), integer("n_people", n_people, RECORDS_RANGE)
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    scale = laplace.scale_from_epsilon(epsilon, 0.0, np.where(n_options == 2, 1.0, 2.0))
    return round_up(laplace.half_width(significance, scale) / n_people, 2)


def curator_epsilon(
    half_width: ArrayLike, n_options: ArrayLike, n_people: ArrayLike, significance: ArrayLike = 0.05
) -> Array:
    """(Δ₁/h) ln(1/α)/n: the least ε at which `curator_half_width` is at most h, its inverse.

    Parameters
    ----------
    half_width : h, as a share of 1, in [1e-12, 1].
    n_options, n_people, significance : as for `curator_half_width`.

    Returns
    -------
    ε in [1e-12, 1e6], rounded up by a relative 3e-15 at most; NaN where 1e6 is not enough.

    Examples
    --------
    >>> curator_epsilon([0.01, 0.001], [[2], [20]], 50_000).round(5).tolist()
    [[0.00599, 0.05991], [0.01198, 0.11983]]
    """
    wanted = number("half_width", half_width, HALF_WIDTH_RANGE)
    at_one = curator_half_width(1.0, n_options, n_people, significance)
    epsilon = np.maximum(round_up(at_one / wanted, 8), LEAST_EPSILON)
    return np.where(epsilon <= MOST_EPSILON, epsilon, np.nan)[()]


def curator_population_half_width(
    epsilon: ArrayLike, n_options: ArrayLike, n_people: ArrayLike, share: ArrayLike, significance: ArrayLike = 0.05
) -> Array:
    """The h with Pr(|X + L| > h) = α, X normal with variance f(1 − f)/n and L the noise: for a population.

    The people are a random sample of it. The noise of scale b is that of `curator_half_width`; with s = √(f(1 − f)/n),
    half of the probability is Φ(−h/s) + ½ e^{s²/2b² − h/b} Φ(h/s − s/b) − ½ e^{s²/2b² + h/b} Φ(−h/s − s/b) (own).

    Parameters
    ----------
    epsilon, n_options, n_people, significance : as for `curator_half_width`; α in [1e-290, 1).
    share : f in [0, 1], the share of the population.

    Returns
    -------
    The half-width, as a share of 1, rounded up by a relative 1e-9. Below α = 1e-9 it is a union bound: both are within
    their half-width at α/2.

    Examples
    --------
    >>> (100 * curator_population_half_width([0.01, 1], 20, 50_000, 0.05)).round(4).tolist()
    [1.2102, 0.1914]
    """
    level = number("significance", significance, TOGETHER_RANGE)
    n_people = integer("n_people", n_people, RECORDS_RANGE)
    f = number("share", share, PROBABILITY_RANGE)
    noise = curator_half_width(epsilon, n_options, n_people, level)
    bound = curator_half_width(epsilon, n_options, n_people, level / 2)
    deviation = np.sqrt(f * (1 - f) / n_people)
    bound = bound + gaussian.half_width(level / 2, 1.0) * deviation
    noise, bound, deviation, level = np.broadcast_arrays(noise, bound, deviation, level)
    scale, s = noise / -np.log(level), np.maximum(deviation, bound * 1e-9)

    def is_met(h: Array) -> NDArray[np.bool_]:
        return 2 * _tail_of_sum(h, s, scale) <= level

    found = bisect(is_met, noise, bound, _SUM_HALVINGS)[1] * (1 + 1e-9)
    return np.where(level < _LEAST_EXACT, bound, np.where(deviation > 0, np.minimum(found, bound), noise))[()]


def curator_population_epsilon(
    half_width: ArrayLike, n_options: ArrayLike, n_people: ArrayLike, share: ArrayLike, significance: ArrayLike = 0.05
) -> Array:
    """The least ε at which `curator_population_half_width` is at most h, by bisection: its inverse.

    Parameters
    ----------
    half_width : h, as a share of 1, in [1e-12, 1].
    n_options, n_people, share, significance : as for `curator_population_half_width`.

    Returns
    -------
    ε in [1e-12, 1e6], for h less a relative 1e-8, so that rounding never gives too little noise for h. NaN where 1e6 is
    not enough, as where the sampling alone is farther off.

    Examples
    --------
    >>> curator_population_epsilon([0.01, 0.002, 0.001], 20, 50_000, 0.05).round(4).tolist()
    [0.0122, 0.1886, nan]
    """
    h = number("half_width", half_width, HALF_WIDTH_RANGE) * (1 - 1e-8)
    level, f = number("significance", significance, TOGETHER_RANGE), number("share", share, PROBABILITY_RANGE)
    deviation = np.sqrt(f * (1 - f) / integer("n_people", n_people, RECORDS_RANGE))
    sampling = gaussian.half_width(level / 2, 1.0) * deviation
    noise, half_noise = (curator_half_width(1.0, n_options, n_people, part) for part in (level, level / 2))
    s = np.maximum(deviation, h * 1e-9)

    def is_met(epsilon: Array) -> NDArray[np.bool_]:
        by_union = half_noise / epsilon + sampling <= h
        exactly = 2 * _tail_of_sum(h, s, noise / -np.log(level) / epsilon) <= level
        return np.where(level < _LEAST_EXACT, by_union, np.where(deviation > 0, exactly, noise / epsilon <= h))

    highest = is_met(np.asarray(MOST_EPSILON))
    least = bisect(is_met, np.full(highest.shape, LEAST_EPSILON), MOST_EPSILON, _N_HALVINGS, positive_mean)[1]
    return np.where(highest, least, np.nan)[()]


def curator_population_people(
    half_width: ArrayLike, epsilon: ArrayLike, n_options: ArrayLike, share: ArrayLike, significance: ArrayLike = 0.05
) -> Array:
    """The least number n of people whose half-width by `curator_population_half_width` is at most h, by bisection.

    Parameters
    ----------
    half_width : h, as a share of 1, in [1e-12, 1].
    epsilon, n_options, share, significance : as for `curator_population_half_width`.

    Returns
    -------
    Whole numbers of at least 1 as floats, for h less a relative 1e-8, so that rounding never gives too few. A number
    above 1e12, the most that `curator_population_half_width` takes, says that no survey is large enough.

    Examples
    --------
    >>> curator_population_people([0.03, 0.01], 1, 2, 0.12).tolist()
    [470.0, 4076.0]
    """
    h = number("half_width", half_width, HALF_WIDTH_RANGE) * (1 - 1e-8)
    level, f = number("significance", significance, TOGETHER_RANGE), number("share", share, PROBABILITY_RANGE)
    noise, half_noise = (curator_half_width(epsilon, n_options, 1, part) for part in (level, level / 2))
    deviation = np.sqrt(f * (1 - f))
    sampling = gaussian.half_width(level / 2, 1.0) * deviation
    enough = np.ceil(((sampling + np.sqrt(sampling**2 + 4 * h * half_noise)) / (2 * h)) ** 2)  # by the union bound
    h, noise, deviation, level, enough = np.broadcast_arrays(h, noise, deviation, level, enough)
    least = np.maximum(np.ceil(noise / h), 1.0)  # without sampling

    def is_met(n: Array) -> NDArray[np.bool_]:
        people = np.maximum(n, 1.0)  # none are never enough
        s = np.maximum(deviation / np.sqrt(people), h * 1e-9)
        return (n > 0) & (2 * _tail_of_sum(h, s, noise / -np.log(level) / people) <= level)

    found = bisect(is_met, least - 1, np.maximum(enough, least), _SUM_HALVINGS, whole_mean)[1]
    return np.where(level < _LEAST_EXACT, np.maximum(enough, least), np.where(deviation == 0, least, found))[()]


def _tail_of_sum(h: Array, s: Array, b: Array) -> Array:
    """Return Pr(X + L > h) for normal X of deviation s and Laplace L of scale b; no factor of it overflows."""
    high, low = h / s + s / b, s / b - h / s
    density = np.exp(-((h / s) ** 2) / 2)
    beyond = np.where(
        low > 0,
        density * erfcx(np.maximum(low, 0.0) / np.sqrt(2)) / 2,
        np.exp(np.minimum((s / b) ** 2 / 2 - h / b, 0.0)) * ndtr(-low),
    )
    return ndtr(-h / s) + (beyond - density * erfcx(high / np.sqrt(2)) / 2) / 2
