"""What takes longer than a page may: made in a thread of its own, one at a time on this server, until it is stopped."""

from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Any

_one_at_a_time = Lock()
FAILED = "It ended with an error that this page does not know."


class StoppedError(Exception):
    """Nobody waits for the rest."""


class Work:
    """Something that is being made: the share done, the pieces so far, and a sentence if it failed."""

    def __init__(self, name: str, make: Callable[["Work"], object]) -> None:
        """Begin at once; `make` calls `report`, now and then, and `add` for each piece."""
        self.name, self.share, self.pieces = name, 0.0, ()
        self.problem, self.done = "", False
        self._stopped = Event()
        self.thread = Thread(target=self._run, args=(make,), daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """End it at its next report, without its pieces being lost."""
        self._stopped.set()

    def report(self, share: float) -> None:
        """Take note of the share done; StoppedError where it shall end."""
        if self._stopped.is_set():
            raise StoppedError
        self.share = share

    def add(self, piece: Any) -> None:
        """Keep a piece that is finished."""
        self.pieces = (*self.pieces, piece)

    def _run(self, make: Callable[["Work"], object]) -> None:
        self.problem = FAILED
        try:
            while not _one_at_a_time.acquire(timeout=0.2):
                self.report(0.0)
            try:
                make(self)
            finally:
                _one_at_a_time.release()
            self.problem = ""
        except StoppedError:
            self.problem = ""
        except (ValueError, OSError, MemoryError) as error:
            self.problem = f"It failed: {str(error) or type(error).__name__}."
        finally:
            self.done = True
