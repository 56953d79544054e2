"""Rényi differential privacy of the Gaussian mechanism on a sample of the records.

Two kinds of sample, with two neighbouring relations, which are never mixed. A Poisson sample (each record joins with
probability q, on its own) goes with adding or removing one record; a sample of fixed size, without replacement, goes
with replacing one. `noise_multiplier` is σ/Δ₂, with Δ₂ the sensitivity under the *same* relation: replacing a record
moves a clipped sum by twice as much as removing it.

References
----------
[MTZ19] Mironov, Talwar & Zhang, arXiv:1908.10530. [WBK19] Wang, Balle & Kasiviswanathan, arXiv:1808.00087.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, logsumexp

from dpcore.checks import Array, number
from dpcore.composition._sampled_integral import sampled_divergence
from dpcore.composition.releases import NOISE_RANGE, RATE_RANGE
from dpcore.rounding import round_sum_up, round_up

ORDER_RANGE = "[1.000001, 1e7]"
FIXED_ORDER_RANGE = "[1.000001, 1e4]"  # its bound is a sum of as many terms
_LEAST_RATE = 1e-120  # below it the squares of the losses leave the doubles


def subsampled_gaussian_rdp(order: ArrayLike, noise_multiplier: ArrayLike, sampling_rate: ArrayLike) -> Array:
    """τ(α) = ln E_Q[(dP/dQ)^α] / (α − 1), Q = N(0, z²), P = (1 − q)Q + q N(1, z²): a step of DP-SGD ([MTZ19] §3.3).

    The other direction is smaller ([MTZ19] Thm 5), so this holds for adding and for removing a record.

    Parameters
    ----------
    order : α in [1.000001, 1e7], any real number.
    noise_multiplier : z = σ/Δ₂ in [1e-3, 1e6], Δ₂ of adding or removing a record.
    sampling_rate : q in (0, 1], of a Poisson sample; a rate below 1e-120 counts as 1e-120.

    Returns
    -------
    τ in nats: never below the true value. Above it by a relative 1e-12 at most, or where that is more by as much as
    moving z by a relative 10 · 2⁻⁵² does: near the order from which on the largest loss decides.

    Notes
    -----
    With ℓ = ln dP/dQ and a = α − 1, E_Q[(dP/dQ)^α] − 1 = E_P[a r(−ℓ) + r(aℓ)], r(y) = e^y − 1 − y: nothing cancels.
    The integrand is analytic for |Im w| < πz, w = z-score, so the trapezoidal rule is exact to rounding.

    Examples
    --------
    >>> f"{subsampled_gaussian_rdp(order=2, noise_multiplier=4, sampling_rate=0.01):.10e}"
    '6.4494250942e-06'
    """
    order = number("order", order, ORDER_RANGE)
    noise = number("noise_multiplier", noise_multiplier, NOISE_RANGE)
    rate = np.maximum(number("sampling_rate", sampling_rate, RATE_RANGE), _LEAST_RATE)
    shape = np.broadcast_shapes(order.shape, noise.shape, rate.shape)
    order, noise, rate = (np.broadcast_to(array, shape).ravel() for array in (order, noise, rate))
    whole = round_up(order / (2 * noise * noise), 8)  # all records: what no sample exceeds
    divergence, part = whole.copy(), rate < 1
    if part.any():
        more, shift, rate = order[part] - 1, 1 / noise[part], rate[part]
        divergence[part] = np.minimum(whole[part], sampled_divergence(more, shift, rate))
    return divergence.reshape(shape)[()]


def gaussian_without_replacement_rdp(order: ArrayLike, noise_multiplier: ArrayLike, sampling_rate: ArrayLike) -> Array:
    """Return a bound on τ(α) from above for Gaussian noise on a sample of fixed size,
    replacing one record ([WBK19] Thm 27).

    (α − 1)τ(α) ≤ ln[1 + q² C(α, 2) min(4(e^{1/z²} − 1), 2e^{1/z²}) + 2 Σ_{j ≥ 3} q^j C(α, j) e^{j(j − 1)/2z²}] at whole
    α; between them the chord, since (α − 1)τ(α) is convex; and never more than without a sample, α/2z².

    Parameters
    ----------
    order : α in [1.000001, 1e4].
    noise_multiplier : z = σ/Δ₂ in [1e-3, 1e6], Δ₂ of *replacing* a record: for a sum clipped to norm C that is 2C, so
        it is half of the noise multiplier of the same noise in `subsampled_gaussian_rdp`. Not to be mixed.
    sampling_rate : q = m/n in (0, 1], m of n records without replacement.

    Returns
    -------
    τ in nats, an upper bound, often loose.

    Examples
    --------
    >>> f"{gaussian_without_replacement_rdp(order=2, noise_multiplier=4, sampling_rate=0.01):.6e}"
    '2.579745e-05'
    """
    order = number("order", order, FIXED_ORDER_RANGE)
    noise = number("noise_multiplier", noise_multiplier, NOISE_RANGE)
    rate = np.maximum(number("sampling_rate", sampling_rate, RATE_RANGE), _LEAST_RATE)
    below = np.floor(order)
    share = order - below
    chord = (1 - share) * _fixed_size_sum(below, noise, rate) + share * _fixed_size_sum(below + 1, noise, rate)
    return round_up(np.minimum(chord / (order - 1), order / (2 * noise * noise)), 8)


def _fixed_size_sum(order: Array, noise: Array, rate: Array) -> Array:
    """Return the logarithm above at whole α, rounded up by what its exponents may lose; 0 at α = 1."""
    order, noise, rate = np.broadcast_arrays(order, noise, rate)
    total = np.zeros(order.shape)
    for at in np.ndindex(order.shape):
        most, inverse, log_rate = float(order[at]), 1 / float(noise[at]) ** 2, np.log(float(rate[at]))
        term = np.arange(2, most + 1)
        choices = gammaln(most + 1) - gammaln(term + 1) - gammaln(most - term + 1)
        logs = choices + term * log_rate + term * (term - 1) / 2 * inverse + np.log(2)
        logs[:1] += min(0.0, np.log(-2 * np.expm1(-inverse)))
        size = gammaln(most + 1) - term * log_rate + term * term * inverse
        total[at] = np.logaddexp(0, logsumexp(round_sum_up(logs, 16 + size, 4)))
    return total
