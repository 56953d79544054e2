"""The noise that meets a risk, and that of the detour over a guarantee, at one setting."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from dpcore import gaussian, geometric, laplace, risk, tradeoff
from dpcore.checks import Array
from dpcore.composition import sampled_release
from dpcore.risk import Risk, RiskCalibration
from dpcore.tradeoff import Curve, readings

MAX_WHOLE_SENSITIVITY = 10_000
_N_LIMITS = 48  # of the picture of the noise against the limit
_CALIBRATIONS: dict[str, Callable[..., RiskCalibration]] = {
    "gaussian": risk.gaussian_calibration,
    "laplace": risk.laplace_calibration,
    "geometric": risk.geometric_calibration,
}
_INVERSES = {"gaussian": "mu", "laplace": "laplace_theta", "geometric": "geometric_theta"}
_GUARANTEED: dict[str, Callable[..., Array]] = {
    "gaussian": gaussian.analytic_sigma,
    "laplace": laplace.scale_from_epsilon,
    "geometric": geometric.scale_from_epsilon,
}


@dataclass(frozen=True)
class RiskSetting:
    """A risk, its limit and where it is read; the noise and its sensitivity; δ and the level of what is reported.

    `training` has the sampling rate and the steps of DP-SGD.
    """

    kind: str
    limit: float
    conditions: tuple[float, ...]
    noise: str
    sensitivity: float
    delta: float
    significance: float
    training: tuple[float, float]

    @property
    def risk(self) -> Risk:
        """The risk as a record of dpcore."""
        return Risk(self.kind, self.limit, self.conditions)

    def allows(self, limit: float) -> bool:
        """Whether noise is needed for another limit, and some meets it."""
        try:
            Risk(self.kind, limit, self.conditions)
        except ValueError:
            return False
        return True

    def curve(self, scale: float, is_rough: bool = False) -> Curve:
        """Return the trade-off curve of noise of this family and scale; a rough one lies a little lower."""
        if self.noise == "dp_sgd":
            rate, steps = self.training
            if is_rough:
                return tradeoff.releases_curve([sampled_release(scale, rate, int(steps))])
            return tradeoff.subsampled_gaussian_curve(scale, rate, int(steps))
        if self.noise == "gaussian":
            return tradeoff.sigma_curve(scale, self.sensitivity)
        theta = float(np.nextafter(self.sensitivity / scale, np.inf))
        if self.noise == "laplace":
            return tradeoff.laplace_curve(theta)
        return tradeoff.geometric_curve(theta, self.sensitivity)


@dataclass(frozen=True)
class RiskNoise:
    """The noise of a setting: its calibration, its trade-off curve, and the curves of the detour."""

    setting: RiskSetting
    calibration: RiskCalibration
    curve: Curve

    @property
    def has_detour(self) -> bool:
        """Whether some (ε, δ) guarantee with this δ ensures the risk by itself."""
        return bool(np.isfinite(self.calibration.detour_scale))

    @cached_property
    def detour_curve(self) -> Curve | None:
        """The trade-off curve of the noise that the detour needs."""
        return self.setting.curve(self.calibration.detour_scale, is_rough=True) if self.has_detour else None

    @cached_property
    def guarantee_curve(self) -> Curve | None:
        """The trade-off curve of the weakest (ε, δ) guarantee that ensures the risk."""
        if not self.has_detour:
            return None
        return tradeoff.epsilon_delta_curve(self.calibration.detour_epsilon, self.setting.delta)

    @cached_property
    def points(self) -> pd.DataFrame:
        """α and the power of the noise, of the detour's noise and of its guarantee (NaN without a detour)."""
        curves = {"power": self.curve, "detour_power": self.detour_curve, "guarantee_power": self.guarantee_curve}
        present = [curve for curve in curves.values() if curve is not None]
        alpha = np.unique(np.concatenate([readings.along(curve)["alpha"].to_numpy() for curve in present]))
        powers = {
            name: np.full(alpha.shape, np.nan) if curve is None else curve.power(alpha)
            for name, curve in curves.items()
        }
        return pd.DataFrame({"alpha": alpha, **powers})

    @cached_property
    def touching_point(self) -> tuple[float, float]:
        """α and the power at which the curve of the noise reaches the limit."""
        setting = self.setting
        if setting.kind in ("advantage", "success"):
            prior = setting.conditions[0] if setting.conditions else 0.5
            alpha = self.points["alpha"].to_numpy()
            gain = prior * self.points["power"].to_numpy() + (1 - prior) * (1 - alpha)
            at = float(alpha[int(np.argmax(gain))])
        else:
            at = setting.conditions[-1]
        return at, float(self.curve.power(np.asarray(at)))

    def scales(self, limits: Array) -> pd.DataFrame:
        """Return the noise against the limit: calibrated directly, and by the detour (NaN where there is none)."""
        setting = self.setting
        limits = np.array([limit for limit in limits.tolist() if setting.allows(limit)])
        whole = (setting.sensitivity,) if setting.noise == "geometric" else ()
        inverse = getattr(risk, f"{_INVERSES[setting.noise]}_from_{setting.kind}")
        loss = inverse(limits, *setting.conditions, *whole)
        epsilon = np.array([replace(setting, limit=limit).risk.epsilon(setting.delta) for limit in limits.tolist()])
        has_detour, detour = np.isfinite(epsilon), np.full(limits.shape, np.nan)
        detour[has_detour] = _GUARANTEED[setting.noise](epsilon[has_detour], setting.delta, setting.sensitivity)
        direct = np.where(loss > 0, setting.sensitivity / np.where(loss > 0, loss, 1.0), np.nan)
        return pd.DataFrame({"limit": limits, "scale": direct, "detour_scale": detour})


def limits_between(low: float, high: float) -> Array:
    """Return limits between those of a blind guess, near which they are dense, and of no noise."""
    return low + (high - low) * np.linspace(0.1, 0.995, _N_LIMITS) ** 2


def is_possible(setting: RiskSetting) -> bool:
    """Return whether noise meets the limit and is needed, without the time that the noise of DP-SGD takes."""
    if setting.noise == "dp_sgd":
        return setting.allows(setting.limit)
    return noise_at(setting) is not None


@lru_cache(1024)
def noise_at(setting: RiskSetting) -> RiskNoise | None:
    """Return the noise of a setting; None where no noise meets the limit, or none is needed."""
    try:
        calibration = _calibration(setting)
        noise = RiskNoise(setting, calibration, setting.curve(calibration.scale))
    except ValueError:
        return None
    return noise


def _calibration(setting: RiskSetting) -> RiskCalibration:
    if setting.noise == "dp_sgd":
        return risk.dp_sgd_calibration(setting.risk, setting.delta, *setting.training)
    return _CALIBRATIONS[setting.noise](setting.risk, setting.delta, setting.sensitivity, setting.significance)
