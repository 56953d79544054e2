"""The widgets for the user's own places, which stay in the session, and the background task on them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pages.denoising.estimator_phrases import ESTIMATOR_PHRASES
from pages.denoising.map.parameters import PLACES
from pages.denoising.map.places import PlaceSource
from pages.denoising.map.results import map_release
from pages.denoising.map.task_widgets import (
    FILES_KEY,
    PROBLEM_KEY,
    RESULT_KEY,
    TASK_KEY,
    is_busy,
    render_progress,
    start_task,
    stop_task,
    stored_files,
    stored_result,
)
from pages.denoising.map.upload import (
    File,
    PlaceFiles,
    PlacesResult,
    browser_copy,
    from_browser_copy,
    read_files,
    refuse_files,
    with_file,
)
from pages.denoising.results import DenoisingResult
from pages.framework.layout import widgets
from pages.framework.layout.own_data_text import DATA_STAY, storage_text
from pages.framework.rendering import render_jobs
from pages.framework.session import session_state, tab_copies
from pages.shared.conditions import CATEGORIES, CONTRIBUTION
from pages.shared.decimal_choice_widgets import choice_buttons

_OWN_PLACES = "own"  # the option of the parameter `places`
_SLOT, _STORED_KEY = "places", "map_is_kept"
_UPLOADERS = {
    "points": ("Points: a CSV with a latitude and a longitude in each row", DATA_STAY),
    "nodes": ("Junctions: a CSV with a name, a latitude and a longitude in each row", DATA_STAY),
    "edges": ("Roads: a CSV with the names of two junctions in each row", DATA_STAY),
    "counts": (
        "Counts at the junctions, instead of points",
        f"A CSV with the name of a junction and a count. {DATA_STAY}",
    ),
}
_FILE_TYPES = ["csv", "tsv", "txt", "gz"]


def stored_source() -> PlaceSource | None:
    """Return the user's own places, read again if the browser has just sent its copy."""
    copy = tab_copies.take_restored(_SLOT)
    if copy is not None and stored_result() is None:
        _restore_files(from_browser_copy(copy))
    result = stored_result()
    return result and result.source


def _restore_files(files: PlaceFiles) -> None:
    try:
        result = render_jobs.read_file(partial(read_files, files), lambda _: None)
    except ValueError as error:
        result = refuse_files(files, error)
    if result.source is not None:
        session_state.uploads()[RESULT_KEY], session_state.uploads()[FILES_KEY] = result, result.files
        session_state.uploads()[_STORED_KEY] = True


def render_fields(result: DenoisingResult) -> None:
    """Render the widgets below the stage; `stored_source` is what they contain."""
    if session_state.page_is_new() and session_state.used_texts()[PLACES.key] == _OWN_PLACES:
        st.session_state.map_own = True
    with st.expander("Use your own places", key="map_own", on_change="rerun") as box:
        if box.open:
            _render_uploaders()
            _render_reading()
    source = stored_source()
    widgets.show_problem("map", source.problem if source is not None else "")
    if source is not None:
        st.text(storage_text("places", bool(session_state.uploads().get(_STORED_KEY))))
        st.button("Back to the shipped places", key="map_away", on_click=_remove_places)
    release = map_release(result) if result.values[PLACES.key] == _OWN_PLACES else None
    if release is not None and release.pending and not release.is_drowned:
        names = " and ".join(ESTIMATOR_PHRASES[key] for key in release.pending)
        st.button(f"Make {names}", key="map_run", on_click=start_task, args=(release,), disabled=is_busy())
    widgets.show_problem("map_work", session_state.uploads().get(PROBLEM_KEY, ""))
    if is_busy():
        render_progress()


def _render_uploaders() -> None:
    """Render an uploader for each file, two beside each other."""
    for kinds in (("points", "counts"), ("nodes", "edges")):
        for kind, column in zip(kinds, st.columns(2), strict=True):
            label, help_text = _UPLOADERS[kind]
            key = widgets.field_key(f"map_{kind}")
            more = {"key": key, "help": help_text, "on_change": _receive_file, "args": (kind, key)}
            column.file_uploader(label, _FILE_TYPES, max_upload_size=40, **more)


def _receive_file(kind: str, key: str) -> None:
    file = st.session_state[key]
    widgets.reset_parameters(CONTRIBUTION, CATEGORIES)
    _set_files(with_file(stored_files(), kind, None if file is None else File(file.name, file.getvalue())))


def _set_files(files: PlaceFiles) -> None:
    stop_task()
    session_state.uploads()[FILES_KEY] = files


def _set_option(name: str, chosen: Any) -> None:
    _set_files(replace(stored_files(), **{name: chosen}))


def _render_reading() -> None:
    """Read files that are new, render the choices on them, and say how they were read."""
    files = session_state.uploads().get(FILES_KEY)
    if files is None:
        return
    result = stored_result()
    if result is None or result.files is not files:  # the stage keeps the previous places until the files are read
        _read_and_store(files)
        st.rerun()
    set_mark = partial(_set_option, "decimal")
    choice_buttons("map_decimal", result.ambiguous, files.decimal, set_mark)
    _render_choices(result)
    if result.source is not None:
        st.text("\n".join(result.source.sentences))


def _read_and_store(files: PlaceFiles) -> None:
    place = st.empty()

    def progress(share: float) -> None:
        place.progress(share, "Reading the points")

    try:
        result = render_jobs.read_file(partial(read_files, files), progress)
    except ValueError as error:
        result = refuse_files(files, error)
    place.empty()
    if result.source is None:
        _remove_places()
        return
    session_state.uploads()[RESULT_KEY] = result
    session_state.uploads()[FILES_KEY] = result.files
    session_state.uploads()[_STORED_KEY] = tab_copies.store(_SLOT, browser_copy(result.files))
    session_state.set_text(PLACES.key, _OWN_PLACES)


def _render_choices(result: PlacesResult) -> None:
    files, offered = result.files, result.point_columns
    boxes = iter(st.columns(3) * 2)
    if offered is not None:
        if len(offered.pairs) > 1:
            pairs = list(offered.pairs)
            _render_select(next(boxes), "Coordinates", "pair", pairs, files.pair or pairs[0], " and ".join)
        label = "Column that identifies the person"
        _render_select(next(boxes), label, "person", ["", *offered.names], files.person)
        _render_select(next(boxes), "Column of weights", "weight", ["", *offered.numbers], files.weight)
    if result.columns:
        column = files.column or result.columns[0]
        _render_select(next(boxes), "Column of counts", "column", [*result.columns], column)
    if result.box:
        help_text = (
            "Known without the points, as a city’s limits are. The one suggested is read from them: it is not private."
        )
        label = "Public box: south; west; north; east, in degrees"
        _render_text_input(next(boxes), label, "box", result.box, help_text)
    elif files.points is not None and files.nodes is not None and files.counts is None:
        help_text = "Points farther from every junction are not counted."
        _render_text_input(next(boxes), "Metres to the nearest junction, at most", "within", files.within, help_text)


def _option_name(column: str) -> str:
    return column or "None"


def _render_select(
    place: Any,
    label: str,
    name: str,
    options: list[Any],
    value: Any,
    format_option: Callable[[Any], str] = _option_name,
) -> None:
    more = widgets.mirror_value(f"map_{name}", value, partial(_set_option, name), "index", options.index(value))
    place.selectbox(label, options, format_func=format_option, **more)


def _render_text_input(place: Any, label: str, name: str, value: str, help_text: str) -> None:
    place.text_input(label, help=help_text, **widgets.mirror_value(f"map_{name}", value, partial(_set_option, name)))


def _remove_places() -> None:
    stop_task()
    for name in (RESULT_KEY, FILES_KEY, TASK_KEY, PROBLEM_KEY, _STORED_KEY):
        session_state.uploads().pop(name, None)
    tab_copies.store(_SLOT, None)
    for kind in _UPLOADERS:
        widgets.empty_uploader(f"map_{kind}")
    session_state.set_text(PLACES.key, PLACES.default)
