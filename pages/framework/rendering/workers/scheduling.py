"""Scheduling: which job has the next turn, and which processors heavy jobs may use while light requests wait.

The cost of a request is not known before it runs; the cost of the last requests of its session is a good estimate.
"""

import math
import os
from collections.abc import Iterator, Set
from contextlib import contextmanager, suppress
from threading import Event, Lock
from typing import Any

from pages.framework.rendering.workers.jobs import Job, StoppedError

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
        eligible = [
            job for job in self._queue if not job.is_stopped and (has_room or self._costs.is_light(job.sessions))
        ]
        return min(eligible, key=self._last_turn, default=None)

    def _last_turn(self, job: Job[Any]) -> int:
        return min((self._last_turns.get(session, self._count) for session in job.sessions), default=self._count)


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
