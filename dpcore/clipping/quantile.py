"""The cost of a bound that is released privately, a quantile by the exponential mechanism, and its best share of ε."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import RECORDS_RANGE, Array, number, option, refuse, scalar
from dpcore.clipping.distributions import Data, as_values
from dpcore.clipping.noise import CONTINUOUS_NOISES, noise_delta, noise_of
from dpcore.quantiles.intervals import Range, log_widths, weights
from dpcore.quantiles.release import QUANTILE_RANGE

EPSILON_RANGE = "[1e-9, 1e6]"
_MOST_WEIGHTS = 20_000  # that are computed at once, so that they stay in the cache of the processor


def _people(values: ArrayLike, weight: ArrayLike) -> Array:
    """Return how many people each of the values stands for, in the order of the sorted values."""
    order, people = np.argsort(np.ravel(values), kind="stable"), number("weight", weight, RECORDS_RANGE)
    if people.ndim and people.shape != np.shape(values):
        raise ValueError(f"weight must be one number, or one for each value, got {people.size} for {order.size}")
    return np.broadcast_to(people.ravel(), order.shape)[order]


def _mean_squares(data: Data, people: Array, quantile: Array, epsilon: Array, high: float) -> tuple[Array, Array]:
    """Return the means of B(U)² and of U² over U, a private quantile, for each quantile and its ε.

    B(U)² and U² are quadratic on each interval, so that Simpson's rule gives their means there.
    """
    ends = Range(0.0, high).edges(data.sorted)
    n_below = np.concatenate([[0.0], np.cumsum(people)])
    width, above = np.diff(ends), np.concatenate([np.cumsum((people * data.sorted)[::-1])[::-1], [0.0]])
    n_above = n_below[-1] - n_below
    points = np.stack([ends[:-1], ends[:-1] + width / 2, ends[:-1] + width])
    simpson = np.array([1, 4, 1]) / 6
    bias_square, bound_square = simpson @ (above - n_above * points) ** 2, simpson @ points**2
    log_width, averaged = log_widths(width), np.stack([bias_square, bound_square, np.ones_like(width)], axis=1)
    sums = np.empty((quantile.size, 3))
    rows = max(_MOST_WEIGHTS // width.size, 1)
    for first in range(0, quantile.size, rows):
        part = slice(first, first + rows)
        sums[part] = weights(log_width, n_below, quantile[part] * n_below[-1], epsilon[part] / 2) @ averaged
    return sums[:, 0] / sums[:, 2], sums[:, 1] / sums[:, 2]


_SHARES = np.linspace(0.02, 0.98, 49)
_LEFT = 2.0 ** np.arange(-1, 11)  # values above the bound, in units of 1/((1 − s)ε)


@dataclass(frozen=True)
class PrivateBounds:
    """Private upper bounds from 0 on with each of 49 shares of ε, whatever noise the rest of ε buys.

    Attributes
    ----------
    epsilon : of the bound and of the noise together.
    share : s, along the last axis.
    quantile : q at which the bound aims; a row for each number of values that it leaves above, in 1/((1 − s)ε).
    bias_square : the mean of B(U)², in squared query units.
    bound_square : the mean of U², in squared query units.
    """

    epsilon: float
    share: Array
    quantile: Array
    bias_square: Array
    bound_square: Array

    def sum_errors(self, noise: str = "laplace", delta: float | None = None) -> Array:
        """Return the root mean square errors of the sum, in query units, in the shape of `quantile`.

        The rest of ε and δ buy noise for the sensitivity U of the sum, whose variance is U² times that for 1:
        2U²/((1 − s)ε)² of Laplace noise. The mean of B(U)² + Var(U) is taken over the exact distribution of U. That
        holds if a person is added or removed, and if one is replaced.

        Parameters
        ----------
        noise : "laplace", "gaussian" or "truncated_laplace"; noise on the whole numbers has no such variance.
        delta : of Gaussian and truncated Laplace noise, in [1e-300, 1), 1e-6 by default; Laplace noise leaves it out.

        Examples
        --------
        >>> bounds = private_bounds(np.arange(1, 1001), epsilon=1.0, high=10_000, quantile=0.95)
        >>> bounds.sum_errors()[0, [4, 24]].round(0).tolist()  # with .1 and .5 of ε for the bound
        [9340.0, 3179.0]
        """
        option("noise", noise, CONTINUOUS_NOISES)
        rest = (1 - self.share) * self.epsilon
        unit = noise_of(noise, rest, noise_delta(noise, delta), np.ones_like(self.share)).deviation
        return np.sqrt(self.bias_square + unit**2 * self.bound_square)

    def best(self, noise: str = "laplace", delta: float | None = None) -> "PrivateBound":
        """Return the private bound of the least of the `sum_errors`.

        Examples
        --------
        >>> bounds = private_bounds(np.arange(1, 1001), epsilon=1.0, high=10_000)
        >>> bounds.best().share, bounds.best("gaussian", delta=1e-9).share
        (0.44, 0.28)
        """
        errors = self.sum_errors(noise, delta)
        row, column = np.unravel_index(int(np.argmin(errors)), errors.shape)
        return PrivateBound(float(self.share[column]), float(self.quantile[row, column]), float(errors[row, column]))


class PrivateBound(NamedTuple):
    """A private upper bound: its share of ε, the quantile at which it aims, and the error of the sum with it."""

    share: float
    quantile: float
    error: float


def private_bounds(
    values: ArrayLike, epsilon: float, high: float, quantile: float | None = None, weight: ArrayLike = 1.0
) -> PrivateBounds:
    """Return what private bounds with 49 shares of ε from .02 to .98 cut, and how large they are.

    The bounds do not depend on the noise, so that those of an ε serve all noises and δ.

    Parameters
    ----------
    values : data in [0, 1e15].
    epsilon : of the bound and of the noise together, in [1e-9, 1e6]. The bound is that of `dpcore.quantiles.sample`
        from [0, high] for neighbours "replace", which holds for both kinds.
    high : the public upper end, in (0, 1e15].
    quantile : q in [0, 1], or None for quantiles that leave a half, 1, 2, 4, … or 1024 times 1/((1 − s)ε) values above
        the bound.
    weight : how many people each value stands for, in [1, 1e12], where the values are a sample of all; one number, or
        one for each value. Large values that stand for few people keep the bias right.

    Examples
    --------
    >>> bounds = private_bounds(np.arange(1, 1001), epsilon=1.0, high=10_000)
    >>> bounds.quantile.shape, f"{bounds.best().error:.0f}"
    ((12, 49), '3054')
    """
    data = as_values(values)
    if not isinstance(data, Data):
        raise ValueError(f"values must be data, got {data.name}")
    epsilon, people = scalar("epsilon", epsilon, EPSILON_RANGE), _people(values, weight)
    refuse("values", data.sorted, data.sorted < 0, "[0, 1e15]")
    if quantile is None:
        left = np.multiply.outer(_LEFT, 1 / ((1 - _SHARES) * epsilon * people.sum()))
        quantiles = np.clip(1 - left, 0, 1)
    else:
        quantiles = np.full((1, _SHARES.size), scalar("quantile", quantile, QUANTILE_RANGE))
    own = np.broadcast_to(_SHARES * epsilon, quantiles.shape)
    means = _mean_squares(data, people, quantiles.ravel(), own.ravel(), high)
    return PrivateBounds(epsilon, _SHARES, quantiles, *(mean.reshape(quantiles.shape) for mean in means))
