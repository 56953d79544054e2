"""What the page says of one person: its numbers by other formulas, its people, its conditions."""

import math
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from pages.framework.layout.section import Field
from pages.framework.parameters.number_format import FEW_DIGITS, percent, percent_down, percent_up
from pages.meaning import page
from pages.meaning.page import PAGE
from pages.meaning.text import attack_text, average_text, chances_alternative_text, known_text, relation_text
from pages.shared.looks import COLOURS
from tests.pages.conftest import figure_of, found_by

LINKS = (
    {},
    {"epsilon": "0.1", "prior": "0.5"},
    {"epsilon": "20", "prior": "1e-4"},
    {"epsilon": "0", "prior": "0.37"},
    {"promise": "delta", "epsilon": "0.5", "delta": "1e-3", "prior": "0.2", "alpha": "0.01"},
    {"promise": "delta", "epsilon": "1", "delta": "0.5", "prior": "0.2", "alpha": "0.3"},
    {"in_data": "known", "prior": "0.3"},
    {"in_data": "known", "stated_for": "replace"},
    {"promise": "delta", "epsilon": "1.5", "delta": "1e-6", "alpha": "0.05", "in_data": "known"},
    {
        "promise": "delta",
        "epsilon": "1",
        "delta": "1e-3",
        "alpha": "0.1",
        "in_data": "known",
        "stated_for": "add_remove",
    },
    {"promise": "delta", "epsilon": "1", "delta": "1e-3", "alpha": "0.1", "in_data": "known", "stated_for": "replace"},
    {
        "promise": "delta",
        "epsilon": "1",
        "delta": "1e-3",
        "alpha": "0.1",
        "in_data": "open",
        "stated_for": "add_remove",
    },
)


def is_pure(link):
    return link.get("promise") != "delta"


def parameters(link):
    """Return the ε and the δ that limit what is asked: a fact about a known person has two changes, unless replaced."""
    epsilon, delta = float(link.get("epsilon", 1)), 0.0 if is_pure(link) else float(link["delta"])
    if link.get("in_data") == "known" and link.get("stated_for") != "replace":
        return 2 * epsilon, delta + math.exp(epsilon) * delta
    return epsilon, delta


def bounds(link):
    """Return the least and the most that anybody is sure, by Bayes' rule."""
    (epsilon, delta), prior = parameters(link), float(link.get("prior", 0.1))
    if link.get("promise") != "delta":
        factor = math.exp(epsilon)
        return prior / (prior + (1 - prior) * factor), prior * factor / (prior * factor + 1 - prior)
    alpha = float(link["alpha"])
    power = min(math.exp(epsilon) * alpha + delta, 1 - math.exp(-epsilon) * (1 - alpha - delta), 1)
    return math.nan, prior * power / (prior * power + (1 - prior) * alpha)


def significant_digits(number):
    return len(number.partition("e")[0].replace(".", "").strip("0"))


@pytest.mark.parametrize("link", LINKS)
def test_the_answer_is_bayes_rule_on_the_safe_side(link):
    high = bounds(link)[1]
    first, second = PAGE.answer_text(found_by("meaning", **link))
    (share,) = re.findall(r"at most ([\d.e-]+) %", first)
    assert high * (1 - 1e-12) <= float(share) / 100 <= high * 1.01
    assert significant_digits(share) <= 3 or float(share) > 99.9
    assert first.endswith("all that is released about you.")
    assert ("whatever is released" in first) == (link.get("promise") != "delta")
    before, people = round(100 * float(link.get("prior", 0.1))), math.ceil(100 * high - 1e-9)
    is_known = link.get("in_data") == "known"
    assert second.startswith(
        f"Of 100 people about whom an outsider knows as much, {before} seem to "
        f"{'have the diagnosis' if is_known else 'be in the data'}; "
    )
    assert ("you have a diagnosis" in first, "you are in the data" in first) == (is_known, not is_known)
    prior = percent(float(link.get("prior", 0.1)))
    left_out = f". Without your data it would stay {prior}, unless other people’s data say something about you."
    stays = left_out if is_known else "."
    assert second.endswith(f", at most {people}{stays}") == (people < 100)
    is_for_replacing = is_known and link.get("stated_for") == "replace"
    assert ("the guarantee is for replacing one person’s data, " in first) == is_for_replacing
    if not is_pure(link):
        attack = f"an attack that wrongly suspects {percent(float(link['alpha']))} of the others suspects you"
        assert f", if {attack}, " in first
        assert (
            attack
            in figure_of(page.people(found_by("meaning", **link), COLOURS["light"]))["layout"]["title"]["subtitle"][
                "text"
            ]
        )


@pytest.mark.parametrize("link", [link for link in LINKS if link.get("in_data") != "known"])
def test_who_is_known_to_be_in_the_data_finds_the_number_of_that_question(link):
    text = known_text(found_by("meaning", **link))
    (most,) = re.findall(r"becomes at most ([\d.]+ %): choose “Yes”", text)
    known = PAGE.answer_text(found_by("meaning", **link | {"in_data": "known"}))[0]
    assert f"that you have a diagnosis becomes at most {most}" in known
    assert "as of those who get a letter because they are" in text
    assert text in [*page.PERSON.parts(found_by("meaning", **link), COLOURS["light"])]


@pytest.mark.parametrize("link", LINKS)
def test_the_copied_words_have_the_larger_number_of_those_who_are_known_to_be_in_the_data(link):
    """A letter goes to those who are: the number of who is in the data would understate what can be learned of them."""
    result, is_known = found_by("meaning", **link), link.get("in_data") == "known"
    high = bounds(link | {"in_data": "known"})[1]
    texts = page.statements(result)
    found = re.findall(r"get a letter.*?at most ([\d,]+) (?:of ([\d,]+)|%)(?: such suspects)? can seem", texts.public)
    assert bool(found) == (not is_known)
    for number, total in found:
        people, of = int(number.replace(",", "")), int(total.replace(",", "") or 100)
        assert high * (1 - 1e-12) <= people / of <= high + 1 / of
    for text in (texts.paper, texts.experts):
        shares = re.findall(r"get a letter.*?becomes at most ([\d.]+) %", text)
        assert bool(shares) == (not is_known)
        assert all(high * (1 - 1e-12) <= float(share) / 100 <= 1.001 * high for share in shares)
    assert "keeps to differential privacy" not in texts.public  # which nobody has confirmed
    assert "only if the release keeps to that limit" in texts.public


@pytest.mark.parametrize("link", LINKS)
def test_the_public_reads_what_epsilon_limits_and_that_a_changed_fact_counts_twice(link):
    public = page.statements(found_by("meaning", **link)).public
    factors = re.findall(r"by(?: a factor of)? at most ([\d,]+(?:\.\d+)?)(?:, and by 1 in ([\d,]+) on top)?\.", public)
    epsilon, delta = float(link.get("epsilon", 1)), 0.0 if is_pure(link) else float(link["delta"])
    expected = dict.fromkeys([(epsilon, delta), parameters(link)]) if epsilon <= 10 else {}
    assert len(factors) == len(expected)
    for (factor, on_top), (loss, excess) in zip(factors, expected, strict=True):
        assert math.exp(loss) * (1 - 1e-12) <= float(factor.replace(",", "")) <= math.exp(loss) * 1.01
        assert bool(on_top) == (excess > 0)
        assert not on_top or excess * (1 - 1e-12) <= 1 / int(on_top.replace(",", ""))
    assert ("Above 10, epsilon limits hardly anything." in public) == (epsilon > 10)


@pytest.mark.parametrize("link", LINKS)
def test_the_public_reads_one_number_of_people_before_and_after_on_the_safe_side(link):
    public = page.statements(found_by("meaning", **link)).public
    (words,) = re.findall(r"Suppose that.*?afterwards\.", public)
    counted = re.findall(r"([\d,]+) of ([\d,]+)", words)
    (before, total), (after, same) = [[int(number.replace(",", "")) for number in pair] for pair in counted]
    high = bounds(link)[1]
    assert total == same > after
    assert before / total == pytest.approx(float(link.get("prior", 0.1)), rel=1e-12)
    assert high * (1 - 1e-12) <= after / total <= high + 1 / total + 1e-12
    without_attack = re.sub(r"suspects [\d.]+ %", "", words)
    assert "%" not in without_attack
    assert "satisfies" not in public
    assert "is not known" not in public


@pytest.mark.parametrize("link", LINKS)
def test_every_statement_says_what_can_happen_to_the_person_in_the_digits_of_the_table(link):
    result = found_by("meaning", **link)
    without, least, most = result.chances.iloc[2]
    texts = page.statements(result)
    ((before, low, high),) = re.findall(r"a chance of (\d+) of 100 .* is (\d+) to (\d+) of 100 with", texts.public)
    assert int(before) == 100 * without
    assert 100 * least - 1 - 1e-9 < int(low) <= 100 * least + 1e-9
    assert 100 * most - 1e-9 <= int(high) < 100 * most + 1 + 1e-9
    table, limits = page.chances(result, COLOURS["light"]).table, f"{percent_down(least)} to {percent_up(most)}"
    assert limits in texts.paper
    assert limits in texts.experts
    assert limits in chances_alternative_text(result)
    assert all(f">{share}</td>" in page.chances_html(result) for share in limits.split(" to "))
    assert table.equals(result.chances)


@pytest.mark.parametrize("link", [link for link in LINKS if link.get("in_data") == "known"])
def test_the_average_over_all_outcomes_stands_beside_the_worst_outcome(link):
    result = found_by("meaning", **link)
    high, before, right = (float(share) for share in re.findall(r"([\d.]+) %", average_text(result))[:3])
    epsilon, delta = float(link.get("epsilon", 1)), 0.0 if is_pure(link) else float(link["delta"])
    prior = float(link.get("prior", 0.1))
    power = min(math.exp(epsilon) * prior + delta, 1 - math.exp(-epsilon) * (1 - prior - delta), 1)
    assert before == pytest.approx(100 * prior)
    assert power * (1 - 1e-12) <= right / 100 <= power * 1.01
    assert bounds(link)[1] * (1 - 1e-12) <= high / 100
    assert any(average_text(result) in str(part) for part in page.PERSON.parts(result, COLOURS["light"]))


@pytest.mark.parametrize("link", [link for link in LINKS if not is_pure(link)])
def test_the_attack_and_a_rarer_one_are_below_the_picture(link):
    text = attack_text(found_by("meaning", **link))
    wrong, flagged, alpha, high, few, higher = (float(number) / 100 for number in re.findall(r"([\d.e-]+) %", text)[:6])
    epsilon, delta = parameters(link)
    power = min(math.exp(epsilon) * wrong + delta, 1 - math.exp(-epsilon) * (1 - wrong - delta))
    assert wrong == alpha == float(link["alpha"])
    assert power * (1 - 1e-12) <= flagged <= power * 1.02
    for share, stated in ((alpha, high), (few, higher)):
        most = bounds(link | {"alpha": repr(share)})[1]
        assert most * (1 - 1e-12) <= stated <= most * 1.001


def test_a_belief_that_no_whole_people_tell_from_certainty_is_a_percentage():
    second = PAGE.answer_text(found_by("meaning", epsilon="8"))[1]
    assert second.endswith("after the release, at most 99.7 %.")


def test_a_relation_that_nobody_named_has_the_larger_number_and_names_the_smaller_one():
    at = {name: found_by("meaning", in_data="known", stated_for=name) for name in ("unknown", "add_remove", "replace")}
    highs = {name: result.range_of_belief[1] for name, result in at.items()}
    assert highs["unknown"] == pytest.approx(highs["add_remove"])
    assert highs["replace"] < highs["add_remove"]
    assert f"at most {percent_up(highs['replace'], 3)}. As you don’t know" in relation_text(at["unknown"])
    texts = {name: page.statements(result) for name, result in at.items()}
    for name, words, in_public in (
        ("add_remove", ", for adding or removing one person", "Leaving out or adding one person’s data changes"),
        ("replace", ", for replacing one person’s", "Other data in the place of one person’s change"),
        ("unknown", "", "One change of one person’s data changes"),
    ):
        assert words in texts[name].paper
        assert words in texts[name].experts
        assert in_public in texts[name].public
    is_open = [" is not known: the number is the larger one" in text for text in texts["unknown"].by_length.values()]
    assert is_open == [False, False, True]  # the experts alone are told of what a letter can't use
    counted = [" counts twice: a changed fact takes one" in each.paper for each in texts.values()]
    assert counted == [True, True, False]


@pytest.mark.parametrize("link", LINKS)
def test_every_statement_has_the_one_number_of_the_headline(link):
    result = found_by("meaning", **link)
    high = result.range_of_belief[1]
    texts = page.statements(result)
    assert f"becomes at most {percent_up(high, 3)}" in PAGE.answer_text(result)[0]
    for text in (texts.paper, texts.experts):
        assert f"becomes at most {percent_up(high)}, " in text
    is_known = link.get("in_data") == "known"
    for text in (texts.paper, texts.experts):
        assert ("has a diagnosis" if is_known else "is in the data") in text
    assert ("seem to have a diagnosis" if is_known else "seem to be in the data") in texts.public
    for text in texts.by_length.values():
        assert "your data" not in text
        assert not re.search(r"\b(it|its)\b", text)


def test_the_statements_say_the_guarantee_in_words_and_how_probable_proof_is_at_most():
    texts = page.statements(found_by("meaning", promise="delta", delta="3e-6"))
    assert "The limit has the size epsilon 1 and delta 1 in 333,333." in texts.public
    for text in texts.by_length.values():
        assert "prove that a person is in the data have together a probability of at most 1 in 333,333." in text
    known = page.statements(found_by("meaning", promise="delta", delta="3e-6", in_data="known")).public
    assert f"a probability of at most 1 in {math.floor(1 / (3e-6 * (1 + math.e))):,}." in known
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
def test_a_square_of_people_has_the_digits_of_the_answer_where_these_are_no_whole_people(link):
    result = found_by("meaning", **link)
    notes = [note["text"] for note in figure_of(page.people(result, COLOURS["light"]))["layout"]["annotations"]]
    shares = [re.findall(r"\((.*?)\)<br>", note) for note in notes]
    most = percent_up(result.range_of_belief[1], FEW_DIGITS)
    assert most in page.answer_text(result)[0]
    assert shares[-1] == ([] if notes[-1].startswith(f"<b>{most.removesuffix(' %')} of 100") else [most])


@pytest.mark.parametrize("link", LINKS)
def test_a_chance_with_your_data_is_bounded_on_the_safe_side(link):
    result = found_by("meaning", **link)
    epsilon, delta = parameters(link)
    for without, low, high in result.chances.itertuples(index=False):
        most = min(1, math.exp(epsilon) * without + delta, 1 - math.exp(-epsilon) * (1 - without - delta))
        opposite = min(1, math.exp(epsilon) * (1 - without) + delta, 1 - math.exp(-epsilon) * (without - delta))
        assert high == pytest.approx(most, rel=1e-9)
        assert low == pytest.approx(1 - opposite, rel=1e-9, abs=1e-14)
        assert low <= without <= high
    example = chances_alternative_text(result)
    low, high = (float(number) for number in re.findall(r" is ([\d.e-]+) % to ([\d.e-]+) %", example)[0])
    row = result.chances.iloc[2]
    assert 99.9 * row["at_least"] - 1e-12 <= low <= 100 * row["at_least"] + 1e-12
    assert 100 * row["at_most"] - 1e-12 <= high <= 100.1 * row["at_most"] + 1e-12
    instead = "other data in the place of yours" if link.get("in_data") == "known" else "your data left out"
    assert f"10 % with {instead} is" in example
    assert page.chances(result, COLOURS["light"]).table.equals(result.chances)


def test_a_pinned_setting_is_compared():
    result = found_by("meaning", pinned="epsilon=0.1")
    assert "Compared with the pin: at most 11 % → 23.2 %." in PAGE.answer_text(result)[-1]


def test_a_parameter_has_a_field_only_where_it_counts():
    def keys(fields):
        return [(item.parameter if isinstance(item, Field) else item).key for item in fields]

    shown = {
        link: (keys(page.controls(result)), keys(page.more_settings(result)))
        for link in ("", "promise=delta", "in_data=known")
        for result in [found_by("meaning", **dict(parse_qsl(link)))]
    }
    assert shown == {
        "": (["epsilon", "promise", "prior", "in_data"], []),
        "promise=delta": (["epsilon", "delta", "promise", "prior", "in_data"], ["alpha"]),
        "in_data=known": (["epsilon", "promise", "prior", "in_data", "stated_for"], []),
    }


def test_the_picture_names_no_neighbours_that_nobody_has_named():
    subtitles = {
        stated: figure_of(page.beliefs(found_by("meaning", in_data="known", stated_for=stated), COLOURS["light"]))[
            "layout"
        ]["title"]["subtitle"]["text"]
        for stated in ("unknown", "add_remove", "replace")
    }
    assert "neighbours unknown" in subtitles["unknown"]
    assert "adding or removing" in subtitles["add_remove"]
    assert "replacing" in subtitles["replace"]
