"""The progress of the computation of a map, which runs in the background."""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.denoising.map import text
from pages.denoising.map.places import PlaceSource
from pages.denoising.map.results import MapRelease, compute_slow_estimates
from pages.framework.rendering.background_task import BackgroundTask
from pages.framework.session import session_state
from pages.framework.session.data_slot import DataSlot

SLOT, TASK_KEY, PROBLEM_KEY = "places", "map_work", "map_wrong"
_PLACES = DataSlot[PlaceSource](slot=SLOT)


def is_busy() -> bool:
    """Return whether a computation is running."""
    return TASK_KEY in session_state.uploads()


def stop_task() -> None:
    """Stop the computation, if there is one."""
    if is_busy():
        session_state.uploads()[TASK_KEY].stop()


def end_task() -> None:
    """Stop the computation, and forget it and why it failed: its places have changed."""
    stop_task()
    for key in (TASK_KEY, PROBLEM_KEY):
        session_state.uploads().pop(key, None)


def start_task(release: MapRelease) -> None:
    """Start to compute the slow estimates in the background."""
    session_state.uploads().pop(PROBLEM_KEY, None)
    copy = replace(release)  # without its cached properties
    files = None if _PLACES.held is None else _PLACES.held.files
    session_state.uploads()[TASK_KEY] = BackgroundTask((files, release.setting), partial(compute_slow_estimates, copy))


@st.fragment(run_every=1.0)
def render_progress() -> None:
    """Render the progress of the task, and the page again when an estimate is complete."""
    task = session_state.uploads().get(TASK_KEY)
    if task is None:
        return
    is_finished = task.is_finished
    if _receive_pieces(task) or is_finished:
        if is_finished:
            session_state.uploads().pop(TASK_KEY, None)
            if task.problem:
                session_state.uploads()[PROBLEM_KEY] = task.problem
        st.rerun()
    st.progress(task.share, text.progress_text(task.share))
    st.button("Stop", key="map_stop", on_click=stop_task)


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
