"""What every page has: set-up, navigation, the shared parameters, the notice for a bad link, the link itself."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.shared import inputs
from pages.shared.figures import theme
from pages.shared.inputs import PICTURE, SHARED, Parameter

PAGES = {
    "app.py": "Start",
    "pages/1_Gaussian_bounds.py": "Gaussian bounds",
    "pages/2_Generalized_Gaussian.py": "Generalized Gaussian",
    "pages/3_Trade-off_curves.py": "Trade-off curves",
    "pages/4_Laplace_vs_Gaussian.py": "Laplace vs Gaussian",
    "pages/5_Accuracy.py": "Accuracy",
}

# Two columns become one where they would be too narrow; the answer is large; a table scrolls inside itself on a phone.
_STYLE = """<style>
.stMainBlockContainer {max-width: 1180px; padding-top: 2.5rem; padding-bottom: 3rem}
@media (max-width: 1100px) {.stMain .stColumn {min-width: 100%}}
.st-key-answer {padding-bottom: 1.1rem}
.st-key-answer p {font-variant-numeric: tabular-nums; text-wrap: balance}
.st-key-answer p:first-child {font-size: 1.35rem; line-height: 1.35; font-weight: 600; margin-bottom: .35rem}
[class*="st-key-problem_"] {border-left: 3px solid #C1121F; padding-left: .6rem}
.st-key-link_notice {border-left: 4px solid #B8440B}
.stText, .stText div {font-family: inherit; font-size: .92rem; white-space: pre-wrap; overflow-wrap: anywhere}
.scroll {overflow-x: auto; max-width: 100%}
.scroll table {border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem}
.scroll caption {text-align: left; padding-bottom: .4rem}
.scroll th, .scroll td {text-align: right; padding: .35rem .55rem; border-bottom: 1px solid rgba(128,138,150,.35)}
.scroll th:first-child, .verdicts td:last-child, .verdicts th:last-child {text-align: left}
.verdicts td:last-child {min-width: 13rem}
.scroll thead th {vertical-align: bottom; font-weight: 600}
.scroll td, .scroll th span {white-space: nowrap}
.verdicts td:last-child {white-space: normal}
.scroll tbody th {font-weight: 600; white-space: nowrap}
.readings tbody th {white-space: normal; min-width: 7rem}
@media (max-width: 640px) {
  .stMainBlockContainer {padding: 4rem 1rem 2rem}
  .stMain h1 {font-size: 1.5rem; padding-top: 0}
  .st-key-answer p:first-child {font-size: 1.15rem}
}
</style>"""


def open_page(title: str, own: tuple[Parameter, ...] = ()) -> dict[str, Any]:
    """Set the page up and return the value of every parameter it has: the shared ones and its own."""
    st.set_page_config(page_title=f"{title} · DP Trade-off Explorer", page_icon="📉", layout="wide")
    st.html(_STYLE)
    st.session_state.page_is_new = st.session_state.get("page") != title
    st.session_state.page = title
    values = inputs.settings((*SHARED, PICTURE, *own))
    write_link(own)
    with st.sidebar:
        for page in PAGES:
            page_link(page)
        for quantity in SHARED:
            inputs.quantity_field(quantity)
        inputs.choice_field(PICTURE, "Save pictures as")
    st.title(title)
    if st.session_state.link_problems:
        with st.container(border=True, key="link_notice"):
            for sentence in st.session_state.link_problems:
                st.text(sentence)
    return values


def write_link(own: tuple[Parameter, ...] = ()) -> None:
    """Write the text of every parameter, the shared ones and the page's own, into the link."""
    link = {parameter.key: st.session_state.used[parameter.key] for parameter in (*SHARED, PICTURE, *own)}
    if {key: st.query_params.get_all(key) for key in st.query_params} != {key: [entry] for key, entry in link.items()}:
        st.query_params.from_dict(link)


def page_link(page: str) -> None:
    """Link to a page, with the shared parameters."""
    shared = {parameter.key: st.session_state.used[parameter.key] for parameter in (*SHARED, PICTURE)}
    st.page_link(page, label=PAGES[page], query_params=shared)


def colours() -> dict[str, str]:
    """Return the colours of the theme that the browser shows."""
    return theme.COLOURS["dark" if st.context.theme.type == "dark" else "light"]


def answer(sentence: str, meaning: str) -> None:
    """Show the page's answer: one sentence with its number, one with what it means."""
    with st.container(border=True, key="answer"):
        st.markdown(f"{sentence}\n\n{meaning}")


def explanation(parts: Callable[[], str]) -> None:
    """Offer how the page's numbers are computed; the words are made when somebody opens it."""
    with st.expander("How this is computed", key="explanation", on_change="rerun") as explained:
        if explained.open:
            st.markdown(parts())
