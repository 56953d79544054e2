"""The section of the results of an attack, with what they prove beside the curves."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.audit import Band
from dpcore.checks import Array
from pages.framework.chart.theme import TYPE, line, markers
from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, Colours, Exhibit, Figure
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import (
    format_input_down,
    percent,
    percent_down,
    percent_up,
    without_markdown,
)
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON, SEED
from pages.tradeoff import code, text
from pages.tradeoff.answer_text import attack_answer_text, curve_text, explanation_text
from pages.tradeoff.attack.upload import EXAMPLE, MAX_LINKED_COUNTS, MeasuredAttack, attack_of_counts
from pages.tradeoff.curves.section import PICKS, alternative_text
from pages.tradeoff.figures import curve_line, curve_traces, guessing_line, pinned_lines, plane, positive
from pages.tradeoff.results import CONFIDENCE, VIEW, AttackOutcome, TradeoffResult
from pages.tradeoff.text import csv_header, subtitle_text

MEASURED, HULL, BOUNDS = "measured", "convex hull of the measured", "bounds"
UPPER_BOUNDS, CONTRADICTS = "upper bounds on the errors", "✗ contradicts the claim"
EXAMPLE_WORDS = "pale: an invented example until you enter results"


def attack_figure(
    result: TradeoffResult, attack: MeasuredAttack, outcome: AttackOutcome, subtitle: str, colours: Colours
) -> Figure:
    """Draw the measured points of an attack, their hull, and bounds on the true errors beside the claims."""
    view, title = result.setting.view, "Measured error rates of the attack, and what they prove"
    figure = plane(colours, result.setting.alpha, title, subtitle, view)
    traces = [guessing_line(view, colours) | {"showlegend": False}]
    traces += pinned_lines(result, colours)
    for curve in curve_traces(result, colours):
        traces.append(curve_line(curve, view) | {"opacity": 1.0 if curve.chosen else 0.4})
    looks = ((MEASURED, colours["quiet"], "solid"), (HULL, colours["text"], "3px,3px"))
    for (alpha, beta), (name, shade, dash) in zip(attack.points_and_hull, looks, strict=True):
        sample = _thinned(alpha.size)
        style = {"line": {"color": shade, "dash": dash, "width": 1.5}, "hoverinfo": "skip"}
        if name == MEASURED and alpha.size <= MAX_LINKED_COUNTS:  # a single point has no line
            style |= {"mode": "lines+markers", "marker": {"color": shade, "size": 8, "symbol": "circle"}}
        traces.append(line(*_coordinates(alpha[sample], beta[sample], view), name, shade, dash) | style)
    contradictions = outcome.contradictions[result.chosen_row.name]
    if outcome.band.alpha.size == 1:
        figure["annotations"] += _point_notes(result, outcome.band, contradictions, colours)
    return {"data": [*traces, *_bound_traces(outcome.band, contradictions, view, colours)], "layout": figure}


def _point_notes(
    result: TradeoffResult, band: Band, contradictions: NDArray[np.bool_], colours: Colours
) -> list[dict[str, Any]]:
    """Return the error rates of the only measured point of an attack, and those that it proves, in words.

    They stand in the colours of their marks, in the corner beyond guessing, into which no curve comes.
    """
    view = result.setting.view
    places = (band.alpha, band.beta), (band.alpha_high, band.beta_high)
    (alpha, beta), (most_alpha, most_beta) = ((float(x[0]), float(y[0])) for x, y in places)
    bound = f"at most {percent_up(most_beta)}" if view == "errors" else f"at least {percent_down(1 - most_beta)}"
    measured = f"measured: {percent(alpha)}, {percent(beta if view == 'errors' else 1 - beta)}"
    proved = f"proved: at most {percent_up(most_alpha)}, {bound}"
    end, down = (1, "top") if view == "errors" else (0, "bottom")
    corner = {"x": 1, "xref": "x domain", "xanchor": "right", "y": end, "yref": "y domain", "yanchor": down}
    corner |= {"xshift": -8, "showarrow": False}
    shades = colours["quiet"], colours["fails" if contradictions[0] else "text"]
    shifts = (26, 6) if down == "bottom" else (-6, -26)
    return [
        corner | {"text": words, "font": {"size": TYPE, "color": shade}, "yshift": shift}
        for words, shade, shift in zip((measured, proved), shades, shifts, strict=True)
    ]


def _bound_traces(band: Band, contradictions: NDArray[np.bool_], view: str, colours: Colours) -> list[dict[str, Any]]:
    """Return the bounds on the true errors, joined by a line, those that contradict the claim as red crosses."""
    x, y = _coordinates(band.alpha_high, band.beta_high, view)
    order = np.argsort(x)
    joined = line(x[order], y[order], BOUNDS, colours["text"], "solid", hoverinfo="skip", showlegend=False)
    traces = [joined | {"line": {"color": colours["text"], "width": 1}}]
    for part, name, shade, symbol in (
        (~contradictions, UPPER_BOUNDS, colours["text"], "diamond"),
        (contradictions, CONTRADICTS, colours["fails"], "x"),
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
    ends = np.arange(np.minimum(500, size))
    return np.unique(np.concatenate([ends, np.linspace(0, size - 1, 1000).astype(int), size - 1 - ends]))


def attack_example(result: TradeoffResult, colours: Colours) -> Exhibit | None:
    """Return the chart of an attack with the invented example drawn lightly; None where there is an attack."""
    invented = attack_of_counts(EXAMPLE)
    usual = replace(result.setting, confidence=float(CONFIDENCE.default))  # which has no field without an attack
    example = replace(result, attack=invented, setting=usual)
    outcome = example.attack_outcome
    if result.attack is not None or outcome is None:
        return None
    figure = attack_figure(example, invented, outcome, subtitle_text(result, EXAMPLE_WORDS), colours)
    figure["layout"]["title"]["text"] = "The curves, and the results of an invented attack"
    for trace in figure["data"]:
        if trace["name"] in (MEASURED, HULL, BOUNDS, UPPER_BOUNDS, CONTRADICTS):
            trace |= {"opacity": 0.35}
    numbers = partial(_band_frame, outcome.band, outcome.contradictions[example.chosen_row.name])
    alternative = f"{alternative_text(result)} An invented example of an attack is drawn lightly beside the curves."
    header = csv_header(result, source="invented example", confidence=usual.confidence)
    return Exhibit("attack_example", figure, alternative, numbers, header, PICKS, result.confidential)


def attack(result: TradeoffResult, colours: Colours) -> Exhibit | None:
    """Return the chart of what the attack reached and proves, beside the curves; None without an attack."""
    measured, outcome, row, setting = result.attack, result.attack_outcome, result.chosen_row, result.setting
    if measured is None or outcome is None:
        return None
    subtitle = subtitle_text(result, f"{measured.source}, confidence {format_input_down(setting.confidence)}")
    figure = attack_figure(result, measured, outcome, subtitle, colours)
    header = csv_header(
        result,
        **{"held against" if row.is_reached else "claim": row.display_name},
        source=measured.source,
        confidence=setting.confidence,
        seed=setting.seed,
        delta=setting.delta,
        **{"proved epsilon": float(outcome.epsilon.value), "proved mu": float(outcome.mu.value)},
    )
    numbers = partial(_band_frame, outcome.band, outcome.contradictions[row.name])
    alternative = without_markdown(text.outcome_text(result))
    confidential = CONFIDENTIAL_PICTURE if measured.is_own else result.confidential
    return Exhibit("attack", figure, alternative, numbers, header, PICKS, confidential)


def _band_frame(band: Band, contradictions: NDArray[np.bool_]) -> pd.DataFrame:
    """Return the measured errors, the bounds on the true ones, and whether these contradict the chosen claim."""
    columns = {"alpha": band.alpha, "beta": band.beta, "alpha_high": band.alpha_high, "beta_high": band.beta_high}
    return pd.DataFrame(columns | {"contradicts": contradictions})


def controls(result: TradeoffResult) -> Sequence[Field | Quantity]:
    """Return the parameters that change the chart: those of the bounds too, where there is an attack."""
    view = Field(VIEW, "Show as")
    if result.attack is None:
        return *((EPSILON, DELTA) if result.follows_page else ()), ALPHA, view
    seed = (SEED,) if result.attack.measurements.from_scores else ()
    return *((EPSILON,) if result.follows_page else ()), DELTA, ALPHA, CONFIDENCE, *seed, view


def parts(result: TradeoffResult, colours: Colours) -> Iterator[Part]:
    """Yield the chart of the attack and what it proves; without results, an example and what an attack requires."""
    chart = attack(result, colours) or attack_example(result, colours)
    if chart is not None:
        yield chart
    if result.attack is None or result.attack_outcome is None:
        yield text.NO_ATTACK
    else:
        sentences = curve_text(result), text.other_curves_text(result), text.source_text(result.attack)
        yield " ".join(filter(None, sentences))
        yield text.GLOSSARY
        yield text.NOT_PROVED
        yield text.advice_text(result.attack_outcome.contradictions[result.chosen_row.name], result.chosen_row)


SECTION = Section[TradeoffResult](
    key="attack",
    name="An attack’s results",
    controls=controls,
    parts=parts,
    answer_text=attack_answer_text,
    explanation=explanation_text,
    exhibits=(attack, attack_example),
    claims=code.claims,
    snippets=code.snippets,
)
