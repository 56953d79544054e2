"""Checks of input: a public function refuses a bad argument by a `DomainError`, a `ValueError` with one sentence,
`name must be in RANGE, got VALUE`.

The intervals that several modules share stand here, once; one that a single topic has stands in its module. Whoever
asks a person for a number reads the same text, so that nothing is accepted here and refused there.

A result of one number, text or truth value is Python's own (`plain`), and an array stays an array.
"""

import math
from dataclasses import fields
from functools import lru_cache
from typing import Any, Self, TypeGuard, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "BOUND_RANGE",
    "CELLS_RANGE",
    "DELTA_RANGE",
    "EPSILON_RANGE",
    "LEAST_DELTA",
    "POSITIVE_EPSILON_RANGE",
    "PRIOR_RANGE",
    "PROBABILITY_RANGE",
    "PURE_DELTA_RANGE",
    "RECORDS_RANGE",
    "SENSITIVITY_RANGE",
    "SHAPE_RANGE",
    "SIGNIFICANCE_RANGE",
    "Array",
    "DomainError",
    "PlainRecord",
    "generator",
    "inside",
    "integer",
    "interval_bounds",
    "leave_out",
    "number",
    "option",
    "or_default",
    "plain",
    "record",
    "refuse",
    "scalar",
    "scalar_integer",
    "shape",
]

Array = NDArray[np.float64]
_T = TypeVar("_T")

EPSILON_RANGE = "[0, 1e6]"  # in nats
POSITIVE_EPSILON_RANGE = "[1e-12, 1e6]"  # where ε = 0 has no answer
LEAST_DELTA = 1e-300
DELTA_RANGE = f"[{LEAST_DELTA}, 1)"
PURE_DELTA_RANGE = "[0, 1)"  # where δ = 0, pure ε-DP, has an answer too
SENSITIVITY_RANGE = "[1e-100, 1e100]"  # in query units
SIGNIFICANCE_RANGE = "[1e-300, 1)"
PROBABILITY_RANGE = "[0, 1]"
PRIOR_RANGE = "[1e-300, 1)"
BOUND_RANGE = "[-1e15, 1e15]"  # of the range of a record's value, in query units
RECORDS_RANGE = "[1, 1e12]"
CELLS_RANGE = "[1, 1e15]"  # of the number of cells of a table
SHAPE_RANGE = "[1, 100]"  # p of an ℓ_p norm and of generalized Gaussian noise
_DRAWS_RANGE = "[0, 1e9]"


class DomainError(ValueError):
    """The refusal of an argument: `delta must be in [1e-300, 1), got 0`.

    Attributes
    ----------
    name : of the argument.
    interval : what is allowed: an interval as `number` reads it, options separated by commas, or a few words.
    got : what was given, as text of at most 60 characters.
    inside : what stands before the interval in the sentence, "in" unless something else is allowed.

    Examples
    --------
    >>> error = DomainError("delta", DELTA_RANGE, 0.0)
    >>> str(error), error.name, error.interval, error.got
    ('delta must be in [1e-300, 1), got 0', 'delta', '[1e-300, 1)', '0')
    """

    def __init__(self, name: str, interval: str, value: object, inside: str = "in") -> None:
        self.name, self.interval, self.inside, self.got = name, interval, inside, _short_repr(value)
        super().__init__(f"{name} must be {inside} {interval}, got {self.got}")

    def __reduce__(self) -> tuple[type[Self], tuple[str, ...], dict[str, object]]:
        """Return what a copy in another process is made of: the texts, and not the value."""
        return type(self), (self.name, self.interval, "", self.inside), {"got": self.got, "args": self.args}


def number(name: str, value: ArrayLike, interval: str) -> Array:
    """Return `value` as a float array, or raise unless every entry lies in `interval`.

    The interval is written as in a textbook, `"[1e-300, 1)"`: a square bracket includes its end, a round one does not.
    The same text appears in the message, so a limit is stated once.

    Raises
    ------
    ValueError
        `delta must be in [1e-300, 1), got 0`, naming the first offending entry. NaN is outside every interval; text,
        booleans, complex numbers, objects and masked entries are refused whatever their value.

    Examples
    --------
    >>> number("delta", [0.1, 0.2], DELTA_RANGE)
    array([0.1, 0.2])
    >>> number("delta", 0, DELTA_RANGE)
    Traceback (most recent call last):
        ...
    dpcore.checks.DomainError: delta must be in [1e-300, 1), got 0
    """
    if _holds(value, interval):  # most calls, in a tenth of the time
        return np.asarray(value, np.float64)
    array = _array(name, value, interval)
    refuse(name, array, ~inside(array, interval), interval)
    return array


def inside(array: Array, interval: str) -> NDArray[np.bool_]:
    """Return which entries of an array lie in an interval, written as for `number`; NaN lies in none.

    Examples
    --------
    >>> inside(np.array([0.0, 0.5, 1.0, np.nan]), "[0, 1)").tolist()
    [True, True, False, False]
    """
    low, high = interval_bounds(interval)
    above = array >= low if interval[0] == "[" else array > low
    return above & (array <= high if interval[-1] == "]" else array < high)


def _holds(value: ArrayLike, interval: str) -> TypeGuard[float]:
    """Return whether a value is one number of Python, no array, that lies in an interval."""
    if not isinstance(value, float) and not (type(value) is int and value.bit_length() < 64):
        return False
    low, high = interval_bounds(interval)
    return low < value < high or (value == low and interval[0] == "[") or (value == high and interval[-1] == "]")


def _array(name: str, value: ArrayLike, interval: str) -> Array:
    try:
        array = np.asarray(value)
    except ValueError:  # a ragged list
        raise DomainError(name, interval, value) from None
    if array.dtype.kind not in "iuf" or np.ma.is_masked(value):
        raise DomainError(name, interval, value)
    if array.dtype == np.float64:  # most calls; the state of the error handling takes longer than the check
        return array.view(np.float64)
    with np.errstate(over="ignore"):  # an extended-precision number may become infinite
        return array.astype(np.float64)


def integer(name: str, value: ArrayLike, interval: str) -> Array:
    """Return `value` as a float array, or raise unless every entry is a whole number of `interval`.

    Examples
    --------
    >>> integer("n_records", [1, 2], "[1, 1e12]")
    array([1., 2.])
    """
    array = number(name, value, interval)
    refuse(name, array, np.floor(array) != array, f"the whole numbers of {interval}")
    return array


def scalar(name: str, value: ArrayLike, interval: str) -> float:
    """Return `value` as a float, or raise unless it is one number of `interval`.

    Raises
    ------
    ValueError
        `mu must be one number in [0, 1e6], got [1, 2]` for a list; else as `number`.

    Examples
    --------
    >>> scalar("mu", 2, "[0, 1e6]")
    2.0
    """
    if _holds(value, interval):  # most calls, in a tenth of the time
        return float(value)
    array = _array(name, value, interval)
    if array.ndim:
        raise DomainError(name, interval, value, "one number in")
    return float(number(name, array, interval))


def scalar_integer(name: str, value: ArrayLike, interval: str) -> int:
    """Return `value` as an int, or raise unless it is one whole number of `interval`.

    Examples
    --------
    >>> scalar_integer("n_dots", 25.0, "[1, 1000]")
    25
    """
    checked = scalar(name, value, interval)
    return int(checked if checked.is_integer() else integer(name, checked, interval))


def shape(name: str, value: int | tuple[int, ...] | None, of_arguments: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return the shape of a sample as a tuple, or raise if it has more than 1e9 draws.

    Parameters
    ----------
    value : None for `of_arguments`, a whole number, or a tuple of at most 32 of them.
    of_arguments : the common shape of the sampler's arguments, which has to broadcast to the result's.

    Raises
    ------
    ValueError
        `size must be a whole number, or a tuple of at most 32 with a product, in [0, 1e9], got -1`, or
        `size must be in the shapes to which (2,) broadcasts, got (5, 3)`.

    Examples
    --------
    >>> shape("size", 3), shape("size", None, of_arguments=(2, 5))
    ((3,), (2, 5))
    """
    if value is None:
        return of_arguments
    try:
        entries = value if isinstance(value, tuple) else (value,)
        scalar_integer(name, len(entries), "[0, 32]")
        sizes = tuple(scalar_integer(name, entry, _DRAWS_RANGE) for entry in entries)
        scalar_integer(name, math.prod(sizes), _DRAWS_RANGE)
    except ValueError:
        inside = "a whole number, or a tuple of at most 32 with a product, in"
        raise DomainError(name, _DRAWS_RANGE, value, inside) from None
    pairs = zip(reversed(of_arguments), reversed(sizes), strict=False)  # as NumPy does, from the last axis on
    if len(of_arguments) > len(sizes) or any(own not in (1, size) for own, size in pairs):
        raise DomainError(name, f"the shapes to which {of_arguments} broadcasts", value)
    return sizes


def option(name: str, value: object, options: tuple[str, ...]) -> None:
    """Raise `query must be in count, sum, got 'median'` unless `value` is one of the texts `options`.

    Examples
    --------
    >>> option("query", "sum", options=("count", "sum"))
    """
    if not isinstance(value, str) or value not in options:
        raise DomainError(name, ", ".join(options), value)


def leave_out(where: str, **arguments: object) -> None:
    """Raise `n_cells must be left out of kind count, got 8` unless each argument is None: it would have no effect.

    Examples
    --------
    >>> leave_out("kind count", n_cells=None, cap=None)
    """
    for name, value in arguments.items():
        if value is not None:
            raise DomainError(name, where, value, "left out of")


def or_default(value: _T | None, default: _T) -> _T:
    """Return an argument, or its default where it was left out: None.

    Examples
    --------
    >>> or_default(None, 0.05), or_default(0.01, 0.05)
    (0.05, 0.01)
    """
    return default if value is None else value


@lru_cache(1024)  # most intervals are constants of modules, and the others depend on values
def interval_bounds(interval: str) -> tuple[float, float]:
    """Return the lower and the upper end of an interval, written as for `number`."""
    low, high = interval[1:-1].split(",")
    return float(low), float(high)


def refuse(name: str, array: Array, outside: NDArray[np.bool_], interval: str) -> None:
    """Raise the standard sentence for the first entry of `array` that is marked `outside`.

    Examples
    --------
    >>> refuse("high", np.array([2.0, 0.5]), np.array([False, True]), "(low, 1e15]")
    Traceback (most recent call last):
        ...
    dpcore.checks.DomainError: high must be in (low, 1e15], got 0.5
    """
    if outside.any():
        raise DomainError(name, interval, float(np.broadcast_to(array, np.shape(outside))[outside].flat[0]))


def _short_repr(value: object) -> str:
    try:
        text = repr(value).removesuffix(".0") if isinstance(value, float) else " ".join(repr(value).split())
    except ValueError:  # Python prints no integer of more than 4300 digits
        text = "an integer too long to print"
    return text if len(text) <= 60 else text[:57] + "..."


def generator(name: str, value: object) -> None:
    """Raise `rng must be a numpy.random.Generator, got 3` unless `value` is a source of randomness.

    Examples
    --------
    >>> generator("rng", np.random.default_rng(1))
    """
    if not isinstance(value, np.random.Generator):
        raise DomainError(name, "numpy.random.Generator", value, "a")


def record(name: str, value: object, *kinds: type) -> None:
    """Raise `outputs must be a Range or a Grid, got 3` unless `value` is an instance of one of some classes.

    Examples
    --------
    >>> record("rng", 3, np.random.Generator)
    Traceback (most recent call last):
        ...
    dpcore.checks.DomainError: rng must be a Generator, got 3
    """
    if not isinstance(value, kinds):
        raise DomainError(name, " or a ".join(kind.__name__ for kind in kinds), value, "a")


def plain(value: Any) -> Any:
    """Return a scalar of NumPy, or an array without axes, as Python's number, text or truth value; any other as it is.

    Examples
    --------
    >>> plain(np.float64(0.5)), plain(np.array("certified")), plain((1, 2))
    (0.5, 'certified', (1, 2))
    """
    is_single = isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0)
    return value.item() if is_single else value


class PlainRecord:
    """The base of a dataclass of results whose fields are arrays, or `plain` where all inputs are single numbers."""

    def __post_init__(self: Any) -> None:
        for part in fields(self):
            object.__setattr__(self, part.name, plain(getattr(self, part.name)))
