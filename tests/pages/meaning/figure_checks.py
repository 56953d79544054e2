"""What each trace of the page on what ε means must show: see `tests.pages.figure_checks`."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore import tradeoff
from tests.pages.figure_checks import Axis, Chart, Numbers, Setting, Trace, linear

SETTINGS = {
    "": (
        {},
        {"promise": "delta", "epsilon": "0.5", "delta": "1e-4", "prior": "0.5", "alpha": "0.2"},
        {"epsilon": "3", "prior": "0.01", "pinned": "epsilon=0.1"},
        {"in_data": "known", "epsilon": "0.7", "pinned": "epsilon=0.1"},
        {"in_data": "known", "stated_for": "replace", "promise": "delta", "delta": "1e-3"},
        {"in_data": "known", "promise": "delta", "delta": "1e-3"},
    ),
}
HIDDEN = Axis("-", "")


def row_of(_: Setting, place: Numbers) -> Numbers:
    """Return the rows, from above, in which 100 people stand."""
    return 9 - place // 10


def columns_from(left: int):
    """Return the columns, from a left one on, in which 100 people stand."""
    return lambda _, place: left + place % 10


def used(at: Setting) -> tuple[float, float]:
    """Return ε and δ, those of two changes where a fact about a known person takes two."""
    if at.in_data == "known" and at.stated_for != "replace":
        return 2 * at.epsilon, at.delta * (1 + np.exp(at.epsilon))
    return at.epsilon, at.delta


def most_belief(at: Setting, prior: ArrayLike) -> Numbers:
    """Return the most that anybody is sure after any outcome, or after an accusation, by Bayes' rule."""
    prior, (epsilon, delta) = np.asarray(prior), used(at)
    factor = np.exp(epsilon)
    if at.promise == "delta":
        factor = float(tradeoff.epsilon_delta_power(at.alpha, epsilon, delta)) / at.alpha
    return prior * factor / (prior * factor + 1 - prior)


def least_belief(at: Setting, prior: ArrayLike) -> Numbers:
    """Return the least that anybody is sure after any outcome, by Bayes' rule."""
    prior = np.asarray(prior)
    return prior / (prior + (1 - prior) * np.exp(used(at)[0]))


def people(at: Setting) -> Chart:
    """Squares of people: where they stand; how many are filled is tested by their colours."""
    names = ("before", "at_least", "at_most") if at.promise == "pure" else ("before", "at_most")
    traces = {
        name: Trace(row_of, positions=columns_from(13 * place), by_place=True) for place, name in enumerate(names)
    }
    return Chart(HIDDEN, HIDDEN, traces)


def beliefs(at: Setting) -> Chart:
    """Every belief after a release over the one before."""
    after = "after any outcome" if at.promise == "pure" else "if the attack suspects you"
    traces = {
        "without a release": Trace(lambda _, prior: prior, "prior"),
        f"at most, {after}": Trace(most_belief, "at_most", rtol=1e-8),
        "pinned": Trace(lambda at, prior: most_belief(at.pinned, prior)),
    }
    if at.promise == "pure":
        traces["at least, after any outcome"] = Trace(least_belief, "at_least", rtol=1e-8)
    return Chart(linear("before"), linear("after"), traces, "prior")


CHARTS = {"people": people, "beliefs": beliefs}
