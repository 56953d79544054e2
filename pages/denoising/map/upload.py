"""The files of places that a user uploaded, the choices made for them, and what is read from them."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import Any, TypeVar

from dpcore import checks, readers
from dpcore.places import WITHIN_RANGE
from dpcore.readers import AmbiguousNumberError, NodeCounts, PointColumns, Points, RoadGraph
from pages.denoising.map.notes_text import place_sentences
from pages.denoising.map.parameters import box_text, parse_box
from pages.denoising.map.places import WITHIN_M, Box, PlaceSource
from pages.framework.parameters import number_format, number_parser
from pages.framework.parameters.kinds import refused_text
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session.data_files import DataFiles
from pages.shared import decimal_choice

T = TypeVar("T")
ShareCallback = Callable[[float], None]
FILE_KINDS = ("points", "nodes", "edges", "counts")


@dataclass(frozen=True)
class File:
    """A file's name and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, eq=False)
class PlaceFiles:
    """The files that the user uploaded, and how they are to be read; an empty text leaves the choice to the page.

    `cache` has the parts that were read before, each with the key that says what it was read from.
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
    decimal: str = ""
    cache: dict[str, tuple[Hashable, Any]] = field(default_factory=dict)

    def cached(self, part: str, key: Hashable, make: Callable[[], T]) -> T:
        """Return a part that was read before under this key, or read it now."""
        if part in self.cache and self.cache[part][0] == key:
            return self.cache[part][1]
        content = make()
        self.cache[part] = (key, content)
        return content


@dataclass(frozen=True)
class PlacesResult:
    """The places that were read from files, which columns may be chosen, and the box in use, as text.

    `ambiguous` is an entry with two readings of which the user chooses one, or has chosen one; empty without one.
    """

    files: PlaceFiles
    source: PlaceSource | None
    point_columns: PointColumns | None = None
    columns: tuple[str, ...] = ()
    box: str = ""
    ambiguous: str = ""


def with_file(files: PlaceFiles, kind: str, file: File | None) -> PlaceFiles:
    """Return the files with another file of a kind, and without the choices made for the previous one."""
    defaults: dict[str, Any] = {
        "points": {"pair": None, "weight": "", "person": "", "box": "", "decimal": ""},
        "counts": {"column": "", "decimal": ""},
    }
    return replace(files, **{kind: file}, **defaults.get(kind, {}))


_OPTION_NAMES = ("weight", "person", "column", "box", "within", "decimal")


def browser_copy(files: PlaceFiles) -> DataFiles:
    """Return the copy that the browser stores: the files, and the choices made for them."""
    present = {kind: file for kind in FILE_KINDS if (file := getattr(files, kind)) is not None}
    options = {name: getattr(files, name) for name in _OPTION_NAMES} | {"pair": files.pair}
    return DataFiles({kind: (file.name, file.data) for kind, file in present.items()}, options)


def from_browser_copy(copy: DataFiles) -> PlaceFiles:
    """Return the files of the browser's copy, to be read again, without entries that the page did not write."""
    choices: dict[str, Any] = {
        name: value for name in _OPTION_NAMES if isinstance(value := copy.choices.get(name), str)
    }
    pair = copy.choices.get("pair")
    if isinstance(pair, list) and len(pair) == 2 and all(isinstance(column, str) for column in pair):
        choices["pair"] = tuple(pair)
    choices["decimal"] = decimal_choice.known_mark(copy.choices.get("decimal"))
    present: dict[str, Any] = {kind: File(*file) for kind, file in copy.files.items() if kind in FILE_KINDS}
    return PlaceFiles(**choices, **present)


def refuse_files(files: PlaceFiles, error: ValueError) -> PlacesResult:
    """Return the result without places, which says why the files could not be read."""
    return PlacesResult(files, PlaceSource("Your places", problem=f"The files can’t be read: {error}."))


def read_files(files: PlaceFiles, progress: Progress) -> PlacesResult:
    """Read files of places, and report the share of the points that is read."""
    result = PlacesResult(files, None)
    if all(getattr(files, kind) is None for kind in FILE_KINDS):
        return result
    try:
        points, result = _read_points(result, progress.report)
        roads = _read_roads(files)
        counts, result = _read_node_counts(result, roads)
        source, result = _combine_places(result, points, roads, counts)
    except _QuestionError as question:
        source = PlaceSource("Your places", problem=str(question))
        result = replace(result, ambiguous=question.entry)
    except ValueError as error:
        source = PlaceSource("Your places", problem=str(error))
    names = ", ".join(excerpt(file.name) for kind in FILE_KINDS if (file := getattr(files, kind)) is not None)
    source = replace(source, sentences=(f"Files: {names}.", *source.sentences))
    source.prepare()
    return replace(result, source=source)


class _QuestionError(ValueError):
    """An entry of a file has two readings; the message asks which one it means."""

    def __init__(self, file: File, error: AmbiguousNumberError) -> None:
        super().__init__(decimal_choice.question_text(file.name, error))
        self.entry = error.entry


def _file_error(file: File, error: ValueError) -> ValueError:
    if isinstance(error, AmbiguousNumberError):
        return _QuestionError(file, error)
    return ValueError(f"{excerpt(file.name)} can’t be read: {error}. Nothing is drawn in its place.")


def _read_points(result: PlacesResult, progress: ShareCallback) -> tuple[Points | None, PlacesResult]:
    files, file = result.files, result.files.points
    if file is None:
        return None, result
    columns = (files.pair, files.weight, files.person)
    try:
        point_columns = files.cached("columns", file, lambda: readers.point_columns(file.data))
        result = replace(result, point_columns=point_columns)
        points = files.cached(
            "points",
            (file, columns, files.decimal),
            lambda: readers.read_points(file.data, *columns, progress, files.decimal),
        )
    except ValueError as error:
        raise _file_error(file, error) from None
    return points, replace(result, ambiguous=decimal_choice.chosen_entry(points.notes))


def _read_roads(files: PlaceFiles) -> RoadGraph | None:
    nodes, edges = files.nodes, files.edges
    if nodes is None and edges is None and files.counts is None:
        return None
    if nodes is None or edges is None:
        missing = "nodes" if nodes is None else "edges"
        raise ValueError(f"The file of {missing} is missing: roads, and counts at their junctions, need both.")
    key = (nodes, edges)
    try:
        return files.cached("roads", key, lambda: readers.read_graph(nodes.data, edges.data))
    except ValueError as error:
        raise _file_error(nodes if str(error).startswith("nodes") else edges, error) from None


def _read_node_counts(result: PlacesResult, roads: RoadGraph | None) -> tuple[NodeCounts | None, PlacesResult]:
    files, file = result.files, result.files.counts
    if file is None or roads is None:
        return None, result
    key = (file, files.nodes, files.edges, files.column, files.decimal)
    try:
        counts = files.cached(
            "counts", key, lambda: readers.read_node_counts(file.data, roads.ids, files.column, files.decimal)
        )
    except ValueError as error:
        raise _file_error(file, error) from None
    return counts, replace(result, columns=counts.columns, ambiguous=decimal_choice.chosen_entry(counts.notes))


def _combine_places(
    result: PlacesResult, points: Points | None, roads: RoadGraph | None, counts: NodeCounts | None
) -> tuple[PlaceSource, PlacesResult]:
    """Return the places that the files make together."""
    files = result.files
    sentences = () if points is None else place_sentences(points.notes)
    source = PlaceSource("Your places", has_persons=bool(files.person), points=points, roads=roads)
    if files.weight:
        source = replace(source, unit=f"“{excerpt(files.weight)}”")
    if roads is not None:
        sentences = (*sentences, *place_sentences(roads.notes))
        if counts is not None:
            more = () if points is None else ("The file of counts is drawn; the points are not counted.",)
            count_source = replace(source, counts=counts.count, unit=f"“{excerpt(files.column or counts.columns[0])}”")
            sentences = (*sentences, *place_sentences(counts.notes), *more)
            return replace(count_source, has_persons=False, points=None, sentences=sentences), result
        if points is None:
            raise ValueError("The roads are there. Bring points to count at their junctions, or a file of counts.")
        return replace(source, within=_parse_within(files.within), sentences=sentences), result
    if points is None:
        raise ValueError("There are no points to count.")
    suggested = suggested_box(points)
    entry = files.box or box_text(suggested)
    result = replace(result, box=entry)
    box = parse_box(entry)
    return replace(source, box=box, box_is_suggested=box == suggested, sentences=sentences), result


def suggested_box(points: Points) -> Box:
    """Return a box around all points, on hundredths of a degree; it is read from the data, so it is not private."""
    lat, lon = (degrees[points.lat == points.lat] for degrees in (points.lat, points.lon))  # NaN is no place
    south, west = (floor(100 * float(degrees.min())) / 100 for degrees in (lat, lon))
    north, east = (ceil(100 * float(degrees.max())) / 100 for degrees in (lat, lon))
    north, east = max(north, south + 0.01), max(east, west + 0.01)
    return max(south, -90.0), max(west, -180.0), min(north, 90.0), min(east, 180.0)


def _parse_within(entry: str) -> float:
    try:
        return checks.scalar("within", number_parser.parse_number(entry), WITHIN_RANGE)
    except ValueError as error:
        allowed = number_format.interval(WITHIN_RANGE)
        raise ValueError(f"Metres to a junction must be {allowed}; {refused_text(entry, error)}.") from None
