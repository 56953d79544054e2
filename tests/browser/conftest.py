"""A server of the app, a browser, and pages in it; the words for what a test does with a page are in `reading.py`."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from pages.export.browser import QUIET, find_browser

ROOT = Path(__file__).parents[2]
START_LIMIT = 60  # seconds


def pytest_configure() -> None:
    """Let a terminated run end its fixtures too, so that no server outlives it."""
    signal.signal(signal.SIGTERM, lambda *_: pytest.exit("terminated", 143))


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextmanager
def running_server(log: Path, port: int) -> Iterator[str]:
    """Run the app as a user starts it; give its address; fail if its log tells of an error."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    with log.open("w") as out:
        process = subprocess.Popen(
            [*command, "--server.port", str(port)], cwd=ROOT, stdout=out, stderr=out, start_new_session=True
        )
    address = f"http://127.0.0.1:{port}"
    try:
        limit = time.monotonic() + START_LIMIT
        while not _answers(f"{address}/_stcore/health"):
            if process.poll() is not None or time.monotonic() > limit:
                pytest.fail(f"The app did not start:\n{log.read_text()}")
            time.sleep(0.1)
        yield address
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
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
    """The address of one server for all tests."""
    with running_server(tmp_path_factory.mktemp("server") / "log.txt", free_port()) as address:
        yield address


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[str]:
    """The address of a server that nobody has visited."""
    with running_server(tmp_path / "server.txt", free_port()) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(playwright), args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Iterator[dict[str, BrowserContext]]:
    """A window for each scheme, whose tabs share the browser's cache: that halves the time of a visit."""
    found: dict[str, BrowserContext] = {}
    for scheme in ("light", "dark"):
        dark = "dark" if scheme == "dark" else "light"
        found[scheme] = browser.new_context(color_scheme=dark, accept_downloads=True)
        found[scheme].set_default_timeout(30_000)
    yield found
    for window in found.values():
        window.close()


@pytest.fixture
def new_page(windows: dict[str, BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Open an empty tab of a width and in a scheme, `new_page(width=…, scheme=…)`."""
    pages = []

    def make(width: int = 1280, scheme: str = "light") -> Page:
        pages.append(windows[scheme].new_page())
        pages[-1].set_viewport_size(ViewportSize(width=width, height=900))
        return pages[-1]

    yield make
    for page in pages:
        page.close()


@pytest.fixture(scope="session")
def tabs(browser: Browser) -> Iterator[BrowserContext]:
    """A window whose tabs share the browser's cache, which halves the time of a visit."""
    with browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True) as context:
        context.set_default_timeout(30_000)
        yield context


@pytest.fixture
def page(tabs: BrowserContext) -> Iterator[Page]:
    """An empty tab; the app begins a new session at each visit."""
    page = tabs.new_page()
    yield page
    page.close()
