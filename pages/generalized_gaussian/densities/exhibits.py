"""The chart and the table of the section on densities."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian import optimal_shape
from dpcore.generalized_gaussian.optimal_shape import SIZES
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.generalized_gaussian.cached_results import NoiseSize, privacy_profiles
from pages.generalized_gaussian.densities import figures, text
from pages.generalized_gaussian.grids import profile_grid
from pages.generalized_gaussian.least_noise import TRUNCATED, least_densities, truncated_profile
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import csv_header, shape_name
from pages.shared.error_text import share


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
    end, scales = figures.axis_end(setting.all_shapes, result.matched_scales), result.matched_scales
    x, fine_x = end * np.linspace(-1, 1, 401), end * np.linspace(-1, 1, 801)
    rows = optimal_shape.densities(x, scales, setting.all_shapes)
    pinned_row = None
    if pinned is not None and pinned.noise is not None:
        pinned_row = optimal_shape.densities(x, pinned.noise.scale, pinned.setting.p)[0]
    least = least_densities(setting, fine_x) or {}
    figure = figures.density_figure(setting, x, rows, text.subtitle(setting), colours, pinned_row, fine_x, least)
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
    figure = figures.profile_figure(setting, epsilon, result.profiles, subtitle, colours, pinned_rows, others)
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
