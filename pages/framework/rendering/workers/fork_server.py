"""Workers as processes, and the process that they are forked from."""

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
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0  # seconds from a start to the next; each that fails doubles the pause
_TICK = 0.01  # seconds, the least by which the system counts processor time
_HEAVY_NICE = 10  # of workers that do heavy work; the others have 5
_FORKED = 10.0  # seconds that a fork may take
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # a fork has no others, and workers share the cores


class ForkServer:
    """The process that workers are forked from; it is started again if it ends."""

    def __init__(self) -> None:
        """Start it with the first question whether it is ready."""
        self._lock, self._is_ready = Lock(), False
        self._next_start, self._pause = 0.0, _FIRST_PAUSE
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def ready(self) -> bool:
        """Whether workers can be had."""
        with self._lock:
            if self._control is None and monotonic() >= self._next_start:
                self._start()
            if self._control is not None:
                try:
                    self._is_ready = self._control.recv(len(READY), socket.MSG_DONTWAIT) == READY
                except BlockingIOError:  # nothing is new
                    return self._is_ready
                except ConnectionError:  # it was killed before it read what it was told
                    self._is_ready = False
                if self._is_ready:
                    self._pause = _FIRST_PAUSE
                else:  # it has ended
                    self._reset()
            return self._is_ready

    def worker(self) -> "Worker":
        """A new worker; OSError or EOFError if there is none."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._send(b"w", theirs.fileno())
            return Worker(Connection(ours.detach()), self)

    def end(self, number: int) -> None:
        """End a worker."""
        with suppress(OSError):
            self._send(NUMBER.pack(number))

    def close(self) -> None:
        """End it, and with it workers that have nothing to do."""
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
        self._control, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)  # one message at a time
        with theirs:
            command = [sys.executable, "-P", "-m", "pages.framework.rendering.workers", str(theirs.fileno())]
            import_path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
            environment = os.environ | _ONE_THREAD | {"PYTHONPATH": import_path}
            # Ctrl+C is for the server; what is forked ends with it.
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
    """A process that makes one thing after the other."""

    def __init__(self, talk: Connection, forks: ForkServer) -> None:
        """Wait until it is there."""
        self.talk, self.kind, self._forks = talk, "", forks
        if not talk.poll(_FORKED):
            raise EOFError
        self.number: int = talk.recv()
        self._before = 0.0
        self.is_lowered = False

    @property
    def seconds(self) -> float:
        """The processor time since it was asked last."""
        return self._measured_seconds() - self._before

    def ask(self, make: Callable[..., Any], limits: Limits) -> bool:
        """Ask it to make something; False if it is not there any more."""
        self._before = self._measured_seconds()
        try:
            self.talk.send((make, limits))
        except OSError:
            return False
        return True

    def answers(self, seconds: float, most: float) -> Iterator[tuple[str, Any, bool]]:
        """What it tells until it has taken so many seconds of the processor; EOFError or OSError if it ends.

        After `most` seconds by the clock it is over too: others may leave it little of the processor.
        """
        end = monotonic() + most
        while (remaining := seconds - self.seconds) > 0 and (time := end - monotonic()) > 0:
            if self.talk.poll(min(max(remaining, _TICK), time)):
                yield self.talk.recv()

    def lower_priority(self) -> None:
        """Let other workers come first from now on; a process may not raise its priority again."""
        self.is_lowered = True
        with suppress(OSError):  # it has ended
            os.setpriority(os.PRIO_PROCESS, self.number, _HEAVY_NICE)

    def end(self) -> None:
        """End it, whatever it does."""
        self._forks.end(self.number)

    def _measured_seconds(self) -> float:
        with suppress(OSError):
            user, system = Path(f"/proc/{self.number}/stat").read_text().rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        return self._before
