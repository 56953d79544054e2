"""What the server and its workers share: the limits of a job, the kinds of messages, and the progress report."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MADE, PIECE, SHARE, TOO_MUCH, FAILED = "made", "piece", "share", "too much", "failed"


@dataclass(frozen=True)
class Limits:
    """The limits of a job: seconds of processor time, and bytes beyond those that the worker has already."""

    seconds: float
    memory: int


class Progress:
    """The progress report of a long job: the share that is done, and each piece as soon as it is finished."""

    def __init__(self, tell: Callable[[tuple[str, Any, bool]], object]) -> None:
        """Prepare a report whose messages go to `tell`."""
        self._tell = tell

    def report(self, share: float) -> None:
        """Report the share of the job that is done."""
        self._tell((SHARE, share, False))

    def add_piece(self, piece: Any) -> None:
        """Report a finished piece."""
        self._tell((PIECE, piece, False))


OF_A_LINK = Limits(2.0, 200_000_000)  # also of reading an uploaded file
OF_AN_EXPERIMENT = Limits(900.0, 2_000_000_000)
