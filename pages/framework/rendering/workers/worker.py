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

from pages.framework.rendering.workers.jobs import FAILED, LIMIT_EXCEEDED, RESULT, Limits, Progress

MAX_CACHED = 200_000_000  # bytes by which the memory of a worker may grow, by its caches, before it is replaced


def serve(connection: Connection) -> None:
    """Run jobs until the server has ended or the caches are too large; the last answer says that the worker ends."""
    max_memory = _resident_memory() + MAX_CACHED
    connection.send(os.getpid())
    while _resident_memory() <= max_memory:
        make, limits = connection.recv()
        kind, value = _run_task(connection, make, limits)
        connection.send((kind, value, _resident_memory() > max_memory))


def _run_task(connection: Connection, make: Callable[[Progress], Any], limits: Limits) -> tuple[str, Any]:
    def report_timeout(_signal: int, _frame: FrameType | None) -> None:
        connection.send((LIMIT_EXCEEDED, "time", True))
        os._exit(0)  # the job ends with the process

    signal.signal(signal.SIGPROF, report_timeout)
    _limit_memory(_virtual_memory() + limits.memory)
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)
    try:
        value = RESULT, make(Progress(connection.send))
    except MemoryError:
        value = LIMIT_EXCEEDED, "memory"
    except Exception:
        value = FAILED, traceback.format_exc()
    signal.setitimer(signal.ITIMER_PROF, 0)
    _limit_memory(resource.RLIM_INFINITY)
    return value


def _limit_memory(max_bytes: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    is_allowed = hard == resource.RLIM_INFINITY or 0 <= max_bytes <= hard
    resource.setrlimit(resource.RLIMIT_AS, (max_bytes if is_allowed else hard, hard))


def _virtual_memory() -> int:
    """Return the bytes of the address space of this process."""
    return _memory_pages()[0] * resource.getpagesize()


def _resident_memory() -> int:
    """Return the bytes of memory that this process holds."""
    return _memory_pages()[1] * resource.getpagesize()


def _memory_pages() -> tuple[int, int]:
    size, resident, *_ = Path("/proc/self/statm").read_text().split()
    return int(size), int(resident)
