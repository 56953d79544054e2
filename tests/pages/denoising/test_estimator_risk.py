"""Who leaves the least of the error, for numbers of which a share is not 0 and of one size."""

import math
import re
from functools import lru_cache

import numpy as np
import pytest

from pages.denoising.estimator_risk import section, text
from pages.denoising.estimator_risk.results import RIVALS, EstimatorRisk, table_place
from pages.denoising.estimator_risk.section import explanation_text
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import Figure
from tests.pages.conftest import LIGHT, expect_complete, figure_of, found_by, html_of, read_link

SMALL = {"section": "where", "dimension": "16", "norm": "1", "nonzero": "0.25"}
KEPT = "dimension=16&norm=1&nonzero=0.25"


@lru_cache(32)
def risk_result(**link: str) -> DenoisingResult:
    return found_by("denoising", **(SMALL | link))


def risk_of(**link: str) -> EstimatorRisk:
    return risk_result(**link).risk


def risk_figure(result: DenoisingResult) -> Figure:
    return figure_of(section.risk_curves(result, LIGHT))


def winners_figure(result: DenoisingResult) -> Figure:
    return figure_of(section.winners_map(result, LIGHT))


def test_the_numbers_not_0_have_the_size_that_gives_the_norm():
    risk = risk_of()
    assert risk.n_nonzero == 4
    assert risk.nonzero_size * np.sqrt(risk.n_nonzero) == pytest.approx(1 * np.sqrt(16))


def test_the_answer_names_the_best_first_and_never_claims_more_than_was_found():
    risk = risk_of(norm="3")
    first, second = text.answer_text(risk_result(norm="3"))
    assert first == "Clipping at 0 leaves about 63 % of the squared error (4 of 16 numbers at 6 σ)."
    best, *_ = risk.safe_rival_shares.values()
    assert best == pytest.approx(0.625, abs=1e-3) == min(risk.shares[key] for key in RIVALS)
    assert second.startswith("The RMSE per number falls by about 20 %; the worst, ")
    assert "has 1.64 times the release’s squared error." in second
    assert "clipping at 0 63 %" in text.comparison_text(risk)


def test_simulated_values_are_stated_with_two_standard_errors_added():
    risk = risk_of()
    assert risk.safe_rival_shares["soft_sure"] == risk.shares["soft_sure"] + 2 * risk.sure.standard_error
    assert 0 < risk.sure.standard_error < 0.01


def test_the_answer_recommends_the_release_itself_without_a_gain():
    first, second = text.answer_text(risk_result(norm="30", nonzero="1"))
    assert first == "No estimator here removes 1 % of the release’s squared error (all 16 numbers at 30 σ)."
    assert "soft thresholding at σ√(2 ln d) 654" in text.comparison_text(risk_of(norm="30", nonzero="1"))
    assert second.endswith("its expected sum of squared errors is never larger.")


def test_numbers_that_are_all_0_have_no_place_on_the_axis_but_an_answer():
    result = risk_result(norm="0")
    assert text.answer_text(result)[0].startswith("Soft thresholding at σ√(2 ln d) leaves about")
    assert [note["text"] for note in risk_figure(result)["layout"]["annotations"]][-1] == "← size = 0"


@pytest.mark.parametrize("link", [{"norm": "1e-9"}, {"norm": "1000", "nonzero": "1e-5"}, {"dimension": "3"}])
def test_numbers_at_the_edges_are_drawn_too(link):
    for exhibit_of in section.SECTION.exhibits:
        exhibit = exhibit_of(risk_result(risk_against="norm", **link), LIGHT)
        assert exhibit is not None
        expect_complete(exhibit)
    expect_complete(section.risk_curves(risk_result(risk_against="nonzero", **link), LIGHT))


def test_the_handle_of_the_line_is_the_quantity_of_the_axis_and_a_click_sets_it():
    for against in ("norm", "nonzero"):
        exhibit = section.risk_curves(risk_result(risk_against=against), LIGHT)
        assert [shape["name"] for shape in figure_of(exhibit)["layout"]["shapes"] if "name" in shape] == [against]
        assert exhibit.picks == (against, "")


def test_a_threshold_that_leaves_the_picture_says_how_far_it_goes():
    notes = [note["text"] for note in risk_figure(risk_result(nonzero="1"))["layout"]["annotations"]]
    dense = 1 + 2 * np.log(16)
    assert f"↑ up to {dense:.2f}" in notes
    assert not [
        note
        for note in (exhibit["text"] for exhibit in risk_figure(risk_result())["layout"]["annotations"])
        if "up to 6" in note
    ]


def test_the_page_table_stands_on_the_map_at_its_size_in_units_of_the_noise():
    result = risk_result(table="own", own="A=30;B=40;C=0;D=0")
    place = table_place(result.count, result.sigma)
    assert place == pytest.approx((25 / result.sigma, 0.5))
    assert "50 % of them are not 0" in text.table_place_text(result)
    assert any("<b>table</b>" in exhibit.get("text", ()) for exhibit in winners_figure(result)["data"])


@pytest.mark.parametrize(
    "link",
    [
        {"table": "own", "own": "none"},
        {"table": "own", "own": "A=0;B=0"},
        {"epsilon": "0", "delta": "1e-300", "per_person": "1e6", "per_cell": "1e9"},
    ],
)
def test_without_a_table_with_an_empty_one_or_beyond_any_noise_the_map_marks_none(link):
    result = risk_result(**link)
    assert table_place(result.count, result.sigma) is None
    assert "marks no table" in text.table_place_text(result)
    assert not any("table" in str(exhibit.get("text", "")) for exhibit in winners_figure(result)["data"])


def test_a_pinned_setting_is_compared_and_those_of_its_curves_that_differ_are_drawn_grey():
    result = risk_result(dimension="100", pinned=KEPT)
    assert text.answer_text(result)[-1].startswith("Compared with the pin (4 of 16 numbers at 2 σ): ")
    assert "→" in text.answer_text(result)[-1]
    ghosts = [exhibit for exhibit in risk_figure(result)["data"] if exhibit["name"] == "pinned"]
    assert len(ghosts) == len(RIVALS) - 1  # clipping depends on the share and the size alone
    assert "pinned" in [note["text"] for note in risk_figure(result)["layout"]["annotations"]]


def test_the_table_has_every_share_its_root_and_its_tuning():
    table = re.sub(r"<[^>]*>", " ", html_of(section.estimators_table(risk_result(), LIGHT)))
    for expected in ("50 %", "70.7 %", "w = 1 σ", "T = 2.35 σ", "100 %", " ± "):
        assert expected in table


def test_the_lines_and_the_explanation_have_the_numbers_of_the_setting():
    lines, sentence = text.assumptions_text(risk_of()), explanation_text(risk_result())
    assert f"{1 + 2 * np.log(16):.2f} times the release’s squared error" in lines
    assert "it is worse than the release where ‖y‖ is above 1.73 σ√d" in lines
    assert "$d=16$, $k=4$" in sentence
    assert "2.355" in sentence


def test_more_numbers_than_can_be_simulated_are_refused_with_a_sentence():
    readings, problems = read_link("denoising", **(SMALL | {"dimension": "20000"}))
    assert readings["dimension"].used == "64"
    assert "d must be a whole number from 3 to 10000" in "".join(problems)


def test_the_larger_regions_of_the_map_bear_their_names_away_from_the_marks():
    for link in ({}, {"nonzero": "0.02", "norm": "3"}, {"dimension": "3"}, {"dimension": "10000", "norm": "1000"}):
        data = winners_figure(risk_result(**link))["data"]
        (names,) = (exhibit for exhibit in data if exhibit.get("mode") == "text")
        assert {"clipping at 0", "fixed T"} & {*names["text"]}
        marks = [exhibit for exhibit in data if exhibit.get("mode") == "markers+text"]
        for x, y in zip(names["x"], names["y"], strict=True):
            for mark in marks:
                across, up = abs(math.log10(x / mark["x"][0])), abs(math.log10(y / mark["y"][0]))
                assert across > 0.3 or up > 0.05
