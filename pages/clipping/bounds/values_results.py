"""How the values are distributed over the bins of a chart, and which of them the bounds cut."""

import numpy as np
import pandas as pd

from dpcore.checks import Array
from pages.clipping.bounds.results import BoundsResult

BINS_A_DECADE = 10
_N_BINS = 60


def density_frame(result: BoundsResult) -> pd.DataFrame:
    """Return how many values a decade or, where some are negative, a bin has; bins are split at the chosen bounds."""
    edges, size = _edges(result)
    edges = np.unique(np.append(edges, [result.high, *((result.low,) if _is_low_visible(result) else ())]))
    edges = edges[np.append(True, np.diff(edges) > 1e-9 * np.abs(edges[1:]))]
    above = result.n_above(edges)
    n_values = above[:-1] - above[1:]
    low, high = edges[:-1], edges[1:]
    middle = (low + high) / 2 if result.is_signed else np.sqrt(low * high)
    frame = {"from": low, "to": high, "middle": middle, "n_values": n_values}
    frame |= {
        "per_bin": n_values * (size / (high - low) if result.is_signed else 1 / np.log10(high / low)),
        "is_cut": low >= result.high * (1 - 1e-9),
        "is_raised": high <= result.low + 1e-9 * abs(result.low),
    }
    return pd.DataFrame(frame)


def _edges(result: BoundsResult) -> tuple[Array, float]:
    """Return the edges of the bins, and the width of one where some values are negative."""
    if result.is_signed:
        ends = min(result.extremes[0], result.low), max(result.extremes[1], result.high)
        return np.linspace(*ends, _N_BINS + 1), (ends[1] - ends[0]) / _N_BINS
    first, last = result.axis_decades
    return 10.0 ** np.linspace(first, last, BINS_A_DECADE * (last - first) + 1), np.nan


def _is_low_visible(result: BoundsResult) -> bool:
    return result.is_signed or result.low >= 10.0 ** result.axis_decades[0]
