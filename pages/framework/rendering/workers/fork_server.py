"""The server's handles of worker processes, and of the process from which they are forked."""

import math
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from pages.framework.rendering.workers.limits import Limits

READY, NUMBER = b"ready", struct.Struct("q")
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0  # seconds between two starts; each failed start doubles the pause
_TICK = 0.01  # seconds, the resolution of the processor time of the system
_HEAVY_NICE = 10  # of workers that do heavy work; the others have 5
_FORKED = 10.0  # seconds that forking a worker may take
_ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}  # a fork has one thread, and workers share the cores


class ForkServer:
    """The process from which workers are forked; it is restarted if it ends."""

    def __init__(self) -> None:
        """Prepare the process; the first check whether it is `ready` starts it."""
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

    def worker(self) -> "Worker":
        """Return a new worker; raise OSError or EOFError if none can be forked."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._send(b"w", theirs.fileno())
            return Worker(Connection(ours.detach()), self)

    def end(self, number: int) -> None:
        """End the worker with this process id."""
        with suppress(OSError):
            self._send(NUMBER.pack(number))

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
        self._control, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)  # it preserves the boundaries of messages
        with theirs:
            command = [sys.executable, "-P", "-m", "pages.framework.rendering.workers", str(theirs.fileno())]
            import_path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
            environment = os.environ | _ONE_THREAD | {"PYTHONPATH": import_path}
            # The new session keeps Ctrl+C, which is meant for the server, from this process and its workers.
            self._process = subprocess.Popen(
                command, env=environment, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, start_new_session=True
            )

    def _reset(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._control, self._process, self._is_ready = None, None, False


class Worker:
    """A process that runs one job after the other."""

    def __init__(self, talk: Connection, forks: ForkServer) -> None:
        """Wait until the process has started; raise EOFError if it does not in time."""
        self.talk, self.kind, self._forks = talk, "", forks
        if not talk.poll(_FORKED):
            raise EOFError
        self.number: int = talk.recv()
        self._before = 0.0
        self.is_lowered = False

    @property
    def seconds(self) -> float:
        """Return the processor time since the start of the present job."""
        return self._measured_seconds() - self._before

    def ask(self, make: Callable[..., Any], limits: Limits) -> bool:
        """Send a job to the process; return False if the process has ended."""
        self._before = self._measured_seconds()
        try:
            self.talk.send((make, limits))
        except OSError:
            return False
        return True

    def answers(self, seconds: float, most: float) -> Iterator[tuple[str, Any, bool]]:
        """Yield the messages of the process until it has taken so many seconds of processor time.

        They also stop after `most` seconds of real time, since other processes may leave it little processor time.
        Raise EOFError or OSError if the process ends.
        """
        end = monotonic() + most
        while (remaining := seconds - self.seconds) > 0 and (time := end - monotonic()) > 0:
            if self.talk.poll(min(max(remaining, _TICK), time)):
                yield self.talk.recv()

    def lower_priority(self) -> None:
        """Lower the priority of the process for good: a process may not raise its priority again."""
        self.is_lowered = True
        with suppress(OSError):  # it has ended
            os.setpriority(os.PRIO_PROCESS, self.number, _HEAVY_NICE)

    def end(self) -> None:
        """End the process, whatever it does."""
        self._forks.end(self.number)

    def _measured_seconds(self) -> float:
        with suppress(OSError):
            user, system = Path(f"/proc/{self.number}/stat").read_text().rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        return self._before
