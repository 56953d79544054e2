"""The picture of the densities of the shapes."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore.generalized_gaussian.optimal_shape import size
from pages.framework.chart.theme import ghost, hover_head, layout, line, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.generalized_gaussian.chart_style import DASHES, axis_title, mixed_shade
from pages.generalized_gaussian.least_noise import LEAST_VARIANCE, TRUNCATED
from pages.shared.mechanism_colours import DASHES as MECHANISM_DASHES


def axis_end(shapes: ArrayLike, scales: ArrayLike) -> float:
    """Return the end of the axis: all but 2 in 1000 of the widest noise lie within it."""
    return round_axis_end(min(float(np.max(size("accuracy", scales, shapes, 2e-3))), 1e307))


def density_figure(
    frame: pd.DataFrame,
    chosen: float,
    subtitle: str,
    colours: Colours,
    pinned: pd.DataFrame | None = None,
    least: pd.DataFrame | None = None,
) -> Figure:
    """Draw a line for each p: the chosen one is thicker, that of a pinned setting grey.

    `least` are the densities of the noise of least variance and of truncated Laplace noise.
    """
    frames = [frame] if least is None else [frame, least]
    end = float(np.max(frame["x"].to_numpy()))
    highest = max(float(np.max(part["pdf"].to_numpy())) for part in frames)
    figure = layout(
        colours,
        "Density of the noise",
        subtitle,
        {"range": [-end, end], "title": axis_title("noise (query units)")} | hover_head("noise"),
        {"range": [0, round_axis_end(highest) if highest > 0 else 1], "title": axis_title("density (per query unit)")},
    )
    shapes = list(dict.fromkeys(frame["p"]))
    x, density = (frame[key].to_numpy().reshape(len(shapes), -1) for key in ("x", "pdf"))
    traces = [] if pinned is None else [line(pinned["x"], pinned["pdf"], "pinned", "", "") | ghost(colours)]
    for place, p in enumerate(shapes):
        name, shade, dash = _shape_style(p, place, len(shapes), colours)
        width = {"line": {"color": shade, "dash": dash, "width": 4 if p == chosen else 2}}
        traces.append(line(x[place], density[place], name, shade, dash, hovertemplate="%{y:.4g}", **width))
    if least is not None:
        traces += _least_traces(least, colours)
    return {"data": traces, "layout": figure}


def _least_traces(least: pd.DataFrame, colours: Colours) -> list[dict[str, Any]]:
    """Return the lines of the noise of least variance and of truncated Laplace noise."""
    looks = {
        LEAST_VARIANCE: (colours["text"], "solid", 1.5),
        TRUNCATED: (colours["truncated_laplace"], MECHANISM_DASHES["truncated_laplace"], 2),
    }
    traces = []
    for name, (shade, dash, width) in looks.items():
        part = least[least["noise"] == name]
        style = {"line": {"color": shade, "dash": dash, "width": width}, "hovertemplate": "%{y:.4g}"}
        traces.append(line(part["x"], part["pdf"], name, shade, dash, **style))
    return traces


def _shape_style(p: float, place: int, n: int, colours: Colours) -> tuple[str, str, str]:
    """Return the name, colour and dash of a shape; Laplace and Gaussian noise have their own colours."""
    if p == 1:
        return "p = 1, Laplace", colours["laplace"], "solid"
    if p == 2:
        return "p = 2, Gaussian", colours["analytic"], "solid"
    return (
        f"p = {number_format.format_input_up(p)}",
        mixed_shade(place / max(n - 1, 1), colours),
        DASHES[place % len(DASHES)],
    )
