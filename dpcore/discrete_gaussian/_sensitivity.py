"""The change that one person makes, and the sum of the noise of several cells along that change.

A move v of whole numbers is g·u, where g is their greatest common divisor. The privacy loss depends on T = ⟨u, Y⟩ only,
and Y + u differs from Y by N = |u|² in T and not at all across u, so with w of period N

    Pr(T = t) ∝ e^{−t²/(2Nσ²)} w(t),  w(t) = Σ over y with ⟨u, y⟩ = t of e^{−|y − ut/N|²/(2σ²)}.

For wide noise w is flat: its Fourier coefficients are sums of e^{−2π²σ²|q|²} over dual vectors q, of |q|² ≥ 1/N, and
≥ 1 − 1/k where u is k ones.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpcore.checks import Array

MOST_RIPPLING = 256  # cells, above which narrow noise is not summed


@dataclass(frozen=True)
class Move:
    """g (`step`) times a vector u with no common divisor, whose parts are (size, count of cells)."""

    step: int
    parts: tuple[tuple[int, int], ...]

    @property
    def squared(self) -> int:
        """N = |u|²."""
        return sum(size * size * count for size, count in self.parts)

    @property
    def n_cells(self) -> int:
        """The number of cells that the move changes."""
        return sum(count for _, count in self.parts)


def even_move(step: int, n_cells: int) -> Move:
    """Each of `n_cells` by `step`."""
    return Move(step, ((1, n_cells),))


@cache
def moves_of(squared: int) -> tuple[Move, ...]:
    """Every move of whole numbers of a squared length, but for order and signs, which do not matter."""
    return tuple(_as_move(parts) for parts in _squares(squared, math.isqrt(squared)))


def _squares(squared: int, most: int) -> list[tuple[int, ...]]:
    if squared == 0:
        return [()]
    sizes = range(min(most, math.isqrt(squared)), 0, -1)
    return [(size, *rest) for size in sizes for rest in _squares(squared - size * size, size)]


def _as_move(sizes: tuple[int, ...]) -> Move:
    step = math.gcd(*sizes)
    return Move(step, tuple((size // step, sizes.count(size)) for size in sorted(set(sizes))))


@cache
def flat_from(move: Move) -> float:
    """The σ from which on w differs from a constant by less than a rounding; 0 for one cell, where w = 1."""
    if move.n_cells == 1:
        return 0.0
    even = len(move.parts) == 1
    least_dual = 1 - 1 / move.n_cells if even else 1 / move.squared
    return math.sqrt((40 + math.log(move.n_cells)) / (2 * math.pi**2 * least_dual))


def log_weights(move: Move, sigma: float) -> Array:
    """ln w at t = 0, …, N − 1, from sums of positive terms only; −∞ where no y has ⟨u, y⟩ = t."""
    whole = None
    for size, count in move.parts:
        single = np.full(size * size, -np.inf)
        single[::size] = 0.0  # one cell: y = t/size is on the line
        cells = _power(single, count, sigma)
        whole = cells if whole is None else _merged(whole, cells, sigma)
    return np.zeros(1) if whole is None else whole


def _power(single: Array, count: int, sigma: float) -> Array:
    if count == 1:
        return single
    half = _power(single, count // 2, sigma)
    both = _merged(half, half, sigma)
    return _merged(both, single, sigma) if count % 2 else both


def _merged(first: Array, second: Array, sigma: float) -> Array:
    """ln w of two groups of cells together, where t₁ of the first and t − t₁ of the second lie along u.

    t₁²/N₁ + (t − t₁)²/N₂ − t²/N = (t₁N − tN₁)²/(N₁N₂N) is what such a pair lies off u. The terms left out are below
    e^{−45} of the greatest, whose distance from the line is below √N.
    """
    n_first, n_second = len(first), len(second)
    n = n_first + n_second
    reach = math.ceil(math.sqrt((n + 90 * sigma**2) * n_first * n_second / n)) + 1
    t = np.arange(n)[:, None]
    t_first = t * n_first // n + np.arange(-reach, reach + 1)
    off = (t_first * n - t * n_first) / (math.sqrt(2 * n_first * n_second * n) * sigma)
    logs = first[t_first % n_first] + second[(t - t_first) % n_second] - off**2
    greatest = logs.max(1)
    with np.errstate(under="ignore"):
        total = np.exp(logs - np.where(np.isneginf(greatest), 0, greatest)[:, None]).sum(1)
    with np.errstate(divide="ignore"):
        return greatest + np.log(total)
