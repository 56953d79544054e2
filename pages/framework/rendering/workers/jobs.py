"""Jobs: what runs in a worker or, within a time, in this process: limits, messages, errors, turns and processors."""

import ctypes
import math
import os
from collections.abc import Callable, Iterator, Set
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic, process_time
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
    """A job exceeded one of the limits in COSTS."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


class StoppedError(Exception):
    """A job was stopped because no session waits for it."""


class WorkerError(RuntimeError):
    """A job raised an exception in its worker; the message is the traceback."""


class WorkerLostError(WorkerError):
    """The workers that ran a job ended without a result, or there was no worker for it."""


class Worker:
    """A process that runs one job after the other."""

    def __init__(self, connection: Connection, end_process: Callable[[int], object]) -> None:
        """Wait until the process has started, which `end_process` ends; raise EOFError if it does not start in time."""
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
        self, make: Callable[..., T], kind: str, session: str, limits: Limits, on_message: Callable[[str, Any], object]
    ) -> None:
        """Prepare a job; a worker that ran the same `kind` last is preferred, and `on_message` gets its messages."""
        self.make, self.kind, self.limits, self.on_message = make, kind, limits, on_message
        self.outcome: Future[T] = Future()
        self.waiting: set[str] = set()
        self.sessions = frozenset({session})  # all that have requested it
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


_INTERVAL = 0.2  # seconds between two calls of `while_waiting`
_LEAST_WAIT = 0.01  # seconds
_N_ATTEMPTS = 5  # to end a thread: its code may swallow an exception, or be in a compiled function
_raise_in_thread = ctypes.pythonapi.PyThreadState_SetAsyncExc


class _TimeIsUp(SystemExit):
    """Raised in the thread of a computation: no Exception, which its code may handle, and without a traceback."""


def within_time(make: Callable[[], T], seconds: float, while_waiting: Callable[[], object] = lambda: None) -> T:
    """Return what `make` returns; raise LimitExceededError if this process takes more processor time meanwhile.

    It runs in a thread of its own, which is ended when its time is up; a compiled function in it returns first. The
    time is that of all threads of this process, because no system but Linux tells that of one to another.
    `while_waiting` is called now and then in the thread of the caller.
    """
    outcome: Future[T] = Future()
    end = process_time() + seconds
    has_begun = Event()
    thread = Thread(target=_run, args=(make, outcome, has_begun), daemon=True)
    thread.start()
    try:
        while not outcome.done() and (remaining := end - process_time()) > 0:
            wait([outcome], min(max(remaining, _LEAST_WAIT), _INTERVAL))
            while_waiting()
        if outcome.done():
            return outcome.result()
        raise LimitExceededError(IN_PROCESS)
    finally:  # also where Streamlit has interrupted the caller
        if not outcome.done():
            has_begun.wait()  # an exception before that would leave the thread with a traceback
            _end(thread)


def _run(make: Callable[[], T], outcome: Future[T], has_begun: Event) -> None:
    with suppress(_TimeIsUp):
        try:
            has_begun.set()
            outcome.set_result(make())
        except BaseException as error:  # it is raised where the outcome is awaited
            outcome.set_exception(error)


def _end(thread: Thread) -> None:
    for _ in range(_N_ATTEMPTS):
        if thread.is_alive():
            _raise_in_thread(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_TimeIsUp))
            thread.join(_INTERVAL)


_LIGHT_SECONDS = 0.1  # seconds of processor time: a session whose requests take no more on average is light
_WEIGHT = 0.25  # weight of the last request in that average
_MOST_FIRST = 0.2  # seconds: the average of a session starts at its first request, which also opens the page, or here
_MAX_SESSIONS = 1_000  # sessions that are remembered
_RECHECK = 0.2  # seconds between two checks whether a job that waits for its turn was stopped


class SessionCosts:
    """The exponential average of the processor time of each session's requests."""

    def __init__(self) -> None:
        """Start without any session."""
        self._seconds: dict[str, float] = {}
        self._lock = Lock()

    def record(self, sessions: Set[str], seconds: float) -> None:
        """Record the processor time of a request, for all sessions that requested it."""
        with self._lock:
            for session in sessions:
                average = self._seconds.pop(session, min(seconds, _MOST_FIRST))
                self._seconds[session] = average + _WEIGHT * (seconds - average)
            while len(self._seconds) > _MAX_SESSIONS:
                del self._seconds[next(iter(self._seconds))]

    def is_light(self, sessions: Set[str]) -> bool:
        """Return whether one of these sessions is known to be light; a new session is not."""
        with self._lock:
            return any(self._seconds.get(session, math.inf) <= _LIGHT_SECONDS for session in sessions)


class Turns:
    """A number of turns that sessions get in rotation: the next is the session whose last turn is the longest ago.

    With `n_unknown`, sessions that are not known to be light hold at most that many turns at a time, so that a light
    session does not wait until one of their requests ends.

    A free turn wakes only the job that gets it: if all that wait looked for the next one themselves, each turn would
    cost the server a time that grows with the square of the queue.
    """

    def __init__(self, n_turns: int, n_unknown: int | None = None, costs: SessionCosts | None = None) -> None:
        """Start with all turns free."""
        self._n_turns, self._n_unknown = n_turns, n_turns if n_unknown is None else n_unknown
        self._costs = SessionCosts() if costs is None else costs
        self._lock = Lock()
        self._queue: dict[Job[Any], Event] = {}  # the event is set when the job gets its turn
        self._holders: dict[Job[Any], bool] = {}  # whether the session is light
        self._last_turns: dict[str, int] = {}
        self._count = 0

    @property
    def are_all_used(self) -> bool:
        """Whether a new job may have to wait."""
        return len(self._holders) + len(self._queue) >= self._n_turns

    @property
    def n_queued(self) -> int:
        """Return the number of jobs that wait for a turn."""
        return len(self._queue)

    @contextmanager
    def turn_of(self, job: Job[Any]) -> Iterator[None]:
        """Wait for the turn of a job, and hold it; raise StoppedError if the job is stopped before."""
        has_turn = Event()
        with self._lock:
            self._note_arrival(job)
            self._queue[job] = has_turn
            self._grant_turns()
        try:
            while not has_turn.wait(_RECHECK) and not job.is_stopped:
                pass
            if job.is_stopped:
                raise StoppedError
            yield
        finally:
            with self._lock:
                self._queue.pop(job, None)
                self._holders.pop(job, None)
                self._grant_turns()

    def _grant_turns(self) -> None:
        """Give the free turns to the jobs that are next."""
        while job := self._next_job():
            self._count += 1
            self._last_turns.update(dict.fromkeys(job.sessions, self._count))
            self._holders[job] = self._costs.is_light(job.sessions)
            self._queue.pop(job).set()

    def _note_arrival(self, job: Job[Any]) -> None:
        """Treat a new session as if it had just had a turn: it comes after the sessions that have waited longer."""
        for session in job.sessions:
            self._last_turns.setdefault(session, self._count)
        if len(self._last_turns) > _MAX_SESSIONS:
            latest = sorted(self._last_turns, key=self._last_turns.__getitem__)[-_MAX_SESSIONS // 2 :]
            self._last_turns = {session: self._last_turns[session] for session in latest}

    def _next_job(self) -> Job[Any] | None:
        """Return the job in the queue that gets the next turn; None if it is empty or no turn is free for it."""
        if len(self._holders) >= self._n_turns:
            return None
        has_room = list(self._holders.values()).count(False) < self._n_unknown
        waiting = (job for job in self._queue if not job.is_stopped)
        eligible = (job for job in waiting if has_room or self._costs.is_light(job.sessions))
        count, turns = self._count, self._last_turns
        return min(eligible, key=lambda job: min(turns.get(session, count) for session in job.sessions), default=None)


class ProcessorShares:
    """The processors that heavy jobs may use: half of them while light requests wait or run, otherwise all of them."""

    def __init__(self) -> None:
        """Start with the processors that this process may use."""
        self._processors = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
        self._half = set(sorted(self._processors)[(len(self._processors) + 1) // 2 :]) or self._processors
        self._lock = Lock()
        self._n_light = 0
        self._heavy: set[int] = set()

    @contextmanager
    def light_request(self) -> Iterator[None]:
        """Restrict heavy jobs for as long as a light request waits or runs."""
        self._count_light(1)
        try:
            yield
        finally:
            self._count_light(-1)

    def restrict(self, process: int) -> None:
        """Treat a process as one that runs a heavy job."""
        with self._lock:
            self._heavy.add(process)
            self._apply_restriction({process})

    def release(self, process: int) -> None:
        """Allow a process to use all processors again."""
        with self._lock:
            if process in self._heavy:
                self._heavy.remove(process)
                _set_processors(process, self._processors)

    def _count_light(self, change: int) -> None:
        with self._lock:
            was_restricted = self._n_light > 0
            self._n_light += change
            if was_restricted != (self._n_light > 0):
                self._apply_restriction(self._heavy)

    def _apply_restriction(self, processes: Set[int]) -> None:
        for process in processes:
            _set_processors(process, self._half if self._n_light else self._processors)


def _set_processors(process: int, processors: Set[int]) -> None:
    with suppress(OSError):  # it has ended
        os.sched_setaffinity(process, processors)
