"""Late runs and page changes during a run: no edit is lost, and no request is executed twice."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Download, Page, WebSocketRoute, expect

from tests.browser import reading
from tests.pages.conftest import lead_name

LEAD = lead_name("gaussian_bounds")


class SlowLine:
    """The connection of a tab to its server; messages from the tab wait while `must_wait` returns true."""

    def __init__(self, page: Page) -> None:
        self.must_wait: Callable[[str | bytes], bool] = lambda _: False
        self._waiting: list[tuple[WebSocketRoute, str | bytes]] = []
        page.route_web_socket("**/_stcore/stream", self._connect)

    @property
    def n_waiting(self) -> int:
        return len(self._waiting)

    def release(self) -> None:
        """Send the waiting messages in order."""
        self.must_wait = lambda _: False
        while self._waiting:
            line, message = self._waiting.pop(0)
            line.send(message)

    def _connect(self, tab: WebSocketRoute) -> None:
        server = tab.connect_to_server()

        def forward(message: str | bytes) -> None:
            if self.must_wait(message):
                self._waiting.append((server, message))
            else:
                server.send(message)

        tab.on_message(forward)


@pytest.fixture(scope="module")
def tab(open_tab: Callable[..., AbstractContextManager[Page]]) -> Iterator[Page]:
    with open_tab() as tab:
        yield tab


@pytest.fixture(scope="module")
def line(tab: Page) -> SlowLine:
    return SlowLine(tab)


@pytest.fixture
def page(tab: Page, line: SlowLine, server: str) -> Page:
    """Return the page of the bounds, whose messages take the slow line."""
    tab.bring_to_front()
    line.must_wait = lambda _: False
    reading.follow(tab, f"{server}/Gaussian_bounds")
    return tab


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Run the tab until a condition holds, for at most 20 seconds."""
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        page.wait_for_timeout(50)


def holding(word: bytes) -> Callable[[str | bytes], bool]:
    """Return a function that tells whether a message contains a word."""
    return lambda message: word in (message if isinstance(message, bytes) else message.encode())


def test_a_file_is_delivered_once_where_its_run_begins_after_a_second_request(page: Page, line: SlowLine):
    saved: list[Download] = []
    page.on("download", lambda download: saved.append(download))
    line.must_wait = holding(b'"csv"')
    page.get_by_role("button", name="Save this chart").first.click()
    page.get_by_role("button", name="Numbers as CSV").click()
    wait_until(page, lambda: line.n_waiting >= 2)
    line.release()
    reading.settle(page)
    wait_until(page, lambda: len(saved) > 0)
    reading.enter(page, reading.EPSILON, "2")
    expect(reading.answer(page)).to_contain_text("At ε = 2,")
    page.wait_for_timeout(500)
    assert [download.suggested_filename for download in saved] == [f"gaussian_bounds_{LEAD}_eps1_delta1e-6.csv"]
    page.get_by_role("button", name="Save this chart").first.click()
    page.get_by_role("button", name="Numbers as CSV").click()
    wait_until(page, lambda: len(saved) == 2)


def test_a_slider_that_is_moved_while_its_page_waits_to_be_left_is_not_forgotten(page: Page, line: SlowLine):
    line.must_wait = holding(b'"set"')
    slider = reading.slider(page, reading.EPSILON_SLIDER)
    slider.press("ArrowRight")
    page.get_by_test_id("stSidebar").get_by_role("link", name="One number", exact=True).click()
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    value_text = slider.get_attribute("aria-valuetext")
    line.release()
    expect(page.get_by_role("heading", level=1)).to_have_text(reading.ACCURACY)
    reading.settle(page)
    assert reading.link(page)["epsilon"] == value_text
    expect(reading.field(page, reading.EPSILON)).to_have_value(value_text or "")


def test_a_file_that_is_requested_while_its_page_waits_to_be_left_is_delivered(page: Page, line: SlowLine):
    line.must_wait = holding(b'"set"')
    reading.slider(page, reading.EPSILON_SLIDER).press("ArrowRight")
    page.get_by_test_id("stSidebar").get_by_role("link", name="One number", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save this chart").first.click()
        page.get_by_role("button", name="Numbers as CSV").click()
        line.release()
    assert re.fullmatch(rf"gaussian_bounds_{LEAD}_eps[\d.]+_delta1e-6\.csv", saved.value.suggested_filename)
    expect(page.get_by_role("heading", level=1)).to_have_text(reading.ACCURACY)


def test_a_page_that_was_left_takes_no_edit_until_the_next_one_is_here(page: Page, line: SlowLine):
    line.must_wait = lambda _: True
    page.get_by_test_id("stSidebar").get_by_role("link", name="One number", exact=True).click()
    wait_until(page, lambda: line.n_waiting > 0)
    stage = page.locator(".dp-stage")
    assert stage.evaluate("stage => stage.inert")
    line.release()
    expect(page.get_by_role("heading", level=1)).to_have_text(reading.ACCURACY)
    reading.settle(page)
    assert not stage.evaluate("stage => stage.inert")
    reading.enter(page, reading.EPSILON, "2")
    expect(reading.answer(page)).to_contain_text("At ε = 2,")
