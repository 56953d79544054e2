"""Saved figures: texts are neither cut nor overlapping, in the file's font and a wider one; and their metadata."""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from playwright.sync_api import Page
from plotly.io.json import to_json_plotly

import dpcore
from pages.export import exhibits_of
from pages.export.__main__ import Paper, Save
from pages.framework.export.exhibit import Exhibit

SVG = "{http://www.w3.org/2000/svg}"
LINK, DAY = "/Gaussian_bounds?epsilon=2", "2026-11-21"
SETTINGS = [  # tests/benchmarks/test_saved_pictures.py has more
    "/Gaussian_bounds?epsilon=100&delta=1e-12&l2_sensitivity=12345&pinned=1,1e-6,1,0.05",
    "/Trade-off_curves?curves=!gdp:3@blue=a%20very%20long%20name%20of%20a%20mechanism%20that%20no%20legend%20likes%20to%20hold"
    "%20in%20one%20row;approx:1,1e-6@green=x%20%3C%20y;laplace:1@orange=",
    "/Tables",
    "/Denoising?section=map",
]
BOTH_WIDTHS = SETTINGS[-2:]
WIDE = "DejaVu Sans, Verdana, sans-serif"
# Every text as drawn, in mm from the picture's corner: as the file says, in a wider font, and in Arial by a program
# that heeds neither the font of the file nor how long it says that a text is.
BOXES = """async ([svg, font]) => {
    document.body.innerHTML = svg.replace(/^<\\?xml.*?\\?>/, "");
    const picture = document.querySelector("svg");
    const [family] = picture.getAttribute("font-family").split(",");
    await document.fonts.load(`13px ${family}`);
    const seen = () => {
        const frame = picture.getBoundingClientRect(), mm = 25.4 / 96;
        const boxes = [...picture.querySelectorAll("text")].map((text) => {
            const {left, right, top, bottom} = text.getBoundingClientRect();
            const box = [left - frame.left, top - frame.top, right - frame.left, bottom - frame.top];
            return [text.textContent, ...box.map((px) => px * mm)];
        });
        return {size: [frame.width * mm, frame.height * mm], boxes};
    };
    const own = seen(), loaded = document.fonts.check(`13px ${family}`);
    picture.setAttribute("font-family", font);
    const wide = seen();
    picture.setAttribute("font-family", "Arial, Helvetica, 'Liberation Sans', sans-serif");
    for (const line of picture.querySelectorAll("[textLength]")) line.removeAttribute("textLength");
    return {own, wide, arial: seen(), loaded};
}"""
_SHOWN = """async (figure) => {
    const {data, layout} = JSON.parse(figure), plot = document.createElement("div");
    document.body.append(plot);
    const {title, ...rest} = layout;
    await Plotly.newPlot(plot, data, {...rest, width: 900}, {staticPlot: true});
    const words = [...plot.querySelectorAll(".main-svg text")].filter((text) => !text.closest("[class$=tick]"));
    plot.remove();
    const titles = [title?.text, title?.subtitle?.text].map((text) => {
        const node = document.createElement("p");
        node.innerHTML = text ?? "";
        return node;
    });
    return [...words, ...titles].map(({textContent}) => textContent).filter(Boolean);
}"""


@cache
def charts(link: str) -> list[Exhibit]:
    return [exhibit for exhibit in exhibits_of(link)[0] if isinstance(exhibit.picture, dict)]


def words(text: str) -> str:
    """Return a text without spaces and line breaks."""
    return re.sub(r"[\s\u2060]", "", text)


def faults(seen: dict[str, Any]) -> list[str]:
    """Return the texts that leave a picture or overlap by more than a tenth of a millimetre."""
    width, height = seen["size"]
    boxes = [(text, box) for text, *box in seen["boxes"] if box[2] > box[0]]
    problems = [
        f"{text!r} is cut: {box} of {seen['size']}"
        for text, box in boxes
        if box[0] < -0.1 or box[1] < -0.1 or box[2] > width + 0.1 or box[3] > height + 0.1
    ]
    for place, (text, (left, top, right, bottom)) in enumerate(boxes):
        for other, (x, y, end, foot) in boxes[place + 1 :]:
            if min(right, end) - max(left, x) > 0.1 and min(bottom, foot) - max(top, y) > 0.1:
                problems.append(f"{text!r} lies on {other!r}")
    return problems


@pytest.mark.parametrize("link", SETTINGS)
def test_no_text_of_a_saved_picture_is_cut_or_on_another_in_its_font_or_a_wider_one(
    link: str, save: Save, drawing: Page, looking: Page
) -> None:
    assert texts_out_of_place(link, save, drawing, looking) == []


def texts_out_of_place(link: str, save: Save, drawing: Page, looking: Page) -> list[str]:
    """Return the texts that are cut, torn, missing or on another one in the saved pictures of a link."""
    wrong = []
    for exhibit in charts(link):
        displayed_texts = drawing.evaluate(_SHOWN, str(to_json_plotly(exhibit.picture)))
        for width in (85.0, 180.0) if link in BOTH_WIDTHS else (85.0,):
            svg = save(exhibit, Paper("svg", width), link, DAY).decode()
            seen = looking.evaluate(BOXES, [svg, WIDE])
            assert seen["loaded"]
            assert seen["own"]["size"][0] == pytest.approx(width, abs=0.1)
            file_texts = [words(text) for text, *_ in seen["own"]["boxes"]]
            missing = [
                text
                for text in displayed_texts
                if words(text) not in file_texts and words(text) not in "".join(file_texts)
            ]
            whole = set(map(words, displayed_texts))
            torn = [
                text
                for text, *_ in seen["own"]["boxes"]
                if re.search(r"^[=≈≤≥%]|[=≈≤≥]$", text) and words(text) not in whole
            ]
            problems = [
                *(f"{text!r} is torn" for text in torn),
                *(f"{font}: {fault}" for font in ("own", "wide", "arial") for fault in faults(seen[font])),
                *(f"{text!r} is missing" for text in missing),
            ]
            wrong += [f"{exhibit.name} at {width} mm: {problem}" for problem in problems]
    return wrong


def test_the_check_itself_sees_words_that_are_cut_or_lie_on_each_other() -> None:
    first, second = ["one", 10.0, 10.0, 20.0, 14.0], ["two", 19.0, 13.0, 30.0, 17.0]
    assert faults({"size": [85.0, 60.0], "boxes": [first, second]}) == ["'one' lies on 'two'"]
    assert faults({"size": [85.0, 60.0], "boxes": [first, ["two", 21.0, 10.0, 30.0, 14.0]]}) == []
    assert len(faults({"size": [19.0, 60.0], "boxes": [first]})) == 1


@pytest.fixture(scope="module")
def ratio() -> Exhibit:
    (exhibit,) = (chart for chart in charts(LINK) if chart.name == "ratio")
    return exhibit


def title_of(exhibit: Exhibit) -> str:
    assert isinstance(exhibit.picture, dict)
    return exhibit.picture["layout"]["title"]["text"]


def test_an_svg_carries_its_font_title_link_version_and_date(save: Save, ratio: Exhibit) -> None:
    svg = save(ratio, Paper("svg", 120.0), LINK + "&x=<&>", DAY).decode()
    root = ElementTree.fromstring(svg)
    about = "{http://purl.org/dc/elements/1.1/}"
    assert root.get("width") == "120mm"
    assert root.findtext(f"{SVG}title") == title_of(ratio)
    assert ratio.alternative in (root.findtext(f"{SVG}desc") or "")
    facts = {element.tag.removeprefix(about): element.text for element in root.iter() if element.tag.startswith(about)}
    maker = f"DP Trade-off Explorer {dpcore.__version__}"
    assert facts == {
        "title": title_of(ratio),
        "description": ratio.alternative,
        "source": LINK + "&x=<&>",
        "creator": maker,
        "date": DAY,
    }
    assert "@font-face{font-family:'Figure Sans';src:url(data:font/ttf;base64," in svg
    assert len(svg) < 150_000
    straight = [
        path for path in root.iter(f"{SVG}path") if re.fullmatch(r"M[-\d.]+,[-\d.]+[hv][-\d.]+", path.get("d", ""))
    ]
    assert {path.get("fill") for path in straight} == {"none"}  # a filled one would be a thin black line in a PDF


def chunks(png: bytes) -> Iterator[tuple[str, bytes]]:
    at = 8
    while at < len(png):
        (size,) = struct.unpack_from(">I", png, at)
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", png, at + 8 + size)[0] == zlib.crc32(kind + body)
        yield kind.decode(), body
        at += 12 + size


def test_a_png_has_300_dots_an_inch_and_contains_its_link_version_and_date(save: Save, ratio: Exhibit) -> None:
    png = save(ratio, Paper("png", 85.0), LINK, DAY)
    facts = {}
    for kind, body in chunks(png):
        if kind == "pHYs":
            assert struct.unpack(">IIB", body) == (11811, 11811, 1)
        if kind == "iTXt":
            key, _, text = body.partition(b"\0")
            facts[key.decode()] = text[4:].decode()
    maker = f"DP Trade-off Explorer {dpcore.__version__}"
    assert facts == {
        "Title": title_of(ratio),
        "Description": ratio.alternative,
        "Source": LINK,
        "Software": maker,
        "Creation Time": DAY,
    }
    image = Image.open(BytesIO(png))
    assert image.width == round(85 / 25.4 * 300)
    assert image.convert("RGBA").getpixel((2, 2)) == (255, 255, 255, 255)
    clear = Image.open(BytesIO(save(ratio, Paper("png", 85.0, transparent=True), LINK, DAY)))
    assert clear.convert("RGBA").getchannel("A").getpixel((2, 2)) == 0


def test_a_pdf_has_its_exact_size_its_words_as_words_and_looks_like_the_png(save: Save, ratio: Exhibit) -> None:
    paper = Paper("pdf", 120.0)
    saved = save(ratio, paper, LINK, DAY)
    assert saved.startswith(b"%PDF-1.4")  # which pdfTeX includes without a warning
    pdf = pypdfium2.PdfDocument(saved)
    metadata = pdf.get_metadata_dict()
    assert metadata["Title"] == title_of(ratio)
    assert metadata["Subject"] == ratio.alternative
    assert metadata["Keywords"] == LINK
    assert metadata["Creator"] == f"DP Trade-off Explorer {dpcore.__version__}"
    assert metadata["CreationDate"] == "D:20261121"
    page = pdf[0]
    png = Image.open(BytesIO(save(ratio, replace(paper, format="png"), LINK, DAY))).convert("L")
    width, height = page.get_size()
    assert width == pytest.approx(120 / 25.4 * 72, abs=0.01)
    assert height == pytest.approx(png.height / 300 * 72, abs=0.3)
    text = words(page.get_textpage().get_text_range())
    for part in (title_of(ratio), "privacy loss parameter ε (nats)", "σ ÷ analytic σ", "ε = 2"):
        assert words(part) in text
    page_image = page.render(scale=4).to_pil().convert("L").resize((png.width // 8, png.height // 8))
    difference = np.abs(np.asarray(page_image, float) - np.asarray(png.resize(page_image.size), float))
    assert difference.mean() < 2
    assert np.quantile(difference, 0.99) < 60


def test_every_chart_can_be_saved_as_pdf(save: Save) -> None:
    for link in (LINK, *BOTH_WIDTHS):
        for exhibit in charts(link):
            page = pypdfium2.PdfDocument(save(exhibit, Paper("pdf", 85.0), link, DAY))[0]
            title = re.sub("<[^>]*>", "", title_of(exhibit).split("<br>")[0])
            assert words(title) in words(page.get_textpage().get_text_range()), exhibit.name


def test_a_word_in_letters_that_the_font_lacks_is_still_seen_in_a_pdf(save: Save, ratio: Exhibit) -> None:
    assert isinstance(ratio.picture, dict)
    layout = {**ratio.picture["layout"], "title": {"text": "ℵ₀ ⇌"}}
    strange = replace(ratio, picture={**ratio.picture, "layout": layout})
    page = pypdfium2.PdfDocument(save(strange, Paper("pdf", 85.0), LINK, DAY))[0]
    top = np.asarray(page.render(scale=4).to_pil().convert("L"))[:60]
    assert (top < 128).sum() > 50


def test_a_grey_figure_has_no_colour_and_every_line_of_its_legend_a_dash_of_its_own(save: Save) -> None:
    legends = 0
    for link in ("/Accuracy", "/Laplace_vs_Gaussian"):
        lead, *_ = charts(link)
        png = Image.open(BytesIO(save(lead, Paper("png", 85.0, grey=True), link, DAY))).convert("RGB")
        pixels = np.asarray(png, int)
        assert (pixels.max(axis=2) - pixels.min(axis=2)).max() <= 2, lead.name
        for exhibit in charts(link):
            svg = save(exhibit, Paper("svg", 85.0, grey=True), link, DAY)
            colours = re.findall(rb"rgba?\((\d+), ?(\d+), ?(\d+)|#(..)(..)(..)\b", svg)
            assert colours
            assert [pair for pair in colours if len({*filter(None, pair)}) > 1] == [], exhibit.name
            root = ElementTree.fromstring(svg)
            samples = [path for path in root.iter(f"{SVG}path") if re.fullmatch(r"M5,0h\d+", path.get("d") or "")]
            dashes = [path.get("stroke-dasharray") for path in samples]
            assert len(set(dashes)) == min(len(dashes), 6), exhibit.name
            legends += len(dashes) > 2
    assert legends > 3


def test_a_figure_without_title_has_none_and_is_less_tall(save: Save, ratio: Exhibit) -> None:
    titled, plain = (
        ElementTree.fromstring(save(ratio, Paper("svg", 85.0, titled=titled), LINK, DAY)) for titled in (True, False)
    )
    texts = [["".join(text.itertext()) for text in root.iter(f"{SVG}text")] for root in (titled, plain)]
    assert title_of(ratio) in texts[0]
    assert title_of(ratio) not in texts[1]
    assert float((plain.get("height") or "").removesuffix("mm")) < float(
        (titled.get("height") or "").removesuffix("mm")
    )


ODD_NAMES = ["<?xml version='1'?>]]>", "a\ufffe\uffff x", "<script>evil()</script>", ") /URI (https://evil.example) ("]
ODD_NAMES += ["<!ENTITY e SYSTEM 'file:///etc/passwd'>&e;", "<a href='https://evil.example'>x</a>", "\U0001fffe evil"]
ACTIVE = ("script", "a", "foreignObject", "iframe", "set", "animate", "image")


def test_a_picture_with_hostile_names_can_be_read_and_does_nothing(save: Save) -> None:
    names = (f"gdp:{place}@blue={quote(name[:40], safe='')}" for place, name in enumerate(ODD_NAMES, 1))
    (exhibit, *_) = charts(f"/Trade-off_curves?curves={';'.join(names)}")
    root = ElementTree.fromstring(save(exhibit, Paper("svg"), LINK, DAY))
    assert [element.tag for element in root.iter() if element.tag.removeprefix(SVG) in ACTIVE] == []
    targets = [value for element in root.iter() for key, value in element.attrib.items() if key.endswith("href")]
    assert [target for target in targets if not target.startswith("#")] == []
    assert [key for element in root.iter() for key in element.attrib if key.lower().startswith("on")] == []
    assert {kind for kind, _ in chunks(save(exhibit, Paper("png"), LINK, DAY))} >= {"IHDR", "iTXt", "IEND"}
    written = save(exhibit, Paper("pdf"), LINK, DAY)
    assert len(pypdfium2.PdfDocument(written)) == 1
    objects = re.sub(rb"stream\r?\n.*?endstream", b"", written, flags=re.DOTALL)
    assert re.findall(rb"/(?:URI|JavaScript|JS|OpenAction|AA|Launch|Annots)\b", objects) == []
    (metadata,) = re.findall(rb"<x:xmpmeta.*?</x:xmpmeta>", written, flags=re.DOTALL)
    ElementTree.fromstring(metadata)


@pytest.mark.parametrize("mechanisms", ["three", "all"])
def test_a_long_legend_leaves_the_plot_of_a_narrow_picture_its_height(save: Save, mechanisms: str) -> None:
    (exhibit,) = (part for part in charts(f"/Accuracy?mechanisms={mechanisms}") if part.name == "accuracy")
    root = ElementTree.fromstring(save(exhibit, Paper(width=85), LINK, DAY))
    places: dict[str, list[tuple[float, float]]] = {}
    for label in root.iter(f"{SVG}text"):
        moved = re.fullmatch(r"translate\(([-\d.]+),([-\d.]+)\)", label.get("transform", ""))
        if moved:
            places.setdefault(label.text or "", []).append((float(moved[1]), float(moved[2])))
    assert isinstance(exhibit.picture, dict)
    low, high = exhibit.picture["layout"]["yaxis"]["range"]
    height = (
        (high - low) * (places["1"][-1][1] - places["1,000"][-1][1]) / 3
    )  # of the plot, from the decades of its axis
    assert height >= 0.45 * (places["100"][0][0] - places["0.001"][0][0])


@pytest.mark.parametrize(("width", "height", "size"), [(85.0, 40.0, 8.0), (85.0, 80.0, 10.0), (180.0, 60.0, 10.0)])
def test_an_axis_of_probabilities_keeps_its_end_among_few_labels(
    width: float, height: float, size: float, save: Save
) -> None:
    svg = save(charts("/Trade-off_curves")[0], Paper("svg", width, height, size), LINK, DAY)
    labels = ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    numbers = [label for label in labels if re.fullmatch(r"0|1|0\.\d", label)]
    assert numbers.count("1") == numbers.count("0") == 2
    assert numbers.count("0.5") == 1  # of the axis that is short


def test_in_grey_two_lines_of_one_colour_have_shades_far_apart(save: Save, ratio: Exhibit) -> None:
    svg = save(ratio, Paper("svg", 120.0, grey=True), LINK, DAY)
    figure = ratio.picture
    assert isinstance(figure, dict)
    colours = {trace["name"]: trace["line"]["color"] for trace in figure["data"] if trace.get("showlegend", True)}
    samples = [path for path in ElementTree.fromstring(svg).iter(f"{SVG}path") if (path.get("d") or "")[:4] == "M5,0"]
    shades = dict(zip(colours, (path.get("stroke", "") for path in samples), strict=False))
    assert colours["pDP"] == colours["Exact pDP"]
    first, second = (int(shades[name].strip("rgb()").split(",")[0]) for name in ("pDP", "Exact pDP"))
    assert abs(first - second) > 40
