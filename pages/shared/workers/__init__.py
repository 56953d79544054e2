"""What takes time, made in processes of its own, so that the server's process is there for everybody meanwhile.

They are forked from one that has imported all pages, which works on Linux only; elsewhere, until that one is ready, and
where $DP_WORKERS is 0, pages are made in the server's process, and nothing limits them.
"""

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock, Semaphore, Thread
from time import monotonic
from typing import Any, Generic, TypeVar

from pages.shared.workers.forks import Forks, Worker
from pages.shared.workers.limits import FAILED, MADE, OF_A_LINK, PIECE, TOO_MUCH, Limits

T = TypeVar("T")
QUICK = 0.25  # seconds of processor time: what takes longer is not waited for by others
_MOST_SLOW, _MOST_LONG = 2, 1  # pieces of work that take longer, at a time, and experiments
_LONGEST = 15  # times the limit: seconds after which work ends for which others left no time
_LAST = MADE, TOO_MUCH, FAILED
_REFUSED_FOR, _MOST_REFUSED = 60.0, 500  # seconds, and how many


def _unheard(_kind: str, _said: Any) -> None:
    """Nobody asked how far it is."""


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

    def __init__(self, make: Callable[..., T], kind: str, limits: Limits, heard: Callable[[str, Any], object]) -> None:
        """Make it, in a worker that has made the same kind before if there is one; `heard` gets what it tells."""
        self.make, self.kind, self.limits, self.heard = make, kind, limits, heard
        self.outcome: Future[T] = Future()
        self.waiting: set[str] = set()
        self.slow = self.stopped = self.has_pieces = self.needs_new_worker = False
        self.ended = 0.0
        self.worker: Worker | None = None

    @property
    def seconds(self) -> float:
        """The processor time that it has taken so far."""
        return self.worker.seconds if self.worker else 0.0

    @property
    def is_of_use(self) -> bool:
        """Whether others may wait for it too: it is being made, or took too much not long ago."""
        return not self.stopped and not (self.ended and monotonic() > self.ended + _REFUSED_FOR)

    def leave(self, who: str) -> None:
        """Wait for it no longer; it ends when nobody does."""
        self.waiting.discard(who)
        if not self.waiting:
            self.stop()

    def stop(self) -> None:
        """End it."""
        self.stopped = True
        if self.worker:
            self.worker.end()


class Workers:
    """As many workers as `most` for what is made in a moment, and some for what takes longer."""

    def __init__(self, most: int, limits: Limits = OF_A_LINK) -> None:
        """Start with the first question whether they are ready."""
        self._forks = Forks() if most else None
        self._most, self._limits, self._lock = most, limits, Lock()
        self._idle: list[Worker] = []
        self._jobs: dict[Hashable, Job[Any]] = {}
        self._turns, self._slow, self._long = Semaphore(most), Semaphore(_MOST_SLOW), Semaphore(_MOST_LONG)
        self._busy = 0

    @property
    def ready(self) -> bool:
        """Whether anything can be made here."""
        return self._forks is not None and self._forks.ready

    @property
    def busy(self) -> bool:
        """Whether what is asked for now would have to wait."""
        return self._busy >= self._most

    def start(
        self,
        make: Callable[..., T],
        kind: str,
        kept: Callable[[T], object],
        limits: Limits | None = None,
        heard: Callable[[str, Any], object] = _unheard,
    ) -> Job[T]:
        """Begin to make something, or join those who wait for the same; `kept` gets it first."""
        with self._lock:
            self._jobs = {each: job for each, job in self._jobs.items() if job.is_of_use}
            if make in self._jobs:
                return self._jobs[make]
            job = self._jobs[make] = Job(make, kind, limits or self._limits, heard)
        Thread(target=self._run, args=(job, self._soon, kept), daemon=True).start()
        return job

    def experiment(self, make: Callable[..., Any], limits: Limits, heard: Callable[[str, Any], object]) -> Job[Any]:
        """Begin to make something that lasts and tells how far it is, when no other such is made."""
        job = Job(make, "", limits, heard)
        Thread(target=self._run, args=(job, self._at_length, lambda made: None), daemon=True).start()
        return job

    def close(self) -> None:
        """End all of them."""
        if self._forks is not None:
            self._forks.close()

    def _run(self, job: Job[T], made: Callable[[Job[T]], T], kept: Callable[[T], object]) -> None:
        try:
            found = self._outcome(job, made)
            kept(found)
            job.outcome.set_result(found)
        except Exception as error:  # it is raised where somebody waits
            job.ended = monotonic() if isinstance(error, TooMuchError) else 0.0
            job.outcome.set_exception(error)
        with self._lock:
            if not job.ended and self._jobs.get(job.make) is job:
                del self._jobs[job.make]
            elif len(self._jobs) > _MOST_REFUSED:
                self._jobs = {make: each for make, each in self._jobs.items() if not each.outcome.done()}

    @staticmethod
    def _outcome(job: Job[T], made: Callable[[Job[T]], T]) -> T:
        """What comes of a job; where its worker ends without an answer, another one is asked, once.

        A worker may have been killed just before it was asked. Work that kills its workers ends two of them. What has
        told a piece is not made again, or whoever asked would have that piece twice.
        """
        try:
            return made(job)
        except WorkerLostError:
            if job.has_pieces or job.stopped:
                raise
            job.needs_new_worker = True
            return made(job)

    def _soon(self, job: Job[T]) -> T:
        with self._turns:
            self._busy += 1
            try:
                worker = self._asked(job)
                if worker.is_quick(QUICK, _LONGEST * job.limits.seconds):
                    return self._answer(job, worker)  # the next in turn finds it idle
            finally:
                self._busy -= 1
        return self._slowly(job, worker)

    def _slowly(self, job: Job[T], worker: Worker) -> T:
        """Its worker goes on without others waiting for it, unless too many do so already: then it begins again."""
        job.slow = True
        if not self._slow.acquire(blocking=False):
            worker.end()
            self._slow.acquire()
            worker = self._asked(job)
        try:
            return self._answer(job, worker)
        finally:
            self._slow.release()

    def _at_length(self, job: Job[T]) -> T:
        while not self._long.acquire(timeout=0.2):
            if job.stopped:
                raise StoppedError
        try:
            return self._answer(job, self._asked(job))
        finally:
            self._long.release()

    def _asked(self, job: Job[Any]) -> Worker:
        """A worker that has been asked: one that made the same kind last, if there is one, or another idle one."""
        if job.stopped:
            raise StoppedError
        with self._lock:
            idle = [] if job.needs_new_worker else self._idle
            alike = [each for each in idle if each.kind == job.kind]
            worker = (alike or idle or [None])[-1]
            if worker:
                self._idle.remove(worker)
        if worker is None or not worker.ask(job.make, job.limits):
            worker = self._new()
            worker.ask(job.make, job.limits)
        worker.kind, job.worker = job.kind, worker
        if job.stopped:  # meanwhile
            worker.end()
        return worker

    def _new(self) -> Worker:
        if self._forks is None:
            raise WorkerLostError("there are no workers")
        try:
            return self._forks.worker()
        except (EOFError, OSError) as error:
            raise WorkerLostError("no worker could be had") from error

    def _answer(self, job: Job[T], worker: Worker) -> T:
        last = True
        try:
            for kind, said, ends in worker.answers(_LONGEST * job.limits.seconds):
                if kind in _LAST:
                    last = ends
                if kind == MADE:
                    return said
                if kind == TOO_MUCH:
                    raise TooMuchError(said)
                if kind == FAILED:
                    raise WorkerError(said)
                job.has_pieces |= kind == PIECE
                job.heard(kind, said)
            raise TooMuchError("time")
        except (EOFError, OSError):
            raise (StoppedError if job.stopped else WorkerLostError) from None
        finally:
            job.worker = None
            self._back(worker, last)

    def _back(self, worker: Worker, last: bool) -> None:
        with self._lock:
            kept = not last and len(self._idle) < self._most
            if kept:
                self._idle.append(worker)
        if not kept:
            worker.end()
