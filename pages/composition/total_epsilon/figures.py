"""The figure of what each line of the list costs: what leaving it out saves, within its ε alone."""

import math
from collections.abc import Sequence
from typing import Any

from pages.composition.total_epsilon.results import Cost
from pages.framework.chart.theme import TYPE, hairline, layout, pinned_line, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format

_NAME_LENGTH = 20  # characters of each of two lines with the name beside a bar
_HANDLE_HEIGHT = 26  # px from the axis to the upper end of the handle of ε


def costs_figure(
    names: Sequence[str], cost: Cost, epsilon: float, pinned: Cost | None, subtitle: str, colours: Colours
) -> Figure:
    """Draw a bar for each line, the first on top; `epsilon` is the page's, `pinned` the cost of the pinned setting."""
    totals = [item.together for item in (cost, pinned) if item is not None and math.isfinite(item.together)]
    axis_end = round_axis_end(1.12 * max(totals, default=epsilon))
    x_axis = {"range": [0, axis_end], "title": {"text": "ε (nats)"}}
    rows = len(names)
    y_axis = {"range": [rows - 0.4, -0.6], "showgrid": False, "fixedrange": True}
    labels = [number_format.chart_lines(name, _NAME_LENGTH) for name in names]
    y_axis |= {"tickvals": list(range(rows)), "ticktext": labels}
    figure = layout(colours, "ε of each line, and the ε saved by leaving it out", subtitle, x_axis, y_axis)
    row_height = 36 if any("<br>" in label for label in labels) else 24  # px, for the lines of a name
    figure["height"] = max(figure["height"], 190 + row_height * rows)
    figure |= {"hovermode": "closest", "barmode": "overlay", "bargap": 0.35}
    figure["margin"] = figure["margin"] | {"r": 20}
    alone, saved = ([min(value, axis_end) for value in values] for values in (cost.alone, cost.saved))
    traces = [
        _bars(names, alone, "ε of the line alone", "ε = %{customdata} alone")
        | {"marker": {"color": colours["floor"]}, "customdata": [_alone_text(value) for value in cost.alone]},
        _bars(names, saved, "ε saved without the line", "leaving it out saves ε = %{customdata}")
        | {"marker": {"color": colours["analytic"]}, "customdata": [_saved_text(value) for value in cost.saved]},
    ]
    if math.isfinite(cost.together):
        _mark_total(figure, cost.together, f"total ε = {number_format.format_up(cost.together)}", colours)
    hairline(figure, colours, min(epsilon, axis_end), f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    if pinned is not None and math.isfinite(pinned.together):
        pinned_line(figure, colours, pinned.together)
    return {"data": traces, "layout": figure}


def _alone_text(epsilon: float) -> str:
    return number_format.format_up(epsilon) if math.isfinite(epsilon) else "none"


def _saved_text(epsilon: float) -> str:
    return number_format.format_nearest(epsilon) if math.isfinite(epsilon) else "all"


def _bars(names: Sequence[str], values: Sequence[float], name: str, hover: str) -> dict[str, Any]:
    """Return a bar for each line."""
    return {
        "type": "bar",
        "orientation": "h",
        "x": values,
        "y": list(range(len(names))),
        "name": name,
        "hovertext": [number_format.chart_text(name) for name in names],
        "hovertemplate": f"%{{hovertext}}: {hover}<extra></extra>",
    }


def _mark_total(figure: Figure, value: float, label: str, colours: Colours) -> None:
    """Draw a strong line at the ε of all lines together."""
    style = {"color": colours["text"], "width": 2}
    span = {"x0": value, "x1": value, "y0": 0, "y1": 1, "yref": "y domain"}
    figure["shapes"].append({"type": "line", "line": style} | span)
    note = {"text": label, "showarrow": False, "font": {"size": TYPE}, "x": value, "xanchor": "right"}
    note |= {"y": 0, "yref": "y domain", "yanchor": "bottom", "xshift": -4}
    note |= {"yshift": _HANDLE_HEIGHT, "bgcolor": colours["paper"]}
    figure["annotations"].append(note)
