"""Published guarantees under today's conversions: each at its own δ, or all at the page's."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np

from dpcore import composition, gaussian
from pages.composition.published.deployments_data import DEPLOYMENTS, Deployment
from pages.composition.results import CompositionResult
from pages.framework.rendering.uploaded_files import kept
from pages.shared.guarantee_claims import sum_of_epsilons


@dataclass(frozen=True)
class Restatement:
    """A published guarantee at one δ: ε by the standard and the tight conversion and the exact ε, or NaN.

    The exact ε of a ρ is that of a single Gaussian: an estimate, which is below the truth if the noise was another.
    What is published as (ε, δ) alone has no conversions: `exact` is its own ε, NaN where its δ is larger. All three
    assume Poisson sampling in a training. If its batches were drawn otherwise, `at_least` is the lower bound of its
    ε for shuffled batches (NaN for all others), and none of the three is a guarantee. `proved` is the least proved
    upper bound.
    """

    deployment: Deployment
    delta: float
    standard: float
    tight: float
    exact: float

    @cached_property
    def proved(self) -> float:
        """Return the least proved ε at this δ; NaN where there is none."""
        if not self.deployment.is_covered:
            noise, _, epochs = self.deployment.shuffled_training
            return float(composition.unamplified_epsilon(self.delta, noise, epochs))
        return self.tight if self.deployment.kind == "zcdp" else self.exact

    @cached_property
    def at_least(self) -> float:
        """Return the lower bound of ε for shuffled batches, rounded down; NaN where the accounting applies."""
        if self.deployment.is_covered:
            return np.nan
        return float(composition.shuffled_batches_epsilon_at_least(self.delta, *self.deployment.shuffled_training))

    @property
    def is_refuted(self) -> bool:
        """Return whether the lower bound shows that the printed ε is not satisfied at this δ."""
        return self.at_least > self.deployment.printed_epsilon


def uses_own_deltas(result: CompositionResult) -> bool:
    """Return whether each guarantee is restated at its own δ."""
    return result.values["at_delta"] == "own"


def restatements_at(result: CompositionResult) -> tuple[Restatement, ...]:
    """Return every published guarantee at its own δ or at that of all releases of the page together."""
    return kept(restate_all, None if uses_own_deltas(result) else total_delta(result))


def is_yearly(result: CompositionResult) -> bool:
    """Return whether the release of the page is made every year."""
    return result.values["released"] == "yearly"


def n_releases(result: CompositionResult) -> int:
    """Return how often the release of the page is made: once, or in each of its years."""
    return int(result.values["years"]) if is_yearly(result) else 1


def total_epsilon(result: CompositionResult) -> float:
    """Return ε of all releases of the page together, by basic composition of the decimal number that was entered."""
    return float(Decimal(repr(result.setting.epsilon)) * n_releases(result))


def total_delta(result: CompositionResult) -> float:
    """Return δ of all releases of the page together, by basic composition."""
    return float(Decimal(repr(result.setting.delta)) * n_releases(result))


def restate_all(delta: float | None) -> tuple[Restatement, ...]:
    """Return every published guarantee at δ; at its own for None."""
    return tuple(restate(deployment, deployment.delta if delta is None else delta) for deployment in DEPLOYMENTS)


def restate(deployment: Deployment, delta: float) -> Restatement:
    """Return a published guarantee at δ, by the conversions of what is published."""
    releases = deployment.releases
    if deployment.kind == "guarantee":
        own = sum_of_epsilons(releases) if delta >= deployment.delta else np.nan
        return Restatement(deployment, delta, np.nan, np.nan, own)
    if deployment.kind == "sampled":
        bounds = [composition.epsilon(releases, delta, name).value for name in ("rdp_standard", "rdp", "certified")]
    else:
        (rho,) = releases[0].numbers
        bounds = [composition.epsilon_from_rho(delta, rho, conversion=name) for name in ("standard", "tight")]
        bounds.append(gaussian.epsilon_from_sigma(delta, 1 / np.sqrt(2 * rho)))
    return Restatement(deployment, delta, *map(float, bounds))


def tightened(rows: tuple[Restatement, ...]) -> list[Restatement]:
    """Return the guarantees with a smaller proved ε today, the largest reduction first."""
    printed = [row for row in rows if row.deployment.is_covered and not row.deployment.prints_rho]
    smaller = [row for row in printed if row.proved < row.deployment.printed_epsilon]
    return sorted(smaller, key=lambda row: row.proved / row.deployment.printed_epsilon)


def year_of(result: CompositionResult, deployment: Deployment) -> tuple[float, float] | None:
    """Return ε and δ of a guarantee over one year, at its own δ or at that of the page; None where it has none."""
    return composed_year(deployment, None if uses_own_deltas(result) else total_delta(result))


def composed_year(deployment: Deployment, delta: float | None = None) -> tuple[float, float] | None:
    """Return ε and δ of all periods of a year together; None for a single release, or where δ is less.

    It is for a person who is in each period. ε and δ of guarantees add (basic composition), and so does ρ (zCDP), whose
    tight conversion is at its own δ, or at `delta`.
    """
    periods = deployment.per_year
    if not periods:
        return None
    if deployment.kind == "zcdp":
        rho, at = periods * deployment.releases[0].numbers[0], deployment.delta if delta is None else delta
        return float(composition.epsilon_from_rho(at, rho, conversion="tight")), at
    if delta is not None and periods * deployment.delta > delta:
        return None
    return periods * sum_of_epsilons(deployment.releases), periods * deployment.delta
