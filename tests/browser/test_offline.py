import pytest
from playwright.sync_api import Browser, Error, Page, Request, WebSocket, expect

from tests.browser.reading import PATHS, answer, expect_no_error, visit

# A name such as keyboard_arrow_right is far wider than the icon into which the icon font turns it.
ICONS = """[...document.querySelectorAll("[data-testid=stIconMaterial]")].map(icon => {
  const range = document.createRange();
  range.selectNodeContents(icon);
  return {name: icon.textContent, width: range.getBoundingClientRect().width};
})"""


SIGMA = "the analytic Gaussian needs σ = 4.225."
ANSWERS = {
    "/": SIGMA,
    "/Gaussian_bounds": SIGMA,
    "/Generalized_Gaussian": "At ε = 1, δ = 1e-6, p = 3: b = 12.49, standard deviation 7.631;",
    "/Trade-off_curves": "catches at most 7.955 %",
    "/Laplace_vs_Gaussian": "Laplace wins: ±2.996 against ±8.281 at 95 %.",
    "/Accuracy": "95 of 100 releases fall within ±2.996 people of the truth with Laplace noise.",
    "/Tables": "use geometric noise, s = 1, ±7 for all 64 cells together",
    "/Composition": "Together they cost ε = 4.465 at δ = 1e-6; adding up the lines would say 5.049.",
    "/Report": "Nothing is in this report yet.",
    "/Denoising": "total kept cuts the error by at least 48 %, soft thresholding at SURE’s threshold by 46 %.",
}


@pytest.mark.parametrize(("path", "words"), ANSWERS.items())
def test_a_page_draws_completely_without_the_internet_and_asks_for_nothing_outside(
    page: Page, server: str, path: str, words: str
) -> None:
    asked: list[str] = []

    def note(asking: Request | WebSocket) -> None:
        asked.append(asking.url)

    page.on("request", note)
    page.on("websocket", note)
    visit(page, server + path, PATHS[path])
    expect(answer(page)).to_contain_text(words)
    if path not in ("/", "/Report"):
        page.get_by_text("How this is computed").click()
        expect(page.locator(".katex").first).to_be_visible()
    expect_no_error(page)
    page.evaluate("document.fonts.ready")
    assert [icon for icon in page.evaluate(ICONS) if icon["width"] > 40] == []
    inside = (f"{server}/", server.replace("http", "ws") + "/", "data:", "blob:")
    assert [url for url in asked if not url.startswith(inside)] == []
    assert len(asked) > 1
    page.remove_listener("request", note)
    page.remove_listener("websocket", note)


def test_the_browser_of_the_tests_reaches_nothing_outside(browser: Browser) -> None:
    tab = browser.new_page()
    with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):
        tab.goto("http://127.0.0.2:9999/")
    tab.close()
