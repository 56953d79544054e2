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

READY, PROCESS_ID = b"ready", struct.Struct("q")
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0  # seconds between two starts; each failed start doubles the pause
_TICK = 0.01  # seconds, the resolution of the processor time of the system
_HEAVY_NICE = 10  # of workers that do heavy work; the others have 5
_FORK_TIMEOUT = 10.0  # seconds that forking a worker may take
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

    def fork_worker(self) -> "Worker":
        """Return a new worker; raise OSError or EOFError if none can be forked."""
        server_end, worker_end = socket.socketpair()
        with server_end, worker_end:
            self._send(b"w", worker_end.fileno())
            return Worker(Connection(server_end.detach()), self)

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
            command = [sys.executable, "-P", "-m", "pages.framework.rendering.workers", str(child_end.fileno())]
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


class Worker:
    """A process that runs one job after the other."""

    def __init__(self, connection: Connection, fork_server: ForkServer) -> None:
        """Wait until the process has started; raise EOFError if it does not in time."""
        self.connection, self.kind, self._fork_server = connection, "", fork_server
        if not connection.poll(_FORK_TIMEOUT):
            raise EOFError
        self.process_id: int = connection.recv()
        self._seconds_before = 0.0
        self.is_lowered = False

    @property
    def seconds(self) -> float:
        """Return the processor time since the start of the present job."""
        return self._measured_seconds() - self._seconds_before

    def send_job(self, make: Callable[..., Any], limits: Limits) -> bool:
        """Send a job to the process; return False if the process has ended."""
        self._seconds_before = self._measured_seconds()
        try:
            self.connection.send((make, limits))
        except OSError:
            return False
        return True

    def messages(self, seconds: float, real_seconds: float) -> Iterator[tuple[str, Any, bool]]:
        """Yield the messages of the process until it has taken so many seconds of processor time.

        They also stop after `real_seconds` of real time, since other processes may leave it little processor time.
        Raise EOFError or OSError if the process ends.
        """
        end = monotonic() + real_seconds
        while (remaining := seconds - self.seconds) > 0 and (time := end - monotonic()) > 0:
            if self.connection.poll(min(max(remaining, _TICK), time)):
                yield self.connection.recv()

    def lower_priority(self) -> None:
        """Lower the priority of the process for good: a process may not raise its priority again."""
        self.is_lowered = True
        with suppress(OSError):  # it has ended
            os.setpriority(os.PRIO_PROCESS, self.process_id, _HEAVY_NICE)

    def end(self) -> None:
        """End the process, whatever it does."""
        self._fork_server.end(self.process_id)

    def _measured_seconds(self) -> float:
        with suppress(OSError):
            user, system = Path(f"/proc/{self.process_id}/stat").read_text().rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        return self._seconds_before
