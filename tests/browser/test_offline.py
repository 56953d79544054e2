"""The app works offline: `open_tab` refuses other hosts in every test, and here nothing is missing."""

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.reading import expect_no_error, follow

# A name such as keyboard_arrow_right is far wider than the icon into which the icon font turns it.
ICONS = """[...document.querySelectorAll("[data-testid=stIconMaterial]")].map(icon => {
  const range = document.createRange();
  range.selectNodeContents(icon);
  return {name: icon.textContent, width: range.getBoundingClientRect().width};
})"""


def test_a_page_has_its_formulas_and_its_icons_without_the_internet(app: Page, server: str) -> None:
    follow(app, f"{server}/Tables", 2)
    app.get_by_text("How this is computed").click()
    expect(app.locator(".katex").first).to_be_visible()
    expect_no_error(app)
    app.evaluate("document.fonts.ready")
    assert [icon for icon in app.evaluate(ICONS) if icon["width"] > 40] == []


def test_the_browser_of_the_tests_reaches_nothing_outside(browser: Browser) -> None:
    tab = browser.new_page()
    with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):
        tab.goto("http://127.0.0.2:9999/")
    tab.close()
