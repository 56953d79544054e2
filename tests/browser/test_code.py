"""The programs beside the answer, used by keyboard: they follow the setting, can be copied and fit on a phone."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.reading import EPSILON, enter, settle, visit
from tests.browser.test_accessibility import expect_accessible


def test_the_program_of_the_setting_is_copied_by_keyboard(new_page: Callable[..., Page], server: str) -> None:
    tab = new_page()
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit(tab, f"{server}/Gaussian_bounds")
    tab.get_by_role("button", name="Code", exact=True).press("Enter")
    expect(tab.get_by_label("Code with dpcore", exact=True)).to_contain_text("= 1.0, 1e-06, 1.0")
    enter(tab, EPSILON, "2")
    expect(tab.get_by_label("Code with dpcore", exact=True)).to_contain_text("= 2.0, 1e-06, 1.0")
    tab.get_by_role("button", name="Copy the code with dpcore").press("Enter")
    expect(tab.locator(".dp-stage [role=status]", has_text="The code is copied.")).to_have_count(1)
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("# To run this file anywhere: pip install ")
    assert "\nfrom dpcore import" in copied
    assert copied == tab.get_by_label("Code with dpcore", exact=True).text_content()


def test_the_programs_are_accessible_and_scroll_within_themselves_on_a_phone(
    new_page: Callable[..., Page], server: str
) -> None:
    tab = new_page(width=390)
    visit(tab, f"{server}/Composition?section=training")
    tab.get_by_role("button", name="Code", exact=True).click()
    expect(tab.get_by_label("Code with Opacus", exact=True)).to_be_visible()
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tab.evaluate(
        "[...document.querySelectorAll('.dp-code pre')].some(each => each.scrollWidth > each.clientWidth)"
    )
    expect_accessible(tab)
    tab.emulate_media(color_scheme="dark")
    expect(tab.locator(".dp-stage.dp-dark")).to_be_visible()
    settle(tab)
    expect_accessible(tab)
