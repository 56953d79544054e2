"""The table of both noises."""

import pandas as pd

from dpcore import laplace_gaussian
from dpcore.calibrations import LAPLACE
from dpcore.laplace_gaussian import NoisePair
from pages.framework.parameters.number_format import format_input_up, format_up, share
from pages.framework.parameters.number_format import table_html as accessible_table_html
from pages.laplace_gaussian.parameters import LaplaceGaussianSetting
from pages.laplace_gaussian.results import ErrorPair, LaplaceGaussianResult
from pages.shared import formulas

ROUNDING = "To four digits: scale, variance, errors and ε rounded up; tails to the nearest."


def verdict_text(setting: LaplaceGaussianSetting, noises: NoisePair) -> str:
    """Return a mark and words: whether the Gaussian satisfies its guarantee, and how that is known."""
    if noises.gaussian.epsilon > 1e6:
        return "ε above 1e6: no meaningful privacy"
    return formulas.verdict(setting.calibration, noises.gaussian.status, noises.gaussian.true_delta, setting)


def table_html(result: LaplaceGaussianResult) -> str:
    """Return both noises in numbers as an accessible HTML table, beside the errors of a pinned setting."""
    setting, noises, errors = result.setting, result.noises, result.errors
    pinned_errors = result.answered_pinned and result.answered_pinned.errors
    heads = ["Noise", "Scale, query units", "Variance", "Mean |error|"]
    heads += [f"± for <span>{share(setting.significance)}</span> of releases"]
    heads += [*([] if pinned_errors is None else ["± pinned"]), "ε", "Guarantee", "Verdict"]
    first, second = (
        [format_up(error["variance"]), format_up(error["mean_error"]), format_up(error["accuracy"])] for error in errors
    )
    if pinned_errors is not None:
        first, second = (
            [*cells, format_up(error["accuracy"])] for cells, error in zip((first, second), pinned_errors, strict=True)
        )
    promise = f"{setting.calibration.promise}, δ = {format_input_up(setting.delta)}"
    epsilon = format_input_up(setting.epsilon) if setting.hold == "epsilon" else format_up(noises.gaussian.epsilon)
    rows = [
        [
            LAPLACE.name,
            f"b = {format_up(noises.laplace.scale)}",
            *first,
            format_input_up(setting.epsilon),
            LAPLACE.promise,
            "✓ proved, no δ",
        ],
        [
            setting.calibration.name,
            f"σ = {format_up(noises.gaussian.scale)}",
            *second,
            epsilon,
            promise,
            verdict_text(setting, noises),
        ],
    ]
    return accessible_table_html("Both noises in numbers", "verdicts", heads, rows)


def noise_frame(noises: NoisePair, errors: ErrorPair) -> pd.DataFrame:
    """Return the numbers of the table."""
    columns = {"noise": ["laplace", "gaussian"], "scale": [noises.laplace.scale, noises.gaussian.scale]}
    columns |= {name: [error[name] for error in errors] for name in laplace_gaussian.MEASURES}
    return pd.DataFrame(columns)
