"""The contour integral of `dpcore.composition.contour`: saddle, nodes, sums and errors.

Everything is relative to e^{K(c) − cε}: S = δ e^{cε − K(c)}, about 1/(c(1 + c)√(2πK''(c))) at the saddle.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.composition._normalize import Whole
from dpcore.composition._saddles import (
    Precision,
    Saddles,
    Series,
    Value,
    alias,
    coarsest,
    node_spacing,
    precision,
    saddles,
    series,
)
from dpcore.roots import Step, root_by_steps
from dpcore.rounding import ULP

MOST_NODES = 2**14
_MOST_ROWS = 32  # of different numbers of runs at once, for the memory
_ONCE = np.ones(1)
CLOSE = 1e-9  # a relative error of δ above this is no convergence
_HOPELESS = 2**11  # with so many nodes something is known, or will not be
_FULL = precision(10)
Groups = Iterator[tuple[int, NDArray[np.intp]]]
Reading = tuple[Series, Value]  # a series, and its value at the ε at which it is read
_LAST_STEP = 1e-9  # in 1/c: Newton's method is quadratic, and what is left after such a step is below rounding


def integral_delta(
    together: Whole, direction: str, epsilon: Array, other_bound: Array, aim: Precision = _FULL
) -> tuple[Array, Array]:
    """δ(ε) in one direction, and its error; 0 where it is certainly at most `other_bound`."""
    value, error = np.zeros(epsilon.shape), np.zeros(epsilon.shape)
    table, cost = saddles(together, _ONCE, direction, lambda table: table.bound - np.multiply.outer(epsilon, table.s))
    most = np.minimum(np.min(cost, axis=1), 0)
    with np.errstate(divide="ignore"):
        needed = (most > np.maximum(np.log(other_bound), -740)) & (epsilon < together.most(direction))
    chosen = coarsest(table, epsilon)
    for index in np.unique(chosen[needed]):
        rows = np.flatnonzero(needed & (chosen == index))
        c, place, highest = float(table.s[index]), epsilon[rows], np.exp(most[rows])
        value[rows] = error[rows] = highest  # nothing but Chernoff's bound is known
        spacing = node_spacing(table, int(index), place, aim)
        read = _enough(together, _ONCE, direction, c, spacing, place, None, aim)
        if read is not None:
            scale = np.exp(table.level[:, index] - c * place)
            series_value = _doubted(together, _ONCE, table, int(index), *read)
            value[rows], error[rows] = (
                np.clip(series_value.total * scale, 0, highest),
                np.minimum(series_value.error * scale, highest),
            )
    return value, error


def integral_epsilon(
    together: Whole, direction: str, delta: Array, doubt: Array, other_bound: Array, n_runs: Array = _ONCE
) -> tuple[Array, Array, Array]:
    """ε(δ) ≥ 0 in one direction, how far it is off where δ is right to a relative `doubt`, and the relative error of δ.

    `other_bound` where that is certainly more. `n_runs` says how often all of it runs, for each δ or for all.
    """
    value, error, relative = other_bound.copy(), np.zeros(delta.shape), np.zeros(delta.shape)
    log_delta = np.log(delta)
    all_table, cost = saddles(together, n_runs, direction, lambda table: (table.bound - log_delta[:, None]) / table.s)
    upper = np.clip(np.min(cost, axis=1), 0, n_runs * together.most(direction))
    is_open = upper > other_bound
    if not is_open.any():
        return value, error, relative
    chosen = coarsest(all_table, upper)
    groups = list(_groups(chosen, is_open, n_runs.size > 1))
    while groups:
        index, rows = groups.pop()
        table, times = all_table.of_rows(rows), n_runs if n_runs.size == 1 else n_runs[rows]
        c, most, target = float(table.s[index]), upper[rows], log_delta[rows] - table.level[:, index]
        value[rows], error[rows], relative[rows] = most, most, np.inf  # nothing but Chernoff's bound is known
        if table.is_end(index):
            continue
        spacing, bound = node_spacing(table, index, most, _FULL), other_bound[rows]
        if np.all(bound > 0):  # δ at the other bound takes less time than ε, and mostly shows that ε is less than that
            read = _enough(together, times, direction, c, spacing, bound, None, _FULL)
            at_bound = read and _doubted(together, times, table, index, *read)
            if at_bound and np.all(np.log(at_bound.total + at_bound.error) - c * bound - target < -doubt[rows]):
                value[rows], error[rows], relative[rows] = bound, 0.0, 0.0
                continue
        read = _enough(together, times, direction, c, spacing, most, target, _FULL)
        if read is not None:
            value[rows], doubted = read[1].epsilon, partial(_doubted, together, times, table, index, read[0])
            error[rows], relative[rows] = _epsilon_error(doubted, read, c, most, target, doubt[rows])
        if n_runs.size > 1:
            groups += _with_wider_spacing(all_table, index, rows[relative[rows] > CLOSE], upper, spacing[0])
    return value, error, relative


def _with_wider_spacing(
    table: Saddles, index: int, rows: NDArray[np.intp], upper: Array, distance: float
) -> list[tuple[int, NDArray[np.intp]]]:
    """Return the rows as groups of those that have the same distance of nodes, if it is wider than a distance."""
    own = np.array([node_spacing(table.of_rows(row), index, upper[row], _FULL)[0] for row in rows[:, None]])
    return [(index, rows[own == wider]) for wider in np.unique(own) if wider > distance]


def _groups(chosen: NDArray[np.intp], is_open: NDArray[np.bool_], is_split: bool) -> Groups:
    """Yield every place of a c and the open rows of which it is, not too many at once if each has its own terms."""
    for index in np.unique(chosen[is_open]):
        rows = np.flatnonzero(is_open & (chosen == index))
        most = _MOST_ROWS if is_split else rows.size
        for start in range(0, rows.size, most):
            yield int(index), rows[start : start + most]


def _enough(
    together: Whole,
    n_runs: Array,
    direction: str,
    c: float,
    spacing: tuple[float, int],
    epsilon: Array,
    target: Array | None,
    aim: Precision,
) -> Reading | None:
    """Return the series with as many nodes as help, and its value at the ε at which it is read; None if no number does.

    `spacing` is the step and how many nodes are tried first; twice as many where a node takes little.
    """
    best, place, distance, count = None, epsilon, spacing[0], spacing[1] * (1 + together.symmetric)
    while count <= MOST_NODES:
        nodes = series(together, n_runs, direction, c, distance, count)
        if nodes is None:
            break
        if np.any(may_end := nodes.loose < nodes.beyond):
            is_long = nodes.beyond > aim.left * nodes.summed(epsilon)[0]
            ends = may_end & (is_long if n_runs.size > 1 else np.any(is_long))
            nodes = nodes.windowed(ends) if ends.any() else nodes
        place = epsilon if target is None else _epsilon_by_newton(nodes, place, epsilon, target)
        best = nodes, (value := nodes.value(place))
        if np.all(value.error <= np.maximum(aim.left * value.total, value.rounding)):
            break
        if count >= _HOPELESS and np.all(value.error > value.total):
            break
        count *= 2
    return best


def _doubted(together: Whole, n_runs: Array, table: Saddles, index: int, nodes: Series, value: Value) -> Value:
    """Return S at every ε, with an error that counts the step, the end of the nodes and the rounding."""
    epsilon = value.epsilon
    level = abs(table.level[:, index]) + abs(table.s[index] * epsilon)
    level = 8 * (1 + level) + 40 * np.sqrt(n_runs * together.n_runs) + together.steepest
    rounding = ULP * level * abs(value.total) + value.rounding
    return replace(value, error=value.error + alias(table, index, nodes.distance, epsilon) + rounding)


def _epsilon_error(
    doubted: Callable[[Value], Value], read: Reading, c: float, upper: Array, target: Array, doubt: Array
) -> tuple[Array, Array]:
    """Return how far ε may be off, and the relative error of S there, if e^target is right to a relative `doubt`.

    So far to both sides that S with its error is certainly past the target, as S e^{−cε} falls in ε, and within 0 and
    `upper`: where that hardly falls, a slope would say too little.
    """
    nodes, at_epsilon = read[0], doubted(read[1])
    epsilon = at_epsilon.epsilon
    with np.errstate(all="ignore"):
        relative = np.where(at_epsilon.total > at_epsilon.error, at_epsilon.error / at_epsilon.total, np.inf) + doubt
        step = np.where(relative < 0.5, 1.5 * relative / at_epsilon.fall + 8 * ULP * epsilon, np.inf)
        while True:
            above, below = np.minimum(epsilon + step, upper), np.maximum(epsilon - step, 0)
            at_both = doubted(nodes.value(np.stack([above, below])))
            (most, least), (risen, fallen) = at_both.total, at_both.error
            past = np.log(most + risen) - c * above - target <= -doubt
            before = np.log(least - fallen) - c * below - target >= doubt
            enough = (past | (above >= upper)) & (before | (below <= 0))
            if np.all(enough):
                return np.maximum(above - epsilon, epsilon - below), relative
            step = np.where(enough, step, 4 * step)


def _epsilon_by_newton(nodes: Series, epsilon: Array, upper: Array, target: Array) -> Array:
    """Return the ε in [0, upper] at which ln S − cε reaches the target, or 0, by Newton's steps in a bracket.

    ln δ is nearly always concave in ε, and then the steps end up approaching from above.
    """
    c = nodes.c

    def method(epsilon: Array) -> Step[Array]:
        total, slope = nodes.summed(epsilon)
        with np.errstate(all="ignore"):
            short = np.log(total) - c * epsilon - target
            step = np.where((total > 0) & (slope > 0), short * total / slope, -1 / c)
        stepped = np.maximum(epsilon + step, 0)
        reached = abs(short) <= 2 * ULP * (1 + abs(c * epsilon) + abs(target))
        near = reached | (abs(stepped - epsilon) * c <= _LAST_STEP)
        return stepped, near, short > 0, np.where(reached, epsilon, stepped)

    return np.minimum(root_by_steps(method, epsilon, np.full(upper.shape, -1.0), upper, 40).state, upper)
