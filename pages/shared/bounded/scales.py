"""The scale b of every mechanism on a statistic that has bounds."""

from functools import lru_cache

import numpy as np

from dpcore.generalized_gaussian import bounded_comparison as comparison
from pages.shared.bounded.parameters import BoundedSetting


def mechanism_scales(setting: BoundedSetting) -> dict[str, float]:
    """Return the b of each mechanism at a setting, by its key."""
    return cached_scales(
        setting.epsilon, setting.delta, setting.p, setting.bound_low, setting.bound_high, setting.l2_sensitivity
    )


# All sessions share these results and never change them.
@lru_cache(1024)
def cached_scales(
    epsilon: float, delta: float, p: float, low: float, high: float, sensitivity: float
) -> dict[str, float]:
    """Return the b of each mechanism, by its key."""
    frame = comparison.scales(epsilon, delta, p, low, high, sensitivity)
    scales = {mechanism.key: float(frame[mechanism.key].to_numpy()[0]) for mechanism in comparison.MECHANISMS}
    return {key: b for key, b in scales.items() if np.isfinite(b)}  # Lemma 10 holds for whole p only
