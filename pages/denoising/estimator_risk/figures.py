"""The lead picture of the section on where each estimator wins: what each leaves of the squared error."""

import math
from typing import Any

import numpy as np
import pandas as pd

from pages.denoising.estimator_risk.results import CURVE_KEYS, RIVALS, EstimatorRisk
from pages.denoising.estimator_risk.text import SHORT_NAMES
from pages.framework.chart.theme import (
    TYPE,
    ghost,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    pinned_line,
    transparent,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_input_up, format_nearest
from pages.shared.looks import estimator_colour, estimator_dash

_BOUND_COLUMN = "soft_universal_bound"
_LEGEND_NAMES = {key: SHORT_NAMES[key] for key in CURVE_KEYS if key not in ("james_stein", "none")}
_LEGEND_NAMES["james_stein_plus"] = SHORT_NAMES["james_stein"]  # one entry for both, which the subtitle explains
_SYMBOLS = {"norm": "size", "nonzero": "share not 0"}
_AXIS_END = 1.6  # of the axis of shares; a larger share is written in the picture


def risk_figure(risk: EstimatorRisk, pinned: EstimatorRisk | None, subtitle: str, colours: Colours) -> Figure:
    """Draw what each estimator leaves of the squared error along the chosen axis, and the pinned setting."""
    frame, along = risk.curves, risk.along
    across = size_axis(risk) if along == "norm" else share_axis(risk.nonzero_low)
    upward = {"range": [0, _AXIS_END], "title": {"text": "squared error ÷ the release’s"}, "dtick": 0.5}
    title = "Squared error that each estimator leaves"
    figure = layout(colours, title, subtitle, across | hover_head(_SYMBOLS[along]), upward)
    _mark_harm(figure, along, colours)
    traces = [] if pinned is None else _pinned_curves(pinned, frame, colours)
    traces += [_risk_curve(frame, along, key, colours) for key in CURVE_KEYS]
    tint = estimator_colour("soft_universal", colours)
    bound = line(frame[along], frame[_BOUND_COLUMN], "bound of soft, T = σ√(2 ln d)", tint, "dot", hoverinfo="skip")
    traces.append(bound | {"showlegend": False, "line": bound["line"] | {"width": 1.2}})
    _mark_highest(figure, frame, along, colours)
    value = risk.norm if along == "norm" else risk.nonzero
    if pinned is not None:
        old = pinned.norm if along == "norm" else pinned.nonzero
        pinned_line(figure, colours, old if old >= 10 ** across["range"][0] else 0)
    position = value if value >= 10 ** across["range"][0] * (1 - 1e-9) else 0.0
    hairline(figure, colours, position, f"{_SYMBOLS[along]} = {format_input_up(value)}", along)
    return {"data": traces, "layout": figure}


def size_axis(risk: EstimatorRisk) -> dict[str, Any]:
    """Return the axis of sizes."""
    low, high = risk.norm_ends
    axis = log_axis("signal-to-noise ratio, ‖y‖ ÷ (σ√d)", math.ceil(low), math.floor(high))
    return axis | {"range": [low, high]}


def share_axis(low: float) -> dict[str, Any]:
    """Return the axis of the share of numbers that are not 0, from 10 to the power `low`."""
    axis = log_axis("share of the numbers that are not 0", math.ceil(low), 0)
    return axis | {"range": [low, 0]}


def _risk_curve(frame: pd.DataFrame, along: str, key: str, colours: Colours) -> dict[str, Any]:
    hover = f"%{{y:.3~g}}<extra>{SHORT_NAMES[key]}</extra>"
    name, look = _LEGEND_NAMES.get(key, ""), (estimator_colour(key, colours), estimator_dash(key))
    trace = line(frame[along], frame[key], name, *look, hovertemplate=hover)
    return trace | {"showlegend": key in _LEGEND_NAMES}


def _pinned_curves(pinned: EstimatorRisk, frame: pd.DataFrame, colours: Colours) -> list[dict[str, Any]]:
    """Return the curves of the pinned setting that differ from those of the open one."""
    old = pinned.curves
    keys = [key for key in RIVALS if len(old) != len(frame) or not np.allclose(old[key], frame[key])]
    return [line(old[pinned.along], old[key], "pinned", "", "solid") | ghost(colours) for key in keys]


def _mark_harm(figure: Figure, along: str, colours: Colours) -> None:
    """Shade and label the area where an estimator is worse than the release."""
    area = {"type": "rect", "xref": "x domain", "x0": 0, "x1": 1, "y0": 1, "y1": _AXIS_END, "layer": "below"}
    figure["shapes"].append(area | {"fillcolor": transparent(colours["fails"], 0.1), "line": {"width": 0}})
    note = {"showarrow": False, "xref": "x domain", "x": 0.01, "xanchor": "left"}
    worse = {"text": "✗ worse than the release", "y": 0.99, "yref": "y domain", "yanchor": "top"}
    worse |= {"x": 0.99, "xanchor": "right"} if along == "norm" else {}  # away from curves beyond the axis
    figure["annotations"] += [
        note | worse | {"font": {"size": TYPE, "color": colours["fails"]}},
        note | {"text": "as released", "y": 1, "yanchor": "bottom", "font": {"size": TYPE, "color": colours["grey"]}},
    ]


def _mark_highest(figure: Figure, frame: pd.DataFrame, along: str, colours: Colours) -> None:
    """Write how high the universal threshold goes, left of its bound or right of its curve."""
    share, bound = frame["soft_universal"].to_numpy(), frame[_BOUND_COLUMN].to_numpy()
    if share.max() <= _AXIS_END:
        return
    x, (low, high) = np.log10(frame[along].to_numpy()), figure["xaxis"]["range"]
    before, behind = (float(x[np.argmax(curve > _AXIS_END)]) for curve in (bound, share))
    note = {"text": f"↑ up to {format_nearest(share.max(), 3)}", "showarrow": False}
    note |= {"y": _AXIS_END, "yanchor": "top", "yshift": -22}
    side = {"x": behind, "xanchor": "left", "xshift": 12}
    if before > low + 0.4 * (high - low):
        side = {"x": before, "xanchor": "right", "xshift": -12}
    font = {"size": TYPE, "color": estimator_colour("soft_universal", colours)}
    figure["annotations"].append(note | side | {"font": font})
