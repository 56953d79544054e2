import doctest
import math
import re
from functools import lru_cache
from itertools import product
from urllib.parse import parse_qsl

import numpy as np
import pytest

from dpcore import accuracy as core
from dpcore import staircase, truncated_laplace, verify
from dpcore.accuracy import RULES, geometric_accuracy, laplace_accuracy
from dpcore.sensitivity import query_sensitivity
from pages.accuracy import explanation, recommendation
from pages.accuracy import text as accuracy_text
from pages.accuracy.error import text
from pages.accuracy.page import PAGE as PAGE_RECORD
from pages.accuracy.parameters import QUERY
from pages.accuracy.records import text as records_text
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.shared import formulas, mechanism_colours, site_map
from pages.shared.error_text import beyond, within
from tests.pages.conftest import drawn, found_by, html_of, read_link

PAGE = "accuracy"


@lru_cache(32)
def result_at(**link):
    return found_by(PAGE, **link)


def answer(**link):
    return " ".join(PAGE_RECORD.answer_text(result_at(**link)))


def recommended(**link):
    return text.recommendation_text((result := result_at(**link)).rows, result.setting)


def readings(**link):
    return explanation.geometric_readings_text((result := result_at(**link)).rows, result.setting)


def records(**link):
    return answer(section="records", **link)


def row_of(name, table="mechanisms", **link):
    html = html_of(drawn(result_at(**({"mechanisms": "all"} | link)), PAGE)[table])
    row = re.search(rf"<tr><th scope='row'>{re.escape(name)}</th>(.*?)</tr>", html)
    assert row is not None
    return re.findall(r"<td[^>]*>(.*?)</td>", row[1])


def used(**link):
    return {key: reading.used for key, reading in read_link(PAGE, **link)[0].items()}


def test_the_examples_of_the_docstrings_hold():
    failed, tried = doctest.testmod(accuracy_text)
    assert (failed, tried) == (0, 1)


def test_the_answer_comes_first_with_both_shares_of_releases_and_both_guarantees():
    assert answer() == (
        "At ε = 1, at least 95 of 100 releases fall within ±3 people of the truth with geometric noise. "
        "This satisfies pure ε-DP; analytic Gaussian noise has ±8.281 people under (ε, δ)-DP with δ = 1e-6."
    )


def test_with_the_error_known_the_answer_is_the_epsilon_that_reaches_it():
    assert answer(known="accuracy", accuracy="3") == (
        "An error within ±3 people in 95 of 100 releases requires ε = 0.8319 with geometric noise. "
        "This satisfies pure ε-DP; analytic Gaussian noise requires ε = 3.029 under (ε, δ)-DP with δ = 1e-6."
    )
    assert core.geometric_accuracy(0.8319, 0.05) <= 3 < core.geometric_accuracy(0.8318, 0.05)
    assert (
        core.half_width(core.ANALYTIC, 3.029, 0.05, 1, 1e-6) <= 3 < core.half_width(core.ANALYTIC, 3.028, 0.05, 1, 1e-6)
    )


def test_the_answer_names_the_pure_noise_that_can_be_added_safely():
    assert "±0 people of the truth with geometric noise" in answer(epsilon="5")
    assert "±0.005992 units of the truth with Laplace noise" in answer(query="mean", epsilon="5", high="10")


def test_an_error_that_only_an_epsilon_above_a_million_reaches_is_answered_in_words():
    sentences = answer(known="accuracy", accuracy="1e-9", query="own", l1_sensitivity="√3", l2_sensitivity="1/3")
    assert "ε above 1e6 with Laplace" in sentences
    assert "Gaussian noise requires ε above 1e6 under" in sentences


def test_what_was_given_is_shown_exactly_or_to_seven_digits_on_the_safe_side():
    sentences = answer(epsilon="√3", delta="1/3")
    assert "At ε = 1.732051," in sentences
    assert "δ = 0.3333334." in sentences
    assert "±1.732051 people" in answer(known="accuracy", accuracy="√3")


@pytest.mark.parametrize(
    ("significance", "sentences"),
    [
        ("1e-6", "all but at most 1 of 1,000,000 releases fall within"),
        ("1e-300", "all but at most 1 of 1e300 releases fall within"),
        ("0.999", "at least 1 of 1,000 releases falls within"),
        ("0.33333333", "at least 66.66 % of releases fall within"),
    ],
)
def test_the_share_of_releases_is_said_in_words_that_are_right_for_any_significance(significance, sentences):
    assert sentences in answer(significance=significance)


def test_a_share_in_words_never_flatters():
    for significance in (*np.random.default_rng(1).uniform(0, 1, 300), 1e-5, 0.12345, 1.23456e-7, 1 - 2**-53):
        kept, missed = within(float(significance)), beyond(float(significance))
        if "%" in kept and kept.startswith("at least"):
            assert float(kept.split()[2]) / 100 <= 1 - significance + 1e-16
        if "%" in missed:
            assert float(missed.split()[2]) / 100 >= significance * (1 - 1e-13)


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ({"query": "count"}, "**Δ₁ = Δ₂ = 1 person**: adding or removing one record changes the number"),
        (
            {"query": "count", "neighbours": "replace"},
            "**Δ₁ = Δ₂ = 1 person**: replacing one record changes the number",
        ),
        ({"query": "sum", "low": "-200"}, "**Δ₁ = Δ₂ = 200 units** = the larger of |lo| and |hi|, of (−200) and 100"),
        ({"query": "sum", "low": "−5", "neighbours": "replace"}, "**Δ₁ = Δ₂ = 105 units** = hi − lo = 100 − (−5)"),
        ({"query": "sum", "low": "-250.5"}, "**Δ₁ = Δ₂ = 250.5 units**"),
        ({"query": "mean"}, "n is taken as a public lower bound of that number"),
        (
            {"query": "mean", "neighbours": "replace"},
            "**Δ₁ = Δ₂ = 0.1 units** = (hi − lo) ÷ n = (100 − 0) ÷ 1,000: replacing one record changes the mean by at "
            "most that. n is taken as public.",
        ),
        ({"query": "mean", "n_records": "3"}, "**Δ₁ = Δ₂ = 33.33334 units** = (hi − lo) ÷ n = (100 − 0) ÷ 3"),
        ({"query": "proportion", "n_records": "50"}, "**Δ₁ = Δ₂ = 0.02** = 1 ÷ 50: adding or removing one record"),
        ({"query": "histogram"}, "**Δ₁ = Δ₂ = 1 person**: a record is in one cell"),
        ({"query": "histogram", "neighbours": "replace"}, "**Δ₁ = 2 people, Δ₂ = √2**: the record leaves one cell"),
        ({"query": "own", "l1_sensitivity": "5", "l2_sensitivity": "2"}, "**Δ₁ = 5 units, Δ₂ = 2 units**, as you"),
    ],
)
def test_the_sensitivity_follows_from_the_query_and_is_shown_with_its_reason(link, reason):
    sentences = result_at(**link).setting.sensitivity_text
    assert reason in sentences


def test_sampling_error_is_named_for_a_mean_and_a_proportion_only():
    for name in QUERY.options:
        assert ("not of sampling" in result_at(query=name).setting.sensitivity_text) == (name in ("mean", "proportion"))


def test_an_own_l1_sensitivity_below_the_l2_one_is_corrected_before_the_link_is_written():
    link = {"query": "own", "l1_sensitivity": "1", "l2_sensitivity": "2"}
    l1 = read_link(PAGE, **link)[0]["l1_sensitivity"]
    assert l1.problem == (
        "ℓ₁ sensitivity (l1_sensitivity) must be at least the ℓ₂ sensitivity, 2; 1 was given. 2 is used instead."
    )
    assert (l1.entry, l1.used) == ("1", "2")
    assert row_of("Laplace", **link)[1] == "5.992"


@pytest.mark.parametrize(
    ("low", "high", "sentence"),
    [
        ("5", "5", "lo must be below hi: lo = 5 and hi = 5 were given. 0 and 100 are used instead."),
        ("9", "-3", "lo must be below hi: lo = 9 and hi = −3 were given. 0 and 100 are used instead."),
        ("0", "1e-40", "high − low must be from 1e-30 to 2e15: lo = 0 and hi = 1e-40 were given."),
    ],
)
def test_bounds_that_are_no_range_are_corrected_before_the_link_is_written(low, high, sentence):
    read, problems = read_link(PAGE, query="sum", low=low, high=high)
    assert problems == []
    for key, entry, instead in (("low", low, "0"), ("high", high, "100")):
        assert (read[key].entry, read[key].used) == (entry, instead)
        assert sentence in read[key].problem
    assert "**Δ₁ = Δ₂ = 100 units**" in result_at(query="sum", low=low, high=high).setting.sensitivity_text
    for query in ("count", "proportion", "histogram", "own"):
        assert used(query=query, low=low, high=high)["high"] == high


@pytest.mark.parametrize(
    ("link", "whole"),
    [
        ({"query": "count"}, True),
        ({"query": "histogram", "neighbours": "replace"}, True),
        ({"query": "sum"}, True),
        ({"query": "sum", "high": "99.5"}, False),
        ({"query": "mean"}, False),
        ({"query": "proportion"}, False),
        ({"query": "own"}, False),
    ],
)
def test_geometric_noise_is_offered_only_where_answers_are_whole(link, whole):
    for name in ("Geometric, exact", "Geometric, as published"):
        assert (row_of(name, **link)[-1] == "needs whole-numbered answers") != whole
    sentences = readings(**link)
    assert ("in three readings" in sentences) == whole
    assert ("the values themselves must be whole numbers" in sentences) == (whole and link["query"] == "sum")


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ({"query": "own"}, "whether those of your own query are whole is not known here"),
        ({"query": "mean"}, "a mean has others"),
        ({"query": "sum", "low": "0.5"}, "the lo and hi of this sum are not both whole"),
        ({"query": "sum", "low": "-1e15", "high": "1e15", "neighbours": "replace"}, "it moves this one by more"),
    ],
)
def test_why_geometric_noise_has_no_answer_is_true_of_the_query(link, why):
    assert why in readings(**link)


def test_a_sum_beyond_what_whole_numbered_noise_takes_is_not_said_to_have_other_answers():
    link = {"query": "sum", "low": "-1e15", "high": "1e15", "neighbours": "replace"}
    assert row_of("Geometric, exact", **link)[-1] == "for Δ₁ of at most 1e15 only"


@pytest.mark.parametrize(
    ("link", "single"),
    [
        ({"query": "histogram", "neighbours": "replace"}, False),
        ({"query": "histogram"}, True),
        ({"query": "own", "l1_sensitivity": "2"}, False),
        ({"query": "own", "l1_sensitivity": "1"}, True),
    ],
)
def test_staircase_noise_is_offered_for_a_single_number_only(link, single):
    verdict = row_of("Staircase, least variance", **link)[-1]
    assert verdict == (
        f"✓ proved; {formulas.NO_SAMPLER}" if single else "for one number only: with several, each may spend ε"
    )


def test_the_table_gives_every_mechanism_at_epsilon_rounded_up():
    cells = {rule.key: row_of(rule.name) for rule in RULES if rule.key != "classical_tight"}  # it shares a row
    assert cells["laplace"] == ["ε-DP", "2.996", "✓ proved"]
    assert cells["geometric"][1] == cells["geometric_published"][1] == "3"
    assert cells["analytic"][:2] == ["(ε, δ)-DP", "8.281"]
    assert cells["pdp"] == ["(ε, δ)-pDP", "9.784", "✓ proved, for probabilistic DP, which implies DP"]
    assert cells["classical"][1] == "10.39"


def test_with_the_error_known_the_table_gives_the_epsilon_too_and_judges_it():
    link = {"known": "accuracy", "accuracy": "3"}
    assert row_of("Laplace", **link) == ["ε-DP", "0.9986", "✓ proved"]
    assert row_of("Classical Gaussian", **link)[1] == "3.462"
    assert "outside its theorem" in row_of("Classical Gaussian", **link)[-1]
    assert row_of("Classical Gaussian", known="accuracy", accuracy="50")[-1] == "✓ proved"


@pytest.mark.parametrize(
    ("link", "verdict"),
    [
        ({"epsilon": "0.5"}, "✓ proved"),
        ({"epsilon": "1"}, "! outside its theorem; true δ here 3.2e-9, within target"),
        ({"epsilon": "10", "delta": "1e-5"}, "✗ FAILS: true δ 2.266e-5 for a target of 1e-5"),
        ({"epsilon": "0"}, "not defined at ε = 0"),
        ({"known": "accuracy", "accuracy": "1e-9"}, "requires ε above 1e6, which protects nobody"),
        ({"known": "accuracy", "accuracy": "0.9", "delta": "1e-5"}, "✗ FAILS: true δ 2.977e-5 for a target of 1e-5"),
    ],
)
def test_the_classical_formula_gets_a_verdict_in_words(link, verdict):
    assert row_of("Classical Gaussian", **link)[-1] == verdict


def test_the_published_geometric_inverse_is_caught_where_it_falls_short():
    link = {"known": "accuracy", "accuracy": "2.999", "significance": "0.5"}
    assert row_of("Geometric, as published", **link)[-1] == "! falls short: at this ε its ± is 3, not 2.999"
    assert row_of("Geometric, exact", **link)[-1] == "✓ proved"


def test_the_three_geometric_readings_are_given_with_why_they_differ():
    sentences = readings(significance="0.01")
    assert "4.606 before the ceiling, which is Laplace's value, 5 as published, 4 exactly" in sentences
    assert "3.02 is published as 4" in sentences
    assert "§0.1" in sentences
    assert "ε = 1.536 as published" in readings(significance="0.01", known="accuracy", accuracy="3")
    assert "is not available at ε = 0." in readings(epsilon="0")


def test_truncated_laplace_noise_has_its_hard_limit_in_the_table():
    verdict = row_of("Truncated Laplace")[-1]
    assert verdict == f"✓ proved; the error never exceeds ±13.67; {formulas.NO_SAMPLER}"
    assert row_of("Truncated Laplace", query="own", l1_sensitivity="2")[-1].startswith("for one number only")
    mean = recommended(query="mean", promise="delta", delta="0.05")
    assert f"Truncated Laplace noise would have ±0.2281 units, but has {formulas.NO_SAMPLER}." in mean


def test_what_truncated_geometric_noise_spends_its_delta_on_is_said_and_verified():
    link = {"promise": "delta", "delta": "0.05"}
    advice = recommended(**link)
    assert "add truncated geometric noise with N = 3 and s = 1, Pr(k) ∝ e^(−|k|/s) for |k| ≤ N" in advice
    assert "The error never exceeds ±3 people." in advice
    assert "with probability at most 0.05 a release identifies the person." in advice
    for query in ({}, {"query": "histogram", "neighbours": "replace", "epsilon": "0.05"}):
        claims = list(PAGE_RECORD.section_by_key["accuracy"].claims(result_at(**link | query)))
        truncated = [claim for claim in claims if claim.function.startswith("truncated_geometric")]
        assert len(truncated) == 3
        for claim in truncated:
            assert verify.proved(getattr(verify, claim.function)(**claim.arguments), claim.upper_bound)


@pytest.mark.parametrize("epsilon", ["0", "9e-13", "1e-300"])
def test_at_epsilon_0_only_noise_with_a_delta_answers(epsilon):
    link = {"epsilon": epsilon, "delta": "0.001"}
    assert "at least 95 of 100 releases fall within ±782 people" in answer(**link)
    verdicts = [row_of(rule.name, **link)[-1] for rule in RULES]
    assert verdicts.count(f"not defined at ε = {epsilon}") == len(RULES) - 2
    assert row_of("Truncated Laplace", **link)[1] == "475"  # 0.95 of the 500 of uniform noise


def test_where_no_noise_can_be_held_by_numbers_the_page_says_so():
    assert "the noise that the guarantee requires is too large to compute" in answer(
        epsilon="0", delta="1e-300", query="sum", high="1e15"
    )
    link = {"known": "accuracy", "accuracy": "1e-100", "query": "own"}
    link |= {"l1_sensitivity": "1e100", "l2_sensitivity": "1e100"}
    assert "analytic Gaussian noise is not available here" in answer(**link)
    assert row_of("pDP Gaussian", **link)[-1] == "not available: too large to compute"


def test_a_proportion_has_no_unit_but_is_a_share_of_1():
    assert "±0.002996 of the truth" in answer(query="proportion")
    assert "share of 1" in html_of(drawn(result_at(query="proportion"), PAGE)["mechanisms"])


def test_the_sample_size_is_the_least_n_that_reaches_the_accuracy():
    sentences = records(query="mean", accuracy="0.5")
    assert (
        "±0.5 units for 95 of 100 releases at ε = 1 requires 600 records with Laplace noise (pure ε-DP)." in sentences
    )
    for n, kept in ((600, True), (599, False)):
        size = query_sensitivity("mean", "replace", 0, 100, n).l1
        assert (core.laplace_accuracy(1, 0.05, size) <= 0.5) == kept


def test_where_the_sensitivity_does_not_fall_with_the_records_there_is_no_such_section():
    for name in QUERY.options:
        result = result_at(query=name, section="records")
        there = name in ("mean", "proportion")
        assert PAGE_RECORD.section_by_key["records"].is_available(result) == there
        assert result.setting.section == ("records" if there else "accuracy")
        assert not any(reading.problem for reading in read_link(PAGE, query=name, section="records")[0].values())


def test_an_accuracy_as_wide_as_the_range_takes_no_record():
    assert "is as wide as the whole range" in records(query="proportion", accuracy="1")
    result = result_at(query="proportion", accuracy="1")
    assert records_text.recommendation_text(result.least_records, result.setting) == ""


def test_a_sample_size_at_epsilon_0_is_that_of_the_analytic_gaussian():
    link = {"query": "mean", "epsilon": "0", "accuracy": "3"}
    sentences = records(delta="0.001", **link)
    assert "requires 26,070 records with the analytic Gaussian" in sentences
    assert "no practical number of records is enough for" in records(delta="1e-300", **link)
    assert "requires 1 record with Laplace" in records(query="mean", epsilon="1e6", accuracy="50")


def test_what_to_do_about_records_goes_by_the_guarantee_and_the_n_there_is():
    def advice(**link):
        result = result_at(**({"query": "mean", "accuracy": "0.5"} | link))
        return records_text.recommendation_text(result.least_records, result.setting)

    assert advice() == (
        "**What to do: use Laplace noise, with at least 600 records**; with your n = 1,000, this is sufficient."
    )
    assert "with your n = 599, collect more" in advice(n_records="599")
    assert "A δ > 0 would save no records" in advice(promise="delta")
    low = {"epsilon": "0.001", "delta": "0.1"}
    assert "use the analytic Gaussian, with at least" in advice(promise="delta", **low)
    assert "use Laplace noise, with at least 599,200 records" in advice(**low)
    assert "at so small an ε pure ε-DP requires an impractical" in advice(epsilon="0", delta="0.001")


def test_the_explanation_has_formulas_with_the_users_numbers_and_their_sources():
    sentences = PAGE_RECORD.explanation_text(
        result_at(epsilon="0.5", delta="2e-5", query="sum", neighbours="replace", high="40")
    )
    assert r"\frac{40}{0.5}\ln\frac1{0.05}=239.7" in sentences
    for rule in RULES:
        assert rule.theorem in sentences
    assert "Neighbours: replace one record" in sentences
    sentences = PAGE_RECORD.explanation_text(result_at(query="own", epsilon="0", l1_sensitivity="3"))
    assert "Here: needs whole-numbered answers" in sentences
    assert "Here: not available at this ε" in sentences


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"known": "delta"}, "what you know (known) must be one of epsilon, accuracy; delta was given."),
        ({"accuracy": "0"}, "accuracy (accuracy) must be from 1e-100 to 1e100; 0 was given. ±3 is used instead."),
        ({"unit": "  "}, "unit of the query (unit) must be a text of 1 to 30 printable characters; nothing was given."),
        ({"query": "median"}, "query (query) must be one of count, sum, mean, proportion, histogram, own;"),
        ({"neighbours": "both"}, "neighbours (neighbours) must be one of add_remove, replace; both was given."),
        ({"low": "-1e16"}, "lo (low) must be from −1e15 to 1e15; -1e16 was given. 0 is used instead."),
        (
            {"high": "inf"},
            "hi (high) must be from −1e15 to 1e15; inf was given, which is not a number. 100 is used instead.",
        ),
        ({"n_records": "2.5"}, "n (n_records) must be a whole number from 1 to 1e12; 2.5 was given."),
        ({"l1_sensitivity": "0"}, "ℓ₁ sensitivity (l1_sensitivity) must be from 1e-100 to 1e100; 0 was given."),
    ],
)
def test_a_link_value_that_cannot_be_used_is_named_with_what_is_used_instead(link, sentence):
    _, (sentences,) = read_link(PAGE, **link)
    assert sentence in sentences
    assert "accuracy" in drawn(result_at(**link), PAGE)


def test_whole_numbered_noise_that_misses_less_often_than_the_level_is_said_to_miss_at_most_so():
    assert core.geometric_accuracy(10, 2e-4) == 0  # so far fewer than 5 of 100 releases miss
    assert "within ±0 people" in answer(epsilon="10")
    assert "at least 95 of 100 releases fall" in answer(epsilon="10")
    assert "at least 66.66 % of releases fall" in answer(significance="0.33333333")
    rare = answer(epsilon="10", significance="1e-5", query="histogram")
    assert "within ±1 people" in rare
    assert "all but at most 1 of 100,000 releases fall" in rare


def test_an_epsilon_above_a_million_reads_well_in_each_reading_of_geometric_noise():
    sentences = readings(known="accuracy", accuracy="1e-100")
    assert "**Geometric noise for ±1e-100**: ε above 1e6 as published, ε = 3.664 exactly." in sentences


@pytest.mark.parametrize(
    ("link", "suggested"),
    [
        ({}, "±3"),
        ({"query": "histogram"}, "±3"),
        ({"query": "sum", "high": "250"}, "±800"),
        ({"query": "sum", "high": "50", "low": "50"}, "±300"),
        ({"query": "mean"}, "±1"),
        ({"query": "mean", "low": "-1", "high": "1"}, "±0.02"),
        ({"query": "proportion"}, "±0.01"),
        ({"query": "own", "l1_sensitivity": "0.2", "l2_sensitivity": "0.1"}, "±0.6"),
        ({"query": "own", "l1_sensitivity": "1", "l2_sensitivity": "2"}, "±6"),
        ({"query": "own", "l1_sensitivity": "1e100"}, "±1e100"),
        ({"query": "proportion", "accuracy": "±7"}, "±0.01"),
        ({"query": "proportion", "accuracy": "3"}, "3"),
        ({"query": "mean", "accuracy": "0.25"}, "0.25"),
    ],
)
def test_an_accuracy_that_nobody_typed_fits_the_query_and_one_that_was_typed_stays(link, suggested):
    read, problems = read_link(PAGE, **link)
    assert (read["accuracy"].used, read["accuracy"].problem, problems) == (suggested, "", [])
    assert result_at(**link).setting.accuracy == float(suggested.removeprefix("±"))


def test_what_to_do_goes_by_the_guarantee_that_is_ticked():
    assert recommended() == (
        "**What to do: add geometric noise of scale s = 1, Pr(k) ∝ e^(−|k|/s)**, for ±3 people. Its error equals "
        "±2.996 "
        "people of Laplace noise within 1 % or to the nearest whole number; results are integers and can be sampled "
        "exactly, which rules out floating-point attacks."
    )
    assert "add geometric noise of scale s = 1" in recommended(promise="delta")
    own = {"query": "own", "l1_sensitivity": "20"}
    assert "add Laplace noise of scale b = 20**" in recommended(**own)
    assert recommended(promise="delta", **own) == (
        "**What to do: add analytic Gaussian noise of standard deviation σ = 4.225**, for ±8.281 units. Among "
        "the noises here that satisfy the guarantee and have a floating-point-safe sampler, it has the smallest ±."
    )
    assert "±8.281 units of the truth with analytic Gaussian noise. " in answer(promise="delta", **own)
    assert "Laplace noise, under pure ε-DP, has ±59.92 units." in answer(promise="delta", **own)
    assert "add geometric noise of scale s = 1.202068, Pr(k) ∝ e^(−|k|/s)**, for ε = 0.8319" in recommended(
        known="accuracy"
    )


@pytest.mark.parametrize("rule", RULES, ids=[each.key for each in RULES])
@pytest.mark.parametrize("link", [{}, {"epsilon": "5"}, {"known": "accuracy", "accuracy": "3"}])
def test_the_noise_is_named_with_all_parameters_that_it_takes_to_add_it(rule, link):
    """From the numbers of the sentence alone the noise has the ε that is shown, and the ± to four digits."""
    result = result_at(query="count", **link)
    answer = result.rows[rule.key]
    sentences = text.noise_parameters(answer, result.setting)
    numbers = [float(row.replace(",", "")) for row in re.findall(r"= ([\d.,]*\d)", sentences)]
    epsilon = float(format_up(answer.epsilon)) if result.setting.target else result.setting.epsilon
    reach = result.setting.target or answer.half_width
    if rule.family == "staircase":
        width, at, gamma = numbers
        assert (width, at) == (1, epsilon)
        assert float(staircase.half_width(0.05, at, gamma, width)) <= reach * (1 + 1e-3)
        return
    if rule.family == "truncated_laplace":
        scale, bound = numbers
        assert truncated_laplace.delta_from_bound(epsilon, bound, scale) <= result.setting.delta
        assert float(truncated_laplace.half_width(0.05, bound, scale)) <= reach * (1 + 1e-3)
        return
    (scale,) = numbers
    if rule.family == "gaussian":
        sigma = float(rule.scale(epsilon, result.setting.delta, 1.0))
        assert sigma <= scale <= sigma * (1 + 1e-3)
        return
    assert 1 / scale <= epsilon * (1 + 1e-15)
    half_width = laplace_accuracy if rule.family == "laplace" else geometric_accuracy
    assert float(half_width(1 / scale, 0.05)) <= reach * (1 + 1e-3)


def test_the_formula_of_staircase_noise_has_the_gamma_that_it_is_added_with():
    result = result_at(query="mean", epsilon="5", high="10")
    for key, gamma in (
        ("staircase", staircase.variance_gamma(5.0)),
        ("staircase_mean", staircase.mean_error_gamma(5.0)),
    ):
        (rule,) = (row for row in RULES if row.key == key)
        formula = formulas.half_width(rule, result.setting, "0.01", result.rows[key].half_width)
        assert rf"\gamma={format_nearest(float(gamma), 6)}" in formula
    assert float(staircase.mean_error_gamma(5.0)) == pytest.approx(1 / (1 + math.exp(2.5)), rel=1e-12)


def test_a_mean_moves_by_its_sensitivity_at_most_for_every_number_of_records_from_n_on():
    """Under add or remove n is a lower bound: the larger data set has n + 1 records or more."""
    l1 = float(query_sensitivity("mean", "add_remove", 0, 100, 3).l1)
    for size in (3, 4, 50):
        records = np.zeros(size)
        assert abs(np.append(records, 100).mean() - records.mean()) <= l1
    assert "the exact number must not be published" in result_at(query="mean").setting.sensitivity_text
    assert "lower bound" not in result_at(query="mean", neighbours="replace").setting.sensitivity_text


def test_what_to_do_without_an_answer_of_pure_dp_or_of_any_noise_is_true():
    link = {"epsilon": "0", "delta": "0.001"}
    assert "not pure ε-DP: no noise is available" in recommended(**link)
    assert recommended(promise="delta", **link).endswith("No noise is available for pure ε-DP at so small an ε.")
    assert "raise ε or δ" in recommended(epsilon="0", delta="1e-300", query="sum", high="1e15")
    assert "accept a larger error" in recommended(known="accuracy", accuracy="1e-9", query="own", l1_sensitivity="2")


def test_the_recommended_noise_is_the_least_of_those_that_satisfy_the_guarantee():
    for query, neighbours, guarantee in product(QUERY.options, ("add_remove", "replace"), ("pure", "delta")):
        for epsilon in ("0.01", "1", "8"):
            result = result_at(
                query=query, neighbours=neighbours, promise=guarantee, epsilon=epsilon, l1_sensitivity="9"
            )
            rivals = [
                row for row in result.rows.values() if guarantee == "delta" or row.calibration.guarantee == "ε-DP"
            ]
            safe = [row for row in rivals if row.status == "proved" and row.calibration.family != "staircase"]
            least = min(np.ceil(row.half_width - 0.5) if result.setting.facts.whole else row.half_width for row in safe)
            assert recommendation.recommended_row(result.rows, result.setting).row.half_width <= least * 1.01


@pytest.mark.parametrize("query", ["count", "histogram", "sum"])
@pytest.mark.parametrize("guarantee", ["pure", "delta"])
def test_accuracy_and_tables_recommend_the_same_noise(query, guarantee):
    for epsilon, delta, high, neighbours in product(
        ("0", "0.003", "0.3", "1", "5", "30"), ("1e-9", "0.01"), ("1", "10"), ("add_remove", "replace")
    ):
        if query == "histogram" and high != "1":
            continue
        link = {"epsilon": epsilon, "delta": delta, "promise": guarantee, "neighbours": neighbours}
        result = result_at(query=query, high=high, **link)
        moved = {"table": "size", "cells": "2", "error": "each", "per_cell": high if query == "sum" else "1"}
        one_cell = {"cells": "1", "neighbours": "add_remove"} if query != "histogram" else {}
        there = found_by("tables", **(link | moved | one_cell)).recommendation
        key = recommendation.recommended_row(result.rows, result.setting).row.calibration.key
        if there is None:
            assert guarantee == "pure"
            assert key == "discrete_gaussian"
        else:
            assert key == there.mechanism.key


@pytest.mark.parametrize("accuracy", ["0.3", "0.9", "3", "3.9", "40", "1000"])
def test_at_a_wanted_error_the_noise_is_that_of_tables_at_the_least_epsilon_that_reaches_it(accuracy):
    result = result_at(known="accuracy", accuracy=accuracy)
    best = recommendation.recommended_row(result.rows, result.setting).row
    assert best.calibration.key == "geometric"
    assert best.sufficient_half_width <= float(accuracy)
    assert best.epsilon == pytest.approx(float(core.geometric_epsilon(float(accuracy), 0.05)), rel=1e-12)


def test_noise_that_nobody_can_add_safely_is_named_and_not_recommended():
    sentences = recommended(query="own", epsilon="5", l1_sensitivity="10", l2_sensitivity="10")
    assert sentences.startswith("**What to do: add Laplace noise of scale b = 2**, for ±5.992 units.")
    assert "Staircase noise would have ±1.438 units, but has no published floating-point-safe sampler." in sentences
    assert row_of("Staircase, least variance", query="own", l1_sensitivity="10", l2_sensitivity="10")[-1] == (
        f"✓ proved; {formulas.NO_SAMPLER}"
    )


def test_beside_a_kept_setting_each_answer_says_what_has_changed():
    pin = "epsilon=2&query=mean&accuracy=0.5"
    assert answer(query="mean", epsilon="1", pinned=pin).endswith(
        "Compared with the pin (mean, ε = 2, δ = 1e-6, 95 % of releases): "
        "ε = 2 → ε = 1, ±0.1498 units → ±0.2996 units, "
        "Laplace noise."
    )
    changes = "n 300 → 300 with Laplace noise, n 875 → 829 with the analytic Gaussian."
    assert records(query="mean", accuracy="1", pinned=pin).endswith(changes)
    changes = "ε = 2 → ε = 0.8319, ±1 people → ±3 people, geometric noise."
    assert answer(known="accuracy", pinned="epsilon=2").endswith(changes)


def test_a_guarantee_that_is_hardly_one_is_not_recommended_without_a_word():
    assert "guarantees little: accept a larger error" in recommended(known="accuracy", accuracy="1e-4", query="own")
    assert "guarantees little" not in recommended(known="accuracy")
    assert "guarantees little" in recommended(epsilon="20")


@pytest.mark.parametrize("guarantee", ["pure", "delta"])
def test_a_histogram_leads_to_the_page_of_tables_at_its_own_setting(guarantee):
    asked = {"epsilon": "1/3", "delta": "2e-7", "significance": "0.1", "neighbours": "replace", "promise": guarantee}
    sentences = text.tables_link_text(result_at(query="histogram", **asked).setting)
    path, query = re.findall(r"\[Tables\]\(\./(\w+)\?(\S+)\)\.$", sentences)[0]
    read, problems = read_link("tables", **dict(parse_qsl(query)))
    assert (path, problems) == (site_map.TABLES.path, [])
    result = {key: reading.value for key, reading in read_link(PAGE, **asked)[0].items()}
    assert {key: read[key].value for key in asked} == {key: result[key] for key in asked}


def test_only_a_histogram_leads_to_the_page_of_tables():
    leads = [query for query in QUERY.options if text.tables_link_text(result_at(query=query).setting)]
    assert leads == ["histogram"]
    parts = [
        str(part)
        for part in PAGE_RECORD.section_by_key["accuracy"].parts(
            result_at(query="histogram"), mechanism_colours.COLOURS["light"]
        )
    ]
    assert len([part for part in parts if "](./Tables?" in part]) == 1


@pytest.mark.parametrize("link", [{}, {"known": "accuracy", "accuracy": "0.5"}])
@pytest.mark.parametrize("query", ["mean", "proportion"])
def test_the_interval_for_the_population_adds_sampling_error_and_noise_at_half_the_level(query, link):
    result = result_at(query=query, **link)
    sentence = text.population_text(result.setting, result.rows)
    width = 100 if query == "mean" else 1
    sampling = width * math.sqrt(math.log(4 / 0.05) / 2000)
    row = recommendation.recommended_row(result.rows, result.setting).row
    mechanism = row.mechanism if result.setting.target is None else row.sufficient
    assert mechanism is not None
    assert f"±{format_up(mechanism.half_width(0.025) + sampling)}" in sentence
    assert "at least 95 %" in sentence
    assert "is added below" in result.setting.sensitivity_text


def test_a_query_that_does_not_average_a_sample_has_no_interval_for_a_population():
    for link in ({}, {"query": "sum"}, {"query": "mean", "epsilon": "0", "delta": "1e-300"}):
        result = result_at(**link, significance="0.05")
        assert (text.population_text(result.setting, result.rows) == "") == (link.get("query") != "mean")
    result = result_at(query="mean", significance="1e-300")
    assert text.population_text(result.setting, result.rows) == ""
