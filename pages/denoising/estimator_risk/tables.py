"""The table of the shares of the error that the estimators leave."""

import math

from pages.denoising.estimator_risk.results import EstimatorRisk
from pages.denoising.estimator_risk.text import SHORT_NAMES, share_percent, tunings
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest


def table_html(risk: EstimatorRisk) -> str:
    """Return every estimator at the setting, as HTML."""
    heads = ["Estimator", "Squared error left", "RMSE left", "Tuning"]
    rows = []
    for key, tuning in tunings(risk).items():
        rmse = f"{format_nearest(100 * math.sqrt(risk.shares[key]), 3)} %"
        rows.append([SHORT_NAMES[key], _share_cell(risk, key), rmse, tuning])
    return number_format.table_html("What each estimator leaves of the error", "cells", heads, rows)


def _share_cell(risk: EstimatorRisk, key: str) -> str:
    if key != "soft_sure":
        return share_percent(risk.shares[key])
    error = format_nearest(100 * risk.sure.standard_error, 2)
    return f"{format_nearest(100 * risk.shares[key], 3)} ± {error} %"
