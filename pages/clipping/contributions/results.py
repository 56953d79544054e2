"""The errors of counts in which one person has at most r records: at the best limit, at the user's, over all limits."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from dpcore import clipping
from dpcore.checks import Array
from dpcore.clipping import ContributionError, RecordCounts

MOST_RECORDS = 100_000
"""The most records of a person in the user's own data."""
_MOST_DIFFERENT = 5000  # numbers of records; more are rounded up to steps, which never understates what is dropped
_N_LIMITS, _ALL_LIMITS = 120, 60  # of the curve, and up to which it has each


@dataclass(frozen=True)
class LimitsSetting:
    """What the errors under a contribution limit depend on, but for the records; `error` is the measure."""

    epsilon: float
    delta: float | None
    significance: float
    limit: int
    noise: str
    n_cells: int
    spread: str
    dropping: str
    error: str


@dataclass(frozen=True)
class ContributionsResult:
    """The errors of counts of some people's records."""

    setting: LimitsSetting
    counts: RecordCounts

    @property
    def n_people(self) -> float:
        """How many people there are; of a distribution on average."""
        return float(self.counts.n_people.sum())

    @cached_property
    def best_limit(self) -> int:
        """The limit of the least error."""
        setting = self.setting
        noise = setting.noise, setting.n_cells, setting.spread, setting.dropping, setting.delta
        alpha = setting.significance if "half_width" in setting.error else None
        return clipping.best_limit(self.counts, setting.epsilon, *noise, setting.error, alpha)

    def error_at(self, limit: Array) -> ContributionError:
        """Return the errors at limits."""
        setting = self.setting
        noise = setting.noise, setting.n_cells, setting.spread, setting.dropping, setting.delta
        return clipping.contribution_error(self.counts, limit, setting.epsilon, *noise, setting.significance)

    def chosen_error(self, error: ContributionError) -> Array:
        """Return the measure of an error that is least at the best limit."""
        return np.asarray(getattr(error, self.setting.error))

    @cached_property
    def choices(self) -> dict[str, int]:
        """The limits that one may choose: the best one, the user's, and the one that drops nothing."""
        return {"best": self.best_limit, "yours": self.setting.limit, "most": self.most}

    @cached_property
    def choice_errors(self) -> ContributionError:
        """The errors at the limits that one may choose, in their order."""
        return self.error_at(np.array(list(self.choices.values())))

    @cached_property
    def best(self) -> ContributionError:
        """The errors at the best limit."""
        return self.choice_errors.at(0)

    @cached_property
    def yours(self) -> ContributionError:
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
        ends = max(self.most, self.setting.limit, 10)
        limits = np.append(np.rint(np.geomspace(1, ends, _N_LIMITS)), np.arange(1, min(ends, _ALL_LIMITS) + 1))
        limits = np.unique(np.append(limits, [self.best_limit, self.setting.limit]))
        errors = self.error_at(limits)
        is_total = self.setting.error == "total_error"
        bias, noise = (
            (errors.total_bias, errors.total_deviation) if is_total else (errors.cell_bias, errors.cell_deviation)
        )
        frame = {"limit": limits, "error": self.chosen_error(errors), "bias": bias, "noise": noise}
        return pd.DataFrame(frame | {"dropped_share": errors.dropped_share, "dropped": errors.dropped})


def counted_people(records: Array) -> RecordCounts:
    """Return how many people have how many records; of very many different numbers, rounded up to steps."""
    numbers, n_people = np.unique(records, return_counts=True)
    if numbers.size > _MOST_DIFFERENT:
        steps = np.unique(np.rint(np.geomspace(1, numbers[-1], _MOST_DIFFERENT)))
        place = np.searchsorted(steps, numbers)
        return RecordCounts(steps, np.bincount(place, n_people, steps.size).astype(np.float64))
    return RecordCounts(numbers.astype(np.float64), n_people.astype(np.float64))
