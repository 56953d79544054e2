"""Records of arrays, some of which are computed when they are first read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, Self

import numpy as np

from dpcore._records import PlainRecord
from dpcore.checks import Array

Measures = Mapping[str, Callable[[], Array]]
"""A function for each array that is computed when it is first read."""


@dataclass(frozen=True)
class MeasuredRecord(PlainRecord):
    """A record of arrays of one shape; those of `_measures` are computed when they are first read."""

    _measures: Measures = field(repr=False, kw_only=True)

    def at(self, place: int) -> Self:
        """Return the record of one entry, where the arrays have one axis.

        Examples
        --------
        >>> from dpcore.clipping import sum_error
        >>> error = sum_error(np.arange(1, 1001), 0, [1000, 928.67162], epsilon=0.1).at(1)
        >>> f"{error.n_clipped:.0f} of 1000 values are cut at {error.high}"
        '72 of 1000 values are cut at 928.67162'
        """
        names = [part.name for part in fields(self) if part.name != "_measures"]
        measures = {name: partial(_entry, self, name, place) for name in self._measures}
        return replace(self, **{name: _entry(self, name, place) for name in names}, _measures=measures)


def _entry(record: object, name: str, place: int) -> Any:
    """Return one entry of an array of a record, or what is no array as it is."""
    value = getattr(record, name)
    return value[place] if np.ndim(value) else value
