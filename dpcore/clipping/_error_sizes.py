"""One measure of the error at many pairs of bounds and several ε, for the search for the best bounds."""

from collections.abc import Callable
from functools import cache

import numpy as np

from dpcore.checks import Array
from dpcore.clipping.distributions import Data, Distribution
from dpcore.clipping.errors import cut_bias
from dpcore.clipping.means import count_noises, counted_of
from dpcore.clipping.noise import WHOLE_NOISES, Noise, half_width_about, noise_of

Sizes = Callable[[Array, Array], Array]
"""A function of lower and upper bounds; their first axis is that of ε, or has one entry."""
_HALVINGS = 40  # by which a half-width is right to 1e-12, and computed a third faster than to the last bit


def error_sizes(
    known: Distribution | Data,
    epsilon: Array,
    noise: str,
    neighbours: str,
    error: str,
    delta: float,
    significance: float,
    count_share: float | None,
) -> Sizes:
    """Return a function that gives one measure of the error of a sum, of gross bias, to 1e-12; ∞ where U ≤ L.

    With a `count_share` it is that of a mean whose n is counted. ε has one axis, and all arguments were checked before.
    Continuous noise is computed once, for a sensitivity of 1, and scaled to that of each pair of bounds.
    """

    @cache
    def unit_noises(n_axes: int) -> tuple[Noise, ...]:
        """Return the noise of the sum for a sensitivity of 1, and that of the count if there is one."""
        own = first_of(epsilon, n_axes)
        if count_share is not None:
            return count_noises(noise, own, delta, count_share, np.ones_like(own), own)
        return (noise_of(noise, own, delta, np.ones_like(own)),)

    def noise_at(step: Array) -> Noise:
        if noise in WHOLE_NOISES:
            return noise_of(noise, first_of(epsilon, step.ndim), delta, step)
        return unit_noises(step.ndim)[0].times(step)

    def size_of_sum(step: Array, cut: Array) -> Array:
        if error == "root_mean_square":
            return np.hypot(cut, noise_at(step).deviation)
        if error == "mean_absolute":
            return noise_at(step).mean_about(cut)
        return half_width_about(noise_at(step), cut, significance, _HALVINGS)

    def size_of_mean(low: Array, high: Array, half: Array, cut: Array) -> Array:
        counted = counted_of(known, low, high, half, cut, noise_at(half), unit_noises(half.ndim)[1])
        if error == "half_width":
            return counted.half_width(significance, _HALVINGS)
        return counted.root_mean_square_error if error == "root_mean_square" else counted.mean_absolute_error

    def sizes(low: Array, high: Array) -> Array:
        is_range, cut = high > low, cut_bias(known, low, high, "gross")
        if count_share is not None:
            own = size_of_mean(low, high, np.where(is_range, (high - low) / 2, 1.0), cut)
        elif neighbours == "replace":
            own = size_of_sum(np.where(is_range, high - low, 1.0), cut)
        else:
            own = size_of_sum(np.where(is_range, np.maximum(abs(low), abs(high)), 1.0), cut)
        return np.where(is_range, own, np.inf)

    return sizes


def first_of(values: Array, n_axes: int) -> Array:
    """Return an array of one axis as the first of so many."""
    return values.reshape(-1, *(1,) * (n_axes - 1))
