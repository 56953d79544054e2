"""Jobs: computations in a worker that several sessions may share, and the errors by which they end without a result."""

from collections.abc import Callable
from concurrent.futures import Future
from time import monotonic
from typing import Any, Generic, TypeVar

from pages.framework.rendering.workers.fork_server import Worker
from pages.framework.rendering.workers.limits import Limits

T = TypeVar("T")
_REFUSAL_SECONDS = 60.0  # seconds for which a job that exceeded its limits is not run again


class LimitExceededError(Exception):
    """A job exceeded its limit of "time" or of "memory", which is the message."""


class StoppedError(Exception):
    """A job was stopped because no session waits for it."""


class WorkerError(RuntimeError):
    """A job raised an exception in its worker; the message is the traceback."""


class WorkerLostError(WorkerError):
    """The workers that ran a job ended without a result, or there was no worker for it."""


class Job(Generic[T]):
    """A computation in a worker for all sessions that wait for it; `outcome` is the future of its result."""

    def __init__(
        self, make: Callable[..., T], kind: str, limits: Limits, on_message: Callable[[str, Any], object]
    ) -> None:
        """Prepare a job; a worker that ran the same `kind` last is preferred, and `on_message` gets its messages."""
        self.make, self.kind, self.limits, self.on_message = make, kind, limits, on_message
        self.outcome: Future[T] = Future()
        self.waiting: set[str] = set()
        self.sessions: frozenset[str] = frozenset()  # all that have requested it
        self.is_slow = self.is_stopped = self.has_pieces = self.needs_new_worker = False
        self.refused_at = 0.0
        self.processor_time = 0.0  # seconds that its last worker has used
        self.worker: Worker | None = None

    @property
    def seconds(self) -> float:
        """Return the processor time that the job has taken so far."""
        return self.worker.seconds if self.worker else 0.0

    @property
    def is_of_use(self) -> bool:
        """Whether other sessions may join it: it is running, or exceeded its limits a short time ago."""
        return not self.is_stopped and not (self.refused_at and monotonic() > self.refused_at + _REFUSAL_SECONDS)

    def remove_client(self, client: str) -> None:
        """Remove a client from those that wait, and stop the job if no client is left."""
        self.waiting.discard(client)
        if not self.waiting:
            self.stop()

    def stop(self) -> None:
        """Stop the job."""
        self.is_stopped = True
        if self.worker:
            self.worker.end()
