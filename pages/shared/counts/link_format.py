"""A small table of the user's own as a text that a link can hold, where the user includes it: North=12;South=3."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

import pandas as pd

from pages.framework.parameters.parameter import PartError, excerpt

MOST_CELLS, MOST_CHARACTERS = 64, 2000
NONE = "none"
Cells = tuple[tuple[str, int], ...]
_COUNT = re.compile(r"[0-9]{1,16}")
MOST_COUNT = 10**15


def table_text(frame: pd.DataFrame) -> str:
    """Return the cells of a table as a text for the link; ValueError with the reason if it is too large for one.

    Of a name only what would be taken for something else is written as in a link: % = ; and what can't be printed. A
    cell named as its row is, "row 2", is written as its count alone.

    >>> table_text(pd.DataFrame({"cell": ["North", "a;b", "row 3"], "count": [12.0, 3.0, 4.0]}))
    'North=12;a%3Bb=3;4'
    """
    if not 1 <= len(frame) <= MOST_CELLS:
        raise ValueError(f"a link holds tables of at most {MOST_CELLS} cells, and this one has {len(frame):,}")
    pairs = zip(frame["cell"], frame["count"], strict=True)
    text = ";".join(_cell_text(name, int(count), place) for place, (name, count) in enumerate(pairs, 1))
    if len(text) > MOST_CHARACTERS:
        raise ValueError(
            f"a link holds tables of at most {MOST_CHARACTERS:,} characters, and this one has {len(text):,}"
        )
    return text


def parse_cells(text: str) -> Cells:
    """Return the names and counts of a table from its text; ValueError if the text is no table.

    >>> parse_cells("North=12;a%3Bb=3;4")
    (('North', 12), ('a;b', 3), ('row 3', 4))
    """
    parts = text.split(";")
    if len(text) > MOST_CHARACTERS or len(parts) > MOST_CELLS:
        raise ValueError(f"a table of {len(parts)} cells and {len(text)} characters is too large for a link")
    cells: dict[str, int] = {}
    for place, part in enumerate(parts, 1):
        try:
            name, count = _parse_cell(part, place)
        except ValueError:
            if len(parts) == 1:
                raise
            entry = excerpt(part) or "nothing"
            raise PartError(
                f"cell {place} must be a name, = and a whole count up to 1e15; {entry} was given."
            ) from None
        if name in cells:
            raise PartError(f"cell {place} must have another name than those before it; {excerpt(name)} was given.")
        cells[name] = count
    return tuple(cells.items())


def cells_frame(cells: Cells) -> pd.DataFrame:
    """Return the cells of a text as a table: columns `cell` and `count`.

    >>> cells_frame((("North", 12),)).to_dict("list")
    {'cell': ['North'], 'count': [12.0]}
    """
    return pd.DataFrame({"cell": [name for name, _ in cells], "count": [float(count) for _, count in cells]})


def _cell_text(name: str, count: int, place: int) -> str:
    if name == f"row {place}":
        return str(count)
    safe = "".join(
        quote(character, safe="") if character in "%=;" or not character.isprintable() else character
        for character in name
    )
    return f"{safe}={count}"


def _parse_cell(part: str, place: int) -> tuple[str, int]:
    name, equals, count = part.rpartition("=")
    name = unquote(name, errors="strict").strip() if equals else f"row {place}"
    if not name or not _COUNT.fullmatch(count.strip()) or int(count) > MOST_COUNT:
        raise ValueError(part)
    return name, int(count)


@dataclass(frozen=True)
class OwnTable:
    """A parameter that holds a small table of the user's own where the user includes it in the link, else none."""

    key: str = "own"
    symbol: str = "own table"
    default: str = NONE

    @property
    def allowed(self) -> str:
        """The form in words."""
        return f"none, or 1 to {MOST_CELLS} different cells with whole counts up to 1e15, as North=12;South=3"

    def read(self, entry: str) -> Cells | None:
        """Return the names and counts of the cells, None for no table; ValueError if the text is no table."""
        return None if entry.strip() == NONE else parse_cells(entry.strip())

    def data_in(self, entry: str) -> str:
        """Return what a text holds in words, empty for no table.

        >>> OwnTable().data_in("North=12;South=3"), OwnTable().data_in("none")
        ('a table of 2 cells', '')
        """
        cells = self.read(entry)
        return "" if cells is None else f"a table of {len(cells)} cell{'' if len(cells) == 1 else 's'}"
