"""The charts of the section on where each noise is smaller."""

from functools import lru_cache

import numpy as np
import pandas as pd

from dpcore import laplace_gaussian
from dpcore.calibrations import Calibration
from dpcore.checks import Array
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import without_markdown
from pages.laplace_gaussian import grids
from pages.laplace_gaussian.crossover import figures, text
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.laplace_gaussian.text import csv_header, measure_names
from pages.shared.laplace_query import sensitivity_pair
from pages.shared.status_lines import first_failures


def noise_map(result: LaplaceGaussianResult, colours: Colours) -> Exhibit:
    """Return the map of the smaller noise over ε and δ."""
    setting, pinned = result.setting, result.pinned and result.pinned.setting
    numbers = _frontiers(setting.gaussian, grids.map_decades(setting.epsilon), *setting.norms, setting.significance)
    subtitle, names = f"{sensitivity_pair(setting)}; {result.calibration.name}", measure_names(setting)
    failures = _failures(setting.gaussian, grids.map_decades(setting.epsilon), setting.delta)
    figure = figures.map_figure(
        numbers,
        failures,
        setting.measure,
        names,
        (setting.epsilon, setting.delta),
        None if pinned is None else (pinned.epsilon, pinned.delta),
        subtitle,
        result.calibration,
        colours,
    )
    alternative = without_markdown(text.frontier_text(result) + text.failing_text(result, failures))
    return Exhibit("map", figure, alternative, numbers, csv_header(result), ("epsilon", "delta"))


def size_over_counts(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return a measure of both noises over the number of counts."""
    if not result.has_counts:
        return None
    setting, crossing = result.setting, result.crossing
    grid = grids.count_grid(setting.k, crossing)
    numbers = _sizes_frame(result, grid)
    pinned = None
    if result.answered_pinned is not None and result.answered_pinned.has_counts:
        pinned = result.answered_pinned.setting.k, _sizes_frame(result.answered_pinned, grid)
    measure = (setting.measure, measure_names(setting)[setting.measure])
    subtitle = f"{setting.guarantee_text}, Δ₁ = k, Δ₂ = √k"
    figure = figures.statistics_figure(
        numbers, measure, crossing, setting.k, pinned, subtitle, result.calibration, colours
    )
    alternative = without_markdown(text.counts_text(result))
    return Exhibit("statistics", figure, alternative, numbers, csv_header(result), ("k", ""))


def _sizes_frame(result: LaplaceGaussianResult, grid: Array) -> pd.DataFrame:
    setting = result.setting
    return laplace_gaussian.along_statistics(
        result.calibration, setting.epsilon, setting.delta, grid, setting.significance
    )


def _calibration(gaussian: str) -> Calibration:
    return next(calibration for calibration in laplace_gaussian.CALIBRATIONS if calibration.key == gaussian)


@lru_cache(64)
def _failures(gaussian: str, ends: tuple[int, int], delta: float) -> tuple[Array, Array]:
    """Return the ε from which on the σ fails to satisfy (ε, δ)-DP, and these δ; both are empty where it never fails."""
    deltas = grids.map_deltas(delta)
    first = first_failures(_calibration(gaussian), deltas, (10.0 ** ends[0], 10.0 ** ends[1]))
    return first[np.isfinite(first)], deltas[np.isfinite(first)]


def _frontiers(gaussian: str, ends: tuple[int, int], l1: float, l2: float, significance: float) -> pd.DataFrame:
    return laplace_gaussian.frontiers(_calibration(gaussian), np.logspace(*ends, 241), l1, l2, significance)
