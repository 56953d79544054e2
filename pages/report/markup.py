"""Texts of a page as self-contained HTML: Markdown without pictures, TeX as MathML, links within the app."""

import re
from collections.abc import Sequence
from html import escape
from urllib.parse import urlsplit

from latex2mathml.converter import convert
from latex2mathml.exceptions import ExtraLeftOrMissingRightError
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pages.framework.layout.markup import unbroken

_TEX = re.compile(r"(?<!\\)\$\$(.+?)(?<!\\)\$\$|(?<!\\)\$(.+?)(?<!\\)\$", re.DOTALL)
_FORMULA_MARK = re.compile("\ue000(\\d+)\ue001")  # private characters, which no text of a page has
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable("image")
LONG_TABLE, MAX_ROWS = 24, 100  # rows: a longer table has small type, and is cut
_ANCHOR = re.compile(r"<a\s[^>]*>(.*?)</a>", re.DOTALL)


def html(text: str, address: str = "") -> str:
    r"""Return Markdown with TeX as HTML.

    A link to a page of the app leads to `address`, that of the app; any other link becomes text.

    >>> html("See [here](https://example.org/x)", "https://app")
    '<p>See here (https://example.org/x)</p>\n'
    """
    formulas: list[str] = []

    def mark(formula: re.Match[str]) -> str:
        formulas.append(mathml(formula[1] or formula[2], is_block=bool(formula[1])))
        return f"\ue000{len(formulas) - 1}\ue001"

    tokens = _MARKDOWN.parse(_TEX.sub(mark, text.replace("\ue000", "").replace("\ue001", "")))
    for token in tokens:
        token.children = token.children and _with_app_links(token.children, address)
    rendered = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return _FORMULA_MARK.sub(lambda place: formulas[int(place[1])], unbroken(rendered))


def _with_app_links(tokens: Sequence[Token], address: str) -> list[Token]:
    """Return the parts of a line, in which only links within the app are links."""
    linked: list[Token] = []
    targets: list[str] = []  # of the links that are open, empty for those within the app
    for token in tokens:
        if token.type == "link_open":
            target = str(token.attrs["href"])
            app = address if target.startswith(("./", "/")) and not target.startswith("//") else ""
            targets.append("" if app else target)
            if app:
                token.attrs["href"] = f"{app}/{target.removeprefix('.').removeprefix('/')}"
                linked.append(token)
        elif token.type != "link_close" or not (target := targets.pop()):
            linked.append(token)
        elif urlsplit(target).scheme:
            linked.append(Token("text", "", 0, content=f" ({target})"))
    return linked


def mathml(tex: str, is_block: bool = False) -> str:
    """Return a formula as MathML, or as plain text where it can't be converted."""
    try:
        return convert(tex, display="block" if is_block else "inline")
    except (ExtraLeftOrMissingRightError, ValueError, IndexError, KeyError):
        return f"<code>{escape(tex)}</code>"


def shortened(table: str) -> tuple[str, int]:
    """Return the HTML of a table without links and with at most `MAX_ROWS` rows, and the number of rows that it had."""
    head, start, body = _ANCHOR.sub(r"\1", table).partition("<tbody>")
    rows = body.split("</tr>")
    n_rows = len(rows) - 1
    return head + start + "</tr>".join((*rows[: min(n_rows, MAX_ROWS)], rows[-1])), n_rows


def lines(text: str) -> str:
    """Return untrusted text as paragraphs, without any markup of its own."""
    return "".join(f"<p>{escape(line.strip())}</p>" for line in text.split("\n") if line.strip())
