"""The programs beside the answers: dpcore's print what the answer says, and nothing of a stranger gets into any."""

import ast
import doctest

import numpy as np
import pytest

from pages.framework.layout import panels
from pages.framework.layout.page import load_page
from pages.framework.layout.panels import MAX_LINES
from pages.framework.layout.section import Snippet, no_entries
from pages.framework.parameters.number_format import (
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    percent,
    percent_down,
    percent_up,
)
from pages.shared.other_libraries import DPCORE, JAX_PRIVACY, PEERS, PYTHON, RISKCAL
from pages.shared.site_map import PAGES, REPORT
from tests.pages.conftest import ROOT
from tests.pages.settings import setting as random_setting
from tests.programs import SETTINGS, at, found_by, printed, snippets

SHOWN = (
    format_up,
    format_down,
    format_nearest,
    format_input_up,
    percent_up,
    percent_down,
    percent,
    lambda value: format_nearest(value, 3),
    lambda value: "requires ε above 1e6" if value > 1e6 else format_up(value),
    lambda value: percent_down(value, 3),
    lambda value: percent(value, 2),
    lambda value: f"{value:,.0f}",
)


COMPUTING = [page for page in PAGES if page != REPORT]


def dpcores(setting: str) -> Snippet:
    return next(snippet for snippet in snippets(setting) if snippet.library == DPCORE)


def expect_the_answer(own: Snippet, answer: tuple[str, ...]) -> None:
    assert printed(own) == pytest.approx(own.page_values, rel=1e-12)
    sentences = " ".join(answer)
    assert any(form(value) in sentences for value in own.page_values for form in SHOWN), (own.page_values, sentences)


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_program_with_dpcore_prints_the_number_of_the_answer(setting):
    topic, result = at(setting)
    expect_the_answer(dpcores(setting), topic.answer_text(result))


@pytest.mark.parametrize("page", COMPUTING, ids=lambda page: page.name)
def test_the_programs_of_random_settings_print_the_number_of_the_answer(page):
    topic, rng, n_programs = load_page(page), np.random.default_rng(15), 0
    for _ in range(4):  # a setting may have no answer, such as one of a risk below what is known
        result, _ = found_by(topic, {key: [entry] for key, entry in random_setting(page.topic, rng).items()})
        for snippet in topic.snippets_of(result):
            ast.parse(snippet.code)
            if snippet.library == DPCORE and snippet.code:
                expect_the_answer(snippet, topic.answer_text(result))
                n_programs += 1
    assert n_programs >= 3


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_library_has_a_short_program_or_a_reason(setting):
    programs = snippets(setting)
    libraries = {DPCORE, *PEERS, *([RISKCAL] if "section=risk" in setting else [])}
    libraries |= {PYTHON} if "/A_survey" in setting and "curator=office" not in setting else set()
    topic, result = at(setting)
    libraries |= {JAX_PRIVACY} if topic.open_section(result).key == "time" else set()
    assert sorted(snippet.library for snippet in programs) == sorted(libraries)
    for snippet in programs:
        assert len([line for line in snippet.code.splitlines() if line]) <= (
            20 if snippet.library == PYTHON else MAX_LINES + 1
        )
        assert snippet.code or snippet.note
        assert not snippet.page_values or snippet.min_ratio <= 1 <= snippet.max_ratio


def test_the_examples_of_the_docstrings_hold():
    failed, tried = doctest.testmod(panels)
    assert (failed, tried >= 6) == (0, True)


def test_every_page_that_computes_an_answer_has_programs():
    computing = {page.path for page in COMPUTING}
    has_code = {
        page.path for page in PAGES for section in load_page(page).sections if section.snippets is not no_entries
    }
    assert has_code == computing
    assert {setting.partition("?")[0].strip("/") for setting in SETTINGS} == computing


@pytest.mark.parametrize(
    "setting",
    [
        "/Composition?releases=!gaussian:4*5=%27)%2Bimport os%23;laplace:0.5=%22<script>",
        "/Accuracy?unit=%27)%2Bimport os%23",
        "/Plan?queries=count:10=%27)%2Bimport os%23",
        "/Trade-off_curves?curves=!gdp:1@blue=%27)%2Bimport os%23",
        "/Papers_reproduced?section=tables&table=own&own=%27)%2Bimport os%23=3;b=5",
    ],
)
def test_the_texts_of_a_stranger_stand_in_no_program(setting):
    topic, result = at(setting)
    for snippet in snippets(setting):
        ast.parse(snippet.code)
        assert "import os" not in snippet.code
        assert "script" not in snippet.code
    assert "<script" not in panels.code_html(topic.snippets_of(result))


def test_a_long_list_of_releases_is_a_program_of_few_lines():
    own = dpcores("/Composition?releases=" + ";".join(["!gaussian:30*2=", *["gaussian:40*2="] * 19]))
    assert len(own.code.splitlines()) <= MAX_LINES + 2
    assert printed(own) == pytest.approx(own.page_values, rel=1e-12)


@pytest.mark.parametrize(
    "setting",
    [
        "/Laplace_vs_Gaussian?epsilon=0",
        "/Generalized_Gaussian?section=bounded&epsilon=0",
        "/Tables?epsilon=0",
        "/Papers_reproduced?section=tables&table=own",
        "/Papers_reproduced?section=tables&data=adult",
        "/Papers_reproduced?section=tables&table=own&own=a=12",
        "/Papers_reproduced?section=tables&grid=own&repeats=5000",
        "/Papers_reproduced?section=means&epsilon=0",
        "/Composition?releases=!approx:1,0.1=",
    ],
)
def test_an_answer_without_a_program_says_so(setting):
    topic, result = at(setting)
    assert panels.code_html(topic.snippets_of(result)) == f"<p>{panels.NO_PROGRAM}</p>"


def test_a_setting_that_the_tests_do_not_cover_is_compared_with_no_library():
    programs = {snippet.library: snippet for snippet in snippets("/Gaussian_bounds?epsilon=1e-5&delta=1e-15")}
    assert programs[DPCORE].page_values
    for library in PEERS:
        assert programs[library].page_values == ()
        assert "Not compared here: the tests run it for ε from" in panels.printed_note(programs[library])


def test_the_code_is_shown_letter_by_letter():
    panel = panels.code_html([Snippet("<b>", "if 1 < 2 & 3:", "a < b", (1.0,), 1.0, 2.0)])
    assert "<code>if 1 &lt; 2 &amp; 3:</code>" in panel
    assert "a &lt; b" in panel
    assert "<b>" not in panel


QUESTIONS = {
    "σ of Gaussian noise for (ε, δ)": "/Gaussian_bounds",
    "± of Laplace noise": "/Laplace_vs_Gaussian?gaussian=pdp",
    "ε of Laplace noise for a wanted ±": "/Accuracy?known=accuracy&query=mean&accuracy=2",
    "± of geometric noise": "/Tables",
    "σ of discrete Gaussian noise": "/Tables?per_person=12&promise=delta",
    "noise of another shape p, or within bounds": "/Generalized_Gaussian",
    "the true positive rate under Gaussian noise": "/Trade-off_curves?curves=!gdp:1@blue=",
    "the true positive rate under Laplace noise": "/Trade-off_curves?curves=!laplace:1@blue=",
    "denoising a release": "/Denoising?section=where",
    "Liu’s order of the noises": "/Papers_reproduced?section=tables",
    "Gaussian and Laplace releases together": "/Composition?releases=!gaussian:5*20=;laplace:0.05*10=",
    "guarantees of pure ε together": "/Composition?releases=!pure:0.1*12=",
    "published guarantees with a ρ or of DP-SGD": "/Composition?section=published",
    "DP-SGD, Poisson batches": "/Composition?section=training",
    "DP-SGD, a fixed order or, at most, shuffled batches": "/Composition?section=batching",
}


def test_the_user_guide_says_which_library_can_express_what():
    guide = (ROOT / "docs" / "user-guide.md").read_text(encoding="utf-8")
    for question, setting in QUESTIONS.items():
        program_exists = {snippet.library: "yes" if snippet.code else "–" for snippet in snippets(setting)}
        row = f"| {question} | {' | '.join(program_exists[library] for library in PEERS)} |"
        assert row in guide, row


def test_the_text_says_that_opendp_has_integer_noise_within_bounds_and_none_on_real_numbers():
    (opendp,) = (
        snippet for snippet in snippets("/Generalized_Gaussian?section=bounded") if snippet.library == "OpenDP"
    )
    assert not opendp.code
    assert "make_geometric(…, bounds=…)" in opendp.note
    assert "no noise within bounds for real numbers" in opendp.note
