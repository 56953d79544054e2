import re

from playwright.sync_api import Page, expect

from tests.browser.layout import AT_REST, violations
from tests.browser.reading import expect_no_error, follow, link

TEXT = ".dp-article:not([hidden]) h2"


def test_a_search_by_keyboard_finds_an_entry_and_opens_it(app: Page, server: str) -> None:
    follow(app, f"{server}/?section=glossary&epsilon=2", 0)
    search = app.get_by_role("searchbox", name="Search")
    search.press_sequentially("percentile")
    expect(app.locator(TEXT)).to_have_text(["Median and other quantiles", "Cliff of a quantile"])
    expect(app.get_by_text("2 entries", exact=True)).to_be_visible()
    assert link(app)["term"] == "none"
    search.press("Enter")
    entry = app.get_by_role("link", name="Median and other quantiles").last
    expect(entry).to_be_focused()
    expect(app).to_have_url(re.compile("[?&]term=median$"))
    assert link(app)["epsilon"] == "2"
    expect(app.get_by_text("The error in ranks hardly depends on n")).to_be_visible()
    search.fill("no such word")
    expect(app.get_by_text("No entry for “no such word”. Try another word, or the index.")).to_be_visible()
    search.press("Escape")
    expect(entry).to_be_visible()
    expect_no_error(app)


def test_a_link_to_an_entry_shows_it_in_sight_and_is_accessible(app: Page, server: str) -> None:
    follow(app, f"{server}/?section=glossary&term=sigma", 0)
    entry = app.locator(".dp-open")
    expect(entry).to_contain_text("σ, the standard deviation")
    expect(entry).to_be_in_viewport()
    app.evaluate(AT_REST)
    assert violations(app) == []
    app.get_by_role("navigation", name="Index").get_by_role("link", name="Hull").click()
    expect(entry).to_contain_text("Hull")
    expect(entry).to_be_in_viewport()
    expect(app).to_have_url(re.compile("[?&]term=hull$"))
    app.go_back()
    expect(entry).to_contain_text("σ, the standard deviation")
