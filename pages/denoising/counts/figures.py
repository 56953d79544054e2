"""Pictures of denoised counts: the error of each estimator over the release's, and the counts themselves."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising import estimator_colours
from pages.denoising.counts.results import CountsRelease
from pages.framework.chart import theme
from pages.framework.chart.theme import compact, layout
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format

MOST_CELLS = 200  # cells that can be told apart
_HEIGHT = 260  # px: the height of the second picture
_MOST_LINE_POINTS = 4000  # of a line
_MARKS_ABOVE, _MARKS_BELOW = 0.2, 0.44  # where the marks of a row stand, in rows; its bar is between
_AXIS_END = 1.3  # of the axis of errors; a longer bar is said in words
_SHORT_NAMES = {
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
    release: CountsRelease, pinned: CountsRelease | None, verdicts: dict[str, str], subtitle: str, colours: Colours
) -> Figure:
    """The RMSE of each estimator as a share of the release's own: mean, this release, and what the release tells."""
    keys, places = release.rivals, np.arange(len(release.rivals))
    across = {"range": [-0.02, _AXIS_END], "tickvals": [0, 0.5, 1], "ticktext": ["0 %", "50 %", "100 %"]}
    across |= {"title": {"text": "RMSE as a share of the release’s, σ"}}
    down = {
        "range": [len(keys) - 0.4, -0.6],
        "tickvals": [*range(len(keys))],
        "ticktext": [_SHORT_NAMES[key] for key in keys],
    }
    figure = layout(colours, "Error of each estimator: shorter is better", subtitle, across, down | {"showgrid": False})
    figure["hovermode"] = "closest"
    figure["margin"] |= {"r": 96}
    shares = [release.rmse_shares[key] for key in keys]
    bar = {"type": "bar", "orientation": "h", "name": f"mean over {release.n_repeats} releases", "y": places}
    bar |= {"width": 0.3, "offset": 0.02}  # the marks stand above it
    bar |= {
        "x": compact(shares),
        "marker": {"color": [estimator_colours.estimator_colour(key, colours) for key in keys]},
    }
    bar |= {"hovertemplate": "mean: %{x:.1%} of the release’s<extra></extra>"}
    figure["annotations"] += [_verdict_note(place, key, verdicts, release, colours) for place, key in enumerate(keys)]
    _mark_release(figure, colours)
    ghosts = [] if pinned is None else _pinned_errors(release, pinned, colours)
    return {"data": [bar, *ghosts, *_error_marks(release, places, colours)], "layout": figure}


def _verdict_note(
    place: int, key: str, verdicts: dict[str, str], release: CountsRelease, colours: Colours
) -> dict[str, Any]:
    shade = colours["fails" if verdicts[key].startswith("worse") else "text"]
    where = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "y": place, "showarrow": False}
    return where | {"text": verdicts[key], "font": {"color": shade, "size": theme.TYPE}}


def _mark_release(figure: Figure, colours: Colours) -> None:
    """Mark the release itself."""
    style = {"color": colours["text"], "dash": "solid", "width": 1.5}
    span = {"type": "line", "x0": 1, "x1": 1, "y0": 0, "y1": 1, "yref": "y domain", "line": style}
    figure["shapes"].append(span)
    note = {"text": "as released", "showarrow": False, "x": 1, "y": 1, "yref": "y domain", "yanchor": "bottom"}
    figure["annotations"].append(note | {"font": {"size": theme.TYPE}})


def _error_marks(release: CountsRelease, places: NDArray[np.intp], colours: Colours) -> list[dict[str, Any]]:
    wider = release.sigma * math.sqrt(1 + EXTRA_VARIANCE)
    shares = {
        "true": [release.outcomes[key].rmse / release.sigma for key in release.rivals],
        "sure": [_rmse_or_zero(release.outcomes[key].rmse_by_sure) / release.sigma for key in release.rivals],
        "ranked": [_rmse_or_zero(release.ranking_rmse[key]) / wider for key in release.rivals],
    }
    shared = {"type": "scatter", "mode": "markers", "y": places - _MARKS_ABOVE}
    traces = []
    for key, name, symbol, shade in _MARKS:
        inside = np.array([share if share <= _AXIS_END else np.nan for share in shares[key]])
        marker = {"symbol": symbol, "size": 8, "color": colours[shade]}
        hover = {"hovertemplate": f"{name}: %{{x:.1%}}<extra></extra>"}
        traces.append(shared | hover | {"name": name, "x": compact(inside), "marker": marker})
    return traces


def _rmse_or_zero(rmse: float) -> float:
    return 0.0 if math.isnan(rmse) else rmse


def _pinned_errors(release: CountsRelease, pinned: CountsRelease, colours: Colours) -> list[dict[str, Any]]:
    """The mean errors of a kept setting, as grey squares."""
    places = [place for place, key in enumerate(release.rivals) if key in pinned.rmse_shares]
    shares = [pinned.rmse_shares[release.rivals[place]] for place in places]
    inside = [share if share <= _AXIS_END else math.nan for share in shares]
    stroke = {"symbol": "square", "size": 7, "color": colours["ghost"]}
    trace = {
        "type": "scatter",
        "mode": "markers",
        "name": "pinned",
        "y": [place + _MARKS_BELOW for place in places],
        "x": compact(inside),
    }
    return [trace | {"marker": stroke, "hovertemplate": "pinned: %{x:.1%}<extra></extra>"}]


def values_figure(release: CountsRelease, subtitle: str, colours: Colours) -> Figure:
    """True counts, the release, and what an estimator makes of it: a series as lines, a table with its cells."""
    shade = estimator_colours.estimator_colour(release.displayed_key, colours)
    title = f"True counts, the release, and: {ESTIMATORS[release.displayed_key].name}"
    if release.is_series:
        across = {"title": {"text": "place in the series"}, "range": [0.5, release.size + 0.5]}
        figure = layout(colours, title, subtitle, across, _count_axis(release, release.noisy_counts)) | {
            "height": _HEIGHT
        }
        return {"data": _series_lines(release, shade, colours), "layout": figure}
    order = np.argsort(-release.count, kind="stable")[:MOST_CELLS]
    figure = layout(
        colours, title, subtitle, _cell_axis(release, order), _count_axis(release, release.noisy_counts[order])
    )
    figure |= {"bargap": 0.3, "height": _HEIGHT}
    places = np.arange(1, order.size + 1)
    shared = {"x": compact(places), "hovertemplate": "%{y:,.4g}"}
    bars = {
        "type": "bar",
        "name": "true count",
        "y": compact(release.count[order]),
        "marker": {"color": colours["floor"]},
    }
    dots = {"type": "scatter", "mode": "markers"}
    noisy = {"name": "as released", "y": compact(release.noisy_counts[order])}
    noisy |= {"marker": {"symbol": "circle-open", "size": 7, "color": colours["quiet"]}}
    best = {
        "name": "denoised",
        "y": compact(release.denoised_counts[order]),
        "marker": {"symbol": "diamond", "size": 7, "color": shade},
    }
    return {"data": [shared | bars, shared | dots | noisy, shared | dots | best], "layout": figure}


def _series_lines(release: CountsRelease, shade: str, colours: Colours) -> list[dict[str, Any]]:
    places = np.unique(np.linspace(0, release.size - 1, min(release.size, _MOST_LINE_POINTS)).astype(np.intp))
    more = {"hovertemplate": "%{y:,.4g}"}
    thin = {"line": {"color": colours["ghost"], "width": 1.5}}
    marks = {"mode": "lines+markers"} if release.size == 1 else {}
    traces = [
        theme.line(places + 1, release.noisy_counts[places], "as released", colours["ghost"], "solid", **more)
        | thin
        | marks
    ]
    traces.append(theme.line(places + 1, release.count[places], "true count", colours["text"], "dot", **more) | marks)
    traces.append(
        theme.line(
            places + 1,
            release.denoised_counts[places],
            "denoised",
            shade,
            estimator_colours.estimator_dash(release.displayed_key),
            **more,
        )
        | marks
    )
    return traces


def _cell_axis(release: CountsRelease, order: NDArray[np.intp]) -> dict[str, Any]:
    axis: dict[str, Any] = {"range": [0.3, order.size + 0.7]}
    names = [number_format.chart_text(str(cell), 22) for cell in release.counts.frame["cell"].to_numpy()[order]]
    if order.size > 24 or len({*names}) < len(names):
        return axis | {"title": {"text": "cells, largest first"}}
    return axis | {"tickvals": [*range(1, len(names) + 1)], "ticktext": names, "autotickangles": [0, -60, 90]}


def _count_axis(release: CountsRelease, noisy: Array) -> dict[str, Any]:
    """The axis of counts, over a range that seldom moves."""
    high = theme.round_axis_end(max(float(release.count.max()), float(noisy.max()), 1.0))
    low = theme.round_axis_end(max(-float(noisy.min()), 0.05 * high))
    return {"range": [-low, high], "title": {"text": "count"}}
