"""The probability that one of many guarantees fails with its δ, and the remainder of δ for all other losses.

Guarantees fail with 1 − Π(1 − δᵢ)^{nᵢ} together. A δ that is exactly that leaves 0, which is enough for pure
guarantees: so the number is rounded up once, from the exact one. A double δ is below the result only where it is below
the exact number.
"""

import math
from collections.abc import Sequence
from decimal import ROUND_FLOOR, Context, Decimal, Inexact
from functools import lru_cache

import numpy as np

from dpcore.checks import Array
from dpcore.rounding import round_down, round_up, total_up

_DIGITS, _DOUBT = 160, Decimal("1e-150")  # of a product of up to 1e6 factors of each line, and what it may be off
_ADDED = 1e-20  # below it the sum Σ nᵢδᵢ exceeds the probability by less than half of itself times this


def failure_up(delta: Sequence[float], counts: Sequence[int]) -> float:
    """Return 1 − Π(1 − δᵢ)^{nᵢ}, δᵢ in [0, 1], rounded up from the exact number.

    It is the least double that is not below it, unless that is within 1e-130 of another double; below 1e-20 it is that
    of Σ nᵢδᵢ.

    Examples
    --------
    >>> failure_up([1e-9], [1]), failure_up([0.5, 0.25], [1, 1])
    (1e-09, 0.625)
    """
    return _failure(tuple(map(float, delta)), tuple(map(int, counts)))


@lru_cache(4096)
def _failure(delta: tuple[float, ...], counts: tuple[int, ...]) -> float:
    lines = [(value, count) for value, count in zip(delta, counts, strict=True) if value > 0]
    added = total_up(delta, counts)
    if added < _ADDED or [count for _, count in lines] == [1]:
        return added
    context = Context(prec=_DIGITS, rounding=ROUND_FLOOR, traps=[])
    intact = Decimal(1)
    for value, count in lines:
        holds = context.subtract(Decimal(1), Decimal(value))
        intact = context.multiply(intact, context.power(holds, count))
    exact = context.subtract(Decimal(1), intact)
    if context.flags[Inexact]:
        exact = context.add(exact, _DOUBT)
    failure = float(exact)
    return min(failure if Decimal(failure) >= exact else math.nextafter(failure, math.inf), added, 1.0)


_of_rows = np.vectorize(failure_up, signature="(n),(n)->()", otypes=[np.float64])


def failures(delta: Array, counts: Array) -> Array:
    """Return `failure_up` of lines on the last axis.

    Examples
    --------
    >>> failures(np.array([[1e-9], [0.0]]), np.array([[1.0], [7.0]])).tolist()
    [1e-09, 0.0]
    """
    shape = np.broadcast_shapes(delta.shape, counts.shape)
    return _of_rows(delta, counts) if np.any(delta > 0) else np.zeros(shape[:-1])


def broken_up(pure: Array, failure: Array | float) -> Array:
    """1 − (1 − δ')(1 − b), rounded up: δ of releases that fail with probability b and have `pure` = δ' otherwise.

    It is b where δ' is 0. It may be 1 where the exact value, always below 1, lies within a few roundings of 1.

    Examples
    --------
    >>> print(f"{broken_up(np.array(9.000009e-06), 1e-6):.7g}")
    1e-05
    """
    together = np.minimum(round_up(failure + (1 - failure) * pure, 4), 1)
    return np.where(np.greater(failure, 0) & (pure > 0), together, np.maximum(failure, pure))


def slack_down(delta_total: Array, failure: Array | float) -> Array:
    """δ' of 1 − δ = (1 − δ')(1 − b), rounded down: the remainder of δ; negative where b exceeds δ, and 0 where it is δ.

    Examples
    --------
    >>> print(f"{slack_down(np.array(1e-5), 1e-6):.7g} {slack_down(np.array(1e-5), 1e-5)}")
    9.000009e-06 0.0
    """
    rest = np.maximum(1 - failure, 1e-16)  # 1 − b is 0 only where b exceeds every δ
    return np.where(np.greater(failure, 0), round_down((delta_total - failure) / rest, 4), delta_total)
