"""The start page: the question that each page answers, and settings to start from."""

import streamlit as st

from dpcore import comparison
from pages.shared import frame, inputs
from pages.shared import gaussian_bounds as words

PRESETS = (
    ("A first look", {"epsilon": "1", "delta": "1e-6"}, "ε = 1 and one chance in a million, for one count per person."),
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

values = frame.open_page("What does each choice of privacy parameters cost?")
now = {quantity.key: values[quantity.key] for quantity in inputs.SHARED}
sentence, _ = words.answer(comparison.table(**now).set_index("bound").to_dict("index"), now)
frame.answer(
    sentence,
    "Choose ε, δ and the sensitivity at the side; every page answers for that choice. The address of the page holds "
    "every setting: copy it to share exactly what you see.",
)
st.header("Pages")
with st.container(border=True):
    frame.page_link("pages/1_Gaussian_bounds.py")
    st.markdown(
        "**How much Gaussian noise do the known bounds ask for, which of them hold, and what does each really give?** "
        "σ of six bounds against ε and δ, their true privacy, and what the noise does to a real table of counts."
    )
with st.container(border=True):
    frame.page_link("pages/2_Generalized_Gaussian.py")
    st.markdown(
        "**Which shape of noise needs the least of it?** The scale of generalized Gaussian noise for every shape p, "
        "exact where the paper bounds or simulates, the best p at each ε and δ, and noise for bounded statistics."
    )
with st.container(border=True):
    frame.page_link("pages/3_Trade-off_curves.py")
    st.markdown(
        "**How much can an attacker learn about one person?** The least errors that any attack can reach under up to "
        "eight promises or mechanisms, what a positive test means for a prior, what one (ε, δ) or μ leaves out, and "
        "what an attack that was carried out has proved."
    )
with st.container(border=True):
    frame.page_link("pages/4_Laplace_vs_Gaussian.py")
    st.markdown(
        "**Which noise should I add, Laplace or Gaussian?** Their tails, errors and draws side by side, the number of "
        "statistics and the δ from which the Gaussian is the smaller, and what the same tail costs in ε."
    )
with st.container(border=True):
    frame.page_link("pages/5_Accuracy.py")
    st.markdown(
        "**What ε do I need for the error I can accept?** The accuracy of every mechanism for counts, sums, means, "
        "proportions and histograms, the ε or the number of records that a wanted accuracy needs, and a budget over "
        "several queries."
    )
st.header("Settings to start from")
for name, entries, why in PRESETS:
    with st.container(border=True):
        if st.button(name, key=f"preset_{name}"):
            for key, entry in {"l2_sensitivity": "1", "significance": "0.05", **entries}.items():
                inputs.enter(key, entry)
            st.switch_page("pages/1_Gaussian_bounds.py")
        st.markdown(why)
