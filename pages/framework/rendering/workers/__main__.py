"""The process from which workers are forked, and the loop in which a worker runs its jobs within their limits.

It has prepared what all workers need, so that a fork has it at once. The server sends messages over a socket: a byte
with the socket of a new worker, or the process id of a worker to end. This process ends with the server, and its
workers end with it, however the server or this process itself ends.
"""

import ctypes
import fcntl
import gc
import os
import resource
import select
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

from pages.framework.rendering.workers.jobs import FAILED, LIMIT_EXCEEDED, RESULT, Limits, Progress
from pages.framework.rendering.workers.pool import PROCESS_ID, READY

MAX_CACHED = 200_000_000  # bytes by which the memory of a worker may grow, by its caches, before it is replaced


def serve(connection: Connection) -> None:
    """Run jobs until the server has ended or the caches are too large; the last answer says that the worker ends."""
    max_memory = _memory()[1] + MAX_CACHED
    connection.send(os.getpid())
    while _memory()[1] <= max_memory:
        make, limits = connection.recv()
        kind, value = _run_task(connection, make, limits)
        connection.send((kind, value, _memory()[1] > max_memory))


def _run_task(connection: Connection, make: Callable[[Progress], Any], limits: Limits) -> tuple[str, Any]:
    def report_timeout(_signal: int, _frame: FrameType | None) -> None:
        connection.send((LIMIT_EXCEEDED, "time", True))
        os._exit(0)  # the job ends with the process

    signal.signal(signal.SIGPROF, report_timeout)
    _limit_memory(_memory()[0] + limits.memory)
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


def _memory() -> tuple[int, int]:
    """Return the bytes of the address space of this process, and of the memory that it holds."""
    size, resident, *_ = map(int, Path("/proc/self/statm").read_text().split())
    return size * resource.getpagesize(), resident * resource.getpagesize()


_NICE = 5  # the server, which serves all sessions, has priority
_PR_SET_PDEATHSIG = 1  # of <linux/prctl.h>: the signal that a process gets when its parent ends
_LIBC = ctypes.CDLL(None)


def main(control: socket.socket, preparation: str) -> None:
    """Call `prepare` of a module, then fork a worker or end one whenever the server requests it."""
    with _ended_by(control):
        import_module(preparation).prepare()
        gc.collect()
        gc.freeze()  # so that workers share the memory of the imported modules
        os.nice(_NICE)
    control.send(READY)
    worker_ids: set[int] = set()
    while True:
        request, files, *_ = socket.recv_fds(control, PROCESS_ID.size, 1)
        if not request:
            return
        worker_ids -= _ended_processes(worker_ids)
        if files:
            worker_ids.add(_fork_worker(control, files[0]))
        elif (worker := PROCESS_ID.unpack(request)[0]) in worker_ids:
            os.kill(worker, signal.SIGKILL)


@contextmanager
def _ended_by(control: socket.socket) -> Iterator[None]:
    """Have the kernel end this process when the server closes its end of the socket, which is not read meanwhile.

    SIGIO ends a process that does not handle it. PR_SET_PDEATHSIG cannot be used instead: it follows the thread that
    started this process, and that thread belongs to a session and ends with it.
    """
    fcntl.fcntl(control, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(control, fcntl.F_GETFL)
    fcntl.fcntl(control, fcntl.F_SETFL, flags | os.O_ASYNC)
    if select.select([control], [], [], 0)[0]:  # the server has already ended
        raise ConnectionResetError
    yield
    fcntl.fcntl(control, fcntl.F_SETFL, flags)


def _fork_worker(control: socket.socket, file: int) -> int:
    parent, worker = os.getpid(), os.fork()
    if not worker:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # it may be computing for minutes without a client
        if os.getppid() != parent:  # the parent ended before the call above
            os._exit(0)
        control.close()
        with suppress(EOFError, OSError):  # the server has ended
            serve(Connection(file))
        os._exit(0)
    os.close(file)
    return worker


def _ended_processes(worker_ids: set[int]) -> set[int]:
    """Return the process ids of the workers that have ended; the system reuses an id only after this call."""
    return {pid for pid in worker_ids if os.waitpid(pid, os.WNOHANG)[0]}


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as control_socket, suppress(ConnectionError):  # the server has ended
        main(control_socket, sys.argv[2])
