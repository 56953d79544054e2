"""The pictures of Liu's Figs. 4 and 5: the ratio of both tails, and the cost of the same tail, for several δ."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.calibrations import Calibration
from dpcore.checks import Array
from pages.framework.chart.theme import decades, ghost, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.distance_axis import distance_axis, mark_distance

_STRENGTHS = (0.4, 0.52, 0.64, 0.76, 0.88, 1.0)


def ratio_figure(
    frame: pd.DataFrame, pinned: pd.DataFrame | None, t: float, subtitle: str, gaussian: Calibration, colours: Colours
) -> Figure:
    """Draw p₁:p₂ over |t| at the same ε, a curve for each δ, grey where both tails are below the cutoff.

    `pinned` has the curve of a pinned setting.
    """
    names = ("Laplace’s tail ÷ Gaussian’s tail (Liu 2019, Fig. 4)", "p₁ ÷ p₂ at the same ε")
    likely = frame["ratio"].to_numpy()[~frame["unlikely"].to_numpy()]
    ends = decades(-1, 2, float(likely[likely > 1e-12].min(initial=1)))
    return _curves_figure(frame, "ratio", ends, pinned, t, (*names, subtitle), colours[gaussian.key], colours)


def cost_figure(
    frame: pd.DataFrame, pinned: pd.DataFrame | None, t: float, subtitle: str, gaussian: Calibration, colours: Colours
) -> Figure:
    """Draw the Gaussian's ε over Laplace's at the same tail at |t|, a curve for each δ.

    `pinned` has the curve of a pinned setting.
    """
    names = ("Privacy cost of the same tail (Liu 2019, Fig. 5)", "Gaussian’s ε ÷ Laplace’s ε")
    return _curves_figure(frame, "cost", (-2, 2), pinned, t, (*names, subtitle), colours[gaussian.key], colours)


def _curves_figure(
    frame: pd.DataFrame,
    column: str,
    ends: tuple[int, int],
    pinned: pd.DataFrame | None,
    mark: float,
    names: tuple[str, str, str],
    shade: str,
    colours: Colours,
) -> Figure:
    """Draw a column over |t| for every δ of a frame, grey where it is unlikely, with a line at 1 and a marked distance.

    `names` are the title, the label of the axis and the subtitle.
    """
    t, value, unlikely = (frame[name].to_numpy() for name in ("t", column, "unlikely"))
    low, high = ends
    title, label, subtitle = names
    figure = layout(colours, title, subtitle, distance_axis(float(t[-1])), log_axis(label, low, high))
    traces = []
    if pinned is not None:
        pinned_values = pinned[column].to_numpy()
        pinned_line = line(pinned["t"], _near_axis(pinned_values, low, high), "pinned", "", "solid")
        traces.append(pinned_line | ghost(colours) | {"showlegend": True})
    deltas = list(dict.fromkeys(frame["delta"]))
    size = t.size // len(deltas)
    for place, delta in enumerate(deltas):
        part = slice(place * size, (place + 1) * size)
        strength = _STRENGTHS[round(place * (len(_STRENGTHS) - 1) / max(len(deltas) - 1, 1))]
        look = (f"δ = {number_format.format_input_up(delta)}", shade, _line_dash(place))
        visible = _near_axis(value[part], low, high)
        traces += _likely_and_unlikely_lines(t[part], visible, unlikely[part], look, strength, colours)
    reference = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 1, "y1": 1}
    figure["shapes"].append(reference | {"line": {"color": colours["text"], "width": 1}})
    mark_distance(figure, colours, mark)
    return {"data": traces, "layout": figure}


def _likely_and_unlikely_lines(
    t: Array, value: Array, grey: NDArray[np.bool_], look: tuple[str, str, str], strength: float, colours: Colours
) -> list[dict[str, Any]]:
    """Return a curve in two parts: coloured where a tail is likely, grey where neither is."""
    name, shade, dash = look
    strong = {"opacity": strength, "hovertemplate": "%{y:.4~g}"}
    weak = {"showlegend": False, "hoverinfo": "skip"}
    return [
        line(t, np.where(grey, np.nan, value), name, shade, dash, **strong),
        line(t, np.where(grey, value, np.nan), name, colours["ghost"], dash, **weak),
    ]


def _near_axis(value: Array, low: int, high: int) -> Array:
    """Return the values without those far beyond the axis."""
    return np.where((value > 10.0 ** (low - 2)) & (value < 10.0 ** (high + 2)), value, np.nan)


def _line_dash(place: int) -> str:
    return ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "6px,2px")[place]
