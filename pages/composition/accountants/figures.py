"""The picture of the accountants: ε of each over the number of runs, over the exact one or itself."""

from typing import Any

import numpy as np

from dpcore.checks import Array
from pages.composition.accountants.results import NAMES, Totals
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
from pages.shared.mechanism_colours import COLOURS

LOOKS = {  # colour and dash of each accountant, on the whole page
    "basic": ("grey", "solid"),
    "drv": ("ochre", "solid"),
    "kov": ("orange", "solid"),
    "kov_optimal": ("rose", "dashdot"),
    "zcdp_standard": ("purple", "dash"),
    "zcdp": ("purple", "solid"),
    "rdp_standard": ("green", "dash"),
    "rdp": ("green", "solid"),
    "clt": ("fails", "dot"),
    "exact": ("blue", "solid"),
}
_SHORT = {  # names beside the lines
    "basic": "Basic",
    "drv": "DRV",
    "kov": "KOV",
    "kov_optimal": "KOV, optimal",
    "zcdp_standard": "zCDP, standard",
    "zcdp": "zCDP",
    "rdp_standard": "RDP, standard",
    "rdp": "RDP",
    "clt": "CLT: no bound",
    "exact": "exact",
}
_TOPS, _BOTTOMS = (2.0, 3.0, 5.0, 10.0, 30.0, 100.0), (0.7, 0.5, 0.2, 0.1)  # of the axis of ratios
_NO_ESTIMATE = 0.9  # its lower end where nothing can lie below 1
_MARKS = (0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0)
_CLOSE_MARKS = (0.7, 0.8, 0.9, 1.1, 1.2)  # where there is room for them


def totals_figure(
    now: Totals,
    kept: Totals | None,
    runs: tuple[float, float | None],
    decade: int,
    drawn: str,
    subtitle: str,
    colour: Colours,
) -> Figure:
    """A line for each accountant; `runs` are the page's and the kept ones, `drawn` is "ratio" or "total"."""
    values = {key: _values(now, key, drawn) for key in NAMES if key in now.epsilon}
    x_axis = log_axis("runs of the whole list", 0, decade) | {"range": [-0.07, decade]} | hover_head("runs")
    is_ratio = drawn == "ratio"
    title = "ε of each accountant ÷ the exact ε" if is_ratio else "Total ε of each accountant"
    title = title if now.known else title.replace("the exact ε", "the least that is proved")
    y_axis = _ratio_axis(values) if is_ratio else _total_axis(values)
    figure = layout(colour, title, subtitle, x_axis, y_axis)
    traces = _hatched(now, values, is_ratio, figure, colour)
    if kept is not None:
        traces.append(line(kept.runs, _values(kept, "rdp", drawn), "pinned", "", "solid") | ghost(colour))
    top = 10.0 ** y_axis["range"][1]
    traces += [_curve(now, key, values[key], is_ratio, top, colour) for key in values]
    hairline(
        figure, colour, runs[0], f"{number_format.format_nearest(runs[0], 7)} run{'' if runs[0] == 1 else 's'}", "runs"
    )
    if runs[1] is not None:
        pinned_line(figure, colour, runs[1])
    return {"data": traces, "layout": figure}


def _values(totals: Totals, key: str, drawn: str) -> Array:
    values = totals.ratio(key) if drawn == "ratio" else totals.epsilon[key]
    return np.where(np.isfinite(values) & (values > 0), values, np.nan)


def _ratio_axis(values: dict[str, Array]) -> dict[str, Any]:
    """A log axis on which RDP and zCDP have their places: what is above is said in the table; it moves seldom."""
    most = max((_most(values[key]) for key in ("rdp", "zcdp") if key in values), default=1.0)
    top = next((each for each in _TOPS if most <= each), _TOPS[-1])
    least = min([1.0, *values.get("clt", np.ones(1))[np.isfinite(values.get("clt", np.ones(1)))]])
    bottom = next((each for each in _BOTTOMS if least >= each), _BOTTOMS[-1]) if "clt" in values else _NO_ESTIMATE
    close = top / bottom <= 5
    marks = tuple(each for each in _MARKS if bottom <= each <= top and (close or each not in _CLOSE_MARKS))
    return log_axis("times as much", 0, 1, marks=marks) | {"range": [float(np.log10(end)) for end in (bottom, top)]}


def _most(values: Array) -> float:
    return float(np.max(values, initial=1.0, where=np.isfinite(values)))


def _total_axis(values: dict[str, Array]) -> dict[str, Any]:
    some = np.concatenate(list(values.values()))
    some = some[np.isfinite(some)]
    low, high = decades(0, 1, *((some.min(), some.max()) if some.size else ()))
    return log_axis("total ε (nats)", low, high)


def _curve(now: Totals, key: str, values: Array, is_ratio: bool, top: float, colour: Colours) -> dict[str, Any]:
    """A line; its name says so where all of it is above the picture."""
    shade, dash = LOOKS[key]
    name = _SHORT[key] if key != "exact" or now.known else "least proved"
    if np.isfinite(values).any() and np.nanmin(values) > top:
        name = f"{name}: above"
    epsilon = [number_format.format_nearest(each) if np.isfinite(each) else "none" for each in now.epsilon[key]]
    hover = "%{y:.4~g} ×, ε %{customdata}" if is_ratio else "ε %{customdata}"
    style = {"color": colour[shade], "dash": dash, "width": 3.5 if key == "exact" else 2.5}
    mode = "lines" if now.runs.size > 1 else "markers"
    trace = line(now.runs, values, name, colour[shade], dash, line=style, customdata=epsilon, hovertemplate=hover)
    return trace | {"mode": mode}


def _hatched(
    now: Totals, values: dict[str, Array], is_ratio: bool, figure: Figure, colour: Colours
) -> list[dict[str, Any]]:
    """Red hatching with a word where an ε is less than is true; only where an estimate lies there."""
    if "clt" not in values:
        return []
    if is_ratio:
        (left, right), low = (10.0**end for end in figure["xaxis"]["range"]), 10.0 ** figure["yaxis"]["range"][0]
        edge_x, edge_y = [left, right, right, left], [1.0, 1.0, low, low]
    else:
        some = np.isfinite(values["clt"]) & np.isfinite(values["exact"])
        edge_x = [*now.runs[some], *now.runs[some][::-1]]
        edge_y = [*values["exact"][some], *np.minimum(values["clt"], values["exact"])[some][::-1]]
    note = {
        "text": "✗ less than is true: no guarantee",
        "showarrow": False,
        "xref": "paper",
        "x": 1,
        "xanchor": "right",
    }
    note |= {"y": 0.02, "yref": "y domain", "yanchor": "bottom", "font": {"size": TYPE, "color": colour["fails"]}}
    note |= {"bgcolor": "#FFFFFF" if colour == COLOURS["light"] else "#11151A", "borderpad": 2}
    figure["annotations"].append(note)
    pattern = {"shape": "/", "fgcolor": colour["fails"], "bgcolor": "rgba(0,0,0,0)", "size": 9, "solidity": 0.12}
    trace = {"type": "scatter", "mode": "lines", "x": compact(edge_x), "y": compact(edge_y), "line": {"width": 0}}
    trace |= {"fill": "toself", "fillpattern": pattern, "fillcolor": "rgba(0,0,0,0)"}
    return [trace | {"name": "", "showlegend": False, "hoverinfo": "skip"}]
