"""The user's own table of counts as a text in a link: how it is written, read, and what of it is refused."""

import re
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote, unquote

import pandas as pd

from pages.framework.parameters.number_format import plural
from pages.framework.parameters.parameter import Parameter, PartError, excerpt

MOST_CELLS, MOST_CHARACTERS = 64, 2000
NONE = "none"
Cells = tuple[tuple[str, int], ...]
_COUNT = re.compile(r"[0-9]{1,16}")
_LEAST = re.compile(r"c([0-9]{1,16})")
MOST_COUNT = 10**15


class LinkedTable(NamedTuple):
    """The names and counts of the cells in a link, and the least c that suppressed counts among them require."""

    cells: Cells
    least_per_cell: int = 1


def table_text(frame: pd.DataFrame, least_per_cell: int = 1) -> str:
    """Return the cells of a table as a text for the link; ValueError with the reason if it is too large for one.

    Of a name only what would be taken for something else is written as in a link: % = ; and what can't be printed. A
    cell named as its row is, "row 2", is written as its count alone.

    >>> frame = pd.DataFrame({"cell": ["North", "a;b", "row 3"], "count": [12.0, 3.0, 4.0]})
    >>> table_text(frame), table_text(frame, 4)
    ('North=12;a%3Bb=3;4', 'c4;North=12;a%3Bb=3;4')
    """
    if not 1 <= len(frame) <= MOST_CELLS:
        raise ValueError(f"a link holds tables of at most {MOST_CELLS} cells, and this one has {len(frame):,}")
    pairs = zip(frame["cell"], frame["count"], strict=True)
    least = [f"c{least_per_cell}"] if least_per_cell > 1 else []
    text = ";".join([*least, *(_cell_text(name, int(count), place) for place, (name, count) in enumerate(pairs, 1))])
    if len(text) > MOST_CHARACTERS:
        raise ValueError(
            f"a link holds tables of at most {MOST_CHARACTERS:,} characters, and this one has {len(text):,}"
        )
    return text


def parse_table(text: str) -> LinkedTable:
    """Return a table from its text; ValueError if the text is no table.

    >>> parse_table("c4;North=12;a%3Bb=3;4")
    LinkedTable(cells=(('North', 12), ('a;b', 3), ('row 3', 4)), least_per_cell=4)
    """
    parts = text.split(";")
    least = _LEAST.fullmatch(parts[0].strip())
    if least and len(parts) > 1 and 1 <= int(least[1]) <= MOST_COUNT:
        return LinkedTable(_parse_cells(text, parts[1:]), int(least[1]))
    return LinkedTable(_parse_cells(text, parts))


def _parse_cells(text: str, parts: list[str]) -> Cells:
    if len(text) > MOST_CHARACTERS or len(parts) > MOST_CELLS:
        raise ValueError(f"a table of {len(parts)} cells and {len(text)} characters is too large for a link")
    cells: dict[str, int] = {}
    for place, part in enumerate(parts, 1):
        try:
            name, count = _parse_cell(part, place)
        except ValueError:
            if len(parts) == 1:
                raise
            allowed = "a name, = and a whole count up to 1e15"
            raise PartError(f"cell {place} must be {allowed}; {excerpt(part) or 'nothing'} was given.") from None
        if name in cells:
            raise PartError(f"cell {place} must have another name than those before it; {excerpt(name)} was given.")
        cells[name] = count
    return tuple(cells.items())


def cells_frame(cells: Cells) -> pd.DataFrame:
    """Return the cells of a text as a table: columns `cell` and `count`."""
    return pd.DataFrame({"cell": [name for name, _ in cells], "count": [float(count) for _, count in cells]})


def _cell_text(name: str, count: int, place: int) -> str:
    if name == f"row {place}":
        return str(count)
    letters = (quote(sign, safe="") if sign in "%=;" or not sign.isprintable() else sign for sign in name)
    return f"{''.join(letters)}={count}"


def _parse_cell(part: str, place: int) -> tuple[str, int]:
    name, equals, count = part.rpartition("=")
    name = unquote(name, errors="strict").strip() if equals else f"row {place}"
    if not name or not _COUNT.fullmatch(count.strip()) or int(count) > MOST_COUNT:
        raise ValueError(part)
    return name, int(count)


@dataclass(frozen=True)
class OwnTable(Parameter):
    """A parameter that holds a small table of the user's own where the user includes it in the link, else none."""

    key: str = "own"
    symbol: str = "own table"
    default: str = NONE

    @property
    def allowed(self) -> str:
        """The form in words."""
        return (
            f"none, or 1 to {MOST_CELLS} different cells with whole counts up to 1e15, as North=12;South=3; "
            "c4 before them where suppressed counts require c = 4"
        )

    def read(self, entry: str) -> LinkedTable | None:
        """Return the table, None for no table; ValueError if the text is no table."""
        return None if entry.strip() == NONE else parse_table(entry.strip())

    def data_in(self, entry: str) -> str:
        """Return what a text holds in words, empty for no table."""
        table = self.read(entry)
        return "" if table is None else f"a table of {plural(len(table.cells), 'cell')}"
