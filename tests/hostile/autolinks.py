"""Which bare addresses of a Markdown text Streamlit would link, though the text does not write them as links.

Streamlit's renderer (remark-gfm) looks for addresses in the text that is left when all marks and escapes are resolved.
The two patterns below are those of mdast-util-gfm-autolink-literal 2, without its exceptions: they find what it finds,
and a little more.
"""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

MARKDOWN = MarkdownIt("commonmark", {"html": False})
_ADDRESSES = (
    re.compile(r"(?:https?://|www(?=\.))[-.\w]+[^ \t\r\n]*", re.IGNORECASE | re.ASCII),
    re.compile(r"(?<![A-Za-z0-9])[-.\w+]+@[-\w]+(?:\.[-\w]+)+", re.ASCII),
)
_TEXT = {"text": None, "text_special": None, "softbreak": "\n", "hardbreak": "\n"}


def autolinks(markdown: str) -> list[str]:
    """Return the addresses that would become links."""
    lines = (token.children or [] for token in MARKDOWN.parse(markdown))
    return [
        match[0]
        for line in lines
        for text in _texts(line)
        for address in _ADDRESSES
        for match in address.finditer(text)
    ]


def written_links(markdown: str) -> list[str]:
    """Return the targets of what is written as a link."""
    lines = (token.children or [] for token in MARKDOWN.parse(markdown))
    return [str(token.attrs["href"]) for line in lines for token in line if token.type == "link_open"]


def _texts(line: list[Token]) -> Iterator[str]:
    """Yield the stretches of a line of text without a mark in them, but for those within a link."""
    text, depth = "", 0
    for token in line:
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type in _TEXT:
            text += "" if depth else _TEXT[token.type] or token.content
        else:
            yield text
            text = ""
    yield text
