"""The uploads of a session on which the output of a page depends, the cache of that output, and what settings share."""

import pickle
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from threading import Lock
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def kept(compute: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Return what a function computes of hashable arguments: curves and maps that settings share and none changes.

    The last of all pages stay in this process, up to a number that is the same for all.
    """
    return _kept(compute, arguments, tuple(named.items()))


@lru_cache(512)  # of up to 130 kB each
def _kept(compute: Callable[..., T], arguments: tuple[Any, ...], named: tuple[tuple[str, Any], ...]) -> T:
    return compute(*arguments, **dict(named))


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


_MAX_BYTES = 8_000_000  # of the outputs that are rendered from the same uploads


@dataclass(frozen=True)
class UploadedFiles:
    """The files and pasted texts of one session, which no link contains; an empty `token` means that there are none.

    The token changes with the files. `cache` holds what was rendered from them, and is released together with them. A
    worker receives the files as bytes, which are pickled once.
    """

    token: str = ""
    _files: tuple[Any, ...] = field(default=(), compare=False)
    _packed: bytes = field(default=b"", compare=False)
    cache: ByteCache = field(default_factory=lambda: ByteCache(_MAX_BYTES), compare=False)

    @cached_property
    def packed(self) -> bytes:
        """Return the files as pickled bytes."""
        return self._packed or pickle.dumps(self._files)

    @cached_property
    def files(self) -> tuple[Any, ...]:
        """Return the files."""
        return pickle.loads(self._packed) if self._packed else self._files

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the files as bytes, so that a worker unpickles them only when it renders, within its limits."""
        return UploadedFiles, (self.token, (), self.packed if self.token else b"")


NO_UPLOADS = UploadedFiles()
