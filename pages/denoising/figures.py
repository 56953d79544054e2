"""The figures of denoised counts and of the risk of each estimator; those of maps are in `map/figures.py`."""

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising.counts.results import CountsRelease
from pages.denoising.estimator_risk.results import CURVE_KEYS, RIVALS, EstimatorRisk
from pages.denoising.estimator_risk.text import SHORT_NAMES
from pages.framework.chart.theme import (
    TYPE,
    compact,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    markers,
    pinned_curve,
    pinned_line,
    round_axis_end,
    transparent,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest
from pages.shared.formulas import in_words
from pages.shared.looks import estimator_colour, estimator_dash

MOST_CELLS = 200  # more cells cannot be distinguished
_HEIGHT = 204  # px, of the second picture
_MOST_LINE_POINTS = 4000
_PIN_BELOW = 0.36  # the distance of a pinned error from the middle of its row
_COUNTS_AXIS_END = 1.3  # of the axis of errors; a larger error is written beside it
_SHORT_NAMES = {
    "posterior_mean": "posterior mean",
    "james_stein_plus": "James–Stein +",
    "soft_universal": "soft, fixed T",
    "soft_sure": "soft, T by SURE",
    "non_negative": "clipped at 0",
    "with_total": "clipped, same total",
    "wavelet_universal": "wavelets, fixed T",
    "wavelet_sure": "wavelets by SURE",
    "laplacian": "smoothing",
}


def errors_figure(
    release: CountsRelease, pinned: CountsRelease | None, verdicts: dict[str, str], subtitle: str, colours: Colours
) -> Figure:
    """Draw the RMSE of each estimator relative to the release's, in the order of the ranking.

    The marks and the numbers are what the release alone shows; the bars, which are lighter, what the true counts show.
    """
    keys, places = release.rivals, np.arange(len(release.rivals))
    across = {"range": [-0.02, _COUNTS_AXIS_END], "tickvals": [0, 0.5, 1], "ticktext": ["0 %", "50 %", "100 %"]}
    across |= {"title": {"text": "RMSE ÷ σ (the RMSE of the release)"}}
    down = {"range": [len(keys) - 0.4, -0.6], "tickvals": [*range(len(keys))]}
    names = [_SHORT_NAMES[key] for key in keys]
    first = release.first_in_ranking
    down["ticktext"] = [f"<b>{name}</b>" if key == first else name for key, name in zip(keys, names, strict=True)]
    figure = layout(colours, "Error of each estimator relative to σ", subtitle, across, down | {"showgrid": False})
    figure["hovermode"] = "closest"
    figure["margin"] |= {"r": 96}
    shares = [release.rmse_shares[key] for key in keys]
    bar = {"type": "bar", "orientation": "h", "name": f"true mean of {release.n_repeats} releases", "y": places}
    bar |= {"x": compact(shares), "width": 0.5, "marker": {"color": transparent(colours["blue"], 0.35)}}
    bar |= {"hovertemplate": "true mean: %{x:.1~%} of the release’s<extra></extra>"}
    wider = release.sigma * math.sqrt(1 + EXTRA_VARIANCE)
    expected = np.array([release.ranking_rmse[key] for key in keys]) / wider
    expected[np.isnan(expected)] = 0.0
    inside = np.where(expected <= _COUNTS_AXIS_END, expected, np.nan)
    diamond = {"symbol": "diamond", "size": 9, "color": colours["text"]}
    mark = markers(inside, places, "expected by the ranking, from this release", diamond)
    mark |= {"hovertemplate": "expected: %{x:.1~%} of the release’s<extra></extra>"}
    figure["annotations"].append(_right_note(-0.6, "by the release", colours["text"]) | {"yanchor": "bottom"})
    for place, key in enumerate(keys):
        ranked = "below 0" if math.isnan(release.ranking_rmse[key]) else f"{expected[place]:.0%}".replace("%", " %")
        is_worse = verdicts[key].startswith("worse")
        note = f"{ranked}; truly worse" if is_worse else ranked
        figure["annotations"].append(_right_note(place, note, colours["fails" if is_worse else "text"]))
    _mark_rmse(figure, colours, 1.0, "as released")
    if release.recommended is not None and release.undenoised_rmse < release.sigma:
        share = release.undenoised_rmse / release.sigma
        _mark_rmse(figure, colours, share, f"{in_words(release.recommended)} noise", dash="dash")
    ghosts = [] if pinned is None else _pinned_errors(release, pinned, colours)
    return {"data": [bar, *ghosts, mark], "layout": figure}


def _right_note(place: float, text: str, shade: str) -> dict[str, Any]:
    where = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "y": place, "showarrow": False}
    return where | {"text": text, "font": {"color": shade, "size": TYPE}}


def _mark_rmse(figure: Figure, colours: Colours, share: float, label: str, dash: str = "solid") -> None:
    """Draw a line at the RMSE of a release that is not denoised: of this noise, or of the recommended one."""
    style = {"color": colours["text"], "dash": dash, "width": 1.5}
    span = {"type": "line", "x0": share, "x1": share, "y0": 0, "y1": 1, "yref": "y domain", "line": style}
    figure["shapes"].append(span)
    side = {"xanchor": "center" if share < 0.6 else "right" if share < 1 else "left"}
    note = {"text": label, "showarrow": False, "x": share, "y": 1, "yref": "y domain", "yanchor": "bottom"}
    figure["annotations"].append(note | side | {"font": {"size": TYPE}})


def _pinned_errors(release: CountsRelease, pinned: CountsRelease, colours: Colours) -> list[dict[str, Any]]:
    """Return the true mean errors of the pinned setting, as grey squares."""
    places = [place for place, key in enumerate(release.rivals) if key in pinned.rmse_shares]
    shares = [pinned.rmse_shares[release.rivals[place]] for place in places]
    inside = [share if share <= _COUNTS_AXIS_END else math.nan for share in shares]
    stroke = {"symbol": "square", "size": 7, "color": colours["ghost"]}
    y, hover = [place + _PIN_BELOW for place in places], "pinned: %{x:.1~%}<extra></extra>"
    return [markers(inside, y, "pinned", stroke, hovertemplate=hover)]


def values_figure(release: CountsRelease, subtitle: str, colours: Colours) -> Figure:
    """Draw true counts, the release, and the denoised counts: a series as lines, a table as bars."""
    shade = estimator_colour(release.displayed_key, colours)
    title = f"True counts, release, and denoised by: {ESTIMATORS[release.displayed_key].name}"
    if release.is_series:
        across = {"title": {"text": "place in the series"}, "range": [0.5, release.size + 0.5]}
        figure = layout(colours, title, subtitle, across, _count_axis(release, release.noisy_counts))
        return {"data": _series_lines(release, shade, colours), "layout": figure | {"height": _HEIGHT}}
    order = np.argsort(-release.count, kind="stable")[:MOST_CELLS]
    across, upward = _cell_axis(release, order), _count_axis(release, release.noisy_counts[order])
    figure = layout(colours, title, subtitle, across, upward)
    figure |= {"bargap": 0.3, "height": _HEIGHT}
    places, hover = np.arange(1, order.size + 1), {"hovertemplate": "%{y:,.4~g}"}
    bars = {"type": "bar", "name": "true count", "x": compact(places), "y": compact(release.count[order])}
    bars |= {"marker": {"color": colours["floor"]}} | hover
    circle = {"symbol": "circle-open", "size": 7, "color": colours["quiet"]}
    noisy = markers(places, release.noisy_counts[order], "as released", circle, **hover)
    diamond = {"symbol": "diamond", "size": 7, "color": shade}
    best = markers(places, release.denoised_counts[order], "denoised", diamond, **hover)
    return {"data": [bars, noisy, best], "layout": figure}


def _series_lines(release: CountsRelease, shade: str, colours: Colours) -> list[dict[str, Any]]:
    places = np.unique(np.linspace(0, release.size - 1, min(release.size, _MOST_LINE_POINTS)).astype(np.intp))
    more = {"hovertemplate": "%{y:,.4~g}"}
    thin = {"line": {"color": colours["ghost"], "width": 1.5}}
    marks = {"mode": "lines+markers"} if release.size == 1 else {}
    x, dash, noisy = places + 1, estimator_dash(release.displayed_key), release.noisy_counts[places]
    return [
        line(x, noisy, "as released", colours["ghost"], "solid", **more) | thin | marks,
        line(x, release.count[places], "true count", colours["text"], "dot", **more) | marks,
        line(x, release.denoised_counts[places], "denoised", shade, dash, **more) | marks,
    ]


def _cell_axis(release: CountsRelease, order: NDArray[np.intp]) -> dict[str, Any]:
    axis: dict[str, Any] = {"range": [0.3, order.size + 0.7]}
    names = [number_format.chart_text(str(cell), 22) for cell in release.counts.frame["cell"].to_numpy()[order]]
    if order.size > 24 or len({*names}) < len(names):
        return axis | {"title": {"text": "cells, largest first"}}
    return axis | {"tickvals": [*range(1, len(names) + 1)], "ticktext": names, "autotickangles": [0, -60, 90]}


def _count_axis(release: CountsRelease, noisy: Array) -> dict[str, Any]:
    """Return the axis of counts, over a range that seldom changes."""
    high = round_axis_end(max(float(release.count.max()), float(noisy.max()), 1.0))
    low = round_axis_end(max(-float(noisy.min()), 0.05 * high))
    return {"range": [-low, high], "title": {"text": "count"}}


_BOUND_COLUMN = "soft_universal_bound"
_LEGEND_NAMES = {key: SHORT_NAMES[key] for key in CURVE_KEYS if key not in ("james_stein", "none")}
_LEGEND_NAMES["james_stein_plus"] = SHORT_NAMES["james_stein"]  # one entry for both, which the subtitle explains
_SYMBOLS = {"norm": "size", "nonzero": "share not 0"}
_RISK_AXIS_END = 1.6  # of the axis of shares; a larger share is written in the picture


def risk_figure(risk: EstimatorRisk, pinned: EstimatorRisk | None, subtitle: str, colours: Colours) -> Figure:
    """Draw what each estimator leaves of the squared error along the chosen axis, and the pinned setting."""
    frame, along = risk.curves, risk.along
    across = size_axis(risk) if along == "norm" else share_axis(risk.nonzero_low)
    upward = {"range": [0, _RISK_AXIS_END], "title": {"text": "squared error ÷ the release’s"}, "dtick": 0.5}
    title = "Squared error that each estimator leaves"
    figure = layout(colours, title, subtitle, across | hover_head(_SYMBOLS[along]), upward)
    _mark_harm(figure, along, colours)
    traces = [] if pinned is None else _pinned_curves(pinned, frame, colours)
    traces += [_risk_curve(frame, along, key, colours) for key in CURVE_KEYS]
    tint = estimator_colour("soft_universal", colours)
    bound = line(frame[along], frame[_BOUND_COLUMN], "bound of soft, T = σ√(2 ln d)", tint, "dot", hoverinfo="skip")
    traces.append(bound | {"showlegend": False, "line": bound["line"] | {"width": 1.2}})
    _mark_highest(figure, frame, along, colours)
    value = risk.norm if along == "norm" else risk.nonzero
    if pinned is not None:
        old = pinned.norm if along == "norm" else pinned.nonzero
        pinned_line(figure, colours, old if old >= 10 ** across["range"][0] else 0)
    position = value if value >= 10 ** across["range"][0] * (1 - 1e-9) else 0.0
    hairline(figure, colours, position, f"{_SYMBOLS[along]} = {format_input_up(value)}", along)
    return {"data": traces, "layout": figure}


def size_axis(risk: EstimatorRisk) -> dict[str, Any]:
    """Return the axis of sizes."""
    low, high = risk.norm_ends
    axis = log_axis("signal-to-noise ratio, ‖y‖ ÷ (σ√d)", math.ceil(low), math.floor(high))
    return axis | {"range": [low, high]}


def share_axis(low: float) -> dict[str, Any]:
    """Return the axis of the share of numbers that are not 0, from 10 to the power `low`."""
    axis = log_axis("share of the numbers that are not 0", math.ceil(low), 0)
    return axis | {"range": [low, 0]}


def _risk_curve(frame: pd.DataFrame, along: str, key: str, colours: Colours) -> dict[str, Any]:
    hover = f"%{{y:.3~g}}<extra>{SHORT_NAMES[key]}</extra>"
    name, look = _LEGEND_NAMES.get(key, ""), (estimator_colour(key, colours), estimator_dash(key))
    trace = line(frame[along], frame[key], name, *look, hovertemplate=hover)
    return trace | {"showlegend": key in _LEGEND_NAMES}


def _pinned_curves(pinned: EstimatorRisk, frame: pd.DataFrame, colours: Colours) -> list[dict[str, Any]]:
    """Return the curves of the pinned setting that differ from those of the open one."""
    old = pinned.curves
    keys = [key for key in RIVALS if len(old) != len(frame) or not np.allclose(old[key], frame[key])]
    return [pinned_curve(old[pinned.along], old[key], colours) for key in keys]


def _mark_harm(figure: Figure, along: str, colours: Colours) -> None:
    """Shade and label the area where an estimator is worse than the release."""
    area = {"type": "rect", "xref": "x domain", "x0": 0, "x1": 1, "y0": 1, "y1": _RISK_AXIS_END, "layer": "below"}
    figure["shapes"].append(area | {"fillcolor": transparent(colours["fails"], 0.1), "line": {"width": 0}})
    note = {"showarrow": False, "xref": "x domain", "x": 0.01, "xanchor": "left"}
    worse = {"text": "✗ worse than the release", "y": 0.99, "yref": "y domain", "yanchor": "top"}
    worse |= {"x": 0.99, "xanchor": "right"} if along == "norm" else {}  # away from curves beyond the axis
    figure["annotations"] += [
        note | worse | {"font": {"size": TYPE, "color": colours["fails"]}},
        note | {"text": "as released", "y": 1, "yanchor": "bottom", "font": {"size": TYPE, "color": colours["grey"]}},
    ]


def _mark_highest(figure: Figure, frame: pd.DataFrame, along: str, colours: Colours) -> None:
    """Write how high the universal threshold goes, left of its bound or right of its curve."""
    share, bound = frame["soft_universal"].to_numpy(), frame[_BOUND_COLUMN].to_numpy()
    if share.max() <= _RISK_AXIS_END:
        return
    x, (low, high) = np.log10(frame[along].to_numpy()), figure["xaxis"]["range"]
    before, behind = (float(x[np.argmax(curve > _RISK_AXIS_END)]) for curve in (bound, share))
    note = {"text": f"↑ up to {format_nearest(share.max(), 3)}", "showarrow": False}
    note |= {"y": _RISK_AXIS_END, "yanchor": "top", "yshift": -22}
    side = {"x": behind, "xanchor": "left", "xshift": 12}
    if before > low + 0.4 * (high - low):
        side = {"x": before, "xanchor": "right", "xshift": -12}
    font = {"size": TYPE, "color": estimator_colour("soft_universal", colours)}
    figure["annotations"].append(note | side | {"font": font})
