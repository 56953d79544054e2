"""The figure of Experiment 5.1: the share of the classical variance that exact calibration removes, along ε or δ."""

from collections.abc import Sequence
from typing import Any

from dpcore.calibrations import FAILS, PROVED, WITHIN
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
from pages.papers.balle_variance.results import RatioCurve
from pages.shared.shared_parameters import SharedSetting
from pages.shared.status_lines import status_lines

_BOTTOM, _TOP = -0.5, 1.02  # of the axis
_MARKS = {-0.5: "−50 %", 0: "0 %", 1 / 3: "a third", 0.5: "50 %", 0.8: "80 %", 0.9: "90 %", 1: "100 %"}
_DASHES = ("dash", "dashdot", "longdash", "longdashdot")
_SYMBOLS = {"epsilon": "ε", "delta": "δ"}
_LABELS = ((PROVED, ""), (WITHIN, ": not proved"), (FAILS, ": too little"))


def removed_figure(
    own: RatioCurve | None,
    other_curves: Sequence[RatioCurve],
    pinned: RatioCurve | None,
    along: str,
    setting: SharedSetting,
    pinned_setting: SharedSetting | None,
    subtitle: str,
    colours: Colours,
) -> Figure:
    """Draw the share removed along `along`."""
    value = getattr(setting, along)
    curves = [*other_curves, *([own] if own else [])]
    x_axis = _curve_x_axis(along, value)
    title = "Share of the classical variance that exact calibration removes"
    figure = layout(colours, title, subtitle, x_axis, _removed_axis())
    _mark_levels(figure, colours)
    traces = [line(pinned.x, pinned.removed, "pinned", "", "solid") | ghost(colours)] if pinned else []
    for place, curve in enumerate(other_curves):
        traces += _curve_traces(curve, along, (colours["analytic"], _DASHES[place], 2.0), colours)
    if own is not None:
        traces += _curve_traces(own, along, (colours["analytic"], "solid", 3.5), colours)
    if any((curve.status == FAILS).any() for curve in curves):
        _mark_failure(figure, colours)
    hairline(figure, colours, value, f"{_SYMBOLS[along]} = {number_format.format_input_up(value)}", along)
    if pinned_setting is not None:
        pinned_line(figure, colours, getattr(pinned_setting, along))
    return {"data": traces, "layout": figure}


def _curve_x_axis(along: str, value: float) -> dict[str, Any]:
    if along == "epsilon":
        return log_axis("privacy loss parameter ε (nats)", *decades(-3, 2, value)) | hover_head("ε")
    return log_axis("excess probability δ", *decades(-12, 0, value)) | hover_head("δ")


def _removed_axis() -> dict[str, Any]:
    axis = {"range": [_BOTTOM, _TOP], "tickvals": list(_MARKS), "ticktext": list(_MARKS.values())}
    return axis | {"title": {"text": "share of the variance removed"}}


def _mark_levels(figure: Figure, colours: Colours) -> None:
    """Draw lines where nothing and where a third is removed."""
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "layer": "below"}
    for height, width in ((0.0, 1.5), (1 / 3, 1)):
        line_style = {"color": colours["quiet"], "width": width}
        figure["shapes"].append(span | {"y0": height, "y1": height, "line": line_style})


def _mark_failure(figure: Figure, colours: Colours) -> None:
    note = {"text": "✗ below 0: too little noise", "showarrow": False, "xref": "paper", "y": _BOTTOM}
    side = {"x": 0, "xanchor": "left", "yanchor": "bottom", "font": {"size": TYPE, "color": colours["fails"]}}
    figure["annotations"].append(note | side)


def _curve_traces(
    curve: RatioCurve, along: str, look: tuple[str, str, float], colours: Colours
) -> list[dict[str, Any]]:
    """Return the curve in the looks of the verdicts on the classical σ."""
    shade, dash, width = look
    name = f"{'δ' if along == 'epsilon' else 'ε'} = {number_format.format_input_up(curve.value)}"
    hover = {"hovertemplate": "%{y:.1%} removed, %{customdata:.4~g} ×", "customdata": compact(curve.ratio)}
    hover |= {"legendgroup": name}
    style = {"color": shade, "dash": dash, "width": width}
    return status_lines(curve.x, curve.removed, curve.status, name, style, colours, _LABELS, **hover)
