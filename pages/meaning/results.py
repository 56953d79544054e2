"""The parameters of the page on what ε means, and what follows from ε and δ for one person."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import tradeoff
from dpcore.checks import Array
from pages.framework.parameters.kinds import Choice, Pin
from pages.framework.parameters.parameter import Values
from pages.shared.shared_parameters import ALPHA, GUARANTEE, PRIOR, SharedSetting, read_setting
from pages.shared.status_lines import N_PEOPLE

IN_DATA = Choice("in_data", "Does everybody know that you are in the data?", {"open": "No", "known": "Yes"}, "open")
_RELATIONS = {"unknown": "I don’t know", "add_remove": "Adding or removing a person", "replace": "Replacing their data"}
STATED_FOR = Choice("stated_for", "The guarantee is for", _RELATIONS, "unknown")
_OWN = IN_DATA, STATED_FOR, GUARANTEE, PRIOR, ALPHA
PARAMETERS = (*_OWN, Pin(_OWN))
PRIORS = np.linspace(0, 1, 201)
CHANCES = np.array([0.001, 0.01, 0.1, 0.5, 0.9])


@dataclass(frozen=True)
class MeaningSetting(SharedSetting):
    """The parameters of the page, under their keys."""

    promise: str
    prior: float
    alpha: float
    in_data: str
    stated_for: str


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
    def is_known(self) -> bool:
        """Whether everybody knows that the person is in the data, so that what is hidden is a fact about them."""
        return self.setting.in_data == "known"

    @property
    def counts_twice(self) -> bool:
        """Whether a fact changes in two steps: the person is removed with one, and added with another one.

        A guarantee for replacing one person’s data has one step; where the relation is unknown, two are safe.
        """
        return self.is_known and self.setting.stated_for != "replace"

    @property
    def is_relation_unknown(self) -> bool:
        """Whether the number rests on a relation of neighbours that nobody has named."""
        return self.is_known and self.setting.stated_for == "unknown"

    @property
    def used_epsilon(self) -> float:
        """The ε that limits what is asked."""
        return self.setting.epsilon * (2 if self.counts_twice else 1)

    @property
    def used_delta(self) -> float:
        """The δ that limits what is asked, 0 where the guarantee is pure."""
        factor = 1 + math.exp(min(self.setting.epsilon, 700.0)) if self.counts_twice else 1.0
        return 0.0 if self.is_pure else min(self.setting.delta * factor, 1.0)

    @cached_property
    def found(self) -> float:
        """The largest share of those of whom it is true whom the stated attack can flag, for a guarantee with a δ."""
        return float(tradeoff.epsilon_delta_power(self.setting.alpha, self.used_epsilon, self.used_delta))

    def most_belief(self, prior: ArrayLike) -> Array:
        """Return the most that anybody can believe: after any outcome, or with a δ after the stated attack."""
        if self.is_pure:
            return tradeoff.pure_posterior(self.used_epsilon, prior)
        return tradeoff.posterior(self.setting.alpha, self.found, prior)

    def least_belief(self, prior: ArrayLike) -> Array:
        """Return the least that anybody can believe after any outcome; the opposite has the same bound.

        NaN where the guarantee has a δ, which bounds no outcome.
        """
        least = 1 - tradeoff.pure_posterior(self.used_epsilon, 1 - np.asarray(prior))
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
        """Of 100 people, of how many it is true as far as anybody can tell: before, at least and at most after.

        After a release whole people are on the safe side: fewer at least, more at most.
        """
        low, high = self.range_of_belief
        numbers = [round(N_PEOPLE * self.setting.prior), *([] if math.isnan(low) else [math.floor(N_PEOPLE * low)])]
        names = ["before", *([] if math.isnan(low) else ["at_least"]), "at_most"]
        return pd.DataFrame({"when": names, "people": [*numbers, math.ceil(N_PEOPLE * high)]})

    @cached_property
    def chances(self) -> pd.DataFrame:
        """The chance of an event without a person's data, and at least and at most with them."""
        epsilon, delta = self.used_epsilon, self.used_delta
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
        names += ("in_data", "stated_for") if self.is_known else ("in_data",)
        return {"guarantee": setting.promise} | setting.texts(*names)


def compute_result(values: Values) -> MeaningResult:
    """Return the result at the values of the parameters."""
    pinned = values["pinned"] and compute_result(values["pinned"] | {"pinned": None})
    return MeaningResult(read_setting(MeaningSetting, values), pinned)
