from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import reading
from tests.browser.conftest import free_port, running_server

LINK = "/Gaussian_bounds?epsilon=2&delta=1e-5"


def wait_for_session(page: Page) -> None:
    """Wait until the page has found the new server."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-connection-state", "CONNECTED")
    reading.settle(page)


@pytest.mark.parametrize("edit", ["slider", "choice"])
def test_the_first_edit_after_the_server_was_lost_wins_over_the_link_it_came_with(
    page: Page, tmp_path: Path, edit: str
):
    port = free_port()
    with running_server(tmp_path / "first.txt", port) as address:
        reading.visit(page, address + LINK)
    expect(page.get_by_test_id("stApp")).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    with running_server(tmp_path / "second.txt", port):
        wait_for_session(page)
        if edit == "slider":
            reading.slider(page, reading.EPSILON_SLIDER).press("ArrowRight")
            expect(reading.answer(page)).to_contain_text("At ε = 2.2, δ = 1e-5")
        else:
            page.get_by_role("radio", name="PNG").click()
            expect(reading.answer(page)).to_contain_text("At ε = 2, δ = 1e-5")
        page.wait_for_function(
            "text => location.search.includes(text)",
            arg={"slider": "epsilon=2.2", "choice": "picture=png"}[edit],
        )
        reading.settle(page)
        kept = {"slider": "2.2", "choice": "2"}[edit]
        reading.expect_fields(page, {reading.EPSILON: kept, reading.DELTA: "1e-5"}, {})
        page.close()
