"""The programs beside the answer, used by keyboard: they follow the setting, can be copied and fit on a phone."""

from playwright.sync_api import Page, expect

from tests.browser.layout import violations
from tests.browser.reading import EPSILON, enter, follow


def test_the_program_of_the_setting_is_copied_by_keyboard(app: Page, server: str) -> None:
    app.context.grant_permissions(["clipboard-read", "clipboard-write"])
    follow(app, f"{server}/Gaussian_bounds")
    app.get_by_role("button", name="Code", exact=True).press("Enter")
    expect(app.get_by_label("Code with dpcore", exact=True)).to_contain_text("= 1.0, 1e-06, 1.0")
    enter(app, EPSILON, "2")
    expect(app.get_by_label("Code with dpcore", exact=True)).to_contain_text("= 2.0, 1e-06, 1.0")
    app.get_by_role("button", name="Copy the code with dpcore").press("Enter")
    expect(app.locator(".dp-stage [role=status]", has_text="The code is copied.")).to_have_count(1)
    copied = app.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("# To run this file anywhere: pip install ")
    assert "\nfrom dpcore import" in copied
    assert copied == app.get_by_label("Code with dpcore", exact=True).text_content()


def test_the_programs_are_accessible_and_scroll_within_themselves_on_a_phone(app: Page, server: str) -> None:
    app.set_viewport_size({"width": 390, "height": 844})
    follow(app, f"{server}/Composition?section=training")
    app.get_by_role("button", name="Code", exact=True).click()
    expect(app.get_by_label("Code with Opacus", exact=True)).to_be_visible()
    assert app.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert app.evaluate(
        "[...document.querySelectorAll('.dp-code pre')].some(each => each.scrollWidth > each.clientWidth)"
    )
    assert violations(app) == []
