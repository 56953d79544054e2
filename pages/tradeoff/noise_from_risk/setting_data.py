"""The setting of the section: the risk with its limit, and the noise that has to meet it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpcore import risk, tradeoff
from dpcore.checks import Array
from dpcore.composition import Release, sampled_release
from dpcore.mechanism import NoiseDistribution
from dpcore.risk import Risk
from dpcore.sensitivity import Sensitivity, table_sensitivity
from dpcore.tradeoff import Curve
from pages.framework.parameters.number_format import format_down

OUTCOME = "outcome"
"""The risk of every outcome, which only pure ε-DP limits."""
OF_NUMBERS = ("gaussian", "laplace", "geometric")
"""Noise that is added to numbers, one of which or more are released."""
UNBOUNDED = ("gaussian", "dp_sgd")
"""The noises with outcomes, however rare, that leave no doubt about a person."""
_UNBOUNDED_RELEASES = ("gaussian", "discrete_gaussian", "sampled")
_INVERSES = {"gaussian": "mu", "laplace": "laplace_theta", "geometric": "geometric_theta"}


def limit_key(kind: str) -> str:
    """Return the key of the limit of a risk; the two posteriors have one limit."""
    return "max_posterior" if kind == OUTCOME else f"max_{kind}"


@dataclass(frozen=True)
class RiskSetting:
    """A risk, its limit and where it is read; the noise; what one person changes; δ and the level of what is reported.

    A person changes at most `per_person` of `cells` released numbers, each by at most `per_cell`. `training` has the
    sampling rate and the steps of DP-SGD, `releases` the list whose noise is scaled.
    """

    kind: str
    limit: float
    conditions: tuple[float, ...]
    noise: str
    per_cell: float
    per_person: int
    cells: int
    delta: float
    significance: float
    training: tuple[float, float]
    releases: tuple[Release, ...] = ()

    @property
    def sensitivity(self) -> float:
        """Δ₂ of Gaussian noise, and Δ₁ of others."""
        return self.l2 if self.noise == "gaussian" else self.l1

    @property
    def l1(self) -> float:
        """Δ₁, the most by which one person changes all numbers together."""
        return self.per_cell if self.per_person == 1 else float(self._table.l1)

    @property
    def l2(self) -> float:
        """Δ₂, the same as a Euclidean length."""
        return self.per_cell if self.per_person == 1 else float(self._table.l2)

    @cached_property
    def _table(self) -> Sensitivity:
        return table_sensitivity(self.per_person, self.per_cell, n_cells=self.cells)

    @property
    def stated_epsilon(self) -> float:
        """The largest pure ε, rounded down as it is displayed, at which every outcome stays within the limit."""
        return float(format_down(self.risk.inverse(risk.INVERSES["epsilon"])).replace(",", "").replace("−", "-"))

    def half_width(self, scale: float, cells: int = 1) -> float:
        """Return within which ± one released number, or so many at once, lies at the level of the setting."""
        return NoiseDistribution(self.noise, (scale,), scale).half_width(self.significance, cells)

    @property
    def risk(self) -> Risk:
        """The risk as a record of dpcore."""
        return Risk(self.kind, self.limit, self.conditions)

    @property
    def is_allowed(self) -> bool:
        """Whether noise is needed for the limit, and some meets it."""
        return bool(np.isfinite(self.inverse("epsilon", np.array([self.limit]))[0]))

    def inverse(self, name: str, limits: Array, *numbers: float) -> Array:
        """Return what limits of this risk allow, by an inverse of dpcore.risk; NaN where it refuses a limit."""
        kind, conditions = risk.inverse_kind(self.kind, self.conditions)
        inverse = risk.INVERSES[name][kind]
        try:
            return np.asarray(inverse(limits, *conditions, *numbers))
        except ValueError:
            if limits.size <= 1:
                return np.full(limits.shape, np.nan)
            return np.concatenate([self.inverse(name, half, *numbers) for half in np.array_split(limits, 2)])

    def loss(self, limits: Array) -> Array:
        """Return μ of Gaussian noise, or θ of Laplace or geometric noise, that limits allow; NaN for refused ones."""
        numbers = (self.sensitivity,) if self.noise == "geometric" else ()
        return self.inverse(_INVERSES[self.noise], limits, *numbers)

    @property
    def has_no_scale(self) -> bool:
        """Whether a release of the list names no noise: a zCDP guarantee, or one with a δ of its own."""
        return any(
            release.kind == "zcdp" or (release.kind == "guarantee" and release.numbers[1] > 0)
            for release in self.releases
        )

    @property
    def is_composed(self) -> bool:
        """Whether the curve of the noise is that of many releases, which takes tenths of a second."""
        return self.noise in ("dp_sgd", "releases")

    @property
    def is_unbounded(self) -> bool:
        """Whether every outcome must be within the limit, and the noise has outcomes that leave no doubt."""
        if self.kind != OUTCOME:
            return False
        return self.noise in UNBOUNDED or any(release.kind in _UNBOUNDED_RELEASES for release in self.releases)

    def scaled(self, scale: float) -> tuple[Release, ...]:
        """Return the releases of DP-SGD with a noise multiplier, or those of the list with a factor."""
        if self.noise == "dp_sgd":
            return (sampled_release(scale, self.training[0], int(self.training[1])),)
        return risk.scaled_releases(self.releases, scale)

    def curve(self, scale: float) -> Curve:
        """Return the trade-off curve of noise of this family and scale."""
        if self.is_composed:
            return tradeoff.releases_curve(self.scaled(scale))
        if self.noise == "gaussian":
            return tradeoff.sigma_curve(scale, self.sensitivity)
        theta = float(np.nextafter(self.sensitivity / scale, np.inf))
        if self.noise == "laplace":
            return tradeoff.laplace_curve(theta)
        return tradeoff.geometric_curve(theta, self.sensitivity)

    def reached(self, curve: Curve) -> float:
        """Return the risk that a curve leaves, of the kind of the setting."""
        return risk.reached_risk(self.kind, curve, *self.conditions)
