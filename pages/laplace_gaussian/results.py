"""What is computed at one setting of the page, each number once."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from dpcore import gaussian, laplace, laplace_gaussian, tables
from dpcore.calibrations import LAPLACE, STAIRCASE, Calibration
from dpcore.checks import Array
from dpcore.laplace_gaussian import NoisePair
from dpcore.mechanism import Mechanism, calibrated
from dpcore.sensitivity import table_sensitivity
from pages.framework.parameters.parameter import Values
from pages.laplace_gaussian import grids
from pages.laplace_gaussian.parameters import LaplaceGaussianSetting
from pages.shared.shared_parameters import read_setting

ErrorPair = tuple[dict[str, float], dict[str, float]]
"""The errors of the Laplace and the Gaussian noise, each by measure."""
N_DRAWS = 100_000  # of each noise
_N_BINS = 100


@dataclass(frozen=True)
class LaplaceGaussianResult:
    """What is computed at one setting, each number once.

    `section` is the open section, `view` its lead picture, `function` the function that the section on densities draws,
    and `pinned` the result of a pinned setting. Where ε is too small for Laplace noise (`has_answer` is false), the
    numbers are those of the least ε that is large enough.
    """

    setting: LaplaceGaussianSetting
    section: str
    view: str
    function: str
    pinned: "LaplaceGaussianResult | None" = None

    @property
    def has_answer(self) -> bool:
        """Whether Laplace noise has an answer at this ε."""
        return self.setting.epsilon >= LAPLACE.least_epsilon

    @property
    def has_counts(self) -> bool:
        """Whether there is a number of counts to vary."""
        return self.has_answer and self.setting.case == "counts"

    @property
    def epsilon(self) -> float:
        """ε, or the least for which Laplace noise has an answer."""
        return max(self.setting.epsilon, LAPLACE.least_epsilon)

    @property
    def calibration(self) -> Calibration:
        """The formula of the Gaussian."""
        return self.setting.calibration

    @cached_property
    def noises(self) -> NoisePair:
        """Both noises."""
        setting = self.setting
        return laplace_gaussian.calibrate_equal(
            self.calibration, setting.hold, self.epsilon, setting.delta, *setting.norms, setting.t
        )

    @cached_property
    def errors(self) -> ErrorPair:
        """The errors of the Laplace and the Gaussian noise, by measure."""
        laplaces, gaussians = (laplace_gaussian.errors(noise, self.setting.significance) for noise in self.noises)
        return laplaces, gaussians

    @cached_property
    def candidates(self) -> tuple[Mechanism, ...]:
        """Every mechanism for the query at this ε and δ, of which one is recommended."""
        setting = self.setting
        if setting.case != "own":
            person = table_sensitivity(setting.k if setting.case == "counts" else 1)
            return tables.mechanisms(self.epsilon, setting.delta, person)
        rules = [LAPLACE, *([STAIRCASE] if setting.l1 == setting.l2 else []), *laplace_gaussian.CALIBRATIONS]
        sizes = {"l1": setting.l1, "l2": setting.l2}
        return tuple(calibrated(rule, self.epsilon, setting.delta, sizes[rule.norm]) for rule in rules)

    @property
    def half_widths(self) -> dict[str, float]:
        """The half-width of each noise, by its key in the figures."""
        return {"laplace": self.errors[0]["accuracy"], "gaussian": self.errors[1]["accuracy"]}

    @cached_property
    def crossing(self) -> int:
        """The number of counts from which on the Gaussian is the smaller."""
        setting = self.setting
        return laplace_gaussian.crossover(
            self.calibration, setting.measure, self.epsilon, setting.delta, setting.significance
        )

    @cached_property
    def frontier(self) -> float:
        """The δ above which the Gaussian is the smaller."""
        setting = self.setting
        return float(
            laplace_gaussian.frontier(
                self.calibration, setting.measure, self.epsilon, *setting.norms, setting.significance
            )
        )

    @cached_property
    def draws(self) -> tuple[pd.DataFrame, dict[str, int]]:
        """The histograms of seeded draws of each noise, and how many lie beyond its half-width."""
        return _count_draws(self.noises, int(self.setting.seed), self.half_widths)

    @property
    def answered_pinned(self) -> "LaplaceGaussianResult | None":
        """The result of the pinned setting, if Laplace noise has an answer there."""
        return self.pinned if self.pinned is not None and self.pinned.has_answer else None

    @cached_property
    def same_epsilon(self) -> "LaplaceGaussianResult":
        """Both noises at the same ε."""
        return replace(self, setting=replace(self.setting, hold="epsilon"), pinned=None)

    @cached_property
    def densities(self) -> pd.DataFrame:
        """Density and distribution of both noises."""
        return laplace_gaussian.densities(
            grids.noise_grid(self.noises), self.noises.laplace.scale, self.noises.gaussian.scale
        )


def compute_result(values: Values) -> LaplaceGaussianResult:
    """Return what the page shows at the values of its parameters, beside the result of a pinned setting."""
    pinned = values["pinned"] and compute_result(values | values["pinned"])
    setting = read_setting(LaplaceGaussianSetting, values)
    return LaplaceGaussianResult(setting, values["section"], values["view"], values["function"], pinned)


@lru_cache(4)
def _unit_draws(seed: int) -> tuple[Array, Array]:
    """Return sorted draws of Laplace and Gaussian noise of scale 1."""
    rng = np.random.default_rng(seed)
    return np.sort(laplace.sample(rng, 1.0, N_DRAWS)), np.sort(gaussian.sample(rng, 1.0, N_DRAWS))


def _count_draws(noises: NoisePair, seed: int, accuracy: dict[str, float]) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return how many seeded draws of each noise fall into each bin (low, high), and how many beyond its half-width."""
    end = grids.axis_end(noises, 1e-3)
    edges, units = np.linspace(-end, end, _N_BINS + 1), _unit_draws(seed)
    counts, beyond = {}, {}
    for key, unit, scale in zip(
        ("laplace", "gaussian"), units, (noises.laplace.scale, noises.gaussian.scale), strict=True
    ):
        counts[key] = np.diff(np.searchsorted(unit, edges / scale))
        low, high = np.searchsorted(unit, np.array([-1, 1]) * (accuracy[key] / scale))
        beyond[key] = int(low + N_DRAWS - high)
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:]} | counts), beyond
