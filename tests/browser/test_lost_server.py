from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import reading
from tests.browser.conftest import free_port, running_server

STATE = "data-test-connection-state"


def test_the_first_edit_after_the_server_was_lost_wins_over_the_link_it_came_with(page: Page, tmp_path: Path):
    port = free_port()
    with running_server(tmp_path / "first.txt", port) as address:
        reading.visit(page, f"{address}/Gaussian_bounds?epsilon=2&delta=1e-5")
    expect(page.get_by_test_id("stApp")).not_to_have_attribute(STATE, "CONNECTED")
    with running_server(tmp_path / "second.txt", port):
        expect(page.get_by_test_id("stApp")).to_have_attribute(STATE, "CONNECTED")
        reading.settle(page)
        reading.slider(page, reading.EPSILON_SLIDER).press("ArrowRight")
        expect(reading.answer(page)).to_contain_text("At ε = 2.2, δ = 1e-5")
        page.wait_for_function("location.search.includes('epsilon=2.2')")
        reading.expect_fields(page, {reading.EPSILON: "2.2", reading.DELTA: "1e-5"}, {})
        page.goto("about:blank")  # no page asks a server that has ended


QUIET = """() => document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning"
  && !document.querySelector(".dp-stage").hasAttribute("aria-busy")"""
LINKS = {
    "": "epsilon=2",
    "Generalized_Gaussian": "epsilon=2&p=1.5",
    "Trade-off_curves": "epsilon=2&section=attack",
    "Laplace_vs_Gaussian": "epsilon=2&delta=1e-5",
    "Accuracy": "epsilon=2&section=budget",
    "Tables": "epsilon=2&table=own&own=North%3D100%3BSouth%3D1",
    "Denoising": "epsilon=2&seed=7",
    "Composition": "releases=gaussian:3*7%3B!laplace:.2*9%3DWeekly&runs=3",
}


def test_every_page_is_as_it_was_when_the_server_is_back(page: Page, tmp_path: Path):
    port, lost = free_port(), {}
    with running_server(tmp_path / "first.txt", port) as address:
        for path, query in LINKS.items():
            lost[path] = page.context.new_page()
            lost[path].goto(f"{address}/{path}?{query}")
            expect(reading.answer(lost[path])).to_be_visible()
            lost[path].wait_for_function("location.search.includes('significance')")
        page.goto(f"{address}/Gaussian_bounds?epsilon=2")
        reading.settle(page)
        reading.enter(page, reading.EPSILON, "two")
        expect(page.get_by_role("alert").filter(has_text="two").first).to_be_visible()
        lost["typed"] = page
        before = {path: (each.url, _said(each)) for path, each in lost.items()}
    for each in lost.values():
        expect(each.get_by_test_id("stApp")).not_to_have_attribute(STATE, "CONNECTED")
    with running_server(tmp_path / "second.txt", port):
        for path, each in lost.items():
            expect(each.get_by_test_id("stApp")).to_have_attribute(STATE, "CONNECTED")
            each.wait_for_function(QUIET)
            assert (each.url, _said(each)) == before[path], path
        reading.expect_fields(page, {reading.EPSILON: "two"}, {})
        for each in lost.values():
            each.goto("about:blank")  # no page asks a server that has ended


def _said(page: Page) -> list[str]:
    """The words of the answer and of its fields."""
    fields = "() => [...document.querySelectorAll('.dp-entry')].map((each) => each.value)"
    return [page.locator(".st-key-answer").inner_text(), *page.evaluate(fields)]
