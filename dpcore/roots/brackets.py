"""Roots between two ends that are known: bisection, sections, and steps of another method in a bracket."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, number, refuse, scalar_integer
from dpcore.rounding import ULP

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

    Raises
    ------
    ValueError
        `high must be in [low, inf), got 0`, or `n_parts must be in [2, 1e6], got 1`.

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
