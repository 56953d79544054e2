"""What follows from one setting of the page, each number computed once."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from dpcore import gaussian, laplace, tables
from dpcore import laplace_gaussian as rivals
from dpcore.calibrations import LAPLACE, STAIRCASE, Calibration
from dpcore.checks import Array
from dpcore.laplace_gaussian import NoisePair
from dpcore.mechanism import Mechanism, calibrated
from dpcore.sensitivity import table_sensitivity
from pages.framework.export.exhibit import Exhibit, Figure
from pages.laplace_gaussian import advice_text, figures, map_text, text
from pages.laplace_gaussian.explanation import explanation
from pages.laplace_gaussian.setting import ErrorPair, LaplaceGaussianSetting


@dataclass(frozen=True)
class LaplaceGaussianResult:
    """One setting, and what follows from it, each computed once; `view` is the lead picture, `function` that of
    densities, and `pinned` the kept setting beside it.

    Where ε is too small for Laplace noise (`possible` is false), what needs it is that of the least ε that is not.
    """

    setting: LaplaceGaussianSetting
    view: str
    function: str
    pinned: "LaplaceGaussianResult | None" = None

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
        return figures.drawn(self.noises, int(self.setting.seed), self.accuracy)

    @property
    def before(self) -> "LaplaceGaussianResult | None":
        """The kept setting, if Laplace noise has an answer there."""
        return self.pinned if self.pinned is not None and self.pinned.possible else None

    @cached_property
    def same_epsilon(self) -> "LaplaceGaussianResult":
        """Both noises at the same ε."""
        return LaplaceGaussianResult(replace(self.setting, hold="epsilon"), self.view, self.function)

    @property
    def deltas(self) -> list[float]:
        """The δ of the list and the page's."""
        return sorted({*self.setting.deltas, self.setting.delta})

    @property
    def distance_said(self) -> str:
        """How both tails compare at t at the same ε, and what the same tail there costs in ε."""
        setting, same = self.setting, self.same_epsilon.noises
        tails = float(laplace.tail(setting.t, same.laplace.scale)), float(gaussian.tail(setting.t, same.gaussian.scale))
        cost = rivals.privacy_costs(self.calibration, self.epsilon, setting.delta, setting.t, *setting.norms)["cost"]
        return text.at_distance(setting, tails, float(cost.to_numpy()[0]))

    @property
    def laplace_reach(self) -> Array:
        """Where Laplace's tail falls below the cutoff."""
        return laplace.half_width(self.setting.cutoff, self.noises.laplace.scale)

    @cached_property
    def densities(self) -> pd.DataFrame:
        """Density and distribution of both noises."""
        return rivals.densities(self.noises.laplace.scale, self.noises.gaussian.scale, figures.noise_grid(self.noises))

    @property
    def alternative(self) -> str:
        """What the pictures of both noises show."""
        return text.alternative(self.setting, self.noises, self.errors)

    @property
    def subtitle(self) -> str:
        """The parameters of the pictures of both noises."""
        return text.subtitle(self.setting, text.both(self.setting, self.noises))

    @property
    def crossing_said(self) -> str:
        """From how many counts on the Gaussian is the smaller."""
        return map_text.crossing_words(self.setting, self.crossing)

    @property
    def map_said(self) -> str:
        """Above which δ the Gaussian is the smaller."""
        return map_text.frontier_words(self.setting, self.frontier)

    @property
    def answer(self) -> tuple[str, ...]:
        """The page's answer and, beside a kept setting, what has changed."""
        if not self.possible:
            return text.no_answer(self.setting)
        said = text.answer(self.setting, self.noises, self.errors)
        before = self.before
        if before is None:
            return said if self.pinned is None else (*said, text.not_before(self.pinned.setting))
        return *said, text.compared(self.setting, self.errors, before.setting, before.errors)

    @property
    def advice(self) -> str:
        """Which noise to take."""
        return advice_text.general(self.setting, self.noises, self.errors, self.candidates)

    @property
    def advice_by(self) -> str:
        """Which noise to take by the chosen measure."""
        same = self.same_epsilon
        return advice_text.by_measure(self.setting, same.noises, same.errors, self.candidates)

    @property
    def where_said(self) -> str:
        """Where each noise wins."""
        if not self.possible:
            return map_text.NO_CROSSING["epsilon"]
        if self.counted:
            return f"{self.crossing_said} {self.map_said}"
        return f"{map_text.NO_CROSSING[self.setting.case]} {self.map_said}{map_text.broken(self.setting)}"

    @property
    def explanation(self) -> str:
        """How the numbers are computed."""
        return explanation(self.setting, self.noises) if self.possible else text.no_answer(self.setting)[1]

    @property
    def header(self) -> dict[str, Any]:
        """The parameters for the top of a CSV, with the kept setting's, if there is one."""
        kept = {} if self.pinned is None else {"pinned": text.described(self.pinned.setting)}
        return text.csv_header(self.setting) | kept

    def exhibit(self, name: str, figure: Figure, numbers: pd.DataFrame, alternative: str, **more: Any) -> Exhibit:
        """A picture of this setting."""
        return Exhibit(name, figure, alternative, numbers, self.header | more)
