import math
import re
from functools import lru_cache

import pytest
from scipy import stats

from dpcore import laplace_gaussian
from dpcore.calibrations import ANALYTIC
from dpcore.gaussian import analytic_sigma
from dpcore.optimal_noise import least_cost
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout.section import Field, Fields
from pages.framework.parameters.kinds import FreeText, problem
from pages.framework.parameters.number_format import format_up
from pages.framework.rendering import packing
from pages.laplace_gaussian import text
from pages.laplace_gaussian.crossover.text import answer_text as crossover_answer
from pages.laplace_gaussian.crossover.text import crossover_text
from pages.laplace_gaussian.explanation import explanation_text
from pages.laplace_gaussian.page import PAGE as RECORD
from pages.laplace_gaussian.parameters import GAUSSIAN
from pages.laplace_gaussian.recommendation_text import recommendation_by_measure_text, recommendation_text
from pages.shared import mechanism_colours
from pages.shared.formulas import NO_SAMPLER
from pages.shared.shared_parameters import DELTAS, MEASURE
from tests.pages.conftest import exhibits_by_name, figure_of, found_by, html_of, read_link

PAGE = "laplace_gaussian"


@lru_cache(32)
def result_of(**link):
    return found_by(PAGE, **link)


def answer(**link):
    return " ".join(text.answer_text(result_of(**link)))


def test_the_answer_gives_the_winner_and_both_errors():
    assert answer() == (
        "For one count at ε = 1, δ = 1e-6, Laplace noise has the smaller error: ±2.996 against "
        "±8.281 (95 %). The Gaussian's variance is "
        "8.92 times Laplace's; Laplace noise satisfies pure ε-DP, the Gaussian satisfies (ε, δ)-DP."
    )


@pytest.mark.parametrize("measure", ["variance", "accuracy"])
def test_where_each_is_smaller_answers_by_the_crossover_then_by_the_error_of_the_query(measure):
    least = laplace_gaussian.crossover(ANALYTIC, measure, 0.5, 0.01, 0.05)
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


@pytest.mark.parametrize("link", [{"epsilon": "0"}, {"hold": "tail"}, {"gaussian": "classical", "epsilon": "20"}])
def test_where_nothing_is_compared_at_the_same_epsilon_the_section_has_the_answer_of_the_page(link):
    assert crossover_answer(result_of(**link)) == text.answer_text(result_of(**link))


@pytest.mark.parametrize(
    ("link", "place", "second"),
    [
        ({}, "At ε = 1, δ = 1e-6", "5.29 times the Gaussian’s density at 0, but heavier tails; “Errors” compares"),
        ({"hold": "variance"}, "With the same variance", "1.77 times the Gaussian’s density at 0, but heavier tails"),
        (
            {"hold": "tail", "t": "0"},
            "With the same density at 0",
            "the same density at 0 as the Gaussian, but heavier",
        ),
        ({"gaussian": "classical", "epsilon": "20"}, "At ε = 20, δ = 1e-6", "this Gaussian violates its guarantee"),
    ],
)
def test_density_answers_with_the_error_of_half_of_the_releases_and_the_heights_at_0(link, place, second):
    result = result_of(**link, section="density", pinned="epsilon=2")
    half_laplace = result.noises.laplace.scale * math.log(2)
    half_gaussian = result.noises.gaussian.scale * stats.norm.isf(0.25)
    name = f"{link.get('gaussian', 'analytic')} Gaussian"
    first, meaning, pinned = RECORD.answer_text(result)
    widths = f"±{format_up(half_laplace)} (Laplace noise) and ±{format_up(half_gaussian)} ({name})"
    assert first == f"{place}, half of all errors are within {widths}."
    assert second in meaning
    middle = result.densities.iloc[len(result.densities) // 2]
    if "times" in second:
        assert f"has {middle.laplace_pdf / middle.gaussian_pdf:.3g} times" in meaning
    assert pinned == text.answer_text(result)[2]
    assert RECORD.answer_text(result_of(epsilon="0", section="density")) == text.no_answer_text(
        result_of(epsilon="0").setting
    )


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
    assert "✗ But the classical Gaussian's σ violates its guarantee here" in crossover_text(result)
    matched = answer(gaussian="classical", epsilon="20", delta="1e-5", hold="variance")
    assert "the classical Gaussian violates ε = 68.52 at δ = 1e-5; Laplace noise satisfies ε = 20." in matched


def test_at_epsilon_0_the_page_says_that_laplace_has_no_answer():
    assert answer(epsilon="0") == (
        "At ε = 0 Laplace noise has no answer. It would have to be infinite, or nearly so: choose an ε of at least "
        "1e-12."
    )


def test_own_sensitivities_are_used():
    result = result_of(case="own", l1_sensitivity="12", l2_sensitivity="4")
    assert (
        "For your sensitivities at ε = 1, δ = 1e-6, the analytic Gaussian has the smaller error: ±33.13 against ±35.95"
        in text.answer_text(result)[0]
    )
    assert "there is no number of statistics to vary" in crossover_text(result)


def test_an_impossible_pair_is_corrected_before_the_link_is_written():
    read, problems = read_link(PAGE, case="own", l1_sensitivity="0.5", l2_sensitivity="1000")
    l1 = read["l1_sensitivity"]
    assert (l1.entry, l1.used, l1.value, problems) == ("0.5", "1000", 1000, [])
    assert l1.problem == (
        "ℓ₁ sensitivity (l1_sensitivity) must be at least the ℓ₂ sensitivity, 1,000; 0.5 was given. 1,000 is used "
        "instead."
    )
    assert read_link(PAGE, case="counts", l1_sensitivity="0.5")[0]["l1_sensitivity"].problem == ""


def test_a_histogram_does_not_depend_on_its_number_of_bins():
    result = result_of(case="histogram", l2_sensitivity="7")
    assert (
        "For a histogram at ε = 1, δ = 1e-6, Laplace noise has the smaller error: ±2.996 against ±8.281"
        in text.answer_text(result)[0]
    )
    assert "however many bins there are" in crossover_text(result)


def test_the_guarantees_have_different_names():
    assert "the probability of every set of outcomes by at most a factor e^ε" in text.GUARANTEES
    assert "odds" not in text.GUARANTEES


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"k": "2.5"}, "k (k) must be a whole number from 1 to 1e6; 2.5 was given. 1 is used instead."),
        ({"gaussian": "best"}, "Gaussian (gaussian) must be one of analytic, pdp, classical; best was given."),
    ],
)
def test_a_bad_value_of_a_link_is_named(link, sentence):
    _, (problem_text,) = read_link(PAGE, **link)
    assert sentence in problem_text


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


def test_lists_and_words_are_read_strictly():
    assert DELTAS.read(" 0.1, 0.2 ") == DELTAS.read("0.1;0,2") == (0.1, 0.2)
    for bad in ("", "1", "none", ",".join(f"0.{n}" for n in range(11, 18))):
        assert "1 to 6 different comma-separated numbers" in str(problem(DELTAS, bad))
    for bad, sentences in (
        ("0.1,,0.2", "number 2 must be from 1e-300 to below 1; nothing was given."),
        ("0.2, 0.1, 0.10", "number 3 must differ from those before; 0.10 was given."),
        ("0.5; 1,732", "number 2: 1,732 can be read as 1732 or as 1.732: write 1732 or 1.732."),
    ):
        assert problem(DELTAS, bad) == f"δ of the curves (deltas): {sentences}"
    unit = FreeText("unit", "unit", "people")
    assert unit.read("  US dollars ") == "US dollars"
    for bad in ("", "   ", "x" * 31, "a\nb", "\x00"):
        assert "a text of 1 to 30 printable characters" in str(problem(unit, bad))


def test_variances_that_no_double_tells_the_ratio_of_are_compared_too():
    result = result_of(case="own", l1_sensitivity="1e100", l2_sensitivity="1e-100")
    assert text.answer_text(result)[1].startswith("Laplace's variance is above 1.8e308 times the Gaussian's;")
    assert all(exhibits_by_name(result, PAGE).values())


def test_a_frontier_below_every_delta_is_not_shown_as_one():
    sentences = crossover_text(result_of(k="1e6"))
    assert "Δ₁ ÷ Δ₂ = 1,000 the Gaussian has the smaller variance at every δ from 1e-300 on." in sentences
    assert "above **δ" not in sentences


def test_numbers_that_are_shown_alike_make_no_winner():
    link = {"case": "own", "delta": "0.01"}
    laplaces, gaussians = (errors["accuracy"] for errors in result_of(**link).errors)
    even = result_of(**link, l1_sensitivity=repr(gaussians / laplaces * (1 - 1e-9)))
    assert "both noises have about the same error: ±3.681 (95 %)." in text.answer_text(even)[0]


def test_variances_that_differ_by_less_than_is_shown_are_about_the_same():
    result = result_of(case="own", l1_sensitivity="2.9864", l2_sensitivity="1")
    assert 1 < result.errors[1]["variance"] / result.errors[0]["variance"] < 1.005
    assert text.answer_text(result)[1].startswith("Both have about the same variance;")


def test_a_violated_guarantee_is_named_without_a_number_of_counts():
    sentences = crossover_text(result_of(case="histogram", gaussian="classical", epsilon="10", delta="0.4"))
    assert sentences.endswith("**✗ But the classical Gaussian's σ violates its guarantee here.**")


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
        "≥ 1.911",
        "≥ 0.9572",
        "≥ 2.5",
        *sizes[4:],
        "a lower bound: no noise for one number has less",
    ]
    least = least_cost(1, 1e-6, most_rows=800)
    assert least.lower >= 1.911 > 0.999 * least.lower
    assert "never beyond ±13.67." in text.alternative_text(result_of())
    assert "Truncated Laplace noise" in explanation_text(result_of())
    assert "runcated" not in html_of(exhibits_by_name(result_of(k="2"), PAGE)["noises"]) + explanation_text(
        result_of(k="2")
    )
    assert "≥" not in html_of(exhibits_by_name(result_of(epsilon="20", delta="0.9"), PAGE)["noises"])


def test_recommended_truncated_noise_has_its_hard_limit_and_its_price_in_the_text():
    sentences = recommendation_text(result_of(delta="0.05"))
    assert "truncated geometric noise, ±2. Its error never exceeds ±3; in exchange, a release" in sentences
    assert "identifies the person with probability at most δ." in sentences
    assert "never exceeds" not in recommendation_text(result_of())


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


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {},
            "At ε = 1 add geometric noise, ±3, which satisfies pure ε-DP; a δ of 1e-6 brings no notable gain. "
            "By variance, mean error and error at 95 %, Laplace noise is no larger than the analytic Gaussian.",
        ),
        (
            {"k": "20"},
            "At ε = 1 add geometric noise, ±60, for pure ε-DP; if (ε, δ)-DP with δ = 1e-6 is enough, discrete Gaussian "
            "noise, ±37. By variance, mean error and error at 95 %, the analytic Gaussian is smaller than Laplace "
            "noise.",
        ),
        (
            {"k": "9"},
            "are close: by variance and error at 95 %, the analytic Gaussian is smaller; by mean error, it is not.",
        ),
        (
            {"gaussian": "classical", "epsilon": "10", "delta": "1e-5"},
            "Do not use the compared σ: the classical Gaussian's violates its guarantee here.",
        ),
        (
            {"hold": "variance"},
            "With the same variance, the analytic Gaussian satisfies only ε = 3.308, and requires a δ",
        ),
        ({"hold": "tail", "t": "0", "epsilon": "1e6"}, "satisfies no ε up to 1e6: Laplace noise is better."),
        (
            {"gaussian": "classical", "epsilon": "2", "k": "30"},
            "The classical Gaussian's σ is unproved here; the analytic",
        ),
        ({"hold": "variance", "k": "50"}, "the analytic Gaussian satisfies the smaller ε, 0."),
    ],
)
def test_the_page_ends_in_which_noise_to_take(link, sentence):
    assert sentence in recommendation_text(result_of(**link))


def test_the_recommendation_compares_the_noises_by_the_measure_at_the_same_epsilon():
    by_mean = recommendation_by_measure_text(result_of(k="9", measure="mean_error", hold="tail"))
    assert "At ε = 1 add geometric noise, mean error 8.982, which satisfies pure ε-DP" in by_mean
    assert "By mean error, Laplace noise is no larger than the analytic Gaussian." in by_mean
    assert "By variance, the analytic Gaussian is smaller than" in recommendation_by_measure_text(
        result_of(k="9", hold="variance")
    )
    assert "violates its guarantee" in recommendation_by_measure_text(
        result_of(gaussian="classical", epsilon="10", delta="1e-5", k="20")
    )


def test_at_equal_tails_the_smaller_error_is_weighed_against_the_smaller_epsilon():
    result = result_of(t="5", k="20", epsilon="0.2", hold="tail")
    laplaces, gaussians = (errors["accuracy"] for errors in result.errors)
    assert (laplaces, gaussians) == (pytest.approx(299.573, abs=1e-3), pytest.approx(160.2247, abs=1e-3))
    assert result.noises.gaussian.epsilon > 0.2
    half_widths = f"has the smaller error: ±{format_up(gaussians)} against ±{format_up(laplaces)} (95 %)"
    assert f"{half_widths}. Laplace noise has the stronger guarantee here." in recommendation_text(result)
    other = result_of(t="40", hold="tail")  # the tail far out: the Gaussian keeps a smaller ε and has the larger error
    assert other.noises.gaussian.epsilon < 1
    assert other.errors[1]["accuracy"] > other.errors[0]["accuracy"]
    assert "satisfies the smaller ε" in recommendation_text(other)
    assert "but has the larger error: ±" in recommendation_text(other)
    assert "Laplace noise is better." in recommendation_text(result_of(t="15", hold="tail"))


def test_at_the_distance_0_it_is_the_density_that_both_noises_share():
    """Both tails are 1 there whatever σ is; the σ of the limit has Laplace's density at 0, 1/(2b)."""
    result = result_of(hold="tail", t="0")
    assert float(stats.norm.pdf(0, scale=result.noises.gaussian.scale)) == pytest.approx(
        0.5 / result.noises.laplace.scale, rel=1e-9
    )
    assert "With equal density at 0, the analytic Gaussian satisfies" in text.answer_text(result)[0]
    assert "same density at 0" in recommendation_text(result)
    assert "tail at t = 0" not in text.answer_text(result)[0] + recommendation_text(result)


@pytest.mark.parametrize("link", [{"view": "tails"}, {"case": "own", "k": "3", "l1_sensitivity": "2", "hold": "tail"}])
def test_a_parameter_without_a_field_in_a_section_changes_nothing_there(link):
    changed = {"epsilon": "0.7", "delta": "0.01", "k": "6", "t": "7", "l2_sensitivity": "1.5", "l1_sensitivity": "4"}
    changed |= {"significance": "0.2", "seed": "5", "measure": "mean_error"}
    for name, section in RECORD.section_by_key.items():
        parts = list(section.parts(result_of(**link), mechanism_colours.COLOURS["light"]))
        fields = [field for part in parts if isinstance(part, Fields) for field in part.fields]
        used = {
            field.parameter.key if isinstance(field, Field) else field.key
            for field in (*section.controls(result_of(**link)), *fields)
        }
        expected = pictures(section, result_of(**link))
        for key in changed.keys() - used - {"significance"}:
            assert pictures(section, result_of(**link | {key: changed[key]})) == expected, (name, key)


def pictures(section, result):
    parts = section.parts(result, mechanism_colours.COLOURS["light"])
    return [packing.pack({"picture": part.picture}) for part in parts if isinstance(part, Exhibit)]
