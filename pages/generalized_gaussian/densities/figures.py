"""The picture of the densities of the shapes."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array
from pages.framework.chart.theme import compact, ghost, hairline, hover_head, layout, line, log_axis, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.generalized_gaussian import grids
from pages.generalized_gaussian.cached_results import unit_sizes
from pages.generalized_gaussian.chart_style import DASHES, mixed_shade
from pages.generalized_gaussian.least_noise import LEAST_VARIANCE, TRUNCATED
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.shared.looks import LOOKS

_LEAST_DELTA = 1e-299  # of a line; what is below is 0 rounded up


def axis_end(shapes: tuple[float, ...], scales: Array) -> float:
    """Return the end of the axis: all but 2 in 1000 of the widest noise lie within it."""
    return round_axis_end(float(np.max(scales * unit_sizes("accuracy", shapes, 2e-3))))


def density_figure(
    setting: GeneralizedGaussianSetting,
    x: Array,
    rows: Array,
    subtitle: str,
    colours: Colours,
    pinned: Array | None,
    least_x: Array,
    least: dict[str, Array],
) -> Figure:
    """Draw a line for the density of each p, a row each: the chosen one is thicker, that of a pinned setting grey.

    `least` has, at `least_x`, the densities of the noise of least variance and of truncated Laplace noise, by name.
    """
    end = float(x[-1])
    highest = max(float(np.max(pdf)) for pdf in (rows, *least.values()))
    figure = layout(
        colours,
        "Density of the noise",
        subtitle,
        {"range": [-end, end], "title": {"text": "noise (query units)"}} | hover_head("noise"),
        {"range": [0, round_axis_end(highest) if highest > 0 else 1], "title": {"text": "density (per query unit)"}},
    )
    traces = [] if pinned is None else [line(x, pinned, "pinned", "", "") | ghost(colours)]
    for place, (p, density) in enumerate(zip(setting.all_shapes, rows, strict=True)):
        name, shade, dash = _shape_style(p, place, len(rows), colours)
        width = {"line": {"color": shade, "dash": dash, "width": 4 if p == setting.p else 2}}
        traces.append(line(x, density, name, shade, dash, hovertemplate="%{y:.4g}", **width))
    traces += _least_traces(least_x, least, colours)
    return {"data": traces, "layout": figure}


def profile_figure(
    setting: GeneralizedGaussianSetting,
    epsilon: Array,
    rows: Array,
    subtitle: str,
    colours: Colours,
    pinned: Array | None,
    others: dict[str, Array],
) -> Figure:
    """Draw the δ of each p over ε, a row each, and the point (ε, δ) of the guarantee, over which a handle is laid.

    `others` has, over the same ε, the δ of truncated Laplace noise by its name, where it is drawn.
    """
    epsilon_ends, delta_ends = grids.profile_ends(setting.epsilon, setting.delta)
    x = log_axis("privacy loss parameter ε (nats)", *epsilon_ends) | hover_head("ε")
    figure = layout(colours, "The whole guarantee: δ at every ε", subtitle, x, log_axis("δ", *delta_ends))
    figure["meta"] = {"point": True}
    hairline(figure, colours, setting.epsilon, f"ε = {number_format.format_input_up(setting.epsilon)}", "epsilon")
    hover = {"hovertemplate": "δ ≈ %{y:.3g}"}
    traces: list[dict[str, Any]] = []
    if pinned is not None:
        traces.append(_profile_line(epsilon, pinned[0], "pinned", "", "") | ghost(colours))
    for place, (p, delta) in enumerate(zip(setting.all_shapes, rows, strict=True)):
        name, shade, dash = _shape_style(p, place, len(rows), colours)
        look = {"line": {"color": shade, "dash": dash, "width": 4 if p == setting.p else 2}}
        traces.append(_profile_line(epsilon, delta, name, shade, dash, **look, **hover))
    shade, dash = colours["truncated_laplace"], LOOKS["truncated_laplace"].dash
    traces += [_profile_line(epsilon, values, name, shade, dash, **hover) for name, values in others.items()]
    if setting.epsilon > 0:
        ring = {"color": colours["text"], "size": 12, "symbol": "circle-open", "line": {"width": 3}}
        point = {"type": "scatter", "mode": "markers", "name": "your ε and δ", "marker": ring, "hoverinfo": "skip"}
        traces.append(point | {"x": compact([setting.epsilon]), "y": compact([setting.delta]), "cliponaxis": False})
    return {"data": traces, "layout": figure}


def _profile_line(epsilon: ArrayLike, delta: Array, name: str, shade: str, dash: str, **style: Any) -> dict[str, Any]:
    """Return the line of a profile, which ends where δ is 0."""
    return line(epsilon, np.where(delta > _LEAST_DELTA, delta, np.nan), name, shade, dash, **style)


def _least_traces(x: Array, densities: dict[str, Array], colours: Colours) -> list[dict[str, Any]]:
    """Return the lines of the noise of least variance and of truncated Laplace noise."""
    looks = {
        LEAST_VARIANCE: (colours["text"], "solid", 1.5),
        TRUNCATED: (colours["truncated_laplace"], LOOKS["truncated_laplace"].dash, 2),
    }
    traces = []
    for name, density in densities.items():
        shade, dash, width = looks[name]
        style = {"line": {"color": shade, "dash": dash, "width": width}, "hovertemplate": "%{y:.4g}"}
        traces.append(line(x, density, name, shade, dash, **style))
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
