"""The names, colours and lines of the mechanisms on a statistic that has bounds."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian.bounded_comparison import MECHANISMS
from pages.framework.chart.theme import ghost, line
from pages.framework.export.exhibit import Colours

NAMES = {mechanism.key: mechanism.name for mechanism in MECHANISMS}
LOOKS = {  # one colour for each noise, one dash for each way to compute its scale
    "truncated": ("purple", "solid"),
    "published": ("purple", "dash"),
    "bit": ("rose", "solid"),
    "clipped": ("grey", "dot"),
    "exponential": ("teal", "dashdot"),
    "lemma": ("teal", "longdash"),
}


def pinned_lines(pinned: pd.DataFrame | None, x: str, columns: Iterable[str], colours: Colours) -> list[dict[str, Any]]:
    """Return the grey curves of a pinned setting, if there is one."""
    if pinned is None:
        return []
    at = pinned[x].to_numpy()
    return [precise_line(at, pinned[key].to_numpy(), "pinned", "", "") | ghost(colours) for key in columns]


def precise_line(x: Array, y: Array, name: str, shade: str, dash: str, **more: Any) -> dict[str, Any]:
    """Return a line whose x keep all digits where the bounds are close for their size."""
    trace = line(x, y, name, shade, dash, **more)
    return trace | {"x": x} if np.ptp(x) < 1e-4 * np.max(np.abs(x)) else trace
