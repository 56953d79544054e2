from collections.abc import Callable
from itertools import product
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from tests.browser.reading import EPSILON_SLIDER, answer, charts, follow, settle, slider, visit
from tests.pages.conftest import lead_name

LEAD = lead_name("gaussian_bounds")
VIEWS = {"epsilon": "sigma_epsilon", "profile": "profile"}


def test_a_hover_has_a_ground_of_its_own_and_every_axis_stays_put_while_the_slider_moves(
    app: Page, server: str
) -> None:
    follow(app, f"{server}/Gaussian_bounds")
    expect_ground_of_hover(app)
    before = {chart["name"]: chart["axes"] for chart in charts(app)}
    for key, epsilon in (("ArrowRight", "1.1"), ("End", "100"), ("Home", "0.001")):
        slider(app, EPSILON_SLIDER).press(key)
        expect(answer(app)).to_contain_text(f"At ε = {epsilon},")
        settle(app)
        assert {chart["name"]: chart["axes"] for chart in charts(app)} == before


COVERED = """(plot) => {
  const box = plot.querySelector(".hoverlayer g.legend .bg").getBoundingClientRect();
  const all = plot.getBoundingClientRect();
  const {xaxis, yaxis} = plot._fullLayout;
  const isCovered = (x, y) => x > box.left && x < box.right && y > box.top && y < box.bottom;
  const place = (x, y) => [all.left + xaxis._offset + xaxis.d2p(x), all.top + yaxis._offset + yaxis.d2p(y)];
  const points = plot.data.flatMap((trace) => Array.from(trace.x, (x, n) => place(x, trace.y[n])));
  return points.filter((point) => isCovered(...point)).length;
}"""


def test_the_numbers_of_a_hover_leave_the_lines_in_sight(app: Page, server: str) -> None:
    follow(app, f"{server}/Tables?section=noise&against=per_person", 2)
    plot = app.locator(".js-plotly-plot").nth(1)
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    for share in (0.2, 0.5, 0.7):
        app.mouse.move(box["x"] + share * box["width"], box["y"] + 0.5 * box["height"], steps=4)
        expect(plot.locator(".hoverlayer g.legend")).to_contain_text("k = ")
        assert plot.evaluate(COVERED) == 0, share


PERIOD_WIDTH = "({_fullLayout: {xaxis}}) => xaxis.d2p(1) - xaxis.d2p(0)"


def test_two_handles_that_meet_are_both_dragged(app: Page, server: str) -> None:
    follow(app, f"{server}/A_series?section=time&in_periods=36")
    lead = app.locator(".dp-lead")
    settle(app)
    for key, text in (("length", "one person: k = 24"), ("in_periods", "one person: k = 12")):
        box = lead.locator(f".dp-handle[data-key={key}]").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 8
        by = -12 * lead.locator(".js-plotly-plot").first.evaluate(PERIOD_WIDTH)
        app.mouse.move(x, y)
        app.mouse.down()
        app.mouse.move(x + by, y, steps=4)
        app.mouse.up()
        expect(lead.locator(".annotation-text", has_text="one person: ")).to_have_text(text)
        settle(app)


def test_every_chart_is_drawn_and_says_in_words_what_it_shows(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds")
    for view, name in VIEWS.items():
        app.get_by_role("combobox", name="Show").select_option(view)
        expect(app.locator(f"[data-chart={name}]")).to_be_visible()
        settle(app)
        (chart,) = charts(app)
        assert chart["name"] == name
        assert chart["marks"] > 1
        assert len(chart["alternative"]) > 40
        expect(app.get_by_role("figure")).to_have_count(1)


def test_a_legend_has_the_mark_and_the_strength_of_each_curve(app: Page, server: str) -> None:
    follow(app, f"{server}/Papers_reproduced?section=pdp")
    shades = app.locator(":is(.dp-legend, .dp-names) svg").evaluate_all(
        "marks => marks.map((mark) => getComputedStyle(mark).opacity)"
    )
    assert len(set(shades)) == len(shades) == 5
    follow(app, f"{server}/Gaussian_bounds?section=profile")
    expect(app.locator(":is(.dp-legend, .dp-names) circle")).to_have_count(0)  # the target is a star
    follow(app, f"{server}/Denoising", 2)
    (released,) = app.locator(":is(.dp-legend, .dp-names) button", has_text="as released").all()
    expect(released.locator("circle")).to_have_attribute("fill", "none")
    follow(app, f"{server}/Clipping", 1)
    (maximum,) = (
        app.locator(":is(.dp-legend, .dp-names) button", has_text="maximum of your range").first.locator("path").all()
    )
    expect(maximum).to_have_attribute("fill", "none")  # an open diamond
    app.locator(".dp-fold summary", has_text="What the bounds cut of the values").click()
    bars = app.locator("[data-chart=values] .dp-legend svg")
    expect(bars).to_have_count(2)
    assert bars.evaluate_all("marks => marks.map((mark) => mark.getAttribute('opacity'))") == ["0.35", "1"]


def expect_ground_of_hover(page: Page) -> None:
    """Expect that what a hover says names the place, on a white ground; leave the chart."""
    plot = page.locator(".dp-lead .dp-plot").bounding_box()
    assert plot is not None
    page.mouse.move(plot["x"] + 0.3 * plot["width"], plot["y"] + 0.5 * plot["height"])
    legend = page.locator(".hoverlayer .legend")
    expect(legend).to_contain_text("ε = 0.0")
    ground = legend.locator(".bg").evaluate("ground => getComputedStyle(ground)")
    assert (ground["fill"], ground["fillOpacity"]) == ("rgb(255, 255, 255)", "1")
    page.mouse.move(0, 0)


def test_the_lead_picture_is_as_tall_as_before_while_and_after_a_panel_is_open(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds")
    tall = "document.querySelector('.dp-lead .main-svg').clientHeight"
    before, button = app.evaluate(tall), app.get_by_role("button", name="Code", exact=True)
    button.click()
    expect(app.locator(".dp-answer-panel pre").first).to_be_visible()
    for key in ("ArrowRight", "ArrowLeft"):
        slider(app, EPSILON_SLIDER).press(key)
        settle(app)
        assert app.evaluate(tall) == before
    button.click()
    expect(app.locator(".dp-answer-panel")).to_be_hidden()
    assert app.evaluate(tall) == before


def test_a_row_keeps_its_name_while_a_table_is_moved_to_the_side(app: Page, server: str) -> None:
    app.set_viewport_size({"width": 390, "height": 844})
    follow(app, f"{server}/Composition?section=published")
    app.get_by_text("Each guarantee in numbers, with its source").click()
    table = app.locator(".scroll").first
    left = table.evaluate(
        "table => (table.scrollLeft = 300, table.querySelector('tbody th').getBoundingClientRect().left)"
    )
    assert left >= 0
    assert table.evaluate("table => table.scrollLeft") == 300


def test_every_cell_of_a_table_has_its_name_and_its_whole_bar_on_a_phone(app: Page, server: str) -> None:
    cells = {
        f"region {region}, age {age}": place for place, (region, age) in enumerate(product("ABC", ("old", "young")))
    }
    app.set_viewport_size({"width": 390, "height": 844})
    own = quote(";".join(f"{cell}={6 * place}" for cell, place in cells.items()))
    follow(app, f"{server}/Tables?section=table&table=own&contribution=once&fixed=yes&own={own}")
    names = app.locator(".dp-lead .ytick text")
    expect(names).to_have_count(len(cells))
    for name in names.all():
        expect(name).to_be_visible()
    ((low, high), _) = charts(app)[0]["axes"]
    bars = app.locator(".js-plotly-plot").first.evaluate("plot => plot.data.map((each) => each.error_x.value)")
    assert bars[0] > 0
    assert (low < -bars[0], high > 30 + bars[0]) == (True, True)


def test_the_numbers_of_a_chart_come_as_csv_with_the_parameters_on_top(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds?epsilon=0.5&delta=1e-5")
    with app.expect_download() as saved:
        app.get_by_role("button", name="Save this chart").click()
        app.get_by_role("button", name="Numbers as CSV").click()
    assert saved.value.suggested_filename == f"gaussian_bounds_{LEAD}_eps0.5_delta1e-5.csv"
    lines = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    header = [line for line in lines if line.startswith("#")]
    assert header == lines[: len(header)]
    assert header[0].startswith(f"# link: {server}/Gaussian_bounds?epsilon=0.5&")
    assert {"# epsilon: 0.5", "# delta: 1e-05", "# l2_sensitivity: 1.0", "# confidence: 0.95"} <= set(header)
    assert "query units" in header[-1]
    assert lines[len(header)].split(",")[:2] == ["bound", "epsilon"]
    assert len(lines) > 500


def test_a_page_is_printed_on_white_from_the_dark_without_what_can_be_opened(app: Page, server: str) -> None:
    app.emulate_media(color_scheme="dark")
    follow(app, f"{server}/Tables?section=table")
    expect(app.locator(".dp-stage.dp-dark")).to_be_visible()
    expect(app.get_by_text("Use your own table")).to_be_visible()
    app.emulate_media(media="print")
    expect(app.get_by_text("Use your own table")).to_be_hidden()
    grounds = "['body', '.stApp'].map((part) => getComputedStyle(document.querySelector(part)).backgroundColor)"
    assert app.evaluate(grounds) == ["rgb(255, 255, 255)"] * 2


def test_a_page_saves_what_its_reader_sees_for_its_size_and_in_the_colours_of_paper(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(scheme="dark")
    visit(page, f"{server}/Gaussian_bounds?epsilon=2&view=ratio")
    chart = page.locator("[data-chart=ratio]")
    chart.get_by_role("button", name="Classical", exact=True).click()
    page.wait_for_function("() => document.querySelectorAll('.js-plotly-plot .js-line').length < 6")  # drawn without it
    page.evaluate("Plotly.relayout(document.querySelector('.js-plotly-plot'), {'yaxis.range': [0, 0.2]})")
    chart.get_by_role("button", name="Save this chart").click()
    for kind, start in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        page.get_by_label("Format").select_option(kind)
        page.get_by_label("Width").fill("85")
        with page.expect_download() as downloaded:
            page.get_by_role("button", name="Save picture").click()
        assert downloaded.value.suggested_filename == f"gaussian_bounds_ratio_eps2_delta1e-6.{kind}"
        saved = downloaded.value.path().read_bytes()
        assert saved.startswith(start)
        page.wait_for_function(f"() => location.search.includes('picture={kind}')")
        if kind == "svg":
            picture = saved.decode()
            texts = [
                "".join(text.itertext())
                for text in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")
            ]
            assert "Classical" not in texts
            assert "Analytic" in texts
            assert "0.5" not in texts
            assert "rgb(0, 96, 160)" in picture  # the light theme's blue
            for words in ('width="85mm"', "Noise of each", f"{server}/Gaussian_bounds?epsilon=2&amp;"):
                assert words in picture
    assert page.locator("body > div[aria-hidden=true]").count() == 0
