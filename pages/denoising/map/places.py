"""The places of a map: a sample or the user's own, their counts under a cap per person, and how they were read."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.util import find_spec
from math import cos, radians, sqrt
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpcore import places, readers
from dpcore.checks import Array
from dpcore.denoise import Estimate
from dpcore.graphs import Graph, graph
from dpcore.readers import Points, RoadGraph
from dpcore.readers.notes import (
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
from pages.shared.file_notes import FILE_SENTENCES


def place_sentences(notes: Iterable[PlaceNote]) -> tuple[str, ...]:
    """Return a sentence for each note on points and road graphs.

    >>> place_sentences([CoordinateColumns("y", "x")])
    ('Latitudes are in the column y, longitudes in x.',)
    """
    return tuple(map(_place_sentence, notes))


def counted_sentence(n_counted: int, n_placed: int, elsewhere: str) -> str:
    """Return the sentence on how many of the points with a place are counted; the others are `elsewhere`.

    >>> counted_sentence(2, 3, "outside the box")
    'Of 3 points on the globe, 2 are counted; outside the box and not counted: 1.'
    """
    if n_counted == n_placed:
        return f"All {n_counted:,} points on the globe are counted."
    n_left = n_placed - n_counted
    return f"Of {n_placed:,} points on the globe, {n_counted:,} are counted; {elsewhere} and not counted: {n_left:,}."


def _place_sentence(note: PlaceNote) -> str:
    match note:
        case CoordinateColumns():
            return f"Latitudes are in the column {excerpt(note.lat)}, longitudes in {excerpt(note.lon)}."
        case PlacedRows(lat=(south, north), lon=(west, east)):
            rows = f"Of {plural(note.n_rows, 'row')}, {note.n_placed:,} have a place"
            extent = f"latitude {south:.4f} to {north:.4f}, longitude {west:.4f} to {east:.4f}."
            polar = " Half of the points lie in the Arctic or in Antarctica, so the columns may be swapped."
            return f"{rows}: {extent}{polar if note.is_polar else ''}"
        case RowsWithoutCoordinates():
            return f"Rows without a latitude or a longitude are left out: {note.n_rows:,}."
        case RowsAtZero():
            place = "latitude 0, longitude 0, which devices write for an unknown place"
            return f"Rows at {place}, are left out: {note.n_rows:,}."
        case RowsOutsideGlobe():
            first = f"the first is line {note.line} (latitude {note.lat:.8g}, longitude {note.lon:.8g})"
            return f"Rows outside the globe are left out: {note.n_rows:,}; {first}."
        case PersonColumn():
            nameless = f" Rows without a person cannot be capped and are not counted: {note.n_nameless:,}."
            column = f"The column {excerpt(note.name)} names {plural(note.n_persons, 'person')}."
            return column + (nameless if note.n_nameless else "")
        case AnonymousRows():
            return "No column says whose row it is, so no cap on a person can be enforced."
        case GraphSize():
            return (
                f"{note.n_nodes:,} nodes and {note.n_edges:,} edges, of which {note.n_loops:,} join a node to itself "
                f"and {note.n_repeated:,} repeat another: these are ignored."
            )
        case NodeColumns():
            return f"Nodes are read from the columns {', '.join(map(excerpt, (note.name, note.lat, note.lon)))}."
        case EdgeColumns():
            return f"Edges are read from the columns {excerpt(note.start)} and {excerpt(note.end)}."
        case NodeCountColumn():
            return f"The counts are in the column {excerpt(note.name)}: {note.total:,.10g} in all."
        case NodesWithoutRow():
            return f"Nodes without a row count 0: {note.n_missing:,} of {note.n_nodes:,}."
    return FILE_SENTENCES[type(note)](note)


Box = tuple[float, float, float, float]
T = TypeVar("T")
MOST_CELLS = 10_000  # every estimate of so many cells takes a second at most
WITHIN_M = 250.0
_MONTREAL: Box = (45.44, -73.76, 45.62, -73.50)  # round numbers, not read from the sample
_HOURS_OF_DAY = 24
_N_PIXELS = 14_000  # of the picture of a road graph
_CACHE_SIZE = 12  # counts and releases, of each source
_METRES_OF_DEGREE = 111_195.0  # of latitude
_CACHE_LOCK = Lock()


@dataclass(frozen=True, eq=False)
class PlaceCounts:
    """Counts by place, on a grid with the southern row first or at the nodes of a graph, and how they are drawn.

    `excess` is what the limits left out, `structure` what the estimators know of the places. `pixels` has the place of
    each point of a picture, −1 for none, and `lat`, `lon` are those of its rows and columns.
    """

    count: Array
    excess: float
    structure: Graph | str
    pixels: NDArray[np.int64]
    lat: Array
    lon: Array
    sentence: str


@dataclass(frozen=True, eq=False)
class PlaceSource:
    """Places with what is counted there, or the sentence why there is nothing to count.

    `points` are counted on a grid over `box`, or at the nodes of `roads`, whose `counts` may be given instead. `unit`
    is what is counted; `has_persons` says that the file tells whose row it is, `is_sample` that these are no persons'
    trips at all. `slow_estimates` are those that were computed in the background, with their setting.
    """

    name: str
    unit: str = "points"
    points: Points | None = None
    box: Box | None = None
    roads: RoadGraph | None = None
    counts: Array | None = None
    within: float = WITHIN_M
    has_persons: bool = False
    is_sample: bool = False
    box_is_suggested: bool = False
    sentences: tuple[str, ...] = ()
    problem: str = ""
    slow_estimates: tuple[Hashable, dict[str, Estimate]] | None = None
    cache: dict[Any, Any] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the cache, for a worker."""
        return self.__dict__ | {"cache": {}}

    @cached_property
    def graph(self) -> Graph | None:
        """The graph of the roads."""
        return None if self.roads is None else graph(len(self.roads.ids), self.roads.edges)

    @cached_property
    def nearest(self) -> NDArray[np.int64]:
        """The node nearest to each point, −1 if all are too far."""
        if self.points is None or self.roads is None:
            return np.empty(0, np.int64)
        return places.nearest_places(self.points.lat, self.points.lon, self.roads.lat, self.roads.lon, self.within)

    @cached_property
    def pixel_grid(self) -> tuple[NDArray[np.int64], Array, Array]:
        """The node nearest to each pixel, −1 if all are too far, and the pixels' latitudes and longitudes."""
        return (np.empty((0, 0), np.int64), np.empty(0), np.empty(0)) if self.roads is None else _pixel_grid(self.roads)

    def prepare(self) -> None:
        """Compute what does not depend on the setting, once and before the source is sent to workers."""
        _ = self.graph, self.nearest, self.pixel_grid

    def place_counts(self, grid: int, cap: float, per_place: float) -> PlaceCounts:
        """Return the counts by place within the limits of a person, on a grid of at most `grid` columns."""
        limits = (grid, cap, per_place)
        if self.graph is not None:
            roads = self.graph
            return self.cached(("nodes", *limits), lambda: _counts_at_nodes(self, roads, limits))
        if self.points is None or self.box is None:
            return PlaceCounts(np.zeros((1, 1)), 0.0, "image", np.zeros((1, 1), np.int64), np.zeros(1), np.zeros(1), "")
        points, box = self.points, self.box
        return self.cached(("cells", *limits), lambda: _counts_in_cells(self, points, box, limits))

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return content from the cache of these places, which is computed if it is not there."""
        with _CACHE_LOCK:
            content = self.cache.get(key)
        content = make() if content is None else content
        with _CACHE_LOCK:
            self.cache.pop(key, None)
            self.cache[key] = content  # at the end: the oldest goes first
            while len(self.cache) > _CACHE_SIZE:
                self.cache.pop(next(iter(self.cache)))
        return content


@cache
def carshare() -> PlaceSource:
    """Return the sample that ships with Plotly: the hours in which a shared car stood free in 249 zones of Montréal.

    It is counted in car-days, 24 such hours.
    """
    package = find_spec("plotly")
    if package is None or package.origin is None:
        return PlaceSource("Car sharing in Montréal", problem="Plotly is not installed, and with it its sample.")
    data = (Path(package.origin).parent / "package_data/datasets/carshare.csv.gz").read_bytes()
    read = readers.read_points(data, weight="car_hours")
    days = Points(read.lat, read.lon, read.weight / _HOURS_OF_DAY, read.person, read.n_placed, read.notes)
    return PlaceSource("Car sharing in Montréal", "car-days", days, _MONTREAL, is_sample=True)


def grid_shape(box: Box, across: int) -> tuple[int, int]:
    """Return rows and columns of about square cells, at most `across` from west to east and 10,000 in all.

    >>> grid_shape((45.44, -73.76, 45.62, -73.50), 24), grid_shape((0, 0, 10, 1), 100)
    ((24, 24), (311, 31))
    """
    south, west, north, east = box
    ratio = (north - south) / ((east - west) * max(cos(radians((north + south) / 2)), 0.01))
    columns = max(1, min(across, int(sqrt(MOST_CELLS / ratio))))
    return max(1, min(round(columns * ratio), MOST_CELLS // columns, 1000)), columns


def _counts_in_cells(source: PlaceSource, points: Points, box: Box, limits: tuple[int, float, float]) -> PlaceCounts:
    rows, columns = grid_shape(box, limits[0])
    where = places.grid_places(points.lat, points.lon, rows, columns, box)
    count, excess = _capped_counts(source, points, where, rows * columns, limits)
    sentence = counted_sentence(int(np.sum(where >= 0)), points.n_placed, "outside the box")
    south, west, north, east = box
    lat, lon = _cell_centres(south, north, rows), _cell_centres(west, east, columns)
    pixels = np.arange(rows * columns).reshape(rows, columns)
    return PlaceCounts(count.reshape(rows, columns), excess, "image", pixels, lat, lon, sentence)


def _counts_at_nodes(source: PlaceSource, roads: Graph, limits: tuple[int, float, float]) -> PlaceCounts:
    if source.counts is not None:
        return PlaceCounts(source.counts, 0.0, roads, *source.pixel_grid, "")
    if source.points is None:
        return PlaceCounts(np.zeros(roads.n_nodes), 0.0, roads, *source.pixel_grid, "")
    count, excess = _capped_counts(source, source.points, source.nearest, roads.n_nodes, limits)
    elsewhere = f"more than {source.within:g} m from every junction"
    sentence = counted_sentence(int(np.sum(source.nearest >= 0)), source.points.n_placed, elsewhere)
    return PlaceCounts(count, excess, roads, *source.pixel_grid, sentence)


def _capped_counts(
    source: PlaceSource, points: Points, where: NDArray[np.int64], n_places: int, limits: tuple[int, float, float]
) -> tuple[Array, float]:
    """Return the counts within the limits of a person, and how much the limits leave out: 0 for a sample."""
    whole = places.place_counts(where, n_places, points.weight)
    if source.is_sample:
        return whole, 0.0
    weight = places.capped_weight(None, points.person, where, *limits[1:], points.weight)
    count = places.place_counts(where, n_places, weight)
    return count, float(whole.sum() - count.sum())


def _cell_centres(low: float, high: float, n: int) -> Array:
    return low + (np.arange(n) + 0.5) * (high - low) / n


def _pixel_grid(roads: RoadGraph) -> tuple[NDArray[np.int64], Array, Array]:
    south, north, west, east = _box_around(roads.lat, roads.lon)
    narrow = cos(radians((north + south) / 2))
    step = sqrt((north - south) * (east - west) * narrow / _N_PIXELS)
    lat = _cell_centres(south, north, int(np.clip((north - south) / step, 1, 1000)))
    lon = _cell_centres(west, east, int(np.clip((east - west) * narrow / step, 1, 1000)))
    radius = max(1.5 * step, 2 * _road_spacing(roads)) * _METRES_OF_DEGREE
    grid_lat, grid_lon = np.meshgrid(lat, lon, indexing="ij")
    return places.nearest_places(grid_lat, grid_lon, roads.lat, roads.lon, min(radius, 1e5)), lat, lon


def _box_around(lat: Array, lon: Array) -> Box:
    """Return the box of the nodes with a margin, which always has an extent."""
    south, north, west, east = float(lat.min()), float(lat.max()), float(lon.min()), float(lon.max())
    margin = 0.02 * max(north - south, east - west, 1e-3)
    return max(south - margin, -90.0), min(north + margin, 90.0), max(west - margin, -180.0), min(east + margin, 180.0)


def _road_spacing(roads: RoadGraph) -> float:
    """Return the median length of a road between two nodes, in degrees of latitude."""
    start, end = roads.edges.T
    is_road = start != end
    if not is_road.any():
        return 0.0
    narrow = np.cos(np.radians(roads.lat[start]))
    length = np.hypot(roads.lat[start] - roads.lat[end], (roads.lon[start] - roads.lon[end]) * narrow)
    return float(np.median(length[is_road]))
