"""The one search over Rényi orders: the order at which a bound by Rényi differential privacy is least.

Every list of releases, every training and every curve is searched here, so that the same question has the same answer.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from dpcore.checks import Array
from dpcore.composition._sampled_integral import NotQuickError

_LEAST, _MOST = np.log(1e-5), np.log(9e6)  # of α − 1
_COARSE, _PARTS, _ROUNDS = 16, 8, 4  # points of the first grid, the parts of each of its steps, later grids
_WIDE_GRID = np.linspace(_LEAST, _MOST, _COARSE)[None]
_FINE_GRID = np.linspace(_LEAST, _MOST, (_COARSE - 1) * _PARTS + 1)[None]
_WINDOW = np.linspace(-1, 1, 9)
_FIRST = 9  # points of the first grid that are computed before it is looked whether the valley is beyond
Objective = Callable[[Array], Array]


def at_best_order(objective: Objective, quick: Objective | None = None) -> tuple[Array, Array]:
    """Return the least value of each row that was met beside its best order, and its order.

    `objective` maps orders of shape (1, k) or (n_rows, k) to values of shape (n_rows, k). `quick` does so in less time
    to fewer digits, or raises `NotQuickError`: it only shows where the best order is. It takes few orders at once.
    """
    try:
        orders = _beside_best(quick or objective, quick is not None)
    except NotQuickError:
        orders = _beside_best(objective, False)
    if not len(orders):
        return np.zeros(0), np.zeros(0)
    values = objective(orders)
    best = np.argmin(values, axis=1, keepdims=True)
    return np.take_along_axis(values, best, 1)[:, 0], np.take_along_axis(orders, best, 1)[:, 0]


def _beside_best(objective: Objective, is_quick: bool) -> Array:
    """Return the best order of each row that a last grid has, and the one at the bottom of a parabola.

    aε and ln δ are convex in a = α − 1, as aτ is, so that ε and ln δ have one valley in u = ln a. It is enclosed on a
    wide grid, then on one with an eighth of its step, whose places are the same for every row, so that the result of a
    row does not depend on the other rows; then on four of each row's own: the valley of sparse sampling
    has one steep side. At last comes the least place of the parabola through three places.
    """
    values = _up_to_valley(objective, _WIDE_GRID, range(_FIRST, _COARSE + 1) if is_quick else [_FIRST + 1, _COARSE])
    least = np.argmin(values, axis=1)
    if not least.size:
        return np.zeros((0, 2))
    low, high = max(int(least.min()) - 1, 0), min(int(least.max()) + 1, _COARSE - 1)
    u = _FINE_GRID[:, low * _PARTS : high * _PARTS + 1]
    values = _up_to_valley(objective, u, [*range(_PARTS + 1, u.size, _PARTS // 2), u.size] if is_quick else [u.size])
    u = u[:, : values.shape[1]]
    for _ in range(_ROUNDS):
        middle, step, _ = _valley(u, values)
        u = np.clip(middle + step * _WINDOW, _LEAST, _MOST)
        values = objective(1 + np.exp(u))
    middle, step, shift = _valley(u, values)
    return 1 + np.exp(np.clip(middle + step * [0, 1] * shift, _LEAST, _MOST))


def _up_to_valley(objective: Objective, u: Array, ends: Sequence[int]) -> Array:
    """Return the values at a grid's first places, up to one of the ends, before which every row has its least value."""
    values = objective(1 + np.exp(u[:, : ends[0]]))
    for start, end in pairwise(ends):
        if not np.any(values[:, -1] <= np.min(values, axis=1)):
            break
        values = np.hstack([values, objective(1 + np.exp(u[:, start:end]))])
    return values


def _valley(u: Array, values: Array) -> tuple[Array, Array, Array]:
    """Return the place of each row's least value, the step of its grid, and the steps to the bottom of the parabola."""
    rows, best, last = np.arange(len(values)), np.argmin(values, axis=1), values.shape[1] - 1
    before, least, after = (values[rows, np.clip(best + side, 0, last)] for side in (-1, 0, 1))
    bend = before - 2 * least + after
    shift = np.divide((before - after) / 2, bend, out=np.zeros_like(bend), where=bend > 0)
    middle = u[rows if len(u) > 1 else 0, best]
    return middle[:, None], u[:, 1:2] - u[:, :1], np.maximum(np.minimum(shift, 1), -1)[:, None]
