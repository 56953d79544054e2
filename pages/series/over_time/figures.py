"""The pictures of the section: errors over time and over k, and a trial series with its band."""

import math
from itertools import chain, count
from typing import Any

import numpy as np
import pandas as pd

from dpcore.families import FAMILIES
from pages.framework.chart.theme import (
    compact,
    ghost,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    pinned_line,
    round_axis_end,
    transparent,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_nearest
from pages.series.over_time.results import ALONE
from pages.series.over_time.text import LINE_NAMES, number_words, setting_words
from pages.series.parameters import ARRIVED, PERIODS_PER_YEAR
from pages.series.results import SeriesResult, SeriesSetting
from pages.shared import looks

LOOKS = {
    ALONE: ("orange", "dash"),
    "per_number": ("grey", "dashdot"),
    "tree": ("green", "dashdot"),
    "binary_tree": ("ochre", "dashdot"),
    "square_root": ("purple", "dot"),
    "normalized_square_root": ("blue", "solid"),
    "banded": ("rose", "dot"),
}
"""The colour and the dash of each method."""
_ROOM = 1.02  # beyond T, so that its line is no edge


_MOST_TICKS = 6
_PARTS_OF_YEAR = {"month": (1, 2, 3, 6), "quarter": (1, 2), "week": (1, 2, 4, 13, 26)}


def limit_name(contributions: int) -> str:
    """Return the name of the limit of all methods, which is known of a person in one period or cell alone."""
    return f"limit for Gaussian noise{', k = 1' if contributions > 1 else ''}"


def time_axis(setting: SeriesSetting, last: float) -> dict[str, Any]:
    """Return the axis of periods, whose ticks are whole years or parts of one: months at 12, 24, 36."""
    end = round_axis_end(last)
    axis: dict[str, Any] = {"range": [0, end], "title": {"text": f"{setting.period} t"}}
    if setting.period not in _PARTS_OF_YEAR:
        return axis
    year = PERIODS_PER_YEAR[setting.period]
    years = (year * step * 10**power for power in count() for step in (1, 2, 5))
    steps = chain(_PARTS_OF_YEAR[setting.period], years)
    return axis | {"tick0": 0, "dtick": next(step for step in steps if end / step < _MOST_TICKS)}


def over_time_figure(result: SeriesResult, colours: Colours) -> Figure:
    """Draw the half-width of each number by each method over time, with its limit and a better noise without δ."""
    setting, found = result.setting, result.over_time
    pinned = None if result.pinned is None else result.pinned.over_time
    last = found.series.n * _ROOM if pinned is None else max(found.series.n, pinned.series.n) * _ROOM
    highest = max(found.frame[list(found.curves)].to_numpy().max(), 0 if pinned is None else pinned.half_width)
    x = time_axis(setting, last) | hover_head("t")
    y = {"range": [0, round_axis_end(float(highest))], "title": {"text": setting.size_text()}}
    subtitle = setting_words(setting)
    if found.is_pure_better:
        subtitle += f". {FAMILIES[found.pure_noise].name}: δ = 0"
    figure = layout(colours, "Error of each number, by method", subtitle, x, y)
    traces = []
    if pinned is not None:
        values = pinned.half_widths(pinned.answer_errors)
        traces.append(line(range(1, values.size + 1), values, "pinned", "", "") | ghost(colours))
    traces += _method_lines(found.frame, "period", found.curves, found.answer_errors.strategy, colours)
    ends = [1, found.series.n] if found.series.n > 1 else [0, 1]
    if found.limit is not None:
        limit, shade = [found.limit] * 2, colours["text"]
        name = limit_name(found.series.contributions)
        traces.append(line(ends, limit, name, shade, "solid", hovertemplate="±%{y:.4~g}"))
        traces[-1]["line"]["width"] = 1
    if found.is_pure_better:
        pure, name = [found.pure] * 2, f"{FAMILIES[found.pure_noise].name}: largest ±"
        look = looks.LOOKS[found.pure_noise]
        traces.append(line(ends, pure, name, colours[look.colour], look.dash, hovertemplate="±%{y:.4~g}"))
    hairline(figure, colours, found.series.n, f"T = {found.series.n:,}", "length")
    if not setting.counts_once:
        k = found.series.contributions
        hairline(figure, colours, k, f"one person: k = {k:,}", "in_periods", is_low=True)
    return {"data": traces, "layout": figure}


def over_persons_figure(result: SeriesResult, colours: Colours) -> Figure:
    """Draw the largest half-width by each method over k, the number of periods of one person."""
    setting, found = result.setting, result.over_time
    values = found.over_persons[list(found.curves)].to_numpy()
    last = 0 if found.series.n == 1 else len(f"{found.series.n - 1}")
    x = log_axis(f"{setting.period_words} that one person can be in, k", 0, max(last, 1)) | hover_head("k")
    y = {"range": [0, round_axis_end(float(values.max()))], "title": {"text": setting.size_text("± at most,")}}
    figure = layout(colours, "Largest error, by how often one person counts", setting_words(setting), x, y)
    traces = []
    if result.pinned is not None:
        pinned = result.pinned.over_time
        place = [pinned.series.contributions]
        point = line(place, [pinned.half_width], "pinned", "", "") | ghost(colours)
        traces.append(point | {"mode": "markers", "marker": {"color": colours["ghost"], "size": 10}})
        pinned_line(figure, colours, place[0])
    lines = _method_lines(found.over_persons, "k", found.curves, found.answer_errors.strategy, colours)
    traces += map(_as_points, lines) if found.has_few_places else lines
    k = found.series.contributions
    hairline(figure, colours, k, f"k = {k:,}", "in_periods" if k == setting.in_periods else "")
    return {"data": traces, "layout": figure}


def trial_figure(result: SeriesResult, frame: pd.DataFrame, colours: Colours) -> Figure:
    """Draw the true and the published numbers of a trial, and the band in which the true ones are expected."""
    setting = result.setting
    n = setting.n_periods
    x = time_axis(setting, n * _ROOM)
    y = {"title": {"text": number_words(setting)}}
    subtitle = f"{len(frame):,} of {setting.periods(n)}; seed {format_nearest(setting.seed, 10)}"
    figure = layout(colours, "A trial: published numbers and the truth", subtitle, x | hover_head("t"), y)
    period = frame["period"]
    traces = [
        *_band(period, frame["low"], frame["high"], f"published ± in {setting.share_text}{of_each(setting)}", colours),
        line(period, frame["truth"], "truth", colours["text"], "solid"),
        line(period, frame["published"], "published", colours["blue"], "solid")
        | {"mode": "markers", "marker": {"color": colours["blue"], "size": 5}},
    ]
    if setting.publication == "as_it_goes":
        hairline(figure, colours, len(frame), f"{ARRIVED.symbol} = {len(frame):,}", ARRIVED.key)
    return {"data": traces, "layout": figure}


def of_each(setting: SeriesSetting) -> str:
    """Return that a band is of each number by itself, where it is not of all at once."""
    return "" if setting.is_joint else ", each by itself"


def trial_errors_figure(result: SeriesResult, frame: pd.DataFrame, colours: Colours) -> Figure:
    """Draw by how much the numbers of a trial are off, with the band, beside sums of noisy periods."""
    setting, found = result.setting, result.over_time
    x = time_axis(setting, setting.n_periods * _ROOM)
    y = {"title": {"text": "published − truth"}}
    subtitle = f"{len(frame):,} of {setting.periods(setting.n_periods)}; seed {format_nearest(setting.seed, 10)}"
    figure = layout(colours, "By how much the trial is off", subtitle, x | hover_head("t"), y)
    period, name = frame["period"], found.answer_errors.strategy
    name_of_band = f"{setting.size_text()}{of_each(setting)}"
    traces = _band(period, -frame["half_width"], frame["half_width"], name_of_band, colours)
    if name != ALONE:
        shade, dash = LOOKS[ALONE]
        traces.append(line(period, frame["error_alone"], LINE_NAMES[ALONE], colours[shade], dash))
    shade, _ = LOOKS[name]
    traces.append(
        line(period, frame["error"], LINE_NAMES[name], colours[shade], "solid", mode="lines+markers")
        | {"marker": {"color": colours[shade], "size": 5}}
    )
    return {"data": traces, "layout": figure}


def _band(x: Any, low: Any, high: Any, name: str, colours: Colours) -> list[dict[str, Any]]:
    """Return a filled band between two lines, of which the upper one has its name."""
    edge = {"line": {"width": 0}, "hoverinfo": "skip"}
    lower = line(x, low, "lower end", colours["blue"], "solid", **edge, showlegend=False)
    upper = line(x, high, name, colours["blue"], "solid", **edge)
    return [lower, upper | {"fill": "tonexty", "fillcolor": colours["band"]}]


def map_figure(result: SeriesResult, colours: Colours) -> Figure:
    """Draw the best method over T and k, with the setting as a star."""
    setting, frame = result.setting, result.over_time.best_methods
    places = np.unique(frame["length"])
    ends = {"range": [-0.1, math.log10(places[-1]) + 0.1]}
    ticks = (1.0, 2.0, 4.0, 12.0, 36.0, 128.0)
    x = log_axis(f"{setting.period_words} in the series, T", 0, 2, marks=ticks) | ends
    y = log_axis(f"{setting.period_words} that one person can be in, k", 0, 2, marks=ticks) | ends
    best = "" if setting.series_noise == "gaussian" and not setting.is_joint else ", by standard error"
    better = f"noise in each {setting.period} where no other is better"
    subtitle = f"{setting.noise.name} noise, the {number_words(setting)}{best}; {better}"
    figure = layout(colours, "Best method, by T and k", subtitle, x, y)
    figure |= {"hovermode": "closest", "height": 380}
    methods = [*LOOKS]
    code = pd.Categorical(frame["method"], methods).codes.astype(float)
    code = np.where(code < 0, np.nan, code).reshape(places.size, places.size).T
    shades = [transparent(colours[LOOKS[method][0]], 0.55) for method in methods]
    scale = [[(place + step) / len(methods), shade] for place, shade in enumerate(shades) for step in (0, 1)]
    hover = (
        "T = %{x:.0f}, k = %{y:.0f}<br>noise in each period has %{customdata:.3~g} times the error of the best"
        "<br>click to set both<extra></extra>"
    )
    field = {"type": "heatmap", "x": compact(places), "y": compact(places), "z": compact(code), "hoverongaps": False}
    field |= {"zmin": -0.5, "zmax": len(methods) - 0.5, "colorscale": scale, "showscale": False}
    field |= {"customdata": compact(frame["times"].to_numpy().reshape(code.shape).T), "hovertemplate": hover}
    traces = [field]
    there = {*frame["method"]}
    for method, shade in zip(methods, shades, strict=True):
        if method in there:
            marker = {"symbol": "square", "size": 13, "color": shade}
            patch = {"type": "scatter", "mode": "markers", "name": LINE_NAMES[method], "x": [None], "y": [None]}
            traces.append(patch | {"marker": marker})
    n, k = setting.n_periods, setting.series.contributions
    beyond = "" if n <= places[-1] else ", beyond the map"
    star = {"symbol": "star", "size": 14, "color": colours["text"]}
    at = compact([min(n, places[-1])]), compact([min(k, places[-1])])
    mark = {"type": "scatter", "mode": "markers", "name": f"your T and k{beyond}", "x": at[0], "y": at[1]}
    traces.append(mark | {"marker": star, "hoverinfo": "skip"})
    return {"data": traces, "layout": figure}


def _as_points(trace: dict[str, Any]) -> dict[str, Any]:
    """Return the points of a line alone: between them it has steps that are not known."""
    return trace | {"mode": "markers", "marker": {"color": trace["line"]["color"], "size": 5 + trace["line"]["width"]}}


def _method_lines(
    frame: pd.DataFrame, along: str, methods: tuple[str, ...], chosen: str, colours: Colours
) -> list[dict[str, Any]]:
    """Return a line for each method, that of the chosen one thicker."""
    traces = []
    for method in methods:
        shade, dash = LOOKS[method]
        trace = line(frame[along], frame[method], LINE_NAMES[method], colours[shade], dash, hovertemplate="±%{y:.4~g}")
        traces.append(trace | {"line": trace["line"] | {"width": 4 if method == chosen else 2}})
    return traces
