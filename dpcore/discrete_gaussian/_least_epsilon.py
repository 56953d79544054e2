"""The ε of discrete Gaussian noise: arrays of one axis, arguments checked."""

import numpy as np

from dpcore.checks import Array
from dpcore.discrete_gaussian._profile import worst_delta
from dpcore.gaussian import epsilon_from_sigma
from dpcore.roots import safe_root
from dpcore.roots.brackets import Rows
from dpcore.rounding import ULP

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
