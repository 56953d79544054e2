"""The fields of Liu's experiments that Streamlit draws: Adult from a file or from UCI, and what takes its time."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore import readers
from pages.framework.layout import widgets
from pages.framework.parameters.kinds import shown
from pages.framework.rendering import render_jobs
from pages.framework.rendering.background_task import BackgroundTask
from pages.framework.session import own_data, session_state
from pages.framework.session.own_data import OwnData
from pages.tables.experiments import results as paper
from pages.tables.experiments import text
from pages.tables.experiments.results import MOST_CELLS, NOTHING, Experiment, Held

_SLOT = "adult"
_HELD, _WORK, _WRONG = "paper_held", "paper_work", "paper_wrong"


def held() -> Held | None:
    """What the session has of the experiments, with Adult where the browser has just sent its copy of the file."""
    copy = own_data.take_restored(_SLOT)
    if copy is not None and copy.files and session_state.uploads().get(_HELD) is None:
        name, data = copy.files[0]
        _take(data, name)
    return session_state.uploads().get(_HELD)


def paper_fields(asked: Experiment | None, data: str) -> None:
    """Draw the fields: Adult where it is asked for, and a button for what is not made at once."""
    if data == "adult":
        _adult_field()
    if asked is not None and asked.waiting and asked.counts.size <= MOST_CELLS:
        st.button("Run the experiment", key="paper_run", on_click=lambda: _run(asked), disabled=_busy())
    if asked is not None and asked.possible is not None:
        _svm_field(asked)
    widgets.show_problem("paper", session_state.uploads().get(_WRONG, ""))
    if _WORK in session_state.uploads():
        _watch()


def _busy() -> bool:
    return _WORK in session_state.uploads()


def _keep(**changes: Any) -> None:
    session_state.uploads()[_HELD] = replace(held() or NOTHING, **changes)


def _adult_field() -> None:
    with st.expander("Adult’s file", key="adult_box", on_change="rerun") as box:
        if not box.open:
            return
        st.file_uploader(
            "adult.data or adult.csv, packed by gzip or not",
            ["data", "csv", "gz", "txt"],
            key=widgets.uploader_key("adult_file"),
            help="The file stays on the machine that runs this page, as long as the session, and in this tab of your "
            "browser until you close it. No link contains it.",
            on_change=_take_file,
        )
        st.button("Fetch it from UCI", key="adult_fetch", on_click=_fetch, help=readers.ADULT_ADDRESS)
        if held():
            st.button("Forget it", key="adult_away", on_click=_remove)


def _take_file() -> None:
    file = st.session_state[widgets.uploader_key("adult_file")]
    if file is not None:
        _take(file.getvalue(), shown(file.name))
        own_data.store(_SLOT, OwnData(((file.name, file.getvalue()),)) if held() else None)


def _fetch() -> None:
    try:
        data = readers.download_adult()
    except ConnectionError as error:
        session_state.uploads()[_WRONG] = f"{error}."
        return
    _take(data, "What UCI sent")
    own_data.store(_SLOT, OwnData((("adult.data", data),)) if held() else None)


def _take(data: bytes, name: str) -> None:
    _forget()
    try:
        read = render_jobs.read_file(partial(paper.brought, data), lambda _: None)
    except ValueError as error:
        read = str(error)
    if isinstance(read, str):
        session_state.uploads()[_WRONG] = f"{name} can’t be read as Adult: {read}."
    else:
        _keep(adult=read)


def _remove() -> None:
    _forget()
    own_data.store(_SLOT, None)
    widgets.empty_uploader("adult_file")


def _forget() -> None:
    _stop()
    for name in (_HELD, _WRONG, _WORK):
        session_state.uploads().pop(name, None)


def _stop() -> None:
    if _busy():
        session_state.uploads()[_WORK].stop()


def _run(asked: Experiment) -> None:
    """Make the results in the background."""
    session_state.uploads().pop(_WRONG, None)
    session_state.uploads()[_WORK] = BackgroundTask("experiment", partial(paper.make_results, asked.asked))


def _svm_field(asked: Experiment) -> None:
    st.button(
        "Train a support vector machine (Fig. 12)",
        key="paper_svm",
        on_click=lambda: _train(asked),
        disabled=_busy(),
        help="On the original counts and on one release by each mechanism at this page’s ε and δ: six trainings, each "
        "of up to a minute. You can stop after any.",
    )


def _train(asked: Experiment) -> None:
    """Train in the background, each score as soon as it is there."""
    session_state.uploads().pop(_WRONG, None)
    if asked.held.adult is not None:
        _keep(scores=())
        make = partial(paper.train, asked.held.adult, asked.epsilon, asked.delta, asked.seed)
        session_state.uploads()[_WORK] = BackgroundTask("machines", make)


@st.fragment(run_every=1.0)
def _watch() -> None:
    """Show what is being made; when a piece is done, the page is drawn with it."""
    work = session_state.uploads().get(_WORK)
    if work is None:
        return
    done, pieces = work.done, work.pieces
    if _taken(work.name, pieces) or done:
        if done:
            session_state.uploads().pop(_WORK, None)
            if work.problem:
                session_state.uploads()[_WRONG] = work.problem
        st.rerun()
    st.progress(work.share, text.working(work.name, work.share))
    st.button("Stop", key="paper_stop", on_click=_stop)


def _taken(name: str, pieces: tuple[Any, ...]) -> bool:
    """Whether there are pieces that the page has not had yet; it has them now."""
    now = held() or NOTHING
    if not pieces:
        return False
    if name == "machines":
        if len(pieces) == len(now.scores):
            return False
        _keep(scores=pieces)
    else:
        (asked, results), *_ = pieces
        _keep(asked=asked, results=results)
    return True
