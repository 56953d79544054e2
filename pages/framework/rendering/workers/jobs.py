"""A piece of work that is made for all who wait for it, and the ways in which it can end without a result."""

from collections.abc import Callable
from concurrent.futures import Future
from time import monotonic
from typing import Any, Generic, TypeVar

from pages.framework.rendering.workers.fork_server import Worker
from pages.framework.rendering.workers.limits import Limits

T = TypeVar("T")
_REFUSED_FOR = 60.0  # seconds for which what took too much is not tried again


class TooMuchError(Exception):
    """A piece of work would take more "time" or "memory" than it may."""


class StoppedError(Exception):
    """Nobody waits for it any more."""


class WorkerError(RuntimeError):
    """The work raised an exception in its worker; the message is the traceback."""


class WorkerLostError(WorkerError):
    """The workers that were asked ended without an answer, or there was none to ask."""


class Job(Generic[T]):
    """A piece of work that is being made, for all who wait for it; `outcome` has what comes of it."""

    def __init__(
        self, make: Callable[..., T], kind: str, limits: Limits, on_message: Callable[[str, Any], object]
    ) -> None:
        """Make it, in a worker that has made the same kind before if there is one; `heard` gets what it tells."""
        self.make, self.kind, self.limits, self.on_message = make, kind, limits, on_message
        self.outcome: Future[T] = Future()
        self.waiting: set[str] = set()
        self.sessions: frozenset[str] = frozenset()  # all that have asked for it
        self.is_slow = self.is_stopped = self.has_pieces = self.needs_new_worker = False
        self.refused_at = 0.0
        self.processor_time = 0.0  # seconds of processor time that its last worker took
        self.worker: Worker | None = None

    @property
    def seconds(self) -> float:
        """The processor time that it has taken so far."""
        return self.worker.seconds if self.worker else 0.0

    @property
    def is_of_use(self) -> bool:
        """Whether others may wait for it too: it is being made, or took too much not long ago."""
        return not self.is_stopped and not (self.refused_at and monotonic() > self.refused_at + _REFUSED_FOR)

    def leave(self, client: str) -> None:
        """Wait for it no longer; it ends when nobody does."""
        self.waiting.discard(client)
        if not self.waiting:
            self.stop()

    def stop(self) -> None:
        """End it."""
        self.is_stopped = True
        if self.worker:
            self.worker.end()
