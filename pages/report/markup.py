"""Words of a page as HTML that needs nothing else: Markdown without pictures, TeX as MathML, links within the app."""

import re
from collections.abc import Sequence
from html import escape
from typing import Any
from urllib.parse import urlsplit

from latex2mathml.converter import convert
from latex2mathml.exceptions import ExtraLeftOrMissingRightError
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pages.framework.layout.markup import unbroken

_TEX = re.compile(r"(?<!\\)\$\$(.+?)(?<!\\)\$\$|(?<!\\)\$(.+?)(?<!\\)\$", re.DOTALL)
_HELD = re.compile("\ue000(\\d+)\ue001")  # private characters, which no words of a page have
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable("image")
_ANCHOR = re.compile(r"<a\s[^>]*>(.*?)</a>", re.DOTALL)


def html(words: str, address: str = "") -> str:
    r"""Markdown with TeX as HTML.

    A link to a page of the app leads to `address`, where the app is; any other is shown as text.

    >>> html("See [here](https://example.org/x)", "https://app")
    '<p>See here (https://example.org/x)</p>\n'
    """
    formulas: list[str] = []

    def hold(found: re.Match[str]) -> str:
        formulas.append(mathml(found[1] or found[2], is_block=bool(found[1])))
        return f"\ue000{len(formulas) - 1}\ue001"

    tokens = _MARKDOWN.parse(_TEX.sub(hold, words.replace("\ue000", "").replace("\ue001", "")))
    for token in tokens:
        token.children = token.children and _unlinked(token.children, address)
    made = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return _HELD.sub(lambda found: formulas[int(found[1])], unbroken(made))


def _unlinked(tokens: Sequence[Token], address: str) -> list[Token]:
    """The parts of a line, in which only links within the app are links."""
    made: list[Token] = []
    left: list[str] = []
    for token in tokens:
        if token.type == "link_open":
            target = str(token.attrs["href"])
            within = address if target.startswith(("./", "/")) and not target.startswith("//") else ""
            left.append("" if within else target)
            if within:
                token.attrs["href"] = f"{within}/{target.removeprefix('.').removeprefix('/')}"
                made.append(token)
        elif token.type != "link_close" or not (target := left.pop()):
            made.append(token)
        elif urlsplit(target).scheme:
            made.append(Token("text", "", 0, content=f" ({target})"))
    return made


def mathml(tex: str, is_block: bool = False) -> str:
    """A formula as MathML, which browsers set without a script; letter by letter where it can't be read."""
    try:
        return convert(tex, display="block" if is_block else "inline")
    except (ExtraLeftOrMissingRightError, ValueError, IndexError, KeyError):
        return f"<code>{escape(tex)}</code>"


def unlinked(markup: str) -> str:
    """A table of a page without its links."""
    return _ANCHOR.sub(r"\1", markup)


def lines(words: str) -> str:
    """A stranger's words as paragraphs, letter by letter."""
    paragraphs: list[Any] = [escape(part.strip()) for part in words.split("\n") if part.strip()]
    return "".join(f"<p>{part}</p>" for part in paragraphs)
