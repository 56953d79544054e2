"""What the page says of one person: its numbers by other formulas, its people, its conditions."""

import math
import re

import numpy as np
import pytest

from pages.framework.layout.section import Field
from pages.framework.parameters.number_format import percent_up
from pages.meaning import page
from pages.meaning.page import PAGE
from pages.shared.looks import COLOURS
from tests.pages.conftest import figure_of, found_by

LINKS = (
    {},
    {"epsilon": "0.1", "prior": "0.5"},
    {"epsilon": "20", "prior": "1e-4"},
    {"epsilon": "0", "prior": "0.37"},
    {"promise": "delta", "epsilon": "0.5", "delta": "1e-3", "prior": "0.2", "alpha": "0.01"},
    {"promise": "delta", "epsilon": "1", "delta": "0.5", "prior": "0.2", "alpha": "0.3"},
)


def bounds(link):
    """Return the least and the most that anybody is sure, by Bayes' rule."""
    epsilon, prior = float(link.get("epsilon", 1)), float(link.get("prior", 0.1))
    if link.get("promise") != "delta":
        factor = math.exp(epsilon)
        return prior / (prior + (1 - prior) * factor), prior * factor / (prior * factor + 1 - prior)
    alpha, delta = float(link["alpha"]), float(link["delta"])
    power = min(math.exp(epsilon) * alpha + delta, 1 - math.exp(-epsilon) * (1 - alpha - delta), 1)
    return math.nan, prior * power / (prior * power + (1 - prior) * alpha)


def significant_digits(number):
    return len(number.partition("e")[0].replace(".", "").strip("0"))


@pytest.mark.parametrize("link", LINKS)
def test_the_answer_is_bayes_rule_on_the_safe_side(link):
    low, high = bounds(link)
    first, second = PAGE.answer_text(found_by("meaning", **link))
    (share,) = re.findall(r"at most ([\d.e-]+) %", first)
    assert high * (1 - 1e-12) <= float(share) / 100 <= high * 1.01
    assert significant_digits(share) <= 3 or float(share) > 99.9
    assert first.endswith("all that is released about you.")
    assert ("whatever is released" in first) == (link.get("promise") != "delta")
    before, people = round(100 * float(link.get("prior", 0.1))), math.ceil(100 * high - 1e-9)
    assert second.startswith(f"Of 100 people like you, {before} are in the data, ")
    if not math.isnan(low):
        least = math.floor(100 * low + 1e-9)
        assert second.endswith(f"after the release, {least} to {people}.") == (least > 0 and people < 100)
        return
    alpha, epsilon, delta = float(link["alpha"]), float(link["epsilon"]), float(link["delta"])
    power = min(math.exp(epsilon) * alpha + delta, 1 - math.exp(-epsilon) * (1 - alpha - delta))
    accused, share = re.findall(r"of 100 accused, at most (\d+); at most ([\d.e-]+) % of members", second)[0]
    assert int(accused) == people
    assert power * (1 - 1e-12) <= float(share) / 100 <= power * 1.02


def test_a_belief_that_no_whole_people_tell_from_certainty_is_a_percentage():
    second = PAGE.answer_text(found_by("meaning", epsilon="8"))[1]
    assert second.endswith("after the release, 0.00372 % to 99.7 %.")


@pytest.mark.parametrize("link", LINKS)
def test_a_fact_about_a_known_member_has_the_bound_of_two_changes(link):
    delta = float(link.get("delta", 0)) if link.get("promise") == "delta" else 0.0
    epsilon = float(link.get("epsilon", 1))
    doubled = link | {"epsilon": repr(2 * epsilon), "delta": repr(delta * (1 + math.exp(epsilon)))}
    text = page.known_member_text(found_by("meaning", **link))
    once, twice = (float(number) / 100 for number in re.findall(r"at\s+most ([\d.e-]+) %", text))
    for stated, (_, high) in ((once, bounds(link)), (twice, bounds(doubled))):
        assert high * (1 - 1e-12) <= stated <= high * 1.02


def test_the_statements_say_how_probable_proof_of_membership_is_at_most():
    texts = page.statements(found_by("meaning", promise="delta", delta="3e-6"))
    for text in (texts.public, texts.paper, texts.experts):
        assert "have together a chance of at most 1 in 333,333." in text
    assert "1 in" not in page.statements(found_by("meaning")).public


@pytest.mark.parametrize("link", LINKS)
def test_as_many_people_are_filled_as_the_sentence_says(link):
    result = found_by("meaning", **link)
    figure = figure_of(page.people(result, COLOURS["light"]))
    for trace, number in zip(figure["data"], result.people["people"], strict=True):
        shades = np.asarray(trace["marker"]["color"])
        assert len(shades) == 100
        assert (shades == COLOURS["light"]["analytic"]).sum() == number == np.sum(trace["customdata"])
    words = [note["text"] for note in figure["layout"]["annotations"]]
    assert [int(re.findall(r"\d+", text)[0]) for text in words] == result.people["people"].tolist()


@pytest.mark.parametrize("link", LINKS)
def test_a_chance_with_your_data_is_bounded_on_the_safe_side(link):
    result = found_by("meaning", **link)
    epsilon, delta = result.setting.epsilon, result.used_delta
    for without, low, high in result.chances.itertuples(index=False):
        most = min(1, math.exp(epsilon) * without + delta, 1 - math.exp(-epsilon) * (1 - without - delta))
        opposite = min(1, math.exp(epsilon) * (1 - without) + delta, 1 - math.exp(-epsilon) * (without - delta))
        assert high == pytest.approx(most, rel=1e-9)
        assert low == pytest.approx(1 - opposite, rel=1e-9, abs=1e-14)
        assert low <= without <= high
    example = page.chances_alternative_text(result)
    low, high = (float(number) for number in re.findall(r"data is ([\d.e-]+) % to ([\d.e-]+) %", example)[0])
    row = result.chances.iloc[2]
    assert 99 * row["at_least"] - 1e-12 <= low <= 100 * row["at_least"] + 1e-12
    assert 100 * row["at_most"] - 1e-12 <= high <= 101 * row["at_most"] + 1e-12
    assert percent_up(result.range_of_belief[1], 3) in example.split("This is not the belief above")[1]
    assert page.chances(result, COLOURS["light"]).table.equals(result.chances)


def test_a_pinned_setting_is_compared():
    result = found_by("meaning", pinned="epsilon=0.1")
    assert "Compared with the pin: at most 11 % → 23.2 %." in PAGE.answer_text(result)[-1]


def test_the_test_and_delta_have_fields_only_where_they_count():
    keys = [
        [
            (item.parameter if isinstance(item, Field) else item).key
            for item in page.controls(found_by("meaning", **link))
        ]
        for link in ({}, {"promise": "delta"})
    ]
    assert keys == [["epsilon", "prior", "promise"], ["epsilon", "prior", "delta", "alpha", "promise"]]
