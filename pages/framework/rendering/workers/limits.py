"""What the server and its workers share: the limits of a job, the kinds of messages, and the progress report."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

RESULT, PIECE, SHARE, LIMIT_EXCEEDED, FAILED = "made", "piece", "share", "too much", "failed"


@dataclass(frozen=True)
class Limits:
    """The limits of a job: seconds of processor time, and bytes beyond those that the worker has already."""

    seconds: float
    memory: int


class Progress:
    """The progress report of a long job: the share that is done, and each piece as soon as it is finished."""

    def __init__(self, send: Callable[[tuple[str, Any, bool]], object]) -> None:
        """Prepare a report whose messages go to `tell`."""
        self._send = send

    def report(self, share: float) -> None:
        """Report the share of the job that is done."""
        self._send((SHARE, share, False))

    def add_piece(self, piece: Any) -> None:
        """Report a finished piece."""
        self._send((PIECE, piece, False))


REQUEST_LIMITS = Limits(2.0, 200_000_000)  # also of reading an uploaded file
EXPERIMENT_LIMITS = Limits(900.0, 2_000_000_000)
