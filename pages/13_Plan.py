from collections.abc import Callable

import streamlit as st

from pages.framework.layout import page_frame, page_run
from pages.framework.layout.page_run import PageState
from pages.framework.layout.widgets import TWO_COLUMNS, explained_view, run_alone
from pages.plan import widgets
from pages.plan.page import PAGE
from pages.plan.results import PlanResult


def _open_page(rerun_if_changed: Callable[[PageState[PlanResult]], None]) -> PageState[PlanResult]:
    return page_run.open_page(PAGE, rerun_if_changed=rerun_if_changed)


def _body() -> None:
    with st.container(key=TWO_COLUMNS):
        page = run_alone(_open_page, lambda state: (widgets.editor_content(state.result), explained_view(state.view)))
        widgets.render_queries_editor(page.result)
        page_run.explanation(page)


page_frame.run(PAGE.entry, _body)
