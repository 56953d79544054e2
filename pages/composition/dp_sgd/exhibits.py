"""The charts and the table of the section "DP-SGD"."""

import math
from typing import Any

import numpy as np
import pandas as pd

from pages.composition.dp_sgd import figures, results, text
from pages.composition.dp_sgd.map_results import NOISES, RATES, ratio_map
from pages.composition.dp_sgd.results import MIN_EXACT_NOISE, Training
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, percent_down


def account_rows(training: Training) -> list[tuple[str, float, str]]:
    """Return for each accountant its name, the ε of the training, and the kind of that value."""
    return [
        ("Certified (the answer)" if training.is_solved else "Certified", training.epsilon, "upper bound"),
        ("Exact, by a contour integral", training.exact, _exact_worth(training)),
        ("RDP, at the best order", training.rdp, "upper bound"),
        ("CLT (Gaussian limit)", training.clt, _clt_worth(training)),
    ]


def _exact_worth(training: Training) -> str:
    if not math.isnan(training.exact):
        return "correct to about 9 digits, not proved"
    too_long = "takes too long for so little noise"
    return f"not available: {too_long if training.noise < MIN_EXACT_NOISE else 'integration failed'}"


def _clt_worth(training: Training) -> str:
    if math.isnan(training.clt):
        return "not available for so little noise"
    if training.clt < training.exact:
        return f"not a bound: here {percent_down(1 - training.clt / training.exact, 2)} too small"
    if training.clt < training.best_epsilon:
        return "not a bound; whether it is too small here is not known"
    return "not a bound; here it is not too small"


def table_html(training: Training) -> str:
    """Return ε by each accountant as a table."""
    best = training.best_epsilon or math.nan
    body = [
        [name, _rounded_by_worth(value, worth), _rounded_by_worth(value / best, worth), worth]
        for name, value, worth in account_rows(training)
    ]
    compared = "÷ certified" if math.isnan(training.exact) else "÷ exact"
    heads = ["Accountant", f"ε at δ = {format_input_up(training.delta)}", compared, "Kind of value"]
    return number_format.table_html("ε of this training by each accountant", "accounts", heads, body)


def _rounded_by_worth(value: float, worth: str) -> str:
    return format_up(value) if worth == "upper bound" else format_nearest(value)


def epochs_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of ε over the epochs, by each accountant."""
    training, pinned = _trainings(result)
    curves = results.epoch_curves(training)
    figure = figures.epochs_figure(
        training, curves, pinned and (pinned, results.epoch_curves(pinned)), text.subtitle(training, "steps"), colours
    )
    numbers = pd.DataFrame({key: getattr(curves, key) for key in ("epochs", "steps", "exact", "rdp", "clt")})
    alternative = text.alternative_text(training)
    return Exhibit("epsilon_over_epochs", figure, alternative, numbers, _training_csv_header(training))


def batch_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of the noise that satisfies the same ε, over the batch."""
    training, pinned = _trainings(result)
    curves = results.batch_curves(training)
    figure = figures.batch_figure(
        training, curves, pinned and (pinned, results.batch_curves(pinned)), text.subtitle(training, "batch"), colours
    )
    numbers = pd.DataFrame({key: getattr(curves, key) for key in ("batch", "exact", "rdp")})
    return Exhibit("noise_over_batch", figure, text.alternative_text(training), numbers, _training_csv_header(training))


def map_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the map of the ratios of RDP and of the CLT to the exact ε, over rate and noise."""
    training = result.training
    ratios = ratio_map(training.epochs, training.delta)
    figure = figures.map_figure(training, ratios, text.map_subtitle(training, ratios), colours)
    rate, noise = (axis.ravel() for axis in np.meshgrid(RATES, NOISES))
    grid = {"rate": rate, "noise_multiplier": noise, "exact": ratios.exact.ravel()}
    numbers = pd.DataFrame(grid | {"rdp_over_exact": ratios.rdp.ravel(), "clt_over_exact": ratios.clt.ravel()})
    return Exhibit("rdp_over_exact", figure, text.map_alternative_text(ratios), numbers, _training_csv_header(training))


def accounts_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε of this training by each accountant."""
    training = result.training
    numbers = pd.DataFrame(account_rows(training), columns=["account", "epsilon", "worth"])
    html, alternative = table_html(training), text.alternative_text(training)
    return Exhibit("accounts", html, alternative, numbers, _training_csv_header(training))


def _trainings(result: CompositionResult) -> tuple[Training, Training | None]:
    return result.training, result.pinned and result.pinned.training


def _training_csv_header(training: Training) -> dict[str, Any]:
    header = {"records": training.records, "batch": training.batch, "epochs": training.epochs, "steps": training.steps}
    header |= {"noise_multiplier": repr(training.noise), "delta": repr(training.delta)}
    header |= {"target_epsilon": repr(training.target)}
    header |= {"neighbours": "one record added or removed", "sampling": "Poisson"}
    return header | {"units": "epsilon in nats; rdp an upper bound, exact an estimate to 9 digits, clt no bound"}
