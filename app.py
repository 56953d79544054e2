"""The start page: the question that each page answers, settings to start from, published promises, the glossary."""

import streamlit as st

from pages.composition.deployments import DEPLOYMENTS
from pages.shared import contents, frame
from pages.start import presets
from pages.start.presets import Link
from pages.start.topic import TOPIC


def _link(link: Link) -> None:
    frame.page_link(link.page, link.name, link.entries)


page = frame.open_page(TOPIC)
if page.section == "pages":
    for each in contents.PAGES[1:]:
        with st.container(border=True):
            frame.page_link(each)
            st.markdown(each.about)
    st.header("Settings to start from")
    for preset in presets.PRESETS:
        with st.container(border=True):
            _link(preset.link)
            st.markdown(f"{preset.shows}  \nSource: {preset.origin}")
    with st.container(border=True):
        st.html(presets.reset())
if page.section == "presets":
    _link(presets.TOGETHER)
    for deployment in DEPLOYMENTS:
        with st.container(border=True):
            _link(presets.line(deployment))
            st.markdown(presets.told(deployment))
            if (one_count := presets.count(deployment)) is not None:
                _link(one_count)
