"""Records of results: what is one number, text or truth value in them is Python's own, and an array stays an array."""

from dataclasses import fields
from typing import Any

import numpy as np


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
