"""The section on several quantiles: its numbers by dpcore, which method it takes, and settings without an answer."""

import re

import numpy as np
import pytest

from dpcore import quantiles
from pages.median.page import PAGE
from pages.median.results import MOST_DRAWN
from pages.median.several import section
from pages.shared.looks import COLOURS
from tests.pages.conftest import found_by, html_of

LINKS = (
    {},
    {"quantiles": "0.9, 0.1, 0.5, 0.01", "epsilon": "0.3", "n_records": str(MOST_DRAWN + 1)},
    {"quantiles": "0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95", "n_records": "5000"},
    {"neighbours": "replace", "high": "700"},
    {"significance": "0.001"},
    {"source": "own", "own": "1;2;2.5;3;3;400", "contribution": "once", "fixed": "yes", "epsilon": "8"},
)


@pytest.mark.parametrize("link", LINKS)
def test_the_answer_is_the_farthest_quantile_of_the_best_method(link):
    result = found_by("median", section="several", **link)
    several, setting = result.several, result.setting
    first, second = PAGE.answer_text(result)
    own, outputs = setting.epsilon / len(several.levels), quantiles.Range(setting.low, setting.high)
    options = setting.significance, setting.neighbours
    single = max(quantiles.half_width(several.ordered, several.levels, own, outputs, *options))
    stated = float(re.findall(r"±([\d.,e-]+)\*\*", first)[0].replace(",", ""))
    assert stated <= single * 1.0011
    assert ("one after the other" in second) == (link == {} or "own" in link)
    assert ("from a noisy histogram" in second) == ("significance" not in link)
    listed = [float(error.replace(",", "")) for error in re.findall(r": ±([\d.,e-]+\d)", second)]
    assert all(stated <= error for error in listed)
    assert len(listed) + 1 == len(several.largest_errors)
    steps = section.several_steps_text(result)
    if "Released from" in second:
        assert "equal parts of the range" in steps
    else:
        assert f"Draw the quantiles {re.findall('Released (.*?)[,;]', second)[0]}" in steps
    assert f"Each of {len(setting.quantiles)} quantiles" in first
    exhibit = section.quantiles_table(result, COLOURS["light"])
    assert exhibit is not None
    assert html_of(exhibit).count("<tr>") == len(several.levels) + 1
    assert bool(exhibit.confidential) == ("own" in link)
    assert np.all(np.diff(exhibit.table["quantile"]) > 0)


@pytest.mark.parametrize("link", [*LINKS, LINKS[-1] | {"neighbours": "replace"}])
def test_a_method_that_the_own_values_choose_is_said_to_be_outside_the_guarantee(link):
    is_chosen = "own" in link
    shown = [
        part
        for part in section.parts(found_by("median", section="several", **link), COLOURS["light"])
        if isinstance(part, str)
    ]
    assert any("ε does not cover that choice" in part for part in shown) == is_chosen


@pytest.mark.parametrize("link", [{"high": "40"}, {"source": "own"}])
def test_a_setting_without_an_answer_says_why(link):
    result = found_by("median", section="several", **link)
    assert re.search("75 % quantile|Your own values are missing", PAGE.answer_text(result)[0])
    assert list(section.parts(result, COLOURS["light"])) == []
    assert [draw(result, COLOURS["light"]) for draw in section.SECTION.exhibits] == [None, None]
    assert list(PAGE.claims_of(result)) == []
    assert section.snippets(result) == ()
    assert section.several_conditions(result) is None


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
@pytest.mark.parametrize("epsilon", ["0.1", "2"])
def test_the_noise_of_the_histogram_is_enough_for_the_sums_that_are_named(neighbours, epsilon):
    """A person is in one part, and so in one count, or in a sum of each level of a binary tree."""
    for parts in (16, 32, 64, 128):
        result = found_by("median", section="several", neighbours=neighbours, epsilon=epsilon)
        vars(result.several)["n_parts"] = parts
        vars(result.several)["best_method"] = "histogram"
        steps = section.several_steps_text(result)
        n_sums = 1 if "to each count" in steps else 1 + int(np.log2(parts))
        assert ("each sum of a binary tree over the counts" in steps) == (n_sums > 1)
        scale = float(re.findall(r"b = ([\d.,]+)", steps)[0])
        moved = n_sums if neighbours == "add_remove" else 2 * max(n_sums - 1, 1)  # the sum of all stays
        assert scale >= moved / float(epsilon)
