"""The statements in a report: as items of it, and those of all its items below one another."""

import json
from urllib.parse import quote

import pytest

from pages.framework.export import report_items
from pages.framework.export.exhibit import read_item
from pages.framework.export.report_items import rebuild
from pages.framework.layout.offers import LENGTHS, Statements
from pages.framework.layout.page import PageView, load_page
from pages.framework.parameters.number_format import without_markdown
from pages.framework.rendering import render
from pages.report.document import document
from pages.shared.site_map import REPORT, TABLES
from tests.pages.conftest import open_page, read_link, stage_of
from tests.pages.test_statements import stated
from tests.programs import at


def view_of(page, **link) -> PageView:
    return PageView(load_page(page), read_link(page.topic, **link)[0], "light")


def report_of(*items):
    return at(f"/Report?items={quote('~'.join(items))}")


def stated_of(*items) -> Statements:
    return stated(f"/Report?items={quote('~'.join(items))}")


@pytest.mark.parametrize("length", LENGTHS)
def test_a_statement_is_an_item_that_its_text_rebuilds(length):
    view = view_of(TABLES, epsilon="0.5", per_person="3")
    added = json.loads(report_items.item_to_add(view, f"statement_{length}"))
    assert added["is_rebuilt"]
    rebuilt = rebuild(read_item(added["item"]))
    said = stated("/Tables?epsilon=0.5&per_person=3").by_length[length]
    assert rebuilt.problems == ()
    assert rebuilt.heading == f"Statement {LENGTHS[length].lower()}"
    assert "\n\n".join(map(without_markdown, rebuilt.answer_below_heading)) == said
    assert said.split("\n\n")[1][:16] in document(report_of(added["item"])[1], "", "2026-01-01")


def test_a_statement_that_a_setting_does_not_have_says_so():
    rebuilt = rebuild(read_item("Tables/statement_public?fixed=no"))
    assert rebuilt.problems == ("Its page states nothing at this setting.",)
    assert rebuilt.exhibit is None


def test_a_report_states_each_release_once_and_that_several_add_up():
    alone = stated_of("Tables/answer", "Tables/cells?section=table")
    assert alone.public.startswith("Items 1 and 2 (A table: My table, A table: Which noise)\n\nRandom noise")
    assert "add up" not in alone.public
    for text in stated_of(
        "Tables/answer", "Tables/answer?table=mildew", "Accuracy/answer?query=sum"
    ).by_length.values():
        assert [line[:7] for line in text.splitlines() if line.startswith("Item ")] == ["Item 1 ", "Item 2 ", "Item 3 "]
        assert "About the same people they add up" in text


def test_a_report_names_the_items_of_which_it_states_nothing():
    stated = stated_of("Tables/answer", "Tables/answer?fixed=no", "Gaussian_bounds/ratio")
    assert stated.paper.endswith("Items 2 and 3 are not covered by a statement.")
    for items in ((), ("Tables/answer?fixed=no",), ("Gaussian_bounds/ratio",)):
        topic, result = report_of(*items)
        assert topic.statements_of(result) is None
        assert "say" not in topic.answer_buttons(result)


def test_the_panel_of_a_report_adds_nothing_to_it_and_that_of_a_page_does():
    pages = (REPORT, {"items": "Tables/answer"}), (TABLES, {})
    for page, link in pages:
        html = render.panel(view_of(page, **link), "say", "").decode()
        assert html.count("dp-statement") == 3
        assert ("data-add" in html) == (page != REPORT)


def test_a_page_offers_what_it_can_say():
    assert stage_of(open_page(TABLES.script))["answerButtons"]["say"] == "Say it"
