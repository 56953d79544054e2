"""The ribbon of batching: ε over the noise, by how batches are drawn."""

from typing import Any

import numpy as np

from pages.composition.batch_sampling.results import Batching, Ribbon, noise_decades
from pages.framework.chart.theme import compact, ghost, hairline, hover_head, layout, line, log_axis, pinned_line
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_input_down

SHADES = {"poisson": "blue", "shuffled": "teal", "fixed": "grey"}
_MARKS = (1e-3, 1e-2, 0.1, 0.3, 1, 3, 10, 100, 1e3, 1e4, 1e5, 1e6)
_LEAST = 1e-3  # the least ε that is drawn


def ribbon_figure(
    now: Batching, drawn: Ribbon, kept: tuple[Batching, Ribbon] | None, subtitle: str, colour: Colours
) -> Figure:
    """ε over the noise: Poisson, the ribbon in which shuffled batches lie, and no amplification on its top."""
    low, high = noise_decades(now.noise)
    marks = tuple(mark for mark in _MARKS if 10**low * (1 - 1e-9) <= mark <= 10**high * (1 + 1e-9))
    x_axis = log_axis("noise multiplier", 0, 1, marks=marks) | {"range": [low, high]} | hover_head("noise")
    figure = layout(colour, "ε by how batches are drawn", subtitle, x_axis, log_axis("ε (nats)", *_reach(drawn)))
    traces = []
    if kept is not None:
        which = "poisson" if kept[0].loader == "poisson" else "at_most"
        traces.append(line(kept[1].noise, _shown(getattr(kept[1], which)), "pinned", "", "solid") | ghost(colour))
    at_least = np.maximum(drawn.at_least, _LEAST)
    filled = {"fill": "tonexty", "fillcolor": colour["floor"]}
    traces += [
        _curve(drawn, drawn.at_most, "fixed order: no amplification", "fixed", "dash", now, colour),
        _curve(drawn, at_least, "shuffled, at least", "shuffled", "dot", now, colour) | filled,
        _curve(drawn, drawn.poisson, "Poisson, exact", "poisson", "solid", now, colour),
        *_here(now, colour),
    ]
    if kept is not None:
        pinned_line(figure, colour, kept[0].noise)
    hairline(figure, colour, now.noise, f"noise = {format_input_down(now.noise)}", "noise_multiplier")
    return {"data": traces, "layout": figure}


def _reach(drawn: Ribbon) -> tuple[int, int]:
    """The decades of ε: at most five."""
    values = np.concatenate([drawn.poisson[np.isfinite(drawn.poisson)], drawn.at_most])
    high = int(np.ceil(np.log10(max(values.max(), 1.0))))
    low = int(np.floor(np.log10(max(values.min(), 10.0 ** (high - 5)))))
    return min(low, high - 1), high


def _shown(values: Any) -> Any:
    return np.where(values > 0, values, np.nan)


def _curve(
    drawn: Ribbon, values: Any, name: str, loader: str, dash: str, now: Batching, colour: Colours
) -> dict[str, Any]:
    """A curve, strong if the user's loader is of this kind."""
    made = line(drawn.noise, _shown(values), name, colour[SHADES[loader]], dash, hovertemplate="%{y:.4~g}")
    return made | {"line": made["line"] | {"width": 3.5 if now.loader == loader else 2}}


def _here(now: Batching, colour: Colours) -> list[dict[str, Any]]:
    """The training as a point, or as the span in which it lies if its batches are shuffled."""
    heights = {"poisson": [now.poisson], "fixed": [now.at_most], "shuffled": [max(now.at_least, _LEAST), now.at_most]}
    y = [each for each in heights[now.loader] if each > 0]
    if not y:
        return []
    marker = {"size": 11, "color": colour["text"]}
    made = line([now.noise] * len(y), y, "yours", colour["text"], "solid", mode="lines+markers", marker=marker)
    return [
        made | {"x": compact([now.noise] * len(y)), "hoverinfo": "skip", "line": {"color": colour["text"], "width": 4}}
    ]
