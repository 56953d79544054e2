"""Fixtures: a server of the app, a browser and its tabs. `reading.py` has the functions that read and use a page."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Literal
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from pages.export.__main__ import QUIET, Save, find_browser, saver_in

ROOT = Path(__file__).parents[2]
NO_INTERNET = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
ONE_PROCESS = "--process-per-site"  # for all tabs: what a second one runs is compiled already
LITTLE_WORK = "--js-flags=--single-threaded --no-maglev --no-turbofan"  # a fifth less for each page that is opened
LITTLE_WORK += " --no-flush-bytecode --initial-heap-size=400 --min-semi-space-size=32"  # MB; rarely collects garbage
WITHIN = ("http://127.0.0.1:", "ws://127.0.0.1:", "file://", "data:", "blob:", "about:")
START_LIMIT = 60  # seconds
_IN_APP = "location.protocol.startsWith('http')"
RUN = (sys.executable, "-m", "streamlit", "run", "app.py")


def pytest_configure() -> None:
    """End the fixtures of a terminated run too, so that no server outlives it."""
    signal.signal(signal.SIGTERM, lambda *_: pytest.exit("terminated", 143))


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextmanager
def running_server(
    log: Path,
    port: int,
    command: Sequence[str] = RUN,
    folder: Path = ROOT,
    environment: Mapping[str, str] = os.environ,
    base: str = "",
    end: signal.Signals = signal.SIGTERM,
) -> Iterator[str]:
    """Run the app as a user starts it and yield its address; end it by a signal; fail if its log has an error."""
    own_settings = {"STREAMLIT_SERVER_HEADLESS": "true", "STREAMLIT_SERVER_PORT": str(port)}
    with log.open("w") as out:
        process = subprocess.Popen(
            command, cwd=folder, env={**environment, **own_settings}, stdout=out, stderr=out, start_new_session=True
        )
    address = f"http://127.0.0.1:{port}{base}"
    try:
        limit = time.monotonic() + START_LIMIT
        while not _answers(f"{address}/_stcore/health"):
            if process.poll() is not None or time.monotonic() > limit:
                pytest.fail(f"The app did not start:\n{log.read_text()}")
            time.sleep(0.1)
        yield address
    finally:
        if process.poll() is None:
            os.killpg(process.pid, end)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert "Traceback" not in log.read_text(), log.read_text()


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=5) as reply:
            return reply.status == 200
    except OSError:
        return False


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of one server for all tests."""
    log, environment = tmp_path_factory.mktemp("server") / "log.txt", os.environ | {"DP_WORKERS": "2"}
    with running_server(log, free_port(), environment=environment) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(playwright), args=[*QUIET, NO_INTERNET, ONE_PROCESS, LITTLE_WORK]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def open_tab(browser: Browser) -> Iterator[Callable[..., AbstractContextManager[Page]]]:
    """Return a function that opens an empty tab of one window, which has the app in its cache."""
    resting: list[Page] = []
    urls: set[str] = set()
    with browser.new_context(accept_downloads=True) as window:
        window.set_default_timeout(30_000)
        window.on("request", lambda request: urls.add(request.url))
        window.on("page", lambda tab: tab.on("websocket", lambda socket: urls.add(socket.url)))

        @contextmanager
        def fresh_tab(
            width: int = 1280, scheme: Literal["light", "dark"] = "light", height: int = 900
        ) -> Iterator[Page]:
            tab = resting.pop() if resting else window.new_page()
            tab.bring_to_front()  # one that lies behind another has its clocks slowed down
            tab.emulate_media(media="null", color_scheme=scheme)
            tab.set_viewport_size({"width": width, "height": height})
            yield tab
            tab.mouse.move(0, 0)
            tab.evaluate(f"{_IN_APP} && (localStorage.clear(), sessionStorage.clear())")  # a report, data of a test
            tab.goto("about:blank")
            session = window.new_cdp_session(tab)
            session.send("Page.resetNavigationHistory")  # which holds fifty pages at most
            session.detach()
            resting.append(tab)

        yield fresh_tab
    assert len(urls) > 1
    assert [url for url in urls if not url.startswith(WITHIN)] == []  # whatever all the tests did


@pytest.fixture(scope="session")
def lasting_tab(open_tab: Callable[..., AbstractContextManager[Page]]) -> Iterator[Page]:
    with open_tab() as tab:
        yield tab


@pytest.fixture
def app(lasting_tab: Page, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Return the tab that the tests of settings share, each of which `follow`s a link in it; a failure empties it.

    What a test makes the browser store is deleted after it, so that no other test depends on it.
    """
    n_failures = request.session.testsfailed
    lasting_tab.bring_to_front()
    session = lasting_tab.context.new_cdp_session(lasting_tab)
    session.send("Page.resetNavigationHistory")
    session.detach()
    yield lasting_tab
    lasting_tab.evaluate(f"{_IN_APP} && localStorage.clear()")
    lasting_tab.mouse.move(0, 0)
    lasting_tab.emulate_media(media="null", color_scheme="light")
    lasting_tab.set_viewport_size({"width": 1280, "height": 900})
    if request.session.testsfailed > n_failures:
        lasting_tab.goto("about:blank")


@pytest.fixture
def new_page(open_tab: Callable[..., AbstractContextManager[Page]]) -> Iterator[Callable[..., Page]]:
    """Open an empty tab of a width and in a scheme, `new_page(width=…, scheme=…)`; each visit is a new session."""
    with ExitStack() as tabs:
        yield lambda width=1280, scheme="light": tabs.enter_context(open_tab(width, scheme))


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """Return an empty tab of a desktop's size."""
    return new_page()


@pytest.fixture(scope="module")
def drawing(browser: Browser) -> Iterator[Page]:
    """Return a page without a server that has Plotly after a figure was saved in it."""
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture(scope="module")
def looking(browser: Browser) -> Iterator[Page]:
    """Return a page that shows one saved picture at a time."""
    page = browser.new_page()
    page.set_content("<!doctype html><body style='margin: 0'>")
    yield page
    page.close()


@pytest.fixture(scope="module")
def save(drawing: Page) -> Save:
    """Return the function that makes the file of a chart, or of several as its panels."""
    return saver_in(drawing)
