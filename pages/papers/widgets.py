"""The fields of both experiments: Adult from a file or from UCI, and buttons for what runs in the background."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore import readers
from pages.framework.layout import widgets
from pages.framework.layout.own_data import DATA_STAY
from pages.framework.layout.session_task import SessionTask
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering import render_jobs
from pages.framework.rendering.render_jobs import BackgroundTask
from pages.framework.session import session_state, tab_copies
from pages.framework.session.data_files import DataFiles
from pages.papers.balle_means import section as means_section
from pages.papers.balle_means.results import DataSets, MeanExperiment, draw_data_sets
from pages.papers.liu_tables import results as tables
from pages.papers.liu_tables import text as tables_text
from pages.papers.liu_tables.results import MOST_CELLS, NO_DATA, ExperimentData, TableExperiment

_SLOT = "adult"


def data_sets() -> DataSets | None:
    """Return the data sets of Experiment 5.2 that the session has, if any."""
    return session_state.uploads().get("means_data")


def _store_data_sets(task: BackgroundTask) -> bool:
    """Store the data sets when all are drawn."""
    is_complete = task.is_finished and not task.problem and task.share == 1.0
    if is_complete:
        session_state.uploads()["means_data"] = DataSets(dict(task.pieces))
    return is_complete


_MEANS = SessionTask("means", _store_data_sets, lambda task: means_section.progress_text(task.share))


def means_fields(experiment: MeanExperiment) -> None:
    """Draw a button if data sets are missing, and the progress of drawing them."""
    if not experiment.is_complete:
        draw = partial(draw_data_sets, experiment.data_set_keys(experiment.setting.n_repeats))
        _MEANS.button("Run the experiment", "run", lambda: _MEANS.start("means", draw))
    _MEANS.draw()


def experiment_data() -> ExperimentData | None:
    """Return the session's data of the experiments, with Adult where the browser has just sent its copy of the file."""
    copy = tab_copies.take_restored(_SLOT)
    if copy is not None and copy.files and session_state.uploads().get("paper_data") is None:
        name, data = copy.file
        _set_adult(data, name)
    return session_state.uploads().get("paper_data")


def _update_data(**changes: Any) -> None:
    session_state.uploads()["paper_data"] = replace(experiment_data() or NO_DATA, **changes)


def _store_results(task: BackgroundTask) -> bool:
    """Store the scores of the machines that are trained, or the results of the releases."""
    if not task.pieces:
        return False
    if task.name == "machines":
        if len(task.pieces) == len((experiment_data() or NO_DATA).scores):
            return False
        _update_data(scores=task.pieces)
    else:
        (inputs, results), *_ = task.pieces
        _update_data(inputs=inputs, results=results)
    return True


_TABLES = SessionTask("paper", _store_results, lambda task: tables_text.progress_text(task.name, task.share))


def tables_fields(experiment: TableExperiment | None, data: str) -> None:
    """Draw the fields: Adult where it is chosen, and buttons for what runs in the background."""
    if data == "adult":
        _adult_field()
    if experiment is not None and experiment.needs_background and experiment.counts.size <= MOST_CELLS:
        compute = partial(tables.compute_results, experiment.inputs)
        _TABLES.button("Run the experiment", "run", lambda: _TABLES.start("experiment", compute))
    if experiment is not None and experiment.n_possible_cells is not None:
        _TABLES.button(
            "Train a support vector machine (Fig. 12)",
            "svm",
            lambda: _train_machines(experiment),
            "On the original counts and on one release by each mechanism at this page’s ε and δ: six trainings, each "
            "of up to a minute. You can stop after any.",
        )
    _TABLES.draw()


def _train_machines(experiment: TableExperiment) -> None:
    """Train in the background, and show each score as soon as it is there."""
    if experiment.session_data.adult is not None:
        _update_data(scores=())
        numbers = experiment.epsilon, experiment.delta, experiment.seed
        _TABLES.start("machines", partial(tables.train_machines, experiment.session_data.adult, *numbers))


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
        if experiment_data():
            st.button("Remove Adult", key="adult_away", on_click=_remove_adult)


def _read_upload() -> None:
    file = st.session_state[widgets.field_key("adult_file")]
    if file is not None:
        _set_adult(file.getvalue(), excerpt(file.name))
        tab_copies.store(_SLOT, DataFiles({"file": (file.name, file.getvalue())}) if experiment_data() else None)


def _download_adult() -> None:
    try:
        data = readers.download_adult()
    except ConnectionError as error:
        session_state.uploads()["paper_problem"] = f"{error}."
        return
    _set_adult(data, "What UCI sent")
    tab_copies.store(_SLOT, DataFiles({"file": ("adult.data", data)}) if experiment_data() else None)


def _set_adult(data: bytes, name: str) -> None:
    _clear_session()
    try:
        adult = render_jobs.read_file(partial(tables.adult_or_problem, data), lambda _: None)
    except ValueError as error:
        adult = str(error)
    if isinstance(adult, str):
        session_state.uploads()["paper_problem"] = f"{name} cannot be read as Adult: {adult}."
    else:
        _update_data(adult=adult)


def _remove_adult() -> None:
    _clear_session()
    tab_copies.store(_SLOT, None)
    widgets.empty_uploader("adult_file")


def _clear_session() -> None:
    _TABLES.end()
    session_state.uploads().pop("paper_data", None)
