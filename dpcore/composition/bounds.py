"""The results of an accountant: ε or δ of a list of releases, whether it is a bound or an estimate, and their arrays.

`elementwise` loops over arrays itself: NumPy's `vectorize` reads the processor's flags after the last call, and so
warns of an overflow that the function itself has provided for.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, PlainRecord


def elementwise(function: Callable[..., float], *arguments: ArrayLike) -> Array:
    """Return `function` of every entry of the arguments, which broadcast."""
    shape = np.broadcast_shapes(*(np.shape(argument) for argument in arguments))
    values = [function(*entries) for entries in entries_of(*arguments)]
    return np.array(values, dtype=np.float64).reshape(shape)[()]


def entries_of(*arguments: ArrayLike) -> Iterator[tuple[float, ...]]:
    """Yield the entries of the arguments, which broadcast, as numbers of Python."""
    return zip(*(array.ravel().tolist() for array in np.broadcast_arrays(*arguments)), strict=True)


CERTIFIED, ESTIMATE, LOWER_BOUND = BOUND_KINDS = ("certified", "estimate", "lower bound")
_TYPES = (np.float64, "U15", "U15", np.float64)


@dataclass(frozen=True)
class EpsilonBound(PlainRecord):
    """ε (or δ) of a list of releases, and what it is worth; all arrays have the same shape.

    Attributes
    ----------
    value : ε in nats, or δ.
    kind : "certified", a proved upper bound; "estimate", which may err to either side; or "lower bound", a proved one,
        which is no privacy guarantee. No accountant of `epsilon`, `delta` or `dp_sgd_epsilon_bound` returns a lower
        bound: for these lists the certified bound less its error is an estimate of how low ε may be, not a proof. Lower
        bounds are proved by `shuffled_batches_delta_at_least` and `shuffled_batches_epsilon_at_least` (DP-SGD) and by
        `dpcore.audit.epsilon_lower` (an attack with measured errors).
    accountant : the accountant that found the value; "certified" stands where "exact" was requested and exact
        integration failed.
    error : an estimate of how far the value is from the truth, in its unit; NaN where nothing is known of it.
    """

    value: Array
    kind: NDArray[np.str_]
    accountant: NDArray[np.str_]
    error: Array


class Account(NamedTuple):
    """One ε or δ by an accountant; the fields are those of `EpsilonBound`."""

    value: float
    kind: str
    accountant: str
    error: float


def as_bound(account: Callable[..., Account], *arguments: ArrayLike) -> EpsilonBound:
    """Return the bounds that `account` returns of every entry of the arguments, which broadcast."""
    accounts = [account(*entries) for entries in entries_of(*arguments)]
    shape = np.broadcast_shapes(*(np.shape(argument) for argument in arguments))
    parts = zip(*accounts, strict=True) if accounts else ((),) * len(_TYPES)
    return EpsilonBound(*(np.array(part, kind).reshape(shape) for part, kind in zip(parts, _TYPES, strict=True)))


def all_bounds(value: Array, kind: str, accountant: str) -> EpsilonBound:
    """Return the bounds of one kind by one accountant, whose errors are not known."""
    kinds, names = (np.full(np.shape(value), text, dtype="U15") for text in (kind, accountant))
    return EpsilonBound(value, kinds, names, np.full(np.shape(value), np.nan))
