"""The charts of the Gaussian bounds: σ against ε and δ, ratios, privacy profiles."""

from typing import Any

import numpy as np
import pandas as pd

from dpcore.calibrations import ANALYTIC, LOWER
from dpcore.comparison import BOUNDS
from pages.framework.chart.theme import decades, hairline, hover_head, layout, line, log_axis, pinned_line
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.formulas import short_name
from pages.shared.looks import LOOKS
from pages.shared.shared_parameters import SharedSetting
from pages.shared.status_lines import status_lines

_DOTTED = "Dotted: outside the theorem. Red ×: guarantee violated. Grey: no Gaussian satisfies the guarantee."
_SHARES_OF_TARGET = 0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0
_CURVE_BOUNDS = tuple(
    bound for bound in BOUNDS if bound.key != "classical_tight"
)  # hardly distinguishable from the classical one


def sigma_figure(
    frame: pd.DataFrame,
    x: str,
    setting: SharedSetting,
    colours: Colours,
    pinned: pd.DataFrame | None,
    pinned_setting: SharedSetting | None = None,
) -> Figure:
    """Draw σ of every bound against ε or δ (`x`), both on log axes, with the current setting marked."""
    sensitivity = setting.l2_sensitivity
    current, symbol = (setting.epsilon, "ε") if x == "epsilon" else (setting.delta, "δ")
    fixed = (
        f"δ = {number_format.format_input_up(setting.delta)}"
        if x == "epsilon"
        else f"ε = {number_format.format_input_up(setting.epsilon)}"
    )
    level = int(np.ceil(np.log10(sensitivity)))
    figure = layout(
        colours,
        f"Noise σ against {symbol}",
        f"{fixed}, ℓ₂ sensitivity {number_format.format_input_down(sensitivity)}. {_DOTTED}",
        (
            log_axis("privacy loss parameter ε (nats)", *decades(-3, 2, current))
            if x == "epsilon"
            else log_axis("excess probability δ", *decades(-12, 0, current))
        )
        | hover_head(symbol),
        log_axis("σ (query units)", level - 2, level + 4),
    )
    hairline(figure, colours, current, f"{symbol} = {number_format.format_input_up(current)}", x)
    if pinned_setting is not None:
        pinned_line(figure, colours, pinned_setting.epsilon if x == "epsilon" else pinned_setting.delta)
    return {"data": _bound_traces(frame, x, "sigma", "σ ≈ %{y:.4g}", colours, pinned), "layout": figure}


def ratio_figure(
    frame: pd.DataFrame,
    limit: float,
    setting: SharedSetting,
    colours: Colours,
    pinned: pd.DataFrame | None,
    pinned_setting: SharedSetting | None = None,
) -> Figure:
    """Draw σ of every bound over the analytic σ against ε; beyond the ε `limit` the classical σ fails.

    1 is the least noise that satisfies the guarantee. The ratio axis has one of four fixed ends, so that it does not
    change along ε nor over most of δ.
    """
    highest = frame["ratio"].to_numpy().max()
    top = next((end for end in (3, 10, 100) if highest <= end), 1000)
    marks = tuple(mark for mark in (0.5, 1, 2, 3, 5, 10, 100, 1000) if mark <= top)
    figure = layout(
        colours,
        "Noise of each bound relative to the minimum",
        f"δ = {number_format.format_input_up(setting.delta)}. "
        f"The classical σ is enough up to ε = {number_format.format_down(limit)}. {_DOTTED}",
        log_axis("privacy loss parameter ε (nats)", *decades(-3, 2, setting.epsilon)) | hover_head("ε"),
        log_axis("σ ÷ analytic σ", 0, 1, marks=marks) | {"range": [np.log10(0.4), np.log10(top)]},
    )
    hairline(figure, colours, setting.epsilon, f"ε = {number_format.format_input_up(setting.epsilon)}", "epsilon")
    if pinned_setting is not None:
        pinned_line(figure, colours, pinned_setting.epsilon)
    return {"data": _bound_traces(frame, "epsilon", "ratio", "%{y:.4g} ×", colours, pinned), "layout": figure}


def profile_figure(
    frame: pd.DataFrame,
    failing: set[str],
    ends: tuple[float, float],
    setting: SharedSetting,
    colours: Colours,
    pinned: pd.DataFrame | None,
) -> Figure:
    """Draw the true δ of each σ over the target δ, near the target: slack below 1 at its ε, failure above.

    `ends` are the decimal logarithms of the ends of the ε axis.
    """
    epsilon, delta = setting.epsilon, setting.delta
    low, high = (10.0**end for end in ends)
    marks = tuple(step * 10.0**power for power in range(-5, 9) for step in (1, 2, 3, 5, 7))
    along = log_axis("ε (nats)", 0, 1, marks=tuple(mark for mark in marks if low <= mark <= high))
    figure = layout(
        colours,
        "True δ of each σ ÷ the target",
        f"σ chosen for ε = {number_format.format_input_up(epsilon)}, δ = {number_format.format_input_up(delta)}. "
        "Below 1 at this ε it has slack; above 1, it fails.",
        along | {"range": [*ends]} | hover_head("ε"),
        log_axis("true δ ÷ target δ", -3, 3, marks=_SHARES_OF_TARGET),
    )
    pinned_traces = [] if pinned is None else _profile_traces(pinned, set(), colours, _pinned_look(colours))
    traces = [trace | {"name": "pinned"} for trace in pinned_traces]
    traces += _profile_traces(frame, failing, colours, {})
    if not frame["delta_over_target"].between(_SHARES_OF_TARGET[0], _SHARES_OF_TARGET[-1]).any():
        note = {"text": "every true δ is far from the target here", "x": 0.5, "y": 0.7, "showarrow": False}
        figure["annotations"].append(note | {"xref": "paper", "yref": "paper"})
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": 1, "y1": 1}
    figure["shapes"].append(level | {"line": {"color": colours["quiet"], "width": 1}})
    hairline(figure, colours, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    if epsilon > 0:
        target = line([epsilon], [1], "target", colours["text"], "solid", hovertemplate="the target")
        star = {"symbol": "star", "size": 13, "color": colours["text"]}
        traces.append(target | {"mode": "markers", "marker": star})
    return {"data": traces, "layout": figure}


def _profile_traces(
    frame: pd.DataFrame, failing: set[str], colours: Colours, look: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the profile of every bound, red where the bound fails, or all in one look."""
    traces = []
    parts = _columns_by_bound(frame, "epsilon", "delta_over_target")
    for bound in _CURVE_BOUNDS:
        if bound.key in parts:
            fails = bound.key in failing
            row, shade = parts[bound.key], colours["fails" if fails else bound.key]
            positive = np.where(row["delta_over_target"] > 1e-300, row["delta_over_target"], np.nan)
            name = f"{short_name(bound)}: FAILS" if fails else short_name(bound)
            style = {"colour": shade, "dash": LOOKS[bound.key].dash, "hovertemplate": "%{y:.4g} ×"} | look
            traces.append(line(row["epsilon"], positive, name, **style))
    return traces


def _columns_by_bound(frame: pd.DataFrame, *columns: str) -> dict[str, dict[str, np.ndarray]]:
    """Return the columns of the rows of each bound, as arrays."""
    arrays = {column: frame[column].to_numpy() for column in columns}
    bounds = frame["bound"].to_numpy(dtype=object)
    return {key: {name: array[bounds == key] for name, array in arrays.items()} for key in dict.fromkeys(bounds)}


def _pinned_look(colours: Colours) -> dict[str, Any]:
    """Return the look of the curves of a pinned setting."""
    shade = colours["ghost"]
    thin = {"color": shade, "dash": "solid", "width": 1.5}
    return {"colour": shade, "dash": "solid", "line": thin, "showlegend": False, "hoverinfo": "skip"}


def _bound_traces(
    frame: pd.DataFrame, x: str, y: str, hover: str, colours: Colours, pinned: pd.DataFrame | None
) -> list[dict[str, Any]]:
    """Return a line for every bound, in the looks of its verdicts; the lower bound is the edge of an area."""
    traces = []
    if pinned is not None:
        pinned_columns = _columns_by_bound(pinned, x, y)
        pinned_curves = [pinned_columns[bound.key] for bound in _CURVE_BOUNDS if bound.key in pinned_columns]
        traces = [line(rows[x], rows[y], "pinned", **_pinned_look(colours)) for rows in pinned_curves]
    parts = _columns_by_bound(frame, x, y, "status")
    for bound in _CURVE_BOUNDS:
        if bound.key not in parts:
            continue
        rows = parts[bound.key]
        along, value, status = rows[x], rows[y], rows["status"]
        shade, dash, name = colours[bound.key], LOOKS[bound.key].dash, short_name(bound)
        shared: dict[str, Any] = {"hovertemplate": hover, "legendgroup": bound.key}
        if bound is LOWER:
            area = {"fill": "tozeroy", "fillcolor": colours["floor"], "line": {"color": shade, "width": 1}}
            traces.append(line(along, value, name, shade, dash, **shared, **area))
            continue
        style = {"color": shade, "dash": dash, "width": 3.5 if bound is ANALYTIC else 2.5}
        traces += status_lines(along, value, status, name, style, colours, **shared)
    return traces
