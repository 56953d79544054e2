"""Charts and address follow the setting when users drag, type, tap, zoom and go Back."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

import dpcore
from pages.gaussian_bounds.page import PICTURES
from pages.shared import shared_parameters
from tests.browser.layout import AT_REST
from tests.browser.reading import (
    ALL_IN_SIGHT,
    EPSILON,
    EPSILON_SLIDER,
    OWN,
    SHARED,
    START,
    answer,
    enter,
    expect_link,
    field,
    follow,
    link,
    settle,
    slider,
    visit,
)
from tests.pages.conftest import title_of

EPSILON_STEPS = shared_parameters.EPSILON.scale
RANGE = "document.querySelector('.js-plotly-plot')?._fullLayout?.xaxis.range"
Y_RANGE = RANGE.replace("xaxis", "yaxis")
LINE = "document.querySelector('.js-plotly-plot .shapelayer [data-index=\"0\"]').getBoundingClientRect().x"
# Where the conditions end below the answer, which is elsewhere where the answer has more lines.
CONDITIONS_END = "document.querySelector('.dp-conditions').getBoundingClientRect().bottom"


@pytest.fixture
def bounds(app: Page, server: str) -> Page:
    follow(app, f"{server}/Gaussian_bounds")
    return app


def handle(page: Page) -> Locator:
    return page.get_by_role("slider", name=f"{EPSILON}, in the chart")


def box_of(part: Locator) -> Any:
    box = part.bounding_box()
    assert box is not None
    return box


def drag(page: Page, part: Locator, by: int, steps: int = 8) -> None:
    """Press the middle of a handle and move it without releasing the button."""
    box = box_of(part)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, steps + 1):
        page.mouse.move(x + by * step / steps, y)


def expect_agreement(page: Page) -> str:
    """Wait until the answer, the box, both sliders, the marker and the address show one ε; return it."""
    settle(page)
    epsilon = link(page)["epsilon"]
    expect(answer(page)).to_contain_text(f"At ε = {epsilon},")
    expect(field(page, EPSILON)).to_have_value(epsilon)
    expect(slider(page, EPSILON_SLIDER)).to_have_attribute("aria-valuetext", epsilon)
    expect(handle(page)).to_have_attribute("aria-valuetext", epsilon)
    expect(page.locator(".annotation-text").first).to_have_text(f"ε = {epsilon}")
    return epsilon


def test_the_line_of_epsilon_and_its_slider_are_dragged_and_everything_follows_meanwhile(
    bounds: Page,
) -> None:
    before = bounds.evaluate(LINE)
    drag(bounds, handle(bounds), 60)
    assert bounds.evaluate(LINE) > before + 40
    expect(answer(bounds)).not_to_contain_text("At ε = 1,")
    bounds.mouse.up()
    dragged = expect_agreement(bounds)
    assert float(dragged) > 1
    before = bounds.evaluate(LINE)
    drag(bounds, slider(bounds, EPSILON_SLIDER), -40)
    assert bounds.evaluate(LINE) < before
    expect(answer(bounds)).not_to_contain_text(f"At ε = {dragged},")
    bounds.mouse.up()
    assert float(expect_agreement(bounds)) < float(dragged)


def test_the_line_is_moved_by_keys_and_a_value_between_two_steps_moves_to_the_next_one(bounds: Page) -> None:
    for key, epsilon in (
        ("ArrowRight", "1.1"),
        ("ArrowLeft", "1"),
        ("PageUp", "2.7"),
        ("Home", "0.001"),
        ("End", "100"),
    ):
        handle(bounds).press(key)
        expect(answer(bounds)).to_contain_text(f"At ε = {epsilon},")
        assert expect_agreement(bounds) == epsilon
    enter(bounds, EPSILON, "0.123")
    expect(answer(bounds)).to_contain_text("At ε = 0.123,")
    slider(bounds, EPSILON_SLIDER).press("ArrowRight")
    expect(answer(bounds)).to_contain_text("At ε = 0.13,")
    enter(bounds, EPSILON, "0.123")
    expect(answer(bounds)).to_contain_text("At ε = 0.123,")
    slider(bounds, EPSILON_SLIDER).press("ArrowLeft")
    expect(answer(bounds)).to_contain_text("At ε = 0.12,")


def test_zoom_and_hidden_curves_survive_a_change_of_any_parameter(bounds: Page) -> None:
    area = box_of(bounds.locator(".nsewdrag"))
    bounds.mouse.move(area["x"] + 80, area["y"] + 80)
    bounds.mouse.down()
    bounds.mouse.move(area["x"] + 300, area["y"] + 200, steps=5)
    bounds.mouse.up()
    bounds.wait_for_function(f"() => {RANGE}?.[0] > -2.9")
    zoomed, zoomed_up = bounds.evaluate(RANGE), bounds.evaluate(Y_RANGE)
    bounds.get_by_role("button", name="Classical", exact=True).click()
    lines = "document.querySelectorAll('.js-plotly-plot .js-line').length"
    bounds.wait_for_function(f"() => {lines} < 6")
    n_lines = bounds.evaluate(lines)
    enter(bounds, EPSILON, "2")
    expect(answer(bounds)).to_contain_text("At ε = 2,")
    enter(bounds, "Excess probability δ", "0.1")  # with which the y axis itself has another range
    expect(answer(bounds)).to_contain_text("δ = 0.1")
    settle(bounds)
    assert bounds.evaluate(RANGE) == pytest.approx(zoomed)
    assert bounds.evaluate(Y_RANGE) == pytest.approx(zoomed_up)
    assert bounds.evaluate(lines) <= n_lines
    bounds.get_by_role("button", name="Reset zoom").click()
    bounds.wait_for_function(f"() => {RANGE}?.[0] === -3")
    assert bounds.evaluate(Y_RANGE)[1] > 0.9  # up to 10, and not to 3 as before
    bounds.get_by_role("button", name="Classical", exact=True).click()
    bounds.wait_for_function(f"() => {lines} > {n_lines}")


def test_a_double_click_and_a_pin_leave_the_axes_and_full_screen_has_legend_and_exit(bounds: Page) -> None:
    whole = bounds.evaluate(RANGE), bounds.evaluate(Y_RANGE)
    reset = bounds.get_by_role("button", name="Reset zoom")
    expect(reset).to_be_hidden()
    area = box_of(bounds.locator(".nsewdrag"))
    bounds.mouse.dblclick(area["x"] + 80, area["y"] + 80)
    bounds.get_by_role("button", name="Pin", exact=True).click()
    expect(bounds.get_by_role("button", name="Unpin")).to_be_visible()
    settle(bounds)
    assert (bounds.evaluate(RANGE), bounds.evaluate(Y_RANGE)) == whole
    expect(reset).to_be_hidden()
    bounds.mouse.move(area["x"] + 80, area["y"] + 80)
    bounds.mouse.down()
    bounds.mouse.move(area["x"] + 300, area["y"] + 200, steps=5)
    bounds.mouse.up()
    expect(reset).to_be_visible()
    bounds.mouse.dblclick(area["x"] + 80, area["y"] + 80)
    bounds.wait_for_function(f"() => {RANGE}?.[0] === -3")
    assert (bounds.evaluate(RANGE), bounds.evaluate(Y_RANGE)) == whole
    expect(reset).to_be_hidden()
    full = bounds.get_by_role("button", name="Full screen")
    full.click()
    bounds.wait_for_function("() => document.fullscreenElement")
    legend = bounds.locator(".dp-chart .dp-legend")
    for part in (legend, full):
        box, size = box_of(part), bounds.evaluate("() => [innerWidth, innerHeight]")
        bounds.wait_for_function(
            "() => document.querySelector('.dp-legend')?.getBoundingClientRect().bottom <= innerHeight"
        )
        assert box["x"] + box["width"] <= size[0]
    assert "Leave full screen" in bounds.evaluate(
        "() => getComputedStyle(document.querySelector('.dp-full'), '::after').content"
    )
    full.click()
    bounds.wait_for_function("() => !document.fullscreenElement")


def test_back_and_forward_take_back_and_redo_one_change_each_and_a_drag_is_one(bounds: Page) -> None:
    entries = "history.length"
    before = bounds.evaluate(entries)
    enter(bounds, EPSILON, "2")
    expect_link(bounds, SHARED | OWN | {"epsilon": "2"})
    drag(bounds, handle(bounds), 60)
    bounds.mouse.up()
    dragged = expect_agreement(bounds)
    assert bounds.evaluate(entries) == before + 2
    bounds.go_back()
    expect(answer(bounds)).to_contain_text("At ε = 2,")
    assert expect_agreement(bounds) == "2"
    bounds.go_back()
    expect(answer(bounds)).to_contain_text("At ε = 1,")
    expect_link(bounds, SHARED | OWN)
    bounds.go_forward()
    bounds.go_forward()
    expect(answer(bounds)).to_contain_text(f"At ε = {dragged},")
    assert expect_agreement(bounds) == dragged
    assert bounds.evaluate(entries) == before + 2


def test_back_goes_through_sections_and_pages_and_each_shows_its_setting(bounds: Page) -> None:
    bounds.get_by_role("combobox", name="Show").select_option("profile")
    expect(bounds.get_by_role("heading", name="True δ of each σ")).to_be_visible()
    enter(bounds, EPSILON, "0.5")
    expect(answer(bounds)).to_contain_text("At ε = 0.5,")
    settle(bounds)
    bounds.get_by_test_id("stSidebar").get_by_role("link", name="Start", exact=True).click()
    expect(bounds.get_by_role("heading", level=1)).to_have_text(START)
    settle(bounds, 10)
    bounds.go_back()
    expect(bounds.get_by_role("heading", name="True δ of each σ")).to_be_visible()
    expect(answer(bounds)).to_contain_text("At ε = 0.5,")
    bounds.go_back()
    expect(answer(bounds)).to_contain_text("At ε = 1,")
    bounds.go_back()
    expect(bounds.get_by_role("columnheader", name="Verdict")).to_be_visible()
    expect_link(bounds, SHARED | OWN)


def test_the_picture_keeps_its_place_when_the_answer_has_another_number_of_lines(app: Page, server: str) -> None:
    app.set_viewport_size({"width": 1280, "height": 720})
    for path in ("Accuracy", "A_series?section=sums"):
        follow(app, f"{server}/{path}", ALL_IN_SIGHT)
        ends, tops = set(), set()
        for epsilon in ("1", "0.01", "10"):
            enter(app, EPSILON, epsilon)
            settle(app, ALL_IN_SIGHT)
            app.evaluate(AT_REST)
            ends.add(app.evaluate(CONDITIONS_END))
            tops.add(
                app.locator(".dp-first .dp-plot").first.evaluate("plot => Math.round(plot.getBoundingClientRect().top)")
            )
        assert len(ends) > 1, (path, "has answers of one height")
        assert len(tops) == 1, (path, tops)


def test_a_hundred_steps_on_a_slow_network_end_on_the_last_one(app: Page, server: str) -> None:
    slow = app.context.new_cdp_session(app)
    follow(app, f"{server}/Gaussian_bounds?epsilon=0.001")
    slow.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 50_000},
    )
    bar = slider(app, EPSILON_SLIDER)
    bar.focus()
    for _ in range(100):
        app.keyboard.down("ArrowRight")
    app.keyboard.up("ArrowRight")
    last = bar.get_attribute("aria-valuetext")
    assert last == EPSILON_STEPS[EPSILON_STEPS.index("0.001") + 100]
    assert expect_agreement(app) == last
    slow.detach()


# --------------------------------------------------------------------------------------------------------- a phone


@pytest.fixture
def phone(app: Page, server: str) -> Iterator[Page]:
    with app.context.new_page() as tab:  # in the window that has the app in its cache
        screen = tab.context.new_cdp_session(tab)
        size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        screen.send("Emulation.setDeviceMetricsOverride", size)
        screen.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
        visit(tab, f"{server}/Gaussian_bounds")
        assert tab.evaluate("[innerWidth, matchMedia('(pointer: coarse)').matches]") == [390, True]
        yield tab


def touch(fingers: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    at = [{"x": x, "y": y, "id": place} for place, (x, y) in enumerate(points)]
    fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})


def test_one_finger_scrolls_the_page_and_drags_the_line_and_two_zoom_the_chart(phone: Page) -> None:
    fingers = phone.context.new_cdp_session(phone)
    scroll_by_finger(phone, fingers)
    drag_line_by_finger(phone, fingers)
    zoom_by_fingers(phone, fingers)


def scroll_by_finger(phone: Page, fingers: CDPSession) -> None:
    """Expect that one finger on a chart scrolls the page and leaves the chart alone; scroll back."""
    area = box_of(phone.locator(".nsewdrag"))
    before, top = phone.evaluate(RANGE), "document.querySelector('.stMain')?.scrollTop"
    x, y = area["x"] + 60, area["y"] + 200
    touch(fingers, "touchStart", (x, y))
    for step in range(1, 11):
        touch(fingers, "touchMove", (x, y - 15 * step))
    phone.wait_for_timeout(200)  # a finger that rests before it leaves gives the page no speed
    touch(fingers, "touchMove", (x, y - 151))
    touch(fingers, "touchEnd")
    phone.wait_for_function(f"() => {top} > 60")
    assert phone.evaluate(RANGE) == before
    phone.locator(".stMain").evaluate("node => node.scrollTo(0, 0)")
    phone.wait_for_function(f"() => {top} === 0")


def zoom_by_fingers(phone: Page, fingers: CDPSession) -> None:
    """Expect that two fingers zoom the chart."""
    area = box_of(phone.locator(".nsewdrag"))
    low, high = phone.evaluate(RANGE)
    x, y = area["x"] + area["width"] / 2 - 40, area["y"] + area["height"] / 2
    touch(fingers, "touchStart", (x - 30, y), (x + 30, y))
    for step in range(1, 9):
        touch(fingers, "touchMove", (x - 30 - 6 * step, y), (x + 30 + 6 * step, y))
    touch(fingers, "touchEnd")
    phone.wait_for_function(f"() => {RANGE}?.[1] - {RANGE}?.[0] < {0.8 * (high - low)}")


def drag_line_by_finger(phone: Page, fingers: CDPSession) -> None:
    """Expect that a finger drags the line, and that all follows while it is on the screen."""
    grip = box_of(handle(phone))
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] - 20
    touch(fingers, "touchStart", (x, y))
    for step in range(1, 9):
        touch(fingers, "touchMove", (x + 8 * step, y))
    expect(answer(phone)).not_to_contain_text("At ε = 1,")
    touch(fingers, "touchEnd")
    assert float(expect_agreement(phone)) > 1


# -------------------------------------------------------------------------------------------- what leaves the page


def test_the_link_its_code_the_citation_and_a_table_for_latex_are_copied(page: Page, server: str) -> None:
    visit(page, f"{server}/Gaussian_bounds")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("The link is copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.get_by_role("button", name="Copy citation").click()
    expect(page.get_by_text("The citation is copied.")).to_be_visible()
    citation = page.evaluate("navigator.clipboard.readText()")
    for words in ("σ = 4.225", f"DP Trade-off Explorer, version {dpcore.__version__}"):
        assert words in citation
    (cited,) = re.findall(rf"{page.url.partition('?')[0]}\?\S*version={re.escape(dpcore.__version__)}", citation)
    assert "epsilon=" not in cited  # a citation leaves out defaults
    warning = page.get_by_text("Readers cannot open this address")
    expect(warning).to_be_visible()
    page.get_by_label("Address for citations").fill("https://example.org/dp/")
    page.get_by_role("button", name="Set the address").click()
    expect(warning).to_have_count(0)
    page.get_by_role("button", name="Copy BibTeX").click()
    expect(page.get_by_text("The BibTeX entry is copied.")).to_be_visible()
    expect(warning).to_have_count(0)
    entry = page.evaluate("navigator.clipboard.readText()")
    assert entry.startswith("@misc{dp-tradeoff-explorer-gaussian-bounds-")
    assert re.search(r"url = \{https://example\.org/dp/Gaussian_bounds\?[^ {}]*version=[\d.]+\}", entry)
    page.get_by_role("button", name="QR code of the link").click()
    expect(page.locator(".dp-code svg")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save this table").click()
    page.get_by_role("button", name="Copy for LaTeX").click()
    expect(page.get_by_text("The table is copied.")).to_be_visible()
    table = page.evaluate("navigator.clipboard.readText()")
    assert "\\begin{tabular}{lrrrrrrl}" in table
    assert "\n  Analytic & 4.225 & 17.85 & 8.281 & $10^{-6}$ & 1 & " in table


def test_the_arrow_keys_move_the_parameter_of_a_presentation_and_escape_leaves_it(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds?present=on")
    expect(app.get_by_test_id("stSidebar")).to_be_hidden()
    app.keyboard.press("ArrowRight")
    expect(answer(app)).to_contain_text("At ε = 1.1,")
    handle(app).press("ArrowRight")  # from the handle too, which has used other keys for itself
    expect(answer(app)).to_contain_text("At ε = 1.2,")
    for _, picture in [*PICTURES.values()][1:]:
        app.keyboard.press("PageDown")
        expect(app.get_by_role("heading", name=title_of("gaussian_bounds", picture.__name__))).to_be_visible()
    slider(app, EPSILON_SLIDER).press("ArrowRight")
    expect(answer(app)).to_contain_text("At ε = 1.3,")
    field(app, EPSILON).fill("7")
    app.keyboard.press("Escape")  # takes back what was typed, and nothing else
    expect(field(app, EPSILON)).to_have_value("1.3")
    expect(app.get_by_test_id("stSidebar")).to_be_hidden()
    app.keyboard.press("Escape")
    expect(app.get_by_test_id("stSidebar")).to_be_visible()
    assert (link(app)["present"], link(app)["view"]) == ("off", [*PICTURES][-1])


def test_what_is_printed_has_whole_charts_and_a_link_in_words_at_its_foot(bounds: Page) -> None:
    bounds.emulate_media(media="print")
    for hidden in ("[data-testid=stSidebar]", ".dp-controls", ".dp-tools", ".dp-exhibit-tools"):
        expect(bounds.locator(hidden).first).to_be_hidden()
    expect(bounds.locator(".dp-foot")).to_have_text(f"Open in the Explorer ({bounds.url.partition('?')[0]})")
    expect(bounds.locator(".dp-foot a")).to_have_attribute("href", re.compile(r"/Gaussian_bounds\?.*\bversion="))
    document = bounds.pdf(format="A4")
    assert document.startswith(b"%PDF")


def test_the_page_requests_the_colours_of_a_scheme_that_changes(bounds: Page) -> None:
    colour = "document.querySelector('.js-plotly-plot')?.data?.[0].line.color"
    light = bounds.evaluate(colour)
    bounds.emulate_media(color_scheme="dark")
    bounds.wait_for_function(f"() => ({colour} ?? '{light}') !== '{light}'")
