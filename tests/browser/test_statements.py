"""“Say it” by keyboard: the three lengths, a copy of what is in sight, and the way into the report."""

from playwright.sync_api import Page, expect

from tests.browser.layout import violations
from tests.browser.reading import follow


def test_a_statement_is_chosen_copied_and_added_by_keyboard(app: Page, server: str) -> None:
    app.context.grant_permissions(["clipboard-read", "clipboard-write"])
    app.set_viewport_size({"width": 390, "height": 844})
    follow(app, f"{server}/Tables", 2)
    app.get_by_role("button", name="Say it", exact=True).press("Enter")
    public, paper = (
        app.get_by_label("For the public", exact=True),
        app.get_by_role("region", name="For a decision paper"),
    )
    expect(public.get_by_role("paragraph")).to_contain_text("for at most 74 of 100 on average")
    app.get_by_role("radio", name="For the public").press("ArrowRight")
    expect(paper).to_contain_text("differential privacy with ε = 1")
    expect(app.locator(".dp-statement:visible")).to_have_count(1)
    assert violations(app) == []
    assert app.evaluate("document.documentElement.scrollWidth <= innerWidth")
    paper.get_by_role("button", name="Copy").press("Enter")
    expect(app.locator(".dp-stage [role=status]", has_text="The statement is copied.")).to_have_count(1)
    copied = app.evaluate("navigator.clipboard.readText()")
    assert copied == paper.get_by_role("paragraph").text_content()
    assert "\n\nIf the conditions below hold, the release satisfies" in copied
    paper.get_by_role("button", name="Add to report").press("Enter")
    app.get_by_role("link", name="Open report (1)").first.press("Enter")
    expect(app.get_by_role("heading", name="Statement for a decision paper")).to_be_visible(timeout=20_000)
