import re
from functools import lru_cache

import numpy as np
import pytest

from dpcore import gaussian
from dpcore.generalized_gaussian import (
    adp_scale,
    delta_from_scale,
    exact_pdp_scale,
    optimal_shape,
    pdp_scale,
    pdp_scale_disjoint,
    variance,
)
from dpcore.mechanism import calibrated
from dpcore.optimal_noise import floor_frame
from dpcore.truncated_laplace import bound_from_epsilon
from pages.framework.parameters.kinds import problem
from pages.framework.parameters.number_format import format_up
from pages.generalized_gaussian import grids
from pages.generalized_gaussian import text as generalized_gaussian_text
from pages.generalized_gaussian.densities import section as densities_section
from pages.generalized_gaussian.optimal_shape import text as best_text
from pages.generalized_gaussian.page import PAGE as RECORD
from pages.generalized_gaussian.parameters import SENSITIVITIES
from pages.generalized_gaussian.scale import section as scale_section
from tests.pages.conftest import found_by, read_link

PAGE = "generalized_gaussian"


@lru_cache(32)
def result_of(**link):
    return found_by(PAGE, **link)


def answer(**link):
    return " ".join(RECORD.answer_text(result_of(**link)))


def answers_of(**link):
    return RECORD.answer_text(result_of(**link))


def problems(**link):
    readings, wrong = read_link(PAGE, **link)
    return " ".join([*wrong, *(reading.problem for reading in readings.values())]).strip()


def test_the_answer_gives_the_scale_the_papers_excess_and_the_best_shape():
    sentences = answer(delta="0.01")
    b, paper = (float(scale(1, 0.01, 3)) for scale in (adp_scale, pdp_scale_disjoint))
    assert sentences.startswith(f"At ε = 1, δ = 0.01, noise of shape p = 3 has b = {format_up(b)} and standard ")
    below = densities_section.rounding_text(result_of(delta="0.01"))
    assert f"Corollary 9, would have {100 * (paper / b) ** 2 - 100:.0f} % more variance than required." in below
    assert "95 % of releases fall within ±" in sentences
    assert "the least variance is that of **p = 1, Laplace noise**" in answer()


def test_a_best_shape_near_1_that_saves_something_of_laplace_noise_is_not_called_by_its_name():
    sentences = answer(section="best", epsilon="0.18", delta="1.7e-4", measure="mean_error")
    assert "**p = 1.005**" in sentences
    assert "0.171 % below that of Laplace noise" in sentences


@pytest.mark.parametrize(("p", "name"), [("1", "Laplace"), ("2", "Gaussian")])
def test_the_shapes_with_a_name_of_their_own_are_called_by_it(p, name):
    assert f"{name} noise (p = {p}) has b = " in answer(p=p)


def test_the_gaussian_shape_has_the_analytic_gaussians_deviation():
    sentences = answer(p="2", epsilon="0.7", delta="1e-5")
    assert f"standard deviation {format_up(float(gaussian.analytic_sigma(0.7, 1e-5)))}." in sentences


def test_corollary_9_is_compared_with_exact_pdp():
    sentences = answer(guarantee="disjoint", delta="0.1")
    b, exact = (float(scale(1, 0.1, 3)) for scale in (pdp_scale_disjoint, exact_pdp_scale))
    assert f"b = {format_up(b)}" in sentences
    below = densities_section.paper_text(result_of(guarantee="disjoint", delta="0.1"))
    assert below == f"Exact pDP would have {100 - 100 * (exact / b) ** 2:.0f} % less variance."


def test_the_sensitivity_scales_the_noise():
    assert f"b = {format_up(100 * float(adp_scale(1, 1e-6, 3)))} and" in answer(l2_sensitivity="100")


def test_a_number_that_was_typed_as_an_expression_is_shown_on_the_safe_side():
    assert answer(epsilon="sqrt(3)", p="4/3").startswith(
        "At ε = 1.732051, δ = 1e-6, noise of shape p = 1.333334 has b = "
    )


def test_pure_dp_has_an_answer_for_laplace_noise_alone():
    pure = generalized_gaussian_text.pure_dp_text(result_of().setting)
    assert "**Without δ** p = 3 has no answer: for p = 3 the privacy loss grows without bound" in pure
    assert "Without δ" not in answer()
    assert pure in generalized_gaussian_text.explanation_text(result_of())
    pure = generalized_gaussian_text.pure_dp_text(result_of(p="1", epsilon="0.5").setting)
    assert pure == "**Without δ:** p = 1 satisfies pure ε-DP with b = Δ₁/ε = 2; no other shape can."


def test_no_scale_is_given_for_pure_dp_at_an_epsilon_for_which_it_would_be_too_small():
    for epsilon in ("0", "1e-13"):
        pure = generalized_gaussian_text.pure_dp_text(result_of(p="1", epsilon=epsilon).setting)
        assert pure == "**Without δ:** only p = 1 satisfies pure ε-DP, with b = Δ₁/ε, here from ε = 1e-12 on."


def test_the_answer_at_epsilon_0_has_one_guarantee_and_names_the_others():
    sentences = answer(epsilon="0")
    assert "At ε = 0, δ = 1e-6, noise of shape p = 3 has b = 560,000" in sentences
    assert "Corollary 9, has no answer at this ε" in densities_section.rounding_text(result_of(epsilon="0"))
    result = result_of(epsilon="0", guarantee="exact_pdp")
    sentences = " ".join(densities_section.answer_text(result))
    assert "At ε = 0 probabilistic DP has no answer." in sentences
    assert "Choose an ε of at least 1e-12, or (ε, δ)-DP, which has one at every ε ≥ 0." in sentences
    assert (
        "probabilistic DP has no answer"
        in generalized_gaussian_text.explanation_text(result).split("**Exact (ε, δ)-DP**")[0]
    )
    assert RECORD.answer_text(
        result_of(epsilon="0", guarantee="exact_pdp", section="best")
    ) == densities_section.answer_text(result)
    assert densities_section.rounding_text(result) == ""
    assert densities_section.paper_text(result) == ""


def test_a_shape_without_a_better_one_is_called_the_best():
    best = optimal_shape.best_frame(optimal_shape.ADP, "variance", [0.02], [0.01])["p"].iloc[0]
    sentences = answer(epsilon="0.02", delta="0.01", p=f"{best:.4g}")
    assert "no other shape up to p = 64 has a variance smaller by 0.1 %." in sentences
    assert "**p = 64, the largest that is searched**" in answer(epsilon="1e-3", delta="0.1")
    assert "**p = 2, Gaussian noise**" in answer(epsilon="0.0578", delta="0.01", p="9")


@pytest.mark.parametrize("guarantee", ["adp", "exact_pdp", "disjoint"])
@pytest.mark.parametrize(
    ("measure", "measure_name"),
    [("variance", "variance"), ("mean_error", "mean error"), ("accuracy", "half-width ± (95 %)")],
)
def test_the_best_p_is_named_by_every_measure_and_guarantee(guarantee, measure, measure_name):
    link = {"guarantee": guarantee, "measure": measure, "epsilon": "0.05", "delta": "0.01"}
    assert f"At ε = 0.05, δ = 0.01 the least {measure_name} is that of **p = " in answer(section="best", **link)


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"epsilon": "0.05", "delta": "0.01"},
        {"epsilon": "0.3", "delta": "0.1", "l2_sensitivity": "7"},
        {"epsilon": "3", "delta": "0.2"},
        {"epsilon": "0.01", "delta": "1e-3"},
    ],
)
def test_the_best_noise_is_named_with_the_scale_that_it_is_added_with(link):
    result, sentences = result_of(section="best", **link), answer(section="best", **link)
    (numbers,) = re.findall(r"p = ([\d.]+).*?b = ([\d.,]*\d)", sentences)
    p, b = (float(number.replace(",", "")) for number in numbers)
    at = result.setting.epsilon, result.setting.delta
    assert float(delta_from_scale(at[0], b, p, result.setting.l2_sensitivity)) <= at[1]
    least = float(variance(adp_scale(*at, result.best.p, result.setting.l2_sensitivity), result.best.p))
    assert float(variance(b, p)) <= least * 1.003  # b is shown to four digits


@pytest.mark.parametrize("measure", ["variance", "mean_error"])
@pytest.mark.parametrize("guarantee", optimal_shape.GUARANTEES, ids=lambda guarantee: guarantee.key)
def test_the_statement_on_the_best_p_over_epsilon_and_delta_is_true(guarantee, measure):
    epsilon, delta = np.append(np.logspace(-9, 6, 21), np.linspace(1.1, 3, 12)), np.logspace(-12, np.log10(0.5), 17)
    p = optimal_shape.best_p(guarantee, measure, np.sort(epsilon)[:, np.newaxis], delta)
    assert np.diff(p, axis=0).max() <= 1e-4
    result = result_of(section="best", guarantee=guarantee.key, measure=measure)
    sentences, between = best_text.floor_text(result), np.mean((p > 1.05) & (p < 60))
    if guarantee is optimal_shape.ADP:
        assert "Up to δ = 0.2 the best p grows with δ and falls with ε" in sentences
        assert np.diff(p[:, delta <= 0.2], axis=1).min() >= -1e-4
        assert between > 0.1
    else:
        assert "Up to δ = 0.5 the best p jumps" in sentences
        assert between < 0.03


def test_no_rule_is_given_for_the_best_p_by_the_error_at_a_level():
    link = {"measure": "accuracy", "significance": "0.999", "epsilon": "1e-3", "delta": "0.5"}
    assert answer(section="best", **link).endswith("that of Gaussian noise.")
    assert best_text.floor_text(result_of(section="best", **link)) == ""


def test_several_statistics_are_compared_with_proposition_11():
    sentences = scale_section.statistics_text(result_of(statistics="three", delta="0.05"))
    assert "For 3 statistics together the paper’s Proposition 8 gives one b to all" in sentences
    assert "its Δ₂ is 1.007." in sentences
    _, second = scale_section.answer_text(result_of(section="size", statistics="three", delta="0.05"))
    unsigned = float(pdp_scale(1, 0.05, 2, (1, 0.1, 0.05)))
    signed = float(np.sqrt(2) * gaussian.pdp_sigma(1, 0.05, np.sqrt(1.0125)))
    assert f"requires b = {format_up(unsigned)}, where b = {format_up(signed)} is enough" in second
    assert scale_section.statistics_text(result_of()) == scale_section.CURVES


@pytest.mark.parametrize(
    ("chosen", "name"),
    [
        ("deviation", "a standard deviation"),
        ("scale", "a scale b"),
        ("mean_error", "a mean error"),
        ("accuracy", "a half-width (90 %)"),
    ],
)
@pytest.mark.parametrize("p", ["1", "3"])
def test_how_much_noise_answers_with_the_size_that_each_guarantee_requires(chosen, name, p):
    scales = (float(scale(1, 0.01, float(p))) for scale in (adp_scale, exact_pdp_scale, pdp_scale_disjoint))
    level = 0.1 if chosen == "accuracy" else None
    sizes = [format_up(float(optimal_shape.size(chosen, scale, float(p), level))) for scale in scales]
    first, second = answers_of(section="size", size=chosen, p=p, delta="0.01", significance="0.1")
    assert first == (f"At ε = 1, δ = 0.01, p = {p} requires {name} of {sizes[0]} for (ε, δ)-DP, {sizes[1]} for pDP.")
    assert second.startswith("Corollary 9, the paper’s bound for pDP, ")
    assert second.endswith("no more than the exact scale of pDP." if p == "1" else f"gives {sizes[2]}: {_EXACT}")


_EXACT = "the exact scale of pDP is enough."


@pytest.mark.parametrize(
    ("link", "p"),
    [
        ({"sensitivities": "1, 1", "against": "delta"}, 3),
        ({"sensitivities": "1, 1"}, 3),
        ({"sensitivities": "1, 1, 1, 1, 1, 1", "p": "64", "delta": "1e-300", "against": "epsilon"}, 2),
    ],
)
def test_several_statistics_have_one_size_at_a_p_that_does_not_take_long(link, p):
    link = link | {"section": "size", "size": "scale", "statistics": "own"}
    result = result_of(**link)
    sensitivities, delta = result.setting.statistic_sensitivities, result.setting.delta
    b = format_up(float(pdp_scale(1, delta, p, sensitivities)))
    first, _ = scale_section.answer_text(result)
    assert first.endswith(f"{len(sensitivities)} statistics together require a scale b of {b} for pDP (p = {p}).")


def test_one_statistic_of_a_list_gains_nothing_by_the_signs_of_the_noise():
    first, second, pinned = answers_of(section="size", statistics="own", sensitivities="2", pinned="epsilon=2")
    assert "one statistic requires a standard deviation of" in first
    assert second == (
        "At p = 2 the scale is b = 14.12, by Proposition 8 as by Proposition 11, which uses the signs of the noise."
    )
    assert pinned.startswith("Compared with the pin (ε = 2, ")


def test_how_much_noise_at_epsilon_0_has_no_size_for_probabilistic_dp():
    first, second = answers_of(section="size", epsilon="0")
    assert first.endswith("requires a standard deviation of 342,100 for (ε, δ)-DP.")
    assert second == "Probabilistic DP (pDP) has no answer at so small an ε."


def test_own_sensitivities_may_repeat_and_a_list_that_cant_be_used_is_named():
    sentences = scale_section.statistics_text(result_of(statistics="own", sensitivities="1, 1", epsilon="1e-9"))
    assert "For 2 statistics together" in sentences
    assert "Instead of ε = 1e-9 it is solved for 1e-6." in sentences
    single = scale_section.statistics_text(result_of(statistics="own", sensitivities="2"))
    assert "For one statistic the paper’s Proposition 8" in single
    wrong = problems(statistics="own", sensitivities="1, 0")
    sentences = "Δ of the statistics: number 2 must be from 1e-100 to 1e100; 0 was given."
    assert f"{sentences} 1, 0.1, 0.05 is used instead." in wrong
    for bad in ("", "1,,2", "1;;2", "-1", ",".join("1" * 9)):
        assert problem(SENSITIVITIES, bad)


def test_the_largest_sensitivities_that_can_be_given_have_an_answer_together():
    sentences = scale_section.statistics_text(result_of(statistics="own", sensitivities="1e100, 1e100"))
    assert "its Δ₂ is 1.415e100." in sentences


def test_draws_that_take_too_long_are_fewer_before_the_link_is_written():
    link = {"statistics": "three", "delta": "0.05", "monte_carlo": "on"}
    readings, _ = read_link(PAGE, draws="1e6", **link)
    assert readings["draws"].used == "11000"
    assert readings["draws"].problem == (
        "draws of 1e6 for 3 statistics at 11 points take too long for a page. 11,000 is used instead."
    )
    assert not problems(draws="1e6", statistics="three")
    assert not problems(draws="1e6", monte_carlo="on")


def test_the_subtitle_states_the_draws_of_a_point_and_where_they_see_nothing():
    link = {"statistics": "three", "monte_carlo": "on", "draws": "1e4"}
    assert scale_section.draws_text(result_of(**link, delta="0.05")) == "10,000 draws a point."
    assert "below 0.001 or above 0.999" in scale_section.draws_text(result_of(**link))
    assert scale_section.draws_text(result_of(statistics="three")) == ""
    many = scale_section.draws_text(
        result_of(**(link | {"statistics": "own", "sensitivities": "1,1,1,1,1,1,1,1", "delta": "0.05"}))
    )
    assert "Only 4 of 11 points are drawn, as all would take too long." in many


def test_curves_that_take_too_long_have_fewer_points_or_are_left_out_with_a_sentence():
    assert not result_of(statistics="three").is_thinned
    eight = {"statistics": "own", "sensitivities": "1,1,1,1,1,1,1,1"}
    fewer = scale_section.statistics_text(result_of(**eight, delta="0.05"))
    assert fewer.endswith("Each point takes long here, so the curves have fewer than usual.")
    none = scale_section.statistics_text(result_of(**eight, p="64", delta="1e-300"))
    assert none.endswith("the curves have fewer than usual, and over ε and δ there is none.")


def test_the_work_of_the_curves_stays_within_its_budget():
    for p, delta, n in ((1.0, 0.5, 8), (1.0001, 1e-300, 8), (3.0, 1e-6, 3), (64.0, 1e-300, 2), (8.5, 0.999, 5)):
        fewer = grids.affordable_grids(grids.coarse_grids(1.0, delta, p), delta, p, n)
        assert grids.curves_weight(fewer, delta, p, n) <= grids.MOST_WEIGHT
        assert all(p in grid for key, grid in fewer.items() if key == "p")
    hopeless = grids.affordable_grids(grids.coarse_grids(1.0, 1e-300, 64.0), 1e-300, 64.0, 64)
    assert hopeless == {}


PIN = "epsilon=2&delta=1e-5&p=4&bound_high=8&true_value=3"


def test_beside_a_pinned_setting_each_answer_says_what_has_changed():
    before, after = (calibrated(optimal_shape.ADP, *at) for at in ((2, 1e-5, 4), (1, 1e-6, 3)))
    sizes = (
        f"b {format_up(before.scale)} → {format_up(after.scale)}, standard deviation {format_up(before.deviation)} →"
        f" {format_up(after.deviation)}"
    )
    reach = f"±{format_up(before.half_width(0.05))} → {format_up(after.half_width(0.05))}"
    sentences = RECORD.answer_text(result_of(pinned=PIN))
    assert sentences[2] == f"Compared with the pin (ε = 2, δ = 1e-5, p = 4, Δ = 1, (ε, δ)-DP): {sizes}, {reach}."
    assert RECORD.answer_text(result_of())[:2] == sentences[:2]
    for section, change in (
        ("size", f"standard deviation {format_up(before.deviation)} → {format_up(after.deviation)}."),
        ("best", "best p 1 → 1.27"),
        ("bounded", "truncated b 5.277 → 6.154, RMSE at s 2.312 → 3.118; BIT b 5.641 → 6.877"),
    ):
        delta = {"delta": "0.05"} if section == "best" else {}
        assert change in RECORD.answer_text(result_of(section=section, pinned=PIN, **delta))[2]


def test_a_pinned_setting_without_an_answer_gets_a_sentence_that_says_so():
    sentences = answer(pinned="epsilon=0&guarantee=exact_pdp")
    assert sentences.endswith("Pinned: ε = 0, δ = 1e-6, p = 3, Δ = 1, Exact pDP has no answer.")
    assert len(RECORD.answer_text(result_of(section="bounded", pinned="epsilon=0"))) == 2


def test_a_pinned_setting_is_read_back_and_one_that_cant_be_used_is_named():
    pinned = result_of(pinned=PIN, section="bounded", shapes="1, 2").pinned
    result = pinned.setting
    assert (result.epsilon, result.p, result.bound_high, result.true_value, result.show) == (2, 4, 8, 3, "bounded")
    assert result.shapes == (1, 2)
    assert "pinned setting must be none" in problems(pinned="epsilon=2&bound_low=12")


def test_old_links_without_a_section_open_the_shapes():
    assert result_of(p="2").section == "shapes"
    assert problems(section="all") == "This page has no section all; “Shapes” is open."


def test_the_best_p_says_what_the_best_noise_of_any_shape_has_of_its_variance():
    sentences = best_text.floor_text(result_of(section="best", epsilon="0.1", delta="0.01"))
    row = floor_frame(0.1, 0.01).iloc[0]
    shares = [float(number) for number in re.findall(r"at least ([\d.]+) % and at most ([\d.]+) %", sentences)[0]]
    assert shares[0] <= 100 * row["lower"] / row["best"] <= 100 * row["upper"] / row["best"] <= shares[1] + 0.2
    assert shares == pytest.approx([74.7, 74.9], abs=0.15)
    assert f"its error never exceeds ±{format_up(float(bound_from_epsilon(0.1, 0.01)))}." in sentences
    least = f"noise of any shape has at least {shares[0]:g} % of the best p’s variance"
    assert least in answer(section="best", epsilon="0.1", delta="0.01")
    assert "any shape" not in answer(section="best", delta="0.7")
    assert "any shape has at least 1." in answer(section="best", epsilon="12", delta="1e-6")
    assert "any shape" not in answer(section="best", epsilon="13", delta="1e-6")
