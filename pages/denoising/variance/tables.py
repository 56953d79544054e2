"""The numbers of Experiment 5.1 as frames: those of the table, and those behind the picture."""

from collections.abc import Sequence
from functools import lru_cache

import pandas as pd

from dpcore import denoise
from pages.denoising.variance.results import DELTAS, EPSILONS, Curve

TABLE_EPSILONS = (0.01, 0.1, 0.5, 1.0, 3.0, 10.0)


def table(deltas: Sequence[float]) -> pd.DataFrame:
    """The ratio at some ε for each δ, with its verdict."""
    return pd.concat([_rows(each) for each in deltas], ignore_index=True)


def drawn(along: str, curves: Sequence[Curve]) -> pd.DataFrame:
    """What the picture draws, and the status of the classical σ at each point."""
    x, other = (EPSILONS, "delta") if along == "epsilon" else (DELTAS, "epsilon")
    parts = []
    for each in curves:
        columns = {along: x, other: each.value, "ratio": each.ratio, "removed": each.removed, "status": each.word}
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


@lru_cache(256)
def _rows(delta: float) -> pd.DataFrame:
    return denoise.variance_ratios(TABLE_EPSILONS, delta)
