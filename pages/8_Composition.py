import streamlit as st

from pages.composition import widgets
from pages.composition.page import PAGE
from pages.framework.layout import page_frame, page_run
from pages.framework.layout.widgets import TWO_COLUMNS


def _body() -> None:
    with st.container(key=TWO_COLUMNS):
        page = page_run.open_page(PAGE)
        if page.section in ("together", "accountants", "profile"):
            widgets.render_releases_editor(page.result.items)
        page_run.explanation(page)


page_frame.run(PAGE.entry, _body)
