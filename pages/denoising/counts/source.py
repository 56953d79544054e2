"""What the section on counts releases: the table, or a trial series, with the noise that is asked for."""

import math
from functools import lru_cache

import numpy as np
import pandas as pd
from pywt.data import demo_signal

from dpcore import gaussian
from pages.denoising.counts.results import CountsRelease
from pages.framework.parameters.kinds import Values
from pages.shared.counts.table import Counts, table_sensitivity

_TRIAL_CELLS, _TRIAL_TOP = 256, 100


def counts_release(values: Values, table: Counts | None) -> CountsRelease | None:
    """What the section releases: a trial series, or the table; None where there is no table."""
    trial = values["signal"] != "table"
    table = _trial_series(values["signal"]) if trial else table
    if table is None:
        return None
    sigma = table_sigma(values, len(table.frame))
    series = trial or values["order"] == "series"
    options = (
        values["prior_sd"],
        values["total"] == "public",
        values["neighbours"],
        int(values["seed"]),
        values["estimator"],
    )
    return CountsRelease(table, sigma, series, trial, values["table"] == "own", *options)


def table_sigma(values: Values, cells: int) -> float:
    """Standard deviation of the analytic Gaussian noise of a table, in counts; inf beyond what a double holds."""
    sensitivity = table_sensitivity(values["per_person"], values["per_cell"], values["neighbours"], 0, cells).l2
    try:
        return float(gaussian.analytic_sigma(values["epsilon"], values["delta"], sensitivity))
    except ValueError:
        return math.inf


@lru_cache
def _trial_series(signal: str) -> Counts:
    """Donoho and Johnstone's series, moved and scaled to whole numbers from 0 to 100."""
    curve = np.asarray(demo_signal(signal.title(), _TRIAL_CELLS), np.float64)
    scaled = np.rint(_TRIAL_TOP * (curve - curve.min()) / (curve.max() - curve.min()))
    frame = pd.DataFrame({"cell": [f"place {place}" for place in range(1, _TRIAL_CELLS + 1)], "count": scaled})
    source = f"{signal.title()} (256 numbers of Donoho & Johnstone 1994, moved and scaled to counts from 0 to 100)"
    return Counts(frame, source)
