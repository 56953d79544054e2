"""The section on Liu's Lemma 10: the scales of the exponential mechanism within bounds."""

from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from dpcore.generalized_gaussian import bounded_comparison
from pages.framework.layout.section import exhibits_in
from pages.papers import results
from pages.papers.liu_exponential import section
from pages.papers.liu_exponential.section import SECTION, explanation_text
from pages.papers.results import ExponentialResult, PapersResult
from pages.shared.bounded_noise import no_answer_text
from tests.pages.conftest import LIGHT, exhibits_by_name, figure_of, found_by

EXTREMES = (
    {"epsilon": "1e-30", "delta": "1e-300"},
    {"epsilon": "1e6", "delta": "0.99", "p": "64"},
    {"bound_low": "0", "bound_high": "1e-30"},
    {"l2_sensitivity": "1e100", "bound_low": "-1e15", "bound_high": "1e15", "p": "1"},
)


@lru_cache(32)
def result_of(**link: str) -> PapersResult:
    return found_by("papers", section="exponential", **link)


def exponential(**link: str) -> ExponentialResult:
    result = result_of(**link).exponential
    assert result is not None
    return result


def test_the_answer_compares_the_published_scale_with_what_is_required():
    sentence, advice = section.answer_text(result_of(p="3"))
    assert sentence == (
        "The exponential mechanism of Lemma 10 has scale b = 13.17; exact truncated noise requires only b = 6.154 "
        "(ε = 1)."
    )
    assert advice.endswith("use the smaller b.")
    assert "with the exact Δᵤ has scale b = " in section.answer_text(result_of(p="2.5"))[0]
    scales = section.scales_text(exponential(p="3"))
    for number in ("13.17 by Lemma 10", "8.154 with the exact Δᵤ", "Eq. 7–8 of the paper give 8.716", "6.154"):
        assert number in scales
    assert "Lemma 10" not in section.scales_text(exponential(p="2.5"))


def test_the_note_says_on_what_lemma_10_depends():
    assert section.lemma_text(exponential(p="3")).endswith("with 0 in the middle of the same width it is 8.154.")
    assert "Lemma 10 holds for whole p only." in section.lemma_text(exponential(p="2.5"))
    assert section.lemma_text(exponential(p="4", bound_low="-5", bound_high="5")).endswith("of the bounds from 0.")
    assert "From p = 3 on" not in section.lemma_text(exponential(p="2"))


def test_a_pinned_setting_is_compared_in_words_and_lines():
    result = result_of(pinned="epsilon=2&p=2&bound_low=0&bound_high=10")
    change = section.answer_text(result)[2]
    old = exponential(epsilon="2", p="2").scale
    assert change.startswith("Compared with the pin (ε = 2, ")
    assert f"exact truncated b {np.ceil(old['truncated'] * 1000) / 1000:g} → 6.154." in change
    for name in ("bounded_shapes", "bounded_widths"):
        exhibit = exhibits_by_name(result, "papers")[name]
        assert "pinned" in [trace.get("name") for trace in figure_of(exhibit)["data"]]
        assert exhibit.header["pinned"].startswith("ε = 2, ")


def test_below_the_least_epsilon_there_is_no_answer():
    for epsilon in ("0", "1e-31"):
        result = result_of(epsilon=epsilon)
        assert result.exponential is None
        assert section.answer_text(result) == no_answer_text(result.bounded_setting)
        assert "choose an ε of at least 1e-30." in explanation_text(result)
        assert not list(exhibits_in(SECTION.parts(result, LIGHT)))
        assert not {"bounded_shapes", "bounded_widths"} & exhibits_by_name(result, "papers").keys()
        assert not list(SECTION.claims(result))


def test_the_explanation_has_the_users_numbers_and_the_sources():
    sentences = explanation_text(result_of(p="3", epsilon="0.5"))
    for part in ("Definition 5, Eq. 7–8", "Eq. 15–16", "Lemma 10", r"\varepsilon=0.5"):
        assert part in sentences
    assert "It holds for whole p only." in explanation_text(result_of(p="2.5"))


@pytest.mark.parametrize(("link", "over"), list(product(EXTREMES, ("p", "width"))))
def test_every_extreme_has_finite_scales(link, over):
    result = result_of(over=over, **link)
    frame = exponential(**link).scales_over(over)
    assert np.isfinite(frame["truncated"]).all()
    assert "nan" not in " ".join(section.answer_text(result))


def test_axes_end_at_1_2_or_5_times_a_power_of_ten():
    assert [section.rounded_axis_end(x, section.BELOW) for x in (3.0, 0.2, 9.9)] == [2, 0.2, 5]
    assert [section.rounded_axis_end(x, section.ABOVE) for x in (3.0, 5.0, 9.9)] == [5, 5, 10]
    grid = results.width_grid(0.3, 5e6)
    assert (grid[0], grid[-1]) == pytest.approx((0.1, 1e7))


@pytest.mark.parametrize(("epsilon", "high"), [(1, 10), (0.1, 100), (5, 1000), (0.5, 4000)])
def test_between_the_points_of_a_curve_over_p_it_is_almost_straight(epsilon, high):
    p = np.unique(np.concatenate([np.geomspace(1, 2, 150), np.linspace(2, 64, 150)]))
    at_points, true = (bounded_comparison.scales(epsilon, 1e-6, shapes, 0, high, 1) for shapes in (results.SHAPES, p))
    for key in ("published", "bit", "exponential"):
        lines, curve = (np.log(scales[key] / scales["truncated"]) for scales in (at_points, true))
        between = np.interp(np.log(p), np.log(results.SHAPES), lines)
        np.testing.assert_allclose(np.exp(between - curve), 1, atol=0.04, err_msg=key)
