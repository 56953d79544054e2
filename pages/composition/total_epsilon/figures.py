"""The picture of what each line of the list costs: what leaving it out saves, within what it costs alone."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from pages.composition.total_epsilon.results import Cost
from pages.framework.chart.theme import TYPE, hairline, layout, pinned_line, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.mechanism_colours import COLOURS

_NAME_LENGTH = 22  # of a line's name beside its bar
_HANDLE = 26  # px above the axis, where the handle of ε ends


def costs_figure(
    names: Sequence[str], cost: Cost, epsilon: float, kept: Cost | None, subtitle: str, colour: Colours
) -> Figure:
    """A bar for each line, the first on top; `epsilon` is the page's, `kept` what the kept setting costs."""
    known = [each.together for each in (cost, kept) if each is not None and math.isfinite(each.together)]
    reach = round_axis_end(1.12 * max(known, default=epsilon))
    x_axis = {"range": [0, reach], "title": {"text": "ε (nats)"}}
    rows = len(names)
    y_axis = {"range": [rows - 0.4, -0.6], "showgrid": False, "fixedrange": True}
    y_axis |= {
        "tickvals": list(range(rows)),
        "ticktext": [number_format.chart_text(name, _NAME_LENGTH) for name in names],
    }
    figure = layout(colour, "What leaving out each line would save", subtitle, x_axis, y_axis)
    figure["height"] = max(figure["height"], 190 + 24 * rows)  # for names in one line each
    figure |= {"hovermode": "closest", "barmode": "overlay", "bargap": 0.35}
    figure["margin"] = figure["margin"] | {"r": 20}
    traces = [
        _bars(names, cost.alone, "alone, at the same δ", colour["floor"], "alone ε = %{customdata}", _alone, reach),
        _bars(names, cost.saved, "saved by leaving it out", colour["analytic"], "saves %{customdata}", _saved, reach),
    ]
    if math.isfinite(cost.together):
        _mark(figure, cost.together, f"together ε = {number_format.format_up(cost.together)}", colour)
    hairline(figure, colour, min(epsilon, reach), f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    if kept is not None and math.isfinite(kept.together):
        pinned_line(figure, colour, kept.together)
    return {"data": traces, "layout": figure}


def _alone(epsilon: float) -> str:
    return number_format.format_up(epsilon) if math.isfinite(epsilon) else "none"


def _saved(epsilon: float) -> str:
    return number_format.format_nearest(epsilon) if math.isfinite(epsilon) else "all"


def _bars(
    names: Sequence[str],
    values: Sequence[float],
    name: str,
    colour: str,
    hover: str,
    shown: Callable[[float], str],
    most: float,
) -> dict[str, Any]:
    """A bar for each line, none longer than the axis."""
    return {
        "type": "bar",
        "orientation": "h",
        "x": [min(value, most) for value in values],
        "y": list(range(len(names))),
        "name": name,
        "marker": {"color": colour},
        "customdata": [shown(value) for value in values],
        "hovertext": [number_format.chart_text(name) for name in names],
        "hovertemplate": f"%{{hovertext}}: {hover}<extra></extra>",
    }


def _mark(figure: Figure, value: float, label: str, colour: Colours) -> None:
    """A strong line where all lines together are."""
    style = {"color": colour["text"], "width": 2}
    span = {"x0": value, "x1": value, "y0": 0, "y1": 1, "yref": "y domain"}
    figure["shapes"].append({"type": "line", "line": style} | span)
    note = {"text": label, "showarrow": False, "font": {"size": TYPE}, "x": value, "xanchor": "right"}
    note |= {"y": 0, "yref": "y domain", "yanchor": "bottom", "xshift": -4}
    note |= {"yshift": _HANDLE, "bgcolor": "#FFFFFF" if colour == COLOURS["light"] else "#11151A"}
    figure["annotations"].append(note)
