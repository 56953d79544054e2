"""The pictures and the table of the section on Experiment 5.2."""

from typing import Any

import pandas as pd

from pages.denoising.means import figures, text
from pages.denoising.means.results import Experiment
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import Colours, Exhibit


def errors(result: DenoisingResult, colour: Colours) -> Exhibit | None:
    """The mean error of each mechanism along d or ε, and its spread."""
    now, kept = result.experiment, result.pinned and result.pinned.experiment
    if not now.there:
        return None
    along, frame, value = _along(now)
    pinned = None
    if kept is not None and kept.there:
        _, before, looked_at = _along(kept)
        pinned = before, looked_at
    subtitle = text.subtitle(now, along, "mean ± s.d.")
    figure = figures.errors_figure(frame, along, value, pinned, subtitle, colour)
    return Exhibit("mean_errors", figure, text.alternative(now), frame, _header(result, now))


def ratios(result: DenoisingResult, colour: Colours) -> Exhibit | None:
    """The mean errors over the analytic Gaussian's."""
    now = result.experiment
    if not now.there:
        return None
    along, frame, value = _along(now)
    subtitle = text.subtitle(now, along, "means")
    figure = figures.ratios_figure(frame, along, value, subtitle, colour)
    return Exhibit("mean_error_ratios", figure, text.alternative(now), frame, _header(result, now))


def mechanisms(result: DenoisingResult, _: Colours) -> Exhibit | None:
    """The mechanisms at (d, ε) in numbers; those of the whole sweep stand with them in the CSV."""
    now = result.experiment
    if not now.there:
        return None
    html, said = text.table_html(now), text.alternative(now)
    return Exhibit("mean_mechanisms", html, said, lambda: _everything(now), _header(result, now))


def _along(now: Experiment) -> tuple[str, pd.DataFrame, float]:
    """What the pictures run along, their numbers, and the place that is looked at."""
    if now.asked.along == "dimension":
        return "dimension", now.along_dimension, float(now.asked.dimension)
    return "epsilon", now.along_epsilon, now.asked.epsilon


def _everything(now: Experiment) -> pd.DataFrame:
    """The whole sweep, and the lines through the setting that is looked at, each setting once."""
    frames = pd.concat([now.sweep, now.along_dimension, now.along_epsilon], ignore_index=True)
    once = frames.drop_duplicates(["dimension", "epsilon", "mechanism"])
    return once.sort_values(["dimension", "epsilon"], kind="stable", ignore_index=True)


def _header(result: DenoisingResult, now: Experiment) -> dict[str, Any]:
    asked = now.asked
    own = {
        "epsilon": repr(asked.epsilon),
        "delta": repr(asked.delta),
        "dimension": asked.dimension,
        "records": asked.n_records,
        "data sets": now.n_repeats,
        "seed": asked.seed,
        "neighbours": "one record replaced by another of the same public box, n public",
        "units": "epsilon in nats; errors Euclidean distances in the units of the records; scale sigma or b likewise",
    }
    kept = {} if result.pinned is None else {"pinned": result.pinned.setting.place}
    return own | kept
