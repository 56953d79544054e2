"""The change that one person makes, and the sum of the noise of several cells along that change.

A move v of whole numbers is g·u, where g is their greatest common divisor. The privacy loss depends on T = ⟨u, Y⟩ only,
and Y + u differs from Y by N = |u|² in T and not at all across u, so with w of period N

    Pr(T = t) ∝ e^{−t²/(2Nσ²)} w(t),  w(t) = Σ over y with ⟨u, y⟩ = t of e^{−|y − ut/N|²/(2σ²)}.

For wide noise w is flat: its Fourier coefficients are sums of e^{−2π²σ²|q|²} over dual vectors q, of |q|² ≥ 1/N, and
≥ 1 − 1/k where u is k ones.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import as_strided

from dpcore.checks import Array
from dpcore.discrete_gaussian._lattice import theta

MOST_RIPPLING = 256  # cells, above which narrow noise is not summed
_LEAST_LAW = (
    1e-250  # of a sum's law: its terms that count are above e^{−45} times this, and so in the range of a double
)


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
    """Return the move that changes each of `n_cells` cells by `step`."""
    return Move(step, ((1, n_cells),))


@lru_cache(64)
def moves_of(squared: int) -> tuple[Move, ...]:
    """Return every move of whole numbers of a squared length, but for order and signs, which do not matter."""
    return tuple(_as_move(parts) for parts in _squares(squared, math.isqrt(squared)))


def _squares(squared: int, most: int) -> list[tuple[int, ...]]:
    if squared == 0:
        return [()]
    sizes = range(min(most, math.isqrt(squared)), 0, -1)
    return [(size, *rest) for size in sizes for rest in _squares(squared - size * size, size)]


def _as_move(sizes: tuple[int, ...]) -> Move:
    step = math.gcd(*sizes)
    return Move(step, tuple((size // step, sizes.count(size)) for size in sorted(set(sizes))))


@lru_cache(4096)
def flat_from(move: Move) -> float:
    """Return the σ from which on w differs from a constant by less than a rounding; 0 for one cell, where w = 1."""
    if move.n_cells == 1:
        return 0.0
    even = len(move.parts) == 1
    least_dual = 1 - 1 / move.n_cells if even else 1 / move.squared
    return math.sqrt((40 + math.log(move.n_cells)) / (2 * math.pi**2 * least_dual))


def log_weights(move: Move, sigma: Array) -> Array:
    """Return ln(w(t)/θ(σ)^k) at t = 0, …, N − 1 for a move of k cells, a row for each σ; −∞ where no y has ⟨u, y⟩ = t.

    All terms are positive, so that no digits are lost.
    """
    whole = np.zeros((len(sigma), 1))
    for place, (size, count) in enumerate(move.parts):
        cells = np.full((len(sigma), size * size * count), -np.inf)
        cells[:, ::size] = np.tile(_equal_cells(count, sigma), size)  # ⟨u, y⟩ is `size` times a sum of y
        whole = _merged(whole, cells, sigma) if place else cells
    return whole


def greatest_weight(n_cells: int, sigma: Array) -> Array:
    """Return w(0), the greatest w(t), over the mean of w for cells that move by 1 each, rounded up, for each σ.

    w(0)/θ(σ)^k is Pr(Y₁ + … + Y_k = 0), the mean of φ^k over all frequencies, where φ > 0 is E cos(θY). On a grid of
    2n frequencies the mean is that of Pr(Y₁ + … = 2nj) over whole j added up, which is larger by next to nothing.
    """
    widest = float(sigma.max())
    n_nodes = math.ceil(5 * math.sqrt(n_cells) * widest) + 8
    y = np.arange(1.0, math.ceil(10 * widest) + 2)
    cosines = np.cos(np.multiply.outer(y, np.pi * np.arange(n_nodes + 1) / n_nodes))
    with np.errstate(under="ignore"):
        single = (1 + 2 * np.exp(-((y / sigma[:, None]) ** 2) / 2) @ cosines) / theta(sigma)[:, None]
        powers = np.maximum(single, 0) ** n_cells
    at_zero = (powers[:, 1:-1].sum(1) + (powers[:, 0] + powers[:, -1]) / 2) / n_nodes
    return at_zero * theta(math.sqrt(n_cells) * sigma) * (1 + 1e-11)


def _equal_cells(count: int, sigma: Array) -> Array:
    """Return `log_weights` of `count` cells by 1 each, from the law of their sum unless its numbers are too small."""
    half, total = count // 2, theta(sigma)
    law = _law_of_sum(count, sigma, total, half)
    in_range = law[:, half] > _LEAST_LAW
    logs = np.empty((len(sigma), count))
    t = np.arange(half + 1)
    logs[in_range, : half + 1] = np.log(law[in_range]) + (t / sigma[in_range, None]) ** 2 / (2 * count)
    logs[in_range, half + 1 :] = logs[in_range, 1 : count - half][:, ::-1]  # w(t) = w(N − t)
    if not in_range.all():
        logs[~in_range] = _power(count, sigma[~in_range]) - count * np.log(total[~in_range])[:, None]
    return logs


def _law_of_sum(count: int, sigma: Array, total: Array, most: int) -> Array:
    """Return Pr(Y₁ + … + Y_count = t) for t = 0, …, `most`, a row for each σ, of which `total` is θ(σ).

    Of the first group's sums those are left out that are further from t n₁/n than an e^{−45} of the whole allows: with
    w(t) ≥ w(0) e^{−n/(8σ²)} and w(0) ≥ w₁(0) w₂(0), the others have (t₁ − t n₁/n)² n/(2 n₁ n₂ σ²) ≤ 45 + n/(8σ²).
    """
    if count == 1:
        with np.errstate(under="ignore"):
            return np.exp(-((np.arange(most + 1) / sigma[:, None]) ** 2) / 2) / total[:, None]
    n_first = 1 if count % 2 else count // 2
    n_second = count - n_first
    reach = math.sqrt((count / 4 + 90 * float(sigma.max(initial=0)) ** 2) * n_first * n_second / count)
    end = math.ceil(most * n_first / count + reach)
    first = _law_of_sum(n_first, sigma, total, end)
    second = first
    if n_second != n_first:
        second = _law_of_sum(n_second, sigma, total, math.ceil(most * n_second / count + reach))
    return _convolved(first, second, most)


def _convolved(first: Array, second: Array, most: int) -> Array:
    """Return Σ_s first(s) second(t − s) for t = 0, …, `most`, for two even functions that end with their rows."""
    end = first.shape[1] - 1
    right = min(second.shape[1], most + end + 1)
    left = min(right, end + 1)
    padded = np.zeros((len(first), most + 2 * end + 1))  # the second function from −end on
    padded[:, end : end + right] = second[:, :right]
    padded[:, end + 1 - left : end] = second[:, left - 1 : 0 : -1]
    row, entry = padded.strides
    windows = as_strided(padded, (len(first), most + 1, 2 * end + 1), (row, entry, entry), writeable=False)
    with np.errstate(under="ignore"):
        return np.einsum("ijk,ik->ij", windows, np.concatenate([first[:, :0:-1], first], axis=1))


def _power(count: int, sigma: Array) -> Array:
    """Return ln w(t) of `count` cells by 1 each, for noise so narrow that w is below the range of a double."""
    if count == 1:
        return np.zeros((len(sigma), 1))
    half = _power(count // 2, sigma)
    both = _merged(half, half, sigma)
    return _merged(both, np.zeros((len(sigma), 1)), sigma) if count % 2 else both


def _merged(first: Array, second: Array, sigma: Array) -> Array:
    """Return ln w of two groups of cells together, where t₁ of the first and t − t₁ of the second lie along u.

    t₁²/N₁ + (t − t₁)²/N₂ − t²/N = (t₁N − tN₁)²/(N₁N₂N) is what such a pair lies off u. The terms left out are below
    e^{−45} of the greatest, whose distance from the line is below √N.
    """
    n_first, n_second = first.shape[1], second.shape[1]
    n = n_first + n_second
    reach = math.ceil(math.sqrt((n + 90 * float(np.max(sigma, initial=0)) ** 2) * n_first * n_second / n)) + 1
    t = np.arange(n)[:, None]
    t_first = t * n_first // n + np.arange(-reach, reach + 1)
    off = (t_first * n - t * n_first) / math.sqrt(2 * n_first * n_second * n)
    logs = first[:, t_first % n_first] + second[:, (t - t_first) % n_second] - (off / sigma[:, None, None]) ** 2
    greatest = logs.max(2)
    with np.errstate(under="ignore"):
        total = np.exp(logs - np.where(np.isneginf(greatest), 0, greatest)[..., None]).sum(2)
    with np.errstate(divide="ignore"):
        return greatest + np.log(total)
