"""Bisection for a condition that begins to hold at one point of a bracket: the one such loop of dpcore for arrays.

It asks only whether a condition holds, so it keeps the safe side: the upper end of the bracket that it returns
satisfies the condition itself, with every rounding of the condition as it was computed. Where a slope is known,
Newton's method in a bracket takes fewer steps; those solvers stand beside their formulas, because each one steps in a
variable of its own. SciPy's `optimize.elementwise` returns the point where |f| is least, which may lie on either side.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, number, one_whole, refuse

__all__ = ["arithmetic_mean", "bisect", "positive_mean"]

_FINITE = "(-inf, inf)"
_HALVINGS_RANGE = "[1, 2000]"  # 1100 halvings reach a subnormal number from any double


def arithmetic_mean(low: Array, high: Array) -> Array:
    """Return (low + high)/2, which halves the absolute width of a bracket.

    Examples
    --------
    >>> arithmetic_mean(np.array([0.0]), np.array([3.0])).item()
    1.5
    """
    return (low + high) / 2


def positive_mean(low: Array, high: Array) -> Array:
    """Return √(low · high), which halves the ratio of a bracket of positive numbers, and a way down where `low` is 0.

    From 0 on it returns a thousandth of `high`, and half of it from 1e-12 on, so that a bracket that begins at 0 soon
    has a positive lower end unless the condition holds next to 0.

    Parameters
    ----------
    low, high : 0 ≤ low ≤ high, entry by entry.

    Examples
    --------
    >>> positive_mean(np.array([0.0, 1.0]), np.array([4.0, 4.0])).tolist()
    [0.004, 2.0]
    """
    return np.where(low > 0, np.sqrt(low) * np.sqrt(high), np.where(high > 1e-12, high * 1e-3, high / 2))


def bisect(
    condition: Callable[[Array], NDArray[np.bool_]],
    low: ArrayLike,
    high: ArrayLike,
    n_halvings: int,
    middle: Callable[[Array, Array], Array] = arithmetic_mean,
) -> tuple[Array, Array]:
    """Return a bracket, as narrow as so many halvings make it, of the point from which on a condition holds.

    At `low` the condition is taken to fail and at `high` to hold; neither is tested. An end that moves has been tested,
    so `condition(high)` is true of the returned upper end, or it is the `high` that was given.

    Parameters
    ----------
    condition : it gets an array of points, and returns for each of them whether it holds there.
    low, high : the ends of the bracket, finite, low ≤ high; they broadcast.
    n_halvings : a whole number in [1, 2000].
    middle : the point between two ends that is tested; `positive_mean` for a root of unknown magnitude.

    Returns
    -------
    The lower and the upper ends, of the common shape of `low` and `high`.

    Raises
    ------
    ValueError
        `high must be in [low, inf), got 0`, or `n_halvings must be in [1, 2000], got 0`.

    Examples
    --------
    >>> low, high = bisect(lambda x: x**2 >= np.array([2.0, 9.0]), 0, 10, 60)
    >>> bool(np.all(low**2 < [2, 9]) and np.all(high**2 >= [2, 9])), high.round(6).tolist()
    (True, [1.414214, 3.0])
    """
    low, high = number("low", low, _FINITE), number("high", high, _FINITE)
    refuse("high", high, high < low, "[low, inf)")
    for _ in range(one_whole("n_halvings", n_halvings, _HALVINGS_RANGE)):
        tested = middle(low, high)
        holds = condition(tested)
        low, high = np.where(holds, low, tested), np.where(holds, tested, high)
    return low, high
