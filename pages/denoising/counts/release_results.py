"""The release of the section on counts: the table or a trial series, with its noise."""

import math
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from pywt.data import demo_signal

from dpcore import gaussian
from dpcore.accuracy import each_significance
from dpcore.mechanism import Mechanism
from dpcore.sensitivity import Sensitivity
from pages.denoising import comparison
from pages.denoising.counts.results import CountsRelease
from pages.framework.parameters.parameter import Values
from pages.shared.counts.table import Counts, table_sensitivity

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
    return table_sensitivity(*_limits(values, cells))


def _limits(values: Values, cells: int) -> tuple[Any, ...]:
    per_cell = values["per_person"], values["per_cell"], values["neighbours"], 0
    return *per_cell, cells, values["per_total"], values["n_periods"]


def table_sigma(values: Values, cells: int) -> float:
    """Return σ of the analytic Gaussian noise of a table, in counts; inf if it exceeds a double."""
    try:
        return float(gaussian.analytic_sigma(values["epsilon"], values["delta"], sensitivity_of(values, cells).l2))
    except ValueError:
        return math.inf


def recommended_noise(values: Values, cells: int) -> Mechanism | None:
    """Return the noise that Tables recommends for all cells of such a table; None where none fits."""
    alpha = float(each_significance(max(values["significance"], _LEAST_SIGNIFICANCE), cells))
    return _recommended(values["epsilon"], values["delta"], alpha, _limits(values, cells))


@lru_cache(64)
def _recommended(epsilon: float, delta: float, significance: float, limits: tuple[Any, ...]) -> Mechanism | None:
    return comparison.recommended_noise(epsilon, delta, table_sensitivity(*limits), significance)


def _trial_series(signal: str) -> Counts:
    """Return a series of Donoho and Johnstone, shifted and scaled to whole numbers from 0 to 100."""
    curve = np.asarray(demo_signal(signal.title(), _TRIAL_CELLS), np.float64)
    scaled = np.rint(_TRIAL_TOP * (curve - curve.min()) / (curve.max() - curve.min()))
    frame = pd.DataFrame({"cell": [f"place {place}" for place in range(1, _TRIAL_CELLS + 1)], "count": scaled})
    source = f"{signal.title()} (256 numbers of Donoho & Johnstone 1994, moved and scaled to counts from 0 to 100)"
    return Counts(frame, source)
