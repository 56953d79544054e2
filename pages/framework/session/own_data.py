"""The user's own data: uploaded files and pasted texts, which the session and the tab of the browser store.

No link contains these data unless the user includes them. So that they survive a reload or a restart of the server, the
browser stores a packed copy in the session storage of its tab, which ends with the tab, and sends it to a session that
does not have it. The server never writes it to disk.

A slot names one kind of data, such as "table". Widgets call `store` when the data of their slot change, and
`take_restored` at the start of a page, to read what the browser has sent back.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from pages.framework.session import session_state
from pages.framework.session.data_copies import MAX_PACKED, Copy, copy_within_limit
from pages.framework.site import site

MAX_RAW = 12_000_000  # bytes of the largest files that are packed
_MAX_HEAD = 1_000_000  # bytes of their names and options
_MAX_FILES = 8
_LEVEL = 6  # of compression


@dataclass(frozen=True)
class OwnData:
    """Uploaded files by name, and the options with which they are read: texts and lists of texts by name."""

    files: tuple[tuple[str, bytes], ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Return the approximate bytes of the files and of the options."""
        return sum(len(content) for _, content in self.files) + len(str(self.options))


def pack(data: OwnData) -> str:
    """Return data as a packed text for the browser; an empty text if it would be too long to store.

    >>> unpack(pack(OwnData((("a.csv", b"x,1"),), {"kind": "column"})))
    OwnData(files=(('a.csv', b'x,1'),), options={'kind': 'column'})
    """
    if data.size > MAX_RAW:
        return ""
    sizes = [[name, len(content)] for name, content in data.files]
    head = json.dumps({"files": sizes, "options": data.options}).encode()
    body = b"".join(content for _, content in data.files)
    packed = base64.b64encode(zlib.compress(len(head).to_bytes(4, "big") + head + body, _LEVEL)).decode()
    return packed if len(packed) <= MAX_PACKED else ""


def unpack(packed: str) -> OwnData:
    """Return the data of a packed text that the browser stored.

    Raises
    ------
    ValueError
        if the text is no packed copy, or unpacks to more than `MAX_RAW` bytes: it comes from the browser, and may be
        anything.
    """
    try:
        expander = zlib.decompressobj()
        raw = expander.decompress(base64.b64decode(packed, validate=True), MAX_RAW + _MAX_HEAD)
        if not expander.eof:
            raise ValueError("the copy is too long or was cut")
        start = 4 + int.from_bytes(raw[:4], "big")
        head = json.loads(raw[4:start])
        options, files = head["options"], []
        for name, size in head["files"][:_MAX_FILES]:
            if not isinstance(name, str) or not isinstance(size, int) or not 0 <= size <= len(raw) - start:
                raise ValueError("the copy names no file")
            files.append((name, raw[start : start + size]))
            start += size
    except (binascii.Error, zlib.error, UnicodeDecodeError, RecursionError, KeyError, TypeError) as error:
        raise ValueError("the copy can’t be unpacked") from error
    if not isinstance(options, dict):
        raise ValueError("the copy has no options")
    return OwnData(tuple(files), options)


def store(slot: str, data: OwnData | None) -> bool:
    """Have the browser store data in a slot, or delete those in it; return whether it can store them.

    What was computed from earlier data of the slot is erased at the next run.
    """
    record = session_state.own_data_record()
    record.is_used, record.is_outdated = True, record.is_outdated or slot in session_state.own_data_slots()
    session_state.restored_data().pop(slot, None)
    session_state.own_data_slots()[slot] = Copy()
    packed = "" if data is None else pack(data)
    if data is not None and packed:
        session_state.own_data_slots()[slot] = copy_within_limit(token_hex(8), packed, data.size) or Copy()
    return bool(session_state.own_data_slots()[slot].packed)


def take_restored(slot: str) -> OwnData | None:
    """Return the data that the browser has sent back for a slot, once, if the session has none there yet."""
    sent, slots = session_state.restored_data().pop(slot, None), session_state.own_data_slots()
    if sent is None or slot in slots:
        return None
    slots[slot] = Copy()
    try:
        data = unpack(sent.packed)
    except ValueError:
        return None
    copy = copy_within_limit(sent.token, sent.packed, data.size)
    if copy is None:  # the server has no room at present: the tab gets no message on the slot, and keeps its copy
        del slots[slot]
        return None
    slots[slot] = copy
    return data


def tokens() -> dict[str, str]:
    """Return the token of each slot's copy, empty if the browser must delete it."""
    copies = session_state.restored_data() | session_state.own_data_slots()
    return {slot: copy.token for slot, copy in copies.items()}


def requested_copies(slots: Any) -> Iterator[tuple[str, dict[str, str], bytes]]:
    """Yield the packed copies of the slots that the browser requested, as bodies of the response."""
    for slot in slots[: len(site().data_slots)] if isinstance(slots, list) else ():
        copy = session_state.own_data_slots().get(str(slot), Copy())
        if copy.packed:
            yield "dataCopy", {"slot": slot, "token": copy.token}, copy.packed.encode()
