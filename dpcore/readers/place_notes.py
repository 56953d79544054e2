"""Notes on how a file of points or a road graph was read; `PlaceNote` is the union of them and of `FileNote`."""

from dataclasses import dataclass

from dpcore.readers.notes import FileNote

__all__ = [
    "AnonymousRows",
    "CoordinateColumns",
    "EdgeColumns",
    "GraphSize",
    "NodeColumns",
    "NodeCountColumn",
    "NodesWithoutRow",
    "PersonColumn",
    "PlaceNote",
    "PlacedRows",
    "RowsAtZero",
    "RowsOutsideGlobe",
    "RowsWithoutCoordinates",
]


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
