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


def _asked_for() -> int:
    """How many workers there are for what is made in a moment: by default one for each core, and two at least."""
    asked = os.environ.get("DP_WORKERS", "")
    return int(asked) if asked.isdecimal() else max(len(os.sched_getaffinity(0)), 2)


WORKERS = Workers(_asked_for() if hasattr(os, "sched_getaffinity") else 0)


@dataclass(frozen=True)
class RenderOutcome:
    """What has come of a wish: its bytes, or the processor time taken so far, or why there will be nothing."""

    content: bytes | None = None
    seconds: float = 0.0
    refusal: str = ""


def render_stage(wish: RenderRequest, who: str, stop: bool = False) -> RenderOutcome:
    """The stage of a page, kept for all sessions, or beside the files that it is made of; `stop` is whether the
    session `who` waits for it no longer.
    """
    return _render(wish, who, stop, None)


def prefetch(wish: RenderRequest, who: str, end: float) -> bytes | None:
    """The stage of a page that a session may want next, if it is there at a moment of the monotonic clock."""
    if WORKERS.ready and WORKERS.busy and _cache_of(wish).find(wish) is None:
        return None  # others want something now
    return _render(wish, who, False, max(end - monotonic(), 0)).content


def render_uncached(wish: RenderRequest, who: str) -> RenderOutcome:
    """Something that a session asks for by hand, such as a CSV file; it is not cached."""
    if not WORKERS.ready:
        return RenderOutcome(wish())
    found = _outcome(WORKERS.start(wish, wish.script, lambda made: None, who), None)
    return RenderOutcome(wish()) if _has_no_workers(found) else found


def read_file(make: Callable[[Progress], T], progress: Callable[[float], object]) -> T:
    """What is read of a file that somebody brought; `progress` hears the share that is read, now and then.

    Raises
    ------
    ValueError
        of `make`, or with the reason where it would take too much.
    """
    if not WORKERS.ready:
        return make(Progress(lambda said: progress(said[1])))
    share = 0.0

    def heard(_: str, said: float) -> None:
        nonlocal share
        share = said

    job = WORKERS.start(partial(_read_or_error, make), "", lambda made: None, session_state.session_id(), heard=heard)
    try:
        while True:
            with suppress(NotYetError):
                found = job.outcome.result(_EVERY)
                if isinstance(found, ValueError):
                    raise found
                return found
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


def render_part(make: Callable[[object], T], kind: str, who: str) -> T:
    """What a link asks for beside others, in a worker; TooMuchError where it would take too much."""
    return WORKERS.start(make, kind, lambda made: None, who).outcome.result() if WORKERS.ready else make(None)


def _render(wish: RenderRequest, who: str, stop: bool, seconds: float | None) -> RenderOutcome:
    kept = _cache_of(wish)
    found = kept.find(wish)
    if found is not None:
        return RenderOutcome(found)
    if not WORKERS.ready:
        return RenderOutcome(kept.get(wish, wish))
    job = WORKERS.start(wish, wish.script, lambda made: kept.store(wish, made), who)
    if stop:
        job.leave(who)
        return RenderOutcome(refusal=STOPPED)
    if seconds is not None:
        return _outcome(job, seconds)
    job.waiting.add(who)
    found = _wait_for(job)
    return RenderOutcome(kept.get(wish, wish)) if _has_no_workers(found) else found


def _has_no_workers(found: RenderOutcome) -> bool:
    """Whether a request was lost because there are no workers any more: then it is made here, as before they come."""
    return found.refusal == LOST and not WORKERS.ready


def _cache_of(wish: RenderRequest) -> byte_cache.ByteCache:
    return wish.uploads.cache if wish.uploads.token else _stage_cache


def _wait_for(job: Job[bytes]) -> RenderOutcome:
    """Wait longer for what only stands in a queue: to be asked again and again would make that one longer."""
    for _ in range(PATIENCE):
        found = _outcome(job, WAIT)
        if found.content is not None or found.refusal or job.slow:
            return found
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
