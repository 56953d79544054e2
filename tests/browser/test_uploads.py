"""Uploads in a browser: an upload that is refused is never stored, and one sentence on the page gives the reason."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Locator, Page, Request, Route, expect

from pages.framework.layout.upload_limits import SENTENCES, SERVER_IS_FULL, SESSION_IS_FULL
from tests.browser import reading
from tests.browser.conftest import RUN, free_port, running_server

DEPLOYED = (sys.executable, "-m", "streamlit", "run", ".deploy/serve.py")
TABLE: FilePayload = {"name": "small.csv", "mimeType": "text/csv", "buffer": b"area,count\nNorth,12\nSouth,30\n"}
_FILL = """async ({url, token, sizes}) => {
  const statuses = [];
  for (const [place, size] of sizes.entries()) {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(size)]), `big-${place}.csv`);
    const invented = `${url.slice(0, url.lastIndexOf("/"))}/invented-${place}`;
    statuses.push((await fetch(invented, {method: "PUT", body: form, headers: {"X-Xsrftoken": token}})).status);
  }
  return statuses;
}"""


@pytest.fixture(params=[RUN, DEPLOYED], ids=["plain", "deployed"])
def started(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the address of a server that was started in one of the two ways."""
    with running_server(tmp_path / "log.txt", free_port(), request.param, environment=os.environ) as address:
        yield address


def uploader(page: Page) -> Locator:
    """Return the unfolded field for an uploaded table."""
    page.get_by_text("Use your own table").click()
    field = page.locator(".st-key-table_file .stFileUploader")
    expect(field).to_be_visible()
    return field


def choose(field: Locator, file: FilePayload | Path) -> None:
    field.locator("input[type=file]").set_input_files(file)


def table(name: str) -> FilePayload:
    """Return a table of two cells with a unique name."""
    return {**TABLE, "name": name}


def test_one_tab_cannot_fill_the_servers_memory_and_an_honest_upload_then_says_so(page: Page, started: str):
    reading.visit(page, f"{started}/Tables")
    field, puts = uploader(page), list[Request]()
    page.on("request", lambda request: puts.append(request) if request.method == "PUT" else None)
    choose(field, TABLE)
    expect(page.get_by_role("button", name="Back to the shipped table")).to_be_visible()
    reading.settle(page)
    token = puts[0].header_value("x-xsrftoken")
    sizes = [39 * 2**20] * 7
    statuses = page.evaluate(_FILL, {"url": puts[0].url, "token": token, "sizes": sizes})
    assert statuses == [204] * 4 + [SESSION_IS_FULL] * 3
    choose(field, {**table("next.csv"), "buffer": b"x;1\n" * 2_000_000})
    refused = field.get_by_role("alert")
    expect(refused).to_have_text(f"next.csv was not taken. {SENTENCES[SESSION_IS_FULL]}")
    expect(field.get_by_test_id("stFileChip")).to_have_count(0)
    reading.expect_no_error(page)
    choose(field, table("third.csv"))
    expect(refused).to_have_count(0)
    expect(field.get_by_test_id("stFileChip")).to_have_count(1)


def test_a_tab_that_is_closed_during_an_upload_leaves_no_error_in_the_log(
    page: Page, fresh_server: str, tmp_path: Path
):
    large, tab = tmp_path / "large.csv", page.context.new_page()
    large.write_bytes(b"area,count\nx,1\n" * 2_000_000)
    reading.visit(tab, f"{fresh_server}/Tables")
    field = uploader(tab)
    line = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 500_000}
    page.context.new_cdp_session(tab).send("Network.emulateNetworkConditions", line)
    with tab.expect_request(lambda request: request.method == "PUT"):
        choose(field, large)
    tab.wait_for_timeout(500)
    tab.close()
    reading.visit(page, f"{fresh_server}/Tables")
    choose(uploader(page), TABLE)
    expect(page.get_by_role("button", name="Back to the shipped table")).to_be_visible()


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (SERVER_IS_FULL, SENTENCES[SERVER_IS_FULL]),
        (400, "It did not reach the server. Reload the page and choose it again."),
        (0, "It did not reach the server. Reload the page and choose it again."),
    ],
)
def test_an_upload_that_fails_leaves_one_calm_sentence(page: Page, server: str, status: int, reason: str):
    def answer(route: Route) -> None:
        if status:
            route.fulfill(status=status)
        else:
            route.abort()

    reading.visit(page, f"{server}/Tables")
    page.route("**/_stcore/upload_file/**", answer)
    field = uploader(page)
    choose(field, TABLE)
    expect(field.get_by_role("alert")).to_have_text(f"small.csv was not taken. {reason}")
    expect(page.get_by_text("AxiosError")).to_have_count(0)
    page.unroute("**/_stcore/upload_file/**")


def test_a_file_that_is_too_large_is_refused_in_streamlits_own_words_where_they_can_be_seen(
    page: Page, server: str, tmp_path: Path
):
    large = tmp_path / "large.csv"
    large.write_bytes(bytes(41 * 2**20))
    reading.visit(page, f"{server}/Tables")
    field = uploader(page)
    choose(field, large)
    expect(field.get_by_role("alert")).to_have_text("large.csv was not taken. File must be 40.0MB or smaller.")
