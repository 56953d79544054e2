"""The lead picture of where each estimator wins: what each leaves of the squared error."""

import math
from typing import Any

import numpy as np
import pandas as pd

from pages.denoising.estimator_colours import dash, shade
from pages.denoising.estimator_risk.results import DRAWN, RIVALS, Where
from pages.denoising.estimator_risk.text import SHORT
from pages.framework.chart.theme import TYPE, ghost, hairline, hover_head, layout, line, log_axis, pinned_line
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_input_up, format_nearest

_BOUND = "soft_universal_bound"
_NAMES = {key: SHORT[key] for key in DRAWN if key not in ("james_stein", "none")}
_NAMES["james_stein_plus"] = SHORT["james_stein"]  # one entry for both: the subtitle tells them apart
_SYMBOLS = {"norm": "size", "nonzero": "share not 0"}
_TOP = 1.6  # of the axis of shares: beyond it a number says how far


def risk_figure(asked: Where, before: Where | None, subtitle: str, colour: Colours) -> Figure:
    """What each estimator leaves of the squared error, along the chosen axis, at this and at a pinned setting."""
    frame, along = asked.curves, asked.against
    across = size_axis(asked) if along == "norm" else share_axis(asked.low)
    upward = {"range": [0, _TOP], "title": {"text": "squared error ÷ the release’s"}, "dtick": 0.5}
    figure = layout(
        colour, "What each leaves of the squared error", subtitle, across | hover_head(_SYMBOLS[along]), upward
    )
    _mark_harm(figure, along, colour)
    traces = [] if before is None else _ghosts(before, frame, colour)
    traces += [_curve(frame, along, key, colour) for key in DRAWN]
    bound = line(frame[along], frame[_BOUND], "its bound", shade("soft_universal", colour), "dot", hoverinfo="skip")
    traces.append(bound | {"showlegend": False, "line": bound["line"] | {"width": 1.2}})
    _mark_beyond(figure, frame, along, colour)
    value = asked.norm if along == "norm" else asked.nonzero
    if before is not None:
        old = before.norm if along == "norm" else before.nonzero
        pinned_line(figure, colour, old if old >= 10 ** across["range"][0] else 0)
    drawn = value if value >= 10 ** across["range"][0] * (1 - 1e-9) else 0.0
    hairline(figure, colour, drawn, f"{_SYMBOLS[along]} = {format_input_up(value)}", along)
    return {"data": traces, "layout": figure}


def size_axis(asked: Where) -> dict[str, Any]:
    """The axis of sizes."""
    low, high = asked.ends
    axis = log_axis("size of the numbers, ‖y‖ ÷ (σ√d)", math.ceil(low), math.floor(high))
    return axis | {"range": [low, high]}


def share_axis(low: float) -> dict[str, Any]:
    """The axis of the share of numbers that are not 0, from 10 to the `low` on."""
    axis = log_axis("share of the numbers that are not 0", math.ceil(low), 0)
    return axis | {"range": [low, 0]}


def _curve(frame: pd.DataFrame, along: str, key: str, colour: Colours) -> dict[str, Any]:
    hover = f"%{{y:.3~g}}<extra>{SHORT[key]}</extra>"
    made = line(frame[along], frame[key], _NAMES.get(key, ""), shade(key, colour), dash(key), hovertemplate=hover)
    return made | {"showlegend": key in _NAMES}


def _ghosts(before: Where, frame: pd.DataFrame, colour: Colours) -> list[dict[str, Any]]:
    """The pinned setting's curves, where they are others."""
    old = before.curves
    kept = [key for key in RIVALS if len(old) != len(frame) or not np.allclose(old[key], frame[key])]
    return [line(old[before.against], old[key], "pinned", "", "solid") | ghost(colour) for key in kept]


def _mark_harm(figure: Figure, along: str, colour: Colours) -> None:
    """Shade where an estimator is worse than the release, and say so."""
    red, green, blue = (int(colour["fails"][place : place + 2], 16) for place in (1, 3, 5))
    area = {"type": "rect", "xref": "x domain", "x0": 0, "x1": 1, "y0": 1, "y1": _TOP, "layer": "below"}
    figure["shapes"].append(area | {"fillcolor": f"rgba({red},{green},{blue},.1)", "line": {"width": 0}})
    note = {"showarrow": False, "xref": "x domain", "x": 0.01, "xanchor": "left"}
    worse = {"text": "✗ worse than the release", "y": 0.99, "yref": "y domain", "yanchor": "top"}
    worse |= {"x": 0.99, "xanchor": "right"} if along == "norm" else {}  # beside the curves that leave the picture
    figure["annotations"] += [
        note | worse | {"font": {"size": TYPE, "color": colour["fails"]}},
        note | {"text": "as released", "y": 1, "yanchor": "bottom", "font": {"size": TYPE, "color": colour["grey"]}},
    ]


def _mark_beyond(figure: Figure, frame: pd.DataFrame, along: str, colour: Colours) -> None:
    """Say how far the universal threshold goes where it leaves the picture: left of its bound, or right of itself."""
    share, bound = frame["soft_universal"].to_numpy(), frame[_BOUND].to_numpy()
    if share.max() <= _TOP:
        return
    x, (low, high) = np.log10(frame[along].to_numpy()), figure["xaxis"]["range"]
    before, behind = (float(x[np.argmax(each > _TOP)]) for each in (bound, share))
    note = {
        "text": f"↑ up to {format_nearest(share.max(), 3)}",
        "showarrow": False,
        "y": _TOP,
        "yanchor": "top",
        "yshift": -22,
    }
    side = {"x": behind, "xanchor": "left", "xshift": 12}
    if before > low + 0.4 * (high - low):
        side = {"x": before, "xanchor": "right", "xshift": -12}
    figure["annotations"].append(note | side | {"font": {"size": TYPE, "color": shade("soft_universal", colour)}})
