"""A road graph of the user's own, and counts at its nodes, read from files."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array, option
from dpcore.readers.csv_columns import FIRST, Headed, coordinate_pairs, headed, numbers, numeric_columns
from dpcore.readers.csv_file import ignore_progress, numbers_rows, short_text

MOST_NODES = 20_000
MOST_EDGES = 100_000
MOST_NODE_COUNT = 1e9
_NODE_NAMES = ("node_id", "nodeid", "node", "osmid", "osm_id", "junction", "junction_id", "vertex", "vertex_id", "id")
_END_NAMES = (("u", "v"), ("from", "to"), ("source", "target"), ("start", "end"), ("tail", "head"))
_MOST_LOOKED_AT = 10  # columns, which bounds the memory
_NO_END = re.compile(r"(.*edge.*|id|fid|index|key|column \d+)", re.I)


@dataclass(frozen=True)
class RoadGraph:
    """Nodes with their names and places in degrees, and edges as pairs of indices of nodes, as the files list them.

    `edges` has the shape (n_edges, 2) and may hold loops and repeated pairs; `said` are the sentences on how the files
    were read.
    """

    ids: tuple[str, ...]
    lat: Array
    lon: Array
    edges: NDArray[np.int64]
    said: tuple[str, ...]


@dataclass(frozen=True)
class NodeCounts:
    """A number at each node, the columns that could be chosen for it, and the sentences on how the file was read."""

    count: Array
    columns: tuple[str, ...]
    said: tuple[str, ...]


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
        ids, lat, lon, node_said = _nodes(nodes)
    with _of_file("edges"):
        pairs, edge_said = _edges(edges, {name: place for place, name in enumerate(ids)})
    loops = int(np.sum(pairs[:, 0] == pairs[:, 1]))
    apart = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
    repeated = len(apart) - len(np.unique(apart, axis=0))
    said = (
        f"{len(ids):,} nodes and {len(pairs):,} edges, of which {loops:,} join a node to itself and {repeated:,} "
        "repeat another: these count for nothing."
    )
    return RoadGraph(ids, lat, lon, pairs, (said, node_said, edge_said))


def read_node_counts(data: bytes, ids: tuple[str, ...], column: str = "") -> NodeCounts:
    r"""Return the counts of a text file with a row for each node, in the order of `ids`; a node without a row has 0.

    Parameters
    ----------
    data : as for `read_points`, with the nodes' names in a column as `read_graph` finds them.
    ids : the names of the nodes.
    column : the one with the counts, by name, numbers of [0, 10⁹]; without it, the first other one
        that holds numbers and no coordinates.

    Raises
    ------
    ValueError
        One sentence with the line, the column and the reason: no number, a node that the graph hasn't, or one twice.

    Examples
    --------
    >>> read_node_counts(b"node,starts,ends\nb,3,1\n", ("a", "b"), "ends").count
    array([0., 1.])
    """
    found = headed(data, ignore_progress)
    own = _node_place(found)
    first = list(islice(found.rows, FIRST))
    columns = tuple(name for name in numeric_columns(found, first) if name != found.names[own])
    if not columns:
        raise ValueError(f"line {found.line}: no column of numbers stands beside the one that names the nodes")
    option("column", column, ("", *columns))
    place = found.names.index(column or columns[0])
    index = {name: node for node, name in enumerate(ids)}
    count, seen = np.zeros(len(ids)), {}
    for line, row in chain(first, found.rows):
        name = row[own].strip()
        if name not in index:
            raise ValueError(f"{found.where(line, own)}: {_what(name)} is no node of the graph")
        _refuse_twice(seen, name, found.where(line, own), line)
        count[index[name]] = _count(row[place], found.where(line, place))
    said = [f"The counts are in the column {short_text(found.names[place])}: {count.sum():,.10g} in all."]
    if missing := len(ids) - len(seen):
        said.append(f"Nodes without a row count 0: {missing:,} of {len(ids):,}.")
    return NodeCounts(count, columns, tuple(said))


@contextmanager
def _of_file(name: str) -> Iterator[None]:
    """A sentence on what is wrong begins with the file's name."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _nodes(data: bytes) -> tuple[tuple[str, ...], Array, Array, str]:
    """The names of nodes, their latitudes and longitudes, and what was taken for what."""
    found = headed(data, ignore_progress)
    pairs = coordinate_pairs(found.names)
    if not pairs:
        raise ValueError(f"line {found.line}: no columns are named as latitude and longitude (lat, lon)")
    own, lat, lon = _node_place(found), found.names.index(pairs[0][0]), found.names.index(pairs[0][1])
    seen, places = {}, []
    for line, row in found.rows:
        name = row[own].strip()
        if not name:
            raise ValueError(f"{found.where(line, own)}: the name of the node is missing")
        _refuse_twice(seen, name, found.where(line, own), line)
        if len(seen) > MOST_NODES:
            raise ValueError(f"line {line}: more than {MOST_NODES:,} nodes")
        places.append([_degrees(row[lat], 90, found.where(line, lat)), _degrees(row[lon], 180, found.where(line, lon))])
    if not seen:
        raise ValueError(f"line {found.line + 1}: there is no row under the header")
    north, east = np.array(places).T
    columns = ", ".join(short_text(found.names[place]) for place in (own, lat, lon))
    return tuple(seen), north, east, f"Nodes are read from the columns {columns}."


def _edges(data: bytes, index: dict[str, int]) -> tuple[NDArray[np.int64], str]:
    """The edges as pairs of indices of nodes, and which columns they were read from."""
    found = headed(data, ignore_progress)
    places = _named_ends(found) or _possible_ends(found)
    lines, rows = [], []
    for line, row in found.rows:
        lines.append(line)
        rows.append([row[place].strip() for place in places])
        if len(rows) > MOST_EDGES:
            raise ValueError(f"line {line}: more than {MOST_EDGES:,} edges")
    ends = (0, 1) if _named_ends(found) else _node_columns(found.line, rows, len(places), index)
    pairs = np.empty((len(rows), 2), dtype=np.int64)
    for edge, (line, row) in enumerate(zip(lines, rows, strict=True)):
        for side, place in enumerate(ends):
            if row[place] not in index:
                raise ValueError(f"{found.where(line, places[place])}: {_what(row[place])} is no node")
            pairs[edge, side] = index[row[place]]
    start, end = (short_text(found.names[places[place]]) for place in ends)
    return pairs, f"Edges are read from the columns {start} and {end}."


def _what(name: str) -> str:
    return short_text(name) or "an empty name"


def _named_ends(found: Headed) -> list[int]:
    """The columns that are called the ends of an edge; none if there are no such."""
    named = {name.lower(): place for place, name in enumerate(found.names)}
    called = [(start + tail, end + tail) for start, end in _END_NAMES for tail in ("", "_node", "_id", "_node_id")]
    return next(([named[start], named[end]] for start, end in called if {start, end} <= named.keys()), [])


def _possible_ends(found: Headed) -> list[int]:
    return [place for place, name in enumerate(found.names) if not _NO_END.fullmatch(name)][:_MOST_LOOKED_AT]


def _node_columns(line: int, rows: list[list[str]], width: int, index: dict[str, int]) -> tuple[int, int]:
    """The first two columns that hold nodes only; those that merely number the rows give way to others."""
    places = [place for place in range(width) if rows and all(row[place] in index for row in rows)]
    others = [place for place in places if not numbers_rows([row[place] for row in rows], (0, 1))]
    places = others if len(others) >= 2 else places
    if len(places) < 2:
        why = "no two columns are named u and v, from and to, or source and target, or hold nodes only"
        raise ValueError(f"line {line}: {why}")
    return places[0], places[1]


def _node_place(found: Headed) -> int:
    """The column that names the nodes."""
    named = {name.lower(): place for place, name in reversed(list(enumerate(found.names)))}
    return next((named[name] for name in _NODE_NAMES if name in named), 0)


def _refuse_twice(seen: dict[str, int], name: str, where: str, line: int) -> None:
    if name in seen:
        raise ValueError(f"{where}: {short_text(name)} stands in line {seen[name]} already")
    seen[name] = line


def _degrees(entry: str, most: float, where: str) -> float:
    value = _one(entry, where, decimal_comma=True)
    if not abs(value) <= most:
        raise ValueError(f"{where}: {short_text(entry)} is outside -{most:.0f} to {most:.0f} degrees")
    return value


def _count(entry: str, where: str) -> float:
    value = _one(entry, where)
    if not 0 <= value <= MOST_NODE_COUNT:
        raise ValueError(f"{where}: {short_text(entry)} is outside [0, {MOST_NODE_COUNT:,.0f}], where counts are")
    return value


def _one(entry: str, where: str, decimal_comma: bool = False) -> float:
    values = numbers([entry], decimal_comma)
    if values is None:
        raise ValueError(f"{where}: {short_text(entry)} is no plain number, such as 12.5")
    if np.isnan(values[0]):
        raise ValueError(f"{where}: the number is missing")
    return float(values[0])
