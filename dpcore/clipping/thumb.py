"""A rule of thumb for an upper bound, which needs no search."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import POSITIVE_EPSILON_RANGE, Array, number
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.roots import multisect

_MOST_VALUE = 1e15


def rule_of_thumb(values: ArrayLike | Distribution | Data, epsilon: ArrayLike) -> Array:
    """Return U such that about 1/ε values lie above it: the bound of the least |B| + E|noise|, for L = 0 and U > 0.

    With Laplace noise of scale U/ε the derivative of |B| + U/ε is 1/ε − n_above (compare [AKMV19], who bound the
    contribution of users by such a quantile). Since max(|B|, E|noise|) ≤ E|B + noise| ≤ |B| + E|noise|, its mean
    absolute error is at most twice the least one (own).

    Parameters
    ----------
    values : data in [0, 1e15], or a `Distribution`.
    epsilon : in [1e-12, 1e6].

    Returns
    -------
    U in query units, of the shape of `epsilon`: the least bound with at most 1/ε values above it, at least 1e-9 of the
    greatest value.

    Examples
    --------
    >>> rule_of_thumb(np.arange(1, 1001), [0.01, 0.1, 1]).tolist()
    [900.0, 990.0, 999.0]
    """
    known, epsilon = as_values(values), number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    greatest = min(max(known.extremes()[1], 1e-9), _MOST_VALUE)
    if isinstance(known, Data):
        place = known.n - np.floor(np.minimum(1 / epsilon, known.n)).astype(int)
        bound = np.where(place > 0, known.sorted[np.maximum(place - 1, 0)], 0.0)
        return np.maximum(bound, 1e-9 * greatest)[()]
    shape = np.broadcast_to(0.0, epsilon.shape)
    most = np.minimum(greatest * np.maximum(1.0, epsilon) + greatest, _MOST_VALUE)
    while np.any((known.n_above(most) > 1 / epsilon) & (most < _MOST_VALUE)):
        most = np.minimum(2 * most, _MOST_VALUE)
    return multisect(lambda bound: known.n_above(bound) <= 1 / epsilon, shape + 1e-9 * greatest, most, 32, 12)[1][()]
