"""Noise of (ε, δ)-DP in closed form at sensitivity 1, each a candidate for the least cost that is reached.

The truncated staircase falls in steps and ends at a bound.
With r = e^{−ε} its density is a r^k for k ≤ |x| < k + γ and a r^{k+1} for k + γ ≤ |x| < k + 1, and 0 from the bound A
on. It does not rise in |x|, so that of all moves of at most 1 the one of 1 is the worst; and f(x) ≤ e^ε f(x + 1) up to
A − 1, so that its δ is the probability of [A − 1, A]. Let m be the integral of f/a over [0, 1), n = ⌊A⌋, and w that of
f/(a r^n) over [A − 1, A], times r. Then Pr(noise > 0) = a(m − r^n w)/(1 − r), so that δ is met at
r^n w = 2δm/(e^ε − 1 + 2δ) = m e^{−εB}, where B is the bound of truncated Laplace noise, whatever γ is: n = ⌊B⌋ (own).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel

from dpcore import staircase, truncated_laplace
from dpcore.checks import Array, number
from dpcore.rounding import round_up

MOST_BLOCKS = 2000  # beyond it the steps are so low that truncated Laplace noise has the same cost
_N_STEPS = 4  # of Newton's method for γ
_MOST_GAMMA = 0.75  # above the best γ, which is up to 0.58
TRUNCATED_LAPLACE_COSTS = {
    "variance": truncated_laplace.variance,
    "mean_absolute_error": truncated_laplace.mean_absolute_error,
}
STAIRCASE_COSTS = {"variance": staircase.variance, "mean_absolute_error": staircase.mean_absolute_error}
GAMMA_OF = {"variance": staircase.variance_gamma, "mean_absolute_error": staircase.mean_error_gamma}
_LEAST_THETA = 1e-9  # below it the γ of the staircase is ½


@lru_cache(256)
def best_steps(epsilon: float, bound: float, cost: str) -> tuple[float, float]:
    """Return γ of the least variance or E|noise|, and A: the cost is the least to a relative 1e-10.

    Here and below `bound` is that of truncated Laplace noise, B. The best γ has `missing` e^ε = `spare` in `step_sums`
    (see `real`), which Newton's method solves from the γ of the staircase, A being that of the γ before.
    """
    growth, theta = math.exp(epsilon), max(epsilon, _LEAST_THETA)
    start = gamma = float(GAMMA_OF[cost](theta))
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


COST_POWERS = {"variance": 2, "mean_absolute_error": 1}
"""The power of the sensitivity to which each cost grows."""

LEAST_PURE = 1e-6
"""The least ε of staircase noise here."""
_SPIKE = 0.125  # the half-width of the spike, of that of the highest step of the staircase


@dataclass(frozen=True)
class KnownNoise:
    """Noise of (ε, δ)-DP for one real number, and what it costs.

    Attributes
    ----------
    cost : its variance or E|noise|, in (squared) query units, rounded up.
    family : "optimal_noise" for that of a linear program, which is constant on cells; "truncated_staircase", noise in
        falling steps that ends at a bound; "truncated_laplace"; "staircase"; or "staircase_mixture": staircase noise
        that is replaced, with probability δ, by a uniform value within a narrow spike about 0.
    parameters : of the functions of the last three families, and of a mixture those of the staircase, δ, and the
        half-width of the spike; empty for the others.
    edges : where the density of the first two families may fall, rising, in query units; empty for the others.
    heights : its values between the edges, one fewer.
    """

    cost: float
    family: str
    parameters: tuple[float, ...] = ()
    edges: Array = field(default_factory=lambda: np.zeros(0))
    heights: Array = field(default_factory=lambda: np.zeros(0))

    def density(self, x: ArrayLike) -> Array:
        """Return the density at x, in query units."""
        x = number("x", x, "(-inf, inf)")
        if self.edges.size:
            place = np.searchsorted(self.edges, x, side="right")
            return np.concatenate([[0.0], self.heights, [0.0]])[place]
        if self.family == "truncated_laplace":
            return truncated_laplace.pdf(x, *self.parameters)
        if self.family == "staircase":
            return staircase.pdf(x, *self.parameters)
        *steps, delta, h = self.parameters
        return (1 - delta) * staircase.pdf(x, *steps) + np.where(abs(x) <= h, delta / (2 * h), 0)[()]


def candidates(epsilon: float, delta: float, cost: str) -> tuple[KnownNoise, ...]:
    """Return truncated noise, if there is a δ, and noise in steps, if there is an ε."""
    noises = [_truncated_laplace(epsilon, delta, cost)] if delta > 0 else []
    noises += [_staircase(epsilon, delta, cost)] if epsilon >= LEAST_PURE else []
    if delta > 0 and epsilon >= LEAST_PURE and noises[0].parameters[0] < MOST_BLOCKS:
        noises.append(_truncated_staircase(epsilon, noises[0].parameters[0], cost))
    return tuple(noises)


def _truncated_staircase(epsilon: float, bound: float, cost: str) -> KnownNoise:
    """Return the truncated staircase with the δ of truncated Laplace noise of this bound."""
    gamma, _ = best_steps(epsilon, bound, cost)
    edges, heights = truncated_steps(epsilon, bound, gamma)
    value = float(truncated_cost(epsilon, bound, np.array(gamma), cost))
    return KnownNoise(round_up(value, 128), "truncated_staircase", (), edges, heights)


def _truncated_laplace(epsilon: float, delta: float, cost: str) -> KnownNoise:
    noise = (
        float(truncated_laplace.bound_from_epsilon(epsilon, delta)),
        float(truncated_laplace.scale_from_epsilon(epsilon)),
    )
    return KnownNoise(_cost(TRUNCATED_LAPLACE_COSTS[cost], noise), "truncated_laplace", noise)


def _staircase(epsilon: float, delta: float, cost: str) -> KnownNoise:
    """Return the best staircase for a pure ε, with a value within a narrow spike about 0 instead with probability δ.

    Noise that is replaced with probability δ satisfies (ε, δ)-DP, whatever replaces it.
    """
    gamma = float(GAMMA_OF[cost](epsilon))
    steps = epsilon, gamma, 1.0
    value = _cost(STAIRCASE_COSTS[cost], steps)
    if delta == 0:
        return KnownNoise(value, "staircase", steps)
    h = _SPIKE * gamma
    spike = h**2 / 3 if cost == "variance" else h / 2
    return KnownNoise(round_up((1 - delta) * value + delta * spike, 8), "staircase_mixture", (*steps, delta, h))


def _cost(cost: Callable[..., ArrayLike], noise: tuple[float, ...]) -> float:
    return round_up(float(np.asarray(cost(*noise))), 64)


def scaled(noise: KnownNoise, sensitivity: float, cost: str) -> KnownNoise:
    """Return the noise for another sensitivity than 1."""
    powers = {"truncated_laplace": (1, 1), "staircase": (0, 0, 1), "staircase_mixture": (0, 0, 1, 0, 1)}
    scales = powers.get(noise.family, ())
    power = COST_POWERS[cost]
    return KnownNoise(
        round_up(noise.cost * sensitivity**power, 4),
        noise.family,
        tuple(part * sensitivity**power for part, power in zip(noise.parameters, scales, strict=True)),
        noise.edges * sensitivity,
        noise.heights / sensitivity,
    )
