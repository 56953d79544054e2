"""The lead figure, with the error of each query beside what it adds to the total, and the table of the plan."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.framework.chart.theme import TYPE, compact, layout, markers, tick_texts
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters import number_format
from pages.framework.parameters.list_parameter import number_key
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up
from pages.plan import text
from pages.plan.quantities import HALF_WIDTH, NOISE_NAMES, noise_words
from pages.plan.queries import QUERIES
from pages.plan.query_kinds import LABELS
from pages.plan.results import PlannedQuery, PlanResult
from pages.shared.shared_parameters import EPSILON

_RELATIVE_ERROR = 8  # the place of its column


def plan_table_html(result: PlanResult) -> str:
    """Return a row for each query of the list: its noise, its errors, and what it costs; and the total.

    Without any expected answer, the column of relative errors is left out.
    """
    heads = ["Query", "± reached", "± wanted", "ε it adds", "Noise", "Scale", "± one cell", "± all cells", "± ÷ answer"]
    planned = {part.row.name: part for part in result.planned_queries}
    body = [
        _cells(planned[row.name], result) if row.name in planned else [row.name, "left out", *["–"] * 8]
        for row in result.rows
    ]
    if result.plan is not None:
        total = format_up(result.epsilon)
        body.append(["All together", "", "", f"{total} in total", *[""] * 5, ""])
    table = [[*heads, "Sampler"], *body]
    if all(row.item.expected is None for row in result.rows):
        table = [row[:_RELATIVE_ERROR] + row[_RELATIVE_ERROR + 1 :] for row in table]
    return number_format.table_html("The plan", "plan", table[0], table[1:])


def scale_text(part: PlannedQuery) -> str:
    """Return the scale of the noise with the threshold, if there is one, or the ε of a choice."""
    threshold = "" if part.threshold is None else f", τ = {format_up(part.threshold)}"
    return f"{part.noise.symbol} = {format_up(part.noise.scale)}{threshold}"


def _cells(part: PlannedQuery, result: PlanResult) -> list[str]:
    significance, item = result.setting.significance, part.row.item
    per_cell, joint = (part.half_width_of_cells(significance, joint=joint) for joint in (False, True))
    relative = part.relative
    return [
        part.row.name,
        part.reached_text,
        "fixed noise" if item.is_fixed else _target_text(part, ""),
        part.share,
        NOISE_NAMES[part.noise.family],
        scale_text(part),
        format_up(per_cell),
        format_up(joint) if item.n_cells > 1 else "–",
        "–" if relative is None else number_format.percent_up(relative, 3),
        "exact" if part.noise.whole or part.is_choice else "floating-point-safe version",
    ]


def plan_frame(result: PlanResult) -> pd.DataFrame:
    """Return a row for each query of the list; what is left out has no numbers."""
    planned = {part.row.name: part for part in result.planned_queries}
    rows = [_frame_row(planned.get(row.name), result) for row in result.rows]
    first = pd.DataFrame(
        {
            "query": [row.name for row in result.rows],
            "kind": [LABELS[row.item.kind] for row in result.rows],
            "wanted": [np.nan if row.item.is_fixed else row.item.target for row in result.rows],
        }
    )
    columns = ["reached", "one_cell", "all_cells", "noise", "scale", "epsilon_added", "epsilon_before"]
    return pd.concat([first, pd.DataFrame(rows, columns=columns)], axis=1)


def _frame_row(part: PlannedQuery | None, result: PlanResult) -> list[float | str]:
    if part is None:
        return [np.nan, np.nan, np.nan, "left out", np.nan, np.nan, np.nan]
    per_cell, joint = (part.half_width_of_cells(result.setting.significance, joint=joint) for joint in (False, True))
    costs = result.cost.tolist()
    place = [row.name for row in result.planned_rows].index(part.row.name)
    return [
        *(part.half_width, per_cell, joint, part.noise.family),
        *(part.noise.scale, part.cost, float(np.sum(costs[:place]))),
    ]


_NAME_LENGTH = 18  # characters of each of the two lines of a name beside its bars
_SHADES = {"gaussian": "analytic", "exponential": "orange", "permute_and_flip": "green"}
"""The keys in the palette of the mechanisms whose own keys are not there."""
_LEFT, _RIGHT = [0, 0.6], [0.68, 1]  # the shares of the width that the errors and the costs have
_TOTAL_NAME = "All together"
_BAR_WIDTH = 0.5  # of a row


def plan_figure(result: PlanResult, subtitle: str, colours: Colours) -> Figure:
    """Draw the error of each query, wanted and reached, and the costs as steps that end at the total.

    A pinned total is a grey line.
    """
    parts, n_rows = result.planned_queries, len(result.rows)
    places = {row.name: place for place, row in enumerate(result.rows)}
    figure = _layout(result, parts, subtitle, colours)
    at = [places[part.row.name] for part in parts]
    free = [(place, part) for place, part in zip(at, parts, strict=True) if not part.row.item.is_fixed]
    before = np.cumsum([0.0, *result.cost.tolist()])[:-1]
    traces = []
    for family in dict.fromkeys(part.noise.family for part in parts):
        own = [place for place, part in enumerate(parts) if part.noise.family == family]
        rows, shade = [at[place] for place in own], colours[_SHADES.get(family, family)]
        errors, hover = [_place_of(parts[place].half_width) for place in own], [_hover(parts[place]) for place in own]
        reached = markers(errors, rows, "± reached", {"color": shade, "size": 11}, showlegend=False)
        reached |= {"customdata": hover, "hovertemplate": "%{customdata}<extra></extra>"}
        cost = _bars(noise_words(family), result.cost[own], rows) | {"base": compact(before[own])}
        cost |= {"marker": {"color": shade}, "customdata": [parts[place].share for place in own]}
        cost |= {"hovertemplate": "adds about ε = %{customdata}<extra></extra>"}
        traces += [reached, cost]
    total = _bars("total ε", [result.epsilon], [n_rows]) | {"marker": {"color": colours["text"]}, "showlegend": False}
    traces.append(total | {"hovertemplate": f"together ε = {format_up(result.epsilon)}<extra></extra>"})
    for place, part in free:
        _mark_target(figure, place, number_key(QUERIES, place, HALF_WIDTH), part, colours)
    for row, end, part in zip(at, (before + result.cost).tolist(), parts, strict=True):
        _mark_cost(figure, row, end, part.share, colours)
    _mark_cost(figure, n_rows, result.epsilon, format_up(result.epsilon), colours)
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
    x_axis = {"type": "log", "range": [low, high], "domain": _LEFT, "title": {"text": "± (own unit); line: wanted"}}
    x_axis |= {"tickvals": decades, "ticktext": tick_texts(decades)}
    names = [number_format.chart_lines(row.name, _NAME_LENGTH) for row in result.rows]
    y_axis = {"range": [n_rows + 0.6, -0.6], "showgrid": False, "fixedrange": True}
    y_axis |= {"tickvals": list(range(n_rows + 1)), "ticktext": [*names, _TOTAL_NAME]}
    figure = layout(colours, "Error and ε", subtitle, x_axis, y_axis)
    totals = [result.epsilon, float(np.sum(result.cost)), *([result.setting.epsilon] if result.is_epsilon_set else [])]
    pinned = [] if result.pinned is None or result.pinned.plan is None else [result.pinned.epsilon]
    end = 1.3 * max([*totals, *pinned]) or 1.0  # with room for the numbers; a δ alone can be enough, with ε = 0
    second = {"range": [0, end], "domain": _RIGHT, "title": {"text": "ε"}, "anchor": "y", "nticks": 4}
    figure["xaxis2"] = {key: figure["xaxis"][key] for key in ("gridcolor", "zeroline", "automargin", "ticks")} | second
    figure["xaxis2"] |= {"ticklen": 6, "tickcolor": "rgba(0,0,0,0)"}
    figure["xaxis2"]["title"] |= {"font": {"size": TYPE}, "standoff": 8}
    least = 130 + (34 if any("<br>" in name for name in names) else 24) * (n_rows + 1)  # the lines of text of each row
    figure["height"] = max(figure["height"], least)
    return figure | {"meta": {"leastHeight": least}, "hovermode": "closest", "barmode": "overlay"}


def _bars(name: str, values: Any, rows: list[int]) -> dict[str, Any]:
    """Return bars on the axis of ε."""
    bars = {"type": "bar", "orientation": "h", "name": name, "xaxis": "x2", "width": _BAR_WIDTH}
    return bars | {"x": compact(values), "y": rows}


def _target_text(part: PlannedQuery, sign: str) -> str:
    """Return the wanted error after a sign, or the size from which on unknown groups shall appear."""
    target = format_nearest(part.row.item.target)
    return f"{sign}{target}" if part.threshold is None else f"appears from {target} on"


def _place_of(half_width: float) -> float:
    """Return the place of an error on the log axis, NaN for one without a limit, and for 0, which have none."""
    return half_width if 0 < half_width < np.inf else np.nan


def _hover(part: PlannedQuery) -> str:
    name = number_format.chart_text(part.row.name)
    return f"{name}: {part.error_words} with {noise_words(part.noise.family)}"


def _mark_target(figure: Figure, row: int, key: str, part: PlannedQuery, colours: Colours) -> None:
    """Mark the end of a wanted error by a short line, the handle by which its number is dragged, with its value.

    `row` is that of the y axis, and `key` that of the number in the list.
    """
    target = part.row.item.target
    style = {"color": colours["text"], "width": 2}
    span = {"x0": target, "x1": target, "y0": row - 0.4, "y1": row + 0.4}
    figure["shapes"].append({"type": "line", "line": style, "name": key} | span)
    low, high = figure["xaxis"]["range"]
    share = (np.log10(target) - low) / (high - low)
    is_far = share > 0.75 or part.half_width > target  # off the mark of the reached error
    note = {"text": _target_text(part, "± = "), "showarrow": False, "font": {"size": TYPE}, "name": key}
    note |= {"x": float(np.log10(target)), "y": row, "xanchor": "right" if is_far else "left"}
    figure["annotations"].append(note | {"xshift": -5 if is_far else 5, "bgcolor": colours["paper"], "opacity": 0.85})


def _mark_cost(figure: Figure, row: int, end: float, words: str, colours: Colours) -> None:
    """Write an ε beside the end of its bar; above it where a phone would cut its digits, as those of the total."""
    low, high = figure["xaxis2"]["range"]
    room = max(1.03 - 0.063 * len(words), 0.55)  # of the axis, where all of the words are within a phone’s chart
    is_far = (end - low) / (high - low) > room or row > max(figure["yaxis"]["tickvals"][:-1])
    note = {"text": words, "showarrow": False, "font": {"size": TYPE}, "xref": "x2", "x": end, "y": row}
    note |= {"bgcolor": colours["paper"]}
    above = {"y": row - _BAR_WIDTH / 2, "xanchor": "right", "yanchor": "bottom", "borderpad": 0}
    beside = {"xanchor": "left", "xshift": 4}
    figure["annotations"].append(note | (above if is_far else beside))


def _mark_budget(figure: Figure, epsilon: float, colours: Colours) -> None:
    """Draw the budget across the costs as a dashed line, the handle by which it is dragged, with its value on top."""
    _line(figure, epsilon, {"color": colours["quiet"], "dash": "dash", "width": 1}, EPSILON.key)
    is_far = epsilon > 0.6 * figure["xaxis2"]["range"][1]
    note = {"text": f"ε = {format_input_up(epsilon)}", "showarrow": False, "font": {"size": TYPE}, "name": EPSILON.key}
    note |= {"x": epsilon, "xref": "x2", "y": 1, "yref": "y domain", "yanchor": "bottom"}
    figure["annotations"].append(note | {"xanchor": "right" if is_far else "left"})


def _line(figure: Figure, epsilon: float, style: dict[str, Any], key: str = "") -> None:
    """Draw a line across the costs."""
    span = {"x0": epsilon, "x1": epsilon, "xref": "x2", "y0": 0, "y1": 1, "yref": "y domain"}
    figure["shapes"].append({"type": "line", "line": style} | span | ({"name": key} if key else {}))


def plan_chart(result: PlanResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the errors, wanted and reached, and of what each query adds; nothing without a plan."""
    if result.plan is None:
        return None
    figure = plan_figure(result, text.subtitle(result), colours)
    alternative, header = text.alternative_text(result), text.csv_header(result)
    return Exhibit("plan", figure, alternative, lambda: plan_frame(result), header)


def plan_table(result: PlanResult, _: Colours) -> Exhibit:
    """Return the table of the noise, the errors and the cost of each query."""
    html, alternative = plan_table_html(result), text.alternative_text(result)
    return Exhibit("plan_table", html, alternative, lambda: plan_frame(result), text.csv_header(result))
