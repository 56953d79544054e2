"""The queries of a plan, and the total ε of their releases.

A query says how far its answer may differ between neighbours, which error is wanted, and what is fixed. Some queries
may be of disjoint sets of people.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from dpcore import composition
from dpcore.accuracy import ACCURACY_RANGE, each_significance
from dpcore.checks import (
    DELTA_RANGE,
    LEAST_DELTA,
    POSITIVE_EPSILON_RANGE,
    SIGNIFICANCE_RANGE,
    DomainError,
    leave_out,
    option,
    or_default,
    refuse,
    scalar,
    scalar_integer,
)
from dpcore.composition import COUNT_RANGE, EpsilonBound, Release
from dpcore.composition._normalize import merged
from dpcore.composition.bounds import CERTIFIED, Account
from dpcore.composition.releases import failure_up
from dpcore.families import FAMILIES
from dpcore.mechanism import NoiseDistribution
from dpcore.plan._quotients import quotient_error
from dpcore.plan.choices import Chosen
from dpcore.plan.statistics import Count, Moved, Noisy, Statistic
from dpcore.rounding import round_down, total_up

MECHANISMS = tuple(sorted((key for key in FAMILIES if FAMILIES[key].is_planned), key=lambda key: FAMILIES[key].whole))
"""The families of noise of a plan: those on the real numbers, then those on the whole numbers."""
PURE_MECHANISMS = tuple(key for key in MECHANISMS if FAMILIES[key].pure)
WHOLE_MECHANISMS = tuple(key for key in MECHANISMS if FAMILIES[key].whole)
_SCALE_RANGE = "[1e-100, 1e100]"
MOST_QUERIES = 200
_MOST_LISTS = 32  # of the members of groups, of which each combination is one that a person can be in
_NOTHING = Moved(0.0, 0.0, 0, 0.0, can_be_whole=False)  # of a choice


@dataclass(frozen=True, kw_only=True)
class Query(Moved):
    """A query of a plan, and by how much one person moves it, in the unit of the noise; `query` makes it.

    Attributes
    ----------
    name : for messages and tables.
    statistic : what is released, a record of its kind.
    half_width : the wanted half-width of the error, in query units; not used where `epsilon` or `scale` is fixed.
    significance : α of one number: a share 1 − α of releases has an error within ±`half_width`. Where it holds for
        several numbers at once, it is the α of each of them.
    neighbours : "add_remove" or "replace".
    l1, l2 : Δ₁ and Δ₂ of all numbers of the query; 0 of a choice, which has no noise.
    n_moved, largest : how many numbers one person moves, each by at most so much; `n_moved` is 0 where only Δ₁ and Δ₂
        are known.
    whole : whether the answers are whole numbers, so that noise on the whole numbers may be used.
    width, n_records : of a mean whose number of records is not public: the width of the range of a value, and the
        number of records; else 0.
    spread, offset : the error of a series, or the size of unknown groups, is `offset` and `spread` times the half-width
        of the noise; else 0 and 1.
    threshold_delta : of unknown groups: the δ of the threshold of each release; else 0.
    pure : what one person moves as Laplace noise sees it, where that is added to other sums, of a series.
    group : the name of a set of queries of which each person is in one only; empty for none.
    mechanism : one of `MECHANISMS`, or of a choice one of `CHOICE_MECHANISMS`, where it is fixed, else empty.
    epsilon, scale : fixed, or 0.
    n_releases : how often the query is released, with fresh noise; the error is that of each time.
    """

    name: str
    statistic: Statistic
    half_width: float
    significance: float
    neighbours: str
    whole: bool = False
    group: str = ""
    mechanism: str = ""
    epsilon: float = 0.0
    scale: float = 0.0
    n_releases: int = 1

    @property
    def kind(self) -> str:
        """The kind of its statistic."""
        return self.statistic.kind

    @property
    def is_fixed(self) -> bool:
        """Whether the noise does not follow from the wanted error."""
        return self.epsilon > 0 or self.scale > 0

    def seen_by(self, mechanism: str) -> "Query":
        """Return the query as a mechanism sees it: that of Laplace noise may be added to other sums."""
        is_other = self.pure is not None and mechanism in PURE_MECHANISMS
        return replace(self, **vars(self.pure)) if is_other else self

    def noise_half_width(self, factor: float = 1.0) -> float:
        """Return the half-width that the noise may have where the wanted error is `factor` times as large.

        It is the wanted half-width a itself, or (a − offset)/spread where there are such. The noise of a mean whose
        number of records is not public follows from `_quotients.quotient_scale`.

        Examples
        --------
        >>> from dpcore.plan import UnknownGroups
        >>> f"{query(60, UnknownGroups(3)).seen_by('gaussian').noise_half_width():.4f}"
        '14.7900'
        """
        target = self.half_width * factor
        return target if self.spread == 1 else round_down((target - self.offset) / self.spread, 4)

    def half_width_of(self, noise: NoiseDistribution) -> float:
        """Return the half-width of the query's error with a noise, as which the query sees itself.

        It is infinite for a mean whose noisy count may be 0.
        """
        if self.width:
            return self.width / 2 * quotient_error(noise.family, noise.scale, self.n_records, self.significance)
        own = noise.half_width(self.significance)
        return own if self.spread == 1 else (self.offset + own * self.spread) * (1 + 1e-15)


def query(
    half_width: float | None = None,
    statistic: Statistic | None = None,
    significance: float = 0.05,
    *,
    name: str = "",
    neighbours: str | None = None,
    whole: bool | None = None,
    group: str = "",
    mechanism: str | None = None,
    epsilon: float | None = None,
    scale: float | None = None,
    n_releases: int = 1,
) -> Query:
    """Return a query of a plan.

    Parameters
    ----------
    half_width : a in [1e-100, 1e100], in query units: a share 1 − α of releases is to have an error within ±a. 1 by
        default; left out where `epsilon` or `scale` is fixed, since the error follows from it.
    statistic : a `Statistic`, a record of its kind such as `Sum(high=5)`; `Count()` by default.
    significance : α in [1e-300, 1).
    name : for messages; the kind if it is left out.
    neighbours : "add_remove", by default, or "replace"; "own" has it in its sensitivities, and leaves it out unless it
        has a group.
    whole : whether the answers are whole numbers; by default those of counts, histograms and tables are if what a
        person adds is, and others are not. Only a query whose sensitivity is a whole number can be whole, and no mean.
    group : queries of the same group are of disjoint sets of people (parallel composition); only under "add_remove".
    mechanism : one of `MECHANISMS` to fix it, None to have it chosen; of a quantile and the largest of several one of
        `CHOICE_MECHANISMS`, of which permute-and-flip requires a step.
    epsilon : fixes the ε of a query in [1e-12, 1e6], which then has Laplace or geometric noise, whatever the error; of
        a choice its own.
    scale : fixes the scale of its noise in [1e-100, 1e100], in query units; `mechanism` must be given.
    n_releases : how often it is released with fresh noise, such as 12 for every month of a year, in [1, 1e6].

    Raises
    ------
    ValueError
        where an argument lies outside its range, and where fixed values contradict each other.

    Examples
    --------
    >>> from dpcore.plan import Table
    >>> ages = query(20, Table(n_cells=36, is_joint=True), name="age by sex")
    >>> print(f"{ages.l1:.0f}, {ages.significance:.6f}, {ages.whole}")
    1, 0.001424, True
    """
    statistic = Count() if statistic is None else statistic
    if not isinstance(statistic, Chosen | Noisy):
        raise DomainError("statistic", "the records of dpcore.plan", statistic)
    if not statistic.has_neighbours and not group:
        leave_out(f"kind {statistic.kind} without group", neighbours=neighbours)
    relation = or_default(neighbours, "add_remove")
    option("neighbours", relation, ("add_remove", "replace"))
    fixed_by = next((name for name, value in (("epsilon", epsilon), ("scale", scale)) if value is not None), "")
    leave_out(f"a query with {fixed_by}", half_width=half_width if fixed_by else None)
    target = scalar("half_width", or_default(half_width, 1.0), ACCURACY_RANGE)
    alpha = scalar("significance", significance, SIGNIFICANCE_RANGE)
    if group:
        option("neighbours of a group", relation, ("add_remove",))
    n_releases = scalar_integer("n_releases", n_releases, COUNT_RANGE)
    known: dict[str, Any] = {"name": name or statistic.kind, "statistic": statistic, "half_width": target}
    known |= {"neighbours": relation, "group": group, "n_releases": n_releases}
    if isinstance(statistic, Chosen):
        leave_out(f"kind {statistic.kind}", whole=whole, scale=scale)
        if mechanism is not None:
            option("mechanism", mechanism, statistic.mechanisms)
        own = 0.0 if epsilon is None else scalar("epsilon", epsilon, statistic.epsilon_range)
        return Query(**vars(_NOTHING), **known, significance=alpha, mechanism=mechanism or "", epsilon=own)
    moved = statistic.moved(relation, alpha)
    if whole and not moved.can_be_whole:
        raise DomainError("whole", "where what a person adds may have fractions", True, "False")
    is_whole = moved.can_be_whole and (statistic.is_count if whole is None else whole)
    fixed: dict[str, Any] = dict(
        zip(("mechanism", "epsilon", "scale"), _fixed(mechanism, epsilon, scale, is_whole), strict=True)
    )
    alpha = max(float(each_significance(alpha, moved.n_numbers)), 1e-300)
    return Query(**vars(moved), **known, significance=alpha, whole=is_whole, **fixed)


def _fixed(
    mechanism: str | None, epsilon: float | None, scale: float | None, is_whole: bool
) -> tuple[str, float, float]:
    """Return what of the noise is fixed, checked: the mechanism or an empty text, ε or 0, and the scale or 0."""
    allowed = MECHANISMS if is_whole else tuple(key for key in MECHANISMS if key not in WHOLE_MECHANISMS)
    if epsilon is not None:
        allowed = tuple(key for key in allowed if key in PURE_MECHANISMS)
        leave_out("a query with epsilon", scale=scale)
    if mechanism is not None:
        option("mechanism", mechanism, allowed)
    elif scale is not None:
        raise DomainError("mechanism", f"{', '.join(allowed)} where scale is fixed", None)
    return (
        mechanism or "",
        0.0 if epsilon is None else scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE),
        0.0 if scale is None else scalar("scale", scale, _SCALE_RANGE),
    )


def plan_delta(delta: float) -> float:
    """Return the δ of a plan, checked: 0 for a guarantee of pure ε-DP, or in [1e-300, 1)."""
    value = scalar("delta", delta, "[0, 1)")
    refuse("delta", np.asarray(value), np.asarray(0 < value < LEAST_DELTA), f"0 or {DELTA_RANGE}")
    return value


def delta_left(queries: Sequence[Query], delta: float) -> float:
    """Return the δ that the thresholds of unknown groups leave to all noise: (δ − δ₀)/(1 − δ₀), rounded down.

    δ₀ = 1 − Π(1 − δᵢ) over all thresholds. It is exact: a total loss that is infinite with a probability of δ₀, apart
    from the others, has δ(ε) = δ₀ + (1 − δ₀)δ′(ε). It is delta itself without any.
    """
    thresholds = [query for query in queries if query.threshold_delta]
    if not thresholds:
        return delta
    broken = failure_up([query.threshold_delta for query in thresholds], [query.n_releases for query in thresholds])
    return max(round_down((delta - broken) / (1 - broken), 4), 0.0)


def total(
    queries: Sequence[Query],
    releases: Sequence[Release],
    delta: float,
    accountant: str = "best",
) -> EpsilonBound:
    """Return ε of all queries together: the largest of the lists that one person can be in.

    A person is in every query without a group, and in one query of each group ([McS09] Thm 4; the largest of the exact
    totals is never more than the largest ε of the group, added). Where groups make more than 32 lists, all their
    queries are composed as if one person were in all, which is an upper bound. At δ = 0 the total is basic composition
    of pure guarantees. Gaussians alone have a closed form. Thresholds of unknown groups take their part of δ before.
    """
    delta = delta_left(queries, delta)
    bounds = [_bound(tuple(merged(lines)), delta, accountant) for lines in person_lists(queries, releases)]
    largest = max(bounds, key=lambda bound: bound.value)
    return EpsilonBound(*(np.asarray(part) for part in largest))


@lru_cache(8192)
def _bound(lines: tuple[Release, ...], delta: float, accountant: str) -> Account:
    if delta == 0:
        pure = total_up([line.numbers[0] for line in lines], [line.count for line in lines])
        return Account(pure, CERTIFIED, "basic", 0.0)
    if accountant == "best" and all(line.kind == "gaussian" for line in lines):  # a closed form, rounded up
        return Account(float(composition.certified_epsilon(lines, delta).value), CERTIFIED, "exact", 0.0)
    bound = composition.epsilon(lines, delta, accountant)
    return Account(float(bound.value), str(bound.kind), str(bound.accountant), float(bound.error))


def person_lists(queries: Sequence[Query], releases: Sequence[Release]) -> list[list[Release]]:
    """Return the lists of releases that one person can be in, without those that another one costs more than."""
    always = [release for query, release in zip(queries, releases, strict=True) if not query.group]
    groups: dict[str, list[Release]] = {}
    for query, release in zip(queries, releases, strict=True):
        if query.group:
            groups.setdefault(query.group, []).append(release)
    members = [_worst(group) for group in groups.values()]
    if math.prod(len(group) for group in members) > _MOST_LISTS:
        return [[*always, *(release for group in members for release in group)]]
    return [[*always, *chosen] for chosen in product(*members)]


def _worst(group: Iterable[Release]) -> list[Release]:
    """Return the releases of a group that no other one of the same kind stands for."""
    worst: dict[tuple[object, ...], Release] = {}
    for release in group:
        kind = (release.kind, release.numbers[1:], release.count)
        other = worst.get(kind)
        if other is None or (release.numbers[0] < other.numbers[0]) == bool(release.scale_range):
            worst[kind] = release
    return list(worst.values())


def is_pure(release: Release) -> bool:
    """Return whether a release satisfies ε-DP without a δ."""
    return release.has_epsilon and (release.kind != "guarantee" or release.numbers[1] == 0)
