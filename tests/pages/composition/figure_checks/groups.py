"""What each trace of the charts on groups and on shuffled reports must show."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore import composition, gaussian
from tests.pages.figure_checks import (
    Chart,
    Numbers,
    Setting,
    Trace,
    Truth,
    linear,
    log,
    pinned,
)

GROUPS = {"section": "groups"}


def group_epsilon(at: Setting, size: Numbers) -> ArrayLike:
    """ε of groups at δ under Gaussian noise for the guarantee of one person."""
    return gaussian.epsilon_from_sigma(at.delta, gaussian.analytic_sigma(at.epsilon, at.delta), np.rint(size))


def groups(at: Setting) -> Chart:
    """ε over the size of the group."""

    def by_profile(at: Setting, size: Numbers) -> ArrayLike:
        sigma = gaussian.analytic_sigma(at.epsilon, at.delta)
        return composition.group_epsilon(at.delta, np.rint(size), lambda e: gaussian.delta_from_sigma(e, sigma))

    traces = {
        "any mechanism with its profile": Trace(by_profile, "profile"),
        "pure ε-DP: g times ε": Trace(lambda at, size: np.rint(size) * at.epsilon, "pure"),
        "Gaussian noise: g times μ": Trace(group_epsilon, "gaussian"),
    }
    traces |= pinned(group_epsilon) if at.pinned else {}
    return Chart(linear("people g"), linear("ε of the group (nats)"), traces, "size")


def shuffled(_: Setting) -> Chart:
    """ε over the number of shuffled reports."""

    def bound(function: Truth) -> Truth:
        return lambda at, reports: function(at.delta, at.local_epsilon, np.rint(reports))

    traces = {
        "published 2021": Trace(bound(composition.clones_epsilon_2021), "clones_2021"),
        "published 2023": Trace(bound(composition.clones_epsilon_2023), "clones_2023"),
        "numerical": Trace(bound(composition.shuffled_epsilon), "numerical", rtol=1e-6),
    }
    # the published bounds jump; a number of the numerical one takes tens of milliseconds, so that it has few
    return Chart(log("shuffled reports"), log("ε (nats)"), traces, "reports")


SETTINGS = {
    "groups": (GROUPS, GROUPS | {"epsilon": "0.3", "delta": "1e-4", "group": "20", "pinned": "epsilon=0.1&group=5"}),
    "shuffled": (GROUPS, GROUPS | {"local_epsilon": "4", "delta": "1e-9", "reports": "500"}),
}
CHARTS = {"groups": groups, "shuffled": shuffled}
