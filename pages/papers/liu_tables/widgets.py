"""The fields of Liu's experiments: Adult from a file or from UCI, and buttons for what runs in the background."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore import readers
from pages.framework.layout import widgets
from pages.framework.layout.own_data import DATA_STAY
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering import render_jobs
from pages.framework.rendering.render_jobs import BackgroundTask
from pages.framework.session import session_state, tab_copies
from pages.framework.session.data_files import DataFiles
from pages.papers.liu_tables import results as paper
from pages.papers.liu_tables import text
from pages.papers.liu_tables.results import MOST_CELLS, NO_DATA, ExperimentData, TableExperiment

_SLOT = "adult"
_DATA, _TASK, _PROBLEM = "paper_data", "paper_task", "paper_problem"


def session_data() -> ExperimentData | None:
    """Return the session's data of the experiments, with Adult where the browser has just sent its copy of the file."""
    copy = tab_copies.take_restored(_SLOT)
    if copy is not None and copy.files and session_state.uploads().get(_DATA) is None:
        name, data = copy.file
        _set_adult(data, name)
    return session_state.uploads().get(_DATA)


def experiment_fields(experiment: TableExperiment | None, data: str) -> None:
    """Draw the fields: Adult where it is chosen, and buttons for what runs in the background."""
    if data == "adult":
        _adult_field()
    if experiment is not None and experiment.needs_background and experiment.counts.size <= MOST_CELLS:
        st.button(
            "Run the experiment", key="paper_run", on_click=lambda: _run_experiment(experiment), disabled=_is_busy()
        )
    if experiment is not None and experiment.n_possible_cells is not None:
        _svm_field(experiment)
    widgets.show_problem("paper", session_state.uploads().get(_PROBLEM, ""))
    if _TASK in session_state.uploads():
        _show_progress()


def _is_busy() -> bool:
    return _TASK in session_state.uploads()


def _update_data(**changes: Any) -> None:
    session_state.uploads()[_DATA] = replace(session_data() or NO_DATA, **changes)


def _adult_field() -> None:
    with st.expander("Adult’s file", key="adult_box", on_change="rerun") as box:
        if not box.open:
            return
        st.file_uploader(
            "adult.data or adult.csv, also as .gz",
            ["data", "csv", "gz", "txt"],
            key=widgets.field_key("adult_file"),
            help=DATA_STAY,
            on_change=_read_upload,
        )
        st.button("Fetch Adult from UCI", key="adult_fetch", on_click=_download_adult, help=readers.ADULT_ADDRESS)
        if session_data():
            st.button("Remove Adult", key="adult_away", on_click=_remove_adult)


def _read_upload() -> None:
    file = st.session_state[widgets.field_key("adult_file")]
    if file is not None:
        _set_adult(file.getvalue(), excerpt(file.name))
        tab_copies.store(_SLOT, DataFiles({"file": (file.name, file.getvalue())}) if session_data() else None)


def _download_adult() -> None:
    try:
        data = readers.download_adult()
    except ConnectionError as error:
        session_state.uploads()[_PROBLEM] = f"{error}."
        return
    _set_adult(data, "What UCI sent")
    tab_copies.store(_SLOT, DataFiles({"file": ("adult.data", data)}) if session_data() else None)


def _set_adult(data: bytes, name: str) -> None:
    _clear_session()
    try:
        adult = render_jobs.read_file(partial(paper.adult_or_problem, data), lambda _: None)
    except ValueError as error:
        adult = str(error)
    if isinstance(adult, str):
        session_state.uploads()[_PROBLEM] = f"{name} cannot be read as Adult: {adult}."
    else:
        _update_data(adult=adult)


def _remove_adult() -> None:
    _clear_session()
    tab_copies.store(_SLOT, None)
    widgets.empty_uploader("adult_file")


def _clear_session() -> None:
    _stop_task()
    for name in (_DATA, _PROBLEM, _TASK):
        session_state.uploads().pop(name, None)


def _stop_task() -> None:
    if _is_busy():
        session_state.uploads()[_TASK].stop()


def _run_experiment(experiment: TableExperiment) -> None:
    """Compute the results in the background."""
    session_state.uploads().pop(_PROBLEM, None)
    session_state.uploads()[_TASK] = BackgroundTask("experiment", partial(paper.compute_results, experiment.inputs))


def _svm_field(experiment: TableExperiment) -> None:
    st.button(
        "Train a support vector machine (Fig. 12)",
        key="paper_svm",
        on_click=lambda: _train_machines(experiment),
        disabled=_is_busy(),
        help="On the original counts and on one release by each mechanism at this page’s ε and δ: six trainings, each "
        "of up to a minute. You can stop after any.",
    )


def _train_machines(experiment: TableExperiment) -> None:
    """Train in the background, and show each score as soon as it is there."""
    session_state.uploads().pop(_PROBLEM, None)
    if experiment.session_data.adult is not None:
        _update_data(scores=())
        make = partial(
            paper.train_machines, experiment.session_data.adult, experiment.epsilon, experiment.delta, experiment.seed
        )
        session_state.uploads()[_TASK] = BackgroundTask("machines", make)


@st.fragment(run_every=1.0)
def _show_progress() -> None:
    """Show the progress of the background task; when a piece is done, render the page with it."""
    task = session_state.uploads().get(_TASK)
    if task is None:
        return
    is_finished, pieces = task.is_finished, task.pieces
    if _store_new_pieces(task.name, pieces) or is_finished:
        if is_finished:
            session_state.uploads().pop(_TASK, None)
            if task.problem:
                session_state.uploads()[_PROBLEM] = task.problem
        st.rerun()
    st.progress(task.share, text.progress_text(task.name, task.share))
    st.button("Stop", key="paper_stop", on_click=_stop_task)


def _store_new_pieces(name: str, pieces: tuple[Any, ...]) -> bool:
    """Store the pieces of a background task, and return whether the session did not have them yet."""
    data = session_data() or NO_DATA
    if not pieces:
        return False
    if name == "machines":
        if len(pieces) == len(data.scores):
            return False
        _update_data(scores=pieces)
    else:
        (inputs, results), *_ = pieces
        _update_data(inputs=inputs, results=results)
    return True
