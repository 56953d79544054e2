"""The pictures and the table of the section on Experiment 5.2."""

from typing import Any

import pandas as pd

from dpcore.calibrations import FAILS, PROVED
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, format_up, percent
from pages.papers.balle_means import figures, text
from pages.papers.balle_means.figures import MECHANISM_NAMES
from pages.papers.balle_means.results import MeanExperiment, MechanismRow
from pages.papers.results import PapersResult

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


def errors(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return the mean error of each mechanism along d or ε, and its spread."""
    experiment, pinned_experiment = result.mean_experiment, result.pinned and result.pinned.mean_experiment
    if not experiment.is_available:
        return None
    along, frame, value = _picture_axis(experiment)
    pinned = None
    if pinned_experiment is not None and pinned_experiment.is_available:
        _, pinned_frame, pinned_value = _picture_axis(pinned_experiment)
        pinned = pinned_frame, pinned_value
    subtitle = text.subtitle(experiment, along, "mean ± s.d.")
    figure = figures.errors_figure(frame, along, value, pinned, subtitle, colours)
    return Exhibit("mean_errors", figure, text.alternative_text(experiment), frame, csv_header(result, experiment))


def ratios(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return the mean errors relative to the analytic Gaussian's."""
    experiment = result.mean_experiment
    if not experiment.is_available:
        return None
    along, frame, value = _picture_axis(experiment)
    subtitle = text.subtitle(experiment, along, "means")
    figure = figures.ratios_figure(frame, along, value, subtitle, colours)
    alternative, header = text.alternative_text(experiment), csv_header(result, experiment)
    return Exhibit("mean_error_ratios", figure, alternative, frame, header)


def mechanisms(result: PapersResult, _: Colours) -> Exhibit | None:
    """Return the table of the mechanisms at (d, ε); its CSV has the whole sweep."""
    experiment = result.mean_experiment
    if not experiment.is_available:
        return None
    html, alternative = table_html(experiment), text.alternative_text(experiment)
    header = csv_header(result, experiment)
    return Exhibit("mean_mechanisms", html, alternative, lambda: settings_frame(experiment), header)


def _picture_axis(experiment: MeanExperiment) -> tuple[str, pd.DataFrame, float]:
    """Return the variable along which pictures run, their numbers, and the open setting's value."""
    if experiment.setting.along == "dimension":
        return "dimension", experiment.along_dimension, float(experiment.setting.dimension)
    return "epsilon", experiment.along_epsilon, experiment.setting.epsilon


def csv_header(result: PapersResult, experiment: MeanExperiment) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV."""
    setting = experiment.setting
    own = {
        "epsilon": repr(setting.epsilon),
        "delta": repr(setting.delta),
        "dimension": setting.dimension,
        "records": setting.n_records,
        "data sets": experiment.n_repeats,
        "seed": setting.seed,
        "neighbours": "one record replaced by another of the same public box, n public",
        "units": "epsilon in nats; errors Euclidean distances in the units of the records; scale sigma or b likewise",
    }
    pinned = {} if result.pinned is None else {"pinned": result.pinned.setting.description}
    return own | pinned
