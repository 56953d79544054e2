"""Roots in a bracket, for arrays, which keep the safe side: an end that is returned has been tried.

`bisect` asks only whether a condition holds, and its upper end satisfies the condition itself, with every rounding of
the condition as it was computed. `safe_root` grows a bracket from a guess and takes a decreasing function's values, so
it needs fewer of them. `root_by_steps` keeps the steps of a Newton method, or one of higher order, in a bracket; each
caller steps in a variable of its own. `multisect` cuts a bracket in many parts at once. SciPy's `optimize.elementwise`
returns a bracket too, with a safe end; its calls take 6 to 13 ms more on few rows, of which a page needs several. Of a
scalar function that takes no side SciPy's `root_scalar` finds the root. Ends the wrong way about are refused, as are
numbers out of their range, by a `ValueError`: `high must be in [low, inf), got 0`.

Newton methods that are proved to converge from where they begin need no bracket, so their loops stand beside the proof.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, number, refuse, scalar, scalar_integer
from dpcore.rounding import ULP

__all__ = [
    "SteppedRoot",
    "bisect",
    "multisect",
    "positive_mean",
    "root_by_steps",
    "safe_root",
    "step_within",
    "whole_mean",
]


Rows = NDArray[np.intp]
State = TypeVar("State")
Step = tuple[Array, NDArray[np.bool_], NDArray[np.bool_], State]
_FINITE = "(-inf, inf)"
NOT_NEGATIVE = "[0, inf)"
TOLERANCE = 4 * ULP
MOST_STEPS = 200
_HALVINGS_RANGE = "[1, 2000]"  # 1100 halvings reach a subnormal number from any double


def _arithmetic_mean(low: Array, high: Array) -> Array:
    return (low + high) / 2


def positive_mean(low: Array, high: Array) -> Array:
    """Return √(low · high) of 0 ≤ low ≤ high, which halves the ratio of a bracket, and a way down where `low` is 0.

    From 0 on it returns a thousandth of `high`, and half of it from 1e-12 on, so that a bracket that begins at 0 soon
    has a positive lower end unless the condition holds next to 0.

    Examples
    --------
    >>> positive_mean(np.array([0.0, 1.0]), np.array([4.0, 4.0])).tolist()
    [0.004, 2.0]
    """
    return np.where(low > 0, np.sqrt(low) * np.sqrt(high), np.where(high > 1e-12, high * 1e-3, high / 2))


def whole_mean(low: Array, high: Array) -> Array:
    """Return the whole number in the middle of a bracket of whole numbers, ⌊(low + high)/2⌋.

    Examples
    --------
    >>> whole_mean(np.array([0.0, 3.0]), np.array([5.0, 4.0])).tolist()
    [2.0, 3.0]
    """
    return np.floor((low + high) / 2)


def bisect(
    condition: Callable[[Array], NDArray[np.bool_]],
    low: ArrayLike,
    high: ArrayLike,
    n_halvings: int,
    middle: Callable[[Array, Array], Array] = _arithmetic_mean,
) -> tuple[Array, Array]:
    """Return a bracket, as narrow as so many halvings make it, of the point from which on a condition holds.

    At `low` the condition is taken to fail and at `high` to hold; neither is tested. An end that moves has been tested,
    so `condition(high)` is true of the returned upper end, or it is the `high` that was given.

    Parameters
    ----------
    condition : it gets an array of points, and returns for each of them whether it holds there.
    low, high : the ends of the bracket, finite, low ≤ high; they broadcast.
    n_halvings : a whole number in [1, 2000].
    middle : the point between two ends that is tested; `positive_mean` for a root of unknown magnitude,
        `whole_mean` for a whole number.

    Returns
    -------
    The lower and the upper ends, of the common shape of `low` and `high`.

    Examples
    --------
    >>> low, high = bisect(lambda x: x**2 >= np.array([2.0, 9.0]), 0, 10, 60)
    >>> bool(np.all(low**2 < [2, 9]) and np.all(high**2 >= [2, 9])), high.round(6).tolist()
    (True, [1.414214, 3.0])
    """
    low, high = number("low", low, _FINITE), number("high", high, _FINITE)
    refuse("high", high, high < low, "[low, inf)")
    for _ in range(scalar_integer("n_halvings", n_halvings, _HALVINGS_RANGE)):
        tested = middle(low, high)
        holds = condition(tested)
        low, high = np.where(holds, low, tested), np.where(holds, tested, high)
    return low, high


def multisect(
    condition: Callable[[Array], NDArray[np.bool_]], low: ArrayLike, high: ArrayLike, n_parts: int, n_rounds: int
) -> tuple[Array, Array]:
    """Return a bracket of the first point at which a condition holds, cut into so many parts at once in every round.

    It takes fewer calls than `bisect` and tests more points, for a condition of which a call costs the most. Of several
    points from which on the condition holds, it finds the first that the grids see.

    Parameters
    ----------
    condition : it gets an array of points, with an axis of n_parts − 1 points before those of the bracket, and returns
        for each of them whether it holds there.
    low, high : the ends of the bracket, finite, low ≤ high; they broadcast to its shape. Neither is tested.
    n_parts, n_rounds : whole numbers in [2, 1e6] and [1, 2000].

    Returns
    -------
    The lower and the upper ends, of the common shape of `low` and `high`.

    Examples
    --------
    >>> low, high = multisect(lambda x: x >= np.array([0.3, 0.7]), np.zeros(2), 1, n_parts=10, n_rounds=12)
    >>> high.round(9).tolist()
    [0.3, 0.7]
    """
    low, high = number("low", low, _FINITE), number("high", high, _FINITE)
    refuse("high", high, high < low, "[low, inf)")
    lower, upper = np.broadcast_arrays(low, high)
    n_parts = scalar_integer("n_parts", n_parts, "[2, 1e6]")
    rows, last = np.indices(lower.shape, sparse=True), np.ones((1, *lower.shape), np.bool_)
    for _ in range(scalar_integer("n_rounds", n_rounds, _HALVINGS_RANGE)):
        grid = np.linspace(lower, upper, n_parts + 1)
        before = np.argmax(np.concatenate([condition(grid[1:-1]), last]), axis=0)
        lower, upper = grid[(before, *rows)], grid[(before + 1, *rows)]
    return lower, upper


@dataclass(frozen=True)
class SteppedRoot(Generic[State]):
    """The last point of a method of steps, its bracket, and what the method said of the last point that it tried."""

    x: Array
    low: Array
    high: Array
    state: State


def root_by_steps(
    method: Callable[[Array], Step[State]], start: Array, low: Array, high: Array, most_steps: int | None = None
) -> SteppedRoot[State]:
    """Return where the steps of a method end that are kept in a bracket: a step out of it goes to its middle instead.

    A point that is near enough moves no more, so that the root of a row does not depend on which others are sought.
    Nothing is checked, because this function stands in inner loops.

    Parameters
    ----------
    method : it gets an array of points, and returns for each of them where to step, whether the root is near enough,
        whether it lies above the point, and anything else of them that the caller needs at the end.
    start, low, high : where to begin, and the ends of the bracket, low < high; either may be infinite where no step
        leaves it.
    most_steps : at least 1, or None for more than any method takes; after so many the point stands where the last step
        led, untried.

    Returns
    -------
    The points, which were tried unless there were too many steps, with the bracket and the last state.

    Examples
    --------
    >>> def newton(x):
    ...     step = (x * x - 2) / (2 * x)
    ...     return x - step, abs(step) < 1e-9, x * x < 2, step
    >>> root_by_steps(newton, np.array([9.0]), np.zeros(1), np.array([9.0])).x.round(9).tolist()
    [1.414213562]
    """
    x, steps_left = start, most_steps or MOST_STEPS
    while True:
        stepped, near, above, state = method(x)
        low, high = np.where(above, x, low), np.where(above, high, x)
        near = near | (high - low <= 2 * ULP * abs(high))
        if near.all():
            return SteppedRoot(x, low, high, state)
        x, steps_left = np.where(near, x, step_within(low, stepped, high)), steps_left - 1
        if not steps_left:
            return SteppedRoot(x, low, high, state)


def step_within(low: Array, stepped: Array, high: Array) -> Array:
    """Return the point that a step led to, or the middle of the bracket where it is not inside the bracket.

    Examples
    --------
    >>> step_within(np.array([0.0, 0.0]), np.array([0.3, 7.0]), np.array([1.0, 1.0])).tolist()
    [0.3, 0.5]
    """
    return np.where((stepped > low) & (stepped < high), stepped, (low + high) / 2)


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
    root[rows] = _chandrupatla_root(excess, rows, low[:, rows], high[:, rows], tolerance)
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


def _chandrupatla_root(excess: Excess, rows: Rows, low: Array, high: Array, tolerance: float) -> Array:
    """Chandrupatla's method (1997): inverse quadratic steps where they are sure to be good, else halvings.

    An end of the bracket is a row of x and one of the excess there.
    """
    (x1, f1), (x2, f2) = low, high
    root = x2.copy()
    place = np.arange(len(rows))
    share = np.full(len(rows), 0.5)
    for _ in range(MOST_STEPS):
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
        share = np.clip(_inverse_share(x1, x2, x3, f1, f2, f3), width / 2, 1 - width / 2)
    return root


def _inverse_share(x1: Array, x2: Array, x3: Array, f1: Array, f2: Array, f3: Array) -> Array:
    """Return how far from x1 to x2 the root of the inverse quadratic is, ½ where that is not sure to be good.

    The signs of f1 and f2 differ, and x3 is on the other side of x1 than x2.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
        quadratic = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
        good = (phi * phi < xi) & ((1 - phi) ** 2 < 1 - xi) & np.isfinite(quadratic)
    return np.where(good, quadratic, 0.5)
