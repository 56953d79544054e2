"""The figure of published guarantees: for each the printed ε, and its ε by each conversion today."""

from collections.abc import Callable, Sequence
from math import isnan, log10, nan
from typing import Any

from pages.composition.published.results import Restatement
from pages.framework.chart.theme import TYPE, compact, decades, hairline, layout, log_axis, pinned_line
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format

_HEIGHT = 480
_MARGINS, _ROW_HEIGHT = 60, 13.5  # px: at least a line of text for each row
_USUAL = (0.3, 50.0)  # the range of all ε at the usual settings
_USUAL_MARKS = (0.3, 1.0, 3.0, 10.0, 30.0)


def guarantees_figure(
    rows: Sequence[Restatement],
    epsilon: float,
    pinned: tuple[Sequence[Restatement], float] | None,
    subtitle: str,
    colours: Colours,
) -> Figure:
    """Draw a row for each guarantee; `pinned` has the rows and the ε of the pinned setting."""
    x_axis = _x_axis([epsilon, *(value for row in rows for value in _row_values(row))])
    names = [row.deployment.name for row in rows]
    y_axis = {"range": [len(rows) - 0.4, -0.6], "tickvals": list(range(len(rows))), "ticktext": names}
    figure = layout(
        colours, "Published guarantees: printed ε and ε today", subtitle, x_axis, y_axis | {"fixedrange": True}
    )
    figure |= {"hovermode": "closest", "height": _HEIGHT, "meta": {"leastHeight": _MARGINS + _ROW_HEIGHT * len(rows)}}
    figure["margin"] = figure["margin"] | {"r": 84}
    figure["annotations"] += [_period_note(place, row, colours) for place, row in enumerate(rows)]
    traces = [_row_lines(rows, colours)]
    if pinned is not None:
        pinned_line(figure, colours, pinned[1])
        traces.append(_pinned_marks(pinned[0], colours))
    traces += _conversion_traces(rows, colours)
    hairline(figure, colours, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    return {"data": traces, "layout": figure}


def _x_axis(values: Sequence[float]) -> dict[str, Any]:
    """Return a log axis over the usual ε or, where one lies outside, over whole decades."""
    positive = [value for value in values if value > 0]
    if min(positive) >= _USUAL[0] and max(positive) <= _USUAL[1]:
        return log_axis("ε (nats)", 0, 1, marks=_USUAL_MARKS) | {"range": [log10(end) for end in _USUAL]}
    return log_axis("ε (nats)", *decades(-1, 2, *positive))


def _row_values(row: Restatement) -> tuple[float, ...]:
    return _printed(row), row.standard, row.tight, row.exact, row.at_least


def _printed(row: Restatement) -> float:
    """Return the printed ε; NaN where the source prints ρ alone."""
    return nan if row.deployment.prints_rho else row.deployment.printed_epsilon


def _period_note(place: int, row: Restatement, colours: Colours) -> dict[str, Any]:
    """Return the label of the period that a guarantee lasts, beside its row."""
    where = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "y": place, "showarrow": False}
    return where | {"text": row.deployment.period, "font": {"size": TYPE, "color": colours["quiet"]}}


def _row_lines(rows: Sequence[Restatement], colours: Colours) -> dict[str, Any]:
    """Return a thin line in each row from the least to the greatest of its ε."""
    x: list[float | None] = []
    y: list[float | None] = []
    for place, row in enumerate(rows):
        values = [value for value in _row_values(row) if value > 0]
        x += [min(values), max(values), None]
        y += [place, place, None]
    style = {"color": colours["ghost"], "width": 3}
    trace = {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": style}
    return trace | {"showlegend": False, "hoverinfo": "skip", "name": ""}


def _conversion_traces(rows: Sequence[Restatement], colours: Colours) -> list[dict[str, Any]]:
    """Return the ε of each row by each conversion, and the printed one.

    An (ε, δ) guarantee at its own δ has no other ε than the printed one.
    """
    is_rho = [row.deployment.kind == "zcdp" for row in rows]
    is_as_printed = [row.deployment.kind == "guarantee" and row.delta == row.deployment.delta for row in rows]
    is_uncovered = [not row.deployment.is_covered for row in rows]
    has_no_exact = [any(row) for row in zip(is_rho, is_as_printed, is_uncovered, strict=True)]
    exact = [nan if omitted else row.exact for row, omitted in zip(rows, has_no_exact, strict=True)]
    if_poisson = [row.exact if omitted else nan for row, omitted in zip(rows, is_uncovered, strict=True)]
    at_least = [row.at_least for row in rows]
    gaussian = [row.exact if by_rho else nan for row, by_rho in zip(rows, is_rho, strict=True)]
    deltas = [row.delta for row in rows]
    printed = [_printed(row) for row in rows]
    printed_marks = _row_marks(
        rows, printed, [row.deployment.delta for row in rows], "printed", ("line-ns-open", 15, colours["text"])
    )
    return [
        _row_marks(rows, [row.standard for row in rows], deltas, "standard conversion", ("circle", 9, colours["grey"])),
        _row_marks(rows, [row.tight for row in rows], deltas, "tight conversion", ("circle", 9, colours["green"])),
        _row_marks(rows, exact, deltas, "exact", ("square", 9, colours["blue"])),
        _row_marks(rows, if_poisson, deltas, "exact, if Poisson", ("square-open", 9, colours["blue"])),
        _row_marks(
            rows,
            at_least,
            deltas,
            "shuffled: lower bound",
            ("triangle-right", 11, colours["orange"]),
            number_format.format_down,
        ),
        _row_marks(rows, gaussian, deltas, "estimate: single Gaussian", ("diamond", 10, colours["blue"])),
        printed_marks | {"showlegend": False},
    ]


def _pinned_marks(rows: Sequence[Restatement], colours: Colours) -> dict[str, Any]:
    """Return the proved ε of the pinned setting as grey marks."""
    proved, deltas = [row.proved for row in rows], [row.delta for row in rows]
    return _row_marks(rows, proved, deltas, "pinned", ("triangle-up", 9, colours["ghost"]))


def _row_marks(
    rows: Sequence[Restatement],
    values: Sequence[float],
    deltas: Sequence[float],
    name: str,
    look: tuple[str, int, str],
    rounded: Callable[[float], str] = number_format.format_up,
) -> dict[str, Any]:
    """Return a mark in each row that has such an ε.

    `look` is its symbol, its size and its colour, and `rounded` formats a value towards its safe side.
    """
    symbol, size, shade = look
    labels = [
        ""
        if isnan(value)
        else f"{row.deployment.name}, {name}: {rounded(value)} at δ = {number_format.format_input_up(delta)}"
        for row, value, delta in zip(rows, values, deltas, strict=True)
    ]
    inside = compact([value if value > 0 else nan for value in values])
    trace = {"type": "scatter", "mode": "markers", "name": name, "x": inside, "y": list(range(len(rows)))}
    trace["marker"] = {"symbol": symbol, "size": size, "color": shade}
    if symbol.endswith("-open"):
        trace["marker"]["line"] = {"width": 2.5, "color": shade}
    return trace | {"customdata": labels, "hovertemplate": "%{customdata}<extra></extra>"}
