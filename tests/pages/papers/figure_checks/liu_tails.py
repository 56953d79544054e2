"""What each trace of Liu's figures of tails must show, for several δ."""

import pandas as pd

from dpcore import gaussian, laplace
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, log, of, pinned, spelled
from tests.pages.laplace_gaussian.figure_checks import (
    DISTANCE,
    laplace_scale,
    same_epsilon_sigma,
    sensitivities,
)
from tests.pages.laplace_gaussian.figure_checks import EPSILONS as EPSILON_FROM_SIGMA
from tests.pages.papers.figure_checks.balle_variance import BEFORE

TAILS = {"epsilon": "0.7", "delta": "0.01", "k": "9", "gaussian": "pdp", "pinned": f"{BEFORE}&case=counts&k=4"}


def tail_ratio(at: Setting, t: Numbers, delta: float) -> Numbers:
    return laplace.tail(t, laplace_scale(at)) / gaussian.tail(t, float(same_epsilon_sigma(at, delta)))


def privacy_cost(at: Setting, t: Numbers, delta: float) -> Numbers:
    same_tail = gaussian.laplace_tail_sigma(t, laplace_scale(at))
    return EPSILON_FROM_SIGMA[at.gaussian](delta, same_tail, sensitivities(at)[1]) / at.epsilon


def several(setting: Setting, truth: Truth, column: str) -> dict[str, Trace]:
    """Return a line for each δ, and one in grey where both tails are below the cutoff,
    as far as the axis needs them.
    """

    def part(delta: float, is_unlikely: bool) -> Trace:
        def right(rows: pd.DataFrame) -> Numbers:
            return (rows["unlikely"] == is_unlikely).to_numpy()

        def near(rows: pd.DataFrame) -> Numbers:
            return right(rows) & ((rows[column] > 1e-3) & (rows[column] < 1e4)).to_numpy()

        return Trace(lambda at, t: truth(at, t, delta), column, of("delta", delta), near, right)

    traces = {}
    for delta in (setting.delta, *setting.deltas):
        traces[f"δ = {spelled(delta)}"] = part(delta, False)
        traces[f"δ = {spelled(delta)} #2"] = part(delta, True)
    return traces | (pinned(lambda at, t: truth(at, t, at.delta)) if setting.pinned else {})


SETTINGS = dict.fromkeys(
    ("ratio", "cost"),
    ({}, TAILS | {"deltas": "0.1"}, {"gaussian": "classical", "case": "own", "l1_sensitivity": "3"}),
)
CHARTS = {
    "ratio": lambda setting: Chart(DISTANCE, log("p₁ ÷ p₂"), several(setting, tail_ratio, "ratio"), "t"),
    "cost": lambda setting: Chart(
        DISTANCE, log("Gaussian’s ε ÷ Laplace’s ε"), several(setting, privacy_cost, "cost"), "t"
    ),
}
