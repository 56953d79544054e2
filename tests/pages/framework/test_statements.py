"""The statements of "Say it": one panel with three texts, which an answer without a guarantee does not have."""

import re
from dataclasses import replace
from html import unescape

import pytest

from pages.framework.layout import offers
from pages.framework.layout.offers import Statements
from pages.framework.layout.page import under_conditions
from pages.framework.layout.section import Condition, Conditions, Fields, Section
from pages.framework.parameters.number_format import without_markdown
from pages.shared.conditions import CURATOR

SAID = Statements("Noise of ±3 <b>.\n\nOf 100 people …", "ε = 1", "Laplace, b = 1*2_3")
CONDITION = Condition(CURATOR, "a trusted office adds the noise", "assumed", {})
SECTION = Section(
    key="toy",
    name="Toy",
    controls=lambda _: (),
    parts=lambda result, colours: (),
    answer_text=lambda _: ("Use noise.",),
    statements=lambda _: SAID,
)


def stated_under(conditions):
    return under_conditions(replace(SECTION, conditions=lambda _: conditions), None).statements(None)


def test_a_section_states_its_answer_unless_a_condition_is_open_or_denied():
    assert stated_under(None) is SAID
    assert stated_under(Conditions((CONDITION,), ", if so")) is SAID
    assert stated_under(Conditions((CONDITION,), refusal=("No guarantee.", "Otherwise:"))) is None
    assert stated_under(Conditions((CONDITION,), questions=(Fields((CURATOR,)),))) is None
    assert Section(key="toy", name="", controls=lambda _: (), parts=lambda *_: ()).statements(None) is None


def test_the_panel_has_three_texts_which_are_copied_as_they_were_written():
    panel = offers.statements_html(SAID)
    copied = [unescape(re.sub("<[^>]*>", "", text)) for text in re.findall("<p>(.*?)</p>", panel, re.DOTALL)]
    assert copied == [SAID.public, SAID.paper, SAID.experts]
    assert "<b>" not in panel
    assert re.findall("data-add='([^']*)'", panel) == ["statement_public", "statement_paper", "statement_experts"]
    assert "data-add" not in offers.statements_html(SAID, can_be_added=False)
    assert offers.statements_html(None) == ""


@pytest.mark.parametrize("length", ["public", "paper", "experts"])
def test_a_report_has_a_statement_under_its_name_in_paragraphs(length):
    name = f"statement_{length}"
    assert offers.is_statement(name)
    heading, *paragraphs = offers.sentences_of_item(name, SAID)
    assert heading == f"Statement {offers.LENGTHS[length].lower()}"
    assert "\n\n".join(map(without_markdown, paragraphs)) == SAID.by_length[length]
    assert offers.sentences_of_item(name, None) == ()


@pytest.mark.parametrize("name", ["answer", "public", "statement_", "statement_all", "noise_persons"])
def test_no_other_item_is_a_statement(name):
    assert not offers.is_statement(name)
