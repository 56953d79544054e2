"""What each trace of the errors of a mean must show."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import denoise
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, log, of, pinned
from tests.pages.papers.figure_checks.balle_variance import BEFORE

OWN_MEANS = {"means_grid": "own", "mean_records": "20", "mean_repeats": "6", "mean_dimension": "30", "delta": "1e-3"}
MECHANISMS = {
    "laplace": "Laplace",
    "classical": "classical Gaussian",
    "analytic": "analytic Gaussian",
    "james_stein": "analytic + James–Stein",
    "soft_universal": "analytic + soft threshold",
}
DIMENSIONS = (10, 20, 50, 100, 200, 500, 1000, 2000)
EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


@cache
def mean_draws(dimension: int, n_records: int, n_repeats: int, seed: int) -> denoise.MeanDraws:
    return denoise.mean_draws(np.random.default_rng([seed, dimension]), dimension, n_records, n_repeats)


@cache
def mean_errors(at: Setting, x: float) -> pd.DataFrame:
    """Return the errors of every mechanism at a place of the axis that is drawn."""
    is_paper = at.means_grid == "paper"
    n_records, most_repeats = (500, 100) if is_paper else (int(at.mean_records), int(at.mean_repeats))
    n_numbers = sum({*DIMENSIONS, int(at.mean_dimension)}) * n_records
    n_repeats = min(most_repeats, 30_000_000 // n_numbers)  # as many as a page draws at once
    along_dimension = at.means_against == "dimension"
    dimension, epsilon = (round(x), at.epsilon) if along_dimension else (int(at.mean_dimension), x)
    draws = mean_draws(dimension, n_records, n_repeats, int(at.seed))
    return denoise.mean_errors(draws, epsilon, 1e-4 if is_paper else at.delta)


def mean_chart(setting: Setting, traces: dict[str, Trace], label: str) -> Chart:
    along = setting.means_against
    where = log("numbers released, d") if along == "dimension" else log("ε (nats)")
    # Each point is a mean over draws of its own: there are none between two points, and dpcore has no formula for the
    # error of clipped, shrunk or thresholded means, so that nothing says what the lines must show between.
    return Chart(where, log(label), traces, along, jumps=tuple(traces))


def by_mechanism(key: str, value) -> Truth:
    """Return a value of the row of a mechanism."""

    def truth(at: Setting, x: Numbers) -> ArrayLike:
        rows = (mean_errors(at, snapped(at, coordinate)).set_index("mechanism") for coordinate in x)
        return [float(value(row.loc[key])) for row in rows]

    return truth


def snapped(at: Setting, x: float) -> float:
    """Return the place of the axis, in the digits that it has in dpcore rather than in a picture."""
    coordinates = (*DIMENSIONS, at.mean_dimension) if at.means_against == "dimension" else (*EPSILONS, at.epsilon)
    nearest = min(coordinates, key=lambda coordinate: abs(coordinate - x))
    assert np.isclose(nearest, x, 1e-5), f"there is no {x} on this axis"
    return nearest


def means(setting: Setting) -> Chart:
    """Return the mean error of each mechanism, with a band of one standard deviation to each side."""

    def mean(row: Any) -> float:
        return row["error_mean"]

    def low(row: Any) -> float:
        return max(row["error_mean"] - row["error_sd"], row["error_mean"] / 10)  # a log axis has no 0

    def high(row: Any) -> float:
        return row["error_mean"] + row["error_sd"]

    def answer_0(rows: pd.DataFrame) -> Numbers:
        return (rows["mechanism"] == "analytic").to_numpy()

    traces = {"answer 0": Trace(by_mechanism("analytic", lambda row: row["norm_mean"]), "norm_mean", answer_0)}
    for place, (key, name) in enumerate(MECHANISMS.items(), 1):
        rows = of("mechanism", key)
        traces[name] = Trace(by_mechanism(key, mean), "error_mean", rows, hover="error_sd")
        band = Trace(by_mechanism(key, high), back=by_mechanism(key, low))
        traces[f"unnamed #{place}" if place > 1 else "unnamed"] = band
    if setting.pinned is not None:
        traces |= pinned(*(by_mechanism(key, mean) for key in MECHANISMS))
    return mean_chart(setting, traces, "error: distance from the true mean")


def mean_ratios(setting: Setting) -> Chart:
    """Return the mean errors over that of the analytic Gaussian."""

    def ratio(key: str) -> Truth:
        own, analytic = (by_mechanism(name, lambda row: row["error_mean"]) for name in (key, "analytic"))
        return lambda at, x: np.asarray(own(at, x)) / np.asarray(analytic(at, x))

    def of_csv(rows: pd.DataFrame, key: str) -> Numbers:
        parts = [rows.loc[rows["mechanism"] == name, "error_mean"].to_numpy() for name in (key, "analytic")]
        return parts[0] / parts[1]

    def places_of(rows: pd.DataFrame) -> Numbers:
        return rows.loc[rows["mechanism"] == "analytic", setting.means_against].to_numpy()

    traces = {
        MECHANISMS[key]: Trace(ratio(key), lambda rows, key=key: of_csv(rows, key), x=places_of)
        for key in ("classical", "james_stein", "soft_universal")
    }
    return mean_chart(setting, traces, "error ÷ analytic Gaussian’s")


SETTINGS = dict.fromkeys(
    ("mean_errors", "mean_error_ratios"),
    ({}, OWN_MEANS | {"means_against": "epsilon", "pinned": BEFORE, "seed": "2"}),
)
CHARTS = {"mean_errors": means, "mean_error_ratios": mean_ratios}
