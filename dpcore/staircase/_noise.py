"""The parts that all formulas of the staircase share: domains, and the constants of its density."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, number, refuse

THETA_RANGE = "[1e-12, 2e6]"
LEAST_GAMMA = 1e-300


def noise(theta: ArrayLike, gamma: ArrayLike) -> tuple[Array, Array]:
    """θ, and γ with 0 given as 1, which is the same noise."""
    theta, gamma = number("theta", theta, THETA_RANGE), number("gamma", gamma, "[0, 1]")
    refuse("gamma", gamma, (gamma > 0) & (gamma < LEAST_GAMMA), "[1e-300, 1], or 0")
    return theta, np.where(gamma > 0, gamma, 1)


def constants(theta: Array, gamma: Array) -> tuple[Array, Array, Array]:
    """b = e^{−θ}, 1 − b and D = γ + b(1 − γ)."""
    rest, gap = np.exp(-theta), -np.expm1(-theta)
    return rest, gap, rest + gamma * gap
