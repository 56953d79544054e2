"""The errors of the numbers of a series at one guarantee: of each method, over time and over k, and a trial."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from dpcore import gaussian, linear_queries
from dpcore.checks import Array
from dpcore.composition import epsilon_from_rho
from dpcore.families import FAMILIES
from dpcore.linear_queries import Errors
from pages.framework.rendering.uploaded_files import kept
from pages.series.methods import (
    EQUAL,
    MOST_OPTIMIZED,
    OPTIMUM,
    Guaranteed,
    best_methods,
    errors_of,
    first_with_noisy_periods,
    has_delta,
)

ALONE = "per_period"
"""Noise in each period, whose sums are published."""
_EACH_PLACE, _N_PLACES, _FEW_PLACES = 128, 96, 16
"""Up to which k each is drawn, how many of all, and how many where each takes long."""


@dataclass(frozen=True)
class OverTime(Guaranteed):
    """The numbers of a series; `method` is a method or "best"."""

    method: str

    @property
    def every(self) -> list[Errors]:
        """The errors of each method."""
        return [errors_of(self.series, method) for method in self.series.methods]

    @cached_property
    def best_errors(self) -> Errors:
        """The errors of the method with the least largest half-width; of equal ones, of the first."""
        return self.best_of(self.every)

    @cached_property
    def answer_errors(self) -> Errors:
        """The errors of the chosen method."""
        return self.best_errors if self.method == "best" else errors_of(self.series, self.method)

    @property
    def candidates(self) -> list[Errors]:
        """The errors among which those of the answer are."""
        return self.every if self.method == "best" else [self.answer_errors]

    @cached_property
    def noise_scale(self) -> float:
        """The scale of the noise in each noisy sum."""
        return linear_queries.noise_scale(self.answer_errors, *self.guarantee)

    def half_widths_of(self, method: str) -> Array:
        """Return the half-width of each number by a method."""
        return self.half_widths(errors_of(self.series, method))

    def largest(self, method: str) -> float:
        """Return the largest half-width of a method."""
        return self.largest_half_width(errors_of(self.series, method))

    @cached_property
    def half_width(self) -> float:
        """The largest half-width of the chosen method."""
        return self.largest(self.answer_errors.strategy)

    @cached_property
    def year_sizes(self) -> tuple[float, float] | None:
        """The ± of the first and of the last year-to-date total of a year, by the chosen method.

        None for other totals, and where the last total of a year has not the largest ±, or the first one the same.
        """
        if self.series.workload != "year_to_date" or self.series.window is None:
            return None
        sizes = self.half_widths(self.answer_errors)[: self.series.window]
        first, last = float(sizes[0]), float(sizes[-1])
        return (first, last) if last > first * EQUAL and last * EQUAL >= self.half_width else None

    @cached_property
    def rival(self) -> str:
        """The method that the answer compares with: noise in each period, or the best of the others."""
        if self.answer_errors.strategy != ALONE:
            return ALONE
        return self.best_of(
            [errors_of(self.series, method) for method in self.series.methods if method != ALONE]
        ).strategy

    @property
    def curves(self) -> tuple[str, ...]:
        """The methods that are drawn: up to five, among them the chosen one."""
        shown = self.answer_errors.strategy
        if FAMILIES[self.noise].whole:
            return tuple(dict.fromkeys((ALONE, "tree", "binary_tree", shown)))
        rival = () if self.is_gaussian else (self.rival,)
        return tuple(dict.fromkeys((ALONE, "tree", "normalized_square_root", shown, *rival)))

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The half-width of each number by each method that is drawn."""
        columns = {method: self.half_widths_of(method) for method in self.curves}
        return pd.DataFrame({"period": np.arange(1, self.series.n + 1)} | columns)

    @property
    def has_few_places(self) -> bool:
        """Whether the largest errors are known at a few k alone: those of all numbers at once, with whole noise."""
        return self.is_joint and FAMILIES[self.noise].whole

    @cached_property
    def places(self) -> list[int]:
        """The k at which the largest errors are drawn, with that of the series: so many that lines join them.

        That of a tree has a kink at each power of two, and steps between.
        """
        n, few = self.series.n, self.has_few_places
        along = np.geomspace(1, n, _FEW_PLACES if few else _N_PLACES).round().astype(int)
        each = range(1, 1 if few else min(n, _EACH_PLACE) + 1)
        return sorted({*along.tolist(), *each, self.series.contributions})

    @cached_property
    def over_persons(self) -> pd.DataFrame:
        """The largest half-width over k, by each method that is drawn."""
        return pd.DataFrame({"k": self.places} | {method: self._of_persons(method) for method in self.curves})

    def _of_persons(self, method: str) -> Array:
        """Return the largest half-width of a method at each of `places`: in proportion to that at the k of the series.

        Of whole noise it is not; of Laplace noise each alone is known in less time.
        """
        errors = errors_of(self.series, method)
        if self.is_gaussian or (self.is_joint and not self.has_few_places):
            return self.largest(method) / errors.largest * linear_queries.largest_errors(errors, self.places)
        if not self.is_joint:
            return linear_queries.largest_half_widths(errors, self.places, *self.terms)
        every = [errors_of(self.series._replace(contributions=k), method) for k in self.places]
        return np.array([self.largest_half_width(errors) for errors in every])

    @cached_property
    def first_alone(self) -> int | None:
        """The first k from which on no method is better than noise in each period, of Gaussian noise."""
        alone = self.series._replace(contributions=1)
        return kept(first_with_noisy_periods, alone, self.significance if self.is_joint else None)

    @property
    def pure_scale(self) -> float:
        """The scale of `pure_noise` in each period."""
        return linear_queries.noise_scale(self.alone_errors(self.pure_noise), self.epsilon)

    @property
    def is_pure_better(self) -> bool:
        """Whether `pure_noise` in each period has a smaller half-width than the best method with this noise."""
        if self.is_joint or not has_delta(self.noise):
            return False
        return self.pure < self.largest(self.best_errors.strategy)

    @cached_property
    def with_delta(self) -> "OverTime":
        """The best method with (discrete) Gaussian noise in place of a noise without δ."""
        noise = "discrete_gaussian" if FAMILIES[self.noise].whole else "gaussian"
        return replace(self, series=self.series._replace(noise=noise), method="best")

    def epsilon_of_years(self, n_years: int) -> float:
        """Return an ε, at the same δ, of a person in so many series with this noise: exact but of whole noise."""
        size = self.answer_errors.sensitivity
        if self.is_gaussian:
            return float(gaussian.epsilon_from_sigma(self.delta, self.noise_scale / n_years**0.5, size))
        if not has_delta(self.noise):
            return n_years * self.epsilon
        return float(epsilon_from_rho(self.delta, n_years * size**2 / (2 * self.noise_scale**2)))

    @cached_property
    def methods(self) -> pd.DataFrame:
        """Every method with the largest and the root mean square half-width, and the largest at the end."""
        has_optimum = self.is_gaussian and self.series.n <= MOST_OPTIMIZED
        rows = []
        for name in (*self.series.methods, *([OPTIMUM] if has_optimum else [])):
            errors = errors_of(self.series, name)
            widths = self.half_widths(errors)
            at_the_end = self.trees[1] if name == "tree" else float(widths.max())
            root_mean_square = float(np.sqrt(np.mean(widths**2)))
            rows.append((name, float(widths.max()), root_mean_square, at_the_end, errors.sensitivity))
        columns = ["method", "largest", "root_mean_square", "largest_at_the_end", "sensitivity"]
        return pd.DataFrame(sorted(rows, key=lambda row: row[1]), columns=columns)

    @cached_property
    def trees(self) -> tuple[float, float]:
        """The largest half-width of the tree as it goes and at the end; of the other methods both are the same."""
        own, other = self.largest("tree"), "once" if self.series.publication == "as_it_goes" else "as_it_goes"
        errors = errors_of(self.series._replace(publication=other), "tree")
        found = self.largest_half_width(errors)
        going, once = (own, found) if other == "once" else (found, own)
        return going, once

    @property
    def price(self) -> float:
        """The largest half-width of the best method, over that of the best at the end."""
        best = self.largest(self.best_errors.strategy)
        return best / min(best, self.trees[1]) if best else 1.0  # whole noise may be 0 in almost all releases

    @property
    def best_methods(self) -> pd.DataFrame:
        """The best method over T and k."""
        series = self.series
        return kept(best_methods, series.workload, series.window, series.publication, series.neighbours, series.noise)

    def trial(self, counts: Array, seed: int) -> pd.DataFrame:
        """Return the true and the published numbers of a trial, with the half-width of each.

        `error_alone` is the error with noise in each period, from the same seed.
        """
        numbers = linear_queries.workload(self.series.workload, self.series.n, self.series.window or 1)
        alone = errors_of(self.series, ALONE)
        published, sums = (
            linear_queries.sample(np.random.default_rng(seed), errors, counts, *self.guarantee)
            for errors in (self.answer_errors, alone)
        )
        total = np.append(0.0, np.cumsum(counts))
        end = np.arange(1, counts.size + 1)
        truth = total[end] - total[numbers.first[: counts.size]]
        half_widths = self.half_widths(self.answer_errors)[: counts.size]
        columns = {"period": end, "count": counts, "truth": truth, "published": published}
        columns |= {"low": published - half_widths, "high": published + half_widths}
        errors = {"error": published - truth, "half_width": half_widths, "error_alone": sums - truth}
        return pd.DataFrame(columns | errors)


def invented_counts(n: int, seed: int) -> Array:
    """Return counts of a series that is invented: about 500 in each period, more in the middle of each year.

    >>> invented_counts(3, 1).tolist() == invented_counts(9, 1)[:3].tolist()
    True
    """
    rng = np.random.default_rng([seed, 1])  # apart from the noise of the trial
    season = 60 * np.sin(2 * np.pi * np.arange(n) / 12)
    return np.array([float(rng.poisson(500 + extra)) for extra in season])
