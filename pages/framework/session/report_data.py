"""The data of this session from which items of the report are made, by token; data that items share are stored once."""

import json
from collections.abc import Container
from dataclasses import replace
from secrets import token_hex

from pages.framework.export import report_item
from pages.framework.export.item_data import ItemData
from pages.framework.export.report_item import Item
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.uploaded_files import NO_UPLOADS, UploadedFiles
from pages.framework.session import session_state

MAX_BYTES = 50_000_000  # of all data of one session from which items are made
_DATA = "report_data"
_LONG = 200  # characters of a parameter that stays in the session with the data
FULL = (
    f"This is not added: a report holds at most {MAX_BYTES // 1_000_000} MB of uploaded data. Remove an item that is "
    "made from other data, then add this again."
)


def stored_data() -> dict[str, ItemData]:
    """Return the data of the session's report items by token."""
    return session_state.uploads().setdefault(_DATA, {})


def added_item(rendered: bytes, uploads: UploadedFiles, request: Values) -> bytes:
    """Return the item that the browser adds to its report, or why it is refused, as JSON.

    An item that no link can hold, or for which the link of the report has no room, is made from data of the session.
    """
    rebuilt, room, tokens = json.loads(rendered), request.get("room"), request.get("tokens")
    text = rebuilt["item"]
    if rebuilt["is_rebuilt"] and len(text) < (room if isinstance(room, int) else report_item.MAX_TEXT):
        return json.dumps({"item": text}).encode()
    item = store_item(report_item.read_item(text), uploads, tokens if isinstance(tokens, list) else [])
    return json.dumps({"refused": FULL} if item is None else {"item": item.text()}).encode()


def store_item(item: Item, uploads: UploadedFiles, tokens: Container[str]) -> Item | None:
    """Store what an item is made from, and return the item that names it; None if there is no room for it.

    `tokens` are those that the report of the browser still uses; the data of others make room where it is needed.
    """
    short, data = split_item(item, uploads)
    stored = stored_data()
    token = next((token for token, other in stored.items() if other == data), "") or token_hex(8)
    if token not in stored:
        if not _has_room(stored, data):
            for unused in [other for other in stored if other not in tokens]:
                del stored[unused]
        if not _has_room(stored, data):
            return None
        stored[token] = data
    return replace(short, session_token=token)


def _has_room(stored: dict[str, ItemData], data: ItemData) -> bool:
    return sum(other.n_bytes for other in stored.values()) + data.n_bytes <= MAX_BYTES


def split_item(item: Item, uploads: UploadedFiles) -> tuple[Item, ItemData]:
    """Return an item without its long texts, and the data that it needs beside what is left of it.

    >>> from pages.framework.site import site
    >>> item = Item(site().report_page, "ratio", (("epsilon", "2"), ("own", "a=1;" * 80)))
    >>> short, data = split_item(item, NO_UPLOADS)
    >>> short.text(), data.entries == (("own", "a=1;" * 80),)
    ('Report/ratio?epsilon=2', True)
    """
    is_long = {key: len(entry) > _LONG for key, entry in item.entries}
    short = tuple((key, entry) for key, entry in item.entries if not is_long[key])
    long = tuple((key, entry) for key, entry in item.entries if is_long[key])
    copy = UploadedFiles(uploads.token, (), uploads.packed) if uploads.token else NO_UPLOADS  # without its cache
    return replace(item, entries=short), ItemData(copy, long)
