"""The progress of the computation of a map, which runs in the background."""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.denoising.map import text
from pages.denoising.map.results import MapRelease, compute_slow_estimates
from pages.denoising.map.upload import (
    PlaceFiles,
    PlacesResult,
)
from pages.framework.rendering.background_task import BackgroundTask
from pages.framework.session import session_state

RESULT_KEY, FILES_KEY, TASK_KEY, PROBLEM_KEY = "map_result", "map_files", "map_work", "map_wrong"
NO_FILES = PlaceFiles()


def stored_result() -> PlacesResult | None:
    """Return what was read of the places of the user, which the session stores."""
    return session_state.uploads().get(RESULT_KEY)


def stored_files() -> PlaceFiles:
    """Return the files of the user, which the session stores."""
    return session_state.uploads().get(FILES_KEY, NO_FILES)


def is_busy() -> bool:
    """Return whether a computation is running."""
    return TASK_KEY in session_state.uploads()


def stop_task() -> None:
    """Stop the computation, if there is one."""
    if is_busy():
        session_state.uploads()[TASK_KEY].stop()


def start_task(release: MapRelease) -> None:
    """Start to compute the slow estimates in the background."""
    session_state.uploads().pop(PROBLEM_KEY, None)
    copy = replace(release)  # without its cached properties
    task = BackgroundTask((stored_files(), release.setting), partial(compute_slow_estimates, copy))
    session_state.uploads()[TASK_KEY] = task


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
    result = stored_result()
    if result is None or result.source is None or not task.pieces or task.name[0] is not result.files:
        return False
    setting, previous = task.name[1], result.source.slow_estimates
    slow = {key: estimate for piece in task.pieces for key, estimate in piece.items()}
    if previous is not None and previous[0] == setting and previous[1].keys() == slow.keys():
        return False
    source = replace(result.source, slow_estimates=(setting, slow))
    session_state.uploads()[RESULT_KEY] = replace(result, source=source)
    return True
