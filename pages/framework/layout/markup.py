"""Conversion of Markdown to HTML in which no line break separates a number from its sign, name or unit."""

import re
from functools import lru_cache

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable("image")
_TEXT = r"[^\\`*_\[\]<>&!\"\x00-\x1f\x7f-\x9f\u2028\u2029]"  # a character that has no meaning in Markdown within a line
_BOLD = rf"(?<!\S)\*\*((?=\S){_TEXT}+(?<=\S))\*\*(?!\S)"
_LINK = rf"\[({_TEXT}+)\]\((\./(?:[A-Za-z0-9_.?=&,:;~+/*-]|%[0-9A-F]{{2}})*)\)"
_SIMPLE = re.compile(rf"(?=[^\W\d]|\*\*|⚠)(?:{_TEXT}++|{_BOLD}|{_LINK})++(?<=\S)")
_MARKED = re.compile(f"{_BOLD}|{_LINK}")
_UNBREAKABLE = re.compile(  # a number with its name, sign and unit, or a term with a hyphen; or a tag, which stays
    r"<[^>]*>|(?:[A-Za-zα-ωΑ-Ω][₀-₉]? [=≈<>≤≥] )?[±−+-]?\d[\d,.]*(?:e[-+−]?\d+)?(?: %| ×)?|\(ε, δ\)-DP|[εfμz]-?C?G?DP"
)
_POWER = re.compile(r"\be\^(?:(ε)|\(([^()]*)\))")
_BREAK = re.compile(r"[ \-−±+]")


@lru_cache(512)  # many sentences do not depend on the setting
def html(words: str) -> str:
    r"""Return Markdown as HTML in which no line break separates a number from its sign, name or unit.

    >>> html("**At most** 5 % of ε = 1")
    '<p><strong>At most</strong> <span class="nb">5 %</span> of <span class="nb">ε = 1</span></p>\n'
    >>> html("a factor e^ε")
    '<p>a factor e<sup>ε</sup></p>\n'
    >>> html("with e^(−|k|/s)")
    '<p>with e<sup>−|k|/s</sup></p>\n'
    """
    markup = f"<p>{_MARKED.sub(_marked_span, words)}</p>\n" if is_simple(words) else _MARKDOWN.render(words)
    return _POWER.sub(r"e<sup>\1\2</sup>", unbroken(markup))


def is_simple(words: str) -> bool:
    """Return whether bold words and links to pages are the only Markdown of a paragraph.

    Most sentences are such a paragraph, which takes a tenth of the time of any other, and most are new at a setting.

    >>> is_simple("**At most** 5 %"), is_simple("- At most")
    (True, False)
    """
    return _SIMPLE.fullmatch(words) is not None


def _marked_span(match: re.Match[str]) -> str:
    bold, label, address = match.groups()
    if bold is not None:
        return f"<strong>{bold}</strong>"
    return f'<a href="{address.replace("&", "&amp;")}">{label}</a>'


def unbroken(markup: str) -> str:
    """Return HTML in which a number stays on one line with its sign, name and unit."""
    return _UNBREAKABLE.sub(_unbreakable_span, markup)


def _unbreakable_span(match: re.Match[str]) -> str:
    words = match.group()
    return f'<span class="nb">{words}</span>' if words[0] != "<" and _BREAK.search(words) else words
