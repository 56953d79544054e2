import math
import re

import pytest
from scipy import stats

from dpcore.optimal_noise import least_cost
from pages.framework.parameters.number_format import format_up
from pages.laplace_gaussian import text
from pages.laplace_gaussian.errors.section import density_text
from pages.laplace_gaussian.results import GAUSSIAN
from pages.laplace_gaussian.text import explanation_text
from pages.shared.formulas import NO_SAMPLER
from pages.shared.shared_parameters import MEASURE
from tests.pages.conftest import exhibits_by_name, figure_of, html_of
from tests.pages.laplace_gaussian.results import PAGE, result_of


def answer(**link):
    return " ".join(text.answer_text(result_of(**link)))


def test_the_answer_gives_the_winner_and_both_errors():
    assert answer() == (
        "For one count at ε = 1, δ = 1e-6, Laplace noise has the smaller error: ±2.996 against "
        "±8.281 (95 %). The Gaussian’s variance is "
        "8.92 times Laplace’s; Laplace noise satisfies pure ε-DP, the Gaussian satisfies (ε, δ)-DP."
    )


@pytest.mark.parametrize(
    ("link", "place", "second"),
    [
        ({}, "At ε = 1, δ = 1e-6", "5.29 times the Gaussian’s density at 0, but heavier tails; “Tails” compares"),
        ({"hold": "variance"}, "With the same variance", "1.77 times the Gaussian’s density at 0, but heavier tails"),
        (
            {"hold": "tail", "t": "0"},
            "With the same density at 0",
            "the same density at 0 as the Gaussian, but heavier",
        ),
        ({"gaussian": "classical", "epsilon": "20"}, "At ε = 20, δ = 1e-6", "this Gaussian violates its guarantee"),
    ],
)
def test_densities_have_the_error_of_half_of_the_releases_and_the_heights_at_0(link, place, second):
    result = result_of(**link)
    half_laplace = result.noises.laplace.scale * math.log(2)
    half_gaussian = result.noises.gaussian.scale * stats.norm.isf(0.25)
    name = f"{link.get('gaussian', 'analytic')} Gaussian"
    first, meaning = density_text(result).split(". ", 1)
    widths = f"±{format_up(half_laplace)} (Laplace noise) and ±{format_up(half_gaussian)} ({name})"
    assert first == f"{place}, half of all errors are within {widths}"
    assert second in meaning
    middle = result.densities.iloc[len(result.densities) // 2]
    if "times" in second:
        assert f"has {middle.laplace_pdf / middle.gaussian_pdf:.3g} times" in meaning


def test_at_epsilon_0_the_page_says_that_laplace_has_no_answer():
    assert answer(epsilon="0") == (
        "At ε = 0 Laplace noise has no answer. It would have to be infinite, or nearly so: choose an ε of at least "
        "1e-12."
    )


def test_the_guarantees_have_different_names():
    assert "the probability of every set of outcomes by at most a factor e^ε" in text.GUARANTEES
    assert "odds" not in text.GUARANTEES


@pytest.mark.parametrize("key", GAUSSIAN.options)
def test_the_explanation_has_the_users_numbers_and_the_sources(key):
    link = {"gaussian": key, "epsilon": "0.5", "delta": "2e-5", "measure": list(MEASURE.options)[1]}
    sentences = explanation_text(result_of(hold="variance", **link))
    assert r"$b=\Delta_1/\varepsilon=1/0.5=2$" in sentences
    assert r"\sigma=\sqrt2\,b=2.829" in sentences
    assert {"analytic": "Theorem 8", "pdp": "Proposition 11", "classical": "Theorem A.1"}[key] in sentences
    assert r"\varepsilon=0.5,\ \delta=2\cdot10^{-5},\ \Delta_2=1" in explanation_text(result_of(**link))
    assert r"2\Phi(-t/\sigma)=e^{-t/b}=0.08208" in explanation_text(result_of(hold="tail", **link))


def test_the_names_of_queries_read_well():
    assert text.query_name("counts", 1e6) == "each of 1,000,000 counts of one person"


def test_variances_that_no_double_tells_the_ratio_of_are_compared_too():
    result = result_of(case="own", l1_sensitivity="1e100", l2_sensitivity="1e-100")
    assert text.answer_text(result)[1].startswith("Laplace’s variance is above 1.8e308 times the Gaussian’s;")
    assert all(exhibits_by_name(result, PAGE).values())


def test_numbers_that_are_shown_alike_make_no_winner():
    link = {"case": "own", "delta": "0.01"}
    laplaces, gaussians = (errors["accuracy"] for errors in result_of(**link).errors)
    even = result_of(**link, l1_sensitivity=repr(gaussians / laplaces * (1 - 1e-9)))
    assert "both noises have about the same error: ±3.681 (95 %)." in text.answer_text(even)[0]


def test_variances_that_differ_by_less_than_is_shown_are_about_the_same():
    result = result_of(case="own", l1_sensitivity="2.9864", l2_sensitivity="1")
    assert 1 < result.errors[1]["variance"] / result.errors[0]["variance"] < 1.005
    assert text.answer_text(result)[1].startswith("Both have about the same variance;")


def test_a_number_is_rounded_alike_in_all_places_and_never_flatters():
    result = result_of(k="2", epsilon="1/3", delta="1/3", t="1/3", hold="tail")
    pictures = exhibits_by_name(result, PAGE)
    title = figure_of(pictures["tails"])["layout"]["title"]["subtitle"]["text"]
    assert "ε = 0.3333334, δ = 0.3333334, Δ₁ = 2, Δ₂ = 1.414214" in title
    assert "same tail at t = 0.3333334" in title
    assert "Δ₂ = 1.414214: one person" in text.sensitivities_text(result.setting)
    assert (
        "ε = 0.3333334, δ = 0.3333334, Δ₁" in figure_of(pictures["statistics"])["layout"]["title"]["subtitle"]["text"]
    )
    assert html_of(exhibits_by_name(result_of(epsilon="1/3"), PAGE)["noises"]).count("<td>0.3333334</td>") == 4
    own = result_of(case="own", l1_sensitivity="2/3", l2_sensitivity="1/3")
    assert "Δ₁ = 0.6666666, Δ₂ = 0.3333333" in text.sensitivities_text(own.setting)
    assert r"\Delta_1/\varepsilon=0.6666666/1" in explanation_text(own)


def test_truncated_laplace_noise_and_the_least_of_any_noise_stand_beside_both_noises():
    table = html_of(exhibits_by_name(result_of(), PAGE)["noises"])
    cells = re.findall(r"<td[^>]*>(.*?)</td>", table)[14:]
    sizes = "A = 13.67, b = 1", "2", "1", "2.996", "1", "(ε, δ)-DP, δ = 1e-6"
    assert cells[:7] == [*sizes, f"✓ proved; the error never exceeds ±13.67; {NO_SAMPLER}"]
    assert cells[7:] == [
        "–",
        "≥ 1.917",
        "≥ 0.9594",
        "≥ 2.5",
        *sizes[4:],
        "a lower bound: no noise for one number has less",
    ]
    least = least_cost(1, 1e-6)
    assert least.lower >= 1.917 > 0.999 * least.lower
    assert "never beyond ±13.67." in text.alternative_text(result_of())
    assert "Truncated Laplace noise" in explanation_text(result_of())
    assert "runcated" not in html_of(exhibits_by_name(result_of(k="2"), PAGE)["noises"]) + explanation_text(
        result_of(k="2")
    )
    assert "≥" not in html_of(exhibits_by_name(result_of(epsilon="20", delta="0.9"), PAGE)["noises"])


def test_a_pinned_setting_is_compared_in_words_and_in_a_column_of_the_table():
    result = result_of(k="9", pinned="epsilon=0.5&k=2")
    assert text.answer_text(result)[2] == (
        "Compared with the pin (each of 2 counts of one person, ε = 0.5, δ = 1e-6, analytic Gaussian, same ε): Laplace "
        "±11.99 → ±26.97, analytic Gaussian ±22.34 → ±24.85, at 95 %."
    )
    table = html_of(exhibits_by_name(result, PAGE)["noises"])
    assert "<th scope='col'>± pinned</th>" in table
    assert "<td>±" not in table
    assert "<td>26.97</td><td>11.99</td>" in table
    assert "pinned" not in html_of(exhibits_by_name(result_of(), PAGE)["noises"])


def test_a_pinned_setting_may_have_another_formula_and_level_or_no_answer():
    sentences = text.answer_text(result_of(pinned="gaussian=pdp&significance=0.01&case=own&l1_sensitivity=3"))[2]
    assert sentences.startswith(
        "Compared with the pin (Δ₁ = 3, Δ₂ = 1, ε = 1, δ = 1e-6, pDP Gaussian, same ε): Laplace ±13.82 → ±2.996, "
    )
    assert "Gaussian ±12.86 → ±8.281, at 99 % → 95 %." in sentences
    assert text.answer_text(result_of(pinned="epsilon=0"))[2] == "Pinned: at ε = 0 Laplace noise has no answer."
    assert len(text.answer_text(result_of(epsilon="0", pinned="epsilon=1"))) == 2
