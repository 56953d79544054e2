"""A statistic with bounds: the scale, the pure ε and the errors of every mechanism that stays within them."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian import bounded_comparison as comparison
from dpcore.generalized_gaussian import lemma_exponential_scale
from dpcore.generalized_gaussian.bounded_comparison import BIT, CLIPPED, TRUNCATED
from pages.generalized_gaussian import grids
from pages.generalized_gaussian.parameters import LEAST_WIDTH, GeneralizedGaussianSetting

_N_VALUES = 101


@dataclass(frozen=True)
class CertifiedResult:
    """What the true value does not change: each mechanism's pure ε by its key, the width up to which the clipped noise
    keeps pure ε, and errors over the true value.
    """

    pure_epsilon: dict[str, float]
    clipping_width: float
    errors: pd.DataFrame


@dataclass(frozen=True)
class BoundedResult:
    """The part of a setting that has bounds."""

    setting: GeneralizedGaussianSetting

    @property
    def scale(self) -> dict[str, float]:
        """The b of each mechanism, by its key."""
        setting = self.setting
        return _mechanism_scales(
            setting.epsilon, setting.delta, setting.p, setting.bound_low, setting.bound_high, setting.l2_sensitivity
        )

    @property
    def certified(self) -> CertifiedResult:
        """What the true value does not change."""
        setting = self.setting
        return _certified_result(
            setting.epsilon, setting.delta, setting.p, setting.bound_low, setting.bound_high, setting.l2_sensitivity
        )

    @cached_property
    def errors_at_value(self) -> pd.DataFrame:
        """The errors at the true value, in one row."""
        setting = self.setting
        return comparison.errors(setting.true_value, self.scale, setting.p, setting.bound_low, setting.bound_high)

    def bias(self, key: str) -> float:
        """The bias of a mechanism at the true value."""
        return float(self.errors_at_value[f"{key}_bias"].to_numpy()[0])

    def error(self, key: str) -> float:
        """The root mean squared error of a mechanism at the true value."""
        return float(self.errors_at_value[f"{key}_rmse"].to_numpy()[0])

    def errors(self, key: str) -> Array:
        """The root mean squared error of a mechanism over the true value, from bound to bound."""
        return self.certified.errors[f"{key}_rmse"].to_numpy()

    def along(self, over: str) -> pd.DataFrame:
        """The scale b of every mechanism over p or over the width of the bounds ("width")."""
        setting = self.setting
        bounds = setting.bound_low, setting.bound_high, setting.l2_sensitivity
        if over == "p":
            return _along_shape(setting.epsilon, setting.delta, *bounds)
        return _along_width(setting.epsilon, setting.delta, setting.p, *bounds)

    @property
    def _released_scales(self) -> dict[str, float]:
        return {each.key: self.scale[each.key] for each in (TRUNCATED, BIT, CLIPPED)}

    @cached_property
    def densities(self) -> pd.DataFrame:
        """The densities of the releases at the true value."""
        setting = self.setting
        places = grids.place_grid(self._released_scales, setting.true_value, setting.bound_low, setting.bound_high)
        return comparison.densities(
            places, setting.true_value, self._released_scales, setting.p, setting.bound_low, setting.bound_high
        )

    @cached_property
    def masses(self) -> dict[str, tuple[float, float]]:
        """The probabilities of both bounds themselves, of the mechanisms that clip."""
        setting = self.setting
        found = comparison.end_masses(
            setting.true_value, self._released_scales, setting.p, setting.bound_low, setting.bound_high
        )
        return {key: (float(low), float(high)) for key, (low, high) in found.items()}

    @property
    def centred_lemma(self) -> float:
        """Lemma 10's b where 0 lies in the middle of bounds as wide."""
        setting, half = self.setting, self.setting.width / 2
        return float(
            lemma_exponential_scale(setting.epsilon, setting.p, [setting.bounded_sensitivity], [-half], [half])
        )


# What follows is shared by every session, and never changed.
@lru_cache(1024)
def _mechanism_scales(
    epsilon: float, delta: float, p: float, low: float, high: float, sensitivity: float
) -> dict[str, float]:
    found = comparison.scales(epsilon, delta, p, low, high, sensitivity)
    here = {each.key: float(found[each.key].to_numpy()[0]) for each in comparison.MECHANISMS}
    return {key: b for key, b in here.items() if np.isfinite(b)}  # Lemma 10 speaks of whole p only


@lru_cache(256)
def _certified_result(
    epsilon: float, delta: float, p: float, low: float, high: float, sensitivity: float
) -> CertifiedResult:
    width, moved = high - low, float(comparison.bounded_sensitivity(sensitivity, low, high))
    scale = _mechanism_scales(epsilon, delta, p, low, high, sensitivity)
    kept = comparison.kept_epsilon(scale, p, width, moved)
    proved = {key: at_most if key == CLIPPED.key else min(at_most, epsilon) for key, at_most in kept.items()}
    reach = comparison.clipping_width(epsilon, scale[CLIPPED.key], p, moved)
    errors = comparison.errors(np.linspace(low, high, _N_VALUES), scale, p, low, high)
    return CertifiedResult(proved, reach, errors)


@lru_cache(256)
def _along_shape(epsilon: float, delta: float, low: float, high: float, sensitivity: float) -> pd.DataFrame:
    frame = comparison.scales(epsilon, delta, grids.SHAPES, low, high, sensitivity)
    frame.insert(0, "p", grids.SHAPES)
    return frame


@lru_cache(256)
def _along_width(epsilon: float, delta: float, p: float, low: float, high: float, sensitivity: float) -> pd.DataFrame:
    moved = float(comparison.bounded_sensitivity(sensitivity, low, high))
    tops = low + grids.width_grid(moved, high - low)
    tops = tops[tops - low >= LEAST_WIDTH]  # far from 0 the narrowest bounds are one number
    frame = comparison.scales(epsilon, delta, p, low, tops, sensitivity)
    frame.insert(0, "width", tops - low)
    return frame
