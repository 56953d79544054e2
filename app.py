"""The start page: the question that each page answers, settings to start from, and the glossary."""

import streamlit as st

from pages.shared import contents, frame
from pages.start import sections
from pages.start.parameters import OWN

page = frame.open_page(contents.START, OWN, sections.found, sections.SECTIONS, sections.answer)
if page.section == "pages":
    for each in contents.PAGES[1:]:
        with st.container(border=True):
            frame.page_link(each)
            st.markdown(each.about)
    st.header("Settings to start from")
    for name, at, entries, why in sections.PRESETS:
        with st.container(border=True):
            frame.page_link(at, name, sections.PRESET | entries)
            st.markdown(why)
