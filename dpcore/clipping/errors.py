"""The error of a clipped sum or mean: the bias of what is cut, and the noise that the bounds require."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from dpcore import discrete_gaussian, gaussian, geometric, laplace, truncated_laplace
from dpcore.checks import (
    BOUND_RANGE,
    DELTA_RANGE,
    POSITIVE_EPSILON_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    number,
    option,
    refuse,
    scalar,
)
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.roots import bisect
from dpcore.rounding import round_down, round_up
from dpcore.sensitivity import NEIGHBOURS, query_sensitivity

NOISES = ("laplace", "geometric", "gaussian", "discrete_gaussian", "truncated_laplace")
WHOLE_NOISES = ("geometric", "discrete_gaussian")
_SHARE_RANGE = "(0, 1)"
_MOST_SUMMED = 1e4  # the σ up to which the mean of discrete Gaussian noise about a bias is summed
_HALVINGS = 60


@dataclass(frozen=True)
class ClippingError:
    """The error of a clipped sum (or mean); all arrays have the common shape of the bounds and ε, in query units.

    Attributes
    ----------
    low, high : the bounds.
    sensitivity : Δ of the clipped sum.
    bias : E[release] − truth before noise: Σ(clip(x) − x).
    noise_scale : b, σ or, of truncated Laplace noise, b; rounded up.
    deviation : the standard deviation of the noise.
    root_mean_square_error : √(bias² + deviation²).
    mean_absolute_error : E|bias + noise|.
    half_width : the least a with Pr(|bias + noise| > a) ≤ α.
    n_clipped : how many values are cut; of a distribution on average.
    """

    low: Array
    high: Array
    sensitivity: Array
    bias: Array
    noise_scale: Array
    deviation: Array
    root_mean_square_error: Array
    mean_absolute_error: Array
    half_width: Array
    n_clipped: Array


@dataclass(frozen=True)
class Noise:
    """Noise of one family at arrays of scales: its deviation, Pr(noise > t) for t ≥ 0, and E|bias + noise|."""

    scale: Array
    deviation: Array
    upper: Callable[[Array], Array]
    mean_about: Callable[[Array], Array]


def sum_error(
    values: ArrayLike | Distribution | Data,
    low: ArrayLike,
    high: ArrayLike,
    epsilon: ArrayLike,
    noise: str = "laplace",
    neighbours: str = "add_remove",
    delta: float = 1e-6,
    significance: float = 0.05,
) -> ClippingError:
    """Return the error of the sum of values clipped to [L, U], with noise for (ε, δ)-DP.

    Parameters
    ----------
    values : data in [−1e15, 1e15], or a `Distribution`, whose bias and number of clipped values are averages.
    low, high : L < U in [−1e15, 1e15]; whole numbers for noise on the whole numbers.
    epsilon : in [1e-12, 1e6].
    noise : one of `NOISES`.
    neighbours : "add_remove", Δ = max(|L|, |U|), or "replace", Δ = U − L.
    delta : in [1e-300, 1), of Gaussian, discrete Gaussian and truncated Laplace noise; the others do not use it.
    significance : α of `half_width`, in [1e-300, 1).

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
    low, high, moved, added = _prepared(low, high, epsilon, noise, neighbours, delta)
    bias = known.cut_below(low) - known.cut_above(high)
    alpha = scalar("significance", significance, SIGNIFICANCE_RANGE)
    return _error(low, high, moved, bias, added, alpha, known.n_below(low) + known.n_above(high))


def error_size(
    error: str,
    values: Distribution | Data,
    low: ArrayLike,
    high: ArrayLike,
    epsilon: ArrayLike,
    noise: str,
    neighbours: str,
    delta: float,
    significance: float,
    both: bool = False,
) -> Array:
    """Return one measure of `sum_error` alone: "root_mean_square", "mean_absolute" or "half_width".

    With `both` all that is cut counts as bias, without making up on one side for the other.
    """
    low, high, _, added = _prepared(low, high, epsilon, noise, neighbours, delta)
    below, above = values.cut_below(low), values.cut_above(high)
    bias = below + above if both else below - above
    if error == "root_mean_square":
        return np.hypot(bias, added.deviation)[()]
    if error == "mean_absolute":
        return added.mean_about(bias)[()]
    return half_width_about(added, bias, significance)[()]


def _prepared(
    low: ArrayLike, high: ArrayLike, epsilon: ArrayLike, noise: str, neighbours: str, delta: float
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
    return low, high, step, noise_of(noise, epsilon, scalar("delta", delta, DELTA_RANGE), step)


def mean_error(
    values: ArrayLike | Distribution | Data,
    low: ArrayLike,
    high: ArrayLike,
    epsilon: ArrayLike,
    noise: str = "laplace",
    neighbours: str = "add_remove",
    delta: float = 1e-6,
    significance: float = 0.05,
    count_share: float | None = None,
) -> ClippingError:
    """Return the error of the mean of values clipped to [L, U]: the noisy sum, divided by n.

    With a public n all errors are those of the sum, divided by n. If n is not public, the share s of ε (and of δ) goes
    to a noisy count, the rest to the noisy sum of the distances to c = (L + U)/2, of sensitivity (U − L)/2. To first
    order the error is (bias + sum noise − (m − c) count noise)/n, m the mean of the clipped values; as an upper bound
    for its half-width and mean both noises are added up at half the significance each.

    Parameters
    ----------
    values, low, high, epsilon, noise, neighbours, delta, significance : as in `sum_error`.
    count_share : s in (0, 1), for neighbours "add_remove" and continuous noise; None for a public n.

    Returns
    -------
    A `ClippingError` in the unit of the values; `sensitivity` and `noise_scale` are those of the sum, divided by n.

    Examples
    --------
    >>> error = mean_error(np.arange(1, 1001), 0, 928.67162, epsilon=0.1)
    >>> f"{error.root_mean_square_error:.7f}"
    '13.3843474'
    >>> f"{mean_error(np.arange(1, 1001), 0, 1000, 1, count_share=0.2).root_mean_square_error:.4f}"
    '0.8839'
    """
    known = as_values(values)
    if count_share is None:
        total = sum_error(known, low, high, epsilon, noise, neighbours, delta, significance)
        return replace(
            total,
            sensitivity=total.sensitivity / known.n,
            bias=total.bias / known.n,
            noise_scale=total.noise_scale / known.n,
            deviation=total.deviation / known.n,
            root_mean_square_error=total.root_mean_square_error / known.n,
            mean_absolute_error=total.mean_absolute_error / known.n,
            half_width=total.half_width / known.n,
        )
    share = scalar("count_share", count_share, _SHARE_RANGE)
    option("neighbours", neighbours, ("add_remove",))
    option("noise", noise, tuple(key for key in NOISES if key not in WHOLE_NOISES))
    bounds = number("low", low, BOUND_RANGE), number("high", high, BOUND_RANGE)
    low, high, epsilon = np.broadcast_arrays(*bounds, number("epsilon", epsilon, "[1e-9, 1e6]"))
    half = np.asarray(query_sensitivity("sum", "replace", low, high).l1) / 2
    delta, alpha = scalar("delta", delta, DELTA_RANGE), scalar("significance", significance, SIGNIFICANCE_RANGE)
    of_sum = noise_of(noise, epsilon * (1 - share), delta * (1 - share), half)
    of_count = noise_of(noise, epsilon * share, delta * share, np.ones_like(half))
    bias = known.cut_below(low) - known.cut_above(high)
    off = abs(known.mean + bias / known.n - (low + high) / 2)
    deviation = np.hypot(of_sum.deviation, off * of_count.deviation)
    zero = np.zeros_like(bias)
    mean = of_sum.mean_about(bias) + off * of_count.mean_about(zero)
    width = half_width_about(of_sum, bias, alpha / 2) + off * half_width_about(of_count, zero, alpha / 2)
    n = known.n
    return ClippingError(
        low=low[()],
        high=high[()],
        sensitivity=(half / n)[()],
        bias=(bias / n)[()],
        noise_scale=(of_sum.scale / n)[()],
        deviation=(deviation / n)[()],
        root_mean_square_error=(np.hypot(bias, deviation) / n)[()],
        mean_absolute_error=(mean / n)[()],
        half_width=(width / n)[()],
        n_clipped=(known.n_below(low) + known.n_above(high))[()],
    )


def _error(
    low: Array, high: Array, sensitivity: Array, bias: Array, noise: Noise, alpha: float, n_clipped: Array
) -> ClippingError:
    return ClippingError(
        low=low[()],
        high=high[()],
        sensitivity=sensitivity[()],
        bias=bias[()],
        noise_scale=noise.scale[()],
        deviation=noise.deviation[()],
        root_mean_square_error=np.hypot(bias, noise.deviation)[()],
        mean_absolute_error=noise.mean_about(bias)[()],
        half_width=half_width_about(noise, bias, alpha)[()],
        n_clipped=n_clipped[()],
    )


def half_width_about(noise: Noise, bias: Array, alpha: float) -> Array:
    """Return the least a with Pr(noise > a − |B|) + Pr(noise > a + |B|) ≤ α: the noise is symmetric."""
    size = abs(bias)

    def enough(width: Array) -> NDArray[np.bool_]:
        inner = width - size
        above = np.where(inner >= 0, noise.upper(abs(inner)), 1 - noise.upper(np.nextafter(abs(inner), 0)))
        return above + noise.upper(width + size) <= alpha

    high = noise.deviation.copy()
    while not np.all(noise.upper(high) <= alpha / 2):
        high = high * 2
    return bisect(enough, np.zeros_like(size), size + high, _HALVINGS)[1]


def noise_of(noise: str, epsilon: Array, delta: float, step: Array, n_moved: Array | float = 1.0) -> Noise:
    """Return the noise of one of `NOISES` for (ε, δ) where one person moves so many numbers by a step each.

    Truncated Laplace noise has an equal part of ε and of δ for each moved number (basic composition).
    """
    return _NOISES[noise](epsilon, delta, step, np.broadcast_to(np.asarray(n_moved, np.float64), np.shape(step)))


def _laplace(epsilon: Array, _: float, step: Array, n_moved: Array) -> Noise:
    b = np.asarray(laplace.scale_from_epsilon(epsilon, 0.0, step * n_moved))
    return Noise(b, np.sqrt(2) * b, lambda t: np.exp(-t / b) / 2, lambda bias: abs(bias) + b * np.exp(-abs(bias) / b))


def _gaussian(epsilon: Array, delta: float, step: Array, n_moved: Array) -> Noise:
    sigma = np.asarray(
        gaussian.analytic_sigma(epsilon, delta, np.where(n_moved == 1, step, round_up(step * np.sqrt(n_moved), 2)))
    )

    def mean_about(bias: Array) -> Array:
        z = abs(bias) / sigma
        return sigma * (np.sqrt(2 / np.pi) * np.exp(-z * z / 2) + z * (1 - 2 * ndtr(-z)))

    return Noise(sigma, sigma, lambda t: ndtr(-t / sigma), mean_about)


def _geometric(epsilon: Array, _: float, step: Array, n_moved: Array) -> Noise:
    scale = np.asarray(geometric.scale_from_epsilon(epsilon, 0.0, step * n_moved))
    ratio = np.exp(-1 / scale)

    def mean_about(bias: Array) -> Array:
        """|B| + 2 Σ_{j > |B|} (j − |B|) Pr(j)."""
        size = abs(bias)
        after = np.floor(size) + 1
        beyond = -np.expm1(-1 / scale)
        summed = (after - size) / beyond + ratio / beyond**2
        return size + 2 * beyond / (1 + ratio) * np.exp(-after / scale) * summed

    deviation = np.sqrt(np.asarray(geometric.variance(scale)))
    return Noise(scale, deviation, lambda t: np.asarray(geometric.tail(t, scale)) / 2, mean_about)


def _discrete_gaussian(epsilon: Array, delta: float, step: Array, n_moved: Array) -> Noise:
    sigma = np.asarray(discrete_gaussian.sigma_from_delta(epsilon, delta, step * np.sqrt(n_moved), n_moved))

    def mean_about(bias: Array) -> Array:
        means = [_summed_mean(float(b), float(s)) for b, s in np.broadcast(bias, sigma)]
        return np.array(means).reshape(np.broadcast_shapes(bias.shape, sigma.shape))

    deviation = np.sqrt(np.asarray(discrete_gaussian.variance(sigma)))
    return Noise(sigma, deviation, lambda t: np.asarray(discrete_gaussian.tail(t, sigma)) / 2, mean_about)


def _summed_mean(bias: float, sigma: float) -> float:
    """Return E|bias + noise|; above σ = 1e4 that of the continuous Gaussian, which is right to 1e-9 there."""
    size = abs(bias)
    if sigma > _MOST_SUMMED:
        z = size / sigma
        return float(sigma * (np.sqrt(2 / np.pi) * np.exp(-z * z / 2) + z * (1 - 2 * ndtr(-z))))
    k = np.arange(np.floor(size) + 1, np.floor(size) + 2 + np.ceil(12 * sigma))
    return size + 2 * float(np.sum((k - size) * discrete_gaussian.pmf(k, sigma)))


def _truncated(epsilon: Array, delta: float, step: Array, n_moved: Array) -> Noise:
    own, own_delta = round_down(epsilon / n_moved), round_down(np.minimum(delta / n_moved, 0.5))
    bound = np.asarray(truncated_laplace.bound_from_epsilon(own, own_delta, step))
    b = np.asarray(truncated_laplace.scale_from_epsilon(own, step))

    def mean_about(bias: Array) -> Array:
        """|B| + 2 ∫ (x − |B|) p(x) dx over |B| < x < A."""
        size = np.minimum(abs(bias), bound)
        end = np.exp(-bound / b)
        inner = b * np.exp(-size / b) - (bound - size + b) * end
        return abs(bias) + np.maximum(inner, 0) / (1 - end)

    deviation = np.sqrt(np.asarray(truncated_laplace.variance(bound, b)))
    return Noise(b, deviation, lambda t: np.asarray(truncated_laplace.tail(t, bound, b)) / 2, mean_about)


_NOISES: dict[str, Callable[[Array, float, Array, Array], Noise]] = {
    "laplace": _laplace,
    "geometric": _geometric,
    "gaussian": _gaussian,
    "discrete_gaussian": _discrete_gaussian,
    "truncated_laplace": _truncated,
}
