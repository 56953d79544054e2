"""The error of a clipped sum or mean, the bias of what is cut and the noise of the bounds, as records of arrays."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from dpcore._records import PlainRecord, plain
from dpcore.checks import (
    BOUND_RANGE,
    POSITIVE_EPSILON_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    number,
    option,
    refuse,
    scalar,
)
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.clipping.noise import NOISES, WHOLE_NOISES, Noise, half_width_about, noise_delta, noise_of
from dpcore.sensitivity import NEIGHBOURS, query_sensitivity

Measures = Mapping[str, Callable[[], Array]]
"""A function for each array that is computed when it is first read."""


@dataclass(frozen=True)
class MeasuredRecord(PlainRecord):
    """A record of arrays of one shape; those of `_measures` are computed when they are first read."""

    _measures: Measures = field(repr=False, kw_only=True)

    def at(self, place: int) -> Self:
        """Return the record of one entry, where the arrays have one axis.

        Examples
        --------
        >>> from dpcore.clipping import sum_error
        >>> error = sum_error(np.arange(1, 1001), 0, [1000, 928.67162], epsilon=0.1).at(1)
        >>> f"{error.n_clipped:.0f} of 1000 values are cut at {error.high}"
        '72 of 1000 values are cut at 928.67162'
        """
        names = [part.name for part in fields(self) if part.name != "_measures"]
        measures = {name: partial(_entry, self, name, place) for name in self._measures}
        return replace(self, **{name: _entry(self, name, place) for name in names}, _measures=measures)


def _entry(record: object, name: str, place: int) -> Any:
    """Return one entry of an array of a record, or what is no array as it is."""
    value = getattr(record, name)
    return value[place] if np.ndim(value) else value


BIASES = ("net", "gross")


@dataclass(frozen=True)
class MeasuredBounds(MeasuredRecord):
    """Bounds with the bias and the noise that they cause, and measures of both together, computed when first read."""

    low: Array
    high: Array
    sensitivity: Array
    bias: Array
    noise_scale: Array
    deviation: Array

    @property
    def root_mean_square_error(self) -> Array:
        """√(bias² + deviation²)."""
        return plain(self._measures["root_mean_square_error"]())

    @property
    def mean_absolute_error(self) -> Array:
        """E|bias + noise|."""
        return plain(self._measures["mean_absolute_error"]())

    @cached_property
    def half_width(self) -> Array:
        """The least a with Pr(|bias + noise| > a) ≤ α."""
        return plain(self._measures["half_width"]())

    @property
    def n_clipped(self) -> Array:
        """How many values are cut."""
        return plain(self._measures["n_clipped"]())


@dataclass(frozen=True)
class ClippingError(MeasuredBounds):
    """The error of a clipped sum (or mean); all arrays have the common shape of the bounds and ε, in query units.

    Attributes
    ----------
    low, high : the bounds.
    sensitivity : Δ of the clipped sum.
    bias : E[release] − truth before noise: Σ(clip(x) − x); of "gross" errors all that is cut, Σ|clip(x) − x|.
    noise_scale : b, σ or, of truncated Laplace noise, b; rounded up.
    deviation : the standard deviation of the noise.
    root_mean_square_error : √(bias² + deviation²).
    mean_absolute_error : E|bias + noise|.
    half_width : the least a with Pr(|bias + noise| > a) ≤ α.
    n_clipped : how many values are cut; of a distribution on average.
    """


def sum_error(
    values: ArrayLike | Distribution | Data,
    low: ArrayLike,
    high: ArrayLike,
    epsilon: ArrayLike,
    noise: str = "laplace",
    neighbours: str = "add_remove",
    delta: float | None = None,
    significance: float = 0.05,
    bias: str = "net",
) -> ClippingError:
    """Return the error of the sum of values clipped to [L, U], with noise for (ε, δ)-DP.

    Parameters
    ----------
    values : data in [−1e15, 1e15], or a `Distribution`, whose bias and number of clipped values are averages.
    low, high : L < U in [−1e15, 1e15]; whole numbers for noise on the whole numbers.
    epsilon : in [1e-12, 1e6].
    noise : one of `NOISES`.
    neighbours : "add_remove", Δ = max(|L|, |U|), or "replace", Δ = U − L.
    delta : of Gaussian, discrete Gaussian and truncated Laplace noise, in [1e-300, 1), 1e-6 by default; the others
        leave it out.
    significance : α of `half_width`, in [1e-300, 1).
    bias : "net", or "gross" for errors that count on no cut below to make up for one above: never smaller ones.

    Returns
    -------
    A `ClippingError` of the common shape of low, high and epsilon.

    Raises
    ------
    ValueError
        also where noise on the whole numbers is wanted for bounds that are not whole.

    Examples
    --------
    >>> error = sum_error(np.arange(1, 1001), 0, [1000, 928.67162], epsilon=0.1)
    >>> error.root_mean_square_error.round(4).tolist(), error.n_clipped.tolist()
    ([14142.1356, 13384.3474], [0.0, 72.0])
    """
    known = as_values(values)
    low, high, moved, added = prepared(low, high, epsilon, noise, neighbours, delta)
    cut = cut_bias(known, low, high, bias)
    alpha = scalar("significance", significance, SIGNIFICANCE_RANGE)
    return ClippingError(
        low=low[()],
        high=high[()],
        sensitivity=moved[()],
        bias=cut[()],
        noise_scale=added.scale[()],
        deviation=added.deviation[()],
        _measures={
            "root_mean_square_error": lambda: np.hypot(cut, added.deviation),
            "mean_absolute_error": lambda: added.mean_about(cut),
            "half_width": lambda: half_width_about(added, cut, alpha),
            "n_clipped": lambda: known.n_below(low) + known.n_above(high),
        },
    )


def cut_bias(known: Distribution | Data, low: Array, high: Array, bias: str) -> Array:
    """Return Σ(clip(x) − x), or Σ|clip(x) − x| if the bias is "gross"."""
    option("bias", bias, BIASES)
    below, above = known.cut_below(low), known.cut_above(high)
    return below - above if bias == "net" else below + above


def prepared(
    low: ArrayLike, high: ArrayLike, epsilon: ArrayLike, noise: str, neighbours: str, delta: float | None
) -> tuple[Array, Array, Array, Noise]:
    """Return the bounds, the sensitivity of the clipped sum, and its noise, after their checks."""
    option("noise", noise, NOISES)
    option("neighbours", neighbours, NEIGHBOURS)
    bounds = number("low", low, BOUND_RANGE), number("high", high, BOUND_RANGE)
    low, high, epsilon = np.broadcast_arrays(*bounds, number("epsilon", epsilon, POSITIVE_EPSILON_RANGE))
    moved = query_sensitivity("sum", neighbours, low, high)
    if noise in WHOLE_NOISES:
        refuse("high", high, ~np.asarray(moved.whole), "the whole numbers, as low, for noise on the whole numbers")
    step = np.asarray(moved.l1)
    return low, high, step, noise_of(noise, epsilon, noise_delta(noise, delta), step)
