"""The errors of the numbers of a series at one guarantee: of each method, over time and over k, and a trial."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from dpcore import gaussian, linear_queries
from dpcore.accuracy import each_significance
from dpcore.checks import Array
from dpcore.linear_queries import Errors
from pages.series.methods import (
    MOST_OPTIMIZED,
    OPTIMUM,
    Series,
    best_methods,
    best_of,
    errors_of,
    first_with_noisy_periods,
    limit_of,
)
from pages.series.parameters import METHOD_NAMES

ALONE = "per_period"
"""Noise in each period, whose sums are published."""
_CURVES = (ALONE, "tree", "square_root", "normalized_square_root")
_N_PLACES = 16  # of k


@dataclass(frozen=True)
class OverTime:
    """The numbers of a series with Gaussian noise; `method` is a method or "best".

    Attributes
    ----------
    series : what the errors depend on, but for the noise.
    epsilon, delta, significance : of the guarantee, and of the half-widths.
    is_joint : whether the half-widths hold for all numbers at once.
    """

    series: Series
    method: str
    epsilon: float
    delta: float
    significance: float
    is_joint: bool = False

    @cached_property
    def best_errors(self) -> Errors:
        """The errors of the best method."""
        return best_of(self.series)

    @cached_property
    def chosen(self) -> Errors:
        """The errors of the chosen method."""
        return self.best_errors if self.method == "best" else errors_of(self.series, self.method)

    @cached_property
    def level(self) -> float:
        """The significance of each number: α, or that at which all are inside at α (Šidák)."""
        return float(each_significance(self.significance, self.series.n)) if self.is_joint else self.significance

    @cached_property
    def _unit_scale(self) -> float:
        """σ at sensitivity 1."""
        return float(gaussian.analytic_sigma(self.epsilon, self.delta, 1.0))

    @cached_property
    def unit(self) -> float:
        """The half-width at an error of 1: that of noise at sensitivity 1."""
        return float(gaussian.half_width(self.level, self._unit_scale))

    @cached_property
    def noise_scale(self) -> float:
        """σ of the noise in each noisy sum."""
        return linear_queries.noise_scale(self.chosen, self.epsilon, self.delta)

    def half_widths(self, errors: Errors) -> Array:
        """Return the half-width of each number."""
        return linear_queries.half_widths(errors, self.epsilon, self.delta, self.level)

    def half_widths_of(self, method: str) -> Array:
        """Return the half-width of each number by a method."""
        return self.half_widths(errors_of(self.series, method))

    @cached_property
    def half_width(self) -> float:
        """The largest half-width of the chosen method."""
        return float(self.half_widths(self.chosen).max())

    @property
    def rival(self) -> str:
        """The method that the answer compares with: noise in each period, or the best of the others."""
        if self.chosen.strategy != ALONE:
            return ALONE
        others = (errors_of(self.series, method) for method in METHOD_NAMES if method != ALONE)
        return min(others, key=lambda errors: errors.largest).strategy

    @property
    def curves(self) -> tuple[str, ...]:
        """The methods that are drawn: four, among them the chosen one."""
        shown = self.chosen.strategy
        return _CURVES if shown in _CURVES else (ALONE, "tree", "normalized_square_root", shown)

    @cached_property
    def limit(self) -> float:
        """What no method goes below, of the largest half-width, where a person adds c to one period."""
        bound = limit_of(self.series.workload, self.series.n, self.series.window).largest
        amount = self.series.per_cell if self.series.total is None else min(self.series.per_cell, self.series.total)
        return bound * amount * float(gaussian.half_width(self.significance, self._unit_scale))

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The half-width of each number by each method that is drawn."""
        columns = {method: self.half_widths_of(method) for method in self.curves}
        return pd.DataFrame({"period": np.arange(1, self.series.n + 1)} | columns)

    @cached_property
    def places(self) -> list[int]:
        """The k at which the largest errors are drawn: a few up to T, with that of the series."""
        along = np.geomspace(1, self.series.n, _N_PLACES).round().astype(int)
        return sorted({*along.tolist(), self.series.contributions})

    @cached_property
    def over_persons(self) -> pd.DataFrame:
        """The largest half-width over k, by each method that is drawn."""
        columns = {
            method: self.unit * linear_queries.largest_errors(errors_of(self.series, method), self.places)
            for method in self.curves
        }
        return pd.DataFrame({"k": self.places} | columns)

    @cached_property
    def first_alone(self) -> int | None:
        """The first k from which on no method is better than noise in each period."""
        return first_with_noisy_periods(self.series.with_persons_in(1))

    @cached_property
    def _laplace_errors(self) -> Errors:
        """The error with Laplace noise in each period of the longest sum alone."""
        series = self.series
        numbers = linear_queries.workload(series.workload, series.n, series.window or 1)
        longest = np.zeros((1, series.n))
        longest[0, : int((numbers.end - numbers.first).max())] = 1
        return linear_queries.error(
            longest,
            ALONE,
            series.n,
            series.contributions,
            per_cell=series.per_cell,
            total=series.total,
            neighbours=series.neighbours,
            noise="laplace",
        )

    @cached_property
    def laplace(self) -> float:
        """The half-width with Laplace noise in each period, for ε without δ, of the longest sum alone."""
        return float(linear_queries.half_widths(self._laplace_errors, self.epsilon, 0.0, self.significance)[0])

    @property
    def laplace_scale(self) -> float:
        """The scale b of Laplace noise in each period."""
        return linear_queries.noise_scale(self._laplace_errors, self.epsilon)

    @property
    def is_laplace_better(self) -> bool:
        """Whether Laplace noise in each period has a smaller half-width than the best method with Gaussian noise."""
        return not self.is_joint and self.laplace < float(self.half_widths(self.best_errors).max())

    @cached_property
    def methods(self) -> pd.DataFrame:
        """Every method with the largest and the root mean square error as half-widths, as it goes and at the end."""
        names = [*METHOD_NAMES, *([OPTIMUM] if self.series.n <= MOST_OPTIMIZED else [])]
        rows = [
            (
                name,
                self.unit * (now := errors_of(self.series, name)).largest,
                self.unit * now.root_mean_square,
                self.unit * (self.trees[1] if name == "tree" else now).largest,
                now.sensitivity,
            )
            for name in names
        ]
        columns = ["method", "largest", "root_mean_square", "largest_at_the_end", "sensitivity"]
        return pd.DataFrame(sorted(rows, key=lambda row: row[1]), columns=columns)

    @cached_property
    def trees(self) -> tuple[Errors, Errors]:
        """The errors of the tree as it goes and at the end; those of the other methods are the same for both."""
        going, once = (
            errors_of(self.series._replace(publication=publication), "tree") for publication in ("as_it_goes", "once")
        )
        return going, once

    @property
    def price(self) -> float:
        """The largest error of the best method, over that of the best at the end."""
        return self.best_errors.largest / min(self.best_errors.largest, self.trees[1].largest)

    @property
    def best_methods(self) -> pd.DataFrame:
        """The best method over T and k."""
        series = self.series
        return best_methods(series.workload, series.window, series.publication, series.neighbours)

    def trial(self, counts: Array, seed: int) -> pd.DataFrame:
        """Return the true and the published numbers of a trial, with the half-width of each.

        `error_alone` is the error with noise in each period, from the same seed.
        """
        numbers = linear_queries.workload(self.series.workload, self.series.n, self.series.window or 1)
        alone = errors_of(self.series, ALONE)
        published, sums = (
            linear_queries.sample(np.random.default_rng(seed), errors, counts, self.epsilon, self.delta)
            for errors in (self.chosen, alone)
        )
        total = np.append(0.0, np.cumsum(counts))
        end = np.arange(1, counts.size + 1)
        truth = total[end] - total[numbers.first[: counts.size]]
        half_widths = self.half_widths(self.chosen)[: counts.size]
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
