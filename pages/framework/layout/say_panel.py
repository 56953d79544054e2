"""The panel "Say it", which shows a statement in one of three lengths, and the statement as a report has it."""

from html import escape

from pages.framework.layout import markup
from pages.framework.layout.statements import LENGTHS, Statements, item_name
from pages.framework.parameters.number_format import escape_markdown


def sentences_of_item(name: str, statements: Statements | None) -> tuple[str, ...]:
    """Return the heading and the paragraphs of a statement in a report, in Markdown; none where nothing is stated."""
    if statements is None:
        return ()
    length = next(length for length in LENGTHS if item_name(length) == name)
    heading = f"Statement {LENGTHS[length].lower()}"
    return (heading, *map(escape_markdown, statements.by_length[length].split("\n\n")))


def html(statements: Statements | None, can_be_added: bool = True) -> str:
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
    add = f"<button type='button' class='dp-entry-button' data-add='{item_name(length)}'>Add to report</button>"
    return (
        f"<section class='dp-statement' data-length='{length}' aria-label='{name}'><p>"
        f"{markup.unbroken(escape(text))}</p><button type='button' class='dp-entry-button' data-copy='statement'>"
        f"Copy</button>{add if can_be_added else ''}</section>"
    )
