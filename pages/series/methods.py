"""The errors of each method for a series, cached: they do not depend on ε, δ and the confidence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dpcore import gaussian, linear_queries
from dpcore.accuracy import each_significance
from dpcore.checks import Array
from dpcore.families import FAMILIES
from dpcore.linear_queries import Errors, Simultaneous
from pages.framework.parameters.number_format import capitalized, format_input_down, format_up, rounded_up
from pages.framework.rendering.uploaded_files import kept
from pages.series.parameters import LEAST_JOINT_LEVEL, METHOD_NAMES, WHOLE_METHODS

OPTIMUM, MOST_OPTIMIZED = "optimum", 64
EPSILONS = 1e-6, 1e6
"""Between which an ε is sought."""
EQUAL = 1 + 1e-9
"""A ratio of errors up to which they are equal, and differ in rounding alone."""
CLOSE = 1.0005
"""A ratio of errors that reads as 1."""


def has_delta(noise: str) -> bool:
    """Return whether the guarantee of a noise has a δ."""
    return not FAMILIES[noise].pure


class Series(NamedTuple):
    """What the errors of a method depend on: the arguments of `linear_queries.error`, but for the method.

    `workload` is a name, or sums of the user's own as `Rows`.
    """

    workload: Any
    n: int
    window: int | None = None
    publication: str = "once"
    contributions: int = 1
    per_cell: float = 1.0
    total: float | None = None
    neighbours: str = "add_remove"
    noise: str = "gaussian"

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that have this noise."""
        return WHOLE_METHODS if FAMILIES[self.noise].whole else tuple(METHOD_NAMES)

    @property
    def are_amounts_whole(self) -> bool:
        """Whether a person adds whole numbers, as noise in whole numbers needs."""
        return all(float(amount).is_integer() for amount in (self.per_cell, self.total or 0.0))


def person_text(series: Series, places: str) -> str:
    """Return a person within a line: in how many periods or cells, with what in each and in all, and if replaced."""
    most = "" if series.per_cell == 1 else f", at most {format_input_down(series.per_cell)} in each"
    in_all = "" if series.total is None else f", {format_input_down(series.total)} in all"
    return f"a person in {places}{most}{in_all}{'' if series.neighbours == 'add_remove' else ', replaced'}"


def options_text(series: Series, **more: str | int | None) -> str:
    """Return the options of `linear_queries.error` in a program: those that are not its defaults, and more of them."""
    names = "per_cell", "total", "neighbours", "window"
    known = {name: getattr(series, name) for name in names if getattr(series, name) != Series._field_defaults[name]}
    shown = known | {name: value for name, value in more.items() if value is not None}
    return ", ".join(f"{name}={value!r}" for name, value in shown.items())


@lru_cache(512)
def errors_of(series: Series, method: str, branching: int | None = None) -> Errors:
    """Return the errors of a method, as multiples of the noise at sensitivity 1."""
    workload = series.workload
    return linear_queries.error(
        workload if isinstance(workload, str) else workload.matrix,
        method,
        series.n,
        series.contributions,
        per_cell=series.per_cell,
        total=series.total,
        neighbours=series.neighbours,
        noise=series.noise,
        window=series.window,
        publication=series.publication,
        branching=branching,
    )


@dataclass(frozen=True)
class Guaranteed:
    """Published numbers with noise.

    Attributes
    ----------
    series : what the errors depend on, but for the guarantee.
    epsilon, delta, significance : of the guarantee, and of the half-widths.
    is_joint : whether the half-widths hold for all numbers at once.
    """

    series: Series
    epsilon: float
    delta: float
    significance: float
    is_joint: bool

    @property
    def noise(self) -> str:
        """Which noise."""
        return self.series.noise

    @property
    def is_gaussian(self) -> bool:
        """Whether the noise is Gaussian, whose half-widths are multiples of standard errors."""
        return self.noise == "gaussian"

    @property
    def guarantee(self) -> tuple[float, float]:
        """ε, and δ of a noise that has one, else 0."""
        return self.epsilon, self.delta if has_delta(self.noise) else 0.0

    @property
    def terms(self) -> tuple[float, float, float]:
        """The guarantee and the significance: of each number, or of all at once."""
        return *self.guarantee, self.significance

    @property
    def n_numbers(self) -> int:
        """How many numbers are published."""
        return self.series.n * (self.series.n + 1) // 2 if self.series.workload == "ranges" else self.series.n

    def half_widths(self, errors: Errors) -> Array:
        """Return the half-width of each number."""
        return self.joint(errors).half_widths if self.is_joint else linear_queries.half_widths(errors, *self.terms)

    def largest_half_width(self, errors: Errors) -> float:
        """Return the largest half-width of a number."""
        if self.is_joint:
            return float(self.joint(errors).half_widths.max())
        return linear_queries.largest_half_width(errors, *self.terms)

    def together(self, errors: Errors) -> float | None:
        """Return the ± of all numbers at once, where another one is shown and all are several; else None."""
        if self.is_joint or self.n_numbers == 1 or self.significance < LEAST_JOINT_LEVEL:
            return None
        return replace(self, is_joint=True).largest_half_width(errors)

    def joint(self, errors: Errors) -> Simultaneous:
        """Return the half-widths of all numbers at once."""
        return linear_queries.simultaneous_half_widths(errors, *self.terms)

    def best_of(self, every: Sequence[Errors]) -> Errors:
        """Return the errors with the least largest half-width; of equal ones, the first."""
        return linear_queries.best_errors(every, *self.terms, simultaneous=self.is_joint)

    def enough_epsilon(self, errors: Errors, half_width: float) -> float:
        """Return the least ε in [1e-6, 1e6] at which every number is within ± a half-width, rounded up to four digits.

        If none is enough it is 1e6.
        """
        known = errors, half_width, *self.terms[1:]
        try:
            least = kept(linear_queries.least_epsilon, *known, simultaneous=self.is_joint)
        except ValueError:
            is_narrow = half_width <= replace(self, epsilon=EPSILONS[1]).largest_half_width(errors)
            return EPSILONS[int(is_narrow)]
        return rounded_up(least)

    def likely_of(self, every: Sequence[Errors]) -> Errors:
        """Return the errors that are mostly those of `best_of`, in less time."""
        return every[int(linear_queries.lower_half_widths(every, *self.terms).argmin())]

    @cached_property
    def unit_scale(self) -> float:
        """σ at sensitivity 1."""
        return float(gaussian.analytic_sigma(self.epsilon, self.delta, 1.0))

    @cached_property
    def limit(self) -> float | None:
        """What no method goes below, of the largest half-width, where a person adds c to one period or cell.

        It is known of Gaussian noise alone.
        """
        series = self.series
        if not self.is_gaussian:
            return None
        bound = linear_queries.lower_bound(series.workload, series.n, series.window).largest
        amount = series.per_cell if series.total is None else min(series.per_cell, series.total)
        return bound * amount * float(gaussian.half_width(self.significance, self.unit_scale))

    @property
    def pure_noise(self) -> str:
        """Laplace noise, or geometric noise where the noise is in whole numbers."""
        return "geometric" if FAMILIES[self.noise].whole else "laplace"

    def alone_errors(self, noise: str) -> Errors:
        """Return the error of the longest sum alone with a noise in each period or cell."""
        series = self.series
        numbers = linear_queries.workload(series.workload, series.n, series.window or 1)
        longest = np.zeros((1, series.n), np.uint8)
        longest[0, : int((numbers.end - numbers.first).max())] = 1
        alone = series._replace(
            workload=Rows(longest.tobytes(), series.n), window=None, publication="once", noise=noise
        )
        return errors_of(alone, "per_period")

    def half_width_with(self, noise: str) -> float:
        """Return the half-width with a noise in each period or cell, for ε without δ, of the longest sum alone."""
        return float(linear_queries.half_widths(self.alone_errors(noise), self.epsilon, 0.0, self.significance)[0])

    @cached_property
    def pure(self) -> float:
        """That with `pure_noise`."""
        return self.half_width_with(self.pure_noise)


class Rows(NamedTuple):
    """Sums of cells as a key: zeros and ones, row after row, of so many cells."""

    marks: bytes
    n_cells: int

    @property
    def matrix(self) -> Array:
        """The zeros and ones, sums × cells."""
        return np.frombuffer(self.marks, np.uint8).reshape(-1, self.n_cells).astype(np.float64)


def first_with_noisy_periods(series: Series, significance: float | None = None) -> int | None:
    """Return the first k from which on noise in each period is at least as good as any other method; None without one.

    A method is as good as its largest ± with Gaussian noise: of one number, or of all at once at a significance. It is
    sought by halving: the more periods a person is in, the more the sums of the other methods move together.
    """
    alone, *others = (errors_of(series, method) for method in METHOD_NAMES)
    known: dict[str, float] = {}
    each = most = 1.0  # between which the largest ± is over the largest standard error
    if significance is not None:
        levels = np.array([significance, each_significance(significance, series.n)])
        each, most = gaussian.half_width(levels, 1.0).tolist()

    def unit(errors: Errors) -> float:
        """Return the largest ± over the largest standard error."""
        if significance is None:
            return each
        if errors.strategy not in known:
            found = linear_queries.simultaneous_half_widths_of_scale(errors, errors.sensitivity, significance)
            known[errors.strategy] = float(found.half_widths.max() / errors.largest)
        return known[errors.strategy]

    def is_best(n_periods: int) -> bool:
        least = unit(alone) * linear_queries.largest_errors(alone, n_periods) / EQUAL
        close: list[tuple[float, Errors]] = []
        for errors in reversed(others):
            size = float(linear_queries.largest_errors(errors, n_periods))
            if least > most * size:
                return False
            if least > each * size:
                close.append((size, errors))
        return all(least <= unit(errors) * size for size, errors in sorted(close, key=lambda one: one[0]))

    low, high = 0, series.n
    if not is_best(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_best(middle) else (middle, high)
    return high


def rough_epsilon(every: Sequence[Errors], half_width: float, delta: float, significance: float) -> float:
    """Return about the least ε at which every number is within ± a half-width, as if the errors were normal."""
    least = min(errors.largest for errors in every)
    deviation = half_width / float(gaussian.half_width(significance, least))
    found = float(gaussian.epsilon_from_sigma(delta, deviation)) if has_delta(every[0].noise) else 2**0.5 / deviation
    return min(max(found, EPSILONS[0]), EPSILONS[1])


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


def rows_of(frame: pd.DataFrame, names: dict[str, str]) -> list[list[str]]:
    """Return the rows of a table of methods: the name of each, and its numbers."""
    return [[capitalized(names[name]), *map(format_up, values)] for name, *values in frame.itertuples(index=False)]


def ends_text(frame: pd.DataFrame, names: dict[str, str], several: str) -> str:
    """Return the first and the last row of a table of methods with their largest ±."""
    ends = frame.iloc[[0, -1]][["method", "largest"]].itertuples(index=False)
    first, last = (f"{names[method]}, ±{format_up(largest)}" for method, largest in ends)
    return f"{len(frame)} {several}, from {first}, to {last}."
