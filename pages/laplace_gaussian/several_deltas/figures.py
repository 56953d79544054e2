"""Liu's Figs. 4 and 5: how the tails of both noises compare, and what the same tail costs, for several δ."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.calibrations import Calibration
from dpcore.checks import Array
from pages.framework.chart.theme import decades, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.laplace_gaussian.chart_style import distance_axis, mark_distance
from pages.laplace_gaussian.chart_style import pinned_look as ghost

_STRENGTHS = (0.4, 0.52, 0.64, 0.76, 0.88, 1.0)


def ratio_figure(
    frame: pd.DataFrame, ghosts: pd.DataFrame | None, t: float, subtitle: str, gaussian: Calibration, colour: Colours
) -> Figure:
    """Liu's Fig. 4: p₁:p₂ over |t| at the same ε, a curve for each δ, grey where both tails are below the cutoff.

    `ghosts` has the curve of a kept setting.
    """
    names = ("Laplace's tail ÷ Gaussian's (Liu, Fig. 4)", "p₁ ÷ p₂ at the same ε")
    likely = frame["ratio"].to_numpy()[~frame["unlikely"].to_numpy()]
    ends = decades(-1, 2, float(likely[likely > 1e-12].min(initial=1)))
    return _several_figure(frame, "ratio", ends, ghosts, t, (*names, subtitle), colour[gaussian.key], colour)


def cost_figure(
    frame: pd.DataFrame, ghosts: pd.DataFrame | None, t: float, subtitle: str, gaussian: Calibration, colour: Colours
) -> Figure:
    """Liu's Fig. 5: the Gaussian's ε over Laplace's at the same tail at |t|, a curve for each δ.

    `ghosts` has the curve of a kept setting.
    """
    names = ("Privacy cost of the same tail (Liu, Fig. 5)", "Gaussian's ε ÷ Laplace's ε")
    return _several_figure(frame, "cost", (-2, 2), ghosts, t, (*names, subtitle), colour[gaussian.key], colour)


def _several_figure(
    frame: pd.DataFrame,
    column: str,
    ends: tuple[int, int],
    ghosts: pd.DataFrame | None,
    mark: float,
    names: tuple[str, str, str],
    shade: str,
    colour: Colours,
) -> Figure:
    """A column over |t| for every δ of a frame, grey where it is unlikely, with the line at 1 and a marked distance.

    `names` are the title, the label of the axis and the subtitle.
    """
    t, value, unlikely = (frame[name].to_numpy() for name in ("t", column, "unlikely"))
    low, high = ends
    title, label, subtitle = names
    figure = layout(colour, title, subtitle, distance_axis(t[-1]), log_axis(label, low, high))
    traces = []
    if ghosts is not None:
        old = ghosts[column].to_numpy()
        traces.append(line(ghosts["t"], _shown(old, low, high), "pinned", "", "solid") | ghost(colour))
    deltas = list(dict.fromkeys(frame["delta"]))
    size = t.size // len(deltas)
    for place, delta in enumerate(deltas):
        part = slice(place * size, (place + 1) * size)
        strength = _STRENGTHS[round(place * (len(_STRENGTHS) - 1) / max(len(deltas) - 1, 1))]
        look = (f"δ = {number_format.format_input_up(delta)}", shade, _dash(place))
        shown = _shown(value[part], low, high)
        traces += _likely_and_not(t[part], shown, unlikely[part], look, strength, colour)
    one = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 1, "y1": 1}
    figure["shapes"].append(one | {"line": {"color": colour["text"], "width": 1}})
    mark_distance(figure, colour, mark)
    return {"data": traces, "layout": figure}


def _likely_and_not(
    t: Array, value: Array, grey: NDArray[np.bool_], look: tuple[str, str, str], strength: float, colour: Colours
) -> list[dict[str, Any]]:
    """A curve in two parts: in its colour where a tail is likely, grey where none is."""
    name, shade, dash = look
    join = grey & np.roll(~grey, 1)  # the first unlikely point also ends the likely line
    join[0] = False
    strong = {"opacity": strength, "hovertemplate": "%{y:.4~g}"}
    weak = {"showlegend": False, "hoverinfo": "skip"}
    return [
        line(t, np.where(grey & ~join, np.nan, value), name, shade, dash, **strong),
        line(t, np.where(grey, value, np.nan), name, colour["ghost"], dash, **weak),
    ]


def _shown(value: Array, low: int, high: int) -> Array:
    """Values far beyond the axis left out."""
    return np.where((value > 10.0 ** (low - 2)) & (value < 10.0 ** (high + 2)), value, np.nan)


def _dash(place: int) -> str:
    return ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "6px,2px")[place]
