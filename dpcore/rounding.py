"""Rounding to the safe side: constants and functions for results that must not lie below (or above) the true number.

A double carries a relative rounding error of at most `ULP`/2 for each operation. A result that was computed in k such
operations is moved by `k` or more of these units: `round_up` for what must not be too small (noise, ε, δ), `round_down`
for what must not be too large (a lower bound). The number of units is argued, or measured against mpmath, where it is
used. `round_sum_up` and `round_sum_down` are for sums that cancel, whose rounding goes by the size of their terms;
`total_up` is for sums that shall lose nothing. `product_error` and `quotient_excess` give what a single operation lost,
for differences that cancel.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, number

__all__ = [
    "BELOW_ONE",
    "TINY",
    "ULP",
    "product_error",
    "quotient_excess",
    "round_down",
    "round_sum_down",
    "round_sum_up",
    "round_up",
    "total_up",
]

ULP = 2.0**-52  # one unit in the last place of 1.0
BELOW_ONE = 1 - ULP  # next to the largest probability below 1
TINY = 5e-324  # the smallest double: one unit in the last place of a subnormal number

_FINITE = "(-inf, inf)"
_POSITIVE = "(0, inf)"
Real = TypeVar("Real", float, Array)


def round_up(value: Real, ulps: float | Array = 1) -> Real:
    """Return value · (1 + ulps · 2⁻⁵²), which is not below a nonnegative true number that `value` is within ulps of.

    It is for values that are 0 or more; a negative value moves away from 0, thus down. Of a subnormal value nothing
    is moved: add a multiple of `TINY` where that may happen. Nothing is checked, because this function stands in inner
    loops.

    Parameters
    ----------
    value : the computed number or numbers, in any unit.
    ulps : how many units of 2⁻⁵², relative to `value`; broadcasts with it.

    Returns
    -------
    The moved value, in the unit of `value`.

    Examples
    --------
    >>> round_up(1.0), round_up(1.0, 4) - 1 == 4 * ULP
    (1.0000000000000002, True)
    """
    return value * (1 + ulps * ULP)  # pyright: ignore[reportReturnType]


def round_down(value: Real, ulps: float | Array = 1) -> Real:
    """Return value · (1 − ulps · 2⁻⁵²), which is not above a nonnegative true number that `value` is within ulps of.

    It is for values that are 0 or more; a negative value moves towards 0, thus up. Nothing is checked, because this
    function stands in inner loops.

    Parameters
    ----------
    value : the computed number or numbers, in any unit.
    ulps : how many units of 2⁻⁵², relative to `value`; broadcasts with it.

    Returns
    -------
    The moved value, in the unit of `value`.

    Examples
    --------
    >>> round_down(1.0), 1 - round_down(1.0, 4) == 4 * ULP
    (0.9999999999999998, True)
    """
    return value * (1 - ulps * ULP)  # pyright: ignore[reportReturnType]


def round_sum_up(value: Real, size: Real, ulps: float = 1) -> Real:
    """Return value + ulps · 2⁻⁵² · size: not below a true sum, of either sign, whose terms are off by ulps of them.

    Nothing is checked, because this function stands in inner loops.

    Parameters
    ----------
    value : the computed sum or difference, in any unit.
    size : the sum of the magnitudes of its terms, in the unit of `value`; broadcasts with it.
    ulps : how many units of 2⁻⁵², relative to `size`.

    Returns
    -------
    The moved value, in the unit of `value`.

    Examples
    --------
    >>> round_sum_up(1e9 - (1e9 - 1), size=2e9) == 1 + 2e9 * ULP
    True
    """
    return value + ulps * ULP * size


def round_sum_down(value: Real, size: Real, ulps: float = 1) -> Real:
    """Return value − ulps · 2⁻⁵² · size: not above a true sum, of either sign, whose terms are off by ulps of them.

    Nothing is checked, because this function stands in inner loops.

    Parameters
    ----------
    value, size, ulps : as in `round_sum_up`.

    Returns
    -------
    The moved value, in the unit of `value`.

    Examples
    --------
    >>> round_sum_down(1e9 - (1e9 - 1), size=2e9) == 1 - 2e9 * ULP
    True
    """
    return value - ulps * ULP * size


def total_up(values: Sequence[float | Fraction], counts: Sequence[int]) -> float:
    """Return Σ nᵢxᵢ, rounded up from the exact sum: the least double that is not below it.

    A total that is a double, as 4 · 0.25, is therefore met exactly. Nothing is checked, because this function stands in
    inner loops.

    Parameters
    ----------
    values : xᵢ, finite, in any unit.
    counts : nᵢ, of each value, whole numbers.

    Returns
    -------
    The sum, in the unit of `values`.

    Examples
    --------
    >>> total_up([0.25], [4]), total_up([0.1], [10])  # the double 0.1 is larger than 1/10
    (1.0, 1.0000000000000002)
    """
    exact = sum((Fraction(value) * n for value, n in zip(values, counts, strict=True)), Fraction(0))
    total = float(exact)
    return total if Fraction(total) >= exact else math.nextafter(total, math.inf)


def product_error(a: Array, b: Array, product: Array) -> Array:
    """Return `product` − a·b, exact where `product` is within an ulp or so of a·b (Dekker's product, Dekker 1971).

    Parameters
    ----------
    a, b : the factors, of absolute value below 1e300, so that splitting them does not overflow.
    product : their product, rounded.

    Returns
    -------
    What rounding added to the product. Nothing is checked, because this function stands in inner loops.

    Examples
    --------
    >>> product_error(np.array(0.1), np.array(10.0), np.array(1.0)).item()  # the double 0.1 is larger than 1/10
    -5.551115123125783e-17
    """
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    return (((product - a_high * b_high) - a_low * b_high) - a_high * b_low) - a_low * b_low


def _split(a: Array) -> tuple[Array, Array]:
    """Return the upper 26 bits of `a` and the rest, which are doubles that sum to it."""
    wide = 134217729.0 * a  # 2²⁷ + 1
    high = wide - (wide - a)
    return high, a - high


def quotient_excess(epsilon: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike) -> Array:
    """Return Δ/b − ε to a few roundings of itself, though it cancels where ε is nearly the whole privacy loss Δ/b.

    Parameters
    ----------
    epsilon : ε in (−inf, inf), in nats.
    scale : b in (0, inf), the scale of Laplace or geometric noise.
    sensitivity : Δ in (0, inf), in the unit of `scale`.

    Returns
    -------
    Δ/b − ε, in nats.

    Raises
    ------
    ValueError
        `scale must be in (0, inf), got 0`.

    Examples
    --------
    >>> quotient_excess(0.1, 10, 1).item()  # of the double 0.1, which is larger than 1/10
    -5.551115123125783e-18
    """
    step, power = np.frexp(number("sensitivity", sensitivity, _POSITIVE))
    width, width_power = np.frexp(number("scale", scale, _POSITIVE))
    loss = number("epsilon", epsilon, _FINITE)
    spent = loss * width
    excess = np.ldexp(step, power - width_power) - spent
    return (excess + product_error(loss, width, spent)) / width
