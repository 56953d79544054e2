"""Pictures of accuracy: half-width and its ratio to Laplace's against ε, records against ε, shares of a budget."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.accuracy import Answer
from dpcore.calibrations import FAILS, GEOMETRIC_PUBLISHED, LAPLACE, PROVED, WITHIN, Calibration
from dpcore.checks import Array
from pages.shared import text
from pages.shared.export import Colours, Figure
from pages.shared.theme import DASHES, compact, decades, hairline, layout, line, log_axis

_EPSILON = "privacy loss bound ε (nats)"
_DOTTED = "Dotted: outside the theorem. Red ×: promise broken."
_BROAD = ("laplace", "analytic", "pdp", "classical")
_RATIOS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)


@dataclass(frozen=True)
class Curve:
    """A mechanism's values along ε, and the word of `Calibration.status` at each."""

    rule: Calibration
    value: Array
    status: NDArray[np.str_]


def accuracy_figure(
    epsilon: Array,
    curves: Sequence[Curve],
    now: float,
    wanted: float | None,
    needed: Sequence[Answer],
    unit: str,
    subtitle: Sequence[str],
    colour: Colours,
) -> Figure:
    """Half-widths against ε on log axes, and under them, where they differ visibly, each over Laplace's.

    A wanted half-width is a line, with the ε that each mechanism needs for it as points.
    """
    broad = np.concatenate([curve.value for curve in curves if curve.rule.key in _BROAD])  # others fall without end
    low, high = math.floor(math.log10(broad.min())), math.ceil(math.log10(broad.max()))
    low, high = decades(low, high, *(() if wanted is None else (wanted,)))
    figure = layout(
        colour,
        "Accuracy against ε: lower is better",
        "<br>".join([*(escape(each) for each in subtitle), _DOTTED]),
        log_axis(_EPSILON, *decades(-3, 2, now)) | {"anchor": "y2"},
        log_axis(f"± ({escape(unit or 'share of 1')})", low, high) | {"domain": [0.46, 1]},
    )
    figure |= {"height": 780, "margin": figure["margin"] | {"t": 102}}
    ratio = log_axis("± ÷ Laplace's ±", -1, 1, marks=_RATIOS) | {"range": [-1.08, math.log10(_RATIOS[-1])]}
    shared = {key: figure["yaxis"][key] for key in ("gridcolor", "zeroline", "automargin", "tickfont")}
    figure["yaxis2"] = shared | ratio | {"domain": [0, 0.38]}
    traces = []
    for curve, over in zip(curves, _over_laplace(curves), strict=True):
        shown = np.where(curve.value > 10.0 ** (low - 1), curve.value, np.nan)
        below = np.where((over > _RATIOS[0] / 2) & (over < 2 * _RATIOS[-1]), over, np.nan)
        traces += _traces(curve, epsilon, shown, "± ≈ %{y:.4g}", colour)
        unseen = {"yaxis": "y2", "showlegend": False, "hoverinfo": "skip", "hovertemplate": None}
        traces += [trace | unseen for trace in _traces(curve, epsilon, below, "", colour)]
    hairline(figure, colour, now, f"ε = {text.given_up(now)}")
    figure["shapes"] += [shape | {"yref": "y2 domain"} for shape in figure["shapes"]]
    if wanted is not None:
        _across(figure, wanted, f"±{text.given_up(wanted)}", {"color": colour["text"], "width": 1.5})
        traces.append(_crossings(wanted, needed, colour))
    return {"data": traces, "layout": figure}


def _over_laplace(curves: Sequence[Curve]) -> list[Array]:
    laplace = next(curve.value for curve in curves if curve.rule is LAPLACE)
    return [curve.value / laplace for curve in curves]


def _crossings(wanted: float, needed: Sequence[Answer], colour: Colours) -> dict[str, Any]:
    """The ε that each mechanism needs for a wanted half-width, as points; a cross where it breaks its promise or ±."""
    shown = [each for each in needed if np.isfinite(each.epsilon)]
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
            f"{each.calibration.name}{fault}: ε = {text.up(each.epsilon)}"
            for each, fault in zip(shown, wrong, strict=True)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _fault(answer: Answer, wanted: float) -> str:
    if answer.status == FAILS:
        return ": FAILS"
    return ": falls short" if answer.calibration is GEOMETRIC_PUBLISHED and answer.reached > wanted else ""


def records_figure(
    epsilon: Array,
    records: Sequence[Curve],
    now: float,
    n_records: float,
    subtitle: Sequence[str],
    colour: Colours,
) -> Figure:
    """The least number of records against ε, with the current ε and n."""
    most = max(float(curve.value.max()) for curve in records)
    figure = layout(
        colour,
        "Records that the accuracy takes",
        "<br>".join(escape(each) for each in subtitle),
        log_axis(_EPSILON, *decades(-3, 2, now)),
        log_axis("records n", *decades(0, 3, most, n_records)),
    )
    traces = [trace for curve in records for trace in _traces(curve, epsilon, curve.value, "n ≈ %{y:.4g}", colour)]
    hairline(figure, colour, now, f"ε = {text.given_up(now)}")
    style = {"color": colour["quiet"], "width": 1, "dash": "dash"}
    _across(figure, n_records, f"n = {n_records:,.0f}", style)
    return {"data": traces, "layout": figure}


def shares_figure(
    names: Sequence[str],
    epsilon: Array,
    locked: Sequence[bool],
    total: float,
    subtitle: Sequence[str],
    colour: Colours,
) -> Figure:
    """Each query's share of ε as a bar, the locked ones in grey."""
    figure = layout(
        colour,
        "Who gets how much of ε",
        "<br>".join(escape(each) for each in subtitle),
        {"range": [0, 1.18 * (total or 1.0)], "title": {"text": "ε (nats)", "font": {"size": 13}}},
        {
            "tickvals": list(range(len(names))),
            "ticktext": [escape(name if len(name) <= 16 else f"{name[:15]}…") for name in names],
            "autorange": "reversed",
        },
    )
    bars = {
        "type": "bar",
        "orientation": "h",
        "name": "share of ε",
        "x": compact(epsilon),
        "y": np.arange(len(names)),
        "marker": {"color": [colour["grey" if lock else "blue"] for lock in locked]},
        "text": [
            f"{text.down(share)}{' (locked)' if lock else ''}" for share, lock in zip(epsilon, locked, strict=True)
        ],
        "textposition": "outside",
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    return {"data": [bars], "layout": figure | {"height": 150 + 42 * len(names), "hovermode": False, "dragmode": False}}


def _traces(curve: Curve, epsilon: Array, values: Array, hover: str, colour: Colours) -> list[dict[str, Any]]:
    """A mechanism's line: stepped for whole-numbered noise; dotted where unproved, red crosses where it fails."""
    rule, shade, traces = curve.rule, colour[curve.rule.key], []
    style: dict[str, Any] = {"width": 3 if rule is LAPLACE else 2}
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
    figure["annotations"].append(note | {"y": math.log10(value), "font": {"size": 12}})
