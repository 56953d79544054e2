"""What keeps a target: the root of an ε that falls along x, moved to the safe side until ε keeps the target itself."""

import math
from collections.abc import Callable

_FIRST_STEP = 0.04  # of the search for a bracket
_CLOSE = 5e-3  # how far `excess` may be from 0 where another function decides
_LEAST_STEP, _MOST_STEP = 1e-7, 0.1  # of the search for a value on the other side of the target
_SLOPE = 1.5  # about how far to go in x for a relative change of ε
_NEAR = 5e-4  # relative, how far below the target ε may stay
_TRIES = 3

Function = Callable[[float], float]
Point = tuple[float, float]


def least_kept(excess: Function, bound: Function, target: float, rough: float, ends: Point) -> float | None:
    """About the least x between `ends` with bound(x) ≤ target; None if none has.

    `excess`, which falls with x and crosses 0 near the answer, only shows where to look, beginning with `rough`:
    bound(x) ≤ target is true of what is returned. That no smaller x would do is not proved.

    Examples
    --------
    >>> print(f"{least_kept(lambda x: 2.9 - x, lambda x: 1 / x, 1 / 3, 1.0, (0.5, 10)):.2f}")
    3.00
    """
    x = _root(excess, min(max(rough, ends[0]), ends[1]), ends)
    failing, kept = _around(bound, target, x, ends)
    if kept is None or failing is None or target == 0:
        return None if kept is None else kept[0]
    further = 1.0
    for _ in range(_TRIES):
        if kept[1] > target * (1 - _NEAR):
            break
        x = _between(failing, kept, target, further)
        value = bound(x)
        failing, kept = ((x, value), kept) if value > target else (failing, (x, value))
        further = 2 * further if value > target else 1.0  # the line lies below the curve
    return kept[0]


def _root(excess: Function, x: float, ends: Point) -> float:
    """About where a falling function crosses 0 between `ends`, or the end nearest to that; `x` is where to begin."""
    here = x, excess(x)
    up = here[1] > 0
    end, step, before = ends[up], _FIRST_STEP, here
    while (here[1] > 0) == up:
        if here[0] == end:
            return end
        x = min(here[0] + step, end) if up else max(here[0] - step, end)
        before, here = here, (x, excess(x))
        step *= 3
    while min(abs(before[1]), abs(here[1])) > _CLOSE and abs(here[0] - before[0]) > _LEAST_STEP:
        share = min(max(before[1] / (before[1] - here[1]), 0.05), 0.95)
        x = before[0] + share * (here[0] - before[0])
        new = x, excess(x)
        before, here = (new, here) if (new[1] > 0) == (before[1] > 0) else (before, new)
    return min(before, here, key=lambda point: abs(point[1]))[0]


def _around(bound: Function, target: float, x: float, ends: Point) -> tuple[Point | None, Point | None]:
    """Two neighbours, each with its ε: an x that fails and one that keeps the target; None beyond the ends."""
    failing = kept = None
    step = _LEAST_STEP
    while True:
        value = bound(x)
        if value > target:
            failing, end, side = (x, value), ends[1], 1
        else:
            kept, end, side = (x, value), ends[0], -1
        if (failing and kept) or x == end or (kept and target == 0):
            return failing, kept
        far = math.log(max(value, target * 1e-3) / target) if target else _MOST_STEP
        step = max(2 * step, min(_SLOPE * abs(far), _MOST_STEP))
        x = min(max(x + side * step, ends[0]), ends[1])


def _between(failing: Point, kept: Point, target: float, further: float) -> float:
    """Where the line through both has the target, in the logarithm of ε, a little to the safe side."""
    (low, above), (high, below) = failing, kept
    share = math.log(above / target) / math.log(above / max(below, target * 1e-3))
    return low + min((1.01 * share + 1e-6) * further, 1) * (high - low)
