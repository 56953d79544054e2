"""The noise that the page recommends."""

import re
from itertools import product
from urllib.parse import parse_qsl

import numpy as np
import pytest

from dpcore import accuracy as core
from dpcore import staircase, truncated_laplace
from dpcore.accuracy import RULES
from dpcore.families import FAMILIES
from pages.accuracy import results
from pages.accuracy.error import text
from pages.accuracy.page import PAGE as PAGE_RECORD
from pages.accuracy.parameters import QUERY
from pages.framework.parameters.number_format import format_up
from pages.shared import formulas, site_map
from tests.pages.accuracy.answers import PAGE, answer, recommended, result_at, row_of
from tests.pages.conftest import LIGHT, found_by, read_link


def test_the_advice_depends_on_the_chosen_guarantee():
    assert recommended() == (
        "**What to do, if the conditions hold**\n\n1. Count each person once.\n2. **Add geometric noise of scale s = 1,"
        " Pr(k) ∝ e^(−|k|/s)**, for ±3 people.\n3. Publish it with ±3 people (95 of 100 releases), ε = 1 and the "
        "conditions.\n\nIts error is that of "
        "Laplace noise, ±2.996 people, within 1 % or to the nearest whole number; results are integers and can be "
        "sampled exactly, which rules out floating-point attacks."
    )
    assert "Add geometric noise of scale s = 1" in recommended(promise="delta")
    own = {"query": "own", "l1_sensitivity": "20"}
    assert "Add Laplace noise of scale b = 20**" in recommended(**own)
    assert recommended(promise="delta", **own) == (
        "**What to do, if the conditions hold**\n\n1. Limit what one person adds: it may move the answer by at most "
        "Δ₁ = 20.\n2. **Add analytic Gaussian noise of standard deviation σ = 4.225**, for ±8.281.\n3. Publish "
        "it with ±8.281 (95 of 100 releases), ε = 1 and the conditions.\n\nAmong "
        "the noises here that satisfy the guarantee and have a floating-point-safe sampler, it has the smallest ±."
    )
    assert "±8.281 of the truth with analytic Gaussian noise, if all that a person adds" in answer(
        promise="delta", **own
    )
    assert "Laplace noise, under pure ε-DP, has ±59.92." in answer(promise="delta", **own)
    assert "Add geometric noise of scale s = 1.202068, Pr(k) ∝ e^(−|k|/s)**, for ε = 0.8319" in recommended(
        known="accuracy"
    )


@pytest.mark.parametrize("rule", RULES, ids=[rule.key for rule in RULES])
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
    assert float(FAMILIES[rule.family].functions.half_width(0.05, scale)) <= reach * (1 + 1e-3)


def test_the_advice_without_an_answer_is_true():
    link = {"epsilon": "0", "delta": "0.001"}
    assert "not pure ε-DP: no noise is available" in recommended(**link)
    assert recommended(promise="delta", **link).endswith("No noise is available for pure ε-DP at so small an ε.")
    assert "raise ε or δ" in recommended(epsilon="0", delta="1e-300", query="sum", high="1e15")
    assert "accept a larger error" in recommended(known="accuracy", accuracy="1e-9", query="own", l1_sensitivity="2")


def is_sampled(row):
    return FAMILIES[row.calibration.family].is_sampled_safely


def test_the_recommended_noise_is_the_least_of_those_that_satisfy_the_guarantee():
    for query, neighbours, guarantee in product(QUERY.options, ("add_remove", "replace"), ("pure", "delta")):
        for epsilon in ("0.01", "1", "8"):
            result = result_at(
                query=query, neighbours=neighbours, promise=guarantee, epsilon=epsilon, l1_sensitivity="9"
            )
            rivals = [
                row for row in result.rows.values() if guarantee == "delta" or row.calibration.guarantee == "ε-DP"
            ]
            safe = [row for row in rivals if row.chosen.status == "proved" and is_sampled(row)]
            is_whole = result.setting.facts.is_surely_whole
            suited = [row for row in safe if is_whole or not row.calibration.whole]
            least = min(np.ceil(row.half_width - 0.5) if is_whole else row.half_width for row in suited)
            assert results.recommended_row(result.rows, result.setting).row.half_width <= least * 1.01


@pytest.mark.parametrize("query", ["count", "histogram", "sum"])
@pytest.mark.parametrize("guarantee", ["pure", "delta"])
def test_accuracy_and_tables_recommend_the_same_noise(query, guarantee):
    for epsilon, delta, high, neighbours in product(
        ("0", "0.003", "1", "5", "30"), ("1e-9", "0.01"), ("1", "10"), ("add_remove", "replace")
    ):
        if (high == "10" and query != "sum") or (guarantee == "pure" and epsilon != "0" and delta == "0.01"):
            continue  # which changes nothing there
        link = {"epsilon": epsilon, "delta": delta, "promise": guarantee, "neighbours": neighbours}
        result = result_at(query=query, high=high, **link)
        moved = {"table": "size", "cells": "2", "error": "each", "per_cell": high if query == "sum" else "1"}
        one_cell = {"cells": "1", "neighbours": "add_remove"} if query != "histogram" else {}
        there = found_by("tables", **(link | moved | one_cell)).recommendation
        key = results.recommended_row(result.rows, result.setting, are_values_whole=True).row.calibration.key
        if there is None:
            assert guarantee == "pure"
            assert key == "discrete_gaussian"
        else:
            assert key == there.mechanism.key


@pytest.mark.parametrize("accuracy", ["0.3", "0.9", "3", "3.9", "40", "1000"])
def test_the_noise_of_a_target_error_is_that_of_tables_at_its_least_epsilon(accuracy):
    result = result_at(known="accuracy", accuracy=accuracy)
    best = results.recommended_row(result.rows, result.setting).row
    assert best.calibration.key == "geometric"
    assert best.sufficient_half_width <= float(accuracy)
    assert best.epsilon == pytest.approx(float(core.geometric_epsilon(float(accuracy), 0.05)), rel=1e-12)


def test_noise_that_nobody_can_add_safely_is_named_and_not_recommended():
    sentences = recommended(query="own", epsilon="5", l1_sensitivity="10", l2_sensitivity="10")
    assert "2. **Add Laplace noise of scale b = 2**, for ±5.992." in sentences
    assert (
        "Staircase noise of least variance would have ±1.438, but has no published floating-point-safe sampler."
        in sentences
    )
    assert row_of("Staircase, least variance", query="own", l1_sensitivity="10", l2_sensitivity="10")[-1] == (
        f"✓ proved; {formulas.NO_SAMPLER}"
    )


def test_a_guarantee_that_is_hardly_one_is_not_recommended_without_a_word():
    assert "guarantees little: accept a larger error" in recommended(known="accuracy", accuracy="1e-4", query="own")
    assert "guarantees little" not in recommended(known="accuracy")
    assert "guarantees little" in recommended(epsilon="20")


@pytest.mark.parametrize(("query", "guarantee"), [("histogram", "pure"), ("count", "delta")])
def test_a_count_or_a_histogram_leads_to_the_page_of_tables_at_its_own_setting(query, guarantee):
    link = {"epsilon": "1/3", "delta": "2e-7", "significance": "0.1", "neighbours": "replace", "promise": guarantee}
    sentences = text.tables_link_text(result_at(query=query, **link).setting)
    path, address = re.findall(r"\[A table\]\(\./(\w+)\?(\S+)\)\.$", sentences)[0]
    read, problems = read_link("tables", **dict(parse_qsl(address)))
    assert (path, problems) == (site_map.TABLES.path, [])
    result = {key: reading.value for key, reading in read_link(PAGE, **link)[0].items()}
    assert {key: read[key].value for key in link} == {key: result[key] for key in link}


@pytest.mark.parametrize("delta", ["1e-9", "1e-6", "0.01"])
@pytest.mark.parametrize("accuracy", ["0.5", "1", "7"])
def test_no_delta_is_spent_for_a_target_that_pure_dp_reaches_at_an_epsilon_within_a_percent(accuracy, delta):
    result = result_at(known="accuracy", accuracy=accuracy, promise="delta", delta=delta)
    rows, best = result.rows, results.recommended_row(result.rows, result.setting)
    is_equal = rows["geometric"].epsilon <= 1.01 * rows["truncated_geometric"].epsilon
    assert best.row.calibration.key == ("geometric" if is_equal else "truncated_geometric")
    assert is_equal or (accuracy, delta) == ("7", "0.01")


def test_a_sum_has_noise_for_any_values_and_that_on_whole_numbers_with_what_it_requires():
    words = "If every value is a whole number, take geometric noise of scale s = 100, Pr(k) ∝ e^(−|k|/s), for ±300"
    assert "1. Count each person once, with every value clipped to 0 … 100." in recommended(query="sum")
    assert "2. **Add Laplace noise of scale b = 100**, for ±299.6." in recommended(query="sum")
    limited = recommended(query="sum", contribution="limited", per_total="4")
    assert "1. Keep at most 4 records of each person, with every value clipped to 0 … 100." in limited
    assert "1. Count each person in one category." in recommended(query="histogram")
    assert words in recommended(query="sum")
    for link in ({"query": "count"}, {"query": "sum", "high": "99.5"}):
        assert "If every value" not in recommended(**link)
    tiny = recommended(query="sum", epsilon="1e-9", promise="delta", delta="0.1")  # geometric noise has ±3e11
    assert "σ = 397.9**, for ±779.9" in tiny
    assert "take truncated geometric noise with N = 500" in tiny


def test_only_counts_lead_to_the_page_of_tables():
    leads = [query for query in QUERY.options if text.tables_link_text(result_at(query=query).setting)]
    assert leads == ["count", "histogram"]
    parts = [str(part) for part in PAGE_RECORD.section_by_key["accuracy"].parts(result_at(query="histogram"), LIGHT)]
    assert len([part for part in parts if "](./Tables?" in part]) == 1
