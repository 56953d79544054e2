"""The charts of the section on the shape with the least noise."""

import numpy as np
import pandas as pd

from pages.framework.chart.theme import bands, compact
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.generalized_gaussian import least_noise
from pages.generalized_gaussian.optimal_shape import figures, map_figures, text
from pages.generalized_gaussian.optimal_shape.map_figures import RAMPS, MapPoint, figure_of_map
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import csv_header

LEVELS = (25, 50, 70, 75, 80, 85, 90, 95, 99)  # percent of the size of the best p, the contours of the map


def remaining_map_figure(
    frame: pd.DataFrame, point: MapPoint, pinned: MapPoint | None, title: str, subtitle: str, colours: Colours
) -> Figure:
    """Draw the share of a frame of (ε, δ) as filled contours, with the current setting."""
    epsilon, delta = np.unique(frame["epsilon"]), np.unique(frame["delta"])
    share, reached = (  # a row for each δ
        frame[key].to_numpy().reshape(len(epsilon), len(delta)).T for key in ("share", "reached")
    )
    band = np.interp(share, [0, *LEVELS, 100], np.arange(-1, len(LEVELS) + 1))
    field = {"type": "contour", "x": compact(epsilon), "y": compact(delta), "z": compact(band)}
    field |= bands(LEVELS, tuple(reversed(RAMPS[colours["purple"]])), colours)
    field |= {
        "name": "share of the best p",
        "showlegend": False,
        "customdata": compact(share),
        "text": [[f"{format_up(most, 3)} %" for most in row] for row in reached],
        "hovertemplate": "ε ≈ %{x:.3g}, δ ≈ %{y:.3g}<br>any noise: at least %{customdata:.3g} % of the best p<br>"
        "reached: %{text}<br>click to set both<extra></extra>",
    }
    return figure_of_map([field], [], point, pinned, (title, subtitle), colours)


def best_map(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the map of the best p over ε and δ."""
    setting, pinned = result.setting, result.pinned
    title = f"The shape p with the least {text.measure_name(setting)}"
    pinned_frame = pinned and MapPoint(pinned.setting.epsilon, pinned.setting.delta)
    point = MapPoint(setting.epsilon, setting.delta)
    figure = map_figures.map_figure(result.best_map, point, pinned_frame, title, text.subtitle(setting), colours)
    alternative = text.alternative_text(result, result.best_map)
    return _exhibit(result, "best_map", figure, alternative, result.best_map, ("epsilon", "delta"))


def best_p(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the curves of the best p over ε for several δ."""
    setting, title = result.setting, f"Best p: least {text.measure_name(result.setting)}"
    frame = result.best_shapes(*sorted({*setting.deltas, setting.delta}))
    pinned_frame = result.pinned and result.pinned.best_shapes(result.pinned.setting.delta)
    subtitle = text.subtitle(setting)
    figure = figures.best_figure(frame, setting.epsilon, setting.delta, title, subtitle, colours, pinned_frame)
    return _exhibit(result, "best_p", figure, text.alternative_text(result, frame), frame, ("epsilon", ""))


def saving(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the curves of what the best p saves against Laplace and Gaussian noise, over ε."""
    setting, pinned_frame = result.setting, result.pinned and result.pinned.best_shapes(result.pinned.setting.delta)
    frame = result.best_shapes(setting.delta)
    title = f"What the best p saves: {text.measure_name(setting)}"
    subtitle = f"δ = {format_input_up(setting.delta)}, {text.subtitle(setting)}"
    figure = figures.saving_figure(frame, setting.epsilon, title, subtitle, colours, pinned_frame)
    return _exhibit(result, "saving", figure, text.SAVING_ALTERNATIVE_TEXT, frame, ("epsilon", ""))


def floor(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the curves of the least noise of any shape beside the best p, over ε."""
    return _floor(result, colours, "epsilon", f"δ = {format_input_up(result.setting.delta)}")


def floor_delta(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the curves of the least noise of any shape beside the best p, over δ."""
    return _floor(result, colours, "delta", f"ε = {format_input_up(result.setting.epsilon)}")


def _floor(result: GeneralizedGaussianResult, colours: Colours, varied: str, at: str) -> Exhibit:
    frame, measure = result.floor_over(varied), text.floor_measure_name(result)
    title, value = f"What noise of any shape leaves of the best p: {measure}", getattr(result.setting, varied)
    subtitle = f"{at}, one statistic, (ε, δ)-DP"
    figure = figures.floor_figure(frame, varied, value, measure, title, subtitle, colours)
    name = "floor" if varied == "epsilon" else "floor_delta"
    alternative = text.floor_alternative_text(frame, measure)
    header = csv_header(result, least=result.floor_measure, size_unit="at sensitivity 1")
    return Exhibit(name, figure, alternative, frame, header, (varied, ""))


def floor_map(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the map of the least size of noise of any shape, in percent of that of the best p, over ε and δ."""
    setting, pinned, measure = result.setting, result.pinned, text.floor_measure_name(result)
    title = f"What the best p leaves: least {measure} of any noise"
    subtitle = f"% of the {measure} of the best p, one statistic, (ε, δ)-DP"
    point = MapPoint(setting.epsilon, setting.delta)
    pinned_point = pinned and MapPoint(pinned.setting.epsilon, pinned.setting.delta)
    frame = least_noise.remaining_map(result.floor_measure)
    figure = remaining_map_figure(frame, point, pinned_point, title, subtitle, colours)
    header = csv_header(result, least=result.floor_measure, size_unit="at sensitivity 1")
    return Exhibit(
        "floor_map", figure, text.remaining_alternative_text(frame, measure), frame, header, ("epsilon", "delta")
    )


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
