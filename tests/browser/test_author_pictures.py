"""Pictures for papers: their height, their font, their greys, several panels in one file, and their captions."""

import re
from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from pages.export.__main__ import Paper, Save
from pages.framework.export.exhibit import Exhibit
from tests.browser.reading import follow, visit
from tests.browser.test_saved_pictures import BOXES, DAY, LINK, SVG, WIDE, charts, faults, words
from tests.pages.conftest import lead_name

LEAD = lead_name("gaussian_bounds")
_SIZES, _SHARES = ("1,000", "100", "10,000"), ("0", "0.5", "1")  # of which the latter stand along an axis too
FAMILIES = {"sans": "Figure Sans", "serif": "Figure Serif", "modern": "Figure Modern"}


def chart(link: str, name: str) -> Exhibit:
    return next(exhibit for exhibit in charts(link) if exhibit.name == name)


def texts_of(svg: bytes) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg.decode()).iter(f"{SVG}text")]


def size_of(svg: bytes) -> tuple[float, float]:
    root = ElementTree.fromstring(svg.decode())
    width, height = (float((root.get(side) or "").removesuffix("mm")) for side in ("width", "height"))
    return width, height


@pytest.mark.parametrize("height", [50.0, 100.0])
@pytest.mark.parametrize("name", ["ratio", "profile"])
def test_a_picture_has_the_height_that_is_wanted_and_no_text_is_cut(
    name: str, height: float, save: Save, looking: Page
) -> None:
    svg = save(chart(LINK, name), Paper("svg", 120.0, height, titled=False), LINK, DAY)
    assert size_of(svg) == pytest.approx((120, height), abs=0.02)
    assert faults(looking.evaluate(BOXES, [svg.decode(), WIDE])["own"]) == []


def test_a_height_without_room_for_the_words_is_exceeded_and_the_plot_remains(save: Save) -> None:
    exhibit = chart(LINK, "ratio")
    low = save(exhibit, Paper("svg", 85.0, 20.0), LINK, DAY)
    assert 20 < size_of(low)[1] < size_of(save(exhibit, Paper("svg", 85.0), LINK, DAY))[1]
    png = Image.open(BytesIO(save(exhibit, Paper("png", 85.0, 60.0), LINK, DAY)))
    assert png.size == pytest.approx((85 / 25.4 * 300, 60 / 25.4 * 300), abs=1)


@pytest.mark.parametrize("typeface", FAMILIES)
def test_each_font_is_in_the_file_and_its_words_are_words(typeface: str, save: Save, looking: Page) -> None:
    exhibit, paper = chart(LINK, "ratio"), Paper("svg", 85.0, typeface=typeface)
    svg = save(exhibit, paper, LINK, DAY).decode()
    assert re.findall("@font-face{font-family:'([^']+)'", svg) == [FAMILIES[typeface]]
    assert faults(looking.evaluate(BOXES, [svg, WIDE])["own"]) == []
    assert len(svg) < 200_000
    pdf = save(exhibit, replace(paper, format="pdf"), LINK, DAY)
    assert f"/FontName /{FAMILIES[typeface].replace(' ', '')}".encode() in pdf
    text = words(pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range())
    assert "privacylossparameterε(nats)" in text
    assert b"/Subtype /Image" not in pdf  # which a letter that the font lacks would be


@pytest.mark.parametrize("typeface", FAMILIES)
def test_a_line_with_a_letter_that_no_font_has_is_whole_in_a_pdf(typeface: str, save: Save) -> None:
    figure = chart(LINK, "ratio")
    assert isinstance(figure.picture, dict)
    widths = []
    for title in ("a line of many letters to its end, MMMM", "a line of many letters to its end, MMMM ⇌"):
        layout = {**figure.picture["layout"], "title": {"text": title}}
        strange = replace(figure, picture={**figure.picture, "layout": layout})
        page = pypdfium2.PdfDocument(save(strange, Paper("pdf", 120.0, typeface=typeface), LINK, DAY))[0]
        top = np.asarray(page.render(scale=4).to_pil().convert("L"))[:50]
        widths.append(int(np.flatnonzero((top < 128).any(axis=0)).max()))
    assert widths[1] > widths[0] + 10


def test_the_fonts_look_different(save: Save) -> None:
    pictures = [save(chart(LINK, "ratio"), Paper("png", 85.0, 70.0, typeface=name), LINK, DAY) for name in FAMILIES]
    pixels = [np.asarray(Image.open(BytesIO(picture)).convert("L"), int) for picture in pictures]
    for one, other in ((0, 1), (1, 2), (0, 2)):
        assert np.abs(pixels[one] - pixels[other]).mean() > 1


def test_panels_stand_beside_each_other_where_there_is_room_each_with_its_letter(save: Save, looking: Page) -> None:
    panels = chart(LINK, "ratio"), chart(LINK, "sigma_delta")
    wide = save(panels, Paper("svg", 180.0, titled=False), LINK, DAY)
    assert {"(a)", "(b)"} <= set(texts_of(wide))
    narrow = save(panels, Paper("svg", 85.0), LINK, DAY)
    titles = [text for text in texts_of(narrow) if re.match(r"\([ab]\) \w", text)]
    assert [title[:3] for title in titles] == ["(a)", "(b)"]
    assert size_of(wide)[1] < 180 < 2 * size_of(narrow)[1]
    for svg in (wide, narrow):
        assert faults(looking.evaluate(BOXES, [svg.decode(), WIDE])["own"]) == []
    places = {text: box for text, *box in looking.evaluate(BOXES, [wide.decode(), WIDE])["own"]["boxes"]}
    assert places["(a)"][1] == pytest.approx(places["(b)"][1], abs=0.1)
    assert places["(b)"][0] - places["(a)"][0] > 80
    below = places["privacy loss parameter ε (nats)"], places["excess probability δ"]  # the axes stand in one line
    assert below[0][1] == pytest.approx(below[1][1], abs=0.3)
    whole = save(panels, Paper("pdf", 180.0, 70.0), LINK, DAY)
    assert len(pypdfium2.PdfDocument(whole)) == 1
    assert pypdfium2.PdfDocument(whole)[0].get_size() == pytest.approx((180 / 25.4 * 72, 70 / 25.4 * 72), abs=0.1)


@pytest.mark.parametrize(("width", "arrangement"), [(85.0, "row"), (180.0, "column")])
def test_two_panels_stand_side_by_side_or_below_each_other_as_wanted(
    width: float, arrangement: str, save: Save, looking: Page
) -> None:
    panels = chart(LINK, "ratio"), chart(LINK, "sigma_delta")
    paper = Paper("svg", width, titled=False, arrangement=arrangement)
    svg = save(panels, paper, LINK, DAY)
    assert size_of(svg)[0] == width
    seen = looking.evaluate(BOXES, [svg.decode(), WIDE])["own"]
    assert faults(seen) == []
    (left, above, *_), (right, below, *_) = (
        next(box for text, *box in seen["boxes"] if text == letter) for letter in ("(a)", "(b)")
    )
    assert (abs(below - above) < 1, abs(right - left) < 1) == (arrangement == "row", arrangement == "column")


@pytest.mark.parametrize("height", [0.0, 110.0, 130.0])
def test_panels_below_each_other_have_plots_as_tall_and_fit_into_a_column(
    height: float, save: Save, looking: Page
) -> None:
    panels = chart("/Gaussian_bounds", "sigma_epsilon"), chart("/Trade-off_curves", lead_name("tradeoff"))
    svg = save(panels, Paper("svg", 85.0, height, titled=False), LINK, DAY)
    assert 80 < size_of(svg)[1] <= 110 if height == 0 else size_of(svg)[1] == pytest.approx(height, abs=0.1)
    seen = looking.evaluate(BOXES, [svg.decode(), WIDE])["own"]
    assert faults(seen) == []
    tops = [{round(top) for text, _, top, *_ in seen["boxes"] if text in ticks} for ticks in (_SIZES, _SHARES)]
    assert all(len(places) >= 3 for places in tops)  # ticks of both axes that can be read


@pytest.mark.parametrize(
    ("link", "names", "titled", "most"),
    [
        ("/Denoising", ("winners", "maps"), False, 110),
        ("/Generalized_Gaussian", ("densities", "profiles"), False, 110),
        ("/A_series", ("lengths", "own_sums"), False, 110),
        ("/Gaussian_bounds", ("sigma_epsilon", "sigma_delta"), True, 118),  # two subtitles of three lines
    ],
)
def test_two_panels_without_a_height_fit_into_a_column(
    link: str, names: tuple[str, str], titled: bool, most: float, save: Save, looking: Page
) -> None:
    svg = save([chart(link, name) for name in names], Paper("svg", 85.0, titled=titled), link, DAY)
    assert size_of(svg)[1] <= most
    assert faults(looking.evaluate(BOXES, [svg.decode(), WIDE])["own"]) == []


def test_three_panels_of_one_picture_leave_no_room_for_a_fourth_unused(save: Save) -> None:
    three = charts(LINK)[:1] * 3
    assert size_of(save(three, Paper("svg", 85.0, 180.0, titled=False), LINK, DAY)) == pytest.approx(
        (85, 180), abs=0.02
    )
    assert texts_of(save(three, Paper("svg", 180.0, titled=False), LINK, DAY)).count("(c)") == 1


def test_in_grey_bars_have_patterns_and_marks_have_symbols_of_their_own(save: Save) -> None:
    bars = save(chart("/Plan", "plan"), Paper("svg", 120.0, grey=True), "/Plan", DAY).decode()
    assert len(set(re.findall(r'<pattern id="([^"]+)"', bars))) >= 2
    assert re.search(r'fill="url\(#[^)]+\)"', bars)
    marks = chart("/Tables", "kept")
    assert isinstance(marks.picture, dict)
    circles = [trace | {"marker": trace["marker"] | {"symbol": "circle"}} for trace in marks.picture["data"]]
    alike = replace(marks, picture=marks.picture | {"data": circles})
    looks = [shapes_of(save(alike, Paper("svg", 120.0, grey=is_grey), LINK, DAY)) for is_grey in (False, True)]
    assert [len(one) for one in looks] == [1, 3]
    pdf = save(chart("/Plan", "plan"), Paper("pdf", 120.0, grey=True), "/Plan", DAY)
    png = save(chart("/Plan", "plan"), Paper("png", 120.0, grey=True), "/Plan", DAY)
    pixels = np.asarray(Image.open(BytesIO(png)).convert("L"), float)
    page = pypdfium2.PdfDocument(pdf)[0].render(scale=4).to_pil().convert("L").resize(pixels.shape[::-1])
    assert (
        np.abs(np.asarray(page, float) - pixels).mean() < 3
    )  # the tiles of its patterns lie where those of the SVG do


def shapes_of(svg: bytes) -> set[str]:
    """Return the shapes of the samples of a legend, each a small path around 0."""
    paths = (path.get("d") or "" for path in ElementTree.fromstring(svg.decode()).iter(f"{SVG}path"))
    return {
        path
        for path in paths
        if re.match(r"M-?\d+(\.\d+)?,-?\d+(\.\d+)?[AHVL]", path) and path.endswith("Z") and len(path) < 80
    }


def test_a_map_in_grey_has_a_shade_for_each_kind_on_which_its_words_can_be_read(save: Save) -> None:
    figure = chart("/Denoising", "winners")
    svg = save(figure, Paper("svg", 120.0, grey=True), "/Denoising", DAY).decode()
    shades = {int(grey) for grey in re.findall(r'fill="rgb\((\d+), ?\1, ?\1\)"', svg)}
    assert len({shade for shade in shades if 0x90 <= shade <= 0xEC}) >= 3


def test_a_picture_is_saved_in_two_clicks_with_panels_and_its_caption_is_offered(app: Page, server: str) -> None:
    app.context.grant_permissions(["clipboard-read", "clipboard-write"])
    follow(app, f"{server}/Tables?section=noise", 2)
    first = app.locator("[data-chart]").first
    first.get_by_role("button", name="Save this chart").click()
    with app.expect_download() as plain:
        app.get_by_role("button", name="Save picture").click()
    assert re.fullmatch(r"tables_noise_ranked_k1_eps1\.svg", plain.value.suggested_filename)
    app.get_by_role("textbox", name="Width").or_(app.get_by_role("combobox", name="Width")).fill("170")
    app.get_by_text("More", exact=True).click()
    form = app.get_by_role("dialog", name="Save this chart")
    assert (form.bounding_box() or {"y": -1})["y"] >= 0  # however much is unfolded, its first choice is in the window
    app.get_by_role("textbox", name="Height in mm").or_(app.get_by_role("combobox", name="Height in mm")).fill("80")
    app.locator("label", has_text=re.compile("^Font(?! size)")).locator("select").select_option("modern")
    app.get_by_label("Include title").uncheck()
    app.get_by_role("group", name="Further panels").get_by_role("checkbox").first.check()
    app.get_by_role("button", name="Copy for LaTeX").click()
    expect(app.get_by_text("The lines of LaTeX are copied.")).to_be_visible()
    latex = app.evaluate("navigator.clipboard.readText()")
    with app.expect_download() as both:
        app.get_by_role("button", name="Save picture").click()
    name = both.value.suggested_filename
    assert re.fullmatch(r"tables_noise_ranked_k1_eps1_panels\.svg", name)
    assert f"[width=170mm]{{{name.removesuffix('.svg')}.pdf}}" in latex
    app.get_by_role("button", name="Copy for LaTeX").click()  # the dialog keeps its choices
    app.wait_for_function("text => navigator.clipboard.readText().then((copied) => copied === text)", arg=latex)
    svg = both.value.path().read_bytes()
    assert {"(a)", "(b)"} <= set(texts_of(svg))
    assert size_of(svg) == pytest.approx((170, 80), abs=0.1)
    assert "Figure Modern" in svg.decode()
    expect(app.locator(".dp-file-note")).to_contain_text("Its caption: (a) Error of each noise")
    note = app.locator(".dp-file-note")
    note.get_by_role("button", name="Copy caption").click()
    expect(note.get_by_text("The caption is copied.")).to_be_visible()
    assert "(b) " in app.evaluate("navigator.clipboard.readText()")
    first.get_by_role("button", name="Save this chart").click()  # what is not as usual is in sight without a click
    expect(form.get_by_label("Height in mm")).to_have_value("80")
    expect(form.get_by_label("Include title")).to_be_visible()


def test_pictures_of_a_report_at_several_settings_become_panels_of_one_file(app: Page, server: str) -> None:
    items = "Gaussian_bounds%2Fratio%3Fepsilon%3D10~Gaussian_bounds%2Fratio%3Fepsilon%3D0.5"
    follow(app, f"{server}/Report?items={items}", 2)
    app.get_by_role("button", name="Save this chart").nth(1).click()
    app.get_by_role("group", name="Further panels").get_by_role("checkbox").check()
    app.get_by_text("More", exact=True).click()
    app.get_by_label("Include title").uncheck()
    with app.expect_download() as saved:
        app.get_by_role("button", name="Save picture").click()
    assert saved.value.suggested_filename == "report_01_Gaussian_bounds_ratio_panels.svg"
    texts = texts_of(saved.value.path().read_bytes())
    assert [text for text in texts if text.startswith("ε = ")] == ["ε = 10", "ε = 0.5"]
    assert {"(a)", "(b)"} <= set(texts)


def test_a_picture_has_the_ends_and_the_names_that_its_author_gives_it(app: Page, server: str) -> None:
    app.context.grant_permissions(["clipboard-read", "clipboard-write"])
    follow(app, f"{server}/Gaussian_bounds?epsilon=2&view=ratio")
    app.get_by_role("button", name="Save this chart").click()
    app.get_by_text("More", exact=True).click()
    app.get_by_label("Name of Analytic").fill("new bound")
    app.get_by_label("x from").fill("0.1")
    app.get_by_label("x to").fill("0")
    expect(app.get_by_text("The ends of x must be numbers above 0, the lower one first")).to_be_visible()
    app.get_by_label("x to").fill("10")
    app.get_by_role("button", name="Copy caption").click()
    assert "new bound" in app.evaluate("navigator.clipboard.readText()")
    with app.expect_download() as saved:
        app.get_by_role("button", name="Save picture").click()
    texts = texts_of(saved.value.path().read_bytes())
    assert "new bound" in texts
    assert "Analytic" not in texts
    assert {"0.1", "1", "10"} <= set(texts)
    assert "100" not in texts
    expect(app.locator(".dp-chart").first).to_contain_text("Analytic")  # on the page it has its own


def test_ends_and_names_reach_each_panel_in_sight_share_a_legend_and_stay_in_the_form(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/Report?items=Gaussian_bounds%2Fratio~Gaussian_bounds%2Fsigma_epsilon", 2)
    expect(page.get_by_text("Two charts in one picture: Save… › Further panels.")).to_be_visible()
    page.evaluate("() => void (navigator.clipboard.writeText = () => Promise.reject())")
    page.get_by_role("button", name="Save this chart").first.click()
    page.get_by_role("group", name="Further panels").get_by_role("checkbox").check()
    page.get_by_text("More", exact=True).click()
    for button in ("Copy for LaTeX", "Save picture"):
        expect(page.get_by_role("button", name=button)).to_be_in_viewport(ratio=1)
    page.get_by_label("x from").fill("0.1")
    page.get_by_label("x to").fill("10")
    page.get_by_label("y of (a) from").fill("0.9")
    page.get_by_label("y of (a) to").fill("1,8")
    names = {"Analytic": "Ours", "Classical": "Dwork & Roth 2014"}
    for name, given in names.items():
        field = page.get_by_label(f"Name of {name}")
        field.fill(given)
        assert field.evaluate("({scrollWidth, clientWidth}) => scrollWidth <= clientWidth")
    page.get_by_role("button", name="Copy for LaTeX").click()  # without the permission, to be copied by hand
    lines = page.locator(".dp-copy-lines")
    assert lines.inner_text().splitlines()[3:5] == ["\\begin{figure*}[htbp]", "  \\centering"]
    assert ".." not in lines.inner_text().splitlines()[0]
    form = page.get_by_role("dialog", name="Save this chart")
    assert lines.evaluate("({scrollWidth, clientWidth}) => scrollWidth > clientWidth")
    assert form.evaluate("({scrollWidth, clientWidth}) => scrollWidth <= clientWidth")
    assert (form.bounding_box() or {"y": -1})["y"] >= 0
    caption = lines.inner_text()
    counts = [caption.count(words) for words in ("Ours (blue)", "Thin dashed line:", "Dotted: outside the theorem")]
    assert counts == [1, 1, 0]  # what the title and its subtitle say in the picture stands there alone
    for width in ("85", "180"):
        page.get_by_label("Width in mm").fill(width)
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save picture").click()
        texts = texts_of(saved.value.path().read_bytes())
        assert [texts.count(name) for name in (*names.values(), *names, "Lower bound")] == [1, 1, 0, 0, 1]
        assert not {"0.001", "100"} & set(texts[: texts.index("privacy loss parameter ε (nats)")])
        assert " ".join(texts).count("Dotted:") == 1
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save this chart").first.click()
    expect(page.get_by_label("Name of Analytic")).to_have_value("Ours")
    page.get_by_role("group", name="Further panels").get_by_role("checkbox").uncheck()
    with page.expect_download() as alone:
        page.get_by_role("button", name="Save picture").click()
    texts = texts_of(alone.value.path().read_bytes())
    assert "Ours" in texts
    assert "Lower bound" not in texts
    assert "Grey:" not in " ".join(texts)


def test_panels_that_share_a_legend_have_plots_as_tall_above_it_and_no_text_is_cut(save: Save, looking: Page) -> None:
    panels = [chart("/Gaussian_bounds?epsilon=2", name) for name in ("ratio", "sigma_epsilon")]
    for paper in (Paper("svg", 85.0, 160.0), Paper("svg", 180.0, 90.0, grey=True), Paper("svg", 85.0)):
        svg = save(panels, replace(paper, titled=False), LINK, DAY)
        texts = texts_of(svg)
        assert texts.count("Analytic") == texts.count("Lower bound") == 1
        assert paper.height in (0.0, pytest.approx(size_of(svg)[1], abs=0.1))
        seen = looking.evaluate(BOXES, [svg.decode(), WIDE])["own"]
        assert faults(seen) == []
        tops: dict[str, list[float]] = {}
        for text, _left, top, *_ in seen["boxes"]:
            tops.setdefault(text, []).append(top)
        heights = [tops["0.5"][0] - tops["3"][0], tops["0.01"][-1] - tops["10,000"][0]]
        decades = [np.log10(3 / 0.5) / np.log10(3 / 0.4), 1.0]  # the ratio's axis begins at 0.4
        assert heights[0] / decades[0] == pytest.approx(heights[1] / decades[1], rel=0.03)
        assert min(tops["Analytic"]) > max(tops["privacy loss parameter ε (nats)"])
