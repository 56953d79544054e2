"""Tabs of three pages after a crash and restart of the server: nothing is lost, and the next edit works."""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser import reading
from tests.browser.conftest import free_port, running_server
from tests.browser.test_own_data import TWO_CELLS, paste, wait_for_copy

STATE = "data-test-connection-state"
QUIET = """() => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
  && document.querySelector(".dp-stage")?.hasAttribute("aria-busy") === false"""  # Streamlit may be drawing the page
RATIO, ANSWER = "Gaussian_bounds/ratio?epsilon=10&delta=1e-5", "Tables/answer?epsilon=10&delta=1e-5"
LINKS = {
    "Trade-off_curves": "epsilon=2&curves=!here_gaussian:@blue=;laplace:0.1*20@rose=Own;points:0.1_0.6~0.5_0.1@ochre=",
    "Tables": "epsilon=2&delta=1e-5",
    "Report": f"items={quote(f'{RATIO}~{ANSWER}', safe='')}",
}


@dataclass(frozen=True)
class Back:
    """The tabs after the restart, by page, with the address and texts of each before it."""

    tabs: dict[str, Page]
    before: dict[str, tuple[str, list[str]]]


@pytest.fixture(scope="module")
def back(
    open_tab: Callable[..., AbstractContextManager[Page]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Back]:
    """Return a tab of each page: one has an invalid ε, one a report that was reordered without a server."""
    port, logs = free_port(), tmp_path_factory.mktemp("lost")
    with ExitStack() as stack:
        tabs = {path: stack.enter_context(open_tab()) for path in LINKS}
        with running_server(logs / "first.txt", port, end=signal.SIGKILL) as address:
            for path, tab in tabs.items():
                tab.bring_to_front()
                tab.goto(f"{address}/{path}?{LINKS[path]}")
                expect(reading.answer(tab)).to_be_visible(timeout=reading.LIMIT)
                tab.wait_for_function("() => location.search.includes('significance')")
            typed, report = tabs["Trade-off_curves"], tabs["Report"]
            tabs["Tables"].bring_to_front()
            paste(tabs["Tables"])
            wait_for_copy(tabs["Tables"])
            typed.bring_to_front()
            reading.settle(typed)
            reading.enter(typed, reading.EPSILON, "two")
            expect(typed.get_by_role("alert").filter(has_text="two").first).to_be_visible()
            report.bring_to_front()
            report.get_by_role("button", name="Make this my report").click()
            expect(report.get_by_text("This is your report")).to_be_visible()
            before = {path: (tab.url, _answer_and_fields(tab)) for path, tab in tabs.items()}
        expect(report.get_by_test_id("stApp")).not_to_have_attribute(STATE, "CONNECTED")
        up = report.get_by_role("button", name="Move item 2 up")
        up.dispatch_event("click")  # even where Streamlit covers the page with its regret by now
        for tab in tabs.values():
            expect(tab.get_by_test_id("stApp")).not_to_have_attribute(STATE, "CONNECTED")
        with running_server(logs / "second.txt", port):
            for tab in tabs.values():
                tab.bring_to_front()
                expect(tab.get_by_test_id("stApp")).to_have_attribute(STATE, "CONNECTED")
                tab.wait_for_function(QUIET)
            yield Back(tabs, before)
            stack.close()  # no page asks a server that has ended


def _answer_and_fields(page: Page) -> list[str]:
    """Return the texts of the answer and of its fields."""
    fields = "() => [...document.querySelectorAll('.dp-entry')].map((each) => each.value)"
    return [page.locator(".st-key-answer").inner_text(), *page.evaluate(fields)]


def test_a_page_is_as_it_was_when_the_server_is_back_and_the_first_click_counts(back: Back):
    page = back.tabs["Trade-off_curves"]
    page.bring_to_front()
    assert (page.url, _answer_and_fields(page)) == back.before["Trade-off_curves"]
    reading.expect_fields(page, {reading.EPSILON: "two"}, {})
    page.get_by_text("How this is computed").click()
    expect(page.locator(".st-key-explanation p").last).to_be_visible()


def test_the_first_edit_after_the_server_was_lost_wins_over_the_link_and_ones_own_table_stays(back: Back):
    page = back.tabs["Tables"]
    page.bring_to_front()
    assert (page.url, _answer_and_fields(page)) == back.before["Tables"]
    reading.settle(page, 2)
    reading.slider(page, reading.EPSILON_SLIDER).press("ArrowRight")
    expect(reading.answer(page)).not_to_have_text(back.before["Tables"][1][0])
    page.wait_for_url(lambda url: "epsilon=2.2" in url)
    reading.expect_fields(page, {reading.EPSILON: "2.2"}, {})
    expect(reading.answer(page)).to_contain_text(TWO_CELLS)
    assert reading.link(page)["delta"] == "1e-5"  # its field is folded
    assert (reading.link(page)["table"], reading.link(page)["own"]) == ("own", "none")


def test_a_killed_server_takes_nothing_of_a_report_and_an_edit_meanwhile_is_kept(back: Back):
    page = back.tabs["Report"]
    page.bring_to_front()
    _expect_report(page)
    page.goto(page.url.partition("?")[0])
    _expect_report(page)


def _expect_report(page: Page) -> None:
    """Wait until the report has its items in the order of the edit."""
    items = "items => new URLSearchParams(location.search).get('items') === items"
    page.wait_for_function(items, arg=f"{ANSWER}~{RATIO}")
    expect(page.get_by_text("This is your report")).to_be_visible()
