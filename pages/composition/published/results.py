"""Published promises under today's conversions: each at its own δ, or all at the page's."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from dpcore import composition, gaussian
from pages.composition.published.deployment import Deployment
from pages.composition.published.deployments import DEPLOYMENTS
from pages.composition.results import CompositionResult


@dataclass(frozen=True)
class Restated:
    """A published promise at one δ: ε by the standard and the tight conversion and the exact one, NaN where none is.

    Of a ρ the exact one is that of a single Gaussian: an estimate, which is below the truth if the noise was another.
    What is published as (ε, δ) alone has no conversions: `exact` is its own ε, NaN where its δ is larger.
    All three hold for Poisson sampling of a training. If its batches were made otherwise, `at_least` is the lower bound
    of its ε for shuffled batches (NaN for all others), and none of the three is a guarantee.
    `proved` is the least upper bound that is proved.
    """

    deployment: Deployment
    delta: float
    standard: float
    tight: float
    exact: float

    @cached_property
    def proved(self) -> float:
        """The least ε that is proved at this δ; NaN where there is none."""
        if not self.deployment.is_covered:
            noise, _, epochs = self.deployment.turns
            return float(composition.unamplified_epsilon(self.delta, noise, epochs))
        return self.tight if self.deployment.kind == "zcdp" else self.exact

    @cached_property
    def at_least(self) -> float:
        """The lower bound of ε for batches that were shuffled, rounded down; NaN where the accounting holds."""
        if self.deployment.is_covered:
            return np.nan
        return float(composition.shuffled_batches_epsilon_at_least(self.delta, *self.deployment.turns))

    @property
    def is_refuted(self) -> bool:
        """Whether the lower bound shows that the printed ε does not hold at this δ."""
        return self.at_least > self.deployment.claimed


@dataclass(frozen=True)
class Year:
    """The basic composition of all periods of a year: ε at δ."""

    epsilon: float
    delta: float


def at_own(result: CompositionResult) -> bool:
    """Whether each promise is taken at its own δ."""
    return result.values["at_delta"] == "own"


def restated(result: CompositionResult) -> tuple[Restated, ...]:
    """Every published promise at its own δ or at the page's."""
    return all_at(None if at_own(result) else result.setting.delta)


@lru_cache(256)
def all_at(delta: float | None) -> tuple[Restated, ...]:
    """Every published promise at δ; at its own for None."""
    return tuple(one_at(each, each.delta if delta is None else delta) for each in DEPLOYMENTS)


@lru_cache(1024)
def one_at(deployment: Deployment, delta: float) -> Restated:
    """A published promise at δ."""
    return Restated(deployment, delta, *_OF[deployment.kind](deployment, delta))


def _of_rho(deployment: Deployment, delta: float) -> tuple[float, float, float]:
    (rho,) = deployment.releases[0].numbers
    standard, tight = (
        float(composition.epsilon_from_rho(rho, delta, conversion=each)) for each in ("standard", "tight")
    )
    return standard, tight, float(gaussian.epsilon_from_sigma(delta, 1 / np.sqrt(2 * rho)))


def _of_steps(deployment: Deployment, delta: float) -> tuple[float, float, float]:
    standard, tight, proved = (
        float(composition.epsilon(deployment.releases, delta, name).value)
        for name in ("rdp_standard", "rdp", "certified")
    )
    return standard, tight, proved


def _of_promise(deployment: Deployment, delta: float) -> tuple[float, float, float]:
    return np.nan, np.nan, _added(deployment) if delta >= deployment.delta else np.nan


def _added(deployment: Deployment) -> float:
    """The ε of promises by basic composition."""
    releases = deployment.releases
    return float(composition.basic_epsilon([each.numbers[0] for each in releases], [each.count for each in releases]))


_OF = {"zcdp": _of_rho, "sampled": _of_steps, "promise": _of_promise}


def smaller_today(rows: tuple[Restated, ...]) -> list[Restated]:
    """Those that would be printed smaller today by a proof that covers them, the one that falls most first."""
    less = [each for each in rows if each.deployment.is_covered and each.proved < each.deployment.claimed]
    return sorted(less, key=lambda each: each.proved / each.deployment.claimed)


def not_covered(rows: tuple[Restated, ...]) -> list[Restated]:
    """The trainings that did not draw Poisson batches, so that the accounting of DP-SGD does not hold for them."""
    return [each for each in rows if not each.deployment.is_covered]


def at_most(rows: tuple[Restated, ...], epsilon: float) -> int:
    """How many are proved to be at most ε."""
    return sum(each.proved <= epsilon for each in rows)


@lru_cache(256)
def over_a_year(deployment: Deployment) -> Year | None:
    """Basic composition of all periods of a year, for a person who is in each of them; None for what is released once.

    ε and δ of promises add, and so does ρ, of which the tight conversion is taken at its own δ.
    """
    periods = deployment.per_year
    if not periods:
        return None
    if deployment.kind == "zcdp":
        rho = periods * deployment.releases[0].numbers[0]
        return Year(float(composition.epsilon_from_rho(rho, deployment.delta, conversion="tight")), deployment.delta)
    return Year(periods * _added(deployment), periods * deployment.delta)
