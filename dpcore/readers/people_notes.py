"""Notes on the people in raw records: how often the same one occurs, or that nobody has checked."""

from dataclasses import dataclass

__all__ = ["PersonRows", "UncheckedPeople"]


@dataclass(frozen=True)
class UncheckedPeople:
    """Each row is counted, and no column says whether a person has several rows."""


@dataclass(frozen=True)
class PersonRows:
    """How often the same person occurs in raw records, by a column that identifies people; these numbers are data too.

    Attributes
    ----------
    column : the column that identifies people; entries that differ only in upper case, spaces and leading zeros are
        one person, and `has_spellings` says whether there are such entries.
    n_people : how many people there are.
    most_rows, most_cells, most_per_cell : the most rows of a person, the most cells that a person is in (k), and the
        most rows of a person in one cell (c); 0 where no row names a person.
    n_nobody : how many rows name no person; they are in the cells, and in none of these numbers.
    """

    column: str
    n_people: int
    most_rows: int
    most_cells: int
    most_per_cell: int
    n_nobody: int = 0
    has_spellings: bool = False
