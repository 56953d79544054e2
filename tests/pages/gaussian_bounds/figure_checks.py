"""What each trace of the Gaussian bounds must show: see `tests.pages.figure_checks`."""

from collections.abc import Callable

import pandas as pd

from dpcore import gaussian
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, log, of, pinned, point

SETTINGS = {
    "": (
        {},
        {"epsilon": "10", "delta": "1e-5", "l2_sensitivity": "3", "pinned": "0.5,1e-5,2,0.1"},
        {"epsilon": "0.3", "delta": "0.4"},
    ),
}

SIGMAS = {
    "analytic": gaussian.analytic_sigma,
    "classical": gaussian.classical_sigma,
    "pdp": gaussian.pdp_sigma,
    "exact_pdp": gaussian.exact_pdp_sigma,
    "lower": gaussian.lower_bound_sigma,
}
NAMES = {
    "analytic": "Analytic",
    "classical": "Classical",
    "pdp": "pDP",
    "exact_pdp": "Exact pDP",
    "lower": "Lower bound",
}


def sigma_over_epsilon(key: str) -> Truth:
    """σ of a bound over ε."""
    return lambda setting, x: SIGMAS[key](x, setting.delta, setting.l2_sensitivity)


def sigma_over_delta(key: str) -> Truth:
    """σ of a bound over δ."""
    return lambda setting, x: SIGMAS[key](setting.epsilon, x, setting.l2_sensitivity)


def ratio_over_epsilon(key: str) -> Truth:
    """σ of a bound over the least σ of all, over ε."""
    return lambda setting, x: SIGMAS[key](x, setting.delta) / gaussian.analytic_sigma(x, setting.delta)


def profile(key: str) -> Truth:
    """Return the δ that the σ of a bound really gives at an ε, over the target."""

    def delta(setting: Setting, x: Numbers) -> Numbers:
        sigma = SIGMAS[key](setting.epsilon, setting.delta, setting.l2_sensitivity)
        return gaussian.delta_from_sigma(x, sigma, setting.l2_sensitivity) / setting.delta

    return delta


def bounds(truth: Callable[[str], Truth], column: str, setting: Setting) -> dict[str, Trace]:
    """Return a line for each bound and state of its theorem, and the lines of a pinned setting in grey."""

    def trace(key: str, *words: str) -> Trace:
        return Trace(truth(key), column, of("bound", key), states(*words), states(*words))

    traces = {NAMES[key]: trace(key, "proved", "floor") for key in SIGMAS}
    for suffix, word in (("unproved", "within target"), ("FAILS", "fails")):
        traces[f"Classical: {suffix}"] = trace("classical", word)
    return traces | before(truth, setting)


def states(*words: str) -> Callable[[pd.DataFrame], Numbers]:
    return lambda rows: rows["status"].isin(words).to_numpy()


def before(truth: Callable[[str], Truth], setting: Setting) -> dict[str, Trace]:
    """Return the lines of a pinned setting, in the order of the bounds."""
    return pinned(*map(truth, SIGMAS)) if setting.pinned else {}


EPSILON, DELTA = log("ε (nats)"), log("δ")


def ratio(setting: Setting) -> Chart:
    return Chart(EPSILON, log("σ ÷ analytic σ"), bounds(ratio_over_epsilon, "ratio", setting), "epsilon")


def sigma_epsilon(setting: Setting) -> Chart:
    return Chart(EPSILON, log("σ (query units)"), bounds(sigma_over_epsilon, "sigma", setting), "epsilon")


def sigma_delta(setting: Setting) -> Chart:
    return Chart(DELTA, log("σ (query units)"), bounds(sigma_over_delta, "sigma", setting), "delta")


def profiles(setting: Setting) -> Chart:
    def trace(key: str) -> Trace:
        return Trace(
            profile(key), "delta_over_target", of("bound", key), lambda rows: rows["delta_over_target"] > 1e-300
        )

    traces = {NAMES[key]: trace(key) for key in SIGMAS} | {"Classical: FAILS": trace("classical")}
    target = point(lambda at: (at.epsilon, 1.0))
    return Chart(
        log("ε (nats)"), log("true δ ÷ target δ"), traces | {"target": target} | before(profile, setting), "epsilon"
    )


CHARTS = {
    "ratio": ratio,
    "profile": profiles,
    "sigma_delta": sigma_delta,
    "sigma_epsilon": sigma_epsilon,
}
