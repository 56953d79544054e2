"""The lead figure: for each query the error that is wanted and reached, beside what it adds to the total."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pages.framework.chart.theme import TYPE, compact, layout, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.framework.parameters.list_parameter import number_key
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.plan.queries import QUERIES
from pages.plan.query_kinds import HALF_WIDTH, NOISE_NAMES
from pages.plan.results import PlannedQuery, PlanResult
from pages.shared.shared_parameters import EPSILON

_NAME_LENGTH = 16  # characters of a name beside its bars
_SHADES = {"gaussian": "analytic"}  # in the palette, of the mechanisms whose key there differs
_LEFT, _RIGHT = [0, 0.6], [0.68, 1]  # the shares of the width that the errors and the costs have
_TOTAL_NAME = "All together"


def plan_figure(result: PlanResult, subtitle: str, colours: Colours) -> Figure:
    """Draw a pair of bars for each query, and the costs as steps up to the total; a pinned total as a grey line."""
    parts, n_rows = result.planned_queries, len(result.rows)
    places = {row.name: place for place, row in enumerate(result.rows)}
    figure = _layout(result, parts, subtitle, colours)
    at = [places[part.row.name] for part in parts]
    free = [(place, part) for place, part in zip(at, parts, strict=True) if not part.row.item.is_fixed]
    targets = [part.row.item.target for _, part in free]
    shades = [colours[_SHADES.get(part.noise.family, part.noise.family)] for part in parts]
    before = np.cumsum([0.0, *result.cost.tolist()])[:-1]
    traces = [
        _bars("± wanted", targets, [place for place, _ in free], 0.72)
        | {"marker": {"color": colours["floor"]}, "hoverinfo": "skip"},
        _bars("± reached", [_bar_length(part.half_width) for part in parts], at, 0.36)
        | {"marker": {"color": shades}, "customdata": [_hover(part) for part in parts]}
        | {"hovertemplate": "%{customdata}<extra></extra>"},
        _bars("ε that a query adds", result.cost, at, 0.5)
        | {"base": compact(before), "marker": {"color": shades}, "xaxis": "x2", "showlegend": False}
        | {"hovertemplate": "adds about ε = %{x:.2g}<extra></extra>"},
        _bars("total ε", [result.epsilon], [n_rows], 0.5)
        | {"marker": {"color": colours["text"]}, "xaxis": "x2", "showlegend": False}
        | {"hovertemplate": "together ε = %{x:.4g}<extra></extra>"},
    ]
    for place, part in free:
        _mark_target(figure, place, part, colours)
    _mark_total(figure, n_rows, result.epsilon)
    if result.is_epsilon_set:
        _mark_budget(figure, result.setting.epsilon, colours)
    if result.pinned is not None and result.pinned.plan is not None:
        _line(figure, result.pinned.epsilon, {"color": colours["ghost"], "dash": "dot", "width": 2})
    return {"data": traces, "layout": figure}


def _layout(result: PlanResult, parts: Sequence[PlannedQuery], subtitle: str, colours: Colours) -> dict[str, Any]:
    """Return the layout with two x axes, which share the rows."""
    n_rows = len(result.rows)
    errors = [part.half_width for part in parts if np.isfinite(part.half_width) and part.half_width > 0]
    errors += [part.row.item.target for part in parts if not part.row.item.is_fixed]
    errors = errors or [1.0]  # noise of fixed rows that is 0 in nearly all releases has no place on a log axis
    low, high = np.floor(np.log10(min(errors)) - 0.3), np.ceil(np.log10(max(errors)) + 0.15)
    step = max(1, int(np.ceil((high - low) / 4)))
    decades = [10.0**power for power in range(int(low), int(high)) if (power - int(high)) % step == 0]
    x_axis = {"type": "log", "range": [low, high], "domain": _LEFT, "title": {"text": "± (unit of each query)"}}
    x_axis |= {"tickvals": decades, "ticktext": [format_nearest(decade) for decade in decades]}
    names = [number_format.chart_text(row.name, _NAME_LENGTH) for row in result.rows]
    y_axis = {"range": [n_rows + 0.6, -0.6], "showgrid": False, "fixedrange": True}
    y_axis |= {"tickvals": list(range(n_rows + 1)), "ticktext": [*names, _TOTAL_NAME]}
    figure = layout(colours, "Errors, and what each query adds to the total ε", subtitle, x_axis, y_axis)
    totals = [result.epsilon, float(np.sum(result.cost)), *([result.setting.epsilon] if result.is_epsilon_set else [])]
    pinned = [] if result.pinned is None or result.pinned.plan is None else [result.pinned.epsilon]
    end = round_axis_end(1.05 * max([*totals, *pinned]))
    second = {"range": [0, end], "domain": _RIGHT, "title": {"text": "ε (nats)"}, "anchor": "y", "nticks": 4}
    figure["xaxis2"] = {key: figure["xaxis"][key] for key in ("gridcolor", "zeroline", "automargin", "ticks")} | second
    figure["xaxis2"] |= {"ticklen": 6, "tickcolor": "rgba(0,0,0,0)"}
    figure["xaxis2"]["title"] |= {"font": {"size": TYPE}, "standoff": 8}
    least = 130 + 24 * (n_rows + 1)  # a line of text for each row
    figure["height"] = max(figure["height"], least)
    return figure | {"meta": {"leastHeight": least}, "hovermode": "closest", "barmode": "overlay"}


def _bars(name: str, values: Any, places: list[int], width: float) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "name": name,
        "x": compact(values),
        "y": places,
        "width": width,
    }


def _bar_length(half_width: float) -> float:
    """Return the length of a bar, NaN for an error without a limit, which has none."""
    return half_width if np.isfinite(half_width) else np.nan


def _hover(part: PlannedQuery) -> str:
    name, noise = number_format.chart_text(part.row.name), NOISE_NAMES[part.noise.family]
    return f"{name}: ±{format_up(part.half_width)} with {noise} noise"


def _mark_target(figure: Figure, place: int, part: PlannedQuery, colours: Colours) -> None:
    """Mark the end of a wanted error by a short line, the handle by which it is dragged, with its value beside it."""
    target, key = part.row.item.target, number_key(QUERIES, place, HALF_WIDTH)
    style = {"color": colours["text"], "width": 2}
    span = {"x0": target, "x1": target, "y0": place - 0.4, "y1": place + 0.4}
    figure["shapes"].append({"type": "line", "line": style, "name": key} | span)
    low, high = figure["xaxis"]["range"]
    is_far = (np.log10(target) - low) / (high - low) > 0.75
    note = {"text": f"± = {format_nearest(target)}", "showarrow": False, "font": {"size": TYPE}, "name": key}
    note |= {"x": float(np.log10(target)), "y": place, "xanchor": "right" if is_far else "left"}
    figure["annotations"].append(note | {"xshift": -5 if is_far else 5, "bgcolor": colours["paper"], "opacity": 0.85})


def _mark_total(figure: Figure, row: int, total: float) -> None:
    """Write the total beside its bar."""
    note = {"text": f"ε = {format_up(total)}", "showarrow": False, "font": {"size": TYPE}, "xref": "paper"}
    figure["annotations"].append(note | {"x": _RIGHT[0] - 0.01, "xanchor": "right", "y": row})


def _mark_budget(figure: Figure, epsilon: float, colours: Colours) -> None:
    """Draw the budget across the costs as a dashed line, the handle by which it is dragged, with its value on top."""
    _line(figure, epsilon, {"color": colours["quiet"], "dash": "dash", "width": 1}, EPSILON.key)
    is_far = epsilon > 0.6 * figure["xaxis2"]["range"][1]
    note = {"text": f"ε = {format_nearest(epsilon)}", "showarrow": False, "font": {"size": TYPE}, "name": EPSILON.key}
    note |= {"x": epsilon, "xref": "x2", "y": 1, "yref": "y domain", "yanchor": "bottom"}
    figure["annotations"].append(note | {"xanchor": "right" if is_far else "left"})


def _line(figure: Figure, epsilon: float, style: dict[str, Any], key: str = "") -> None:
    """Draw a line across the costs."""
    span = {"x0": epsilon, "x1": epsilon, "xref": "x2", "y0": 0, "y1": 1, "yref": "y domain"}
    figure["shapes"].append({"type": "line", "line": style} | span | ({"name": key} if key else {}))
