"""A least-recently-used cache of rendered pages, limited by the bytes that it holds."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

MAX_CACHE_BYTES = 64_000_000


@dataclass
class ByteCache:
    """The most recently used values, of at most `max_bytes` bytes in all; the last one is held whatever its size."""

    max_bytes: int
    _entries: dict[Hashable, bytes] = field(default_factory=dict)
    _size: int = 0
    _lock: Any = field(default_factory=Lock)

    def find(self, key: Hashable) -> bytes | None:
        """Return the value of a key, None if the cache does not hold it."""
        with self._lock:
            entry = self._entries.pop(key, None)
            if entry is not None:
                self._entries[key] = entry
            return entry

    def store(self, key: Hashable, value: bytes) -> None:
        """Store a value, and evict the least recently used ones beyond the limit."""
        with self._lock:
            if key not in self._entries:
                self._entries[key] = value
                self._size += len(value)
            while self._size > self.max_bytes and len(self._entries) > 1:
                self._size -= len(self._entries.pop(next(iter(self._entries))))

    def remove(self, is_obsolete: Callable[[Any], bool]) -> None:
        """Remove the values of some keys."""
        with self._lock:
            for key in [key for key in self._entries if is_obsolete(key)]:
                self._size -= len(self._entries.pop(key))

    def get(self, key: Hashable, make_value: Callable[[], bytes]) -> bytes:
        """Return the value of a key; compute and store it if the cache does not hold it."""
        value = self.find(key)
        if value is None:
            value = make_value()
            self.store(key, value)
        return value
