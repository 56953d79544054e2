"""What each trace of δ over ε must show."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore import composition
from dpcore.composition import Release
from tests.pages.composition.figure_checks.releases import (
    BEFORE,
    CERTIFIED,
    EPSILON,
    GUARANTEES,
    TWO_GAUSSIANS,
    exact,
    listed,
    needs_delta,
)
from tests.pages.figure_checks import (
    Chart,
    Numbers,
    Setting,
    Trace,
    log,
    pinned,
    where,
)


def unbroken(releases: Sequence[Release]) -> list[Release]:
    """Return the releases with guarantees that are never broken."""
    return [
        composition.guarantee_release(release.numbers[0], 0.0, release.count)
        if release.kind == "guarantee"
        else release
        for release in releases
    ]


def profile(setting: Setting) -> Chart:
    def by_rdp(at: Setting, epsilon: Numbers) -> ArrayLike:
        return [float(composition.rdp_delta(listed(at), value).value) for value in epsilon]

    def by_zcdp(at: Setting, epsilon: Numbers) -> Numbers:
        """The δ of guarantees is taken apart; above the sum of all ε nothing else is left."""
        releases = listed(at)
        unbroken_share = math.prod(
            (1 - release.numbers[1]) ** release.count for release in releases if release.kind == "guarantee"
        )
        rest = composition.delta_from_rho(epsilon, composition.rho(unbroken(releases)))
        pure = (
            math.inf
            if any(map(needs_delta, releases))
            else sum(release.count * release.numbers[0] for release in releases)
        )
        return 1 - unbroken_share + unbroken_share * np.where(epsilon > pure, 0.0, rest)

    def true(at: Setting, epsilon: Numbers) -> Numbers:
        releases = listed(at)
        if any(release.kind == "gaussian" for release in releases):
            return composition.exact_delta(releases, epsilon).value
        return composition.certified_profile(releases, epsilon, 0.05).value

    def visible(column: str):
        return lambda rows: (rows[column] >= 1e-300).to_numpy()

    def points(at: Setting, x: Numbers) -> ArrayLike:
        return where(
            np.isclose(x, [at.epsilon, exact(listed(at), at.delta)], CERTIFIED),
            [float(true(at, np.array([at.epsilon]))[0]), at.delta],
        )

    traces = {
        "RDP": Trace(by_rdp, "delta_rdp", visible=visible("delta_rdp"), rtol=0.02),
        "exact": Trace(true, "delta", visible=visible("delta"), rtol=0.05),
        "ε, δ of the setting": Trace(points, rtol=0.02),
    }
    if math.isfinite(composition.rho(unbroken(listed(setting)))):
        traces["zCDP"] = Trace(by_zcdp, "delta_zcdp", visible=visible("delta_zcdp"))
    traces |= pinned(true) if setting.pinned else {}
    return Chart(EPSILON, log("δ"), traces, "epsilon")


SETTINGS = {
    "profile": (
        {},
        {"releases": TWO_GAUSSIANS, "runs": "2", "pinned": BEFORE, "epsilon": "2"},
        {"releases": GUARANTEES},
    )
}
CHARTS = {"profile": profile}
