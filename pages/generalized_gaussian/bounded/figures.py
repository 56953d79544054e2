"""Pictures of noise within bounds: densities with their end masses, errors over the true value, and every scale b."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian.bounded_comparison import MECHANISMS
from pages.framework.chart.theme import (
    TYPE,
    compact,
    ghost,
    hairline,
    hover_head,
    layout,
    line,
    round_axis_end,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.generalized_gaussian.chart_style import axis_title as head

LOOKS = {  # one colour a noise, a dash for each way to its scale
    "truncated": ("purple", "solid"),
    "published": ("purple", "dash"),
    "bit": ("rose", "solid"),
    "clipped": ("grey", "dot"),
    "exponential": ("teal", "dashdot"),
    "lemma": ("teal", "longdash"),
}
_IN_ERRORS = ("truncated", "published", "bit", "clipped")
MEASURES = {"rmse": "root mean squared error", "bias": "bias"}
_SHORT = {"rmse": "RMS error", "bias": "bias"}


def density_figure(
    frame: pd.DataFrame,
    masses: dict[str, tuple[float, float]],
    value: float,
    subtitle: str,
    colour: Colours,
    kept: pd.DataFrame | None = None,
) -> Figure:
    """What each mechanism releases at one true value: densities, and stems for the probabilities of the bounds.

    The densities of a kept setting are grey.
    """
    places = frame["x"].to_numpy()
    low, high = places[0], places[-1]
    pad = 0.03 * (high - low)
    highest = max(float(np.max(frame[key])) for key in _drawn(frame, masses))
    figure = layout(
        colour,
        f"What is released when the truth is {number_format.format_input_up(value)}",
        subtitle,
        {"range": [low - pad, high + pad], "title": head("release (query units)")} | hover_head("release"),
        {"range": [0, round_axis_end(highest)], "title": head("density (per query unit)")},
    )
    figure["yaxis2"] = {
        "overlaying": "y",
        "side": "right",
        "range": [0, 1],
        "tickvals": [0, 0.25, 0.5, 0.75, 1],
        "ticktext": ["0", "25 %", "50 %", "75 %", "100 %"],
        "tickfont": {"size": TYPE},
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
        "title": head("probability of a bound (stems)"),
    }
    traces = pinned_lines(kept, "x", _drawn(kept, masses) if kept is not None else (), colour)
    for key in _drawn(frame, masses):
        shade, dash = colour[LOOKS[key][0]], LOOKS[key][1]
        name = NAMES[key]
        if key in masses:
            ends = [float(mass) for mass in masses[key]]
            at = np.array([low, high]) + (0.5 * pad if key == "clipped" else 0) * np.array([-1, 1])
            traces.append(_stems(at, ends, name, shade, key))
        traces.append(_line(places, frame[key].to_numpy(), name, shade, dash, hovertemplate="%{y:.4g}"))
    hairline(figure, colour, value, f"s = {number_format.format_input_up(value)}", "true_value")
    return {"data": traces, "layout": figure}


def pinned_lines(kept: pd.DataFrame | None, x: str, columns: Iterable[str], colour: Colours) -> list[dict[str, Any]]:
    """The curves of a kept setting, if there is one."""
    if kept is None:
        return []
    at = kept[x].to_numpy()
    return [_line(at, kept[key].to_numpy(), "pinned", "", "") | ghost(colour) for key in columns]


def error_figure(
    frame: pd.DataFrame,
    measure: str,
    value: float,
    subtitle: str,
    colour: Colours,
    kept: pd.DataFrame | None = None,
) -> Figure:
    """The bias or the root mean squared error of each mechanism over the true value, of all but the exponential one."""
    places = frame["value"].to_numpy()
    name = MEASURES[measure]
    columns = [f"{key}_{measure}" for key in _IN_ERRORS]
    most = max(float(np.max(abs(frame[column]))) for column in columns)
    reach = round_axis_end(most) if most > 0 else 1.0
    figure = layout(
        colour,
        f"{name[0].upper()}{name[1:]} over the true value",
        subtitle,
        {
            "range": [places[0], places[-1]],
            "title": head("true value s of the statistic (query units)"),
        }
        | hover_head("s"),
        {"range": [0 if measure == "rmse" else -reach, reach], "title": head(f"{_SHORT[measure]} (query units)")}
        | ({} if measure == "rmse" else {"zeroline": True, "zerolinecolor": colour["quiet"]}),
    )
    traces = pinned_lines(kept, "value", columns, colour) + [
        _line(
            places,
            frame[f"{key}_{measure}"].to_numpy(),
            NAMES[key],
            colour[LOOKS[key][0]],
            LOOKS[key][1],
            hovertemplate="%{y:.4g}",
        )
        for key in _IN_ERRORS
    ]
    hairline(figure, colour, value, f"s = {number_format.format_input_up(value)}", "true_value")
    return {"data": traces, "layout": figure}


NAMES = {mechanism.key: mechanism.name for mechanism in MECHANISMS}


def _drawn(frame: pd.DataFrame, masses: dict[str, tuple[float, float]]) -> list[str]:
    """The mechanisms of a frame, those with stems last."""
    return sorted((key for key in NAMES if key in frame), key=lambda key: key in masses)


def _stems(at: Array, masses: list[float], name: str, shade: str, key: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": f"{name}: a bound",
        "x": np.repeat(at, 3),
        "y": compact([0, masses[0], np.nan, 0, masses[1], np.nan]),
        "yaxis": "y2",
        "line": {"color": shade, "width": 2, "dash": LOOKS[key][1]},
        "marker": {
            "color": shade,
            "symbol": "circle" if key == "bit" else "diamond",
            "size": [0, 10, 0, 0, 10, 0],
        },
        "customdata": [number_format.percent(masses[place // 3], 3) for place in range(6)],
        "hovertemplate": "%{customdata}",
        "showlegend": False,
    }


def _line(x: Array, y: Array, name: str, shade: str, dash: str, **more: Any) -> dict[str, Any]:
    """A line whose places keep their digits where the bounds are close for their size."""
    trace = line(x, y, name, shade, dash, **more)
    return trace | {"x": x} if np.ptp(x) < 1e-4 * np.max(np.abs(x)) else trace
