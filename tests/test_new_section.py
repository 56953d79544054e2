"""The recipe of docs/recipes.md: a toy section in a folder of its own appears, is drawn, exported and linked."""

import importlib
import sys
from dataclasses import replace

import pytest

from pages.framework.export.exhibit_files import csv_text
from pages.framework.layout.page import Page
from pages.framework.layout.page_run import PageState
from pages.framework.link import parse_link
from pages.framework.rendering import stage as rendering_stage
from pages.framework.rendering.render import stage_of_page
from pages.gaussian_bounds.page import PAGE

TOY = '''
"""A toy section: the shared ε as a curve."""

import pandas as pd

from pages.framework.chart.theme import layout, line
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout.section import Section
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE


def curve(result, colours):
    numbers = pd.DataFrame({"x": [0.0, 1.0], "y": [0.0, result.setting.epsilon]})
    axes = {"title": {"text": "x"}}, {"title": {"text": "y"}}
    traces = [line(numbers["x"], numbers["y"], "toy", colours["blue"], "solid")]
    figure = {"data": traces, "layout": layout(colours, "A toy", "", *axes)}
    return Exhibit("toy_curve", figure, "A line.", numbers, {"units": "none"})


def parts(result, colours):
    yield curve(result, colours)
    yield "A sentence of the toy."


SECTION = Section(
    key="toy",
    name="A toy",
    controls=lambda result: (EPSILON,),
    more_settings=lambda result: (DELTA, SIGNIFICANCE),
    parts=parts,
    answer_text=lambda result: (f"The toy has ε = {result.setting.epsilon:g}.",),
    explanation=lambda result: "Nothing is computed.",
    exhibits=(curve,),
)
'''


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Return the page on Gaussian bounds with the toy section at its end."""
    folder = tmp_path / "toy_topic" / "toy"
    folder.mkdir(parents=True)
    (folder / "section.py").write_text(TOY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    section = importlib.import_module("toy_topic.toy.section").SECTION
    yield replace(PAGE, sections=(*PAGE.sections, section))
    for name in [name for name in sys.modules if name.startswith("toy_topic")]:
        del sys.modules[name]


def open_page(page: Page, query: dict[str, list[str]]) -> PageState:
    """Return the page at a link."""
    texts, problems = parse_link(query, page.all_parameters)
    assert not problems
    return PageState(page, page.readings(texts), "light")


def test_the_new_section_has_a_link_of_its_own(page):
    state = open_page(page, {"section": ["toy"], "epsilon": ["2"]})
    assert state.section == "toy"
    assert "section=toy" in state.link
    assert page.answer_text(state.result) == ("The toy has ε = 2.",)


def test_the_new_section_is_drawn_beside_the_others(page):
    state = open_page(page, {"section": ["toy"], "epsilon": ["2"]})
    stage = rendering_stage.unpack(stage_of_page(state))
    assert stage["tabs"][-1] == [None, "toy", "A toy", []]
    assert [part["name"] for part in stage["parts"] if part["kind"] == "chart"] == ["toy_curve"]


def test_the_more_settings_of_the_new_section_say_how_many_are_not_at_their_default(page):
    for query, changed in (({}, 0), ({"delta": ["1e-6"]}, 0), ({"delta": ["1e-7"], "epsilon": ["2"]}, 1)):
        stage = rendering_stage.unpack(stage_of_page(open_page(page, {"section": ["toy"], **query})))
        assert stage["controls"] == ["epsilon"]
        assert stage["moreSettings"] == {"keys": ["delta", "significance"], "changed": changed}
        assert {"epsilon", "delta", "significance"} <= stage["fields"].keys()


def test_the_numbers_of_the_new_section_are_exported(page):
    state = open_page(page, {"section": ["toy"], "epsilon": ["2"]})
    exhibit = state.exhibit("toy_curve", "light")
    assert exhibit is not None
    assert "1.0,2.0" in csv_text(exhibit, state.link)
    assert [draw.__name__ for draw in page.all_exhibits()][-1] == "curve"


def test_the_new_section_is_explained(page):
    state = open_page(page, {"section": ["toy"]})
    assert page.explanation_text(state.result) == "Nothing is computed."
