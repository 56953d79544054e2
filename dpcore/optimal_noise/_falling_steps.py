"""The truncated staircase: noise of (ε, δ)-DP in falling steps that ends at a bound, at sensitivity 1.

With r = e^{−ε} its density is a r^k for k ≤ |x| < k + γ and a r^{k+1} for k + γ ≤ |x| < k + 1, and 0 from the bound A
on. It does not rise in |x|, so that of all moves of at most 1 the one of 1 is the worst; and f(x) ≤ e^ε f(x + 1) up to
A − 1, so that its δ is the probability of [A − 1, A]. Let m be the integral of f/a over [0, 1), n = ⌊A⌋, and w that of
f/(a r^n) over [A − 1, A], times r. Then Pr(noise > 0) = a(m − r^n w)/(1 − r), so that δ is met at
r^n w = 2δm/(e^ε − 1 + 2δ) = m e^{−εB}, where B is the bound of truncated Laplace noise, whatever γ is: n = ⌊B⌋ (own).
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import exprel

from dpcore import staircase
from dpcore.checks import Array

MOST_BLOCKS = 2000  # beyond it the steps are so low that truncated Laplace noise has the same cost
_N_STEPS = 4  # of Newton's method for γ
_MOST_GAMMA = 0.75  # above the best γ, which is up to 0.58
_LEAST_THETA = 1e-9  # below it the γ of the staircase is ½


@lru_cache(256)
def best_steps(epsilon: float, bound: float, cost: str) -> tuple[float, float]:
    """Return γ of the least variance or E|noise|, and A: the cost is the least to a relative 1e-10.

    Here and below `bound` is that of truncated Laplace noise, B. The best γ has `missing` e^ε = `spare` in `step_sums`
    (see `_staircase_bound`), which Newton's method solves from the γ of the staircase, A being that of the γ before.
    """
    growth, theta = math.exp(epsilon), max(epsilon, _LEAST_THETA)
    gamma_of = staircase.mean_error_gamma if cost == "mean_absolute_error" else staircase.variance_gamma
    start = gamma = float(gamma_of(theta))
    for _ in range(_N_STEPS):
        sums = step_sums(epsilon, _bound_of_steps(epsilon, bound, gamma), gamma, cost)
        gamma += (sums.spare - growth * sums.missing) / (sums.slope * (1 - gamma + growth * gamma))
        gamma = min(max(gamma, start / 2), _MOST_GAMMA)
    return gamma, _bound_of_steps(epsilon, bound, gamma)


class StepSums(NamedTuple):
    """Sums of e^{−(j+1)ε} times integrals of c′(j + x) over x, as far as j + x < A, over j = 0, 1, …; c is the cost.

    Attributes
    ----------
    slope : c′(j + γ) itself.
    above : of c′ from γ on.
    missing : of x c′ over [0, γ].
    spare : of (1 − x) c′ over [γ, 1].
    first, last : of c′ over [0, γ] and over [γ, 1].
    """

    slope: float
    above: float
    missing: float
    spare: float
    first: float
    last: float


def step_sums(epsilon: float, end: float, gamma: float, cost: str) -> StepSums:
    """Return the sums for A = `end`, each to a relative 1e-12: no term is below 0, and e^{−jε} is known to 1e-13."""
    j = np.arange(math.ceil(end))
    rest = end - j
    near, far, beyond = np.minimum(rest, gamma), np.clip(rest, gamma, 1.0), np.maximum(rest - gamma, 0)
    spare = (far - gamma) * (2 - far - gamma) / 2
    terms = np.stack([np.where(beyond > 0, 1.0, 0.0), beyond, near**2 / 2, spare, near, far - gamma])
    if cost == "variance":  # c′(j + x) = 2j + 2x
        cubes, squares = (2 / 3) * np.stack([near**3, far**3 - gamma**3]), far**2 - gamma**2
        terms *= 2 * j
        terms[0] += np.where(beyond > 0, 2 * gamma, 0.0)
        terms[1:] += np.stack([beyond * (rest + gamma), cubes[0], squares - cubes[1], near**2, squares])
    return StepSums(*np.sum(terms * np.exp(-epsilon * (j + 1)), axis=1).tolist())


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


def _bound_of_steps(epsilon: float, bound: float, gamma: float) -> float:
    """Return A."""
    n, end = _end(epsilon, bound, np.array(gamma))
    return n + float(end)


def _end(epsilon: float, bound: float, gamma: Array) -> tuple[int, Array]:
    """Return n = ⌊A⌋ and A − n for each γ."""
    n = math.floor(bound)
    whole = _moments(epsilon, gamma, np.ones_like(gamma))[0]
    part = whole * (bound - n) * (exprel(-epsilon * (bound - n)) / exprel(-epsilon))
    return n, np.where(part <= gamma, part, gamma + (part - gamma) * math.exp(epsilon))


def _moments(epsilon: float, gamma: Array, end: Array) -> tuple[Array, Array, Array]:
    """Return the integrals of 1, x and x² times the density over [0, `end`), at a = 1, for an end of at most 1."""
    near, ratio = np.minimum(end, gamma), math.exp(-epsilon)
    mass, first, second = ((near**i + ratio * (end**i - near**i)) / i for i in (1, 2, 3))
    return mass, first, second
