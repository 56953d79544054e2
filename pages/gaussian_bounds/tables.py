"""The table of the Gaussian bounds with its verdicts."""

import math

from dpcore.calibrations import CLASSICAL_TIGHT, FLOOR, SILENT, UNDEFINED
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_down, format_input_up, format_nearest, format_up
from pages.gaussian_bounds.results import GaussianBoundsResult
from pages.shared.error_text import share
from pages.shared.formulas import short_name, verdict


def table_html(result: GaussianBoundsResult) -> str:
    """Return the bounds as an accessible HTML table; with a pinned setting, also σ as a multiple of the pinned σ."""
    setting, pinned_rows = result.setting, result.pinned and result.pinned.rows
    heads = ["Bound", "σ, query units", "Variance", f"± for <span>{share(setting.significance)}</span> of releases"]
    heads += [f"True δ at <span>ε = {format_input_up(setting.epsilon)}</span>"]
    heads += [f"True ε at <span>δ = {format_input_up(setting.delta)}</span>"]
    heads += ["μ", *(["σ ÷ pinned σ"] if pinned_rows is not None else []), "Verdict"]
    body = []
    for key, row in result.rows.items():
        mechanism = row.mechanism
        if key == CLASSICAL_TIGHT.key and result.has_one_classical:
            continue  # it differs from the row before it in the fourth digit, which the note below the picture says
        cells = ["–"] * 6
        if mechanism.status not in (SILENT, UNDEFINED):
            safe = format_down if mechanism.status == FLOOR else format_up
            cells = [safe(mechanism.scale), safe(mechanism.variance), safe(row.accuracy)]
            guarantee = (mechanism.true_delta, row.true_epsilon, row.mu)
            cells += ["–"] * 3 if mechanism.status == FLOOR else [format_up(value) for value in guarantee]
        if pinned_rows is not None:
            ratio = mechanism.scale / pinned_rows[key].mechanism.scale
            cells.append("–" if math.isnan(ratio) else format_nearest(ratio))
        judgement = verdict(row.calibration, mechanism.status, mechanism.true_delta, setting)
        body.append([short_name(row.calibration), *cells, judgement])
    return number_format.table_html("The bounds in numbers", "verdicts", heads, body)
