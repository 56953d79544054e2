"""The tail of staircase noise, by whole steps of the sensitivity."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, number, refuse
from dpcore.staircase._noise import constants

SENSITIVITY_RANGE = "[1e-300, 1e300]"  # of pure noise: wider than that of a query


def checked_sensitivity(sensitivity: ArrayLike, theta: Array, most: float) -> Array:
    """Δ, refused where the noise, of size Δ/θ for small θ, would overflow."""
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    outside = sensitivity > most * np.minimum(theta, 1)
    refuse("sensitivity", sensitivity, outside, f"[1e-300, {most:.0e} min(theta, 1)]".replace("+", ""))
    return sensitivity


def whole_steps(t: Array, sensitivity: Array, shrink: float = 1.0) -> tuple[Array, Array]:
    """Return the whole number of steps of Δ in t, and the rest as a share of a step."""
    with np.errstate(over="ignore"):
        ratio = np.minimum(t / sensitivity, 1e300) * shrink
    step = np.floor(ratio)
    return step, ratio - step


def survival(step: Array, rest: Array, theta: Array, gamma: Array) -> Array:
    """Pr(|X|/Δ > step + rest), every term of which is positive."""
    least, gap, height = constants(theta, gamma)
    half = np.exp(-theta / 2)
    edge = half / height * half  # b/D, which b alone would underflow
    inner = edge + gap * np.maximum(gamma - rest, 0) / height
    outer = least + gap * (1 - rest) * edge
    return np.minimum(np.exp(-step * theta) * np.where(rest < gamma, inner, outer), 1)
