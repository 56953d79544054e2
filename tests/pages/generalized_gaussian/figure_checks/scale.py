"""What each trace of the required noise must show."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import generalized_gaussian as gg
from tests.pages.figure_checks import (
    Chart,
    Numbers,
    Setting,
    Trace,
    Truth,
    log,
    of,
    pinned,
)
from tests.pages.generalized_gaussian.figure_checks.settings import EPSILON, OTHER, SCALES

SEVERAL = {"statistics": "own", "sensitivities": "1, 2", "monte_carlo": "on", "draws": "1e4", "delta": "0.05"}
SIZES = {
    "scale": ("scale b (query units)", lambda _, __, scale: scale),
    "deviation": ("standard deviation (query units)", lambda _, p, scale: np.sqrt(gg.variance(scale, p))),
    "mean_error": ("mean error (query units)", lambda _, p, scale: gg.mean_absolute_error(scale, p)),
    "accuracy": ("(query units)", lambda at, p, scale: gg.half_width(at.significance, scale, p)),
}
NAMES = {"adp": "(ε, δ)-DP", "exact_pdp": "Exact pDP…", "disjoint": "Corollary 9"}
PLACES = {"p": np.geomspace(1, 64, 30), "epsilon": np.geomspace(0.1, 10, 30), "delta": np.geomspace(1e-9, 0.5, 30)}


def size(setting: Setting, over: str) -> Chart:
    """Return the size of the noise over p, ε or δ."""
    label, size_of = SIZES[setting.size]
    where = {"p": log("shape p"), "epsilon": EPSILON, "delta": log("δ")}[over]

    def truth(guarantee: str) -> Truth:
        def value(at: Setting, x: Numbers) -> Numbers:
            place = {"epsilon": at.epsilon, "delta": at.delta, "p": at.p} | {over: x}
            return size_of(at, place["p"], SCALES[guarantee](**place, sensitivity=at.l2_sensitivity))

        return value

    if setting.statistics != "one":
        return Chart(where, log(label), several(setting, over), over)
    exact, published = (truth(key)(setting, PLACES[over]) for key in ("exact_pdp", "disjoint"))
    is_seen = not np.allclose(published, exact, rtol=0.05, atol=0)  # else both have one line
    drawn = {key: name for key, name in NAMES.items() if key != "disjoint" or is_seen}
    traces = {name: Trace(truth(key), setting.size, of("guarantee", key)) for key, name in drawn.items()}
    traces |= pinned(*map(truth, NAMES)) if setting.pinned else {}
    return Chart(where, log(label), traces, over)


def several(setting: Setting, over: str) -> dict[str, Trace]:
    """Return the noise of several statistics by Proposition 8, and as the paper simulates it."""
    size_of = SIZES[setting.size][1]

    def places(at: Setting, x: Numbers) -> list[dict[str, float]]:
        return [{"epsilon": at.epsilon, "delta": at.delta, "p": at.p} | {over: value} for value in x]

    def exact(at: Setting, x: Numbers) -> ArrayLike:
        return [
            size_of(at, place["p"], gg.pdp_scale(**place, sensitivities=at.sensitivities)) for place in places(at, x)
        ]

    def simulated(at: Setting, x: Numbers, error: bool = False) -> ArrayLike:
        sizes = []
        for place in places(at, x):
            rng = np.random.default_rng(int(at.seed))
            result = gg.pdp_scale_monte_carlo(**place, sensitivities=at.sensitivities, rng=rng, n=int(at.draws))
            share = 2 * result.standard_error / result.scale if error else 1.0
            sizes.append(share * size_of(at, place["p"], result.scale))
        return sizes

    def bar(rows: pd.DataFrame) -> Numbers:
        return 2 * rows[f"{setting.size}_error"].to_numpy()

    return {
        "Proposition 8": Trace(exact, setting.size, of("guarantee", "several")),
        "Monte Carlo ± 2 s.e.": Trace(
            simulated,
            setting.size,
            of("guarantee", "Monte Carlo"),
            error=lambda at, x: simulated(at, x, error=True),
            error_column=bar,
        ),
    }


SETTINGS = {
    "size_p": ({}, OTHER | {"size": "scale"}),
    "size_epsilon": ({}, OTHER | {"size": "accuracy"}, SEVERAL),
    "size_delta": ({}, OTHER | {"size": "mean_error"}),
}
CHARTS = {
    "size_p": lambda setting: size(setting, "p"),
    "size_epsilon": lambda setting: size(setting, "epsilon"),
    "size_delta": lambda setting: size(setting, "delta"),
}
