from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import reading
from tests.browser.conftest import free_port, running_server


def test_the_first_edit_after_the_server_was_lost_wins_over_the_link_it_came_with(page: Page, tmp_path: Path):
    port, state = free_port(), "data-test-connection-state"
    with running_server(tmp_path / "first.txt", port) as address:
        reading.visit(page, f"{address}/Gaussian_bounds?epsilon=2&delta=1e-5")
    expect(page.get_by_test_id("stApp")).not_to_have_attribute(state, "CONNECTED")
    with running_server(tmp_path / "second.txt", port):
        expect(page.get_by_test_id("stApp")).to_have_attribute(state, "CONNECTED")
        reading.settle(page)
        reading.slider(page, reading.EPSILON_SLIDER).press("ArrowRight")
        expect(reading.answer(page)).to_contain_text("At ε = 2.2, δ = 1e-5")
        page.wait_for_function("location.search.includes('epsilon=2.2')")
        reading.expect_fields(page, {reading.EPSILON: "2.2", reading.DELTA: "1e-5"}, {})
        page.goto("about:blank")  # no page asks a server that has ended
