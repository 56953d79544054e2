"""The guarantee of discrete Gaussian noise, and the σ that a guarantee requires.

Units, rounding, what `sensitivity` and `n_moved` mean, and references are those of `dpcore.discrete_gaussian`.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, integer, number, refuse
from dpcore.discrete_gaussian._profile import MOST_RIPPLING, delta_bound, least_epsilon, worst_delta
from dpcore.gaussian import analytic_sigma
from dpcore.roots import Excess, Rows, safe_root
from dpcore.rounding import ULP, round_up

SENSITIVITY_RANGE = "[1, 1e7]"
N_MOVED_RANGE = "[1, 1e6]"
SIGMA_RANGE = "[1e-4, 1e307]"
MOST_SQUARED = 30  # the longest move, squared, whose partitions are all tried
_LEAST_SIGMA = 1e-4
_LEAST_WAVY = 0.25  # the ε below which δ falls with σ everywhere
_AHEAD = np.arange(1, 49) / 48
_BEFORE = np.geomspace(1 / 64, 32, 34)
_WAVES = np.arange(1.0, 3)
_N_PLACES, _CLOSE = 17, 1e-9  # at which a wave's top is narrowed down at once, relative gain
_FLAT = 1.7  # from which on w is flat for any number of cells
_SQUARE_ROOTS = f"{SENSITIVITY_RANGE}, and the square root of a whole number"


def delta_from_sigma(
    epsilon: ArrayLike, sigma: ArrayLike, sensitivity: ArrayLike = 1.0, n_moved: ArrayLike | None = None
) -> Array:
    """Return the privacy profile of [CKS20], δ(ε) = E[(1 − e^{ε − L})₊], for the worst move v.

    The loss is L = (|v|² + 2⟨v, Y⟩)/(2σ²).

    Parameters
    ----------
    epsilon : in [0, 1e6].
    sigma : in [1e-4, 1e307]; from 1.7 on where more than 256 cells are moved.
    sensitivity : Δ₂ = |v| in [1, 1e7], the square root of a whole number; at most √30 where n_moved is not given.
    n_moved : how many cells a person moves, each by the same whole Δ₂/√n_moved; if None, any whole-numbered move.

    Returns
    -------
    δ in [0, 1], exact but for rounding: never below the true value; above it by what moving ε by 2e-15 (1 + ε + Δ₂²/σ²)
    does, and by a relative 3e-12 at most.

    Examples
    --------
    >>> print(f"{delta_from_sigma(epsilon=1, sigma=4):.6f}")
    0.000003
    >>> print(f"{delta_from_sigma(epsilon=1, sigma=4, sensitivity=2, n_moved=4):.6f}")
    0.006774
    """
    epsilon, sigma = number("epsilon", epsilon, EPSILON_RANGE), number("sigma", sigma, SIGMA_RANGE)
    squared, cells = _squared_and_cells(sensitivity, n_moved)
    epsilon, sigma, squared, cells = np.broadcast_arrays(epsilon, sigma, squared, cells)
    narrow = (cells > MOST_RIPPLING) & (sigma < _FLAT)
    refuse("sigma", sigma, narrow, f"[{_FLAT}, 1e307] where n_moved exceeds {MOST_RIPPLING}")
    worst = worst_delta(epsilon.ravel(), sigma.ravel(), squared.ravel(), cells.ravel())
    return worst.reshape(sigma.shape)[()]


def sigma_from_delta(
    epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0, n_moved: ArrayLike | None = None
) -> Array:
    """Return the least σ from which on `delta_from_sigma` is at most δ, which is not the continuous Gaussian's.

    On a lattice δ(ε) does not always fall as σ grows: at ε = 5, Δ₂ = 1 it is 0.0067 for σ = 0.3163, 0.0202 for 0.36.
    So a smaller σ may satisfy the guarantee by chance and a larger one may not; the returned σ is beyond that.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).
    sensitivity, n_moved : as in `delta_from_sigma`.

    Returns
    -------
    σ in steps of the query, with `delta_from_sigma(epsilon, sigma) <= delta`: never below the true value, above it by a
    relative 1e-13 or so. With `n_moved`, the δ of a larger σ is at most 1.01 δ, where a wave's top falls between two
    places that are tried, and nearly always at most δ. At least 1e-4, and 1.7 where more than 256 cells are moved.

    Examples
    --------
    >>> print(f"{sigma_from_delta(epsilon=1, delta=1e-6):.4f}")
    4.2308
    >>> print(f"{sigma_from_delta(epsilon=1, delta=1e-6, sensitivity=3**0.5, n_moved=3):.4f}")
    7.3138
    """
    epsilon, delta = number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE)
    arrays = np.broadcast_arrays(epsilon, delta, *_squared_and_cells(sensitivity, n_moved))
    shape = arrays[0].shape
    epsilon, delta, squared, cells = (array.ravel() for array in arrays)
    target = np.log(delta)

    def excess(rows: Rows, sigma: Array) -> Array:
        return np.log(worst_delta(epsilon[rows], sigma, squared[rows], cells[rows])) - target[rows] + 16 * ULP

    def may_exceed(rows: Rows, sigma: Array) -> NDArray[np.bool_]:
        return delta_bound(epsilon[rows], sigma, squared[rows], cells[rows]) > delta[rows]

    least = np.where(cells > MOST_RIPPLING, _FLAT, _LEAST_SIGMA)
    guess = np.maximum(analytic_sigma(epsilon, delta, np.sqrt(squared)), least)
    step = np.where(cells > 0, np.sqrt(squared / np.maximum(cells, 1)), 1.0)
    sigma = _from_there_on(excess, may_exceed, safe_root(excess, guess, least), epsilon, squared, step)
    return sigma.reshape(shape)[()]


def _from_there_on(
    excess: Excess,
    may_exceed: Callable[[Rows, Array], NDArray[np.bool_]],
    sigma: Array,
    epsilon: Array,
    squared: Array,
    step: Array,
) -> Array:
    """Raise σ over the waves of δ, which rises again and again with σ, until it is too high at no place ahead.

    For an even move the waves' tops fall by e^{−ε/(2gN)} from each to the next, and vanish where that is near 1.
    """
    sigma, rows = sigma.copy(), np.flatnonzero(epsilon >= _LEAST_WAVY)
    while len(rows):
        ahead = _places_beyond(*(array[rows, None] for array in (sigma, epsilon, squared, step)))
        new = np.diff(ahead, prepend=sigma[rows, None]) > 0
        over = np.zeros_like(new)
        new[new] = may_exceed(rows[np.nonzero(new)[0]], ahead[new])
        over[new] = excess(rows[np.nonzero(new)[0]], ahead[new]) > 0
        high = over.any(1)
        last = (ahead.shape[1] - 1 - np.argmax(over[:, ::-1], axis=1))[high]
        rows, start = rows[high], ahead[high, last]
        if len(rows):
            sigma[rows] = safe_root(lambda places, x, own=rows: excess(own[places], x), start, start)
    return sigma


def _places_beyond(sigma: Array, epsilon: Array, squared: Array, step: Array) -> Array:
    """Return σ beyond the given one in rising order: evenly over many waves, and close to the tops of the next two.

    A wave ends where t* = εσ²/g − gN/2 is whole. At u before its end, δ is about e^{−λu}(1 − e^{−gu/σ²}): for narrow
    noise its top is within a few σ²/g of the end, and at most 1 % above the nearest of places a factor 1.26 apart.
    """
    half = squared / step / 2
    first = np.floor(epsilon * sigma / step * sigma - half)
    before = np.minimum(np.repeat(sigma / step * sigma, len(_WAVES) * len(_BEFORE), axis=1) * np.tile(_BEFORE, 2), 1)
    tops = (first + np.repeat(_WAVES, len(_BEFORE)) - before + half) / epsilon * step
    evenly = sigma**2 + 3 * np.sqrt(squared) / epsilon * _AHEAD
    return np.sort(np.maximum(np.sqrt(np.maximum(np.concatenate([tops, evenly], axis=1), 0)), sigma), axis=1)


def epsilon_from_sigma(
    delta: ArrayLike, sigma: ArrayLike, sensitivity: ArrayLike = 1.0, n_moved: ArrayLike | None = None
) -> Array:
    """Return the least ε with δ(ε) ≤ δ at a given σ.

    Parameters
    ----------
    delta : in [1e-300, 1).
    sigma, sensitivity, n_moved : as in `delta_from_sigma`.

    Returns
    -------
    ε ≥ 0 in nats: never below the true value, above it by 1e-14 (1 + ε + Δ₂²/σ²) or so.

    Examples
    --------
    >>> print(f"{epsilon_from_sigma(delta=1e-6, sigma=10):.4f}")
    0.3968
    """
    delta, sigma = number("delta", delta, DELTA_RANGE), number("sigma", sigma, SIGMA_RANGE)
    arrays = np.broadcast_arrays(delta, sigma, *_squared_and_cells(sensitivity, n_moved))
    shape = arrays[0].shape
    delta, sigma, squared, cells = (array.ravel() for array in arrays)
    narrow = (cells > MOST_RIPPLING) & (sigma < _FLAT)
    refuse("sigma", sigma, narrow, f"[{_FLAT}, 1e307] where n_moved exceeds {MOST_RIPPLING}")
    return least_epsilon(delta, sigma, squared, cells).reshape(shape)[()]


def epsilon_of_least_sigma(delta: float, sigma: float, sensitivity: float = 1.0) -> float:
    """Return the least ε whose `sigma_from_delta` is at most σ, to rounding: the largest ε of σ and of wider noise.

    It is the largest `epsilon_from_sigma` of the places at which `sigma_from_delta` looks for the waves of δ, and of
    others around the first of these.

    Parameters
    ----------
    delta, sigma, sensitivity : as in `epsilon_from_sigma`, one of each.

    Returns
    -------
    ε in nats, at least that of σ itself.

    Examples
    --------
    >>> print(f"{epsilon_of_least_sigma(delta=1e-6, sigma=10):.4f}")
    0.3968
    """
    least = float(epsilon_from_sigma(delta, sigma, sensitivity))
    if least < _LEAST_WAVY:
        return least
    places = np.append(sigma, _places_beyond(*np.array([[[sigma]], [[least]], [[sensitivity**2]], [[1.0]]]))[0])
    while True:
        every = epsilon_from_sigma(delta, places, sensitivity)
        top = int(every.argmax())
        low, high = places[max(top - 1, 0)], places[min(top + 1, places.size - 1)]
        gain, least = float(every[top]) / least - 1, max(least, float(every[top]))
        if gain < _CLOSE or high <= low * (1 + _CLOSE):
            return least
        places = np.linspace(low, high, _N_PLACES)


def rho_from_sigma(sigma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Δ₂²/(2σ²), the ρ of ρ-zCDP ([CKS20] Thm 14): the same for every move of this length.

    Parameters
    ----------
    sigma : in [1e-4, 1e150].
    sensitivity : Δ₂ in [1, 1e7], the square root of a whole number.

    Returns
    -------
    ρ in nats, rounded up in its last bits.

    Examples
    --------
    >>> print(f"{rho_from_sigma(sigma=4, sensitivity=3**0.5):.5f}")
    0.09375
    """
    sigma, squared = number("sigma", sigma, "[1e-4, 1e150]"), _squared(sensitivity)
    return round_up(squared / sigma / sigma / 2, 4)[()]


def _squared_and_cells(sensitivity: ArrayLike, n_moved: ArrayLike | None) -> tuple[Array, Array]:
    """Return Δ₂² and the number of cells moved, which is 0 where any move may occur."""
    squared, length = _squared(sensitivity), number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    if n_moved is None:
        many = squared > MOST_SQUARED
        refuse("sensitivity", length, many, f"[1, sqrt({MOST_SQUARED})] where n_moved is not given")
        return squared, np.zeros_like(squared)
    cells = integer("n_moved", n_moved, N_MOVED_RANGE)
    uneven = np.rint(np.sqrt(squared / cells)) ** 2 * cells != squared
    refuse("sensitivity", length, uneven, "sqrt(n_moved) times the whole numbers")
    return squared, cells


def _squared(sensitivity: ArrayLike) -> Array:
    length = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    squared = np.rint(length**2)
    refuse("sensitivity", length, abs(length**2 - squared) > 4 * ULP * squared, _SQUARE_ROOTS)
    return squared
