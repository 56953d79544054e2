"""One noise for a table of counts: what it promises, and what it does to a number, whatever its family."""

from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from dpcore import discrete_gaussian, gaussian, geometric, laplace, staircase
from dpcore import generalized_gaussian as generalized
from dpcore.checks import Array, number

KEYS = (
    "laplace",
    "geometric",
    "staircase",
    "analytic",
    "discrete_gaussian",
    "pdp",
    "classical",
    "generalized_gaussian",
)
_FAMILIES: dict[str, ModuleType] = {
    "laplace": laplace,
    "geometric": geometric,
    "staircase": staircase,
    "gaussian": gaussian,
    "discrete_gaussian": discrete_gaussian,
    "generalized_gaussian": generalized,
}


@dataclass(frozen=True)
class Noise:
    """One noise that is calibrated to a promise, and what it does to a number.

    Attributes
    ----------
    key : one of `KEYS`.
    name : for every page.
    family : the module of `dpcore` that the noise is of.
    promise : "(ε, δ)-DP", "(ε, δ)-pDP" or "ε-DP", of all released numbers together.
    theorem : the theorem with its source.
    status : a word of `dpcore.calibrations`: "proved", "within target" or "fails".
    true_delta : the least δ of (ε, δ)-DP that is known of it; 0 for ε-DP.
    scale : in the unit of the table, of what `symbol` is: σ, b or s.
    symbol : of the scale.
    whole : whether it adds whole numbers.
    parameters : the arguments with which the module's functions describe the noise.
    """

    key: str
    name: str
    family: str
    promise: str
    theorem: str
    status: str
    true_delta: float
    scale: float
    symbol: str
    whole: bool
    parameters: tuple[float, ...]

    def half_width(self, significance: ArrayLike) -> Array:
        """The least a with Pr(|noise| > a) ≤ α, α in [1e-300, 1)."""
        return _FAMILIES[self.family].half_width(significance, *self.parameters)

    def tail(self, t: ArrayLike) -> Array:
        """Pr(|noise| > t), t ≥ 0."""
        return _FAMILIES[self.family].tail(t, *self.parameters)

    def upper(self, t: ArrayLike) -> Array:
        """Pr(noise > t), t in [−1e300, 1e300]."""
        t = number("t", t, "[-1e300, 1e300]")
        return np.where(t < 0, 1 - self._at_least(abs(t)), self.tail(abs(t)) / 2)[()]

    def at_least(self, t: ArrayLike) -> Array:
        """Pr(noise ≥ t), t in [−1e300, 1e300]: more than `upper` where the noise takes the value t."""
        t = number("t", t, "[-1e300, 1e300]")
        return np.where(t > 0, self._at_least(abs(t)), 1 - self.tail(abs(t)) / 2)[()]

    def _at_least(self, t: Array) -> Array:
        """Pr(noise ≥ t) for t > 0, to which the whole number below t belongs too if the noise is whole."""
        return self.tail(np.maximum(np.ceil(t) - 1, 0) if self.whole else t) / 2

    def variance(self) -> float:
        """E noise², in the unit of the table squared."""
        return float(_FAMILIES[self.family].variance(*self.parameters))

    def mean_absolute_error(self) -> float:
        """E|noise|."""
        return float(_FAMILIES[self.family].mean_absolute_error(*self.parameters))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Array:
        """Draws, for pictures and trials: a release needs a sampler that floating point can't betray."""
        return _FAMILIES[self.family].sample(rng, *self.parameters, size=size)


@lru_cache(512)  # a noise is asked for it by its recommendation, by pictures, tables and words
def reach(noise: Noise, significance: float) -> float:
    """The `Noise.half_width` at one level.

    Examples
    --------
    >>> from dpcore.tables import mechanisms, moves
    >>> f"{reach(mechanisms(1.0, 1e-6, moves(3))[0], 0.05):.3f}"
    '8.987'
    """
    return float(noise.half_width(significance))
