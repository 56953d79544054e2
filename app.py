"""The start page: the question that each page answers, and settings to start from."""

import streamlit as st

from pages.gaussian_bounds import exhibits as bounds
from pages.gaussian_bounds import words
from pages.shared import contents, frame, session
from pages.shared.common import Setting, setting

PRESETS = (
    ("A first look", {"epsilon": "1", "delta": "1e-6"}, "ε = 1 and a δ of one in a million, for one count of people."),
    (
        "Where the classical formula breaks",
        {"epsilon": "10", "delta": "1e-5"},
        "Outside its proof (ε < 1) it asks for too little noise: its true δ is more than twice the target.",
    ),
    (
        "Liu's experiments",
        {"epsilon": "0.5", "delta": "0.01"},
        "The strictest setting of Liu 2019, §4, for tables of counts. Its δ is meant as probabilistic DP.",
    ),
    (
        "Almost no privacy loss",
        {"epsilon": "0", "delta": "1e-3"},
        "At ε = 0 only the analytic Gaussian has an answer (Balle & Wang 2018, Theorem 2).",
    ),
)

setting_now = setting(Setting, frame.open_page(contents.START))
sentence, _ = words.answer(bounds.rows_of(setting_now), setting_now)
frame.answer(
    sentence,
    "Choose ε, δ and the sensitivity at the side; they go with you from page to page. The address of a page holds "
    "every setting of it: copy it to share exactly what you see.",
)
st.header("Pages")
for page in contents.PAGES[1:]:
    with st.container(border=True):
        frame.page_link(page)
        st.markdown(page.about)
st.header("Settings to start from")
for name, entries, why in PRESETS:
    with st.container(border=True):
        if st.button(name, key=f"preset_{name}"):
            for key, entry in {"l2_sensitivity": "1", "significance": "0.05", **entries}.items():
                session.enter(key, entry)
            st.switch_page(contents.GAUSSIAN_BOUNDS.script)
        st.markdown(why)
