"""Private upper bounds with each share of ε, and the best share."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, scalar
from dpcore.clipping.quantile import (
    EPSILON_RANGE,
    QUANTILE_RANGE,
    mean_squares,
    people_of,
    positive_data,
    unit_deviation,
)

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

    def best(self, noise: str = "laplace", delta: float | None = None) -> "PrivateBound":
        """Return the private bound of the least `quantile_bound_error` with one of the noises of that function.

        Examples
        --------
        >>> bounds = private_bounds(np.arange(1, 1001), epsilon=1.0, high=10_000)
        >>> bounds.best().share, bounds.best("gaussian", delta=1e-9).share
        (0.44, 0.28)
        """
        errors = np.sqrt(
            self.bias_square + unit_deviation(noise, self.share, self.epsilon, delta) ** 2 * self.bound_square
        )
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
    values, epsilon, high, weight : as in `quantile_bound_error`.
    quantile : q in [0, 1], or None for quantiles that leave a half, 1, 2, 4, … or 1024 times 1/((1 − s)ε) values above
        the bound.

    Examples
    --------
    >>> bounds = private_bounds(np.arange(1, 1001), epsilon=1.0, high=10_000)
    >>> bounds.quantile.shape, f"{bounds.best().error:.0f}"
    ((12, 49), '3054')
    """
    data, epsilon, people = positive_data(values), scalar("epsilon", epsilon, EPSILON_RANGE), people_of(values, weight)
    if quantile is None:
        left = np.multiply.outer(_LEFT, 1 / ((1 - _SHARES) * epsilon * people.sum()))
        quantiles = np.clip(1 - left, 0, 1)
    else:
        quantiles = np.full((1, _SHARES.size), scalar("quantile", quantile, QUANTILE_RANGE))
    own = np.broadcast_to(_SHARES * epsilon, quantiles.shape)
    means = mean_squares(data, people, quantiles.ravel(), own.ravel(), high)
    return PrivateBounds(epsilon, _SHARES, quantiles, *(mean.reshape(quantiles.shape) for mean in means))


def best_share(
    values: ArrayLike,
    epsilon: float,
    high: float,
    quantile: float | None = None,
    noise: str = "laplace",
    delta: float | None = None,
    weight: ArrayLike = 1.0,
) -> tuple[float, float]:
    """Return the share of ε that a private bound should have, and the quantile that it should aim at.

    Of those of `private_bounds` the pair of the least `quantile_bound_error` is returned.

    Parameters
    ----------
    values, epsilon, high, noise, delta, weight : as in `quantile_bound_error`.
    quantile : q in [0, 1], or None to choose it.

    Examples
    --------
    >>> share, quantile = best_share(np.arange(1, 1001), epsilon=1.0, high=10_000)
    >>> f"{share:.2f}, {quantile:.4f}"
    '0.44, 0.9429'
    """
    best = private_bounds(values, epsilon, high, quantile, weight).best(noise, delta)
    return best.share, best.quantile
