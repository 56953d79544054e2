"""The PDF and the Word file of a report: content, order, links, formulas, strangers' words and pictures."""

import base64
import re
import struct
import zlib
from dataclasses import replace
from io import BytesIO
from urllib.parse import quote

import docx
import pypdfium2
import pytest
from docx.oxml.ns import qn

from pages.framework.parameters import number_format
from pages.report import page as report_page
from pages.report import results, word
from pages.report.parameters import ITEMS
from tests.pages.conftest import title_of

ADDRESS, DAY = "https://dp.example.org/app", "2026-11-28"
ITEM_TEXTS = "Tables/noise_persons?epsilon=2~Accuracy/answer~Gaussian_bounds/ratio#Mine"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="180mm" height="115mm" viewBox="0 0 180 115"></svg>'
EVIL = 'a #read("/etc/passwd") $x^2$ *b* _i_ @ref <label> \\ `raw` // end #import "@preview/cetz:0.4.0": * <b>x</b>'


def png(width=900, height=575):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"".join(b"\0" + bytes(width) for _ in range(height)))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


PNG = "data:image/png;base64," + base64.b64encode(png()).decode()


def report(items=ITEM_TEXTS, title="What we guarantee", notes="", appendix="without"):
    return results.ReportResult(title, notes, ITEMS.read(items), appendix=appendix)


def pictures(picture, content=None):
    return {results.file_name(place, item): picture for place, item in enumerate((content or report()).items)}


def pages_of(pdf):
    """Return the words of each page of a PDF, with one space between any two."""
    with pypdfium2.PdfDocument(pdf) as opened:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in opened]


def links_of(pdf):
    return re.findall(rb"/URI ?\(([^)]*)\)", pdf)


def paragraphs_of(content):
    return [paragraph.text for paragraph in docx.Document(BytesIO(content)).paragraphs]


def in_order(words, marks):
    start = words.index("Open this report in the Explorer")  # below the contents
    places = [words.index(mark, start) for mark in marks]
    return places == sorted(places)


MARKS = (
    f"1. {title_of('tables', 'noise_persons')}",
    "Use geometric noise: ±3 for all 64 cells",
    "Analytic Gaussian noise has a smaller error",
    "Holds only if each person counts once",
    "Privacy loss parameter ε: 2;",
    "2. At ε = 1, at least 95 of 100 releases",
    f"3. {title_of('gaussian_bounds', 'ratio')}",
    "Mine",
    "the analytic Gaussian requires σ = 4.225",
)


def test_a_pdf_has_each_answer_then_its_picture_and_conditions_and_three_items_on_three_pages():
    pdf = report_page.pdf_file(report(), ADDRESS, DAY, pictures(SVG))
    sheets = pages_of(pdf)
    assert len(sheets) <= 3
    assert in_order(" ".join(sheets), MARKS)
    assert all(f"2026-11-28 {place} of {len(sheets)}" in sheet for place, sheet in enumerate(sheets, 1))
    assert [target for target in links_of(pdf) if not target.startswith(ADDRESS.encode())] == []
    assert len(links_of(pdf)) == 4  # one for each item, and the report's
    with pypdfium2.PdfDocument(pdf) as opened:
        assert opened.get_metadata_dict()["Title"] == "What we guarantee"
        assert next(entry.get_title() for entry in opened.get_toc()) == "What we guarantee"


def test_a_word_file_has_the_same_content_in_the_same_order_with_pictures_and_links():
    content = word.docx_file(report(), ADDRESS, DAY, pictures(PNG))
    opened = docx.Document(BytesIO(content))
    assert in_order(" ".join(paragraphs_of(content)), MARKS)
    links = {part.target_ref for part in opened.part.rels.values() if part.is_external}
    assert {target.partition("?")[0].removeprefix(ADDRESS) for target in links} == {
        "/Tables", "/Accuracy", "/Gaussian_bounds", "/Report"
    }  # fmt: skip
    anchors = {link.get(qn("w:anchor")) for link in opened.element.iter(qn("w:hyperlink"))} - {None}
    assert anchors <= {mark.get(qn("w:name")) for mark in opened.element.iter(qn("w:bookmarkStart"))}
    assert [shape._inline.docPr.get("descr") for shape in opened.inline_shapes] == [
        rebuilt.exhibit.alternative for rebuilt in report().rebuilt_items if rebuilt and rebuilt.exhibit
    ]
    properties = opened.core_properties
    assert (properties.title, str(properties.created).partition(" ")[0]) == ("What we guarantee", DAY)
    assert "python-docx" not in (properties.author + properties.comments)


def test_tables_are_tables_in_both_files_with_their_heads_on_each_page():
    content = report("Tables/cells_table?section=table")
    sheets = pages_of(report_page.pdf_file(content, ADDRESS, DAY, {}))
    assert len(sheets) == 2
    assert all("Told from an empty cell" in sheet for sheet in sheets)
    (table,) = docx.Document(BytesIO(word.docx_file(content, ADDRESS, DAY, {}))).tables
    assert (len(table.rows), table.rows[0].cells[1].text) == (65, "Count")
    assert [len(list(line.iter(qn("w:tblHeader")))) for line in table._tbl.tr_lst[:2]] == [1, 0]


def test_an_appendix_has_the_formulas_of_the_pages_as_equations_of_each_file():
    content = report("Gaussian_bounds/bounds~Tables/answer~Composition/answer?section=profile", appendix="with")
    formulas = [math.text for math in word.content(content, ADDRESS, DAY, {}).all_of("math")]
    assert len(formulas) > 20
    sheets = " ".join(pages_of(report_page.pdf_file(content, ADDRESS, DAY, {})))
    for words in ("How the numbers are computed", "Balle & Wang 2018, Theorem 8", "√"):
        assert words in sheets
    opened = docx.Document(BytesIO(word.docx_file(content, ADDRESS, DAY, {})))
    equations = list(opened.element.iter(qn("m:oMath")))
    fences, hidden = re.compile(r"[(){}\[\]|\s\u2009\u2061~^¯]"), str.maketrans("-", "−")
    written = ["".join(text.text for text in equation.iter(qn("m:t"))) for equation in equations]
    assert [fences.sub("", text) for text in written] == [fences.sub("", text.translate(hidden)) for text in formulas]
    assert "How the numbers are computed" not in " ".join(pages_of(report_page.pdf_file(report(), ADDRESS, DAY, {})))


@pytest.mark.parametrize(
    ("mathml", "kinds"),
    [
        ("<mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac>", ["f", "num", "den"]),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", ["rad", "deg"]),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>", ["limUpp", "limLow"]),
        ("<munder><mi>max</mi><mi>i</mi></munder>", ["limLow"]),
        ("<mover><mi>x</mi><mi>y</mi></mover>", ["limUpp"]),
        ("<mover accent='true'><mi>x</mi><mo>^</mo></mover>", ["acc", "chr"]),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", ["sSubSup"]),
        ("<mrow><mo fence='true'>(</mo><mi>x</mi><mo fence='true'>)</mo></mrow>", ["d", "begChr", "endChr"]),
    ],
)
def test_each_kind_of_formula_is_an_equation_of_word_and_of_the_pdf(mathml: str, kinds: list[str]):
    math = word.read_html(f"<math display='block'>{mathml}</math>").elements[0]
    found = [node.tag.partition("}")[2] for node in word.equation(math).iter()]
    assert set(kinds) <= set(found)
    assert found[:2] == ["oMathPara", "oMath"]
    shown = report_page.compiled({"title": "t", "foot": "", "content": report_page.as_data(math)})
    assert all(letter in " ".join(pages_of(shown)) for letter in re.findall(r"<mn>(\d)", mathml))


def test_the_words_of_strangers_stand_in_both_files_letter_by_letter_and_do_nothing():
    content = report(f"Tables/answer#{quote(EVIL, safe='')}", EVIL, EVIL)
    words = " ".join(pages_of(report_page.pdf_file(content, ADDRESS, DAY, {})))
    assert words.replace(" ", "").count(EVIL.replace(" ", "")) == 3
    assert "root:" not in words
    written = paragraphs_of(word.docx_file(content, ADDRESS, DAY, {}))
    assert written.count(EVIL) == 3


@pytest.mark.parametrize(
    "picture",
    [
        "nothing of a picture",
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd" width="9" height="9"/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="https://x.example/a.png" width="9" height="9"/></svg>',
        '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
        "data:image/png;base64,AAAA",
        "data:image/png;base64," + base64.b64encode(png()[:40]).decode(),
        "data:image/png;base64," + base64.b64encode(png(0, 0)).decode(),
        '" onerror="x',
    ],
)
def test_a_picture_that_the_browser_did_not_draw_is_left_out_and_the_sentence_on_it_stays(picture: str):
    sent = pictures(picture)
    alternative = number_format.without_markdown(report().rebuilt_items[2].exhibit.alternative)  # pyright: ignore
    words = " ".join(pages_of(report_page.pdf_file(report(), ADDRESS, DAY, sent)))
    assert " ".join(alternative.split())[:60] in words or "image" in picture
    assert "root:" not in words
    content = word.docx_file(report(), ADDRESS, DAY, sent)
    assert alternative in paragraphs_of(content)
    assert len(docx.Document(BytesIO(content)).inline_shapes) == 0


def test_a_high_picture_fits_on_a_page_of_both_files():
    content = report("Gaussian_bounds/ratio")
    high = "data:image/png;base64," + base64.b64encode(png(100, 900)).decode()
    (shape,) = docx.Document(BytesIO(word.docx_file(content, ADDRESS, DAY, pictures(high, content)))).inline_shapes
    assert (shape.height.mm, shape.width.mm) == (pytest.approx(220), pytest.approx(220 / 9, rel=0.01))
    svg = SVG.replace("115", "1000")
    with pypdfium2.PdfDocument(report_page.pdf_file(content, ADDRESS, DAY, pictures(svg, content))) as opened:
        assert len(opened) <= 2


def test_a_report_whose_items_are_missing_still_has_its_files():
    content = replace(report(), rebuilt=results.RebuiltItems())
    assert "What we guarantee" in pages_of(report_page.pdf_file(content, ADDRESS, DAY, {}))[0]
    assert paragraphs_of(word.docx_file(content, ADDRESS, DAY, {}))[0] == "What we guarantee"
