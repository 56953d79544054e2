"""The cards of the start page in a browser: they fit the first screen, follow edits and are links."""

from playwright.sync_api import Page, expect

from tests.browser.layout import AT_REST, violations
from tests.browser.reading import (
    ACCURACY,
    CHANGE_LIMIT,
    EPSILON_SLIDER,
    answer,
    expect_no_error,
    follow,
    link,
    settle,
    slider,
)

_CARDS = """() => [...document.querySelectorAll(".dp-card")].map((card) => {
  const box = card.getBoundingClientRect(), inner = [...card.querySelectorAll("h2, .main-svg, p, button")];
  const cut = inner.filter((part) => part.clientWidth && part.scrollWidth > part.clientWidth + 1);
  return {question: card.querySelector("h2").textContent, top: box.top, right: box.right, cut: cut.length};
})"""
_TYPE = """() => [...document.querySelectorAll(".dp-card svg text")].filter((one) => one.textContent.trim())
  .map((one) => parseFloat(getComputedStyle(one).fontSize))"""
_HEIGHTS = """() => [...document.querySelectorAll(".dp-card .plotclip rect")].map((one) => one.height.baseVal.value)"""

_DOTS = """() => [...document.querySelectorAll("[data-chart=first_look] .xy .point[d]")]
  .map((one) => one.getBoundingClientRect().top)"""

_PICTURES = "() => [...document.querySelectorAll('.dp-card .main-svg')].map((picture) => picture.innerHTML).join()"
_OVERLAPS = """() => [...document.querySelectorAll(".dp-card svg")].flatMap((picture) => {
  const words = [...picture.querySelectorAll("text")].filter((one) => one.textContent.trim());
  const cross = (one, other) => {
    const [a, b] = [one, other].map((word) => word.getBoundingClientRect());
    return a.left < b.right - 1 && b.left < a.right - 1 && Math.abs(a.top - b.top) < a.height * 0.7;
  };
  const under = (one, at) => words.slice(0, at).filter((other) => cross(one, other));
  return words.flatMap(under).map((one) => one.textContent);
})"""


def test_the_first_picture_fits_the_page_is_accessible_and_tiles_follow_a_slider_and_lead_on(
    app: Page, server: str
) -> None:
    app.set_viewport_size({"width": 1280, "height": 720})
    follow(app, f"{server}/", 10)
    app.evaluate(AT_REST)
    lead = app.locator("[data-chart=first_look] .dp-plot").bounding_box()
    assert lead is not None
    assert lead["y"] + lead["height"] < 720
    cards = app.evaluate(_CARDS)
    assert [card["question"] for card in cards] == [
        "One number",
        "A table",
        "Several statistics",
        "A median",
        "A series",
        "A survey",
        "A trained model",
        "What ε means",
        "All releases together",
    ]
    assert sum(card["cut"] for card in cards) == 0
    assert max(card["top"] for card in cards[:3]) < 560  # of 720 px: more than the heading of each tile is in sight
    heights = app.evaluate(_DOTS)
    assert max(heights) - min(heights) > 16  # px between the largest and the smallest release
    assert min(app.evaluate(_TYPE)) >= 13
    assert min(app.evaluate(_HEIGHTS)) >= 95
    assert violations(app) == []
    before = app.evaluate(_PICTURES)
    for _ in range(3):
        slider(app, EPSILON_SLIDER).press("ArrowRight")
    expect(app.locator(".st-key-answer")).to_contain_text("At ε = 1.3,")
    app.wait_for_function(f"before => ({_PICTURES})() !== before", arg=before, timeout=CHANGE_LIMIT)
    app.locator(".dp-card").first.click()
    expect(app.get_by_role("heading", level=1)).to_have_text(ACCURACY)
    settle(app)
    expect(answer(app)).to_contain_text("At ε = 1.3, at least 95 of 100 releases fall within ±2 people of the truth")
    assert (link(app).get("known", "epsilon"), link(app)["epsilon"]) == ("epsilon", "1.3")
    app.go_back()
    settle(app, 10)
    expect(app.locator(".st-key-answer")).to_contain_text("At ε = 1.3,")
    expect_no_error(app)


def test_on_a_phone_the_tiles_stand_below_each_other_and_the_slider_is_in_sight_at_the_picture(
    app: Page, server: str
) -> None:
    app.set_viewport_size({"width": 390, "height": 900})
    app.emulate_media(color_scheme="dark")
    follow(app, f"{server}/", 10)
    app.evaluate(AT_REST)
    cards = app.evaluate(_CARDS)
    assert [card["top"] for card in cards] == sorted({card["top"] for card in cards})
    assert max(card["right"] for card in cards) <= 390
    assert sum(card["cut"] for card in cards) == 0
    assert app.evaluate("document.documentElement.scrollWidth") <= 390
    app.locator("[data-chart=first_look]").scroll_into_view_if_needed()
    expect(slider(app, EPSILON_SLIDER)).to_be_in_viewport()


def test_in_a_presentation_no_text_of_a_card_lies_on_another(app: Page, server: str) -> None:
    follow(app, f"{server}/?present=on", 10)
    for width, height in ((1280, 720), (1920, 1080)):
        app.set_viewport_size({"width": width, "height": height})
        app.wait_for_function(f"() => Math.min(...({_TYPE})()) >= 18", timeout=CHANGE_LIMIT)
        app.evaluate(AT_REST)
        assert (width, app.evaluate(_OVERLAPS)) == (width, [])
