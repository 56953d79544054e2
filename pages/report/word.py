"""A report's HTML as a tree, from which its files for paper are made, and the Word file with MathML as OMML."""

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from html.parser import HTMLParser
from io import BytesIO
from typing import Any

from pages.framework.export.exhibit import Figure
from pages.report import document
from pages.report.results import ReportResult, file_name

_VOID_TAGS = ("br", "img")
_WITHOUT_TEXT = ("body", "header", "section", "div", "ul", "ol", "table", "thead", "tbody", "tr")
_SPACE = re.compile(r"[ \t\r\n]+")
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")  # in XML


@dataclass
class Element:
    """An element of HTML or MathML: its tag, its attributes, and its children in their order, texts among them."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element | str"] = field(default_factory=list)

    @property
    def elements(self) -> list["Element"]:
        """Return the children without the texts."""
        return [child for child in self.children if isinstance(child, Element)]

    @property
    def text(self) -> str:
        """Return the text in the element."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all_of(self, tag: str) -> Iterator["Element"]:
        """Yield the elements of a tag within this one, in their order."""
        for child in self.elements:
            if child.tag == tag:
                yield child
            yield from child.all_of(tag)

    def has(self, name: str) -> bool:
        """Return whether the element has a class of this name."""
        return name in self.attributes.get("class", "").split()


class _Reader(HTMLParser):
    """A reader of well-formed HTML, such as the pages write it."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Element("body")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _VOID_TAGS:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if len(self.open) > 1 and self.open[-1].tag == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        text = _SPACE.sub(" ", _ILLEGAL.sub("", data))
        if text.strip(" ") or (text and self.open[-1].tag not in _WITHOUT_TEXT):
            self.open[-1].children.append(text)


def read_html(html: str) -> Element:
    """Return the elements of well-formed HTML, below one that contains them all."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.root


def content(result: ReportResult, address: str, day: str, pictures: Mapping[str, str]) -> Element:
    """Return what a report contains; a chart is an element `img`, its `src` the picture of its name, or empty."""
    names = [file_name(position, item) for position, item in enumerate(result.items)]
    names_of_charts = [name for name, rebuilt in zip(names, result.rebuilt_items, strict=True) if rebuilt is not None]

    def chart_html(index: int, _: Figure, alternative: str) -> str:
        return f'<img src="{escape(pictures.get(names_of_charts[index], ""))}" alt="{escape(alternative)}">'

    return read_html(document.body(result, address, day, chart_html))


_SCRIPTS = {  # the element of Word, and what its parts after the base are called
    "msup": ("sSup", ("sup",)),
    "msub": ("sSub", ("sub",)),
    "msubsup": ("sSubSup", ("sub", "sup")),
    "munder": ("limLow", ("lim",)),
    "mover": ("limUpp", ("lim",)),
}


def equation(math: Element) -> Any:
    """Return the equation of an element `math`, which is on a line of its own if the formula is."""
    root = _node("oMath", *_parts(math))
    return _node("oMathPara", root) if math.attributes.get("display") == "block" else root


def _node(name: str, *children: Any, **attributes: str) -> Any:
    node = _word_element(f"m:{name}", {f"m:{key}": text for key, text in attributes.items()})
    node.extend(children)
    return node


def _word_element(tag: str, attributes: Mapping[str, str]) -> Any:
    """Return a new element of Word's XML, its names with prefixes such as w:."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    return OxmlElement(tag, {qn(name): text for name, text in attributes.items()})


def _parts(element: Element) -> list[Any]:
    return [part for child in element.elements for part in _convert(child)]


def _convert(element: Element) -> list[Any]:
    children, tag = element.elements, element.tag
    is_accent = tag == "mover" and element.attributes.get("accent") == "true"
    if tag in _SCRIPTS and not is_accent:
        name, parts = _SCRIPTS[tag]
        scripts = (_node(part, *_convert(child)) for part, child in zip(parts, children[1:], strict=True))
        return [_node(name, _node("e", *_convert(children[0])), *scripts)]
    if tag == "munderover":
        low = _node("limLow", _node("e", *_convert(children[0])), _node("lim", *_convert(children[1])))
        return [_node("limUpp", _node("e", low), _node("lim", *_convert(children[2])))]
    if is_accent:
        kind = _node("accPr", _node("chr", val=_accent(children[1].text)))
        return [_node("acc", kind, _node("e", *_convert(children[0])))]
    if tag == "mfrac":
        kind = [_node("fPr", _node("type", val="noBar"))] if "linethickness" in element.attributes else []
        over, under = (_convert(child) for child in children)
        return [_node("f", *kind, _node("num", *over), _node("den", *under))]
    if tag in ("msqrt", "mroot"):
        base = _parts(element) if tag == "msqrt" else _convert(children[0])
        degree = [] if tag == "msqrt" else _convert(children[1])
        kind = [_node("radPr", _node("degHide", val="1"))] if tag == "msqrt" else []
        return [_node("rad", *kind, _node("deg", *degree), _node("e", *base))]
    if tag == "mrow" and len(children) > 1 and _is_fence(children[0]) and _is_fence(children[-1]):
        ends = (_node("begChr", val=children[0].text), _node("endChr", val=children[-1].text))
        inner = [part for child in children[1:-1] for part in _convert(child)]
        return [_node("d", _node("dPr", *ends), _node("e", *inner))]
    return _parts(element) if children else _run(element)


def _is_fence(element: Element) -> bool:
    return element.attributes.get("fence") == "true"


def _accent(mark: str) -> str:
    """Return the combining character of an accent."""
    return {"^": "\u0302", "~": "\u0303", "¯": "\u0305", "―": "\u0305", "˙": "\u0307", "→": "\u20d7"}.get(mark, mark)


def _run(element: Element) -> list[Any]:
    """Return a letter, a number, a sign or words; space where the element is one."""
    word = "\u2009" if element.tag == "mspace" else element.text.replace("\u2061", "")
    if not word:
        return []
    text = _node("t")
    text.text = word.replace("-", "\u2212") if element.tag == "mo" else word
    text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    is_upright = element.tag in ("mn", "mtext") or len(word) > 1 or "mathvariant" in element.attributes
    kind = [_node("rPr", _node("sty", val="p"))] if is_upright else []
    return [_node("r", *kind, text)]


_HEADINGS = {"h1": 0, "h2": 1, "h3": 2}
_SMALL = ("source", "foot", "parameters", "subtitle")
_WIDTH, _HEIGHT = 180, 220  # mm: the largest picture on a page
_STYLES = {"Small": 9, "Cell": 8, "Long": 6.5}  # the paragraphs of this file's own, and their type in pt
_PNG = "data:image/png;base64,"


def docx_file(result: ReportResult, address: str, day: str, pictures: Mapping[str, str]) -> bytes:
    """Return the Word file; `pictures` are the charts as PNG in addresses `data:`, by the names of the items' files."""
    return _Writer(result.name, document.origin_text(day), day).file(content(result, address, day, pictures))


class _Writer:
    """A Word file into which elements are written."""

    def __init__(self, title: str, origin: str, day: str) -> None:
        import docx  # only a worker that makes such a file loads it
        from docx.enum.style import WD_STYLE_TYPE
        from docx.shared import Mm, Pt

        self.file_ = docx.Document()
        styles: Any = self.file_.styles
        styles["Normal"].font.name = "Calibri"
        for name, size in _STYLES.items():
            style = styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
            style.font.size, style.paragraph_format.space_after = Pt(size), Pt(3 if name == "Small" else 0)
        properties = self.file_.core_properties
        properties.title, properties.author, properties.comments = title[:255], origin, ""
        properties.created = properties.modified = datetime.fromisoformat(day)
        section = self.file_.sections[0]
        section.page_width, section.page_height = Mm(210), Mm(297)
        section.left_margin = section.right_margin = section.top_margin = Mm(15)
        section.bottom_margin = Mm(18)
        section.footer.paragraphs[0].text = origin

    def file(self, content: Element) -> bytes:
        self.write_blocks(content)
        written = BytesIO()
        self.file_.save(written)
        return written.getvalue()

    def write_blocks(self, parent: Element) -> None:
        for element in parent.elements:
            self.write_block(element, parent)

    def write_block(self, element: Element, parent: Element) -> None:
        if element.tag in _HEADINGS:
            heading = self.file_.add_heading("", _HEADINGS[element.tag])
            self.write_words(heading, element)
            if element.tag == "h2" and "id" in parent.attributes:
                _add_bookmark(heading, parent.attributes["id"])
        elif element.tag == "p":
            self.write_paragraph(element, is_strong=parent.has("lead") and element is parent.elements[0])
        elif element.tag in ("ul", "ol"):
            for item in element.elements:
                self.write_words(self.new_paragraph("ListBullet" if element.tag == "ul" else "ListNumber"), item)
        elif element.tag == "table":
            self.write_table(element, is_long=parent.has("long"))
        elif element.tag == "img":
            self.write_picture(element)
        else:
            self.write_blocks(element)

    def new_paragraph(self, style: str = "") -> Any:
        """Return a new paragraph at the end of the file, in a style by its identifier."""
        paragraph = self.file_.add_paragraph()
        if style:
            paragraph._p.style = style
        return paragraph

    def write_paragraph(self, element: Element, is_strong: bool) -> None:
        styles = {"problem": "IntenseQuote", "note": "Quote"} | dict.fromkeys(_SMALL, "Small")
        style = next((style for name, style in styles.items() if element.has(name)), "")
        paragraph = self.new_paragraph(style)
        paragraph.paragraph_format.keep_with_next = is_strong or element.has("source") or element.has("subtitle")
        self.write_words(paragraph, element, is_strong)

    def write_words(self, paragraph: Any, element: Element, bold: bool = False, italic: bool = False) -> None:
        """Write the texts, links and equations of an element into a paragraph."""
        for child in element.children:
            if isinstance(child, str):
                run = paragraph.add_run(child)
                if bold:
                    run.bold = True
                if italic:
                    run.italic = True
            elif child.tag == "math":
                paragraph._p.append(equation(child))
            elif child.tag == "br":
                paragraph.add_run().add_break()
            elif child.tag == "a":
                self.write_link(paragraph, child)
            else:
                is_bold, is_italic = bold or child.tag in ("strong", "b"), italic or child.tag == "em"
                self.write_words(paragraph, child, is_bold, is_italic)

    def write_link(self, paragraph: Any, element: Element) -> None:
        """Write a link: to an item of the report, or to a page of the app."""
        from docx.opc.constants import RELATIONSHIP_TYPE
        from docx.shared import RGBColor

        target = element.attributes["href"]
        if target.startswith("#"):
            link = _word_element("w:hyperlink", {"w:anchor": target[1:]})
        else:
            relation = self.file_.part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
            link = _word_element("w:hyperlink", {"r:id": relation})
        run = paragraph.add_run(element.text)
        run.font.color.rgb, run.font.underline = RGBColor(0, 0x5A, 0x9C), True
        paragraph._p.append(link)
        link.append(run._r)

    def write_table(self, element: Element, is_long: bool) -> None:
        """Write a table, whose first column has words, and whose first row is repeated on each page."""
        from docx.enum.text import WD_ALIGN_PARAGRAPH
        from docx.text.paragraph import Paragraph

        rows = [row.elements for row in element.all_of("tr")]
        table = self.file_.add_table(len(rows), max(map(len, rows), default=1), style="Table Grid")
        for line, row in zip(table._tbl.tr_lst, rows, strict=True):
            for place, (cell, source) in enumerate(zip(line.tc_lst, row, strict=False)):
                paragraph = Paragraph(cell.p_lst[0], table)
                paragraph._p.style = "Long" if is_long else "Cell"
                if place:
                    paragraph._p.get_or_add_pPr().get_or_add_jc().val = WD_ALIGN_PARAGRAPH.RIGHT
                self.write_words(paragraph, source)
        for line in table._tbl.tr_lst[:1]:
            line.get_or_add_trPr().append(_word_element("w:tblHeader", {}))

    def write_picture(self, element: Element) -> None:
        """Write a picture in its size, or the sentence in its place where the browser has sent none."""
        from docx.image.exceptions import InvalidImageStreamError, UnexpectedEndOfFileError, UnrecognizedImageError
        from docx.shared import Mm

        no_image = InvalidImageStreamError, UnexpectedEndOfFileError, UnrecognizedImageError
        paragraph, alternative = self.new_paragraph("Small"), element.attributes["alt"]
        try:
            png = base64.b64decode(element.attributes["src"].removeprefix(_PNG), validate=True)
            picture = paragraph.add_run().add_picture(BytesIO(png), width=Mm(_WIDTH))
        except (ValueError, KeyError, ZeroDivisionError, *no_image):  # the browser has sent none, or anything
            paragraph.add_run(alternative)
            return
        if picture.height > Mm(_HEIGHT):
            picture.width, picture.height = int(picture.width * Mm(_HEIGHT) / picture.height), Mm(_HEIGHT)
        picture._inline.docPr.set("descr", alternative)


def _add_bookmark(paragraph: Any, name: str) -> None:
    number = re.sub(r"\D", "", name)
    paragraph._p.insert(1, _word_element("w:bookmarkStart", {"w:id": number, "w:name": name}))
    paragraph._p.append(_word_element("w:bookmarkEnd", {"w:id": number}))
