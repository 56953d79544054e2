from functools import partial

import streamlit as st

from pages.composition import widgets
from pages.composition.page import PAGE
from pages.composition.results import CompositionResult
from pages.framework.layout import page_run
from pages.framework.layout.page_run import PageState
from pages.framework.layout.widgets import TWO_COLUMNS, explained_view, run_alone


def _has_list(page: PageState[CompositionResult]) -> bool:
    """Return whether what is open is about the list of releases."""
    return page.section == "profile" or (page.section == "together" and page.values["show"] != "groups")


def _content_below(page: PageState[CompositionResult]) -> object:
    content = widgets.editor_content(page.result.setting.releases) if _has_list(page) else None
    return content, explained_view(page.view)


def _body() -> None:
    with st.container(key=TWO_COLUMNS):
        page = run_alone(partial(page_run.open_page, PAGE, ()), _content_below)
        if _has_list(page):
            widgets.render_releases_editor(page.result.setting.releases)
        page_run.explanation(page)


page_run.run(PAGE.entry, _body)
