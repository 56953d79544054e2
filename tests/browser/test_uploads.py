"""Uploads in a browser: an upload that is refused is never stored, and one sentence on the page gives the reason."""

from pathlib import Path

from playwright.sync_api import FilePayload, Locator, Page, Route, expect

from pages.framework.layout.security_headers import SENTENCES, SERVER_IS_FULL
from tests.browser import reading

TABLE: FilePayload = {"name": "small.csv", "mimeType": "text/csv", "buffer": b"area,count\nNorth,12\nSouth,30\n"}


def uploader(page: Page) -> Locator:
    """Return the unfolded field for an uploaded table."""
    page.get_by_text("Use your own table").click()
    field = page.locator("[class*=st-key-table_file] .stFileUploader")
    expect(field).to_be_visible()
    return field


def choose(field: Locator, file: FilePayload | Path) -> None:
    field.locator("input[type=file]").set_input_files(file)


def table(name: str) -> FilePayload:
    """Return a table of two cells with a unique name."""
    return {**TABLE, "name": name}


def test_an_upload_that_fails_leaves_one_calm_sentence_and_one_of_a_closed_tab_no_error(
    page: Page, server: str, tmp_path: Path
):
    tab = page.context.new_page()
    failures = {"full.csv": SERVER_IS_FULL, "odd.csv": 400, "cut.csv": 0}
    statuses = iter(failures.values())

    def answer(route: Route) -> None:
        if status := next(statuses):
            route.fulfill(status=status)
        else:
            route.abort()

    reading.visit(tab, f"{server}/Tables", 2)
    tab.route("**/_stcore/upload_file/**", answer)
    field, refused = uploader(tab), tab.locator("[class*=st-key-table_file] .stFileUploader").get_by_role("alert")
    for name, status in failures.items():
        choose(field, table(name))
        reason = SENTENCES.get(status, "It did not reach the server. Reload the page and choose it again.")
        expect(refused).to_have_text(f"{name} was not taken. {reason}")
        expect(tab.get_by_text("AxiosError")).to_have_count(0)
    tab.unroute("**/_stcore/upload_file/**")
    large = tmp_path / "large.csv"
    large.write_bytes(bytes(41 * 2**20))
    choose(field, large)  # which Streamlit itself refuses
    expect(refused).to_have_text("large.csv was not taken. File must be 40.0MB or smaller.")
    line = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 500_000}
    page.context.new_cdp_session(tab).send("Network.emulateNetworkConditions", line)
    slow = tmp_path / "slow.csv"
    slow.write_bytes(b"area,count\nx,1\n" * 2_000_000)
    with tab.expect_request(lambda request: request.method == "PUT"):
        choose(field, slow)
    tab.wait_for_timeout(500)
    tab.close()
