"""The kinds of statistic of a plan that are released with noise: each is a record, and says what one person moves."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dpcore import laplace, linear_queries
from dpcore.checks import (
    CELLS_RANGE,
    RECORDS_RANGE,
    SENSITIVITY_RANGE,
    DomainError,
    interval_bounds,
    leave_out,
    option,
    or_default,
    refuse,
    scalar,
    scalar_integer,
)
from dpcore.families import FAMILIES
from dpcore.sensitivity import PER_PERSON_RANGE, PERIODS_RANGE, Sensitivity, query_sensitivity, table_sensitivity
from dpcore.unknown_groups import ThresholdRelease, threshold_of_noise

_GROUPS_RANGE, _WHOLE_AMOUNT_RANGE, _WHOLE_TOTAL_RANGE = "[1, 1e4]", "[1, 1e6]", "[1, 1e15]"
_TOTAL_RANGE = "[1e-15, 1e15]"
_THRESHOLD_RANGE = "[1e-290, 0.1]"


@dataclass(frozen=True)
class Moved:
    """By how much one person moves a statistic: `n_numbers` have their error together; see `Query` for the others.

    The error is `offset` more than `spread` times that of the noise; `pure` is the same as Laplace noise sees it, where
    it has another spread or is added to other sums.
    """

    l1: float
    l2: float
    n_moved: int
    largest: float
    can_be_whole: bool
    n_numbers: int = 1
    width: float = 0.0
    n_records: float = 0.0
    spread: float = 1.0
    offset: float = 0.0
    threshold_delta: float = 0.0
    pure: "Moved | None" = None


class Statistic(ABC):
    """What is released: a record of its kind, whose arguments are the facts about it.

    A new kind is a frozen dataclass below `Noisy`, or `Chosen` in `dpcore.plan.choices`, that has a `kind`, its name in
    errors and tables, and the functions that are abstract there. It is listed in `dpcore.plan`. Where by how much a
    person moves it is given for one neighbouring relation, and not by a rule for each, it `has_neighbours` not.
    """

    kind: ClassVar[str]
    is_choice: ClassVar[bool]
    has_neighbours: ClassVar[bool] = True


class Noisy(Statistic):
    """A statistic that gets noise. Where it `is_count`, a person adds whole numbers, and noise on the whole numbers is
    thought of first.
    """

    is_choice: ClassVar[bool] = False
    is_count: ClassVar[bool] = False

    @abstractmethod
    def moved(self, neighbours: str, significance: float, /) -> Moved:
        """Return by how much one person moves it, for the neighbouring relation and α; refuse arguments that no such
        statistic has.
        """


@dataclass(frozen=True)
class Count(Noisy):
    """How many people, or records: each person has at most `records_per_person`, N, in each of `n_periods`, P.

    The periods are those of records, such as the years of their dates. A person then has NP in all at most, and moves
    the number by as much; so it is in a sum, a mean, a share and a quantile, which have the same two numbers.
    """

    records_per_person: int = 1
    n_periods: int = 1
    kind: ClassVar[str] = "count"
    is_count: ClassVar[bool] = True

    def moved(self, neighbours: str, _significance: float) -> Moved:
        """Return by how much one person moves it."""
        n_own = records_in_all(self.records_per_person, self.n_periods)
        return _moved_by(query_sensitivity("count", neighbours, records_per_person=n_own))


@dataclass(frozen=True)
class Sum(Noisy):
    """The sum of one value in [low, high] for each person, or for each of up to `records_per_person` records of one,
    in each of `n_periods`.
    """

    low: float = 0.0
    high: float = 1.0
    records_per_person: int = 1
    n_periods: int = 1
    kind: ClassVar[str] = "sum"

    def moved(self, neighbours: str, _significance: float) -> Moved:
        """Return by how much one person moves it."""
        n_own = records_in_all(self.records_per_person, self.n_periods)
        return _moved_by(query_sensitivity("sum", neighbours, self.low, self.high, records_per_person=n_own))


@dataclass(frozen=True)
class Mean(Noisy):
    """The mean of n_records values in [low, high], of which each person has at most `records_per_person`, in each of
    `n_periods`.

    Where their number is not public, the noisy sum is divided by a noisy count, both of which are released; neighbours
    must then be "add_remove".
    """

    low: float = 0.0
    high: float = 1.0
    n_records: int = 1
    is_n_public: bool = True
    records_per_person: int = 1
    n_periods: int = 1
    kind: ClassVar[str] = "mean"

    def moved(self, neighbours: str, _significance: float) -> Moved:
        """Return by how much one person moves it."""
        n_own = records_in_all(self.records_per_person, self.n_periods)
        if not self.is_n_public:
            return _hidden_mean(self.low, self.high, self.n_records, neighbours, n_own)
        return _moved_by(query_sensitivity("mean", neighbours, self.low, self.high, self.n_records, n_own))


@dataclass(frozen=True)
class Proportion(Noisy):
    """The share of n_records people, or records of them, whose number is public or not, as of a mean."""

    n_records: int = 1
    is_n_public: bool = True
    records_per_person: int = 1
    n_periods: int = 1
    kind: ClassVar[str] = "proportion"

    def moved(self, neighbours: str, _significance: float) -> Moved:
        """Return by how much one person moves it."""
        n_own = records_in_all(self.records_per_person, self.n_periods)
        if not self.is_n_public:
            return _hidden_mean(None, None, self.n_records, neighbours, n_own)
        numbers = {"n_records": self.n_records, "records_per_person": n_own}
        return _moved_by(query_sensitivity("proportion", neighbours, **numbers))


@dataclass(frozen=True)
class Histogram(Noisy):
    """Counts of cells of which a person is in one, or with `cap` adds up to so many records to any of them.

    `n_cells` is their number, if it is known. `cap` holds in each of `n_periods`, which are those of records: all that
    a person adds, cap times n_periods, may be in one cell. With `is_joint` the wanted error holds for all cells at
    once.
    """

    n_cells: int | None = None
    cap: float | None = None
    n_periods: int | None = None
    is_joint: bool = False
    kind: ClassVar[str] = "histogram"
    is_count: ClassVar[bool] = True

    def moved(self, neighbours: str, _significance: float) -> Moved:
        """Return by how much one person moves it."""
        n_joint = _joint_numbers(self.n_cells, self.is_joint)
        periods = or_default(self.n_periods, 1)
        if self.cap is None:
            return _moved_by(table_sensitivity(1, 1.0, neighbours, n_cells=self.n_cells, n_periods=periods), n_joint)
        anywhere = or_default(self.n_cells, interval_bounds(CELLS_RANGE)[1])
        most = scalar("cap", self.cap, _TOTAL_RANGE) * scalar_integer("n_periods", periods, PERIODS_RANGE)
        most = scalar("cap in all periods", most, _TOTAL_RANGE)
        return _moved_by(table_sensitivity(anywhere, most, neighbours, n_cells=self.n_cells, cap=most), n_joint)


@dataclass(frozen=True)
class Table(Noisy):
    """Cells of which a person is in up to `cells_per_person`, by at most `per_cell` in each and `cap` in all.

    `cap` holds in each of `n_periods`, into which the cells are split: each is of one. The others are as in a
    histogram.
    """

    n_cells: int | None = None
    cells_per_person: int = 1
    per_cell: float = 1.0
    cap: float | None = None
    n_periods: int | None = None
    is_joint: bool = False
    kind: ClassVar[str] = "table"
    is_count: ClassVar[bool] = True

    def moved(self, neighbours: str, _significance: float) -> Moved:
        """Return by how much one person moves it."""
        n_joint = _joint_numbers(self.n_cells, self.is_joint)
        options = {"n_cells": self.n_cells, "cap": self.cap, "n_periods": or_default(self.n_periods, 1)}
        return _moved_by(table_sensitivity(self.cells_per_person, self.per_cell, neighbours, **options), n_joint)


@dataclass(frozen=True)
class Own(Noisy):
    """Numbers of which Δ₁ and Δ₂ are known, in [1e-100, 1e100]: Δ₂ is at most Δ₁, and equal to it by default.

    `n_cells` is their number where the wanted error holds for all at once, with `is_joint`.
    """

    l1_sensitivity: float = 1.0
    l2_sensitivity: float | None = None
    n_cells: int | None = None
    is_joint: bool = False
    kind: ClassVar[str] = "own"
    has_neighbours: ClassVar[bool] = False

    def moved(self, _neighbours: str, _significance: float) -> Moved:
        """Return by how much one person moves it."""
        leave_out("kind own without is_joint", n_cells=None if self.is_joint else self.n_cells)
        l1 = scalar("l1_sensitivity", self.l1_sensitivity, SENSITIVITY_RANGE)
        l2 = scalar("l2_sensitivity", or_default(self.l2_sensitivity, l1), SENSITIVITY_RANGE)
        refuse("l2_sensitivity", np.asarray(l2), np.asarray(l2 > l1), "[1e-100, l1_sensitivity]")
        n_joint = _joint_numbers(self.n_cells, self.is_joint)
        return Moved(l1, l2, int(l1 == l2), l1, l1 == int(l1) and l1 == l2, n_joint)


@dataclass(frozen=True)
class UnknownGroups(Noisy):
    """Counts of groups whose names are confidential too: those whose noisy count reaches a threshold are released.

    A person is in up to `groups_per_person` groups, by at most `per_group`, a whole number, in each. The threshold
    reveals a group of one person with a probability of at most `threshold_delta` in each release, in [1e-290, 0.1],
    which the plan takes from its δ, so that scales follow from each other. This is an upper bound: with a tenth of δ
    for the threshold, ε is above that of the joint profile (`unknown_groups.dominating_releases`) by .1 to .7 % in
    plans of one to three queries. Neighbours must be "add_remove".

    With a `cap`, a whole number, a person adds at most so much to all groups together, in each of `n_periods`, which
    are those of records: cap times n_periods may be in one group, as far as `per_group` allows. The noise is then that
    of the worst split among the groups, and the threshold that of `threshold_of_noise` with this total.

    The wanted error is the size from which on a group is released with a probability of 1 − α, α below ½: the threshold
    τ and the (1 − α)-quantile of the noise. The counts have the error of the noise, which is less.
    """

    groups_per_person: int = 1
    per_group: int = 1
    threshold_delta: float = 1e-9
    cap: float | None = None
    n_periods: int | None = None
    kind: ClassVar[str] = "unknown_groups"

    def moved(self, neighbours: str, significance: float) -> Moved:
        """Return by how much one person moves it."""
        option("neighbours", neighbours, ("add_remove",))
        scalar("threshold_delta", self.threshold_delta, _THRESHOLD_RANGE)
        alpha = scalar("significance", significance, "[1e-300, 0.5)")
        sensitivity = table_sensitivity(
            scalar_integer("groups_per_person", self.groups_per_person, _GROUPS_RANGE),
            scalar_integer("per_group", self.per_group, _WHOLE_AMOUNT_RANGE),
            cap=self.total,
        )
        at_all = replace(
            _moved_by(sensitivity),
            can_be_whole=False,
            offset=float(self.most_in_group),
            threshold_delta=self.threshold_delta,
        )
        pure = replace(at_all, spread=self._spread("laplace", alpha))
        return replace(at_all, spread=self._spread("gaussian", alpha), pure=pure)

    @property
    def total(self) -> int | None:
        """What a person adds to all groups in all periods together at most; None where that is not limited."""
        periods = scalar_integer("n_periods", or_default(self.n_periods, 1), PERIODS_RANGE)
        if self.cap is None:
            if periods > 1:
                raise DomainError("n_periods without a cap", "[1, 1]", periods)
            return None
        most = scalar_integer("cap", self.cap, _WHOLE_TOTAL_RANGE) * periods
        return scalar_integer("cap in all periods", most, _WHOLE_TOTAL_RANGE)

    @property
    def most_in_group(self) -> int:
        """What a person adds to one group at most."""
        return self.per_group if self.total is None else min(self.per_group, self.total)

    def _spread(self, noise: str, significance: float) -> float:
        """Return by how much the size exceeds a person's amount, over the half-width of the noise."""
        width = FAMILIES[noise].functions.half_width
        beyond = float(self.threshold(noise, 1.0).threshold) - self.most_in_group
        return (beyond + float(width(2 * significance, 1.0))) / float(width(significance, 1.0)) * (1 + 1e-12)

    def threshold(self, noise: str, scale: float) -> ThresholdRelease:
        """Return the noise with its threshold."""
        options = self.threshold_delta, self.groups_per_person, noise, self.per_group, self.total
        return threshold_of_noise(scale, *options)


@dataclass(frozen=True)
class Series(Noisy):
    """Counts of `n_periods` periods, published as `linear_queries` has it: running totals, windows, or each alone.

    A person is in up to `contributions` periods, by at most `per_period` in each and `cap` in all, in each of
    `cap_years` spans of time; their product bounds what a person adds to the whole series (an upper bound). The wanted
    error is that of the number whose error is largest. Gaussian noise is that of the best strategy of
    `linear_queries.error`, one release; Laplace noise is added to each period.

    `published` is one of "each", "running_totals", "window" and "year_to_date" (the last two with `window` periods, 12
    by default), `publication` "as_it_goes" or "once".
    """

    n_periods: int = 12
    contributions: int = 1
    per_period: float = 1.0
    published: str = "running_totals"
    window: int | None = None
    publication: str = "as_it_goes"
    cap: float | None = None
    cap_years: int | None = None
    kind: ClassVar[str] = "series"

    def strategy_errors(self, noise: str, neighbours: str) -> linear_queries.Errors:
        """Return the errors of the best strategy with Gaussian noise, or of Laplace noise in each period."""
        option("published", self.published, ("each", "running_totals", "window", "year_to_date"))
        years = scalar_integer("cap_years", or_default(self.cap_years, 1), PERIODS_RANGE)
        if self.cap is None and years > 1:
            raise DomainError("cap_years without a cap", "[1, 1]", years)
        total = None if self.cap is None else scalar("cap", self.cap, _TOTAL_RANGE) * years
        return linear_queries.error(
            self.published,
            "best" if noise == "gaussian" else "per_period",
            self.n_periods,
            self.contributions,
            per_cell=self.per_period,
            total=total,
            neighbours=neighbours,
            noise=noise,
            window=self.window,
            publication=self.publication,
        )

    def moved(self, neighbours: str, significance: float) -> Moved:
        """Return by how much one person moves it."""
        smooth, pure = self.strategy_errors("gaussian", neighbours), self.strategy_errors("laplace", neighbours)
        n_moved = round(pure.sensitivity / self.per_period) if self.cap is None else 0  # a cap may split unevenly
        own_spread = _laplace_spread(round((pure.largest / pure.sensitivity) ** 2), significance)
        norms = pure.sensitivity, pure.sensitivity, n_moved, min(self.per_period, pure.sensitivity)
        spread, l2 = smooth.largest / smooth.sensitivity * (1 + 1e-14), smooth.sensitivity
        return Moved(l2, l2, 0, l2, False, spread=spread, pure=Moved(*norms, False, spread=own_spread))


def _laplace_spread(n_terms: int, significance: float) -> float:
    """Return the half-width of a sum of n Laplace variables over that of one."""
    if n_terms == 1:
        return 1.0
    errors = linear_queries.error(np.ones((1, n_terms)), "per_period", n_terms, noise="laplace")
    wide = float(linear_queries.half_widths(errors, 1.0, 0.0, significance)[0]) / linear_queries.noise_scale(
        errors, 1.0
    )
    return wide / float(laplace.half_width(significance, 1.0)) * (1 + 1e-12)


def records_in_all(records_per_person: int, n_periods: int) -> int:
    """Return how many records a person has in all periods together at most: N · P, in [1, 1e9]."""
    n_own = scalar_integer("records_per_person", records_per_person, PER_PERSON_RANGE)
    n_own *= scalar_integer("n_periods", n_periods, PERIODS_RANGE)
    return scalar_integer("records_per_person in all periods", n_own, PER_PERSON_RANGE)


def _joint_numbers(n_cells: int | None, is_joint: bool) -> int:
    """Return how many numbers have their error together, and check their number."""
    if n_cells is not None:
        scalar_integer("n_cells", n_cells, CELLS_RANGE)
    elif is_joint:
        raise DomainError("n_cells", f"{CELLS_RANGE} for a joint error", None)
    return int(or_default(n_cells, 1)) if is_joint else 1


def _hidden_mean(low: float | None, high: float | None, n_records: int, neighbours: str, n_own: int) -> Moved:
    """Return the same of a noisy count, and of the noisy sum of (value − middle) ÷ half the width: no whole number.

    The wanted error is that of their quotient (`_quotients`).
    """
    option("neighbours", neighbours, ("add_remove",))
    records = scalar_integer("n_records", n_records, RECORDS_RANGE)
    width = float(query_sensitivity("sum", "replace", low, high).l1)
    return replace(_moved_by(table_sensitivity(2, n_own)), can_be_whole=False, width=width, n_records=records)


def _moved_by(sensitivity: Sensitivity, n_numbers: int = 1) -> Moved:
    """Return the same of a sensitivity; where numbers differ unevenly, under a cap, only its norms are used."""
    n_moved = int(sensitivity.n_moved) if sensitivity.equal else 0
    norms = float(sensitivity.l1), float(sensitivity.l2), n_moved, float(sensitivity.largest)
    return Moved(*norms, bool(sensitivity.whole), n_numbers)
