"""The figures of the list of releases: the accountants over the number of runs, and δ(ε) with its bounds."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array
from pages.composition.privacy_profile.results import ProfilePoints, axis_end, list_profile, points_at, profile_at
from pages.composition.results import (
    ACCOUNTANTS,
    CompositionResult,
    Totals,
    all_releases,
    last_decade,
    totals_over_runs,
)
from pages.framework.chart.theme import (
    TYPE,
    compact,
    decades,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    markers,
    pinned_curve,
    pinned_line,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, plural
from pages.framework.rendering.uploaded_files import kept
from pages.shared.shared_parameters import SharedSetting

_TOPS, _BOTTOMS = (2.0, 3.0, 5.0, 10.0, 30.0, 100.0), (0.7, 0.5, 0.2, 0.1)  # possible ends of the axis of ratios
_FEW_RUNS, _MODERATE = 10, 5.0
SAME = 1e-3  # relative: bounds as close as this share a curve or a row
_BOTTOM_WITHOUT_CLT = 0.9  # the lower end where no value can be below 1
_MARKS = (0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0)
_CLOSE_MARKS = (0.7, 0.8, 0.9, 1.1, 1.2)  # marks for a short axis only


def totals_figure(result: CompositionResult, subtitle: str, colours: Colours) -> Figure:
    """Return a figure with a curve for each accountant, or at first those that differ."""
    totals, pinned, scale = totals_over_runs(result), result.pinned, result.values["totals"]
    values = {key: _drawn_values(totals, key, scale) for key in ACCOUNTANTS if key in totals.epsilon}
    is_ratio = scale != "total"
    y_axis = _ratio_axis(totals.runs, values, totals.is_exact) if is_ratio else _total_axis(values)
    top = 10.0 ** y_axis["range"][1]
    names = {key: accountant.curve_name for key, accountant in ACCOUNTANTS.items()}
    names |= {} if totals.is_exact else {"exact": "least upper bound"}
    if scale == "ratio":
        values, kov_names = _differing_curves(values, top)
        names |= kov_names
    decade, runs = last_decade(result), result.setting.runs
    x_axis = log_axis("runs of the whole list", 0, decade) | {"range": [-0.07, decade]} | hover_head("runs")
    title = "ε by each accountant, relative to the exact ε" if is_ratio else "Total ε by each accountant"
    title = title if totals.is_exact else title.replace("the exact ε", "the least upper bound")
    figure = layout(colours, title, subtitle, x_axis, y_axis)
    traces = _unsafe_area(totals, values, is_ratio, figure, colours)
    if pinned is not None:
        pinned_totals = totals_over_runs(pinned)
        traces.append(pinned_curve(pinned_totals.runs, _drawn_values(pinned_totals, "rdp", scale), colours))
    for key, drawn in values.items():
        is_above = bool(np.isfinite(drawn).any() and np.nanmin(drawn) > top)
        name = f"{names[key]} (above the axis)" if is_above else names[key]
        hover = "%{y:.4~g} ×, ε %{customdata}" if is_ratio else "ε %{customdata}"
        epsilon = [format_nearest(value) if np.isfinite(value) else "none" for value in totals.epsilon[key]]
        more = {"customdata": epsilon, "hovertemplate": hover, "mode": "lines" if totals.runs.size > 1 else "markers"}
        traces.append(accountant_line(key, totals.runs, drawn, name, colours, **more))
    hairline(figure, colours, runs, plural(format_nearest(runs, 7), "run"), "runs")
    if pinned is not None:
        pinned_line(figure, colours, pinned.setting.runs)
    return {"data": traces, "layout": figure}


def _differing_curves(values: dict[str, Array], top: float) -> tuple[dict[str, Array], dict[str, str]]:
    """Return the curves without those that another of their kind is never above, and KOV where it is below basic.

    The second value has the names of basic composition and KOV that say so.
    """
    basic, kov = ACCOUNTANTS["basic"].curve_name, ACCOUNTANTS["kov"].curve_name
    better = {"drv": "kov", "kov": "kov_optimal", "zcdp_standard": "zcdp", "rdp_standard": "rdp"}
    curves = {key: ratio for key, ratio in values.items() if better.get(key) not in values}
    if "kov" not in curves:
        return curves, {}
    is_less = values["kov"] < values["basic"] * (1 - SAME)
    if not (is_less & (values["kov"] <= top)).any():
        curves.pop("kov")
        return curves, {"basic": f"{basic}, {kov}"}
    is_drawn = is_less | np.append(is_less[1:], False)  # it begins on the curve of basic composition
    curves["kov"] = np.where(is_drawn, values["kov"], np.nan)
    return curves, {"kov": f"{kov}, where less"}


def _drawn_values(totals: Totals, key: str, scale: str) -> Array:
    values = totals.ratio(key) if scale != "total" else totals.epsilon[key]
    return np.where(np.isfinite(values) & (values > 0), values, np.nan)


def _ratio_axis(runs: Array, values: dict[str, Array], is_exact: bool) -> dict[str, Any]:
    """Return a log axis on which the ratios of RDP and zCDP fit, and moderate ones of basic composition up to ten runs.

    The table has the larger ones. It rarely changes.
    """
    basic = np.minimum(values["basic"][runs <= _FEW_RUNS], _MODERATE)
    drawn = np.concatenate([np.ones(1), basic, *(values[key] for key in ("rdp", "zcdp") if key in values)])
    largest = np.max(drawn[np.isfinite(drawn)])
    top = next((end for end in _TOPS if largest <= end), _TOPS[-1])
    least = min([1.0, *values.get("clt", np.ones(1))[np.isfinite(values.get("clt", np.ones(1)))]])
    bottom = next((end for end in _BOTTOMS if least >= end), _BOTTOMS[-1]) if "clt" in values else _BOTTOM_WITHOUT_CLT
    is_short = top / bottom <= 5
    marks = tuple(mark for mark in _MARKS if bottom <= mark <= top and (is_short or mark not in _CLOSE_MARKS))
    return log_axis("ε ÷ exact ε" if is_exact else "ε ÷ least upper bound", 0, 1, marks=marks) | {
        "range": [float(np.log10(end)) for end in (bottom, top)]
    }


def _total_axis(values: dict[str, Array]) -> dict[str, Any]:
    finite = np.concatenate(list(values.values()))
    finite = finite[np.isfinite(finite)]
    low, high = decades(0, 1, *((finite.min(), finite.max()) if finite.size else ()))
    return log_axis("total ε (nats)", low, high)


def accountant_line(
    key: str, x: ArrayLike, y: ArrayLike, name: str, colours: Colours, **attributes: Any
) -> dict[str, Any]:
    """Return a line in the look of an accountant, which is the same in all figures of the page; "exact" is thicker."""
    shade, dash = ACCOUNTANTS[key].look
    style = {"color": colours[shade], "dash": dash, "width": 3.5 if key == "exact" else 2.5}
    return line(x, y, name, colours[shade], dash, line=style, **attributes)


def _unsafe_area(
    totals: Totals, values: dict[str, Array], is_ratio: bool, figure: Figure, colours: Colours
) -> list[dict[str, Any]]:
    """Return red hatching with a label where an ε is too small to be safe; only where the CLT estimate lies there."""
    if "clt" not in values:
        return []
    if is_ratio:
        (left, right), low = (10.0**end for end in figure["xaxis"]["range"]), 10.0 ** figure["yaxis"]["range"][0]
        edge_x, edge_y = [left, right, right, left], [1.0, 1.0, low, low]
    else:
        comparable = np.isfinite(values["clt"]) & np.isfinite(values["exact"])
        edge_x = [*totals.runs[comparable], *totals.runs[comparable][::-1]]
        edge_y = [*values["exact"][comparable], *np.minimum(values["clt"], values["exact"])[comparable][::-1]]
    least = "exact ε" if totals.is_exact else "least upper bound"
    note = {"text": f"✗ below the {least}: no guarantee", "showarrow": False, "xref": "paper", "x": 1}
    note |= {"xanchor": "right", "y": 0.02, "yref": "y domain", "yanchor": "bottom"}
    note |= {"font": {"size": TYPE, "color": colours["fails"]}, "bgcolor": colours["paper"], "borderpad": 2}
    figure["annotations"].append(note)
    pattern = {"shape": "/", "fgcolor": colours["fails"], "bgcolor": "rgba(0,0,0,0)", "size": 9, "solidity": 0.12}
    trace = {"type": "scatter", "mode": "lines", "x": compact(edge_x), "y": compact(edge_y), "line": {"width": 0}}
    trace |= {"fill": "toself", "fillpattern": pattern, "fillcolor": "rgba(0,0,0,0)"}
    return [trace | {"name": "", "showlegend": False, "hoverinfo": "skip"}]


_LOWEST_DECADE = -300  # the power of ten at which the axis of δ ends at the latest


def profile_figure(result: CompositionResult, subtitle: str, colours: Colours) -> Figure:
    """Draw δ over ε on a log axis."""
    setting, profile, pinned = result.setting, profile_at(result), result.pinned
    end = float(profile.epsilon[-1])
    x_axis = {"range": [0, end], "title": {"text": "ε (nats)"}} | hover_head("ε")
    low, high = decades(-12, 0, setting.delta, *([pinned.setting.delta] if pinned else []))
    y_axis = log_axis("δ", max(low, _LOWEST_DECADE), high)
    figure, traces = layout(colours, "Privacy profile of the whole list: δ over ε", subtitle, x_axis, y_axis), []
    if pinned:
        least = kept(list_profile, all_releases(pinned), axis_end(result)).least
        traces.append(pinned_curve(profile.epsilon, _above_axis(least), colours))
    exact = "exact" if profile.is_exact else "least upper bound"
    curves = (("zcdp", "zCDP", profile.zcdp), ("rdp", "RDP", profile.rdp), ("exact", exact, profile.least))
    for key, name, values in curves:
        if np.isfinite(values).any():
            y = _above_axis(values)
            traces.append(accountant_line(key, profile.epsilon, y, name, colours, hovertemplate="δ %{y:.4~g}"))
    traces.append(_setting_points(points_at(result), setting, end, colours))
    _delta_level(figure, setting.delta, colours)
    label = f"ε = {format_input_up(setting.epsilon)}{' →' if setting.epsilon > end else ''}"
    hairline(figure, colours, min(setting.epsilon, end), label, "epsilon")
    if pinned:
        pinned_line(figure, colours, pinned.setting.epsilon)
    return {"data": traces, "layout": figure}


def _above_axis(values: Array) -> Array:
    return np.where(values >= 10.0**_LOWEST_DECADE, values, np.nan)


def _setting_points(points: ProfilePoints, setting: SharedSetting, end: float, colours: Colours) -> dict[str, Any]:
    """Return the points of the page's ε and δ on the curve, without those beyond the axis."""
    pairs = [(setting.epsilon, points.delta), (points.epsilon, setting.delta)]
    visible = [(x, y) for x, y in pairs if x <= end and y >= 10.0**_LOWEST_DECADE]
    labels = [f"at ε = {format_up(x)}: δ at most {format_up(y)}" for x, y in visible]
    marker = {"size": 11, "color": colours["text"], "symbol": "circle"}
    x, y = ([pair[place] for pair in visible] for place in (0, 1))
    more = {"showlegend": False, "customdata": labels, "hovertemplate": "%{customdata}<extra></extra>"}
    return markers(x, y, "ε, δ of the setting", marker, **more)


def _delta_level(figure: Figure, delta: float, colours: Colours) -> None:
    """Draw a thin line at the page's δ."""
    style = {"color": colours["quiet"], "dash": "dash", "width": 1}
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": delta, "y1": delta, "line": style}
    figure["shapes"].append(span)
    note = {"text": f"δ = {format_input_up(delta)}", "showarrow": False}
    note |= {"xref": "paper", "x": 1, "xanchor": "right"}
    near_top = delta > 0.05
    note |= {"y": float(np.log10(delta)), "yanchor": "top" if near_top else "bottom", "font": {"size": TYPE}}
    figure["annotations"].append(note)
