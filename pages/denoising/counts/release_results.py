"""The release of the section on counts: the table or a trial series, with its noise."""

import math
from functools import lru_cache

import numpy as np
import pandas as pd
from pywt.data import demo_signal

from dpcore import gaussian
from pages.denoising.counts.results import CountsRelease
from pages.framework.parameters.parameter import Values
from pages.shared.counts.table import Counts, table_sensitivity

_TRIAL_CELLS, _TRIAL_TOP = 256, 100


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
    return CountsRelease(table, sigma, series, trial, own, *knowledge, seed, values["estimator"])


def table_sigma(values: Values, cells: int) -> float:
    """Return σ of the analytic Gaussian noise of a table, in counts; inf if it exceeds a double."""
    sensitivity = table_sensitivity(values["per_person"], values["per_cell"], values["neighbours"], 0, cells).l2
    try:
        return float(gaussian.analytic_sigma(values["epsilon"], values["delta"], sensitivity))
    except ValueError:
        return math.inf


@lru_cache
def _trial_series(signal: str) -> Counts:
    """Return a series of Donoho and Johnstone, shifted and scaled to whole numbers from 0 to 100."""
    curve = np.asarray(demo_signal(signal.title(), _TRIAL_CELLS), np.float64)
    scaled = np.rint(_TRIAL_TOP * (curve - curve.min()) / (curve.max() - curve.min()))
    frame = pd.DataFrame({"cell": [f"place {place}" for place in range(1, _TRIAL_CELLS + 1)], "count": scaled})
    source = f"{signal.title()} (256 numbers of Donoho & Johnstone 1994, moved and scaled to counts from 0 to 100)"
    return Counts(frame, source)
