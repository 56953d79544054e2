"""Checks of input: every public function refuses a bad argument in one sentence, `name must be in RANGE, got VALUE`.

The intervals that several modules share stand here, once; one that a single topic has stands in its module. Whoever
asks a person for a number reads the same text, so that nothing is accepted here and refused there.
"""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

EPSILON_RANGE = "[0, 1e6]"  # in nats
POSITIVE_EPSILON_RANGE = "[1e-12, 1e6]"  # where ε = 0 has no answer
DELTA_RANGE = "[1e-300, 1)"
PURE_DELTA_RANGE = "[0, 1)"  # where δ = 0, pure ε-DP, has an answer too
SENSITIVITY_RANGE = "[1e-100, 1e100]"  # in query units
SIGNIFICANCE_RANGE = "[1e-300, 1)"
PROBABILITY_RANGE = "[0, 1]"
PRIOR_RANGE = "[1e-300, 1)"


def number(name: str, value: ArrayLike, interval: str) -> Array:
    """Return `value` as a float array, or raise unless every entry lies in `interval`.

    The interval is written as in a textbook, `"[1e-300, 1)"`: a square bracket includes its end, a round one does not.
    The same text appears in the message, so a limit is stated once.

    Raises
    ------
    ValueError
        `delta must be in [1e-300, 1), got 0`, naming the first offending entry. NaN is outside every interval; text,
        booleans, complex numbers and objects are refused whatever their value.
    """
    array = _array(name, value, interval)
    with np.errstate(over="ignore"):  # an extended-precision number may become infinite
        array = array.astype(np.float64, copy=False)
    low, high = _ends(interval)
    above = array >= low if interval[0] == "[" else array > low
    inside = above & (array <= high if interval[-1] == "]" else array < high)
    if not inside.all():
        refuse(name, array, ~inside, interval)
    return array


def _array(name: str, value: ArrayLike, interval: str) -> NDArray[np.generic]:
    try:
        array = np.asarray(value)
    except ValueError:  # a ragged list
        raise _refusal(name, interval, value) from None
    if array.dtype.kind not in "iuf":
        raise _refusal(name, interval, value)
    return array


def whole(name: str, value: ArrayLike, interval: str) -> Array:
    """Return `value` as a float array, or raise unless every entry is a whole number of `interval`."""
    array = number(name, value, interval)
    refuse(name, array, np.floor(array) != array, f"the whole numbers of {interval}")
    return array


def one(name: str, value: ArrayLike, interval: str) -> float:
    """Return `value` as a float, or raise unless it is one number of `interval`.

    Raises
    ------
    ValueError
        `mu must be one number in [0, 1e6], got [1, 2]` for a list; else as `number`.
    """
    if np.ndim(_array(name, value, interval)):
        raise _refusal(name, interval, value, "one number in")
    return float(number(name, value, interval))


def one_whole(name: str, value: ArrayLike, interval: str) -> int:
    """Return `value` as an int, or raise unless it is one whole number of `interval`."""
    one(name, value, interval)
    return int(whole(name, value, interval))


@cache
def _ends(interval: str) -> tuple[float, float]:
    low, high = interval[1:-1].split(",")
    return float(low), float(high)


def refuse(name: str, array: Array, outside: NDArray[np.bool_], interval: str) -> None:
    """Raise the standard sentence for the first entry of `array` that is marked `outside`."""
    if np.any(outside):
        raise _refusal(name, interval, float(np.broadcast_to(array, np.shape(outside))[outside].flat[0]))


def _refusal(name: str, interval: str, value: object, inside: str = "in") -> ValueError:
    try:
        text = repr(value).removesuffix(".0") if isinstance(value, float) else repr(value)
    except ValueError:  # Python prints no integer of more than 4300 digits
        text = "an integer too long to print"
    return ValueError(f"{name} must be {inside} {interval}, got {text if len(text) <= 60 else text[:57] + '...'}")


def generator(name: str, value: object) -> None:
    """Raise `rng must be a numpy.random.Generator, got 3` unless `value` is a source of randomness."""
    if not isinstance(value, np.random.Generator):
        raise _refusal(name, "numpy.random.Generator", value, "a")


def utf8(data: bytes) -> str:
    """The text of a file, or ValueError with the line at which it is no UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ValueError(f"line {line}: byte 0x{data[error.start]:02x} is no UTF-8 text") from None
