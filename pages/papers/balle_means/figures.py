"""The figures of Experiment 5.2: the distance of released means from the true one, along d or ε."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from pages.framework.chart.theme import (
    TYPE,
    compact,
    decades,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    pinned_curve,
    pinned_line,
    transparent,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.papers.balle_means.results import MeanExperiment
from pages.shared.looks import LOOKS, estimator_colour, estimator_dash


@dataclass(frozen=True)
class Named:
    """How a mechanism is called, also in sentences, and the symbol of its points; without one it has no curve."""

    name: str
    words: str = ""
    symbol: str = ""


MECHANISMS = {
    "laplace": Named("Laplace", "Laplace noise", "triangle-down"),
    "classical": Named("classical Gaussian", "the classical Gaussian", "square"),
    "analytic": Named("analytic Gaussian", "the analytic Gaussian", "circle"),
    "james_stein": Named("analytic + James–Stein", "James–Stein", "triangle-up"),
    "james_stein_plus": Named("analytic + James–Stein, positive part"),
    "soft_universal": Named("analytic + soft threshold", "the soft threshold", "diamond"),
}
_AXES = {
    "dimension": ("d", "numbers released, d", (1, 3)),
    "epsilon": ("ε", "privacy loss parameter ε (nats)", (-2, 0)),
}
_PARAMETERS = {"dimension": "mean_dimension", "epsilon": "epsilon"}


def errors_figure(experiment: MeanExperiment, pinned: MeanExperiment | None, subtitle: str, colours: Colours) -> Figure:
    """Draw the mean error of each mechanism along d or ε, with a band of one standard deviation to each side."""
    setting, frame = experiment.setting, experiment.picture_errors
    parts = _mechanism_series(frame, setting.along)
    values = np.concatenate([series["error_mean"] for series in parts.values()])
    heights = log_axis("error: distance from the true mean", *decades(0, 1, float(values.min()), float(values.max())))
    title = "Mean error of the released mean (Balle and Wang 2018, 5.2)"
    figure, traces = _figure(experiment, title, subtitle, heights, colours), []
    if pinned is not None:
        curves = _mechanism_series(pinned.picture_errors, setting.along).values()
        traces = [pinned_curve(curve["x"], curve["error_mean"], colours) for curve in curves]
    traces.append(_zero_answer(frame, setting.along, figure, colours))
    for key, series in parts.items():
        traces += _mean_and_band(key, series, colours)
    if pinned is not None and setting.along == "epsilon":  # a pinned setting has no d of its own
        pinned_line(figure, colours, pinned.setting.epsilon)
    return {"data": traces, "layout": figure}


def _figure(
    experiment: MeanExperiment, title: str, subtitle: str, heights: dict[str, Any], colours: Colours
) -> dict[str, Any]:
    """Return the layout along d or ε, with the open setting as a handle."""
    along, x = experiment.setting.along, experiment.picture_errors[experiment.setting.along].to_numpy()
    symbol, label, ends = _AXES[along]
    reach = [float(np.log10(x.min()) - 0.04), float(np.log10(x.max()) + 0.04)]
    figure = layout(colours, title, subtitle, log_axis(label, *ends) | hover_head(symbol) | {"range": reach}, heights)
    value = float(getattr(experiment.setting, along))
    hairline(figure, colours, value, f"{symbol} = {number_format.format_input_up(value)}", _PARAMETERS[along])
    return figure


def _mechanism_series(frame: pd.DataFrame, along: str) -> dict[str, dict[str, Array]]:
    keys = frame["mechanism"].to_numpy(object)
    columns = ("error_mean", "error_sd")
    series = {}
    for key in (key for key, named in MECHANISMS.items() if named.symbol):
        is_mechanism = keys == key
        if is_mechanism.any():
            series[key] = {"x": frame[along].to_numpy(np.float64)[is_mechanism]}
            series[key] |= {name: frame[name].to_numpy()[is_mechanism] for name in columns}
    return series


def _colour_and_dash(key: str, colours: Colours) -> tuple[str, str]:
    """Return the colour and dash of a mechanism or of an estimator."""
    return (colours[key], LOOKS[key].dash) if key in LOOKS else (estimator_colour(key, colours), estimator_dash(key))


def _mean_and_band(key: str, series: dict[str, Array], colours: Colours) -> list[dict[str, Any]]:
    tint, dashes = _colour_and_dash(key, colours)
    mean, spread = series["error_mean"], series["error_sd"]
    low = np.maximum(mean - spread, mean / 10)  # a log axis has no 0
    band = {
        "type": "scatter",
        "mode": "lines",
        "x": compact(np.concatenate([series["x"], series["x"][::-1]])),
        "y": compact(np.concatenate([mean + spread, low[::-1]])),
        "fill": "toself",
        "fillcolor": transparent(tint),
        "line": {"width": 0},
        "showlegend": False,
        "hoverinfo": "skip",
        "legendgroup": key,
    }
    hover = f"{MECHANISMS[key].name}: %{{y:.4~g}} ± %{{customdata:.2~g}}<extra></extra>"
    more = {"mode": "lines+markers", "marker": {"symbol": MECHANISMS[key].symbol, "size": 7, "color": tint}}
    more |= {"customdata": compact(spread), "hovertemplate": hover, "legendgroup": key}
    return [band, line(series["x"], mean, MECHANISMS[key].name, tint, dashes, **more)]


def _zero_answer(frame: pd.DataFrame, along: str, figure: Figure, colours: Colours) -> dict[str, Any]:
    """Return the curve of the error of answering 0, and label one end of it."""
    first = frame.drop_duplicates(along)
    x, y = first[along].to_numpy(np.float64), first["norm_mean"].to_numpy()
    note = {"text": "answer 0", "showarrow": False, "font": {"size": TYPE, "color": colours["quiet"]}}
    end, side = (0, "left") if along == "dimension" else (-1, "right")  # where there are few other curves
    above = float(np.log10(y[:2].max() if along == "dimension" else y[-2:].max()))  # the curve
    place = {"x": float(np.log10(x[end])), "y": above, "xanchor": side, "yanchor": "bottom", "yshift": 5}
    figure["annotations"].insert(0, note | place)
    hover = "answer 0: %{y:.4~g}<extra></extra>"
    style = {"line": {"color": colours["quiet"], "dash": "dot", "width": 1.5}, "showlegend": False}
    return line(x, y, "answer 0", colours["quiet"], "dot", hovertemplate=hover, **style)


def ratios_figure(experiment: MeanExperiment, subtitle: str, colours: Colours) -> Figure:
    """Draw the mean error of each mechanism relative to the analytic Gaussian's, along d or ε."""
    parts = _mechanism_series(experiment.picture_errors, experiment.setting.along)
    keys = [key for key in ("classical", "james_stein", "soft_universal") if key in parts]
    ratios, analytic = {}, parts["analytic"]
    for key in keys:
        shared = np.isin(analytic["x"], parts[key]["x"])  # James–Stein has no error below d = 3
        ratios[key] = parts[key]["error_mean"] / analytic["error_mean"][shared]
    least, most = (float(end(np.concatenate([*ratios.values()]))) for end in (np.min, np.max))
    low, high = decades(-1, 0, least, most)
    steps = (1, 2, 5) if high - low < 3 else (1,)
    marks = tuple(step * 10.0**decade for decade in range(low, high) for step in steps)
    heights = log_axis("error ÷ analytic Gaussian’s", low, high, marks=(*marks, 10.0**high))
    figure = _figure(experiment, "Mean error relative to the analytic Gaussian", subtitle, heights, colours)
    traces = []
    for key, ratio in ratios.items():
        tint, dashes = _colour_and_dash(key, colours)
        more = {"mode": "lines+markers", "marker": {"symbol": MECHANISMS[key].symbol, "size": 7, "color": tint}}
        more["hovertemplate"] = f"{MECHANISMS[key].name}: %{{y:.3~g}} ×<extra></extra>"
        traces.append(line(parts[key]["x"], ratio, MECHANISMS[key].name, tint, dashes, **more))
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 1, "y1": 1, "layer": "below"}
    figure["shapes"].insert(0, level | {"line": {"color": colours["analytic"], "width": 2}})
    return {"data": traces, "layout": figure | {"height": 260}}
