"""The section "Groups and models": groups, disjoint parts, shuffled reports, and what it says of them."""

import re
from urllib.parse import parse_qsl

import pytest

from dpcore import composition, gaussian, verify
from pages.composition.groups import section
from pages.composition.groups.section import models_table
from pages.framework.layout import panels
from pages.framework.layout.section import Fold
from tests.pages.composition.section_checks import expect_complete_exhibits
from tests.pages.conftest import LIGHT, found_by, html_of, read_link, topic_named

LINK = {"section": "groups", "epsilon": "0.5", "delta": "1e-6", "group": "4", "local_epsilon": "2", "reports": "20000"}


def result_at(**link):
    return found_by("composition", **LINK | link)


def numbers_in(sentence):
    return [float(text.replace(",", "")) for text in re.findall(r"[0-9][0-9.,]*(?:e-?[0-9]+)?(?<![.,])", sentence)]


def test_the_answer_has_the_epsilon_of_the_group_and_that_of_the_shuffled_reports():
    first, second = section.SECTION.answer_text(result_at())
    assert first == "4 people together have **ε = 2** under pure ε-DP, **2.237** under Gaussian noise at δ = 1e-6."
    sigma = float(gaussian.analytic_sigma(0.5, 1e-6))
    exact = float(gaussian.epsilon_from_sigma(1e-6, sigma, 4))
    assert exact <= 2.237 <= exact * 1.001
    shuffled = float(composition.shuffled_epsilon(1e-6, 2, 20_000))
    assert numbers_in(second)[0] == 20_000
    assert shuffled <= numbers_in(second.partition("satisfy")[2])[0] <= shuffled * 1.001
    assert section.SECTION.answer_text(result_at(group="1"))[0].startswith("One person has **ε = 0.5**")


def test_the_epsilon_of_the_group_is_proved():
    lines = list(panels.proof_lines(section.SECTION.claims(result_at()), verify))
    assert [line[0] for line in lines] == ["✓", "–"]


def test_the_table_names_every_quantity_and_rounds_up():
    exhibit = models_table(result_at(), LIGHT)
    assert exhibit is not None
    rows = dict(re.findall(r"<th scope='row'>([^<]*)</th><td>[^<]*</td><td>([^<]*)</td>", html_of(exhibit)))
    names = exhibit.table["guarantee"].tolist()
    single, together = (dict(zip(names, exhibit.table[key].tolist(), strict=True)) for key in ("single", "together"))
    assert len(rows) == len(together) == 13
    for stated, value in zip(rows.values(), together.values(), strict=True):
        assert value * (1 - 1e-12) <= float(stated) <= value * 1.001 + 1e-300
    assert together["delta at g times epsilon"] == composition.group_delta(0.5, 1e-6, 4)
    assert together["rho"] == pytest.approx(16 * single["rho"])
    assert together["delta of parallel, add_remove"] == 1e-6
    assert together["delta of parallel, replace"] == pytest.approx(2e-6)
    renyi = next(name for name in names if name.startswith("Renyi"))
    assert renyi == "Renyi divergence, order 32 of one, 8 of the group"
    assert together[renyi] == pytest.approx(9 * 32 * single["rho"])
    assert together[renyi] > 16 * 8 * single["rho"]  # what Gaussian noise has
    assert together["parallel, add_remove"] == 0.5
    assert together["parallel, replace"] == 1.0


def test_an_epsilon_beyond_the_computed_range_is_displayed_as_such():
    result = result_at(epsilon="1e4")
    assert section.SECTION.answer_text(result) == section.TOO_LARGE
    assert section.SECTION.claims(result_at(epsilon="1e4")) is not None
    assert list(section.SECTION.claims(result)) == []
    assert section.SECTION.snippets(result) == ()
    assert list(section.SECTION.parts(result, LIGHT)) == []


@pytest.mark.parametrize("link", [{}, {"group": "1000", "reports": "1"}, {"pinned": "epsilon=2&group=7"}])
def test_every_exhibit_is_complete_and_the_pin_is_stated(link):
    result = result_at(**link)
    expect_complete_exhibits(section.SECTION, result, "dark")
    answer = section.SECTION.answer_text(result)
    assert len(answer) == 2 + ("pinned" in link)
    if "pinned" in link:
        assert answer[-1].startswith("Pinned: One person: ε = 2, δ = 1e-6; a group of 7 has ε = ")


def test_the_words_name_parallel_composition_the_path_and_filters():
    assert "**Parallel composition.**" in section.KINDS
    assert "Why gε is an upper bound" in section.KINDS
    assert "privacy filter" in section.ADAPTIVE


@pytest.mark.parametrize(("topic", "words"), [("meaning", "the ε of a group"), ("survey", "The ε of shuffled reports")])
def test_the_pages_that_speak_of_one_person_lead_to_a_group_and_to_shuffled_reports(topic, words):
    link = {"epsilon": "2"} | ({"n_people": "3000"} if topic == "survey" else {})
    parts = topic_named(topic).sections[0].parts(found_by(topic, **link), LIGHT)
    texts = " ".join(str(text) for part in parts for text in (part.parts if isinstance(part, Fold) else (part,)))
    (address,) = re.findall(rf"\[{words}\]\(\./Composition\?([^)]*)\)", texts)
    readings, problems = read_link("composition", **dict(parse_qsl(address)))
    assert (problems, readings["show"].value, readings["epsilon"].value) == ([], "groups", 2)
    if topic == "survey":
        assert (readings["local_epsilon"].value, readings["reports"].value) == (2, 3000)
