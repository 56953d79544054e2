"""The start page: the questions that people come with, the pages, settings to start from, promises, the glossary."""

import streamlit as st

from pages.composition.published.deployments import DEPLOYMENTS
from pages.framework.layout import page_frame
from pages.start import presets
from pages.start.links import Link
from pages.start.page import PAGE


def _link(link: Link) -> None:
    page_frame.page_link(link.page, link.name, link.entries)


def _body() -> None:
    page = page_frame.open_page(PAGE)
    if page.section == "presets":
        _link(presets.TOGETHER)
        for deployment in DEPLOYMENTS:
            with st.container(border=True):
                _link(presets.line(deployment))
                st.markdown(presets.told(deployment))
                if (one_count := presets.count(deployment)) is not None:
                    _link(one_count)


page_frame.run(PAGE.entry, _body)
