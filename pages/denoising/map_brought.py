"""What becomes of the files of places that a user brought, and of what was chosen in them."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import Any, TypeVar

from dpcore import checks, readers
from dpcore.places import WITHIN_RANGE
from dpcore.readers import NodeCounts, PointColumns, Points, RoadGraph
from pages.denoising.map_notes import place_sentences
from pages.denoising.map_places import WITHIN_M, Box, Source
from pages.shared import numbers, text
from pages.shared.own_data import OwnData
from pages.shared.parameters import given, shown
from pages.shared.workers.limits import Report

T = TypeVar("T")
Progress = Callable[[float], None]
KINDS = ("points", "nodes", "edges", "counts")
_LEAST_BOX = 1e-4  # degrees, some ten metres
_FORM = "four numbers in degrees, south, west, north and east, such as 40.68; -74.03; 40.88; -73.9"


@dataclass(frozen=True)
class File:
    """A file's name and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, eq=False)
class Brought:
    """The files that the user brought, and how they are to be read; an empty text is the page's own choice.

    `known` are the parts that were read before, each with what it was read from.
    """

    points: File | None = None
    nodes: File | None = None
    edges: File | None = None
    counts: File | None = None
    pair: tuple[str, str] | None = None
    weight: str = ""
    person: str = ""
    column: str = ""
    box: str = ""
    within: str = f"{WITHIN_M:g}"
    known: dict[str, tuple[Hashable, Any]] = field(default_factory=dict)

    def read(self, part: str, key: Hashable, make: Callable[[], T]) -> T:
        """A part as it was read before, or is read now."""
        if part in self.known and self.known[part][0] == key:
            return self.known[part][1]
        made = make()
        self.known[part] = (key, made)
        return made


@dataclass(frozen=True)
class Outcome:
    """What came of it: the places, what may be chosen in the files, and the box that is used, as text."""

    brought: Brought
    source: Source | None
    offered: PointColumns | None = None
    columns: tuple[str, ...] = ()
    box: str = ""


def with_file(brought: Brought, kind: str, file: File | None) -> Brought:
    """With another file of a kind, and without what was chosen in the one before."""
    chosen: dict[str, Any] = {"points": {"pair": None, "weight": "", "person": "", "box": ""}, "counts": {"column": ""}}
    return replace(brought, **{kind: file}, **chosen.get(kind, {}))


_TEXTS = ("weight", "person", "column", "box", "within")


def copy_of(brought: Brought) -> OwnData:
    """What the browser shall keep: the files, and what was chosen in them."""
    files = {kind: file for kind in KINDS if (file := getattr(brought, kind)) is not None}
    options = {name: getattr(brought, name) for name in _TEXTS} | {"pair": brought.pair, "kinds": list(files)}
    return OwnData(tuple((file.name, file.data) for file in files.values()), options)


def from_copy(copy: OwnData) -> Brought:
    """The files that the browser kept, to be read again; what the page did not write is left out."""
    chosen: dict[str, Any] = {name: copy.options[name] for name in _TEXTS if isinstance(copy.options.get(name), str)}
    pair, kinds = copy.options.get("pair"), copy.options.get("kinds")
    if isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) for each in pair):
        chosen["pair"] = tuple(pair)
    named = zip(kinds if isinstance(kinds, list) else (), copy.files, strict=False)
    files: dict[str, Any] = {kind: File(*file) for kind, file in named if kind in KINDS}
    return Brought(**chosen, **files)


def refused(brought: Brought, error: ValueError) -> Outcome:
    """There is nothing to count, for this reason."""
    return Outcome(brought, Source("Your places", problem=f"The files can’t be read: {error}."))


def outcome(brought: Brought, report: Report) -> Outcome:
    """Read what was brought, and tell the share of the points that is read, now and then."""
    if all(getattr(brought, kind) is None for kind in KINDS):
        return Outcome(brought, None)
    made = Outcome(brought, None)
    try:
        points, made = _points(made, report.report)
        roads = _roads(brought)
        counts, made = _counts(made, roads)
        source, made = _source(made, points, roads, counts)
    except ValueError as error:
        source = Source("Your places", problem=str(error))
    names = ", ".join(shown(file.name) for kind in KINDS if (file := getattr(brought, kind)) is not None)
    source = replace(source, said=(f"Files: {names}.", *source.said))
    source.prepare()
    return replace(made, source=source)


def _refused(file: File, error: ValueError) -> ValueError:
    return ValueError(f"{shown(file.name)} can’t be read: {error}. Nothing is drawn in its place.")


def _points(made: Outcome, progress: Progress) -> tuple[Points | None, Outcome]:
    brought, file = made.brought, made.brought.points
    if file is None:
        return None, made
    chosen = (brought.pair, brought.weight, brought.person)
    try:
        offered = brought.read("columns", file, lambda: readers.point_columns(file.data))
        made = replace(made, offered=offered)
        read = brought.read("points", (file, chosen), lambda: readers.read_points(file.data, *chosen, progress))
    except ValueError as error:
        raise _refused(file, error) from None
    return read, made


def _roads(brought: Brought) -> RoadGraph | None:
    nodes, edges = brought.nodes, brought.edges
    if nodes is None and edges is None and brought.counts is None:
        return None
    if nodes is None or edges is None:
        missing = "nodes" if nodes is None else "edges"
        raise ValueError(f"The file of {missing} is missing: roads, and counts at their junctions, need both.")
    key = (nodes, edges)
    try:
        return brought.read("roads", key, lambda: readers.read_graph(nodes.data, edges.data))
    except ValueError as error:
        raise _refused(nodes if str(error).startswith("nodes") else edges, error) from None


def _counts(made: Outcome, roads: RoadGraph | None) -> tuple[NodeCounts | None, Outcome]:
    brought, file = made.brought, made.brought.counts
    if file is None or roads is None:
        return None, made
    key = (file, brought.nodes, brought.edges, brought.column)
    try:
        read = brought.read("counts", key, lambda: readers.read_node_counts(file.data, roads.ids, brought.column))
    except ValueError as error:
        raise _refused(file, error) from None
    return read, replace(made, columns=read.columns)


def _source(
    made: Outcome, points: Points | None, roads: RoadGraph | None, counts: NodeCounts | None
) -> tuple[Source, Outcome]:
    """The places, of what there is."""
    brought = made.brought
    said = () if points is None else place_sentences(points.notes)
    named = Source("Your places", persons=bool(brought.person), points=points, roads=roads)
    if brought.weight:
        named = replace(named, unit=f"“{shown(brought.weight)}”")
    if roads is not None:
        said = (*said, *place_sentences(roads.notes))
        if counts is not None:
            more = () if points is None else ("The file of counts is drawn; the points are not counted.",)
            counted = replace(named, counts=counts.count, unit=f"“{shown(brought.column or counts.columns[0])}”")
            return replace(
                counted, persons=False, points=None, said=(*said, *place_sentences(counts.notes), *more)
            ), made
        if points is None:
            raise ValueError("The roads are there. Bring points to count at their junctions, or a file of counts.")
        return replace(named, within=_within(brought.within), said=said), made
    if points is None:
        raise ValueError("There are no points to count.")
    suggested = suggestion(points)
    text_of_box = brought.box or box_text(suggested)
    made = replace(made, box=text_of_box)
    box = read_box(text_of_box)
    return replace(named, box=box, suggested=box == suggested, said=said), made


def suggestion(points: Points) -> Box:
    """A box around all points, on hundredths of a degree; it is read from the data, so it is not private."""
    lat, lon = (each[points.lat == points.lat] for each in (points.lat, points.lon))  # NaN is no place
    south, west = (floor(100 * float(each.min())) / 100 for each in (lat, lon))
    north, east = (ceil(100 * float(each.max())) / 100 for each in (lat, lon))
    north, east = max(north, south + 0.01), max(east, west + 0.01)
    return max(south, -90.0), max(west, -180.0), min(north, 90.0), min(east, 180.0)


def box_text(box: Box) -> str:
    """A box as it is typed.

    >>> box_text((40.7, -74.0, 40.8, -73.9))
    '40.7; -74; 40.8; -73.9'
    """
    return "; ".join(text.entry_of(side) for side in box)


def read_box(entry: str) -> Box:
    """The box that a text means; ValueError with a sentence if it means none.

    >>> read_box("40.7, -74, 40.8, -73.9")
    (40.7, -74.0, 40.8, -73.9)
    """
    problem = f"The box must be {_FORM}; {shown(entry) or 'nothing'} was given."
    try:
        sides = [numbers.read(each) for each in numbers.listed(entry)]
    except ValueError:
        raise ValueError(problem) from None
    if len(sides) != 4:
        raise ValueError(problem)
    south, west, north, east = sides
    if max(abs(south), abs(north)) > 90 or max(abs(west), abs(east)) > 180:
        raise ValueError(f"{problem} Latitudes are from −90 to 90, longitudes from −180 to 180.")
    if north - south < _LEAST_BOX or east - west < _LEAST_BOX:
        raise ValueError(f"{problem} North must be above south, and east beyond west.")
    return south, west, north, east


def _within(entry: str) -> float:
    try:
        return checks.one("within", numbers.read(entry), WITHIN_RANGE)
    except ValueError as error:
        said = text.interval(WITHIN_RANGE)
        raise ValueError(f"Metres to a junction must be {said}; {given(entry, error)}.") from None
