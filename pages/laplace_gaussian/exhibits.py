"""What the page shows: every chart and table of Laplace against Gaussian noise as a function of one setting."""

from functools import lru_cache

import numpy as np
import pandas as pd

from dpcore import laplace_gaussian as rivals
from dpcore.checks import Array
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.kinds import Values
from pages.framework.parameters.number_format import format_input_up, without_markdown
from pages.laplace_gaussian import figures, map_figures, several_figures, words
from pages.laplace_gaussian.found import Found
from pages.laplace_gaussian.setting import Setting
from pages.shared.shared_parameters import read_setting


def found(values: Values) -> Found:
    """What the page's parameters ask for."""
    kept = values["pinned"] and found(values | values["pinned"])
    return Found(read_setting(Setting, values), values["view"], values["function"], kept)


def tails(found: Found, colour: Colours) -> Exhibit | None:
    """How often each noise goes beyond a distance."""
    if not found.possible:
        return None
    now, level = found.setting, found.setting.significance
    grid = figures.tail_grid(found.noises, level)
    numbers = _tails(found, grid)
    marked = now.t if now.hold == "tail" else None
    ghosts = found.before and _tails(found.before, grid)
    figure = figures.tails_figure(
        numbers, found.accuracy, level, marked, ghosts, found.subtitle, found.calibration, colour
    )
    return found.exhibit("tails", figure, numbers, found.alternative)


def _tails(found: Found, grid: Array) -> pd.DataFrame:
    return rivals.tails(found.noises.laplace.scale, found.noises.gaussian.scale, grid, found.setting.cutoff)


def draws(found: Found, colour: Colours) -> Exhibit | None:
    """How often seeded draws of both noises fall where."""
    if not found.possible:
        return None
    numbers, beyond = found.draws
    seed = found.setting.seed
    said = words.subtitle(found.setting, f"each to its own height, seed {seed:.0f}; dashed: ± of the answer")
    ghosts = found.before and found.before.draws[0]
    figure = figures.draws_figure(numbers, beyond, found.accuracy, ghosts, said, found.calibration, colour)
    return found.exhibit("draws", figure, numbers, found.alternative, seed=seed, draws=figures.N_DRAWS)


def noises(found: Found, _: Colours) -> Exhibit | None:
    """Both noises in numbers."""
    if not found.possible:
        return None
    html = words.table_html(found.setting, found.noises, found.errors, found.before and found.before.errors)
    numbers = words.noises_frame(found.noises, found.errors)
    return Exhibit("noises", html, found.alternative, numbers, found.header)


def statistics(found: Found, colour: Colours) -> Exhibit | None:
    """A measure of both noises over the number of counts."""
    if not found.counted:
        return None
    now, crossing = found.setting, found.crossing
    grid = map_figures.count_grid(now.k, crossing)
    numbers = _along_statistics(found, grid)
    before = found.before if found.before is not None and found.before.counted else None
    kept = None if before is None else (before.setting.k, _along_statistics(before, grid))
    measure = (now.measure, words.measure_names(now)[now.measure])
    where = f"{now.promise}, Δ₁ = k, Δ₂ = √k"
    figure = map_figures.statistics_figure(numbers, measure, crossing, now.k, kept, where, found.calibration, colour)
    said = without_markdown(found.crossing_said)
    return Exhibit("statistics", figure, said, numbers, found.header, ("k", ""))


def _along_statistics(found: Found, grid: Array) -> pd.DataFrame:
    now = found.setting
    return rivals.along_statistics(found.calibration, now.epsilon, now.delta, grid, now.significance)


def winners(found: Found, colour: Colours) -> Exhibit:
    """Which noise is smaller, over ε and δ."""
    now, kept = found.setting, found.pinned
    numbers = _frontiers(now.gaussian, map_figures.map_ends(now.epsilon), *now.norms, now.significance)
    where, names = f"{words.pair(now)}; {found.calibration.name}", words.measure_names(now)
    figure = map_figures.map_figure(
        numbers,
        now.measure,
        names,
        (now.epsilon, now.delta),
        None if kept is None else (kept.setting.epsilon, kept.setting.delta),
        where,
        found.calibration,
        colour,
    )
    return Exhibit("map", figure, without_markdown(found.map_said), numbers, found.header, ("epsilon", "delta"))


@lru_cache(64)  # the map depends on neither ε nor δ, is shared by every session, and never changed
def _frontiers(gaussian: str, ends: tuple[int, int], l1: float, l2: float, significance: float) -> pd.DataFrame:
    calibration = next(each for each in rivals.CALIBRATIONS if each.key == gaussian)
    return rivals.frontiers(calibration, np.logspace(*ends, 241), l1, l2, significance)


def ratio(found: Found, colour: Colours) -> Exhibit | None:
    """Liu's Fig. 4."""
    if not found.possible:
        return None
    now, calibration = found.setting, found.calibration
    t = several_figures.distances(found.laplace_reach, calibration.scale(now.epsilon, found.deltas, now.l2), now.cutoff)
    numbers = _ratios(found, found.deltas, t)
    ghosts = found.before and _ratios(found.before, [found.before.setting.delta], t)
    figure = several_figures.ratio_figure(numbers, ghosts, now.t, _several(found), calibration, colour)
    return found.exhibit("ratio", figure, numbers, words.RATIO_ALT, t=now.t, cutoff=now.cutoff)


def _ratios(found: Found, deltas: list[float], t: Array) -> pd.DataFrame:
    now = found.setting
    return rivals.tail_ratios(found.calibration, now.epsilon, deltas, t, *now.norms, now.cutoff)


def cost(found: Found, colour: Colours) -> Exhibit | None:
    """Liu's Fig. 5."""
    if not found.possible:
        return None
    now = found.setting
    t = several_figures.distances(found.laplace_reach, [], now.cutoff)
    numbers = _costs(found, found.deltas, t)
    ghosts = found.before and _costs(found.before, [found.before.setting.delta], t)
    figure = several_figures.cost_figure(numbers, ghosts, now.t, _several(found), found.calibration, colour)
    return found.exhibit("cost", figure, numbers, words.COST_ALT, t=now.t, cutoff=now.cutoff)


def _costs(found: Found, deltas: list[float], t: Array) -> pd.DataFrame:
    now = found.setting
    return rivals.privacy_costs(found.calibration, now.epsilon, deltas, t, *now.norms, now.cutoff)


def _several(found: Found) -> str:
    cutoff = format_input_up(found.setting.cutoff)
    return words.subtitle(found.setting, f"{found.calibration.name}; grey: less likely than {cutoff}")


def density(found: Found, colour: Colours) -> Exhibit | None:
    """The densities or the distribution functions of both noises."""
    if not found.possible:
        return None
    ghosts, kind = found.before and found.before.densities, found.function
    figure = figures.density_figure(found.densities, kind, ghosts, found.subtitle, found.calibration, colour)
    return found.exhibit("density", figure, found.densities, found.alternative)


ALL = (draws, tails, noises, winners, statistics, ratio, cost, density)
