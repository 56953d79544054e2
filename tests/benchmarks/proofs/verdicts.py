"""Verdicts on whether rounded results lie on the safe side of their definitions, and by how much they exceed them.

A definition is a formula of flint intervals. It is evaluated with ever more bits until its value is certain to 128 of
them, so that a comparison with a double is a proof. A verdict is whether the result is safe, and its excess in units of
2⁻⁵².
"""

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from flint import arb, ctx

from tests.oracle import BITS, ULP, Numbers

Verdict = tuple[bool, float]
Formula = Callable[..., arb | tuple[arb, arb]]
Claims = Iterator[tuple[str, Iterable[Verdict]]]
Columns = tuple[Numbers, ...]
MOST_BITS = 1 << 14
NOTHING = arb(2) ** -1500
LEAST = 1e-300  # the relative excess of a smaller result says nothing


def exact(value: float) -> arb:
    return arb(float(value))


def certain(formula: Formula, row: Iterable[float], other: float | None = None) -> tuple[arb, arb]:
    """Return a formula's value and its second value, or 1, to `BITS` bits, also of the difference from a number."""
    precision = 2 * BITS
    arguments = [exact(value) for value in row]
    while True:
        with ctx.workprec(precision):
            statement = formula(*arguments)
            value, slope = statement if isinstance(statement, tuple) else (statement, arb(1))
            part = value if other is None else value - exact(other)
            if part.rel_accuracy_bits() >= 1 + BITS * (other is None) or abs(part) < NOTHING:
                return value, slope
        precision *= 2


def is_safe(formula: Formula, row: Iterable[float], limit: float, side: int) -> bool:
    """Return whether a value is proved to be at most (side 1) or at least (side −1) the limit, or nearly equals it."""
    with ctx.workprec(MOST_BITS):
        gap = side * (exact(limit) - certain(formula, row, limit)[0])
        return gap >= 0 or abs(gap) < NOTHING


def columns(function: Callable[..., Numbers], arguments: Columns) -> Iterator[Numbers]:
    """Yield the results for single rows and for whole arrays, since vectorized kernels may differ."""
    yield np.array([float(function(*row)) for row in zip(*arguments, strict=True)])
    yield np.broadcast_to(function(*arguments), arguments[0].shape)


def value_verdicts(
    function: Callable[..., Numbers], true_value: Formula, arguments: Columns, side: int = 1
) -> Iterator[Verdict]:
    """Return verdicts on results that must be at least (side 1) or at most (side −1) a value; excess is relative."""
    rows = [tuple(row) for row in zip(*arguments, strict=True)]
    true = [certain(true_value, row)[0] for row in rows]
    for column in columns(function, arguments):
        for row, value, answer in zip(rows, true, column.tolist(), strict=True):
            with ctx.workprec(2 * BITS):
                gap = side * (exact(answer) - value)
                excess = float(gap / abs(value)) / ULP if abs(value) > LEAST else 0.0
            yield gap >= 0 or is_safe(true_value, row, answer, side), excess


def guarantee_verdicts(
    function: Callable[..., Numbers],
    guarantee: Formula,
    arguments: Columns,
    target: int,
    side: int = 1,
) -> Iterator[Verdict]:
    """Return the verdicts on results at which a probability must be at most argument number `target`.

    `guarantee` gives that probability and by how much a relative change of the result, or of what it was rounded from,
    lessens it: the unit of the excess.
    """
    for column in columns(function, arguments):
        for *row, answer in zip(*arguments, column, strict=True):
            guaranteed, slope = certain(guarantee, (*row, answer))
            with ctx.workprec(2 * BITS):
                gap = side * (exact(row[target]) - guaranteed)
                excess = float(gap / slope) / ULP if answer > 0 else 0.0
            yield gap >= 0 or is_safe(guarantee, (*row, answer), row[target], side), excess


def at_most(values: Numbers, limit: Numbers) -> Iterator[Verdict]:
    """Return the verdicts on numbers that must not exceed others; the excess is the gap."""
    for value, most in zip(values.tolist(), limit.tolist(), strict=True):
        yield value <= most, (1 - value / most) / ULP


def root(formula: Callable[[arb], arb], slope: Callable[[arb], arb], start: arb) -> arb:
    """Return an interval that certainly contains the positive root of an increasing formula, by Newton's method."""
    x = start
    for _ in range(60):
        step = (formula(x) / slope(x)).mid()
        x = (x - step).mid().max(x / 2).mid()
        if abs(step) < abs(x) * arb(2) ** (8 - ctx.prec // 2):
            break
    return bracket(formula, (x - formula(x) / slope(x)).mid())


def bracket(formula: Callable[[arb], arb], x: arb) -> arb:
    """Return an interval around x at whose ends an increasing formula has proved opposite signs."""
    radius = abs(x) * arb(2) ** (8 - ctx.prec)
    while not formula(x - radius) < 0 < formula(x + radius):
        radius = 4 * radius
        if radius > abs(x):
            raise ArithmeticError(f"no root near {x}")
    return (x - radius).union(x + radius)
