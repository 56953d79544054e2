"""The error of a clipped sum or mean: the bias of what is cut, and the noise; of a mean, the number of values is
public, or released with noise of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import (
    BOUND_RANGE,
    POSITIVE_EPSILON_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    PlainRecord,
    number,
    option,
    plain,
    refuse,
    scalar,
)
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.clipping.noise import (
    CONTINUOUS_NOISES,
    HALVINGS,
    NOISES,
    WHOLE_NOISES,
    Noise,
    half_width_about,
    noise_delta,
    noise_of,
)
from dpcore.rounding import round_down
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
class BiasAndNoise(MeasuredRecord):
    """The error of a clipped sum (or mean); all arrays have the common shape of the bounds and ε, in query units.

    The measures of bias and noise together are computed when they are first read.

    Attributes
    ----------
    low, high : the bounds.
    sensitivity : Δ of the clipped sum.
    bias : E[release] − truth before noise: Σ(clip(x) − x); of "gross" errors all that is cut, Σ|clip(x) − x|.
    noise_scale : b, σ or, of truncated Laplace noise, b; rounded up.
    deviation : the standard deviation of the noise.
    count_scale : of a mean whose n is counted, the scale of the noise of the count, whose Δ is 1; rounded up. Else 0.
    """

    low: Array
    high: Array
    sensitivity: Array
    bias: Array
    noise_scale: Array
    deviation: Array
    count_scale: float | Array = field(default=0.0, kw_only=True)

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
        """How many values are cut; of a distribution on average."""
        return plain(self._measures["n_clipped"]())


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
) -> BiasAndNoise:
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
    A `BiasAndNoise` of the common shape of low, high and epsilon.

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
    return BiasAndNoise(
        low=low,
        high=high,
        sensitivity=moved,
        bias=cut,
        noise_scale=added.scale,
        deviation=added.deviation,
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


_SHARE_RANGE = "(0, 1)"


def mean_error(
    values: ArrayLike | Distribution | Data,
    low: ArrayLike,
    high: ArrayLike,
    epsilon: ArrayLike,
    noise: str = "laplace",
    neighbours: str = "add_remove",
    delta: float | None = None,
    significance: float = 0.05,
    bias: str = "net",
    count_share: float | None = None,
) -> BiasAndNoise:
    """Return the error of the mean of values clipped to [L, U]: the noisy sum, divided by n.

    With a public n all errors are those of the sum, divided by n. If n is not public, the share s of ε (and of δ) goes
    to a noisy count, the rest to the noisy sum of the distances to c = (L + U)/2, of sensitivity (U − L)/2. To first
    order the error is (bias + sum noise − (m − c) count noise)/n, m the mean of the clipped values; as an upper bound
    for its half-width and mean both noises are added up at half the significance each.

    Parameters
    ----------
    values, low, high, epsilon, noise, neighbours, delta, significance, bias : as in `sum_error`.
    count_share : s in (0, 1), for neighbours "add_remove" and continuous noise; None for a public n.

    Returns
    -------
    A `BiasAndNoise` in the unit of the values; `sensitivity` and `noise_scale` are those of the sum, divided by n.

    Examples
    --------
    >>> error = mean_error(np.arange(1, 1001), 0, 928.67162, epsilon=0.1)
    >>> f"{error.root_mean_square_error:.7f}"
    '13.3843474'
    >>> counted = mean_error(np.arange(1, 1001), 0, 1000, 1, count_share=0.2)
    >>> f"{counted.root_mean_square_error:.4f} {counted.noise_scale * 1000:.0f} {counted.count_scale:.0f}"
    '0.8839 625 5'
    """
    known = as_values(values)
    if count_share is None:
        total = sum_error(known, low, high, epsilon, noise, neighbours, delta, significance, bias)
        return replace(
            total,
            sensitivity=total.sensitivity / known.n,
            bias=total.bias / known.n,
            noise_scale=total.noise_scale / known.n,
            deviation=total.deviation / known.n,
            _measures={
                "root_mean_square_error": lambda: total.root_mean_square_error / known.n,
                "mean_absolute_error": lambda: total.mean_absolute_error / known.n,
                "half_width": lambda: total.half_width / known.n,
                "n_clipped": lambda: total.n_clipped,
            },
        )
    share = scalar("count_share", count_share, _SHARE_RANGE)
    option("neighbours", neighbours, ("add_remove",))
    option("noise", noise, CONTINUOUS_NOISES)
    bounds = number("low", low, BOUND_RANGE), number("high", high, BOUND_RANGE)
    all_epsilon = number("epsilon", epsilon, "[1e-9, 1e6]")
    low, high, epsilon = np.broadcast_arrays(*bounds, all_epsilon)
    half = np.asarray(query_sensitivity("sum", "replace", low, high).l1) / 2
    noises = count_noises(noise, epsilon, noise_delta(noise, delta), share, half, all_epsilon)
    counted = counted_of(known, low, high, cut_bias(known, low, high, bias), *noises)
    alpha = scalar("significance", significance, SIGNIFICANCE_RANGE)
    n = known.n
    return BiasAndNoise(
        low=low,
        high=high,
        sensitivity=half / n,
        bias=counted.bias / n,
        noise_scale=counted.of_sum.scale / n,
        deviation=counted.deviation / n,
        count_scale=counted.of_count.scale,
        _measures={
            "root_mean_square_error": lambda: counted.root_mean_square_error,
            "mean_absolute_error": lambda: counted.mean_absolute_error,
            "half_width": lambda: counted.half_width(alpha),
            "n_clipped": lambda: known.n_below(low) + known.n_above(high),
        },
    )


class CountedMean(NamedTuple):
    """A mean whose n is counted with noise: bias and noise of n times its error, to first order.

    `off` is how far the mean of the clipped values is from the middle of the bounds: the noise of the count moves the
    mean by so much.
    """

    n: int
    bias: Array
    off: Array
    of_sum: Noise
    of_count: Noise

    @property
    def deviation(self) -> Array:
        """The standard deviation of n times the error."""
        return np.hypot(self.of_sum.deviation, self.off * self.of_count.deviation)

    @property
    def root_mean_square_error(self) -> Array:
        """That of the mean."""
        return np.hypot(self.bias, self.deviation) / self.n

    @property
    def mean_absolute_error(self) -> Array:
        """An upper bound: the means of both noises added up."""
        mean = self.of_sum.mean_about(self.bias) + self.off * self.of_count.mean_about(np.zeros_like(self.bias))
        return mean / self.n

    def half_width(self, alpha: float, halvings: int = HALVINGS) -> Array:
        """Return an upper bound: both half-widths at α/2 added up."""
        of_count = half_width_about(self.of_count, np.zeros_like(self.of_count.scale), alpha / 2, halvings)
        return (half_width_about(self.of_sum, self.bias, alpha / 2, halvings) + self.off * of_count) / self.n


def counted_of(
    known: Distribution | Data, low: Array, high: Array, bias: Array, of_sum: Noise, of_count: Noise
) -> CountedMean:
    """Return the parts of the error of a mean whose n is counted, from both noises and the bias of the sum."""
    off = abs(known.mean + cut_bias(known, low, high, "net") / known.n - (low + high) / 2)
    return CountedMean(known.n, bias, off, of_sum, of_count)


def count_noises(
    noise: str, epsilon: Array, delta: float, share: float, half: Array, count_epsilon: Array
) -> tuple[Noise, Noise]:
    """Return the noise of a sum of sensitivity `half`, and that of the count, which does not depend on the bounds."""
    of_sum, of_count = (
        noise_of(noise, round_down(own * part), float(round_down(np.array(delta * part))), step)
        for part, own, step in ((1 - share, epsilon, half), (share, count_epsilon, np.ones_like(count_epsilon)))
    )
    return of_sum, of_count
