"""A cache of rendered pages that is limited by the bytes that it holds."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

MAX_CACHE_BYTES = 64_000_000


@dataclass
class ByteCache:
    """The bytes of pages by setting: the latest used, of at most `most` bytes, and the last however large it is."""

    max_bytes: int
    _entries: dict[Hashable, bytes] = field(default_factory=dict)
    _size: int = 0
    _lock: Any = field(default_factory=Lock)

    def find(self, key: Hashable) -> bytes | None:
        """The bytes of a setting, if they are held."""
        with self._lock:
            entry = self._entries.pop(key, None)
            if entry is not None:
                self._entries[key] = entry
            return entry

    def store(self, key: Hashable, value: bytes) -> None:
        """Hold the bytes of a setting, and let go of what was not used for long."""
        with self._lock:
            if key not in self._entries:
                self._entries[key] = value
                self._size += len(value)
            while self._size > self.max_bytes and len(self._entries) > 1:
                self._size -= len(self._entries.pop(next(iter(self._entries))))

    def get(self, key: Hashable, make_value: Callable[[], bytes]) -> bytes:
        """The bytes of a setting, made if they are not held."""
        value = self.find(key)
        if value is None:
            value = make_value()
            self.store(key, value)
        return value
