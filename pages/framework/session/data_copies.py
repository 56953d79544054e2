"""Packed copies of the user's own data, and the limit of their size in this process, for all sessions together."""

from dataclasses import dataclass
from weakref import WeakSet

MAX_PACKED = 3_000_000  # characters of one copy: browsers give a tab some 5 million
MAX_IN_ALL = 400_000_000  # bytes for all sessions of the process


@dataclass(frozen=True, eq=False)
class Copy:
    """A packed copy that the browser stores, a token that changes with it, and the bytes that the copy counts as.

    The text and the token are empty if the user has removed the data.
    """

    token: str = ""
    packed: str = ""
    size: int = 0


_copies: WeakSet[Copy] = WeakSet()


def copy_within_limit(token: str, packed: str, size: int) -> Copy | None:
    """Return a copy that counts towards the limit as long as it exists; None if the limit leaves no room for it.

    `size` is that of the unpacked data if it is known, since a session also holds what is read from them.
    """
    copy = Copy(token, packed, max(size, len(packed)))
    if len(packed) > MAX_PACKED or sum(other.size for other in list(_copies)) + copy.size > MAX_IN_ALL:
        return None
    _copies.add(copy)
    return copy
