"""The guarantees of a list of releases together, which "Verify" proves where a formula encloses them."""

import math
from typing import Any

from dpcore import composition
from dpcore.checks import interval_bounds
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared.guarantee_claims import number
from pages.shared.releases import Releases

_PURE = ("laplace", "exponential", "guarantee")  # kinds with an ε at δ = 0
_EXACT, _RENYI = {"gaussian", "guarantee"}, {"gaussian", "laplace", "guarantee", "zcdp"}
_CERTIFIED = (
    "There is no closed formula for the losses of such a list. Its ε is computed to about nine digits and rounded up, "
    "or certified on a grid with every step rounded up, as the page says below."
)
_BOUNDS = "It is the smallest of several bounds, as only a bound on the losses of some line is known."
_MAX_RHO = interval_bounds(composition.RHO_RANGE)[1]
_LARGE_RHO = "ρ above 1e6 is not checked: it leaves hardly any privacy."
_ADDED = "The ε of some lines is itself computed by a root finder."
_RDP = "The Rényi divergences of some lines have no closed formula."


def accountant_claim(accountant: str, releases: Releases, epsilon: float, delta: float) -> Claim:
    """Return the guarantee that releases satisfy the ε by an accountant, rounded as on the page."""
    epsilon_entry, delta_entry = format_up(epsilon), format_input_up(delta)
    if math.isinf(epsilon):
        return Claim(f"ε at δ = {delta_entry} by this accountant", reason="This accountant has no ε here.")
    if accountant == "exact":
        return exact_claim(releases, epsilon_entry, delta_entry)
    if accountant == "basic" or epsilon >= _sum_of_epsilons(releases):
        return _basic_claim(releases, epsilon_entry, delta_entry)
    return _renyi_claim(accountant, releases, epsilon_entry, delta_entry)


def _sum_of_epsilons(releases: Releases) -> float:
    """Return the sum of all ε; ∞ where a line has an ε at a δ > 0 only."""
    if any(release.kind not in _PURE for release in releases):
        return math.inf
    return float(
        composition.basic_epsilon([release.numbers[0] for release in releases], [release.count for release in releases])
    )


def exact_claim(releases: Releases, epsilon: str, delta: str) -> Claim:
    """Return the guarantee by the exact δ, for Gaussians, (ε, δ) guarantees and a single Laplace release."""
    subject = f"δ({epsilon}) of the releases together"
    if len(releases) == 1 and releases[0].kind == "laplace" and releases[0].count == 1:
        arguments = {
            "epsilon": number(epsilon),
            "scale": 1,
            "l1_sensitivity": number(exact_text(releases[0].numbers[0])),
        }
        return Claim(subject, number(delta), "laplace_delta", arguments)
    if not {release.kind for release in releases} <= _EXACT:
        return Claim(subject, reason=_CERTIFIED if composition.is_known(releases) else _BOUNDS)
    return Claim(
        subject, number(delta), "composition_delta", {"epsilon": number(epsilon), "parts": _claim_parts(releases)}
    )


def _basic_claim(releases: Releases, epsilon: str, delta: str) -> Claim:
    subject = f"δ({epsilon}) of the releases by basic composition"
    if any(release.kind not in _PURE for release in releases):
        return Claim(subject, reason=_ADDED)
    pairs = [(*(number(exact_text(value)) for value in release.numbers), number("0"))[:2] for release in releases]
    parts = [("guarantee", pair, release.count) for pair, release in zip(pairs, releases, strict=True)]
    return Claim(subject, number(delta), "composition_delta", {"epsilon": number(epsilon), "parts": parts})


def _renyi_claim(accountant: str, releases: Releases, epsilon: str, delta: str) -> Claim:
    """Return the guarantee by Rényi divergences at the best order of the accountant; any order gives a bound."""
    subject, parts, accounted = (
        f"δ({epsilon}) of the releases by RDP",
        _claim_parts(releases),
        _without_deltas(releases),
    )
    if accountant == "zcdp":
        rho = composition.rho(accounted)
        subject = f"δ({epsilon}) of the releases by zCDP with ρ = {exact_text(rho)}"
        if rho > _MAX_RHO:
            return Claim(subject, reason=_LARGE_RHO)
        accounted = (composition.zcdp_release(rho),)
        broken = [(release.numbers[1], release.count) for release in releases if release.kind == "guarantee"]
        guaranteed = [("guarantee", (number("0"), number(exact_text(release))), count) for release, count in broken]
        parts = [*guaranteed, ("zcdp", (number(exact_text(rho)),), 1)]
    elif not {release.kind for release in releases} <= _RENYI:
        return Claim(subject, reason=_RDP)
    order = float(composition.rdp_epsilon(accounted, float(number(delta))).order)
    arguments = {"epsilon": number(epsilon), "order": order, "parts": parts}
    return Claim(f"{subject} at order {order:.6g}", number(delta), "renyi_delta", arguments)


def _without_deltas(releases: Releases) -> Releases:
    """Return the releases with δ = 0 in all their (ε, δ) guarantees."""
    return tuple(
        composition.guarantee_release(release.numbers[0], 0.0, release.count)
        if release.kind == "guarantee"
        else release
        for release in releases
    )


def _claim_parts(releases: Releases) -> list[tuple[str, tuple[Any, ...], int]]:
    return [
        (release.kind, tuple(number(exact_text(value)) for value in release.numbers), release.count)
        for release in releases
    ]
