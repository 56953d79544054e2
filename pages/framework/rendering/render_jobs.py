"""How long a session waits for what is made in a worker, what it is told meanwhile, and what where that is too much."""

import os
from collections.abc import Callable
from concurrent.futures import TimeoutError as NotYetError
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TypeVar

from pages.framework.rendering import byte_cache
from pages.framework.rendering.render import RenderRequest
from pages.framework.rendering.workers.limits import OF_A_LINK, Progress
from pages.framework.rendering.workers.pool import Job, StoppedError, TooMuchError, WorkerLostError, Workers
from pages.framework.session import session_state
from pages.framework.site import site

T = TypeVar("T")
WAIT, PATIENCE = 0.5, 10  # seconds until a page says that it is being made, and how often as long where others wait too
STOPPED, LOST = "stopped", "lost"
_INSTEAD = "Nothing is shown for it. Change a parameter to ask for less; "
_INSTEAD += f"{site().package} in a notebook has no such limit."
SENTENCES = {
    "time": (f"This setting would take this server more than {OF_A_LINK.seconds:g} s of processor time.", _INSTEAD),
    "memory": (f"This setting would take more than {OF_A_LINK.memory / 1e6:g} MB of this server’s memory.", _INSTEAD),
    STOPPED: (
        "You stopped this computation.",
        "Nothing is shown for it. Change a parameter to ask for another setting, or load the page again.",
    ),
    LOST: (
        "The process of this server that computed this has ended without a result.",
        "Nothing is shown for it. Load the page again, or change a parameter to ask for another setting.",
    ),
}
_EVERY = 0.2  # seconds between two looks at how far it is
_OF_A_FILE = {
    "time": f"that would take this server more than {OF_A_LINK.seconds:g} s of processor time; bring a smaller file",
    "memory": f"that would take more than {OF_A_LINK.memory / 1e6:g} MB of this server’s memory; bring a smaller file",
}
_LOST_FILE = "the process of this server that read it has ended without a result; bring the file again"
_stage_cache = byte_cache.ByteCache(byte_cache.MAX_CACHE_BYTES)


def _n_workers() -> int:
    """How many workers there are for what is made in a moment: by default one for each core, and two at least."""
    entry = os.environ.get("DP_WORKERS", "")
    return int(entry) if entry.isdecimal() else max(len(os.sched_getaffinity(0)), 2)


WORKERS = Workers(_n_workers() if hasattr(os, "sched_getaffinity") else 0)


@dataclass(frozen=True)
class RenderOutcome:
    """What has come of a wish: its bytes, or the processor time taken so far, or why there will be nothing."""

    content: bytes | None = None
    seconds: float = 0.0
    refusal: str = ""


def render_stage(request: RenderRequest, client: str, stop: bool = False) -> RenderOutcome:
    """The stage of a page, kept for all sessions, or beside the files that it is made of; `stop` is whether the
    session `who` waits for it no longer.
    """
    return _render(request, client, stop, None)


def prefetch(request: RenderRequest, client: str, end: float) -> bytes | None:
    """The stage of a page that a session may want next, if it is there at a moment of the monotonic clock."""
    if WORKERS.ready and WORKERS.busy and _cache_of(request).find(request) is None:
        return None  # others want something now
    return _render(request, client, False, max(end - monotonic(), 0)).content


def render_uncached(request: RenderRequest, client: str) -> RenderOutcome:
    """Something that a session asks for by hand, such as a CSV file; it is not cached."""
    if not WORKERS.ready:
        return RenderOutcome(request())
    outcome = _outcome(WORKERS.start(request, request.script, lambda _: None, client), None)
    return RenderOutcome(request()) if _has_no_workers(outcome) else outcome


def read_file(make: Callable[[Progress], T], progress: Callable[[float], object]) -> T:
    """What is read of a file that somebody brought; `progress` hears the share that is read, now and then.

    Raises
    ------
    ValueError
        of `make`, or with the reason where it would take too much.
    """
    if not WORKERS.ready:
        return make(Progress(lambda message: progress(message[1])))
    share = 0.0

    def store_share(_: str, message: float) -> None:
        nonlocal share
        share = message

    job = WORKERS.start(
        partial(_read_or_error, make), "", lambda _: None, session_state.session_id(), on_message=store_share
    )
    try:
        while True:
            with suppress(NotYetError):
                result = job.outcome.result(_EVERY)
                if isinstance(result, ValueError):
                    raise result
                return result
            progress(share)
    except TooMuchError as error:
        raise ValueError(_OF_A_FILE[str(error)]) from None
    except WorkerLostError:
        raise ValueError(_LOST_FILE) from None
    finally:  # nobody may wait for it any more
        job.stop()


def _read_or_error(make: Callable[[Progress], T], report: Progress) -> T | ValueError:
    try:
        return make(report)
    except ValueError as error:  # a sentence on the file, not a failure of the worker
        return error


def render_part(make: Callable[[object], T], kind: str, client: str) -> T:
    """What a link asks for beside others, in a worker; TooMuchError where it would take too much."""
    return WORKERS.start(make, kind, lambda _: None, client).outcome.result() if WORKERS.ready else make(None)


def _render(request: RenderRequest, client: str, stop: bool, seconds: float | None) -> RenderOutcome:
    cache = _cache_of(request)
    cached = cache.find(request)
    if cached is not None:
        return RenderOutcome(cached)
    if not WORKERS.ready:
        return RenderOutcome(cache.get(request, request))
    job = WORKERS.start(request, request.script, lambda rendered: cache.store(request, rendered), client)
    if stop:
        job.leave(client)
        return RenderOutcome(refusal=STOPPED)
    if seconds is not None:
        return _outcome(job, seconds)
    job.waiting.add(client)
    cached = _wait_for(job)
    return RenderOutcome(cache.get(request, request)) if _has_no_workers(cached) else cached


def _has_no_workers(outcome: RenderOutcome) -> bool:
    """Whether a request was lost because there are no workers any more: then it is made here, as before they come."""
    return outcome.refusal == LOST and not WORKERS.ready


def _cache_of(request: RenderRequest) -> byte_cache.ByteCache:
    return request.uploads.cache if request.uploads.token else _stage_cache


def _wait_for(job: Job[bytes]) -> RenderOutcome:
    """Wait longer for what only stands in a queue: to be asked again and again would make that one longer."""
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
    except TooMuchError as error:
        return RenderOutcome(refusal=str(error))
    except StoppedError:
        return RenderOutcome(refusal=STOPPED)
    except WorkerLostError:
        return RenderOutcome(refusal=LOST)
