"""The kinds of statistic of a plan that are chosen instead of getting noise: each is a record.

Their error follows from the ε of a mechanism, and the reverse; no sensitivity of noise is needed.
"""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpcore import quantiles, selection
from dpcore.checks import BOUND_RANGE, POSITIVE_EPSILON_RANGE, Array, interval_bounds, refuse, scalar, scalar_integer
from dpcore.clipping import Distribution
from dpcore.clipping.distributions import Data, as_values
from dpcore.plan.statistics import Statistic, records_in_all
from dpcore.quantiles.distribution import sample_of
from dpcore.rounding import round_down, round_up

CHOICE_MECHANISMS = ("exponential", "permute_and_flip")
_CANDIDATES_RANGE, _AMOUNT_RANGE = "[2, 1e5]", "[1e-100, 1e100]"
_MOST_ERROR = 1e16
_LEAST_EPSILON = interval_bounds(POSITIVE_EPSILON_RANGE)[0]


class Chosen(Statistic):
    """A statistic that a mechanism chooses, without noise."""

    is_choice: ClassVar[bool] = True

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """The mechanisms that it can have."""
        return CHOICE_MECHANISMS

    @property
    def epsilon_range(self) -> str:
        """The ε that it can have where that is fixed."""
        return POSITIVE_EPSILON_RANGE

    @abstractmethod
    def epsilon(self, mechanism: str, half_width: float, significance: float, neighbours: str) -> float:
        """Return the least ε of an error; ValueError where none is enough."""

    @abstractmethod
    def half_width(self, mechanism: str, epsilon: float, significance: float, neighbours: str) -> float:
        """Return the error at an ε."""


@dataclass(frozen=True)
class Quantile(Chosen):
    """A quantile of one value for each person, released within [low, high] by the exponential mechanism.

    A person may have up to `records_per_person` values in each of `n_periods` instead, and moves every score so many
    times as far as all of these are: the mechanism of an ε has the error of one value per person at ε ÷ (NP) (exactly,
    by the rank's definition; group privacy gives the same).

    Attributes
    ----------
    values : a distribution of `dpcore.clipping`, from public figures, or values, as in `quantiles.half_width`.
    quantile : q in [0, 1].
    low, high : the public range.
    step : the distance of the values that can be released, low, low + step, …: with it permute-and-flip is possible
        too. None for any number of the range.
    records_per_person, n_periods : N and P, the most values of a person in each period, and the periods of values, such
        as the years of their dates. N is enforced.
    """

    values: ArrayLike | Distribution | Data
    quantile: float = 0.5
    low: float = 0.0
    high: float = 1.0
    step: float | None = None
    records_per_person: int = 1
    n_periods: int = 1
    kind: ClassVar[str] = "quantile"

    def __post_init__(self) -> None:
        records_in_all(self.records_per_person, self.n_periods)
        object.__setattr__(self, "values", as_values(self.values))

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """The mechanisms that it can have."""
        return CHOICE_MECHANISMS[:1] if self.step is None else CHOICE_MECHANISMS

    @property
    def epsilon_range(self) -> str:
        """The ε that it can have where that is fixed."""
        _, most = POSITIVE_EPSILON_RANGE.split(", ")
        return f"[{_LEAST_EPSILON * self._n_own!r}, {most}"

    @property
    def _n_own(self) -> int:
        """The most values of a person in all periods together."""
        return records_in_all(self.records_per_person, self.n_periods)

    def epsilon(self, mechanism: str, half_width: float, significance: float, neighbours: str) -> float:
        """Return the least ε of an error; ValueError where none is enough."""
        wanted = min(half_width, _MOST_ERROR)
        outputs = self._outputs(mechanism)
        of_one = quantiles.least_epsilon(self._known, self.quantile, wanted, outputs, significance, neighbours)
        n = self._n_own
        return of_one if n == 1 else float(round_up(of_one * n, 8))

    def half_width(self, mechanism: str, epsilon: float, significance: float, neighbours: str) -> float:
        """Return the error at an ε."""
        n = self._n_own
        of_one = epsilon if n == 1 else max(round_down(epsilon / n, 2), _LEAST_EPSILON)
        known = self._known, self.quantile, of_one, self._outputs(mechanism)
        return float(quantiles.half_width(*known, significance, neighbours))

    def _outputs(self, mechanism: str) -> quantiles.Range | quantiles.Grid:
        """Return what can be released."""
        if self.step is None:
            return quantiles.Range(self.low, self.high)
        return quantiles.Grid(self.candidates, mechanism)

    @cached_property
    def _known(self) -> Data:
        """The values, or those of a typical sample, in their order."""
        return sample_of(self.values)

    @cached_property
    def candidates(self) -> Array:
        """The values that can be released where they have a step."""
        step = scalar("step", self.step or 0.0, "(0, 1e15]")
        low, high = scalar("low", self.low, BOUND_RANGE), scalar("high", self.high, BOUND_RANGE)
        refuse("high", np.asarray(high), np.asarray(high <= low), "(low, 1e15]")
        n_steps = scalar_integer("the number of candidates", np.floor((high - low) / step + 1e-9) + 1, "[1, 1e5]")
        return low + step * np.arange(n_steps, dtype=np.float64)


@dataclass(frozen=True)
class Largest(Chosen):
    """Which of `n_candidates` counts is the largest; a person changes each by at most `per_candidate`.

    Its error a says that in a share 1 − α of releases the one that is chosen has at most a fewer than the largest,
    whatever the counts are; the worst are those where one leads all others by a. So the true winner is chosen where it
    leads by more than a.
    """

    n_candidates: int = 2
    per_candidate: float = 1.0
    kind: ClassVar[str] = "largest"

    def epsilon(self, mechanism: str, half_width: float, significance: float, neighbours: str) -> float:
        """Return the least ε of an error; ValueError where none is enough."""
        amount = scalar("per_candidate", self.per_candidate, _AMOUNT_RANGE)
        unit = _unit_epsilon(self.n_candidates, mechanism, significance, neighbours)
        return max(unit * amount / half_width * (1 + 1e-15), 1e-12)

    def half_width(self, mechanism: str, epsilon: float, significance: float, neighbours: str) -> float:
        """Return the error at an ε."""
        unit = _unit_epsilon(self.n_candidates, mechanism, significance, neighbours)
        return unit * self.per_candidate / epsilon * (1 + 1e-15)


def _unit_epsilon(n_candidates: int, mechanism: str, significance: float, neighbours: str) -> float:
    """Return the ε with which a lead of 1 is enough."""
    others = scalar_integer("n_candidates", n_candidates, _CANDIDATES_RANGE) - 1
    scores = np.append(0.0, np.full(others, -1.0))
    is_monotone = neighbours == "add_remove"
    return selection.least_epsilon(scores, 1 - significance, 1.0, mechanism, is_monotone)
