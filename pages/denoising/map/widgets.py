"""The fields for the user's own places, the reader of their files, and the background task on them."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from math import ceil, floor
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from dpcore import checks, readers
from dpcore.places import WITHIN_RANGE
from dpcore.readers import AmbiguousNumberError, NodeCounts, PointColumns, Points, RoadGraph
from pages.denoising.comparison import ESTIMATOR_PHRASES
from pages.denoising.map import text
from pages.denoising.map.places import WITHIN_M, Box, PlaceSource, place_sentences
from pages.denoising.map.results import MapRelease, compute_slow_estimates, map_release
from pages.denoising.parameters import PLACES, box_text, parse_box
from pages.denoising.results import DenoisingResult
from pages.framework.layout.own_data import OwnData
from pages.framework.layout.session_task import SessionTask
from pages.framework.parameters import number_format, number_parser
from pages.framework.parameters.kinds import refused_text
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering.render_jobs import BackgroundTask
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session.data_files import OWN, ChoiceField, DataFiles, FileInput, ReadData, unreadable_text
from pages.framework.session.session_state import DataSlot
from pages.shared import file_notes
from pages.shared.conditions import CATEGORIES, CONTRIBUTION

YOURS = "Your places"
POINT_CHOICES: dict[str, Any] = {"pair": (), "weight": "", "person": "", "box": ""}
COUNT_CHOICES: dict[str, Any] = {"column": "", "decimal": ""}
CHOICES: dict[str, Any] = POINT_CHOICES | COUNT_CHOICES | {"within": f"{WITHIN_M:g}"}
"""The choices on how to read files of places; an empty one is left to the reader."""
_NONE = {"": "None"}
_BOX_HELP = "Known without the points, as a city’s limits are. The one suggested is read from them: it is not private."


def read_upload(files: DataFiles, progress: Progress) -> ReadData[PlaceSource]:
    """Read files of places, and report the share of the points that is read."""
    reader, question = _Reader(files, {}), ""
    try:
        points = reader.points(progress)
        roads = reader.roads()
        source = reader.combined(points, roads, reader.node_counts(roads))
    except _QuestionError as error:
        source, question = PlaceSource(YOURS, problem=str(error)), error.entry
    except ValueError as error:
        source = PlaceSource(YOURS, problem=str(error))
    names = ", ".join(excerpt(name) for name, _ in files.files.values())
    source = replace(source, sentences=(f"Files: {names}.", *source.sentences))
    source.prepare()
    offers = file_notes.mark_offers(question or reader.memory.get("ambiguous", ""), files.choices["decimal"])
    return ReadData(source, source.problem, offers=offers, notes=source.sentences, memory=reader.memory)


def choice_fields(files: DataFiles) -> Iterator[ChoiceField]:
    """Yield the fields for the columns of the files, and for the box or the distance to a junction."""
    choices, (_, columns) = files.choices, files.memory.get("columns", (None, None))
    if isinstance(columns, PointColumns):
        if len(columns.pairs) > 1:
            labels = {pair: " and ".join(pair) for pair in columns.pairs}
            pair = choices["pair"] or columns.pairs[0]
            yield ChoiceField("pair", "Coordinates", pair, tuple(columns.pairs), labels)
        label = "Column that identifies the person"
        yield ChoiceField("person", label, choices["person"], ("", *columns.names), _NONE)
        yield ChoiceField("weight", "Column of weights", choices["weight"], ("", *columns.numbers), _NONE)
    _, counts = files.memory.get("counts", (None, None))
    if isinstance(counts, NodeCounts):
        column = choices["column"] or counts.columns[0]
        yield ChoiceField("column", "Column of counts", column, tuple(counts.columns))
    if "box" in files.memory:
        label = "Public box: south; west; north; east, in degrees"
        yield ChoiceField("box", label, choices["box"] or files.memory["box"], help=_BOX_HELP)
    elif files.files.keys() >= {"points", "nodes"} and "counts" not in files.files:
        label, words = "Metres to the nearest junction, at most", "Points farther from every junction are not counted."
        yield ChoiceField("within", label, choices["within"], help=words)


class _QuestionError(ValueError):
    """An entry of a file has two readings; the message asks which one it means."""

    def __init__(self, name: str, error: AmbiguousNumberError) -> None:
        super().__init__(file_notes.question_text(name, error))
        self.entry = error.entry


@dataclass(frozen=True)
class _Reader:
    """What reads one set of files; `memory` gets the parts that are read, each with the key that says from what."""

    files: DataFiles
    memory: dict[str, Any]

    def _part(self, part: str, source: str, make: Callable[[bytes], Any], *more: Hashable) -> Any:
        """Return a part that was read before from the same file and `more`, or read it now."""
        name, data = self.files.files[source]
        key = (blake2b(data).digest(), *more)
        try:
            known = self.files.memory.get(part, (None, None))
            content = known[1] if known[0] == key else make(data)
        except AmbiguousNumberError as error:
            raise _QuestionError(name, error) from None
        except ValueError as error:
            name = self.files.files["edges"][0] if source == "nodes" and not str(error).startswith("nodes") else name
            raise ValueError(unreadable_text(name, error)) from None
        self.memory[part] = key, content
        if part in ("points", "counts"):
            self.memory["ambiguous"] = file_notes.chosen_entry(content.notes)
        return content

    def points(self, progress: Progress) -> Points | None:
        """Return the points, None without any."""
        if "points" not in self.files.files:
            return None
        pair, weight, person, decimal = (self.files.choices[name] for name in ("pair", "weight", "person", "decimal"))
        columns = pair or None, weight, person
        self._part("columns", "points", readers.point_columns)

        def read(data: bytes) -> Points:
            return readers.read_points(data, *columns, progress.report, decimal)

        return self._part("points", "points", read, columns, decimal)

    def roads(self) -> RoadGraph | None:
        """Return the roads, None without any."""
        road_files = self.files.files.keys() & {"nodes", "edges"}
        if not road_files and "counts" not in self.files.files:
            return None
        for kind in ("nodes", "edges"):
            if kind not in road_files:
                raise ValueError(f"The file of {kind} is missing: roads, and counts at their junctions, need both.")
        edges = self.files.files["edges"][1]
        return self._part("roads", "nodes", lambda nodes: readers.read_graph(nodes, edges), blake2b(edges).digest())

    def node_counts(self, roads: RoadGraph | None) -> NodeCounts | None:
        """Return the counts at junctions, None without any."""
        if roads is None or "counts" not in self.files.files:
            return None
        column, decimal = self.files.choices["column"], self.files.choices["decimal"]

        def read(data: bytes) -> NodeCounts:
            return readers.read_node_counts(data, roads.ids, column, decimal)

        return self._part("counts", "counts", read, self.memory["roads"][0], column, decimal)

    def combined(self, points: Points | None, roads: RoadGraph | None, counts: NodeCounts | None) -> PlaceSource:
        """Return the places that the files make together."""
        choices = self.files.choices
        sentences = () if points is None else place_sentences(points.notes)
        source = PlaceSource(YOURS, has_persons=bool(choices["person"]), points=points, roads=roads)
        if choices["weight"]:
            source = replace(source, unit=f"“{excerpt(choices['weight'])}”")
        if roads is not None:
            sentences = (*sentences, *place_sentences(roads.notes))
            if counts is not None:
                more = () if points is None else ("The file of counts is drawn; the points are not counted.",)
                unit = f"“{excerpt(choices['column'] or counts.columns[0])}”"
                sentences = (*sentences, *place_sentences(counts.notes), *more)
                others = {"has_persons": False, "points": None, "sentences": sentences}
                return replace(source, counts=counts.count, unit=unit, **others)
            if points is None:
                raise ValueError("The roads are there. Bring points to count at their junctions, or a file of counts.")
            return replace(source, within=_parse_within(choices["within"]), sentences=sentences)
        if points is None:
            raise ValueError("There are no points to count.")
        suggested = suggested_box(points)
        self.memory["box"] = box_text(suggested)
        box = parse_box(choices["box"] or self.memory["box"])
        return replace(source, box=box, box_is_suggested=box == suggested, sentences=sentences)


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


SLOT = "places"
_PLACES = DataSlot[PlaceSource](slot=SLOT)


def _receive_pieces(task: BackgroundTask) -> bool:
    """Store the estimates that the task has completed, and return whether any is new."""
    held = _PLACES.held
    if held is None or held.reading is None or not task.pieces or task.name[0] is not held.files:
        return False
    source, setting = held.reading.content, task.name[1]
    slow = {key: estimate for piece in task.pieces for key, estimate in piece.items()}
    previous = source.slow_estimates
    if previous is not None and previous[0] == setting and previous[1].keys() == slow.keys():
        return False
    _PLACES.replace_content(replace(source, slow_estimates=(setting, slow)))
    return True


_ESTIMATES = SessionTask("map", _receive_pieces, lambda task: text.progress_text(task.share))


def _start_estimates(release: MapRelease) -> None:
    """Start to compute the slow estimates in the background."""
    copy = replace(release)  # without its cached properties
    files = None if _PLACES.held is None else _PLACES.held.files
    _ESTIMATES.start((files, release.setting), partial(compute_slow_estimates, copy))


_TYPES = ("csv", "tsv", "txt", "gz")
OWN_PLACES = OwnData[PlaceSource](
    slot=SLOT,
    noun="places",
    label="Use your own places",
    remove="Back to the shipped places",
    inputs=(
        FileInput(
            "points",
            "Points: a CSV with a latitude and a longitude in each row",
            _TYPES,
            resets=(*POINT_CHOICES, "decimal"),
        ),
        FileInput(
            "counts",
            "Counts at the junctions, instead of points",
            _TYPES,
            "A CSV with the name of a junction and a count.",
            resets=tuple(COUNT_CHOICES),
        ),
        FileInput("nodes", "Junctions: a CSV with a name, a latitude and a longitude in each row", _TYPES, resets=()),
        FileInput("edges", "Roads: a CSV with the names of two junctions in each row", _TYPES, resets=()),
    ),
    choice=PLACES,
    conditions=(CONTRIBUTION, CATEGORIES),
    choices=CHOICES,
    read=read_upload,
    refused=lambda problem: PlaceSource(YOURS, problem=problem),
    fields=choice_fields,
    is_combined=True,
    on_change=_ESTIMATES.end,
)


def render_fields(result: DenoisingResult, above_stage: DeltaGenerator) -> None:
    """Render the widgets below the stage: the user's own places, and the task on them."""
    OWN_PLACES.draw(above_stage)
    release = map_release(result) if result.values[PLACES.key] == OWN else None
    if release is not None and release.pending and not release.is_drowned:
        names = " and ".join(ESTIMATOR_PHRASES[key] for key in release.pending)
        _ESTIMATES.button(f"Make {names}", "run", partial(_start_estimates, release))
    _ESTIMATES.draw()
