from functools import partial

import streamlit as st

from pages.composition import widgets
from pages.composition.page import PAGE
from pages.composition.results import CompositionResult
from pages.framework.layout import page_frame, page_run
from pages.framework.layout.page_run import PageState
from pages.framework.layout.widgets import TWO_COLUMNS, explained_view, run_alone

_WITH_LIST = ("together", "accountants", "profile")  # the sections on the list of releases


def _content_below(page: PageState[CompositionResult]) -> object:
    content = widgets.editor_content(page.result.items) if page.section in _WITH_LIST else None
    return content, explained_view(page.view)


def _body() -> None:
    with st.container(key=TWO_COLUMNS):
        page = run_alone(partial(page_run.open_page, PAGE, ()), _content_below)
        if page.section in _WITH_LIST:
            widgets.render_releases_editor(page.result.items)
        page_run.explanation(page)


page_frame.run(PAGE.entry, _body)
