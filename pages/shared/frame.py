"""What every page has: set-up, navigation, the shared parameters, the answer, exhibits, the notice for a bad link."""

from collections.abc import Callable

import streamlit as st

from pages.shared import contents, fields, link, session, theme
from pages.shared.common import PICTURE, SHARED
from pages.shared.contents import Page
from pages.shared.export import Colours, Exhibit, Figure
from pages.shared.link import COMMON
from pages.shared.parameters import Correct, Parameter, Values, no_corrections

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


def open_page(page: Page, own: tuple[Parameter, ...] = (), correct: Correct = no_corrections) -> Values:
    """Set the page up and return the value of every parameter it has: the shared ones and its own."""
    st.set_page_config(page_title=f"{page.question} · DP Trade-off Explorer", page_icon="📉", layout="wide")
    st.html(_STYLE)
    session.begin(page.path)
    values = session.read(own, correct)
    with st.sidebar:
        for each in contents.PAGES:
            page_link(each)
        for quantity in SHARED:
            fields.quantity_field(quantity)
        fields.choice_field(PICTURE, "Save pictures as")
    st.title(page.question)
    if session.link_problems():
        with st.container(border=True, key="link_notice"):
            for sentence in session.link_problems():
                st.text(sentence)
    return values


def page_link(page: Page) -> None:
    """Link to a page, with the shared parameters."""
    st.page_link(page.script, label=page.name, query_params={each.key: session.used()[each.key] for each in COMMON})


def colours() -> Colours:
    """Return the colours of the theme that the browser shows."""
    return theme.COLOURS["dark" if st.context.theme.type == "dark" else "light"]


def answer(sentence: str, meaning: str) -> None:
    """Show the page's answer: one sentence with its number, one with what it means, and what could not be used."""
    with st.container(border=True, key="answer"):
        st.markdown(f"{sentence}\n\n{meaning}")
        problems = session.problems()
        if problems:
            with st.container(key="problem_at_answer"):
                for problem in problems:
                    st.text(problem)


def show(exhibit: Exhibit | None, pick: Callable[[float], None] | None = None) -> None:
    """Draw an exhibit, if there is one at this setting, with the button for its numbers.

    A chart has its text alternative and the toolbar that saves it; `pick` is called with the x of a point that is
    clicked.
    """
    if exhibit is None:
        return
    if isinstance(exhibit.picture, str):
        st.html(exhibit.picture)
    else:
        _chart(exhibit, exhibit.picture, pick)
    address = link.address(session.page(), session.readings())
    st.download_button(
        "↓ Numbers as CSV",
        lambda: exhibit.csv(address),
        f"{exhibit.name}.csv",
        "text/csv",
        key=f"csv_{exhibit.name}",
        on_click="ignore",
        type="tertiary",
    )


def side_by_side(*exhibits: Exhibit | None) -> None:
    """Draw exhibits beside each other, those that there are at this setting."""
    there = [exhibit for exhibit in exhibits if exhibit is not None]
    for column, exhibit in zip(st.columns(len(there)), there, strict=True):
        with column:
            show(exhibit)


def _chart(exhibit: Exhibit, figure: Figure, pick: Callable[[float], None] | None) -> None:
    def picked() -> None:
        points = st.session_state[exhibit.name].selection.points
        if points and pick is not None:
            pick(float(points[0]["x"]))

    st.plotly_chart(
        figure,
        theme=None,
        key=exhibit.name,
        config=theme.toolbar(session.readings()[PICTURE.key].value, exhibit.name),
        alt=exhibit.alternative,
        on_select="ignore" if pick is None else picked,
        selection_mode="points",
    )


def explanation(parts: Callable[[], str]) -> None:
    """Offer how the page's numbers are computed; the words are made when somebody opens it."""
    with st.expander("How this is computed", key="explanation", on_change="rerun") as explained:
        if explained.open:
            st.markdown(parts())
