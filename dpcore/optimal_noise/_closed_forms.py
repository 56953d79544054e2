"""Noise of (ε, δ)-DP in closed form at sensitivity 1, each a candidate for the least cost that is reached."""

import math
from dataclasses import dataclass, field
from functools import lru_cache
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from dpcore import staircase, truncated_laplace
from dpcore.checks import Array, number
from dpcore.optimal_noise._falling_steps import MOST_BLOCKS, best_steps, truncated_cost, truncated_steps
from dpcore.rounding import round_up

COST_POWERS = {"variance": 2, "mean_absolute_error": 1, "tail": 0}
"""The power of the sensitivity to which each cost grows."""

LEAST_PURE = 1e-6
"""The least ε of staircase noise here."""
_SPIKE = 0.125  # the half-width of the spike, of that of the highest step of the staircase


@dataclass(frozen=True)
class KnownNoise:
    """Noise of (ε, δ)-DP for one real number, and what it costs.

    Attributes
    ----------
    cost : its variance, E|noise| or share beyond ±t, in (squared) query units, or a probability; rounded up.
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


@lru_cache(64)
def candidates(epsilon: float, delta: float, cost: str, t: float) -> tuple[KnownNoise, ...]:
    """Return truncated noise, if there is a δ, and noise in steps, if there is an ε."""
    noises = [_truncated_laplace(epsilon, delta, cost, t)] if delta > 0 else []
    noises += [_staircase(epsilon, delta, cost, t)] if epsilon >= LEAST_PURE else []
    if delta > 0 and epsilon >= LEAST_PURE and cost != "tail" and noises[0].parameters[0] < MOST_BLOCKS:
        noises.append(_truncated_staircase(epsilon, noises[0].parameters[0], cost))
    return tuple(noises)


def _truncated_staircase(epsilon: float, bound: float, cost: str) -> KnownNoise:
    """Return the truncated staircase with the δ of truncated Laplace noise of this bound."""
    gamma, _ = best_steps(epsilon, bound, cost)
    edges, heights = truncated_steps(epsilon, bound, gamma)
    value = float(truncated_cost(epsilon, bound, np.array(gamma), cost))
    return KnownNoise(round_up(value, 128), "truncated_staircase", (), edges, heights)


def _truncated_laplace(epsilon: float, delta: float, cost: str, t: float) -> KnownNoise:
    noise = (
        float(truncated_laplace.bound_from_epsilon(epsilon, delta)),
        float(truncated_laplace.scale_from_epsilon(epsilon)),
    )
    return KnownNoise(_cost(truncated_laplace, noise, cost, t), "truncated_laplace", noise)


def _staircase(epsilon: float, delta: float, cost: str, t: float) -> KnownNoise:
    """Return the best staircase for a pure ε, with a value within a narrow spike about 0 instead with probability δ.

    Noise that is replaced with probability δ satisfies (ε, δ)-DP, whatever replaces it.
    """
    gamma = float((staircase.mean_error_gamma if cost == "mean_absolute_error" else staircase.variance_gamma)(epsilon))
    steps = epsilon, gamma, 1.0
    value = _cost(staircase, steps, cost, t)
    if delta == 0:
        return KnownNoise(value, "staircase", steps)
    h = _SPIKE * gamma
    spike = {"variance": h**2 / 3, "mean_absolute_error": h / 2, "tail": max(1 - t / h, 0)}[cost]
    return KnownNoise(round_up((1 - delta) * value + delta * spike, 8), "staircase_mixture", (*steps, delta, h))


def _cost(family: ModuleType, noise: tuple[float, ...], cost: str, t: float) -> float:
    value = family.tail(t, *noise) if cost == "tail" else getattr(family, cost)(*noise)
    return round_up(float(value), 64)


def scaled(noise: KnownNoise, sensitivity: float, cost: str) -> KnownNoise:
    """Return the noise for another sensitivity than 1."""
    powers = {"truncated_laplace": (1, 1), "staircase": (0, 0, 1), "staircase_mixture": (0, 0, 1, 0, 1)}
    scales = powers.get(noise.family, ())
    power = COST_POWERS[cost]
    return KnownNoise(
        min(round_up(noise.cost * sensitivity**power, 4), math.inf if power else 1.0),
        noise.family,
        tuple(part * sensitivity**power for part, power in zip(noise.parameters, scales, strict=True)),
        noise.edges * sensitivity,
        noise.heights / sensitivity,
    )
