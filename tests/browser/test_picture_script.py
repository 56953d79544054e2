"""The script that draws a picture with matplotlib, and its CSV: each has what was chosen for the picture."""

import re
from zipfile import ZipFile

from playwright.sync_api import Page, expect

from tests.browser.reading import follow
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
            app.get_by_text("More", exact=True).click()
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
    colours = re.findall(r"#(..)(..)(..)\b", text.split("panel, table = ")[1])
    assert colours
    assert all(red == green == blue for red, green, blue in colours)
    named = [line for line in text.splitlines() if line.startswith("axes.plot") and "_nolegend_" not in line]
    styles = [re.findall(r"linestyle=(.*?), (?:label|drawstyle)|linestyle=(.*)\)", line) for line in named]
    assert len(styles) == len({str(style) for style in styles}) > 3
