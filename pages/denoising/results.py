"""The result of the page at one setting."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpcore.checks import Array
from pages.denoising.counts.release_results import counts_release, table_sigma
from pages.denoising.counts.results import CountsRelease
from pages.denoising.estimator_risk.results import EstimatorRisk, estimator_risk
from pages.denoising.map.places import PlaceSource
from pages.framework.parameters.parameter import Values
from pages.shared.counts.table import Counts, Upload, table_of, with_contribution
from pages.shared.shared_parameters import SharedSetting, read_setting

MOST_COUNTS = 500_000  # of more a setting would take over 2 s


@dataclass(frozen=True)
class DenoisingSetting(SharedSetting):
    """The parameters of the page that a pinned setting has too, without the table itself."""

    table: str
    per_person: float
    per_cell: float
    per_total: float
    n_periods: float
    neighbours: str


@dataclass(frozen=True)
class DenoisingResult:
    """The result at one setting, each part computed once; `pinned` is that of the pinned setting.

    `problem` is the sentence why the user's own table cannot be used. `places` are the user's own places of the
    session.
    """

    setting: DenoisingSetting
    values: Values
    counts: Counts | None
    pinned: "DenoisingResult | None" = None
    problem: str = ""
    places: PlaceSource | None = None

    @property
    def section(self) -> str:
        """The key of the open section."""
        return self.values["section"]

    @property
    def table_is_missing(self) -> bool:
        """Whether the setting has the user's own table and there is none."""
        return self.counts is None

    @cached_property
    def count(self) -> Array:
        """The counts of the table; empty where there is none."""
        return np.empty(0) if self.counts is None else self.counts.frame["count"].to_numpy(np.float64)

    @cached_property
    def sigma(self) -> float:
        """σ of the analytic Gaussian noise of the table, in counts; inf if it exceeds a double."""
        if self.release is not None and not self.release.is_trial:
            return self.release.sigma
        return table_sigma(self.values, max(self.count.size, 1))

    @cached_property
    def release(self) -> CountsRelease | None:
        """The release of the section on counts; None if there is no table."""
        return counts_release(self.values, self.counts)

    @property
    def denoisable_release(self) -> CountsRelease | None:
        """The release of the section on counts; None also if σ is larger than the estimators support."""
        return None if self.release is None or self.release.is_drowned else self.release

    @property
    def risk(self) -> EstimatorRisk:
        """The risks of the section on where each estimator wins."""
        return estimator_risk(self.values)


def compute_result(values: Values, upload: Upload | None = None, places: PlaceSource | None = None) -> DenoisingResult:
    """Return the result of the page's parameters, with what the session has."""
    pinned_values = values["pinned"] and values | values["pinned"] | {"pinned": None}
    pinned = pinned_values and compute_result(pinned_values, upload, places)
    values = with_contribution(values)
    counts = table_of(values["table"], values.get("own"), upload)
    problem = "" if upload is None or counts is not None else upload.problem
    if counts is not None and len(counts.frame) > MOST_COUNTS:
        problem = f"The table has {len(counts.frame):,} cells, and this page denoises at most {MOST_COUNTS:,}."
        counts = None
    return DenoisingResult(read_setting(DenoisingSetting, values), values, counts, pinned, problem, places)
