"""Truncated geometric noise: whole numbers from −N to N with Pr(k) ∝ r^|k|, r = e^{−1/s}, for (ε, δ)-DP.

Neighbouring data sets move the one released whole number by at most Δ (`sensitivity`, a whole number). With s = Δ/ε
(`scale`; ∞ at ε = 0, where the noise is uniform) δ is the probability of the last Δ whole numbers up to N (`bound`):
there, and only there, the noise of the other data set does not reach. No error is beyond ±N, which is what δ is
spent for. At Δ = 1 the privacy loss is ε, −ε or, with probability δ, infinite: the worst that (ε, δ)-DP allows (own).

The noise is log-concave, so of all moves of at most Δ the one of Δ is the worst. Arguments broadcast; the result has
their common shape. N, ε and δ are rounded up. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

References
----------
[GDGK20] Geng, Ding, Guo & Kumar 2020, arXiv:1810.00877. [CKS20] Canonne, Kamath & Steinke 2020, arXiv:2004.00010.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel

from dpcore.checks import (
    DELTA_RANGE,
    EPSILON_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    generator,
    integer,
    number,
    refuse,
    shape,
)
from dpcore.discrete_gaussian.sampling import Bits, Unbounded, Whole, exponential_heads
from dpcore.roots import bisect
from dpcore.rounding import TINY, quotient_excess, round_down, round_up

__all__ = [
    "SCALE_RANGE",
    "SENSITIVITY_RANGE",
    "TRUNCATION_RANGE",
    "bound_from_epsilon",
    "cdf",
    "delta_from_bound",
    "epsilon_from_bound",
    "half_width",
    "mean_absolute_error",
    "pmf",
    "sample",
    "scale_from_epsilon",
    "tail",
    "variance",
]


TRUNCATION_RANGE = "[1, 1e6]"
SCALE_RANGE = "[1e-7, inf]"
SENSITIVITY_RANGE = "[1, 1e6]"
_MOST_DELTA = 0.5
_DOUBT = 1e-6  # of a real half-width, more than a hundred times what roundings may do to it and to the tail


def sum_of_powers(n: Array, step: Array) -> Array:
    """1 + r + … + r^{n − 1} = (1 − r^n)/(1 − r), r = e^{−step}."""
    return n * exprel(-n * step) / exprel(-step)


def normalizer(bound: Array, step: Array) -> Array:
    """Σ r^|k| over |k| ≤ N."""
    return 2 * sum_of_powers(bound + 1, step) - 1


def pmf(k: ArrayLike, bound: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(noise = k) = r^|k| / Σ r^|j| for a whole number k of [−1e15, 1e15]; 0 beyond ±N.

    Examples
    --------
    >>> print(pmf([0, 4, 5], bound=4, scale=1).round(6))
    [0.466715 0.008548 0.      ]
    """
    k, (bound, scale) = integer("k", k, "[-1e15, 1e15]"), checked_noise(bound, scale)
    with np.errstate(under="ignore"):
        return np.where(abs(k) <= bound, np.exp(-abs(k) / scale) / normalizer(bound, 1 / scale), 0)[()]


def checked_noise(bound: ArrayLike, scale: ArrayLike) -> tuple[Array, Array]:
    """Return the limit and the scale, checked."""
    return integer("bound", bound, TRUNCATION_RANGE), number("scale", scale, SCALE_RANGE)


def cdf(x: ArrayLike, bound: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(noise ≤ x), x any real.

    Examples
    --------
    >>> print(cdf([-4.5, 0, 1], bound=4, scale=1).round(6))
    [0.       0.733358 0.905052]
    """
    x, (bound, scale) = np.floor(number("x", x, "(-inf, inf)")), checked_noise(bound, scale)
    half = _beyond(np.where(x < 0, -x - 1, x), bound, scale) / 2
    return np.where(x < 0, half, 1 - half)[()]


def _beyond(t: Array, bound: Array, scale: Array) -> Array:
    """Pr(|noise| > t) for a whole t ≥ 0."""
    step, left = 1 / scale, np.maximum(bound - t, 0)
    with np.errstate(under="ignore", over="ignore"):
        return 2 * np.exp(-(np.minimum(t, bound) + 1) * step) * sum_of_powers(left, step) / normalizer(bound, step)


def tail(t: ArrayLike, bound: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(|noise| > t), rounded up in its last bits; exactly 0 from N on.

    Parameters
    ----------
    t : distance from the truth, at least 0.
    bound : N, a whole number in [1, 1e6].
    scale : s in [1e-7, ∞]; ∞ is uniform noise.

    Examples
    --------
    >>> print(tail([0, 3, 4], bound=4, scale=1).round(6))
    [0.533285 0.017096 0.      ]
    """
    t, (bound, scale) = np.floor(number("t", t, "[0, inf)")), checked_noise(bound, scale)
    share = round_up(_beyond(t, bound, scale), 32 + 8 * np.minimum((t + 1) / scale, 1e4)) + TINY
    return np.where(t < bound, np.minimum(share, 1), 0)[()]


def half_width(significance: ArrayLike, bound: ArrayLike, scale: ArrayLike) -> Array:
    """Return the least whole a ≥ 0 with Pr(|noise| > a) ≤ α; at most N.

    Parameters
    ----------
    significance : α in [1e-300, 1).
    bound : N, a whole number in [1, 1e6].
    scale : s in [1e-7, ∞]; ∞ is uniform noise.

    Examples
    --------
    >>> print(half_width([0.05, 1e-9], bound=4, scale=1))
    [3. 4.]
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    bound, scale = checked_noise(bound, scale)
    near = np.clip(np.ceil(_real_half_width(significance, bound, 1 / scale) - _DOUBT), 0, bound) + 0.0  # no −0
    return np.where(tail(near, bound, scale) <= significance, near, np.minimum(near + 1, bound))[()]


def _real_half_width(significance: Array, bound: Array, step: Array) -> Array:
    """Return the real a with r^{a+1} = r^{N+1} + (1 − r) m, where m = Σ r^k over a < k ≤ N is α/2 of Σ r^|k|."""
    tails, shrink = significance * normalizer(bound, step) / 2, exprel(-step)
    with np.errstate(under="ignore", divide="ignore"):
        part = sum_of_powers(bound + 1, step) - tails  # Σ r^k over 0 ≤ k ≤ a
        less = step * shrink * part  # 1 − r^{a+1}
        near_one = np.where(less > 0, -np.log1p(-np.minimum(less, 0.5)) / np.where(less > 0, less, 1), 1)
        far = -np.log(np.exp(-(bound + 1) * step) + step * shrink * tails) / np.where(less > 0.5, step, 1)
    return np.where(less > 0.5, far, shrink * part * near_one) - 1


def variance(bound: ArrayLike, scale: ArrayLike) -> Array:
    """Σ k² Pr(k), in squared query units; arguments as in `tail`.

    Examples
    --------
    >>> print(f"{variance(4, 1):.6f}")
    1.540491
    """
    return _moment(bound, scale, 2)


def mean_absolute_error(bound: ArrayLike, scale: ArrayLike) -> Array:
    """E|noise| = Σ |k| Pr(k), in query units; arguments as in `tail`.

    Examples
    --------
    >>> print(f"{mean_absolute_error(4, 1):.6f}")
    0.803846
    """
    return _moment(bound, scale, 1)


def _moment(bound: ArrayLike, scale: ArrayLike, order: int) -> Array:
    bound, scale = np.broadcast_arrays(*checked_noise(bound, scale))
    rows = zip(bound.ravel().tolist(), scale.ravel().tolist(), strict=True)
    return np.array([_mean_power(*row, order) for row in rows]).reshape(bound.shape)[()]


def _mean_power(bound: float, scale: float, order: int) -> float:
    """E|noise|^order, by its sum: a closed form cancels where s is large."""
    k = np.arange(1.0, min(bound, 800 * scale) + 1)  # beyond that nothing is left
    weight = np.exp(-k / scale)
    return float(2 * np.sum(k**order * weight) / (1 + 2 * np.sum(weight)))


def sample(
    rng: np.random.Generator, bound: ArrayLike, scale: ArrayLike, size: int | tuple[int, ...] | None = None
) -> Array:
    """Exact draws of the noise, from uniform whole numbers of `rng` alone: no rounding changes a probability.

    s is the exact value of its double, a fraction. A draw is u + mv with u < m uniform, accepted by a coin of
    probability e^{−u/s}, v the number of heads of coins of probability e^{−m/s}, and a sign; one beyond N is drawn
    anew. Coins are those of [CKS20] Algorithm 1. With a seed that others may know, it is a trial still.

    Parameters
    ----------
    rng : the source of randomness.
    bound : N, a whole number in [1, 1e6].
    scale : s in [1e-7, ∞]; ∞ is uniform noise.
    size : shape of the result, to which that of `bound` and `scale` broadcasts; by default that shape.

    Examples
    --------
    >>> draws = sample(np.random.default_rng(seed=1), bound=4, scale=2, size=1000)
    >>> print(draws.shape, all(draws == draws.round()), max(abs(draws)))
    (1000,) True 4.0
    """
    generator("rng", rng)
    bound, scale = np.broadcast_arrays(*checked_noise(bound, scale))
    draws = shape("size", size, bound.shape)
    limit, scales = (np.broadcast_to(part, draws).ravel() for part in (bound, scale))
    return exact_draws(rng, scales, limit.astype(np.int64)).reshape(draws).astype(float)[()]


def exact_draws(rng: np.random.Generator, scale: Array, most: Whole) -> Whole:
    """Draws of Pr(k) ∝ e^{−|k|/s} with |k| ≤ N, one for each s ≤ 1e15 or ∞ and each N, as `sample` explains them."""
    fraction = fractions(scale)
    block = np.minimum(np.floor(np.minimum(scale, 1e15)).astype(np.int64), most) + 1
    samples, pending = np.zeros(scale.size, dtype=np.int64), np.arange(scale.size)
    while pending.size:
        size = rng.integers(0, block[pending])
        accepted = exponential_heads(rng, size, fraction[:, pending])
        going = np.flatnonzero(accepted & (block <= most)[pending])
        while going.size:
            going = going[exponential_heads(rng, block[pending[going]], fraction[:, pending[going]])]
            size[going] += block[pending[going]]
            going = going[size[going] <= most[pending[going]]]
        negative = rng.integers(0, 2, size.size) == 1
        accepted &= (size <= most[pending]) & ~(negative & (size == 0))
        samples[pending[accepted]] = np.where(negative, -size, size)[accepted]
        pending = pending[~accepted]
    return samples


def fractions(values: Array) -> Unbounded:
    """Return numerators and denominators of doubles, 1 and 0 of ∞."""
    ratios = {value: value.as_integer_ratio() if value < np.inf else (1, 0) for value in set(values.tolist())}
    fraction = np.empty((2, values.size), dtype=object)
    for part in (0, 1):
        fraction[part] = [ratios[value][part] for value in values.tolist()]
    return fraction


def bound_from_epsilon(epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least N ≥ Δ at which noise of scale s = Δ/ε is (ε, δ)-DP (own).

    It has r^N (e^ε − 1 + 2δ) r ≤ δ(1 + r), rounded up.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1); from ½ on N is that of ½, which is Δ.
    sensitivity : Δ, a whole number in [1, 1e6], such that N is at most 1e6.

    Returns
    -------
    N, a whole number; one more than the least where δ is within a relative 1e-13 of the δ of the least.

    Examples
    --------
    >>> print(bound_from_epsilon(epsilon=[0, 0.1, 1], delta=0.01))
    [50. 18.  4.]
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    delta = np.minimum(number("delta", delta, DELTA_RANGE), _MOST_DELTA)
    sensitivity = integer("sensitivity", sensitivity, SENSITIVITY_RANGE)
    step, small, large = epsilon / sensitivity, np.minimum(epsilon, 1.0), np.maximum(epsilon, 1.0)
    with np.errstate(under="ignore"):
        r = np.exp(-step)
        # ln(1 + z)/step, z = [r(e^ε − 1) − δ(1 − r)]/(δ(1 + r)), keeps its digits down to ε = 0.
        per_step = r * sensitivity * exprel(small) - delta * exprel(-np.minimum(step, 1.0))
        slope = np.maximum(per_step, 0) / (delta * (1 + r))
        excess = slope * np.minimum(step, 1.0)
        near = slope * np.where(excess > 0, np.log1p(excess) / np.where(excess > 0, excess, 1), 1)
        log_rest = np.log1p(-(1 - 2 * delta) * np.exp(-large)) - np.log(delta) - np.log1p(r)
        far = sensitivity - 1 + log_rest / np.where(epsilon <= 1, 1.0, step)
    real = np.where(epsilon <= 1, near, far)
    limit = "the whole numbers with a bound of at most 1e6 at this epsilon and delta"
    refuse("sensitivity", sensitivity, real > 1e6 - 1, limit)
    least, more = (np.maximum(np.ceil(value), sensitivity) for value in (round_down(real, 64), round_up(real, 64)))
    scale = scale_from_epsilon(epsilon, sensitivity)
    return np.where(delta_from_bound(epsilon, least, scale, sensitivity) <= delta, least, more)[()]


def scale_from_epsilon(epsilon: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """s = Δ/ε of the noise whose bound is `bound_from_epsilon`, rounded up in its last bits; ∞ where ε is 0.

    Parameters
    ----------
    epsilon : in [0, 1e6]; below 1e-130 it is taken as 0.
    sensitivity : Δ, a whole number in [1, 1e6].

    Examples
    --------
    >>> print(scale_from_epsilon(epsilon=[0, 0.5], sensitivity=2).round(3))
    [inf  4.]
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    sensitivity = integer("sensitivity", sensitivity, SENSITIVITY_RANGE)
    some = epsilon >= 1e-130
    return np.where(some, round_up(sensitivity / np.where(some, epsilon, 1.0), 2), np.inf)[()]


def delta_from_bound(epsilon: ArrayLike, bound: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the privacy profile: δ₀ + Σ (Pr(k) − e^ε Pr(k − Δ)) over the k ≥ Δ − N whose loss is above ε (own).

    δ₀ = Pr(k > N − Δ) is the probability that the release lies where the noise of the other data set does not reach.
    From ε = Δ/s on δ is δ₀.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    bound : N, a whole number in [1, 1e6], and at least Δ.
    scale : s in [1e-7, ∞]; ∞ is uniform noise.
    sensitivity : Δ, a whole number in [1, 1e6].

    Returns
    -------
    δ in [0, 1]: never below the true value, above it by a relative 1e-14 (1 + N/s) at most.

    Examples
    --------
    >>> print(delta_from_bound(epsilon=[0.5, 1, 2], bound=4, scale=1).round(6))
    [0.293738 0.008548 0.008548]
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    bound, scale = checked_noise(bound, scale)
    sensitivity = integer("sensitivity", sensitivity, SENSITIVITY_RANGE)
    refuse("bound", bound, bound < sensitivity, "[sensitivity, 1e6]")
    finite = np.where(np.isfinite(scale), scale, 1.0)
    with np.errstate(under="ignore"):
        step, left = 1 / scale, bound - sensitivity + 1
        broken = np.exp(-left * step) * sum_of_powers(sensitivity, step)
        gap = np.where(np.isfinite(scale), np.maximum(quotient_excess(epsilon, finite, sensitivity), 0), 0)
        last = np.clip(np.ceil(gap * finite / 2) - 1, 0, sensitivity - 1)
        inner = (
            np.exp(-step) * sum_of_powers(last, step) * np.maximum(-np.expm1(np.minimum((last + 1) * step - gap, 0)), 0)
        )
        inside = np.where(gap > 0, sum_of_powers(left, step) * -np.expm1(-gap) + inner, 0)
        delta = (broken + inside) / normalizer(bound, step)
        return np.minimum(round_up(delta, 32 + 8 * np.minimum(left * step, 1e4)) + TINY, 1)[()]


def epsilon_from_bound(delta: ArrayLike, bound: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least ε of (ε, δ)-DP of a noise, in [0, Δ/s]: `delta_from_bound` solved for ε by bisection.

    Parameters
    ----------
    delta : in [1e-300, 1).
    bound : N, a whole number in [1, 1e6], and at least Δ.
    scale : s in [1e-7, ∞]; ∞ is uniform noise.
    sensitivity : Δ, a whole number in [1, 1e6].

    Returns
    -------
    ε ≥ 0 in nats: ∞ where δ is below δ₀, which no ε makes up for; else never below the true value, above it by a few
    roundings of Δ/s and by what moving δ by a relative 1e-14 (1 + N/s) does.

    Examples
    --------
    >>> print(epsilon_from_bound(delta=[0.001, 0.2], bound=4, scale=1).round(4))
    [   inf 0.6933]
    """
    delta = number("delta", delta, DELTA_RANGE)
    bound, scale = checked_noise(bound, scale)
    sensitivity = integer("sensitivity", sensitivity, SENSITIVITY_RANGE)
    theta = np.minimum(round_up(sensitivity / scale, 2), 1e6)
    none = delta_from_bound(theta, bound, scale, sensitivity) > delta
    free = delta_from_bound(0.0, bound, scale, sensitivity) <= delta

    def is_enough(epsilon: Array) -> Bits:
        return delta_from_bound(epsilon, bound, scale, sensitivity) <= delta

    low, high = np.broadcast_arrays(np.zeros_like(delta), np.where(free, 0.0, theta))
    return np.where(none, np.inf, bisect(is_enough, low, high, 60)[1])[()]
