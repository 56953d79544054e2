"""The one search over Rényi orders: the order at which a bound by Rényi differential privacy is least.

Every list of releases, every training and every curve is searched here, so that the same question has the same answer.
"""

from collections.abc import Callable

import numpy as np

from dpcore.checks import Array

_LEAST, _MOST = np.log(1e-5), np.log(9e6)  # of α − 1
_COARSE, _PARTS, _ROUNDS = 16, 8, 4  # points of the first grid, the parts of each of its steps, later grids
_FIRST = 10  # points of the first grid that are computed first


def at_best_order(objective: Callable[[Array], Array]) -> tuple[Array, Array]:
    """Return the least value of each row that was met, and its order.

    `objective` maps orders of shape (1, k) or (n_rows, k) to values of shape (n_rows, k).

    aε and ln δ are convex in a = α − 1, as aτ is, so that ε and ln δ have one valley in u = ln a. It is enclosed on a
    wide grid, then on one with an eighth of its step, whose places are the same for every row, so that the result of a
    row does not depend on the other rows; then on four of each row's own: the valley of sparse sampling
    has one steep side. At last comes the least place of the parabola through three places.
    """
    coarse = 1 + np.exp(np.linspace(_LEAST, _MOST, _COARSE)[None])
    values = objective(coarse[:, :_FIRST])
    if np.any(values[:, -1] <= np.min(values, axis=1)):  # else the valley is before, and the last orders take longest
        values = np.hstack([values, objective(coarse[:, _FIRST:])])
    least = np.argmin(values, axis=1)
    if not least.size:
        return np.zeros(0), np.zeros(0)
    low, high = max(int(least.min()) - 1, 0), min(int(least.max()) + 1, _COARSE - 1)
    u = np.linspace(_LEAST, _MOST, (_COARSE - 1) * _PARTS + 1)[None, low * _PARTS : high * _PARTS + 1]
    values = objective(1 + np.exp(u))
    for _ in range(_ROUNDS):
        middle, step, _ = _valley(u, values)
        u = np.clip(middle + step * np.linspace(-1, 1, 9), _LEAST, _MOST)
        values = objective(1 + np.exp(u))
    middle, step, shift = _valley(u, values)
    order = 1 + np.exp(np.clip(middle + step * [0, 1] * shift, _LEAST, _MOST))
    values = objective(order)
    best = np.argmin(values, axis=1, keepdims=True)
    return np.take_along_axis(values, best, 1)[:, 0], np.take_along_axis(order, best, 1)[:, 0]


def _valley(u: Array, values: Array) -> tuple[Array, Array, Array]:
    """Return the place of each row's least value, the step of its grid, and the steps to the bottom of the parabola."""
    u, last = np.broadcast_to(u, values.shape), values.shape[1] - 1
    best = np.argmin(values, axis=1, keepdims=True)
    before, least, after = (np.take_along_axis(values, np.clip(best + side, 0, last), 1) for side in (-1, 0, 1))
    bend = before - 2 * least + after
    shift = np.divide((before - after) / 2, bend, out=np.zeros_like(bend), where=bend > 0)
    return np.take_along_axis(u, best, 1), u[:, 1:2] - u[:, :1], np.clip(shift, -1, 1)
