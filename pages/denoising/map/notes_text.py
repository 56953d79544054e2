"""The sentences on how files of places were read, and on how many of their points are counted."""

from collections.abc import Iterable
from types import MappingProxyType

from dpcore.readers.place_notes import (
    AnonymousRows,
    CoordinateColumns,
    EdgeColumns,
    GraphSize,
    NodeColumns,
    NodeCountColumn,
    NodesWithoutRow,
    PersonColumn,
    PlacedRows,
    PlaceNote,
    RowsAtZero,
    RowsOutsideGlobe,
    RowsWithoutCoordinates,
)
from pages.framework.parameters.number_format import plural
from pages.framework.parameters.parameter import excerpt
from pages.shared.file_notes import FILE_SENTENCES, SentenceWriters, sentences


def place_sentences(notes: Iterable[PlaceNote]) -> tuple[str, ...]:
    """Return a sentence for each note on points and road graphs.

    >>> place_sentences([CoordinateColumns("y", "x")])
    ('Latitudes are in the column y, longitudes in x.',)
    """
    return sentences(notes, PLACE_SENTENCES)


def counted_sentence(n_counted: int, n_placed: int, elsewhere: str) -> str:
    """Return the sentence on how many of the points with a place are counted; the others are `elsewhere`.

    >>> counted_sentence(2, 3, "outside the box")
    'Of 3 points on the globe, 2 are counted; outside the box and not counted: 1.'
    """
    if n_counted == n_placed:
        return f"All {n_counted:,} points on the globe are counted."
    n_left = n_placed - n_counted
    return f"Of {n_placed:,} points on the globe, {n_counted:,} are counted; {elsewhere} and not counted: {n_left:,}."


def _coordinate_columns(note: CoordinateColumns) -> str:
    return f"Latitudes are in the column {excerpt(note.lat)}, longitudes in {excerpt(note.lon)}."


def _placed_rows(note: PlacedRows) -> str:
    rows = f"Of {plural(note.n_rows, 'row')}, {note.n_placed:,} have a place"
    (south, north), (west, east) = note.lat, note.lon
    extent = f"latitude {south:.4f} to {north:.4f}, longitude {west:.4f} to {east:.4f}."
    polar = " Half of the points lie in the Arctic or in Antarctica, so the columns may be swapped."
    return f"{rows}: {extent}{polar if note.is_polar else ''}"


def _rows_without_coordinates(note: RowsWithoutCoordinates) -> str:
    return f"Rows without a latitude or a longitude are left out: {note.n_rows:,}."


def _rows_at_zero(note: RowsAtZero) -> str:
    place = "latitude 0, longitude 0, which devices write for an unknown place"
    return f"Rows at {place}, are left out: {note.n_rows:,}."


def _rows_outside_globe(note: RowsOutsideGlobe) -> str:
    first = f"the first is line {note.line} (latitude {note.lat:.8g}, longitude {note.lon:.8g})"
    return f"Rows outside the globe are left out: {note.n_rows:,}; {first}."


def _person_column(note: PersonColumn) -> str:
    nameless = f" Rows without a person cannot be capped and are not counted: {note.n_nameless:,}."
    column = f"The column {excerpt(note.name)} names {plural(note.n_persons, 'person')}."
    return column + (nameless if note.n_nameless else "")


def _anonymous_rows(_: AnonymousRows) -> str:
    return "No column says whose row it is, so no cap on a person can be enforced."


def _graph_size(note: GraphSize) -> str:
    return (
        f"{note.n_nodes:,} nodes and {note.n_edges:,} edges, of which {note.n_loops:,} join a node to itself and "
        f"{note.n_repeated:,} repeat another: these are ignored."
    )


def _node_columns(note: NodeColumns) -> str:
    return f"Nodes are read from the columns {', '.join(map(excerpt, (note.name, note.lat, note.lon)))}."


def _edge_columns(note: EdgeColumns) -> str:
    return f"Edges are read from the columns {excerpt(note.start)} and {excerpt(note.end)}."


def _node_count_column(note: NodeCountColumn) -> str:
    return f"The counts are in the column {excerpt(note.name)}: {note.total:,.10g} in all."


def _nodes_without_row(note: NodesWithoutRow) -> str:
    return f"Nodes without a row count 0: {note.n_missing:,} of {note.n_nodes:,}."


PLACE_SENTENCES: SentenceWriters = MappingProxyType(
    {
        **FILE_SENTENCES,
        CoordinateColumns: _coordinate_columns,
        PlacedRows: _placed_rows,
        RowsWithoutCoordinates: _rows_without_coordinates,
        RowsAtZero: _rows_at_zero,
        RowsOutsideGlobe: _rows_outside_globe,
        PersonColumn: _person_column,
        AnonymousRows: _anonymous_rows,
        GraphSize: _graph_size,
        NodeColumns: _node_columns,
        EdgeColumns: _edge_columns,
        NodeCountColumn: _node_count_column,
        NodesWithoutRow: _nodes_without_row,
    }
)
