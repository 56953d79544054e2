"""Figures of Liu's experiments: released against original counts, the distance between them, and predictions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.tables import MECHANISMS, SvmScore
from pages.framework.chart.theme import TYPE, compact, layout, log_axis, markers
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest


@dataclass(frozen=True)
class Named:
    """How a mechanism is called, its guarantee, and its symbol, dash and colour."""

    name: str
    guarantee: str
    symbol: str
    dash: str
    colour: str


NAMED = {
    "laplace": Named("Laplace", "pure ε-DP", "circle", "solid", "laplace"),
    "pdp": Named("pDP Gaussian", "probabilistic DP", "square", "solid", "pdp"),
    "classical": Named("classical Gaussian", "(ε, δ)-DP", "triangle-down", "dash", "classical"),
    "generalized": Named("generalized Gaussian, p = 3", "probabilistic DP", "diamond", "dot", "purple"),
    "analytic": Named("analytic Gaussian", "(ε, δ)-DP", "triangle-up", "solid", "analytic"),
}
_LEAST_DISTANCE = 1e-12  # smaller than every ℓ₁ distance at the largest ε
_OFFSET = 0.13  # between two mechanisms at one δ, as a share of the distance between two δ
AXES = {
    "l1": "ℓ₁ distance (counts)",
    "kl_original_sanitised": "KL(original ‖ release), nats",
    "kl_sanitised_original": "KL(release ‖ original), nats",
}
SHORT = {name: label.split(",")[0].split(" (c")[0] for name, label in AXES.items()}


def releases_figure(
    cells: Sequence[str], counts: Array, released: Mapping[str, Array], subtitle: str, colours: Colours
) -> Figure:
    """Draw one release by each mechanism against the original counts, with the line on which they are equal."""
    low = min(0.0, *(float(values.min()) for values in released.values()))
    high = max(float(counts.max()), *(float(values.max()) for values in released.values()), 1.0)
    margin = 0.04 * (high - low)
    end = float(max(counts.max(), 1.0))
    offset = min(0.1, 0.006 * end)  # the points of equal counts stand beside each other
    offset_text = f"shifted by up to {format_nearest(2 * offset)}"
    figure = layout(
        colours,
        "Released against original counts (Liu 2019, Figs. 6, 8, 10)",
        number_format.chart_text(subtitle),
        {"range": [-0.04 * end, 1.04 * end], "title": {"text": f"original count (points {offset_text})"}},
        {"range": [low - margin, high + margin], "title": {"text": "released count"}},
    )
    figure["hovermode"] = "closest"
    line = {"type": "line", "x0": 0, "y0": 0, "x1": end, "y1": end, "layer": "below"}
    figure["shapes"].append(line | {"line": {"color": colours["quiet"], "width": 1.5}})
    names = [number_format.chart_text(cell, 80) for cell in cells] or ["a cell"] * counts.size
    traces = [_release_points(name, counts, values, names, colours, offset) for name, values in released.items()]
    return {"data": traces, "layout": figure}


def _release_points(
    mechanism: str, counts: Array, released: Array, names: list[str], colours: Colours, offset: float
) -> dict[str, Any]:
    x = counts + offset * (MECHANISMS.index(mechanism) - (len(MECHANISMS) - 1) / 2)
    trace = markers(x, released, NAMED[mechanism].name, _mechanism_marker(mechanism, colours) | {"opacity": 0.75})
    hover = f"%{{text}}<br>{NAMED[mechanism].name}: %{{customdata:,}} → %{{y:.4~g}}<extra></extra>"
    return trace | {"text": names, "customdata": compact(counts), "hovertemplate": hover}


def _mechanism_marker(mechanism: str, colours: Colours) -> dict[str, Any]:
    return {"color": colours[NAMED[mechanism].colour], "symbol": NAMED[mechanism].symbol, "size": 8}


def distances_figure(results: pd.DataFrame, measure: str, subtitle: str, colours: Colours) -> Figure:
    """Draw the mean distance of each mechanism at each (ε, δ), with its standard deviation; δ is grouped by ε."""
    epsilons = sorted(set(results["epsilon"]))
    deltas = sorted(set(results["delta"]) - {0.0})
    places = {
        (epsilon, delta): float(group * (len(deltas) + 1) + place)
        for group, epsilon in enumerate(epsilons)
        for place, delta in enumerate(deltas)
    }
    figure = layout(
        colours,
        f"{SHORT[measure]} between original and release (Liu 2019, Figs. 7, 9, 11)",
        number_format.chart_text(subtitle),
        {
            "tickvals": list(places.values()),
            "ticktext": [format_input_up(delta) for _, delta in places],
            "range": [-0.7, max(places.values()) + 0.7],
            "title": {"text": "δ, for each ε"},
        },
        _distance_axis(results, measure),
    )
    figure["height"] = 340
    figure["hovermode"] = "closest"
    note = {"y": 1, "yref": "y domain", "yanchor": "bottom", "showarrow": False, "font": {"size": TYPE}}
    for group, epsilon in enumerate(epsilons):
        middle = group * (len(deltas) + 1) + (len(deltas) - 1) / 2
        figure["annotations"].append({"text": f"ε = {format_input_up(epsilon)}", "x": middle} | note)
    traces, all_rows = [], results.to_dict("records")
    for name in MECHANISMS:
        rows = [row for row in all_rows if row["mechanism"] == name]
        traces += [_distance_trace(name, rows, measure, places, colours)] if rows else []
    return {"data": traces, "layout": figure}


def is_on_log_axis(mean: Array) -> NDArray[np.bool_]:
    """Return which distances a log axis can show: smaller ones are 0 but for rounding."""
    return mean > _LEAST_DISTANCE


def _distance_axis(results: pd.DataFrame, measure: str) -> dict[str, Any]:
    mean, deviation = results[f"{measure}_mean"].to_numpy(), results[f"{measure}_sd"].to_numpy()
    is_visible = is_on_log_axis(mean)
    if not is_visible.any():
        return {"range": [-0.05, 1], "title": {"text": AXES[measure]}}
    mean, deviation = mean[is_visible], deviation[is_visible]
    low, high = _safe_log10(np.maximum(mean - deviation, mean / 3).min()), _safe_log10((mean + deviation).max())
    decades = range(math.floor(low), math.ceil(high) + 1)
    marks = [step * 10.0**decade for decade in decades for step in ((1, 2, 5) if high - low < 3 else (1,))]
    margin = 0.05 * (high - low) + 0.02
    axis = log_axis(AXES[measure], decades[0], decades[-1], marks=tuple(marks))
    return axis | {"range": [low - margin, high + margin]}


def _safe_log10(value: float) -> float:
    return math.log10(max(float(value), 1e-300))


def _distance_trace(
    mechanism: str, rows: list[dict[Any, Any]], measure: str, places: dict[tuple[float, float], float], colours: Colours
) -> dict[str, Any]:
    """Return a mechanism's means, joined within each ε; that of Laplace noise, which has no δ, at each δ."""
    shift = _OFFSET * (MECHANISMS.index(mechanism) - (len(MECHANISMS) - 1) / 2)
    row_by_place = {(row["epsilon"], row["delta"]): row for row in rows}
    x, y, deviation, last = [], [], [], None
    for (epsilon, delta), place in places.items():
        if last not in (None, epsilon):
            x, y, deviation = [*x, np.nan], [*y, np.nan], [*deviation, np.nan]
        row = row_by_place.get((epsilon, delta)) or row_by_place[epsilon, 0.0]
        x.append(place + shift)
        y.append(row[f"{measure}_mean"])
        deviation.append(row[f"{measure}_sd"])
        last = epsilon
    shade = colours[NAMED[mechanism].colour]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": NAMED[mechanism].name,
        "x": compact(x),
        "y": compact(y),
        "error_y": {"type": "data", "array": compact(deviation), "color": shade, "thickness": 1.2, "width": 2},
        "line": {"color": shade, "dash": NAMED[mechanism].dash, "width": 1.5},
        "marker": _mechanism_marker(mechanism, colours) | {"size": 7},
        "hovertemplate": f"{NAMED[mechanism].name}: %{{y:.4~g}} ± %{{error_y.array:.2~g}}<extra></extra>",
    }


def svm_figure(scores: Sequence[SvmScore], subtitle: str, colours: Colours) -> Figure:
    """Draw the share of test records that each machine predicts right, with its standard error."""
    names = ["original counts" if score.setting is None else NAMED[score.setting.mechanism].name for score in scores]
    shares = np.array([score.accuracy for score in scores])
    errors = np.array([score.standard_error for score in scores])
    low, high = float((shares - errors).min()), float((shares + errors).max())
    x_axis = {"range": [low - 0.01, min(high + 0.01, 1.0)], "tickformat": ".1%"}
    figure = layout(
        colours,
        "Share of test records with a correct prediction (Liu 2019, Fig. 12)",
        number_format.chart_text(subtitle),
        x_axis | {"title": {"text": "share of correct predictions"}},
        {"tickvals": list(range(len(names))), "ticktext": names, "range": [len(names) - 0.5, -0.5]},
    )
    figure["hovermode"] = "closest"
    original = {"type": "line", "line": {"color": colours["quiet"], "width": 1, "dash": "dash"}, "layer": "below"}
    figure["shapes"].append(original | {"x0": shares[0], "x1": shares[0], "y0": 0, "y1": 1, "yref": "y domain"})
    keys = ["text" if score.setting is None else NAMED[score.setting.mechanism].colour for score in scores]
    points = {
        "type": "scatter",
        "mode": "markers+text",
        "showlegend": False,
        "x": compact(shares),
        "y": np.arange(len(names)),
        "error_x": {"type": "data", "array": compact(errors), "thickness": 1.5, "color": colours["quiet"]},
        "marker": {"color": [colours[key] for key in keys], "size": 10},
        "text": [f"{format_nearest(100 * share)} %" for share in shares],
        "textposition": "top center",
        "textfont": {"size": TYPE},
        "hovertemplate": "%{y}: %{x:.2~%} ± %{error_x.array:.2~%}<extra></extra>",
    }
    return {"data": [points], "layout": figure | {"height": 140 + 52 * len(names)}}
