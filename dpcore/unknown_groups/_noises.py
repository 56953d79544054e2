"""The noises of a threshold release: how often one exceeds a limit, and what several counts that move at once tell."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpcore import discrete_gaussian, gaussian, geometric, laplace, truncated_geometric
from dpcore.checks import Array
from dpcore.composition import certified_delta, geometric_release, laplace_release, optimal_delta
from dpcore.rounding import ULP, quotient_excess, round_up

_MOST_EPSILON, _MOST_LOSS = 1e6, 1e3
_TIGHT = 1e-6  # the excess that is asked of a certified δ
Profile = Callable[[Array, Array, Array, Array, Array], Array]


@dataclass(frozen=True)
class Noise:
    """One family of noise.

    Attributes
    ----------
    is_whole : whether its draws are whole numbers.
    has_bound : whether it is truncated at ±N.
    tail : Pr(|noise| > t) of (t, scale, N), rounded up.
    profile : δ_j(ε) of (ε, scale, N, c, j) where j ≥ 1 counts move by c at once, arrays of one axis; rounded up.
    """

    is_whole: bool
    has_bound: bool
    tail: Callable[[Array, Array, Array], Array]
    profile: Profile

    def exceedance(self, limit: Array, scale: Array, bound: Array) -> Array:
        """Pr(noise ≥ limit), rounded up; the limit is whole where the draws are."""
        half = self.tail(np.where(limit > 0, limit - self.is_whole, -limit), scale, bound) / 2
        return np.where(limit > 0, half, np.minimum((1 - half) * (1 + 64 * ULP), 1))

    def sure_exceedance(self, limit: Array, scale: Array, bound: Array) -> Array:
        """Pr(noise ≥ limit), rounded down; the limit is whole where the draws are."""
        half = self.tail(np.where(limit > 0, limit - self.is_whole, -limit), scale, bound) / 2
        z = np.minimum(abs(limit) / scale, 1e3)
        return np.where(limit > 0, half * (1 - (128 + 16 * z * (1 + z)) * ULP), np.maximum(1 - half - 2 * ULP, 0))

    def joint_delta(self, epsilon: Array, scale: Array, bound: Array, shift: Array, cells: Array) -> Array:
        """δ_j(ε) of j ≥ 0 counts, rounded up; arrays of one axis, ε ≥ 0."""
        delta, some = np.zeros(epsilon.shape), cells > 0
        arguments = np.minimum(epsilon, _MOST_EPSILON), scale, bound, shift, cells
        delta[some] = self.profile(*(argument[some] for argument in arguments))
        return delta


def _gaussian_profile(epsilon: Array, scale: Array, _bound: Array, shift: Array, cells: Array) -> Array:
    return gaussian.delta_from_sigma(epsilon, scale, round_up(np.sqrt(cells), 1) * shift * (1 + ULP))


def _discrete_gaussian_profile(epsilon: Array, scale: Array, _bound: Array, shift: Array, cells: Array) -> Array:
    return discrete_gaussian.delta_from_sigma(epsilon, scale, np.sqrt(cells * shift**2), cells)


def _laplace_profile(epsilon: Array, scale: Array, _bound: Array, shift: Array, cells: Array) -> Array:
    def composed(loss: float, _shift: float, count: int, at: Array) -> Array:
        return certified_delta([laplace_release(loss, count)], at, _TIGHT).value

    one = laplace.delta_from_scale(epsilon, scale, shift)
    return _below_pure(epsilon, scale, shift, cells, one, composed)


def _geometric_profile(epsilon: Array, scale: Array, _bound: Array, shift: Array, cells: Array) -> Array:
    def composed(loss: float, shift: float, count: int, at: Array) -> Array:
        if shift == 1:
            return optimal_delta(at, loss, count)
        return certified_delta([geometric_release(loss, shift, count)], at, _TIGHT).value

    one = geometric.delta_from_scale(epsilon, scale, shift)
    return _below_pure(epsilon, scale, shift, cells, one, composed)


def _below_pure(
    epsilon: Array,
    scale: Array,
    shift: Array,
    cells: Array,
    one: Array,
    composed: Callable[[float, float, int, Array], Array],
) -> Array:
    """δ of j counts that lose c/s each at most: 0 from jc/s on, `one` of j = 1, else `composed` once for each j."""
    delta = np.where(cells == 1, one, 0.0)
    left = (cells > 1) & (quotient_excess(epsilon, scale, shift * cells) > 0)
    loss = round_up(shift / scale, 1)
    for key in set(zip(loss[left].tolist(), shift[left].tolist(), cells[left].tolist(), strict=True)):
        rows = np.flatnonzero(left & (loss == key[0]) & (shift == key[1]) & (cells == key[2]))
        delta[rows] = composed(key[0], key[1], int(key[2]), epsilon[rows]) if key[0] <= _MOST_LOSS else 1.0
    return delta


def _truncated_geometric_profile(epsilon: Array, scale: Array, bound: Array, shift: Array, cells: Array) -> Array:
    finite = np.isfinite(scale)
    left = finite & (quotient_excess(epsilon, np.where(finite, scale, 1.0), shift * cells) > 0)
    loss = np.where(left, round_up(shift / scale, 1), 0.0)  # where ε covers all losses, only the δ of each are left
    broken = truncated_geometric.delta_from_bound(_MOST_EPSILON, bound, scale, shift)
    many = optimal_delta(epsilon, np.minimum(loss, _MOST_LOSS), cells, np.minimum(broken, 1 - ULP))
    several = np.where(loss > _MOST_LOSS, 1.0, many)
    return np.where(cells == 1, truncated_geometric.delta_from_bound(epsilon, bound, scale, shift), several)


NOISES = {
    "gaussian": Noise(False, False, lambda t, scale, bound: gaussian.tail(t, scale), _gaussian_profile),
    "laplace": Noise(False, False, lambda t, scale, bound: laplace.tail(t, scale), _laplace_profile),
    "discrete_gaussian": Noise(
        True, False, lambda t, scale, bound: discrete_gaussian.tail(t, scale), _discrete_gaussian_profile
    ),
    "geometric": Noise(True, False, lambda t, scale, bound: geometric.tail(t, scale), _geometric_profile),
    "truncated_geometric": Noise(
        True, True, lambda t, scale, bound: truncated_geometric.tail(t, bound, scale), _truncated_geometric_profile
    ),
}
