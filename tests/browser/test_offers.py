"""The buttons beside the answer, by mouse and keyboard: their content never appears at another setting."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.reading import EPSILON, EPSILON_SLIDER, enter, slider, visit

WORDS = """() => {  // of the answer and of what is open, at every change of the page
  globalThis.seen = [];
  new MutationObserver(() => {
    const open = document.querySelector(".dp-answer-panel:not([hidden])");
    globalThis.seen.push([document.querySelector(".dp-answer-text p").textContent, open?.textContent ?? ""]);
  }).observe(document.querySelector(".dp-stage"), {childList: true, subtree: true, characterData: true});
}"""


def test_verify_opens_by_keyboard_follows_the_setting_closes_and_is_printed(
    new_page: Callable[..., Page], server: str
) -> None:
    tab = new_page()
    visit(tab, f"{server}/Gaussian_bounds")
    button, panel = tab.get_by_role("button", name="Verify", exact=True), tab.get_by_role("region", name="Verify")
    expect(panel).to_have_count(0)
    button.press("Enter")
    expect(panel).to_contain_text("δ(1) of σ = 4.225 lies in [9.98e-7, 9.99e-7], at most 1e-6: proved.")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(tab.locator(".dp-stage [role=status]", has_text="Verify: shown below the answer")).to_have_count(1)
    tab.emulate_media(media="print")
    expect(panel).to_be_visible()
    expect(button).to_be_hidden()
    tab.emulate_media(media="screen")
    tab.evaluate(WORDS)
    enter(tab, EPSILON, "2")
    expect(panel).to_contain_text("δ(2) of σ = 2.231 lies in")
    for _ in range(3):
        slider(tab, EPSILON_SLIDER).press("ArrowRight")
    expect(panel).to_contain_text("δ(2.7) of σ =")
    for answer, proof in tab.evaluate("seen"):
        sigma = answer.rpartition(" = ")[2].rstrip(".")
        assert "lies in" not in proof or f"σ = {sigma} lies in" in proof
    tab.locator(".dp-answer-panel").evaluate("node => (node.tabIndex = -1, node.focus())")
    tab.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(button).to_be_focused()


def test_another_page_opens_without_what_was_open(new_page: Callable[..., Page], server: str) -> None:
    tab = new_page()
    visit(tab, f"{server}/Gaussian_bounds")
    tab.get_by_role("button", name="Verify", exact=True).click()
    expect(tab.get_by_role("region", name="Verify")).to_contain_text("proved")
    tab.get_by_test_id("stSidebar").get_by_role("link", name="Composition").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("What do many releases cost together?")
    expect(tab.locator(".dp-answer-panel:visible", has_text="σ = 4.225")).to_have_count(0)
