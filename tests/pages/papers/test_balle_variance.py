"""The section on Experiment 5.1: what exact calibration removes, and whether the paper's claim holds."""

import pytest

from dpcore import gaussian
from pages.papers.balle_variance import results, section
from pages.papers.balle_variance.section import explanation_text
from pages.papers.results import PapersResult
from pages.shared import looks
from tests.pages.conftest import LIGHT, figure_of, found_by, html_of


def variance_result(**link: str) -> PapersResult:
    return found_by("papers", section="variance", **link)


def lead_figure(result: PapersResult, scheme: str = "light"):
    return figure_of(section.ratios(result, looks.COLOURS[scheme]))


def test_the_answer_says_what_is_removed_and_where_the_papers_third_is_true():
    headline, meaning = section.answer_text(variance_result())
    assert (
        headline == "At ε = 1, δ = 1e-6 the analytic Gaussian needs 36.4 % less variance than the classical Gaussian."
    )
    assert meaning == (
        "The paper’s “at least a third” holds at ε = 1 for δ from 1.26e-7 on; at your δ the saving there is 36.4 %."
    )
    below = section.paper_claims_text(variance_result())
    assert below.startswith("The classical σ is proved for ε < 1 only; at this δ it is sufficient up to ε = 8.78.")
    failing = variance_result(epsilon="20")
    assert section.answer_text(failing)[1].endswith("at this δ it is sufficient up to ε = 8.78.")
    assert section.paper_claims_text(failing).startswith("The paper’s “at least a third” holds")


def test_below_the_least_delta_the_third_is_denied():
    _, meaning = section.answer_text(variance_result(delta="1e-10", epsilon="0.5"))
    assert meaning.endswith("the saving there is only 25.9 %.")
    assert "proved" not in meaning


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"epsilon": "20"}, "is too small: its variance is 26.6 % below the required one."),
        ({"epsilon": "0"}, "the classical formula has no σ; the analytic one has."),
        ({"epsilon": "0.001", "delta": "0.01"}, "has 6,670 times the required variance."),
        ({"epsilon": "1e6", "delta": "0.99"}, "is too small: its variance is more than 99.9 % below the required one."),
        ({"delta": "1e-300"}, "needs 1.65 % less variance"),
    ],
)
def test_every_standing_of_the_classical_noise_has_its_own_words(link: dict[str, str], sentence: str):
    assert sentence in section.answer_text(variance_result(**link))[0]


def test_a_pinned_setting_is_compared():
    result = variance_result(pinned="epsilon=0.1&delta=1e-3")
    assert section.answer_text(result)[2].endswith("classical ÷ analytic variance 4.708 → 1.573.")
    assert section.answer_text(variance_result(pinned="epsilon=0"))[2].endswith("no answer → 1.573.")
    traces = lead_figure(result)["data"]
    epsilon = traces[0]["x"].astype(float)
    expected = 1 - (gaussian.analytic_sigma(epsilon, 1e-3) / gaussian.classical_sigma(epsilon, 1e-3)) ** 2
    assert epsilon.size > results.EPSILONS.size
    assert traces[0]["name"] == "pinned"
    assert traces[0]["y"] == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_the_axis_of_shares_never_moves_and_the_hairline_is_the_handle():
    pictures = [
        lead_figure(variance_result(epsilon=entry, delta=delta))
        for entry in ("0.001", "50")
        for delta in ("1e-12", "0.5")
    ]
    assert len({tuple(picture["layout"]["yaxis"]["range"]) for picture in pictures}) == 1
    assert [shape["name"] for shape in pictures[0]["layout"]["shapes"] if "name" in shape] == ["epsilon"]
    along_delta = lead_figure(variance_result(variance_against="delta"))["layout"]["shapes"]
    assert [shape["name"] for shape in along_delta if "name" in shape] == ["delta"]


def test_only_the_other_curves_are_drawn_over_delta_at_epsilon_0():
    names = [trace["name"] for trace in lead_figure(variance_result(epsilon="0", variance_against="delta"))["data"]]
    assert "ε = 0" not in names
    assert "ε = 0.1" in names
    assert explanation_text(variance_result(epsilon="0"))


def test_the_table_says_which_noise_fails_and_from_where():
    html = html_of(section.ratio_table(variance_result(), LIGHT))
    assert "1.57 (36.4 %) ! unproved" in html
    assert "0.959 ✗ FAILS" in html
    assert "ε = 8.79" in html


def test_the_explanation_and_the_claims_have_the_users_numbers_and_a_link():
    assert r"\left(\frac{5.299\,\Delta_2}{4.225\,\Delta_2}\right)^2=1.573" in explanation_text(variance_result())
    sentence = section.paper_claims_text(variance_result(delta="1e-5"))
    assert "[Gaussian bounds](./Gaussian_bounds?epsilon=1&delta=1e-5)" in sentence
    assert "at ε = 1 and δ = 1e-10 the saving is 25.9 %" in sentence


def test_the_analytic_sigma_is_proved_at_epsilon_0_where_the_classical_one_has_no_answer():
    statements = list(section.claims(variance_result(epsilon="0")))
    assert len(statements) == 3
    assert float(statements[1].arguments["sigma"]) == pytest.approx(float(gaussian.analytic_sigma(0, 1e-6)), rel=1e-12)
