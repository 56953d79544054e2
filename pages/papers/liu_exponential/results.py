"""The scale b of the exponential mechanism beside the other mechanisms within the same bounds."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian import bounded_comparison as comparison
from dpcore.generalized_gaussian import lemma_exponential_scale
from pages.framework.chart.theme import decades
from pages.shared.bounded.parameters import LEAST_WIDTH, BoundedSetting
from pages.shared.bounded.scales import mechanism_scales

SHAPES = np.concatenate(  # straight lines between them deviate from the curves by at most 4 %
    [
        [1, 1.01],
        np.linspace(1.02, 1.3, 15),
        np.linspace(1.4, 2, 7),
        np.linspace(2.2, 3, 5),
        np.linspace(3.5, 5, 4),
        [6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 40, 48, 56, 64],
    ]
)


@dataclass(frozen=True)
class ExponentialResult:
    """The scales within the bounds of one setting."""

    setting: BoundedSetting

    @property
    def scale(self) -> dict[str, float]:
        """The b of each mechanism, by its key."""
        return mechanism_scales(self.setting)

    def scales_over(self, over: str) -> pd.DataFrame:
        """Return the scale b of every mechanism over p or over the width of the bounds ("width")."""
        setting = self.setting
        bounds = setting.bound_low, setting.bound_high, setting.l2_sensitivity
        if over == "p":
            return _along_shape(setting.epsilon, setting.delta, *bounds)
        return _along_width(setting.epsilon, setting.delta, setting.p, *bounds)

    @property
    def centred_lemma(self) -> float:
        """Lemma 10's b for bounds of the same width with 0 in the middle."""
        setting, half = self.setting, self.setting.width / 2
        return float(
            lemma_exponential_scale(setting.epsilon, setting.p, [setting.bounded_sensitivity], [-half], [half])
        )


def width_decades(sensitivity: float, width: float) -> tuple[int, int]:
    """Return the decades of the axis of widths: three from the sensitivity on, or as far as the current width."""
    first = math.floor(math.log10(sensitivity))
    return decades(first, first + 3, width)


def width_grid(sensitivity: float, width: float) -> Array:
    """Return the widths of the picture: three decades from the sensitivity on, or as far as the current width."""
    low, high = width_decades(sensitivity, width)
    return np.logspace(low, high, 10 * (high - low) + 1)


# All sessions share these results and never change them.
@lru_cache(256)
def _along_shape(epsilon: float, delta: float, low: float, high: float, sensitivity: float) -> pd.DataFrame:
    frame = comparison.scales(epsilon, delta, SHAPES, low, high, sensitivity)
    frame.insert(0, "p", SHAPES)
    return frame


@lru_cache(256)
def _along_width(epsilon: float, delta: float, p: float, low: float, high: float, sensitivity: float) -> pd.DataFrame:
    used_sensitivity = float(comparison.bounded_sensitivity(sensitivity, low, high))
    tops = low + width_grid(used_sensitivity, high - low)
    tops = tops[tops - low >= LEAST_WIDTH]  # far from 0 both of the narrowest bounds are the same double
    frame = comparison.scales(epsilon, delta, p, low, tops, sensitivity)
    frame.insert(0, "width", tops - low)
    return frame
