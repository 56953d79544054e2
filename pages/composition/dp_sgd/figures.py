"""The pictures of DP-SGD: ε over epochs, the noise over the batch, and how far RDP is off."""

import math
from typing import Any

import numpy as np

from pages.composition.accountants.figures import LOOKS
from pages.composition.dp_sgd.map_results import NOISES, RATES, Ratios
from pages.composition.dp_sgd.results import Along, Batches, Training, batch_decades, reach
from pages.composition.parameters import MOST_RUNS
from pages.framework.chart.theme import (
    TYPE,
    bands,
    compact,
    decades,
    ghost,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    pinned_line,
    round_axis_end,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    percent_down,
)

LEVELS = (1.05, 1.1, 1.2, 1.5, 2.0, 3.0)  # of RDP ÷ exact, on the map
TOO_LITTLE = 0.99  # CLT ÷ exact, from which on downward it is hatched
_STROKES = 70  # of the hatching
_ACROSS, _UP = 29, 17  # strokes on the map


def steps_figure(
    now: Training, along: Along, kept: tuple[Training, Along] | None, subtitle: str, colour: Colours
) -> Figure:
    """ε over epochs exactly, by RDP and by the CLT, with the hatched red strip that the CLT leaves out."""
    top = round_axis_end(1.04 * float(along.rdp[-1]))
    if kept is not None:
        top = max(top, round_axis_end(1.04 * kept[0].epsilon))
    most = reach(now)
    x_axis = {"range": [0, most], "title": {"text": f"epochs ({_per_epoch(now)} steps each)"}} | hover_head("epochs")
    figure = layout(colour, "ε over the epochs", subtitle, x_axis, {"range": [0, top], "title": {"text": "ε (nats)"}})
    traces = [] if kept is None else [line(kept[1].epochs, kept[1].exact, "pinned", "", "solid") | ghost(colour)]
    if (along.clt < along.exact).any():
        traces.append(_hatching(along, most, colour))
    for key, name in (("rdp", "RDP, an upper bound"), ("exact", "exact"), ("clt", _clt_name(now, along))):
        look = {"width": 3.5 if key == "exact" else 2.5, "shape": "spline"}
        drawn = line(along.epochs, getattr(along, key), name, colour[LOOKS[key][0]], LOOKS[key][1])
        traces.append(drawn | {"hovertemplate": "%{y:.4~g}", "line": drawn["line"] | look})
    traces.append(_point(now.epochs, now.epsilon, colour))
    _target(figure, now, top, colour)
    if kept is not None:
        pinned_line(figure, colour, min(kept[0].epochs, most))
    at_limit = now.steps == MOST_RUNS and now.solve == "steps"  # The search ended there; more epochs may be possible.
    epochs = (format_down if now.solve == "steps" else format_input_up)(now.epochs)
    label = f"epochs: at least {epochs}" if at_limit else f"epochs = {epochs}"
    hairline(figure, colour, now.epochs, label, "" if now.solve == "steps" else "epochs")
    return {"data": traces, "layout": figure}


def _per_epoch(now: Training) -> str:
    return format_nearest(1 / now.rate, 4)


def _clt_name(now: Training, along: Along) -> str:
    if now.clt < now.exact:
        return f"✗ CLT, here {percent_down(1 - now.clt / now.exact, 2)} too small"
    return "✗ CLT, too small where red" if (along.clt < along.exact).any() else "CLT, no bound"


def _hatching(along: Along, most: float, colour: Colours) -> dict[str, Any]:
    """Strokes between the CLT and the exact ε where the CLT is below it."""
    x = np.linspace(most / _STROKES, most, _STROKES)
    low, high = (np.interp(x, along.epochs, each) for each in (along.clt, along.exact))
    there = (low < high) & (x >= along.epochs[0])
    lean = most / _STROKES / 2
    strokes = np.stack([x - lean, x, np.full(x.size, np.nan)], axis=-1)[there].ravel()
    heights = np.stack([low, high, np.full(x.size, np.nan)], axis=-1)[there].ravel()
    drawn = line(strokes, heights, "", colour["fails"], "solid", hoverinfo="skip", showlegend=False)
    return drawn | {"line": {"color": colour["fails"], "width": 2}}


def _point(x: float, y: float, colour: Colours) -> dict[str, Any]:
    """The training as a point."""
    marker = {"size": 11, "color": colour["text"]}
    return line([x], [y], "yours", colour["text"], "solid", hoverinfo="skip", mode="markers", marker=marker)


def _target(figure: Figure, now: Training, top: float, colour: Colours) -> None:
    """The ε that is to be kept, where it was asked for."""
    if now.solve == "epsilon" or now.target > top:
        return
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": now.target, "y1": now.target}
    figure["shapes"].append(span | {"line": {"color": colour["text"], "width": 1, "dash": "dot"}})
    note = {"text": f"target ε = {format_input_up(now.target)}", "showarrow": False, "xref": "x domain", "x": 0.99}
    anchor = "top" if now.target > 0.1 * top else "bottom"  # below the line, which the curves have crossed by then
    note |= {"y": now.target, "xanchor": "right", "yanchor": anchor, "font": {"size": TYPE}}
    figure["annotations"].append(note)


def batch_figure(
    now: Training, over: Batches, kept: tuple[Training, Batches] | None, subtitle: str, colour: Colours
) -> Figure:
    """The noise over the batch with which the same ε is kept, exactly and by RDP."""
    there = over.exact[np.isfinite(over.exact)]
    ends = decades(0, 1, now.noise, *(float(each) for each in (there[:1], there[-1:]) for each in each))
    x_axis = log_axis("expected batch", *batch_decades(now)) | hover_head("batch")
    figure = layout(
        colour, "Noise that keeps the same ε, over the batch", subtitle, x_axis, log_axis("noise multiplier", *ends)
    )
    traces = [] if kept is None else [line(kept[1].batch, kept[1].exact, "pinned", "", "solid") | ghost(colour)]
    for key, name in (("rdp", "RDP asks for"), ("exact", "exact")):
        drawn = line(over.batch, getattr(over, key), name, colour[LOOKS[key][0]], LOOKS[key][1])
        more = {"customdata": compact(getattr(over, key) / over.batch)}
        more |= {"hovertemplate": "%{y:.4~g}, %{customdata:.3~g} on the mean gradient"}
        traces.append(drawn | more | {"line": drawn["line"] | {"shape": "spline"}})
    traces.append(_point(now.batch, now.noise, colour))
    if kept is not None:
        pinned_line(figure, colour, kept[0].batch)
    label = f"batch = {(format_input_down if now.solve == 'rate' else format_input_up)(now.batch)}"
    hairline(figure, colour, now.batch, label, "" if now.solve == "rate" else "batch")
    return {"data": traces, "layout": figure}


def map_figure(now: Training, result: Ratios, subtitle: str, colour: Colours) -> Figure:
    """How many times the exact ε RDP asks for, over rate and noise; strokes where the CLT is too small by a percent."""
    rates = log_axis("sampling rate q = batch ÷ N", round(math.log10(RATES[0])), 0)
    noises = log_axis("noise multiplier", 0, 1, marks=(0.4, 0.5, 0.7, 1, 2, 3, 5, 7, 10))
    noises["range"] = [math.log10(NOISES[0] * 0.9), math.log10(NOISES[-1] * 1.1)]
    figure = layout(colour, "RDP ÷ exact ε, and where the CLT is too small", subtitle, rates, noises)
    figure |= {"hovermode": "closest", "margin": figure["margin"] | {"b": 70}}
    field = {"type": "contour", "x": compact(RATES), "y": compact(NOISES)}
    traces = [_bands(field, result, colour), _too_little(result, colour)]
    x, y = (float(np.clip(each, grid[0], grid[-1])) for each, grid in ((now.rate, RATES), (now.noise, NOISES)))
    marker = {"symbol": "star", "size": 15, "color": colour["text"], "line": {"width": 1, "color": colour["ghost"]}}
    star = _point(x, y, colour) | {"marker": marker, "showlegend": False}
    return {"data": [*traces, star], "layout": figure}


def _bands(field: dict[str, Any], result: Ratios, colour: Colours) -> dict[str, Any]:
    ramp = _RAMPS[colour["green"]]
    band = np.interp(np.log(np.maximum(result.rdp, 1)), np.log([1, *LEVELS, 10]), np.arange(-1, len(LEVELS) + 1))
    band[np.isnan(result.rdp)] = np.nan
    look = field | bands(LEVELS, ramp, colour)
    return look | {
        "z": compact(band),
        "customdata": compact(np.stack([result.rdp, result.clt], axis=-1)),
        "hovertemplate": "q = %{x:.3~g}, noise %{y:.3~g}<br>RDP ÷ exact ≈ %{customdata[0]:.3~f}"
        "<br>CLT ÷ exact ≈ %{customdata[1]:.3~f}<extra></extra>",
    }


def _too_little(result: Ratios, colour: Colours) -> dict[str, Any]:
    """Strokes over the area where the CLT is too small."""
    rates, noises = np.geomspace(RATES[0], RATES[-1], _ACROSS), np.geomspace(NOISES[0], NOISES[-1], _UP)
    columns = np.array([np.interp(np.log(rates), np.log(RATES), row) for row in result.clt])
    fine = np.array([np.interp(np.log(noises), np.log(NOISES), column) for column in columns.T]).T
    rows, places = np.nonzero(fine < TOO_LITTLE)
    marker = {"symbol": "line-ne-open", "size": 10, "color": colour["fails"]}
    marker["line"] = {"width": 1.5, "color": colour["fails"]}
    drawn = line(rates[places], noises[rows], "", colour["fails"], "solid", mode="markers", marker=marker)
    return drawn | {"hoverinfo": "skip", "showlegend": False}


_RAMPS = {  # by the theme's green, which is RDP's
    "#00755A": ("#F0F8F5", "#DCEFE8", "#BCE0D3", "#8FCBB7", "#57AE93", "#1F8A6C", "#005F49"),
    "#45CFA0": ("#13211C", "#1A3129", "#204639", "#28604C", "#307E63", "#39A27E", "#5FE3B5"),
}
