"""Whatever a stranger sends, a page answers: without a traceback, a path, a mark of theirs, or a silent change."""

import re
from urllib.parse import parse_qs, quote

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pages.framework.layout.page import load_page
from pages.framework.parameters.number_format import without_autolinks
from pages.framework.session import session_link
from pages.shared import site_map
from tests.hostile import holds, runs
from tests.hostile.autolinks import autolinks, written_links
from tests.hostile.links import links
from tests.hostile.sessions import markdown_of, sessions, wrong
from tests.hostile.takers import TAKERS
from tests.hostile.texts import MARKUP
from tests.pages.conftest import ask, charts_of, link_of, open_page, read_link, stage_of

BOUNDS, COMPOSITION = "pages/1_Gaussian_bounds.py", "pages/8_Composition.py"
SAME = settings(
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate],  # what fails is cut down by `python -m tests.benchmarks.fuzz`
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pages = pytest.mark.parametrize("page", site_map.PAGES, ids=lambda page: page.name)


@pages
def test_all_holds_of_a_page_whatever_its_link_says(page):
    @settings(SAME, max_examples=4)
    @given(links(page), st.sampled_from((False, False, False, True)))
    def holds(link, saved):
        assert runs.wrong(load_page(page), link, saved=saved) == []

    holds()


@pages
def test_all_holds_of_the_proofs_the_code_and_the_files_of_a_page_whatever_its_link_says(page):
    @settings(SAME, max_examples=3)
    @given(links(page))
    def holds(link):
        assert runs.wrong_beside(load_page(page), link) == []

    holds()


def test_no_name_title_or_note_is_markup_in_the_files_of_a_report():
    marks = [quote(mark[:30], safe="") for mark in MARKUP]
    lists = {
        "Composition/costs?releases=": [f"pure:0.5={mark}" for mark in marks],
        "Trade-off_curves/curves?curves=": [f"gdp:{place}@blue={mark}" for place, mark in enumerate(marks[:8], 1)],
        "Plan/plan?queries=": [f"count:5={mark}" for mark in marks[8:16]],
        "Tables/cells_table?section=table&table=own&own=": [f"{mark}={place}" for place, mark in enumerate(marks)],
    }
    items = "~".join(f"{start}{quote(';'.join(items), safe='')}#{marks[0]}" for start, items in lists.items())
    for title, notes in zip(MARKUP[::5], MARKUP[4::5], strict=False):
        link = {"title": [title], "notes": [notes], "items": [items]}
        assert runs.wrong_beside(load_page(site_map.REPORT), link) == []


@pytest.mark.parametrize("kind", TAKERS)
def test_all_holds_of_a_page_whatever_file_is_brought(kind):
    strategy, take = TAKERS[kind]

    @settings(SAME, max_examples=8)
    @given(strategy)
    def holds(brought):
        assert list(take(brought)) == []

    holds()


@pages
def test_all_holds_of_a_session_whatever_is_done_in_it(page):
    @settings(SAME, max_examples=2)
    @given(sessions(page, most=6))
    def holds(steps):
        assert wrong(page, steps) == []

    holds()


@pytest.mark.parametrize("half", ["\ud800", "1\udfff"])
def test_half_a_character_is_a_question_mark_and_not_the_end_of_the_session(half):
    app = ask(open_page(BOUNDS), set={"epsilon": half}, csv=half, prefetch=[{"epsilon": half}, {half: "2"}])
    (sentence,) = stage_of(app)["problems"]
    assert f"{half[:-1]}? was given, which is not a number. 1 is used instead." in sentence
    assert link_of(ask(app, set={"epsilon": "2"}))["epsilon"] == "2"


def test_a_link_that_is_too_long_to_go_back_to_is_refused_whole():
    app = ask(open_page(BOUNDS, epsilon="2"), link="?epsilon=3&delta=1e-7" + " " * session_link.MAX_LINK_LENGTH)
    assert stage_of(app)["notices"] == ["The link has more than 50,000 characters, so it is not read."]
    assert link_of(app)["epsilon"] == "2"


def test_no_part_of_an_entry_that_is_too_long_is_read_as_the_whole():
    long = "1," + " " * session_link.MAX_TYPED + "2"
    app = ask(open_page("pages/2_Generalized_Gaussian.py", section="shapes"), set={"shapes": long})
    assert link_of(app)["shapes"] != "1"
    assert "p of the curves: " in stage_of(app)["problems"][0]


def test_a_list_that_cant_be_used_leaves_its_editor_with_the_last_good_one():
    app = open_page(COMPOSITION, releases="pure:0.5=Mine")
    app.session_state.releases_box = True
    app.run()
    app = ask(app, set={"releases": "nonsense"})
    assert "releases" in stage_of(app)["problems"][0]
    assert app.text_input(key="release_name").value == "Mine"


def test_names_of_a_list_are_no_markup_in_its_picture():
    app = open_page(
        COMPOSITION, releases="laplace:0.1;pure:0.5=%3Ca%20href%3D%22https%3A%2F%2Fevil.example%22%3Ex%3C%2Fa%3E"
    )
    figure = charts_of(app)["costs"]["figure"]
    texts = [*figure["layout"]["yaxis"]["ticktext"], *figure["data"][0]["hovertext"]]
    assert [text.startswith("&lt;a href=") for text in texts] == [False, True, False, True]


QUOTED = '"North" & "South" side of the <old> "town"'
QUOTED_LINKS = {
    "composition": ["releases=pure:0.5={};laplace:0.1"],
    "tradeoff": ["curves=gdp:1@blue={}", "section=quote&curves=!gdp:1@blue={}"],
    "accuracy": ["query=count&unit={}"],
    "plan": ["queries=count:10={}"],
    "tables": ["section=table&table=own&own={}=9;South=3", "section=release&table=own&own={}=9;South=3"],
    "denoising": ["section=counts&table=own&own={}=9;South=3"],
}


@pytest.mark.parametrize(
    ("topic", "query"), [(page_name, query) for page_name, all_ in QUOTED_LINKS.items() for query in all_]
)
def test_a_chart_shows_quotation_marks_and_cuts_a_name_between_its_letters(topic, query):
    page = next(page for page in site_map.PAGES if page.topic == topic)
    link = parse_qs(query.format(quote(QUOTED[: 30 if topic == "accuracy" else 40], safe="")))
    state, problems = runs.page_state_of(load_page(page), link)
    assert problems == []
    figures = [exhibit.picture for exhibit in runs.exhibits(state) if not isinstance(exhibit.picture, str)]
    texts = [text for figure in figures for text in holds.texts_in(figure) if "North" in text]
    assert texts != []
    for text in texts:
        letters = re.sub("&(amp|lt|gt);", lambda match: {"amp": "&", "lt": "<", "gt": ">"}[match[1]], text)
        assert QUOTED[:14] in letters
        assert not re.search("&(?!amp;|lt;|gt;)|<(?!br>)", text)


@pytest.mark.parametrize(
    ("topic", "key", "entry", "start", "name"),
    [
        ("composition", "releases", "pure:0.5={}", "Line 1: a name has at most 40 characters; ", "x" * 40),
        ("tradeoff", "curves", "gdp:1@blue={}", "Curve 1: a name has at most 40 characters; ", "x" * 40),
        ("plan", "queries", "count:10={}", "Query 1: a name has at most 40 characters; ", "x" * 40),
    ],
)
def test_a_name_in_a_link_that_is_too_long_is_cut_in_a_sentence(topic, key, entry, start, name):
    read, (sentence,) = read_link(topic, **{key: entry.format("x" * 50)})
    assert sentence.startswith(start)
    assert sentence.endswith(f"{name} is used instead.")
    assert [item.name for item in read[key].value] == [name]
    assert read_link(topic, **{key: entry.format(name)})[1] == []


def test_the_name_of_a_curve_is_no_link_in_what_is_proved_of_it():
    topic = load_page(site_map.TRADEOFF)
    state, _ = runs.page_state_of(topic, {"curves": ["gdp:1@blue=%5Bx%5D%28https%3A%2F%2Fevil.example%29"]})
    assert [claim.subject for claim in topic.claims_of(state.result) if "evil" in claim.subject] != []
    assert runs.wrong(topic, {"curves": ["gdp:1@blue=%5Bx%5D%28https%3A%2F%2Fevil.example%29"]}) == []


ADDRESSES = ("https://evil.example/a", "see HTTP://evil.example.", "www.evil.example", "me@evil.example", "www", "x@y")
LISTS = {
    "curves": ("pages/3_Trade-off_curves.py", "curve_box", "gdp:{}@blue={}"),
    "releases": (COMPOSITION, "releases_box", "pure:0.{}={}"),
    "queries": ("pages/13_Plan.py", "queries_box", "count:{}={}"),
}


@pytest.mark.parametrize("key", LISTS)
def test_no_address_in_a_name_becomes_a_link_in_what_streamlit_renders(key):
    page, box, entry = LISTS[key]
    names = [quote(name, safe="") for name in ADDRESSES]
    link = {key: ";".join(entry.format(place, name) for place, name in enumerate(names, 1))}
    app = open_page(page, **link)
    app.session_state[box] = app.session_state["explanation"] = True
    app.run()
    markdown_texts = [*markdown_of(app)]
    assert sum("evil" in file for file in markdown_texts) >= 4
    assert [address for file in markdown_texts for address in autolinks(file)] == []


def test_the_unit_of_a_query_becomes_no_link_in_the_explanation():
    app = open_page("pages/5_Accuracy.py", query="count", unit="https://evil.example/a")
    app.session_state["explanation"] = True
    app.run()
    markdown_texts = [*markdown_of(app)]
    assert any("evil" in file for file in markdown_texts)
    assert [address for file in markdown_texts for address in autolinks(file)] == []


@pages
def test_what_is_written_as_a_link_in_an_explanation_stays_one_and_nothing_else_is_one(page):
    topic = load_page(page)
    for section in topic.section_by_key:
        state, _ = runs.page_state_of(topic, {"section": [section]})
        words = topic.explanation_text(state.result)
        assert autolinks(words) == []
        assert written_links(without_autolinks(words)) == written_links(words)
