"""A report's HTML as a tree, from which its files for paper are made: the content and its order are stated once."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

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

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if len(self.open) > 1 and self.open[-1].tag == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        text = _SPACE.sub(" ", _ILLEGAL.sub("", data))
        if text.strip(" ") or (text and self.open[-1].tag not in _WITHOUT_TEXT):
            self.open[-1].children.append(text)


def read_html(html: str) -> Element:
    """Return the elements of well-formed HTML, below one that contains them all.

    >>> [child.tag for child in read_html("<h1>A</h1> <p>B <b>C</b></p>").elements]
    ['h1', 'p']
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.root


def content(result: ReportResult, address: str, day: str, pictures: Mapping[str, str]) -> Element:
    """Return what a report contains; a chart is an element `img`, its `src` the picture of its name, or empty."""
    names = [file_name(position, item) for position, item in enumerate(result.items)]
    shown = [name for name, rebuilt in zip(names, result.rebuilt_items, strict=True) if rebuilt is not None]

    def chart_html(index: int, _: Figure, alternative: str) -> str:
        return f'<img src="{escape(pictures.get(shown[index], ""))}" alt="{escape(alternative)}">'

    return read_html(document.body(result, address, day, chart_html))
