"""The result of the page at one setting, with the tails of both noises and the scales within bounds."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import gaussian, laplace, laplace_gaussian
from dpcore.calibrations import LAPLACE
from dpcore.checks import Array
from dpcore.generalized_gaussian import bounded_comparison as comparison
from dpcore.generalized_gaussian import lemma_exponential_scale
from dpcore.laplace_gaussian import NoisePair
from pages.framework.chart.theme import decades, round_axis_end
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.uploaded_files import kept
from pages.papers.balle_means.results import DataSets, MeanExperiment, mean_experiment
from pages.papers.liu_tables.results import ExperimentData, TableExperiment, table_experiment
from pages.shared.bounded_noise import LEAST_WIDTH, BoundedSetting, bounded_noise
from pages.shared.counts.table import Counts, Upload, table_of
from pages.shared.laplace_query import LaplaceQuerySetting
from pages.shared.shared_parameters import SharedSetting, read_setting
from pages.shared.status_lines import status_limits


@dataclass(frozen=True)
class TailsSetting(LaplaceQuerySetting):
    """The values of the parameters of the section on tails."""

    deltas: tuple[float, ...]
    cutoff: float


@dataclass(frozen=True)
class TailsResult:
    """The tails of both noises at one setting, and the ε at which they are equal, each number once."""

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
            setting.calibration, "epsilon", setting.epsilon, setting.delta, setting.norms
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
            t, setting.calibration, setting.epsilon, deltas, setting.norms, setting.cutoff
        )

    def costs(self, t: ArrayLike, deltas: list[float]) -> pd.DataFrame:
        """Return the privacy cost of the same tail over the distance t, for each δ."""
        setting = self.setting
        return laplace_gaussian.privacy_costs(
            t, setting.calibration, setting.epsilon, deltas, setting.norms, setting.cutoff
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


SHAPES = np.concatenate(  # straight lines between them deviate from the curves by at most 4 %
    [
        [1, 1.01],
        np.linspace(1.02, 1.3, 15),
        np.linspace(1.4, 2, 7),
        np.linspace(2.2, 3, 5),
        np.linspace(3.5, 5, 4),
        [6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 40, 48, 56, 64],
    ]
)


@dataclass(frozen=True)
class ExponentialResult:
    """The scale b of the exponential mechanism and of the others within the bounds of one setting."""

    setting: BoundedSetting

    @property
    def scale(self) -> dict[str, float]:
        """The b of each mechanism, by its key."""
        return bounded_noise(self.setting).scale

    def scales_over(self, over: str) -> pd.DataFrame:
        """Return the scale b of every mechanism over p or over the width of the bounds ("width")."""
        setting = self.setting
        bounds = setting.bound_low, setting.bound_high, setting.l2_sensitivity
        if over == "p":
            return kept(_along_shape, setting.epsilon, setting.delta, *bounds)
        return kept(_along_width, setting.epsilon, setting.delta, setting.p, *bounds)

    @property
    def centred_lemma(self) -> float:
        """Lemma 10's b for bounds of the same width with 0 in the middle."""
        setting, half = self.setting, self.setting.width / 2
        return float(
            lemma_exponential_scale(setting.epsilon, setting.p, [setting.bounded_sensitivity], [-half], [half])
        )


def width_decades(sensitivity: float, width: float) -> tuple[int, int]:
    """Return the decades of the axis of widths: three from the sensitivity on, or as far as the current width."""
    first = math.floor(math.log10(sensitivity))
    return decades(first, first + 3, width)


def width_grid(sensitivity: float, width: float) -> Array:
    """Return the widths of the picture: three decades from the sensitivity on, or as far as the current width."""
    low, high = width_decades(sensitivity, width)
    return np.logspace(low, high, 10 * (high - low) + 1)


def _along_shape(epsilon: float, delta: float, low: float, high: float, sensitivity: float) -> pd.DataFrame:
    frame = comparison.scales(epsilon, delta, SHAPES, low, high, sensitivity)
    frame.insert(0, "p", SHAPES)
    return frame


def _along_width(epsilon: float, delta: float, p: float, low: float, high: float, sensitivity: float) -> pd.DataFrame:
    used_sensitivity = float(comparison.bounded_sensitivity(sensitivity, low, high))
    tops = low + width_grid(used_sensitivity, high - low)
    tops = tops[tops - low >= LEAST_WIDTH]  # far from 0 both of the narrowest bounds are the same double
    frame = comparison.scales(epsilon, delta, p, low, tops, sensitivity)
    frame.insert(0, "width", tops - low)
    return frame


@dataclass(frozen=True)
class PapersResult:
    """The result at one setting, each part computed once; `pinned` is that of the pinned setting.

    `problem` is the sentence why the user's own table cannot be used. `experiment_data` and `data_sets` are what the
    session has of the experiments on tables and on means.
    """

    values: Values
    table: Counts | None
    pinned: "PapersResult | None" = None
    problem: str = ""
    experiment_data: ExperimentData | None = None
    data_sets: DataSets | None = None

    @property
    def section(self) -> str:
        """The key of the open section."""
        return self.values["section"]

    @cached_property
    def setting(self) -> SharedSetting:
        """The shared parameters."""
        return read_setting(SharedSetting, self.values)

    @cached_property
    def bounded_setting(self) -> BoundedSetting:
        """The parameters of noise within bounds."""
        return read_setting(BoundedSetting, self.values)

    @cached_property
    def exponential(self) -> ExponentialResult | None:
        """The scales of the exponential mechanism; None where ε is too small for it."""
        return ExponentialResult(self.bounded_setting) if self.bounded_setting.has_bounded_answer else None

    @cached_property
    def tails(self) -> TailsResult:
        """The tails of Laplace and Gaussian noise."""
        return TailsResult(read_setting(TailsSetting, self.values))

    @property
    def answered_pinned_tails(self) -> TailsResult | None:
        """The tails of the pinned setting, if Laplace noise has an answer there."""
        return self.pinned.tails if self.pinned is not None and self.pinned.tails.has_answer else None

    @cached_property
    def table_experiment(self) -> TableExperiment | None:
        """Liu's experiment on the table or on Adult; None without one."""
        frame, source = (None, "") if self.table is None else (self.table.frame, self.table.source)
        return table_experiment(self.values, frame, source, self.experiment_data)

    @cached_property
    def mean_experiment(self) -> MeanExperiment:
        """Balle and Wang's experiment on means."""
        return mean_experiment(self.values, self.data_sets)


def compute_result(
    values: Values,
    upload: Upload | None = None,
    experiment_data: ExperimentData | None = None,
    data_sets: DataSets | None = None,
) -> PapersResult:
    """Return the result of the page's parameters, with what the session has."""
    session = upload, experiment_data, data_sets
    pinned = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None}, *session)
    table = table_of(values["table"], values.get("own"), upload)
    problem = "" if upload is None or table is not None else upload.problem
    return PapersResult(values, table, pinned, problem, experiment_data, data_sets)
