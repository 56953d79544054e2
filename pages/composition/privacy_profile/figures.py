"""The picture of δ(ε) of the whole list: what is proved at least, and the bounds of RDP and zCDP beside it."""

from typing import Any

import numpy as np

from dpcore.checks import Array
from pages.composition.accountants.figures import LOOKS
from pages.composition.privacy_profile.results import Point, Profile
from pages.framework.chart.theme import (
    TYPE,
    compact,
    decades,
    ghost,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    pinned_line,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.shared_parameters import SharedSetting

_LOWEST = -300  # a power of ten


def profile_figure(
    now: Profile,
    point: Point,
    settings: tuple[SharedSetting, SharedSetting | None],
    kept: Profile | None,
    subtitle: str,
    colour: Colours,
) -> Figure:
    """δ over ε on a log axis; `settings` are the page's and the kept one."""
    here, before = settings
    end = float(now.epsilon[-1])
    x_axis = {"range": [0, end], "title": {"text": "ε (nats)"}} | hover_head("ε")
    low, high = decades(-12, 0, here.delta, *([before.delta] if before else []))
    y_axis = log_axis("δ", max(low, _LOWEST), high)
    figure = layout(colour, "δ of the whole list at every ε", subtitle, x_axis, y_axis)
    exact = "exact" if now.known else "least proved"
    traces = [line(kept.epsilon, _shown(kept.least), "pinned", "", "solid") | ghost(colour)] if kept else []
    traces += [
        _curve(now.epsilon, values, name, key, colour)
        for key, name, values in (("zcdp", "zCDP", now.zcdp), ("rdp", "RDP", now.rdp), ("exact", exact, now.least))
        if np.isfinite(values).any()
    ]
    traces.append(_points(point, here, end, colour))
    _level(figure, here.delta, colour)
    hairline(figure, colour, min(here.epsilon, end), _at(here.epsilon, end), "epsilon")
    if before is not None:
        pinned_line(figure, colour, min(before.epsilon, end))
    return {"data": traces, "layout": figure}


def _at(epsilon: float, end: float) -> str:
    return f"ε = {number_format.format_input_up(epsilon)}{' →' if epsilon > end else ''}"


def _shown(values: Array) -> Array:
    return np.where(values >= 10.0**_LOWEST, values, np.nan)


def _curve(epsilon: Array, values: Array, name: str, key: str, colour: Colours) -> dict[str, Any]:
    shade, dash = LOOKS[key]
    style = {"color": colour[shade], "dash": dash, "width": 3.5 if key == "exact" else 2.5}
    hover = {"hovertemplate": "δ %{y:.4~g}", "line": style}
    return line(epsilon, _shown(values), name, colour[shade], dash, **hover)


def _points(point: Point, here: SharedSetting, end: float, colour: Colours) -> dict[str, Any]:
    """Where the page's ε and the page's δ meet the curve; those beyond the axis are left out."""
    pairs = [(here.epsilon, point.delta), (point.epsilon, here.delta)]
    seen = [(x, y) for x, y in pairs if x <= end and y >= 10.0**_LOWEST]
    said = [f"at ε = {number_format.format_up(x)}: δ at most {number_format.format_up(y)}" for x, y in seen]
    marker = {"size": 11, "color": colour["text"], "symbol": "circle"}
    trace = {"type": "scatter", "mode": "markers", "name": "your ε, your δ", "marker": marker, "showlegend": False}
    trace |= {"x": compact([x for x, _ in seen]), "y": compact([y for _, y in seen])}
    return trace | {"customdata": said, "hovertemplate": "%{customdata}<extra></extra>"}


def _level(figure: Figure, delta: float, colour: Colours) -> None:
    """A thin line at the page's δ."""
    style = {"color": colour["quiet"], "dash": "dash", "width": 1}
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": delta, "y1": delta, "line": style}
    figure["shapes"].append(span)
    note = {
        "text": f"δ = {number_format.format_input_up(delta)}",
        "showarrow": False,
        "xref": "paper",
        "x": 1,
        "xanchor": "right",
    }
    near_top = delta > 0.05
    note |= {"y": float(np.log10(delta)), "yanchor": "top" if near_top else "bottom", "font": {"size": TYPE}}
    figure["annotations"].append(note)
