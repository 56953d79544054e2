"""A demonstration in a browser: its steps by key, a question, an edit, Back, its end, and a reload."""

from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.layout import AT_REST, violations
from tests.browser.reading import (
    ALL_IN_SIGHT,
    EPSILON_SLIDER,
    TRADEOFF,
    enter,
    expect_no_error,
    follow,
    link,
    settle,
    slider,
    visit,
)

_WIDER = """() => {
  const lesson = document.querySelector(".dp-lesson"), end = lesson.getBoundingClientRect().right;
  return [...lesson.querySelectorAll("p, button")].filter((part) => part.getBoundingClientRect().right > end).length;
}"""
_SEEN = """() => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  return {
    lesson: box(".dp-lesson").bottom, answer: box(".dp-answer").top, picture: box(".dp-lead .dp-plot .main-svg"),
    chart: box(".dp-lead .dp-chart"),
    wide: document.documentElement.scrollWidth - innerWidth,
    type: Math.min(...[...document.querySelectorAll(".dp-lesson :is(p, button)")]
      .filter((part) => part.getClientRects().length).map((part) => parseFloat(getComputedStyle(part).fontSize))),
  };
}"""


def lesson(page: Page) -> Locator:
    return page.get_by_role("region", name="Demonstration:")


def picture_top(page: Page) -> float:
    return (page.locator(".dp-lead .dp-plot").bounding_box() or {"y": -1.0})["y"]


def expect_step(page: Page, place: int, sentence: str, charts: int = 1) -> None:
    expect(lesson(page)).to_contain_text(f"{place} of 6")
    expect(lesson(page)).to_contain_text(sentence)
    settle(page, charts)


def test_a_demonstration_asks_by_key_reveals_by_vote_and_leads_back_to_the_classroom(app: Page, server: str) -> None:
    app.set_viewport_size({"width": 1280, "height": 720})
    follow(app, f"{server}/?section=class", 0)
    app.get_by_role("link", name="Present it").first.click()
    expect(app.get_by_test_id("stSidebar")).to_be_hidden()
    expect_step(app, 1, "At ε = 0.5 the classical formula")
    assert (link(app)["demo"], link(app)["view"], link(app)["delta"]) == ("classical-1", "profile", "1e-5")
    expect(lesson(app)).not_to_contain_text("Is it still enough")
    expect(app.locator(".dp-answer, .dp-controls").first).to_be_hidden()
    app.keyboard.press("f")
    expect(app.locator(".dp-answer")).to_be_visible()
    app.keyboard.press("f")
    app.keyboard.press("1")  # no vote before the question
    before = picture_top(app)
    app.keyboard.press("ArrowRight")  # asks, on the same picture
    expect_step(app, 1, "At ε = 0.5 the classical formula")
    expect(lesson(app).get_by_role("group", name="Question").get_by_role("button")).to_have_count(
        2
    )  # the answers alone
    expect(app.locator(".dp-answer")).to_be_hidden()  # it may tell
    assert picture_top(app) == pytest.approx(before, abs=1)  # the question has its place
    app.keyboard.press("ArrowRight")
    expect_step(app, 2, "At ε = 3 its proof does not apply")
    lesson(app).get_by_role("button", name="Show the question").click()
    app.keyboard.press("1")  # the wrong answer
    expect_step(app, 3, "✗ Not “At most 1e-5”, but “More than twice 1e-5”.")
    expect(lesson(app)).to_contain_text("gives δ = 2.266e-5")
    app.keyboard.press("ArrowRight")
    with app.context.expect_page() as opened:
        app.keyboard.press("p")  # phones first, in a tab of their own, which reveals nothing here
    phones = opened.value
    expect(phones.locator(".dp-invitation-words")).to_contain_text("0 reports. Open")  # asked at once
    expect(phones.locator(".dp-invitation-words")).not_to_contain_text("Questions add up")  # and once
    assert link(phones)["present"] == "on"
    asked = lesson(app).get_by_role("group", name="Question").locator("p").inner_text()
    expect(phones.locator(".dp-invitation-words")).to_contain_text(asked)
    expect_step(app, 3, "gives δ = 2.266e-5")
    phones.close()
    app.bring_to_front()
    app.keyboard.press("3")
    expect_step(app, 4, "✓ Right.")
    app.go_back()
    expect_step(app, 3, "gives δ = 2.266e-5")
    expect(lesson(app)).not_to_contain_text("✗")  # it went when the class was asked anew
    expect(lesson(app).get_by_role("group", name="Question").get_by_role("button")).to_have_count(3)
    expect(lesson(app).get_by_role("button", pressed=True)).to_have_count(0)  # and so did the vote
    assert link(app)["demo"] == "classical-3"
    app.keyboard.press("ArrowLeft")
    expect_step(app, 2, "At ε = 3 its proof does not apply")
    app.keyboard.press("Escape")
    expect(app.get_by_role("link", name="Present it").first).to_be_focused()  # of the one that was left
    expect(lesson(app)).to_be_hidden()
    expect(app.get_by_test_id("stSidebar")).to_be_visible()
    app.get_by_role("link", name="Present it").first.click()  # to the next class, which has not voted
    expect_step(app, 1, "At ε = 0.5 the classical formula")
    expect(lesson(app)).not_to_contain_text("Is it still enough")
    app.keyboard.press("ArrowRight")
    app.keyboard.press("ArrowRight")
    expect_step(app, 2, "At ε = 3 its proof does not apply")
    expect(lesson(app)).not_to_contain_text("✗")
    expect(lesson(app).get_by_role("button", pressed=True)).to_have_count(0)
    app.keyboard.press("ArrowRight")
    app.keyboard.press("ArrowRight")
    expect_step(app, 3, "gives δ = 2.266e-5")
    expect(lesson(app)).not_to_contain_text("✗")
    app.keyboard.press("Escape")
    expect(lesson(app)).to_be_hidden()
    app.wait_for_url(lambda url: "demo=" not in url and "section=class" in url)
    expect_no_error(app)


def test_between_steps_a_parameter_is_moved_by_hand_and_the_step_is_one_click_away(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds?demo=classical-4")
    expect_step(app, 4, "At δ = 1e-5 its σ is enough up to ε = 8.419")
    lesson(app).get_by_role("button", name="Fields").click()
    back = lesson(app).get_by_role("link", name="Back to the step")
    expect(back).to_be_hidden()
    box = slider(app, EPSILON_SLIDER).bounding_box()
    assert box is not None
    app.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    expect(back).to_be_visible()
    settle(app)
    assert link(app)["epsilon"] != "8.42"
    assert link(app)["demo"] == "classical-4"
    back.click()
    expect(back).to_be_hidden()
    app.wait_for_url(lambda url: "epsilon=8.42&" in url)
    app.reload()
    expect_step(app, 4, "At δ = 1e-5 its σ is enough up to ε = 8.419")
    app.keyboard.press("f")
    settle(app)
    box = slider(app, EPSILON_SLIDER).bounding_box()
    assert box is not None
    app.mouse.click(
        box["x"] + box["width"] / 4, box["y"] + box["height"] / 2
    )  # the slider has the focus, and gives it up
    expect(back).to_be_visible()
    app.keyboard.press("ArrowRight")  # asks
    app.keyboard.press("ArrowRight")
    expect_step(app, 5, "No factor is enough")
    app.keyboard.press("f")  # the next test finds the fields hidden


def test_steps_on_other_pages_follow_each_other_however_fast_the_keys_are(app: Page, server: str) -> None:
    follow(app, f"{server}/Composition?demo=adding-3")
    for _ in range(3):
        app.keyboard.press("ArrowRight")  # asks, and goes two steps on before the next is there
    expect_step(app, 5, "At most 59.29 %")
    expect(app.get_by_role("heading", level=1)).to_have_text(TRADEOFF)
    assert link(app)["demo"] == "adding-5"
    handle = app.locator(".dp-handle").first
    handle.focus()  # which uses the arrow keys for itself, and not those of a remote control
    app.keyboard.press("PageDown")
    app.keyboard.press("PageDown")
    expect_step(app, 6, "within ±158.2, a single one within ±8.281", ALL_IN_SIGHT)
    expect(app.get_by_role("button", name="Next step")).to_be_disabled()
    expect(lesson(app)).to_contain_text("The end of the demonstration.")
    app.go_back()
    expect_step(app, 5, "At most 59.29 %")
    app.keyboard.press("Escape")
    expect(app.locator("a[href*='demo=adding-1&']")).to_be_focused()  # the one that was left, in the list of all
    expect_no_error(app)


@pytest.mark.parametrize(("width", "height", "scheme"), [(1280, 720, "light"), (390, 844, "dark")])
def test_a_step_leaves_the_picture_free_can_be_read_and_shows_its_code(
    app: Page, server: str, width: int, height: int, scheme: Literal["light", "dark"]
) -> None:
    app.set_viewport_size({"width": width, "height": height})
    app.emulate_media(color_scheme=scheme)
    present = "on" if width > 1000 else "off"
    follow(app, f"{server}/Trade-off_curves?demo=attacker-4&present={present}")
    app.evaluate(AT_REST)
    seen = app.evaluate(_SEEN)
    assert seen["lesson"] <= seen["picture"]["top"]
    assert seen["wide"] == 0
    if present == "on":
        assert seen["picture"]["bottom"] <= height
        assert seen["chart"]["width"] * seen["chart"]["height"] >= 0.7 * width * height
        assert seen["type"] >= 17.5
    app.keyboard.press("ArrowRight")  # asks
    expect(lesson(app)).to_contain_text("At ε = 3, how many members")
    assert app.evaluate(_WIDER) == 0
    app.keyboard.press("q")
    code = app.locator(".dp-code path.qrline")
    expect(code).to_be_visible()
    choices = app.locator(".dp-lesson-choices").bounding_box() or {"y": 1e9, "height": 0}
    assert choices["y"] + choices["height"] <= (code.bounding_box() or {"y": 0})["y"]  # the code covers no answer
    app.keyboard.press("q")
    expect(code).to_have_count(0)
    app.get_by_role("button", name="QR code of this step").click()
    expect(code).to_be_visible()
    if present == "on":
        panel = app.locator(".dp-lesson-code .dp-popover").bounding_box() or {"y": 0, "height": height + 1}
        assert panel["y"] + panel["height"] <= height
    assert ((code.bounding_box() or {}).get("width", 0)) > 200  # a phone reads it from the back of a room
    expect(app.locator(".dp-lesson-code .dp-done")).to_have_text(f"{server}/Trade-off_curves?demo=attacker-4")
    app.keyboard.press("Escape")
    expect(app.locator(".dp-code svg")).to_have_count(0)
    expect(lesson(app)).to_be_visible()
    assert violations(app) == []
    app.keyboard.press("Escape")  # leaves: what was asked is forgotten
    expect(lesson(app)).to_be_hidden()


OWN = """Too little <b>noise</b>
{server}/Gaussian_bounds?epsilon=3&delta=1e-5&section=profile&l2_sensitivity=1&significance=0.05
The classical formula, <img src=x onerror=alert(1)> beyond its proof.
? Is it enough at ε = 10?
- Yes
* No
{server}/Composition?releases=!laplace:0.1=Count&runs=100
A hundred counts.
? What do you conclude?"""


def test_an_own_demonstration_is_written_kept_in_a_link_and_run_by_the_same_keys(app: Page, server: str) -> None:
    follow(app, f"{server}/?section=class", 0)
    app.get_by_text("Write your own demonstration").click()
    box = app.locator("textarea.dp-entry")
    box.fill("https://evil.example/Gaussian_bounds")
    box.blur()
    expect(app.get_by_text("link 1 must be one of this app")).to_have_count(1)
    box.fill(OWN.format(server=server))
    app.get_by_role("button", name="Make the demonstration").click()
    app.wait_for_url(lambda url: "sequence=" in url)
    expect(app.locator("details, .dp-fold").filter(has=box).get_by_role("link", name="Present it")).to_be_visible()
    settle(app, 0)
    visit(app, app.url, 0)  # from a bookmark
    app.get_by_role("link", name="Present it").first.click()
    settle(app, 1)
    expect(lesson(app)).to_contain_text("Too little <b>noise</b>")
    expect(lesson(app)).to_contain_text("<img src=x onerror=alert(1)> beyond its proof.")
    expect(lesson(app)).not_to_contain_text("Is it enough")
    assert (link(app)["epsilon"], link(app)["demo"]) == ("3", "own-1")
    app.keyboard.press("ArrowRight")
    expect(lesson(app)).to_contain_text("Is it enough at ε = 10?")
    app.keyboard.press("1")
    expect(lesson(app)).to_contain_text("✗ Not “Yes”, but “No”.")
    expect(lesson(app)).to_contain_text("A hundred counts.")
    settle(app, 1)
    app.get_by_role("button", name="QR code of this step").click()
    expect(app.locator(".dp-lesson-code .dp-done")).not_to_contain_text("sequence=")
    expect(app.locator(".dp-lesson-code .dp-problem")).to_contain_text("Phones cannot open this address")
    app.keyboard.press("Escape")
    app.keyboard.press("ArrowRight")
    expect(lesson(app)).to_contain_text("What do you conclude?")
    expect(app.get_by_role("button", name="Next step")).to_be_disabled()
    app.keyboard.press("Escape")
    app.wait_for_url(lambda url: "demo=" not in url and "sequence=" in url)
    expect(app.get_by_role("link", name="Present it").first).to_be_focused()
    expect_no_error(app)


def axes_of_lead(page: Page, sentence: str, title: str, highest: tuple[float, float]) -> list[list[float]]:
    """Wait for a step and its picture, whose highest value lies between two numbers; return the ends of its axes."""
    expect(lesson(page)).to_contain_text(sentence)
    expect(page.locator(".dp-lead .dp-title")).to_have_text(title)
    return page.wait_for_function(
        "([low, high]) => { const plot = document.querySelector('.dp-lead .js-plotly-plot');"
        " const traces = plot?.data?.filter((trace) => trace.visible !== false) ?? [];"
        " const most = Math.max(...traces.flatMap(({y}) => [...y]));"
        " return low < most && most < high && plot._fullLayout"
        " && ['xaxis', 'yaxis'].map((name) => plot._fullLayout[name].range) }",
        arg=highest,
    ).json_value()


def test_what_a_class_compares_has_the_same_axes_and_no_name_tells_what_is_asked(app: Page, server: str) -> None:
    errors = "Error of each number, by method"
    follow(app, f"{server}/A_series?demo=months-1&present=on", ALL_IN_SIGHT)
    month = axes_of_lead(app, "A count for each of 36 months", errors, (7, 20))
    name = app.locator(".dp-lead .dp-legend").get_by_role("button", name="normalised square root", exact=True)
    expect(name).to_be_hidden()
    app.keyboard.press("f")
    expect(name).to_be_visible()
    app.keyboard.press("f")
    app.keyboard.press("ArrowRight")
    app.keyboard.press("ArrowRight")
    assert axes_of_lead(app, "√36 times as much", errors, (10, 50)) == month


def test_a_step_chooses_its_picture_and_a_moved_parameter_leaves_its_axes(app: Page, server: str) -> None:
    follow(app, f"{server}/A_median?demo=maximum-1&present=on", ALL_IN_SIGHT)
    median = axes_of_lead(app, "200 people waited", "The released median among all values", (0.9, 1.1))
    for _ in range(3):
        app.keyboard.press("ArrowRight")
    assert axes_of_lead(app, "±296 days", "The released maximum among all values", (0.2, 0.3)) == median
    follow(app, f"{server}/Composition?demo=adding-4&present=on")
    title = "Total ε over the number of releases"
    year = axes_of_lead(app, "Basic composition gives 36.5", title, (36, 37))
    app.keyboard.press("ArrowLeft")
    assert axes_of_lead(app, "while basic composition gives 10", title, (9.9, 10.1)) == year  # on which both are seen
    app.keyboard.press("ArrowLeft")
    ten = axes_of_lead(app, "the two lines coincide", title, (0.9, 1.1))
    assert ten != year
    app.keyboard.press("ArrowLeft")
    assert axes_of_lead(app, "One count, which", title, (0.09, 0.11)) == ten  # one is no dot on an empty picture
    follow(app, f"{server}/Composition?demo=adding-4&present=on")
    app.keyboard.press("f")
    enter(app, "How often the whole list is released", "10")
    expect(lesson(app).get_by_role("link", name="Back to the step")).to_be_visible()
    assert axes_of_lead(app, "", title, (0.9, 1.1)) == year  # those of ten releases end earlier
    lesson(app).get_by_role("button", name="Fields").click()  # which the next test finds hidden
    expect_no_error(app)


_COVERED = """() => {
  const box = (node) => node.getBoundingClientRect(), lead = document.querySelector(".dp-lead .dp-chart");
  const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const marks = [...lead.querySelectorAll(".scatterlayer .points path")].filter((mark) => mark.style.opacity !== "0");
  const grips = [...lead.querySelectorAll(".dp-handle:not(.dp-point)")].map((handle) => {
    const {height, bottom, width, left} = getComputedStyle(handle, "::after"), whole = box(handle);
    const low = whole.bottom - parseFloat(bottom), start = whole.left + parseFloat(left);
    return {left: start, right: start + parseFloat(width), top: low - parseFloat(height), bottom: low};
  });
  const notes = [...lead.querySelectorAll(".annotation")].map(box);
  const tools = [...lead.querySelectorAll(".dp-exhibit-tools button")].map(box).filter(({width}) => width);
  const covering = [...[...lead.querySelectorAll(".dp-names button")].map(box), ...grips];
  return {
    marks: marks.map(box).filter((mark) => covering.some((name) => meets(mark, name))).length,
    notes: notes.filter((note) => tools.some((tool) => meets(note, tool))).length,
    all: [marks.length, covering.length, notes.length, tools.length],
  };
}"""


@pytest.mark.parametrize(
    ("address", "sentence", "key"),
    [
        ("Composition?demo=adding-2", "the two lines coincide", ""),
        ("Trade-off_curves?demo=adding-5", "From a single count at most 5.526 %", ""),
        ("What_epsilon_means?demo=attacker-2", "At most 73.2 %", "f"),
    ],
)
def test_no_name_handle_or_button_covers_what_a_step_speaks_of(app: Page, server: str, address, sentence, key) -> None:
    app.set_viewport_size({"width": 1920, "height": 1080})
    follow(app, f"{server}/{address}&present=on", ALL_IN_SIGHT)
    expect(lesson(app)).to_contain_text(sentence)
    if key:
        app.keyboard.press(key)
        expect(app.locator(".dp-lead").get_by_role("button", name="Add to report")).to_be_in_viewport(ratio=1)
    app.evaluate(AT_REST)
    covered = app.evaluate(_COVERED)
    n_marks, n_covering, n_notes, n_tools = covered["all"]
    assert n_marks
    assert (n_notes and n_tools) if key else n_covering
    assert (covered["marks"], covered["notes"]) == (0, 0)
    if key:
        app.keyboard.press(key)


_PAUSED_ON_THE_WAY = """() => {
  const parts = [...document.querySelectorAll(".dp-lead .dp-chart :is(.dp-names, .dp-legend)")];
  const names = parts.map((part) => part.textContent).join();
  if (!names.includes("together") || names.includes("ε = 4.693")) return false;
  return dispatchEvent(new KeyboardEvent("keydown", {key: " ", cancelable: true})) || true;
}"""  # at once, before the motion ends on a busy machine


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_space_bar_moves_a_picture_through_settings_of_the_page_unless_motion_is_reduced(
    app: Page, server: str, motion: Literal["no-preference", "reduce"]
) -> None:
    app.emulate_media(reduced_motion=motion)
    follow(app, f"{server}/Composition?demo=adding-3&present=on")
    expect_step(app, 3, "ε = 4.693")
    play = lesson(app).get_by_role("button", name="Play")
    if motion == "reduce":
        expect(play).to_be_hidden()
        app.keyboard.press(" ")
        expect(lesson(app).get_by_role("button", name="Pause")).to_be_hidden()
        return
    address = app.url
    app.keyboard.press(" ")
    expect(lesson(app).get_by_role("button", name="Pause")).to_be_visible()
    expect(lesson(app).locator(".dp-lesson-text")).to_be_visible()  # what the class has read stays while it moves
    app.wait_for_function(_PAUSED_ON_THE_WAY)
    expect(play).to_be_visible()
    expect(lesson(app).get_by_role("link", name="Back to the step")).to_be_visible()
    for _ in range(3):  # the last motion begins while the first one waits for its picture, and alone goes on
        app.keyboard.press(" ")
    expect(play).to_be_visible()
    expect(lesson(app).get_by_role("link", name="Back to the step")).to_be_hidden()
    app.wait_for_url(address)
    app.keyboard.press("ArrowRight")
    expect(play).to_be_hidden()  # it would go on while the class is asked
    expect_no_error(app)
