"""The script that draws a picture with matplotlib, and its CSV: each has what was chosen for the picture."""

import re
from zipfile import ZipFile

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reading import follow, visit
from tests.browser.test_author_pictures import size_of
from tests.pages.conftest import lead_name

LEAD = lead_name("gaussian_bounds")
_PLACES = """form => [...form.querySelectorAll("button")].map((button) => {
  const {x, y, width, height} = button.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})"""


def test_the_script_that_draws_a_chart_is_saved_beside_its_csv(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds?epsilon=2")
    for button, ending in (("matplotlib script", "py"), ("Numbers as CSV", "csv")):
        app.get_by_role("button", name="Save this chart").click()
        if ending == "py":
            app.locator(".dp-paper-more").evaluate("more => (more.open = true)")  # other tests may have left it open
        with app.expect_download() as saved:
            app.get_by_role("button", name=button).click()
        assert saved.value.suggested_filename == f"gaussian_bounds_{LEAD}_eps2_delta1e-6.{ending}"
        if ending == "py":
            assert 'axes.plot(column("epsilon", {"bound": ' in saved.value.path().read_text(encoding="utf-8")


def test_script_and_csv_of_a_picture_with_panels_have_all_of_them(app: Page, server: str) -> None:
    follow(app, f"{server}/Tables", 2)
    tables = {f"tables_noise_{name}_k1_eps1.csv" for name in ("ranked", "persons")}
    for button, more in (("matplotlib script", {"tables_noise_ranked_k1_eps1_panels.py"}), ("Numbers as CSV", set())):
        app.get_by_role("button", name="Save this chart").first.click()
        if more:
            app.get_by_role("group", name="Further panels").get_by_role("checkbox").check()
            app.locator(".dp-paper-more").evaluate("more => (more.open = true)")
        with app.expect_download() as saved:
            app.get_by_role("button", name=button).click()
        assert saved.value.suggested_filename == "tables_noise_ranked_k1_eps1_panels.zip"
        with ZipFile(saved.value.path()) as archive:
            texts = {name: archive.read(name).decode() for name in archive.namelist()}
        assert texts.keys() == tables | more
        assert all(texts[name].startswith(f"# link: {server}/Tables?") for name in tables)
        assert all(f'read("{name}")' in texts[program] for name in tables for program in more)


def test_choices_remain_after_the_script_and_buttons_keep_their_places(app: Page, server: str) -> None:
    app.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for width in (1280, 390):
        app.set_viewport_size({"width": width, "height": 844})
        follow(app, f"{server}/Gaussian_bounds?view=profile", 1)
        app.get_by_role("button", name="Save this chart").click()
        app.locator(".dp-paper-more").evaluate("more => (more.open = true)")
        app.get_by_label("Distinguishable in greyscale").set_checked(width == 1280)
        before = app.locator(".dp-popover").evaluate(_PLACES)
        for name, said in (
            ("Copy caption", "The caption is copied."),
            ("Copy for LaTeX", "The lines of LaTeX are copied."),
        ):
            app.get_by_role("button", name=name).click()
            expect(app.locator(".dp-copied")).to_have_text(said)
            assert app.locator(".dp-popover").evaluate(_PLACES) == before, (width, name)
        with app.expect_download():
            app.get_by_role("button", name="matplotlib script").click()
        app.get_by_role("button", name="Save this chart").click()
        app.locator(".dp-paper-more").evaluate("more => (more.open = true)")
        expect(app.get_by_label("Distinguishable in greyscale")).to_be_checked(checked=width == 1280)
        app.keyboard.press("Escape")


def test_the_script_has_the_size_the_greys_and_the_title_that_are_chosen(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds?epsilon=3")
    app.get_by_role("button", name="Save this chart").click()
    app.locator(".dp-paper-more").evaluate("more => (more.open = true)")
    app.get_by_role("combobox", name="Width").fill("85")
    app.get_by_role("combobox", name="Height in mm").fill("50")
    app.get_by_label("Font size").select_option("7")
    app.get_by_label("Include title").uncheck()
    app.get_by_label("Distinguishable in greyscale").check()
    with app.expect_download() as saved:
        app.get_by_role("button", name="matplotlib script").click()
    text = saved.value.path().read_text(encoding="utf-8")
    assert "WIDTH, HEIGHT, TYPE = 85 / 25.4, 50 / 25.4, 7 " in text
    assert "set_title" not in text
    greys = re.findall(r"color=\(([\d.]+), ([\d.]+), ([\d.]+), [\d.]+\)", text)
    assert len(greys) == len(re.findall("color=", text.split("panel, table = ")[1])) > 5
    assert all(red == green == blue for red, green, blue in greys)
    named = [line for line in text.splitlines() if line.startswith("axes.plot") and "_nolegend_" not in line]
    styles = [re.findall(r"linestyle=(.*?), (?:label|drawstyle)|linestyle=(.*)\)", line) for line in named]
    assert len(styles) == len({str(style) for style in styles}) > 3
    assert len({re.findall(r"color=(\(.*?\))", line)[0] for line in named}) == len(named)


def test_the_script_of_a_report_has_its_names_ends_marks_and_the_height_of_the_picture(page: Page, server: str) -> None:
    visit(page, f"{server}/Report?items=Gaussian_bounds%2Fratio~Trade-off_curves%2Fcurves", 2)
    page.get_by_role("button", name="Save this chart").first.click()
    page.get_by_role("group", name="Further panels").get_by_role("checkbox").check()
    page.locator(".dp-paper-more").evaluate("more => (more.open = true)")
    page.get_by_label("Width in mm").fill("85")
    page.get_by_label("Include title").uncheck()
    page.get_by_label("Distinguishable in greyscale").check()
    page.get_by_label("Name of Analytic").fill("Analytic (Balle & Wang)")
    page.get_by_label("x from").fill("0.01")
    page.get_by_label("y from").fill("0.9")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save picture").click()
    width, height = size_of(saved.value.path().read_bytes())
    page.locator(".dp-paper-more").evaluate("more => (more.open = true)")
    with page.expect_download() as program:
        page.get_by_role("button", name="matplotlib script").click()
    with ZipFile(program.value.path()) as archive:
        text = next(archive.read(name).decode() for name in archive.namelist() if name.endswith(".py"))
    given = re.search(r"WIDTH, HEIGHT, TYPE = ([\d.]+) / 25.4, ([\d.]+) / 25.4", text)
    assert given
    assert [float(size) for size in given.groups()] == pytest.approx([width, height], abs=0.02)
    ratio, curves = text.split("panel, table = ")[1:]
    assert 'label="Analytic (Balle & Wang)"' in ratio
    assert 'label="Analytic"' not in ratio
    assert re.findall(r"set_[xy]lim\(([\d.]+), ", ratio) == ["0.01", "0.9"]
    assert 'label="Lower bound"' not in ratio  # it lies below the ends, as in the picture
    assert 'label="advantage over guessing"' in curves
    assert {"s", "D"} <= set(re.findall(r'marker="(\w)"', curves))
    page.get_by_role("button", name="Save this chart").first.click()
    expect(page.get_by_label("Name of Analytic")).to_have_value("Analytic (Balle & Wang)")
