"""The progress of the items of a report, with the buttons that stop and continue it."""

from dataclasses import replace

import streamlit as st

from pages.framework.export.exhibit import Item
from pages.framework.export.report_items import is_lost
from pages.framework.layout import widgets
from pages.framework.rendering.render_jobs import BackgroundTask
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session import session_state, tab_copies
from pages.report import text
from pages.report.parameters import ITEMS
from pages.report.results import LINK_SECONDS, RebuiltItems, ReportResult, rebuild_missing

_ITEMS, _TASK = "report_pieces", "report_work"
_WAIT_SECONDS = 0.15  # in which an item that is cached elsewhere arrives
_BUTTON_SECONDS = 60.0  # of processor time after a press of the button


def session_items() -> RebuiltItems:
    """Return the items that this session has rebuilt, without those whose data the browser has sent back since.

    Those with the user's own data are removed from the report, if requested.
    """
    session = session_state.session()
    if session.request.get("exclude"):
        session_state.set_text(ITEMS.key, ITEMS.without_data(session.used.get(ITEMS.key, ITEMS.default)))
    stored, data = session.uploads.setdefault(_ITEMS, RebuiltItems()), tab_copies.stored_data()
    lost = [item for item, rebuilt in stored.items.items() if item.session_token in data and is_lost(rebuilt)]
    if lost or stored.is_kept != tab_copies.is_kept():
        items = {item: rebuilt for item, rebuilt in stored.items.items() if item not in lost}
        session.uploads[_ITEMS] = replace(stored, items=items, is_kept=tab_copies.is_kept())
    if lost:
        _stop()  # its outcomes have the sentence on the lost data
    return session.uploads[_ITEMS]


def progress(result: ReportResult) -> None:
    """Rebuild the missing items in the background, and show the progress."""
    if not result.missing:
        _stop()
        return
    task = session_state.uploads().get(_TASK)
    if task is None or task.name != _task_name(result):
        _start(result, LINK_SECONDS)
        task = session_state.uploads()[_TASK]
    elif session_items().is_full:
        return
    task.thread.join(_WAIT_SECONDS)
    if _collect(task, result):
        st.rerun()
    if task.is_finished:
        with st.container(key="report_rest"):
            widgets.show_problem("report", task.problem)
            st.text(text.STOPPED)
            label = text.continue_label(result)
            st.button(label, key="report_more", on_click=_start, args=(result, _BUTTON_SECONDS))
    else:
        _watch(result)


def _task_name(result: ReportResult) -> str:
    """Return the name of the task, which is the same for the same items in any order."""
    return " ".join(sorted(item.unnoted.text() for item in result.items))


def _start(result: ReportResult, seconds: float) -> None:
    _stop()
    size = sum(rebuilt.size for rebuilt in session_items().items.values())
    session, data = session_state.session().id, dict(tab_copies.stored_data())

    def run(task_progress: Progress) -> None:
        def add(item: Item, outcome: object) -> None:
            task_progress.add_piece((item, outcome))

        missing = {item: data.get(item.session_token) for item in result.missing}
        if rebuild_missing(missing, seconds, size, add, task_progress.report, session):
            task_progress.add_piece(None)

    session_state.uploads()[_TASK] = BackgroundTask(_task_name(result), run, in_process=True)


def _collect(task: BackgroundTask, result: ReportResult) -> bool:
    """Store the new items of the task in the session, and return whether there are any."""
    stored = session_items()
    new = dict(outcome for outcome in task.pieces if outcome is not None)
    is_full = None in task.pieces
    outcomes = {**stored.items, **stored.refusals}
    if is_full == stored.is_full and new.keys() <= outcomes.keys():
        return False
    current = {item.unnoted for item in result.items}
    outcomes = {item: outcome for item, outcome in {**outcomes, **new}.items() if item in current}
    refusals = {item: outcome for item, outcome in outcomes.items() if isinstance(outcome, str)}
    items = {item: outcome for item, outcome in outcomes.items() if not isinstance(outcome, str)}
    session_state.uploads()[_ITEMS] = replace(stored, items=items, refusals=refusals, is_full=is_full)
    return True


def _stop() -> None:
    task = session_state.uploads().pop(_TASK, None)
    if task is not None:
        task.stop()


@st.fragment(run_every=0.5)
def _watch(result: ReportResult) -> None:
    """Show the progress; run the page again after every new item."""
    task = session_state.uploads().get(_TASK)
    if task is None:
        return
    if _collect(task, result) or task.is_finished:
        st.rerun()
    with st.container(key="report_making"):
        st.progress(task.share, text.progress_text(result))
        st.button("Stop", key="report_stop", on_click=task.stop)
