"""The setting of the page, its values, and the errors of counts in which one person has at most r records."""

from dataclasses import dataclass, field
from functools import cached_property
from math import isnan

import numpy as np
import pandas as pd

from dpcore import clipping
from dpcore.checks import Array
from dpcore.clipping import Distribution, DroppingAndNoise, RecordCounts
from dpcore.families import FAMILIES
from dpcore.readers import PersonValues
from pages.clipping.bounds.results import MOST_DISCRETE_VALUE, MOST_VALUE, BoundsResult, BoundsSetting
from pages.clipping.parameters import unit_of
from pages.framework.parameters.number_format import exact_text
from pages.framework.parameters.parameter import Values
from pages.shared.conditions import condition_values
from pages.shared.shared_parameters import read_setting
from pages.shared.values.parameters import ValuesSetting, ValuesUpload, amount, entered_amount, used_values

MOST_RECORDS = 100_000
"""The most records of a person in the user's own data."""
_MOST_DIFFERENT = 5000  # numbers of records; more are rounded up to steps, which never understates what is dropped
_N_LIMITS, _ALL_LIMITS = 120, 250  # of the curve, and up to which it has each


def counted_people(records: Array) -> RecordCounts:
    """Return how many people have how many records; of very many different numbers, rounded up to steps."""
    numbers, n_people = np.unique(records, return_counts=True)
    if numbers.size > _MOST_DIFFERENT:
        steps = np.unique(np.rint(np.geomspace(1, numbers[-1], _MOST_DIFFERENT)))
        place = np.searchsorted(steps, numbers)
        return RecordCounts(steps, np.bincount(place, n_people, steps.size).astype(np.float64))
    return RecordCounts(numbers.astype(np.float64), n_people.astype(np.float64))


@dataclass(frozen=True)
class ClippingSetting(ValuesSetting):
    """The parameters of the page."""

    query: str
    low: float
    bound: float
    high: float
    neighbours: str
    noise: str
    error: str
    count_share: float
    people: str
    mean_records: float
    exponent: float
    most_records: float
    cells: float
    limit: float
    spread: str
    dropping: str
    limit_error: str

    @property
    def noise_delta(self) -> float | None:
        """δ, or None where the noise satisfies ε-DP."""
        return None if FAMILIES[self.noise].pure else self.delta

    @property
    def bounds(self) -> BoundsSetting:
        """What the errors of a clipped sum depend on, but for the values."""
        neighbours = {"sum": self.neighbours, "mean": "replace", "counted_mean": "add_remove"}[self.query]
        low, bound = (None if isnan(value) else value for value in (self.low, self.bound))
        return BoundsSetting(
            *(self.epsilon, self.noise_delta, self.significance, low, bound, self.high),
            *(self.query, neighbours, self.noise, self.error, self.count_share),
        )


@dataclass(frozen=True)
class ContributionsResult:
    """The errors of counts of some people's records under a contribution limit."""

    setting: ClippingSetting
    counts: RecordCounts

    @property
    def limit(self) -> int:
        """The user's limit."""
        return int(self.setting.limit)

    @property
    def _table(self) -> clipping.LimitedTable:
        setting = self.setting
        options = setting.spread, setting.dropping, setting.noise_delta
        return clipping.LimitedTable(setting.noise, int(setting.cells), *options)

    @cached_property
    def best_limit(self) -> int:
        """The limit of the least error."""
        setting = self.setting
        alpha = setting.significance if "half_width" in setting.limit_error else None
        return clipping.best_limit(self.counts, setting.epsilon, self._table, setting.limit_error, alpha)

    @property
    def stated(self) -> tuple[int, DroppingAndNoise]:
        """The limit that may be published, and its errors: the best one or, for the user's own data, the user's."""
        return (self.limit, self.yours) if self.setting.is_own else (self.best_limit, self.best)

    def is_apart(self, limit: int) -> bool:
        """Return whether the records of a person under a limit are in different cells."""
        return self.setting.spread == "cells" and limit <= self.setting.cells

    def person_at(self, limit: int) -> tuple[int, int]:
        """Return the cells k of a person under a limit, and the records c in each, for which the noise is made."""
        return (limit, 1) if self.is_apart(limit) else (1, limit)

    def error_at(self, limit: Array) -> DroppingAndNoise:
        """Return the errors at limits."""
        setting = self.setting
        return clipping.contribution_error(self.counts, limit, setting.epsilon, self._table, setting.significance)

    def chosen_error(self, error: DroppingAndNoise) -> Array:
        """Return the measure of an error that is least at the best limit."""
        return np.asarray(getattr(error, self.setting.limit_error))

    @cached_property
    def choices(self) -> dict[str, int]:
        """The limits that one may choose: the best one, the user's, and the one that drops nothing."""
        return {"best": self.best_limit, "yours": self.limit, "most": self.most}

    @cached_property
    def choice_errors(self) -> DroppingAndNoise:
        """The errors at the limits that one may choose, in their order."""
        return self.error_at(np.array(list(self.choices.values())))

    @cached_property
    def best(self) -> DroppingAndNoise:
        """The errors at the best limit."""
        return self.choice_errors.at(0)

    @cached_property
    def yours(self) -> DroppingAndNoise:
        """The errors at the user's limit."""
        return self.choice_errors.at(1)

    @property
    def ratio(self) -> float:
        """The error at the user's limit over that at the best."""
        return float(self.chosen_error(self.yours) / self.chosen_error(self.best))

    @property
    def most(self) -> int:
        """The most records of a person: the limit that drops nothing."""
        return int(max(self.counts.records.max(), 1))

    @cached_property
    def curve(self) -> pd.DataFrame:
        """The error over the limit, its bias and its noise, and what is dropped."""
        ends = max(self.most, self.limit, 10)
        limits = np.append(np.rint(np.geomspace(1, ends, _N_LIMITS)), np.arange(1, min(ends, _ALL_LIMITS) + 1))
        limits = np.unique(np.append(limits, [self.best_limit, self.limit]))
        errors = self.error_at(limits)
        bias, noise = errors.cell_bias, errors.cell_deviation
        if self.setting.limit_error == "total_error":
            bias, noise = errors.total_bias, errors.total_deviation
        frame = {"limit": limits, "error": self.chosen_error(errors), "bias": bias, "noise": noise}
        return pd.DataFrame(frame | {"dropped_share": errors.dropped_share, "dropped": errors.dropped})


@dataclass(frozen=True)
class ClippingResult:
    """The page at one setting, each part computed once; `problem` is the sentence on why there are no values.

    `section` is the key of the open section, and `conditions` are the values of the parameters of the conditions.
    """

    setting: ClippingSetting
    values: PersonValues | None
    pinned: "ClippingResult | None" = None
    problem: str = ""
    section: str = "sum"
    conditions: Values = field(default_factory=dict)

    @property
    def has_no_values(self) -> bool:
        """Whether the user's own values are chosen and there are none."""
        return self.setting.is_own and self.values is None

    @property
    def is_missing(self) -> bool:
        """Whether there are no values that can be used."""
        return self.has_no_values or bool(self.range_problem)

    @property
    def range_problem(self) -> str:
        """The sentence on values that no upper bound fits; empty where one does."""
        if self.has_no_values:
            return ""
        known, setting = self.known, self.setting
        greatest = known.extremes()[1] if isinstance(known, Distribution) else float(known[-1])
        low = setting.bounds.low or 0.0
        if greatest <= max(low, 0):
            return "No value is above 0 and above the lower bound: an upper bound cuts all or nothing."
        if greatest > MOST_VALUE:
            return f"The largest values are beyond {exact_text(MOST_VALUE)}: choose a larger unit."
        most = max(greatest, setting.high, setting.bounds.bound or 0.0, abs(low))
        if setting.noise == "discrete_gaussian" and most > MOST_DISCRETE_VALUE:
            return (
                f"Discrete Gaussian noise is computed for values and bounds up to {MOST_DISCRETE_VALUE:,.0f}: choose "
                "Gaussian noise, or a larger unit."
            )
        return self._bound_problem

    @cached_property
    def known(self) -> Distribution | Array:
        """The values: a distribution, or the user's own, sorted."""
        return self.setting.distribution if self.values is None else np.sort(self.values.values)

    @cached_property
    def bounds(self) -> BoundsResult | None:
        """The errors of a clipped sum or mean; None without values."""
        return None if self.is_missing else self._any_bounds

    @cached_property
    def _any_bounds(self) -> BoundsResult:
        return BoundsResult(self.setting.bounds, self.known)

    @property
    def _bound_problem(self) -> str:
        """The sentence on a user’s bound that is not above the lower bound which is sought; empty if it is."""
        bound = self.setting.bounds.bound
        if self.setting.bounds.low is not None or bound is None or bound > self._any_bounds.low:
            return ""
        return (
            f"U, {entered_amount(bound)}, is not above the best lower bound, {amount(self._any_bounds.low)}: enter a "
            "larger U, or lo as a number."
        )

    @property
    def records_problem(self) -> str:
        """The sentence on own values that are no numbers of records; empty where they are."""
        if self.values is None or self.values.person:
            return ""
        counts = self.values.values
        if np.any(counts < 0) or np.any(counts != np.rint(counts)) or counts.max() > MOST_RECORDS:
            return (
                f"Numbers of records must be whole numbers from 0 to {MOST_RECORDS:,}: choose another column, or the "
                "column of the person."
            )
        return ""

    @cached_property
    def contributions(self) -> ContributionsResult | None:
        """The errors under a contribution limit; None without records."""
        setting, n_people = self.setting, int(self.setting.n_records)
        if setting.is_own:
            if self.values is None or self.records_problem:
                return None
            counts = counted_people(self.values.records if self.values.person else self.values.values)
        elif setting.people == "geometric":
            counts = clipping.geometric_records(setting.mean_records, n_people)
        else:
            counts = clipping.zipf_records(setting.exponent, int(setting.most_records), n_people)
        return ContributionsResult(setting, counts)


def compute_result(values: Values, upload: ValuesUpload | None = None) -> ClippingResult:
    """Return the page at the values of the parameters; `upload` has the values of the session."""
    pinned = values["pinned"] and compute_result(values | values["pinned"], upload)
    setting = read_setting(ClippingSetting, values | {"unit": unit_of(values)})
    used, section = used_values(values, upload), values.get("section", "sum")
    return ClippingResult(setting, used.values, pinned, used.problem, section, condition_values(values))
