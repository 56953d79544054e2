"""The tails of Laplace and Gaussian noise at the same ε, and the ε at which both have the same tail."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import gaussian, laplace, laplace_gaussian
from dpcore.calibrations import LAPLACE
from dpcore.checks import Array
from dpcore.laplace_gaussian import NoisePair
from pages.framework.chart.theme import round_axis_end
from pages.shared.laplace_query import LaplaceQuerySetting
from pages.shared.status_lines import status_limits


@dataclass(frozen=True)
class TailsSetting(LaplaceQuerySetting):
    """The values of the parameters of the section."""

    deltas: tuple[float, ...]
    cutoff: float


@dataclass(frozen=True)
class TailsResult:
    """What is computed at one setting, each number once."""

    setting: TailsSetting

    @property
    def has_answer(self) -> bool:
        """Whether Laplace noise has an answer at this ε."""
        return self.setting.epsilon >= LAPLACE.least_epsilon

    @cached_property
    def noises(self) -> NoisePair:
        """Both noises at the same ε."""
        setting = self.setting
        return laplace_gaussian.calibrate_equal(
            setting.calibration, "epsilon", setting.epsilon, setting.delta, *setting.norms
        )

    @property
    def deltas(self) -> list[float]:
        """The δ of the list and the page's."""
        return sorted({*self.setting.deltas, self.setting.delta})

    @cached_property
    def tails(self) -> tuple[float, float]:
        """The probabilities that Laplace noise and the Gaussian exceed the distance t."""
        t, noises = self.setting.t, self.noises
        return float(laplace.tail(t, noises.laplace.scale)), float(gaussian.tail(t, noises.gaussian.scale))

    @cached_property
    def cost(self) -> float:
        """The ε of a Gaussian with Laplace's tail at t, over Laplace's ε."""
        return float(self.costs(self.setting.t, [self.setting.delta])["cost"].to_numpy()[0])

    def ratios(self, t: ArrayLike, deltas: list[float]) -> pd.DataFrame:
        """Return the ratio of both tails over the distance t, for each δ."""
        setting = self.setting
        return laplace_gaussian.tail_ratios(
            t, setting.calibration, setting.epsilon, deltas, *setting.norms, setting.cutoff
        )

    def costs(self, t: ArrayLike, deltas: list[float]) -> pd.DataFrame:
        """Return the privacy cost of the same tail over the distance t, for each δ."""
        setting = self.setting
        return laplace_gaussian.privacy_costs(
            t, setting.calibration, setting.epsilon, deltas, *setting.norms, setting.cutoff
        )

    @property
    def ratio_grid(self) -> Array:
        """The distances of the ratios: slightly beyond where the last tail falls below the cutoff."""
        setting = self.setting
        return self._distance_grid(setting.calibration.scale(setting.epsilon, self.deltas, setting.l2))

    @property
    def cost_grid(self) -> Array:
        """The distances of the privacy costs: slightly beyond where Laplace's tail falls below the cutoff."""
        return self._distance_grid([])

    def _distance_grid(self, sigma: ArrayLike) -> Array:
        """Return distances up to a round number, with those next to which a curve becomes unlikely.

        That is where its later tail, Laplace's or that of a σ, falls below the cutoff.
        """
        cutoff = self.setting.cutoff
        last_of_laplace = float(laplace.half_width(cutoff, self.noises.laplace.scale))
        last_distances = np.maximum(last_of_laplace, [0.0, *gaussian.half_width(cutoff, np.ravel(sigma))])
        grid = np.linspace(0, round_axis_end(1.2 * float(last_distances.max())), 401)
        limits = [status_limits(grid, lambda t, last=last: t > last) for last in last_distances]
        return np.union1d(grid, np.concatenate(limits))
