"""The section on noise within the bounds of a statistic: its errors and densities."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian.bounded_comparison import CLIPPED, MECHANISMS
from pages.framework.chart.theme import TYPE, compact, hairline, hover_head, layout, round_axis_end
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import (
    capitalized,
    exact_text,
    format_input_up,
    format_nearest,
    format_up,
    without_markdown,
)
from pages.framework.parameters.parameter import Parameter
from pages.generalized_gaussian import code, parameters
from pages.generalized_gaussian.bounded import text
from pages.generalized_gaussian.bounded.text import pure_epsilon_text
from pages.generalized_gaussian.cached_results import BoundedResult
from pages.generalized_gaussian.parameters import VALUE
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import explanation_text
from pages.shared.bounded_noise import (
    BOUNDED_LOOKS,
    BOUNDED_NAMES,
    HIGH,
    LOW,
    P,
    pinned_lines,
    precise_line,
    sensitivity_text,
)
from pages.shared.formulas import THEORY
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY

_IN_ERRORS = ("truncated", "published", "bit", "clipped")
MEASURES = {"rmse": ("root mean squared error", "RMS error"), "bias": ("bias", "bias")}
"""The names of each error in a title and on an axis."""


def _ordered_mechanisms(frame: pd.DataFrame, masses: dict[str, tuple[float, float]]) -> list[str]:
    """Return the mechanisms of a frame, those that clip last."""
    return sorted((key for key in BOUNDED_NAMES if key in frame), key=lambda key: key in masses)


def _bound_stems(at: Array, masses: list[float], name: str, shade: str, key: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": f"{name}: a bound",
        "x": np.repeat(at, 3),
        "y": compact([0, masses[0], np.nan, 0, masses[1], np.nan]),
        "yaxis": "y2",
        "line": {"color": shade, "width": 2, "dash": BOUNDED_LOOKS[key][1]},
        "marker": {"color": shade, "symbol": "circle" if key == "bit" else "diamond", "size": [0, 10, 0, 0, 10, 0]},
        "customdata": [number_format.percent(masses[place // 3], 3) for place in range(6)],
        "hovertemplate": "%{customdata}",
        "showlegend": False,
    }


def table_html(result: BoundedResult, pinned: BoundedResult | None = None) -> str:
    """Return the accessible HTML table of every mechanism, with each b over that of a pinned setting."""
    setting = result.setting
    at = f"<span>at s = {format_input_up(setting.true_value)}</span>"
    heads = [
        "Mechanism",
        "b, query units",
        "Guarantee",
        "Pure ε satisfied",
        f"Bias {at}",
        f"RMS error {at}",
        "Largest error",
    ]
    heads += [] if pinned is None else ["b ÷ pinned b"]
    rows = []
    for mechanism in MECHANISMS:
        if mechanism.key in result.scale:
            guarantee = f"(ε, δ)-DP, δ = {format_input_up(setting.delta)}" if mechanism is CLIPPED else "pure ε-DP"
            errors = result.bias(mechanism.key), result.error(mechanism.key), float(result.errors(mechanism.key).max())
            scale, pure_epsilon = result.scale[mechanism.key], pure_epsilon_text(result, mechanism.key)
            cells = [format_up(scale), guarantee, pure_epsilon, *map(format_nearest, errors)]
            if pinned is not None:
                pinned_scale = pinned.scale.get(mechanism.key)
                cells.append("–" if pinned_scale is None else format_nearest(scale / pinned_scale))
            rows.append([mechanism.name, *cells])
    return number_format.table_html("Mechanisms within bounds in numbers", "readings", heads, rows)


def bounded_errors(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the bias or the root mean squared error over the true value, of all but the exponential mechanism."""
    bounded, setting, pinned = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if bounded is None:
        return None
    errors, measure = bounded.certified.errors_over_values, setting.bounded_error
    places, columns = errors["value"].to_numpy(), {key: f"{key}_{measure}" for key in _IN_ERRORS}
    name, short_name = MEASURES[measure]
    largest = max(float(np.max(abs(errors[column]))) for column in columns.values())
    end = round_axis_end(largest) if largest > 0 else 1.0
    x_axis = {"range": [places[0], places[-1]], "title": {"text": "true value s of the statistic (query units)"}}
    y_axis: dict[str, Any] = {"range": [0, end], "title": {"text": f"{short_name} (query units)"}}
    if measure == "bias":
        y_axis |= {"range": [-end, end], "zeroline": True, "zerolinecolor": colours["quiet"]}
    title = f"{capitalized(name)} over the true value"
    figure = layout(colours, title, text.subtitle(setting), x_axis | hover_head("s"), y_axis)
    pinned_errors = pinned and pinned.certified.errors_over_values
    traces = pinned_lines(pinned_errors, "value", columns.values(), colours)
    for key, column in columns.items():
        look = BOUNDED_NAMES[key], colours[BOUNDED_LOOKS[key][0]], BOUNDED_LOOKS[key][1]
        traces.append(precise_line(places, errors[column].to_numpy(), *look, hovertemplate="%{y:.4~g}"))
    hairline(figure, colours, setting.true_value, f"s = {format_input_up(setting.true_value)}", "true_value")
    picture, alternative = {"data": traces, "layout": figure}, without_markdown(text.errors_text(bounded))
    return Exhibit("bounded_errors", picture, alternative, errors, text.csv_header(result), ("true_value", ""))


def bounded_densities(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the density of the release at the true value, and stems for the probabilities of the bounds."""
    bounded, setting, pinned = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if bounded is None:
        return None
    frame, masses, value = bounded.densities, bounded.masses, format_input_up(setting.true_value)
    places, keys = frame["x"].to_numpy(), _ordered_mechanisms(frame, masses)
    low, high = places[0], places[-1]
    pad = 0.03 * (high - low)
    x_axis = {"range": [low - pad, high + pad], "title": {"text": "release (query units)"}} | hover_head("release")
    highest = max(float(np.max(frame[key])) for key in keys)
    y_axis = {"range": [0, round_axis_end(highest)], "title": {"text": "density (per query unit)"}}
    title = f"What is released when the truth is {value}"
    figure = layout(colours, title, text.subtitle(setting), x_axis, y_axis)
    figure["yaxis2"] = {"overlaying": "y", "side": "right", "range": [0, 1], "tickvals": [0, 0.25, 0.5, 0.75, 1]}
    figure["yaxis2"] |= {"ticktext": ["0", "25 %", "50 %", "75 %", "100 %"], "tickfont": {"size": TYPE}}
    figure["yaxis2"] |= {"showgrid": False, "zeroline": False, "automargin": True}
    axis_title = {"text": "probability of a bound (stems)", "font": {"size": TYPE}, "standoff": 8}
    figure["yaxis2"]["title"] = axis_title
    old = pinned and pinned.densities
    traces = pinned_lines(old, "x", [] if old is None else _ordered_mechanisms(old, masses), colours)
    for key in keys:
        name, shade, dash = BOUNDED_NAMES[key], colours[BOUNDED_LOOKS[key][0]], BOUNDED_LOOKS[key][1]
        if key in masses:
            at = np.array([low, high]) + (0.5 * pad if key == "clipped" else 0) * np.array([-1, 1])
            traces.append(_bound_stems(at, [float(mass) for mass in masses[key]], name, shade, key))
        traces.append(precise_line(places, frame[key].to_numpy(), name, shade, dash, hovertemplate="%{y:.4~g}"))
    hairline(figure, colours, setting.true_value, f"s = {value}", "true_value")
    ends = {f"mass of {key} at c₀ and c₁": f"{a!r}, {b!r}" for key, (a, b) in masses.items()}
    picture, header = {"data": traces, "layout": figure}, text.csv_header(result) | ends
    return Exhibit("bounded_densities", picture, text.densities_text(bounded), frame, header, ("true_value", ""))


def mechanism_table(result: GeneralizedGaussianResult, _: Colours) -> Exhibit | None:
    """Return the table of every mechanism within the bounds."""
    bounded = result.bounded
    if bounded is None:
        return None
    keys = [mechanism.key for mechanism in MECHANISMS if mechanism.key in bounded.scale]
    columns = {
        "scale": [bounded.scale[key] for key in keys],
        "kept_epsilon": [bounded.certified.pure_epsilon[key] for key in keys],
        "bias": [bounded.bias(key) for key in keys],
        "rmse": [bounded.error(key) for key in keys],
        "largest_rmse": [float(np.max(bounded.errors(key))) for key in keys],
    }
    numbers = pd.DataFrame({"mechanism": keys} | columns)
    html = table_html(bounded, result.pinned and result.pinned.bounded)
    return Exhibit("bounded", html, without_markdown(text.scales_text(bounded)), numbers, text.csv_header(result))


_N_STEPS = 40  # of the true value, between the bounds


def true_value_parameter(result: GeneralizedGaussianResult) -> Quantity:
    """Return the parameter of the true value with steps from bound to bound."""
    setting = result.setting
    steps = np.linspace(setting.bound_low, setting.bound_high, _N_STEPS + 1)
    return replace(VALUE, scale=tuple(dict.fromkeys(exact_text(float(f"{step:.6g}")) for step in steps)))


def controls(result: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the errors and densities within the bounds."""
    return EPSILON, P, L2_SENSITIVITY, true_value_parameter(result), Field(parameters.BOUNDED_VIEW, "Within bounds")


def parts(result: GeneralizedGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors or the densities within the bounds, and the table of the mechanisms."""
    shows_errors = result.setting.bounded_view == "errors"
    yield bounded_errors(result, colours) if shows_errors else bounded_densities(result, colours)
    error = (Field(parameters.ERROR, "Error"),) if shows_errors else ()
    yield Fields((LOW, HIGH, DELTA, *error))
    yield sensitivity_text(result.setting)
    if result.bounded is not None:
        yield mechanism_table(result, colours)
        sentences = (text.errors_text(result.bounded), text.scales_text(result.bounded), text.CLIPPING)
        yield f"{' '.join(sentences)}\n\n{text.ROUNDING}"


SECTION = Section(
    controls=controls,
    parts=parts,
    key="bounded",
    name="Within bounds",
    answer_text=text.answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=(bounded_errors, bounded_densities, mechanism_table),
    claims=code.bounded_claims,
    snippets=code.bounded_snippets,
)
