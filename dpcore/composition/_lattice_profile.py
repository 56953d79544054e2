"""Profiles that are linear in e^ε' between equally spaced corners, as those of losses on a lattice are."""

import math
from dataclasses import dataclass

import numpy as np

from dpcore.checks import Array
from dpcore.rounding import ULP, round_down, round_up


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
