"""The section on the largest of several: its numbers by dpcore, its proofs, and settings that do not go together."""

import re

import numpy as np
import pytest

from dpcore import selection, verify
from pages.framework.layout import panels
from pages.median.largest import section
from pages.median.page import PAGE
from pages.shared.looks import COLOURS
from tests.pages.conftest import found_by, html_of, read_link
from tests.pages.figure_checks import Setting
from tests.pages.median.figure_checks import ordered_counts, right

LIGHT = COLOURS["light"]
LINKS = (
    {},
    {"counts": "40, 7, 7, 30, 29, 0", "neighbours": "replace", "epsilon": "0.2", "wanted": "0.9"},
    {"counts": "5,5,4", "chosen": "2", "epsilon": "2", "chooser": "exponential"},
    {"counts": "1000, 1", "epsilon": "0.01", "chooser": "report_noisy_max"},
    {"counts": ",".join(map(str, range(20))), "chosen": "3", "epsilon": "20"},
)


def largest_of(link):
    readings, _ = read_link("median", section="largest", **link)
    setting = Setting(**{key: reading.value for key, reading in readings.items()})
    return found_by("median", section="largest", **link), setting


@pytest.mark.parametrize("link", LINKS)
def test_the_probability_of_the_answer_is_that_of_dpcore_on_the_safe_side(link):
    result, setting = largest_of(link)
    first, second = PAGE.answer_text(result)
    exact = right(setting, ordered_counts(setting), setting.epsilon, setting.chooser)
    stated = float(re.findall(r"\*\*([\d.e-]+) %", first)[0]) / 100
    assert exact * (1 - 2e-4) - 1e-9 <= stated <= exact + 1e-12
    counts = ordered_counts(setting)
    lead = counts[int(setting.chosen) - 1] - counts[int(setting.chosen)]
    assert f"lead {lead:,.0f})" in first
    assert f"Of {len(counts)} candidates" in first
    gap = float(re.findall(r"on average it has ([\d.,e-]+) p", second)[0].replace(",", ""))
    own = setting.epsilon / setting.chosen
    expected = selection.expected_gap(counts, own, 1.0, setting.chooser, setting.neighbours == "add_remove")
    assert expected * (1 - 1e-9) <= gap <= expected * 1.0011


@pytest.mark.parametrize("link", [*LINKS, {"wanted": "0"}, {"wanted": "0.999"}, {"chosen": "2", "wanted": "0.3"}])
def test_the_stated_epsilon_is_enough_and_just_so(link):
    result, setting = largest_of(link)
    stated = re.findall(r"% from ε = ([\d.e-]+) on", PAGE.answer_text(result)[1])
    counts = ordered_counts(setting)
    if not stated:
        assert right(setting, counts, 10.0, setting.chooser) < setting.wanted
        return
    epsilon = float(stated[0])
    assert right(setting, counts, epsilon, setting.chooser) >= setting.wanted
    smallest = 1e-12 if setting.chosen == 1 else 0.01
    assert epsilon <= smallest or right(setting, counts, epsilon / 1.02, setting.chooser) < setting.wanted


def test_equal_counts_that_no_choice_can_tell_are_said_to_be_right():
    result, _ = largest_of({"counts": "7,7,7"})
    assert result.largest.right >= 1 - 1e-9
    assert "lead 0)" in PAGE.answer_text(result)[0]


@pytest.mark.parametrize("link", LINKS)
def test_the_table_has_the_probabilities_of_each_candidate(link):
    result, _ = largest_of(link)
    table = result.largest.chances
    for name in selection.MECHANISMS:
        assert table[name].sum() == pytest.approx(1)
        assert np.all(np.diff(table[name]) <= 1e-12)
    assert html_of(section.chances(result, LIGHT)).count("<tr>") == len(table) + 1


@pytest.mark.parametrize("link", LINKS)
def test_every_choice_is_proved_but_for_the_noisy_largest(link):
    result, _ = largest_of(link)
    lines = list(panels.proof_lines(PAGE.claims_of(result), verify))
    if link.get("chooser") == "report_noisy_max":
        assert [line[0] for line in lines] == ["–"]
    else:
        assert len(lines) == (1 if link.get("neighbours") == "replace" else 2)
        assert all(line.startswith("✓") for line in lines)


@pytest.mark.parametrize(
    ("link", "sentence", "used"),
    [
        (
            {"counts": "5"},
            "counts must be at least 2 numbers; 1 was given.",
            {"counts": (120, 113, 98, 97, 60)},
        ),
        (
            {"counts": "5,4", "chosen": "2"},
            "m must be below the number of counts, 2; 2 was given.",
            {"chosen": 1},
        ),
        ({"counts": "5,-4"}, "counts: number 2 must be a whole number from 0 to 1e9", {}),
        ({"counts": "5,4.5"}, "counts: number 2 must be a whole number", {}),
        ({"chosen": "4"}, "m must be a whole number from 1 to 3", {"chosen": 1}),
        ({"wanted": "1"}, "must be from 0 to 0.999999", {"wanted": 0.95}),
    ],
)
def test_what_does_not_go_together_is_named_and_replaced(link, sentence, used):
    readings, unread = read_link("median", section="largest", **link)
    problems = " ".join([*unread, *(reading.problem for reading in readings.values() if reading.problem)])
    assert sentence in problems
    assert {key: readings[key].value for key in used} == used
    assert "%" in PAGE.answer_text(found_by("median", section="largest", **link))[0]


def test_values_that_are_missing_do_not_matter_here():
    result = found_by("median", section="largest", source="own")
    assert not result.is_missing
    assert "%" in PAGE.answer_text(result)[0]
