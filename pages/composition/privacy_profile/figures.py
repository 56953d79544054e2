"""The figure of δ(ε) of the whole list: the least proved δ, and the bounds of RDP and zCDP beside it."""

from typing import Any

import numpy as np

from dpcore.checks import Array
from pages.composition.accountants.figures import accountant_line
from pages.composition.privacy_profile.results import Profile, ProfilePoints
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

_LOWEST_DECADE = -300  # the power of ten at which the axis of δ ends at the latest


def profile_figure(
    profile: Profile,
    points: ProfilePoints,
    settings: tuple[SharedSetting, SharedSetting | None],
    pinned: Profile | None,
    subtitle: str,
    colours: Colours,
) -> Figure:
    """Draw δ over ε on a log axis; `settings` are the page's setting and the pinned one."""
    setting, pinned_setting = settings
    end = float(profile.epsilon[-1])
    x_axis = {"range": [0, end], "title": {"text": "ε (nats)"}} | hover_head("ε")
    low, high = decades(-12, 0, setting.delta, *([pinned_setting.delta] if pinned_setting else []))
    y_axis = log_axis("δ", max(low, _LOWEST_DECADE), high)
    figure = layout(colours, "Privacy profile of the whole list: δ over ε", subtitle, x_axis, y_axis)
    exact = "exact" if profile.is_exact else "least upper bound"
    traces = [line(pinned.epsilon, _above_axis(pinned.least), "pinned", "", "solid") | ghost(colours)] if pinned else []
    traces += [
        _profile_curve(profile.epsilon, values, name, key, colours)
        for key, name, values in (
            ("zcdp", "zCDP", profile.zcdp),
            ("rdp", "RDP", profile.rdp),
            ("exact", exact, profile.least),
        )
        if np.isfinite(values).any()
    ]
    traces.append(_setting_points(points, setting, end, colours))
    _delta_level(figure, setting.delta, colours)
    hairline(figure, colours, min(setting.epsilon, end), _epsilon_label(setting.epsilon, end), "epsilon")
    if pinned_setting is not None:
        pinned_line(figure, colours, pinned_setting.epsilon)
    return {"data": traces, "layout": figure}


def _epsilon_label(epsilon: float, end: float) -> str:
    return f"ε = {number_format.format_input_up(epsilon)}{' →' if epsilon > end else ''}"


def _above_axis(values: Array) -> Array:
    return np.where(values >= 10.0**_LOWEST_DECADE, values, np.nan)


def _profile_curve(epsilon: Array, values: Array, name: str, key: str, colours: Colours) -> dict[str, Any]:
    return accountant_line(key, epsilon, _above_axis(values), name, colours, hovertemplate="δ %{y:.4~g}")


def _setting_points(points: ProfilePoints, setting: SharedSetting, end: float, colours: Colours) -> dict[str, Any]:
    """Return the points of the page's ε and δ on the curve, without those beyond the axis."""
    pairs = [(setting.epsilon, points.delta), (points.epsilon, setting.delta)]
    visible = [(x, y) for x, y in pairs if x <= end and y >= 10.0**_LOWEST_DECADE]
    labels = [f"at ε = {number_format.format_up(x)}: δ at most {number_format.format_up(y)}" for x, y in visible]
    marker = {"size": 11, "color": colours["text"], "symbol": "circle"}
    trace = {"type": "scatter", "mode": "markers", "name": "your ε, your δ", "marker": marker, "showlegend": False}
    trace |= {"x": compact([x for x, _ in visible]), "y": compact([y for _, y in visible])}
    return trace | {"customdata": labels, "hovertemplate": "%{customdata}<extra></extra>"}


def _delta_level(figure: Figure, delta: float, colours: Colours) -> None:
    """Draw a thin line at the page's δ."""
    style = {"color": colours["quiet"], "dash": "dash", "width": 1}
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
