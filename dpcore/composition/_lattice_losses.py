"""The losses of noise on the whole numbers that moves by a whole number of steps: finitely many, each with its mass.

Geometric noise of scale b that moves by s steps has the losses (|k − s| − |k|)/b, which are the multiples
ε(1 − 2m/s), m = 0 … s, of ε = s/b. Discrete Gaussian noise has the losses s(s − 2k)/(2σ²), of which those beyond 40σ
are left out: all of them together have less than e^−799.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore.checks import Array
from dpcore.rounding import round_sum_up

LATTICE_KINDS = ("geometric", "discrete_gaussian")
_REACH = 40.0  # in σ


@dataclass(frozen=True)
class LatticeLosses:
    """Losses in nats, and the natural logarithm of the mass of each under P, rounded up; the masses sum to 1."""

    loss: Array
    log_mass: Array


@lru_cache(256)
def lattice_losses(kind: str, numbers: tuple[float, ...]) -> LatticeLosses:
    """Return the losses of one run of a release of one of `LATTICE_KINDS`, from the largest to the smallest.

    Examples
    --------
    >>> losses = lattice_losses("geometric", (1.0, 2.0))
    >>> losses.loss.tolist(), np.exp(losses.log_mass).round(4).tolist()
    ([1.0, 0.0, -1.0], [0.6225, 0.1486, 0.229])
    """
    return _geometric(*numbers) if kind == "geometric" else _discrete_gaussian(*numbers)


def unit(kind: str, numbers: tuple[float, ...]) -> float:
    """Return a number of nats of which all losses of such a release are multiples.

    Examples
    --------
    >>> unit("geometric", (1.0, 4.0)), unit("discrete_gaussian", (2.0, 1.0))
    (0.25, 0.125)
    """
    first, steps = numbers
    return first / steps if kind == "geometric" else steps / (2 * first * first)


def _geometric(epsilon: float, steps: float) -> LatticeLosses:
    """Return e^{0}/(1 + r) for ε, r^s/(1 + r) for −ε, and (1 − r) r^m/(1 + r) for ε(1 − 2m/s), 0 < m < s."""
    rate = epsilon / steps
    inner = np.arange(1, steps)
    log_inner = np.log(-math.expm1(-rate)) - rate * inner
    loss = epsilon * (1 - 2 * np.arange(steps + 1) / steps)
    log_mass = np.concatenate([[0.0], log_inner, [-epsilon]]) - math.log1p(math.exp(-rate))
    return LatticeLosses(loss, round_sum_up(log_mass, 1 + abs(log_mass), 16))


def _discrete_gaussian(sigma: float, steps: float) -> LatticeLosses:
    """Return e^{−k²/(2σ²)}/θ(σ) for s(s − 2k)/(2σ²), |k| ≤ 40σ, where θ(σ) is the sum of the numerators."""
    k = np.arange(-math.ceil(_REACH * sigma), math.ceil(_REACH * sigma) + 1.0)
    exponent = (k / sigma) ** 2 / 2
    log_mass = -exponent - math.log(math.fsum(np.exp(-exponent)))
    loss = steps * (steps - 2 * k) / (2 * sigma * sigma)
    return LatticeLosses(loss, round_sum_up(log_mass, 1 + abs(log_mass) + exponent, 8))
