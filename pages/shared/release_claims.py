"""The guarantees of releases together as claims, where a formula encloses their δ."""

import math
from typing import Any

from dpcore import composition
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text
from pages.shared.guarantee_claims import number
from pages.shared.releases import Releases, own_guarantees

_EXACT = {"gaussian", "guarantee"}
_COMPUTED = (
    "There is no closed formula for the losses of such a list. Its ε is computed to about nine digits and rounded up, "
    "or certified on a grid with every step rounded up."
)
_BOUNDS = "It is the smallest of several bounds, as only a bound on the losses of some line is known."
_SOLVED = "The ε of some lines is itself computed by a root finder."


def sum_of_epsilons(releases: Releases) -> float:
    """Return the sum of all ε; ∞ where a release has an ε at a δ > 0 only."""
    guarantees = own_guarantees(releases)
    if guarantees is None:
        return math.inf
    epsilons, _, counts = zip(*guarantees, strict=True)
    return float(composition.basic_epsilon(epsilons, counts))


def basic_claim(subject: str, releases: Releases, epsilon: str, delta: str) -> Claim:
    """Return the guarantee by the ε and δ of each release alone."""
    guarantees = own_guarantees(releases)
    if guarantees is None:
        return Claim(subject, reason=_SOLVED)
    numbers = ((tuple(number(exact_text(value)) for value in pair), count) for *pair, count in guarantees)
    return _composition_claim(subject, epsilon, delta, [("guarantee", pair, count) for pair, count in numbers])


def exact_claim(subject: str, releases: Releases, epsilon: str, delta: str) -> Claim:
    """Return the guarantee by the exact δ, for Gaussians, (ε, δ) guarantees and a single Laplace release."""
    if len(releases) == 1 and releases[0].kind == "laplace" and releases[0].count == 1:
        sensitivity = number(exact_text(releases[0].numbers[0]))
        arguments = {"epsilon": number(epsilon), "scale": 1, "l1_sensitivity": sensitivity}
        return Claim(subject, number(delta), "laplace_delta", arguments)
    if not {release.kind for release in releases} <= _EXACT:
        return Claim(subject, reason=_COMPUTED if composition.is_known(releases) else _BOUNDS)
    return _composition_claim(subject, epsilon, delta, claim_parts(releases))


def claim_parts(releases: Releases) -> list[tuple[str, tuple[Any, ...], int]]:
    """Return the releases as the verifier takes them: of each its kind, its numbers and how often."""
    return [
        (release.kind, tuple(number(exact_text(value)) for value in release.numbers), release.count)
        for release in releases
    ]


def _composition_claim(subject: str, epsilon: str, delta: str, parts: list[tuple[str, tuple[Any, ...], int]]) -> Claim:
    return Claim(subject, number(delta), "composition_delta", {"epsilon": number(epsilon), "parts": parts})
