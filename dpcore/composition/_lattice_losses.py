"""The losses of releases that have finitely many, each with its mass, and profiles of losses on a lattice.

These are noise on the whole numbers that moves by a whole number of steps, and the pair that a profile stands for.

Geometric noise of scale b that moves by s steps has the losses (|k − s| − |k|)/b, which are the multiples
ε(1 − 2m/s), m = 0 … s, of ε = s/b. Discrete Gaussian noise has the losses s(s − 2k)/(2σ²), of which those beyond 40σ
are left out: all of them together have less than e^−799. The profile that is linear in α = e^ε between points (αᵢ, δᵢ)
has the loss εᵢ with αᵢ times the change of its slope there, and −εᵢ with e^{−εᵢ} times that.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import expit

from dpcore.checks import Array
from dpcore.rounding import ULP, round_down, round_sum_up, round_up

LATTICE_KINDS = ("geometric", "discrete_gaussian")
LISTED_KINDS = (*LATTICE_KINDS, "profile")
_REACH = 40.0  # in σ


@dataclass(frozen=True)
class LatticeLosses:
    """Losses in nats, and the natural logarithm of the mass of each under P, rounded up; the sum is 1, or 1 − δ."""

    loss: Array
    log_mass: Array


@lru_cache(256)
def lattice_losses(kind: str, numbers: tuple[float, ...]) -> LatticeLosses:
    """Return the losses of one run of a release of one of `LISTED_KINDS`, from the largest to the smallest.

    Examples
    --------
    >>> losses = lattice_losses("geometric", (1.0, 2.0))
    >>> losses.loss.tolist(), np.exp(losses.log_mass).round(4).tolist()
    ([1.0, 0.0, -1.0], [0.6225, 0.1486, 0.229])
    """
    if kind == "profile":
        return _profile(np.array(numbers[::2]), np.array(numbers[1::2]))
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


def _profile(epsilon: Array, delta: Array) -> LatticeLosses:
    """Return the losses ±ε of the lower convex hull of points, whose ε fall, and of those at −ε."""
    hull: list[tuple[float, float, float]] = []  # ε, δ, and −dδ/dα times α after it
    for at, most in zip(epsilon.tolist(), delta.tolist(), strict=True):
        while hull and _fall(at, most, *hull[-1][:2]) <= hull[-1][2]:
            hull.pop()
        after = _fall(at, most, *hull[-1][:2]) * math.exp(at - hull[-1][0]) if hull else 0.0
        hull.append((at, most, after))
    while (1 - hull[-1][1]) * expit(hull[-1][0]) < hull[-1][2]:  # the chord to −ε
        hull.pop()
    loss, most, after = np.array(hull).T
    before = np.append(_fall(loss[1:], most[1:], loss[:-1], most[:-1]), (1 - most[-1]) * expit(loss[-1]))
    log_mass = np.log(before - after + 32 * ULP * before)
    log_mass = np.concatenate([log_mass, (log_mass - loss)[::-1]])
    loss = np.concatenate([loss, -loss[::-1]])
    return LatticeLosses(loss, round_sum_up(log_mass, 1 + abs(log_mass) + abs(loss), 8))


def _fall(low: Any, more: Any, high: Any, less: Any) -> Any:
    """−dδ/dα times α at the higher of two ε, between points with `more` and `less` of δ."""
    return (more - less) / -np.expm1(low - high)


@dataclass(frozen=True)
class Corners:
    """δ at the corners ε' = most − (first + i)·step, i = 0, 1, …; `delta` never falls and is rounded up.

    `most` is the largest loss, rounded up; δ is 0 there, and has its first value at all ε' between it and the first
    corner. What comes after the last corner counts as 1.
    """

    most: float
    step: float
    first: int
    delta: Array

    def delta_at(self, epsilon: Array) -> Array:
        """δ at each ε' ≥ 0, rounded up: by what a relative 2e-15 or moving ε' by 8·2⁻⁵² of `most` would move it."""
        lost = round_up(self.most, 8) - epsilon  # so much that no rounding takes ε' for beyond a corner
        place = np.ceil(lost / self.step) - self.first
        after = np.clip(place, 1, self.delta.size - 1).astype(np.int64)
        below = np.clip(lost - (self.first + after - 1) * self.step, 0, self.step)
        rate = np.where(place < 1, 0.0, np.minimum(np.expm1(-below) / math.expm1(-self.step), 1))
        near = round_up(self.delta[after - 1] * (1 - rate) + self.delta[after] * rate, 8)
        return np.where(epsilon >= self.most, 0.0, np.where(place > after, 1.0, np.minimum(near, 1)))

    def epsilon_at(self, delta: Array) -> Array:
        """ε' ≥ 0 at each δ, rounded up: by what moving δ by 8·2⁻⁵² of it or ε' by as much of `most` would move it."""
        after = np.clip(np.searchsorted(self.delta, delta), 1, self.delta.size - 1)
        low, high = self.delta[after - 1], self.delta[after]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            rate = (delta - low - 8 * ULP * delta) / (high - low)
        rate = np.clip(np.where(high > low, rate, 0), 0, 1)
        below = round_down(-np.log1p(rate * math.expm1(-self.step)), 8)
        value = round_up(self.most, 8) - (self.first + after - 1) * self.step - below
        is_most = (delta < self.delta[0]) | (delta == 0)  # where δ is 0 by rounding alone it is not 0
        return np.where(is_most, self.most, np.clip(value, 0, self.most))
