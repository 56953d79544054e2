"""The items of a report and their text form, which the link of the report contains.

The text of an item is `page/exhibit?key=text&key=text#note`, a link within the app whose last part is the name of the
exhibit, or `answer`; the parameters are those that differ from their defaults. Items are separated by `~`. An item that
is made from data of a session is `page/exhibit@token?…`, whose token names these data and says nothing about them.
"""

import re
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote, unquote, urlencode

from pages.framework.layout.page_entry import PageEntry
from pages.framework.parameters.parameter import excerpt
from pages.framework.site import site

ANSWER = "answer"
MAX_ITEMS, MAX_TEXT, MAX_NOTE = 24, 8_000, 300  # characters of all items, and of one note
SEPARATOR = "~"
_ITEM = re.compile(r"([^/?#]*)/([A-Za-z0-9_]{1,60})(?:@([0-9a-f]{16}))?(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


@dataclass(frozen=True)
class Item:
    """An item of a report: an exhibit of a page by name, or its answer, at these texts of its parameters.

    `session_token` names the data of a session from which the item is made; it is empty if the texts are sufficient.
    """

    page: PageEntry
    name: str
    entries: tuple[tuple[str, str], ...] = ()
    note: str = ""
    session_token: str = ""

    @property
    def unnoted(self) -> "Item":
        """Return the item without its note, on which its content does not depend."""
        return replace(self, note="")

    @property
    def address(self) -> str:
        """Return the address of the page within the app; empty for an item that no address rebuilds."""
        if self.session_token:
            return ""
        return f"/{quote(self.page.path)}?{urlencode(self.entries, quote_via=quote)}"

    def text(self) -> str:
        """Return the text of the item.

        >>> Item(site().report_page, "ratio", (("epsilon", "10"),), "see ~ here").text()
        'Report/ratio?epsilon=10#see%20%7E%20here'
        """
        query = f"?{urlencode(self.entries, quote_via=quote)}" if self.entries else ""
        note = f"#{quote(self.note, safe='')}" if self.note else ""
        token = f"@{self.session_token}" if self.session_token else ""
        return f"{quote(self.page.path)}/{self.name}{token}{query}{note}".replace(SEPARATOR, "%7E")


def read_item(entry: str) -> Item:
    """Return the item of a text.

    Raises
    ------
    ValueError
        if the text is no item: the message is a sentence with the reason.
    """
    match = _ITEM.fullmatch(entry)
    if match is None:
        raise ValueError(f"{excerpt(entry) or 'nothing'} is not of the form page/exhibit?parameters.")
    path, name, token, query, note = (group or "" for group in match.groups())
    page = next(
        (
            entry_page
            for entry_page in site().pages
            if quote(entry_page.path) == path and entry_page != site().report_page
        ),
        None,
    )
    if page is None:
        names = ", ".join(
            entry_page.path for entry_page in site().pages if entry_page.topic and entry_page != site().report_page
        )
        raise ValueError(f"Its page must be one of {names}; {excerpt(path) or 'nothing'} was given.")
    full_note = unquote(note)
    if len(full_note) > MAX_NOTE or not full_note.isprintable():
        raise ValueError(f"Its note must be at most {MAX_NOTE} printable characters.")
    return Item(page, name, tuple(parse_qsl(query, keep_blank_values=True)), full_note.strip(), token)
