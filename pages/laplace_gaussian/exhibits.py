"""What the page shows: every chart and table of Laplace against Gaussian noise as a function of one setting."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from dpcore import gaussian, laplace
from dpcore import laplace_gaussian as rivals
from dpcore.calibrations import LAPLACE, Calibration
from dpcore.checks import Array
from dpcore.laplace_gaussian import Errors, Noises
from pages.laplace_gaussian import figures, words
from pages.laplace_gaussian.words import Setting
from pages.shared.common import setting
from pages.shared.export import Colours, Exhibit, Figure
from pages.shared.parameters import Values
from pages.shared.text import given_up, unmarked

N_DRAWS = 1000


@dataclass(frozen=True)
class Found:
    """One setting, and what follows from it, each computed once.

    Where ε is too small for Laplace noise (`possible` is false), what needs it is that of the least ε that is not.
    """

    setting: Setting

    @property
    def possible(self) -> bool:
        """Whether Laplace noise has an answer at this ε."""
        return self.setting.epsilon >= LAPLACE.least_epsilon

    @property
    def counted(self) -> bool:
        """Whether there is a number of counts to vary."""
        return self.possible and self.setting.case == "counts"

    @property
    def epsilon(self) -> float:
        """ε, or the least for which Laplace noise has an answer."""
        return max(self.setting.epsilon, LAPLACE.least_epsilon)

    @property
    def calibration(self) -> Calibration:
        """The formula of the Gaussian."""
        return self.setting.calibration

    @cached_property
    def noises(self) -> Noises:
        """Both noises."""
        now = self.setting
        return rivals.matched(self.calibration, now.hold, self.epsilon, now.delta, *now.norms, now.t)

    @cached_property
    def errors(self) -> tuple[Errors, Errors]:
        """How large the Laplace and the Gaussian noise are."""
        return rivals.errors(self.noises, self.setting.significance)

    @property
    def accuracy(self) -> dict[str, float]:
        """The half-width of each noise, by its key in the figures."""
        return {"laplace": self.errors[0].accuracy, "gaussian": self.errors[1].accuracy}

    @cached_property
    def crossing(self) -> int:
        """The number of counts from which on the Gaussian is the smaller."""
        now = self.setting
        return rivals.crossover(self.calibration, now.measure, self.epsilon, now.delta, now.significance)

    @cached_property
    def frontier(self) -> float:
        """The δ above which the Gaussian is the smaller."""
        now = self.setting
        return float(rivals.frontier(self.calibration, now.measure, self.epsilon, *now.norms, now.significance))

    @cached_property
    def draws(self) -> dict[str, Array]:
        """Quantile dots of seeded draws, by noise."""
        rng = np.random.default_rng(int(self.setting.seed))
        return {
            "laplace": rivals.quantile_dots(laplace.sample(rng, self.noises.scale, N_DRAWS)),
            "gaussian": rivals.quantile_dots(gaussian.sample(rng, self.noises.sigma, N_DRAWS)),
        }

    @property
    def deltas(self) -> list[float]:
        """The δ of the list and the one at the side."""
        return sorted({*self.setting.deltas, self.setting.delta})

    @property
    def laplace_reach(self) -> Array:
        """Where Laplace's tail falls below the cutoff."""
        return laplace.half_width(self.setting.cutoff, self.noises.scale)

    @cached_property
    def densities(self) -> pd.DataFrame:
        """Density and distribution of both noises."""
        return rivals.densities(self.noises.scale, self.noises.sigma, figures.noise_grid(self.noises))

    @property
    def alternative(self) -> str:
        """What the pictures of both noises show."""
        return words.alternative(self.setting, self.noises, self.errors)

    @property
    def subtitle(self) -> str:
        """The parameters of the pictures of both noises."""
        return words.subtitle(self.setting, words.both(self.setting, self.noises))

    @property
    def crossing_said(self) -> str:
        """From how many counts on the Gaussian is the smaller."""
        return words.crossing_words(self.setting, self.crossing)

    @property
    def map_said(self) -> str:
        """Above which δ the Gaussian is the smaller."""
        return words.map_words(self.setting, self.frontier)

    @property
    def answer(self) -> tuple[str, str]:
        """The page's answer."""
        if not self.possible:
            return words.no_answer(self.setting)
        return words.answer(self.setting, self.noises, self.errors)

    @property
    def where_said(self) -> str:
        """Where each noise wins."""
        if not self.possible:
            return words.NO_CROSSING["epsilon"]
        if self.counted:
            return f"{self.crossing_said} {self.map_said}"
        return f"{words.NO_CROSSING[self.setting.case]} {self.map_said}{words.broken(self.setting)}"

    @property
    def explanation(self) -> str:
        """How the numbers are computed."""
        return words.explanation(self.setting, self.noises) if self.possible else words.no_answer(self.setting)[1]

    def exhibit(self, name: str, figure: Figure, numbers: pd.DataFrame, alternative: str, **more: Any) -> Exhibit:
        """A picture of this setting."""
        return Exhibit(name, figure, alternative, numbers, words.csv_header(self.setting) | more)


def found(values: Values) -> Found:
    """What the page's parameters ask for."""
    return Found(setting(Setting, values))


def tails(found: Found, colour: Colours) -> Exhibit | None:
    """How often each noise goes beyond a distance."""
    if not found.possible:
        return None
    noises, level = found.noises, found.setting.significance
    numbers = rivals.tails(noises.scale, noises.sigma, figures.tail_grid(noises, level), found.setting.cutoff)
    figure = figures.tails_figure(numbers, found.accuracy, level, found.subtitle, found.calibration, colour)
    return found.exhibit("tails", figure, numbers, found.alternative)


def draws(found: Found, colour: Colours) -> Exhibit | None:
    """Quantile dots of seeded draws of both noises."""
    if not found.possible:
        return None
    seed = found.setting.seed
    said = words.subtitle(found.setting, f"of {N_DRAWS:,} draws, seed {seed:.0f}; dashed: ± of the answer")
    figure = figures.dots_figure(found.draws, found.accuracy, said, found.calibration, colour)
    return found.exhibit("draws", figure, pd.DataFrame(found.draws), found.alternative, seed=seed)


def noises(found: Found, _: Colours) -> Exhibit | None:
    """Both noises in numbers."""
    if not found.possible:
        return None
    html = words.table_html(found.setting, found.noises, found.errors)
    header = words.csv_header(found.setting)
    return Exhibit("noises", html, found.alternative, words.noises_frame(found.noises, found.errors), header)


def statistics(found: Found, colour: Colours) -> Exhibit | None:
    """A measure of both noises over the number of counts."""
    if not found.counted:
        return None
    now, crossing = found.setting, found.crossing
    grid = figures.count_grid(now.k, crossing)
    numbers = rivals.along_statistics(found.calibration, now.epsilon, now.delta, grid, now.significance)
    where = f"{now.promise}<br>Δ₁ = k, Δ₂ = √k"
    measure = (now.measure, words.measure_names(now)[now.measure])
    figure = figures.statistics_figure(numbers, measure, crossing, now.k, where, found.calibration, colour)
    return found.exhibit("statistics", figure, numbers, unmarked(found.crossing_said))


def winners(found: Found, colour: Colours) -> Exhibit:
    """Which noise is smaller, over ε and δ."""
    now = found.setting
    grid = figures.map_grid(now.epsilon)
    numbers = rivals.frontiers(found.calibration, grid, *now.norms, now.significance)
    where = words.subtitle(now, found.calibration.name)
    names, here = words.measure_names(now), (now.epsilon, now.delta)
    figure = figures.map_figure(numbers, now.measure, names, here, where, found.calibration, colour)
    return found.exhibit("map", figure, numbers, unmarked(found.map_said))


def ratio(found: Found, colour: Colours) -> Exhibit | None:
    """Liu's Fig. 4."""
    if not found.possible:
        return None
    now, calibration = found.setting, found.calibration
    t = figures.distances(found.laplace_reach, calibration.scale(now.epsilon, found.deltas, now.l2), now.cutoff)
    numbers = rivals.tail_ratios(calibration, now.epsilon, found.deltas, t, *now.norms, now.cutoff)
    figure = figures.ratio_figure(numbers, _several(found), calibration, colour)
    return found.exhibit("ratio", figure, numbers, words.RATIO_ALT)


def cost(found: Found, colour: Colours) -> Exhibit | None:
    """Liu's Fig. 5."""
    if not found.possible:
        return None
    now = found.setting
    t = figures.distances(found.laplace_reach, [], now.cutoff)
    numbers = rivals.privacy_costs(found.calibration, now.epsilon, found.deltas, t, *now.norms, now.cutoff)
    figure = figures.cost_figure(numbers, _several(found), found.calibration, colour)
    return found.exhibit("cost", figure, numbers, words.COST_ALT)


def _several(found: Found) -> str:
    cutoff = given_up(found.setting.cutoff)
    return words.subtitle(found.setting, f"{found.calibration.name}; grey: less likely than {cutoff}")


def density(found: Found, colour: Colours) -> Exhibit | None:
    """The densities of both noises."""
    return _density(found, "pdf", colour)


def distribution(found: Found, colour: Colours) -> Exhibit | None:
    """The distribution functions of both noises."""
    return _density(found, "cdf", colour)


def _density(found: Found, kind: str, colour: Colours) -> Exhibit | None:
    if not found.possible:
        return None
    figure = figures.density_figure(found.densities, kind, found.subtitle, found.calibration, colour)
    return found.exhibit(kind, figure, found.densities, found.alternative)


ALL = (tails, draws, noises, statistics, winners, ratio, cost, density, distribution)
