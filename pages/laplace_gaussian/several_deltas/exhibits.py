"""The charts of the section on several δ."""

import pandas as pd

from dpcore import laplace_gaussian
from dpcore.checks import Array
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import format_input_up
from pages.laplace_gaussian import grids
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.laplace_gaussian.several_deltas import figures, text
from pages.laplace_gaussian.text import csv_header, subtitle


def tail_ratios(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return Liu's Fig. 4: the ratio of both tails."""
    if not result.has_answer:
        return None
    setting, calibration = result.setting, result.calibration
    t = grids.distance_grid(
        result.laplace_cutoff_distance, calibration.scale(setting.epsilon, result.deltas, setting.l2), setting.cutoff
    )
    numbers = _ratios_frame(result, result.deltas, t)
    pinned = result.answered_pinned and _ratios_frame(result.answered_pinned, [result.answered_pinned.setting.delta], t)
    figure = figures.ratio_figure(numbers, pinned, setting.t, _subtitle(result), calibration, colours)
    header = csv_header(result, t=setting.t, cutoff=setting.cutoff)
    return Exhibit("ratio", figure, text.RATIOS_ALTERNATIVE_TEXT, numbers, header)


def _ratios_frame(result: LaplaceGaussianResult, deltas: list[float], t: Array) -> pd.DataFrame:
    setting = result.setting
    return laplace_gaussian.tail_ratios(t, result.calibration, setting.epsilon, deltas, *setting.norms, setting.cutoff)


def privacy_costs(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return Liu's Fig. 5: the privacy cost of the same tail."""
    if not result.has_answer:
        return None
    setting = result.setting
    t = grids.distance_grid(result.laplace_cutoff_distance, [], setting.cutoff)
    numbers = _costs_frame(result, result.deltas, t)
    pinned = result.answered_pinned and _costs_frame(result.answered_pinned, [result.answered_pinned.setting.delta], t)
    figure = figures.cost_figure(numbers, pinned, setting.t, _subtitle(result), result.calibration, colours)
    header = csv_header(result, t=setting.t, cutoff=setting.cutoff)
    return Exhibit("cost", figure, text.COSTS_ALTERNATIVE_TEXT, numbers, header)


def _costs_frame(result: LaplaceGaussianResult, deltas: list[float], t: Array) -> pd.DataFrame:
    setting = result.setting
    return laplace_gaussian.privacy_costs(
        t, result.calibration, setting.epsilon, deltas, *setting.norms, setting.cutoff
    )


def _subtitle(result: LaplaceGaussianResult) -> str:
    cutoff = format_input_up(result.setting.cutoff)
    return subtitle(result.setting, f"{result.calibration.name}; grey: less likely than {cutoff}")
