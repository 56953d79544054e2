"""What each trace of ε by the sampling of batches must show."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpcore import composition
from tests.pages.composition.figure_checks.dp_sgd import SMALL, dp_sgd
from tests.pages.figure_checks import (
    Chart,
    Numbers,
    Setting,
    Trace,
    log,
    pinned,
    where,
)


def epsilon_by_batching(setting: Setting) -> Chart:
    def batches(at: Setting) -> tuple[int, int, int]:
        """Batches of an epoch, complete epochs, and in how many batches a record is."""
        return math.ceil(at.records / at.batch), math.floor(at.epochs), math.ceil(at.epochs)

    def at_most(at: Setting, noise: Numbers) -> Numbers:
        return composition.unamplified_epsilon(at.delta, noise, batches(at)[2])

    def at_least(at: Setting, noise: Numbers) -> Numbers:
        return composition.shuffled_batches_epsilon_at_least(at.delta, noise, *batches(at)[:2])

    def drawn_at_least(at: Setting, noise: Numbers) -> Numbers:
        return np.maximum(at_least(at, noise), 1e-3)

    def poisson(at: Setting, noise: Numbers) -> ArrayLike:
        steps = float(composition.steps_of_epochs(at.epochs, at.records, at.batch))
        return [dp_sgd(at.delta, float(value), at.batch / at.records, steps, "exact") for value in noise]

    def yours(at: Setting, noise: Numbers) -> ArrayLike:
        own = np.array([at.noise_multiplier])
        heights = {"poisson": [poisson], "fixed": [at_most], "shuffled": [drawn_at_least, at_most]}[at.loader]
        return where(np.isclose(noise, own), [float(np.asarray(bound(at, own))[0]) for bound in heights])

    traces = {
        "fixed order (no amplification)": Trace(at_most, "at_most"),
        "shuffled, lower bound": Trace(drawn_at_least, lambda rows: np.maximum(rows["at_least"], 1e-3)),
        "Poisson (exact)": Trace(poisson, "poisson"),
        "this training": Trace(yours, rtol=1e-3),
    }
    if setting.pinned is not None:
        traces |= pinned(poisson if setting.pinned.loader == "poisson" else at_most)
    return Chart(log("noise multiplier"), log("ε"), traces, "noise")


SETTINGS = {
    "epsilon_by_batching": (
        {},
        SMALL | {"loader": "poisson", "pinned": "noise_multiplier=2&loader=shuffled"},
        SMALL | {"loader": "fixed", "pinned": "noise_multiplier=2&loader=poisson"},
    )
}
CHARTS = {"epsilon_by_batching": epsilon_by_batching}
