"""Experiment 5.2 at one setting: data sets that are drawn once, and the errors of every mechanism on their means."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pandas as pd

from dpcore import denoise
from dpcore.checks import POSITIVE_EPSILON_RANGE, interval_bounds
from dpcore.denoise import MeanDraws
from pages.framework.rendering.workers.jobs import Progress

DIMENSIONS = (10, 20, 50, 100, 200, 500, 1000, 2000)
EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
PAPER_DELTA, PAPER_RECORDS, PAPER_REPEATS = 1e-4, 500, 100
MOST_NUMBERS_AT_ONCE = 30_000_000  # numbers of records, which are drawn in a fifth of a second
_LEAST_REPEATS = 5  # data sets for a mean and its standard error
_LEAST_EPSILON = interval_bounds(POSITIVE_EPSILON_RANGE)[0]
ShareCallback = Callable[[float], object]


@dataclass(frozen=True)
class DataSetKey:
    """The parameters of a draw of data sets."""

    dimension: int
    n_records: int
    n_repeats: int
    seed: int

    def draws(self, progress: ShareCallback | None = None) -> MeanDraws:
        """Return the data sets of this dimension."""
        rng = np.random.default_rng([self.seed, self.dimension])
        return denoise.mean_draws(rng, self.dimension, self.n_records, self.n_repeats, progress)


def draw_data_sets(keys: Sequence[DataSetKey], progress: Progress) -> None:
    """Draw the data sets of each dimension, and report each when it is complete."""
    total, n_finished = sum(key.dimension for key in keys), 0
    for key in keys:
        start, size = n_finished / total, key.dimension / total
        draws = key.draws(lambda share, start=start, size=size: progress.report(start + share * size))
        progress.add_piece((key, draws))
        n_finished += key.dimension


@dataclass(frozen=True, eq=False)
class DataSets:
    """The data sets of a session, which were drawn in the background."""

    draws: Mapping[DataSetKey, MeanDraws] = field(default_factory=dict)


NO_DATA_SETS = DataSets()


@dataclass(frozen=True)
class MeansSetting:
    """The open setting (d, ε), the size of the experiment, and the variable along which pictures run."""

    dimension: int
    epsilon: float
    delta: float
    n_records: int
    n_repeats: int
    seed: int
    along: str
    is_published: bool


MechanismRow = Any
"""A mechanism at one (d, ε): a row of `denoise.mean_errors` as a named tuple."""


@dataclass(frozen=True, eq=False)
class MeanExperiment:
    """Experiment 5.2: errors at the open setting, along d and along ε, and over the whole sweep."""

    setting: MeansSetting
    data_sets: DataSets

    @property
    def dimensions(self) -> list[int]:
        """The paper's d and the open setting's."""
        return sorted({*DIMENSIONS, self.setting.dimension})

    def data_set_keys(self, n_repeats: int) -> list[DataSetKey]:
        """Return the keys of the data sets of every d."""
        setting = self.setting
        return [DataSetKey(dimension, setting.n_records, n_repeats, setting.seed) for dimension in self.dimensions]

    @cached_property
    def n_repeats(self) -> int:
        """The number of data sets of each d: all of the setting, or as few as are drawn at once, or 0."""
        n_records, n_repeats = self.setting.n_records, self.setting.n_repeats
        missing = [key.dimension for key in self.data_set_keys(n_repeats) if key not in self.data_sets.draws]
        if sum(missing) * n_records * n_repeats <= MOST_NUMBERS_AT_ONCE:
            return n_repeats
        few = MOST_NUMBERS_AT_ONCE // (n_records * sum(self.dimensions))
        return 0 if few < _LEAST_REPEATS else min(few, n_repeats)

    @property
    def is_complete(self) -> bool:
        """Whether the results are of all data sets of the setting."""
        return self.n_repeats == self.setting.n_repeats

    @property
    def is_available(self) -> bool:
        """Whether there are results: at ε = 0 only the analytic Gaussian has an answer."""
        return self.n_repeats > 0 and self.setting.epsilon >= _LEAST_EPSILON

    @cached_property
    def draws(self) -> dict[int, MeanDraws]:
        """The data sets by d."""
        keys = self.data_set_keys(self.n_repeats)
        return {key.dimension: self.data_sets.draws.get(key) or _cached_draws(key) for key in keys}

    @cached_property
    def along_dimension(self) -> pd.DataFrame:
        """The errors at the open ε, for every d."""
        setting = self.setting
        frames = [denoise.mean_errors(draws, setting.epsilon, setting.delta) for draws in self.draws.values()]
        return pd.concat(frames, ignore_index=True)

    @cached_property
    def along_epsilon(self) -> pd.DataFrame:
        """The errors at the open d, for every ε."""
        setting = self.setting
        return denoise.mean_errors(self.draws[setting.dimension], sorted({*EPSILONS, setting.epsilon}), setting.delta)

    @property
    def picture_errors(self) -> pd.DataFrame:
        """The errors along the variable of the pictures."""
        return self.along_dimension if self.setting.along == "dimension" else self.along_epsilon

    @cached_property
    def rows(self) -> dict[str, MechanismRow]:
        """The row of each mechanism at the open setting, by key."""
        return _mechanism_rows(self.picture_errors, self.setting.dimension, self.setting.epsilon)

    @property
    def largest_noise_rows(self) -> dict[str, MechanismRow]:
        """The row of each mechanism where the sweep has the largest noise."""
        return _mechanism_rows(self.sweep, DIMENSIONS[-1], EPSILONS[0])

    @property
    def orderings(self) -> pd.DataFrame:
        """Whether each of the paper's orderings holds, over the whole sweep."""
        return self._swept[1]

    @property
    def sweep(self) -> pd.DataFrame:
        """The errors of the whole sweep, 8 d and 7 ε."""
        return self._swept[0]

    @property
    def _swept(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        return _sweep(tuple(self.draws[dimension] for dimension in DIMENSIONS), self.setting.delta)


def _mechanism_rows(errors: pd.DataFrame, dimension: int, epsilon: float) -> dict[str, MechanismRow]:
    """Return the row of each mechanism at one (d, ε)."""
    is_setting = (errors["dimension"].to_numpy() == dimension) & (errors["epsilon"].to_numpy() == epsilon)
    rows: Iterable[MechanismRow] = errors[is_setting].itertuples()
    return {row.mechanism: row for row in rows}


def mean_experiment(values: Mapping[str, Any], data_sets: DataSets | None) -> MeanExperiment:
    """Return the experiment at the setting of the parameters."""
    as_published = values["means_grid"] == "paper"
    setting = MeansSetting(
        int(values["mean_dimension"]),
        values["epsilon"],
        PAPER_DELTA if as_published else values["delta"],
        PAPER_RECORDS if as_published else int(values["mean_records"]),
        PAPER_REPEATS if as_published else int(values["mean_repeats"]),
        int(values["seed"]),
        values["means_against"],
        as_published,
    )
    return MeanExperiment(setting, data_sets or NO_DATA_SETS)


@lru_cache(24)  # of at most 6 MB each
def _cached_draws(key: DataSetKey) -> MeanDraws:
    return key.draws()


@lru_cache(4)  # with its draws, up to 50 MB each
def _sweep(draws: tuple[MeanDraws, ...], delta: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the errors of the whole sweep of some draws, and the paper's orderings among them."""
    frames = [denoise.mean_errors(dimension_draws, EPSILONS, delta) for dimension_draws in draws]
    errors = pd.concat(frames, ignore_index=True)
    return errors, denoise.mean_estimation_orderings(errors)
