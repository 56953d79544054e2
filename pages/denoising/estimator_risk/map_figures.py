"""The map of the estimators that leave the least of the squared error, over size and share not 0."""

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.checks import Array
from pages.denoising.estimator_risk.figures import share_axis, size_axis
from pages.denoising.estimator_risk.results import RIVALS, EstimatorRisk
from pages.denoising.estimator_risk.text import SHORT_NAMES
from pages.framework.chart.theme import TYPE, compact, layout
from pages.framework.export.exhibit import Colours, Figure
from pages.shared import looks
from pages.shared.estimator_colours import estimator_colour

_OPACITY = {"soft_universal": 0.8, "none": 0.35}
_LEAST_REGION = 0.08  # of the map; a smaller region has no room for its name
_NAME_SPACE = 0.3, 0.1  # of width and height; a name closer to a mark would overlap its label
_REGION_NAMES = {
    "none": "nothing",
    "james_stein_plus": "James–Stein +",
    "soft_universal": "fixed T",
    "soft_sure": "T by SURE",
    "non_negative": "clipping at 0",
}
_HOVER = (
    "size %{x:.3~g}, share not 0 %{y:.3~g}<br>the best leaves %{customdata:.3~g} of the squared error"
    "<br>click to set both<extra></extra>"
)


def winners_figure(
    risk: EstimatorRisk,
    pinned: EstimatorRisk | None,
    table: tuple[float, float] | None,
    subtitle: str,
    colours: Colours,
) -> Figure:
    """Draw the best estimator over size and share not 0, with the setting, the pinned one, and the table."""
    frame = risk.winners
    norm, share = np.unique(frame["norm"]), np.unique(frame["nonzero"])
    low = math.log10(share[0])
    figure = layout(colours, "Estimator with the least squared error", subtitle, size_axis(risk), share_axis(low))
    figure |= {"hovermode": "closest", "height": 400}
    keys = (*RIVALS, "none")
    winner = pd.Categorical(frame["winner"], keys).codes.reshape(len(share), len(norm))
    shades = [_region_colour(key, colours) for key in keys]
    scale = [[(place + step) / len(keys), ink] for place, ink in enumerate(shades) for step in (0, 1)]
    field = {"type": "heatmap", "x": compact(norm), "y": compact(share), "z": compact(winner)}
    field |= {"zmin": -0.5, "zmax": len(keys) - 0.5, "colorscale": scale, "showscale": False}
    field |= {"customdata": compact(frame["share"].to_numpy().reshape(winner.shape)), "hovertemplate": _HOVER}
    traces, winners = [field], {*frame["winner"]}
    traces += [_legend_patch(key, ink, colours) for key, ink in zip(keys, shades, strict=True) if key in winners]
    marks = [(risk.norm, risk.nonzero, "here", "star")]
    marks += [] if pinned is None else [(pinned.norm, pinned.nonzero, "pinned", "star-open")]
    marks += [] if table is None else [(*table, "table", "diamond")]
    spots = [_mark_position(mark[0], mark[1], risk.norm_ends, low) for mark in marks]
    traces.append(_region_names(winner, keys, norm, share, spots, colours))
    traces += [_mark_trace(mark, risk.norm_ends, low, colours) for mark in marks]
    return {"data": traces, "layout": figure | {"height": 280}}


def _region_colour(key: str, colours: Colours) -> str:
    """Return the colour of a region, mixed with the paper's so that the legend has the same."""
    paper = (255, 255, 255) if colours["text"] == looks.COLOURS["light"]["text"] else (17, 21, 26)
    ink, part = estimator_colour(key, colours), _OPACITY.get(key, 0.4)
    channels = (int(ink[place : place + 2], 16) for place in (1, 3, 5))
    mixed = (round(part * channel + (1 - part) * base) for channel, base in zip(channels, paper, strict=True))
    return f"rgb({','.join(map(str, mixed))})"


def _legend_patch(key: str, ink: str, colours: Colours) -> dict[str, Any]:
    """Return the legend entry of a region."""
    name = "no estimator removes 1 %" if key == "none" else SHORT_NAMES[key]
    marker = {"symbol": "square", "size": 13, "color": ink, "line": {"width": 1, "color": colours["quiet"]}}
    return {"type": "scatter", "mode": "markers", "name": name, "x": [None], "y": [None], "marker": marker}


def _mark_position(norm: float, nonzero: float, ends: tuple[float, float], low: float) -> tuple[float, float]:
    """Return the position of a mark in decades, at the edge if it lies beyond."""
    x = min(max(math.log10(norm) if norm > 0 else -math.inf, ends[0]), ends[1])
    return x, min(max(math.log10(nonzero), low), 0)


def _region_names(
    winner: NDArray[np.integer],
    keys: tuple[str, ...],
    norm: Array,
    share: Array,
    spots: list[tuple[float, float]],
    colours: Colours,
) -> dict[str, Any]:
    """Return the names of the larger regions, away from the marks, so that colours are not needed."""
    across, up = np.log10(norm), np.log10(share)
    near = np.array([_NAME_SPACE[0] * np.ptp(across), _NAME_SPACE[1] * np.ptp(up)])
    names = []
    for place, key in enumerate(keys):
        rows, columns = np.nonzero(winner == place)
        if rows.size < _LEAST_REGION * winner.size:
            continue
        candidate_rows = [int(np.quantile(rows, part)) for part in (0.25, 0.5, 0.75, 0.1)]
        cells = [(row, int(np.median(columns[rows == row]))) for row in candidate_rows]
        is_free = [np.any(np.abs(np.subtract((across[x], up[y]), spots)) > near, axis=1).all() for y, x in cells]
        row, column = cells[is_free.index(True)] if True in is_free else cells[0]
        names.append((float(norm[column]), float(share[row]), _REGION_NAMES[key]))
    x, y, text = ([name[place] for name in names] for place in range(3))
    style = {"size": TYPE, "color": colours["text"]}
    trace = {"type": "scatter", "mode": "text", "x": x, "y": y, "text": text, "textfont": style}
    return trace | {"showlegend": False, "hoverinfo": "skip"}


def _mark_trace(
    mark: tuple[float, float, str, str], ends: tuple[float, float], low: float, colours: Colours
) -> dict[str, Any]:
    """Return a mark on the map, at its edge if it lies beyond."""
    norm, nonzero, name, symbol = mark
    x, y = _mark_position(norm, nonzero, ends, low)
    beyond = "" if norm >= 10 ** ends[0] * (1 - 1e-9) and norm <= 10 ** ends[1] * (1 + 1e-9) else ", beyond the map"
    side = "left" if x > (ends[0] + ends[1]) / 2 else "right"
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": compact([10**x]),
        "y": compact([10**y]),
        "text": [f"<b>{name}{beyond}</b>"],
        "textposition": f"middle {side}",
        "textfont": {"size": TYPE, "color": colours["text"]},
        "marker": {"symbol": symbol, "size": 14, "color": colours["text"]}
        | {"line": {"width": 1, "color": colours["text"]}},
        "showlegend": False,
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
