"""Background tasks: long computations that run in a worker, one at a time, until they end, are stopped or abandoned.

On a server without workers, a task runs in a thread, within the same time and without a limit of memory.
"""

from collections.abc import Callable
from concurrent.futures import TimeoutError as NotYetError
from contextlib import suppress
from functools import partial
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from pages.framework import streamlit_host
from pages.framework.rendering import render_jobs, time_limit
from pages.framework.rendering.workers.jobs import EXPERIMENT_LIMITS, IN_PROCESS, PIECE, SHARE, Progress
from pages.framework.rendering.workers.pool import Job, LimitExceededError, StoppedError, WorkerLostError
from pages.framework.session import session_state

ABANDONED_AFTER = 150.0  # seconds without a browser; Streamlit keeps a disconnected session for 120 s
_CHECK_INTERVAL = 5.0  # seconds between two checks whether the browser is connected
_thread_turn = Lock()
FAILED = "It ended with an unexpected error."
LOST = "It was ended: the process of this server that computed it has ended without a result. Start it again."
_LIMIT_SENTENCES = {
    "time": f"It was ended: it would take this server more than {EXPERIMENT_LIMITS.seconds / 60:g} minutes.",
    "memory": f"It was ended: it would take more than {EXPERIMENT_LIMITS.memory / 1e9:g} GB of this server’s memory.",
}
_LIMIT_SENTENCES[IN_PROCESS] = _LIMIT_SENTENCES["time"]


class BackgroundTask:
    """A running computation: the share that is done, the pieces that are finished, and a sentence if it failed."""

    def __init__(self, name: Any, make: Callable[[Progress], object], in_process: bool = False) -> None:
        """Start the task at once; `make` must be picklable, and reports the share that is done and each finished piece.

        A task that runs `in_process` computes nothing itself, but waits for workers.
        """
        self.name, self.share = name, 0.0
        self.pieces: tuple[Any, ...] = ()
        self.problem, self.is_finished = "", False
        self._session, self._is_connected, self._last_connected = (
            session_state.session_id(),
            streamlit_host.is_connected(),
            monotonic(),
        )
        self._stopped = Event()
        self.job: Job[str] | None = None
        self.thread = Thread(target=self._run, args=(partial(_failure_sentence, make), in_process), daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Stop the task and keep its pieces; a task in a thread stops at its next progress report."""
        self._stopped.set()
        if self.job is not None:
            self.job.stop()

    def _run(self, make: Callable[[Progress], str], in_process: bool) -> None:
        self.problem = FAILED
        try:
            if in_process:
                self.problem = make(self._progress_report())
            else:
                self.problem = self._run_in_worker(make) if render_jobs.WORKERS.ready else self._run_in_thread(make)
        except StoppedError:
            self.problem = ""
        except LimitExceededError as error:
            self.problem = _LIMIT_SENTENCES[str(error)]
        except WorkerLostError:
            self.problem = LOST
        except MemoryError:
            self.problem = "It failed: this server has too little memory for it."
        finally:
            self.is_finished = True

    def _run_in_worker(self, make: Callable[[Progress], str]) -> str:
        self.job = render_jobs.WORKERS.start_experiment(make, EXPERIMENT_LIMITS, self._receive, self._session)
        while True:
            if self._stopped.is_set() or self._is_abandoned():
                self.job.stop()
            with suppress(NotYetError):
                return self.job.outcome.result(_CHECK_INTERVAL)

    def _is_abandoned(self) -> bool:
        if self._is_connected():
            self._last_connected = monotonic()
        return monotonic() - self._last_connected > ABANDONED_AFTER

    def _progress_report(self) -> Progress:
        return Progress(lambda message: self._receive(*message[:2]))

    def _run_in_thread(self, make: Callable[[Progress], str]) -> str:
        report = self._progress_report()
        while not _thread_turn.acquire(timeout=0.2):
            report.report(0.0)
        try:
            return time_limit.within_time(lambda: make(report), EXPERIMENT_LIMITS.seconds)
        finally:
            _thread_turn.release()

    def _receive(self, kind: str, message: Any) -> None:
        """Store a message: the share that is done, or a finished piece; raise StoppedError if the task was stopped."""
        if kind == PIECE:
            self.pieces = (*self.pieces, message)
        elif self._stopped.is_set() or self._is_abandoned():
            raise StoppedError
        elif kind == SHARE:
            self.share = message


def _failure_sentence(make: Callable[[Progress], object], report: Progress) -> str:
    """Run the computation, and return the sentence that says why it failed; an empty text if it succeeded."""
    try:
        make(report)
    except (ValueError, OSError, ImportError) as error:
        return f"It failed: {str(error) or type(error).__name__}."
    return ""
