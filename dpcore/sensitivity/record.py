"""The record of a sensitivity: its norms, and how many numbers differ by how much."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._records import PlainRecord
from dpcore.checks import (
    SHAPE_RANGE,
    Array,
    number,
)
from dpcore.rounding import ULP, round_up

NEIGHBOURS = ("add_remove", "replace")


LARGEST_WHOLE_DOUBLE = 2.0**53  # A whole number below this limit is a double.


@dataclass(frozen=True)
class Sensitivity(PlainRecord):
    """The largest differences of the released numbers between neighbouring data sets, in query units.

    Attributes
    ----------
    l1, l2 : Δ₁ and Δ₂. They are exact where they are whole numbers, and rounded up in their last bits elsewhere.
    n_moved : an upper bound of how many numbers differ at once; infinite where no bound is known.
    largest : the most by which one cell (or one statistic) differs.
    equal : whether no number differs by more than `largest`. A total differs by more where a person is in several
        cells.
    whole : whether the answers are known to differ by whole numbers only, so that noise on the whole numbers may be
        used. A sum is whole if the values are.

    The other fields describe the difference of the largest norm: `_numbers` of its entries have the size
    `_unit` · `_sizes`, for each position of the last axis.
    """

    l1: Array
    l2: Array
    n_moved: Array
    largest: Array
    equal: NDArray[np.bool_]
    whole: NDArray[np.bool_]
    _unit: Array
    _sizes: Array
    _numbers: Array

    @property
    def single(self) -> NDArray[np.bool_]:
        """Whether neighbouring answers differ in one number only, so that Δ₁ = Δ₂."""
        return cast("NDArray[np.bool_]", self.n_moved == 1)

    def lp(self, p: ArrayLike) -> Array:
        """Return Δ_p = u (Σ_g n_g s_g^p)^{1/p}, where n_g numbers differ by u s_g each, for p in [1, 100].

        Δ_p is in query units, equal to `l1` at p = 1 and to `l2` at p = 2, and above the formula's value by a relative
        (8 + G + ln Σ_g n_g)·2⁻⁵² at most elsewhere, where G is the number of groups (own error analysis).

        Examples
        --------
        >>> from dpcore.sensitivity import table_sensitivity
        >>> print(f"{table_sensitivity(8).lp(3):.4f}")
        2.0000
        """
        p = number("p", p, SHAPE_RANGE)
        numbers, n_groups = self._numbers, self._numbers.shape[-1]
        sizes = np.where(numbers > 0, self._sizes, 0.0)
        most = np.max(sizes, axis=-1, initial=0)
        with np.errstate(under="ignore"):
            share = sizes / np.where(most > 0, most, 1.0)[..., None]
            total = np.sum(numbers * share ** p[..., None], axis=-1)
        root = np.where(total > 0, total, 1.0) ** (1 / p)
        above = round_up(self._unit * most * root, 8 + n_groups + np.log(np.maximum(total, 1.0)))
        size = np.where(_is_alone(sizes, numbers), self._unit * most, above)
        return np.where(p == 1, self.l1, np.where(p == 2, self.l2, size))[()]


def of_one_number(size: Array, is_whole: NDArray[np.bool_]) -> Sensitivity:
    """Return the sensitivity of one number that differs by at most `size`."""
    size, is_whole = np.broadcast_arrays(size, is_whole)
    ones = np.ones_like(size)
    return of_largest_difference(size, ones[..., None], ones[..., None], ones, size, ones == 1, is_whole)


def of_largest_difference(
    unit: Array,
    sizes: Array,
    numbers: Array,
    n_moved: Array,
    largest: Array,
    equal: NDArray[np.bool_],
    is_whole: NDArray[np.bool_],
) -> Sensitivity:
    """Return the sensitivity where, of the largest difference, n_g entries are u s_g each.

    Δ₁ = u Σ n_g s_g and Δ₂ = u √(Σ n_g s_g²) are exact where a single entry differs, and where all parts are whole
    numbers that doubles hold. Elsewhere each of s_g, n_g s_g^p, the G − 1 additions, the root and the last product is
    off by half a unit in the last place at most, which (6 + G)/2 units cover.
    """
    alone = _is_alone(sizes, numbers)
    entry = unit * np.max(np.where(numbers > 0, sizes, 0.0), axis=-1, initial=0)
    parts_whole = (np.floor(unit) == unit) & np.all(np.floor(sizes) == sizes, axis=-1)
    margin = (6 + sizes.shape[-1]) // 2 * ULP
    with np.errstate(under="ignore"):
        total, squares = np.sum(numbers * sizes, axis=-1), np.sum(numbers * sizes**2, axis=-1)

    def norm(size: Array, is_exact: NDArray[np.bool_]) -> Array:
        product = unit * size
        exact = parts_whole & is_exact & (product < LARGEST_WHOLE_DOUBLE)
        return np.where(alone, entry, np.where(exact, product, product * (1 + margin)))[()]

    root = np.sqrt(squares)
    return Sensitivity(
        l1=norm(total, total < LARGEST_WHOLE_DOUBLE),
        l2=norm(root, (squares < LARGEST_WHOLE_DOUBLE) & (np.floor(root) == root) & (root**2 == squares)),
        n_moved=n_moved[()],
        largest=largest[()],
        equal=equal[()],
        whole=is_whole[()],
        _unit=unit,
        _sizes=sizes,
        _numbers=numbers,
    )


def _is_alone(sizes: Array, numbers: Array) -> NDArray[np.bool_]:
    """Return whether one entry at most is not zero, so that every norm is that entry."""
    return np.sum(np.where(sizes > 0, numbers, 0.0), axis=-1) <= 1
