"""The picture of published promises: for each the printed ε, and what each conversion gives today."""

from collections.abc import Callable, Sequence
from math import isnan, log10, nan
from typing import Any

from pages.composition.published.results import Restated
from pages.framework.chart.theme import TYPE, compact, decades, hairline, layout, log_axis, pinned_line
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format

_HEIGHT = 480
_USUAL = (0.3, 50.0)  # where all ε lie at the usual settings
_USUAL_MARKS = (0.3, 1.0, 3.0, 10.0, 30.0)


def strip_figure(
    rows: Sequence[Restated],
    epsilon: float,
    kept: tuple[Sequence[Restated], float] | None,
    subtitle: str,
    colour: Colours,
) -> Figure:
    """A row for each promise; `epsilon` is the page's, `kept` the rows and the ε of a kept setting."""
    x_axis = _x_axis([epsilon, *(value for each in rows for value in _values(each))])
    names = [each.deployment.name for each in rows]
    y_axis = {"range": [len(rows) - 0.4, -0.6], "tickvals": list(range(len(rows))), "ticktext": names}
    figure = layout(colour, "Published promises, printed and today", subtitle, x_axis, y_axis | {"fixedrange": True})
    figure |= {"hovermode": "closest", "height": _HEIGHT}
    figure["margin"] = figure["margin"] | {"r": 84}
    figure["annotations"] += [_period(place, each, colour) for place, each in enumerate(rows)]
    traces = [_span(rows, colour)]
    if kept is not None:
        pinned_line(figure, colour, kept[1])
        traces.append(_ghosts(kept[0], colour))
    traces += _conversions(rows, colour)
    hairline(figure, colour, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    return {"data": traces, "layout": figure}


def _x_axis(values: Sequence[float]) -> dict[str, Any]:
    """A log axis over the usual ε or, where one lies outside, over whole decades."""
    positive = [value for value in values if value > 0]
    if min(positive) >= _USUAL[0] and max(positive) <= _USUAL[1]:
        return log_axis("ε (nats)", 0, 1, marks=_USUAL_MARKS) | {"range": [log10(end) for end in _USUAL]}
    return log_axis("ε (nats)", *decades(-1, 2, *positive))


def _values(row: Restated) -> tuple[float, ...]:
    return row.deployment.claimed, row.standard, row.tight, row.exact, row.at_least


def _period(place: int, row: Restated, colour: Colours) -> dict[str, Any]:
    """How long a promise lasts, beside its row."""
    where = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "y": place, "showarrow": False}
    return where | {"text": row.deployment.period, "font": {"size": TYPE, "color": colour["quiet"]}}


def _span(rows: Sequence[Restated], colour: Colours) -> dict[str, Any]:
    """A thin line in each row from the least to the greatest of its ε."""
    x: list[float | None] = []
    y: list[float | None] = []
    for place, each in enumerate(rows):
        values = [value for value in _values(each) if value > 0]
        x += [min(values), max(values), None]
        y += [place, place, None]
    style = {"color": colour["ghost"], "width": 3}
    trace = {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": style}
    return trace | {"showlegend": False, "hoverinfo": "skip", "name": ""}


def _conversions(rows: Sequence[Restated], colour: Colours) -> list[dict[str, Any]]:
    """The ε of each row by each conversion, and the printed one; at its own δ a promise has no other."""
    rho = [each.deployment.kind == "zcdp" for each in rows]
    as_printed = [each.deployment.kind == "promise" and each.delta == each.deployment.delta for each in rows]
    other = [not each.deployment.is_covered for each in rows]
    unlike = [any(each) for each in zip(rho, as_printed, other, strict=True)]
    exact = [nan if omitted else each.exact for each, omitted in zip(rows, unlike, strict=True)]
    if_poisson = [each.exact if omitted else nan for each, omitted in zip(rows, other, strict=True)]
    at_least = [each.at_least for each in rows]
    gaussian = [each.exact if by_rho else nan for each, by_rho in zip(rows, rho, strict=True)]
    deltas = [each.delta for each in rows]
    printed = [each.deployment.claimed for each in rows]
    own = _points(
        rows, printed, [each.deployment.delta for each in rows], "printed", ("line-ns-open", 15, colour["text"])
    )
    return [
        _points(rows, [each.standard for each in rows], deltas, "standard", ("circle", 9, colour["grey"])),
        _points(rows, [each.tight for each in rows], deltas, "tight", ("circle", 9, colour["green"])),
        _points(rows, exact, deltas, "exact", ("square", 9, colour["blue"])),
        _points(rows, if_poisson, deltas, "exact if Poisson", ("square-open", 9, colour["blue"])),
        _points(
            rows,
            at_least,
            deltas,
            "shuffled: at least",
            ("triangle-right", 11, colour["orange"]),
            number_format.format_down,
        ),
        _points(rows, gaussian, deltas, "if one Gaussian: estimate", ("diamond", 10, colour["blue"])),
        own | {"showlegend": False},
    ]


def _ghosts(rows: Sequence[Restated], colour: Colours) -> dict[str, Any]:
    """What is proved under the kept setting, as grey marks."""
    proved, deltas = [each.proved for each in rows], [each.delta for each in rows]
    return _points(rows, proved, deltas, "pinned", ("triangle-up", 9, colour["ghost"]))


def _points(
    rows: Sequence[Restated],
    values: Sequence[float],
    deltas: Sequence[float],
    name: str,
    look: tuple[str, int, str],
    rounded: Callable[[float], str] = number_format.format_up,
) -> dict[str, Any]:
    """A mark in each row that has such an ε; `look` is its symbol, its size and its colour, `rounded` its safe side."""
    symbol, size, shade = look
    said = [
        ""
        if isnan(value)
        else f"{each.deployment.name}, {name}: {rounded(value)} at δ = {number_format.format_input_up(delta)}"
        for each, value, delta in zip(rows, values, deltas, strict=True)
    ]
    inside = compact([value if value > 0 else nan for value in values])
    trace = {"type": "scatter", "mode": "markers", "name": name, "x": inside, "y": list(range(len(rows)))}
    trace["marker"] = {
        "symbol": symbol,
        "size": size,
        "color": shade,
    }
    if symbol.endswith("-open"):
        trace["marker"]["line"] = {"width": 2.5, "color": shade}
    return trace | {"customdata": said, "hovertemplate": "%{customdata}<extra></extra>"}
