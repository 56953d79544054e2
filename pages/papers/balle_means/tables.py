"""The numbers of Experiment 5.2, as an HTML table and as a frame."""

import pandas as pd

from dpcore.calibrations import FAILS, PROVED
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, format_up, percent
from pages.papers.balle_means.figures import MECHANISM_NAMES
from pages.papers.balle_means.results import MeanExperiment, MechanismRow

GUARANTEES = {"laplace": "ε-DP", "classical": "(ε, δ)-DP"}


def table_html(experiment: MeanExperiment) -> str:
    """Return the mechanisms at (d, ε), as an accessible HTML table."""
    heads = ["Mechanism", "σ or b", "Guarantee", "Mean error ‖·‖₂", "s.d.", "Standard error", "Below analytic"]
    body = []
    for key, row in experiment.rows.items():
        gain = percent(row.gain_mean / experiment.rows["analytic"].error_mean, 3)
        cells = [MECHANISM_NAMES[key], format_up(row.scale), _guarantee_cell(key, row.status)]
        cells += [format_nearest(row.error_mean), format_nearest(row.error_sd, 3)]
        cells += [format_nearest(row.standard_error, 2), "–" if key == "analytic" else f"{gain}{_tie_note(row)}"]
        body.append(cells)
    return number_format.table_html("Errors at this setting", "means", heads, body)


def _tie_note(row: MechanismRow) -> str:
    return ", too close to call" if abs(row.gain_mean) <= 2 * row.gain_standard_error else ""


def _guarantee_cell(key: str, status: str) -> str:
    status_text = {PROVED: "✓", FAILS: "✗ FAILS:"}.get(status, "! sufficient, unproved:")
    return f"{status_text} {GUARANTEES.get(key, '(ε, δ)-DP')}"


def settings_frame(experiment: MeanExperiment) -> pd.DataFrame:
    """Return the whole sweep and the lines through the open setting, each setting once."""
    frames = pd.concat([experiment.sweep, experiment.along_dimension, experiment.along_epsilon], ignore_index=True)
    once = frames.drop_duplicates(["dimension", "epsilon", "mechanism"])
    return once.sort_values(["dimension", "epsilon"], kind="stable", ignore_index=True)
