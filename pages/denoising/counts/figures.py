"""Pictures of denoised counts: the error of each estimator over the release's, and the counts themselves."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising import estimator_colours
from pages.denoising.counts.results import Released
from pages.framework.chart import theme
from pages.framework.chart.theme import compact, layout
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format

MOST_SHOWN = 200  # cells that can be told apart
_LOW = 260  # px: the height of the second picture
_MOST_POINTS = 4000  # of a line
_ABOVE, _BELOW = 0.2, 0.44  # where the marks of a row stand, in rows; its bar is between
_END = 1.3  # of the axis of errors; a longer bar is said in words
_SHORT = {
    "posterior_mean": "posterior mean",
    "james_stein_plus": "James–Stein +",
    "soft_universal": "soft, fixed T",
    "soft_sure": "soft, T by SURE",
    "non_negative": "no negatives",
    "with_total": "total kept",
    "wavelet_universal": "wavelets, fixed T",
    "wavelet_sure": "wavelets by SURE",
    "laplacian": "smoothing",
}
_MARKS = (
    ("true", "this release", "diamond", "text"),
    ("ranked", "the ranking expects", "x", "text"),
    ("sure", "SURE expects", "circle", "quiet"),
)


def errors_figure(
    now: Released, before: Released | None, verdicts: dict[str, str], subtitle: str, colour: Colours
) -> Figure:
    """The RMSE of each estimator as a share of the release's own: mean, this release, and what the release tells."""
    keys, places = now.rivals, np.arange(len(now.rivals))
    across = {"range": [-0.02, _END], "tickvals": [0, 0.5, 1], "ticktext": ["0 %", "50 %", "100 %"]}
    across |= {"title": {"text": "RMSE as a share of the release’s, σ"}}
    down = {
        "range": [len(keys) - 0.4, -0.6],
        "tickvals": [*range(len(keys))],
        "ticktext": [_SHORT[key] for key in keys],
    }
    figure = layout(colour, "Error of each estimator: shorter is better", subtitle, across, down | {"showgrid": False})
    figure["hovermode"] = "closest"
    figure["margin"] |= {"r": 96}
    shares = [now.shares[key] for key in keys]
    bar = {"type": "bar", "orientation": "h", "name": f"mean over {now.n_repeats} releases", "y": places}
    bar |= {"width": 0.3, "offset": 0.02}  # the marks stand above it
    bar |= {"x": compact(shares), "marker": {"color": [estimator_colours.shade(key, colour) for key in keys]}}
    bar |= {"hovertemplate": "mean: %{x:.1%} of the release’s<extra></extra>"}
    figure["annotations"] += [_verdict(place, key, verdicts, now, colour) for place, key in enumerate(keys)]
    _own_error(figure, colour)
    ghosts = [] if before is None else _ghosts(now, before, colour)
    return {"data": [bar, *ghosts, *_marks(now, places, colour)], "layout": figure}


def _verdict(place: int, key: str, verdicts: dict[str, str], now: Released, colour: Colours) -> dict[str, Any]:
    shade = colour["fails" if verdicts[key].startswith("worse") else "text"]
    where = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "y": place, "showarrow": False}
    return where | {"text": verdicts[key], "font": {"color": shade, "size": theme.TYPE}}


def _own_error(figure: Figure, colour: Colours) -> None:
    """Mark the release itself."""
    style = {"color": colour["text"], "dash": "solid", "width": 1.5}
    span = {"type": "line", "x0": 1, "x1": 1, "y0": 0, "y1": 1, "yref": "y domain", "line": style}
    figure["shapes"].append(span)
    note = {"text": "as released", "showarrow": False, "x": 1, "y": 1, "yref": "y domain", "yanchor": "bottom"}
    figure["annotations"].append(note | {"font": {"size": theme.TYPE}})


def _marks(now: Released, places: NDArray[np.intp], colour: Colours) -> list[dict[str, Any]]:
    wider = now.sigma * math.sqrt(1 + EXTRA_VARIANCE)
    seen = {
        "true": [now.outcomes[key].true / now.sigma for key in now.rivals],
        "sure": [_above_0(now.outcomes[key].by_sure) / now.sigma for key in now.rivals],
        "ranked": [_above_0(now.risk[key]) / wider for key in now.rivals],
    }
    shared = {"type": "scatter", "mode": "markers", "y": places - _ABOVE}
    traces = []
    for key, name, symbol, shade in _MARKS:
        inside = np.array([share if share <= _END else np.nan for share in seen[key]])
        marker = {"symbol": symbol, "size": 8, "color": colour[shade]}
        hover = {"hovertemplate": f"{name}: %{{x:.1%}}<extra></extra>"}
        traces.append(shared | hover | {"name": name, "x": compact(inside), "marker": marker})
    return traces


def _above_0(rmse: float) -> float:
    return 0.0 if math.isnan(rmse) else rmse


def _ghosts(now: Released, before: Released, colour: Colours) -> list[dict[str, Any]]:
    """The mean errors of a kept setting, as grey squares."""
    places = [place for place, key in enumerate(now.rivals) if key in before.shares]
    shares = [before.shares[now.rivals[place]] for place in places]
    inside = [share if share <= _END else math.nan for share in shares]
    stroke = {"symbol": "square", "size": 7, "color": colour["ghost"]}
    trace = {
        "type": "scatter",
        "mode": "markers",
        "name": "pinned",
        "y": [place + _BELOW for place in places],
        "x": compact(inside),
    }
    return [trace | {"marker": stroke, "hovertemplate": "pinned: %{x:.1%}<extra></extra>"}]


def values_figure(now: Released, subtitle: str, colour: Colours) -> Figure:
    """True counts, the release, and what an estimator makes of it: a series as lines, a table with its cells."""
    shade = estimator_colours.shade(now.drawn, colour)
    title = f"True counts, the release, and: {ESTIMATORS[now.drawn].name}"
    if now.series:
        across = {"title": {"text": "place in the series"}, "range": [0.5, now.size + 0.5]}
        figure = layout(colour, title, subtitle, across, _upward(now, now.noisy)) | {"height": _LOW}
        return {"data": _lines(now, shade, colour), "layout": figure}
    order = np.argsort(-now.count, kind="stable")[:MOST_SHOWN]
    figure = layout(colour, title, subtitle, _cells(now, order), _upward(now, now.noisy[order]))
    figure |= {"bargap": 0.3, "height": _LOW}
    places = np.arange(1, order.size + 1)
    shared = {"x": compact(places), "hovertemplate": "%{y:,.4g}"}
    bars = {"type": "bar", "name": "true count", "y": compact(now.count[order]), "marker": {"color": colour["floor"]}}
    dots = {"type": "scatter", "mode": "markers"}
    noisy = {"name": "as released", "y": compact(now.noisy[order])}
    noisy |= {"marker": {"symbol": "circle-open", "size": 7, "color": colour["quiet"]}}
    best = {
        "name": "denoised",
        "y": compact(now.denoised[order]),
        "marker": {"symbol": "diamond", "size": 7, "color": shade},
    }
    return {"data": [shared | bars, shared | dots | noisy, shared | dots | best], "layout": figure}


def _lines(now: Released, shade: str, colour: Colours) -> list[dict[str, Any]]:
    places = np.unique(np.linspace(0, now.size - 1, min(now.size, _MOST_POINTS)).astype(np.intp))
    more = {"hovertemplate": "%{y:,.4g}"}
    thin = {"line": {"color": colour["ghost"], "width": 1.5}}
    marks = {"mode": "lines+markers"} if now.size == 1 else {}
    kept = [theme.line(places + 1, now.noisy[places], "as released", colour["ghost"], "solid", **more) | thin | marks]
    kept.append(theme.line(places + 1, now.count[places], "true count", colour["text"], "dot", **more) | marks)
    kept.append(
        theme.line(places + 1, now.denoised[places], "denoised", shade, estimator_colours.dash(now.drawn), **more)
        | marks
    )
    return kept


def _cells(now: Released, order: NDArray[np.intp]) -> dict[str, Any]:
    axis: dict[str, Any] = {"range": [0.3, order.size + 0.7]}
    names = [number_format.chart_text(str(cell), 22) for cell in now.counts.frame["cell"].to_numpy()[order]]
    if order.size > 24 or len({*names}) < len(names):
        return axis | {"title": {"text": "cells, largest first"}}
    return axis | {"tickvals": [*range(1, len(names) + 1)], "ticktext": names, "autotickangles": [0, -60, 90]}


def _upward(now: Released, noisy: Array) -> dict[str, Any]:
    """The axis of counts, over a range that seldom moves."""
    high = theme.round_axis_end(max(float(now.count.max()), float(noisy.max()), 1.0))
    low = theme.round_axis_end(max(-float(noisy.min()), 0.05 * high))
    return {"range": [-low, high], "title": {"text": "count"}}
