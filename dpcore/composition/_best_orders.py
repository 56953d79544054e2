"""The best order of a zCDP guarantee, by Newton steps that converge from where they begin."""

import numpy as np
from scipy.special import wrightomega

from dpcore.checks import Array


def best_at_delta(rho: Array, log: Array) -> Array:
    """a with ρa² + ln(1 + a) = L: rising and convex in ln a, so Newton's method comes down from above."""
    with np.errstate(divide="ignore", over="ignore"):  # ρ = 0 leaves the other bound
        more = np.minimum(np.sqrt(log / rho), np.expm1(log))
    for _ in range(8):
        square, count = rho * more * more, np.log1p(more)
        more = more * np.exp((log - square - count) / (2 * square + more / (1 + more)))
    return more


def best_at_epsilon(rho: Array, epsilon: Array) -> Array:
    """a with 2ρa − ln(1 + 1/a) = ε − ρ: rising and concave in a, so Newton's method comes up from below.

    It starts from the larger of two lower bounds: ln(1 + 1/a) is at least −ln a, and at least 1/(1 + a).
    """
    rest = epsilon - rho
    root = np.hypot(2 * rho + rest, np.sqrt(8 * rho))
    gap = 2 * rho - rest
    slow = np.where(gap < 0, (root - gap) / (4 * rho), 2 * (1 + rest) / (np.maximum(gap, 0) + root))
    more = np.maximum(slow, wrightomega(np.log(2 * rho) + rest) / (2 * rho))
    for _ in range(12):
        more = np.maximum(more, 1e-300)  # for ρ far above ε, where δ is 1
        more = more - (2 * rho * more - np.log1p(1 / more) - rest) / (2 * rho + 1 / (more * (1 + more)))
    return np.maximum(more, 1e-300)


def best_at_target(epsilon: Array, log: Array, standard: Array) -> Array:
    """1/a of the largest ρ: the root of (L − ln(1 + a))(1/a² + 2/a) − ln(1 + 1/a) = ε, rising and convex in 1/a."""
    inverse = np.maximum(1 / np.expm1(log), np.sqrt(standard / log))  # from below, so that one step leads above
    for _ in range(20):
        left = log - np.log1p(1 / inverse)
        excess = left * inverse * (inverse + 2) - np.log1p(inverse) - epsilon
        inverse = inverse - excess / (1 + 2 * left * (1 + inverse))
    return inverse
