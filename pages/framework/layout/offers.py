"""What a section offers beside its parts: files, an invitation to phones, and statements in three lengths."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from pages.framework.layout import markup
from pages.framework.parameters.number_format import escape_markdown


@dataclass(frozen=True)
class Download:
    """A file: its name, the words on its button, and its content, given the link of the page's setting."""

    name: str
    label: str
    content: Callable[[str], bytes]


@dataclass(frozen=True)
class Downloads:
    """Files under a name, with a sentence in Markdown on what they are.

    `calls` are commands to paste in a terminal that use them, and `call_text` says in Markdown what is to be known.
    """

    name: str
    text: str
    files: tuple[Download, ...]
    calls: tuple[str, ...] = ()
    call_text: str = ""


@dataclass(frozen=True)
class Invitation:
    """A link that others open on their phones, with its QR code, words in Markdown above it, and a note below it.

    The buttons send the keys of `actions` in a request, as its `act`. `link` is relative to the page, empty without
    one. `{link}/question` answers with `round`, `open` and `reports`; where these are not `state`, the page is drawn
    anew. `votes` has the question that was asked and what phones have sent so far, in words, empty before; other tabs
    of the browser show it.
    """

    words: str
    actions: Sequence[tuple[str, str]]
    link: str = ""
    state: tuple[int, bool, int] = (0, False, 0)
    note: str = ""
    votes: tuple[str, str] = ("", "")


LENGTHS = {"public": "For the public", "paper": "For a decision paper", "experts": "For experts"}
_ITEMS = {f"statement_{length}": length for length in LENGTHS}  # by the name of a statement in a report


@dataclass(frozen=True)
class Statements:
    """What is said about a release, as plain texts whose paragraphs are separated by an empty line.

    `public` has no symbols, `paper` is for those who decide, with the guarantee and its conditions, and `experts` names
    the mechanism, its scale, the computation and its source. Each text holds by itself: it has all its conditions.
    """

    public: str
    paper: str
    experts: str

    @property
    def by_length(self) -> dict[str, str]:
        """Return the texts by the keys of LENGTHS."""
        return {"public": self.public, "paper": self.paper, "experts": self.experts}


def no_offer(_: object) -> None:
    """Return None, for a section that offers no files, no statements, or nothing that has conditions."""
    return


def is_statement(name: str) -> bool:
    """Return whether a report item of this name is a statement."""
    return name in _ITEMS


def sentences_of_item(name: str, statements: Statements | None) -> tuple[str, ...]:
    """Return the heading and the paragraphs of a statement in a report, in Markdown; none where nothing is stated."""
    if statements is None:
        return ()
    length = _ITEMS[name]
    heading = f"Statement {LENGTHS[length].lower()}"
    return (heading, *map(escape_markdown, statements.by_length[length].split("\n\n")))


def statements_html(statements: Statements | None, can_be_added: bool = True) -> str:
    """Return the panel as HTML: a switch, and the three texts, each with its buttons; nothing without statements."""
    if statements is None:
        return ""
    switch = "".join(
        f"<label><input type='radio' name='dp-length' value='{key}'>{name}</label>" for key, name in LENGTHS.items()
    )
    texts = "".join(_section_html(key, text, can_be_added) for key, text in statements.by_length.items())
    return f"<fieldset class='dp-lengths'><legend class='dp-hidden'>For whom</legend>{switch}</fieldset>{texts}"


def _section_html(length: str, text: str, can_be_added: bool) -> str:
    name = LENGTHS[length]
    add = f"<button type='button' class='dp-entry-button' data-add='statement_{length}'>Add to report</button>"
    return (
        f"<section class='dp-statement' data-length='{length}' aria-label='{name}'><button type='button' "
        f"class='dp-entry-button' data-copy='statement'>Copy</button>{add if can_be_added else ''}<p>"
        f"{markup.unbroken(escape(text))}</p></section>"
    )
