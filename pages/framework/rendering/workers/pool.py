"""The worker pool: long computations run in processes of their own, so that the server's process stays responsive.

A request starts in the first of three lanes. When it has used its slice of processor time there, it continues in the
next lane, which has turns of its own, so that short requests do not wait for long ones. Within a lane, sessions have
their turns in rotation. While requests of light sessions wait or run, other jobs use at most half of the processors.

The workers are forked from a process that has imported all pages, which works on Linux only. On other systems, until
that process is ready, and if $DP_WORKERS is 0, pages are rendered in the server's process (`jobs.within_time`).
"""

import math
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Hashable
from contextlib import nullcontext, suppress
from multiprocessing.connection import Connection
from threading import Lock, Thread
from time import monotonic
from typing import Any, TypeVar

from pages.framework.rendering.workers.jobs import (
    FAILED,
    LIMIT_EXCEEDED,
    PIECE,
    REQUEST_LIMITS,
    RESULT,
    Job,
    LimitExceededError,
    Limits,
    ProcessorShares,
    SessionCosts,
    SliceOverError,
    StoppedError,
    Turns,
    Worker,
    WorkerError,
    WorkerLostError,
    ignore_message,
)

READY, PROCESS_ID = b"ready", struct.Struct("q")
PREPARATION = "pages.framework.rendering.render"
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0  # seconds between two starts; each failed start doubles the pause
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # so has a fork, and workers share the cores


class ForkServer:
    """The process from which workers are forked; it is restarted if it ends."""

    def __init__(self, preparation: str = PREPARATION) -> None:
        """Name the module whose `prepare` the process calls; the first check whether it is `ready` starts it."""
        self._preparation = preparation
        self._lock, self._is_ready = Lock(), False
        self._next_start, self._pause = 0.0, _FIRST_PAUSE
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def ready(self) -> bool:
        """Whether workers can be forked."""
        with self._lock:
            if self._control is None and monotonic() >= self._next_start:
                self._start()
            if self._control is not None:
                try:
                    self._is_ready = self._control.recv(len(READY), socket.MSG_DONTWAIT) == READY
                except BlockingIOError:  # there is no message
                    return self._is_ready
                except ConnectionError:  # it was killed before it read its messages
                    self._is_ready = False
                if self._is_ready:
                    self._pause = _FIRST_PAUSE
                else:  # it has ended
                    self._reset()
            return self._is_ready

    def fork_worker(self) -> Worker:
        """Return a new worker; raise OSError or EOFError if none can be forked."""
        server_end, worker_end = socket.socketpair()
        with server_end, worker_end:
            self._send(b"w", worker_end.fileno())
            return Worker(Connection(server_end.detach()), self.end)

    def end(self, process_id: int) -> None:
        """End the worker with this process id."""
        with suppress(OSError):
            self._send(PROCESS_ID.pack(process_id))

    def close(self) -> None:
        """End the process, and with it the idle workers."""
        with self._lock:
            self._reset()
            self._next_start = math.inf

    def _send(self, message: bytes, *files: int) -> None:
        with self._lock:
            if self._control is None:
                raise BrokenPipeError
            try:
                socket.send_fds(self._control, [message], files)
            except OSError:
                self._reset()
                raise

    def _start(self) -> None:
        self._next_start = monotonic() + self._pause
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)
        self._control, child_end = socket.socketpair(type=socket.SOCK_SEQPACKET)  # keeps messages apart
        with child_end:
            module, file = "pages.framework.rendering.workers", str(child_end.fileno())
            command = [sys.executable, "-P", "-m", module, file, self._preparation]
            import_path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
            environment = os.environ | _ONE_THREAD | {"PYTHONPATH": import_path}
            # The new session keeps Ctrl+C, which is meant for the server, from this process and its workers.
            self._process = subprocess.Popen(
                command,
                env=environment,
                pass_fds=[child_end.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def _reset(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._control, self._process, self._is_ready = None, None, False


T = TypeVar("T")
SLICES = (0.1, 0.25)  # seconds of processor time after which a request leaves the first and the second lane
_MAX_SLOW, _MAX_LONG = 2, 1  # requests in the last lane and experiments that may run at a time
_REAL_TIME_FACTOR = 15  # times the limit of processor time: the limit of real time
_FINAL_KINDS = RESULT, LIMIT_EXCEEDED, FAILED
_MAX_REFUSED = 500  # jobs that exceeded their limits and are remembered


class Workers:
    """A pool of up to `n_workers` workers for short requests, and of a few more for long jobs."""

    def __init__(self, n_workers: int, limits: Limits = REQUEST_LIMITS, fork_server: ForkServer | None = None) -> None:
        """Prepare the pool; the first check whether it is `ready` starts the process that workers are forked from."""
        self._fork_server = (fork_server or ForkServer()) if n_workers else None
        self._n_workers, self._limits, self._lock = n_workers, limits, Lock()
        self._idle: list[Worker] = []
        self._generation = 0  # of the jobs whose workers may run another one
        self._jobs: dict[Hashable, Job[Any]] = {}
        self._costs, self._processors = SessionCosts(), ProcessorShares()
        self._first_lane = Turns(n_workers, max(n_workers // 2, 1), self._costs)
        self._lanes = (self._first_lane, Turns(n_workers), Turns(_MAX_SLOW))
        self._long_turns = Turns(_MAX_LONG)

    @property
    def ready(self) -> bool:
        """Whether the pool can run jobs."""
        return self._fork_server is not None and self._fork_server.ready

    @property
    def busy(self) -> bool:
        """Whether a new request would have to wait."""
        return self._first_lane.are_all_used

    @property
    def n_queued(self) -> int:
        """Return the number of jobs that wait for a turn."""
        return sum(turns.n_queued for turns in (*self._lanes, self._long_turns))

    def start(
        self,
        make: Callable[..., T],
        kind: str,
        on_result: Callable[[T], object] = lambda _: None,
        session: str = "",
        limits: Limits | None = None,
        on_message: Callable[[str, Any], object] = ignore_message,
    ) -> Job[T]:
        """Start a job for a session, or join the job that computes the same; `on_result` gets its result first."""
        with self._lock:
            self._jobs = {task: job for task, job in self._jobs.items() if job.is_of_use}
            if job := self._jobs.get(make):
                job.sessions |= {session}
                return job
            job = self._jobs[make] = Job(make, kind, session, limits or self._limits, on_message)
        Thread(target=self._run, args=(job, self._run_in_lanes, on_result), daemon=True).start()
        return job

    def start_experiment(
        self, make: Callable[..., Any], limits: Limits, on_message: Callable[[str, Any], object], session: str = ""
    ) -> Job[Any]:
        """Start a long job that reports its progress; such jobs run one at a time."""
        job = Job(make, "", session, limits, on_message)
        Thread(target=self._run, args=(job, self._run_to_end, lambda _: None), daemon=True).start()
        return job

    def renew(self, session: str) -> None:
        """End all workers, those at work after their job, to free what they have cached; stop jobs of one session."""
        with self._lock:
            idle, self._idle = self._idle, []
            self._generation += 1
            own_jobs = [job for job in self._jobs.values() if job.sessions == {session}]
            self._jobs = {task: job for task, job in self._jobs.items() if job not in own_jobs}
        for job in own_jobs:
            job.stop()
        for worker in idle:
            worker.end()

    def close(self) -> None:
        """End all workers."""
        if self._fork_server is not None:
            self._fork_server.close()

    def _run(self, job: Job[T], run_job: Callable[[Job[T]], T], on_result: Callable[[T], object]) -> None:
        try:
            outcome = self._outcome(job, run_job)
            on_result(outcome)
            job.outcome.set_result(outcome)
        except Exception as error:  # it is raised where a session waits for the outcome
            job.refused_at = monotonic() if isinstance(error, LimitExceededError) else 0.0
            job.outcome.set_exception(error)
        finally:
            self._release_worker(job)
        with self._lock:
            if not job.refused_at and self._jobs.get(job.make) is job:
                del self._jobs[job.make]
            elif len(self._jobs) > _MAX_REFUSED:
                self._jobs = {task: other for task, other in self._jobs.items() if not other.outcome.done()}

    def _outcome(self, job: Job[T], make: Callable[[Job[T]], T]) -> T:
        """Return the result of a job; if its worker ends without one, the job is retried once in another worker.

        A worker may have been killed just before it got the job. A job that kills its workers thus ends two of them. A
        job that has reported a piece is not retried, since the client would get that piece twice.
        """
        try:
            return make(job)
        except WorkerLostError:
            if job.has_pieces or job.is_stopped:
                raise
            self._release_worker(job)
            job.needs_new_worker = True
            return make(job)

    def _run_in_lanes(self, job: Job[T]) -> T:
        """Run a job in the first lane, and continue in the next one when its slice of processor time is over.

        Its worker continues if the next lane has a free turn. Otherwise the worker is ended, so that no more jobs run
        than there are turns, and another worker starts the job again when its turn comes.
        """
        for turns, seconds in zip(self._lanes, (*SLICES, math.inf), strict=True):
            if turns.are_all_used:
                self._release_worker(job)
            is_light = turns is self._first_lane and self._costs.is_light(job.sessions)
            job.is_slow = seconds == math.inf
            if job.is_slow:
                self._costs.record(job.sessions, job.limits.seconds)  # the most that it may take
            with self._processors.light_request() if is_light else nullcontext(), turns.turn_of(job):
                self._assign_worker(job, is_light)
                with suppress(SliceOverError):
                    outcome = self._wait_for_answer(job, seconds)
                    self._costs.record(job.sessions, job.processor_time)
                    return outcome
        raise LimitExceededError("time")

    def _run_to_end(self, job: Job[T]) -> T:
        job.is_slow = True
        with self._long_turns.turn_of(job):
            self._assign_worker(job, is_light=False)
            return self._wait_for_answer(job)

    def _assign_worker(self, job: Job[Any], is_light: bool) -> None:
        """Assign a worker to a job without one: an idle one that ran the same kind last, any idle one, or a new one.

        Of several idle workers, the last one is reserved for light requests, which would otherwise wait for a new one.
        """
        if job.is_stopped:
            raise StoppedError
        worker = job.worker
        if worker is None:
            with self._lock:
                job.generation = self._generation
                idle = self._idle if is_light or self._n_workers == 1 else self._idle[:-1]
                idle = [] if job.needs_new_worker else idle
                same_kind = [candidate for candidate in idle if candidate.kind == job.kind]
                worker = (same_kind or idle or [None])[-1]
                if worker:
                    self._idle.remove(worker)
            if worker is None or not worker.send_job(job.make, job.limits):
                worker = self._new_worker()
                worker.send_job(job.make, job.limits)
            worker.kind, job.worker = job.kind, worker
        if not is_light:
            self._processors.restrict(worker.process_id)
        if job.is_slow:
            worker.lower_priority()
        if job.is_stopped:  # while the worker was assigned
            worker.end()

    def _new_worker(self) -> Worker:
        if self._fork_server is None:
            raise WorkerLostError("there are no workers")
        try:
            return self._fork_server.fork_worker()
        except (EOFError, OSError) as error:
            raise WorkerLostError("no worker could be had") from error

    def _wait_for_answer(self, job: Job[T], seconds: float = math.inf) -> T:
        """Return the result that the job's worker sends; raise an error if it sends none within this processor time."""
        worker = job.worker
        if worker is None:
            raise WorkerLostError
        try:
            for kind, message, ends in worker.messages(seconds, _REAL_TIME_FACTOR * job.limits.seconds):
                if kind in _FINAL_KINDS:
                    self._release_worker(job, is_usable=not ends)
                if kind == RESULT:
                    return message
                if kind == LIMIT_EXCEEDED:
                    raise LimitExceededError(message)
                if kind == FAILED:
                    raise WorkerError(message)
                job.has_pieces |= kind == PIECE
                job.on_message(kind, message)
        except (EOFError, OSError):
            raise (StoppedError if job.is_stopped else WorkerLostError) from None
        raise SliceOverError if seconds < math.inf else LimitExceededError("time")

    def _release_worker(self, job: Job[Any], is_usable: bool = False) -> None:
        """Release the job's worker, if it has one: a usable one becomes idle, and another one is ended."""
        worker, job.worker = job.worker, None
        if worker is None:
            return
        job.processor_time = worker.seconds
        self._processors.release(worker.process_id)
        with self._lock:
            is_usable = is_usable and not worker.is_lowered and job.generation == self._generation
            becomes_idle = is_usable and len(self._idle) < self._n_workers
            if becomes_idle:
                self._idle.append(worker)
        if not becomes_idle:
            worker.end()
