"""The sensitivity of a query, the corrections of its parameters, and the mechanisms that it can have."""

import math

import numpy as np
import pytest

from dpcore.sensitivity import query_sensitivity
from pages.accuracy import results
from pages.accuracy.error import text
from pages.accuracy.parameters import QUERY, sensitivity_text
from pages.framework.parameters.number_format import format_up
from pages.shared import formulas
from tests.pages.accuracy.answers import PAGE, readings, result_at, row_of, used
from tests.pages.conftest import exhibits_by_name, read_link


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ({"query": "count"}, "**Δ₁ = Δ₂ = 1 person**: adding or removing one person changes the number"),
        (
            {"query": "count", "neighbours": "replace"},
            "**Δ₁ = Δ₂ = 1 person**: replacing one person changes the number",
        ),
        (
            {"query": "sum", "low": "-200"},
            "**Δ₁ = Δ₂ = 200** = the larger of |lo| and |hi|, with lo = −200 and hi = 100",
        ),
        ({"query": "sum", "low": "−5", "neighbours": "replace"}, "**Δ₁ = Δ₂ = 105** = hi − lo = 100 − (−5)"),
        ({"query": "sum", "low": "-250.5"}, "**Δ₁ = Δ₂ = 250.5**"),
        ({"query": "mean"}, "n is taken as a public lower bound of that number"),
        (
            {"query": "mean", "neighbours": "replace"},
            "**Δ₁ = Δ₂ = 0.1** = (hi − lo) ÷ n = (100 − 0) ÷ 1,000: replacing one person changes the mean by at "
            "most that. n is taken as public.",
        ),
        ({"query": "mean", "n_records": "3"}, "**Δ₁ = Δ₂ = 33.33334** = (hi − lo) ÷ n = (100 − 0) ÷ 3"),
        ({"query": "proportion", "n_records": "50"}, "**Δ₁ = Δ₂ = 0.02** = 1 ÷ 50: adding or removing one person"),
        ({"query": "histogram"}, "**Δ₁ = Δ₂ = 1 person**: a person is in one cell"),
        ({"query": "histogram", "neighbours": "replace"}, "**Δ₁ = 2 people, Δ₂ = √2**: the person leaves one cell"),
        ({"query": "own", "l1_sensitivity": "5", "l2_sensitivity": "2"}, "**Δ₁ = 5, Δ₂ = 2**, as you"),
    ],
)
def test_the_sensitivity_follows_from_the_query_and_is_shown_with_its_reason(link, reason):
    sentences = sensitivity_text(result_at(**link).setting)
    assert reason in sentences


def test_sampling_error_is_named_for_a_mean_and_a_proportion_only():
    for name in QUERY.options:
        assert ("not of sampling" in sensitivity_text(result_at(query=name).setting)) == (
            name in ("mean", "proportion")
        )


def test_an_own_l1_sensitivity_below_the_l2_one_is_corrected_before_the_link_is_written():
    link = {"query": "own", "l1_sensitivity": "1", "l2_sensitivity": "2"}
    l1 = read_link(PAGE, **link)[0]["l1_sensitivity"]
    assert l1.problem == ("ℓ₁ sensitivity must be at least the ℓ₂ sensitivity, 2; 1 was given. 2 is used instead.")
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
    assert "**Δ₁ = Δ₂ = 100**" in sensitivity_text(result_at(query="sum", low=low, high=high).setting)
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


def test_a_sum_beyond_the_range_of_integer_noise_does_not_claim_other_answers():
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


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"known": "delta"}, "what you know must be one of epsilon, accuracy; delta was given."),
        ({"accuracy": "0"}, "± must be from 1e-100 to 1e100; 0 was given. ±3 is used instead."),
        ({"unit": "  "}, "unit of the statistic must be a text of 1 to 30 printable characters; nothing was given."),
        ({"query": "median"}, "statistic must be one of count, sum, mean, proportion, histogram, own;"),
        ({"neighbours": "both"}, "neighbours must be one of add_remove, replace; both was given."),
        ({"low": "-1e16"}, "lo must be from −1e15 to 1e15; -1e16 was given. 0 is used instead."),
        (
            {"high": "inf"},
            "hi must be from −1e15 to 1e15; inf was given, which is not a number. 100 is used instead.",
        ),
        ({"n_records": "2.5"}, "n must be a whole number from 1 to 1e12; 2.5 was given."),
        ({"l1_sensitivity": "0"}, "ℓ₁ sensitivity must be from 1e-100 to 1e100; 0 was given."),
    ],
)
def test_a_link_value_that_cannot_be_used_is_named_with_what_is_used_instead(link, sentence):
    _, (sentences,) = read_link(PAGE, **link)
    assert sentence in sentences
    assert "accuracy" in exhibits_by_name(result_at(**link), PAGE)


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


def test_a_mean_moves_by_its_sensitivity_at_most_for_every_number_of_records_from_n_on():
    """Under add or remove n is a lower bound: the larger data set has n + 1 records or more."""
    l1 = float(query_sensitivity("mean", "add_remove", 0, 100, 3).l1)
    for size in (3, 4, 50):
        records = np.zeros(size)
        assert abs(np.append(records, 100).mean() - records.mean()) <= l1
    assert "the exact number must not be published" in sensitivity_text(result_at(query="mean").setting)
    assert "lower bound" not in sensitivity_text(result_at(query="mean", neighbours="replace").setting)


@pytest.mark.parametrize("link", [{}, {"known": "accuracy", "accuracy": "0.5"}])
@pytest.mark.parametrize("query", ["mean", "proportion"])
def test_the_interval_for_the_population_adds_sampling_error_and_noise_at_half_the_level(query, link):
    result = result_at(query=query, **link)
    sentence = text.population_text(result.setting, result.rows)
    width = 100 if query == "mean" else 1
    sampling = width * math.sqrt(math.log(4 / 0.05) / 2000)
    row = results.recommended_row(result.rows, result.setting).row
    mechanism = row.mechanism if result.setting.target is None else row.sufficient
    assert mechanism is not None
    assert f"±{format_up(mechanism.half_width(0.025) + sampling)}" in sentence
    assert "at least 95 %" in sentence
    assert "is added below" in sensitivity_text(result.setting)


def test_a_query_that_does_not_average_a_sample_has_no_interval_for_a_population():
    for link in ({}, {"query": "sum"}, {"query": "mean", "epsilon": "0", "delta": "1e-300"}):
        result = result_at(**link, significance="0.05")
        assert (text.population_text(result.setting, result.rows) == "") == (link.get("query") != "mean")
    result = result_at(query="mean", significance="1e-300")
    assert text.population_text(result.setting, result.rows) == ""
