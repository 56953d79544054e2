"""Noise of (ε, δ)-DP in closed form at sensitivity 1, each a candidate for the least cost that is reached."""

from dataclasses import dataclass, field
from types import ModuleType

import numpy as np

from dpcore import staircase, truncated_laplace
from dpcore.checks import Array
from dpcore.rounding import round_up

LEAST_PURE = 1e-6
"""The least ε of staircase noise here."""
_SPIKE = 0.125  # the half-width of the spike, of that of the highest step of the staircase


@dataclass(frozen=True)
class Candidate:
    """Noise that reaches a cost, at sensitivity 1; `edges` and `heights` are those of a density constant on cells."""

    cost: float
    family: str
    parameters: tuple[float, ...] = ()
    edges: Array = field(default_factory=lambda: np.zeros(0))
    heights: Array = field(default_factory=lambda: np.zeros(0))


def candidates(epsilon: float, delta: float, cost: str, t: float) -> list[Candidate]:
    """Truncated Laplace noise, if there is a δ, and noise in steps, if there is an ε."""
    noises = [_truncated_laplace(epsilon, delta, cost, t)] if delta > 0 else []
    return noises + ([_staircase(epsilon, delta, cost, t)] if epsilon >= LEAST_PURE else [])


def _truncated_laplace(epsilon: float, delta: float, cost: str, t: float) -> Candidate:
    noise = (
        float(truncated_laplace.bound_from_epsilon(epsilon, delta)),
        float(truncated_laplace.scale_from_epsilon(epsilon)),
    )
    return Candidate(_cost(truncated_laplace, noise, cost, t), "truncated_laplace", noise)


def _staircase(epsilon: float, delta: float, cost: str, t: float) -> Candidate:
    """The staircase that is best for a pure ε, and with probability δ a value within a narrow spike about 0 instead.

    Noise that is replaced with probability δ satisfies (ε, δ)-DP, whatever replaces it.
    """
    gamma = float((staircase.mean_error_gamma if cost == "mean_absolute_error" else staircase.variance_gamma)(epsilon))
    steps = epsilon, gamma, 1.0
    value = _cost(staircase, steps, cost, t)
    if delta == 0:
        return Candidate(value, "staircase", steps)
    h = _SPIKE * gamma
    spike = {"variance": h**2 / 3, "mean_absolute_error": h / 2, "tail": max(1 - t / h, 0)}[cost]
    return Candidate(round_up((1 - delta) * value + delta * spike, 8), "staircase_mixture", (*steps, delta, h))


def _cost(family: ModuleType, noise: tuple[float, ...], cost: str, t: float) -> float:
    value = family.tail(t, *noise) if cost == "tail" else getattr(family, cost)(*noise)
    return round_up(float(value), 64)


def scaled_parameters(candidate: Candidate, sensitivity: float) -> tuple[float, ...]:
    """The parameters of its family, for another sensitivity."""
    powers = {"truncated_laplace": (1, 1), "staircase": (0, 0, 1), "staircase_mixture": (0, 0, 1, 0, 1)}
    scales = powers.get(candidate.family, ())
    return tuple(part * sensitivity**power for part, power in zip(candidate.parameters, scales, strict=True))


def density(x: Array, family: str, parameters: tuple[float, ...]) -> Array:
    """The density at x of noise of one of the families here."""
    if family == "truncated_laplace":
        return truncated_laplace.pdf(x, *parameters)
    if family == "staircase":
        return staircase.pdf(x, *parameters)
    *steps, delta, h = parameters
    return (1 - delta) * staircase.pdf(x, *steps) + np.where(abs(x) <= h, delta / (2 * h), 0)
