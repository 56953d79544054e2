"""The fields of Experiment 5.2 that Streamlit draws: a button for the data sets that are not drawn at once."""

from functools import partial

import streamlit as st

from pages.denoising import means_words
from pages.denoising.found import Found
from pages.denoising.means import Experiment, Held, draw, experiment
from pages.shared import fields, session
from pages.shared.background import Work

_HELD, _WORK, _WRONG = "means_held", "means_work", "means_wrong"


def held() -> Held | None:
    """What the session holds of the experiment, if anything."""
    return session.held().get(_HELD)


def means_fields(found: Found) -> None:
    """Draw a button where there are fewer data sets than asked for, and how far the drawing is."""
    asked = experiment(found.values, found.means)
    if not asked.complete:
        st.button("Run the experiment", key="means_run", on_click=lambda: _run(asked), disabled=_busy())
    fields.problem("means", session.held().get(_WRONG, ""))
    if _busy():
        _watch()


def _busy() -> bool:
    return _WORK in session.held()


def _run(asked: Experiment) -> None:
    """Draw the data sets in the background."""
    session.held().pop(_WRONG, None)
    session.held()[_WORK] = Work("means", partial(draw, asked.keys(asked.asked.n_repeats)))


def _stop() -> None:
    if _busy():
        session.held()[_WORK].stop()


@st.fragment(run_every=1.0)
def _watch() -> None:
    """Show how far it is; when it has ended, the page is drawn with it."""
    work = session.held().get(_WORK)
    if work is None:
        return
    if work.done:
        session.held().pop(_WORK, None)
        if work.problem:
            session.held()[_WRONG] = work.problem
        elif work.share == 1.0:
            session.held()[_HELD] = Held(dict(work.pieces))
        st.rerun()
    st.progress(work.share, means_words.working(work.share))
    st.button("Stop", key="means_stop", on_click=_stop)
