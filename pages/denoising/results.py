"""One setting of the page, and what follows from it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpcore.checks import Array
from pages.denoising.counts.results import CountsRelease
from pages.denoising.counts.source import counts_release, table_sigma
from pages.denoising.estimator_risk.results import EstimatorRisk, estimator_risk
from pages.denoising.map.places import PlaceSource
from pages.denoising.means.results import DataSets, Experiment, mean_experiment
from pages.framework.parameters.kinds import Values
from pages.shared.counts.table import Counts, Upload, table_of
from pages.shared.shared_parameters import SharedSetting, read_setting

MOST_COUNTS = 500_000  # of more a setting would take over 2 s


@dataclass(frozen=True)
class DenoisingSetting(SharedSetting):
    """The parameters of the page that a kept setting has too; the table itself is not among them."""

    table: str
    per_person: float
    per_cell: float
    neighbours: str


@dataclass(frozen=True)
class DenoisingResult:
    """One setting, and what follows from it, each computed once; `pinned` is the kept setting beside it.

    `problem` is the sentence why there is no table in what the user brought. `means` and `places` are what the session
    holds of the experiment on means and of the user's own points.
    """

    setting: DenoisingSetting
    values: Values
    counts: Counts | None
    pinned: "DenoisingResult | None" = None
    problem: str = ""
    data_sets: DataSets | None = None
    places: PlaceSource | None = None

    @property
    def section(self) -> str:
        """The key of the open section."""
        return self.values["section"]

    @property
    def table_is_missing(self) -> bool:
        """Whether the user's own table is asked for and there is none: then nothing is drawn in its place."""
        return self.counts is None

    @cached_property
    def count(self) -> Array:
        """The counts of the table; empty where there is none."""
        return np.empty(0) if self.counts is None else self.counts.frame["count"].to_numpy(np.float64)

    @cached_property
    def sigma(self) -> float:
        """Standard deviation of the analytic Gaussian noise of the table, in counts; inf beyond what a double holds."""
        return table_sigma(self.values, max(self.count.size, 1))

    @cached_property
    def release(self) -> CountsRelease | None:
        """The release of the section on counts; None where there is no table."""
        return counts_release(self.values, self.counts)

    @property
    def denoisable_release(self) -> CountsRelease | None:
        """The release of the section on counts; None where its noise is more than is computed with, too."""
        return None if self.release is None or self.release.is_drowned else self.release

    @property
    def risk(self) -> EstimatorRisk:
        """What the estimators leave of the error, in the section on where each wins."""
        return estimator_risk(self.values)

    @property
    def experiment(self) -> Experiment:
        """The experiment of the section on means."""
        return mean_experiment(self.values, self.data_sets)


def compute_result(
    values: Values, upload: Upload | None = None, data_sets: DataSets | None = None, places: PlaceSource | None = None
) -> DenoisingResult:
    """What the page's parameters ask for, with what the session holds."""
    pinned = values["pinned"] and compute_result(
        values | values["pinned"] | {"pinned": None}, upload, data_sets, places
    )
    counts = table_of(values["table"], values.get("own"), upload)
    problem = "" if upload is None or counts is not None else upload.problem
    if counts is not None and len(counts.frame) > MOST_COUNTS:
        problem = f"The table has {len(counts.frame):,} cells, and this page denoises at most {MOST_COUNTS:,}."
        counts = None
    return DenoisingResult(read_setting(DenoisingSetting, values), values, counts, pinned, problem, data_sets, places)
