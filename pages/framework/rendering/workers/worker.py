"""The loop of a worker process: it runs the jobs that it receives, one after the other, within their limits."""

import os
import resource
import signal
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

from pages.framework.rendering.workers.limits import FAILED, MADE, TOO_MUCH, Limits, Progress

MOST_HELD = 200_000_000  # bytes by which the memory of a worker may grow, by its caches, before it is replaced


def serve(talk: Connection) -> None:
    """Run jobs until the server has ended or the caches are too large; the last answer says that the worker ends."""
    most = _resident_memory() + MOST_HELD
    talk.send(os.getpid())
    while _resident_memory() <= most:
        make, limits = talk.recv()
        kind, made = _run_task(talk, make, limits)
        talk.send((kind, made, _resident_memory() > most))


def _run_task(talk: Connection, make: Callable[[Progress], Any], limits: Limits) -> tuple[str, Any]:
    def late(_signal: int, _frame: FrameType | None) -> None:
        talk.send((TOO_MUCH, "time", True))
        os._exit(0)  # the job ends with the process

    signal.signal(signal.SIGPROF, late)
    _limit_memory(_virtual_memory() + limits.memory)
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)
    try:
        value = MADE, make(Progress(talk.send))
    except MemoryError:
        value = TOO_MUCH, "memory"
    except Exception:
        value = FAILED, traceback.format_exc()
    signal.setitimer(signal.ITIMER_PROF, 0)
    _limit_memory(resource.RLIM_INFINITY)
    return value


def _limit_memory(most: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    within = hard == resource.RLIM_INFINITY or 0 <= most <= hard
    resource.setrlimit(resource.RLIMIT_AS, (most if within else hard, hard))


def _virtual_memory() -> int:
    """Return the bytes of the address space of this process."""
    return _pages()[0] * resource.getpagesize()


def _resident_memory() -> int:
    """Return the bytes of memory that this process holds."""
    return _pages()[1] * resource.getpagesize()


def _pages() -> tuple[int, int]:
    size, resident, *_ = Path("/proc/self/statm").read_text().split()
    return int(size), int(resident)
