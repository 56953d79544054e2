"""The errors of each method for a series, cached: they do not depend on ε, δ and the confidence."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dpcore import gaussian, linear_queries
from dpcore.accuracy import each_significance
from dpcore.families import FAMILIES
from dpcore.linear_queries import Errors
from pages.framework.parameters.number_format import rounded_up
from pages.framework.rendering.uploaded_files import kept
from pages.series.parameters import METHOD_NAMES, WHOLE_METHODS

OPTIMUM, MOST_OPTIMIZED = "optimum", 64
EPSILONS = 1e-6, 1e6
"""Between which an ε is sought."""
EQUAL = 1 + 1e-9
"""A ratio of errors up to which they are equal, and differ in rounding alone."""


def has_delta(noise: str) -> bool:
    """Return whether the guarantee of a noise has a δ."""
    return not FAMILIES[noise].pure


def pure_noise_of(noise: str) -> str:
    """Return Laplace noise, or geometric noise where a noise is in whole numbers.

    >>> pure_noise_of("gaussian"), pure_noise_of("discrete_gaussian")
    ('laplace', 'geometric')
    """
    is_whole = FAMILIES[noise].whole
    return next(key for key in linear_queries.NOISES if FAMILIES[key].whole == is_whole and not has_delta(key))


def level_of_each(noise: str, significance: float, n_numbers: int) -> float:
    """Return the significance of each number at which all are inside: by Šidák of Gaussian noise, else α/m.

    >>> level_of_each("laplace", 0.05, 100), round(level_of_each("gaussian", 0.05, 100), 7)
    (0.0005, 0.0005128)
    """
    if n_numbers == 1 or noise != "gaussian":
        return significance / n_numbers
    return float(each_significance(significance, n_numbers))


class Series(NamedTuple):
    """What the errors of a method depend on: the arguments of `linear_queries.error`, but for the method."""

    workload: str
    n: int
    window: int | None
    publication: str
    contributions: int = 1
    per_cell: float = 1.0
    total: float | None = None
    neighbours: str = "add_remove"
    noise: str = "gaussian"

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that have this noise."""
        return WHOLE_METHODS if FAMILIES[self.noise].whole else tuple(METHOD_NAMES)

    def with_persons_in(self, n_periods: int) -> "Series":
        """Return the series for persons in so many periods."""
        return self._replace(contributions=n_periods)


class Published(NamedTuple):
    """The arguments of `linear_queries.error`: `workload` is a name, or zeros and ones as `own_sums.results.Rows`."""

    workload: Any
    strategy: str
    n: int
    contributions: int
    per_cell: float
    total: float | None
    neighbours: str
    noise: str
    window: int | None = None
    publication: str = "once"
    branching: int | None = None


@lru_cache(512)
def errors_at(published: Published) -> Errors:
    """Return the errors of published numbers by one method, as multiples of the noise at sensitivity 1."""
    workload = published.workload
    return linear_queries.error(
        workload if isinstance(workload, str) else workload.matrix,
        published.strategy,
        published.n,
        published.contributions,
        per_cell=published.per_cell,
        total=published.total,
        neighbours=published.neighbours,
        noise=published.noise,
        window=published.window,
        publication=published.publication,
        branching=published.branching,
    )


def errors_of(series: Series, method: str) -> Errors:
    """Return the errors of a method, as multiples of the noise at sensitivity 1; those of the best for "best"."""
    persons = series.contributions, series.per_cell, series.total, series.neighbours
    return errors_at(
        Published(series.workload, method, series.n, *persons, series.noise, series.window, series.publication)
    )


def first_with_noisy_periods(series: Series) -> int | None:
    """Return the first k from which on noise in each period is at least as good as any other method; None without one.

    It is sought by halving: the more periods a person is in, the more the sums of the other methods move together.
    """
    alone, *others = (errors_of(series, method) for method in METHOD_NAMES)

    def is_best(n_periods: int) -> bool:
        least = linear_queries.largest_errors(alone, n_periods)
        return all(least <= linear_queries.largest_errors(errors, n_periods) * EQUAL for errors in reversed(others))

    low, high = 0, series.n
    if not is_best(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_best(middle) else (middle, high)
    return high


def rough_epsilon(errors: Errors, half_width: float, delta: float, significance: float) -> float:
    """Return about the ε at which every number is within ± a half-width, as if the errors were normal."""
    deviation = half_width / float(gaussian.half_width(significance, errors.largest))
    found = float(gaussian.epsilon_from_sigma(delta, deviation)) if has_delta(errors.noise) else 2**0.5 / deviation
    return min(max(found, EPSILONS[0]), EPSILONS[1])


def enough_epsilon(errors: Errors, half_width: float, delta: float, significance: float) -> float:
    """Return the least ε in [1e-6, 1e6] at which every number is within ± a half-width, rounded up to four digits.

    If none is enough it is 1e6.
    """
    try:
        least = kept(linear_queries.least_epsilon, errors, half_width, delta, significance)
    except ValueError:
        is_narrow = half_width <= linear_queries.largest_half_width(errors, EPSILONS[1], delta, significance)
        return EPSILONS[int(is_narrow)]
    return rounded_up(least)


MAP_PLACES = (1, 2, 3, 4, 6, 8, 12, 18, 24, 36, 52, 64, 90, 128)
"""The T and the k of the map of best methods."""


def best_methods(workload: str, window: int | None, publication: str, neighbours: str, noise: str) -> pd.DataFrame:
    """Return the method with the least standard error at each T and k up to T, for persons who add at most 1 each.

    `times` is by how much noise in each period has a larger error. Where k is above T, both are missing.
    """
    rows: list[tuple[int, int, str | None, float]] = []
    for n in MAP_PLACES:
        series = Series(workload, n, window, publication, neighbours=neighbours, noise=noise)
        persons = [k for k in MAP_PLACES if k <= n]
        every = [linear_queries.largest_errors(errors_of(series, method), persons) for method in series.methods]
        least = np.min(every, axis=0)
        best = np.argmax(every <= least * EQUAL, axis=0)
        times = every[series.methods.index("per_period")] / np.array(every)[best, np.arange(best.size)]
        rows += [
            (n, k, series.methods[place], ratio)
            for k, place, ratio in zip(persons, best.tolist(), times.tolist(), strict=True)
        ]
        rows += [(n, k, None, float("nan")) for k in MAP_PLACES if k > n]
    return pd.DataFrame(rows, columns=["length", "in_periods", "method", "times"])
