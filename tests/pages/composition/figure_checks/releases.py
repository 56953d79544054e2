"""The releases of a list, and their exact ε, which several sections of Composition show.

What the page calls exact is, where noise is smooth, the contour integral of dpcore with its own error added. Else it is
a certified bound, which may exceed the exact value by the excess that is requested; it is
compared with the same functions.
"""

from collections.abc import Sequence
from functools import lru_cache

from dpcore import composition
from dpcore.composition import Release
from tests.pages.figure_checks import (
    Setting,
    linear,
)

TWO_GAUSSIANS = "!gaussian:4*5=Means;gaussian:8*20=Counts;pure:0.1*3=Answers"
GUARANTEES = "!approx:0.1,1e-9*20=Queries"
BEFORE = "releases=!gaussian:6*3=Before&delta=1e-5&runs=2"
EPSILON = linear("ε (nats)")
CERTIFIED = 3e-3
"""How far apart two of the page's exact ε may lie: a certified bound on a curve may be .2 % above the truth."""


# Lists of releases

MAKE = {
    "gaussian": composition.gaussian_release,
    "laplace": composition.laplace_release,
    "pure": composition.guarantee_release,
    "approx": composition.guarantee_release,
    "sampled": composition.sampled_release,
}


def listed(at: Setting, runs: float | None = None) -> list[Release]:
    """Return the releases of the list, so many times."""
    times = int(at.runs if runs is None else runs)
    releases = []
    for item in at.releases:
        numbers = [float(value) for value in item.numbers]
        releases.append(MAKE[item.kind](*numbers, count=int(item.count) * times))
    return releases


def needs_delta(release: Release) -> bool:
    return release.kind in ("gaussian", "zcdp", "sampled")


def broken(releases: Sequence[Release]) -> float:
    """Return the δ of all guarantees."""
    return sum(release.count * release.numbers[1] for release in releases if release.kind == "guarantee")


@lru_cache(1024)
def _exact(releases: tuple[Release, ...], delta: float) -> float:
    if any(release.kind in ("gaussian", "sampled") for release in releases):
        contour = composition.exact_epsilon(releases, delta)
        if contour.converged:
            return float(contour.value)
    return float(composition.certified_epsilon(releases, delta, 1e-3).value)


def exact(releases: Sequence[Release], delta: float) -> float:
    return _exact(tuple(releases), delta) if releases else 0.0
