"""Roots of a decreasing function near a guess, from which a bracket grows."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, number, refuse, scalar
from dpcore.roots import brackets
from dpcore.roots.brackets import NOT_NEGATIVE, TOLERANCE, Rows

_TOLERANCE_RANGE = f"[{TOLERANCE:g}, 0.1]"
Excess = Callable[[Rows, Array], Array]  # of row numbers and their x: positive where x is too small


def safe_root(
    excess: Excess, guess: ArrayLike, least: ArrayLike, tolerance: float = TOLERANCE, first_step: float = 0.004
) -> Array:
    """Return a tried x with excess ≤ 0, next above one with excess > 0; `least` if nothing is too small.

    Whatever the excess does in between and in its last digits, the x that is returned has been tried.

    Parameters
    ----------
    excess : a decreasing function of row numbers and of one x for each of these rows: positive where x is too small.
    guess : an x for each row, in [0, inf); a bracket is grown from it.
    least : the least x of each row, in [0, inf), at most `guess`.
    tolerance : relative: how far apart the two x are at the end, in [8.88178e-16, 0.1].
    first_step : relative: how far from the guess the first x is, in [1e-12, 1]; each further step is 8 times as long.

    Returns
    -------
    One x for each row.

    Raises
    ------
    ValueError
        `guess must be in [least, inf), got 0.5`.

    Examples
    --------
    >>> squares = np.array([2.0, 9.0])
    >>> safe_root(lambda rows, x: squares[rows] - x * x, np.ones(2), np.zeros(2)).round(6).tolist()
    [1.414214, 3.0]
    """
    guess, least = number("guess", guess, NOT_NEGATIVE), number("least", least, NOT_NEGATIVE)
    refuse("guess", guess, guess < least, "[least, inf)")
    tolerance, first_step = (
        scalar("tolerance", tolerance, _TOLERANCE_RANGE),
        scalar("first_step", first_step, "[1e-12, 1]"),
    )
    low, high = _bracket(excess, guess, least, first_step)
    rows = np.flatnonzero(high[0] > low[0])
    root = high[0].copy()
    root[rows] = _narrowed(excess, rows, *low[:, rows], *high[:, rows], tolerance=tolerance)
    return root


def _bracket(excess: Excess, guess: Array, least: Array, step: float) -> tuple[Array, Array]:
    """Return x and excess at both ends, by growing steps; both are `least` where the excess is not positive there."""
    everywhere = np.arange(len(guess))
    low = np.array([guess, excess(everywhere, guess)])
    high = low.copy()
    while True:
        down = np.flatnonzero((low[1] <= 0) & (low[0] > least))
        up = np.flatnonzero(high[1] > 0)
        if not len(down) + len(up):
            return low, np.where(low[1] <= 0, low, high)
        high[:, down] = low[:, down]
        low[0, down] = np.maximum(low[0, down] / (1 + step), least[down])
        low[:, up] = high[:, up]
        high[0, up] = np.maximum(high[0, up], 1e-300) * (1 + step)
        tried = np.concatenate([down, up])
        value = excess(tried, np.concatenate([low[0, down], high[0, up]]))
        low[1, down], high[1, up] = value[: len(down)], value[len(down) :]
        step = min(step * 8, 1e3)


def _narrowed(
    excess: Excess, rows: Rows, low: Array, f_low: Array, high: Array, f_high: Array, tolerance: float
) -> Array:
    """Chandrupatla's method (1997): inverse quadratic steps where they are sure to be good, else halvings."""
    root = high.copy()
    place = np.arange(len(rows))
    x1, f1, x2, f2 = low, f_low, high, f_high
    share = np.full(len(rows), 0.5)
    for _ in range(brackets.MOST_STEPS):
        x = x1 + share * (x2 - x1)
        f = excess(rows, x)
        same = (f > 0) == (f1 > 0)
        x3, f3 = np.where(same, x1, x2), np.where(same, f1, f2)
        x2, f2 = np.where(same, x2, x1), np.where(same, f2, f1)
        x1, f1 = x, f
        root[place] = np.where(f1 > 0, x2, x1)
        width = tolerance * root[place] / np.maximum(abs(x2 - x1), 1e-320)
        left = width < 1
        if not left.any():
            break
        rows, place, width = rows[left], place[left], width[left]
        x1, x2, x3, f1, f2, f3 = (part[left] for part in (x1, x2, x3, f1, f2, f3))
        share = np.clip(inverse_share(x1, x2, x3, f1, f2, f3), width / 2, 1 - width / 2)
    return root


def inverse_share(x1: Array, x2: Array, x3: Array, f1: Array, f2: Array, f3: Array) -> Array:
    """Return how far from x1 to x2 the root of the inverse quadratic is, ½ where that is not sure to be good.

    The signs of f1 and f2 differ, and x3 is on the other side of x1 than x2.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
        quadratic = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
        good = (phi * phi < xi) & ((1 - phi) ** 2 < 1 - xi) & np.isfinite(quadratic)
    return np.where(good, quadratic, 0.5)
