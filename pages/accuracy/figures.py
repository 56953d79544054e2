"""Pictures of accuracy: half-width and its ratio to Laplace's against ε, records against ε, shares of a budget."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.calibrations import FAILS, GEOMETRIC_PUBLISHED, LAPLACE, PROVED, WITHIN, Calibration
from dpcore.checks import Array
from pages.accuracy.recommendation import MechanismRow
from pages.framework.chart.theme import TYPE, compact, decades, ghost, hairline, hover_head, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.mechanism_colours import DASHES

_EPSILON = "privacy loss parameter ε (nats)"
_DOTTED = "Dotted: outside the theorem. Red ×: promise broken."
_BROAD = ("laplace", "analytic", "pdp", "classical")
_RATIOS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)


@dataclass(frozen=True)
class Curve:
    """A mechanism's values along ε, and the status of `Calibration.verdict` at each."""

    rule: Calibration
    value: Array
    status: NDArray[np.str_]


@dataclass(frozen=True)
class Marked:
    """The setting in a picture: its ε or, where one is given, the half-width that is wanted, and what answers that."""

    epsilon: float
    wanted: float | None
    needed: Sequence[MechanismRow]
    unit: str


@dataclass(frozen=True)
class Kept:
    """The ε and the curves of a kept setting."""

    epsilon: float
    curves: Sequence[Curve]


def accuracy_figure(
    epsilon: Array,
    curves: Sequence[Curve],
    marked: Marked,
    subtitle: str,
    colour: Colours,
    kept: Kept | None = None,
) -> Figure:
    """Half-widths against ε on log axes; a wanted one is a line, with the ε that it takes as points."""
    broad = np.concatenate([curve.value for curve in curves if curve.rule.key in _BROAD])  # others fall without end
    low, high = math.floor(math.log10(broad.min())), math.ceil(math.log10(broad.max()))
    low, high = decades(low, high, *(() if marked.wanted is None else (marked.wanted,)))
    upwards = log_axis(f"± ({number_format.chart_text(marked.unit or 'share of 1')})", low, high)
    figure = _against_epsilon("Accuracy against ε: lower is better", _dotted(subtitle, curves), upwards, marked, colour)
    ghosts = [] if kept is None else [(curve.value, 10.0 ** (low - 1)) for curve in kept.curves]
    traces = [_ghost(epsilon, np.where(value > least, value, np.nan), colour) for value, least in ghosts]
    for curve in curves:
        shown = np.where(curve.value > 10.0 ** (low - 1), curve.value, np.nan)
        traces += _traces(curve, epsilon, shown, "± ≈ %{y:.4g}", colour)
    if kept is not None:
        _kept_line(figure, kept.epsilon, colour)
    if marked.wanted is not None:
        _across(
            figure,
            marked.wanted,
            f"±{number_format.format_input_up(marked.wanted)}",
            {"color": colour["text"], "width": 1.5},
        )
        traces.append(_crossings(marked.wanted, marked.needed, {curve.rule.key for curve in curves}, colour))
    return {"data": traces, "layout": figure}


def ratio_figure(
    epsilon: Array,
    curves: Sequence[Curve],
    marked: Marked,
    subtitle: str,
    colour: Colours,
    kept: Kept | None = None,
) -> Figure:
    """Half-widths over Laplace's against ε; those above 40 times it or below a twentieth are left out."""
    axis = log_axis("± ÷ Laplace's ±", -1, 1, marks=_RATIOS) | {"range": [-1.08, math.log10(_RATIOS[-1])]}
    title = "How many times Laplace's ±: lower is better"
    figure = _against_epsilon(title, _dotted(subtitle, curves), axis, marked, colour)
    traces = [] if kept is None else [_ghost(epsilon, over, colour) for over in _over_laplace(kept.curves)]
    for curve, over in zip(curves, _over_laplace(curves), strict=True):
        traces += _traces(curve, epsilon, over, "%{y:.4g} ×", colour)
    if kept is not None:
        _kept_line(figure, kept.epsilon, colour)
    return {"data": traces, "layout": figure}


def _against_epsilon(
    title: str, subtitle: str, upwards: dict[str, Any], marked: Marked, colour: Colours
) -> dict[str, Any]:
    """A layout over ε, with the current ε unless a half-width is wanted in its place."""
    across = log_axis(_EPSILON, *decades(-3, 2, marked.epsilon)) | hover_head("ε")
    figure = layout(colour, title, number_format.chart_text(subtitle), across, upwards)
    if marked.wanted is None:
        hairline(figure, colour, marked.epsilon, f"ε = {number_format.format_input_up(marked.epsilon)}", "epsilon")
    return figure


def _dotted(subtitle: str, curves: Sequence[Curve]) -> str:
    """A subtitle that says what dots and crosses mean, where there are any."""
    outside = any(((curve.status == WITHIN) | (curve.status == FAILS)).any() for curve in curves)
    return f"{subtitle}. {_DOTTED}" if outside else subtitle


def _ghost(epsilon: Array, value: Array, colour: Colours) -> dict[str, Any]:
    return line(epsilon, value, "pinned", "", "") | ghost(colour)


def _kept_line(figure: dict[str, Any], epsilon: float, colour: Colours) -> None:
    """Mark the ε of a kept setting."""
    if epsilon > 0:
        span = {"type": "line", "x0": epsilon, "x1": epsilon, "y0": 0, "y1": 1, "yref": "y domain", "layer": "below"}
        figure["shapes"].append(span | {"line": {"color": colour["ghost"], "width": 2}})


def _over_laplace(curves: Sequence[Curve]) -> list[Array]:
    laplace = next(curve.value for curve in curves if curve.rule is LAPLACE)
    over = (curve.value / laplace for curve in curves)
    return [np.where((each > _RATIOS[0] / 2) & (each < 2 * _RATIOS[-1]), each, np.nan) for each in over]


def _crossings(wanted: float, needed: Sequence[MechanismRow], drawn: set[str], colour: Colours) -> dict[str, Any]:
    """The ε that each mechanism needs for a wanted half-width, as points; a cross where it breaks its promise or ±."""
    shown = [each for each in needed if np.isfinite(each.epsilon) and each.calibration.key in drawn]
    wrong = [_fault(each, wanted) for each in shown]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "ε that reaches it",
        "x": compact([each.epsilon for each in shown]),
        "y": compact([wanted] * len(shown)),
        "marker": {
            "color": [
                colour["fails" if fault else each.calibration.key] for each, fault in zip(shown, wrong, strict=True)
            ],
            "symbol": ["x" if fault else "circle" for fault in wrong],
            "size": 10,
            "line": {"width": 1},
        },
        "text": [
            f"{each.calibration.name}{fault}: ε = {number_format.format_up(each.epsilon)}"
            for each, fault in zip(shown, wrong, strict=True)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _fault(answer: MechanismRow, wanted: float) -> str:
    if answer.status == FAILS:
        return ": FAILS"
    return ": falls short" if answer.calibration is GEOMETRIC_PUBLISHED and answer.reached > wanted else ""


def records_figure(
    epsilon: Array,
    records: Sequence[Curve],
    now: float,
    n_records: float,
    subtitle: str,
    colour: Colours,
    kept: Kept | None = None,
) -> Figure:
    """The least number of records against ε, with the current ε and n."""
    most = max(float(curve.value.max()) for curve in records)
    figure = _against_epsilon(
        "Records that the accuracy takes",
        _dotted(subtitle, records),
        log_axis("records n", *decades(0, 3, most, n_records)),
        Marked(now, None, (), ""),
        colour,
    )
    traces = [] if kept is None else [_ghost(epsilon, curve.value, colour) for curve in kept.curves]
    traces += [trace for curve in records for trace in _traces(curve, epsilon, curve.value, "n ≈ %{y:.4g}", colour)]
    if kept is not None:
        _kept_line(figure, kept.epsilon, colour)
    style = {"color": colour["quiet"], "width": 1, "dash": "dash"}
    _across(figure, n_records, f"n = {n_records:,.0f}", style)
    return {"data": traces, "layout": figure}


def shares_figure(
    names: Sequence[str],
    epsilon: Array,
    locked: Sequence[bool],
    total: float,
    subtitle: str,
    colour: Colours,
    kept: Array | None = None,
) -> Figure:
    """Each query's share of ε as a bar, the locked ones in grey; those of a kept setting as lines."""
    figure = layout(
        colour,
        "Who gets how much of ε",
        number_format.chart_text(subtitle),
        {"range": [0, 1.18 * (total or 1.0)], "title": {"text": "ε (nats)", "font": {"size": TYPE}}},
        {
            "tickvals": list(range(len(names))),
            "ticktext": [number_format.chart_text(name, 20) for name in names],
            "range": [len(names) - 0.5, -0.5],
        },
    )
    bars = {
        "type": "bar",
        "orientation": "h",
        "name": "share of ε",
        "showlegend": False,
        "x": compact(epsilon),
        "y": np.arange(len(names)),
        "marker": {"color": [colour["grey" if lock else "blue"] for lock in locked]},
        "text": [
            f"{number_format.format_down(share)}{' (locked)' if lock else ''}"
            for share, lock in zip(epsilon, locked, strict=True)
        ],
        "textposition": "outside",
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    for place, share in enumerate(() if kept is None else kept.tolist()):
        span = {"type": "line", "x0": share, "x1": share, "y0": place - 0.45, "y1": place + 0.45}
        figure["shapes"].append(span | {"line": {"color": colour["ghost"], "width": 4}})
    return {"data": [bars], "layout": figure | {"height": 150 + 42 * len(names), "hovermode": False, "dragmode": False}}


def _traces(curve: Curve, epsilon: Array, values: Array, hover: str, colour: Colours) -> list[dict[str, Any]]:
    """A mechanism's line: stepped for whole-numbered noise; dotted where unproved, red crosses where it fails."""
    rule, shade, traces = curve.rule, colour[curve.rule.key], []
    style: dict[str, Any] = {"width": 4 if rule is LAPLACE else 2.5}
    if rule.whole:
        style["shape"] = "hv"
    for word, label in ((PROVED, ""), (WITHIN, ": unproved"), (FAILS, ": FAILS")):
        part = curve.status == word
        if not part.any():
            continue
        reach = part | np.roll(part, -1) & (epsilon < epsilon[-1])  # begins where the part before ends
        tint, dash = colour["fails"] if word == FAILS else shade, "dot" if label else DASHES[rule.key]
        more: dict[str, Any] = {"hovertemplate": hover, "showlegend": not label}
        more["line"] = style | {"color": tint, "dash": dash}
        if word == FAILS:
            more |= {"mode": "lines+markers", "marker": {"symbol": "x", "size": 7, "maxdisplayed": 7, "color": tint}}
        traces.append(line(epsilon, np.where(reach, values, np.nan), f"{rule.name}{label}", tint, dash, **more))
    return traces


def _across(figure: dict[str, Any], value: float, label: str, style: dict[str, Any]) -> None:
    """Mark a value of a log y axis with a line across the plot."""
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": value, "y1": value, "line": style}
    figure["shapes"].append(span)
    note = {"text": label, "showarrow": False, "x": 1, "xref": "x domain", "xanchor": "right", "yanchor": "bottom"}
    figure["annotations"].append(note | {"y": math.log10(value), "font": {"size": TYPE}})
