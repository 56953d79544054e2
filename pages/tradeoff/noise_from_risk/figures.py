"""The charts of the noise that meets a risk: its trade-off curve with the limit, and the noise against the limit."""

from typing import Any

import numpy as np

from dpcore.checks import Array
from dpcore.families import FAMILIES
from pages.framework.chart.theme import hairline, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_down, format_input_down
from pages.tradeoff.figures import guessing_line, markers, plane_layout, positive
from pages.tradeoff.noise_from_risk.results import Columns, RiskNoise
from pages.tradeoff.noise_from_risk.setting_data import OF_NUMBERS, OUTCOME, RiskSetting

NOISE_COLOURS = {key: FAMILIES[key].calibration.key for key in OF_NUMBERS} | {"dp_sgd": "teal", "releases": "teal"}
NOISE_NAMES = {key: f"{FAMILIES[key].words} noise" for key in OF_NUMBERS}
NOISE_NAMES |= {"dp_sgd": "DP-SGD noise", "releases": "my releases"}
SYMBOLS = {key: FAMILIES[key].symbol for key in OF_NUMBERS} | {"dp_sgd": "z", "releases": "factor"}
_UNITS = {"dp_sgd": "noise multiplier z", "releases": "factor on all noise scales"}
HANDLES = {"power": "alpha", "posterior": "alpha", "reconstruction": "baseline"}
_READINGS = {"power": "power", "log": "power", "errors": "missed"}
_LABELS = {"alpha": "α", "baseline": "baseline"}


def curve_figure(noise: RiskNoise, view: str, pinned: RiskNoise | None, subtitle: str, colours: Colours) -> Figure:
    """Draw the curve of the noise, the limit that it touches, and in grey what the detour leaves an attacker."""
    setting, points = noise.setting, noise.points
    figure = plane_layout(colours, "What the best attack reaches under this noise", subtitle, view)
    key = HANDLES.get(setting.kind, "")
    if key:
        at = setting.conditions[-1]
        hairline(figure, colours, at, f"{_LABELS[key]} = {format_input_down(at)}", key)
    if is_height(setting.kind, view):
        figure["meta"] = {"point": True}  # the browser lays a handle over it
    traces = [guessing_line(view, colours)]
    if pinned is not None:
        traces.append(_curve(pinned.points, "power", "pinned", colours["ghost"], "solid", view))
    if noise.has_detour:
        alone, detour = detour_names(noise)
        traces.append(_curve(points, "guarantee_power", alone, colours["quiet"], "longdash", view))
        traces.append(_curve(points, "detour_power", detour, colours["quiet"], "solid", view))
    traces.append(_limit_line(setting, points["alpha"], view, colours))
    shade = colours[NOISE_COLOURS[setting.noise]]
    traces.append(_curve(points, "power", NOISE_NAMES[setting.noise], shade, "solid", view, width=3.5))
    x, power = noise.touching_point
    place = np.array([x]), height(np.array([power]), view)
    ring = {"color": colours["fails"], "size": 12, "symbol": "circle-open", "line": {"width": 3}}
    dot = markers(*place, "limit reached", ring) | {"cliponaxis": False, "hoverinfo": "skip"}
    return {"data": [*traces, dot], "layout": figure}


def detour_names(noise: RiskNoise) -> tuple[str, str]:
    """Return the names of the weakest (ε, δ) guarantee that ensures the limit, and of the noise for it."""
    epsilon = f"ε = {format_down(noise.calibration.detour_epsilon)}"
    return f"guarantee {epsilon} alone", f"noise for {epsilon}"


def _curve(
    points: Columns, column: str, name: str, shade: str, dash: str, view: str, width: float = 2.5
) -> dict[str, Any]:
    x, y = positive(points["alpha"], view), positive(height(points[column], view), view)
    look = {"color": shade, "dash": dash, "width": width}
    return line(
        x, y, name, shade, dash, line=look, hovertemplate=f"{name}: {_READINGS[view]} ≈ %{{y:.4~g}}<extra></extra>"
    )


def is_height(kind: str, view: str) -> bool:
    """Return whether the limit is a height of the picture, so that it can be dragged there."""
    return kind in ("power", "reconstruction") and view != "errors"


def height(power: Array, view: str) -> Array:
    """Return what a view shows of a power: itself, or the missed rest."""
    return 1 - power if view == "errors" else power


def limit_power(setting: RiskSetting, alpha: Array) -> Array:
    """Return the power at every α at which the risk is at its limit; NaN beyond 1."""
    limit = setting.limit
    if setting.kind == "advantage":
        power = alpha + limit
    elif setting.kind == "success":
        prior = setting.conditions[0]
        power = (limit - (1 - prior) * (1 - alpha)) / prior
    elif setting.kind in ("posterior", OUTCOME):
        prior = setting.conditions[0]
        power = limit * (1 - prior) / (prior * (1 - limit)) * alpha
    else:
        power = np.full(alpha.shape, limit)
    return np.where((power >= 0) & (power <= 1), power, np.nan)


def _limit_line(setting: RiskSetting, alpha: Array, view: str, colours: Colours) -> dict[str, Any]:
    y = positive(height(limit_power(setting, alpha), view), view)
    trace = line(positive(alpha, view), y, "limit", colours["fails"], "3px,3px", hoverinfo="skip")
    return trace | {"line": {"color": colours["fails"], "dash": "3px,3px", "width": 1.5}}


def scale_figure(noise: RiskNoise, columns: Columns, limit: tuple[str, str], subtitle: str, colours: Colours) -> Figure:
    """Draw the noise against the limit, calibrated directly and by the detour; the current limit is a handle."""
    setting, (key, label) = noise.setting, limit
    limits, direct, detour = (columns[name] for name in ("limit", "scale", "detour_scale"))
    has_direct, has_detour = np.isfinite(direct), np.isfinite(detour)
    scales = np.concatenate([direct[has_direct], detour[has_detour]])
    low, high = np.log10(scales.min()), np.log10(scales.max())
    ends = min(float(limits[0]), setting.limit), max(float(limits[-1]), setting.limit)
    x = {"range": list(ends), "title": {"text": label}}
    symbol = SYMBOLS[setting.noise]
    y = log_axis(_UNITS.get(setting.noise, f"{symbol} (query units)"), int(np.floor(low)), int(np.ceil(high)))
    figure = layout(colours, "The noise that each limit requires", subtitle, x, y) | {"hovermode": "x unified"}
    hairline(figure, colours, setting.limit, format_input_down(setting.limit), key)
    shade = colours[NOISE_COLOURS[setting.noise]]
    hover = {"hovertemplate": f"{symbol} ≈ %{{y:.4~g}}"}
    traces = [line(limits[has_direct], direct[has_direct], "calibrated to the risk", shade, "solid", **hover)]
    if noise.has_detour:
        x, y = limits[has_detour], detour[has_detour]
        traces.append(line(x, y, "calibrated via (ε, δ)", colours["quiet"], "longdash", **hover))
    return {"data": traces, "layout": figure}
