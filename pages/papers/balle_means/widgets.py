"""The widgets of Experiment 5.2: a button that draws its data sets in the background."""

from functools import partial

import streamlit as st

from pages.framework.layout import widgets
from pages.framework.rendering.render_jobs import BackgroundTask
from pages.framework.session import session_state
from pages.papers.balle_means import text
from pages.papers.balle_means.results import DataSets, MeanExperiment, draw_data_sets
from pages.papers.results import PapersResult

_DATA_SETS_KEY, _TASK_KEY, _PROBLEM_KEY = "means_data", "means_task", "means_problem"


def stored_data_sets() -> DataSets | None:
    """Return the data sets of the session, if any."""
    return session_state.uploads().get(_DATA_SETS_KEY)


def render_fields(result: PapersResult) -> None:
    """Render a button if data sets are missing, and the progress of drawing them."""
    experiment = result.mean_experiment
    if not experiment.is_complete:
        st.button("Run the experiment", key="means_run", on_click=lambda: _start_task(experiment), disabled=_is_busy())
    widgets.show_problem("means", session_state.uploads().get(_PROBLEM_KEY, ""))
    if _is_busy():
        _render_progress()


def _is_busy() -> bool:
    return _TASK_KEY in session_state.uploads()


def _start_task(experiment: MeanExperiment) -> None:
    """Start to draw the data sets in the background."""
    session_state.uploads().pop(_PROBLEM_KEY, None)
    keys = experiment.data_set_keys(experiment.setting.n_repeats)
    session_state.uploads()[_TASK_KEY] = BackgroundTask("means", partial(draw_data_sets, keys))


def _stop_task() -> None:
    if _is_busy():
        session_state.uploads()[_TASK_KEY].stop()


@st.fragment(run_every=1.0)
def _render_progress() -> None:
    """Render the progress of the task, and the page again when it has ended."""
    task = session_state.uploads().get(_TASK_KEY)
    if task is None:
        return
    if task.is_finished:
        session_state.uploads().pop(_TASK_KEY, None)
        if task.problem:
            session_state.uploads()[_PROBLEM_KEY] = task.problem
        elif task.share == 1.0:
            session_state.uploads()[_DATA_SETS_KEY] = DataSets(dict(task.pieces))
        st.rerun()
    st.progress(task.share, text.progress_text(task.share))
    st.button("Stop", key="means_stop", on_click=_stop_task)
