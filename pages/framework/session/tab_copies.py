"""The copies of the user's own data that a tab of the browser stores, so that a reload or a restart leaves them.

No link contains these data unless the user includes them. The browser stores a packed copy in the session storage of
its tab, which ends with the tab, and sends it to a session that does not have it. The server never writes it to disk.

A slot names one kind of data, such as "table". `layout/own_data.py` calls `store` when the data of a slot change, and
`take_restored` at the start of a page, to read what the browser has sent back.
"""

from collections.abc import Iterator
from secrets import token_hex
from typing import Any

from pages.framework.session import session_state
from pages.framework.session.data_copies import Copy, copy_within_limit
from pages.framework.session.data_files import DataFiles, pack, unpack
from pages.framework.site import site


def store(slot: str, data: DataFiles | None) -> bool:
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


def take_restored(slot: str) -> DataFiles | None:
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
