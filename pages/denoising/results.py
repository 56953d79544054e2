"""The result of the page at one setting, and the release of the table or of a trial series with its noise."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from pywt.data import demo_signal

from dpcore import gaussian
from dpcore.accuracy import each_significance
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from dpcore.sensitivity import Sensitivity
from pages.denoising import comparison
from pages.denoising.counts.results import CountsRelease
from pages.denoising.estimator_risk.results import EstimatorRisk, estimator_risk
from pages.denoising.map.places import PlaceSource
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.uploaded_files import kept
from pages.shared.counts.table import Counts, PersonLimits, Upload, table_of, with_contribution
from pages.shared.shared_parameters import SharedSetting, read_setting

_TRIAL_CELLS, _TRIAL_TOP = 256, 100
_LEAST_SIGNIFICANCE = 1e-290


def counts_release(values: Values, table: Counts | None) -> CountsRelease | None:
    """Return the release of a trial series or of the table; None if there is no table."""
    trial = values["signal"] != "table"
    table = _trial_series(values["signal"]) if trial else table
    if table is None:
        return None
    sigma = table_sigma(values, len(table.frame))
    series = trial or values["order"] == "series"
    knowledge = values["prior_sd"], values["total"] == "public", values["neighbours"]
    own, seed = values["table"] == "own", int(values["seed"])
    noise = recommended_noise(values, len(table.frame))
    return CountsRelease(table, sigma, series, trial, own, *knowledge, seed, values["estimator"], noise)


def sensitivity_of(values: Values, cells: int) -> Sensitivity:
    """Return the sensitivity of a table of so many cells."""
    return _limits(values, cells).sensitivity


def _limits(values: Values, cells: int) -> PersonLimits:
    per_cell = values["per_person"], values["per_cell"], values["neighbours"], 0
    return PersonLimits(*per_cell, cells, values["per_total"], values["n_periods"])


def table_sigma(values: Values, cells: int) -> float:
    """Return σ of the analytic Gaussian noise of a table, in counts; inf if it exceeds a double."""
    try:
        return float(gaussian.analytic_sigma(values["epsilon"], values["delta"], sensitivity_of(values, cells).l2))
    except ValueError:
        return math.inf


def recommended_noise(values: Values, cells: int) -> Mechanism | None:
    """Return the noise that Tables recommends for all cells of such a table; None where none fits."""
    alpha = float(each_significance(max(values["significance"], _LEAST_SIGNIFICANCE), cells))
    return kept(_recommended, values["epsilon"], values["delta"], alpha, _limits(values, cells))


def _recommended(epsilon: float, delta: float, significance: float, limits: PersonLimits) -> Mechanism | None:
    return comparison.recommended_noise(epsilon, delta, limits.sensitivity, significance)


def _trial_series(signal: str) -> Counts:
    """Return a series of Donoho and Johnstone, shifted and scaled to whole numbers from 0 to 100."""
    curve = np.asarray(demo_signal(signal.title(), _TRIAL_CELLS), np.float64)
    scaled = np.rint(_TRIAL_TOP * (curve - curve.min()) / (curve.max() - curve.min()))
    frame = pd.DataFrame({"cell": [f"place {place}" for place in range(1, _TRIAL_CELLS + 1)], "count": scaled})
    source = f"{signal.title()} (256 numbers of Donoho & Johnstone 1994, moved and scaled to counts from 0 to 100)"
    return Counts(frame, source)


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
