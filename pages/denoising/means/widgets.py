"""The fields of Experiment 5.2 that Streamlit draws: a button for the data sets that are not drawn at once."""

from functools import partial

import streamlit as st

from pages.denoising.means import text
from pages.denoising.means.results import Experiment, Held, draw
from pages.denoising.results import DenoisingResult
from pages.framework.layout import widgets
from pages.framework.rendering.background_task import BackgroundTask
from pages.framework.session import session_state

_HELD, _WORK, _WRONG = "means_held", "means_work", "means_wrong"


def held() -> Held | None:
    """What the session holds of the experiment, if anything."""
    return session_state.uploads().get(_HELD)


def means_fields(result: DenoisingResult) -> None:
    """Draw a button where there are fewer data sets than asked for, and how far the drawing is."""
    asked = result.experiment
    if not asked.complete:
        st.button("Run the experiment", key="means_run", on_click=lambda: _run(asked), disabled=_busy())
    widgets.show_problem("means", session_state.uploads().get(_WRONG, ""))
    if _busy():
        _watch()


def _busy() -> bool:
    return _WORK in session_state.uploads()


def _run(asked: Experiment) -> None:
    """Draw the data sets in the background."""
    session_state.uploads().pop(_WRONG, None)
    session_state.uploads()[_WORK] = BackgroundTask("means", partial(draw, asked.keys(asked.asked.n_repeats)))


def _stop() -> None:
    if _busy():
        session_state.uploads()[_WORK].stop()


@st.fragment(run_every=1.0)
def _watch() -> None:
    """Show how far it is; when it has ended, the page is drawn with it."""
    work = session_state.uploads().get(_WORK)
    if work is None:
        return
    if work.done:
        session_state.uploads().pop(_WORK, None)
        if work.problem:
            session_state.uploads()[_WRONG] = work.problem
        elif work.share == 1.0:
            session_state.uploads()[_HELD] = Held(dict(work.pieces))
        st.rerun()
    st.progress(work.share, text.working(work.share))
    st.button("Stop", key="means_stop", on_click=_stop)
