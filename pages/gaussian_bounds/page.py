"""The page of the Gaussian bounds: its own parameters, its charts, its sections."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from dpcore import comparison, verify
from dpcore.calibrations import ANALYTIC, CLASSICAL_TIGHT, FAILS, FLOOR, LOWER, PROBABILISTIC_DP, SILENT, UNDEFINED
from dpcore.comparison import BOUNDS as ALL_BOUNDS
from dpcore.comparison import BoundRow
from pages.framework.chart.theme import hairline, hover_head, layout, line, log_axis, pinned_line
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.page import Page
from pages.framework.layout.panels import number, program
from pages.framework.layout.section import Claim, Field, MovedSection, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Choice, Pin
from pages.framework.parameters.number_format import (
    exact_text,
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
)
from pages.framework.rendering.uploaded_files import kept
from pages.gaussian_bounds import text
from pages.gaussian_bounds.results import GaussianBoundsResult, compute_result
from pages.shared import guarantee_claims
from pages.shared.formulas import THEORY, share, short_name, verdict
from pages.shared.guarantee_claims import Target
from pages.shared.looks import LOOKS
from pages.shared.other_libraries import DPCORE, gaussian_sigma
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE
from pages.shared.site_map import GAUSSIAN_BOUNDS, PAPERS
from pages.shared.status_lines import guarantee_axis, status_lines

_HOVER = {"ratio": "%{y:.4~g} ×", "sigma": "σ ≈ %{y:.4~g}"}
"""What a curve shows of a point, by its column."""
_LOOKS = (
    "Dotted: outside the theorem. Red ×: guarantee violated. Below Analytic: no Gaussian satisfies the guarantee. "
    "Grey: below the lower bound."
)
_SHARES_OF_TARGET = 0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0
# The classical bound with the tight constant is hardly distinguishable from the classical one.
_CURVE_BOUNDS = tuple(bound for bound in ALL_BOUNDS if bound is not CLASSICAL_TIGHT)


def sigma_delta(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of σ over δ."""
    return _sigma_chart(result, "delta", colours)


def sigma_epsilon(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of σ over ε."""
    return _sigma_chart(result, "epsilon", colours)


def _sigma_chart(result: GaussianBoundsResult, along: str, colours: Colours) -> Exhibit:
    """Return the chart of σ of every bound over ε or δ, both on log axes, with the current setting marked."""
    setting = result.setting
    epsilon, delta = format_input_up(setting.epsilon), format_input_up(setting.delta)
    symbol, current, fixed = ("ε", epsilon, f"δ = {delta}") if along == "epsilon" else ("δ", delta, f"ε = {epsilon}")
    level, value = int(np.ceil(np.log10(setting.l2_sensitivity))), getattr(setting, along)
    axes = guarantee_axis(along, value), log_axis("σ (query units)", level - 2, level + 4)
    subtitle = f"{fixed}, ℓ₂ sensitivity {format_input_down(setting.l2_sensitivity)}. {_LOOKS}"
    figure = layout(colours, f"Noise σ against {symbol}", subtitle, *axes)
    hairline(figure, colours, value, f"{symbol} = {current}", along)
    return _chart(f"sigma_{along}", "sigma", result, figure, along, colours)


def ratio(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of σ of every bound over the analytic σ against ε.

    1 is the least noise that satisfies the guarantee. The ratio axis has one of four fixed ends, so that it does not
    change along ε nor over most of δ.
    """
    setting, limit = result.setting, kept(comparison.classical_limit, result.setting.delta)
    highest = result.along("epsilon")["ratio"].to_numpy().max()
    top = next((end for end in (3, 10, 100) if highest <= end), 1000)
    marks = tuple(mark for mark in (0.5, 1, 2, 3, 5, 10, 100, 1000) if mark <= top)
    figure = layout(
        colours,
        "Noise of each bound relative to the minimum",
        f"δ = {format_input_up(setting.delta)}. The classical σ is enough up to ε = {format_down(limit)}. {_LOOKS}",
        guarantee_axis("epsilon", setting.epsilon),
        log_axis("σ ÷ analytic σ", 0, 1, marks=marks) | {"range": [np.log10(0.4), np.log10(top)]},
    )
    hairline(figure, colours, setting.epsilon, f"ε = {format_input_up(setting.epsilon)}", "epsilon")
    return _chart("ratio", "ratio", result, figure, "epsilon", colours)


def _chart(
    name: str, column: str, result: GaussianBoundsResult, figure: Figure, along: str, colours: Colours
) -> Exhibit:
    """Return the chart of a column of the bounds over ε or δ: a line for every bound, in the looks of its verdicts.

    The lower bound is the edge of an area, and the bounds of a pinned setting are grey.
    """
    numbers, pinned, traces = result.along(along), result.pinned, []
    if pinned is not None:
        pinned_line(figure, colours, getattr(pinned.setting, along))
        columns = _columns_by_bound(pinned.along(along), along, column)
        curves = [columns[bound.key] for bound in _CURVE_BOUNDS if bound.key in columns]
        traces = [line(rows[along], rows[column], "pinned", **_pinned_look(colours)) for rows in curves]
    parts = _columns_by_bound(numbers, along, column, "status")
    for bound in _CURVE_BOUNDS:
        if bound.key not in parts:
            continue
        x, y, status = (parts[bound.key][key] for key in (along, column, "status"))
        shade, dash, label = colours[bound.key], LOOKS[bound.key].dash, short_name(bound)
        shared: dict[str, Any] = {"hovertemplate": _HOVER[column], "legendgroup": label}
        if bound is LOWER:
            area = {"fill": "tozeroy", "fillcolor": colours["floor"], "line": {"color": shade, "width": 1}}
            traces.append(line(x, y, label, shade, dash, **shared, **area))
        else:
            style = {"color": shade, "dash": dash, "width": 3.5 if bound is ANALYTIC else 2.5}
            traces += status_lines(x, y, status, label, style, colours, **shared)
    drawn = {"data": traces, "layout": figure}
    return Exhibit(name, drawn, text.alternative_text(result), numbers, result.csv_header)


def profile(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of the true δ of each σ over the target δ, near it: slack below 1 at its ε, failure above."""
    epsilon, delta, ends = result.setting.epsilon, result.setting.delta, result.profile_ends
    failing = {key for key, row in result.rows.items() if row.mechanism.status == FAILS}
    frame, (low, high) = result.profiles(ends), (10.0**end for end in ends)
    marks = tuple(step * 10.0**power for power in range(-5, 9) for step in (1, 2, 3, 5, 7))
    along = log_axis("ε (nats)", 0, 1, marks=tuple(mark for mark in marks if low <= mark <= high))
    figure = layout(
        colours,
        "True δ of each σ ÷ the target",
        f"σ chosen for ε = {format_input_up(epsilon)}, δ = {format_input_up(delta)}. "
        "Below 1 at this ε it has slack; above 1, it fails.",
        along | {"range": [*ends]} | hover_head("ε"),
        log_axis("true δ ÷ target δ", -3, 3, marks=_SHARES_OF_TARGET),
    )
    traces = []
    if result.pinned is not None:
        pinned_traces = _profile_traces(result.pinned.profiles(ends), set(), colours, _pinned_look(colours))
        traces = [trace | {"name": "pinned"} for trace in pinned_traces]
    traces += _profile_traces(frame, failing, colours, {})
    if not frame["delta_over_target"].between(_SHARES_OF_TARGET[0], _SHARES_OF_TARGET[-1]).any():
        note = {"text": "every true δ is far from the target here", "x": 0.5, "y": 0.7, "showarrow": False}
        figure["annotations"].append(note | {"xref": "paper", "yref": "paper"})
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": 1, "y1": 1}
    figure["shapes"].append(level | {"line": {"color": colours["quiet"], "width": 1}})
    hairline(figure, colours, epsilon, f"ε = {format_input_up(epsilon)}", "epsilon")
    if epsilon > 0:
        target = line([epsilon], [1], "target", colours["text"], "solid", hovertemplate="the target")
        star = {"symbol": "star", "size": 13, "color": colours["text"]}
        traces.append(target | {"mode": "markers", "marker": star})
    drawn = {"data": traces, "layout": figure}
    return Exhibit("profile", drawn, text.profile_alternative_text(result), frame, result.csv_header)


def _profile_traces(
    frame: pd.DataFrame, failing: set[str], colours: Colours, look: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the profile of every bound, red where the bound fails, or all in one look; those in sight have a name."""
    traces = []
    parts = _columns_by_bound(frame, "epsilon", "delta_over_target")
    for bound in _CURVE_BOUNDS:
        if bound.key in parts:
            fails = bound.key in failing
            row, shade = parts[bound.key], colours["fails" if fails else bound.key]
            positive = np.where(row["delta_over_target"] > 1e-300, row["delta_over_target"], np.nan)
            name = f"{short_name(bound)}: FAILS" if fails else short_name(bound)
            is_seen = bool(np.any((positive >= _SHARES_OF_TARGET[0]) & (positive <= _SHARES_OF_TARGET[-1])))
            style = {"colour": shade, "dash": LOOKS[bound.key].dash, "hovertemplate": "%{y:.4~g} ×"} | look
            trace = line(row["epsilon"], positive, name, **style)
            traces.append(trace if is_seen else trace | {"showlegend": False})
    return traces


def _columns_by_bound(frame: pd.DataFrame, *columns: str) -> dict[str, dict[str, np.ndarray]]:
    """Return the columns of the rows of each bound, as arrays."""
    arrays = {column: frame[column].to_numpy() for column in columns}
    bounds = frame["bound"].to_numpy(dtype=object)
    return {key: {name: array[bounds == key] for name, array in arrays.items()} for key in dict.fromkeys(bounds)}


def _pinned_look(colours: Colours) -> dict[str, Any]:
    """Return the look of the curves of a pinned setting."""
    shade = colours["ghost"]
    thin = {"color": shade, "dash": "solid", "width": 1.5}
    return {"colour": shade, "dash": "solid", "line": thin, "showlegend": False, "hoverinfo": "skip"}


PICTURES = {
    "ratio": ("Ratio to the minimum", ratio),
    "epsilon": ("σ against ε", sigma_epsilon),
    "delta": ("σ against δ", sigma_delta),
    "profile": ("True δ of each σ", profile),
}
"""The pictures of the section, each with its name, by their values in the link."""
VIEW = Choice("view", "view", {key: name for key, (name, _) in PICTURES.items()}, "ratio")
PINNED = Pin(retired_keys=("bound",))  # the bound that set the noise on a table of counts
PARAMETERS = (VIEW, PINNED)


def table_html(result: GaussianBoundsResult) -> str:
    """Return the bounds as an accessible HTML table; with a pinned setting, also σ as a multiple of the pinned σ."""
    setting, pinned_rows = result.setting, result.pinned and result.pinned.rows
    heads = ["Bound", "σ, query units", "Variance", f"± for <span>{share(setting.significance)}</span> of releases"]
    heads += [f"True δ at <span>ε = {format_input_up(setting.epsilon)}</span>"]
    heads += [f"True ε at <span>δ = {format_input_up(setting.delta)}</span>"]
    heads += ["μ", *(["σ ÷ pinned σ"] if pinned_rows is not None else []), "Verdict"]
    body = []
    for key, row in result.rows.items():
        mechanism = row.mechanism
        if key == CLASSICAL_TIGHT.key and result.has_one_classical:
            continue  # it differs from the row before it in the fourth digit, which the note below the picture says
        cells = ["–"] * 6
        if mechanism.status not in (SILENT, UNDEFINED):
            safe = format_down if mechanism.status == FLOOR else format_up
            cells = [safe(mechanism.scale), safe(mechanism.variance), safe(row.accuracy)]
            guarantee = (mechanism.true_delta, row.true_epsilon, row.mu)
            cells += ["–"] * 3 if mechanism.status == FLOOR else [format_up(value) for value in guarantee]
        if pinned_rows is not None:
            ratio = mechanism.scale / pinned_rows[key].mechanism.scale
            cells.append("–" if math.isnan(ratio) else format_nearest(ratio))
        judgement = verdict(row.calibration, mechanism.status, mechanism.true_delta, setting)
        body.append([short_name(row.calibration), *cells, judgement])
    return number_format.table_html("The bounds in numbers", "verdicts", heads, body)


def bounds(result: GaussianBoundsResult, _: Colours) -> Exhibit:
    """Return the table of the bounds in numbers, each with its verdict."""
    setting = result.setting

    def numbers() -> pd.DataFrame:
        return comparison.table(setting.epsilon, setting.delta, setting.l2_sensitivity, setting.significance)

    return Exhibit("bounds", table_html(result), text.alternative_text(result), numbers, result.csv_header)


def snippets(result: GaussianBoundsResult) -> tuple[Snippet, ...]:
    """Return programs that compute the answer of the page, the analytic σ and its ±."""
    setting, row = result.setting, result.rows["analytic"]
    code = program(
        "from dpcore import accuracy, gaussian",
        "",
        f"epsilon, delta, l2_sensitivity = {number(setting.epsilon)}, {number(setting.delta)},"
        f" {number(setting.l2_sensitivity)}",
        "sigma = gaussian.analytic_sigma(epsilon, delta, l2_sensitivity)",
        "print(sigma)",
        f"print(accuracy.gaussian_accuracy(sigma, {number(setting.significance)}))",
    )
    ours = Snippet(DPCORE, code, "σ, and ± at the confidence.", (row.mechanism.scale, row.accuracy))
    return ours, *gaussian_sigma(setting.epsilon, setting.delta, setting.l2_sensitivity, row.mechanism.scale)


def claims(result: GaussianBoundsResult) -> Iterator[Claim]:
    """Yield the σ of the answer as it is displayed and as it was computed, its ±, and the other bounds as displayed."""
    setting, (analytic, *others) = result.setting, result.rows.values()
    parameters = setting.epsilon, setting.delta, setting.l2_sensitivity
    sigma = exact_text(analytic.mechanism.scale)
    yield guarantee_claims.gaussian(guarantee_claims.displayed_target(*parameters), format_up(analytic.mechanism.scale))
    yield guarantee_claims.gaussian(guarantee_claims.computed_target(*parameters), sigma)
    yield guarantee_claims.half_width_claim(
        verify.gaussian_tail, {"σ": sigma}, format_up(analytic.accuracy), format_input_up(setting.significance)
    )
    for row in others:
        if row.mechanism.status not in (SILENT, UNDEFINED):
            target = replace(guarantee_claims.displayed_target(*parameters), name=f"{short_name(row.calibration)}: ")
            yield from _bound_claims(row, target)


def _bound_claims(row: BoundRow, target: Target) -> Iterator[Claim]:
    """Yield the guarantee of a bound: that less noise violates it below the floor, and the true δ where σ fails."""
    notion = "pDP δ" if row.calibration.guarantee == PROBABILISTIC_DP else "δ"
    sigma = (format_down if row.mechanism.status == FLOOR else format_up)(row.mechanism.scale)
    yield guarantee_claims.gaussian(target, sigma, notion, violated=row.mechanism.status in (FAILS, FLOOR))
    if row.mechanism.status == FAILS:
        yield guarantee_claims.gaussian(target, sigma, delta_bound=format_up(row.mechanism.true_delta))


def answer_text(result: GaussianBoundsResult) -> tuple[str, ...]:
    """Return what the open picture answers: which σ is required, or which δ each σ really has."""
    return text.true_delta_answer(result) if result.view == "profile" else text.answer_text(result)


def parts(result: GaussianBoundsResult, colours: Colours) -> Iterator[Part]:
    """Yield the picture that is chosen, how the table is rounded, and the table."""
    _, picture = PICTURES[result.view]
    yield picture(result, colours)
    yield text.notes_text(result)
    yield bounds(result, colours)


BOUNDS = Section[GaussianBoundsResult](
    key="bounds",
    name="Which bound",
    answer_text=answer_text,
    aim=THEORY,
    controls=lambda _: (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE, Field(VIEW, "Show")),
    parts=parts,
    exhibits=(*(picture for _, picture in PICTURES.values()), bounds),
    explanation=text.explanation_text,
    claims=claims,
    snippets=snippets,
    retired={
        "counts": "Tables of counts have a page of their own now, “A table”; this page opens at “Which bound” instead."
    },
    former={"profile": {VIEW.key: "profile"}},
)

PAGE = Page(
    GAUSSIAN_BOUNDS, PARAMETERS, compute_result, sections=(BOUNDS,), moved_sections={"pdp": MovedSection(PAPERS, "pdp")}
)
