"""Oracles: the definitions in high precision, so that cancellation does not matter, without dpcore's stable forms.

The flint oracle returns an interval that certainly holds the true value, so `interval <= number` is a proof; the
profiles are those of `dpcore.verify.formulas`, which `tests/test_verify_witness.py` holds against the definition, by
quadrature with nothing of `dpcore`. The mpmath oracle computes the same definitions a second time, slowly
and independently.
"""

from collections.abc import Callable

import mpmath
import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from dpcore.verify import formulas

ULP = 2.0**-52
GREATEST_DELTA = 1 - 2.0**-53
BITS = 128
"""The relative accuracy of every interval: enough to resolve 1 − δ next to 1."""

Formula = Callable[[arb, arb], arb]
Numbers = NDArray[np.float64]


def density(t: arb) -> arb:
    return (-t * t / 2).exp() / (2 * arb.pi()).sqrt()


def dp_slope(epsilon: arb, mu: arb) -> arb:
    """Return d δ/d log μ of `formulas.gaussian`."""
    return mu * density(epsilon / mu - mu / 2)


def pdp_slope(epsilon: arb, mu: arb) -> arb:
    """Return d δ/d log μ of `formulas.gaussian_pdp`."""
    low, high = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    return density(low) * high + density(high) * low


def dp_slope_in_epsilon(epsilon: arb, mu: arb) -> arb:
    """Return −d δ/d ε of `formulas.gaussian`."""
    return epsilon.exp() * formulas.upper_tail(epsilon / mu + mu / 2)


def interval(formula: Formula, epsilon: float, sigma: float, l2_sensitivity: float = 1.0) -> arb:
    """`formula(ε, Δ₂/σ)` to `BITS` bits; small μ cancels in the definition, so the precision doubles until it holds."""
    precision = 2 * BITS
    while True:
        with ctx.workprec(precision):
            value = formula(arb(float(epsilon)), arb(float(l2_sensitivity)) / arb(float(sigma)))
            if value.rel_accuracy_bits() >= BITS or abs(value) < arb(2) ** -1500:
                return value
        precision *= 2


def is_at_least(value: float, true: arb) -> bool:
    """Return whether `value` is proved to be at least a probability; 1 always is."""
    return value >= 1 or true <= arb(float(value))


def relative_excess(value: float, true: arb) -> float:
    """(value − true)/true."""
    with ctx.workprec(2 * BITS):
        return float(arb(float(value)) / true - 1)


def sigma_excess(delta: Formula, slope: Formula, epsilon: float, target: float, sigma: float) -> float:
    """(σ − σ*)/σ* where σ* is the true σ of (ε, target), by one Newton step in log σ from a σ that is nearly right."""
    gap = interval(delta, epsilon, sigma)
    with ctx.workprec(2 * BITS):
        return float((arb(float(target)) - gap) / interval(slope, epsilon, sigma))


def epsilon_excess(epsilon: float, delta: float, sigma: float) -> float:
    """ε − ε* where ε* is the true ε of (δ, σ), by one Newton step from an ε that is nearly right."""
    gap = interval(formulas.gaussian, epsilon, sigma)
    with ctx.workprec(2 * BITS):
        return float((arb(float(delta)) - gap) / interval(dp_slope_in_epsilon, epsilon, sigma))


def mpmath_delta(epsilon: float, sigma: float, sign: int = -1) -> mpmath.mpf:
    """Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ), or with sign +1 the two-sided Φ(μ/2 − ε/μ) + Φ(−μ/2 − ε/μ).

    The terms of the difference agree in about −2 log₂ μ bits when μ is small; the working precision grows with it.
    """
    log2_mu = -np.log2(sigma) if sign < 0 else 0.0
    with mpmath.workprec(160 + int(4 * max(0.0, -log2_mu))):
        eps, mu = mpmath.mpf(float(epsilon)), 1 / mpmath.mpf(float(sigma))
        first, second = mpmath_upper_tail(eps / mu - mu / 2), mpmath_upper_tail(eps / mu + mu / 2)
        return first + second if sign > 0 else first - mpmath.exp(eps) * second


def mpmath_upper_tail(t: mpmath.mpf) -> mpmath.mpf:
    """Φ(−t)."""
    return mpmath.erfc(t / mpmath.sqrt(2)) / 2


def mpmath_mills_ratio(t: mpmath.mpf) -> mpmath.mpf:
    """Φ(−t)/φ(t)."""
    return mpmath_upper_tail(t) * mpmath.sqrt(2 * mpmath.pi) * mpmath.exp(t * t / 2)


def random_pairs(n: int, seed: int) -> tuple[Numbers, Numbers]:
    """n pairs (ε, δ) over the whole domain, with clusters where the formulas change their character."""
    rng = np.random.default_rng(seed)
    epsilon, delta = 10 ** rng.uniform(-12, 6, n), 10 ** rng.uniform(-300, 0, n)
    cluster = rng.integers(0, 10, n)
    everyday, near_half, near_one = np.isin(cluster, (0, 1, 2)), cluster == 3, cluster == 4
    epsilon[everyday] = 10 ** rng.uniform(-3, 2, everyday.sum())
    delta[everyday] = 10 ** rng.uniform(-20, 0, everyday.sum())
    delta[near_half] = rng.uniform(0.1, 0.5, near_half.sum())
    delta[near_one] = 1 - 10 ** rng.uniform(-16, -0.3, near_one.sum())
    epsilon[:: max(n // 20, 20)] = 1e-300
    return epsilon, np.clip(delta, 1e-300, GREATEST_DELTA)
