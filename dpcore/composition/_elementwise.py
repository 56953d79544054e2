"""A function of numbers on arrays, by a loop.

NumPy's `vectorize` reads the processor's flags after the last call, and so warns of an overflow that the function
itself has provided for.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array


def elementwise(function: Callable[..., float], *arguments: ArrayLike) -> Array:
    """Return `function` of every entry of the arguments, which broadcast.

    Examples
    --------
    >>> elementwise(lambda x, y: x + y, [1.0, 2.0], 3.0).tolist()
    [4.0, 5.0]
    """
    shape = np.broadcast_shapes(*(np.shape(argument) for argument in arguments))
    values = [function(*entries) for entries in entries_of(*arguments)]
    return np.array(values, dtype=np.float64).reshape(shape)[()]


def entries_of(*arguments: ArrayLike) -> Iterator[tuple[float, ...]]:
    """Yield the entries of the arguments, which broadcast, as numbers of Python.

    Examples
    --------
    >>> list(entries_of([1, 2], 0.5))
    [(1, 0.5), (2, 0.5)]
    """
    return zip(*(array.ravel().tolist() for array in np.broadcast_arrays(*arguments)), strict=True)
