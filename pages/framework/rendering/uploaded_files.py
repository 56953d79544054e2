"""The uploads of a session on which the output of a page depends, and the cache of that output."""

import pickle
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pages.framework.rendering import byte_cache

_MAX_CACHE_BYTES = 8_000_000  # bytes of the outputs that are rendered from the same uploads


@dataclass(frozen=True)
class UploadedFiles:
    """The files and pasted texts of one session, which no link contains; an empty `token` means that there are none.

    The token changes with the files. `cache` holds what was rendered from them, and is released together with them. A
    worker receives the files as bytes, which are pickled once.
    """

    token: str = ""
    _files: tuple[Any, ...] = field(default=(), compare=False)
    _packed: bytes = field(default=b"", compare=False)
    cache: byte_cache.ByteCache = field(default_factory=lambda: byte_cache.ByteCache(_MAX_CACHE_BYTES), compare=False)

    @cached_property
    def packed(self) -> bytes:
        """Return the files as pickled bytes."""
        return self._packed or pickle.dumps(self._files)

    @property
    def files(self) -> tuple[Any, ...]:
        """Return the files."""
        return pickle.loads(self._packed) if self._packed else self._files

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the files as bytes, so that a worker unpickles them only when it renders, within its limits."""
        return UploadedFiles, (self.token, (), self.packed if self.token else b"")


NO_UPLOADS = UploadedFiles()
