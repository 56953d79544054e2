"""The script of the start page."""

import streamlit as st

from pages.composition.published.deployments import DEPLOYMENTS
from pages.framework.layout import page_frame
from pages.start import presets
from pages.start.links import Link
from pages.start.page import PAGE


def _page_link(link: Link) -> None:
    page_frame.page_link(link.page, link.name, link.entries)


def _body() -> None:
    page = page_frame.open_page(PAGE)
    if page.section == "presets":
        _page_link(presets.TOGETHER)
        for deployment in DEPLOYMENTS:
            with st.container(border=True):
                _page_link(presets.releases_link(deployment))
                st.markdown(presets.description(deployment))
                if (count_link := presets.count_link(deployment)) is not None:
                    _page_link(count_link)


page_frame.run(PAGE.entry, _body)
