"""The truncated staircase: noise of (ε, δ)-DP in falling steps that ends at a bound, at sensitivity 1.

With r = e^{−ε} its density is a r^k for k ≤ |x| < k + γ and a r^{k+1} for k + γ ≤ |x| < k + 1, and 0 from the bound A
on. It does not rise in |x|, so that of all moves of at most 1 the one of 1 is the worst; and f(x) ≤ e^ε f(x + 1) up to
A − 1, so that its δ is the probability of [A − 1, A]. Let m be the integral of f/a over [0, 1), n = ⌊A⌋, and w that of
f/(a r^n) over [A − 1, A], times r. Then Pr(noise > 0) = a(m − r^n w)/(1 − r), so that δ is met at
r^n w = 2δm/(e^ε − 1 + 2δ) = m e^{−εB}, where B is the bound of truncated Laplace noise, whatever γ is: n = ⌊B⌋ (own).
"""

import math

import numpy as np

from dpcore.checks import Array

MOST_BLOCKS = 2000  # beyond it the steps are so low that truncated Laplace noise has the same cost
_POINTS, _ROUNDS = 129, 3  # of the search for γ, each of which is 64 times as fine as the one before


def least_gamma(epsilon: float, bound: float, cost: str) -> float:
    """Return the γ of the least variance or E|noise|, to two millionths: the cost next to it differs by some 1e-12.

    Here and below `bound` is that of truncated Laplace noise, B.
    """
    middle, reach = 0.5, 0.5
    for _ in range(_ROUNDS):
        gamma = np.clip(np.linspace(middle - reach, middle + reach, _POINTS), 0, 1)
        middle = float(gamma[np.argmin(truncated_cost(epsilon, bound, gamma, cost))])
        reach *= 2 / (_POINTS - 1)
    return middle


def truncated_cost(epsilon: float, bound: float, gamma: Array, cost: str) -> Array:
    """Return the variance or E|noise| for each γ."""
    n, end = _end(epsilon, bound, gamma)
    k = np.arange(float(n))
    weight = np.exp(-epsilon * k)
    sums = [np.sum(weight * k**power) for power in range(3)]
    block, part = _moments(epsilon, gamma, np.ones_like(gamma)), _moments(epsilon, gamma, end)
    left = math.exp(-epsilon * n)
    mass = sums[0] * block[0] + left * part[0]
    if cost == "mean_absolute_error":
        return (sums[1] * block[0] + sums[0] * block[1] + left * (n * part[0] + part[1])) / mass
    whole = sums[2] * block[0] + 2 * sums[1] * block[1] + sums[0] * block[2]
    return (whole + left * (n**2 * part[0] + 2 * n * part[1] + part[2])) / mass


def truncated_steps(epsilon: float, bound: float, gamma: float) -> tuple[Array, Array]:
    """Return where the density falls, from −A to A, and its heights between."""
    n, end = _end(epsilon, bound, np.array(gamma))
    k = np.arange(n + 1.0)
    edges = np.minimum(np.column_stack([k + gamma, k + 1]).ravel(), n + end)
    heights = np.exp(-epsilon * np.column_stack([k, k + 1]).ravel())
    lengths = np.diff(np.append(0.0, edges))
    heights = heights / (2 * np.sum(heights * lengths))
    is_cell = lengths > 0
    edges, heights = edges[is_cell], heights[is_cell]
    return np.concatenate([-edges[::-1], edges]), np.concatenate([heights[:0:-1], heights])


def _end(epsilon: float, bound: float, gamma: Array) -> tuple[int, Array]:
    """Return n = ⌊A⌋ and A − n for each γ."""
    n = math.floor(bound)
    whole = _moments(epsilon, gamma, np.ones_like(gamma))[0]
    part = whole * (np.expm1(-epsilon * (bound - n)) / np.expm1(-epsilon))
    return n, np.where(part <= gamma, part, gamma + (part - gamma) * math.exp(epsilon))


def _moments(epsilon: float, gamma: Array, end: Array) -> tuple[Array, Array, Array]:
    """Return the integrals of 1, x and x² times the density over [0, `end`), at a = 1, for an end of at most 1."""
    near, ratio = np.minimum(end, gamma), math.exp(-epsilon)
    mass, first, second = ((near**i + ratio * (end**i - near**i)) / i for i in (1, 2, 3))
    return mass, first, second
