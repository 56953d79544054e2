"""Uploads in a browser: an upload that is refused is never stored, and one sentence on the page gives the reason."""

from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import FilePayload, Locator, Page, Request, Route, expect

from pages.framework.layout.upload_limits import SENTENCES, SERVER_IS_FULL, SESSION_IS_FULL
from tests.browser import reading
from tests.browser.conftest import free_port, running_server

TABLE: FilePayload = {"name": "small.csv", "mimeType": "text/csv", "buffer": b"area,count\nNorth,12\nSouth,30\n"}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server for what is uploaded here alone; its log is read at its end."""
    with running_server(tmp_path_factory.mktemp("uploads") / "log.txt", free_port()) as address:
        yield address


def uploader(page: Page) -> Locator:
    """Return the unfolded field for an uploaded table."""
    page.get_by_text("Use your own table").click()
    field = page.locator(".st-key-table_file .stFileUploader")
    expect(field).to_be_visible()
    return field


def choose(field: Locator, file: FilePayload | Path) -> None:
    field.locator("input[type=file]").set_input_files(file)


def put(example: Request, name: str, size: int) -> int:
    """Upload that many bytes as a tab does, under a name that its page does not know; return the status."""
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="big.csv"\r\n\r\n'
    sent = {key: value for key, value in example.all_headers().items() if key in ("cookie", "x-xsrftoken", "origin")}
    address = urlsplit(example.url)
    asking = HTTPConnection(address.netloc, timeout=20)
    body = head + bytes(size) + b"\r\n--x--\r\n"
    path = f"{address.path.rpartition('/')[0]}/{name}"
    with suppress(BrokenPipeError, ConnectionResetError):  # an answer that comes before the end
        asking.request("PUT", path, body, sent | {"Content-Type": "multipart/form-data; boundary=x"})
    status = asking.getresponse().status
    asking.close()
    return status


def table(name: str) -> FilePayload:
    """Return a table of two cells with a unique name."""
    return {**TABLE, "name": name}


def test_one_tab_cannot_fill_the_servers_memory_and_an_honest_upload_then_says_so(page: Page, alone: str):
    expect_limit_of_uploads(page, alone)


def expect_limit_of_uploads(page: Page, server: str) -> None:
    """Expect that a tab fills no more than its share of the memory, and that a refusal is told and goes by."""
    reading.visit(page, f"{server}/Tables")
    field, puts = uploader(page), list[Request]()
    page.on("request", lambda request: puts.append(request) if request.method == "PUT" else None)
    choose(field, TABLE)
    expect(page.get_by_role("button", name="Back to the shipped table")).to_be_visible()
    reading.settle(page)
    assert [put(puts[0], f"invented-{place}", 39 * 2**20) for place in range(4)] == [204] * 4
    assert put(puts[0], "invented-4", 5 * 2**20) == SESSION_IS_FULL
    choose(field, {**table("next.csv"), "buffer": b"x;1\n" * 1_800_000})
    refused = field.get_by_role("alert")
    expect(refused).to_have_text(f"next.csv was not taken. {SENTENCES[SESSION_IS_FULL]}")
    expect(field.get_by_test_id("stFileChip")).to_have_count(0)
    reading.expect_no_error(page)
    choose(field, table("third.csv"))
    expect(refused).to_have_count(0)
    expect(field.get_by_test_id("stFileChip")).to_have_count(1)


def test_a_tab_that_is_closed_during_an_upload_leaves_no_error_in_the_log(page: Page, alone: str, tmp_path: Path):
    large, tab = tmp_path / "large.csv", page.context.new_page()
    large.write_bytes(b"area,count\nx,1\n" * 2_000_000)
    reading.visit(tab, f"{alone}/Tables")
    field = uploader(tab)
    line = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 500_000}
    page.context.new_cdp_session(tab).send("Network.emulateNetworkConditions", line)
    with tab.expect_request(lambda request: request.method == "PUT"):
        choose(field, large)
    tab.wait_for_timeout(500)
    tab.close()
    reading.visit(page, f"{alone}/Tables")
    choose(uploader(page), TABLE)
    expect(page.get_by_role("button", name="Back to the shipped table")).to_be_visible()


def test_an_upload_that_fails_leaves_one_calm_sentence(page: Page, server: str):
    failures = {"full.csv": SERVER_IS_FULL, "odd.csv": 400, "cut.csv": 0}
    statuses = iter(failures.values())

    def answer(route: Route) -> None:
        if status := next(statuses):
            route.fulfill(status=status)
        else:
            route.abort()

    reading.visit(page, f"{server}/Tables")
    page.route("**/_stcore/upload_file/**", answer)
    field = uploader(page)
    for name, status in failures.items():
        choose(field, table(name))
        reason = SENTENCES.get(status, "It did not reach the server. Reload the page and choose it again.")
        expect(field.get_by_role("alert")).to_have_text(f"{name} was not taken. {reason}")
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
