"""Kernels of the normal distribution that are accurate to the last digits where the textbook forms lose all digits.

Everything rests on the Mills ratio R(t) = Φ(−t)/φ(t) = √(π/2) erfcx(t/√2). With t₁ = ε/μ − μ/2 and t₂ = ε/μ + μ/2,
e^ε φ(t₂) = φ(t₁), so Φ(−t₁) − e^ε Φ(−t₂) = φ(t₁)[R(t₁) − R(t₂)]: no e^ε is left to overflow.

`legendre_rule` checks its argument. The other functions are for the inner loops of dpcore, which keep the domain
themselves or discard what lies outside it: they check nothing.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import erfcx

from dpcore.checks import Array, scalar_integer
from dpcore.rounding import product_error

__all__ = ["legendre_rule"]

ROOT_TWO_PI = np.sqrt(2 * np.pi)
_ROOT_HALF = np.sqrt(0.5)
_ROOT_HALF_PI = np.sqrt(np.pi / 2)
_NODES_RANGE = "[1, 1000]"


def mills_ratio(t: Array) -> Array:
    """Return the Mills ratio R(t) = Φ(−t)/φ(t) = √(π/2) erfcx(t/√2) of the standard normal distribution, unchecked.

    It is right to a relative 8 · 2⁻⁵², of a negative t to (8 + t²) · 2⁻⁵²; below t = −37 it overflows.
    """
    return _ROOT_HALF_PI * erfcx(_ROOT_HALF * t)


def legendre_rule(n_nodes: int) -> tuple[Array, Array]:
    """Return nodes and weights of Gauss–Legendre quadrature on [0, 1], each right to within 3 · 2⁻⁵².

    NumPy's and SciPy's rules are off by a relative 1e-13 in the outer weights, so Newton's method runs on the angle
    instead of on its cosine: P_n(cos θ) = 0, node sin²(θ/2), weight (dP_n/dθ)⁻².

    Parameters
    ----------
    n_nodes : a whole number in [1, 1000]; the rule is exact for polynomials of degree 2 n_nodes − 1.

    Returns
    -------
    The nodes, in increasing order, and their weights.

    Raises
    ------
    ValueError
        `n_nodes must be in [1, 1000], got 0`.

    Examples
    --------
    >>> nodes, weights = legendre_rule(5)
    >>> print(f"{weights @ nodes**9:.12f}")
    0.100000000000
    """
    n_nodes = scalar_integer("n_nodes", n_nodes, _NODES_RANGE)
    angle = np.pi * (np.arange(n_nodes) + 0.75) / (n_nodes + 0.5)
    slope = np.ones(n_nodes)
    for _ in range(5):
        cosine = np.cos(angle)
        previous, current = np.ones(n_nodes), cosine
        for n in range(1, n_nodes):
            previous, current = current, ((2 * n + 1) * cosine * current - n * previous) / (n + 1)
        slope = n_nodes * (cosine * current - previous) / np.sin(angle)
        angle = angle - current / slope
    return np.sin(angle / 2) ** 2, slope**-2


_NODES, _WEIGHTS = legendre_rule(28)
_AT_ONCE = 2048  # numbers, beyond which what is saved in calls is lost in memory


def mills_gap(t: Array, width: Array) -> Array:
    """Return R(t) − R(t + width), right to a relative 8 · 2⁻⁵² and unchecked; it is wrong for t < −1.

    The difference cancels where the width is small, so there the integral that it equals is summed instead, all of
    whose terms are positive: ∫₀^∞ e^{−x²/2 − tx} (1 − e^{−width·x}) dx, cut where the exponent reaches −44.
    """
    narrow = width < 0.5 * t + 2.5
    difference = mills_ratio(np.maximum(t, -1)) - mills_ratio(t + width)
    reach = 88 / (t + np.sqrt(t * t + 88))
    rate = np.where(narrow, width, 0)
    integral = _integral(reach, lambda x, weight: -(weight * np.exp(-x * (x / 2 + t)) * np.expm1(-rate * x)))
    return np.where(narrow, integral, difference)


def _integral(reach: Array, weighed: Callable[[Array, Array], Array]) -> Array:
    """Return ∫₀^reach of what `weighed` returns for nodes and weights; for few numbers many nodes are taken at once."""
    total, weights = np.zeros_like(reach), _WEIGHTS.reshape(-1, *(1,) * np.ndim(reach))
    at_once = max(1, _AT_ONCE // max(reach.size, 1))
    for start in range(0, _NODES.size, at_once):
        few = slice(start, start + at_once)
        for term in weighed(np.multiply.outer(_NODES[few], reach), weights[few]):
            total += term
    return reach * total


def loss_window(m: Array, h: Array) -> Array:
    """Return [Φ(m − h) − Φ(−m − h)]/φ(m − h) to a few roundings, for h ≥ m ≥ 0, unchecked.

    It is R(h − m) − e^{−2mh} R(h + m), which cancels where 2mh is small; there the integral is summed:
    ∫₀^{2m} e^{−x(h − m) − x²/2} dx.
    """
    narrow = 2 * m * h < 1
    difference = mills_ratio(h - m) - np.exp(-2 * m * h) * mills_ratio(h + m)
    reach = np.where(narrow, 2 * m, 0)
    integral = _integral(reach, lambda x, weight: weight * np.exp(-x * (x / 2 + h - m)))
    return np.where(narrow, integral, difference)


def crossing(epsilon: Array, sigma: Array, l2_sensitivity: Array) -> tuple[Array, Array, Array, Array]:
    """Return m = εσ/Δ, h = Δ/(2σ), t = m − h correctly rounded, and φ(t)√(2π) = e^{−t²/2} to a few roundings.

    φ(t) multiplies any error of t by t, and t itself cancels where m is near h, so t is carried as a sum of two
    doubles (Dekker 1971: each product or quotient keeps its rounding error), the powers of two apart from them. t is
    clipped to where φ vanishes.
    """
    delta2, power = np.frexp(l2_sensitivity)
    noise, noise_power = np.frexp(sigma)
    power = noise_power - power
    scale = noise / delta2
    scale_rest = product_error(scale, delta2, noise) / delta2
    scaled_epsilon = np.ldexp(epsilon, power)
    m = scaled_epsilon * scale
    m_rest = scaled_epsilon * scale_rest - product_error(scaled_epsilon, scale, m)
    h = delta2 / noise / 2
    h_rest = np.ldexp(product_error(h, noise, delta2 / 2) / noise, -power)
    h = np.ldexp(h, -power)
    head = m - h
    back = head - m
    tail = (m - (head - back)) - (h + back) + (m_rest - h_rest)
    near = abs(head) < 60
    t = np.where(near, head + tail, np.clip(head, -60, 60))
    rest = np.where(near, tail - (t - head), 0)
    square = t * t
    density = np.exp(-square / 2) * np.exp(product_error(t, t, square) / 2 - t * rest)
    return m, h, t, density
