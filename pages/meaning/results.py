"""What ε allows to be learned about one person, at one setting."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import tradeoff
from dpcore.checks import Array
from pages.framework.parameters.parameter import Values
from pages.shared.picture_parts import N_PEOPLE
from pages.shared.shared_parameters import SharedSetting, read_setting

PRIORS = np.linspace(0, 1, 201)
CHANCES = np.array([0.001, 0.01, 0.1, 0.5, 0.9])


@dataclass(frozen=True)
class MeaningSetting(SharedSetting):
    """The parameters of the page, under their keys."""

    promise: str
    prior: float
    alpha: float


@dataclass(frozen=True)
class MeaningResult:
    """What follows for one person; `pinned` is the result at the pinned setting."""

    setting: MeaningSetting
    pinned: "MeaningResult | None" = None

    @property
    def is_pure(self) -> bool:
        """Whether the guarantee is pure ε-DP, which bounds what every outcome reveals."""
        return self.setting.promise == "pure"

    @property
    def used_delta(self) -> float:
        """δ of the guarantee, 0 where it is pure."""
        return 0.0 if self.is_pure else self.setting.delta

    def most_belief(self, prior: ArrayLike) -> Array:
        """Return the most that anybody can believe: after any outcome, or with a δ after the stated test."""
        if self.is_pure:
            return tradeoff.pure_posterior(self.setting.epsilon, prior)
        alpha = self.setting.alpha
        power = tradeoff.epsilon_delta_power(alpha, self.setting.epsilon, self.used_delta)
        return tradeoff.posterior(alpha, power, prior)

    def least_belief(self, prior: ArrayLike) -> Array:
        """Return the least that anybody can believe after any outcome; not being in the data has the same bound.

        NaN where the guarantee has a δ, which bounds no outcome.
        """
        least = 1 - tradeoff.pure_posterior(self.setting.epsilon, 1 - np.asarray(prior))
        return least if self.is_pure else np.full_like(least, np.nan)

    @cached_property
    def range_of_belief(self) -> tuple[float, float]:
        """The belief after a release at the prior of the page: at least, and at most."""
        return float(self.least_belief(self.setting.prior)), float(self.most_belief(self.setting.prior))

    @cached_property
    def beliefs(self) -> pd.DataFrame:
        """The range over every prior."""
        return pd.DataFrame(
            {"prior": PRIORS, "at_least": self.least_belief(PRIORS), "at_most": self.most_belief(PRIORS)}
        )

    @cached_property
    def people(self) -> pd.DataFrame:
        """Of 100 people, how many are in the data as far as anybody can tell: before, at least and at most after.

        After a release whole people are on the safe side: fewer at least, more at most.
        """
        low, high = self.range_of_belief
        numbers = [round(N_PEOPLE * self.setting.prior), *([] if math.isnan(low) else [math.floor(N_PEOPLE * low)])]
        names = ["before", *([] if math.isnan(low) else ["at_least"]), "at_most"]
        return pd.DataFrame({"when": names, "people": [*numbers, math.ceil(N_PEOPLE * high)]})

    @cached_property
    def chances(self) -> pd.DataFrame:
        """The chance of an event without a person's data, and at least and at most with them."""
        epsilon, delta = self.setting.epsilon, self.used_delta
        return pd.DataFrame(
            {
                "without": CHANCES,
                "at_least": 1 - tradeoff.epsilon_delta_power(1 - CHANCES, epsilon, delta),
                "at_most": tradeoff.epsilon_delta_power(CHANCES, epsilon, delta),
            }
        )

    @property
    def csv_header(self) -> dict[str, str]:
        """The parameters for the top of a CSV."""
        setting = self.setting
        names = ("epsilon", "delta") if not self.is_pure else ("epsilon",)
        names += ("prior",) if self.is_pure else ("prior", "alpha")
        return {"guarantee": setting.promise} | {name: repr(getattr(setting, name)) for name in names}


def compute_result(values: Values) -> MeaningResult:
    """Return the result at the values of the parameters."""
    pinned = values["pinned"] and compute_result(values["pinned"] | {"pinned": None})
    return MeaningResult(read_setting(MeaningSetting, values), pinned)
