"""A query of the plan as its program releases it: one function for each kind of statistic, which `KINDS` names."""

import math
from dataclasses import dataclass, replace
from typing import Any

from dpcore.clipping import Distribution
from dpcore.mechanism import NoiseDistribution
from dpcore.plan import (
    Chooser,
    Count,
    Histogram,
    Largest,
    Mean,
    Proportion,
    Quantile,
    Query,
    Series,
    Sum,
    Table,
    UnknownGroups,
)
from pages.framework.parameters.number_format import rounded_up
from pages.shared.formulas import share
from pages.shared.release_program import program
from pages.shared.release_program.program import Statistic, level_text, noise_facts


@dataclass(frozen=True)
class Released:
    """What a program has of a query beside its statistic and its noise.

    Attributes
    ----------
    name : of the query.
    query : of `dpcore.plan`.
    half_width : the error that is reached, and `error_words` that error as it is meant.
    significance : α of the page.
    epsilon : the total of the plan.
    assumed : what the error is for, where it depends on the values or on their number; else empty.
    threshold : that of unknown groups as the page shows it, beside the scale that is rounded up; 0 of others.
    """

    name: str
    query: Query
    half_width: float
    error_words: str
    significance: float
    epsilon: float
    assumed: str
    threshold: float = 0.0


def count(statistic: Count, noise: NoiseDistribution, released: Released) -> Statistic:
    """Return a count."""
    return _of_records(_noisy("count", noise, released), statistic)


def total(statistic: Sum, noise: NoiseDistribution, released: Released) -> Statistic:
    """Return a sum."""
    known = replace(_noisy("sum", noise, released), low=statistic.low, high=statistic.high)
    return _of_records(known, statistic)


def mean(statistic: Mean, noise: NoiseDistribution, released: Released) -> Statistic:
    """Return a mean, whose number of records is public or not."""
    return replace(_share_of_records(statistic, noise, released), low=statistic.low, high=statistic.high)


def proportion(statistic: Proportion, noise: NoiseDistribution, released: Released) -> Statistic:
    """Return a share, as the mean of zeros and ones."""
    return _share_of_records(statistic, noise, released)


def _share_of_records(statistic: Mean | Proportion, noise: NoiseDistribution, released: Released) -> Statistic:
    n, query = statistic.n_records, released.query
    if statistic.is_n_public:
        least = "exactly" if query.neighbours == "replace" else "at least"
        known = replace(_noisy("mean", noise, released), note=f"Made for {least} {n:,} records, which is public.")
    else:
        known = replace(
            _noisy("hidden_mean", noise, released),
            note=f"A noisy sum divided by a noisy number of records; ± holds where there are at least {n:,} of them, "
            "wherever in its range the mean is.",
            half_width_of_n=noise.half_width(query.significance),
        )
    return _of_records(replace(known, n_records=n), statistic)


def histogram(statistic: Histogram, noise: NoiseDistribution, released: Released) -> Statistic:
    """Return a histogram, of which a person is in one cell, or in any of them with a limit in all."""
    n_periods, cap = statistic.n_periods or 1, statistic.cap
    cells, most = (1, 1) if cap is None else (statistic.n_cells or 1, int(cap) * n_periods)
    known = replace(_noisy("table", noise, released), n_cells=statistic.n_cells)
    return _with_periods_of_rows(_with_limits(known, cells, most, cap, n_periods))


def table(statistic: Table, noise: NoiseDistribution, released: Released) -> Statistic:
    """Return a table."""
    cells = min(statistic.cells_per_person, statistic.n_cells or statistic.cells_per_person)
    known = replace(_noisy("table", noise, released), n_cells=statistic.n_cells)
    return _with_limits(known, cells, int(statistic.per_cell), statistic.cap, statistic.n_periods)


def series(statistic: Series, noise: NoiseDistribution, released: Released) -> Statistic:
    """Return a series, with noise in each sum of its strategy."""
    errors, alpha = statistic.strategy_errors(noise.family, released.query.neighbours), released.significance
    known = program.series_statistic(released.name, errors, noise, released.half_width, alpha)
    return replace(known, **_limits_in_all(known.max_in_all, statistic.cap, statistic.cap_years))


def groups(statistic: UnknownGroups, noise: NoiseDistribution, released: Released) -> Statistic:
    """Return unknown groups: their noise has the scale of the plan, and a threshold with its own δ."""
    release = statistic.threshold(noise.family, noise.scale)
    stated = rounded_up(released.threshold)
    known = replace(
        _noisy("groups", noise, released),
        half_width=noise.half_width(released.significance),
        note=program.groups_note(stated),
        groups=program.UnknownGroups(float(release.threshold), stated, released.epsilon, statistic.threshold_delta),
    )
    limits = int(release.groups_per_person), int(release.contributions), statistic.cap, statistic.n_periods
    return _with_periods_of_rows(_with_limits(known, *limits))


def quantile(statistic: Quantile, chooser: Chooser, released: Released) -> Statistic:
    """Return a quantile, which is drawn from the values of its range."""
    draw = replace(_choice(chooser), quantile=statistic.quantile)
    choice = draw.among(statistic.low, statistic.high, statistic.step, lambda: statistic.candidates.size)
    assumed = released.assumed.partition("(")[2].rstrip(")")
    drawn = program.quantile_statistic(released.name, choice, released.half_width, released.significance, assumed)
    values = statistic.values
    assert isinstance(values, Distribution)  # which a row describes by its quantiles
    return _of_records(replace(drawn, n_records=values.n), statistic)


def winner(statistic: Largest, chooser: Chooser, released: Released) -> Statistic:
    """Return the largest of several."""
    note = f"The one that is named has {released.error_words} in {share(released.significance)} of releases."
    n, most = statistic.n_candidates, int(statistic.per_candidate)
    return program.largest_statistic(released.name, _choice(chooser), n, most, note)


def own(_: object, noise: NoiseDistribution, released: Released) -> Statistic:
    """Return numbers that the user computes, whose sensitivity the program cannot check."""
    return _noisy("own", noise, released)


def _choice(chooser: Chooser) -> program.Choice:
    return program.Choice(chooser.family, chooser.epsilon, chooser.query.neighbours == "replace")


def _noisy(kind: str, noise: NoiseDistribution, released: Released) -> Statistic:
    """Return a statistic with noise, without the limits on one person."""
    seen = released.query.seen_by(noise.family)
    return Statistic(
        name=released.name,
        kind=kind,
        **noise_facts(noise),
        l1=seen.l1,
        l2=seen.l2,
        half_width=released.half_width if math.isfinite(released.half_width) else None,
        level=level_text(released.significance),
        is_number_public=released.query.neighbours == "replace",
        assumed=released.assumed,
    )


def _of_records(known: Statistic, statistic: Count | Sum | Mean | Proportion | Quantile) -> Statistic:
    """Return a statistic with its limit on the records of one person, in all or in each of several periods."""
    return program.with_records(known, statistic.records_per_person, statistic.n_periods)


def _with_limits(
    known: Statistic, cells: int, most: int, cap: float | None = None, n_periods: int | None = None
) -> Statistic:
    """Return a statistic with its limits on one person: so many cells, so much in each, and in all in each period."""
    return replace(known, max_cells=cells, max_in_cell=most, **_limits_in_all(cells * most, cap, n_periods))


def _with_periods_of_rows(known: Statistic) -> Statistic:
    """Return a statistic of whose periods, if it has several, each row says in which it is."""
    return replace(known, has_periods_of_rows=known.n_periods > 1)


def _limits_in_all(in_cells: int, cap: float | None, n_periods: int | None) -> dict[str, Any]:
    """Return the limits on what a person adds in all and in each period, where the other limits allow so much.

    They are whole numbers of records, as the program counts them: what is beyond one is not counted.
    """
    if cap is None:
        return {"max_in_all": in_cells, "max_in_period": in_cells}
    periods, in_period = n_periods or 1, int(cap)
    return {"max_in_all": min(in_period * periods, in_cells), "n_periods": periods, "max_in_period": in_period}
