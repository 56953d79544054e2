"""The records of one noise distribution, and of a mechanism: noise with the guarantee that it satisfies."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from dpcore.accuracy import each_significance
from dpcore.calibrations import FLOOR, PROVED
from dpcore.checks import CELLS_RANGE, SIGNIFICANCE_RANGE, Array, interval_bounds, number, scalar, scalar_integer
from dpcore.families import FAMILIES
from dpcore.generalized_gaussian.optimal_shape import size

_LEAST_SIGNIFICANCE, _ = interval_bounds(SIGNIFICANCE_RANGE)
NO_ANSWER, LOWER_BOUND, NOT_PROVED, NO_SAFE_SAMPLER = "no answer", "lower bound", "not proved", "no safe sampler"


@dataclass(frozen=True)
class NoiseDistribution:
    """A noise distribution of one family, whatever guarantee it is released with.

    Where a formula has no answer, `scale` is NaN, and so is everything that the methods return.

    Attributes
    ----------
    family : the module of `dpcore` whose functions describe the noise.
    parameters : the arguments with which they describe it.
    scale : in query units, of what `symbol` is: σ, b or s, or the bound A or N of truncated noise.
    """

    family: str
    parameters: tuple[float, ...]
    scale: float

    @property
    def symbol(self) -> str:
        """The symbol of the scale."""
        return FAMILIES[self.family].symbol

    @property
    def whole(self) -> bool:
        """Whether the noise is a whole number."""
        return FAMILIES[self.family].whole

    @property
    def hard_limit(self) -> float:
        """The largest |noise| that is possible: A or N of truncated noise, else infinite."""
        return self.scale if FAMILIES[self.family].truncated else np.inf

    @overload
    def half_width(self, significance: float, n_cells: float = 1) -> float: ...

    @overload
    def half_width(self, significance: ArrayLike, n_cells: ArrayLike = 1) -> float | Array: ...

    def half_width(self, significance: ArrayLike, n_cells: ArrayLike = 1) -> float | Array:
        """Return the least a with Pr(|noise| > a) ≤ α or, for several cells, with Pr(any |noise| > a) ≤ α.

        Parameters
        ----------
        significance : α in [1e-300, 1).
        n_cells : m, a whole number in [1, 1e15]: of so many cells, each with noise of its own, all are within ±a. Each
            cell has a significance of at least 1e-300, so that α is at most 1e-300 m where it is wanted below that.

        Examples
        --------
        >>> from dpcore.calibrations import LAPLACE
        >>> from dpcore.mechanism import calibrated
        >>> laplace = calibrated(LAPLACE, 1, 0)
        >>> print(f"±{laplace.half_width(0.05):.3f}, ±{laplace.half_width(0.05, n_cells=12):.3f}")
        ±2.996, ±5.457
        """
        if np.ndim(significance) == np.ndim(n_cells) == 0:
            level = scalar("significance", significance, SIGNIFICANCE_RANGE)
            cells = scalar_integer("n_cells", n_cells, CELLS_RANGE)
            return _half_width(self.family, self.parameters, self.scale, level, cells)
        return self._size("accuracy", self._functions.half_width, _each_level(significance, n_cells))

    def tail(self, t: ArrayLike) -> Array:
        """Return Pr(|noise| > t), t ≥ 0."""
        return self._of_noise(self._functions.tail, t)

    def upper(self, t: ArrayLike) -> Array:
        """Return Pr(noise > t), t in [−1e300, 1e300]."""
        t = number("t", t, "[-1e300, 1e300]")
        return np.where(t < 0, 1 - self._at_least(abs(t)), self.tail(abs(t)) / 2)[()]

    def at_least(self, t: ArrayLike) -> Array:
        """Return Pr(noise ≥ t), t in [−1e300, 1e300]: more than `upper` where the noise takes the value t."""
        t = number("t", t, "[-1e300, 1e300]")
        return np.where(t > 0, self._at_least(abs(t)), 1 - self.tail(abs(t)) / 2)[()]

    def _at_least(self, t: Array) -> Array:
        """Pr(noise ≥ t) for t > 0, to which the whole number below t belongs too if the noise is whole."""
        return self.tail(np.maximum(np.ceil(t) - 1, 0) if self.whole else t) / 2

    @property
    def variance(self) -> float:
        """E noise², in squared query units; infinite where a double can't hold that of Gaussian noise."""
        if self.family == "gaussian":
            with np.errstate(over="ignore"):
                return float(np.square(np.float64(self.scale)))
        return float(self._size("variance", self._functions.variance))

    @property
    def deviation(self) -> float:
        """The standard deviation √E noise², in query units."""
        if self.family == "generalized_gaussian" and not np.isnan(self.scale):
            return float(size("deviation", *self.parameters))  # finite where the variance is beyond a double
        return float(np.sqrt(self.variance))

    @property
    def mean_absolute_error(self) -> float:
        """E|noise|, in query units."""
        return float(self._size("mean_error", self._functions.mean_absolute_error))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Array:
        """Return draws, for pictures and trials: a release needs a sampler that floating point can't betray."""
        return self._functions.sample(rng, *self.parameters, size=size)

    @property
    def _functions(self) -> ModuleType:
        """The module whose functions describe the noise."""
        return FAMILIES[self.family].functions

    def _of_noise(self, function: Callable[..., Array], *first: ArrayLike) -> Array:
        """Return the value of a function of the family's module for this noise."""
        if np.isnan(self.scale):
            return np.full(np.shape(first[0]) if first else (), np.nan)[()]
        return function(*first, *self.parameters)

    def _size(self, name: str, function: Callable[..., Array], *first: ArrayLike) -> Array:
        """Return the same, or of generalized Gaussian noise the size of this name, which is rounded up."""
        if self.family == "generalized_gaussian" and not np.isnan(self.scale):
            return size(name, *self.parameters, *first)
        return self._of_noise(function, *first)


@dataclass(frozen=True)
class Mechanism(NoiseDistribution):
    """Noise that is calibrated to a privacy guarantee.

    Attributes
    ----------
    family, parameters, scale : as of every `NoiseDistribution`.
    key : that of its `Calibration`, "discrete_gaussian" or "generalized_gaussian"; links and colours go by it.
    name : for every page.
    guarantee : "(ε, δ)-DP", "(ε, δ)-pDP" or "ε-DP".
    epsilon : the ε of the guarantee.
    delta : its δ; 0 for ε-DP.
    theorem : the theorem that proves the guarantee, with its source.
    status : whether the guarantee holds, a word of `dpcore.calibrations`.
    true_delta : the least δ of (ε, δ)-DP that is known of the noise at this ε; 0 for ε-DP.
    """

    key: str
    name: str
    guarantee: str
    epsilon: float
    delta: float
    theorem: str
    status: str
    true_delta: float

    @property
    def obstacle(self) -> str:
        """Why no release should use this mechanism; empty where it can be used.

        It is `NO_ANSWER`, `LOWER_BOUND`, `NOT_PROVED` or `NO_SAFE_SAMPLER`. A sampler is safe if it is exact or made
        for floating point; OpenDP and Google's libraries have one for most families of `dpcore.families`: truncated
        geometric noise is geometric noise, drawn anew while it is beyond ±N. Ordinary samplers leave last digits of a
        floating-point number that can give the true value away (Mironov 2012).
        """
        if np.isnan(self.scale):
            return NO_ANSWER
        if self.status == FLOOR:
            return LOWER_BOUND
        if self.status != PROVED:
            return NOT_PROVED
        return "" if FAMILIES[self.family].is_sampled_safely else NO_SAFE_SAMPLER

    @property
    def releasable(self) -> bool:
        """Whether a release can use this mechanism: its guarantee is proved, and it can be sampled safely."""
        return not self.obstacle


@lru_cache(2048)  # the discrete Gaussian's takes milliseconds, and pictures, tables and words all need it
def _half_width(family: str, parameters: tuple[float, ...], scale: float, significance: float, n_cells: int) -> float:
    noise = NoiseDistribution(family, parameters, scale)
    return float(noise._size("accuracy", noise._functions.half_width, _each_level(significance, n_cells)))


def _each_level(significance: ArrayLike, n_cells: ArrayLike) -> Array:
    """Return the significance of each cell, which no half-width has below 1e-300."""
    return np.maximum(each_significance(significance, n_cells), _LEAST_SIGNIFICANCE)
