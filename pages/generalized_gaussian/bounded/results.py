"""What is computed for a statistic with bounds: scales, pure ε and errors of every mechanism within them."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian import bounded_comparison as comparison
from dpcore.generalized_gaussian.bounded_comparison import BIT, CLIPPED, TRUNCATED
from pages.generalized_gaussian import grids
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.shared.bounded_noise import cached_scales, mechanism_scales

_N_VALUES = 101


@dataclass(frozen=True)
class CertifiedResult:
    """The numbers that do not depend on the true value.

    These are the pure ε of each mechanism, by key, the width up to which clipped noise satisfies the page's pure ε, and
    the errors over the true value.
    """

    pure_epsilon: dict[str, float]
    clipping_width: float
    errors: pd.DataFrame


@dataclass(frozen=True)
class BoundedResult:
    """What is computed for the bounds of one setting."""

    setting: GeneralizedGaussianSetting

    @property
    def scale(self) -> dict[str, float]:
        """The b of each mechanism, by its key."""
        return mechanism_scales(self.setting)

    @property
    def certified(self) -> CertifiedResult:
        """The numbers that do not depend on the true value."""
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
        """Return the bias of a mechanism at the true value."""
        return float(self.errors_at_value[f"{key}_bias"].to_numpy()[0])

    def error(self, key: str) -> float:
        """Return the root mean squared error of a mechanism at the true value."""
        return float(self.errors_at_value[f"{key}_rmse"].to_numpy()[0])

    def errors(self, key: str) -> Array:
        """Return the root mean squared error of a mechanism over the true value, from bound to bound."""
        return self.certified.errors[f"{key}_rmse"].to_numpy()

    @property
    def _released_scales(self) -> dict[str, float]:
        return {mechanism.key: self.scale[mechanism.key] for mechanism in (TRUNCATED, BIT, CLIPPED)}

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
        masses = comparison.end_masses(
            setting.true_value, self._released_scales, setting.p, setting.bound_low, setting.bound_high
        )
        return {key: (float(low), float(high)) for key, (low, high) in masses.items()}


# All sessions share these results and never change them.
@lru_cache(256)
def _certified_result(
    epsilon: float, delta: float, p: float, low: float, high: float, sensitivity: float
) -> CertifiedResult:
    width, used_sensitivity = high - low, float(comparison.bounded_sensitivity(sensitivity, low, high))
    scale = cached_scales(epsilon, delta, p, low, high, sensitivity)
    epsilons = comparison.satisfied_epsilon(scale, p, width, used_sensitivity)
    pure_epsilon = {key: bound if key == CLIPPED.key else min(bound, epsilon) for key, bound in epsilons.items()}
    clipping_width = comparison.clipping_width(epsilon, scale[CLIPPED.key], p, used_sensitivity)
    errors = comparison.errors(np.linspace(low, high, _N_VALUES), scale, p, low, high)
    return CertifiedResult(pure_epsilon, clipping_width, errors)
