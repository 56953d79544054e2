"""The enclosure of what one person moves in all noisy sums of a series. What a proof covers is in `dpcore.verify`.

Sums of zeros and ones are whole numbers, exactly. The coefficients of square roots are fractions over powers of two,
here integers over 2^192 with the error of their rounding; their inner products and lengths are between two integers.

What is taken over are two theorems of `dpcore.linear_queries`: of a matrix that dominates |RᵀR|, and does not grow when
both places move on or when they move apart, a person in the first cells has most; and so of a tree.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, isqrt
from typing import Any, NamedTuple

import numpy as np

from dpcore.checks import leave_out, option, or_default, scalar, scalar_integer
from dpcore.verify.formulas import Enclosure

_BITS = 192
_N_RANGE, _AMOUNT_RANGE = "[1, 1000]", "[1e-100, 1e100]"
_TREES, _ROOTS = ("tree", "binary_tree"), ("square_root", "normalized_square_root", "banded")
_SPANS: dict[str, Callable[[int, int], list[tuple[int, int]]]] = {
    "each": lambda n, _: [(i, i + 1) for i in range(n)],
    "running_totals": lambda n, _: [(0, i + 1) for i in range(n)],
    "cumulated_distribution": lambda n, _: [(0, i + 1) for i in range(n)],
    "window": lambda n, w: [(max(i + 1 - w, 0), i + 1) for i in range(n)],
    "year_to_date": lambda n, w: [(i // w * w, i + 1) for i in range(n)],
    "ranges": lambda n, _: [(first, end) for first in range(n) for end in range(first + 1, n + 1)],
}


class _Columns(NamedTuple):
    """RᵀR and the ℓ₁ lengths of the columns of R between two bounds, as arrays of integers over 2^`bits`."""

    low: Any
    high: Any
    shortest: Any
    longest: Any
    bits: int


def sums_change(
    strategy: str,
    n: int,
    contributions: int = 1,
    *,
    per_cell: float = 1.0,
    total: float | None = None,
    neighbours: str = "add_remove",
    norm: int = 2,
    workload: str | Sequence[str] = "running_totals",
    window: int | None = None,
    branching: int | None = None,
    bands: int | None = None,
) -> Enclosure:
    """max ‖Rx‖ of one person, in ℓ₁ or ℓ₂ norm: the sensitivity of `linear_queries.error`, where that is exact.

    Elsewhere the lower end is what some person reaches, and the upper one a bound that may be above that of `error`.

    Parameters
    ----------
    strategy : those of `linear_queries.error` but "optimum" and "best".
    n, contributions, per_cell, total : T, k, c and N.
    neighbours : "add_remove"; or "replace", for one contribution, in ℓ₁ norm not for square roots.
    norm : 1 or 2.
    workload : a name, or the rows of an own matrix as texts of zeros and ones.
    window : of the workloads "window" and "year_to_date", 12 unless said.
    branching, bands : of "tree" and of "banded", 2 and 8 unless said.

    Examples
    --------
    >>> interval = sums_change("tree", 36, contributions=18)
    >>> print(f"{interval.high:.9f}")
    28.948229652
    """
    option("strategy", strategy, ("per_period", "per_number", *_TREES, *_ROOTS))
    n, k = scalar_integer("n", n, _N_RANGE), scalar_integer("contributions", contributions, _N_RANGE)
    c = Fraction(scalar("per_cell", per_cell, _AMOUNT_RANGE))
    most = c * k if total is None else Fraction(scalar("total", total, _AMOUNT_RANGE))
    option("neighbours", neighbours, ("add_remove", "replace"))
    of_l1 = scalar_integer("norm", norm, "[1, 2]") == 1
    own = {"tree": {"branching": branching}, "banded": {"bands": bands}}
    for kind, arguments in own.items():
        leave_out(f"strategy {strategy}", **(arguments if kind != strategy else {}))
    if workload not in ("window", "year_to_date"):
        leave_out(f"workload {workload if isinstance(workload, str) else 'own'}", window=window)
    w = scalar_integer("window", or_default(window, 12), _N_RANGE)
    b = scalar_integer("branching", or_default(branching, 2), "[2, 1000]")
    n_bands = scalar_integer("bands", or_default(bands, 8), _N_RANGE)
    is_replaced = neighbours == "replace"
    if is_replaced:
        scalar_integer("contributions, where a person is replaced,", k, "[1, 1]")
    if isinstance(workload, str):
        option("workload", workload, tuple(_SPANS))
    if strategy in _ROOTS:
        name = workload if isinstance(workload, str) else "own"
        columns = _root_columns(_coefficients(name, n, w, n_bands if strategy == "banded" else n), n)
        columns = _normalized(columns) if strategy == "normalized_square_root" else columns
    else:
        columns = _whole_columns(_sums(strategy, n, workload, w, 2 if strategy == "binary_tree" else b), n)
    amounts = [min(c, most - c * place) for place in range(min(k, n)) if most > c * place]
    unit = 1 << columns.bits
    if of_l1:
        low, high = _l1(columns, amounts, is_replaced=is_replaced)
        return Enclosure(_down(low / unit), _up(high / unit), _BITS, is_probability=False)
    low, high = _replaced(columns, amounts[0]) if is_replaced else _l2(columns, amounts, is_tree=strategy in _TREES)
    return Enclosure(_root_down(low / unit), _root_up(high / unit), _BITS, is_probability=False)


def _sums(strategy: str, n: int, workload: str | Sequence[str], window: int, branching: int) -> list[int]:
    """Return the rows of R, of zeros and ones, each as an integer whose bit j is that of cell j."""
    if strategy == "per_number" and not isinstance(workload, str):
        return [int(row[::-1], 2) for row in workload]
    if strategy in _TREES:
        sizes = [1]
        while sizes[-1] * branching <= n:
            sizes.append(sizes[-1] * branching)
        sizes += [n] if n % sizes[-1] == 0 and n != sizes[-1] else []
        spans = [(first, first + size) for size in sizes for first in range(0, n - size + 1, size)]
    else:
        spans = _SPANS[str(workload) if strategy == "per_number" else "each"](n, window)
    return [(1 << end) - (1 << first) for first, end in spans]


def _whole_columns(rows: list[int], n: int) -> _Columns:
    """Return what is exact of the columns of zeros and ones."""
    columns = [sum(1 << place for place, row in enumerate(rows) if row >> cell & 1) for cell in range(n)]
    gram = np.array([[(one & other).bit_count() for other in columns] for one in columns], object)
    return _Columns(gram, gram, gram.diagonal(), gram.diagonal(), 0)


def _coefficients(name: str, n: int, window: int, n_bands: int) -> list[int]:
    """Return the first column of R, of one year, over 2^192, each rounded down.

    That of running totals is binom(2i, i)/4^i, and of windows its product with the power series of √(1 − z^w).
    """
    if name == "each":
        return [1 << _BITS] + [0] * (n - 1)
    size = min(n, window) if name == "year_to_date" else n
    series = [comb(2 * i, i) << 2 * (size - i) for i in range(size)]  # over 4^size
    bits = 2 * size
    if name == "window":
        wide = {m * window: -(comb(2 * m, m) // (2 * m - 1)) << 2 * (size - m) for m in range(-(-size // window))}
        series = [sum(own * series[i - lag] for lag, own in wide.items() if lag <= i) for i in range(size)]
        bits *= 2
    kept = series[:n_bands] + [0] * (size - n_bands)
    return [(each << _BITS) >> bits for each in kept]


def _root_columns(series: list[int], n: int) -> _Columns:
    """Return the columns of a Toeplitz matrix that begins again every year; |r| ≤ 1, and each r is off by 2^−192."""
    r, year = np.array(series, object), len(series)
    gram, off = np.zeros((2, n, n), object), 3 * n << _BITS
    lengths: Any = np.zeros(n, object)
    for start in range(0, n, year):
        size = min(year, n - start)
        for lag in range(size):
            later, earlier = np.arange(start + lag, start + size), np.arange(start, start + size - lag)
            products = np.cumsum(r[: size - lag] * r[lag:size])[::-1]
            gram[:, later, earlier] = gram[:, earlier, later] = np.array([products - off, products + off])
        sums: Any = np.cumsum(abs(r[:size]))[::-1]
        lengths[start : start + size] = sums << _BITS
    return _Columns(gram[0], gram[1], lengths - (n << _BITS), lengths + (n << _BITS), 2 * _BITS)


def _normalized(columns: _Columns) -> _Columns:
    """Return the columns divided by their lengths in ℓ₂ norm."""
    short, long = (
        np.array([isqrt(each) + side for each in gram.diagonal()], object)
        for side, gram in enumerate((columns.low, columns.high))
    )
    smaller, larger = np.multiply.outer(short, short), np.multiply.outer(long, long)
    low = (columns.low << columns.bits) // np.where(columns.low > 0, larger, smaller)
    high = -(-(columns.high << columns.bits) // np.where(columns.high > 0, smaller, larger))
    least, most = columns.shortest << _BITS, columns.longest << _BITS
    return _Columns(low, high, least // long, -(-most // short), columns.bits)


def _least_falling(matrix: Any) -> Any:
    """Return the least matrix above one that does not grow when both places move on, or when they move apart."""
    falling = matrix.copy()
    for place in range(len(matrix) - 1, -1, -1):
        row = matrix[place, place:].copy()
        if place + 1 < len(matrix):
            row[:-1] = np.maximum(row[:-1], falling[place + 1, place + 1 :])
        falling[place, place:] = falling[place:, place] = np.maximum.accumulate(row[::-1])[::-1]
    return falling


def _squared(gram: Any, amounts: list[Fraction], rest: int) -> Fraction:
    """Return xᵀGx of a person in the first cells, with the last of the amounts in the cell `rest`."""
    k, less = len(amounts), amounts[0] - amounts[-1]
    first = gram[:k, :k]
    return (
        amounts[0] ** 2 * int(first.sum())
        - 2 * amounts[0] * less * int(first[rest].sum())
        + less**2 * int(first[rest, rest])
    )


def _l2(columns: _Columns, amounts: list[Fraction], *, is_tree: bool) -> tuple[Fraction, Fraction]:
    """Return bounds of the largest ‖Rx‖₂²: of persons in neighbouring cells, and of all persons.

    Where no person in neighbouring cells reaches the bound by the falling matrix, that by the largest entries of each
    row is tried too.
    """
    n, k = len(columns.low), len(amounts)
    places = [k - 1] if is_tree else range(k)
    low = amounts[0] ** 2 * int(columns.low.diagonal().max())
    for first in {0, (n - k) // 2, n - k}:
        own = columns.low[first : first + k, first : first + k]
        low = max(low, *(_squared(own, amounts, place) for place in places))
    if is_tree:
        return low, _squared(columns.high, amounts, k - 1)
    sizes = np.maximum(columns.high, -columns.low)
    high = max(_squared(_least_falling(sizes), amounts, place) for place in places)
    if high > low * (1 + Fraction(1, 1 << _BITS // 2)):
        high = min(high, _longest([_longest(row, amounts) for row in sizes], amounts))
    return low, high


def _replaced(columns: _Columns, amount: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds of the largest ‖R(x − y)‖₂² of two persons in one cell each, or of one of them alone."""
    bounds = [
        max(int((own[:, np.newaxis] + own - 2 * others).max()), int(own.max()))
        for own, others in ((columns.low.diagonal(), columns.high), (columns.high.diagonal(), columns.low))
    ]
    return amount**2 * bounds[0], amount**2 * bounds[1]


def _l1(columns: _Columns, amounts: list[Fraction], *, is_replaced: bool) -> tuple[Fraction, Fraction]:
    """Return bounds of the largest ‖Rx‖₁: the longest columns, or of zeros and ones in how many places two differ."""
    if is_replaced:
        option("strategy, in ℓ₁ norm where a person is replaced,", "root" if columns.bits else "sums", ("sums",))
        return _replaced(columns, Fraction(1))[0] * amounts[0], _replaced(columns, Fraction(1))[1] * amounts[0]
    cancels = len(amounts) > 1 and columns.low.min() < -(columns.high.max() >> _BITS // 2)
    low = amounts[0] * int(columns.shortest.max()) if cancels else _longest(columns.shortest, amounts)
    return low, _longest(columns.longest, amounts)


def _longest(lengths: Any, amounts: list[Fraction]) -> Fraction:
    """Return the sum of the largest numbers times the amounts."""
    largest = sorted(lengths, reverse=True)
    return sum((one * size for one, size in zip(amounts, largest, strict=False)), Fraction())


def _down(value: Fraction) -> float:
    """Return a double at most as large as a number that is at least 0."""
    near = float(value)
    return near if near <= value else math.nextafter(near, 0)


def _up(value: Fraction) -> float:
    near = float(value)
    return near if near >= value else math.nextafter(near, math.inf)


def _root_down(square: Fraction) -> float:
    """Return a double at most as large as a root."""
    near = math.sqrt(square)
    while Fraction(near) ** 2 > square:
        near = math.nextafter(near, 0)
    return near


def _root_up(square: Fraction) -> float:
    near = math.sqrt(square)
    while Fraction(near) ** 2 < square:
        near = math.nextafter(near, math.inf)
    return near
