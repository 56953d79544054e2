"""The pictures of the errors and the densities within bounds."""

from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from pages.framework.chart.theme import TYPE, compact, hairline, hover_head, layout, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.bounded.chart_style import LOOKS, NAMES, pinned_lines, precise_line

_IN_ERRORS = ("truncated", "published", "bit", "clipped")
MEASURES = {"rmse": "root mean squared error", "bias": "bias"}
_SHORT_MEASURES = {"rmse": "RMS error", "bias": "bias"}


def density_figure(
    frame: pd.DataFrame,
    masses: dict[str, tuple[float, float]],
    value: float,
    subtitle: str,
    colours: Colours,
    pinned: pd.DataFrame | None = None,
) -> Figure:
    """Draw the density of the release at one true value, and stems for the probabilities of the bounds.

    The densities of a pinned setting are grey.
    """
    places = frame["x"].to_numpy()
    low, high = places[0], places[-1]
    pad = 0.03 * (high - low)
    highest = max(float(np.max(frame[key])) for key in _ordered_mechanisms(frame, masses))
    figure = layout(
        colours,
        f"What is released when the truth is {number_format.format_input_up(value)}",
        subtitle,
        {"range": [low - pad, high + pad], "title": {"text": "release (query units)"}} | hover_head("release"),
        {"range": [0, round_axis_end(highest)], "title": {"text": "density (per query unit)"}},
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
        "title": {"text": "probability of a bound (stems)", "font": {"size": TYPE}, "standoff": 8},
    }
    traces = pinned_lines(pinned, "x", _ordered_mechanisms(pinned, masses) if pinned is not None else (), colours)
    for key in _ordered_mechanisms(frame, masses):
        shade, dash = colours[LOOKS[key][0]], LOOKS[key][1]
        name = NAMES[key]
        if key in masses:
            ends = [float(mass) for mass in masses[key]]
            at = np.array([low, high]) + (0.5 * pad if key == "clipped" else 0) * np.array([-1, 1])
            traces.append(_bound_stems(at, ends, name, shade, key))
        traces.append(precise_line(places, frame[key].to_numpy(), name, shade, dash, hovertemplate="%{y:.4g}"))
    hairline(figure, colours, value, f"s = {number_format.format_input_up(value)}", "true_value")
    return {"data": traces, "layout": figure}


def error_figure(
    frame: pd.DataFrame,
    measure: str,
    value: float,
    subtitle: str,
    colours: Colours,
    pinned: pd.DataFrame | None = None,
) -> Figure:
    """Draw the bias or the root mean squared error over the true value, of all but the exponential mechanism."""
    places = frame["value"].to_numpy()
    measure_name = MEASURES[measure]
    columns = [f"{key}_{measure}" for key in _IN_ERRORS]
    largest = max(float(np.max(abs(frame[column]))) for column in columns)
    end = round_axis_end(largest) if largest > 0 else 1.0
    figure = layout(
        colours,
        f"{measure_name[0].upper()}{measure_name[1:]} over the true value",
        subtitle,
        {
            "range": [places[0], places[-1]],
            "title": {"text": "true value s of the statistic (query units)"},
        }
        | hover_head("s"),
        {
            "range": [0 if measure == "rmse" else -end, end],
            "title": {"text": f"{_SHORT_MEASURES[measure]} (query units)"},
        }
        | ({} if measure == "rmse" else {"zeroline": True, "zerolinecolor": colours["quiet"]}),
    )
    traces = pinned_lines(pinned, "value", columns, colours) + [
        precise_line(
            places,
            frame[f"{key}_{measure}"].to_numpy(),
            NAMES[key],
            colours[LOOKS[key][0]],
            LOOKS[key][1],
            hovertemplate="%{y:.4g}",
        )
        for key in _IN_ERRORS
    ]
    hairline(figure, colours, value, f"s = {number_format.format_input_up(value)}", "true_value")
    return {"data": traces, "layout": figure}


def _ordered_mechanisms(frame: pd.DataFrame, masses: dict[str, tuple[float, float]]) -> list[str]:
    """Return the mechanisms of a frame, those that clip last."""
    return sorted((key for key in NAMES if key in frame), key=lambda key: key in masses)


def _bound_stems(at: Array, masses: list[float], name: str, shade: str, key: str) -> dict[str, Any]:
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
