"""δ(ε) of given moves: arrays of one axis, arguments checked.

With t* = εσ²/g − gN/2 the loss of T = t is ε + (g/σ²)(t − t*), so δ(ε) = Σ_{t > t*} Pr(T = t)(1 − e^{−(g/σ²)(t − t*)}):
positive terms only. Where w is flat, this is one cell moved by gN under noise of s.d. √N σ.
"""

import numpy as np

from dpcore.checks import Array
from dpcore.discrete_gaussian._lattice import lattice_gap, lattice_mills, theta
from dpcore.discrete_gaussian._sensitivity import Move, even_move, flat_from, greatest_weight, log_weights, moves_of
from dpcore.gaussian import delta_from_sigma as continuous_delta
from dpcore.gaussian import epsilon_from_sigma
from dpcore.roots import safe_root
from dpcore.roots.brackets import Rows
from dpcore.rounding import TINY, ULP, round_up

_CONTINUOUS = 1e20  # from here on the lattice is below rounding: a relative (1 + t/σ)/σ
_MOST_ENTRIES = 2**20  # of the rows that are summed at once, each of which takes some N × (N + 40)
_FAR = 60.0  # standard deviations, where nothing is left


def worst_delta(epsilon: Array, sigma: Array, squared: Array, n_moved: Array) -> Array:
    """Return the greatest δ(ε) over all moves of a squared length, or of its one even move where `n_moved` is not 0."""
    worst = np.zeros(len(sigma))
    far = sigma >= _CONTINUOUS
    even, free = ~far & (n_moved > 0), ~far & (n_moved == 0)
    if far.any():
        worst[far] = continuous_delta(epsilon[far], sigma[far], round_up(np.sqrt(squared[far]), 2))
    if even.any():
        worst[even] = _even_delta(epsilon[even], sigma[even], squared[even], n_moved[even])
    for length in set(squared[free].tolist()):
        chosen = free & (squared == length)
        worst[chosen] = _worst_of(moves_of(int(length)), epsilon[chosen], sigma[chosen])
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
            bound[rows] = np.minimum(flat * greatest_weight(int(n_cells), sigma[rows]), 1)
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
    logs = np.take_along_axis(log_weights(move, sigma), (t % n).astype(np.intp), axis=1) - (t / width) ** 2 / (2 * n)
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
    guess = epsilon_from_sigma(delta, sigma, np.sqrt(squared))
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
