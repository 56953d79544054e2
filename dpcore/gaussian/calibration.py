"""Exact (ε, δ)-DP and pDP of Gaussian noise: the least σ of a guarantee, and the guarantee that a σ satisfies.

Also the ε of Gaussian noise with the same tail as Laplace noise ([Liu19] Fig. 5). Units, rounding and references are
those of `dpcore.gaussian`.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf, erfinv, log_ndtr, ndtr, ndtri, ndtri_exp

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, number
from dpcore.gaussian.distribution import LEAST_EPSILON_RANGE, as_probability, in_query_units, mechanism, mu_of
from dpcore.normal import ROOT_TWO_PI, crossing, loss_window, mills_gap, mills_ratio
from dpcore.rounding import ULP, round_up


def laplace_tail_sigma(t: ArrayLike, laplace_scale: ArrayLike) -> Array:
    """Return the σ whose tail at t is that of Laplace noise, 2Φ(−t/σ) = e^{−t/b} ([Liu19] Fig. 5, own).

    It is t/q(e^{−t/b}).

    Parameters
    ----------
    t : distance from the truth, at least 0, in query units; at 0 the limit, b √(2/π).
    laplace_scale : b in [1e-150, 1e150], in query units.

    Returns
    -------
    σ in query units, to a relative 2e-15.

    Examples
    --------
    >>> print(f"{laplace_tail_sigma(t=3, laplace_scale=1):.4f}")  # tail e⁻³ at 3
    1.5292
    """
    t, scale = number("t", t, "[0, 1e150]"), number("laplace_scale", laplace_scale, "[1e-150, 1e150]")
    x = t / scale
    near, far = np.clip(x, 1e-290, 1), np.maximum(x, np.log(2))
    root = -ndtri_exp(-far - np.log(2))  # SciPy's is off by 5e-13, so a step of Newton's follows
    root = root + (log_ndtr(-root) + far + np.log(2)) * mills_ratio(root)
    return scale / np.where(x < np.log(2), np.sqrt(2) * erfinv(-np.expm1(-near)) / near, root / far)


_MOST_STEPS = 100
_SMALL_STEP = 1e-9  # Newton's method is quadratic: the step after such a one is below rounding


def exact_pdp_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least σ of (ε, δ)-pDP: Φ(μ/2 − ε/μ) + Φ(−μ/2 − ε/μ) = δ with μ = Δ₂/σ (from the definition of pDP).

    Domain and units as in `pdp_sigma`. Never below the true value, above it by a relative 4e-15 at most.

    Examples
    --------
    >>> print(f"{exact_pdp_sigma(epsilon=1, delta=1e-5):.4f}")
    4.4441
    """
    epsilon = number("epsilon", epsilon, LEAST_EPSILON_RANGE)
    delta = number("delta", delta, DELTA_RANGE)
    above = delta > 0.5  # where 1 − δ is solved for, which keeps its digits next to δ = 1
    side = np.where(above, -1.0, 1.0)
    target = np.where(above, 1 - delta, delta) * ROOT_TWO_PI
    shrink = np.exp(-epsilon)
    tail = -ndtri(delta / 2)
    mu = 2 * epsilon / (tail + np.sqrt(tail**2 + 2 * epsilon))
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(_MOST_STEPS):
            m, h = epsilon / mu, mu / 2
            t = m - h
            both_tails = mills_ratio(np.maximum(t, -30)) + shrink * mills_ratio(m + h)
            mass = np.where(above, loss_window(m, h), both_tails)
            slope = m * (1 + shrink) + h * -np.expm1(-epsilon)  # t₂ + e^{−ε} t₁
            step = side * mass * (np.log(mass / target) - t * t / 2) / slope
            mu = mu * np.exp(-np.clip(step, -2, 2))  # from far off, where the straight line overshoots
            if np.all(abs(step) < _SMALL_STEP):
                break
    return in_query_units(1 / mu, l2_sensitivity)


def analytic_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least σ of (ε, δ)-DP: Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) = δ with μ = Δ₂/σ ([BW18] Thm 8).

    Parameters
    ----------
    epsilon : in [0, 1e6]; at ε = 0 this is σ = Δ₂ / (2 Φ⁻¹((1 + δ)/2)).
    delta : in [1e-300, 1).
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    σ in query units: never below the true value, above it by a relative 4e-15 at most.

    Notes
    -----
    The unknown is log μ. With t₁ = ε/μ − μ/2, t₂ = ε/μ + μ/2 and the Mills ratio R, δ = φ(t₁) μ v where
    v = [R(t₁) − R(t₂)]/μ; for δ > 1/2, 1 − δ = φ(t₁) μ v where v = [R(−t₁) + R(t₂)]/μ. Both obey
    dv/d(log μ) = ±1 − (1 + t₁t₂) v, so the inverse function's Taylor step of fourth order needs no special function
    beyond v. From a start within a factor 1.7, two or three steps reach rounding.

    Examples
    --------
    >>> print(f"{analytic_sigma(epsilon=1, delta=1e-5):.4f}")
    3.7306
    >>> analytic_sigma([0.1, 1, 10], 1e-5).round(3).tolist()
    [30.75, 3.731, 0.5]
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    delta = number("delta", delta, DELTA_RANGE)
    epsilon, delta = np.broadcast_arrays(epsilon, delta)
    shape, epsilon, delta = epsilon.shape, epsilon.ravel(), delta.ravel()
    above = delta > 0.5
    side = np.where(above, -1.0, 1.0)
    target = np.where(above, 1 - delta, delta) * ROOT_TWO_PI
    mu = _rough_mu(epsilon, delta)
    for _ in range(_MOST_STEPS):
        m, h = epsilon / mu, mu / 2
        t = m - h
        v = _gap_per_mu(m, h, side)
        a = 1 + t * (m + h)
        v1 = side - a * v
        v2 = 2 * (t * t + epsilon) * v - a * v1
        r = np.log(v * mu / target) - t * t / 2
        step = r * v * (side - r / 2 * (v1 - side * r / 3 * (v1 * v1 + v * v2)))
        mu = mu * np.exp(-step)
        if np.max(abs(step) * (1 + m + h) / (1 + abs(t)), initial=0) < 1e-4:  # fourth order: the next is below rounding
            break
    return in_query_units((1 / mu).reshape(shape), l2_sensitivity)


def _rough_mu(epsilon: Array, delta: Array) -> Array:
    """Return a μ below the analytic one by at most 40 %, above it by at most 2 %.

    t₁ is read off a closed form with the right limits: −Φ⁻¹(δ) near δ = 1/2 and for small δ when ε is large, and ε/μ
    with μ = √(2π) δ when ε ≪ δ. The μ of ε = 0, 2√2 erf⁻¹(δ), bounds it below.
    """
    damping = np.where(delta > 0.5, 1, epsilon / (epsilon + np.pi / 2))
    log_odds = np.log1p(damping * (1 - 2 * delta) / delta)
    t = log_odds / np.sqrt(8 / np.pi + abs(log_odds) / 2)
    root = np.sqrt(t * t + 2 * epsilon)
    mu = np.where(t > 0, 2 * epsilon / (root + abs(t) + 1e-300), root - t)  # root − t would cancel for t > 0
    return np.maximum(mu, np.sqrt(8) * erfinv(delta))


def _gap_per_mu(m: Array, h: Array, side: Array) -> Array:
    """[R(side·t₁) − side·R(t₂)]/μ, right to a few ulps of 1, which the solver damps to a few ulps of μ.

    Small h cancels, so there the Taylor series Σ h^{2k} M_{2k+1}(m)/(2k+1)! takes over, with the moments
    M_n = ∫₀^∞ xⁿ e^{−x²/2 − mx} dx: M₁ = 1 − mR(m), M₃ = (3 + m²) M₁ − 1, M_{n+2} = (2n + 1 + m²) M_n − n(n−1) M_{n−2}.
    """
    v = np.empty_like(m)
    small = (side > 0) & (h * (1 + 2 * m) < 0.7)  # as far as twelve more terms reach the last bit
    if small.any():
        m_small, h2 = m[small], h[small] ** 2
        h4, growth = h2 * h2, h2 * (3 + m_small * m_small)
        term, rest = 1 - m_small * mills_ratio(m_small), h2
        total = term.copy()
        for n in range(1, 25, 2):  # term = h^{n−1} M_n/n!
            term, rest = (growth * term - rest) / ((n + 1) * (n + 2)), h4 * term
            growth = growth + 4 * h2
            total += term
        v[small] = total
    if not small.all():
        large = ~small
        m, h, side = m[large], h[large], side[large]
        v[large] = (mills_ratio(side * (m - h)) - side * mills_ratio(m + h)) / (2 * h)
    return v


def delta_from_sigma(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the privacy profile δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ), μ = Δ₂/σ ([BW18] Thm 8).

    It is the least δ of (ε, δ)-DP.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    sigma : > 0, in query units.
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    δ in (0, 1]: never below the true value, above it by a relative 5e-15 at most; a δ too small for a double
    is given as the smallest one, 5e-324.

    Examples
    --------
    >>> print(f"{delta_from_sigma(epsilon=1, sigma=3.7306):.3g}")
    1e-05
    """
    epsilon, sigma, sensitivity = mechanism(epsilon, sigma, l2_sensitivity)
    with np.errstate(all="ignore"):
        m, h, t, density = crossing(epsilon, sigma, sensitivity)
        density = density / ROOT_TWO_PI
        complement = density * (mills_ratio(np.maximum(-t, 0)) + mills_ratio(m + h))
        return as_probability(np.where(t < -1, 1 - complement, density * mills_gap(t, 2 * h)))


def pdp_delta_from_sigma(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """Pr(|privacy loss| > ε) = Φ(μ/2 − ε/μ) + Φ(−μ/2 − ε/μ), μ = Δ₂/σ: the least δ of (ε, δ)-pDP (definition of pDP).

    Domain, units and rounding as in `delta_from_sigma`; 1 at ε = 0.

    Examples
    --------
    >>> print(f"{pdp_delta_from_sigma(epsilon=1, sigma=4.4441):.3g}")
    1e-05
    """
    epsilon, sigma, sensitivity = mechanism(epsilon, sigma, l2_sensitivity)
    with np.errstate(all="ignore"):
        m, h, t, density = crossing(epsilon, sigma, sensitivity)
        tails = density / ROOT_TWO_PI * (mills_ratio(np.maximum(t, 0)) + np.exp(-epsilon) * mills_ratio(m + h))
        return as_probability(np.where(t < 0, ndtr(-t) + ndtr(-m - h), tails))


def epsilon_from_sigma(delta: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least ε of (ε, δ)-DP at a given σ: the inverse of `delta_from_sigma` in ε ([BW18] Thm 8).

    Parameters
    ----------
    delta : in [1e-300, 1).
    sigma : at least 1e-150 Δ₂, in query units.
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    ε ≥ 0 in nats; 0 where δ ≥ δ(0) = 2Φ(μ/2) − 1. Never below the true value, and above it by no more than moving δ and
    σ by a few roundings would move it (near ε = 0 that is an absolute, not a relative, error).

    Examples
    --------
    >>> print(f"{epsilon_from_sigma(delta=1e-5, sigma=3.7306):.3f}")
    1.000
    """
    delta = number("delta", delta, DELTA_RANGE)
    mu, delta = np.broadcast_arrays(mu_of(sigma, l2_sensitivity), delta)
    h = mu / 2
    free = delta >= round_up(erf(h / np.sqrt(2)), 4)
    above = delta > 0.5
    side = np.where(above, -1.0, 1.0)
    target = np.where(above, 1 - delta, delta) * ROOT_TWO_PI
    t = np.maximum(-ndtri(delta), -h)  # t₁ = −h is ε = 0
    mass = right = np.ones_like(t)
    with np.errstate(all="ignore"):
        for _ in range(_MOST_STEPS):
            right = mills_ratio(t + mu)
            mass = np.where(above, mills_ratio(np.maximum(-t, 0)) + right, mills_gap(t, mu))
            fall = side * mu * right / mass  # of ln δ in t; Halley's step bends Newton's by how the fall grows
            step = (np.log(mass / target) - t * t / 2) / fall
            step = step / np.maximum(1 + step * (mu + fall - 1 / right) / 2, 0.5)
            step = np.where(free, 0, np.maximum(step, -h - t))
            t = t + step
            if np.all(abs(step) < _SMALL_STEP * (1 + h)):
                break
        # What δ, σ and the kernel are off by, each over the slope of δ in ε: rounding up by their sum.
        doubt = ULP * (2 * mu * (abs(t) + h) + (2 * mu + (10 + t * t) * mass) / right)
        return np.where(free, 0.0, mu * (t + h) + doubt)[()]
