"""The server's handle of the process from which worker processes are forked."""

import math
import os
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Lock
from time import monotonic

from pages.framework.rendering.workers.jobs import Worker

READY, PROCESS_ID = b"ready", struct.Struct("q")
PREPARATION = "pages.framework.rendering.preparation"
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0  # seconds between two starts; each failed start doubles the pause
_ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}  # a fork has one thread, and workers share the cores


class ForkServer:
    """The process from which workers are forked; it is restarted if it ends."""

    def __init__(self, preparation: str = PREPARATION) -> None:
        """Name the module whose `prepare` the process calls; the first check whether it is `ready` starts it."""
        self._preparation = preparation
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

    def fork_worker(self) -> Worker:
        """Return a new worker; raise OSError or EOFError if none can be forked."""
        server_end, worker_end = socket.socketpair()
        with server_end, worker_end:
            self._send(b"w", worker_end.fileno())
            return Worker(Connection(server_end.detach()), self.end)

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
            module, file = "pages.framework.rendering.workers", str(child_end.fileno())
            command = [sys.executable, "-P", "-m", module, file, self._preparation]
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
