"""What private upper bounds of the values cost."""

from functools import lru_cache

import numpy as np
from scipy.special import ndtr, ndtri

from dpcore import clipping
from dpcore.checks import Array
from dpcore.clipping import Distribution, PrivateBounds
from pages.clipping.bounds.search_results import MOST_VALUE, Known

_MOST_VALUES = 1000  # that stand for all


def private_bounds(known: Known, epsilon: float, high: float) -> PrivateBounds:
    """Return the private bounds within 0 and the maximum of the range, cached for a distribution.

    Of many values some stand for all, for as many people.
    """
    if isinstance(known, Distribution):
        return _cached_bounds(known, epsilon, high)
    return _private_bounds(known, epsilon, high)


def _private_bounds(known: Known, epsilon: float, high: float) -> PrivateBounds:
    values, n_people = _representatives(known)
    return clipping.private_bounds(values, epsilon, high, weight=n_people)


@lru_cache(256)
def _cached_bounds(known: Distribution, epsilon: float, high: float) -> PrivateBounds:
    return _private_bounds(known, epsilon, high)


def _representatives(known: Known) -> tuple[Array, Array]:
    """Return means of values that are next to each other, and of how many people: few at the top, for the bias."""
    n = known.n if isinstance(known, Distribution) else known.size
    steps = np.geomspace(1, n + 1, _MOST_VALUES + 1) if n > _MOST_VALUES else np.arange(1.0, n + 2)
    ranks = np.unique(np.rint(steps)) - 1
    if isinstance(known, Distribution):
        sums = n * known.mean * ndtr(known.parameters[1] + ndtri(ranks / n))
    else:
        sums = np.concatenate([[0.0], np.cumsum(known[::-1])])[ranks.astype(np.intp)]
    return np.minimum(np.diff(sums) / np.diff(ranks), 10 * MOST_VALUE), np.diff(ranks)
