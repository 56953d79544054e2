"""What each trace of the classical and the analytic variance must show."""

import numpy as np

from dpcore import gaussian
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, linear, log, of, pinned, spelled

BEFORE = "epsilon=0.5&delta=1e-4"
STATES = {"": "proved", ": not proved": "within target", ": too little": "fails"}


def variance_ratio(setting: Setting) -> Chart:
    """Return the share of the classical variance that exact calibration removes, along ε or δ."""
    along = setting.variance_against
    other = "delta" if along == "epsilon" else "epsilon"

    def removed(x: Numbers, value: float) -> Numbers:
        epsilon, delta = (x, value) if along == "epsilon" else (value, x)
        classical, analytic = gaussian.classical_sigma(epsilon, delta), gaussian.analytic_sigma(epsilon, delta)
        return 1 - (analytic / classical) ** 2

    def states(value: float) -> dict[str, str]:
        """Return the states of the classical formula that occur along the axis,
        by what follows the name of its line.
        """
        grid = np.logspace(-3, 2, 161) if along == "epsilon" else np.logspace(-12, 0, 161)[:-1]
        proved = (grid < 1) if along == "epsilon" else np.full(grid.size, value < 1)
        enough = removed(grid, value) >= 0
        there = {"": proved, ": not proved": ~proved & enough, ": too little": ~proved & ~enough}
        return {label: STATES[label] for label, part in there.items() if part.any()}

    def trace(value: float, word: str) -> Trace:
        return Trace(
            lambda _, x: removed(x, value),
            "removed",
            of(other, value),
            lambda rows: (rows["status"] == word).to_numpy(),
            hover="ratio",
            atol=1e-12,
        )

    other_values = setting.variance_deltas if along == "epsilon" else setting.variance_epsilons
    symbol = "δ" if along == "epsilon" else "ε"
    traces = {
        f"{symbol} = {spelled(value)}{label}": trace(value, word)
        for value in {*other_values, getattr(setting, other)}
        for label, word in states(value).items()
    }
    if setting.pinned is not None:
        traces |= pinned(lambda at, x: removed(x, getattr(at, other)), atol=1e-6)
    where = log("ε (nats)") if along == "epsilon" else log("δ")
    return Chart(where, linear("share of the variance removed"), traces, along)


SETTINGS = {
    "variance_ratio": ({}, {"variance_against": "delta", "epsilon": "2", "pinned": BEFORE}, {"delta": "0.01"}),
}
CHARTS = {"variance_ratio": variance_ratio}
