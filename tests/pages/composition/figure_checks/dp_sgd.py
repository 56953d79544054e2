"""What each trace of the charts on DP-SGD must show."""

from functools import cache, lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import composition
from tests.pages.composition.figure_checks.releases import CERTIFIED
from tests.pages.figure_checks import (
    Chart,
    Column,
    Numbers,
    Setting,
    Trace,
    Truth,
    linear,
    log,
    pinned,
    point,
)

SMALL = {"records": "10000", "batch": "100", "epochs": "20", "noise_multiplier": "0.9", "delta": "1e-5"}


@cache
def solved(at: Setting) -> tuple[float, float, float]:
    """Noise, batch and epochs of the training, with what was left open solved for."""
    noise, batch, epochs = at.noise_multiplier, at.batch, at.epochs
    if at.solve == "noise":
        steps = composition.steps_of_epochs(epochs, at.records, batch)
        noise = float(composition.dp_sgd_noise_multiplier(at.epsilon, at.delta, batch / at.records, steps, "certified"))
    return noise, batch, epochs


@cache
def target(at: Setting) -> float:
    """Return the ε that other batches are to keep: that of the training, or the one that was asked for."""
    if at.solve != "epsilon":
        return at.epsilon
    noise, batch, epochs = solved(at)
    steps = composition.steps_of_epochs(epochs, at.records, batch)
    return float(composition.dp_sgd_epsilon(at.delta, noise, batch / at.records, steps, "certified"))


def over_epochs(account: str) -> Truth:
    def epsilon(at: Setting, epochs: Numbers) -> ArrayLike:
        noise, batch, _ = solved(at)
        steps = np.round(epochs * at.records / batch).clip(1)
        return [dp_sgd(at.delta, noise, batch / at.records, float(n_steps), account) for n_steps in steps]

    return epsilon


@lru_cache(4096)
def dp_sgd(delta: float, noise: float, rate: float, steps: float, account: str) -> float:
    if account == "exact":
        return float(composition.exact_epsilon([composition.sampled_release(noise, rate, int(steps))], delta).value)
    return float(composition.dp_sgd_epsilon(delta, noise, rate, steps, account))


REACH = {60: 100.0, 20: 50.0}
"""Up to how many epochs is drawn, by those of the training."""


def epsilon_over_epochs(setting: Setting) -> Chart:
    def strokes(at: Setting, x: Numbers) -> ArrayLike:
        """Each stroke goes from the CLT, half a step to the left, up to the exact ε."""
        step = REACH[at.epochs] / 70
        is_low = np.abs(x / step - np.round(x / step)) > 0.25
        low, high = over_epochs("clt")(at, x + step / 2), over_epochs("exact")(at, x)
        return np.where(is_low, low, high)

    names = {"rdp": "RDP (upper bound)", "exact": "exact (to 9 digits)", "clt": "✗ CLT…"}
    traces = {name: Trace(over_epochs(key), key, rtol=1e-3) for key, name in names.items()}
    traces["unnamed"] = Trace(strokes, rtol=0.06)  # straight between 13 points of the curves
    traces["this training, certified"] = point(lambda at: (at.epochs, target(at)), rtol=1e-3)
    traces |= pinned(over_epochs("exact")) if setting.pinned else {}
    return Chart(linear("epochs"), linear("ε"), traces, "epochs", jumps=("unnamed",))


def noise_over_batch(setting: Setting) -> Chart:
    def needed(account: str) -> Truth:
        def noise(at: Setting, batches: Numbers) -> ArrayLike:
            _, _, epochs = solved(at)
            steps = composition.steps_of_epochs(epochs, at.records, batches)
            goal = target(at)
            return [
                float(
                    composition.dp_sgd_noise_multiplier(goal, at.delta, min(batch / at.records, 1.0), n_steps, account)
                )
                for batch, n_steps in zip(batches, steps, strict=True)
            ]

        return noise

    def on_the_mean(key: str) -> Column:
        return lambda rows: rows[key] / rows["batch"]

    names = {"rdp": "RDP", "exact": "exact (to 9 digits)"}
    traces = {name: Trace(needed(key), key, hover=on_the_mean(key), rtol=CERTIFIED) for key, name in names.items()}
    traces["this training"] = point(lambda at: (solved(at)[1], solved(at)[0]), rtol=1e-6)
    if setting.pinned is not None:
        traces["pinned"] = Trace(lambda at, x: needed("exact")(at.pinned, x), rtol=CERTIFIED, n_points=3)
    return Chart(log("expected batch"), log("noise multiplier"), traces, "batch")


LEVELS = (1.05, 1.1, 1.2, 1.5, 2.0, 3.0)
RATES, NOISES = np.geomspace(1e-4, 1, 9), np.geomspace(0.4, 10, 8)


@cache
def clt_over_exact(epochs: float, delta: float) -> Numbers:
    """Return a row for each noise and a column for each sampling rate."""
    values = np.full((NOISES.size, RATES.size), np.nan)
    for row, column in np.ndindex(*values.shape):
        arguments = delta, float(NOISES[row]), float(RATES[column]), float(np.ceil(epochs / RATES[column]))
        values[row, column] = dp_sgd(*arguments, "clt") / dp_sgd(*arguments, "exact")
    return values


def band(ratio: ArrayLike) -> Numbers:
    """Return the number of the contour at a ratio; between two of them it grows with the logarithm of the ratio."""
    knots = np.log([1, *LEVELS, 10])
    return np.interp(np.log(np.maximum(np.asarray(ratio), 1)), knots, np.arange(-1, len(LEVELS) + 1))


def rdp_over_exact(_: Setting) -> Chart:
    def truth(at: Setting, rate: Numbers, noise: Numbers) -> Numbers:
        rate, noise = (
            axis[np.abs(axis[:, None] - training).argmin(axis=0)] for axis, training in ((RATES, rate), (NOISES, noise))
        )
        trainings = zip(noise.tolist(), rate.tolist(), np.ceil(at.epochs / rate).tolist(), strict=True)
        return band(
            [dp_sgd(at.delta, *training, "rdp") / dp_sgd(at.delta, *training, "exact") for training in trainings]
        )

    def both(rows: pd.DataFrame) -> Numbers:
        return rows[["rdp_over_exact", "clt_over_exact"]].to_numpy()

    def strokes(ratio: Numbers) -> tuple[Numbers, Numbers]:
        """Rate and noise of every place of a finer grid at which the CLT is too small by a percent."""
        rates, noises = np.geomspace(1e-4, 1, 29), np.geomspace(0.4, 10, 17)
        columns = np.array([np.interp(np.log(rates), np.log(RATES), row) for row in ratio])
        fine = np.array([np.interp(np.log(noises), np.log(NOISES), column) for column in columns.T]).T
        rows, places = np.nonzero(fine < 0.99)
        return rates[places], noises[rows]

    def in_csv(part: int) -> Column:
        return lambda rows: strokes(rows["clt_over_exact"].to_numpy().reshape(NOISES.size, RATES.size))[part]

    def too_little(at: Setting, place: Numbers) -> Numbers:
        return strokes(clt_over_exact(at.epochs, at.delta))[1][place.astype(int)]

    traces = {
        "unnamed": Trace(
            truth,
            lambda rows: band(rows["rdp_over_exact"]),
            x="rate",
            y="noise_multiplier",
            hover=both,
            rtol=0.01,
            atol=0.1,
        ),
        "unnamed #2": Trace(too_little, in_csv(1), x=in_csv(0), by_place=True),
        "this training": point(lambda at: (at.batch / at.records, at.noise_multiplier)),
    }
    return Chart(log("sampling rate q = batch ÷ N"), log("noise multiplier"), traces)


SETTINGS = {
    "epsilon_over_epochs": ({}, SMALL | {"pinned": "records=20000&delta=1e-6&batch=200&epochs=20"}),
    "noise_over_batch": (
        {},
        SMALL | {"solve": "noise", "epsilon": "2", "pinned": "records=100&delta=1e-3&batch=10&epochs=5"},
    ),
    "rdp_over_exact": ({},),
}
CHARTS = {
    "epsilon_over_epochs": epsilon_over_epochs,
    "noise_over_batch": noise_over_batch,
    "rdp_over_exact": rdp_over_exact,
}
