"""Which noise a table takes: the answer, the pictures over k and ε, the noises in numbers, and the reasons."""

import re

import numpy as np
import pytest
from scipy.stats import dlaplace

from dpcore import staircase, tables
from dpcore.families import FAMILIES
from pages.framework.export.exhibit_files import csv_text
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.tables import code
from pages.tables.mechanisms import results, section, text
from pages.tables.page import PAGE
from tests.pages.conftest import expect_complete, figure_of, html_of
from tests.pages.tables.answers import TWELVE, exhibits_of, result_at


def answer(**link: str) -> str:
    return " ".join(text.answer_text(result_at(**link)))


def rows(**link: str) -> dict[str, list[str]]:
    """Return the table of noises: the cells of each row by its head."""
    html = html_of(exhibits_of(result_at(**link))["mechanisms"])
    parts = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in html.split("<tr>")[2:]]
    return {cells[0]: cells[1:] for cells in parts}


def test_the_answer_names_one_noise_with_its_scale_and_what_its_reach_means():
    assert answer(**TWELVE) == (
        "Use geometric noise: ±16 for all 12 cells, ±9 for one cell (ε = 1, 95 % of releases). "
        "Doubling ε gives ±8, doubling k ±33 for all 12 cells."
    )
    assert answer(**TWELVE, error="each") == (
        "Use geometric noise: ±9 for one cell, ±16 for all 12 cells (ε = 1, 95 % of releases). "
        "Doubling ε gives ±4, doubling k ±18 for one cell."
    )


def test_with_many_cells_per_person_a_delta_brings_gaussian_noise_and_without_one_it_does_not():
    assert "Use geometric noise" in answer(**TWELVE | {"per_person": "12"})
    assert "Geometric noise, s = 12" in section.recommendation_reason(result_at(**TWELVE | {"per_person": "12"}))
    sentences = answer(**TWELVE | {"per_person": "12"}, promise="delta")
    assert sentences.startswith("Use discrete Gaussian noise: ±42 for all 12 cells")
    assert "(ε = 1, δ = 1e-6, 95 % of releases)" in sentences
    reason = section.recommendation_reason(result_at(**TWELVE | {"per_person": "12"}, promise="delta"))
    assert "Discrete Gaussian noise, σ = 14.64" in reason
    assert "that of analytic Gaussian noise, ±41.83," in reason


def test_the_answer_gives_advice_if_no_noise_satisfies_the_guarantee():
    assert answer(epsilon="0") == "No noise satisfies pure ε-DP at ε = 0. Choose a larger ε, or accept a δ."
    assert answer(epsilon="1e-13").startswith("Below ε = 1e-12 this page has no noise for pure ε-DP.")
    result = result_at(epsilon="0")
    assert section.recommendation_reason(result) == section.delta_text(result) == ""
    assert "discrete Gaussian" in answer(epsilon="0", promise="delta")
    assert answer(epsilon="0", delta="1e-300", promise="delta") == (
        "The noise that ε = 0 and δ = 1e-300 require hides every count. Choose a larger ε or δ."
    )


def test_the_table_has_each_error_of_twelve_cells_beside_the_simultaneous_one():
    result = rows(**TWELVE)
    assert result["Laplace"][2:4] == ["8.988", "16.38"]
    assert result["Analytic Gaussian"][2:4] == ["14.35", "20.92"]
    assert result["Geometric (recommended)"][:4] == ["ε-DP", "s = 3", "9", "16"]
    assert result["Staircase"][-1] == (
        "It is proved only for a person who changes one released number; here a person changes 3."
    )


def test_just_one_noise_is_recommended():
    for link in (TWELVE, TWELVE | {"promise": "delta"}, {"epsilon": "30"}, {"per_cell": "0.5"}):
        assert sum("(recommended)" in name for name in rows(**link)) == 1
    assert not any("(recommended)" in name for name in rows(epsilon="0"))


def test_every_verdict_says_whether_the_guarantee_holds_and_is_the_wanted_one():
    assert rows(epsilon="20")["Classical Gaussian"][-1].startswith("✗ FAILS: true δ")
    assert "not covered by its theorem" in rows(epsilon="2", promise="delta")["Classical Gaussian"][-1]
    assert rows(promise="delta")["Analytic Gaussian"][-1] == "✓ proved"
    assert rows(promise="pure")["Analytic Gaussian"][-1] == "✓ proved; not pure ε-DP"
    assert rows(promise="delta")["pDP Gaussian"][-1] == "✓ proved for pDP, which implies (ε, δ)-DP"
    assert "no published floating-point-safe sampler" in rows()["Staircase"][-1]


def test_relative_errors_are_those_of_the_median_cell_and_of_the_smallest_relevant_count():
    result = result_at(smallest="20", error="each")
    assert np.median(result.counts) == 14
    html = html_of(exhibits_of(result)["mechanisms"])
    assert "± ÷ median cell, <span>14</span>" in html
    assert "± ÷ smallest relevant <span>count, 20</span>" in html  # which is a parameter, not a cell of the table
    assert result.counts.min() != 20
    assert "smallest cell" not in html
    assert rows(smallest="20", error="each")["Geometric (recommended)"][4:6] == ["22 %", "15 %"]
    assert "median cell" not in html_of(exhibits_of(result_at(**TWELVE))["mechanisms"])


def test_the_reason_fits_what_decided():
    whole = "Its error, ±16, is that of Laplace noise, ±16.38, within 1 % or to the nearest whole count; results are"
    assert whole in section.recommendation_reason(result_at(**TWELVE))
    narrowest = "it has the smallest error: ±4 against ±4.606 of Laplace noise"
    assert narrowest in section.recommendation_reason(result_at(error="each", significance="0.01"))
    pure = [own for own in FAMILIES.values() if own.pure and own.is_sampled_safely and not own.whole]
    only = "the only noise in the table that satisfies pure ε-DP"
    assert (only in section.recommendation_reason(result_at(per_cell="0.5"))) == (len(pure) == 1)
    assert "Staircase noise would have ±" in section.recommendation_reason(result_at(per_cell="0.5", epsilon="5"))


def test_the_gain_from_a_delta_is_the_ratio_of_the_two_least_errors():
    link = TWELVE | {"per_person": "12"}
    sentences = section.delta_text(result_at(**link))
    assert "δ = 1e-6 allows ±42, with discrete Gaussian noise, 64.6 % of the ±65 that geometric noise" in sentences
    assert section.delta_text(result_at(**link, promise="delta")) == sentences
    assert "Would δ > 0 help?** No" in section.delta_text(result_at(**TWELVE))


@pytest.mark.parametrize("margins", ["0", "1", "2"])
@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
def test_the_effect_of_totals_is_the_ratio_of_the_noises_with_and_without_them(margins, neighbours):
    link = TWELVE | {"neighbours": neighbours}
    beside = str(max(int(margins), 1))
    with_totals, without = ({n.key: n.scale for n in result_at(**link, margins=m).mechanisms} for m in (beside, "0"))
    sentences = section.totals_text(result_at(**link, margins=margins))
    factors = [with_totals[key] / without[key] for key in ("laplace", "analytic")]
    laplace, gaussian = (format_nearest(factor, 3) for factor in factors)
    assert f"which multiplies Laplace’s ± by {laplace} and the analytic Gaussian’s ± by {gaussian}." in sentences
    assert "√m = 3.46 times a cell’s" in sentences
    named = "the totals of the rows" if neighbours == "replace" else "the grand total"
    assert (f"One set of totals with its own noise, such as {named}, " in sentences) == (margins != "2")


def test_the_questions_about_cells_have_the_answers_of_the_geometric_distribution():
    sentences = text.questions_text(result_at(**TWELVE, error="each", smallest="9", share="0.5"))
    noise = dlaplace(1 / 3)
    stays = next(n for n in range(100) if noise.sf(-n) >= 0.95)
    least_threshold = next(t for t in range(100) if noise.sf(t - 1) + noise.cdf(-t) <= 0.05)
    assert (
        f"In 95 % of releases a cell with a true count of {stays} or more is released as a positive number."
        in sentences
    )
    assert f"An empty cell is released at ±{least_threshold} or beyond with probability at most 5 %" in sentences
    assert f"A true count of 9 passes this threshold in {100 * noise.sf(least_threshold - 10):.4g}"[:60] in sentences
    assert "within 50 % of the count for a true count of 18 or more." in sentences


def test_the_questions_about_all_cells_hold_for_all_of_them_together():
    sentences = text.questions_text(result_at(**TWELVE))
    noise = dlaplace(1 / 3)
    stays = next(n for n in range(100) if noise.sf(-n) ** 12 >= 0.95)
    least_threshold = next(t for t in range(100) if (noise.cdf(t - 1) - noise.cdf(-t)) ** 12 >= 0.95)
    assert f"every cell with a true count of {stays} or more is released as a positive number." in sentences
    assert (
        f"If all 12 cells were empty, the probability of a number at ±{least_threshold} or beyond would be" in sentences
    )


def test_of_a_table_the_cells_that_count_enough_are_counted():
    result = result_at(error="each")
    assert result.mechanism is not None
    sentences = text.cell_questions(result, result.mechanism)
    assert f"{np.sum(result.counts >= 3)} of the 64 cells are that large." in sentences
    assert "for a cell of 3 it reaches 0" in text.error_bar_note(result, result.mechanism)
    assert "error bar" not in sentences
    assert "Which cells remain usable" not in text.questions_text(result)  # it stands once, in the section on the cells


def test_no_detection_probability_is_displayed_as_certain():
    size = {"table": "size", "cells": "64", "smallest": "10"}
    sentences = text.questions_text(result_at(**size, epsilon="2"))
    (threshold,) = map(int, re.findall(r"number at ±(\d+) or beyond", sentences))
    miss_percent = 100 * dlaplace(2).cdf(threshold - 11)
    assert f"A true count of 10 passes this threshold in all but {format_up(miss_percent)} % of releases." in sentences
    sentences = text.questions_text(result_at(**size, epsilon="8"))
    assert "A true count of 10 passes this threshold in practically all releases." in sentences


def test_numbers_that_only_show_that_something_is_lost_or_sure_are_short():
    assert rows(smallest="10", epsilon="1e-6")["Laplace"][5] == "above 1,000 %"
    html = html_of(exhibits_of(result_at(table="size", cells="1000000", per_person="1e6"))["mechanisms"])
    assert "a person changes 1,000,000" in html
    assert "at most 10,000 released numbers" in html


def test_one_cell_is_written_in_the_singular():
    result = result_at(table="own", own="a=7", smallest="1")
    assert result.mechanism is not None
    questions = text.cell_questions(result, result.mechanism)
    sentences = " ".join([*text.answer_text(result), section.reasons_text(result), questions])
    sentences += code.explanation_text(result) + text.alternative_text(result)
    assert not re.search(r"\b(all|of the) 1\b|all m = 1\b| 1 cells", sentences)
    assert "±3 for the one cell (" in sentences
    assert "The one cell is that large." in sentences


def test_without_laplace_noise_totals_widen_only_the_noise_that_there_is():
    sentences = section.totals_text(result_at(epsilon="0"))
    assert "Laplace" not in sentences
    assert "which multiplies the analytic Gaussian’s ± by 1.41." in sentences


def test_the_answer_says_what_else_a_person_moves():
    link = TWELVE | {"neighbours": "replace", "margins": "2"}
    assert answer(**link).startswith("Use geometric noise: ±98 for all 12 cells, ±54 for one cell (ε = 1, 95 %")
    reason = section.recommendation_reason(result_at(**link))
    assert "(ε-DP; k = 3, one person replaced, 2 sets of totals)." in reason


def test_the_explanation_has_every_noise_with_its_source_and_numbers():
    result = result_at(**TWELVE, neighbours="replace", margins="2")
    sentences = code.explanation_text(result)
    for noise in result.mechanisms:
        assert f"**{noise.name}**, {noise.guarantee}. Source: {noise.theorem}." in sentences
    assert "In total, Δ₁ = 18 and Δ₂ = 6.481." in sentences
    assert r"1-(1-0.05)^{1/12}" in sentences


@pytest.mark.parametrize(
    "link",
    [
        {},
        TWELVE,
        {"epsilon": "0", "promise": "delta"},
        {"epsilon": "0", "delta": "1e-300", "promise": "delta"},
        {"epsilon": "1e6", "per_person": "1e6", "table": "size", "cells": "1e6", "neighbours": "replace"},
        {"epsilon": "1e-12", "delta": "1e-300", "per_cell": "1e9", "margins": "20"},
        {"epsilon": "20", "per_cell": "0.5", "promise": "delta", "p": "1"},
        {"significance": "1e-300", "error": "each"},
        {"significance": "0.9999999999999999", "epsilon": "30"},
        {"table": "own", "own": "a=0", "promise": "delta"},
    ],
)
def test_every_exhibit_is_complete_and_no_word_is_without_a_number(link):
    result = result_at(**link)
    for exhibit in exhibits_of(result, "dark").values():
        expect_complete(exhibit)
    sentences = [*text.answer_text(result), section.reasons_text(result), text.questions_text(result)]
    sentences += [
        code.explanation_text(result),
        text.alternative_text(result),
        html_of(exhibits_of(result)["mechanisms"]),
    ]
    assert not re.search(r"\b(nan|inf|None)\b", " ".join(sentences))


def test_no_crossing_is_mentioned_without_laplace_noise():
    result = result_at(epsilon="0")
    assert results.narrower_range(result) is None
    exhibit = exhibits_of(result)["noise_persons"]
    assert "narrower" not in exhibit.alternative + figure_of(exhibit)["layout"]["title"]["subtitle"]["text"]


def test_the_file_has_every_noise_and_says_of_those_that_are_not_offered_why():
    frame = csv_text(exhibits_of(result_at(**TWELVE))["mechanisms"])
    assert len([row for row in frame.splitlines() if not row.startswith("#")]) == 1 + len(tables.KEYS)
    assert "here a person changes 3." in frame


def test_every_noise_that_is_offered_has_a_name_for_where_it_is_not():
    assert set(text.NAMES) == set(tables.KEYS)


def test_staircase_noise_is_listed_with_the_gamma_that_it_is_added_with():
    result = result_at(epsilon="5")
    gamma = format_nearest(float(staircase.variance_gamma(5.0)), 6)
    assert f"<td>s = 0.2, γ = {gamma}</td>" in text.mechanisms_html(result)
    assert rf"\gamma={gamma}" in code.explanation_text(result)


def test_doubling_epsilon_k_or_c_has_the_error_of_the_same_noise_at_that_setting():
    result = result_at(**TWELVE)
    assert result.recommendation is not None
    mechanism = result.recommendation.mechanism
    for quantity, entry in (("epsilon", "2"), ("per_person", "6"), ("per_cell", "2")):
        other = results.doubled(result, mechanism, quantity)
        assert other is not None
        assert other.half_width(result.significance) == result_at(**TWELVE | {quantity: entry}).half_width
    everywhere = result_at(**TWELVE | {"per_person": "12"})
    assert results.doubled(everywhere, mechanism, "per_person") is None


def test_the_advice_on_the_error_is_left_out_where_nothing_changes_it():
    assert "doubling k" not in answer(table="size", cells="1").lower()
    assert "doubling ε gives ±4, doubling k or c ±18 for" in answer(
        error="each", contribution="limited", per_person="3"
    )
    once = answer(contribution="once")
    assert "doubling ε" in once
    assert "doubling k" not in once.lower()


def test_the_answer_with_a_delta_states_the_gain_from_it():
    sentences = answer(epsilon="0.01", delta="0.01", promise="delta")
    assert "Use truncated geometric noise: " in sentences
    assert "no error exceeds ±" in sentences
    assert "with probability at most 0.01 a release proves that the person is in the data, or is not." in sentences
    assert "proves that" not in answer(epsilon="0.01", delta="0.01", promise="pure")


@pytest.mark.parametrize(
    ("link", "most"),
    [({}, 135), ({"epsilon": "0.5"}, 135), ({"table": "size"}, 135), ({"contribution": "once", "fixed": "yes"}, 140)],
)
def test_the_public_reads_of_a_table_in_135_words_and_of_what_is_confirmed_in_five_more(link, most):
    stated = PAGE.statements_of(result_at(**link))
    assert stated is not None
    assert len(stated.public.split()) <= most
    for condition in ("each person counts once", "categories were fixed", "office adds the noise", "nothing else"):
        assert condition in stated.public
