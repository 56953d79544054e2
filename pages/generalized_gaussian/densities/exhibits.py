"""The chart and the table of the section on densities."""

import numpy as np
import pandas as pd

from dpcore.generalized_gaussian import optimal_shape
from pages.framework.export.exhibit import Colours, Exhibit
from pages.generalized_gaussian.cached_results import privacy_profiles
from pages.generalized_gaussian.densities import figures, tables, text
from pages.generalized_gaussian.grids import profile_grid
from pages.generalized_gaussian.least_noise import least_densities, truncated_profile
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
    least = least_densities(setting, end * np.linspace(-1, 1, 801))
    figure = figures.density_figure(frame, setting.p, text.subtitle(setting), colours, pinned_frame, least)
    numbers = frame if least is None else pd.concat([frame, least], ignore_index=True)
    return Exhibit("densities", figure, text.alternative_text(result), numbers, csv_header(result))


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
    truncated = truncated_profile(setting, profile_grid(setting.epsilon))
    figure = figures.profile_figure(frame, setting, text.profile_subtitle(setting), colours, pinned_frame, truncated)
    numbers = frame if truncated is None else pd.concat([frame, truncated], ignore_index=True)
    alternative = text.profile_alternative_text(result)
    return Exhibit("profiles", figure, alternative, numbers, csv_header(result), ("epsilon", "delta"))


def noise_table(result: GeneralizedGaussianResult, _: Colours) -> Exhibit | None:
    """Return the table of the noise of each shape; None where the guarantee has no answer."""
    if not result.noises:
        return None
    level, noises = result.setting.significance, result.noises.values()
    numbers = pd.DataFrame(
        {
            "p": list(result.noises),
            "scale": [noise.scale for noise in noises],
            "deviation": [noise.deviation for noise in noises],
            "mean_error": [noise.mean_absolute_error for noise in noises],
            "accuracy": [noise.half_width(level) for noise in noises],
        }
    )
    if result.published_scales is not None:
        numbers = numbers.assign(paper_scale=result.published_scales)
    header = csv_header(result)
    return Exhibit("shapes", tables.table_html(result), text.table_alternative_text(result), numbers, header)
