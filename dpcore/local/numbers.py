"""The mean of a number that each person has within public bounds, and sends with noise of their own."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dpcore import gaussian
from dpcore.checks import (
    BOUND_RANGE,
    POSITIVE_EPSILON_RANGE,
    RECORDS_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    generator,
    integer,
    number,
    option,
    refuse,
    scalar,
)

NUMBER_METHODS = ("laplace", "duchi", "piecewise", "hybrid")
_MOST_EPSILON = 700.0  # beyond it nothing is added that a double shows
_UNIT_RANGE = "[-1, 1]"


def mean_half_width(
    epsilon: ArrayLike,
    n_people: ArrayLike,
    method: str = "best",
    mean: ArrayLike | None = None,
    low: ArrayLike = -1.0,
    high: ArrayLike = 1.0,
    significance: ArrayLike = 0.05,
) -> Array:
    """z (U − L)/2 √(v/n): the half-width of the mean of n reports of numbers in [L, U], by z of a normal distribution.

    For x in [−1, 1] a report has the variance v = 8/ε² by Laplace noise, coth²(ε/2) − x² by the two points of Duchi,
    Jordan & Wainwright (2018), x²/(e^{ε/2} − 1) + (e^{ε/2} + 3)/(3(e^{ε/2} − 1)²) by the piecewise mechanism of Wang et
    al. (2019). Their hybrid takes the piecewise one with probability 1 − e^{−ε/2}, at which v does not depend on x, and
    else Duchi's, or always Duchi's where its worst v is less. The error is that of the noise alone, for the people who
    answer.

    Parameters
    ----------
    epsilon : ε of each report, in [1e-12, 1e6].
    n_people : n, a whole number in [1, 1e12]. For a small n the normal approximation is rough.
    method : one of `NUMBER_METHODS`, or "best": that of the least half-width.
    mean : the mean of all numbers in [L, U], where it is about known: the worst numbers of this mean; None for the
        worst of any.
    low, high : L < U, in [-1e15, 1e15], public.
    significance : α in [1e-300, 1).

    Returns
    -------
    The half-width in the unit of L and U, of which a part 1 − α of surveys is within.

    Examples
    --------
    >>> mean_half_width([0.5, 1, 2, 4], 10_000, low=0, high=100).round(3).tolist()
    [4.001, 2.03, 1.001, 0.459]
    """
    n_people = integer("n_people", n_people, RECORDS_RANGE)
    return _half_width_of_one(epsilon, method, mean, low, high, significance) / np.sqrt(n_people)


def mean_least_people(
    half_width: ArrayLike,
    epsilon: ArrayLike,
    method: str = "best",
    mean: ArrayLike | None = None,
    low: ArrayLike = -1.0,
    high: ArrayLike = 1.0,
    significance: ArrayLike = 0.05,
) -> Array:
    """⌈(h₁/h)²⌉, h₁ the half-width of one report: the least number of people whose mean is within h.

    Parameters
    ----------
    half_width : h in the unit of L and U, in [1e-15, 1e15].
    epsilon, method, mean, low, high, significance : as for `mean_half_width`.

    Returns
    -------
    Whole numbers of at least 1 as floats; the quotient is raised by a part 1e-14 first, so that rounding never gives
    too few. Above 1e12 no survey is large enough.

    Examples
    --------
    >>> mean_least_people(1.0, [0.5, 1, 2, 4], low=0, high=100).tolist()
    [160101.0, 41190.0, 10011.0, 2103.0]
    """
    half_width = number("half_width", half_width, "[1e-15, 1e15]")
    of_one = _half_width_of_one(epsilon, method, mean, low, high, significance)
    return np.maximum(np.ceil((of_one / half_width) ** 2 * (1 + 1e-14)), 1.0)


def sample_numbers(
    rng: np.random.Generator,
    values: ArrayLike,
    epsilon: float,
    method: str = "hybrid",
    low: float = -1.0,
    high: float = 1.0,
) -> Array:
    """Draws of the reports of numbers, one for each: their expectation is the number, their mean estimates the mean.

    For a trial: a release needs a sampler that does not show the low bits of a floating-point number.

    Parameters
    ----------
    rng : the source of randomness.
    values : x in [L, U], of any shape.
    epsilon : ε of each report, in [1e-12, 1e6].
    method : one of `NUMBER_METHODS`.
    low, high : L < U, in [-1e15, 1e15].

    Returns
    -------
    Reports of the shape of `values`, in their unit; they may be far outside of [L, U].

    Examples
    --------
    >>> reports = sample_numbers(np.random.default_rng(1), np.full(10_000, 30.0), 2.0, low=0, high=100)
    >>> print(f"{reports.mean():.1f}")
    30.0
    """
    generator("rng", rng)
    option("method", method, NUMBER_METHODS)
    epsilon = min(scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE), _MOST_EPSILON)
    low, high = (scalar(name, end, BOUND_RANGE) for name, end in (("low", low), ("high", high)))
    refuse("high", np.asarray(high), np.asarray(high <= low), f"({low:g}, 1e15]")
    x = 2 * (number("values", values, f"[{low!r}, {high!r}]") - low) / (high - low) - 1
    if method == "laplace":
        reports = x + rng.laplace(scale=2 / epsilon, size=x.shape)
    elif method == "piecewise":
        reports = _piecewise_reports(rng, x, epsilon)
    else:
        reports = _duchi_reports(rng, x, epsilon)
        loss = np.asarray(epsilon)
        if method == "hybrid" and _hybrid_variance(loss, None) < _duchi_variance(loss, None):
            is_piecewise = rng.random(x.shape) < -np.expm1(-epsilon / 2)
            reports = np.where(is_piecewise, _piecewise_reports(rng, x, epsilon), reports)
    return low + (high - low) * (reports + 1) / 2


def _duchi_reports(rng: np.random.Generator, x: Array, epsilon: float) -> Array:
    ratio = np.tanh(epsilon / 2)
    return np.where(rng.random(x.shape) < (1 + x * ratio) / 2, 1.0, -1.0) / ratio


def _piecewise_reports(rng: np.random.Generator, x: Array, epsilon: float) -> Array:
    """Return uniform numbers of [−C, C], more probable in an interval of the length C − 1 about x."""
    most = 1 / np.tanh(epsilon / 4)
    start = (most + 1) / 2 * x - (most - 1) / 2
    inside = start + (most - 1) * rng.random(x.shape)
    outside = -most + (most + 1) * rng.random(x.shape)  # a point of the two ends, put together
    outside = np.where(outside < start, outside, outside + most - 1)
    return np.where(rng.random(x.shape) < 1 / (1 + np.exp(-epsilon / 2)), inside, outside)


def _half_width_of_one(
    epsilon: ArrayLike, method: str, mean: ArrayLike | None, low: ArrayLike, high: ArrayLike, significance: ArrayLike
) -> Array:
    option("method", method, (*NUMBER_METHODS, "best"))
    epsilon = np.minimum(number("epsilon", epsilon, POSITIVE_EPSILON_RANGE), _MOST_EPSILON)
    low, high = number("low", low, BOUND_RANGE), number("high", high, BOUND_RANGE)
    refuse("high", high, high <= low, "the numbers above `low`")
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    centre = None if mean is None else number("mean", mean, BOUND_RANGE)
    if centre is not None:
        refuse("mean", centre, (centre < low) | (centre > high), "[low, high]")
        centre = number("mean", 2 * ((centre - low) / (high - low)) - 1, _UNIT_RANGE)
    methods = NUMBER_METHODS if method == "best" else (method,)
    deviations = [np.sqrt(_VARIANCES[name](epsilon, centre)) for name in methods]
    least = np.minimum.reduce(np.broadcast_arrays(*deviations))
    return gaussian.half_width(significance, 1.0) * (high - low) / 2 * least


def _duchi_variance(epsilon: Array, mean: Array | None) -> Array:
    """Return 1/sinh²(ε/2) + 1 − x² without cancellation; the worst numbers are all at the mean."""
    return 1 / np.sinh(epsilon / 2) ** 2 + (1.0 if mean is None else (1 - mean) * (1 + mean))


def _piecewise_variance(epsilon: Array, _: Array | None) -> Array:
    """Return the variance at the ends −1 and 1, which numbers of any mean can have."""
    t, rest = np.exp(-epsilon / 2), -np.expm1(-epsilon / 2)
    return t / rest + (t + 3 * t**2) / (3 * rest**2)


def _hybrid_variance(epsilon: Array, mean: Array | None) -> Array:
    t, rest = np.exp(-epsilon / 2), -np.expm1(-epsilon / 2)
    both = (t + 3 * t**2) / (3 * rest) + t * (1 / np.sinh(epsilon / 2) ** 2 + 1)
    is_both = both < _duchi_variance(epsilon, None)
    return np.where(is_both, both, _duchi_variance(epsilon, mean))


_VARIANCES: dict[str, Callable[[Array, Array | None], Array]] = {
    "laplace": lambda epsilon, _: 8 / epsilon**2,
    "duchi": _duchi_variance,
    "piecewise": _piecewise_variance,
    "hybrid": _hybrid_variance,
}
