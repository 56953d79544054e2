"""The charts of the section on the shape with the least noise."""

import pandas as pd

from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters.number_format import format_input_up
from pages.generalized_gaussian.optimal_shape import figures, map_figures, text
from pages.generalized_gaussian.optimal_shape.map_figures import MapPoint
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import csv_header


def best_map(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit:
    """The best p over ε and δ."""
    setting, before = result.setting, result.pinned
    title = f"The shape p with the least {text.measure_name(setting)}"
    kept = before and MapPoint(before.setting.epsilon, before.setting.delta)
    here = MapPoint(setting.epsilon, setting.delta)
    figure = map_figures.map_figure(result.best_map, here, kept, title, text.subtitle(setting), colour)
    alternative = text.alternative_text(result, result.best_map)
    return _exhibit(result, "best_map", figure, alternative, result.best_map, ("epsilon", "delta"))


def best_p(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit:
    """The best p over ε for several δ."""
    setting, title = result.setting, f"Best p: least {text.measure_name(result.setting)}"
    frame = result.best_along(*sorted({*setting.deltas, setting.delta}))
    kept = result.pinned and result.pinned.best_along(result.pinned.setting.delta)
    subtitle = text.subtitle(setting)
    figure = figures.best_figure(frame, setting.epsilon, setting.delta, title, subtitle, colour, kept)
    return _exhibit(result, "best_p", figure, text.alternative_text(result, frame), frame, ("epsilon", ""))


def saving(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit:
    """What the best p saves against Laplace and Gaussian noise, over ε."""
    setting, kept = result.setting, result.pinned and result.pinned.best_along(result.pinned.setting.delta)
    here = result.best_along(setting.delta)
    title = f"What the best p saves: {text.measure_name(setting)}"
    subtitle = f"δ = {format_input_up(setting.delta)}, {text.subtitle(setting)}"
    figure = figures.saving_figure(here, setting.epsilon, title, subtitle, colour, kept)
    return _exhibit(result, "saving", figure, text.SAVING_ALTERNATIVE_TEXT, here, ("epsilon", ""))


def _exhibit(
    result: GeneralizedGaussianResult,
    name: str,
    figure: Figure,
    alternative: str,
    numbers: pd.DataFrame,
    picks: tuple[str, str],
) -> Exhibit:
    header = csv_header(result, least=result.setting.measure)
    return Exhibit(name, figure, alternative, numbers, header, picks)
