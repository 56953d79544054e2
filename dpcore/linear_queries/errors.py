"""The error of each published number, as a multiple of the noise at sensitivity 1."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, option, scalar, scalar_integer
from dpcore.linear_queries.changes import Persons, largest_change
from dpcore.linear_queries.strategies import Strategy, binary_tree, per_number, per_period, square_root, tree
from dpcore.linear_queries.workloads import PERIODS_RANGE, Workload, workload

CLOSED_FORMS: dict[str, Callable[[Workload, int, int], Strategy]] = {
    "per_period": lambda numbers, _branching, _bands: per_period(numbers),
    "per_number": lambda numbers, _branching, _bands: per_number(numbers),
    "tree": lambda numbers, branching, _bands: tree(numbers, branching),
    "binary_tree": lambda numbers, _branching, _bands: binary_tree(numbers),
    "square_root": lambda numbers, _branching, _bands: square_root(numbers, is_normalized=False),
    "normalized_square_root": lambda numbers, _branching, _bands: square_root(numbers, is_normalized=True),
    "banded": lambda numbers, _branching, bands: square_root(numbers, is_normalized=False, n_bands=bands),
}
STRATEGIES = (*CLOSED_FORMS, "best")
NORMS = {"gaussian": 2, "laplace": 1}
_AMOUNT_RANGE = "[1e-100, 1e100]"  # what a person adds to one cell, or to all
_BRANCHING_RANGE = "[2, 1000]"


@dataclass(frozen=True, eq=False)
class Errors:
    """The errors of published numbers, as multiples of the standard deviation of the noise at sensitivity 1.

    Attributes
    ----------
    strategy : which one; of "best" the one that was found.
    sensitivity : max ‖Rx‖ of one person, in the norm of the noise, rounded up; at least that.
    is_exact : whether a person reaches the sensitivity; if not, the errors are upper bounds too.
    each : of each published number, sensitivity · ‖L_i‖₂.
    largest, root_mean_square : of all published numbers.
    """

    strategy: str
    sensitivity: float
    is_exact: bool
    each: Array
    largest: float
    root_mean_square: float


def error(
    workload: str | ArrayLike,
    strategy: str,
    n: int,
    contributions: int = 1,
    *,
    per_cell: float = 1.0,
    total: float | None = None,
    neighbours: str = "add_remove",
    noise: str = "gaussian",
    window: int = 12,
    branching: int = 2,
    bands: int = 8,
) -> Errors:
    """max ‖Rx‖ · ‖L_i‖₂ with LR = W: the error of each number i when the sums R receive the noise ([LM15]).

    A number's standard deviation is this multiple of the standard deviation of one number's noise at sensitivity 1:
    σ₁ = `gaussian.analytic_sigma(epsilon, delta)`, or √2/ε of Laplace noise. ε and δ are those of a person for the
    whole series, however long it is.

    Parameters
    ----------
    workload : "each", "running_totals", "window" (the last w), "ranges" (all sums of neighbouring cells),
        "year_to_date" (running totals that begin again every w periods), "cumulated_distribution", or an own matrix of
        zeros and ones with n columns.
    strategy : "per_period", "per_number", "tree" (b-ary, whole subtrees only, least squares over all nodes, which needs
        the last period for the first number), "binary_tree" (plain, [CSS11]), "square_root" ([FHU23]),
        "normalized_square_root" ([HKU25]), "banded" (the square root's first diagonals), or "best": that with the least
        `largest` of these.
    n : T, the number of periods or cells, in [1, 1000].
    contributions : k, in how many periods a person may be, in [1, 1000]; n counts if it is less.
    per_cell : c, how much a person may add to one cell, in [1e-100, 1e100].
    total : N, how much a person may add to all cells, in [1e-100, 1e100]; None for k·c.
    neighbours : "add_remove" a person, or "replace" one by another.
    noise : "gaussian", with sensitivities in ℓ₂ norm, or "laplace", in ℓ₁ norm.
    window : w in [1, 1000], of windows and of years alone.
    branching : b in [2, 1000], of trees alone.
    bands : how many diagonals, in [1, 1000], of "banded" alone.

    Returns
    -------
    Errors
        In the unit of `per_cell`. The sensitivity is exact for one contribution under "add_remove", and for more with
        "per_period", trees, and the square roots of running totals; else `is_exact` says it. An upper bound that is
        not exact is on the safe side: more noise than is needed.

    Raises
    ------
    ValueError
        `n must be in [1, 1000], got 0`; so for each argument outside its range.

    Examples
    --------
    >>> adding_up = error("running_totals", "per_period", 36)
    >>> round(adding_up.largest, 6), round(adding_up.root_mean_square, 3)
    (6.0, 4.301)
    >>> round(error("running_totals", "square_root", 36).largest, 6)
    2.204741
    >>> error("running_totals", "best", 36, contributions=18).strategy
    'per_period'
    """
    numbers = _workload(workload, n, window)
    k = scalar_integer("contributions", contributions, PERIODS_RANGE)
    c = scalar("per_cell", per_cell, _AMOUNT_RANGE)
    most = k * c if total is None else scalar("total", total, _AMOUNT_RANGE)
    option("neighbours", neighbours, ("add_remove", "replace"))
    option("noise", noise, tuple(NORMS))
    option("strategy", strategy, STRATEGIES)
    b = scalar_integer("branching", branching, _BRANCHING_RANGE)
    diagonals = scalar_integer("bands", bands, PERIODS_RANGE)
    persons = Persons(min(k, numbers.n), c, most, neighbours)
    names = tuple(CLOSED_FORMS) if strategy == "best" else (strategy,)
    found = [_errors(name, _strategy(numbers, name, b, diagonals), persons, NORMS[noise]) for name in names]
    return min(found, key=lambda errors: errors.largest)


def _errors(name: str, strategy: Strategy, persons: Persons, norm: int) -> Errors:
    change = largest_change(strategy, persons, norm)
    each = change.size * np.sqrt(strategy.squares)
    root_mean_square = float(change.size * np.sqrt(strategy.squares.mean()))
    return Errors(name, change.size, change.is_exact, each, float(each.max()), root_mean_square)


def _workload(name: str | ArrayLike, n: int, window: int) -> Workload:
    """Return a workload; the same object for the same name, so that its strategies are computed once."""
    numbers = workload(name, n, window)
    return numbers if numbers.own is not None else _named(numbers.name, numbers.n, numbers.window)


_named = lru_cache(64)(workload)


@lru_cache(64)
def _strategy(numbers: Workload, name: str, branching: int, bands: int) -> Strategy:
    return CLOSED_FORMS[name](numbers, branching, min(bands, numbers.n))
