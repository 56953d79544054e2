from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dpcore import laplace_gaussian
from dpcore.calibrations import ANALYTIC, CLASSICAL, FAILS, WITHIN
from dpcore.gaussian import analytic_sigma
from pages.framework.parameters.number_format import format_up
from pages.laplace_gaussian import text
from pages.laplace_gaussian.crossover.section import answer_text as crossover_answer
from pages.laplace_gaussian.crossover.section import crossover_text
from pages.laplace_gaussian.text import explanation_text
from tests.pages.conftest import exhibits_by_name, figure_of
from tests.pages.laplace_gaussian.results import result_of

TOPIC = "laplace_gaussian"


@pytest.mark.parametrize("measure", ["variance", "accuracy"])
def test_where_each_is_smaller_answers_by_the_crossover_then_by_the_error_of_the_query(measure):
    least = laplace_gaussian.crossover(ANALYTIC, measure, 0.5, 0.01)
    where, error = crossover_answer(result_of(epsilon="0.5", delta="0.01", measure=measure))
    assert where.startswith(f"From k = {least} counts on, the analytic Gaussian has the smaller ")
    half_width = format_up(float(analytic_sigma(0.5, 0.01) * stats.norm.isf(0.025)))
    assert error == f"For one count, Laplace noise has the smaller error: ±5.992 against ±{half_width} (95 %)."


@pytest.mark.parametrize(
    ("link", "first"),
    [
        (
            {"delta": "0.4", "epsilon": "0.01"},
            "For any number of counts, the analytic Gaussian has the smaller variance (",
        ),
        (
            {"case": "histogram", "epsilon": "50"},
            "At ε = 50 and Δ₁ ÷ Δ₂ = 1 Laplace noise has the smaller variance at every δ.",
        ),
        (
            {"case": "own", "l1_sensitivity": "9", "l2_sensitivity": "3"},
            "At ε = 1 and Δ₁ ÷ Δ₂ = 3 the Gaussian has the ",
        ),
    ],
)
def test_where_each_is_smaller_answers_by_the_frontier_where_there_is_no_number_of_counts(link, first):
    answer_parts = crossover_answer(result_of(**link, pinned="epsilon=2"))
    assert answer_parts[0].startswith(first)
    assert answer_parts[2].startswith("Compared with the pin")


def test_a_link_with_another_thing_equal_for_which_the_section_has_no_field_changes_nothing():
    same = result_of(section="wins", k="9", pinned="k=3")
    others = [result_of(section="wins", k="9", hold="tail", t=t, pinned=f"k=3&hold=tail&t={t}") for t in ("2", "8")]
    assert [replace(other.setting, t=same.setting.t) for other in others] == [same.setting] * 2
    assert [crossover_answer(other) for other in others] == [crossover_answer(same)] * 2
    assert [explanation_text(other) for other in others] == [explanation_text(same)] * 2


@pytest.mark.parametrize("link", [{"epsilon": "0"}, {"gaussian": "classical", "epsilon": "20"}])
def test_where_nothing_is_compared_the_section_has_the_answer_of_the_page(link):
    assert crossover_answer(result_of(**link)) == text.answer_text(result_of(**link))


def test_from_nine_counts_on_the_analytic_gaussian_has_the_smaller_variance():
    result = result_of(k="9")
    assert "the analytic Gaussian has the smaller variance **from k = 9 counts on**" in crossover_text(result)
    assert "is 1.01 times" in text.answer_text(result)[1]
    assert "Δ₁ = 9, Δ₂ = 3: one person moves each count by 1." in text.sensitivities_text(result.setting)
    assert "the analytic Gaussian has the smaller error" in text.answer_text(result)[0]


def test_the_map_says_where_proposition_12_holds():
    sentences = crossover_text(result_of(gaussian="pdp", epsilon="0.01"))
    assert (
        "only above **δ = 0.1583**. For one statistic this is never below δ = 0.157 (Liu 2019, Proposition 12)."
        in sentences
    )
    assert "Laplace noise has the smaller variance at every δ" in crossover_text(result_of(epsilon="50"))
    assert "for any number of counts" in crossover_text(result_of(delta="0.3"))


def test_a_classical_gaussian_that_fails_never_wins():
    result = result_of(gaussian="classical", epsilon="10", delta="1e-5", k="20")
    assert (
        "For 20 counts at ε = 10, δ = 1e-5, only Laplace noise satisfies its guarantee: ±5.992 (95 %)."
        in text.answer_text(result)[0]
    )
    assert "the Gaussian violates (ε, δ)-DP" in text.answer_text(result)[1]
    assert "✗ But the classical Gaussian’s σ violates its guarantee here" in crossover_text(result)
    matched = text.answer_text(result_of(gaussian="classical", epsilon="20", delta="1e-5", hold="variance"))
    assert "the classical Gaussian violates ε = 68.52 at δ = 1e-5; Laplace noise satisfies ε = 20." in " ".join(matched)


def test_own_sensitivities_are_used():
    result = result_of(case="own", l1_sensitivity="12", l2_sensitivity="4")
    assert (
        "For your sensitivities at ε = 1, δ = 1e-6, the analytic Gaussian has the smaller error: ±33.13 against ±35.95"
        in text.answer_text(result)[0]
    )
    assert "there is no number of statistics to vary" in crossover_text(result)


def test_a_histogram_does_not_depend_on_its_number_of_bins():
    result = result_of(case="histogram", l2_sensitivity="7")
    assert (
        "For a histogram at ε = 1, δ = 1e-6, Laplace noise has the smaller error: ±2.996 against ±8.281"
        in text.answer_text(result)[0]
    )
    assert "however many bins there are" in crossover_text(result)


def test_a_frontier_below_every_delta_is_not_shown_as_one():
    sentences = crossover_text(result_of(k="1e6"))
    assert "Δ₁ ÷ Δ₂ = 1,000 the Gaussian has the smaller variance at every δ from 1e-300 on." in sentences
    assert "above **δ" not in sentences


def test_a_violated_guarantee_is_named_without_a_number_of_counts():
    sentences = crossover_text(result_of(case="histogram", gaussian="classical", epsilon="10", delta="0.4"))
    assert sentences.endswith("**✗ But the classical Gaussian’s σ violates its guarantee here.**")


@pytest.mark.parametrize("delta", ["1e-6", "1e-40", "0.9"])
def test_the_map_is_hatched_exactly_where_the_compared_sigma_violates_its_guarantee(delta):
    figure = figure_of(exhibits_by_name(result_of(gaussian="classical", delta=delta, epsilon="5000"), TOPIC)["map"])
    (edge,) = (trace for trace in figure["data"] if trace.get("name") == "Classical Gaussian: FAILS")
    first, deltas = (np.asarray(edge[axis], np.float64) for axis in ("x", "y"))
    before = np.nextafter(first.astype(np.float32), np.float32(0)).astype(np.float64)
    assert (CLASSICAL.verdict(first, deltas).status == FAILS).all()
    assert (CLASSICAL.verdict(before, deltas).status == WITHIN).all()
    beyond = np.geomspace(first, 10.0 ** figure["layout"]["xaxis"]["range"][1], 20)
    assert (CLASSICAL.verdict(beyond, deltas).status == FAILS).all()
    assert float(delta) >= deltas.min()


@pytest.mark.parametrize("gaussian", ["analytic", "pdp"])
def test_the_map_of_a_sigma_that_holds_everywhere_has_no_such_area(gaussian):
    figure = figure_of(exhibits_by_name(result_of(gaussian=gaussian), TOPIC)["map"])
    assert not [trace for trace in figure["data"] if "FAILS" in (trace.get("name") or "")]
