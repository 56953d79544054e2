"""Conversion of Markdown to HTML in which no line break separates a number from its sign, name or unit."""

import re
from functools import lru_cache

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable("image")
_TAG = re.compile(r"(<[^>]*>)")
_UNBREAKABLE = re.compile(  # a number with its name, sign and unit, or a term with a hyphen
    r"(?:[A-Za-zα-ωΑ-Ω][₀-₉]? [=≈<>≤≥] )?[±−+-]?\d[\d,.]*(?:e[-+−]?\d+)?(?: %| ×)?|\(ε, δ\)-DP|[εfμz]-?C?G?DP"
)


@lru_cache(512)  # many sentences do not depend on the setting
def html(words: str) -> str:
    r"""Return Markdown as HTML in which no line break separates a number from its sign, name or unit.

    >>> html("**At most** 5 % of ε = 1")
    '<p><strong>At most</strong> <span class="nb">5 %</span> of <span class="nb">ε = 1</span></p>\n'
    """
    return unbroken(_MARKDOWN.render(words))


def unbroken(markup: str) -> str:
    """Return HTML in which a number stays on one line with its sign, name and unit."""
    return "".join(
        part if part.startswith("<") else _UNBREAKABLE.sub(_unbreakable_span, part) for part in _TAG.split(markup)
    )


def _unbreakable_span(match: re.Match[str]) -> str:
    words = match.group()
    return f'<span class="nb">{words}</span>' if re.search(r"[ \-−±+]", words) else words
