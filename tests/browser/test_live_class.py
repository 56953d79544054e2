"""A class that answers live, with real phones: what they show and send, and the screen of the lecturer."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.browser.layout import run_axe
from tests.browser.reading import answer, expect_no_error, field, follow, settle, visit

QUESTION = "Do you <b>sleep</b> in lectures?"
OPTIONS = "Nevermore, Sometimes, Alwaysever"
WATCH = """if (window.name === "dp-room") {
    window.seen = new Set();
    new MutationObserver(() => {
        for (const node of document.querySelectorAll(".dp-answer-text, .dp-chart, .dp-rest > *"))
            if (getComputedStyle(node).visibility === "visible") window.seen.add(node.textContent);
    }).observe(document, {subtree: true, childList: true, characterData: true});
}"""
"""What a room shows from its first moment on."""
DRAWS = "crypto.getRandomValues = (array) => array.fill(0).fill({}, 0, 1)"


@contextmanager
def phone(
    browser: Browser, draw: int, scheme: Literal["light", "dark"] = "dark"
) -> Iterator[tuple[Page, list[Request]]]:
    """Yield a phone whose next draws have these first 32 bits, and all that it requests."""
    with browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme, has_touch=True) as window:
        tab, requests = window.new_page(), []
        tab.set_default_timeout(30_000)
        tab.on("request", lambda request: requests.append(request))
        tab.add_init_script(DRAWS.format(draw))
        yield tab, requests


def vote(tab: Page, link: str, option: str) -> None:
    tab.goto(link)
    expect(tab.get_by_text(QUESTION)).to_be_visible()
    tab.get_by_label(option).check()
    tab.get_by_role("button", name="Draw and send").click()


def is_wide(tab: Page) -> bool:
    return tab.evaluate("() => document.documentElement.scrollWidth > innerWidth")


def test_a_class_answers_and_no_answer_leaves_a_phone(browser: Browser, app: Page, server: str) -> None:
    app.set_viewport_size({"width": 1920, "height": 1080})
    follow(app, f"{server}/Ask_the_class?epsilon=1", 2)
    expect(answer(app)).to_contain_text("simulated students")
    for label, entry in (("Question", QUESTION), ("Options, between commas", OPTIONS)):
        field(app, label).fill(entry)
        field(app, label).press("Enter")
    app.get_by_role("button", name="Open a room and ask").click()
    expect(answer(app)).to_contain_text("No reports yet")
    place = app.locator(".dp-invitation-link")
    expect(place.locator("svg")).to_be_visible()
    expect(place).to_contain_text("Phones cannot open this address")
    link = place.get_by_role("link").get_attribute("href") or ""
    assert link.startswith(f"{server}/class/{server.rpartition(':')[2]}-")
    with phone(browser, 0) as (first, sent), phone(browser, 2**32 - 1, "light") as (second, sent_too):
        vote(first, link, "Sometimes")
        expect(first.get_by_text("Your phone sent “Alwaysever”.")).to_be_visible()
        expect(app.locator(".dp-invitation-words")).to_contain_text("1 report.")
        vote(second, link, "Sometimes")
        expect(second.get_by_text("Your phone sent “Sometimes”.")).to_be_visible()
        expect(app.locator(".dp-invitation-words")).to_contain_text("2 reports.")
        expect(answer(app)).to_contain_text("2 reports of up to")  # and not yet which
        for requests, report in ((sent, "1 2"), (sent_too, "1 1")):
            assert [request.post_data for request in requests if request.method == "POST"] == [report]
            for request in requests:
                told = f"{request.url} {request.all_headers()} {request.post_data}"
                assert not any(option in told for option in OPTIONS.split(", "))
        first.reload()
        expect(first.get_by_text("Your phone has answered this question already.")).to_be_visible()
        assert not is_wide(first)
        app.get_by_role("button", name="Close the round").click()
        expect(app.locator(".dp-invitation-words")).to_contain_text("Closed")
        expect(answer(app)).to_contain_text("From 2 reports")
        expect(first.get_by_text("Wait for the question.")).to_be_visible()
        field(app, "Options, between commas").fill("Yes, No")
        field(app, "Options, between commas").press("Enter")
        app.get_by_role("button", name="Ask this question").click()
        expect(first.get_by_label("Yes")).to_be_visible()
        assert run_axe(first) == []
        app.get_by_role("button", name="End the room").click()
        expect(answer(app)).to_contain_text("simulated students")
        expect(first.get_by_text("This room is closed")).to_be_visible()
    expect_no_error(app)


def test_a_demonstration_shows_what_phones_have_sent_with_the_reveal_and_not_before(
    browser: Browser, page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/Composition?demo=adding-1&present=on", 1)
    lesson = page.get_by_role("region", name="Demonstration:")
    page.keyboard.press("ArrowRight")
    asked = lesson.get_by_role("group", name="Question").locator("p").inner_text()
    n_tabs = len(page.context.pages)  # those of other tests rest beside it
    page.context.add_init_script(WATCH)
    with page.context.expect_page() as opened:
        page.keyboard.press("p")
    room = opened.value
    link = room.locator(".dp-invitation-link").get_by_role("link").get_attribute("href") or ""
    expect(answer(room)).to_contain_text("No reports yet")
    expect(room.locator(".dp-chart").first).to_be_visible()
    seen = room.evaluate("() => [...window.seen]")
    assert any("No reports yet" in text for text in seen)
    assert [text for text in seen if "simulated" in text] == []  # invented answers would tell the right one
    with phone(browser, 2**32 - 1) as (first, _):
        first.goto(link)
        expect(first.get_by_text(asked)).to_be_visible()
        first.get_by_role("radio").nth(1).check()
        first.get_by_role("button", name="Draw and send").click()
        expect(room.locator(".dp-invitation-words")).to_contain_text("1 report.")
    page.bring_to_front()
    expect(lesson).to_contain_text(asked)
    expect(lesson).not_to_contain_text("The class,")
    page.keyboard.press("2")
    expect(lesson).to_contain_text("2 of 6")
    expect(lesson.locator(".dp-lesson-votes")).to_have_text(
        re.compile(r"The class, 1 phone: “.*” 0; “.*” 1; “.*” 0\. Phones draw at random what they send \(ε = 1\): ")
    )
    page.keyboard.press("ArrowRight")
    page.keyboard.press("n")  # the next question, in the same room, without noise
    expect(room.locator(".dp-invitation-words")).to_contain_text("A hundred such counts, each with fresh noise")
    expect(answer(room)).to_contain_text("without noise")
    assert len(page.context.pages) == n_tabs + 1
    room.bring_to_front()
    room.keyboard.press("c")
    expect(room.locator(".dp-invitation-words")).to_contain_text("Closed")
    room.get_by_role("button", name="End the room").click()
    expect(lesson.locator(".dp-lesson-votes")).to_have_count(0)
    room.close()
    expect_no_error(page)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_the_room_is_beside_the_picture_and_its_code_fills_the_screen(app: Page, server: str, width, height) -> None:
    app.set_viewport_size({"width": width, "height": height})
    follow(app, f"{server}/Ask_the_class", 2)
    app.get_by_role("button", name="Open a room and ask").click()
    code = app.locator(".dp-invitation-code")
    expect(code.locator("svg")).to_be_visible()
    settle(app, 1)
    assert not is_wide(app)
    code.click()
    box = code.bounding_box()
    assert box is not None
    assert box["width"] > 0.6 * min(width, height)
    code.click()
    expect(app.locator(".dp-large")).to_have_count(0)
    app.get_by_role("button", name="End the room").click()
    expect(code).to_have_count(0)


def visit_with_copy(tab: Page, server: str, copy: str) -> None:
    """Open the page in a tab that has the secret of a room, stored while no app is open that would delete it."""
    tab.goto(f"{server}/_stcore/health")
    tab.evaluate("(copy) => sessionStorage.setItem('dp_own_data_room', copy)", copy)
    tab.goto(f"{server}/Ask_the_class")


def test_a_reload_of_the_tab_leaves_its_room_and_a_copy_of_the_tab_does_not_get_it(app: Page, server: str) -> None:
    words = app.locator(".dp-invitation-words")
    follow(app, f"{server}/Ask_the_class", 2)
    app.get_by_role("button", name="Open a room and ask").click()
    link = app.locator(".dp-invitation-link").get_by_role("link")
    expect(link).to_be_visible()
    app.wait_for_function("() => 'dp_own_data_room' in sessionStorage")
    address, copy = link.get_attribute("href"), app.evaluate("() => sessionStorage.getItem('dp_own_data_room')")
    app.reload()
    expect(link).to_have_attribute("href", address or "")
    expect(words).to_contain_text("Open")
    with app.context.expect_page() as opened:
        app.evaluate("() => void window.open('about:blank')")
    second = opened.value
    visit_with_copy(second, server, copy)
    expect(second.get_by_text("Another tab still shows the room")).to_be_visible()
    expect(second.locator(".dp-invitation-code")).to_have_count(0)
    second.close()
    app.bring_to_front()
    app.get_by_role("button", name="End the room").click()
    expect(answer(app)).to_contain_text("simulated students")
    app.wait_for_function("() => !('dp_own_data_room' in sessionStorage)")
    visit_with_copy(app, server, copy)
    expect(app.get_by_text("The room of this tab has ended")).to_be_visible()
    expect_no_error(app)
