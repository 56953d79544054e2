"""Exhibits, the charts and tables of a page, and the items of a report, each of which names one or an answer."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode

import pandas as pd

from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering.uploaded_files import NO_UPLOADS, UploadedFiles
from pages.framework.site import PageEntry, site

CONFIDENTIAL_PICTURE = "This picture shows your confidential counts."
CONFIDENTIAL_TABLE = "This table shows your confidential counts."
CONFIDENTIAL_FIGURES = "This shows figures that are computed, without noise, from your confidential data."
CONFIDENTIAL_POINTS = "This shows points of your own data."
CONFIDENTIAL_CODE = "This code contains your confidential data."
CONFIDENTIAL_RELEASE = (
    "Your confidential counts can be computed from this trial release, because the seed of its noise is saved with it."
)
Figure = dict[str, Any]
Colours = dict[str, str]


@dataclass(frozen=True)
class Exhibit:
    """A chart or a table of a page at one setting.

    `picture` is a Plotly figure as a dict, or a table as HTML; `alternative` is a sentence on what it shows, for those
    who cannot see it; `numbers` is the table behind it, or a function that computes the table on demand; `header` has
    the parameters and units for the top of its CSV file. A click on a chart sets the parameters whose keys are in
    `picks`: those of its x and its y, "" for none. `confidential` is the sentence of saved files on the user's own
    data that the exhibit shows; it is empty if there are none.
    """

    name: str
    picture: Figure | str
    alternative: str
    numbers: pd.DataFrame | Callable[[], pd.DataFrame]
    header: dict[str, Any] = field(default_factory=dict)
    picks: tuple[str, str] = ("", "")
    confidential: str = ""

    @property
    def table(self) -> pd.DataFrame:
        """Return the table of the numbers, which is computed here if `numbers` is a function."""
        return self.numbers if isinstance(self.numbers, pd.DataFrame) else self.numbers()


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
    """Return the item of a text; raise ValueError with a sentence on the reason if it is none."""
    match = _ITEM.fullmatch(entry)
    if match is None:
        raise ValueError(f"{excerpt(entry) or 'nothing'} is not of the form page/exhibit?parameters.")
    path, name, token, query, note = (group or "" for group in match.groups())
    pages = [page for page in site().pages if page != site().report_page]
    page = next((page for page in pages if quote(page.path) == path), None)
    if page is None:
        names = ", ".join(page.path for page in pages if page.topic)
        raise ValueError(f"Its page must be one of {names}; {excerpt(path) or 'nothing'} was given.")
    full_note = unquote(note)
    if len(full_note) > MAX_NOTE or not full_note.isprintable():
        raise ValueError(f"Its note must be at most {MAX_NOTE} printable characters.")
    return Item(page, name, tuple(parse_qsl(query, keep_blank_values=True)), full_note.strip(), token)


@dataclass(frozen=True)
class ItemData:
    """The uploads of a page, and those texts of its parameters that are too long for the link of a report."""

    uploads: UploadedFiles = NO_UPLOADS
    entries: tuple[tuple[str, str], ...] = ()

    @property
    def n_bytes(self) -> int:
        """Return the approximate bytes of the data."""
        return len(self.uploads.packed) + sum(len(entry) for _, entry in self.entries)
