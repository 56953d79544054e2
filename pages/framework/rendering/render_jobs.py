"""Render jobs and background tasks: what runs in a worker, how long a session waits, and the sentences on failures."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import TimeoutError as NotYetError
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Protocol, TypeVar

from pages.framework import streamlit_host
from pages.framework.rendering.uploaded_files import ByteCache, UploadedFiles
from pages.framework.rendering.workers.jobs import (
    COSTS,
    EXPERIMENT_LIMITS,
    IN_PROCESS,
    IN_PROCESS_SECONDS,
    PIECE,
    SHARE,
    Job,
    LimitExceededError,
    Limits,
    Progress,
    StoppedError,
    WorkerLostError,
    within_time,
)
from pages.framework.rendering.workers.pool import Workers
from pages.framework.session import session_state
from pages.framework.site import site

_Cache: Any = type(lru_cache(lambda: None))


def clear() -> None:
    """Clear the caches of the functions of the pages and of the computation, in this process."""
    for cache in clearable():
        cache.cache_clear()


def clearable() -> list[Any]:
    """Return the caches of functions that may get a user's data: of the pages those with a bound, all of dpcore."""
    modules = [module for name, module in sys.modules.items() if name.startswith(("pages.", f"{site().package}."))]
    caches = {id(item): item for module in modules for item in vars(module).values() if isinstance(item, _Cache)}
    return [
        cache
        for cache in caches.values()
        if cache.cache_parameters()["maxsize"] is not None or cache.__module__.startswith(site().package)
    ]


T = TypeVar("T")
WAIT, PATIENCE = 0.5, 10  # seconds until a page says that it is being computed, and how many times that in a queue
STOPPED, LOST = "stopped", "lost"
_ADVICE = "Nothing is shown for it. Change a parameter to request less; "
_ADVICE += f"{site().package} in a notebook has no such limit."
SENTENCES = {limit: (f"This setting would take {cost}.", _ADVICE) for limit, cost in COSTS.items()} | {
    STOPPED: (
        "You stopped this computation.",
        "Nothing is shown for it. Change a parameter to request another setting, or load the page again.",
    ),
    LOST: (
        "The process of this server that computed this has ended without a result.",
        "Nothing is shown for it. Load the page again, or change a parameter to request another setting.",
    ),
}
_PROGRESS_INTERVAL = 0.2  # seconds between two progress reports
_FILE_LIMIT_SENTENCES = {limit: f"that would take {cost}; upload a smaller file" for limit, cost in COSTS.items()}
_LOST_FILE = "the process of this server that read it has ended without a result; upload the file again"
_stage_cache = ByteCache(64_000_000)  # of the outputs that depend on a link alone


def _n_workers() -> int:
    """Return the number of workers for short requests: by default one for each core, and at least two."""
    entry = os.environ.get("DP_WORKERS", "")
    return int(entry) if entry.isdecimal() else max(len(os.sched_getaffinity(0)), 2)


WORKERS = Workers(_n_workers() if hasattr(os, "sched_getaffinity") else 0)


def erase_own_data(session: str) -> None:
    """Erase what the workers and the caches of this process have of the own data of any session.

    The memory of a worker ends with it, whatever library has kept something there. The jobs that `session` alone has
    requested are stopped.
    """
    _stage_cache.remove(lambda request: request.links_data)
    WORKERS.renew(session)
    clear()


class Request(Protocol):
    """A hashable request for an output of a page, which renders it where it is called."""

    @property
    def script(self) -> str:
        """Return the script of the page, by which workers that rendered the same page are preferred."""
        ...

    @property
    def uploads(self) -> UploadedFiles:
        """Return the uploads on which the output depends."""
        ...

    def __call__(self, _: object = None) -> bytes:
        """Return the output."""
        ...


@dataclass(frozen=True)
class RenderOutcome:
    """The outcome of a request: its bytes, or the processor time that it has taken so far, or why it was refused."""

    content: bytes | None = None
    seconds: float = 0.0
    refusal: str = ""


def is_busy() -> bool:
    """Return whether a request would wait for those of other sessions, which come before prefetching."""
    return WORKERS.ready and WORKERS.busy


def prefetch(request: Request, client: str, end: float) -> bytes | None:
    """Return the stage of a page that a session may request next; None if it is not ready at `end` (monotonic)."""
    if is_busy() and _cache_of(request).find(request) is None:
        return None
    return render_stage(request, client, seconds=max(end - monotonic(), 0)).content


def render_uncached(request: Request, client: str, limits: Limits | None = None) -> RenderOutcome:
    """Render something that is not cached, such as a CSV file that the user requested."""
    if not WORKERS.ready:
        return _outcome_here(request)
    outcome = _outcome(WORKERS.start(request, request.script, session=client, limits=limits), None)
    return _outcome_here(request) if _has_no_workers(outcome) else outcome


def read_file(make: Callable[[Progress], T], progress: Callable[[float], object]) -> T:
    """Return what `make` reads of a file, calling `progress` with the share; ValueError if it can't within limits."""
    session_state.session().has_data = True
    share = 0.0

    def store_share(_: str, message: float) -> None:
        nonlocal share
        share = message

    job = None
    try:
        if not WORKERS.ready:
            report = Progress(lambda message: store_share(*message[:2]))
            return within_time(partial(make, report), IN_PROCESS_SECONDS, lambda: progress(share))
        session, read = session_state.session().id, partial(_read_or_error, make)
        job = WORKERS.start(read, "", session=session, on_message=store_share)
        while True:
            with suppress(NotYetError):
                result = job.outcome.result(_PROGRESS_INTERVAL)
                if isinstance(result, ValueError):
                    raise result
                return result
            progress(share)
    except LimitExceededError as error:
        raise ValueError(_FILE_LIMIT_SENTENCES[error.limit]) from None
    except (WorkerLostError, StoppedError):  # stopped with the session of the file: nobody waits for it
        raise ValueError(_LOST_FILE) from None
    finally:  # also where Streamlit has interrupted this run
        if job is not None:
            job.stop()


def _read_or_error(make: Callable[[Progress], T], report: Progress) -> T | ValueError:
    try:
        return make(report)
    except ValueError as error:  # its message is a sentence about the file; the worker has not failed
        return error


def render_part(make: Callable[[object], T], kind: str, client: str) -> T:
    """Return one part of a page that has several, rendered in a worker; LimitExceededError if it is too costly."""
    if not WORKERS.ready:
        return within_time(partial(make, None), IN_PROCESS_SECONDS)
    return WORKERS.start(make, kind, session=client).outcome.result()


def _outcome_here(make: Callable[[], bytes]) -> RenderOutcome:
    try:
        return RenderOutcome(within_time(make, IN_PROCESS_SECONDS))
    except LimitExceededError as error:
        return RenderOutcome(refusal=error.limit)


def render_stage(request: Request, client: str, stop: bool = False, seconds: float | None = None) -> RenderOutcome:
    """Return the outcome of rendering a stage, which is cached for all sessions, or together with its uploads.

    With `stop`, the session `client` no longer waits for it; with `seconds` it waits no longer than that.
    """
    cache = _cache_of(request)
    cached = cache.find(request)
    if cached is not None:
        return RenderOutcome(cached)
    if not WORKERS.ready:
        return _outcome_here(lambda: cache.get(request, request))
    job = WORKERS.start(request, request.script, lambda rendered: cache.store(request, rendered), client)
    if stop:
        job.remove_client(client)
        return RenderOutcome(refusal=STOPPED)
    if seconds is not None:
        return _outcome(job, seconds)
    job.waiting.add(client)
    outcome = _wait_for(job)
    return _outcome_here(lambda: cache.get(request, request)) if _has_no_workers(outcome) else outcome


def _has_no_workers(outcome: RenderOutcome) -> bool:
    """Return whether a request was lost because the workers are gone: it is then rendered in this process."""
    return outcome.refusal == LOST and not WORKERS.ready


def _cache_of(request: Request) -> ByteCache:
    return request.uploads.cache if request.uploads.token else _stage_cache


def _wait_for(job: Job[bytes]) -> RenderOutcome:
    """Return the outcome of a job, and wait longer while it is queued, since each new request lengthens the queue."""
    for _ in range(PATIENCE):
        outcome = _outcome(job, WAIT)
        if outcome.content is not None or outcome.refusal or job.is_slow:
            return outcome
    return _outcome(job, WAIT)


def _outcome(job: Job[bytes], seconds: float | None) -> RenderOutcome:
    try:
        return RenderOutcome(job.outcome.result(seconds))
    except NotYetError:
        return RenderOutcome(seconds=job.seconds)
    except LimitExceededError as error:
        return RenderOutcome(refusal=error.limit)
    except StoppedError:
        return RenderOutcome(refusal=STOPPED)
    except WorkerLostError:
        return RenderOutcome(refusal=LOST)


ABANDONED_AFTER = 150.0  # seconds without a browser; Streamlit keeps a disconnected session for 120 s
_CHECK_INTERVAL = 5.0  # seconds between two checks whether the browser is connected
_thread_turn = Lock()
FAILED = "It ended with an unexpected error."
LOST_TASK = "It was ended: the process of this server that computed it has ended without a result. Start it again."
_LIMIT_SENTENCES = {
    "time": f"It was ended: it would take this server more than {EXPERIMENT_LIMITS.seconds / 60:g} minutes.",
    "memory": f"It was ended: it would take more than {EXPERIMENT_LIMITS.memory / 1e9:g} GB of this server’s memory.",
}
_LIMIT_SENTENCES[IN_PROCESS] = _LIMIT_SENTENCES["time"]


class BackgroundTask:
    """A running computation: the share that is done, the pieces that are finished, and a sentence if it failed."""

    def __init__(self, name: Any, make: Callable[[Progress], object], in_process: bool = False) -> None:
        """Start the task in a worker, for which `make` must be picklable, or `in_process`, to wait for workers."""
        self.name, self.share = name, 0.0
        self.pieces: tuple[Any, ...] = ()
        self.problem, self.is_finished = "", False
        self._session = session_state.session().id
        self._is_connected, self._last_connected = streamlit_host.is_connected(), monotonic()
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
                self.problem = self._run_in_worker(make) if WORKERS.ready else self._run_in_thread(make)
        except StoppedError:
            self.problem = ""
        except LimitExceededError as error:
            self.problem = _LIMIT_SENTENCES[error.limit]
        except WorkerLostError:
            self.problem = LOST_TASK
        except MemoryError:
            self.problem = "It failed: this server has too little memory for it."
        finally:
            self.is_finished = True

    def _run_in_worker(self, make: Callable[[Progress], str]) -> str:
        self.job = WORKERS.start_experiment(make, EXPERIMENT_LIMITS, self._receive, self._session)
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
            return within_time(lambda: make(report), EXPERIMENT_LIMITS.seconds)
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
