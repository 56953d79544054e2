"""What each trace of the page on surveys must show: see `tests.pages.figure_checks`."""

import numpy as np

from dpcore import accuracy, local
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, linear, log

SETTINGS = {
    "": (
        {},
        {"method": "hadamard", "epsilon": "0.02", "n_people": "300", "significance": "0.3"},
        {"mechanisms": "all", "n_options": "5000", "option_share": "0", "epsilon": "20"},
        {"n_options": "2", "option_share": "1", "method": "symmetric_unary"},
    ),
    "trial": (
        {},
        {"method": "hadamard", "n_options": "3", "epsilon": "0.02", "n_people": "300", "seed": "5"},
        {"method": "symmetric_unary", "n_options": "30", "option_share": "0"},
        {"method": "randomized_response", "n_options": "2", "option_share": "1", "n_people": "1000000000"},
    ),
}
NAMES = {
    "randomized_response": "randomised response",
    "optimized_unary": "optimized unary encoding",
    "symmetric_unary": "symmetric unary encoding",
    "subset_selection": "subset selection",
    "hadamard": "Hadamard response",
}


def half_width(setting: Setting, epsilon: Numbers | float, n_options: Numbers | float, method: str) -> Numbers:
    """Return the ± by a method, in percentage points."""
    known = int(setting.n_people), method, setting.option_share, setting.significance
    return 100 * local.half_width(epsilon, n_options, *known)


def office(setting: Setting, epsilon: Numbers | float, n_options: Numbers | float | None = None) -> Numbers:
    """Return the ± of a trusted office: another answer moves counts by 2, and the one of two options by 1."""
    moved = np.where(np.rint(setting.n_options if n_options is None else n_options) == 2, 1, 2)
    return 100 * accuracy.laplace_accuracy(epsilon, setting.significance, moved) / setting.n_people


def sampling(setting: Setting) -> float:
    """Return the ± of sampling alone: what is left of that of a survey where the noise is as good as none."""
    if setting.option_share in (0, 1):
        return 0.0
    known = int(setting.n_people), "randomized_response", setting.option_share, setting.significance
    return float(100 * local.half_width(700, 2, *known, sampling=True))


def methods(setting: Setting) -> tuple[str, ...]:
    """Return the methods that are drawn: three, of which the last is the one that is chosen."""
    if setting.mechanisms == "all":
        return local.METHODS
    usual = ("randomized_response", "subset_selection")
    return (*usual, setting.method if setting.method not in (*usual, "best") else "optimized_unary")


def trace(truth: Truth, column: str) -> Trace:
    """Return a line of which the CSV has shares of 1, and which is not drawn at 0."""
    return Trace(truth, lambda rows: 100 * rows[column], visible=lambda rows: rows[column] > 0, rtol=1e-6, atol=1e-290)


def over_epsilon(setting: Setting) -> Chart:
    """Return the ± over ε."""
    traces = {
        NAMES[method]: trace(
            lambda setting, epsilon, method=method: half_width(setting, epsilon, setting.n_options, method), method
        )
        for method in methods(setting)
    }
    traces["a trusted office"] = trace(office, "office")
    traces["sampling alone"] = trace(lambda setting, x: np.full(np.shape(x), sampling(setting)), "sampling")
    return Chart(log("ε"), log("percentage points"), traces, "epsilon")


def over_options(setting: Setting) -> Chart:
    """Return the ± over the number of options."""
    traces = {
        NAMES[method]: trace(
            lambda setting, options, method=method: half_width(setting, setting.epsilon, np.rint(options), method),
            method,
        )
        for method in methods(setting)
    }
    traces["a trusted office"] = trace(lambda setting, options: office(setting, setting.epsilon, options), "office")
    traces["sampling alone"] = trace(lambda setting, x: np.full(np.shape(x), sampling(setting)), "sampling")
    return Chart(log("number of options"), log("percentage points"), traces, "n_options")


def people(setting: Setting) -> Numbers:
    """Return how many people of a trial have each option: the share f the first, the others like 1/k."""
    d, n = int(setting.n_options), setting.n_people
    weights = np.array([1 / k for k in range(1, d)])
    ends = np.cumsum([0, setting.option_share, *((1 - setting.option_share) * weights / weights.sum())])
    return np.diff(np.rint(n * ends))


def trial_method(setting: Setting) -> str:
    """Return the method of the answer."""
    if setting.method != "best":
        return str(setting.method)
    known = setting.epsilon, int(setting.n_options), int(setting.n_people)
    return min(local.METHODS, key=lambda name: float(local.half_width(*known, name, setting.option_share)))


def estimates(setting: Setting) -> Numbers:
    """Return the estimates of a trial from its seed."""
    rng, method = np.random.default_rng(int(setting.seed)), trial_method(setting)
    counted = local.sample_counts(rng, people(setting), setting.epsilon, method)
    return local.estimated_shares(counted, int(setting.n_people), setting.epsilon, method)


def trial_half_widths(setting: Setting) -> Numbers:
    """Return the ± of each share of a trial."""
    truth = people(setting) / setting.n_people
    known = setting.epsilon, int(setting.n_options), int(setting.n_people)
    return local.half_width(*known, trial_method(setting), truth, setting.significance)


def at(values: Numbers, options: Numbers) -> Numbers:
    return 100 * values[np.rint(options).astype(int) - 1]


TRIAL = Chart(
    linear("option"),
    linear("share (%)"),
    {
        "true share": Trace(
            lambda setting, x: at(people(setting) / setting.n_people, x), lambda rows: 100 * rows["truth"]
        ),
        "the estimate, with its ±": Trace(
            lambda setting, x: at(estimates(setting), x),
            lambda rows: 100 * rows["estimate"],
            error=lambda setting, x: at(trial_half_widths(setting), x),
            error_column=lambda rows: 100 * rows["half_width"],
            rtol=1e-6,
        ),
    },
    "option",
)
CHARTS = {"over_epsilon": over_epsilon, "over_options": over_options, "trial": TRIAL}
