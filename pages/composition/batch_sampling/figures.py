"""The figure of ε over the noise, by how batches are drawn."""

from typing import Any

import numpy as np

from pages.composition.batch_sampling.results import Batching, Ribbon, noise_decades
from pages.framework.chart.theme import (
    compact,
    ghost,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    pinned_line,
    positive_or_nan,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_input_down

LOADER_COLOURS = {"poisson": "blue", "shuffled": "teal", "fixed": "grey"}
_MARKS = (1e-3, 1e-2, 0.1, 0.3, 1, 3, 10, 100, 1e3, 1e4, 1e5, 1e6)
_MIN_EPSILON = 1e-3  # the least ε of the figure


def ribbon_figure(
    batching: Batching, ribbon: Ribbon, pinned: tuple[Batching, Ribbon] | None, subtitle: str, colours: Colours
) -> Figure:
    """Draw ε over the noise for Poisson batches, and the ribbon of shuffled ones up to no amplification."""
    low, high = noise_decades(batching.noise)
    marks = tuple(mark for mark in _MARKS if 10**low * (1 - 1e-9) <= mark <= 10**high * (1 + 1e-9))
    x_axis = log_axis("noise multiplier", 0, 1, marks=marks) | {"range": [low, high]} | hover_head("noise")
    figure = layout(colours, "ε by how batches are drawn", subtitle, x_axis, log_axis("ε", *_epsilon_decades(ribbon)))
    traces = []
    if pinned is not None:
        which = "poisson" if pinned[0].loader == "poisson" else "at_most"
        traces.append(
            line(pinned[1].noise, positive_or_nan(getattr(pinned[1], which)), "pinned", "", "solid") | ghost(colours)
        )
    at_least = np.maximum(ribbon.at_least, _MIN_EPSILON)
    filled = {"fill": "tonexty", "fillcolor": colours["floor"]}
    traces += [
        _loader_curve(ribbon, ribbon.at_most, "fixed order (no amplification)", "fixed", "dash", batching, colours),
        _loader_curve(ribbon, at_least, "shuffled, lower bound", "shuffled", "dot", batching, colours) | filled,
        _loader_curve(ribbon, ribbon.poisson, "Poisson (exact)", "poisson", "solid", batching, colours),
        *_training_traces(batching, colours),
    ]
    if pinned is not None:
        pinned_line(figure, colours, pinned[0].noise)
    hairline(
        figure, colours, batching.noise, f"noise multiplier = {format_input_down(batching.noise)}", "noise_multiplier"
    )
    return {"data": traces, "layout": figure}


def _epsilon_decades(ribbon: Ribbon) -> tuple[int, int]:
    """Return the decades of ε, at most five."""
    values = np.concatenate([ribbon.poisson[np.isfinite(ribbon.poisson)], ribbon.at_most])
    high = int(np.ceil(np.log10(max(values.max(), 1.0))))
    low = int(np.floor(np.log10(max(values.min(), 10.0 ** (high - 5)))))
    return min(low, high - 1), high


def _loader_curve(
    ribbon: Ribbon, values: Any, name: str, loader: str, dash: str, batching: Batching, colours: Colours
) -> dict[str, Any]:
    """Return a curve, which is thicker if the user's loader is of this kind."""
    trace = line(
        ribbon.noise, positive_or_nan(values), name, colours[LOADER_COLOURS[loader]], dash, hovertemplate="%{y:.4~g}"
    )
    return trace | {"line": trace["line"] | {"width": 3.5 if batching.loader == loader else 2}}


def _training_traces(batching: Batching, colours: Colours) -> list[dict[str, Any]]:
    """Return the training as a point, or as the span in which it lies if its batches are shuffled."""
    heights = {
        "poisson": [batching.poisson],
        "fixed": [batching.at_most],
        "shuffled": [max(batching.at_least, _MIN_EPSILON), batching.at_most],
    }
    y = [height for height in heights[batching.loader] if height > 0]
    if not y:
        return []
    marker = {"size": 11, "color": colours["text"]}
    trace = line(
        [batching.noise] * len(y), y, "your training", colours["text"], "solid", mode="lines+markers", marker=marker
    )
    return [
        trace
        | {"x": compact([batching.noise] * len(y)), "hoverinfo": "skip", "line": {"color": colours["text"], "width": 4}}
    ]
