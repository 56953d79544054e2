"""The picture of Experiment 5.1: classical over analytic variance along ε or δ."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore.calibrations import FAILS, WITHIN
from dpcore.checks import Array
from pages.denoising.variance import DELTAS, EPSILONS, Curve
from pages.shared import text
from pages.shared.common import Setting
from pages.shared.export import Colours, Figure
from pages.shared.theme import TYPE, decades, ghost, hairline, hover_head, kept_line, layout, line, log_axis

_ENDS = (10.0, 100.0, 1e3, 1e4, 1e6, 1e9)  # of the axis of ratios: it moves seldom
_MARKS = (0.5, 1, 1.5, 2, 3, 5, 10)
_BOTTOM = 0.4
_DASHES = ("dash", "dot", "dashdot", "longdash")
_SYMBOLS = {"epsilon": "ε", "delta": "δ"}


def ratio_figure(
    own: Curve | None,
    others: Sequence[Curve],
    pinned: Curve | None,
    along: str,
    settings: tuple[Setting, Setting | None],
    subtitle: str,
    colour: Colours,
) -> Figure:
    """The ratio along ε or δ (`along`), strong for the page's own curve; `settings` are the page's and the kept one."""
    now, kept = settings
    value = getattr(now, along)
    drawn = [*others, *([own] if own else [])]
    x_axis = _x_axis(along, value)
    title = "How many times the needed variance the classical noise has"
    figure = layout(colour, title, subtitle, x_axis, _ratio_axis(drawn))
    _levels(figure, along, colour)
    x = EPSILONS if along == "epsilon" else DELTAS
    traces = [line(x, pinned.ratio, "pinned", "", "solid") | ghost(colour)] if pinned else []
    for place, each in enumerate(others):
        traces += _curve(x, each, along, (colour["classical"], _DASHES[place], 2.0), colour)
    if own is not None:
        traces += _curve(x, own, along, (colour["classical"], "solid", 3.5), colour)
    if any((each.word == FAILS).any() for each in drawn):
        _too_little(figure, colour)
    hairline(figure, colour, value, f"{_SYMBOLS[along]} = {text.given_up(value)}", along)
    if kept is not None:
        kept_line(figure, colour, getattr(kept, along))
    return {"data": traces, "layout": figure}


def _x_axis(along: str, value: float) -> dict[str, Any]:
    if along == "epsilon":
        return log_axis("privacy loss bound ε (nats)", *decades(-3, 2, value)) | hover_head("ε")
    return log_axis("excess probability δ", *decades(-12, 0, value)) | hover_head("δ")


def _ratio_axis(drawn: Sequence[Curve]) -> dict[str, Any]:
    highest = max((float(each.ratio.max()) for each in drawn), default=1.0)
    top = next((end for end in _ENDS if highest <= end), highest)
    far = [10.0**decade for decade in range(2, math.ceil(math.log10(top)) + 1)]
    near = _MARKS if top <= 100 else (1, 2, 5, 10) if top <= 1e4 else (1, 10)
    marks = (*near, *far[:: max(1, len(far) // 6)])
    axis = log_axis("classical variance ÷ analytic variance", 0, 1, marks=marks)
    return axis | {"range": [math.log10(_BOTTOM), math.log10(top)]}


def _levels(figure: Figure, along: str, colour: Colours) -> None:
    """Lines where nothing and where a third is removed, the latter with its word where no curve runs."""
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "layer": "below"}
    for height, width in ((1.0, 1.5), (1.5, 1)):
        figure["shapes"].append(span | {"y0": height, "y1": height, "line": {"color": colour["quiet"], "width": width}})
    note = {"text": "above: at least a third removed", "showarrow": False, "xref": "paper", "y": math.log10(1.5)}
    side = {"x": 1, "xanchor": "right"} if along == "epsilon" else {"x": 0, "xanchor": "left"}
    note |= {"yanchor": "bottom", "font": {"size": TYPE, "color": colour["quiet"]}}
    figure["annotations"].append(note | side)


def _too_little(figure: Figure, colour: Colours) -> None:
    note = {"text": "✗ below 1: too little noise", "showarrow": False, "xref": "paper", "y": math.log10(_BOTTOM)}
    side = {"x": 0, "xanchor": "left"}
    note |= {"yanchor": "bottom", "font": {"size": TYPE, "color": colour["fails"]}}
    figure["annotations"].append(note | side)


def _curve(x: Array, curve: Curve, along: str, look: tuple[str, str, float], colour: Colours) -> list[dict[str, Any]]:
    """A line where the classical σ is proved, dotted where it is only enough, red crosses where it is too small."""
    shade, dash, width = look
    name = f"{'δ' if along == 'epsilon' else 'ε'} = {text.given_up(curve.value)}"
    hover = {"hovertemplate": "%{y:.4~g} ×", "legendgroup": name}
    outside, failing = curve.word == WITHIN, curve.word == FAILS
    proved = ~(outside | failing)
    style = {"line": {"color": shade, "dash": dash, "width": width}}
    traces = []
    if proved.any():
        traces.append(line(x, np.where(proved, curve.ratio, np.nan), name, shade, dash, **hover, **style))
    for part, tint, word in ((outside, shade, "not proved"), (failing, colour["fails"], "too little")):
        if part.any():
            reach = part | np.roll(part, -1)
            reach[-1] = part[-1]
            more = hover | {"showlegend": not traces, "line": {"color": tint, "dash": "dot", "width": width}}
            if part is failing:
                more |= {"mode": "lines+markers", "marker": {"symbol": "x", "size": 7, "maxdisplayed": 7}}
            named = f"{name}: {word}" if traces else name
            traces.append(line(x, np.where(reach, curve.ratio, np.nan), named, tint, "dot", **more))
    return traces
