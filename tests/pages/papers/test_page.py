"""The page of reproduced papers as a whole, and the links to the places where its sections were before."""

from html import unescape
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from pages.export import exhibits_of
from pages.framework.export.report_items import rebuild
from pages.framework.layout.page import load_page, redirected_link
from pages.framework.layout.section import Card, Cards
from pages.framework.parameters.parameter import excerpt
from pages.papers.page import PAGE as RECORD
from pages.papers.page import RESULTS
from pages.report.parameters import ITEMS
from pages.shared import site_map
from pages.shared.site_map import DENOISING, GAUSSIAN_BOUNDS, GENERALIZED_GAUSSIAN, LAPLACE_GAUSSIAN, PAPERS, TABLES
from tests.pages.conftest import LIGHT, charts_of, found_by, link_of, open_page, read_link, text_of, words_of

MOVED = (
    (TABLES, {"section": "paper", "table": "mildew", "post": "rounded", "grid": "own", "seed": "5", "error": "each"}),
    (DENOISING, {"section": "variance", "variance_against": "delta", "epsilon": "2", "grid": "8"}),
    (DENOISING, {"section": "means", "mean_dimension": "30", "means_against": "epsilon", "trips": "7"}),
    (GENERALIZED_GAUSSIAN, {"section": "exponential", "p": "2.5", "over": "width", "bounded_scale": "scale"}),
    (LAPLACE_GAUSSIAN, {"section": "deltas", "k": "4", "deltas": "0.1", "cutoff": "0.01", "hold": "tail", "t": "3"}),
    (GAUSSIAN_BOUNDS, {"section": "pdp", "delta": "0.2", "view": "delta"}),
)
CHARTS = {"tables": "released", "variance": "variance_ratio", "means": "mean_errors"}
CHARTS |= {"exponential": "bounded_widths", "tails": "ratio", "pdp": "pdp_share"}


def moved_link(entry, link) -> dict[str, str]:
    """Return the link to which an old one leads."""
    target, query = redirected_link(entry, {key: [text] for key, text in link.items()})
    assert target == PAPERS
    return {key: texts[-1] for key, texts in query.items()}


@pytest.mark.parametrize(("entry", "link"), MOVED)
def test_an_old_link_opens_the_same_setting_on_the_page_of_papers(entry, link):
    readings, problems = read_link("papers", **moved_link(entry, link))
    assert problems == []
    for key in link.keys() & set(load_page(entry).moved_sections[link["section"]].keys):
        assert readings[key].used == link[key]
    opened = readings["section"].value, readings["show"].value
    assert opened == ("results", load_page(entry).moved_sections[link["section"]].section)


@pytest.mark.parametrize(("entry", "link"), MOVED)
def test_an_old_address_opens_the_new_page(entry, link):
    (redirection,) = (
        html.proto.body for html in open_page(entry.script, **link).get("html") if "moved" in html.proto.body
    )
    address = unescape(redirection.split("href='")[1].split("'")[0])
    assert address.startswith("./Papers_reproduced?")
    app = open_page(PAPERS.script, **dict(parse_qsl(urlsplit(address).query)))
    assert "has no parameter" not in text_of(app)
    assert CHARTS[link_of(app)["show"]] in charts_of(app)


def test_a_pinned_setting_keeps_what_the_new_page_knows_of_it():
    pin = urlencode({"epsilon": "0.5", "k": "2", "hold": "tail", "guarantee": "adp"})
    readings, problems = read_link("papers", **moved_link(LAPLACE_GAUSSIAN, {"section": "deltas", "pinned": pin}))
    assert problems == []
    pinned = readings["pinned"].value
    assert (pinned["epsilon"], pinned["k"]) == (0.5, 2)
    older = moved_link(LAPLACE_GAUSSIAN, {"section": "deltas", "pinned": "0.5,1e-5,2,0.1"})
    assert read_link("papers", **older)[0]["pinned"].value["l2_sensitivity"] == 2


def test_a_link_to_a_section_that_stays_is_left_as_it_is():
    query = {"section": ["table"], "table": ["mildew"]}
    assert redirected_link(TABLES, query) == (TABLES, query)
    assert redirected_link(TABLES, {}) == (TABLES, {})


def test_every_section_that_moved_stands_on_its_new_page_and_not_on_its_old_one():
    for entry in site_map.PAGES:
        page = load_page(entry)
        for key, moved in page.moved_sections.items():
            assert key not in page.section_by_key, excerpt(key)
            assert moved.section in load_page(moved.page).keys_of_links


def test_an_item_of_an_old_report_is_rebuilt_from_the_new_page():
    (item,) = ITEMS.read("Tables/released?section=paper&table=mildew&error=each#see%20there")
    assert (item.page, item.note) == (PAPERS, "see there")
    assert dict(item.entries) == {"section": "tables", "table": "mildew"}
    rebuilt = rebuild(item)
    assert rebuilt.problems == ()
    assert rebuilt.exhibit is not None
    assert rebuilt.exhibit.name == "released"


def test_the_export_of_an_old_link_has_the_pictures_of_the_new_page():
    exhibits, link, problems = exhibits_of("/Generalized_Gaussian?section=exponential&p=4")
    assert problems == []
    assert link.startswith("/Papers_reproduced?")
    assert {"bounded_shapes", "bounded_widths"} <= {exhibit.name for exhibit in exhibits}


def test_every_result_carries_the_name_of_its_paper_and_has_a_picture_that_opens_it():
    for section in RESULTS:
        assert section.name.startswith(("Balle & Wang ", "Liu "))
    for epsilon in ("1", "0"):  # at 0 some of them have no noise, and so no picture
        (gallery,) = RECORD.sections[0].parts(found_by("papers", epsilon=epsilon), LIGHT)
        assert isinstance(gallery, Cards)
        cards = [card for card in gallery.cards if isinstance(card, Card)]
        shown = [(card.question, dict(parse_qsl(urlsplit(card.link).query))["show"]) for card in cards]
        own = [(section.name, section.key) for section in RESULTS]
        assert shown == own if epsilon == "1" else set(shown) < set(own)


def test_the_explanation_of_every_section_opens():
    for section in RESULTS:
        app = open_page(PAPERS.script, section=section.key)
        app.session_state.explanation = True
        assert not app.run().exception


@pytest.mark.parametrize("section", [section.key for section in RESULTS])
def test_an_answer_has_a_short_sentence_with_its_number_and_a_short_one_on_what_follows(section):
    for pinned in ("none", "epsilon=0.5&delta=1e-4"):
        for link in ({}, {"epsilon": "0.01"}, {"epsilon": "20", "p": "2.5"}, {"epsilon": "0"}):
            first, second, *pin = RECORD.answer_text(found_by("papers", section=section, pinned=pinned, **link))
            assert len(words_of(first)) <= 20, first
            assert len(words_of(second)) <= 30, second
            assert all(sentence.startswith("Compared with the pin") for sentence in pin)
