"""The section on the densities of the shapes."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore.checks import Array
from dpcore.generalized_gaussian import optimal_shape
from dpcore.generalized_gaussian.optimal_shape import SIZES
from pages.framework.chart.theme import compact, ghost, hairline, hover_head, layout, line, log_axis, round_axis_end
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.generalized_gaussian import code, grids, parameters
from pages.generalized_gaussian.cached_results import NoiseSize, privacy_profiles, unit_sizes
from pages.generalized_gaussian.densities import text
from pages.generalized_gaussian.explanation import explanation_text
from pages.generalized_gaussian.figures import DASHES, mixed_shade
from pages.generalized_gaussian.grids import profile_grid
from pages.generalized_gaussian.least_noise import LEAST_VARIANCE, TRUNCATED, least_densities, truncated_profile
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import GUARANTEE_HELP, csv_header, shape_name
from pages.shared.bounded_noise import P
from pages.shared.error_text import share
from pages.shared.formulas import THEORY
from pages.shared.looks import LOOKS
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE

_LEAST_DELTA = 1e-299  # of a line; what is below is 0 rounded up


def axis_end(shapes: tuple[float, ...], scales: Array) -> float:
    """Return the end of the axis: all but 2 in 1000 of the widest noise lie within it."""
    return round_axis_end(float(np.max(scales * unit_sizes("accuracy", shapes, 2e-3))))


def density_figure(
    setting: GeneralizedGaussianSetting,
    x: Array,
    rows: Array,
    subtitle: str,
    colours: Colours,
    pinned: Array | None,
    least_x: Array,
    least: dict[str, Array],
) -> Figure:
    """Draw a line for the density of each p, a row each: the chosen one is thicker, that of a pinned setting grey.

    `least` has, at `least_x`, the densities of the noise of least variance and of truncated Laplace noise, by name.
    """
    end = float(x[-1])
    highest = max(float(np.max(pdf)) for pdf in (rows, *least.values()))
    figure = layout(
        colours,
        "Density of the noise",
        subtitle,
        {"range": [-end, end], "title": {"text": "noise (query units)"}} | hover_head("noise"),
        {"range": [0, round_axis_end(highest) if highest > 0 else 1], "title": {"text": "density (per query unit)"}},
    )
    traces = [] if pinned is None else [line(x, pinned, "pinned", "", "") | ghost(colours)]
    for place, (p, density) in enumerate(zip(setting.all_shapes, rows, strict=True)):
        name, shade, dash = _shape_style(p, place, len(rows), colours)
        width = {"line": {"color": shade, "dash": dash, "width": 4 if p == setting.p else 2}}
        traces.append(line(x, density, name, shade, dash, hovertemplate="%{y:.4g}", **width))
    traces += _least_traces(least_x, least, colours)
    return {"data": traces, "layout": figure}


def profile_figure(
    setting: GeneralizedGaussianSetting,
    epsilon: Array,
    rows: Array,
    subtitle: str,
    colours: Colours,
    pinned: Array | None,
    others: dict[str, Array],
) -> Figure:
    """Draw the δ of each p over ε, a row each, and the point (ε, δ) of the guarantee, over which a handle is laid.

    `others` has, over the same ε, the δ of truncated Laplace noise by its name, where it is drawn.
    """
    epsilon_ends, delta_ends = grids.profile_ends(setting.epsilon, setting.delta)
    x = log_axis("privacy loss parameter ε (nats)", *epsilon_ends) | hover_head("ε")
    figure = layout(colours, "The whole guarantee: δ at every ε", subtitle, x, log_axis("δ", *delta_ends))
    figure["meta"] = {"point": True}
    hairline(figure, colours, setting.epsilon, f"ε = {number_format.format_input_up(setting.epsilon)}", "epsilon")
    hover = {"hovertemplate": "δ ≈ %{y:.3g}"}
    traces: list[dict[str, Any]] = []
    if pinned is not None:
        traces.append(_profile_line(epsilon, pinned[0], "pinned", "", "") | ghost(colours))
    for place, (p, delta) in enumerate(zip(setting.all_shapes, rows, strict=True)):
        name, shade, dash = _shape_style(p, place, len(rows), colours)
        look = {"line": {"color": shade, "dash": dash, "width": 4 if p == setting.p else 2}}
        traces.append(_profile_line(epsilon, delta, name, shade, dash, **look, **hover))
    shade, dash = colours["truncated_laplace"], LOOKS["truncated_laplace"].dash
    traces += [_profile_line(epsilon, values, name, shade, dash, **hover) for name, values in others.items()]
    if setting.epsilon > 0:
        ring = {"color": colours["text"], "size": 12, "symbol": "circle-open", "line": {"width": 3}}
        point = {"type": "scatter", "mode": "markers", "name": "your ε and δ", "marker": ring, "hoverinfo": "skip"}
        traces.append(point | {"x": compact([setting.epsilon]), "y": compact([setting.delta]), "cliponaxis": False})
    return {"data": traces, "layout": figure}


def _profile_line(epsilon: ArrayLike, delta: Array, name: str, shade: str, dash: str, **style: Any) -> dict[str, Any]:
    """Return the line of a profile, which ends where δ is 0."""
    return line(epsilon, np.where(delta > _LEAST_DELTA, delta, np.nan), name, shade, dash, **style)


def _least_traces(x: Array, densities: dict[str, Array], colours: Colours) -> list[dict[str, Any]]:
    """Return the lines of the noise of least variance and of truncated Laplace noise."""
    looks = {
        LEAST_VARIANCE: (colours["text"], "solid", 1.5),
        TRUNCATED: (colours["truncated_laplace"], LOOKS["truncated_laplace"].dash, 2),
    }
    traces = []
    for name, density in densities.items():
        shade, dash, width = looks[name]
        style = {"line": {"color": shade, "dash": dash, "width": width}, "hovertemplate": "%{y:.4g}"}
        traces.append(line(x, density, name, shade, dash, **style))
    return traces


def _shape_style(p: float, place: int, n: int, colours: Colours) -> tuple[str, str, str]:
    """Return the name, colour and dash of a shape; Laplace and Gaussian noise have their own colours."""
    if p == 1:
        return "p = 1, Laplace", colours["laplace"], "solid"
    if p == 2:
        return "p = 2, Gaussian", colours["analytic"], "solid"
    return (
        f"p = {number_format.format_input_up(p)}",
        mixed_shade(place / max(n - 1, 1), colours),
        DASHES[place % len(DASHES)],
    )


def table_html(result: GeneralizedGaussianResult) -> str:
    """Return the accessible HTML table of the noise of every p, beside that of a pinned setting."""
    heads = ["Shape", "Scale b, query units", "Standard deviation", "Mean |error|"]
    heads += [f"± for <span>{share(result.setting.significance)}</span> of releases", "The paper’s b", "Its variance"]
    heads += [] if result.pinned is None else ["Standard deviation ÷ pinned"]
    body = []
    for index, (p, noise) in enumerate(result.noises.items()):
        published_scale = None if result.published_scales is None else float(result.published_scales[index])
        body.append(
            [
                shape_name(p).removesuffix(" noise"),
                *map(format_up, noise),
                *_published_bound_cells(noise, published_scale),
                *_pinned_ratio_cells(result, p, noise),
            ]
        )
    return number_format.table_html("The noise of each shape in numbers", "numbers", heads, body)


def _pinned_ratio_cells(result: GeneralizedGaussianResult, p: float, noise: NoiseSize) -> list[str]:
    """Return the deviation of a shape over that of the pinned setting, where that has the shape."""
    if result.pinned is None:
        return []
    pinned = result.pinned.noises.get(p)
    return ["–" if pinned is None else format_nearest(noise.deviation / pinned.deviation)]


def _published_bound_cells(noise: NoiseSize, published_scale: float | None) -> list[str]:
    """Return the paper's b, and its variance over that of the noise."""
    if published_scale is None:
        return ["–", "–"]
    ratio = float(np.square(published_scale / np.float64(noise.scale)))
    return [
        format_up(published_scale),
        f"{format_nearest(ratio, 3)} times" if ratio >= 10 else f"{100 * max(ratio - 1, 0):.1f} % more",
    ]


def densities(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the density of each shape; None where the guarantee has no answer."""
    setting, pinned = result.setting, result.pinned
    if not setting.has_answer:
        return None
    end, scales = axis_end(setting.all_shapes, result.matched_scales), result.matched_scales
    x, fine_x = end * np.linspace(-1, 1, 401), end * np.linspace(-1, 1, 801)
    rows = optimal_shape.densities(x, scales, setting.all_shapes)
    pinned_row = None
    if pinned is not None and pinned.noise is not None:
        pinned_row = optimal_shape.densities(x, pinned.noise.scale, pinned.setting.p)[0]
    least = least_densities(setting, fine_x) or {}
    figure = density_figure(setting, x, rows, text.subtitle(setting), colours, pinned_row, fine_x, least)
    curves = {"p": setting.all_shapes, "scale": scales}, {"x": x, "pdf": rows}, {"x": fine_x, "pdf": least}
    numbers = partial(_curve_frame, *curves)
    return Exhibit("densities", figure, text.alternative_text(result), numbers, csv_header(result))


def _curve_frame(shapes: dict[str, Any], rows: dict[str, Array], others: dict[str, Any]) -> pd.DataFrame:
    """Return the curves of the shapes and, below them, those of noise of other kinds, which are named in a column.

    `rows` has the x and, a row for each shape, the y of the curves; `others` has an x and, by name, the rows of y.
    """
    (x_name, x), (y_name, y) = rows.items()
    columns = {name: np.repeat(values, x.size) for name, values in shapes.items()}
    frame = pd.DataFrame(columns | {x_name: np.tile(x, len(y)), y_name: y.ravel()})
    more = [pd.DataFrame({"noise": name, x_name: others[x_name], y_name: row}) for name, row in others[y_name].items()]
    return pd.concat([frame, *more], ignore_index=True) if more else frame


def profiles(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the δ of each shape over ε, with the point of the guarantee; None where the noise has no profile."""
    setting, pinned = result.setting, result.pinned
    if not setting.has_answer or result.profiles is None:
        return None
    epsilon, pinned_rows = profile_grid(setting.epsilon), None
    if pinned is not None and pinned.noise is not None:
        pinned_setting = pinned.setting
        pinned_rows = privacy_profiles(
            pinned_setting.calibration,
            (pinned.noise.scale,),
            (pinned_setting.p,),
            pinned_setting.l2_sensitivity,
            setting.epsilon,
        )
    truncated = truncated_profile(setting, epsilon)
    others = {} if truncated is None else {TRUNCATED: truncated}
    subtitle = text.profile_subtitle(setting)
    figure = profile_figure(setting, epsilon, result.profiles, subtitle, colours, pinned_rows, others)
    curves = {"p": setting.all_shapes}, {"epsilon": epsilon, "delta": result.profiles}
    numbers = partial(_curve_frame, *curves, {"epsilon": epsilon, "delta": others})
    alternative = text.profile_alternative_text(result)
    return Exhibit("profiles", figure, alternative, numbers, csv_header(result), ("epsilon", "delta"))


def noise_table(result: GeneralizedGaussianResult, _: Colours) -> Exhibit | None:
    """Return the table of the noise of each shape; None where the guarantee has no answer."""
    if not result.noises:
        return None
    sizes = zip(SIZES, zip(*result.noises.values(), strict=True), strict=True)
    columns = {"p": list(result.noises), **dict(sizes)}
    if result.published_scales is not None:
        columns |= {"paper_scale": result.published_scales}
    alternative = text.table_alternative_text(result)
    return Exhibit("shapes", table_html(result), alternative, partial(pd.DataFrame, columns), csv_header(result))


def parts(result: GeneralizedGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the densities, and the table of the noise of each shape."""
    yield densities(result, colours)
    shapes = Field(parameters.SHAPES, "p of the curves, comma-separated", parameters.SHAPES_HELP)
    yield Fields((shapes, Field(parameters.MATCH, "Compare densities at"), SIGNIFICANCE))
    yield profiles(result, colours)
    yield text.profile_text(result)
    yield noise_table(result, colours)
    yield text.rounding_text(result)


SECTION = Section[GeneralizedGaussianResult](
    controls=lambda _: (EPSILON, DELTA, P, L2_SENSITIVITY, Field(parameters.GUARANTEE, "Guarantee", GUARANTEE_HELP)),
    parts=parts,
    key="shapes",
    name="Shapes",
    answer_text=text.answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=(densities, profiles, noise_table),
    claims=code.noise_claims,
    snippets=code.noise_snippets,
)
