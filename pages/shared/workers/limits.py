"""What the server and its workers both know: how much a piece of work may take, and how its answers begin."""

from dataclasses import dataclass

MADE, PIECE, SHARE, TOO_MUCH, FAILED = "made", "piece", "share", "too much", "failed"


@dataclass(frozen=True)
class Limits:
    """What a piece of work may take: seconds of processor time, and bytes more than the worker has already."""

    seconds: float
    memory: int


OF_A_LINK = Limits(2.0, 200_000_000)
OF_AN_EXPERIMENT = Limits(900.0, 2_000_000_000)
