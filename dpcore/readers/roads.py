"""A road graph, and counts at its nodes, read from files."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array, option
from dpcore.readers.file_columns import (
    FIRST_ROWS,
    NamedColumns,
    coordinate_pairs,
    is_missing,
    numeric_columns,
    open_named_columns,
    parse_numbers,
)
from dpcore.readers.notes import EdgeColumns, GraphSize, NodeColumns, NodeCountColumn, NodesWithoutRow, PlaceNote
from dpcore.readers.number_columns import NumberColumn, number_of, numbers_rows, short_text

MOST_NODES = 20_000
MOST_EDGES = 100_000
MOST_NODE_COUNT = 1e9
_NO_NUMBER, _MISSING = "is not a plain number such as 12.5", "the number is missing"
_NODE_NAMES = ("node_id", "nodeid", "node", "osmid", "osm_id", "junction", "junction_id", "vertex", "vertex_id", "id")
_END_NAMES = (("u", "v"), ("from", "to"), ("source", "target"), ("start", "end"), ("tail", "head"))
_MOST_COLUMNS = 10  # Only so many columns are searched for the ends of edges, which bounds the memory.
_NO_END = re.compile(r"(.*edge.*|id|fid|index|key|column \d+)", re.I)


@dataclass(frozen=True)
class RoadGraph:
    """Nodes with their names and places in degrees, and edges as pairs of indices of nodes, as the files list them.

    `edges` has the shape (n_edges, 2) and may hold loops and repeated pairs; `notes` say how the files were read.
    """

    ids: tuple[str, ...]
    lat: Array
    lon: Array
    edges: NDArray[np.int64]
    notes: tuple[PlaceNote, ...]


@dataclass(frozen=True)
class NodeCounts:
    """A count at each node, the columns that can be chosen for it, and notes on how the file was read."""

    count: Array
    columns: tuple[str, ...]
    notes: tuple[PlaceNote, ...]


def read_graph(nodes: bytes, edges: bytes) -> RoadGraph:
    r"""Return the graph that two text files describe, one with a row for each node and one with a row for each edge.

    The texts are as for `read_points`. Nodes have a name, found under node_id, node, osmid, junction, vertex or id,
    else in the first column, and coordinates in degrees. The ends of an edge are found under u and v, from and to,
    source and target, start and end, or tail and head; else they are the first two columns that hold names of nodes
    only, but for those that are called an edge or an index, or merely number the rows.

    Parameters
    ----------
    nodes : at most 20,000 rows.
    edges : at most 100,000 rows.

    Raises
    ------
    ValueError
        One sentence with the file, the line, the column and the reason.

    Examples
    --------
    >>> roads = read_graph(b"id,lat,lon\na,40.7,-74\nb,40.8,-74\n", b"edge,u,v\n0,a,b\n1,b,a\n")
    >>> roads.ids, roads.edges.tolist()
    (('a', 'b'), [[0, 1], [1, 0]])
    """
    with _of_file("nodes"):
        ids, lat, lon, node_columns = _nodes(nodes)
    with _of_file("edges"):
        pairs, edge_columns = _edges(edges, {name: node for node, name in enumerate(ids)})
    loops = int(np.sum(pairs[:, 0] == pairs[:, 1]))
    apart = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
    repeated = len(apart) - len(np.unique(apart, axis=0))
    size = GraphSize(len(ids), len(pairs), loops, repeated)
    return RoadGraph(ids, lat, lon, pairs, (size, node_columns, edge_columns))


def read_node_counts(data: bytes, ids: tuple[str, ...], column: str = "", decimal: str = "") -> NodeCounts:
    r"""Return the counts of a text file with a row for each node, in the order of `ids`; a node without a row has 0.

    Parameters
    ----------
    data : as for `read_points`, with the nodes' names in a column as `read_graph` finds them.
    ids : the names of the nodes.
    column : the one with the counts, by name, numbers in [0, 10⁹]; without it, the first other one
        that holds numbers and no coordinates.
    decimal : the decimal mark of the counts, as for `read_values`.

    Raises
    ------
    ValueError
        One sentence with the line, the column and the reason: no number, a node that the graph does not have, or a
        node that stands there twice. An `AmbiguousNumberError` where `decimal` is needed.

    Examples
    --------
    >>> read_node_counts(b"node,starts,ends\nb,3,1\n", ("a", "b"), "ends").count
    array([0., 1.])
    """
    file = open_named_columns(data)
    own = _node_place(file)
    first = list(islice(file.rows, FIRST_ROWS))
    columns = tuple(name for name in numeric_columns(file, first) if name != file.names[own])
    if not columns:
        raise ValueError(f"line {file.line}: no column of numbers stands beside the one that names the nodes")
    option("column", column, ("", *columns))
    place = file.names.index(column or columns[0])
    index = {name: node for node, name in enumerate(ids)}
    line_of_name: dict[str, int] = {}
    counts = NumberColumn(_parse_count, lambda _: None, file.where, decimal)
    for line, row in chain(first, file.rows):
        name = row[own].strip()
        if name not in index:
            raise ValueError(f"{file.where(line, own)}: {_node_text(name)} is not a node of the graph")
        _refuse_twice(line_of_name, name, file.where(line, own), line)
        counts.add([row[place]], [(line, place)])
    count = np.zeros(len(ids))
    count[[index[name] for name in line_of_name]] = counts.numbers()
    notes: list[PlaceNote] = [*counts.notes(), NodeCountColumn(file.names[place], float(count.sum()))]
    if n_missing := len(ids) - len(line_of_name):
        notes.append(NodesWithoutRow(n_missing, len(ids)))
    return NodeCounts(count, columns, tuple(notes))


@contextmanager
def _of_file(name: str) -> Iterator[None]:
    """Let a sentence on what is wrong begin with the file's name."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _nodes(data: bytes) -> tuple[tuple[str, ...], Array, Array, NodeColumns]:
    """Return the names of nodes, their latitudes and longitudes, and the columns they were read from."""
    file = open_named_columns(data)
    pairs = coordinate_pairs(file.names)
    if not pairs:
        raise ValueError(f"line {file.line}: no columns are named as latitude and longitude (lat, lon)")
    own, lat, lon = _node_place(file), file.names.index(pairs[0][0]), file.names.index(pairs[0][1])
    line_of_name, places = {}, []
    for line, row in file.rows:
        name = row[own].strip()
        if not name:
            raise ValueError(f"{file.where(line, own)}: the name of the node is missing")
        _refuse_twice(line_of_name, name, file.where(line, own), line)
        if len(line_of_name) > MOST_NODES:
            raise ValueError(f"line {line}: more than {MOST_NODES:,} nodes")
        places.append([_degrees(row[lat], 90, file.where(line, lat)), _degrees(row[lon], 180, file.where(line, lon))])
    if not line_of_name:
        raise ValueError(f"line {file.line + 1}: there is no row under the header")
    north, east = np.array(places).T
    return tuple(line_of_name), north, east, NodeColumns(*(file.names[column] for column in (own, lat, lon)))


def _edges(data: bytes, index: dict[str, int]) -> tuple[NDArray[np.int64], EdgeColumns]:
    """Return the edges as pairs of indices of nodes, and the columns they were read from."""
    file = open_named_columns(data)
    places = _named_ends(file) or _possible_ends(file)
    lines, rows = [], []
    for line, row in file.rows:
        lines.append(line)
        rows.append([row[place].strip() for place in places])
        if len(rows) > MOST_EDGES:
            raise ValueError(f"line {line}: more than {MOST_EDGES:,} edges")
    ends = (0, 1) if _named_ends(file) else _node_columns(file.line, rows, len(places), index)
    pairs = np.empty((len(rows), 2), dtype=np.int64)
    for edge, (line, row) in enumerate(zip(lines, rows, strict=True)):
        for side, place in enumerate(ends):
            if row[place] not in index:
                raise ValueError(f"{file.where(line, places[place])}: {_node_text(row[place])} is not a node")
            pairs[edge, side] = index[row[place]]
    return pairs, EdgeColumns(*(file.names[places[place]] for place in ends))


def _node_text(name: str) -> str:
    return short_text(name) or "an empty name"


def _named_ends(file: NamedColumns) -> list[int]:
    """Return the columns that are called the ends of an edge; none if there are no such columns."""
    named = {name.lower(): place for place, name in enumerate(file.names)}
    called = [(start + tail, end + tail) for start, end in _END_NAMES for tail in ("", "_node", "_id", "_node_id")]
    return next(([named[start], named[end]] for start, end in called if {start, end} <= named.keys()), [])


def _possible_ends(file: NamedColumns) -> list[int]:
    return [place for place, name in enumerate(file.names) if not _NO_END.fullmatch(name)][:_MOST_COLUMNS]


def _node_columns(line: int, rows: list[list[str]], width: int, index: dict[str, int]) -> tuple[int, int]:
    """Return the first two columns that hold nodes only, preferably not those that merely number the rows."""
    places = [place for place in range(width) if rows and all(row[place] in index for row in rows)]
    others = [place for place in places if not numbers_rows([row[place] for row in rows], (0, 1))]
    places = others if len(others) >= 2 else places
    if len(places) < 2:
        reason = "no two columns are named u and v, from and to, or source and target, or hold nodes only"
        raise ValueError(f"line {line}: {reason}")
    return places[0], places[1]


def _node_place(file: NamedColumns) -> int:
    """Return the column that names the nodes."""
    named = {name.lower(): place for place, name in reversed(list(enumerate(file.names)))}
    return next((named[name] for name in _NODE_NAMES if name in named), 0)


def _refuse_twice(line_of_name: dict[str, int], name: str, where: str, line: int) -> None:
    if name in line_of_name:
        raise ValueError(f"{where}: {short_text(name)} stands in line {line_of_name[name]} already")
    line_of_name[name] = line


def _degrees(entry: str, most: float, where: str) -> float:
    values = parse_numbers([entry], decimal_comma=True)
    if values is None:
        raise ValueError(f"{where}: {short_text(entry)} {_NO_NUMBER}")
    if np.isnan(values[0]):
        raise ValueError(f"{where}: {_MISSING}")
    if not abs(values[0]) <= most:
        raise ValueError(f"{where}: {short_text(entry)} is outside -{most:.0f} to {most:.0f} degrees")
    return float(values[0])


def _parse_count(entry: str, mark: str) -> float:
    if is_missing(entry):
        raise ValueError(_MISSING)
    value = number_of(entry, mark)
    if value is None:
        raise ValueError(f"{short_text(entry)} {_NO_NUMBER}")
    if not 0 <= value <= MOST_NODE_COUNT:
        raise ValueError(f"{short_text(entry)} is outside [0, {MOST_NODE_COUNT:,.0f}], where counts are")
    return value
