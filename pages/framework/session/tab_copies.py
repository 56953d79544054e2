"""The copies of the user's own data that a tab of the browser stores, so that a reload or a restart leaves them.

No link contains these data unless the user includes them. The browser stores a packed copy in the session storage of
its tab, which ends with the tab, and sends it to a session that does not have it. The server never writes it to disk.

A slot names one kind of data, such as "table". `layout/own_data.py` calls `store` when the data of a slot change, and
`take_restored` at the start of a page, to read what the browser has sent back. Slot "report" has
the data from which items of the report are made, by token; data that items share are stored once.
"""

import base64
import binascii
import hmac
import json
import pickle
import zlib
from collections.abc import Container, Iterator
from dataclasses import replace
from secrets import token_bytes, token_hex
from typing import Any

from pages.framework.export.exhibit import MAX_TEXT, Item, ItemData, read_item
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.uploaded_files import NO_UPLOADS, UploadedFiles
from pages.framework.session import session_state
from pages.framework.session.data_files import MAX_RAW, Copy, DataFiles, copy_within_limit, pack, unpack
from pages.framework.site import site


def store(slot: str, data: DataFiles | None, *, erases: bool = True) -> bool:
    """Have the browser store data in a slot, or delete those in it; return whether it can store them.

    What was computed from earlier data of the slot is erased at the next run, unless `erases` says that nothing was.
    """
    session = session_state.session()
    session.has_data = True
    session.data_left |= erases and slot in session.copies
    session.restored.pop(slot, None)
    packed = "" if data is None else pack(data)
    copy = copy_within_limit(token_hex(8), packed, data.size) if data is not None and packed else None
    session.copies[slot] = copy or Copy()
    return bool(session.copies[slot].packed)


def take_restored(slot: str) -> DataFiles | None:
    """Return the data that the browser has sent back for a slot, once, if the session has none there yet."""
    restored, slots = session_state.session().restored.pop(slot, None), session_state.session().copies
    if restored is None or slot in slots:
        return None
    slots[slot] = Copy()
    try:
        data = unpack(restored.packed)
    except ValueError:
        return None
    copy = copy_within_limit(restored.token, restored.packed, data.size)
    if copy is None:  # the server has no room at present: the tab gets no message on the slot, and keeps its copy
        del slots[slot]
        return None
    slots[slot] = copy
    return data


def tokens() -> dict[str, str]:
    """Return the token of each slot's copy, empty if the browser must delete it."""
    copies = session_state.session().restored | session_state.session().copies
    return {slot: copy.token for slot, copy in copies.items()}


def requested_copies(slots: Any) -> Iterator[tuple[str, dict[str, str], bytes]]:
    """Yield the packed copies of the slots that the browser requested, as bodies of the response."""
    for slot in slots[: len(site().data_slots)] if isinstance(slots, list) else ():
        copy = session_state.session().copies.get(str(slot), Copy())
        if copy.packed:
            yield "dataCopy", {"slot": slot, "token": copy.token}, copy.packed.encode()


SLOT = "report"
MAX_BYTES = 50_000_000  # of all data of one session from which items are made
_DATA = "report_data"
_KEY, _DIGEST, _SIGNATURE_BYTES = token_bytes(32), "sha256", 32
_LONG = 200  # characters of a parameter that stays in the session with the data
FULL = (
    f"This is not added: a report holds at most {MAX_BYTES // 1_000_000} MB of uploaded data. Remove an item that is "
    "made from other data, then add this again."
)


def stored_data() -> dict[str, ItemData]:
    """Return the data of the session's report items by token, with those that the browser has sent back."""
    session = session_state.session()
    stored: dict[str, ItemData] = session.uploads.setdefault(_DATA, {})
    restored = session.restored.pop(SLOT, None)
    if restored is not None and SLOT not in session.copies:
        stored.update(_unpacked(restored.packed))
        session.copies[SLOT] = restored if stored else Copy()
        session.has_data |= bool(stored)
    return stored


def is_kept() -> bool:
    """Return whether the tab of the browser keeps the data of the session's report items."""
    return bool(session_state.session().copies.get(SLOT, Copy()).packed)


def _keep(stored: dict[str, ItemData]) -> None:
    """Have the browser keep a copy of the data, or none if they are too large for it."""
    session_state.session().has_data = True
    size = _size(stored)
    copy = copy_within_limit(token_hex(8), _pack_signed(stored), size) if size <= MAX_RAW else None
    session_state.session().copies[SLOT] = copy or Copy()


def _pack_signed(stored: dict[str, ItemData]) -> str:
    """Return data as a text with a signature."""
    compressed = zlib.compress(pickle.dumps(stored))
    return base64.b64encode(hmac.digest(_KEY, compressed, _DIGEST) + compressed).decode()


def _unpacked(packed: str) -> dict[str, ItemData]:
    """Return the data of a text that this process has packed; none of any other text, which is not read."""
    try:
        raw = base64.b64decode(packed, validate=True)
    except binascii.Error:
        return {}
    signature, compressed = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
    is_own = hmac.compare_digest(signature, hmac.digest(_KEY, compressed, _DIGEST))
    return pickle.loads(zlib.decompress(compressed)) if is_own else {}


def added_item(rendered: bytes, uploads: UploadedFiles, request: Values) -> bytes:
    """Return the item that the browser adds to its report, or why it is refused, as JSON.

    An item that no link can hold, or for which the link of the report has no room, is made from data of the session.
    """
    rebuilt, room, tokens = json.loads(rendered), request.get("room"), request.get("tokens")
    text = rebuilt["item"]
    if rebuilt["is_rebuilt"] and len(text) < (room if isinstance(room, int) else MAX_TEXT):
        return json.dumps({"item": text}).encode()
    item = store_item(read_item(text), uploads, tokens if isinstance(tokens, list) else [])
    answer = {"refused": FULL} if item is None else {"item": item.text(), "is_kept": is_kept()}
    return json.dumps(answer).encode()


def store_item(item: Item, uploads: UploadedFiles, tokens: Container[str]) -> Item | None:
    """Store what an item is made from, and return the item that names it; None if there is no room for it.

    `tokens` are those that the report of the browser still uses; the data of others make room where it is needed.
    """
    short, data = split_item(item, uploads)
    stored = stored_data()
    token = next((token for token, other in stored.items() if other == data), "") or token_hex(8)
    if token not in stored:
        room = MAX_BYTES - data.n_bytes
        for unused in [other for other in stored if other not in tokens] if _size(stored) > room else ():
            del stored[unused]
        if _size(stored) > room:
            return None
        stored[token] = data
        _keep(stored)
    return replace(short, session_token=token)


def _size(stored: dict[str, ItemData]) -> int:
    return sum(data.n_bytes for data in stored.values())


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
