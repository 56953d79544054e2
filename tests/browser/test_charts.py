from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reading import EPSILON_SLIDER, answer, charts, settle, slider, visit

SECTIONS = {"bounds": "ratio", "profile": "profile", "pdp": "pdp_share"}


def test_every_axis_stays_put_while_the_slider_moves(page: Page, server: str) -> None:
    visit(page, f"{server}/Gaussian_bounds")
    before = {chart["name"]: chart["axes"] for chart in charts(page)}
    for key, epsilon in (("ArrowRight", "1.1"), ("End", "100"), ("Home", "0.001")):
        slider(page, EPSILON_SLIDER).press(key)
        expect(answer(page)).to_contain_text(f"At ε = {epsilon},")
        settle(page)
        assert {chart["name"]: chart["axes"] for chart in charts(page)} == before


def test_every_chart_is_drawn_and_says_in_words_what_it_shows(page: Page, server: str) -> None:
    visit(page, f"{server}/Gaussian_bounds")
    for section, name in SECTIONS.items():
        page.locator(f".dp-sections [data-section={section}]").click()
        expect(page.locator(f"[data-chart={name}]")).to_be_visible()
        settle(page)
        (chart,) = charts(page)
        assert chart["name"] == name
        assert chart["marks"] > 1
        assert len(chart["alternative"]) > 40
        expect(page.get_by_role("figure")).to_have_count(1)


@pytest.mark.parametrize(("path", "count"), [("/", 5), ("/Gaussian_bounds?pinned=1,1e-6,1,0.05", 1)])
def test_nothing_is_wider_than_a_phone(new_page: Callable[..., Page], server: str, path: str, count: int) -> None:
    page = new_page(width=390)
    visit(page, server + path, count)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    inside = "[...document.querySelectorAll('.stMain .js-plotly-plot, .stMain p, .stMain button, .stMain .scroll')]"
    assert page.evaluate(f"{inside}.every(part => part.getBoundingClientRect().right <= 390)")


def test_the_numbers_of_a_chart_come_as_csv_with_the_parameters_on_top(page: Page, server: str) -> None:
    visit(page, f"{server}/Gaussian_bounds?epsilon=0.5&delta=1e-5")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save or enlarge this chart").click()
        page.get_by_role("button", name="Numbers as CSV").click()
    assert saved.value.suggested_filename == "ratio.csv"
    lines = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    header = [line for line in lines if line.startswith("#")]
    assert header == lines[: len(header)]
    assert {"# epsilon: 0.5", "# delta: 1e-05", "# l2_sensitivity: 1.0", "# significance: 0.05"} <= set(header)
    assert "query units" in header[-1]
    assert lines[len(header)].split(",")[:2] == ["bound", "epsilon"]
    assert len(lines) > 500
