"""How far one person can move the noisy sums of a strategy: a person in several cells, in ℓ₂ and in ℓ₁ norm.

A person x adds at most c to each of at most k cells, and N in all. ‖Rx‖ is convex, so that it is largest where x is c
in all of its cells but one. Added or removed, x itself is the change; replaced, the change is x − y of two persons.

The bounds hold for every strategy. Let D be the least matrix with D ≥ |RᵀR| that does not grow when both places move on
or when they move apart: then |x|ᵀ RᵀR |x| is at most that of D and a person in the first cells. Where D is RᵀR in the
first k places (Toeplitz matrices with falling coefficients; R = I), the bound is reached. Trees are convex in the sums
of each level, and first cells fill whole subtrees of every size at once, so there it is reached too.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from dpcore.checks import Array
from dpcore.linear_queries.strategies import Strategy
from dpcore.rounding import round_up

_MOST_WHOLE = 2.0**25  # of a size, whose square is exact as a double
_REACHED = 1 - 1e-9  # as far below a bound as rounding may put the value that reaches it


class Persons(NamedTuple):
    """Who is protected: a person in at most k cells (`contributions`), with at most c in each, and N in all."""

    contributions: int
    per_cell: float
    total: float
    neighbours: str


class Change(NamedTuple):
    """The largest change of a strategy's sums: its size, and whether a person reaches it; else it is an upper bound."""

    size: float
    is_exact: bool


def largest_change(strategy: Strategy, persons: Persons, norm: int) -> Change:
    """Return max ‖Rx‖ over all changes by one person, in ℓ₁ or ℓ₂ norm, or an upper bound where it is not known."""
    bound, reached = (_l1 if norm == 1 else _l2)(strategy, persons)
    n, amounts = strategy.gram.shape[0], (persons.per_cell, persons.total)
    rounding = 2.0 * n * (1 if strategy.is_nonnegative else n)
    if strategy.is_whole and bound < _MOST_WHOLE and all(amount % 1 == 0 for amount in amounts if amount < np.inf):
        rounding = 4.0  # sums of whole numbers are exact, and so are their squares
    return Change(round_up(bound, rounding), reached >= bound * _REACHED)


def _amounts(persons: Persons, n: int, n_persons: int = 1) -> Array:
    """Return c, c, …, and what remains of N, the largest first: of one person, or of two who share no cell."""
    k = min(persons.contributions, n)
    left = np.maximum(persons.total - persons.per_cell * np.arange(k), 0)
    amounts = np.minimum(left, persons.per_cell)
    return -np.sort(-np.tile(amounts[amounts > 0], n_persons))[:n]


def _l1(strategy: Strategy, persons: Persons) -> tuple[float, float]:
    """Return Σ |x_j| ‖R_j‖₁ of the longest columns, and the same if nothing cancels in it.

    Of zeros and ones, two columns differ in as many places as they have ones, less those in common twice.
    """
    n_persons, sums = 1 if persons.neighbours == "add_remove" else 2, strategy.column_sums
    alone = _amounts(persons, sums.size)
    if n_persons == 2 and alone.size == 1 and strategy.is_whole and (strategy.gram.diagonal() == sums).all():
        moved = float(alone[0] * max((sums[:, np.newaxis] + sums - 2 * strategy.gram).max(), sums.max()))
        return moved, moved
    amounts = _amounts(persons, strategy.column_sums.size, n_persons)
    bound = float(np.sort(strategy.column_sums)[::-1][: amounts.size] @ amounts)
    adds_up = strategy.is_diagonal or (n_persons == 1 and (strategy.is_nonnegative or amounts.size == 1))
    return bound, bound if adds_up else 0.0


def _l2(strategy: Strategy, persons: Persons) -> tuple[float, float]:
    """Return an upper bound of ‖Rx‖₂, and the largest of the changes that are tried."""
    gram, amounts = strategy.gram, _amounts(persons, strategy.gram.shape[0])
    reached = _reached(strategy, amounts)
    bound = _bound(strategy, amounts, reached)
    reached = bound if amounts.size == 1 else reached
    if persons.neighbours == "add_remove":
        return bound, reached
    if amounts.size == 1:
        size = gram.diagonal()
        squares = np.maximum(size[:, np.newaxis] + size - 2 * gram, size)
        moved = float(amounts[0] * np.sqrt(squares.max()))
        return moved, moved
    apart = np.sqrt(2.0) if gram.min() >= 0 else 2.0  # ‖R(x − y)‖² ≤ ‖Rx‖² + ‖Ry‖² if (Rx)ᵀRy ≥ 0
    change = np.zeros(gram.shape[0])
    change[: amounts.size] = amounts
    change[gram.shape[0] - amounts.size :] -= amounts[::-1]
    moved = float(np.sqrt(max(change @ gram @ change, 0.0)))
    both = _bound(strategy, _amounts(persons, gram.shape[0], 2), moved)
    return min(bound * apart, both), max(reached, moved)


def _bound(strategy: Strategy, amounts: Array, reached: float) -> float:
    """Return an upper bound of ‖Rx‖₂ over all x of these amounts, whichever their cells and signs.

    No better bound is sought than one that is `reached`.
    """
    k, by_order = amounts.size, _by_order(strategy, amounts)
    if k == 1 or strategy.is_tree or reached >= by_order * _REACHED:
        return by_order
    longest = np.sort(strategy.falling_rows[:, :k] @ amounts)[: -k - 1 : -1]
    return min(by_order, float(np.sqrt(longest @ amounts)))


def _by_order(strategy: Strategy, amounts: Array) -> float:
    """Return ‖Rx‖₂ of a person in the first cells of a tree, or of the matrix that dominates RᵀR."""
    k, rest = amounts.size, amounts[0] - amounts[-1]  # the cell with the remainder may be any of them
    if k == 1:
        return float(amounts[0] * np.sqrt(strategy.gram.diagonal().max()))
    if strategy.is_tree:
        return _of_first(strategy, amounts)
    square = amounts[0] ** 2 * float(strategy.first_sums[k - 1])
    if rest:
        first = strategy.dominating[:k, :k]
        square += float((rest**2 * first.diagonal() - 2 * amounts[0] * rest * first.sum(axis=1)).max())
    return float(np.sqrt(square))


def _reached(strategy: Strategy, amounts: Array) -> float:
    """Return the largest ‖Rx‖₂ of persons in neighbouring cells at the start, in the middle and at the end.

    No larger one is sought than one that reaches the bound.
    """
    gram, n, k = strategy.gram, strategy.gram.shape[0], amounts.size
    if amounts[0] == amounts[-1] and (strategy.is_tree or strategy.is_falling):
        return _of_first(strategy, amounts)
    largest, bound = 0.0, _by_order(strategy, amounts)
    for first, x in product((0, (n - k) // 2, n - k), (amounts, amounts[::-1])):
        largest = max(largest, float(np.sqrt(x @ gram[first : first + k, first : first + k] @ x)))
        if largest >= bound * _REACHED:
            break
    return largest


def _of_first(strategy: Strategy, amounts: Array) -> float:
    """Return ‖Rx‖₂ of a person in the first cells, of a tree or where RᵀR is falling."""
    k = amounts.size
    if amounts[0] == amounts[-1]:
        return float(amounts[0] * np.sqrt(strategy.first_sums[k - 1]))
    return float(np.sqrt(amounts @ strategy.gram[:k, :k] @ amounts))
