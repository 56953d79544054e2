"""Notes on how a file was read: records with numbers and names, from which a caller writes sentences.

A result of a reader has a tuple of notes in the order in which they matter. `FileNote` is the union of the notes on any
text file, `TableNote` that of the notes on a table of counts, `PlaceNote` of those on points or a road graph.
"""

from dataclasses import dataclass

__all__ = [
    "AddUpToHundred",
    "AnonymousRows",
    "ChooseColumns",
    "ColumnsLeftOut",
    "CommentLines",
    "CoordinateColumns",
    "CountColumn",
    "CrossTabulation",
    "DecimalMark",
    "EdgeColumns",
    "EmptyAsZero",
    "EmptyColumns",
    "EqualsTotal",
    "FileNote",
    "GrandTotal",
    "GraphSize",
    "HeaderRow",
    "LinesLeftOut",
    "NamedAsTotal",
    "NamedTotalsLeftOut",
    "NodeColumns",
    "NodeCountColumn",
    "NodesWithoutRow",
    "NumberedNames",
    "ObservedLevels",
    "PersonColumn",
    "PersonRows",
    "PlaceNote",
    "PlacedRows",
    "RowsAtZero",
    "RowsOutsideGlobe",
    "RowsWithoutCoordinates",
    "SuppressedCounts",
    "TableKind",
    "TableNote",
    "TableSize",
    "TextFormat",
    "Thousands",
    "TotalLeftOut",
    "UncheckedPeople",
]


# Notes on any text file


@dataclass(frozen=True)
class TextFormat:
    """The encoding, "UTF-8" or "UTF-16", and the character that separates columns, empty where there is one column."""

    encoding: str
    separator: str


@dataclass(frozen=True)
class CommentLines:
    """The number of lines at the top that begin with "# " and are left out."""

    n_lines: int


@dataclass(frozen=True)
class DecimalMark:
    """The decimal mark of a column of numbers, the first entry with two readings, and the number that it is read as.

    `settled_by` is the entry that settles the mark, with its line; it is empty where the caller gives the mark.
    """

    mark: str
    entry: str
    number: float
    settled_by: str = ""


# Notes on tables of counts


@dataclass(frozen=True)
class TableKind:
    """The kind that a file is read as, one of `TABLE_KINDS`, and the reason.

    The reason is one of "requested", "chosen columns", "count name", "one column", "numbered rows", "numeric columns",
    "numeric column", "two columns", "people", "all combinations", "nothing else". For "count name" and
    "people", `column` is the name of the column.
    """

    kind: str
    reason: str
    column: str = ""


@dataclass(frozen=True)
class HeaderRow:
    """Whether the first row is read as a header."""

    is_present: bool


@dataclass(frozen=True)
class CountColumn:
    """The column of counts, by its number from 1 on and its name (empty without a header), and the columns of labels.

    Without columns of labels, the cells are numbered.
    """

    number: int
    name: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class ColumnsLeftOut:
    """The names of columns that are left out: they hold numbers, which are no counts and name no cell."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class EmptyColumns:
    """The names of columns that have no entry, and are left out."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Thousands:
    """The first entry whose digits stand in groups of three, and the count that it is read as."""

    entry: str
    count: float


@dataclass(frozen=True)
class TotalLeftOut:
    """A "cell", "row" or "column" that is named as a total, is the sum of the others, and is left out.

    `is_exact` is False if it can be their sum only because some of them are suppressed.
    """

    part: str
    label: str
    is_exact: bool = True


@dataclass(frozen=True)
class GrandTotal:
    """A row and a column of totals are left out, and with them the grand total where they meet."""


@dataclass(frozen=True)
class NamedAsTotal:
    """Labels that name a total, although their counts are not the sum of the others; they are kept."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class EqualsTotal:
    """The last "cell", "row" or "column" equals the sum of the others without being named as a total; it is kept."""

    part: str
    label: str


@dataclass(frozen=True)
class AddUpToHundred:
    """The counts of the "table", or of each "row" or "column", add up to 100 as percentages do, up to one."""

    part: str


@dataclass(frozen=True)
class TableSize:
    """The number of cells, and how many of them have the count 0."""

    n_cells: int
    n_empty: int


@dataclass(frozen=True)
class NumberedNames:
    """The number of cells that had the name of another one and got a number in parentheses."""

    n_cells: int


@dataclass(frozen=True)
class ChooseColumns:
    """Raw records have no cells until columns to cross-tabulate are chosen."""


@dataclass(frozen=True)
class CrossTabulation:
    """The number of records, the columns that they are counted by with their numbers of levels, and the empty cells."""

    n_rows: int
    columns: tuple[str, ...]
    n_levels: tuple[int, ...]
    n_empty: int


@dataclass(frozen=True)
class ObservedLevels:
    """The levels of the columns are those that occur in the records, so they are read from the data."""


@dataclass(frozen=True)
class LinesLeftOut:
    """The lines above and below the table that are left out: the number and the text of each."""

    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class EmptyAsZero:
    """The number of counts that are empty or a dash, and are read as 0, and their labels."""

    n_cells: int
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class SuppressedCounts:
    """The number of suppressed counts ("<5"), which are read as the largest count that they can be.

    `largest` is the largest of these, and `has_zeros` says whether the table also has counts of 0. If it has, then a
    person who enters an empty cell changes its entry from 0 to `largest`; if it has none, the entry is the larger of
    the count and `largest`, which one person changes by no more than the count.
    """

    n_cells: int
    largest: int
    has_zeros: bool


@dataclass(frozen=True)
class NamedTotalsLeftOut:
    """Labels that name a total and are left out although their counts are not the sum of the others."""

    labels: tuple[str, ...]


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


FileNote = TextFormat | CommentLines | DecimalMark
TableNote = (
    FileNote
    | TableKind
    | HeaderRow
    | CountColumn
    | ColumnsLeftOut
    | EmptyColumns
    | Thousands
    | TotalLeftOut
    | GrandTotal
    | NamedAsTotal
    | EqualsTotal
    | AddUpToHundred
    | TableSize
    | NumberedNames
    | ChooseColumns
    | CrossTabulation
    | ObservedLevels
    | UncheckedPeople
    | PersonRows
    | LinesLeftOut
    | EmptyAsZero
    | SuppressedCounts
    | NamedTotalsLeftOut
)


# Notes on points and road graphs


@dataclass(frozen=True)
class CoordinateColumns:
    """The names of the columns of latitudes and longitudes."""

    lat: str
    lon: str


@dataclass(frozen=True)
class PlacedRows:
    """The number of rows, how many of them have a place on the globe, and the extent of these places in degrees.

    `is_polar` says that half of the places lie beyond 72 degrees of latitude, as if the coordinates were swapped.
    """

    n_rows: int
    n_placed: int
    lat: tuple[float, float]
    lon: tuple[float, float]
    is_polar: bool


@dataclass(frozen=True)
class RowsWithoutCoordinates:
    """The number of rows that lack a latitude or a longitude."""

    n_rows: int


@dataclass(frozen=True)
class RowsAtZero:
    """The number of rows at latitude 0 and longitude 0, which devices write for an unknown place."""

    n_rows: int


@dataclass(frozen=True)
class RowsOutsideGlobe:
    """The number of rows whose coordinates are outside the globe, and the line and coordinates of the first one."""

    n_rows: int
    line: int
    lat: float
    lon: float


@dataclass(frozen=True)
class PersonColumn:
    """The column that says whose row it is, how many persons it names, and how many rows name nobody."""

    name: str
    n_persons: int
    n_nameless: int


@dataclass(frozen=True)
class AnonymousRows:
    """No column says whose row it is, so a limit on what one person contributes cannot be enforced."""


@dataclass(frozen=True)
class GraphSize:
    """The numbers of nodes and edges, of edges that join a node to itself, and of edges that repeat another one."""

    n_nodes: int
    n_edges: int
    n_loops: int
    n_repeated: int


@dataclass(frozen=True)
class NodeColumns:
    """The columns of the nodes' names, latitudes and longitudes."""

    name: str
    lat: str
    lon: str


@dataclass(frozen=True)
class EdgeColumns:
    """The columns of the nodes at which an edge starts and ends."""

    start: str
    end: str


@dataclass(frozen=True)
class NodeCountColumn:
    """The column of the counts at nodes, and the sum of these counts."""

    name: str
    total: float


@dataclass(frozen=True)
class NodesWithoutRow:
    """The number of nodes without a row in the file of counts; their count is 0."""

    n_missing: int
    n_nodes: int


PlaceNote = (
    FileNote
    | CoordinateColumns
    | PlacedRows
    | RowsWithoutCoordinates
    | RowsAtZero
    | RowsOutsideGlobe
    | PersonColumn
    | AnonymousRows
    | GraphSize
    | NodeColumns
    | EdgeColumns
    | NodeCountColumn
    | NodesWithoutRow
)
