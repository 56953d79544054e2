"""Picture of an attack: what it reached, and the bounds on its true errors, beside the curves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.audit import Band
from dpcore.checks import Array
from pages.framework.chart.theme import line
from pages.framework.export.exhibit import Colours, Figure
from pages.tradeoff.figures import Drawn, curve_line, ghost_lines, guessing, markers, plane, positive


def attack_figure(
    drawn: Sequence[Drawn],
    ghost: tuple[float, Drawn] | None,
    reached: Sequence[tuple[Array, Array]],
    band: Band,
    broken: NDArray[np.bool_],
    alpha: float,
    view: str,
    subtitle: str,
    colour: Colours,
) -> Figure:
    """The measured points of an attack, their hull (`reached`), and bounds on their true errors beside the claims."""
    figure = plane(colour, alpha, "What the attack reached, and what it proves", subtitle, view)
    traces = [guessing(view, colour) | {"showlegend": False}]
    traces += [] if ghost is None else ghost_lines(*ghost, view, colour)
    traces += [curve_line(each, view) | {"opacity": 1.0 if each.chosen else 0.4} for each in drawn]
    looks = (("measured", colour["quiet"], "solid"), ("hull of measured", colour["text"], "3px,3px"))
    for (false, missed), (name, shade, dash) in zip(reached, looks, strict=True):
        some = _thinned(false.size)
        style = {"line": {"color": shade, "dash": dash, "width": 1.5}, "hoverinfo": "skip"}
        traces.append(line(*_errors(false[some], missed[some], view), name, shade, dash) | style)
    return {"data": [*traces, *_bounds(band, broken, view, colour)], "layout": figure}


def _bounds(band: Band, broken: NDArray[np.bool_], view: str, colour: Colours) -> list[dict[str, Any]]:
    """The bounds on the true errors, joined by a line, those that contradict the claim as red crosses."""
    x, y = _errors(band.alpha_high, band.beta_high, view)
    order = np.argsort(x)
    joined = line(x[order], y[order], "bounds", colour["text"], "solid", hoverinfo="skip", showlegend=False)
    traces = [joined | {"line": {"color": colour["text"], "width": 1}}]
    for part, name, shade, symbol in (
        (~broken, "worst true errors", colour["text"], "diamond"),
        (broken, "✗ contradicts the claim", colour["fails"], "x"),
    ):
        if part.any():
            looks = {"color": shade, "size": 9, "symbol": symbol}
            hover = {"hovertemplate": "at most α ≈ %{x:.4~g}, %{y:.4~g}"}
            traces.append(markers(x[part], y[part], name, looks) | hover)
    return traces


def _errors(alpha: Array, beta: Array, view: str) -> tuple[Array, Array]:
    """Measured errors where a view has them."""
    return positive(alpha, view), positive(beta if view == "errors" else 1 - beta, view)


def _thinned(size: int) -> NDArray[np.intp]:
    """Places of at most some 2,000 of so many points, all of them at both ends."""
    ends = np.minimum(500, size)
    return np.unique(
        np.concatenate([np.arange(ends), np.linspace(0, size - 1, 1000).astype(int), size - 1 - np.arange(ends)])
    )
