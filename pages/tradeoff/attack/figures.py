"""The chart of an attack: its measured errors, and the bounds on its true errors, beside the curves."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.audit import Band
from dpcore.checks import Array
from pages.framework.chart.theme import line
from pages.framework.export.exhibit import Colours, Figure
from pages.tradeoff.attack.upload import MeasuredAttack
from pages.tradeoff.figures import curve_line, curve_traces, guessing_line, markers, pinned_lines, plane, positive
from pages.tradeoff.results import AttackOutcome, TradeoffResult


def attack_figure(
    result: TradeoffResult, attack: MeasuredAttack, outcome: AttackOutcome, subtitle: str, colours: Colours
) -> Figure:
    """Draw the measured points of an attack, their hull, and bounds on the true errors beside the claims."""
    view = result.setting.view
    figure = plane(
        colours, result.setting.alpha, "Measured error rates of the attack, and what they prove", subtitle, view
    )
    traces = [guessing_line(view, colours) | {"showlegend": False}]
    traces += pinned_lines(result, colours)
    for curve in curve_traces(result, colours):
        traces.append(curve_line(curve, view) | {"opacity": 1.0 if curve.chosen else 0.4})
    looks = (("measured", colours["quiet"], "solid"), ("convex hull of the measured", colours["text"], "3px,3px"))
    for (alpha, beta), (name, shade, dash) in zip(attack.points_and_hull, looks, strict=True):
        sample = _thinned(alpha.size)
        style = {"line": {"color": shade, "dash": dash, "width": 1.5}, "hoverinfo": "skip"}
        traces.append(line(*_coordinates(alpha[sample], beta[sample], view), name, shade, dash) | style)
    contradictions = outcome.contradictions[result.chosen_row.name]
    return {"data": [*traces, *_bound_traces(outcome.band, contradictions, view, colours)], "layout": figure}


def _bound_traces(band: Band, contradictions: NDArray[np.bool_], view: str, colours: Colours) -> list[dict[str, Any]]:
    """Return the bounds on the true errors, joined by a line, those that contradict the claim as red crosses."""
    x, y = _coordinates(band.alpha_high, band.beta_high, view)
    order = np.argsort(x)
    joined = line(x[order], y[order], "bounds", colours["text"], "solid", hoverinfo="skip", showlegend=False)
    traces = [joined | {"line": {"color": colours["text"], "width": 1}}]
    for part, name, shade, symbol in (
        (~contradictions, "upper bounds on the errors", colours["text"], "diamond"),
        (contradictions, "✗ contradicts the claim", colours["fails"], "x"),
    ):
        if part.any():
            looks = {"color": shade, "size": 9, "symbol": symbol}
            hover = {"hovertemplate": "at most α ≈ %{x:.4~g}, %{y:.4~g}"}
            traces.append(markers(x[part], y[part], name, looks) | hover)
    return traces


def _coordinates(alpha: Array, beta: Array, view: str) -> tuple[Array, Array]:
    """Return x and y of measured errors in a view."""
    return positive(alpha, view), positive(beta if view == "errors" else 1 - beta, view)


def _thinned(size: int) -> NDArray[np.intp]:
    """Return the indices of at most some 2,000 of so many points, with all points at both ends."""
    ends = np.minimum(500, size)
    return np.unique(
        np.concatenate([np.arange(ends), np.linspace(0, size - 1, 1000).astype(int), size - 1 - np.arange(ends)])
    )
