"""What follows from one setting of the page, each number computed once."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from dpcore import gaussian, laplace, tables
from dpcore import laplace_gaussian as rivals
from dpcore.calibrations import LAPLACE, STAIRCASE, Calibration
from dpcore.checks import Array
from dpcore.laplace_gaussian import NoisePair
from dpcore.mechanism import Mechanism, calibrated
from dpcore.sensitivity import table_sensitivity
from pages.framework.parameters.kinds import Values
from pages.laplace_gaussian import grids
from pages.laplace_gaussian.parameters import LaplaceGaussianSetting
from pages.shared.shared_parameters import read_setting

ErrorPair = tuple[dict[str, float], dict[str, float]]
"""The errors of the Laplace and the Gaussian noise, each by measure."""
N_DRAWS = 100_000  # of each noise
_N_BINS = 100


@dataclass(frozen=True)
class LaplaceGaussianResult:
    """One setting, and what follows from it, each computed once; `view` is the lead picture, `function` that of
    densities, and `pinned` the kept setting beside it.

    Where ε is too small for Laplace noise (`has_answer` is false), what needs it is that of the least ε that is not.
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
        return rivals.matched(self.calibration, setting.hold, self.epsilon, setting.delta, *setting.norms, setting.t)

    @cached_property
    def errors(self) -> ErrorPair:
        """How large the Laplace and the Gaussian noise are."""
        laplaces, gaussians = (rivals.errors(noise, self.setting.significance) for noise in self.noises)
        return laplaces, gaussians

    @cached_property
    def candidates(self) -> tuple[Mechanism, ...]:
        """Every mechanism that fits the query at this ε and δ, of which one is recommended."""
        setting = self.setting
        if setting.case != "own":
            person = table_sensitivity(setting.k if setting.case == "counts" else 1)
            return tables.mechanisms(self.epsilon, setting.delta, person)
        rules = [LAPLACE, *([STAIRCASE] if setting.l1 == setting.l2 else []), *rivals.CALIBRATIONS]
        sizes = {"l1": setting.l1, "l2": setting.l2}
        return tuple(calibrated(rule, self.epsilon, setting.delta, sizes[rule.norm]) for rule in rules)

    @property
    def accuracy(self) -> dict[str, float]:
        """The half-width of each noise, by its key in the figures."""
        return {"laplace": self.errors[0]["accuracy"], "gaussian": self.errors[1]["accuracy"]}

    @cached_property
    def crossing(self) -> int:
        """The number of counts from which on the Gaussian is the smaller."""
        setting = self.setting
        return rivals.crossover(self.calibration, setting.measure, self.epsilon, setting.delta, setting.significance)

    @cached_property
    def frontier(self) -> float:
        """The δ above which the Gaussian is the smaller."""
        setting = self.setting
        return float(
            rivals.frontier(self.calibration, setting.measure, self.epsilon, *setting.norms, setting.significance)
        )

    @cached_property
    def draws(self) -> tuple[pd.DataFrame, dict[str, int]]:
        """How many seeded draws of each noise fall where, and how many beyond its accuracy."""
        return _count_draws(self.noises, int(self.setting.seed), self.accuracy)

    @property
    def comparable(self) -> "LaplaceGaussianResult | None":
        """The kept setting, if Laplace noise has an answer there."""
        return self.pinned if self.pinned is not None and self.pinned.has_answer else None

    @cached_property
    def same_epsilon(self) -> "LaplaceGaussianResult":
        """Both noises at the same ε."""
        return replace(self, setting=replace(self.setting, hold="epsilon"), pinned=None)

    @property
    def deltas(self) -> list[float]:
        """The δ of the list and the page's."""
        return sorted({*self.setting.deltas, self.setting.delta})

    @property
    def laplace_cutoff_distance(self) -> Array:
        """Where Laplace's tail falls below the cutoff."""
        return laplace.half_width(self.setting.cutoff, self.noises.laplace.scale)

    @cached_property
    def densities(self) -> pd.DataFrame:
        """Density and distribution of both noises."""
        return rivals.densities(grids.noise_grid(self.noises), self.noises.laplace.scale, self.noises.gaussian.scale)


def compute_result(values: Values) -> LaplaceGaussianResult:
    """Return what the page shows at the values of its parameters, beside the result of a pinned setting."""
    pinned = values["pinned"] and compute_result(values | values["pinned"])
    setting = read_setting(LaplaceGaussianSetting, values)
    return LaplaceGaussianResult(setting, values["section"], values["view"], values["function"], pinned)


@lru_cache(4)
def _unit_draws(seed: int) -> tuple[Array, Array]:
    """Draws of Laplace and Gaussian noise of scale 1, in order."""
    rng = np.random.default_rng(seed)
    return np.sort(laplace.sample(rng, 1.0, N_DRAWS)), np.sort(gaussian.sample(rng, 1.0, N_DRAWS))


def _count_draws(noises: NoisePair, seed: int, accuracy: dict[str, float]) -> tuple[pd.DataFrame, dict[str, int]]:
    """How many seeded draws of each noise fall into each bin (low, high), and how many beyond its accuracy."""
    reach = grids.axis_end(noises, 1e-3)
    edges, units = np.linspace(-reach, reach, _N_BINS + 1), _unit_draws(seed)
    counts, beyond = {}, {}
    for key, unit, scale in zip(
        ("laplace", "gaussian"), units, (noises.laplace.scale, noises.gaussian.scale), strict=True
    ):
        counts[key] = np.diff(np.searchsorted(unit, edges / scale))
        low, high = np.searchsorted(unit, np.array([-1, 1]) * (accuracy[key] / scale))
        beyond[key] = int(low + N_DRAWS - high)
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:]} | counts), beyond
