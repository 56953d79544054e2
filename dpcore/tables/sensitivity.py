"""What one person moves in a table of counts: its sensitivities, for cells alone or with their totals beside them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._normal import ULP
from dpcore.checks import Array, number, option, whole

CELLS_RANGE = "[1, 1e15]"
PER_CELL_RANGE = "[1e-15, 1e15]"  # what a person adds to one cell, in the unit of the table
MARGINS_RANGE = "[0, 1000]"
NEIGHBOURS = ("add_remove", "replace")
_EXACT = 2.0**53  # up to here a whole number is a double


@dataclass(frozen=True)
class Moves:
    """How far neighbouring data sets move the released numbers: the cells, and the totals released with noise too.

    Attributes
    ----------
    l1, l2 : Δ₁ and Δ₂ in the unit of the table, rounded up in their last bits where they are no whole numbers.
    n_moved : the most numbers that move at once.
    largest : the most that one cell moves, c.
    equal : whether no number moves by more than `largest`; a total moves by more where a person is in several cells.
    whole : whether persons add whole numbers, so that noise for whole numbers may be used.
    """

    l1: Array
    l2: Array
    n_moved: Array
    largest: Array
    equal: NDArray[np.bool_]
    whole: NDArray[np.bool_]
    _into: Array  # cells that move up at most,
    _out_of: Array  # and cells that move down beside them
    _margins: Array

    def lp(self, p: ArrayLike) -> Array:
        """Δ_p = c (a + b + margins (a^p + b^p))^{1/p}, rounded up; a and b as in `moves`, p in [1, 100].

        Examples
        --------
        >>> print(f"{moves(8).lp(3):.4f}")
        2.0000
        """
        p = number("p", p, "[1, 100]")
        a, b, margins = self._into, self._out_of, self._margins
        with np.errstate(under="ignore"):  # of a^p, which may overflow, only shares are taken
            totals = a * ((a + b) * a**-p + margins * (1 + (b / a) ** p)) ** (1 / p)
        size = np.where(margins > 0, totals, (a + b) ** (1 / p))
        return np.where((size == 1) & (self.n_moved == 1), self.largest, self.largest * size * (1 + 64 * ULP))[()]


def moves(
    cells_per_person: ArrayLike,
    per_cell: ArrayLike = 1,
    neighbours: str = "add_remove",
    margins: ArrayLike = 0,
    n_cells: ArrayLike | None = None,
) -> Moves:
    """What one person moves who is in up to k cells, with at most c in each (own; `add_remove` and k = 1: [Liu19] §2).

    A person added or removed moves a = min(k, m) cells by c each at most. A person replaced by another takes as much
    from a cells and adds as much to b = min(a, m − a) others; a cell that both are in moves by c at most, since each
    adds between 0 and c there. With b = 0 for `add_remove`, the cells have Δ₁ = c(a + b) and Δ₂ = c√(a + b).

    Margins are sets of totals that are released with noise of their own: the grand total, the totals by row. Each set
    splits the cells into groups, so what a person adds to it is at most ca in all: Δ₁ grows by c(a + b), which summing
    can't exceed, and Δ₂² by c²(a² + b²), which is reached where a group holds all a cells and another all b. For
    k = c = 1 each set raises k by one. Totals summed from the noisy cells cost nothing and are no margins here.

    Parameters
    ----------
    cells_per_person : k, a whole number in [1, 1e15].
    per_cell : c in [1e-15, 1e15], in the unit of the table: a person adds between 0 and c to a cell.
    neighbours : "add_remove" for one person more or less, "replace" for one person changed into another.
    margins : how many sets of totals are released beside the cells, a whole number in [0, 1000].
    n_cells : m, the cells of the table, a whole number in [1, 1e15], if known: nobody moves more than all of them.

    Returns
    -------
    `Moves`, of the arguments' common shape.

    Examples
    --------
    >>> found = moves(3, neighbours="replace")
    >>> print(f"{found.l1:.0f}, {found.l2:.4f}")
    6, 2.4495
    """
    k, c = whole("cells_per_person", cells_per_person, CELLS_RANGE), number("per_cell", per_cell, PER_CELL_RANGE)
    option("neighbours", neighbours, NEIGHBOURS)
    margins = whole("margins", margins, MARGINS_RANGE)
    m = np.asarray(np.inf) if n_cells is None else whole("n_cells", n_cells, CELLS_RANGE)
    a, c, margins, m = np.broadcast_arrays(np.minimum(k, m), c, margins, m)
    b = np.minimum(a, m - a) if neighbours == "replace" else np.zeros_like(a)
    n_moved = (a + b) * (1 + margins)
    squares = a + b + margins * (a**2 + b**2)
    root = np.sqrt(squares)
    return Moves(
        l1=_times(c, n_moved, n_moved < _EXACT),
        l2=_times(c, root, (squares < _EXACT) & (np.floor(root) == root)),
        n_moved=n_moved[()],
        largest=c[()],
        equal=(margins == 0) | (a == 1),
        whole=np.floor(c) == c,
        _into=a,
        _out_of=b,
        _margins=margins,
    )


def _times(c: Array, size: Array, exact: NDArray[np.bool_]) -> Array:
    """c · size, rounded up but where a whole number is times an exact one, and the product exact too."""
    product = c * size
    kept = exact & ((size == 1) | ((np.floor(c) == c) & (product < _EXACT)))
    return np.where(kept, product, product * (1 + 4 * ULP))[()]
