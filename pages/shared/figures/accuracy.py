"""Pictures of accuracy: half-width and its ratio to Laplace's against ε, records against ε, shares of a budget."""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from pages.shared.figures.theme import DASHES, Figure, compact, decades, hairline, layout, line, log_axis

from dpcore.accuracy import LAPLACE, RULES
from dpcore.calibrations import Calibration
from dpcore.checks import Array
from pages.shared import text

_EPSILON = "privacy loss bound ε (nats)"
_DOTTED = "Dotted: outside the theorem. Red ×: promise broken."
_CLASSICAL = ("classical", "classical_tight")
_BROAD = ("laplace", "analytic", "pdp", "classical")
_RATIOS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)


def accuracy_figure(
    epsilon: Array,
    curves: dict[str, Array],
    now: float,
    wanted: float | None,
    needed: dict[str, float],
    unit: str,
    subtitle: Sequence[str],
    colour: dict[str, str],
) -> Figure:
    """Half-widths against ε on log axes, and under them, where they differ visibly, each over Laplace's.

    A wanted half-width is a line, with the ε that each mechanism needs for it as points.
    """
    broad = np.concatenate([values for key, values in curves.items() if key in _BROAD])  # staircases fall without end
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
    traces, gap = [], curves["analytic"] / curves["laplace"]
    for rule, values in _rules(curves):
        over = values / curves["laplace"]
        shown = np.where(values > 10.0 ** (low - 1), values, np.nan)
        below = np.where((over > _RATIOS[0] / 2) & (over < 2 * _RATIOS[-1]), over, np.nan)
        traces += _traces(rule, epsilon, shown, curves["analytic"], "±%{y:.4g}", colour)
        unseen = {"yaxis": "y2", "showlegend": False, "hoverinfo": "skip", "hovertemplate": None}
        traces += [trace | unseen for trace in _traces(rule, epsilon, below, gap, "", colour)]
    hairline(figure, colour, now, f"ε = {text.nearest(now)}")
    figure["shapes"] += [shape | {"yref": "y2 domain"} for shape in figure["shapes"]]
    if wanted is not None:
        _across(figure, wanted, f"±{text.nearest(wanted)}", {"color": colour["text"], "width": 1.5})
        traces.append(_crossings(wanted, needed, curves, colour))
    return {"data": traces, "layout": figure}


def _crossings(
    wanted: float, needed: dict[str, float], curves: dict[str, Array], colour: dict[str, str]
) -> dict[str, Any]:
    """The ε that each mechanism needs for a wanted half-width, as points; a red cross where it then fails."""
    rules = [rule for rule, _ in _rules(curves) if np.isfinite(needed[rule.key])]
    fails = [rule.key in _CLASSICAL and 1 <= needed[rule.key] < needed["analytic"] for rule in rules]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "ε that reaches it",
        "x": compact([needed[rule.key] for rule in rules]),
        "y": compact([wanted] * len(rules)),
        "marker": {
            "color": [colour["fails" if wrong else rule.key] for rule, wrong in zip(rules, fails, strict=True)],
            "symbol": ["x" if wrong else "circle" for wrong in fails],
            "size": 10,
            "line": {"width": 1},
        },
        "text": [
            f"{rule.name}{': FAILS' if wrong else ''}: ε = {text.up(needed[rule.key])}"
            for rule, wrong in zip(rules, fails, strict=True)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def records_figure(
    epsilon: Array,
    records: dict[str, Array],
    now: float,
    n_records: float,
    subtitle: Sequence[str],
    colour: dict[str, str],
) -> Figure:
    """The least number of records against ε, with the current ε and n."""
    least = np.concatenate(list(records.values()))
    figure = layout(
        colour,
        "Records that the accuracy takes",
        "<br>".join(escape(each) for each in subtitle),
        log_axis(_EPSILON, *decades(-3, 2, now)),
        log_axis("records n", *decades(0, 3, float(least.max()), n_records)),
    )
    traces = [
        trace
        for rule, values in _rules(records)
        for trace in _traces(rule, epsilon, values, records["analytic"], "n ≈ %{y:.4g}", colour)
    ]
    hairline(figure, colour, now, f"ε = {text.nearest(now)}")
    style = {"color": colour["quiet"], "width": 1, "dash": "dash"}
    _across(figure, n_records, f"n = {text.nearest(n_records)}", style)
    return {"data": traces, "layout": figure}


def shares_figure(
    names: Sequence[str],
    epsilon: Array,
    locked: Sequence[bool],
    total: float,
    subtitle: Sequence[str],
    colour: dict[str, str],
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


def _rules(curves: dict[str, Array]) -> list[tuple[Calibration, Array]]:
    return [(rule, curves[rule.key]) for rule in RULES if rule.key in curves]


def _traces(
    rule: Calibration, epsilon: Array, values: Array, least: Array, hover: str, colour: dict[str, str]
) -> list[dict[str, Any]]:
    """A mechanism's line: stepped for whole-numbered noise; dotted where unproved, red crosses where it fails.

    A Gaussian fails where it has less noise than the analytic one, whose values are `least`.
    """
    shade = colour[rule.key]
    style: dict[str, Any] = {"color": shade, "dash": DASHES[rule.key], "width": 3 if rule is LAPLACE else 2}
    if rule.whole:
        style["shape"] = "hv"
    if rule.key not in _CLASSICAL:
        return [line(epsilon, values, rule.name, shade, DASHES[rule.key], hovertemplate=hover, line=style)]
    outside, fails = epsilon >= 1, (epsilon >= 1) & (values < least)
    traces = []
    for part, tint, label in ((~outside, shade, ""), (outside & ~fails, shade, ": unproved"), (fails, "", ": FAILS")):
        reach = part | np.roll(part, -1) & (epsilon < epsilon[-1])  # begins where the part before ends
        segment = np.where(reach, values, np.nan)
        dash = "dot" if label else DASHES[rule.key]
        tint = tint or colour["fails"]
        more: dict[str, Any] = {"hovertemplate": hover, "showlegend": not label}
        more["line"] = style | {"color": tint, "dash": dash}
        if label == ": FAILS":
            more |= {"mode": "lines+markers", "marker": {"symbol": "x", "size": 7, "maxdisplayed": 7, "color": tint}}
        traces.append(line(epsilon, segment, f"{rule.name}{label}", tint, dash, **more))
    return traces


def _across(figure: dict[str, Any], value: float, label: str, style: dict[str, Any]) -> None:
    """Mark a value of a log y axis with a line across the plot."""
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": value, "y1": value, "line": style}
    figure["shapes"].append(span)
    note = {"text": label, "showarrow": False, "x": 1, "xref": "x domain", "xanchor": "right", "yanchor": "bottom"}
    figure["annotations"].append(note | {"y": math.log10(value), "font": {"size": 12}})
