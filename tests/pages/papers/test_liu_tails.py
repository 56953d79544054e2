"""The section on Liu's Figs. 4 and 5: the tails of both noises, and the ε of the same tail."""

import math
from functools import lru_cache

import pytest

from dpcore import gaussian, laplace
from pages.framework.parameters.number_format import format_up
from pages.papers.liu_tails import section as liu_tails_section
from pages.papers.liu_tails.section import explanation_text
from pages.papers.results import PapersResult
from tests.pages.conftest import (
    charts_of,
    enter,
    exhibits_by_name,
    figure_of,
    found_by,
    link_of,
    open_page,
    read_link,
    stage_of,
)
from tests.pages.conftest import text_of as words_of

PAGE = "pages/12_Papers_reproduced.py"


@lru_cache(32)
def result_of(**link: str) -> PapersResult:
    return found_by("papers", section="tails", **link)


def answer(**link: str) -> tuple[str, ...]:
    return liu_tails_section.answer_text(result_of(**link))


def test_the_answer_compares_the_tails_and_says_what_the_same_tail_requires():
    sentence, cost = answer()
    ratio = gaussian.tail(5, gaussian.analytic_sigma(1, 1e-6)) / laplace.tail(5, 1)
    assert sentence == (
        f"At ε = 1, δ = 1e-6 the analytic Gaussian exceeds ±5 about {float(ratio):.3g} times as often as Laplace noise."
    )
    assert cost == "A Gaussian with Laplace’s tail at this distance requires 2.463 times Laplace’s ε (Figure 5)."
    many = "more than 1,000,000 times as often as"
    assert f"the analytic Gaussian exceeds ±40 {many} Laplace noise." in answer(delta="1e-300", t="40")[0]
    assert f"Laplace noise exceeds ±50 {many} the analytic Gaussian." in answer(t="50")[0]
    assert "neither noise exceeds ±1e9 more often than once in 1e300 releases." in answer(t="1e9")[0]
    assert "satisfies ε = 0 at this δ" in answer(delta="0.9", t="15")[1]


def test_at_the_distance_0_both_tails_are_1():
    sentence, cost = answer(t="0")
    assert sentence.endswith("exceed ±0 equally often.")
    assert cost == "Every draw lies beyond 0, so both tails are 1 there, at every ε."
    assert liu_tails_section.status_text(result_of(t="0").tails) == ""


def test_a_formula_that_is_not_proved_at_the_epsilon_of_the_same_tail_is_called_so():
    tails = result_of(gaussian="classical", epsilon="10", delta="1e-5", t="0.1").tails
    sigma = float(gaussian.laplace_tail_sigma(0.1, 0.1))
    by_formula = math.sqrt(2 * math.log(1.25e5)) / sigma / 10
    true_ratio = float(gaussian.epsilon_from_sigma(1e-5, sigma)) / 10
    assert by_formula < true_ratio
    assert tails.cost == pytest.approx(by_formula, rel=1e-9)
    sentence = liu_tails_section.status_text(tails)
    assert "classical Gaussian is too small at that ε" in sentence
    assert sentence.endswith(f"Noise with this tail has {format_up(true_ratio)} times Laplace’s ε.")
    assert "is not proved at that ε" in liu_tails_section.status_text(
        result_of(gaussian="classical", epsilon="2").tails
    )
    assert (
        liu_tails_section.status_text(result_of().tails)
        == liu_tails_section.status_text(result_of(gaussian="pdp").tails)
        == ""
    )


def test_a_pinned_setting_is_compared_in_words_and_lines():
    result = result_of(pinned="epsilon=0.5&k=2")
    assert liu_tails_section.answer_text(result)[2].startswith(
        "Compared with the pin (ε = 0.5, δ = 1e-6, Δ₁ = 2, Δ₂ = 1.414214, "
    )
    for name in ("ratio", "cost"):
        exhibit = exhibits_by_name(result, "papers")[name]
        assert "pinned" in [trace.get("name") for trace in figure_of(exhibit)["data"]]
        assert exhibit.header["pinned"].startswith("ε = 0.5, δ = 1e-6")
    assert answer(pinned="epsilon=0")[2].endswith("at ε = 0 Laplace noise has no answer.")
    assert "ratio" in exhibits_by_name(result_of(pinned="epsilon=0"), "papers")


def test_the_distance_is_the_handle_of_both_pictures_and_axes_move_in_coarse_steps():
    def layouts(name: str, **link: str):
        return figure_of(exhibits_by_name(result_of(**link), "papers")[name])["layout"]

    for name in ("ratio", "cost"):
        assert [shape["name"] for shape in layouts(name)["shapes"] if "name" in shape] == ["t"]
        steps = [layouts(name, epsilon=f"{1 + step / 10}", delta="1e-5") for step in range(11)]
        ends = {(*layout["xaxis"]["range"], *layout["yaxis"]["range"]) for layout in steps}
        assert len(ends) <= 5  # while ε doubles
    assert [shape for shape in layouts("ratio", t="1e9")["shapes"] if "name" in shape] == []


def test_at_epsilon_0_a_sentence_stands_in_place_of_the_pictures():
    app = open_page(PAGE, section="tails", epsilon="0")
    assert "Laplace noise has no answer" in words_of(app)
    assert charts_of(app) == {}
    assert "choose an ε of at least" in explanation_text(result_of(epsilon="0"))


def test_the_explanation_has_the_users_numbers():
    sentences = explanation_text(result_of(epsilon="0.5", t="6"))
    assert r"$b=\Delta_1/\varepsilon=1/0.5=2$" in sentences
    assert r"=e^{-t/b}=0.04979$ at t = 6" in sentences
    assert "Theorem 8" in sentences


def test_a_list_that_cant_be_used_stays_with_its_sentence():
    app = enter(open_page(PAGE, section="tails"), "deltas", "0.1, 2")
    assert "2 was given. 0.01, 0.05" in words_of(app)
    assert stage_of(app)["entered"]["deltas"][0] == "0.1, 2"
    assert link_of(app)["deltas"] == "0.01, 0.05, 0.1, 0.2"


def test_a_bad_cutoff_of_a_link_is_named():
    _, (sentence,) = read_link("papers", cutoff="0")
    assert sentence == "cutoff must be from 1e-300 to below 1; 0 was given. 1e-4 is used instead."
