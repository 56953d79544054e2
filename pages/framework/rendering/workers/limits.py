"""What the server and its workers both know: how much a piece of work may take, and how its answers begin."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MADE, PIECE, SHARE, TOO_MUCH, FAILED = "made", "piece", "share", "too much", "failed"


@dataclass(frozen=True)
class Limits:
    """What a piece of work may take: seconds of processor time, and bytes more than the worker has already."""

    seconds: float
    memory: int


class Progress:
    """What a piece of work that lasts tells of itself: the share done, and each piece as soon as it is there."""

    def __init__(self, tell: Callable[[tuple[str, Any, bool]], object]) -> None:
        """Tell it to whoever asked for the work."""
        self._tell = tell

    def report(self, share: float) -> None:
        """Tell the share done."""
        self._tell((SHARE, share, False))

    def add_piece(self, piece: Any) -> None:
        """Tell a piece that is finished."""
        self._tell((PIECE, piece, False))


OF_A_LINK = Limits(2.0, 200_000_000)  # and of a file, to read it
OF_AN_EXPERIMENT = Limits(900.0, 2_000_000_000)
