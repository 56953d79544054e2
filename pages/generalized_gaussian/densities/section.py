"""The section on the densities of the shapes."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore.calibrations import GENERALIZED_ADP, GENERALIZED_DISJOINT, GENERALIZED_EXACT_PDP
from dpcore.checks import Array
from dpcore.generalized_gaussian import optimal_shape
from dpcore.generalized_gaussian.optimal_shape import SIZES
from pages.framework.chart.theme import (
    TYPE,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    markers,
    pinned_curve,
    round_axis_end,
    transparent,
)
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Field, Fields, Fold, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, pin_sentence
from pages.framework.rendering.uploaded_files import kept
from pages.generalized_gaussian import code, grids, parameters
from pages.generalized_gaussian.cached_results import (
    NoiseSize,
    ShapeDraws,
    half_widths_of_steps,
    privacy_profiles,
    shape_draws,
    unit_sizes,
)
from pages.generalized_gaussian.grids import DASHES, mixed_shade
from pages.generalized_gaussian.optimal_shape.text import best_shape_text
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import (
    LEAST_VARIANCE,
    TRUNCATED,
    GeneralizedGaussianResult,
    least_densities,
    truncated_profile,
)
from pages.generalized_gaussian.text import (
    GUARANTEE_HELP,
    csv_header,
    explanation_text,
    no_answer_text,
    parameters_text,
    setting_text,
    shape_name,
)
from pages.shared.bounded_noise import P
from pages.shared.formulas import BASIS, SAMPLER, THEORY, share, variance_comparison
from pages.shared.looks import LOOKS
from pages.shared.shared_parameters import DELTA, DRAWN, EPSILON, L2_SENSITIVITY, N_DRAWS, SEED, SIGNIFICANCE

ROUNDING = (
    "Numbers have four digits, rounded up. “The paper’s b” is Corollary 9, its bound for one statistic, at the same ε "
    "and δ: it satisfies probabilistic DP (pDP: the privacy loss exceeds ε with probability at most δ), which implies "
    "(ε, δ)-DP. “Its variance” is compared with that of the noise with the chosen guarantee."
)


def answer_text(result: GeneralizedGaussianResult) -> tuple[str, ...]:
    """Return the noise of the chosen p, its error beside that of the best p, and pinned values."""
    setting, noise, best = result.setting, result.noise, result.best
    if noise is None or best is None:
        return no_answer_text(setting)
    level, half_width = share(setting.significance), format_up(noise.half_width)
    return (
        f"At {parameters_text(setting, without='sensitivity p')}, {_shape_text(setting.p)} has b ="
        f" {format_up(noise.scale)} and standard deviation {format_up(noise.deviation)}.",
        f"{level[0].upper()}{level[1:]} of releases fall within ±{half_width}; {best_shape_text(setting, best)}.",
        *comparison_text(result),
    )


def _shape_text(p: float) -> str:
    """Return the name of a shape in a sentence."""
    name = {1.0: "Laplace noise", 2.0: "Gaussian noise"}.get(p)
    return f"noise of shape p = {format_input_up(p)}" if name is None else f"{name} (p = {format_input_up(p)})"


def paper_text(result: GeneralizedGaussianResult) -> str:
    """Return how the variance by the paper's bound compares with that of the noise."""
    if result.noise is None:
        return ""
    is_paper, compared_scale = result.setting.calibration is GENERALIZED_DISJOINT, result.compared_scale
    if compared_scale is None:
        return "The paper’s bound, Corollary 9, has no answer at this ε."
    change = variance_comparison(float(np.square(np.float64(compared_scale) / result.noise.scale)))
    needed = " than required" if "more" in change else ""
    return f"{'Exact pDP' if is_paper else 'The paper’s bound, Corollary 9,'} would {change}{needed}."


def comparison_text(result: GeneralizedGaussianResult) -> tuple[str, ...]:
    """Return how the noise has changed since the pinned setting, if there is one."""
    noise, pinned_noise = result.noise, result.pinned and result.pinned.noise
    if noise is None or result.pinned is None:
        return ()
    if pinned_noise is None:
        return (f"Pinned: {setting_text(result.pinned.setting)} has no answer.",)
    changes = (
        f"b {format_up(pinned_noise.scale)} → {format_up(noise.scale)}, "
        f"standard deviation {format_up(pinned_noise.deviation)} → {format_up(noise.deviation)}, "
        f"±{format_up(pinned_noise.half_width)} → {format_up(noise.half_width)}"
    )
    return (pin_sentence(changes, setting_text(result.pinned.setting)),)


def subtitle(setting: GeneralizedGaussianSetting) -> str:
    """Return the parameters of the densities, and what they have in common."""
    how = {GENERALIZED_DISJOINT.key: " by Corollary 9", GENERALIZED_EXACT_PDP.key: ", exact"}
    shared = {
        "scale": f"the scale b of p = {format_input_up(setting.p)}",
        "variance": f"the variance of p = {format_input_up(setting.p)}",
        "guarantee": setting.calibration.guarantee + how.get(setting.guarantee, ""),
    }
    return f"{parameters_text(setting, without='p')}; all with {shared[setting.match]}"


def alternative_text(result: GeneralizedGaussianResult) -> str:
    """Return the text alternative of the picture of densities."""
    peaks = (
        f"p = {format_input_up(p)} with b = {format_up(b)}"
        for p, b in zip(result.setting.all_shapes, result.matched_scales.tolist(), strict=True)
    )
    return f"Densities of noise, more flat at the top and with shorter tails the larger p is: {', '.join(peaks)}."


def profile_subtitle(setting: GeneralizedGaussianSetting) -> str:
    """Return the parameters of the profiles, what their noises have in common, and which δ they show."""
    if setting.match == "guarantee":
        return subtitle(setting)
    return f"{subtitle(setting)}; δ of {setting.calibration.guarantee}"


def profile_alternative_text(result: GeneralizedGaussianResult) -> str:
    """Return the text alternative of the picture of profiles."""
    setting = result.setting
    shapes = ", ".join(format_input_up(p) for p in setting.all_shapes)
    at = f"ε = {format_input_up(setting.epsilon)} and δ = {format_input_up(setting.delta)}"
    return f"δ over ε of the noise of each shape p = {shapes}, falling as ε grows; the point marks {at}."


def profile_text(result: GeneralizedGaussianResult) -> str:
    """Return how to read the profiles, where there are any."""
    if not result.noises or result.profiles is None:
        return ""
    setting = result.setting
    point = "the point, which can be dragged"
    if setting.calibration is GENERALIZED_DISJOINT:
        return f"Corollary 9 requires more noise than pDP does unless p = 1: its lines pass below {point}."
    if setting.match != "guarantee":
        shape = format_input_up(setting.p)
        return f"The noise of p = {shape} meets {point}; with the same {setting.match} another p has another δ there."
    sentence = (
        f"All noises meet at {point}, but differ at every other ε: Laplace noise (p = 1) soon has δ = 0 beyond it, "
        "and the δ of a larger p falls more slowly"
    )
    own = "; that of truncated Laplace noise never falls below its own δ"
    return f"{sentence}{own if setting.calibration is GENERALIZED_ADP else ''}."


def rounding_text(result: GeneralizedGaussianResult) -> str:
    """Return what the paper's bound costs and how the table of shapes is rounded, where there is one."""
    return f"{paper_text(result)} {ROUNDING}\n\n{BASIS}\n\n{SAMPLER}" if result.setting.has_answer else ""


def table_alternative_text(result: GeneralizedGaussianResult) -> str:
    """Return the text alternative of the table of shapes."""
    rows = (
        f"{shape_name(p)} has a standard deviation of {format_up(noise.deviation)}"
        for p, noise in result.noises.items()
    )
    return f"At {parameters_text(result.setting, without='p')}: {'; '.join(rows)}."


_FEW_SHAPES = 3  # beside which there is room for noise that is of no shape
_LEAST_DELTA = 1e-299  # of a line; what is below is 0 rounded up


def axis_end(shapes: tuple[float, ...], scales: Array) -> float:
    """Return the end of the axis: all but 2 in 1000 of the widest noise lie within it."""
    return round_axis_end(float(np.max(scales * unit_sizes("accuracy", shapes, 2e-3))))


def _heap(draws: ShapeDraws, half_width: float, shade: str) -> dict[str, Any]:
    """Return the density of the draws of the chosen noise, in bins."""
    name = f"{draws.beyond:,} of {draws.drawn:,} draws beyond ±{format_up(half_width)}"
    look = {"line": {"color": shade, "width": 1.5, "shape": "hvh"}, "fill": "tozeroy"}
    look |= {"fillcolor": transparent(shade, 0.25), "hoverinfo": "skip"}
    return line(draws.densities["x"], draws.densities["pdf"], name, shade, "solid", **look)


def _mark_half_width(figure: Figure, half_width: float, end: float, colours: Colours) -> None:
    """Draw dashed lines at both ends of the half-width of the chosen noise; by the right one ε is dragged."""
    style = {"color": colours["quiet"], "dash": "dash", "width": 1.5}
    for side, name in ((-1, {}), (1, {"name": EPSILON.key})):
        span = {"type": "line", "x0": side * half_width, "x1": side * half_width, "y0": 0, "y1": 1, "yref": "y domain"}
        figure["shapes"].append(span | {"line": style} | name)
    note = {"text": f"±{format_up(half_width)}", "showarrow": False, "font": {"size": TYPE}, "name": EPSILON.key}
    note |= {"x": half_width, "y": 1, "yref": "y domain", "yanchor": "bottom"}
    figure["annotations"].append(note | {"xanchor": "right" if half_width > 0.85 * end else "center"})


def _shape_lines(setting: GeneralizedGaussianSetting, colours: Colours) -> list[dict[str, Any]]:
    """Return the name and the looks of the line of each shape; Laplace and Gaussian noise have their own colours."""
    shapes, lines = setting.all_shapes, []
    for place, p in enumerate(shapes):
        name, dash = f"p = {format_input_up(p)}", "solid"
        if p in (1, 2):
            kind, key = ("Laplace", "laplace") if p == 1 else ("Gaussian", "analytic")
            name, shade = f"{name}, {kind}", colours[key]
        else:
            shade, dash = mixed_shade(place / max(len(shapes) - 1, 1), colours), DASHES[place % len(DASHES)]
        style = {"color": shade, "dash": dash, "width": 4 if p == setting.p else 2}
        lines.append({"name": name, "colour": shade, "dash": dash, "line": style})
    return lines


def table_html(result: GeneralizedGaussianResult) -> str:
    """Return the accessible HTML table of the noise of every p, beside that of a pinned setting."""
    heads = ["Shape", "Scale b, query units", "Standard deviation", "Mean |error|"]
    heads += [f"± for <span>{share(result.setting.significance)}</span> of releases", "The paper’s b", "Its variance"]
    heads += [] if result.pinned is None else ["Standard deviation ÷ pinned"]
    body = []
    for index, (p, noise) in enumerate(result.noises.items()):
        published_scale = None if result.published_scales is None else float(result.published_scales[index])
        cells = [*map(format_up, noise), *_published_bound_cells(noise, published_scale)]
        if result.pinned is not None:
            pinned = result.pinned.noises.get(p)
            cells.append("–" if pinned is None else format_nearest(noise.deviation / pinned.deviation))
        body.append([shape_name(p).removesuffix(" noise"), *cells])
    return number_format.table_html("The noise of each shape in numbers", "numbers", heads, body)


def _published_bound_cells(noise: NoiseSize, published_scale: float | None) -> list[str]:
    """Return the paper's b, and its variance over that of the noise."""
    if published_scale is None:
        return ["–", "–"]
    ratio = float(np.square(published_scale / np.float64(noise.scale)))
    larger = f"{format_nearest(ratio, 3)} times" if ratio >= 10 else f"{100 * max(ratio - 1, 0):.1f} % more"
    return [format_up(published_scale), larger]


def densities(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the density of each shape: the chosen one is thicker, that of a pinned setting grey.

    Draws of the chosen noise are below its line, and its half-width is a handle. There is nothing where the guarantee
    has no answer.
    """
    setting, pinned = result.setting, result.pinned
    if not setting.has_answer:
        return None
    end, scales = axis_end(setting.all_shapes, result.matched_scales), result.matched_scales
    x = end * np.linspace(-1, 1, 401)
    rows = optimal_shape.densities(x, scales, setting.all_shapes)
    has_room = len(setting.all_shapes) <= _FEW_SHAPES
    fine_x, least = (least_densities(setting, end) if has_room else None) or (x, {})
    noise = result.noises[setting.p]
    draws = shape_draws(setting.p, noise.scale, noise.half_width, end, int(setting.seed), int(setting.drawn))
    heap = draws.most / (N_DRAWS * float(draws.edges[1] - draws.edges[0]))
    highest = max(heap, *(float(np.max(pdf)) for pdf in (rows, *least.values())))
    x_axis = {"range": [-end, end], "title": {"text": "noise (query units)"}} | hover_head("noise")
    y_end = round_axis_end(highest) if highest > 0 else 1
    y_axis = {"range": [0, y_end], "title": {"text": "density (per query unit)"}}
    title = f"Density of the noise, and draws of p = {format_input_up(setting.p)}"
    figure = layout(colours, title, subtitle(setting), x_axis, y_axis)
    steps = setting.calibration, setting.delta, setting.p, setting.l2_sensitivity, setting.significance
    places = {"at": setting.epsilon, "x": list(kept(half_widths_of_steps, *steps))}
    figure["meta"] = {"namesBelow": True, "places": {EPSILON.key: places}}
    _mark_half_width(figure, noise.half_width, end, colours)
    looks = _shape_lines(setting, colours)
    traces = [_heap(draws, noise.half_width, looks[setting.all_shapes.index(setting.p)]["colour"])]
    if pinned is not None and pinned.noise is not None:
        row = optimal_shape.densities(x, pinned.noise.scale, pinned.setting.p)[0]
        traces.append(pinned_curve(x, row, colours))
    for look, density in zip(looks, rows, strict=True):
        traces.append(line(x, density, hovertemplate="%{y:.4~g}", **look))
    looks_of_others = {
        LEAST_VARIANCE: (colours["text"], "solid", 1.5),
        TRUNCATED: (colours["truncated_laplace"], LOOKS["truncated_laplace"].dash, 2),
    }
    for name, density in least.items():
        shade, dash, width = looks_of_others[name]
        style = {"line": {"color": shade, "dash": dash, "width": width}, "hovertemplate": "%{y:.4~g}"}
        traces.append(line(fine_x, density, name, shade, dash, **style))
    curves = {"p": setting.all_shapes, "scale": scales}, {"x": x, "pdf": rows}, {"x": fine_x, "pdf": least}

    def numbers() -> pd.DataFrame:
        return pd.concat([_curve_frame(*curves), draws.densities], ignore_index=True)

    picture = {"data": traces, "layout": figure}
    return Exhibit("densities", picture, alternative_text(result), numbers, csv_header(result))


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
    """Return the δ of each shape over ε, with the point of the guarantee, over which a handle is laid.

    There is nothing where the noise has no profile.
    """
    setting, pinned = result.setting, result.pinned
    if not setting.has_answer or result.profiles is None:
        return None
    epsilon, hover = result.profile_epsilons, {"hovertemplate": "δ ≈ %{y:.3~g}"}
    epsilon_ends, delta_ends = grids.profile_ends(setting.epsilon, setting.delta)
    x_axis = log_axis("privacy loss parameter ε (nats)", *epsilon_ends) | hover_head("ε")
    title = "The whole guarantee: δ at every ε"
    figure = layout(colours, title, profile_subtitle(setting), x_axis, log_axis("δ", *delta_ends))
    figure["meta"] = {"point": True}
    hairline(figure, colours, setting.epsilon, f"ε = {format_input_up(setting.epsilon)}", "epsilon")
    traces: list[dict[str, Any]] = []
    if pinned is not None and pinned.noise is not None:
        noise = (pinned.noise.scale,), (pinned.setting.p,), pinned.setting.l2_sensitivity
        rows = privacy_profiles(pinned.setting.calibration, *noise, epsilon)
        traces += [] if rows is None else [pinned_curve(epsilon, _positive(rows[0]), colours)]
    for look, delta in zip(_shape_lines(setting, colours), result.profiles, strict=True):
        traces.append(line(epsilon, _positive(delta), **look, **hover))
    truncated = truncated_profile(setting, epsilon)
    others = {} if truncated is None else {TRUNCATED: truncated}
    shade, dash = colours["truncated_laplace"], LOOKS["truncated_laplace"].dash
    traces += [line(epsilon, _positive(values), name, shade, dash, **hover) for name, values in others.items()]
    if setting.epsilon > 0:
        ring = {"color": colours["text"], "size": 12, "symbol": "circle-open", "line": {"width": 3}}
        point = markers([setting.epsilon], [setting.delta], "ε, δ of the setting", ring, hoverinfo="skip")
        traces.append(point | {"cliponaxis": False})
    curves = {"p": setting.all_shapes}, {"epsilon": epsilon, "delta": result.profiles}
    numbers = partial(_curve_frame, *curves, {"epsilon": epsilon, "delta": others})
    picture, alternative = {"data": traces, "layout": figure}, profile_alternative_text(result)
    return Exhibit("profiles", picture, alternative, numbers, csv_header(result), ("epsilon", "delta"))


def _positive(delta: Array) -> Array:
    """Return the δ of a profile, whose line ends where δ is 0."""
    return np.where(delta > _LEAST_DELTA, delta, np.nan)


def noise_table(result: GeneralizedGaussianResult, _: Colours) -> Exhibit | None:
    """Return the table of the noise of each shape; None where the guarantee has no answer."""
    if not result.noises:
        return None
    sizes = zip(SIZES, zip(*result.noises.values(), strict=True), strict=True)
    columns = {"p": list(result.noises), **dict(sizes)}
    if result.published_scales is not None:
        columns |= {"paper_scale": result.published_scales}
    alternative = table_alternative_text(result)
    return Exhibit("shapes", table_html(result), alternative, partial(pd.DataFrame, columns), csv_header(result))


def parts(result: GeneralizedGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the densities, and the table of the noise of each shape."""
    yield densities(result, colours)
    shapes = Field(parameters.SHAPES, "p of the curves, comma-separated", parameters.SHAPES_HELP)
    yield Fields((shapes, Field(parameters.MATCH, "Compare densities at"), SIGNIFICANCE, SEED, DRAWN))
    yield profiles(result, colours)
    yield profile_text(result)
    yield Fold(lambda: (noise_table(result, colours), rounding_text(result)), "Compare the shapes in numbers")


SECTION = Section[GeneralizedGaussianResult](
    controls=lambda _: (EPSILON, DELTA, P, L2_SENSITIVITY, Field(parameters.GUARANTEE, "Guarantee", GUARANTEE_HELP)),
    parts=parts,
    key="shapes",
    name="Shapes",
    answer_text=answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=(densities, profiles, noise_table),
    claims=code.noise_claims,
    snippets=code.noise_snippets,
)
