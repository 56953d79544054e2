"""The plan of a release for the program that publishes its numbers on the user's machine."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dpcore import linear_queries
from dpcore.families import FAMILIES
from dpcore.linear_queries import Errors
from dpcore.mechanism import NoiseDistribution
from pages.framework.layout.offers import Download, Downloads, Statements
from pages.framework.layout.section import Conditions
from pages.framework.parameters.number_format import format_up, percent
from pages.shared.release_program.code_files import RELEASE, code_file, code_notebook, version
from pages.shared.release_program.steps.options import calls_of, replaced_words

SAMPLED = tuple(key for key, family in FAMILIES.items() if family.in_opendp)
"""The families of noise that the program draws, as OpenDP does, exactly."""
DRAWN = "permute_and_flip", "exponential", "report_noisy_max"
"""The mechanisms of a choice for which it has one."""
HEADING = "Make the release"
_AS_IT_GOES = "The numbers can appear as each period ends: none is made of a later period."
_ONE_PERIOD = (
    "Run it whenever a period has ended, with `--until` and that period, and where the plan has more statistics with "
    "`--only` and its name: in the same folder it goes on with the same noise, at no new ε. Of a person "
    "in more periods than the limit the earliest then count, not some at random. It is counted in memory, without "
    "`--parts`."
)
_CALL = "The command for this plan, which `python release.py --help` has too."
_JOIN = "With `--join` several values of a person become one: their mean, sum, or same, which stops where they differ."
_TEXT = (
    "A program of this release for your CSV file. It runs on your machine, uploads nothing, and needs the rows of "
    "people, their identifier and OpenDP."
)


@dataclass(frozen=True)
class PublishedSeries:
    """What is published of the counts of periods or of ordered cells, and by which sums that get noise.

    `published` is "each", "running_totals", "window" or "year_to_date", the last two of `window` periods; "ranges" of
    cells, or "own" with a row of zeros and ones for each of `sums`. `strategy` is "per_period", "per_number", "tree"
    with so many children (`branching`), "binary_tree", "square_root" with its `coefficients` of one year, or "optimum"
    with its triangular `rows`. A number that is published as it goes needs no later period. `half_widths` are those of
    the published numbers, or the largest ones of the ranges of 1, 2, 3, … cells.
    """

    published: str
    n_periods: int
    window: int
    strategy: str
    is_as_it_goes: bool
    half_widths: tuple[float, ...]
    coefficients: tuple[float, ...] = ()
    is_normalized: bool = False
    branching: int = 2
    sums: tuple[str, ...] = ()
    rows: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True)
class UnknownGroups:
    """What decides which groups appear: a noisy count that is at least the threshold.

    `stated` is the threshold in words, rounded up. `delta` is what the threshold may have, and `bound` is N of noise on
    −N … N, which has (ε, δ) together with it; None of other noise.
    """

    threshold: float
    stated: float
    epsilon: float
    delta: float
    bound: int | None = None


@dataclass(frozen=True)
class Choice:
    """A draw without noise: of a quantile on steps from `low` on, or of the largest of several counts.

    `mechanism` is one of `DRAWN`. All `n_chosen` draws together have `epsilon`. Very many candidates are `is_fine`.
    Several quantiles are drawn each by itself or, if `is_recursive`, one after the other by halves.
    """

    mechanism: str
    epsilon: float
    is_replaced: bool
    n_chosen: int = 1
    quantile: float | None = None
    low: float = 0.0
    step: float = 1.0
    n_candidates: int = 0
    is_fine: bool = False
    is_recursive: bool = False

    def among(self, low: float, high: float, step: float | None, n_candidates: Callable[[], int]) -> "Choice":
        """Return the draw of a quantile: of values on steps, or of any number of a range.

        Any number is one of 2³⁰ or more: the multiples of a power of 2, of which a computer loses no digit.
        """
        if step is not None:
            return replace(self, low=low, step=step, n_candidates=n_candidates())
        fine = 2.0 ** (math.frexp(high - low)[1] - 31)
        first, last = math.ceil(low / fine), math.floor(high / fine)
        return replace(self, low=first * fine, step=fine, n_candidates=last - first + 1, is_fine=True)


@dataclass(frozen=True)
class Statistic:
    """One statistic of a release: what is computed, the limits on one person, and the noise.

    `kind` is "count", "table", "sum", "mean", "hidden_mean", "series", "groups", "quantile", "quantiles", "largest" or
    "own". `noise` is a family of noise with an exact sampler, or the mechanism of a choice; `scale` is its scale, and
    `l1` and `l2` are the sensitivities for which it is made, all in units of the statistic; of a series both are that
    in the norm of its noise. A person has at most `max_cells` categories, `max_in_cell` records in each and
    `max_in_all` in all; where `n_periods` are several, `max_in_period` in each of them: a column of the file says of
    which period a row is if it `has_periods_of_rows`, else its category does. `n_cells` is None where the number of
    categories is not known. `n_records` is the number of records for which a mean is made, or that is assumed of a
    quantile: the exact one where `is_number_public`, else the least. `half_width` is exceeded with a probability of
    `level` at most, where what is `assumed` holds, and `note` says what else is to be known. `stated` is what the
    statement has of the ± behind the name. `series` makes what is published of a series, when a file is wanted: its ±
    take time. Several quantiles have `levels` with `half_widths`, and `n_cells` parts of their range. A mean whose
    number of records is not public ("hidden_mean") is a noisy sum by a noisy number, whose error is `half_width_of_n`.
    A table has `n_totals` sets of totals. All is released `n_releases` times, with fresh noise, and statistics of one
    `group` are about disjoint people. Where a number `is_clipped`, it is published as 0 if it is negative, and where it
    `is_rounded`, as a whole number. `adds` is the part of the plan’s ε that it adds, or a bound of a small one; None
    outside of Plan. `published` is that of the series, for calls.
    """

    name: str
    kind: str
    noise: str
    scale: float
    l1: float
    l2: float
    whole: bool
    half_width: float | None
    level: str
    unit: str = ""
    n_cells: int | None = None
    max_cells: int = 1
    max_in_cell: int = 1
    max_in_all: int = 1
    n_periods: int = 1
    max_in_period: int = 1
    has_periods_of_rows: bool = False
    low: float = 0.0
    high: float = 1.0
    n_records: int = 1
    is_number_public: bool = False
    assumed: str = ""
    stated: str = ""
    note: str = ""
    series: Callable[[], PublishedSeries] | None = None
    groups: UnknownGroups | None = None
    choice: Choice | None = None
    levels: tuple[float, ...] = ()
    half_widths: tuple[float, ...] = ()
    half_width_of_n: float = 0.0
    n_totals: int = 0
    n_releases: int = 1
    group: str = ""
    is_clipped: bool = False
    is_rounded: bool = False
    adds: float | None = None
    published: str = ""

    def facts(self) -> dict[str, Any]:
        """Return the statistic as a dictionary of literals."""
        facts = asdict(replace(self, series=None))
        del facts["published"]
        return facts if self.series is None else facts | {"series": asdict(self.series())}

    @property
    def outline(self) -> dict[str, Any]:
        """What a call of the program depends on, without the ± of a series, which take time."""
        return vars(self) | {"series": {"published": self.published}}


@dataclass(frozen=True)
class ReleasePlan:
    """What is published: the statistics, and the terms of the guarantee that the numbers have together."""

    statistics: tuple[Statistic, ...]
    epsilon: float
    delta: float
    neighbours: str
    conditions: str
    statement: str
    assumptions: tuple[str, ...] = ()
    unit: str = "person"

    def facts(self, link: str) -> dict[str, Any]:
        """Return the plan as a dictionary of literals, with the link of its setting and the version."""
        statistics = tuple(statistic.facts() for statistic in self.statistics)
        terms = asdict(replace(self, statistics=())) | {"statistics": statistics}
        return terms | version(link)


def noise_facts(noise_of: NoiseDistribution) -> dict[str, Any]:
    """Return what a statistic says of its noise."""
    return {"noise": noise_of.family, "scale": float(noise_of.scale), "whole": noise_of.whole}


def level_text(significance: float) -> str:
    """Return with which probability a number is farther off than its ±.

    >>> level_text(0.05)
    'the noise is beyond ± in at most 5 % of releases'
    """
    return f"the noise is beyond ± in at most {percent(significance)} of releases"


def quantile_statistic(
    name: str, choice: Choice, half_width: float | None, significance: float, assumed: str
) -> Statistic:
    """Return a quantile, whose ± is that of values as `assumed`; without one where only the user's values have it."""
    assumed = f"values as assumed ({assumed})"
    level = f"the draw is beyond ± in at most {percent(significance)} of releases, for {assumed}"
    high = choice.low + choice.step * (choice.n_candidates - 1)
    known = replace(_choice_statistic(name, "quantile", choice), low=choice.low, high=high)
    return known if half_width is None else replace(known, half_width=half_width, level=level, assumed=assumed)


def quantiles_level(significance: float, assumed: str) -> str:
    """Return with which probability a quantile of several is farther off than its ±, for values as `assumed`."""
    often = f"in at most {percent(significance)} of releases"
    return f"each quantile is beyond its ± {often}, for values as assumed ({assumed})"


def quantiles_statistic(
    choice: Choice, levels: tuple[float, ...], half_widths: Sequence[float], significance: float, assumed: str
) -> Statistic:
    """Return several quantiles that are drawn from a range of very many values, with the ± of values as `assumed`."""
    one = quantile_statistic("Quantiles", choice, max(half_widths), significance, assumed)
    return replace(one, level=quantiles_level(significance, assumed), levels=levels, half_widths=tuple(half_widths))


def with_records(known: Statistic, in_period: int, n_periods: int = 1) -> Statistic:
    """Return a statistic of which a person has so many records, or so many in each of several periods."""
    n_own = in_period * n_periods
    limits = {"max_in_cell": n_own, "max_in_all": n_own, "n_periods": n_periods, "max_in_period": in_period}
    return replace(known, max_cells=1, **limits, has_periods_of_rows=n_periods > 1)


def largest_statistic(name: str, choice: Choice, n_candidates: int, most_in_one: int, note: str) -> Statistic:
    """Return which of several public candidates have the largest counts; a person may be in all of them."""
    return replace(
        _choice_statistic(name, "largest", choice),
        n_cells=n_candidates,
        max_cells=n_candidates,
        max_in_cell=most_in_one,
        max_in_all=n_candidates * most_in_one,
        note=note,
    )


def _choice_statistic(name: str, kind: str, choice: Choice) -> Statistic:
    """Return a statistic that is chosen: it has no noise, and no sensitivity of it."""
    return Statistic(name, kind, choice.mechanism, 0.0, 0.0, 0.0, False, None, "", choice=choice)


def groups_note(threshold: float) -> str:
    """Return what is to be known of the counts of groups that appear above a threshold, as it is stated.

    >>> groups_note(15.0)
    'Only groups whose noisy count is at least 15 appear; counts near it tend to be too high.'
    """
    return (
        f"Only groups whose noisy count is at least {format_up(threshold)} appear; counts near it tend to be too high."
    )


def release_downloads(
    statistics: Sequence[Statistic],
    guarantee: tuple[float, float],
    neighbours: str,
    conditions: Conditions | None,
    statements: Callable[[], Statements | None],
    note: str = "",
) -> Downloads | None:
    """Return the program for the noise of an answer, as files; None where there is none.

    `guarantee` is (ε, δ) of all statistics together, and `statements` makes the statements, when a file is wanted.
    `note` is a sentence on what else the program has.
    Nothing is offered where the program has no sampler for a noise, or a person may not even have one record.
    """
    if not statistics or not all(map(_is_possible, statistics)):
        return None

    def plan() -> ReleasePlan:
        sentence, statement = "" if conditions is None else conditions.sentence, statements()
        return ReleasePlan(
            tuple(statistics), *guarantee, neighbours, sentence, "" if statement is None else statement.public
        )

    calls = calls_of([statistic.outline for statistic in statistics])
    is_going = any(_AS_IT_GOES in statistic.note for statistic in statistics)
    return Downloads(
        HEADING,
        " ".join(filter(None, (_TEXT, _ONE_PERIOD if is_going else "", note))),
        (
            Download("release.py", "Program (.py)", lambda link: python_file(plan(), link).encode()),
            Download("release.ipynb", "Notebook (.ipynb)", lambda link: notebook(plan(), link).encode()),
        ),
        tuple(calls),
        " ".join((_CALL, replaced_words(calls), *([_JOIN] if any(" --join " in call for call in calls) else []))),
    )


def _is_possible(statistic: Statistic) -> bool:
    is_truncated = statistic.groups is not None and statistic.noise == "truncated_geometric"
    has_draw = statistic.choice is not None and statistic.choice.mechanism in DRAWN
    is_sampled = statistic.noise in SAMPLED or is_truncated or has_draw
    return is_sampled and min(statistic.max_in_cell, statistic.max_in_all) >= 1


def python_file(plan: ReleasePlan, link: str) -> str:
    """Return the program of a release as a Python file."""
    return code_file(plan.facts(link), RELEASE)


def notebook(plan: ReleasePlan, link: str) -> str:
    """Return the program of a release as a Jupyter notebook, whose last cell runs it."""
    return code_notebook(plan.facts(link), RELEASE)


ROOTS = ("square_root", "normalized_square_root", "banded")


def series_statistic(
    name: str,
    errors: Errors,
    noise: NoiseDistribution,
    half_width: float,
    significance: float,
    *,
    is_joint: bool = False,
) -> Statistic:
    """Return a series, ranges or own sums with noise of a scale in each sum of a strategy.

    `half_width` is the largest ± of its numbers, and `significance` that of each number, or of all at once.
    """
    persons, workload = errors.persons, errors.workload
    most = int(persons.per_cell)
    return Statistic(
        name=name,
        kind="series",
        **noise_facts(noise),
        l1=float(errors.sensitivity),
        l2=float(errors.sensitivity),
        half_width=half_width,
        level=level_text(significance),
        n_cells=workload.n,
        max_cells=persons.contributions,
        max_in_cell=most,
        max_in_all=int(min(persons.contributions * most, persons.total)),
        published=workload.name,
        note=_AS_IT_GOES if errors.options.publication == "as_it_goes" else "",
        series=partial(published_series, errors, noise.scale, significance, is_joint=is_joint),
    )


def published_series(errors: Errors, scale: float, significance: float, *, is_joint: bool = False) -> PublishedSeries:
    """Return what is published of a series, with the ± of each number at a significance: its own, or of all at once."""
    is_root, numbers = errors.strategy in ROOTS, errors.workload
    known = errors, scale * (1 + 1e-12), significance
    if is_joint:
        half_widths = linear_queries.simultaneous_half_widths_of_scale(*known).half_widths
    else:
        half_widths = linear_queries.half_widths_of_scale(*known)
    if numbers.name == "ranges":
        by_length = np.zeros(numbers.n)
        np.maximum.at(by_length, numbers.end - numbers.first - 1, half_widths)
        half_widths = by_length
    own = () if numbers.own is None else numbers.own.astype(int).tolist()
    rows = linear_queries.optimum_sums(errors).tolist() if errors.strategy == "optimum" else ()
    return PublishedSeries(
        published=numbers.name,
        n_periods=numbers.n,
        window=numbers.window,
        strategy="square_root" if is_root else errors.strategy,
        is_as_it_goes=errors.options.publication == "as_it_goes",
        half_widths=tuple(half_widths.tolist()),
        coefficients=tuple(linear_queries.root_coefficients(errors).tolist()) if is_root else (),
        is_normalized=errors.strategy == "normalized_square_root",
        branching=2 if errors.strategy == "binary_tree" else errors.options.branching,
        sums=tuple("".join(map(str, row)) for row in own),
        rows=tuple(tuple(row[: place + 1]) for place, row in enumerate(rows)),
    )
