"""The chart and the table of the section on densities."""

from functools import partial

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian import optimal_shape
from pages.framework.export.exhibit import Colours, Exhibit
from pages.generalized_gaussian.cached_results import privacy_profiles
from pages.generalized_gaussian.densities import figures, tables, text
from pages.generalized_gaussian.grids import profile_grid
from pages.generalized_gaussian.least_noise import TRUNCATED, least_densities, truncated_profile
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import csv_header


def densities(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the density of each shape; None where the guarantee has no answer."""
    setting, pinned = result.setting, result.pinned
    if not setting.has_answer:
        return None
    end = figures.axis_end(setting.all_shapes, result.matched_scales)
    frame = optimal_shape.densities(result.matched_scales, setting.all_shapes, end)
    pinned_frame = None
    if pinned is not None and pinned.noise is not None:
        pinned_frame = optimal_shape.densities([pinned.noise.scale], [pinned.setting.p], end)
    x = end * np.linspace(-1, 1, 801)
    least = least_densities(setting, x) or {}
    figure = figures.density_figure(frame, setting.p, text.subtitle(setting), colours, pinned_frame, x, least)
    numbers = partial(_with_other_noise, frame, "x", x, "pdf", least)
    return Exhibit("densities", figure, text.alternative_text(result), numbers, csv_header(result))


def _with_other_noise(frame: pd.DataFrame, x_name: str, x: Array, y_name: str, noise: dict[str, Array]) -> pd.DataFrame:
    """Return the curves of the shapes and, below them, those of noise of other kinds, which are named in a column."""
    others = [pd.DataFrame({"noise": name, x_name: x, y_name: values}) for name, values in noise.items()]
    return pd.concat([frame, *others], ignore_index=True) if others else frame


def profiles(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the δ of each shape over ε, with the point of the guarantee; None where the noise has no profile."""
    setting, pinned = result.setting, result.pinned
    if not setting.has_answer or result.profiles is None:
        return None
    frame, pinned_frame = result.profiles, None
    if pinned is not None and pinned.noise is not None:
        pinned_setting = pinned.setting
        pinned_frame = privacy_profiles(
            pinned_setting.calibration,
            (pinned.noise.scale,),
            (pinned_setting.p,),
            pinned_setting.l2_sensitivity,
            setting.epsilon,
        )
    epsilon = profile_grid(setting.epsilon)
    truncated = truncated_profile(setting, epsilon)
    others = {} if truncated is None else {TRUNCATED: truncated}
    subtitle = text.profile_subtitle(setting)
    figure = figures.profile_figure(frame, setting, subtitle, colours, pinned_frame, epsilon, others)
    numbers = partial(_with_other_noise, frame, "epsilon", epsilon, "delta", others)
    alternative = text.profile_alternative_text(result)
    return Exhibit("profiles", figure, alternative, numbers, csv_header(result), ("epsilon", "delta"))


def noise_table(result: GeneralizedGaussianResult, _: Colours) -> Exhibit | None:
    """Return the table of the noise of each shape; None where the guarantee has no answer."""
    if not result.noises:
        return None
    columns = {"p": list(result.noises), **result.noise_sizes}
    if result.published_scales is not None:
        columns |= {"paper_scale": result.published_scales}
    alternative = text.table_alternative_text(result)
    return Exhibit("shapes", tables.table_html(result), alternative, partial(pd.DataFrame, columns), csv_header(result))
