"""The charts and the table of the section on errors."""

import pandas as pd

from dpcore import laplace_gaussian as rivals
from dpcore.checks import Array
from pages.framework.export.exhibit import Colours, Exhibit
from pages.laplace_gaussian import grids, text
from pages.laplace_gaussian.errors import figures, tables
from pages.laplace_gaussian.results import N_DRAWS, LaplaceGaussianResult


def draws(result: LaplaceGaussianResult, colour: Colours) -> Exhibit | None:
    """How often seeded draws of both noises fall where."""
    if not result.has_answer:
        return None
    numbers, beyond = result.draws
    seed = result.setting.seed
    subtitle = text.subtitle(result.setting, f"each to its own height, seed {seed:.0f}; dashed: ± of the answer")
    ghosts = result.comparable and result.comparable.draws[0]
    figure = figures.draws_figure(numbers, beyond, result.accuracy, ghosts, subtitle, result.calibration, colour)
    header = text.csv_header(result, seed=seed, draws=N_DRAWS)
    return Exhibit("draws", figure, text.alternative_text(result), numbers, header)


def tails(result: LaplaceGaussianResult, colour: Colours) -> Exhibit | None:
    """How often each noise goes beyond a distance."""
    if not result.has_answer:
        return None
    setting, level = result.setting, result.setting.significance
    grid = grids.tail_grid(result.noises, level)
    numbers = _tails_frame(result, grid)
    marked = setting.t if setting.hold == "tail" else None
    ghosts = result.comparable and _tails_frame(result.comparable, grid)
    figure = figures.tails_figure(
        numbers, result.accuracy, level, marked, ghosts, text.scales_subtitle(result), result.calibration, colour
    )
    return Exhibit("tails", figure, text.alternative_text(result), numbers, text.csv_header(result))


def _tails_frame(result: LaplaceGaussianResult, grid: Array) -> pd.DataFrame:
    return rivals.tails(grid, result.noises.laplace.scale, result.noises.gaussian.scale, result.setting.cutoff)


def noise_table(result: LaplaceGaussianResult, _: Colours) -> Exhibit | None:
    """Both noises in numbers."""
    if not result.has_answer:
        return None
    numbers = tables.noise_frame(result.noises, result.errors)
    return Exhibit("noises", tables.table_html(result), text.alternative_text(result), numbers, text.csv_header(result))
