"""The Gaussian mechanism: how much noise a privacy promise needs, and what promise an amount of noise keeps.

The release is f(x) + N(0, σ²I), where neighbouring data sets move f by at most Δ₂ (`l2_sensitivity`) in ℓ₂ norm; the
neighbouring relation is the one under which Δ₂ was computed. μ = Δ₂/σ holds the whole privacy content: the privacy
loss is N(μ²/2, μ²). The (ε, δ) of the classical and the analytic bounds is that of (ε, δ)-DP, Pr(M(x) ∈ S) ≤
e^ε Pr(M(x') ∈ S) + δ. The pDP bounds promise more: Pr(|privacy loss| > ε) ≤ δ, probabilistic DP, whose δ is another
quantity.

ε (`epsilon`) is in nats, δ (`delta`) is a probability, σ and Δ₂ are in the unit of the query. Arguments broadcast; the
result has their common shape. Every σ is rounded up in its last bits, every δ and ε too, so that a promise is never
overstated by rounding; `lower_bound_sigma` is rounded down. Bad input raises `ValueError`: `name must be in RANGE, got
VALUE`.

References
----------
[BW18] Balle & Wang 2018, arXiv:1805.06530. [DR14] Dwork & Roth 2014, Algorithmic Foundations of Differential Privacy.
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388. [GA20] Gaussian Mechanism Accuracy, 2020.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf, erfinv, log_ndtr, ndtr, ndtri, ndtri_exp

from dpcore._normal import ROOT_TWO_PI, TINY, ULP, crossing, loss_window, mills_gap, mills_ratio
from dpcore.checks import POSITIVE_EPSILON_RANGE, Array, number, refuse

EPSILON_RANGE = "[0, 1e6]"
_EPSILON_POSITIVE = "[1e-300, 1e6]"
DELTA_RANGE = "[1e-300, 1)"
_SENSITIVITY = "[1e-300, inf)"
_SIGMA = "(0, inf)"
_LOG_TIGHT = (np.log(2 / np.pi) + 8 / 9) / 2
_MOST_STEPS = 100
_SMALL_STEP = 1e-9  # Newton's method is quadratic: the step after such a one is below rounding


def classical_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """σ = Δ₂ √(2 ln(1.25/δ)) / ε, proved for ε < 1 only; it fails for large ε ([DR14] Thm A.1, [Liu19] Eq. 18).

    Parameters
    ----------
    epsilon : in [1e-300, 1e6]. At δ = 1e-5 the true δ of this σ exceeds the target from ε ≈ 8.42 on.
    delta : in [1e-300, 1).
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    σ in query units.
    """
    return _classical(epsilon, delta, l2_sensitivity, np.log(1.25))


def classical_tight_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """σ = Δ₂ √(2 ln(c/δ)) / ε, c = √(2e^{8/9}/π) ≈ 1.2444: the constant that the proof needs ([GA20]; [DR14] p. 264).

    Domain, units and the range of the proof (ε < 1) as in `classical_sigma`.
    """
    return _classical(epsilon, delta, l2_sensitivity, _LOG_TIGHT)


def _classical(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike, log_constant: float) -> Array:
    epsilon = number("epsilon", epsilon, _EPSILON_POSITIVE)
    delta = number("delta", delta, DELTA_RANGE)
    with np.errstate(over="ignore"):
        return _in_query_units(np.sqrt(2 * (log_constant - np.log(delta))) / epsilon, l2_sensitivity)


def pdp_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """σ = Δ₂ (√(q² + 2ε) + q) / (2ε), q = −Φ⁻¹(δ/2): a σ of (ε, δ)-pDP for every ε > 0 ([Liu19] Prop. 11, Eq. 17).

    It bounds the smaller tail of the loss by the larger one, so it is a little above `exact_pdp_sigma`.

    Parameters
    ----------
    epsilon : in [1e-300, 1e6].
    delta : in [1e-300, 1), of probabilistic DP.
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    σ in query units.
    """
    epsilon = number("epsilon", epsilon, _EPSILON_POSITIVE)
    tail = -ndtri(number("delta", delta, DELTA_RANGE) / 2)
    with np.errstate(over="ignore"):
        return _in_query_units((np.sqrt(tail**2 + 2 * epsilon) + tail) / (2 * epsilon), l2_sensitivity)


def exact_pdp_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """The least σ of (ε, δ)-pDP: Φ(μ/2 − ε/μ) + Φ(−μ/2 − ε/μ) = δ with μ = Δ₂/σ (from the definition of pDP).

    Domain and units as in `pdp_sigma`. Never below the true value, above it by a relative 4e-15 at most.
    """
    epsilon = number("epsilon", epsilon, _EPSILON_POSITIVE)
    delta = number("delta", delta, DELTA_RANGE)
    above = delta > 0.5
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
            mu = mu * np.exp(-np.clip(step, -2, 2))
            if np.all(abs(step) < _SMALL_STEP):
                break
    return _in_query_units(1 / mu, l2_sensitivity)


def analytic_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """The least σ of (ε, δ)-DP: Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) = δ with μ = Δ₂/σ ([BW18] Thm 8).

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
    return _in_query_units((1 / mu).reshape(shape), l2_sensitivity)


def _rough_mu(epsilon: Array, delta: Array) -> Array:
    """A μ below the analytic one by at most 40 %, above it by at most 2 %.

    t₁ is read off a closed form with the right limits: −Φ⁻¹(δ) near δ = 1/2 and for small δ when ε is large, and ε/μ
    with μ = √(2π) δ when ε ≪ δ. The μ of ε = 0, 2√2 erf⁻¹(δ), bounds it below.
    """
    damping = np.where(delta > 0.5, 1, epsilon / (epsilon + np.pi / 2))
    log_odds = np.log1p(damping * (1 - 2 * delta) / delta)
    t = log_odds / np.sqrt(8 / np.pi + abs(log_odds) / 2)
    root = np.sqrt(t * t + 2 * epsilon)
    mu = np.where(t > 0, 2 * epsilon / (root + abs(t) + 1e-300), root - t)
    return np.maximum(mu, np.sqrt(8) * erfinv(delta))


def _gap_per_mu(m: Array, h: Array, side: Array) -> Array:
    """[R(side·t₁) − side·R(t₂)]/μ, right to a few ulps of 1, which the solver damps to a few ulps of μ.

    Small h cancels, so there the Taylor series Σ h^{2k} M_{2k+1}(m)/(2k+1)! takes over, with the moments
    M_n = ∫₀^∞ xⁿ e^{−x²/2 − mx} dx: M₁ = 1 − mR(m), M₃ = (3 + m²) M₁ − 1, M_{n+2} = (2n + 1 + m²) M_n − n(n−1) M_{n−2}.
    """
    v = np.empty_like(m)
    small = (side > 0) & (h * (1 + 2 * m) < 0.7)
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


def lower_bound_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """σ ≥ Δ₂/√(2ε) for every (ε, δ)-DP Gaussian with δ ≤ ½ − e^ε Φ(−√(2ε)); 0, which says nothing, for larger δ.

    [BW18] Thm 4 prints the condition as δ < ½ − e^{−3ε}/√(4πε), which is too wide: at ε = 1 it admits δ = 0.4, where
    the analytic σ is 0.59 and this bound would be 0.71. The condition used here is exact: its right side is the true
    δ of σ = Δ₂/√(2ε).

    Parameters
    ----------
    epsilon : in [1e-300, 1e6].
    delta : in [1e-300, 1).
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    A σ in query units, rounded down: no Gaussian with less noise keeps the promise.
    """
    epsilon = number("epsilon", epsilon, _EPSILON_POSITIVE)
    delta = number("delta", delta, DELTA_RANGE)
    sensitivity = number("l2_sensitivity", l2_sensitivity, _SENSITIVITY)
    mu = np.sqrt(2 * epsilon)  # which makes t₁ = 0
    holds = delta <= mills_gap(np.zeros_like(mu), mu) / ROOT_TWO_PI
    with np.errstate(over="ignore"):
        sigma = np.where(holds, sensitivity / mu * (1 - 10 * ULP), 0.0)[()]
    _refuse_overflow(sigma, sensitivity, 1 / mu)
    return sigma


def delta_from_sigma(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """The privacy profile δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ), μ = Δ₂/σ: the least δ of (ε, δ)-DP ([BW18] Thm 8).

    Parameters
    ----------
    epsilon : in [0, 1e6].
    sigma : > 0, in query units.
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    δ in (0, 1]: never below the true value, above it by a relative 5e-15 at most; a δ too small for a double
    is given as the smallest one, 5e-324.
    """
    epsilon, sigma, sensitivity = _mechanism(epsilon, sigma, l2_sensitivity)
    with np.errstate(all="ignore"):
        m, h, t, density = crossing(epsilon, sigma, sensitivity)
        density = density / ROOT_TWO_PI
        complement = density * (mills_ratio(np.maximum(-t, 0)) + mills_ratio(m + h))
        return _as_probability(np.where(t < -1, 1 - complement, density * mills_gap(t, 2 * h)))


def pdp_delta_from_sigma(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """Pr(|privacy loss| > ε) = Φ(μ/2 − ε/μ) + Φ(−μ/2 − ε/μ), μ = Δ₂/σ: the least δ of (ε, δ)-pDP (definition of pDP).

    Domain, units and rounding as in `delta_from_sigma`; 1 at ε = 0.
    """
    epsilon, sigma, sensitivity = _mechanism(epsilon, sigma, l2_sensitivity)
    with np.errstate(all="ignore"):
        m, h, t, density = crossing(epsilon, sigma, sensitivity)
        tails = density / ROOT_TWO_PI * (mills_ratio(np.maximum(t, 0)) + np.exp(-epsilon) * mills_ratio(m + h))
        return _as_probability(np.where(t < 0, ndtr(-t) + ndtr(-m - h), tails))


def epsilon_from_sigma(delta: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """The least ε of (ε, δ)-DP at a given σ: the inverse of `delta_from_sigma` in ε ([BW18] Thm 8).

    Parameters
    ----------
    delta : in [1e-300, 1).
    sigma : at least 1e-150 Δ₂, in query units.
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    ε ≥ 0 in nats; 0 where δ ≥ δ(0) = 2Φ(μ/2) − 1. Never below the true value, and above it by no more than moving δ and
    σ by a few roundings would move it (near ε = 0 that is an absolute, not a relative, error).
    """
    delta = number("delta", delta, DELTA_RANGE)
    mu, delta = np.broadcast_arrays(_mu(sigma, l2_sensitivity), delta)
    h = mu / 2
    free = delta >= erf(h / np.sqrt(2)) * (1 + 4 * ULP)
    above = delta > 0.5
    side = np.where(above, -1.0, 1.0)
    target = np.where(above, 1 - delta, delta) * ROOT_TWO_PI
    t = np.maximum(-ndtri(delta), -h)
    mass = right = np.ones_like(t)
    with np.errstate(all="ignore"):
        for _ in range(_MOST_STEPS):
            right = mills_ratio(t + mu)
            mass = np.where(above, mills_ratio(np.maximum(-t, 0)) + right, mills_gap(t, mu))
            step = side * mass * (np.log(mass / target) - t * t / 2) / (mu * right)
            step = np.where(free, 0, np.maximum(step, -h - t))
            t = t + step
            if np.all(abs(step) < _SMALL_STEP * (1 + h)):
                break
        doubt = ULP * (2 * mu * (abs(t) + h) + (2 * mu + (10 + t * t) * mass) / right)
        return np.where(free, 0.0, mu * (t + h) + doubt)[()]


def pdp_epsilon(delta: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """The ε for which Eq. 17 asks for this σ: ε = μ(q + μ/2), q = −Φ⁻¹(δ/2), μ = Δ₂/σ; inverts `pdp_sigma`.

    Parameters
    ----------
    delta : in [1e-300, 1), of probabilistic DP.
    sigma : at least 1e-150 Δ₂, in query units.
    l2_sensitivity : Δ₂ in [1e-300, inf), in query units.

    Returns
    -------
    ε in nats: never below the true value, above it by a relative 5e-15 at most.
    """
    tail = -ndtri(number("delta", delta, DELTA_RANGE) / 2)
    mu = _mu(sigma, l2_sensitivity)
    return mu * (tail + mu / 2) * (1 + 16 * ULP) + TINY


def classical_epsilon(delta: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """The ε for which the classical formula asks for this σ: ε = μ √(2 ln(1.25/δ)); inverts `classical_sigma`.

    It is a promise only where ε < 1, the range of the proof. Parameters and rounding as in `pdp_epsilon`.
    """
    return _classical_epsilon(delta, sigma, l2_sensitivity, np.log(1.25))


def classical_tight_epsilon(delta: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """ε = μ √(2 ln(c/δ)), c = √(2e^{8/9}/π): inverts `classical_tight_sigma`; else as `classical_epsilon`."""
    return _classical_epsilon(delta, sigma, l2_sensitivity, _LOG_TIGHT)


def _classical_epsilon(delta: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike, log_constant: float) -> Array:
    delta = number("delta", delta, DELTA_RANGE)
    return _mu(sigma, l2_sensitivity) * np.sqrt(2 * (log_constant - np.log(delta))) * (1 + 16 * ULP) + TINY


def pdp_delta(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """The δ for which Eq. 17 asks for this σ: 2Φ(μ/2 − ε/μ), μ = Δ₂/σ, at most 1; inverts `pdp_sigma`.

    Parameters
    ----------
    epsilon : in [1e-12, 1e6].
    sigma : in [1e-250, 1e250], in query units.
    l2_sensitivity : Δ₂ in [1e-250, 1e250], in query units.
    """
    epsilon, sigma, sensitivity = _formula_arguments(epsilon, sigma, l2_sensitivity)
    with np.errstate(over="ignore", under="ignore"):
        return np.minimum(2 * ndtr(sensitivity / sigma / 2 - epsilon * (sigma / sensitivity)), 1.0)


def classical_delta(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """The δ for which the classical formula asks for this σ: 1.25 e^{−(εσ/Δ₂)²/2}, at most 1; else as `pdp_delta`."""
    epsilon, sigma, sensitivity = _formula_arguments(epsilon, sigma, l2_sensitivity)
    with np.errstate(over="ignore", under="ignore"):
        return np.minimum(1.25 * np.exp(-((epsilon * (sigma / sensitivity)) ** 2) / 2), 1.0)


def _formula_arguments(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike) -> tuple[Array, Array, Array]:
    return (
        number("epsilon", epsilon, POSITIVE_EPSILON_RANGE),
        number("sigma", sigma, "[1e-250, 1e250]"),
        number("l2_sensitivity", l2_sensitivity, "[1e-250, 1e250]"),
    )


def laplace_tail_sigma(t: ArrayLike, laplace_scale: ArrayLike) -> Array:
    """The σ whose tail at t is that of Laplace noise, 2Φ(−t/σ) = e^{−t/b}: σ = t/q(e^{−t/b}) ([Liu19] Fig. 5, own).

    Parameters
    ----------
    t : distance from the truth, at least 0, in query units; at 0 the limit, b √(2/π).
    laplace_scale : b in [1e-150, 1e150], in query units.

    Returns
    -------
    σ in query units, to a relative 2e-15.
    """
    t, scale = number("t", t, "[0, 1e150]"), number("laplace_scale", laplace_scale, "[1e-150, 1e150]")
    return scale / _quantile_slope(t / scale)


def _quantile_slope(x: Array) -> Array:
    """−Φ⁻¹(e^{−x}/2)/x; at x = 0 its limit √(π/2). SciPy's ndtri_exp is off by 5e-13, so a step of Newton's follows."""
    near = np.clip(x, 1e-290, 1)
    far = np.maximum(x, np.log(2))
    root = -ndtri_exp(-far - np.log(2))
    root = root + (log_ndtr(-root) + far + np.log(2)) * mills_ratio(root)
    return np.where(x < np.log(2), np.sqrt(2) * erfinv(-np.expm1(-near)) / near, root / far)


def relative_privacy_cost(
    t: ArrayLike,
    epsilon: ArrayLike,
    delta: ArrayLike,
    l1_sensitivity: ArrayLike = 1.0,
    l2_sensitivity: ArrayLike = 1.0,
) -> Array:
    """ε₂/ε₁ at the same tail at t: Laplace noise of ε₁-DP against the pDP Gaussian of (ε₂, δ) ([Liu19] Fig. 5).

    In closed form (own): σ = t/q(e^{−tε₁/Δ₁}), q(x) = −Φ⁻¹(x/2), has Laplace's tail, and Eq. 17 asks for that σ at
    ε₂ = Δ₂ (q(δ) + Δ₂/(2σ))/σ. Above 1 the Gaussian pays more privacy for the same tail.

    Parameters
    ----------
    t : distance from the truth in [0, 1e150], in query units; at 0 the limit.
    epsilon : ε₁ of the Laplace mechanism in [1e-100, 1e6].
    delta : in [1e-300, 1), of probabilistic DP.
    l1_sensitivity, l2_sensitivity : Δ₁ and Δ₂ in [1e-40, 1e40], in query units.

    Returns
    -------
    ε₂/ε₁, dimensionless, rounded up: above the true value by a relative 1e-14 at most.
    """
    epsilon = number("epsilon", epsilon, "[1e-100, 1e6]")
    l1 = number("l1_sensitivity", l1_sensitivity, "[1e-40, 1e40]")
    sigma = laplace_tail_sigma(t, l1 / epsilon)
    cost = pdp_epsilon(delta, sigma, number("l2_sensitivity", l2_sensitivity, "[1e-40, 1e40]"))
    return cost / epsilon * (1 + 16 * ULP)


def _mu(sigma: ArrayLike, l2_sensitivity: ArrayLike) -> Array:
    """Δ₂/σ, refused beyond 1e150."""
    sigma = number("sigma", sigma, _SIGMA)
    sensitivity = number("l2_sensitivity", l2_sensitivity, _SENSITIVITY)
    with np.errstate(over="ignore"):
        mu = sensitivity / sigma
    if np.any(mu > 1e150):
        refuse("sigma", sigma, mu > 1e150, f"[{1e-150 * np.max(sensitivity):.4g}, inf)")
    return mu


def _mechanism(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike) -> tuple[Array, Array, Array]:
    return (
        number("epsilon", epsilon, EPSILON_RANGE),
        number("sigma", sigma, _SIGMA),
        number("l2_sensitivity", l2_sensitivity, _SENSITIVITY),
    )


def _in_query_units(unit_sigma: Array, l2_sensitivity: ArrayLike) -> Array:
    """Scale the σ of Δ₂ = 1 to the sensitivity and round it up; refuse a sensitivity that overflows it."""
    sensitivity = number("l2_sensitivity", l2_sensitivity, _SENSITIVITY)
    with np.errstate(over="ignore"):
        sigma = unit_sigma * sensitivity * (1 + 10 * ULP)
    _refuse_overflow(sigma, sensitivity, unit_sigma)
    return sigma


def _refuse_overflow(sigma: Array, sensitivity: Array, unit_sigma: Array) -> None:
    lost = np.isinf(sigma)
    if np.any(lost):
        most = 1.7e308 / np.max(unit_sigma)
        refuse("l2_sensitivity", sensitivity, lost, f"[1e-300, {most:.4g}] at this epsilon and delta")


def _as_probability(delta: Array) -> Array:
    """Round a probability up, into (0, 1]."""
    return np.minimum(delta * (1 + 10 * ULP) + TINY, 1.0)
