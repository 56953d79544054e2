"""The guarantees of a list of releases by each accountant, which "Verify" proves where a formula encloses them."""

import math

from dpcore import composition
from dpcore.checks import interval_bounds
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import number
from pages.shared.releases import Releases

_RENYI = {"gaussian", "laplace", "guarantee", "zcdp"}
_MAX_RHO = interval_bounds(composition.RHO_RANGE)[1]
_LARGE_RHO = "ρ above 1e6 is not checked: it leaves hardly any privacy."
_RDP = "The Rényi divergences of some lines have no closed formula."


def accountant_claim(accountant: str, releases: Releases, epsilon: float, delta: float) -> Claim:
    """Return the guarantee that releases satisfy the ε by an accountant, rounded as on the page."""
    epsilon_entry, delta_entry = format_up(epsilon), format_input_up(delta)
    if math.isinf(epsilon):
        return Claim(f"ε at δ = {delta_entry} by this accountant", reason="This accountant has no ε here.")
    if accountant == "exact":
        return exact_claim(releases, epsilon_entry, delta_entry)
    if accountant == "basic" or epsilon >= guarantee_claims.sum_of_epsilons(releases):
        subject = f"δ({epsilon_entry}) of the releases by basic composition"
        return guarantee_claims.basic_claim(subject, releases, epsilon_entry, delta_entry)
    return _renyi_claim(accountant, releases, epsilon_entry, delta_entry)


def exact_claim(releases: Releases, epsilon: str, delta: str) -> Claim:
    """Return the guarantee by the exact δ."""
    return guarantee_claims.exact_claim(f"δ({epsilon}) of the releases together", releases, epsilon, delta)


def _renyi_claim(accountant: str, releases: Releases, epsilon: str, delta: str) -> Claim:
    """Return the guarantee by Rényi divergences at the best order of the accountant; any order gives a bound."""
    subject, parts, accounted = (
        f"δ({epsilon}) of the releases by RDP",
        guarantee_claims.claim_parts(releases),
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
