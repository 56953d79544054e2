from functools import partial

import streamlit as st

from pages.framework.layout import page_run
from pages.framework.layout.widgets import TWO_COLUMNS, explained_view, place_above_stage, run_alone
from pages.plan import widgets
from pages.plan.page import PAGE


def _body() -> None:
    with st.container(key=TWO_COLUMNS):
        above_stage = place_above_stage()
        page = run_alone(
            partial(page_run.open_page, PAGE, ()),
            lambda state: (widgets.editor_content(state.result), explained_view(state.view)),
        )
        widgets.render_queries_editor(page.result, above_stage)
        page_run.explanation(page)


page_run.run(PAGE.entry, _body)
