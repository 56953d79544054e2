"""The risk and its limit at one setting, the noise that meets it, and that of the detour over a guarantee."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

import numpy as np

from dpcore import risk, tradeoff, verify
from dpcore.checks import Array
from dpcore.composition import Release, sampled_release
from dpcore.families import FAMILIES
from dpcore.mechanism import NoiseDistribution
from dpcore.risk import Risk, RiskCalibration
from dpcore.sensitivity import Sensitivity, table_sensitivity
from dpcore.tradeoff import Curve, readings
from pages.framework.parameters.list_parameter import linkable
from pages.framework.parameters.number_format import format_down, format_input_down, format_input_up, format_up
from pages.framework.rendering.uploaded_files import kept
from pages.shared.guarantee_claims import Enclose
from pages.shared.releases import Item

OUTCOME = "outcome"
"""The risk of every outcome, which only pure ε-DP limits."""
UNBOUNDED = ("gaussian", "dp_sgd")
"""The noises with outcomes, however rare, that leave no doubt about a person."""


@dataclass(frozen=True)
class NumberNoise:
    """Noise that is added to numbers: the inverse of its risk, its calibration, and its trade-off curve.

    `curve` is that at a scale and a sensitivity. `true_delta` and `power` enclose what a claim states of the noise. The
    inverse takes the sensitivity where `goes_by_steps`.
    """

    inverse: Callable[..., Array]
    calibration: Callable[..., RiskCalibration]
    curve: Callable[[float, float], Curve]
    true_delta: Enclose
    power: Enclose
    goes_by_steps: bool = False


def _theta(scale: float, sensitivity: float) -> float:
    return float(np.nextafter(sensitivity / scale, np.inf))


OF_NUMBERS = {
    "gaussian": NumberNoise(
        risk.mu_from_risk,
        risk.gaussian_calibration,
        tradeoff.sigma_curve,
        verify.gaussian_delta,
        verify.gaussian_power,
    ),
    "laplace": NumberNoise(
        risk.laplace_theta_from_risk,
        risk.laplace_calibration,
        lambda scale, sensitivity: tradeoff.laplace_curve(_theta(scale, sensitivity)),
        verify.laplace_delta,
        verify.laplace_power,
    ),
    "geometric": NumberNoise(
        risk.geometric_theta_from_risk,
        risk.geometric_calibration,
        lambda scale, sensitivity: tradeoff.geometric_curve(_theta(scale, sensitivity), sensitivity),
        verify.geometric_delta,
        verify.geometric_power,
        goes_by_steps=True,
    ),
}
"""Noise that is added to numbers, one of which or more are released."""


def limit_key(kind: str) -> str:
    """Return the key of the limit of a risk; the two posteriors have one limit."""
    return "max_posterior" if kind == OUTCOME else f"max_{kind}"


def _shown_below(epsilon: float) -> float:
    return float(format_down(epsilon).replace(",", "").replace("−", "-"))  # ValueError of one that is none


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
    def is_pure(self) -> bool:
        """Whether the noise is stated by pure ε-DP alone: as of every outcome, and of noise that satisfies it."""
        return self.kind == OUTCOME or (self.noise in OF_NUMBERS and FAMILIES[self.noise].pure)

    @cached_property
    def stated_epsilon(self) -> float:
        """The pure ε for which the noise is made: the largest within the limit, rounded down as it is displayed."""
        if self.kind == OUTCOME:
            return self.ensuring_epsilon
        return _shown_below(float(self.loss(np.array([self.limit]))[0]))

    @property
    def ensuring_epsilon(self) -> float:
        """The largest pure ε that ensures the limit whatever the mechanism, rounded down as it is displayed."""
        return _shown_below(self.risk.inverse(risk.epsilon_from_risk))

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
        return bool(np.isfinite(self.inverse(risk.epsilon_from_risk, np.array([self.limit]))[0]))

    def inverse(self, inverse: Callable[..., Array], limits: Array, *numbers: float) -> Array:
        """Return what limits of this risk allow, by an inverse of dpcore.risk; NaN where it refuses a limit."""
        try:
            return np.asarray(inverse(self.kind, limits, self.conditions, *numbers))
        except ValueError:
            if limits.size <= 1:
                return np.full(limits.shape, np.nan)
            return np.concatenate([self.inverse(inverse, half, *numbers) for half in np.array_split(limits, 2)])

    def loss(self, limits: Array) -> Array:
        """Return μ of Gaussian noise, or θ of Laplace or geometric noise, that limits allow; NaN for refused ones."""
        noise = OF_NUMBERS[self.noise]
        return self.inverse(noise.inverse, limits, *((self.sensitivity,) if noise.goes_by_steps else ()))

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
        return self.noise in UNBOUNDED or any(release.scale_range for release in self.releases)

    def scaled(self, scale: float) -> tuple[Release, ...]:
        """Return the releases of DP-SGD with a noise multiplier, or those of the list with a factor."""
        if self.noise == "dp_sgd":
            return (sampled_release(scale, self.training[0], int(self.training[1])),)
        return risk.scaled_releases(self.releases, scale)

    def curve(self, scale: float) -> Curve:
        """Return the trade-off curve of noise of this family and scale."""
        if self.is_composed:
            return tradeoff.releases_curve(self.scaled(scale))
        return OF_NUMBERS[self.noise].curve(scale, self.sensitivity)

    def reached(self, curve: Curve) -> float:
        """Return the risk that a curve leaves, of the kind of the setting."""
        return risk.reached_risk(self.kind, curve, *self.conditions)


MAX_WHOLE_SENSITIVITY = 10_000
MAX_LINES, MAX_RELEASES = 10, 5_000  # of a list, for a second of a processor
LEAST_MULTIPLIER = risk.LEAST_NOISE_MULTIPLIER
_MOST_EPSILON = 700.0  # beyond it a guarantee says nothing of a risk
_RARE_RATES = (1e-3, 1e-6, 1e-9)  # of tests that are rarer than the one of a limit
_N_LIMITS, _LARGEST_LIMIT = 104, 0.995  # of the picture of the noise against the limit
_SCALES = np.geomspace(0.4, 6, 12)  # of that of DP-SGD and of a list: how many times the noise
Columns = dict[str, Array]  # of a table, by their names


@dataclass(frozen=True)
class RiskNoise:
    """The noise of a setting: its calibration, its trade-off curve, and the curves of the detour."""

    setting: RiskSetting
    calibration: RiskCalibration
    curve: Curve
    items: tuple[Item, ...] = ()

    @property
    def scaled_items(self) -> tuple[Item, ...]:
        """The lines of the list with their noise scaled, rounded to the safe side as it is displayed."""
        pairs = zip(self.items, self.setting.scaled(self.calibration.scale), strict=True)
        return tuple(_with_noise(item, release) for item, release in pairs)

    @property
    def has_detour(self) -> bool:
        """Whether some (ε, δ) guarantee with this δ ensures the risk by itself; of pure noise, by more noise."""
        own, detour = self.calibration.scale, self.calibration.detour_scale
        is_same = self.setting.is_pure and (detour <= own or format_up(detour) == format_up(own))
        return bool(np.isfinite(detour)) and not is_same

    @cached_property
    def detour_curve(self) -> Curve | None:
        """The trade-off curve of the noise that the detour needs."""
        return self.setting.curve(self.calibration.detour_scale) if self.has_detour else None

    @property
    def guarantee_curve(self) -> Curve | None:
        """The trade-off curve of the weakest (ε, δ) guarantee that ensures the risk."""
        if not self.has_detour:
            return None
        return tradeoff.epsilon_delta_curve(self.calibration.detour_epsilon, self.setting.delta)

    @property
    def outcome_risk(self) -> float:
        """The largest posterior over all tests for the prior of the setting; 1 where nothing bounds it."""
        return risk.reached_risk(OUTCOME, self.curve, self.setting.conditions[0])

    def reached(self, kind: str, *conditions: float) -> float:
        """Return a risk under the noise: one that the limit implies is proved, and the computed curve may exceed it.

        The curves of DP-SGD and of lists are rounded up at each of their points, and all by some last bits.
        """
        reached, setting = risk.reached_risk(kind, self.curve, *conditions), self.setting
        if (kind, conditions) == (setting.kind, setting.conditions):
            return min(reached, setting.limit)
        if (kind, conditions) == ("success", (0.5,)) and setting.kind == "advantage":
            return min(reached, float((1 + Decimal(repr(setting.limit))) / 2))
        if kind == "advantage" and (setting.kind, setting.conditions) == ("success", (0.5,)):
            return min(reached, float(2 * Decimal(repr(setting.limit)) - 1))
        return reached

    @cached_property
    def rare_test(self) -> tuple[float, float] | None:
        """Return a false positive rate far below that of the limit and the posterior there; None below one in 1e9."""
        prior, alpha = self.setting.conditions
        rate = next((rate for rate in _RARE_RATES if rate < alpha), None)
        return None if rate is None else (rate, risk.reached_risk("posterior", self.curve, prior, rate))

    @property
    def guarantee(self) -> tuple[float, float]:
        """The one guarantee by which the page states the noise: ε and δ, which is 0 where the noise is pure.

        Pure noise is made for the ε that is displayed.
        """
        if self.setting.is_pure:
            return self.setting.stated_epsilon, 0.0
        return self.calibration.epsilon, self.setting.delta

    @property
    def shown_epsilon(self) -> str:
        """The text of the ε of the guarantee: rounded up, unless the noise is made for the ε that is displayed."""
        return (format_down if self.setting.is_pure else format_up)(self.guarantee[0])

    @property
    def quoted_risk(self) -> float:
        """The risk that the stated guarantee ensures by itself: what readers must assume who know no more."""
        epsilon, delta = self.guarantee
        return self.setting.reached(tradeoff.epsilon_delta_curve(min(epsilon, _MOST_EPSILON), delta))

    @property
    def blind_guess(self) -> float:
        """The share of guesses of a value that are right without the release, where a membership risk is limited.

        It is that of the risk: the prior of a belief, or a blind guess of who is in the data. Risks without a prior
        have a yes/no fact, as likely as not.
        """
        prior = self.setting.conditions[0] if self.setting.kind in (OUTCOME, "posterior", "success") else 0.5
        return max(prior, 1 - prior) if self.setting.kind == "success" else prior

    @property
    def value_after_any_outcome(self) -> float:
        """The largest probability of such a value after any outcome, of a person who is known to be in the data.

        A changed value removes a person and adds one, so that the ε that is shown counts twice; 1 where it has a δ.
        """
        if self.guarantee[1] > 0:
            return 1.0
        return float(tradeoff.pure_posterior(2 * self.guarantee[0], self.blind_guess))

    @cached_property
    def points(self) -> Columns:
        """α and the power of the noise, of the detour's noise and of its guarantee (NaN without a detour)."""
        curves = {"power": self.curve, "detour_power": self.detour_curve, "guarantee_power": self.guarantee_curve}
        alpha = readings.alpha_along([curve for curve in curves.values() if curve is not None])
        powers = {
            name: np.full(alpha.shape, np.nan) if curve is None else curve.power(alpha)
            for name, curve in curves.items()
        }
        return {"alpha": alpha, **powers}

    @cached_property
    def touching_point(self) -> tuple[float, float]:
        """α and the power at which the curve of the noise reaches the limit."""
        setting = self.setting
        if setting.kind == OUTCOME:  # the curve leaves the line of its pure ε after this point
            at = 0.0 if setting.is_composed else math.exp(-self.calibration.loss) / 2
        elif setting.kind in ("advantage", "success"):
            prior = setting.conditions[0] if setting.conditions else 0.5
            alpha = self.points["alpha"]
            gain = prior * self.points["power"] + (1 - prior) * (1 - alpha)
            at = float(alpha[int(np.argmax(gain))])
        else:
            at = setting.conditions[-1]
        return at, float(self.curve.power(np.asarray(at)))

    def swept_scales(self) -> Columns:
        """Return the noise against the limit that it meets directly, and as a guarantee alone: of noise near this one.

        The curves of the noise are rough, so that the noise is some percent above the least one.
        """
        setting, rows = self.setting, []
        least = LEAST_MULTIPLIER if setting.noise == "dp_sgd" else 0.0
        for scale in np.unique(np.maximum(self.calibration.scale * _SCALES, least)).tolist():
            curve = tradeoff.releases_curve(setting.scaled(scale), is_rough=True)
            rows.append((setting.reached(curve), scale, np.nan))
            epsilon = float(tradeoff.smallest_epsilon(curve, setting.delta))
            if epsilon <= _MOST_EPSILON:
                guarantee = tradeoff.epsilon_delta_curve(epsilon, setting.delta)
                rows.append((setting.reached(guarantee), np.nan, scale))
        numbers = np.array(sorted(row for row in rows if row[0] <= _LARGEST_LIMIT)).reshape(-1, 3)
        return dict(zip(("limit", "scale", "detour_scale"), numbers.T, strict=True))

    def scales(self, limits: Array) -> Columns:
        """Return the noise against the limit: calibrated directly, and by the detour (NaN where there is none)."""
        setting = self.setting
        loss = setting.loss(limits)
        limits, loss = limits[~np.isnan(loss)], loss[~np.isnan(loss)]
        epsilon = setting.inverse(risk.epsilon_from_risk, limits, setting.delta)
        has_detour, detour = np.isfinite(epsilon), np.full(limits.shape, np.nan)
        family = FAMILIES[setting.noise]
        # a calibration of pure ε-DP does not use δ, by which the weakest guarantee takes less noise
        scale_of = family.functions.scale_from_epsilon if family.pure else family.calibration.scale
        detour[has_detour] = scale_of(epsilon[has_detour], setting.delta, setting.sensitivity)
        direct = np.where(loss > 0, setting.sensitivity / np.where(loss > 0, loss, 1.0), np.nan)
        return {"limit": limits, "scale": direct, "detour_scale": detour}


def _with_noise(item: Item, release: Release) -> Item:
    """Return a line with the noise of a release: a noise multiplier or a σ rounded up, an ε down."""
    text = (format_input_up if release.scale_range else format_input_down)(release.numbers[0])
    return replace(item, numbers=(linkable(text.replace(",", "")), *item.numbers[1:]))


def limits_between(low: float, high: float) -> Array:
    """Return limits between those of a blind guess and of no noise, near both of which they are dense."""
    even = np.linspace(0.1, _LARGEST_LIMIT, _N_LIMITS)
    return low + (high - low) * np.append(even[:-6], np.linspace(even[-6], _LARGEST_LIMIT, 28)) ** 2


def is_possible(setting: RiskSetting) -> bool:
    """Return whether noise meets the limit and is needed, in a fraction of the time of the noise."""
    if setting.is_unbounded or setting.is_composed:
        return setting.is_allowed
    return _is_moderate(setting) or kept(noise_at, setting) is not None


def _is_moderate(setting: RiskSetting) -> bool:
    """Return whether noise meets the limit because all numbers are far from the ends of their ranges.

    It takes a tenth of the time of the noise, and the server checks each setting before a worker renders it.
    """
    if setting.delta < 1e-100 or not 1e-50 <= setting.sensitivity <= 1e50:
        return False
    return bool(1e-9 <= setting.loss(np.array([setting.limit]))[0] <= 100)


def is_too_long(releases: tuple[Release, ...]) -> bool:
    """Return whether the factor of a list would take more than a second of a processor."""
    return len(releases) > MAX_LINES or sum(release.count for release in releases) > MAX_RELEASES


def noise_at(setting: RiskSetting) -> RiskNoise | None:
    """Return the noise of a setting; None where no noise meets the limit, or none is needed, or a list is too long."""
    if is_too_long(setting.releases) or setting.is_unbounded:
        return None
    try:
        calibration = _calibration(setting)
        noise = RiskNoise(setting, calibration, setting.curve(calibration.scale))
    except ValueError:
        return None
    return noise


def _calibration(setting: RiskSetting) -> RiskCalibration:
    if setting.noise == "dp_sgd":
        return risk.dp_sgd_calibration(setting.risk, setting.delta, *setting.training)
    most = {"most_epsilon": setting.stated_epsilon} if setting.is_pure else {}
    if setting.noise == "releases":
        return risk.releases_calibration(setting.risk, setting.delta, setting.releases, **most)
    numbers = setting.delta, setting.sensitivity, setting.significance
    return OF_NUMBERS[setting.noise].calibration(setting.risk, *numbers, **most)
