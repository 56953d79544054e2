"""The section on where each estimator wins, over size and share not 0, and how the map is computed."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import denoise
from dpcore.checks import Array
from pages.denoising import figures
from pages.denoising.code import estimate_claims, risk_snippets
from pages.denoising.estimator_risk import text
from pages.denoising.estimator_risk.results import RIVALS, EstimatorRisk, table_place
from pages.denoising.estimator_risk.text import SHORT_NAMES, share_percent, tunings
from pages.denoising.figures import share_axis, size_axis
from pages.denoising.parameters import DIMENSION, NONZERO, NORM, RISK_AGAINST, TABLE
from pages.denoising.results import DenoisingResult
from pages.framework.chart.theme import TYPE, compact, layout
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, Colours, Exhibit, Figure
from pages.framework.layout.section import Field, Fields, Fold, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, tex
from pages.framework.parameters.parameter import Parameter
from pages.shared import looks
from pages.shared.counts.table import NEIGHBOURS, contribution_fields
from pages.shared.looks import estimator_colour
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


def winners_figure(
    risk: EstimatorRisk,
    pinned: EstimatorRisk | None,
    table: tuple[float, float] | None,
    subtitle: str,
    colours: Colours,
) -> Figure:
    """Draw the best estimator over size and share not 0, with the setting, the pinned one, and the table."""
    frame = risk.winners
    norm, share = np.unique(frame["norm"]), np.unique(frame["nonzero"])
    low = math.log10(share[0])
    figure = layout(colours, "Estimator with the least squared error", subtitle, size_axis(risk), share_axis(low))
    figure |= {"hovermode": "closest", "height": 400}
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
    return {"data": traces, "layout": figure | {"height": 280}}


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
        rmse = f"{format_nearest(100 * math.sqrt(risk.shares[key]), 3)} %"
        rows.append([SHORT_NAMES[key], _share_cell(risk, key), rmse, tuning])
    return number_format.table_html("What each estimator leaves of the error", "cells", heads, rows)


def _share_cell(risk: EstimatorRisk, key: str) -> str:
    if key != "soft_sure":
        return share_percent(risk.shares[key])
    error = format_nearest(100 * risk.sure.standard_error, 2)
    return f"{format_nearest(100 * risk.shares[key], 3)} ± {error} %"


def risk_curves(result: DenoisingResult, colours: Colours) -> Exhibit:
    """Return the squared error that each estimator leaves, against size or share not 0."""
    risk = result.risk
    figure = figures.risk_figure(risk, result.pinned and result.pinned.risk, text.subtitle(risk), colours)
    picks = ("norm" if risk.along == "norm" else "nonzero", "")
    alternative = text.alternative_text(risk)
    return Exhibit("risk", figure, alternative, lambda: risk.curves, csv_header(risk), picks)


def winners_map(result: DenoisingResult, colours: Colours) -> Exhibit:
    """Return the map of the estimators that leave the least."""
    risk = result.risk
    subtitle = f"d = {risk.dimension:,}; the non-zero numbers are equal and positive"
    place = table_place(result.count, result.sigma)
    figure = winners_figure(risk, result.pinned and result.pinned.risk, place, subtitle, colours)
    alternative, picks = text.map_alternative_text(risk), ("norm", "nonzero")
    confidential = CONFIDENTIAL_FIGURES if place is not None and result.values["table"] == "own" else ""
    return Exhibit("winners", figure, alternative, lambda: risk.winners, csv_header(risk), picks, confidential)


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
