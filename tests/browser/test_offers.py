"""The buttons beside the answer, by mouse and keyboard: their content never appears at another setting."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.layout import violations
from tests.browser.reading import EPSILON, EPSILON_SLIDER, enter, follow, go_to, slider

WORDS = """() => {  // of the answer and of what is open, at every change of the page
  globalThis.seen = [];
  new MutationObserver(() => {
    const open = document.querySelector(".dp-answer-panel:not([hidden])");
    globalThis.seen.push([document.querySelector(".dp-answer-text p").textContent, open?.textContent ?? ""]);
  }).observe(document.querySelector(".dp-stage"), {childList: true, subtree: true, characterData: true});
}"""


def test_verify_opens_by_keyboard_follows_the_setting_is_printed_and_closes_with_its_page(
    app: Page, server: str
) -> None:
    follow(app, f"{server}/Gaussian_bounds")
    button, panel = app.get_by_role("button", name="Verify", exact=True), app.get_by_role("region", name="Verify")
    expect(panel).to_have_count(0)
    button.press("Enter")
    expect(panel).to_contain_text("δ(1) of σ = 4.225 lies in [9.98e-7, 9.99e-7], at most 1e-6: proved.")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(app.locator(".dp-stage [role=status]", has_text="Verify: shown over the picture")).to_have_count(1)
    app.emulate_media(media="print")
    expect(panel).to_be_visible()
    expect(button).to_be_hidden()
    app.emulate_media(media="screen")
    app.evaluate(WORDS)
    enter(app, EPSILON, "2")
    expect(panel).to_contain_text("δ(2) of σ = 2.231 lies in")
    for _ in range(3):
        slider(app, EPSILON_SLIDER).press("ArrowRight")
    expect(panel).to_contain_text("δ(2.7) of σ =")
    for answer, proof in app.evaluate("seen"):
        sigma = answer.rpartition(" = ")[2].rstrip(".")
        assert "lies in" not in proof or f"σ = {sigma} lies in" in proof
    panel.focus()
    app.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(button).to_be_focused()
    button.click()
    expect(panel).to_contain_text("proved")
    go_to(app, "All releases together")
    expect(app.locator(".dp-answer-panel:visible", has_text="lies in")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (900, 900), (390, 844)])
def test_a_panel_lies_over_the_chart_which_keeps_its_place_and_gives_the_focus_back(
    app: Page, server: str, width: int, height: int
) -> None:
    app.set_viewport_size({"width": width, "height": height})
    follow(app, f"{server}/Accuracy")
    chart, panel = app.locator(".dp-lead .dp-plot"), app.locator(".dp-answer-panel")
    place = chart.bounding_box()
    for name, word, looked_at in (("Verify", "lies in", 1280), ("Code", "import", 900), ("Say it", "95", 390)):
        button = app.get_by_role("button", name=name, exact=True)
        button.click()
        expect(panel).to_contain_text(word)
        expect(panel).to_be_focused()
        assert chart.bounding_box() == place
        around, box = app.locator(".dp-first").bounding_box(), panel.bounding_box()
        assert around is not None
        assert box is not None
        assert box["y"] >= around["y"]
        assert box["y"] + box["height"] <= around["y"] + around["height"]
        if width == looked_at:  # each panel once and each width once
            assert violations(app) == []
        app.get_by_role("button", name=f"Close {name}").click()
        expect(panel).to_be_hidden()
        expect(button).to_be_focused()
        assert chart.bounding_box() == place
