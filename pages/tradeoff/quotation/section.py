"""The section of the quotation: one (ε, δ) or one μ instead of the chosen curve."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.framework.chart.theme import TYPE, line, log_axis, markers
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import without_markdown
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON
from pages.tradeoff import code
from pages.tradeoff.answer_text import (
    WHY,
    advice_text,
    chart_texts,
    explanation_text,
    quotation_answer_text,
    quotation_sentences,
)
from pages.tradeoff.curves.section import PICKS
from pages.tradeoff.figures import AXIS_LABELS, LOWEST_DECADE, curve_trace, pinned_lines, plane, positive
from pages.tradeoff.results import QUOTE, VIEW, TradeoffResult
from pages.tradeoff.text import csv_header

_SHARED_KEYS = ("gridcolor", "zeroline", "automargin", "ticks", "ticklen", "tickcolor")  # of the two y axes


def quotation(result: TradeoffResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the chosen curve with one (ε, δ) and one μ and, below, the extra power that each concedes.

    There is none where no ε goes with the δ.
    """
    (pair, frame), view = result.quotation, result.setting.view
    if pair is None or frame is None:
        return None
    subtitle, names = chart_texts(result.chosen_row, pair, result.setting)
    curve, height = curve_trace(result, result.chosen_position, colours), "beta" if view == "errors" else "power"
    figure = plane(colours, result.setting.alpha, "One (ε, δ) or one μ instead of the curve", subtitle, view)
    figure = _with_extra_power(figure, frame)
    if view == "log" and 0 < pair.touches < 10.0**LOWEST_DECADE:
        figure["xaxis"] |= log_axis(AXIS_LABELS["log"][0], LOWEST_DECADE - 2, 0)
    along = positive(frame["alpha"].to_numpy(), view)
    styles = (("epsilon_delta", names[0], colours["quiet"], "longdash"), ("mu", names[1], colours["text"], "3px,3px"))
    hover = "β ≈ %{y:.4~g}" if view == "errors" else "TPR ≈ %{y:.4~g}"
    y = positive(frame[height].to_numpy(), view)
    traces = pinned_lines(result, colours)
    traces.append(line(along, y, number_format.chart_text(curve.name), curve.colour, "solid", hovertemplate=hover))
    for key, name, shade, dash in styles:
        conceded = positive(frame[f"{height}_{key}"].to_numpy(), view)
        traces.append(line(along, conceded, name, shade, dash, hovertemplate=hover))
        extra = line(along, frame[f"extra_power_{key}"], name, shade, dash, hovertemplate="TPR above curve ≈ %{y:.4~g}")
        traces.append(extra | {"yaxis": "y2", "showlegend": False})
    point = np.array([pair.touches]), np.array([np.interp(pair.touches, frame["alpha"], frame[height])])
    ring = {"color": curve.colour, "size": 10, "symbol": "circle-open", "line": {"width": 2.5}}
    traces.append(markers(*point, "point of contact", ring) | {"hoverinfo": "skip"})
    entries = {"curve": result.chosen_row.display_name, "quoted epsilon": pair.epsilon, "quoted delta": pair.delta}
    header = csv_header(result, **entries, **{"smallest mu": pair.limited_mu.mu})
    alternative, drawn = without_markdown(" ".join(quotation_sentences(result))), {"data": traces, "layout": figure}
    return Exhibit("quotation", drawn, alternative, frame, header, PICKS, result.confidential)


def _with_extra_power(figure: dict[str, Any], frame: pd.DataFrame) -> dict[str, Any]:
    """Return the layout with room for a lower chart of the extra power."""
    figure["xaxis"]["anchor"] = "y2"
    title = figure["yaxis"]["title"]
    figure["yaxis"]["title"] = title | {"text": " ".join(title["text"].split(" ")[:3])}  # without symbol and synonym
    figure["yaxis"]["domain"] = [0.42, 1]
    largest = max(float(np.max(frame[["extra_power_epsilon_delta", "extra_power_mu"]].to_numpy())), 1e-3)
    figure["yaxis2"] = {key: figure["yaxis"][key] for key in _SHARED_KEYS} | {
        "domain": [0, 0.32],
        "range": [0, _round_end(largest)],
        "title": {"text": "TPR above curve", "font": {"size": TYPE}, "standoff": 8},
        "nticks": 4,
    }
    return figure | {"hovermode": "x unified"}


def _round_end(value: float) -> float:
    """Return the next of 1, 2, 5 times a power of ten."""
    unit = 10.0 ** math.floor(math.log10(value))
    return next(end * unit for end in (1, 2, 5, 10) if end * unit >= value * 1.05 or end == 10)


_WITH_ONE_PAIR = ("here_approx", "here_gaussian")
"""The curves whose δ at the page's ε is the page's δ: both ways to quote them give the same pair."""


def controls(result: TradeoffResult) -> Sequence[Field | Quantity]:
    """Return the parameters that change the chart: ε and δ, or only the one at which the curve is quoted."""
    quoted_at = (DELTA,) if result.setting.quote == "delta" else (EPSILON,)
    target = (EPSILON, DELTA) if result.follows_page else quoted_at
    has_one_pair = result.setting.curves[result.chosen_position].kind in _WITH_ONE_PAIR
    quote = () if has_one_pair else (Field(QUOTE, "Report the chosen curve"),)
    view_fields = () if result.quotation[0] is None else (Field(VIEW, "Show as"),)
    return *target, ALPHA, *quote, *view_fields


def parts(result: TradeoffResult, colours: Colours) -> Iterator[Part]:
    """Yield the chart, the two numbers, and advice."""
    yield quotation(result, colours)
    yield from quotation_sentences(result)
    yield WHY
    yield advice_text(result)


SECTION = Section[TradeoffResult](
    key="quote",
    name="As one (ε, δ) or μ",
    controls=controls,
    parts=parts,
    answer_text=quotation_answer_text,
    explanation=explanation_text,
    exhibits=(quotation,),
    claims=code.claims,
    snippets=code.snippets,
)
