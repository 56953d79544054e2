"""Samples: δ and ε of one step of DP-SGD in closed form, amplification by sampling, and the limit of many steps.

Of a single step with Poisson sampling both are rounded up. With P = (1 − q) N(0, z²) + q N(1, z²) and Q = N(0, z²) the
set that maximises P − e^ε Q is a half-line, so that δ(ε) = q δ_G(ε'), e^{ε'} = 1 + (e^ε − 1)/q, where δ_G is the
profile of the Gaussian mechanism with noise z. The other direction, Q against P, never has a larger δ (Balle, Barthe &
Gaboardi 2018, arXiv:1807.01647, Thm 8).

Amplification is what a guarantee on a sample is to all records. Each kind of sample has its neighbours: a Poisson
sample goes with adding or removing a record, one of fixed size with replacing one: never mixed.

By the central limit theorem many steps are nearly one Gaussian: an estimate, marked as such wherever it is shown.
T steps on Poisson samples of rate q with noise multiplier z tend to G_μ, μ = q√(T(e^{1/z²} − 1)), as T → ∞ with q√T
held ([DRS22]; Bu, Dong, Long & Su, arXiv:1911.11607). [DRS22] bounds the error at a given T by a Berry-Esseen theorem:
the bound is of order 1/√T in δ, far above the δ of use, and it does not say on which side the error is. Where ε is a
few nats or less it is mostly below the truth, by more than half if q and z are small; where q√T e^{1/2z²} is large it
is above, by any factor. The exact μ of Gaussians that are not sampled is `dpcore.tradeoff.composed_mu`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore import gaussian
from dpcore.checks import (
    DELTA_RANGE,
    EPSILON_RANGE,
    PURE_DELTA_RANGE,
    RECORDS_RANGE,
    Array,
    integer,
    interval_bounds,
    number,
    refuse,
)
from dpcore.composition.releases import COUNT_RANGE, PURE_RANGE, RATE_RANGE, Release
from dpcore.rounding import BELOW_ONE, TINY, ULP, round_down, round_up


def poisson_sampled_guarantee(epsilon: ArrayLike, delta: ArrayLike, sampling_rate: ArrayLike) -> tuple[Array, Array]:
    """(ln(1 + q(e^ε − 1)), qδ): an (ε, δ) guarantee on a Poisson sample, both under add or remove one.

    Balle, Barthe & Gaboardi 2018, arXiv:1807.01647, Thm 8. It does not hold for neighbours by replacement.

    Parameters
    ----------
    epsilon : of the mechanism on its sample, in [0, 1e3], in nats.
    delta : likewise, in [0, 1).
    sampling_rate : q, the chance of each record to be in the sample, in (0, 1].

    Returns
    -------
    ε and δ, rounded up by a relative 1e-14 at most (ε by 2e-12 where it is above 700 before sampling and q is tiny).

    Examples
    --------
    >>> epsilon, delta = poisson_sampled_guarantee(1, 1e-6, 0.01)
    >>> print(f"{epsilon:.10f} {delta:.3g}")
    0.0170368632 1e-08
    """
    return _sampled(epsilon, delta, number("sampling_rate", sampling_rate, RATE_RANGE))


def fixed_size_sampled_guarantee(
    epsilon: ArrayLike, delta: ArrayLike, sample_size: ArrayLike, n_records: ArrayLike
) -> tuple[Array, Array]:
    """(ln(1 + q(e^ε − 1)), qδ), q = m/n: a guarantee on m of n records without replacement, both under replace one.

    Balle, Barthe & Gaboardi 2018, arXiv:1807.01647, Thm 9. It does not hold for neighbours by adding or removing, and a
    guarantee under replacement has a Gaussian whose sensitivity is twice the clipping norm.

    Parameters
    ----------
    epsilon : of the mechanism on its sample, under replacement, in [0, 1e3], in nats.
    delta : likewise, in [0, 1).
    sample_size : m, a whole number in [1, n_records].
    n_records : n, a whole number in [1, 1e12].

    Returns
    -------
    ε and δ, rounded up by a relative 1e-14 at most (ε by 2e-12 where it is above 700 before sampling and q is tiny).

    Examples
    --------
    >>> epsilon, delta = fixed_size_sampled_guarantee(1, 1e-6, 10, 1000)
    >>> print(f"{epsilon:.10f} {delta:.3g}")
    0.0170368632 1e-08
    """
    n_sampled, records = np.broadcast_arrays(
        integer("sample_size", sample_size, RECORDS_RANGE), integer("n_records", n_records, RECORDS_RANGE)
    )
    refuse("sample_size", n_sampled, n_sampled > records, "[1, n_records]")
    return _sampled(epsilon, delta, np.minimum(round_up(n_sampled / records), 1))


def _sampled(epsilon: ArrayLike, delta: ArrayLike, rate: Array) -> tuple[Array, Array]:
    epsilon, delta = number("epsilon", epsilon, PURE_RANGE), number("delta", delta, PURE_DELTA_RANGE)
    epsilon, broken = np.broadcast_arrays(
        _amplified_epsilon(epsilon, rate), np.minimum(round_up(rate * delta) + TINY * (delta > 0), delta)
    )
    return epsilon[()], broken[()]


def _amplified_epsilon(epsilon: Array, rate: Array) -> Array:
    """ln(1 + q(e^ε − 1)), at most ε and rounded up, for any ε ≥ 0 and q in (0, 1].

    Examples
    --------
    >>> print(f"{_amplified_epsilon(np.array(1.0), np.array(0.01)):.10f}")
    0.0170368632
    """
    near = np.log1p(rate * np.expm1(np.minimum(epsilon, 700)))
    log_rate, log_rest = np.log(rate), np.log1p(-np.minimum(rate, 1 - ULP / 2))
    lifted = epsilon + log_rate  # ln(q e^ε), where e^ε overflows; its two terms may cancel
    far = np.where(lifted < 0, np.log1p(np.exp(np.minimum(lifted, 0))), np.logaddexp(lifted, log_rest))
    far = far + 4 * ULP * (epsilon - log_rate) * np.minimum(far, 1)
    amplified = np.minimum(round_up(np.where(epsilon < 700, near, far), 16) + TINY * (epsilon > 0), epsilon)
    return np.where(rate < 1, amplified, epsilon)


_MOST_EPSILON = interval_bounds(EPSILON_RANGE)[1]  # of a Gaussian; δ at a larger ε is no larger


def single_step(releases: Sequence[Release]) -> tuple[float, float] | None:
    """Return noise multiplier and sampling rate of a list that is one sampled step; None for every other list."""
    if len(releases) != 1 or releases[0].kind != "sampled" or releases[0].count != 1:
        return None
    noise, rate = releases[0].numbers
    return noise, rate


def step_delta(epsilon: Array, noise: float, rate: float) -> Array:
    """δ of one step at each ε ≥ 0, rounded up by what moving ε and δ by a few roundings would move it."""
    inner = inner_epsilon(epsilon, rate)
    inner = np.clip(round_down(inner, 4) - 4 * ULP * np.where(epsilon > 1, abs(np.log(rate)), 0), 0, _MOST_EPSILON)
    return np.minimum(round_up(rate * gaussian.delta_from_sigma(inner, noise)) + TINY, 1)


def step_epsilon(delta: Array, noise: Array | float, rate: Array | float) -> Array:
    """Return the least ε ≥ 0 of one step at each δ in [1e-300, 1), rounded up: the inverse of `step_delta`."""
    with np.errstate(over="ignore"):
        inner = round_down(delta / rate, 2)
    free = inner >= 1  # A record that is drawn with so small a chance costs nothing.
    epsilon = gaussian.epsilon_from_sigma(np.clip(inner, 1e-300, BELOW_ONE), noise)
    return np.where(free, 0.0, _amplified_epsilon(epsilon, np.asarray(rate)))


def inner_epsilon(epsilon: Array, rate: float) -> Array:
    """ε' = ln(1 + (e^ε − 1)/q), at which the Gaussian of a step has the δ/q that goes with ε; to nearest."""
    log_rate, small = np.log(rate), epsilon <= 1
    with np.errstate(over="ignore"):
        near = np.log1p(np.expm1(np.minimum(epsilon, 1)) / rate)
    near = np.where(
        np.isfinite(near), near, np.log(np.maximum(np.expm1(np.minimum(epsilon, 1)), TINY)) - log_rate
    )  # where the quotient overflows
    far = epsilon - log_rate + np.log1p(-(1 - rate) * np.exp(-np.maximum(epsilon, 1)))
    return np.where(small, near, far)


CLT_NOISE_RANGE = "[0.06, 1e6]"  # below, e^{1/z²} is above 1e120


def clt_mu(noise_multiplier: ArrayLike, sampling_rate: ArrayLike, steps: ArrayLike) -> Array:
    """μ = q√(T(e^{1/z²} − 1)) of DP-SGD by the central limit theorem: an estimate, no bound.

    Parameters
    ----------
    noise_multiplier : z in [0.06, 1e6].
    sampling_rate : q in (0, 1].
    steps : T, whole numbers in [1, 1e6].

    Examples
    --------
    >>> f"{clt_mu(1, 0.01, 1000):.6f}"
    '0.414522'
    """
    noise = number("noise_multiplier", noise_multiplier, CLT_NOISE_RANGE)
    rate = number("sampling_rate", sampling_rate, RATE_RANGE)
    steps = integer("steps", steps, COUNT_RANGE)
    return rate * np.sqrt(steps * np.expm1(noise**-2.0))


def clt_epsilon(delta: ArrayLike, noise_multiplier: ArrayLike, sampling_rate: ArrayLike, steps: ArrayLike) -> Array:
    """ε(δ) of DP-SGD by the central limit theorem: an estimate that is no guarantee, for it is often BELOW the truth.

    It is the ε of G_μ with the μ of `clt_mu`. At δ = 1e-5, q = 0.01 and T = 1000 the exact ε is 34 % larger for z = 0.6
    and 13 % larger for z = 1; but at q = 0.05, z = 1 and T = 10⁴ it is smaller by 3 %.

    Parameters
    ----------
    delta : in [1e-300, 1).
    noise_multiplier, sampling_rate, steps : as for `clt_mu`.

    Returns
    -------
    ε ≥ 0 in nats.

    Examples
    --------
    >>> f"{clt_epsilon(1e-5, 1, 0.01, 1000):.6f}"
    '1.617712'
    """
    mu = clt_mu(noise_multiplier, sampling_rate, steps)
    return gaussian.epsilon_from_sigma(number("delta", delta, DELTA_RANGE), 1.0, np.maximum(mu, 1e-100))
