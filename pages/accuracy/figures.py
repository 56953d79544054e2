"""What the figures over ε have in common: their layout, the lines of the mechanisms, and marks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpcore.calibrations import FAILS, LAPLACE, WITHIN
from dpcore.checks import Array
from pages.accuracy.recommendation import MechanismRow
from pages.accuracy.results import Curve
from pages.framework.chart.theme import TYPE, decades, ghost, hairline, hover_head, layout, line, log_axis
from pages.framework.export.exhibit import Colours
from pages.framework.parameters import number_format
from pages.shared.looks import LOOKS
from pages.shared.status_lines import status_lines

_EPSILON = "privacy loss ε"
_DOTTED = "Dotted: outside the theorem. Red ×: guarantee violated."


@dataclass(frozen=True)
class Mark:
    """The setting in a figure: its ε or, where ε is the answer, the target half-width and the rows that answer it."""

    epsilon: float
    target: float | None
    rows: Sequence[MechanismRow]
    unit: str


def epsilon_layout(title: str, subtitle: str, y_axis: dict[str, Any], mark: Mark, colours: Colours) -> dict[str, Any]:
    """Return a layout over ε, with a handle at the current ε unless the half-width is the target."""
    x_axis = log_axis(_EPSILON, *decades(-3, 2, mark.epsilon)) | hover_head("ε")
    figure = layout(colours, title, number_format.chart_text(subtitle), x_axis, y_axis)
    if mark.target is None:
        hairline(figure, colours, mark.epsilon, f"ε = {number_format.format_input_up(mark.epsilon)}", "epsilon")
    return figure


def with_line_styles(subtitle: str, curves: Sequence[Curve]) -> str:
    """Return a subtitle that says what dots and crosses mean, where there are any."""
    outside = any(((curve.status == WITHIN) | (curve.status == FAILS)).any() for curve in curves)
    return f"{subtitle}. {_DOTTED}" if outside else subtitle


def pinned_trace(epsilon: Array, value: Array, colours: Colours) -> dict[str, Any]:
    """Return the line of a pinned setting."""
    return line(epsilon, value, "pinned", "", "") | ghost(colours)


def mark_pinned_epsilon(figure: dict[str, Any], epsilon: float, colours: Colours) -> None:
    """Mark the ε of a pinned setting."""
    if epsilon > 0:
        span = {"type": "line", "x0": epsilon, "x1": epsilon, "y0": 0, "y1": 1, "yref": "y domain", "layer": "below"}
        figure["shapes"].append(span | {"line": {"color": colours["ghost"], "width": 2}})


def curve_traces(curve: Curve, values: Array, hover: str, colours: Colours) -> list[dict[str, Any]]:
    """Return a mechanism's line in the looks of its verdicts, stepped for whole-numbered noise."""
    rule = curve.rule
    style = {"color": colours[rule.key], "dash": LOOKS[rule.key].dash, "width": 4 if rule is LAPLACE else 2.5}
    style |= {"shape": "hv"} if rule.whole else {}
    return status_lines(curve.epsilon, values, curve.status, rule.name, style, colours, hovertemplate=hover)


def mark_value(figure: dict[str, Any], value: float, label: str, style: dict[str, Any]) -> None:
    """Mark a value of a log y axis with a line across the plot."""
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": value, "y1": value, "line": style}
    figure["shapes"].append(span)
    note = {"text": label, "showarrow": False, "x": 1, "xref": "x domain", "xanchor": "right", "yanchor": "bottom"}
    figure["annotations"].append(note | {"y": math.log10(value), "font": {"size": TYPE}})
