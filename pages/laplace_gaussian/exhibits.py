"""What the page shows: every chart and table of Laplace against Gaussian noise as a function of one setting."""

from functools import lru_cache

import numpy as np
import pandas as pd

from dpcore import laplace_gaussian as rivals
from dpcore.checks import Array
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.kinds import Values
from pages.framework.parameters.number_format import format_input_up, without_markdown
from pages.laplace_gaussian import figures, map_figures, several_figures, text
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.laplace_gaussian.setting import LaplaceGaussianSetting
from pages.shared.shared_parameters import read_setting


def compute_result(values: Values) -> LaplaceGaussianResult:
    """What the page's parameters ask for."""
    kept = values["pinned"] and compute_result(values | values["pinned"])
    return LaplaceGaussianResult(read_setting(LaplaceGaussianSetting, values), values["view"], values["function"], kept)


def tails(result: LaplaceGaussianResult, colour: Colours) -> Exhibit | None:
    """How often each noise goes beyond a distance."""
    if not result.possible:
        return None
    setting, level = result.setting, result.setting.significance
    grid = figures.tail_grid(result.noises, level)
    numbers = _tails(result, grid)
    marked = setting.t if setting.hold == "tail" else None
    ghosts = result.before and _tails(result.before, grid)
    figure = figures.tails_figure(
        numbers, result.accuracy, level, marked, ghosts, result.subtitle, result.calibration, colour
    )
    return result.exhibit("tails", figure, numbers, result.alternative)


def _tails(result: LaplaceGaussianResult, grid: Array) -> pd.DataFrame:
    return rivals.tails(result.noises.laplace.scale, result.noises.gaussian.scale, grid, result.setting.cutoff)


def draws(result: LaplaceGaussianResult, colour: Colours) -> Exhibit | None:
    """How often seeded draws of both noises fall where."""
    if not result.possible:
        return None
    numbers, beyond = result.draws
    seed = result.setting.seed
    said = text.subtitle(result.setting, f"each to its own height, seed {seed:.0f}; dashed: ± of the answer")
    ghosts = result.before and result.before.draws[0]
    figure = figures.draws_figure(numbers, beyond, result.accuracy, ghosts, said, result.calibration, colour)
    return result.exhibit("draws", figure, numbers, result.alternative, seed=seed, draws=figures.N_DRAWS)


def noises(result: LaplaceGaussianResult, _: Colours) -> Exhibit | None:
    """Both noises in numbers."""
    if not result.possible:
        return None
    html = text.table_html(result.setting, result.noises, result.errors, result.before and result.before.errors)
    numbers = text.noises_frame(result.noises, result.errors)
    return Exhibit("noises", html, result.alternative, numbers, result.header)


def statistics(result: LaplaceGaussianResult, colour: Colours) -> Exhibit | None:
    """A measure of both noises over the number of counts."""
    if not result.counted:
        return None
    setting, crossing = result.setting, result.crossing
    grid = map_figures.count_grid(setting.k, crossing)
    numbers = _along_statistics(result, grid)
    before = result.before if result.before is not None and result.before.counted else None
    kept = None if before is None else (before.setting.k, _along_statistics(before, grid))
    measure = (setting.measure, text.measure_names(setting)[setting.measure])
    where = f"{setting.promise}, Δ₁ = k, Δ₂ = √k"
    figure = map_figures.statistics_figure(
        numbers, measure, crossing, setting.k, kept, where, result.calibration, colour
    )
    said = without_markdown(result.crossing_said)
    return Exhibit("statistics", figure, said, numbers, result.header, ("k", ""))


def _along_statistics(result: LaplaceGaussianResult, grid: Array) -> pd.DataFrame:
    setting = result.setting
    return rivals.along_statistics(result.calibration, setting.epsilon, setting.delta, grid, setting.significance)


def winners(result: LaplaceGaussianResult, colour: Colours) -> Exhibit:
    """Which noise is smaller, over ε and δ."""
    setting, kept = result.setting, result.pinned
    numbers = _frontiers(setting.gaussian, map_figures.map_ends(setting.epsilon), *setting.norms, setting.significance)
    where, names = f"{text.pair(setting)}; {result.calibration.name}", text.measure_names(setting)
    figure = map_figures.map_figure(
        numbers,
        setting.measure,
        names,
        (setting.epsilon, setting.delta),
        None if kept is None else (kept.setting.epsilon, kept.setting.delta),
        where,
        result.calibration,
        colour,
    )
    return Exhibit("map", figure, without_markdown(result.map_said), numbers, result.header, ("epsilon", "delta"))


@lru_cache(64)  # the map depends on neither ε nor δ, is shared by every session, and never changed
def _frontiers(gaussian: str, ends: tuple[int, int], l1: float, l2: float, significance: float) -> pd.DataFrame:
    calibration = next(each for each in rivals.CALIBRATIONS if each.key == gaussian)
    return rivals.frontiers(calibration, np.logspace(*ends, 241), l1, l2, significance)


def ratio(result: LaplaceGaussianResult, colour: Colours) -> Exhibit | None:
    """Liu's Fig. 4."""
    if not result.possible:
        return None
    setting, calibration = result.setting, result.calibration
    t = several_figures.distances(
        result.laplace_reach, calibration.scale(setting.epsilon, result.deltas, setting.l2), setting.cutoff
    )
    numbers = _ratios(result, result.deltas, t)
    ghosts = result.before and _ratios(result.before, [result.before.setting.delta], t)
    figure = several_figures.ratio_figure(numbers, ghosts, setting.t, _several(result), calibration, colour)
    return result.exhibit("ratio", figure, numbers, text.RATIO_ALT, t=setting.t, cutoff=setting.cutoff)


def _ratios(result: LaplaceGaussianResult, deltas: list[float], t: Array) -> pd.DataFrame:
    setting = result.setting
    return rivals.tail_ratios(result.calibration, setting.epsilon, deltas, t, *setting.norms, setting.cutoff)


def cost(result: LaplaceGaussianResult, colour: Colours) -> Exhibit | None:
    """Liu's Fig. 5."""
    if not result.possible:
        return None
    setting = result.setting
    t = several_figures.distances(result.laplace_reach, [], setting.cutoff)
    numbers = _costs(result, result.deltas, t)
    ghosts = result.before and _costs(result.before, [result.before.setting.delta], t)
    figure = several_figures.cost_figure(numbers, ghosts, setting.t, _several(result), result.calibration, colour)
    return result.exhibit("cost", figure, numbers, text.COST_ALT, t=setting.t, cutoff=setting.cutoff)


def _costs(result: LaplaceGaussianResult, deltas: list[float], t: Array) -> pd.DataFrame:
    setting = result.setting
    return rivals.privacy_costs(result.calibration, setting.epsilon, deltas, t, *setting.norms, setting.cutoff)


def _several(result: LaplaceGaussianResult) -> str:
    cutoff = format_input_up(result.setting.cutoff)
    return text.subtitle(result.setting, f"{result.calibration.name}; grey: less likely than {cutoff}")


def density(result: LaplaceGaussianResult, colour: Colours) -> Exhibit | None:
    """The densities or the distribution functions of both noises."""
    if not result.possible:
        return None
    ghosts, kind = result.before and result.before.densities, result.function
    figure = figures.density_figure(result.densities, kind, ghosts, result.subtitle, result.calibration, colour)
    return result.exhibit("density", figure, result.densities, result.alternative)


ALL = (draws, tails, noises, winners, statistics, ratio, cost, density)
