"""The fields for places of one's own, which stay in the session; and what is made in the background for them."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pages.denoising.map import text
from pages.denoising.map.parameters import PLACES
from pages.denoising.map.places import Source
from pages.denoising.map.results import MapRelease, make_slow, map_release
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
from pages.framework.rendering import render_jobs
from pages.framework.rendering.background_task import BackgroundTask
from pages.framework.session import own_data, session_state

_OWN = "own"  # the option of the parameter `places`
_RESULT, _CHOSEN_FILES, _WORK, _WRONG = "map_result", "map_files", "map_work", "map_wrong"
_ROUND = "map_round"  # counts how often all files were let go, so that the fields for them are empty then
_NOTHING = PlaceFiles()
_SLOT, _IS_KEPT = "places", "map_is_kept"
_STAYS = (
    "It stays on the machine that runs this page, as long as the session, and in this tab of your browser until you "
    "close it, if the files have at most some 3 MB when packed. No link contains it."
)
_KEPT = "No link contains your places. This tab keeps them, through a reload too, until you close the tab."
_NOT_KEPT = (
    "No link contains your places, and they are too large for the tab to keep: after a reload, bring them again."
)
_FILES = {
    "points": ("Points: a CSV with a latitude and a longitude in each row", _STAYS),
    "nodes": ("Junctions: a CSV with a name, a latitude and a longitude in each row", _STAYS),
    "edges": ("Roads: a CSV with the names of two junctions in each row", _STAYS),
    "counts": (
        "Counts at the junctions, instead of points",
        f"A CSV with the name of a junction and a count. {_STAYS}",
    ),
}
_TYPES = ["csv", "tsv", "txt", "gz"]


def held() -> Source | None:
    """What the session has of the user's own places, read again where the browser has just sent its copy."""
    copy = own_data.take_restored(_SLOT)
    if copy is not None and _result() is None:
        _restore(from_browser_copy(copy))
    result = _result()
    return result and result.source


def _restore(files: PlaceFiles) -> None:
    try:
        found = render_jobs.read_file(partial(read_files, files), lambda _: None)
    except ValueError as error:
        found = refuse_files(files, error)
    if found.source is not None:
        session_state.uploads()[_RESULT], session_state.uploads()[_CHOSEN_FILES] = found, found.files
        session_state.uploads()[_IS_KEPT] = True


def map_fields(result: DenoisingResult) -> None:
    """Draw the fields, below the stage; what they hold is `held`."""
    if session_state.page_is_new() and session_state.used()[PLACES.key] == _OWN:
        st.session_state.map_own = True
    with st.expander("Use your own places", key="map_own", on_change="rerun") as box:
        if box.open:
            _entries()
            _how_they_are_read()
    source = held()
    widgets.show_problem("map", source.problem if source is not None else "")
    if source is not None:
        st.text(_KEPT if session_state.uploads().get(_IS_KEPT) else _NOT_KEPT)
        st.button("Back to the shipped places", key="map_away", on_click=_forget)
    made = map_release(result) if result.values[PLACES.key] == _OWN else None
    if made is not None and made.waiting and not made.drowned:
        names = " and ".join(text.SHORT[key] for key in made.waiting)
        st.button(f"Make {names}", key="map_run", on_click=_run, args=(made,), disabled=_busy())
    widgets.show_problem("map_work", session_state.uploads().get(_WRONG, ""))
    if _busy():
        _watch()


def _result() -> PlacesResult | None:
    return session_state.uploads().get(_RESULT)


def _entries() -> None:
    """A field for each file, two beside each other."""
    for kinds in (("points", "counts"), ("nodes", "edges")):
        for kind, column in zip(kinds, st.columns(2), strict=True):
            label, said = _FILES[kind]
            key = f"map_{kind}_{session_state.uploads().get(_ROUND, 0)}"
            more = {"key": key, "help": said, "on_change": _take_file, "args": (kind, key)}
            column.file_uploader(label, _TYPES, max_upload_size=40, **more)


def _take_file(kind: str, key: str) -> None:
    file = st.session_state[key]
    _set_files(with_file(_files(), kind, None if file is None else File(file.name, file.getvalue())))


def _files() -> PlaceFiles:
    return session_state.uploads().get(_CHOSEN_FILES, _NOTHING)


def _set_files(files: PlaceFiles) -> None:
    _stop()
    session_state.uploads()[_CHOSEN_FILES] = files


def _choose(name: str, key: str) -> None:
    _set_files(replace(_files(), **{name: st.session_state[key]}))


def _how_they_are_read() -> None:
    """Read what is new, ask what may be chosen, and say what was taken for what."""
    files = session_state.uploads().get(_CHOSEN_FILES)
    if files is None:
        return
    result = _result()
    if result is None or result.files is not files:  # what was drawn before it stays until it is read
        _read(files)
        st.rerun()
    _choices(result)
    if result.source is not None:
        st.text("\n".join(result.source.sentences))


def _read(files: PlaceFiles) -> None:
    place = st.empty()

    def progress(share: float) -> None:
        place.progress(share, "Reading the points")

    try:
        found = render_jobs.read_file(partial(read_files, files), progress)
    except ValueError as error:
        found = refuse_files(files, error)
    place.empty()
    if found.source is None:
        _forget()
        return
    session_state.uploads()[_RESULT] = found
    session_state.uploads()[_CHOSEN_FILES] = found.files
    session_state.uploads()[_IS_KEPT] = own_data.store(_SLOT, browser_copy(found.files))
    session_state.set_text(PLACES.key, _OWN)


def _choices(found: PlacesResult) -> None:
    files, offered = found.files, found.offered
    boxes = iter(st.columns(3) * 2)
    if offered is not None:
        if len(offered.pairs) > 1:
            pairs = list(offered.pairs)
            _select(next(boxes), "Coordinates", "pair", pairs, files.pair or pairs[0], " and ".join)
        _select(next(boxes), "Column that tells whose row it is", "person", ["", *offered.names], files.person, _name)
        _select(next(boxes), "Column of weights", "weight", ["", *offered.numbers], files.weight, _name)
    if found.columns:
        _select(next(boxes), "Column of counts", "column", [*found.columns], files.column or found.columns[0], _name)
    if found.box:
        _typed(
            next(boxes),
            "Public box: south; west; north; east, in degrees",
            "box",
            found.box,
            "Known without the points, as a city’s limits are. The one suggested is read from them: it is not private.",
        )
    elif files.points is not None and files.nodes is not None and files.counts is None:
        said = "Points farther from every junction are not counted."
        _typed(next(boxes), "Metres to the nearest junction, at most", "within", files.within, said)


def _name(column: str) -> str:
    return column or "None"


def _select(place: Any, label: str, name: str, options: list[Any], value: Any, shown: Any) -> None:
    key = f"map_{name}"
    more = widgets.mirror_value(key, value, "index", options.index(value))
    place.selectbox(label, options, format_func=shown, key=key, on_change=_choose, args=(name, key), **more)


def _typed(place: Any, label: str, name: str, value: str, said: str) -> None:
    key = f"map_{name}"
    more = widgets.mirror_value(key, value)
    place.text_input(label, key=key, help=said, on_change=_choose, args=(name, key), **more)


def _forget() -> None:
    _stop()
    for name in (_RESULT, _CHOSEN_FILES, _WORK, _WRONG, _IS_KEPT):
        session_state.uploads().pop(name, None)
    own_data.store(_SLOT, None)
    session_state.uploads()[_ROUND] = session_state.uploads().get(_ROUND, 0) + 1
    session_state.set_text(PLACES.key, PLACES.default)


def _busy() -> bool:
    return _WORK in session_state.uploads()


def _stop() -> None:
    if _busy():
        session_state.uploads()[_WORK].stop()


def _run(made: MapRelease) -> None:
    """Make the slow estimators in the background, one after the other."""
    session_state.uploads().pop(_WRONG, None)
    session_state.uploads()[_WORK] = BackgroundTask(
        (_files(), made.asked), partial(make_slow, replace(made))
    )  # without what is made of it already


@st.fragment(run_every=1.0)
def _watch() -> None:
    """Show what is being made; when a piece is done, the page is drawn with it."""
    work = session_state.uploads().get(_WORK)
    if work is None:
        return
    done = work.done
    if _taken(work) or done:
        if done:
            session_state.uploads().pop(_WORK, None)
            if work.problem:
                session_state.uploads()[_WRONG] = work.problem
        st.rerun()
    st.progress(work.share, text.working(work.share))
    st.button("Stop", key="map_stop", on_click=_stop)


def _taken(work: BackgroundTask) -> bool:
    """Whether there are pieces that the page has not had yet; it has them now."""
    result = _result()
    if result is None or result.source is None or not work.pieces or work.name[0] is not result.files:
        return False
    asked, before = work.name[1], result.source.slow
    slow = {key: each for made in work.pieces for key, each in made.items()}
    if before is not None and before[0] == asked and before[1].keys() == slow.keys():
        return False
    session_state.uploads()[_RESULT] = replace(result, source=replace(result.source, slow=(asked, slow)))
    return True
