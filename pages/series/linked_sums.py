"""The kind of parameter that holds the user's own sums where the user includes them in the link, else none."""

from dataclasses import dataclass

from dpcore.checks import Array
from pages.framework.parameters.number_format import plural
from pages.framework.parameters.parameter import PartError

NONE = "none"
MOST_SUMS, MOST_SUMMED = 100, 100
"""The sums and the cells of which the page has the errors within its time."""
_MOST_CHARACTERS = 1500


def link_text(matrix: Array) -> str:
    """Return sums as a text for the link; ValueError with the reason if they are too many.

    >>> import numpy as np
    >>> link_text(np.array([[1.0, 0], [1, 1]]))
    '10;11'
    """
    text = ";".join("".join("1" if mark else "0" for mark in row) for row in matrix.tolist())
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"a link holds sums of at most {_MOST_CHARACTERS:,} characters")
    return text


@dataclass(frozen=True)
class LinkedSums:
    """A parameter that holds a row of zeros and ones for each sum, without names, or none."""

    key: str
    symbol: str
    default: str = NONE

    @property
    def allowed(self) -> str:
        """The form in words."""
        return f"none, or 1 to {MOST_SUMS} rows of at most {MOST_SUMMED} zeros and ones, as 110;111"

    def read(self, entry: str) -> tuple[tuple[float, ...], ...] | None:
        """Return the rows, None for none; ValueError where a row has another length, no one, or another character."""
        text = entry.strip()
        if text == NONE:
            return None
        rows = text.split(";")
        if len(text) > _MOST_CHARACTERS or len(rows) > MOST_SUMS or len(rows[0]) > MOST_SUMMED:
            raise PartError(f"at most {MOST_SUMS} sums of {MOST_SUMMED} cells fit a link.")
        if any(len(row) != len(rows[0]) or not set(row) <= {"0", "1"} or "1" not in row for row in rows):
            raise ValueError(entry)
        return tuple(tuple(map(float, row)) for row in rows)

    def data_in(self, entry: str) -> str:
        """Return what a text holds in words, empty for no sums.

        >>> LinkedSums("sums", "sums").data_in("10;11"), LinkedSums("sums", "sums").data_in("none")
        ('2 sums', '')
        """
        rows = self.read(entry)
        return "" if rows is None else plural(len(rows), "sum")
