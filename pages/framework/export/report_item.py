"""The items of a report and their text form, which the link of the report contains.

The text of an item is `page/exhibit?key=text&key=text#note`, a link within the app whose last part is the name of the
exhibit, or `answer`; the parameters are those that differ from their defaults. Items are separated by `~`. An item that
is made from data of a session is `page/exhibit@token?…`, whose token names these data and says nothing about them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote, unquote, urlencode

from pages.framework.classroom.demonstrations import DEMO
from pages.framework.layout.page import redirected_link
from pages.framework.layout.page_entry import PageEntry
from pages.framework.parameters import kinds
from pages.framework.parameters.appearance import PICTURE, PRESENT
from pages.framework.parameters.kinds import Parameter, PartlyUsableError
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

        >>> Item(site().pages[1], "ratio", (("epsilon", "10"),), "see ~ here").text()
        'Gaussian_bounds/ratio?epsilon=10#see%20%7E%20here'
        """
        query = f"?{urlencode(self.entries, quote_via=quote)}" if self.entries else ""
        note = f"#{quote(self.note, safe='')}" if self.note else ""
        token = f"@{self.session_token}" if self.session_token else ""
        return f"{quote(self.page.path)}/{self.name}{token}{query}{note}".replace(SEPARATOR, "%7E")


def report_item(page: PageEntry, name: str, parameters: Sequence[Parameter], used: Mapping[str, str]) -> Item:
    """Return the item for an exhibit of a page, or for its answer, at the texts of its parameters."""
    excluded_keys = (PICTURE.key, PRESENT.key, DEMO.key)
    texts = [(parameter.key, used[parameter.key]) for parameter in parameters if parameter.key not in excluded_keys]
    defaults = {parameter.key: parameter.default for parameter in parameters}
    return Item(page, name, tuple((key, entry) for key, entry in texts if entry != defaults[key]))


def read_item(entry: str) -> Item:
    """Return the item of a text.

    Raises
    ------
    ValueError
        if the text is no item: the message is a sentence with the reason.
    """
    match = _ITEM.fullmatch(entry)
    if match is None:
        raise ValueError(f"{kinds.excerpt(entry) or 'nothing'} is no page/exhibit?parameters.")
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
        raise ValueError(f"Its page must be one of {names}; {kinds.excerpt(path) or 'nothing'} was given.")
    full_note = unquote(note)
    if len(full_note) > MAX_NOTE or not full_note.isprintable():
        raise ValueError(f"Its note must be at most {MAX_NOTE} printable characters.")
    pairs = tuple(parse_qsl(query, keep_blank_values=True))
    target, entries = redirected_link(page, {key: [text] for key, text in pairs})
    if target != page:
        pairs = tuple((key, texts[-1]) for key, texts in entries.items())
    return Item(target, name, pairs, full_note.strip(), token)


@dataclass(frozen=True)
class Items:
    """The parameter that holds the items of a report in their order; unusable items are left out, with a sentence."""

    key: str = "items"
    symbol: str = "items"
    default: str = ""

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        return (
            f"at most {MAX_ITEMS} items page/exhibit?parameters#note, separated by {SEPARATOR}, {MAX_TEXT:,} characters"
        )

    def read(self, entry: str) -> tuple[Item, ...]:
        """Return the items that a text lists, none if it is empty.

        Raises
        ------
        PartlyUsableError
            if some items cannot be used: with a sentence for each, and the text that is used instead.
        """
        items: list[Item] = []
        problems: list[str] = []
        size = 0
        parts = [part for part in entry.split(SEPARATOR) if part.strip()]
        for place, part in enumerate(parts[:MAX_ITEMS], 1):
            size += len(part) + 1
            try:
                if size > MAX_TEXT:
                    raise ValueError(f"The items have {MAX_TEXT:,} characters at most.")
                items.append(read_item(part.strip()))
            except ValueError as error:
                problems.append(f"Item {place} (items): {error} It is left out.")
        if len(parts) > MAX_ITEMS:
            problems.append(f"The link lists {len(parts):,} items (items); only the first {MAX_ITEMS} are shown.")
        if problems:
            raise PartlyUsableError(SEPARATOR.join(item.text() for item in items), problems)
        return tuple(items)
