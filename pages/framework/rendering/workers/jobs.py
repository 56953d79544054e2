"""Jobs: computations that run in a worker process, their limits, their messages, and the errors that may end them."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_TICK = 0.01  # seconds, the resolution of the processor time of the system
_HEAVY_NICE = 10  # of workers that do heavy work; the others have 5
_FORK_TIMEOUT = 10.0  # seconds that forking a worker may take
_REFUSAL_SECONDS = 60.0  # seconds for which a job that exceeded its limits is not run again


RESULT, PIECE, SHARE, LIMIT_EXCEEDED, FAILED = "result", "piece", "share", "too much", "failed"


@dataclass(frozen=True)
class Limits:
    """The limits of a job: seconds of processor time, and bytes beyond those that the worker has already."""

    seconds: float
    memory: int


class Progress:
    """The progress report of a long job: the share that is done, and each piece as soon as it is finished."""

    def __init__(self, send: Callable[[tuple[str, Any, bool]], object]) -> None:
        """Prepare a report whose messages go through `send`."""
        self._send = send

    def report(self, share: float) -> None:
        """Report the share of the job that is done."""
        self._send((SHARE, share, False))

    def add_piece(self, piece: Any) -> None:
        """Report a finished piece."""
        self._send((PIECE, piece, False))


def ignore_message(_kind: str, _message: Any) -> None:
    """Ignore a progress message, for a job whose progress is not displayed."""


REQUEST_LIMITS = Limits(2.0, 200_000_000)  # also of reading an uploaded file
FILE_LIMITS = Limits(8.0, 800_000_000)  # of a file of a whole page: the fullest report takes 3 s, and typst maps much
EXPERIMENT_LIMITS = Limits(900.0, 2_000_000_000)
IN_PROCESS = "process"
IN_PROCESS_SECONDS = 20.0  # of processor time that a request without a worker may take, imports of its page included
COSTS = {
    "time": f"this server more than {REQUEST_LIMITS.seconds:g} s of processor time",
    "memory": f"more than {REQUEST_LIMITS.memory / 1e6:g} MB of this server’s memory",
    IN_PROCESS: f"this computer more than {IN_PROCESS_SECONDS:g} s of processor time",
}
"""What a request that exceeded a limit would take, by the limit."""


class SliceOverError(Exception):
    """A request has used its slice of processor time and is not finished."""


class LimitExceededError(Exception):
    """A job exceeded one of the limits in COSTS, which is the message."""


class StoppedError(Exception):
    """A job was stopped because no session waits for it."""


class WorkerError(RuntimeError):
    """A job raised an exception in its worker; the message is the traceback."""


class WorkerLostError(WorkerError):
    """The workers that ran a job ended without a result, or there was no worker for it."""


class Worker:
    """A process that runs one job after the other."""

    def __init__(self, connection: Connection, end_process: Callable[[int], object]) -> None:
        """Wait until the process has started; raise EOFError if it does not in time.

        `end_process` ends the process with an id.
        """
        self.connection, self.kind, self._end_process = connection, "", end_process
        if not connection.poll(_FORK_TIMEOUT):
            raise EOFError
        self.process_id: int = connection.recv()
        self._seconds_before = 0.0
        self.is_lowered = False

    @property
    def seconds(self) -> float:
        """Return the processor time since the start of the present job."""
        return self._measured_seconds() - self._seconds_before

    def send_job(self, make: Callable[..., Any], limits: Limits) -> bool:
        """Send a job to the process; return False if the process has ended."""
        self._seconds_before = self._measured_seconds()
        try:
            self.connection.send((make, limits))
        except OSError:
            return False
        return True

    def messages(self, seconds: float, real_seconds: float) -> Iterator[tuple[str, Any, bool]]:
        """Yield the messages of the process until it has taken so many seconds of processor time.

        They also stop after `real_seconds` of real time, since other processes may leave it little processor time.
        Raise EOFError or OSError if the process ends.
        """
        end = monotonic() + real_seconds
        while (remaining := seconds - self.seconds) > 0 and (time := end - monotonic()) > 0:
            if self.connection.poll(min(max(remaining, _TICK), time)):
                yield self.connection.recv()

    def lower_priority(self) -> None:
        """Lower the priority of the process for good: a process may not raise its priority again."""
        self.is_lowered = True
        with suppress(OSError):  # it has ended
            os.setpriority(os.PRIO_PROCESS, self.process_id, _HEAVY_NICE)

    def end(self) -> None:
        """End the process, whatever it does."""
        self._end_process(self.process_id)

    def _measured_seconds(self) -> float:
        with suppress(OSError):
            user, system = Path(f"/proc/{self.process_id}/stat").read_text().rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        return self._seconds_before


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
        self.refused_at, self.generation = 0.0, 0
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
