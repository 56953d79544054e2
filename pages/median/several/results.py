"""Several quantiles within one ε: each by itself, one after the other on the halves, or from a noisy histogram."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from dpcore import linear_queries, quantiles
from dpcore.checks import Array
from pages.median.quantile.results import QuantileRelease

MOST_DRAWN = 2_000
"""The number of people up to which the recursive method is tried: its errors are estimated from draws."""
N_DRAWS, SEED = 400, 1
_OTHER_SEED = 2  # so that the number of parts is not chosen by the draws of which the ± is
_PARTS = 16, 32, 64, 128  # of the range, whose people are counted
METHODS = ("single", "recursive", "histogram")


@dataclass(frozen=True)
class SeveralResult:
    """Several quantiles of some values, which are sorted, within the ε of the release."""

    release: QuantileRelease
    significance: float
    ordered: Array
    levels: tuple[float, ...]

    @property
    def has_draws(self) -> bool:
        """Whether draws are enough to estimate a ±."""
        return bool(self.significance * N_DRAWS >= np.log(100))

    @property
    def is_recursive_drawn(self) -> bool:
        """Whether the recursive method is tried: for few people who are added or removed."""
        return self.has_draws and self.ordered.size <= MOST_DRAWN and self.release.neighbours == "add_remove"

    @cached_property
    def n_parts(self) -> int:
        """The number of parts of the range whose histogram has the least ± of the quantile that is farthest off."""
        return min(_PARTS, key=lambda parts: float(self._histogram_errors(parts, _OTHER_SEED).max()))

    def _histogram_errors(self, n_parts: int, seed: int) -> Array:
        release, alpha = self.release, self.significance
        known = self.ordered, list(self.levels), release.epsilon, release.low, release.high
        options = alpha, n_parts, 0.0, release.neighbours, N_DRAWS
        return quantiles.histogram_half_widths(np.random.default_rng(seed), *known, *options)

    @cached_property
    def strategy(self) -> linear_queries.Errors:
        """Which sums of the parts get the noise of the histogram."""
        neighbours = self.release.neighbours
        return linear_queries.error("running_totals", "best", self.n_parts, neighbours=neighbours, noise="laplace")

    @cached_property
    def truths(self) -> Array:
        """The quantiles of the values."""
        return np.quantile(self.ordered, self.levels)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The ± of each quantile, by method, and of each alone with all of ε."""
        release, alpha = self.release, self.significance
        known = self.ordered, list(self.levels), release.epsilon, release.low, release.high
        errors = {
            "single": quantiles.single_half_widths(*known, 0.0, alpha, release.neighbours),
            "alone": quantiles.half_width(*known, alpha, release.neighbours),
        }
        if self.is_recursive_drawn:
            rng = np.random.default_rng(SEED)
            errors["recursive"] = quantiles.recursive_half_widths(rng, *known, alpha, N_DRAWS)
        if self.has_draws:
            errors["histogram"] = self._histogram_errors(self.n_parts, SEED)
        return pd.DataFrame({"quantile": self.levels, "truth": self.truths} | errors)

    @cached_property
    def largest_errors(self) -> dict[str, float]:
        """The ± of the quantile that is farthest off, by method."""
        return {name: float(self.frame[name].to_numpy().max()) for name in METHODS if name in self.frame}

    @cached_property
    def epsilon_each(self) -> float:
        """The ε of each quantile that is released by itself, or of a level of halves; rounded down."""
        divide = quantiles.single_epsilon if self.best_method == "single" else quantiles.recursive_epsilon
        return divide(self.release.epsilon, len(self.levels))

    @cached_property
    def best_method(self) -> str:
        """The method whose largest ± is the least."""
        return min(self.largest_errors, key=self.largest_errors.__getitem__)
