"""The change that one person makes, the noise of several cells along it, and δ(ε) of given moves, arguments checked.

A move v of whole numbers is g·u, where g is their greatest common divisor. The privacy loss depends on T = ⟨u, Y⟩ only,
and Y + u differs from Y by N = |u|² in T and not at all across u, so with w of period N

    Pr(T = t) ∝ e^{−t²/(2Nσ²)} w(t),  w(t) = Σ over y with ⟨u, y⟩ = t of e^{−|y − ut/N|²/(2σ²)}.

For wide noise w is flat: its Fourier coefficients are sums of e^{−2π²σ²|q|²} over dual vectors q, the parts across u of
whole vectors z, of |q|² = |z|² − ⟨u, z⟩²/N: at least 1 − 1/k where u is k ones.

With t* = εσ²/g − gN/2 the loss of T = t is ε + (g/σ²)(t − t*), so δ(ε) = Σ_{t > t*} Pr(T = t)(1 − e^{−(g/σ²)(t − t*)}):
positive terms only. Where w is flat, this is one cell moved by gN under noise of s.d. √N σ.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.lib.stride_tricks import as_strided

from dpcore import gaussian
from dpcore.checks import Array
from dpcore.discrete_gaussian.noise import lattice_gap, lattice_mills, theta
from dpcore.roots import Rows, safe_root
from dpcore.rounding import TINY, ULP, round_up

MOST_RIPPLING = 256  # cells, above which narrow noise is not summed
_LEAST_LAW = 1e-250  # of a sum's law: terms that count are above e^{−45} times this, in the range of a double


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

    @cached_property
    def least_dual(self) -> float:
        """The least |q|² > 0, from the least |z|² of each ⟨u, z⟩ = t.

        z and z + u have the same q, so that |t| ≤ N/2 is enough; and one cell alone has |q|² < 1, so that the least q
        has no zᵢ that is 1 or more from tuᵢ/N, and not t = 0, where |z|² ≥ 2.
        """
        if len(self.parts) == 1:
            return 1 - 1 / self.n_cells
        n = self.squared
        squares = np.full(6 * n + 1, np.inf)  # of t from −3N to 3N
        squares[3 * n] = 0
        for size, count in self.parts:
            for _ in range(count):
                steps = range(-(size // 2) - 1, size // 2 + 2)
                squares = np.min([np.roll(squares, size * step) + step * step for step in steps], axis=0)
        t = np.arange(1, n // 2 + 1)
        return float((squares[3 * n + t] - t * t / n).min())


def even_move(step: int, n_cells: int) -> Move:
    """Return the move that changes each of `n_cells` cells by `step`."""
    return Move(step, ((1, n_cells),))


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


def flat_from(move: Move) -> float:
    """Return the σ from which on w differs from a constant by less than a rounding; 0 for one cell, where w = 1."""
    if move.n_cells == 1:
        return 0.0
    n_shortest = 40 + math.log(move.n_cells) if len(move.parts) == 1 else 42 + 2 * math.log(move.n_cells)
    return math.sqrt(n_shortest / (2 * math.pi**2 * move.least_dual))


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


@lru_cache(64)
def _log_weights_of(move: Move, sigma: float) -> Array:
    """Return `log_weights` of one σ, of which one ε after the other is tried."""
    return log_weights(move, np.array([sigma]))


def _greatest_weight(n_cells: int, sigma: Array) -> Array:
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


_CONTINUOUS = 1e20  # from here on the lattice is below rounding: a relative (1 + t/σ)/σ
_MOST_ENTRIES = 2**20  # of the rows that are summed at once, each of which takes some N × (N + 40)
_FAR = 60.0  # standard deviations, where nothing is left


def worst_delta(epsilon: Array, sigma: Array, squared: Array, n_moved: Array) -> Array:
    """Return the greatest δ(ε) over all moves of a squared length, or of its one even move where `n_moved` is not 0."""
    worst = np.zeros(len(sigma))
    far = sigma >= _CONTINUOUS
    even, free = ~far & (n_moved > 0), ~far & (n_moved == 0)
    if far.any():
        worst[far] = gaussian.delta_from_sigma(epsilon[far], sigma[far], round_up(np.sqrt(squared[far]), 2))
    if even.any():
        worst[even] = _even_delta(epsilon[even], sigma[even], squared[even], n_moved[even])
    flat = free.copy()
    flat[free] = sigma[free] >= np.array([_known_moves(int(length))[0] for length in squared[free].tolist()])
    if flat.any():
        worst[flat] = _worst_of_flat(epsilon[flat], sigma[flat], squared[flat])
    for length in set(squared[free & ~flat].tolist()):
        chosen = free & ~flat & (squared == length)
        worst[chosen] = _worst_of(_known_moves(int(length))[3], epsilon[chosen], sigma[chosen])
    return worst


def delta_bound(epsilon: Array, sigma: Array, squared: Array, n_moved: Array) -> Array:
    """Return an upper bound on `worst_delta` that takes little time: the flat δ times the greatest w over its mean.

    It is 1 where w is flat or any move may occur.
    """
    bound = np.ones(len(sigma))
    for n_cells in np.unique(n_moved[n_moved > 1]):
        rows = np.flatnonzero((n_moved == n_cells) & (sigma < flat_from(even_move(1, int(n_cells)))))
        if rows.size:
            step = np.rint(np.sqrt(squared[rows] / n_cells))
            flat = _flat_delta(epsilon[rows], sigma[rows], step, n_moved[rows])
            bound[rows] = np.minimum(flat * _greatest_weight(int(n_cells), sigma[rows]), 1)
    return bound


def _even_delta(epsilon: Array, sigma: Array, squared: Array, cells: Array) -> Array:
    delta = np.empty_like(sigma)
    steps = np.rint(np.sqrt(squared / cells))
    least_flat = {n_cells: flat_from(even_move(1, int(n_cells))) for n_cells in set(cells.tolist())}
    flat = sigma >= np.array([least_flat[n_cells] for n_cells in cells.tolist()])
    if flat.any():
        delta[flat] = _flat_delta(epsilon[flat], sigma[flat], steps[flat], cells[flat])
    for step, n_cells in sorted(set(zip(steps[~flat].tolist(), cells[~flat].tolist(), strict=True))):
        alike = ~flat & (steps == step) & (cells == n_cells)
        delta[alike] = _rippling_delta(epsilon[alike], sigma[alike], even_move(int(step), int(n_cells)))
    return delta


@lru_cache(64)
def _known_moves(squared: int) -> tuple[float, Array, Array, tuple[Move, ...]]:
    """Return the σ from which on w is flat for all moves of a squared length, their steps with the squares in them, and
    the moves: where w is flat, those of one step are one.
    """
    moves = moves_of(squared)
    cells = {move.step: float(move.squared) for move in moves}
    flat = max(map(flat_from, moves))
    return flat, np.array(list(cells), dtype=np.float64), np.array(list(cells.values())), moves


def _worst_of_flat(epsilon: Array, sigma: Array, squared: Array) -> Array:
    """Return the greatest δ(ε) over all moves of each squared length, for σ from which on w is flat for all of them."""
    every = [_known_moves(int(length)) for length in squared.tolist()]
    sizes = [steps.size for _, steps, *_ in every]
    row = np.repeat(np.arange(sigma.size), sizes)
    steps, cells = np.concatenate([moves[1] for moves in every]), np.concatenate([moves[2] for moves in every])
    return np.maximum.reduceat(_flat_delta(epsilon[row], sigma[row], steps, cells), np.cumsum([0, *sizes])[:-1])


def _worst_of(moves: tuple[Move, ...], epsilon: Array, sigma: Array) -> Array:
    worst = np.zeros_like(sigma)
    for step in {move.step for move in moves}:  # where w is flat, the moves of one step are one
        alike = [move for move in moves if move.step == step]
        cells = np.full_like(sigma, alike[0].squared)
        flat = sigma >= min(flat_from(move) for move in alike)
        if flat.any():
            flat_delta = _flat_delta(epsilon[flat], sigma[flat], np.full_like(sigma, step)[flat], cells[flat])
            worst[flat] = np.maximum(worst[flat], flat_delta)
        for move in alike:
            narrow = sigma < flat_from(move)
            worst[narrow] = np.maximum(worst[narrow], _rippling_delta(epsilon[narrow], sigma[narrow], move))
    return worst


def _crossing(epsilon: Array, sigma: Array, step: Array, squared: Array) -> Array:
    """t*, rounded down, so that δ is rounded up; cut where nothing is left beyond."""
    with np.errstate(over="ignore"):
        there, half = epsilon * sigma / step * sigma, step * squared / 2
        return np.minimum(there - half - 6 * ULP * (there + half), _FAR * np.sqrt(squared) * sigma)


def _flat_delta(epsilon: Array, sigma: Array, step: Array, squared: Array) -> Array:
    tau, shift = np.sqrt(squared) * sigma, step * squared
    crossing = _crossing(epsilon, sigma, step, squared)
    first = np.floor(crossing) + 1
    part, z = first - crossing, first / tau
    delta = np.empty_like(z)
    low = z < -1
    for chosen, share in ((low, _one_less), (~low, _beyond)):
        if np.any(chosen):
            delta[chosen] = share(first[chosen], shift[chosen], part[chosen], tau[chosen])
    return np.minimum(delta, 1)


def _beyond(first: Array, shift: Array, part: Array, tau: Array) -> Array:
    z = np.minimum(first / tau, _FAR)
    with np.errstate(under="ignore"):
        share = np.exp(-z * z / 2) * (lattice_gap(z * tau, shift, part, tau) / theta(tau))
        return round_up(share, 24 + 4 * z * z) + 2 * TINY


def _one_less(first: Array, shift: Array, part: Array, tau: Array) -> Array:
    """Return δ as 1 less the masses of both tails, which vanish where the crossing is far below the middle."""
    with np.errstate(under="ignore", over="ignore"):
        below = np.exp(-(((first - 1) / tau) ** 2) / 2) * lattice_mills(1 - first, tau)
        decay = np.exp(-((first / tau) ** 2) / 2 - part * (shift / tau) / tau)
        above = decay * lattice_mills(first + shift, tau)
        return 1 - (below + above) / theta(tau) * (1 - 1e-13) + 2 * ULP


def _rippling_delta(epsilon: Array, sigma: Array, move: Move) -> Array:
    """Return δ(ε) of one move where w is not flat, for arrays of one axis, so many rows at once as memory allows."""
    rows = max(_MOST_ENTRIES // (move.squared + 40) ** 2, 1)
    starts = range(0, len(sigma), rows)
    parts = [_rippling_rows(epsilon[start : start + rows], sigma[start : start + rows], move) for start in starts]
    return np.concatenate([np.zeros(0), *parts])


def _rippling_rows(epsilon: Array, sigma: Array, move: Move) -> Array:
    n = move.squared
    crossing = _crossing(epsilon, sigma, np.full_like(sigma, move.step), np.full_like(sigma, n))[:, None]
    width = sigma[:, None]
    reach = np.ceil(np.sqrt(90 * n * width**2 + n * n))  # beyond it a term is below e^{−45} of the greatest
    first = np.maximum(np.floor(crossing) + 1, -reach)
    n_terms = np.maximum(first, 0) + n + reach + 1 - first
    t = first + np.arange(int(n_terms.max()))
    weights = log_weights(move, sigma) if len({*sigma.tolist()}) > 1 else _log_weights_of(move, float(sigma[0]))
    logs = np.take_along_axis(weights, (t % n).astype(np.intp), axis=1) - (t / width) ** 2 / (2 * n)
    with np.errstate(under="ignore"):
        terms = np.exp(logs) * -np.expm1(-(move.step / width) * ((t - crossing) / width))
        delta = terms.sum(1)
    margin = (100 + 2 * move.n_cells - 8 * np.log(delta + TINY)) * ULP
    return np.minimum(delta * (1 + margin) + 2 * t.shape[1] * TINY, 1.0)


_PIECES, _MOST_CHORDS = np.arange(-1, 3), 3


def least_epsilon(delta: Array, sigma: Array, squared: Array, cells: Array) -> Array:
    """Return an ε with δ(ε) ≤ δ that was tried, as close above the least one as rounding allows.

    δ is convex and piecewise linear in e^ε, and at an end of a piece t* is whole. The root is on the piece of the
    continuous Gaussian's ε or next to it, where a chord leads to it at once, or soon where pieces are too narrow. The
    chords aim at a δ that is lower by a little. Elsewhere, as for moves of several kinds, a bracket is narrowed.
    """
    guess = gaussian.epsilon_from_sigma(delta, sigma, np.sqrt(squared))
    little = 4 * ULP * (4 - np.log(delta))  # relative, about what rounding of e^{−z²/2} does

    def log_excess(places: Rows, epsilon: Array) -> Array:
        return (
            np.log(worst_delta(epsilon, sigma[places], squared[places], cells[places]) / delta[places]) + little[places]
        )

    rows, half = np.arange(len(guess)), squared / sigma / sigma / 2
    step = np.where(cells > 0, np.sqrt(squared / np.maximum(cells, 1)), 1.0)
    width = np.maximum(np.maximum(step / sigma / sigma, 1e-6 * guess), 1e-300)
    ends = np.maximum((np.floor((guess - half) / width) + _PIECES[:, None]) * width + half, 0)
    at_ends = log_excess(np.tile(rows, len(ends)), ends.ravel()).reshape(ends.shape)
    first = np.clip(np.count_nonzero(at_ends > 0, axis=0) - 1, 0, len(ends) - 2)
    low, high, over, under = ends[first, rows], ends[first + 1, rows], at_ends[first, rows], at_ends[first + 1, rows]
    epsilon, is_near = guess, guess < 0
    for _ in range(_MOST_CHORDS):
        with np.errstate(all="ignore"):  # where the root is beyond the ends
            share = np.expm1(over) / (np.expm1(over) - np.expm1(under))
            epsilon = np.where(over > 0, low + np.log1p(share * np.expm1(high - low)), low)
        epsilon = np.where(np.isfinite(epsilon), epsilon, guess)
        reached = log_excess(rows, epsilon)
        is_near = (abs(reached) < little) | ((epsilon == 0) & (reached < little))
        if is_near.all():
            return epsilon
        is_low = reached > 0
        low, over = np.where(is_low, epsilon, low), np.where(is_low, reached, over)
        high, under = np.where(is_low, high, epsilon), np.where(is_low, under, reached)
    far = rows[~is_near]
    epsilon[far] = safe_root(lambda places, tried: log_excess(far[places], tried), guess[far], np.zeros(far.size))
    return epsilon
