"""The values that are summed: data, or n draws of a distribution whose clipped moments are closed forms.

Of both it is known how much is cut above and below a bound, of data exactly and of a distribution on average.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from dpcore.checks import RECORDS_RANGE, Array, number, scalar, scalar_integer

VALUES_RANGE = "[-1e15, 1e15]"
_LOCATION_RANGE = "[-1e12, 1e12]"
_SCALE_RANGE = "[1e-9, 1e12]"


class Data:
    """Values that are given, sorted."""

    def __init__(self, values: ArrayLike) -> None:
        self.sorted = np.sort(np.atleast_1d(number("values", values, VALUES_RANGE)).ravel())
        scalar_integer("the number of values", self.sorted.size, RECORDS_RANGE)
        self._sums = np.concatenate([[0.0], np.cumsum(self.sorted)])

    @property
    def n(self) -> int:
        """The number of values."""
        return self.sorted.size

    @property
    def mean(self) -> float:
        """Their mean."""
        return float(self._sums[-1]) / self.n

    def cut_above(self, high: Array) -> Array:
        """Return Σ(x − U)₊."""
        place = np.searchsorted(self.sorted, high, side="right")
        return np.maximum(self._sums[-1] - self._sums[place] - (self.n - place) * high, 0)

    def cut_below(self, low: Array) -> Array:
        """Return Σ(L − x)₊."""
        place = np.searchsorted(self.sorted, low)
        return np.maximum(place * low - self._sums[place], 0)

    def n_above(self, high: Array) -> Array:
        """Return how many values are above U."""
        return (self.n - np.searchsorted(self.sorted, high, side="right")).astype(np.float64)

    def n_below(self, low: Array) -> Array:
        """Return how many values are below L."""
        return np.searchsorted(self.sorted, low).astype(np.float64)

    def extremes(self) -> tuple[float, float]:
        """Return the least and the greatest value."""
        return float(self.sorted[0]), float(self.sorted[-1])


@dataclass(frozen=True)
class Distribution:
    """n independent values of a distribution, made by `lognormal`, `normal`, `exponential`, `pareto` or `uniform`.

    Attributes
    ----------
    name : of the distribution.
    parameters : those of its function, in their order.
    n : how many values there are.
    """

    name: str
    parameters: tuple[float, float]
    n: int

    @property
    def mean(self) -> float:
        """E X, in query units.

        Examples
        --------
        >>> f"{lognormal(10, 1, 100).mean:.2f}"
        '36315.50'
        """
        first, second = self.parameters
        if self.name == "lognormal":
            return float(np.exp(first + second**2 / 2))
        if self.name == "pareto":
            return first * second / (first - 1)
        return (first + second) / 2 if self.name == "uniform" else first

    def cut_above(self, high: ArrayLike) -> Array:
        """Return n E(X − U)₊, in query units, for U in [−1e15, 1e15].

        Examples
        --------
        >>> exponential(2, 100).cut_above([0, 2]).round(3).tolist()
        [200.0, 73.576]
        """
        u = number("high", high, VALUES_RANGE)
        return self.n * _EXCESS[self.name](u, *self.parameters)

    def cut_below(self, low: ArrayLike) -> Array:
        """Return n E(L − X)₊ = n (E(X − L)₊ − E X + L), in query units, for L in [−1e15, 1e15].

        Examples
        --------
        >>> f"{normal(0, 1, 100).cut_below(0):.3f}"
        '39.894'
        """
        bound = number("low", low, VALUES_RANGE)
        return np.maximum(self.cut_above(bound) - self.n * (self.mean - bound), 0)[()]

    def n_above(self, high: ArrayLike) -> Array:
        """Return n Pr(X > U), for U in [−1e15, 1e15].

        Examples
        --------
        >>> f"{lognormal(10, 1, 10_000).n_above(378_608.739):.2f}"
        '22.26'
        """
        return self.n * _TAIL[self.name](number("high", high, VALUES_RANGE), *self.parameters)

    def n_below(self, low: ArrayLike) -> Array:
        """Return n Pr(X < L), for L in [−1e15, 1e15].

        Examples
        --------
        >>> uniform(0, 10, 50).n_below(2).item()
        10.0
        """
        return np.maximum(self.n - self.n_above(low), 0)[()]

    def extremes(self) -> tuple[float, float]:
        """Return the bounds beyond which one value is expected, or the ends of the distribution for n = 1.

        Examples
        --------
        >>> uniform(0, 10, 50).extremes()
        (0.2, 9.8)
        """
        if self.n == 1:
            return self.parameters[1] if self.name == "uniform" else self.mean, float(self.quantile(0.5))
        return float(self.quantile(1 / self.n)), float(self.quantile(1 - 1 / self.n))

    def quantile(self, share: ArrayLike) -> Array:
        """Return the value below which a share of the distribution lies, in query units, for shares in (0, 1).

        Examples
        --------
        >>> lognormal(np.log(30), 0.8, 100).quantile([0.5, 0.9]).round(3).tolist()
        [30.0, 83.633]
        """
        return _INVERSE[self.name](number("share", share, "(0, 1)"), *self.parameters)


def lognormal(m: float, s: float, n: int) -> Distribution:
    """e^Y with Y normal of mean m in [−20, 30] and standard deviation s in [0.01, 5]; n values, n in [1, 1e12].

    The median is e^m, the 90th percentile e^{m + 1.2816 s}.

    Examples
    --------
    >>> lognormal(10, 1, 10_000).n
    10000
    """
    return _distribution("lognormal", scalar("m", m, "[-20, 30]"), scalar("s", s, "[0.01, 5]"), n)


def normal(mean: float, deviation: float, n: int) -> Distribution:
    """Normal values: mean in [−1e12, 1e12], standard deviation in [1e-9, 1e12]; n values, n in [1, 1e12].

    Examples
    --------
    >>> normal(50, 10, 100).mean
    50.0
    """
    return _distribution(
        "normal", scalar("mean", mean, _LOCATION_RANGE), scalar("deviation", deviation, _SCALE_RANGE), n
    )


def exponential(mean: float, n: int) -> Distribution:
    """Exponential values of a mean in [1e-9, 1e12]; n values, n in [1, 1e12].

    Examples
    --------
    >>> exponential(3, 100).mean
    3.0
    """
    return _distribution("exponential", scalar("mean", mean, _SCALE_RANGE), 0.0, n)


def pareto(exponent: float, least: float, n: int) -> Distribution:
    """Pareto values: Pr(X > x) = (least/x)^exponent from `least` on; exponent in [1.01, 100], least in [1e-9, 1e12].

    Examples
    --------
    >>> pareto(3, 2, 100).mean
    3.0
    """
    return _distribution("pareto", scalar("exponent", exponent, "[1.01, 100]"), scalar("least", least, _SCALE_RANGE), n)


def uniform(low: float, high: float, n: int) -> Distribution:
    """Uniform values in [low, high], which are in [−1e12, 1e12] and at least 1e-9 apart; n values, n in [1, 1e12].

    Examples
    --------
    >>> uniform(0, 10, 100).mean
    5.0
    """
    low = scalar("low", low, _LOCATION_RANGE)
    scalar("high − low", scalar("high", high, _LOCATION_RANGE) - low, "[1e-9, 2e12]")
    return _distribution("uniform", low, high, n)


def _distribution(name: str, first: float, second: float, n: int) -> Distribution:
    return Distribution(name, (float(first), float(second)), scalar_integer("n", n, RECORDS_RANGE))


def as_values(values: "ArrayLike | Distribution | Data") -> "Distribution | Data":
    """Return a distribution or data as they are, and anything else as data."""
    return values if isinstance(values, Distribution | Data) else Data(values)


def _normal_excess(u: Array, mean: float, deviation: float) -> Array:
    z = (mean - u) / deviation
    return deviation * np.maximum(z * ndtr(z) + np.exp(-z * z / 2) / np.sqrt(2 * np.pi), 0)


def _lognormal_excess(u: Array, m: float, s: float) -> Array:
    log = np.log(np.maximum(u, 1e-300))
    mean = np.exp(m + s * s / 2)
    inside = mean * ndtr((m + s * s - log) / s) - u * ndtr((m - log) / s)
    return np.where(u > 0, np.maximum(inside, 0), mean - u)


def _exponential_excess(u: Array, mean: float, _: float) -> Array:
    return np.where(u > 0, mean * np.exp(-np.maximum(u, 0) / mean), mean - u)


def _pareto_excess(u: Array, exponent: float, least: float) -> Array:
    inside = (least / np.maximum(u, least)) ** exponent * np.maximum(u, least) / (exponent - 1)
    return np.where(u > least, inside, least * exponent / (exponent - 1) - u)


def _uniform_excess(u: Array, low: float, high: float) -> Array:
    inside = np.clip(high - u, 0, high - low)
    return inside**2 / (2 * (high - low)) + np.maximum(low - u, 0)


_EXCESS = {
    "lognormal": _lognormal_excess,
    "normal": _normal_excess,
    "exponential": _exponential_excess,
    "pareto": _pareto_excess,
    "uniform": _uniform_excess,
}
_TAIL = {
    "lognormal": lambda u, m, s: np.where(u > 0, ndtr((m - np.log(np.maximum(u, 1e-300))) / s), 1.0),
    "normal": lambda u, mean, deviation: ndtr((mean - u) / deviation),
    "exponential": lambda u, mean, _: np.exp(-np.maximum(u, 0) / mean),
    "pareto": lambda u, exponent, least: (least / np.maximum(u, least)) ** exponent,
    "uniform": lambda u, low, high: np.clip((high - u) / (high - low), 0, 1),
}
_INVERSE = {
    "lognormal": lambda share, m, s: np.exp(m + s * ndtri(share)),
    "normal": lambda share, mean, deviation: mean + deviation * ndtri(share),
    "exponential": lambda share, mean, _: -mean * np.log1p(-share),
    "pareto": lambda share, exponent, least: least * (1 - share) ** (-1 / exponent),
    "uniform": lambda share, low, high: low + share * (high - low),
}
