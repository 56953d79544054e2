"""The lead figure, with the error of each query beside what it adds to the total, and the table of the plan."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.framework.chart.theme import TYPE, compact, layout
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters import number_format
from pages.framework.parameters.list_parameter import number_key
from pages.framework.parameters.number_format import exact_text, format_input_up, format_nearest, format_up
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
    planned = {part.row.place: part for part in result.planned_queries}
    body = [
        _cells(planned[row.place], result) if row.place in planned else [row.name, "left out", *["–"] * 8]
        for row in result.shown_rows
    ]
    if result.plan is not None:
        total = format_up(result.epsilon)
        body.append(["All together", "", "", f"{total} in total", *[""] * 5, ""])
    table = [[*heads, "Sampler"], *body]
    if all(row.item.expected is None for row in result.rows):
        table = [row[:_RELATIVE_ERROR] + row[_RELATIVE_ERROR + 1 :] for row in table]
    return number_format.table_html("The plan", "plan readings", table[0], table[1:])


def scale_text(part: PlannedQuery) -> str:
    """Return the scale of the noise with the threshold, if there is one, or the ε of a choice.

    A mean whose number of records is not public gets no noise itself: the two numbers that do have each its own scale.
    """
    if part.hidden_sum is not None:
        symbol, (centre, scale) = part.noise.symbol, part.hidden_sum
        of_sum = f"{symbol} = {format_up(scale)} on the sum of {_distance_text(centre)}"
        return f"{symbol} = {format_up(part.noise.scale)} on the number of records, {of_sum}"
    threshold = "" if part.threshold is None else f", τ = {format_up(part.threshold)}"
    return f"{part.noise.symbol} = {format_up(part.noise.scale)}{threshold}"


def _distance_text(centre: float) -> str:
    """Return the distance of a value from the middle of its range.

    >>> _distance_text(0.5), _distance_text(-5.0), _distance_text(0.0)
    ('(value − 0.5)', '(value + 5)', 'the values')
    """
    return f"(value {'−' if centre > 0 else '+'} {exact_text(abs(centre))})" if centre else "the values"


def _cells(part: PlannedQuery, result: PlanResult) -> list[str]:
    significance, item = result.setting.significance, part.row.item
    per_cell, joint = (part.half_width_of_cells(significance, joint=joint) for joint in (False, True))
    relative = part.relative
    return [
        part.row.name,
        part.reached_text,
        "fixed noise" if item.is_fixed else _target_text(part),
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
    costs = [part.cost for part in result.shown_queries]
    before = dict(zip([part.row.place for part in result.shown_queries], _sums_before(costs), strict=True))
    planned = {part.row.place: part for part in result.planned_queries}
    shown, alpha = result.shown_rows, result.setting.significance
    rows = [_frame_row(planned.get(row.place), before.get(row.place, 0.0), alpha) for row in shown]
    first = pd.DataFrame(
        {
            "query": [row.name for row in shown],
            "kind": [LABELS[row.item.kind] for row in shown],
            "wanted": [np.nan if row.item.is_fixed else row.item.target for row in shown],
        }
    )
    columns = ["reached", "one_cell", "all_cells", "noise", "scale", "epsilon_added", "epsilon_before"]
    return pd.concat([first, pd.DataFrame(rows, columns=columns)], axis=1)


def _sums_before(costs: Sequence[float]) -> list[float]:
    """Return where the step of each cost begins."""
    return [float(np.sum(costs[:place])) for place in range(len(costs))]


def _frame_row(part: PlannedQuery | None, before: float, significance: float) -> list[float | str]:
    if part is None:
        return [np.nan, np.nan, np.nan, "left out", np.nan, np.nan, np.nan]
    per_cell, joint = (part.half_width_of_cells(significance, joint=joint) for joint in (False, True))
    return [
        *(part.half_width, per_cell, joint, part.noise.family),
        *(part.noise.scale, part.cost, before),
    ]


_NAME_LENGTH = 18  # characters of each of the two lines of a name beside its bars
_SHADES = {"gaussian": "analytic", "exponential": "orange", "permute_and_flip": "green"}
"""The keys in the palette of the mechanisms whose own keys are not there."""
_LEFT, _RIGHT = [0, 0.6], [0.68, 1]  # the shares of the width that the errors and the costs have
_TOTAL_NAME = "All together"
_BAR_WIDTH = 0.5  # of a row
_ERROR_WIDTH = 0.2  # of a row, below the text of the error


def plan_figure(result: PlanResult, subtitle: str, colours: Colours) -> Figure:
    """Draw the error of each query as a share of the wanted one, and the costs as steps that end at the total.

    A pinned total is a grey line.
    """
    parts, n_rows = result.shown_queries, len(result.shown_rows)
    places = {row.place: place for place, row in enumerate(result.shown_rows)}
    figure = _layout(result, parts, subtitle, colours)
    at = [places[part.row.place] for part in parts]
    costs = np.array([part.cost for part in parts])
    before = np.array(_sums_before(costs.tolist()))
    traces = []
    for family in dict.fromkeys(part.noise.family for part in parts):
        own = [place for place, part in enumerate(parts) if part.noise.family == family]
        marker = {"color": colours[_SHADES.get(family, family)]}
        free = [place for place in own if not parts[place].row.item.is_fixed]
        if free:
            reached = _bars("± reached", [_wanted_share(parts[place]) for place in free], [at[place] for place in free])
            reached |= {"xaxis": "x", "width": _ERROR_WIDTH, "showlegend": False, "marker": marker}
            reached |= {"customdata": [_hover(parts[place]) for place in free]}
            traces.append(reached | {"hovertemplate": "%{customdata}<extra></extra>"})
        cost = _bars(noise_words(family), costs[own], [at[place] for place in own])
        cost |= {"base": compact(before[own]), "marker": marker, "customdata": [parts[place].share for place in own]}
        traces.append(cost | {"hovertemplate": "adds about ε = %{customdata}<extra></extra>"})
    total = _bars("total ε", [result.epsilon], [n_rows]) | {"marker": {"color": colours["text"]}, "showlegend": False}
    traces.append(total | {"hovertemplate": f"together ε = {format_up(result.epsilon)}<extra></extra>"})
    for row, part in zip(at, parts, strict=True):
        _mark_error(figure, row, number_key(QUERIES, part.row.place, HALF_WIDTH), part, colours)
    pinned = None if result.pinned is None or result.pinned.plan is None else result.pinned.epsilon
    lines = [*([result.setting.epsilon] if result.is_epsilon_set else []), *([] if pinned is None else [pinned])]
    ends = [*(before + costs).tolist(), result.epsilon]
    texts = [*(part.share for part in parts), format_up(result.epsilon)]
    traces.append(_cost_texts([*at, n_rows], ends, texts, lines, figure))
    if result.is_epsilon_set:
        _mark_budget(figure, result.setting.epsilon, colours)
    if pinned is not None:
        _line(figure, pinned, {"color": colours["ghost"], "dash": "dot", "width": 2})
    return {"data": traces, "layout": figure}


def _layout(result: PlanResult, parts: Sequence[PlannedQuery], subtitle: str, colours: Colours) -> dict[str, Any]:
    """Return the layout with two x axes, which share the rows."""
    n_rows = len(result.shown_rows)
    shares = [_wanted_share(part) for part in parts if not part.row.item.is_fixed]
    x_axis = {"range": [0, 1.25 * max([1.0, *(share for share in shares if np.isfinite(share))])], "domain": _LEFT}
    x_axis |= {"title": {"text": "± reached ÷ ± wanted"}, "nticks": 4}
    names = [number_format.chart_lines(row.name, _NAME_LENGTH) for row in result.shown_rows]
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
    least = 130 + 28 * (n_rows + 1)  # two lines of text for each row
    figure["height"] = max(figure["height"], least)
    return figure | {"meta": {"leastHeight": least}, "hovermode": "closest", "barmode": "overlay"}


def _bars(name: str, values: Any, rows: list[int]) -> dict[str, Any]:
    """Return bars on the axis of ε."""
    bars = {"type": "bar", "orientation": "h", "name": name, "xaxis": "x2", "width": _BAR_WIDTH}
    return bars | {"x": compact(values), "y": rows}


def _target_text(part: PlannedQuery) -> str:
    """Return the wanted error, or the size from which on unknown groups shall appear."""
    target = format_nearest(part.row.item.target)
    return target if part.threshold is None else f"appears from {target} on"


def _wanted_share(part: PlannedQuery) -> float:
    """Return the error over the wanted one, NaN for an error without a limit."""
    return part.half_width / part.row.item.target if part.half_width < np.inf else np.nan


def _hover(part: PlannedQuery) -> str:
    name = number_format.chart_text(part.row.name)
    return f"{name}: {part.error_words} with {noise_words(part.noise.family)}"


def _mark_error(figure: Figure, row: int, key: str, part: PlannedQuery, colours: Colours) -> None:
    """Write the errors, reached and wanted, above the bar, and mark the wanted one by a line, its handle.

    `row` is that of the y axis, and `key` that of the number in the list. The line stays where it is when it is
    dragged, since the number is its unit.
    """
    note = {"showarrow": False, "font": {"size": TYPE}, "x": 0, "y": row - _ERROR_WIDTH / 2, "borderpad": 0}
    note |= {"xanchor": "left", "yanchor": "bottom", "bgcolor": colours["paper"], "opacity": 0.85}
    if part.row.item.is_fixed:
        figure["annotations"].append(note | {"text": f"±{part.reached_text}, fixed noise"})
        return
    figure["annotations"].append(note | {"text": _errors_text(part), "name": key})
    line = {"type": "line", "line": {"color": colours["text"], "width": 2}, "name": key}
    figure["shapes"].append(line | {"x0": 1, "x1": 1, "y0": row - 0.4, "y1": row + 0.4})
    figure["meta"].setdefault("places", {})[key] = {"at": part.row.item.target}


def _errors_text(part: PlannedQuery) -> str:
    """Return the reached and the wanted error, or size from which on unknown groups appear."""
    reached, wanted = format_up(part.half_width), format_nearest(part.row.item.target)
    if part.threshold is None and reached == wanted:
        return f"±{reached}"
    return f"±{reached} of ±{wanted} wanted" if part.threshold is None else f"from {reached} on, {wanted} wanted"


_LETTER = 0.063  # of the axis of ε, that a letter of its numbers takes on a phone


def _cost_texts(
    rows: Sequence[int], ends: Sequence[float], texts: Sequence[str], lines: Sequence[float], figure: Figure
) -> dict[str, Any]:
    """Return a trace with each ε beside the end of its bar, and above it where a line or the edge of a phone cuts it.

    The total's stands above. It is one trace, since Plotly draws a note for each several times as slowly.
    """
    low, high = figure["xaxis2"]["range"]
    shares = (np.array([ends, *([line] * len(ends) for line in lines)]) - low) / (high - low)
    widths = _LETTER * np.array([len(words) for words in texts])
    cut = (shares[0] > np.maximum(1.03 - widths, 0.55)) | (np.array(rows) == max(rows))
    cut |= ((shares[1:] >= shares[0]) & (shares[1:] <= shares[0] + widths + _LETTER)).any(axis=0)
    words = [text if is_cut else f"\u00a0{text}" for text, is_cut in zip(texts, cut, strict=True)]
    trace = {"type": "scatter", "mode": "text", "name": "ends", "xaxis": "x2", "x": list(ends), "text": words}
    trace |= {"y": (np.array(rows) - _BAR_WIDTH / 2 * cut).tolist(), "textfont": {"size": TYPE}, "cliponaxis": False}
    trace |= {"textposition": np.where(cut, "top left", "middle right").tolist()}
    return trace | {"showlegend": False, "hoverinfo": "skip"}


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
