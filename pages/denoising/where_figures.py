"""Pictures of where each estimator wins: what each leaves of the squared error, and a map of the best."""

import math
from typing import Any

import numpy as np
import pandas as pd

from pages.denoising.shades import dash, shade
from pages.denoising.where import DRAWN, RIVALS, Where
from pages.denoising.where_words import SHORT
from pages.shared import theme
from pages.shared.export import Colours, Figure
from pages.shared.text import given_up
from pages.shared.theme import TYPE, compact, decades, ghost, hairline, hover_head, kept_line, layout, line, log_axis

_IN_LEGEND = ("soft_sure", "soft_universal", "james_stein_plus", "james_stein", "non_negative")
_BOUND = "soft_universal_bound"
_DIRECT = {"posterior_mean": "posterior mean<br>(oracle)", _BOUND: "bound of T = σ√(2 ln d)"}
_OPACITY = {"soft_universal": 0.8, "none": 0.35}
_SYMBOLS = {"norm": "size", "nonzero": "share not 0"}
_SIZE_LABEL = "size of the numbers, ‖y‖ ÷ (σ√d)"


def risk_figure(asked: Where, before: Where | None, subtitle: str, colour: Colours) -> Figure:
    """What each estimator leaves of the squared error, along the chosen axis, at this and at a pinned setting."""
    frame, along = asked.curves, asked.against
    across = _size_axis(asked) if along == "norm" else _share_axis(asked.low)
    least = min(frame[list(DRAWN)].to_numpy().min() * 1.05, *asked.shares.values())
    upward = log_axis("squared error ÷ the release’s", decades(-2, 1, least)[0], 1) | {"tickformat": ""}
    upward["range"] = [upward["range"][0], 1.5]
    figure = layout(
        colour, "What each leaves of the squared error", subtitle, across | hover_head(_SYMBOLS[along]), upward
    )
    _mark_harm(figure, colour)
    traces = [] if before is None else _ghosts(before, frame, colour)
    traces += [_curve(frame, along, key, colour) for key in DRAWN]
    bound = line(frame[along], frame[_BOUND], "its bound", shade("soft_universal", colour), "dot", hoverinfo="skip")
    traces.append(bound | {"showlegend": False, "line": bound["line"] | {"width": 1.2}})
    figure["annotations"] += [_label(frame, along, key, upward["range"], colour) for key in _DIRECT]
    value = asked.norm if along == "norm" else asked.nonzero
    if before is not None:
        old = before.norm if along == "norm" else before.nonzero
        kept_line(figure, colour, old if old >= 10 ** across["range"][0] else 0)
    drawn = value if value >= 10 ** across["range"][0] * (1 - 1e-9) else 0.0
    hairline(figure, colour, drawn, f"{_SYMBOLS[along]} = {given_up(value)}", along)
    return {"data": traces, "layout": figure}


def _size_axis(asked: Where) -> dict[str, Any]:
    low, high = asked.ends
    axis = log_axis(_SIZE_LABEL, math.ceil(low), math.floor(high))
    return axis | {"range": [low, high]}


def _share_axis(low: float) -> dict[str, Any]:
    axis = log_axis("share of the numbers that are not 0", math.ceil(low), 0)
    return axis | {"range": [low, 0]}


def _curve(frame: pd.DataFrame, along: str, key: str, colour: Colours) -> dict[str, Any]:
    made = line(frame[along], frame[key], SHORT[key], shade(key, colour), dash(key), hovertemplate="%{y:.3~g}")
    return made | {"showlegend": key in _IN_LEGEND}


def _ghosts(before: Where, frame: pd.DataFrame, colour: Colours) -> list[dict[str, Any]]:
    """The pinned setting's curves, where they are others."""
    old = before.curves
    kept = [key for key in RIVALS if len(old) != len(frame) or not np.allclose(old[key], frame[key])]
    return [line(old[before.against], old[key], "pinned", "", "solid") | ghost(colour) for key in kept]


def _mark_harm(figure: Figure, colour: Colours) -> None:
    """Shade where an estimator is worse than the release, and say so."""
    red, green, blue = (int(colour["fails"][place : place + 2], 16) for place in (1, 3, 5))
    area = {"type": "rect", "xref": "x domain", "x0": 0, "x1": 1, "y0": 1, "y1": 100, "layer": "below"}
    figure["shapes"].append(area | {"fillcolor": f"rgba({red},{green},{blue},.1)", "line": {"width": 0}})
    note = {"showarrow": False, "xref": "x domain", "x": 0.01, "xanchor": "left", "font": {"size": TYPE}}
    worse = {"text": "✗ worse than the release", "y": 0.99, "yref": "y domain", "yanchor": "top"}
    figure["annotations"] += [
        note | worse | {"font": {"size": TYPE, "color": colour["fails"]}},
        note | {"text": "as released", "y": 0, "yanchor": "top", "font": {"size": TYPE, "color": colour["grey"]}},
    ]


def _label(frame: pd.DataFrame, along: str, key: str, reach: list[float], colour: Colours) -> dict[str, Any]:
    """The name of a curve where it is farthest from the others and inside the picture."""
    others = [other for other in (*DRAWN, *_DIRECT) if other != key]
    own, apart = np.log10(frame[key].to_numpy()), np.log10(frame[others].to_numpy())
    gap = apart - own[:, None]
    above = np.where(gap >= 0, gap, np.inf).min(axis=1)
    below = np.where(gap <= 0, -gap, np.inf).min(axis=1)
    above, below = np.minimum(above, reach[1] - own), np.minimum(below, own - reach[0])
    middle = slice(len(own) // 6, -(len(own) // 6) or None)
    room = np.maximum(above, below)[middle]
    place = int(np.argmax(room)) + (len(own) // 6)
    up = above[place] >= below[place]
    ink = shade("soft_universal" if key == _BOUND else key, colour)
    where = {"x": float(np.log10(frame[along].to_numpy()[place])), "y": float(own[place])}
    look = {"showarrow": False, "yanchor": "bottom" if up else "top", "yshift": 3 if up else -3}
    return {"text": _DIRECT[key], "font": {"size": TYPE, "color": ink}} | where | look


def map_figure(
    asked: Where, before: Where | None, table: tuple[float, float] | None, subtitle: str, colour: Colours
) -> Figure:
    """Who leaves the least over size and share not 0, with the setting, the pinned one, and the page's table."""
    frame = asked.winners
    norm, share = np.unique(frame["norm"]), np.unique(frame["nonzero"])
    low = math.log10(share[0])
    figure = layout(colour, "Who leaves the least of the squared error", subtitle, _size_axis(asked), _share_axis(low))
    figure["hovermode"] = "closest"
    keys = (*RIVALS, "none")
    winner = pd.Categorical(frame["winner"], keys).codes.reshape(len(share), len(norm))
    shades = [_tint(key, colour) for key in keys]
    scale = [[(place + step) / len(keys), ink] for place, ink in enumerate(shades) for step in (0, 1)]
    traces = [
        {
            "type": "heatmap",
            "x": compact(norm),
            "y": compact(share),
            "z": compact(winner),
            "zmin": -0.5,
            "zmax": len(keys) - 0.5,
            "colorscale": scale,
            "showscale": False,
            "text": [
                [_hover(key, left) for key, left in zip(row, lefts, strict=True)] for row, lefts in _rows(frame, norm)
            ],
            "hovertemplate": "size %{x:.3~g}, not 0 %{y:.3~g}<br>%{text}<br>click to set both<extra></extra>",
        }
    ]
    traces += [_patch(key, ink, colour) for key, ink in zip(keys, shades, strict=True) if key in {*frame["winner"]}]
    marks = [(asked.norm, asked.nonzero, "here", "star", colour["text"])]
    marks += [] if before is None else [(before.norm, before.nonzero, "pinned", "star-open", colour["text"])]
    marks += [] if table is None else [(*table, "your table", "diamond", colour["text"])]
    traces += [_mark(*each, asked.ends, low, colour) for each in marks]
    return {"data": traces, "layout": figure}


def _rows(frame: pd.DataFrame, norm: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    winner, share = (frame[key].to_numpy().reshape(-1, len(norm)) for key in ("winner", "share"))
    return list(zip(winner, share, strict=True))


def _hover(key: str, left: float) -> str:
    return f"{SHORT[key]}: {left:.2f}" if key != "none" else "nothing takes 1 % off"


def _tint(key: str, colour: Colours) -> str:
    """The colour of a region, mixed with the paper's so that it is the same in the legend."""
    paper = (255, 255, 255) if colour["text"] == theme.COLOURS["light"]["text"] else (17, 21, 26)
    ink, part = shade(key, colour), _OPACITY.get(key, 0.4)
    mixed = (
        round(part * int(ink[place : place + 2], 16) + (1 - part) * base)
        for place, base in zip((1, 3, 5), paper, strict=True)
    )
    return f"rgb({','.join(map(str, mixed))})"


def _patch(key: str, ink: str, colour: Colours) -> dict[str, Any]:
    """The entry of a region in the legend."""
    name = "nothing takes 1 % off" if key == "none" else SHORT[key]
    marker = {"symbol": "square", "size": 13, "color": ink, "line": {"width": 1, "color": colour["quiet"]}}
    return {"type": "scatter", "mode": "markers", "name": name, "x": [None], "y": [None], "marker": marker}


def _mark(
    norm: float,
    nonzero: float,
    name: str,
    symbol: str,
    ink: str,
    ends: tuple[float, float],
    low: float,
    colour: Colours,
) -> dict[str, Any]:
    """A place on the map, or at its edge where it lies beyond."""
    x = min(max(math.log10(norm) if norm > 0 else -math.inf, ends[0]), ends[1])
    y = min(max(math.log10(nonzero), low), 0)
    side = "left" if x > (ends[0] + ends[1]) / 2 else "right"
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": compact([10**x]),
        "y": compact([10**y]),
        "text": [f"<b>{name}</b>"],
        "textposition": f"middle {side}",
        "textfont": {"size": TYPE, "color": colour["text"]},
        "marker": {"symbol": symbol, "size": 14, "color": ink, "line": {"width": 1, "color": ink}},
        "showlegend": False,
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
