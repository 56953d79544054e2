"""The charts of the section on several δ."""

import pandas as pd

from dpcore import laplace_gaussian as rivals
from dpcore.checks import Array
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import format_input_up
from pages.laplace_gaussian import grids
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.laplace_gaussian.several_deltas import figures, text
from pages.laplace_gaussian.text import csv_header, subtitle


def tail_ratios(result: LaplaceGaussianResult, colour: Colours) -> Exhibit | None:
    """Liu's Fig. 4."""
    if not result.has_answer:
        return None
    setting, calibration = result.setting, result.calibration
    t = grids.distance_grid(
        result.laplace_cutoff_distance, calibration.scale(setting.epsilon, result.deltas, setting.l2), setting.cutoff
    )
    numbers = _ratios_frame(result, result.deltas, t)
    ghosts = result.comparable and _ratios_frame(result.comparable, [result.comparable.setting.delta], t)
    figure = figures.ratio_figure(numbers, ghosts, setting.t, _subtitle(result), calibration, colour)
    header = csv_header(result, t=setting.t, cutoff=setting.cutoff)
    return Exhibit("ratio", figure, text.RATIOS_ALTERNATIVE_TEXT, numbers, header)


def _ratios_frame(result: LaplaceGaussianResult, deltas: list[float], t: Array) -> pd.DataFrame:
    setting = result.setting
    return rivals.tail_ratios(t, result.calibration, setting.epsilon, deltas, *setting.norms, setting.cutoff)


def privacy_costs(result: LaplaceGaussianResult, colour: Colours) -> Exhibit | None:
    """Liu's Fig. 5."""
    if not result.has_answer:
        return None
    setting = result.setting
    t = grids.distance_grid(result.laplace_cutoff_distance, [], setting.cutoff)
    numbers = _costs_frame(result, result.deltas, t)
    ghosts = result.comparable and _costs_frame(result.comparable, [result.comparable.setting.delta], t)
    figure = figures.cost_figure(numbers, ghosts, setting.t, _subtitle(result), result.calibration, colour)
    header = csv_header(result, t=setting.t, cutoff=setting.cutoff)
    return Exhibit("cost", figure, text.COSTS_ALTERNATIVE_TEXT, numbers, header)


def _costs_frame(result: LaplaceGaussianResult, deltas: list[float], t: Array) -> pd.DataFrame:
    setting = result.setting
    return rivals.privacy_costs(t, result.calibration, setting.epsilon, deltas, *setting.norms, setting.cutoff)


def _subtitle(result: LaplaceGaussianResult) -> str:
    cutoff = format_input_up(result.setting.cutoff)
    return subtitle(result.setting, f"{result.calibration.name}; grey: less likely than {cutoff}")
