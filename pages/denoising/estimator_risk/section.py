"""The section on where each estimator wins, over size and share not 0, and how the map is computed."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import denoise
from dpcore.checks import Array
from pages.denoising.code import estimate_claims, risk_snippets
from pages.denoising.estimator_risk import text
from pages.denoising.estimator_risk.results import CURVE_KEYS, RIVALS, EstimatorRisk, table_place
from pages.denoising.estimator_risk.text import SHORT_NAMES, share_percent, tunings
from pages.denoising.parameters import DIMENSION, NONZERO, NORM, RISK_AGAINST, TABLE
from pages.denoising.results import DenoisingResult
from pages.framework.chart.theme import (
    TYPE,
    compact,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    pinned_curve,
    pinned_line,
    transparent,
)
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, Colours, Exhibit, Figure
from pages.framework.layout.section import Field, Fields, Fold, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, tex
from pages.framework.parameters.parameter import Parameter
from pages.shared import looks
from pages.shared.counts.table import NEIGHBOURS, contribution_fields
from pages.shared.looks import estimator_colour, estimator_dash
from pages.shared.shared_parameters import DELTA, EPSILON, SEED

_OPACITY = {"soft_universal": 0.8, "none": 0.35}
_LEAST_REGION = 0.08  # of the map; a smaller region has no room for its name
_NAME_SPACE = 0.3, 0.1  # of width and height; a name closer to a mark would overlap its label
_REGION_NAMES = {
    "none": "nothing",
    "james_stein_plus": "James–Stein +",
    "soft_universal": "fixed T",
    "soft_sure": "T by SURE",
    "non_negative": "clipping at 0",
}
_HOVER = (
    "size %{x:.3~g}, share not 0 %{y:.3~g}<br>the best leaves %{customdata:.3~g} of the squared error"
    "<br>click to set both<extra></extra>"
)


_BOUND_COLUMN = "soft_universal_bound"
_LEGEND_NAMES = {key: SHORT_NAMES[key] for key in CURVE_KEYS if key not in ("james_stein", "none")}
_LEGEND_NAMES["james_stein_plus"] = SHORT_NAMES["james_stein"]  # one entry for both, which the subtitle explains
_SYMBOLS = {"norm": "size", "nonzero": "share not 0"}
_RISK_AXIS_END = 1.6  # of the axis of shares; a larger share is written in the picture


def risk_curves(result: DenoisingResult, colours: Colours) -> Exhibit:
    """Return what each estimator leaves of the squared error along the chosen axis, and the pinned setting."""
    risk, pinned = result.risk, result.pinned and result.pinned.risk
    frame, along = risk.curves, risk.along
    across = _size_axis(risk) if along == "norm" else _share_axis(risk.nonzero_low)
    upward = {"range": [0, _RISK_AXIS_END], "title": {"text": "squared error ÷ the release’s"}, "dtick": 0.5}
    title = "Squared error that each estimator leaves"
    figure = layout(colours, title, text.subtitle(risk), across | hover_head(_SYMBOLS[along]), upward)
    _mark_harm(figure, along, colours)
    traces = [] if pinned is None else _pinned_curves(pinned, frame, colours)
    for key in CURVE_KEYS:
        hover = f"%{{y:.3~g}}<extra>{SHORT_NAMES[key]}</extra>"
        look = _LEGEND_NAMES.get(key, ""), estimator_colour(key, colours), estimator_dash(key)
        trace = line(frame[along], frame[key], *look, hovertemplate=hover)
        traces.append(trace | {"showlegend": key in _LEGEND_NAMES})
    tint = estimator_colour("soft_universal", colours)
    bound = line(frame[along], frame[_BOUND_COLUMN], "bound of soft, T = σ√(2 ln d)", tint, "dot", hoverinfo="skip")
    traces.append(bound | {"showlegend": False, "line": bound["line"] | {"width": 1.2}})
    _mark_highest(figure, frame, along, colours)
    value, low = getattr(risk, along), 10 ** across["range"][0]
    if pinned is not None:
        old = getattr(pinned, along)
        pinned_line(figure, colours, old if old >= low else 0)
    position = value if value >= low * (1 - 1e-9) else 0.0
    hairline(figure, colours, position, f"{_SYMBOLS[along]} = {format_input_up(value)}", along)
    picture, alternative = {"data": traces, "layout": figure}, text.alternative_text(risk)
    return Exhibit("risk", picture, alternative, lambda: risk.curves, csv_header(risk), (along, ""))


def _size_axis(risk: EstimatorRisk) -> dict[str, Any]:
    """Return the axis of sizes."""
    low, high = risk.norm_ends
    axis = log_axis("signal-to-noise ratio, ‖y‖ ÷ (σ√d)", math.ceil(low), math.floor(high))
    return axis | {"range": [low, high]}


def _share_axis(low: float) -> dict[str, Any]:
    """Return the axis of the share of numbers that are not 0, from 10 to the power `low`."""
    axis = log_axis("share of the numbers that are not 0", math.ceil(low), 0)
    return axis | {"range": [low, 0]}


def _pinned_curves(pinned: EstimatorRisk, frame: pd.DataFrame, colours: Colours) -> list[dict[str, Any]]:
    """Return the curves of the pinned setting that differ from those of the open one."""
    old = pinned.curves
    keys = [key for key in RIVALS if len(old) != len(frame) or not np.allclose(old[key], frame[key])]
    return [pinned_curve(old[pinned.along], old[key], colours) for key in keys]


def _mark_harm(figure: Figure, along: str, colours: Colours) -> None:
    """Shade and label the area where an estimator is worse than the release."""
    area = {"type": "rect", "xref": "x domain", "x0": 0, "x1": 1, "y0": 1, "y1": _RISK_AXIS_END, "layer": "below"}
    figure["shapes"].append(area | {"fillcolor": transparent(colours["fails"], 0.1), "line": {"width": 0}})
    note = {"showarrow": False, "xref": "x domain", "x": 0.01, "xanchor": "left"}
    worse = {"text": "✗ worse than the release", "y": 0.99, "yref": "y domain", "yanchor": "top"}
    worse |= {"x": 0.99, "xanchor": "right"} if along == "norm" else {}  # away from curves beyond the axis
    figure["annotations"] += [
        note | worse | {"font": {"size": TYPE, "color": colours["fails"]}},
        note | {"text": "as released", "y": 1, "yanchor": "bottom", "font": {"size": TYPE, "color": colours["grey"]}},
    ]


def _mark_highest(figure: Figure, frame: pd.DataFrame, along: str, colours: Colours) -> None:
    """Write how high the universal threshold goes, left of its bound or right of its curve."""
    share, bound = frame["soft_universal"].to_numpy(), frame[_BOUND_COLUMN].to_numpy()
    if share.max() <= _RISK_AXIS_END:
        return
    x, (low, high) = np.log10(frame[along].to_numpy()), figure["xaxis"]["range"]
    before, behind = (float(x[np.argmax(curve > _RISK_AXIS_END)]) for curve in (bound, share))
    note = {"text": f"↑ up to {format_nearest(share.max(), 3)}", "showarrow": False}
    note |= {"y": _RISK_AXIS_END, "yanchor": "top", "yshift": -22}
    side = {"x": behind, "xanchor": "left", "xshift": 12}
    if before > low + 0.4 * (high - low):
        side = {"x": before, "xanchor": "right", "xshift": -12}
    font = {"size": TYPE, "color": estimator_colour("soft_universal", colours)}
    figure["annotations"].append(note | side | {"font": font})


def winners_map(result: DenoisingResult, colours: Colours) -> Exhibit:
    """Return the best estimator over size and share not 0, with the setting, the pinned one, and the table."""
    risk, pinned, table = result.risk, result.pinned and result.pinned.risk, table_place(result.count, result.sigma)
    frame = risk.winners
    norm, share = np.unique(frame["norm"]), np.unique(frame["nonzero"])
    low = math.log10(share[0])
    title = "Estimator with the least squared error"
    subtitle = f"d = {risk.dimension:,}; the non-zero numbers are equal and positive"
    figure = layout(colours, title, subtitle, _size_axis(risk), _share_axis(low))
    figure |= {"hovermode": "closest", "height": 280}
    keys = (*RIVALS, "none")
    winner = pd.Categorical(frame["winner"], keys).codes.reshape(len(share), len(norm))
    shades = [_region_colour(key, colours) for key in keys]
    scale = [[(place + step) / len(keys), ink] for place, ink in enumerate(shades) for step in (0, 1)]
    field = {"type": "heatmap", "x": compact(norm), "y": compact(share), "z": compact(winner)}
    field |= {"zmin": -0.5, "zmax": len(keys) - 0.5, "colorscale": scale, "showscale": False}
    field |= {"customdata": compact(frame["share"].to_numpy().reshape(winner.shape)), "hovertemplate": _HOVER}
    traces, winners = [field], {*frame["winner"]}
    traces += [_legend_patch(key, ink, colours) for key, ink in zip(keys, shades, strict=True) if key in winners]
    marks = [(risk.norm, risk.nonzero, "here", "star")]
    marks += [] if pinned is None else [(pinned.norm, pinned.nonzero, "pinned", "star-open")]
    marks += [] if table is None else [(*table, "table", "diamond")]
    spots = [_mark_position(mark[0], mark[1], risk.norm_ends, low) for mark in marks]
    traces.append(_region_names(winner, keys, norm, share, spots, colours))
    traces += [_mark_trace(mark, risk.norm_ends, low, colours) for mark in marks]
    picture, alternative = {"data": traces, "layout": figure}, text.map_alternative_text(risk)
    confidential = CONFIDENTIAL_FIGURES if table is not None and result.values["table"] == "own" else ""
    about = csv_header(risk), ("norm", "nonzero"), confidential
    return Exhibit("winners", picture, alternative, lambda: risk.winners, *about)


def _region_colour(key: str, colours: Colours) -> str:
    """Return the colour of a region, mixed with the paper's so that the legend has the same."""
    paper = (255, 255, 255) if colours["text"] == looks.COLOURS["light"]["text"] else (17, 21, 26)
    ink, part = estimator_colour(key, colours), _OPACITY.get(key, 0.4)
    channels = (int(ink[place : place + 2], 16) for place in (1, 3, 5))
    mixed = (round(part * channel + (1 - part) * base) for channel, base in zip(channels, paper, strict=True))
    return f"rgb({','.join(map(str, mixed))})"


def _legend_patch(key: str, ink: str, colours: Colours) -> dict[str, Any]:
    """Return the legend entry of a region."""
    name = "no estimator removes 1 %" if key == "none" else SHORT_NAMES[key]
    marker = {"symbol": "square", "size": 13, "color": ink, "line": {"width": 1, "color": colours["quiet"]}}
    return {"type": "scatter", "mode": "markers", "name": name, "x": [None], "y": [None], "marker": marker}


def _mark_position(norm: float, nonzero: float, ends: tuple[float, float], low: float) -> tuple[float, float]:
    """Return the position of a mark in decades, at the edge if it lies beyond."""
    x = min(max(math.log10(norm) if norm > 0 else -math.inf, ends[0]), ends[1])
    return x, min(max(math.log10(nonzero), low), 0)


def _region_names(
    winner: NDArray[np.integer],
    keys: tuple[str, ...],
    norm: Array,
    share: Array,
    spots: list[tuple[float, float]],
    colours: Colours,
) -> dict[str, Any]:
    """Return the names of the larger regions, away from the marks, so that colours are not needed."""
    across, up = np.log10(norm), np.log10(share)
    near = np.array([_NAME_SPACE[0] * np.ptp(across), _NAME_SPACE[1] * np.ptp(up)])
    names = []
    for place, key in enumerate(keys):
        rows, columns = np.nonzero(winner == place)
        if rows.size < _LEAST_REGION * winner.size:
            continue
        candidate_rows = [int(np.quantile(rows, part)) for part in (0.25, 0.5, 0.75, 0.1)]
        cells = [(row, int(np.median(columns[rows == row]))) for row in candidate_rows]
        is_free = [np.any(np.abs(np.subtract((across[x], up[y]), spots)) > near, axis=1).all() for y, x in cells]
        row, column = cells[is_free.index(True)] if True in is_free else cells[0]
        names.append((float(norm[column]), float(share[row]), _REGION_NAMES[key]))
    x, y, text = ([name[place] for name in names] for place in range(3))
    style = {"size": TYPE, "color": colours["text"]}
    trace = {"type": "scatter", "mode": "text", "x": x, "y": y, "text": text, "textfont": style}
    return trace | {"showlegend": False, "hoverinfo": "skip"}


def _mark_trace(
    mark: tuple[float, float, str, str], ends: tuple[float, float], low: float, colours: Colours
) -> dict[str, Any]:
    """Return a mark on the map, at its edge if it lies beyond."""
    norm, nonzero, name, symbol = mark
    x, y = _mark_position(norm, nonzero, ends, low)
    beyond = "" if norm >= 10 ** ends[0] * (1 - 1e-9) and norm <= 10 ** ends[1] * (1 + 1e-9) else ", beyond the map"
    side = "left" if x > (ends[0] + ends[1]) / 2 else "right"
    ink = colours["text"]
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": compact([10**x]),
        "y": compact([10**y]),
        "text": [f"<b>{name}{beyond}</b>"],
        "textposition": f"middle {side}",
        "textfont": {"size": TYPE, "color": ink},
        "marker": {"symbol": symbol, "size": 14, "color": ink, "line": {"width": 1, "color": ink}},
        "showlegend": False,
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


_JAMES_STEIN = (
    r"**James–Stein** (Balle & Wang 2018, Theorem 11; James & Stein 1961). With $K\sim\text{Poisson}"
    r"(\|y\|^2/2\sigma^2)$ and $x=(d-2)/2$ the plain form has the risk $\sigma^2(2+2x\,E[K/(x+K)])$ (own derivation "
    r"from Stein 1981), and the positive part less; both are exact, and below $d\sigma^2$ for every $y$."
)
_POSTERIOR = (
    r"**Posterior mean** (§4, after Theorem 10). $f\hat y$ with $f=w^2/(w^2+\sigma^2)$ has the risk "
    r"$f^2d\sigma^2+(1-f)^2\|y\|^2$; with $w=\|y\|/\sqrt d$ that is the least of any factor. Reading this $w$ from the "
    "data would cost privacy."
)
_OTHERS = (
    r"**Clipping at 0.** $\max(0,\hat y_i)$ has the risk $\sigma^2/2$ for a number that is 0; exact for each.",
    "**Privacy.** Denoising costs none, except for the oracle’s w: each estimate is a function of the release and of "
    "σ, which is public (post-processing). The noise is Gaussian with this σ, independent in each number.",
)


def explanation_text(result: DenoisingResult) -> str:
    """Return how the risks are computed, in Markdown with TeX."""
    risk = result.risk
    exact = _vector_paragraph(risk), _JAMES_STEIN, _POSTERIOR, _fixed_threshold_paragraph(risk)
    return "\n\n".join((*exact, _sure_threshold_paragraph(risk), *_OTHERS))


def _vector_paragraph(risk: EstimatorRisk) -> str:
    return (
        rf"**The numbers.** $\hat y=y+N(0,\sigma^2I_d)$ with $d={risk.dimension}$, $k={risk.n_nonzero}$ of the $y_i$ "
        rf"equal to $a\sigma$ with $a={_tex_number(risk.nonzero_size)}$, the others 0: $\|y\|=a\sigma\sqrt"
        rf" k={_tex_number(risk.norm)}\,"
        r"\sigma\sqrt d$. Shown is $E\|\text{estimate}-y\|^2/(d\sigma^2)$: the release has 1. RMSE is its root."
    )


def _fixed_threshold_paragraph(risk: EstimatorRisk) -> str:
    threshold = float(denoise.universal_threshold(1, risk.dimension))
    return (
        rf"**Soft threshold** (equation 8 and Theorem 12; Donoho & Johnstone 1994). $T=\sigma\sqrt{{2\ln d}}="
        rf"{_tex_number(threshold)}\,\sigma$. The risk of each number is exact. Their sum is never above $(2\ln"
        r" d+1)(\sigma^2+"
        r"\sum_i\min(y_i^2,\sigma^2))$, the dotted line: Donoho & Johnstone’s oracle inequality, from which Theorem 12 "
        "follows."
    )


def _sure_threshold_paragraph(risk: EstimatorRisk) -> str:
    error = format_nearest(100 * risk.sure.standard_error, 2)
    return (
        r"**Soft threshold by SURE** (Donoho & Johnstone 1995). The $T\le\sigma\sqrt{2\ln d}$ of least "
        r"$d\sigma^2+\sum_i\min(\hat y_i^2,T^2)-2\sigma^2\,\#\{|\hat y_i|\le T\}$. It has no closed form and is "
        f"simulated from the seed, with {risk.sure_releases:,} releases at the setting (standard error {error} "
        "percentage points), fewer for the curve and for places of the map, between which it is interpolated. The "
        "answer adds two standard errors."
    )


def _tex_number(value: float) -> str:
    return tex(format_nearest(value, 4))


def table_html(risk: EstimatorRisk) -> str:
    """Return every estimator at the setting, as HTML."""
    heads = ["Estimator", "Squared error left", "RMSE left", "Tuning"]
    rows = []
    for key, tuning in tunings(risk).items():
        share, rmse = share_percent(risk.shares[key]), f"{format_nearest(100 * math.sqrt(risk.shares[key]), 3)} %"
        if key == "soft_sure":
            error = format_nearest(100 * risk.sure.standard_error, 2)
            share = f"{format_nearest(100 * risk.shares[key], 3)} ± {error} %"
        rows.append([SHORT_NAMES[key], share, rmse, tuning])
    return number_format.table_html("What each estimator leaves of the error", "cells", heads, rows)


def estimators_table(result: DenoisingResult, _: Colours) -> Exhibit:
    """Return the table of all estimators at the setting."""
    risk = result.risk
    return Exhibit("where_table", table_html(risk), text.alternative_text(risk), risk.frame, csv_header(risk))


def csv_header(risk: EstimatorRisk) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV."""
    units = "sizes in units of sigma; shares of the release’s squared error; standard_error of the simulated ones"
    vector = {"d": str(risk.dimension), "norm": repr(risk.norm), "nonzero": repr(risk.nonzero)}
    return vector | {"numbers_not_0": str(risk.n_nonzero), "seed": str(risk.seed), "units": units}


def controls(_: DenoisingResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    return DIMENSION, NORM, NONZERO, Field(RISK_AGAINST, "Horizontal axis")


def parts(result: DenoisingResult, colours: Colours) -> Iterator[Part]:
    """Yield the curves, the map of winners, every estimator in numbers, and what each assumes."""
    yield risk_curves(result, colours)
    yield text.comparison_text(result.risk)
    yield winners_map(result, colours)
    noise = EPSILON, DELTA, *contribution_fields(result.values), Field(NEIGHBOURS, "Neighbours")
    mark = () if result.counts is None else noise
    yield Fields((*mark, Field(TABLE, "Table"), SEED))
    yield text.table_place_text(result)
    yield Fold(
        lambda: (estimators_table(result, colours), text.assumptions_text(result.risk)), "Every estimator in numbers"
    )


SECTION = Section[DenoisingResult](
    controls=controls,
    parts=parts,
    key="where",
    name="Where each is best",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(risk_curves, winners_map, estimators_table),
    claims=estimate_claims,
    snippets=risk_snippets,
)
