"""What Streamlit draws of a report: how far the making of its items is, and the buttons that stop it and go on."""

import streamlit as st

from pages.framework.export.report_item import Item
from pages.framework.layout import widgets
from pages.framework.rendering.background_task import BackgroundTask
from pages.framework.rendering.workers.limits import Progress
from pages.framework.session import session_state
from pages.report import text
from pages.report.parameters import ITEMS
from pages.report.results import AT_ONCE, Pieces, ReportResult, make

_PIECES, _WORK = "report_pieces", "report_work"
_PATIENCE = 0.15  # seconds in which what is made elsewhere already is here
_ASKED_FOR = 60.0  # seconds of processor time for what somebody asks for by hand


def held() -> Pieces:
    """The items that this session has made, after those with the user's own data are removed if that was asked for."""
    if session_state.request().get("exclude"):
        session_state.set_text(ITEMS.key, ITEMS.without_data(session_state.used().get(ITEMS.key, ITEMS.default)))
    return session_state.uploads().setdefault(_PIECES, Pieces())


def making(result: ReportResult) -> None:
    """Make the items that are missing, and show how far that is."""
    if not result.missing:
        _stop()
        return
    work = session_state.uploads().get(_WORK)
    if work is None or work.name != _name(result):
        _start(result, AT_ONCE)
        work = session_state.uploads()[_WORK]
    elif held().full:
        return
    work.thread.join(_PATIENCE)
    if _gathered(work, result):
        st.rerun()
    if work.done:
        with st.container(key="report_rest"):
            widgets.show_problem("report", work.problem)
            st.text(text.STOPPED)
            st.button(text.more(result), key="report_more", on_click=_start, args=(result, _ASKED_FOR))
    else:
        _watch(result)


def _name(result: ReportResult) -> str:
    """What is being made: the same for the same items in any order."""
    return " ".join(sorted(each.unnoted.text() for each in result.items))


def _start(result: ReportResult, seconds: float) -> None:
    _stop()
    before = held()
    size, name = sum(each.size for each in before.made.values()), session_state.session_id()

    def run(report: Progress) -> None:
        def add(item: Item, made: object) -> None:
            report.add((item, made))

        if make(result.missing, seconds, size, add, report.report, name):
            report.add(None)

    session_state.uploads()[_WORK] = BackgroundTask(_name(result), run, here=True)


def _gathered(work: BackgroundTask, result: ReportResult) -> bool:
    """Take the pieces that are new; whether there are any."""
    before = held()
    pieces = dict(piece for piece in work.pieces if piece is not None)
    full = None in work.pieces
    every = {**before.made, **before.refused}
    if full == before.full and pieces.keys() <= every.keys():
        return False
    wanted = {each.unnoted for each in result.items}
    every = {item: each for item, each in {**every, **pieces}.items() if item in wanted}
    refused = {item: each for item, each in every.items() if isinstance(each, str)}
    made = {item: each for item, each in every.items() if not isinstance(each, str)}
    session_state.uploads()[_PIECES] = Pieces(made, refused, full)
    return True


def _stop() -> None:
    work = session_state.uploads().pop(_WORK, None)
    if work is not None:
        work.stop()


@st.fragment(run_every=0.5)
def _watch(result: ReportResult) -> None:
    """Show how far it is; with every new item the page is drawn again."""
    work = session_state.uploads().get(_WORK)
    if work is None:
        return
    if _gathered(work, result) or work.done:
        st.rerun()
    with st.container(key="report_making"):
        st.progress(work.share, text.making(result))
        st.button("Stop", key="report_stop", on_click=work.stop)
