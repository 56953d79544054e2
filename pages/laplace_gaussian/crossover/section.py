"""The section on where each noise is the smaller: over the number of counts, and over ε and δ."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpcore import laplace_gaussian
from dpcore.calibrations import FAILS, PDP, Calibration
from dpcore.checks import DELTA_RANGE, Array, interval_bounds
from pages.framework.chart.theme import compact, decades, hairline, layout, line, log_axis, pinned_line, transparent
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.number_format import (
    capitalized,
    format_input_up,
    format_nearest,
    format_up,
    without_markdown,
)
from pages.framework.parameters.parameter import Parameter
from pages.framework.rendering.uploaded_files import kept
from pages.laplace_gaussian import code
from pages.laplace_gaussian.figures import noise_looks, pinned_lines
from pages.laplace_gaussian.recommendation_text import recommendation_by_measure_text
from pages.laplace_gaussian.results import QUERY_FIELDS, LaplaceGaussianResult, LaplaceGaussianSetting
from pages.laplace_gaussian.text import answer_text as page_answer_text
from pages.laplace_gaussian.text import csv_header, explanation_text, measure_names, pinned_text, smaller_error_sentence
from pages.shared.formulas import THEORY
from pages.shared.laplace_query import gaussian_name, sensitivity_pair, sensitivity_parameters
from pages.shared.shared_parameters import DELTA, EPSILON, MEASURE, SIGNIFICANCE
from pages.shared.status_lines import first_failures

_LEAST_DELTA, _ = interval_bounds(DELTA_RANGE)
UNAVAILABLE = {
    "epsilon": "Laplace noise has no answer at this ε; the map in “Where each is smaller” shows where it has.",
    "histogram": "In one histogram a person is in one bin: adding or removing them moves one count by 1, so "
    "Δ₁ = Δ₂ = 1 however many bins there are, and the comparison does not depend on their number.",
    "own": "With your own Δ₁ and Δ₂ there is no number of statistics to vary: the map shows which noise "
    "is smaller for this pair.",
}


def answer_text(result: LaplaceGaussianResult) -> tuple[str, ...]:
    """Return where the Gaussian is the smaller noise by the measure, and which one is smaller for the query.

    Where there is nothing to compare, it is the answer of the page.
    """
    setting = result.setting
    if not result.has_answer or _violation_text(setting):
        return page_answer_text(result)
    pinned = () if result.pinned is None else (pinned_text(result, result.pinned),)
    where = _counts_sentence(result) if result.has_counts else _frontier_sentence(result).replace("**", "")
    return where, smaller_error_sentence(result), *pinned


def _counts_sentence(result: LaplaceGaussianResult) -> str:
    setting, least = result.setting, result.crossing
    measure, name = measure_names(setting)[setting.measure], gaussian_name(setting.calibration)
    place = "For any number of counts" if least == 1 else f"From k = {least:,} counts on"
    return f"{place}, the {name} has the smaller {measure} ({setting.guarantee_text})."


def crossover_text(result: LaplaceGaussianResult) -> str:
    """Return where each noise is the smaller: over the number of counts, and over ε and δ."""
    if not result.has_answer:
        return UNAVAILABLE["epsilon"]
    if result.has_counts:
        return f"{counts_text(result)} {frontier_text(result)}"
    setting = result.setting
    return f"{UNAVAILABLE[setting.case]} {frontier_text(result)}{_violation_text(setting)}"


def counts_text(result: LaplaceGaussianResult) -> str:
    """Return from how many counts on the Gaussian is the smaller by the measure."""
    setting, least = result.setting, result.crossing
    measure, name = measure_names(setting)[setting.measure], gaussian_name(setting.calibration)
    if least == 1:
        sentence = f"At {setting.guarantee_text} the {name} has the smaller {measure} for any number of counts."
    else:
        sentence = (
            f"At {setting.guarantee_text} the {name} has the smaller {measure} **from k = {least:,} counts on**,"
            " and Laplace noise for fewer counts. Laplace noise grows like k, Gaussian noise like √k."
        )
    return f"{sentence}{_violation_text(setting)}"


def _violation_text(setting: LaplaceGaussianSetting) -> str:
    """Return a warning where the compared σ violates its guarantee."""
    verdict = setting.calibration.verdict(setting.epsilon, setting.delta)
    return (
        f" **✗ But the {gaussian_name(setting.calibration)}’s σ violates its guarantee here.**"
        if verdict.status == FAILS
        else ""
    )


def frontier_text(result: LaplaceGaussianResult) -> str:
    """Return above which δ the Gaussian is the smaller at the current ε, and what is proved of it."""
    setting = result.setting
    is_proposition = setting.calibration is PDP and setting.measure == "variance" and setting.l1 == setting.l2
    proposition = " For one statistic this is never below δ = 0.157 (Liu 2019, Proposition 12)."
    has_frontier = _LEAST_DELTA <= result.frontier < 1
    return f"{_frontier_sentence(result)}{proposition if is_proposition and has_frontier else ''}"


def failing_text(result: LaplaceGaussianResult, failures: tuple[Array, Array]) -> str:
    """Return, after a space, where the map is hatched: the ε from which on the σ fails, and their δ; else nothing."""
    if not failures[0].size:
        return ""
    ends = " and ".join(
        f"from ε = {format_up(failures[0][place])} on at δ = {format_nearest(failures[1][place])}" for place in (0, -1)
    )
    return f" Hatched: the {gaussian_name(result.setting.calibration)}’s σ violates its guarantee, {ends}."


def _frontier_sentence(result: LaplaceGaussianResult) -> str:
    setting, delta = result.setting, result.frontier
    measure = measure_names(setting)[setting.measure]
    place = f"At ε = {format_input_up(setting.epsilon)} and Δ₁ ÷ Δ₂ = {format_nearest(setting.l1 / setting.l2, 3)}"
    if delta >= 1:
        return f"{place} Laplace noise has the smaller {measure} at every δ."
    if delta < _LEAST_DELTA:
        return f"{place} the Gaussian has the smaller {measure} at every δ from {format_nearest(_LEAST_DELTA)} on."
    return f"{place} the Gaussian has the smaller {measure} only above **δ = {format_nearest(delta)}**."


_MAP_EPSILON, _MAP_DELTA = (-3, 2), (-12, 0)  # the decades of the map, or more for a setting beyond them
_MOST_DELTA = 1 - 2.0**-20
_MEASURE_DASHES = {"variance": "solid", "mean_error": "dash", "accuracy": "dot"}


def size_over_counts(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return a measure of both noises over the number of counts, with the crossover and the current k."""
    if not result.has_counts:
        return None
    setting, crossing, key = result.setting, result.crossing, result.setting.measure
    name, columns = measure_names(setting)[key], [f"laplace_{key}", f"gaussian_{key}"]
    most = min(max(1000.0, 2.0 * crossing, setting.k), 1e6)
    grid = np.unique(np.rint(np.geomspace(1, most, 120)))
    frame = _sizes_frame(result, grid)
    values = frame[columns].to_numpy()
    along = log_axis("counts of one person, k", *decades(0, 3, setting.k, crossing))
    low, high = math.floor(math.log10(values.min())), math.ceil(math.log10(values.max()))
    sizes = log_axis(f"{name} ({'squared ' if key == 'variance' else ''}query units)", low, high)
    along["unifiedhovertitle"] = {"text": "k = %{x:,.0f}"}
    title, subtitle = f"{capitalized(name)} against the number of counts", f"{setting.guarantee_text}, Δ₁ = k, Δ₂ = √k"
    figure, traces, pinned = layout(colours, title, subtitle, along, sizes), [], result.answered_pinned
    pinned = pinned if pinned is not None and pinned.has_counts else None
    if pinned is not None:
        traces += pinned_lines(_sizes_frame(pinned, grid), "k", columns, colours)
    for noise, label, shade, dash in noise_looks(result, colours):
        traces.append(line(frame["k"], frame[f"{noise}_{key}"], label, shade, dash, hovertemplate="≈ %{y:.4~g}"))
    _mark_crossing(figure, crossing, colours)
    if pinned is not None and pinned.setting.k != setting.k:
        pinned_line(figure, colours, pinned.setting.k)
    hairline(figure, colours, setting.k, f"k = {setting.k:,.0f}", "k")
    drawn, alternative = {"data": traces, "layout": figure}, without_markdown(counts_text(result))
    return Exhibit("statistics", drawn, alternative, frame, csv_header(result), ("k", ""))


def _mark_crossing(figure: dict[str, Any], crossing: int, colours: Colours) -> None:
    """Draw a dotted line at the number of counts from which on the Gaussian is smaller, with a label at its foot."""
    position = {"type": "line", "x0": crossing, "x1": crossing, "y0": 0, "y1": 1, "yref": "y domain"}
    figure["shapes"].append(position | {"line": {"color": colours["text"], "width": 1, "dash": "dot"}})
    note = {"text": f"Gaussian smaller from k = {crossing:,}", "showarrow": False, "x": math.log10(crossing)}
    side = "right" if crossing > 30 else "left"
    figure["annotations"].append(note | {"y": 0.02, "yref": "y domain", "xanchor": side, "yanchor": "bottom"})


def noise_map(result: LaplaceGaussianResult, colours: Colours) -> Exhibit:
    """Return the map of the smaller noise over ε and δ.

    The regions by the chosen measure are coloured, all frontiers are lines, and where σ violates its guarantee it is
    hatched.
    """
    setting, gaussian, names = result.setting, result.setting.calibration, measure_names(result.setting)
    ends, measure = decades(*_MAP_EPSILON, max(setting.epsilon, 1e-12)), setting.measure
    frontiers = laplace_gaussian.frontiers(gaussian, np.logspace(*ends, 721), setting.norms, setting.significance)
    failures = kept(_failures, setting.gaussian, ends, setting.delta)
    low, high = decades(*_MAP_DELTA, setting.delta)
    along = log_axis("privacy loss parameter ε (nats)", *decades(*_MAP_EPSILON, setting.epsilon))
    title, subtitle = f"Where each noise is smaller: {names[measure]}", f"{sensitivity_pair(setting)}; {gaussian.name}"
    figure = layout(colours, title, subtitle, along, log_axis("δ", low, high))
    figure["hovermode"] = "closest"
    epsilon, shade = frontiers["epsilon"].to_numpy(), colours[gaussian.key]
    fill = {"fill": "tonexty", "fillcolor": transparent(shade)}
    frontier_of_measure = np.clip(frontiers[measure].to_numpy(), 10.0**low, 1)
    edge = _HIDDEN_LINE | {"x": compact(epsilon)}
    traces = [
        edge | {"y": compact(np.full(epsilon.size, 10.0**low))},
        edge | fill | {"y": compact(frontier_of_measure), "fillcolor": transparent(colours["laplace"])},
        edge | fill | {"y": compact(np.ones(epsilon.size))},
    ]
    traces += _failing_area(failures, 10.0 ** along["range"][1], gaussian, colours)
    for key, label in names.items():
        frontier = np.where(frontiers[key] < 10.0**low, np.nan, frontiers[key])
        look = (colours["text"], 3) if key == measure else (colours["quiet"], 1.5)
        style = {"line": {"color": look[0], "dash": _MEASURE_DASHES[key], "width": look[1]}}
        traces.append(line(epsilon, frontier, label, look[0], "solid", hovertemplate="δ ≈ %{y:.4~g}", **style))
    if result.pinned is not None:
        traces += _setting_star(result.pinned.setting, "pinned", colours["quiet"], "star-open")
    traces += _setting_star(setting, "ε, δ of the setting", colours["text"], "star")
    share = (math.log10(frontier_of_measure[0]) - low) / (high - low)  # of the height, below the frontier at the left
    figure["annotations"] += _region_notes(share, colours["laplace"], shade, is_hatched=failures[0].size > 0)
    hairline(figure, colours, setting.epsilon, f"ε = {format_input_up(setting.epsilon)}", "epsilon")
    drawn = {"data": traces, "layout": figure}
    alternative = without_markdown(frontier_text(result) + failing_text(result, failures))
    return Exhibit("map", drawn, alternative, frontiers, csv_header(result), ("epsilon", "delta"))


_HIDDEN_LINE = {"mode": "lines", "type": "scatter", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}


def _failing_area(
    failures: tuple[Array, Array], end: float, gaussian: Calibration, colours: Colours
) -> list[dict[str, Any]]:
    """Return red hatching from the first ε of a failure to the end of the axis, nothing where there is no failure."""
    if not failures[0].size:
        return []
    epsilon, delta = (compact(values) for values in failures)
    pattern = {"shape": "/", "fgcolor": colours["fails"], "bgcolor": "rgba(0,0,0,0)", "size": 9, "solidity": 0.2}
    hover = "from ε ≈ %{x:.4~g} on"
    edge = line(epsilon, delta, f"{gaussian.name}: FAILS", colours["fails"], "dot", hovertemplate=hover)
    return [
        _HIDDEN_LINE | {"x": compact(np.full(epsilon.size, end)), "y": delta},
        edge | {"fill": "tonextx", "fillpattern": pattern, "fillcolor": "rgba(0,0,0,0)"},
    ]


def _setting_star(setting: LaplaceGaussianSetting, name: str, shade: str, symbol: str) -> list[dict[str, Any]]:
    """Return the mark of a setting on the map; none at ε = 0, for which a log axis has no place."""
    hover = "ε = %{x:.4~g}, δ = %{y:.4~g}<extra></extra>"
    point = line([setting.epsilon], [setting.delta], name, shade, "solid", hovertemplate=hover)
    point |= {"mode": "markers", "marker": {"symbol": symbol, "size": 14, "color": shade}}
    return [point] if setting.epsilon > 0 else []


def _region_notes(share: float, laplace_shade: str, gaussian_shade: str, is_hatched: bool) -> list[dict[str, Any]]:
    """Return the names of the regions where there is room; `share` is the share of the height below the frontier.

    Where the right side `is_hatched`, both names stand on the left.
    """
    note = {"showarrow": False, "xref": "x domain", "yref": "y domain"}
    below = {"x": 0.97, "y": 0.12, "xanchor": "right", "yanchor": "bottom"}
    below |= {"x": 0.03, "xanchor": "left"} if is_hatched else {}
    above = {"x": 0.03, "y": 0.97, "xanchor": "left", "yanchor": "top"}
    notes = []
    if share > 0.12:
        font = {"size": 14, "color": laplace_shade}
        notes.append(note | below | {"text": "<b>Laplace smaller</b>", "font": font})
    label, position = "Gaussian smaller", above
    if share >= 0.88:
        label, position = "↑ Gaussian smaller", above | {"y": share - 0.03}
    notes.append(note | position | {"text": f"<b>{label}</b>", "font": {"size": 14, "color": gaussian_shade}})
    return notes


def _sizes_frame(result: LaplaceGaussianResult, grid: Array) -> pd.DataFrame:
    setting = result.setting
    numbers = setting.epsilon, setting.delta, grid, setting.significance
    return laplace_gaussian.along_statistics(result.setting.calibration, *numbers)


def _failures(gaussian: str, ends: tuple[int, int], delta: float) -> tuple[Array, Array]:
    """Return the ε from which on the σ fails to satisfy (ε, δ)-DP, and these δ; both are empty where it never fails."""
    calibration = next(rule for rule in laplace_gaussian.CALIBRATIONS if rule.key == gaussian)
    deltas = np.minimum(np.logspace(*decades(*_MAP_DELTA, delta), 49), _MOST_DELTA)
    deltas = compact(deltas).astype(np.float64)  # in the precision in which they are drawn
    first = first_failures(calibration, deltas, (10.0 ** ends[0], 10.0 ** ends[1]))
    return first[np.isfinite(first)], deltas[np.isfinite(first)]


def controls(result: LaplaceGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the map."""
    return EPSILON, DELTA, *sensitivity_parameters(result.setting.case), SIGNIFICANCE, Field(MEASURE, "Compare by")


def parts(result: LaplaceGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the map, the size of both noises over the number of counts, and the recommendation by the measure."""
    yield noise_map(result, colours)
    yield Fields(QUERY_FIELDS)
    yield crossover_text(result)
    yield size_over_counts(result, colours)
    if result.has_answer:
        yield recommendation_by_measure_text(result)


SECTION = Section(
    controls=controls,
    parts=parts,
    key="wins",
    name="Where each is smaller",
    answer_text=answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=(noise_map, size_over_counts),
    claims=code.claims,
    snippets=code.snippets,
)
