"""What a list of releases promises together, to be proved where a formula encloses it."""

import math
from collections.abc import Iterator
from typing import Any

from dpcore import composition
from pages.composition.accountants import results as accountants
from pages.composition.privacy_profile import results as profile
from pages.composition.releases import Releases
from pages.composition.results import CompositionResult
from pages.composition.total_epsilon.results import cost, whole
from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared.guarantee_claims import number

_PURE = ("laplace", "exponential", "promise")  # which have an ε without a δ for it
_EXACT, _RENYI = {"gaussian", "promise"}, {"gaussian", "laplace", "promise", "zcdp"}
_CERTIFIED = (
    "The losses of such a list have no formula here. The page says below how its ε is found: right to some nine digits "
    "and rounded up, or certified on a grid, every step rounded up."
)
_BOUNDS = "It is the least of several bounds, since of a line only a bound on its losses is known."
_ADDED = "Of some lines the ε that is added is itself the end of a search."
_RDP = "The Rényi divergences of some of its lines are no closed formulas."
_SECTIONS = {
    "training": "It is of DP-SGD: certified by its losses on a grid, each step rounded up, or by RDP if that is less.",
    "batching": "Its bounds are those of DP-SGD, certified on a grid, and of batches in turn, searched for.",
    "published": "It is for each published promise as the table says: by its own formula, by RDP, certified, or, "
    "for shuffled batches, without amplification.",
}


def claims(result: CompositionResult) -> Iterator[Claim]:
    """What the answer of the open section promises."""
    section, releases, delta = result.section, whole(result), result.setting.delta
    if section == "together":
        yield _by(result.setting.accountant, releases, cost(result).together, delta)
    elif section == "accountants":
        now = accountants.here(result)
        yield from (
            _by(key, releases, now.at(key), delta) for key in ("exact", "rdp", "zcdp", "basic") if key in now.epsilon
        )
    elif section == "profile":
        here, at = profile.point(result), result.setting.epsilon
        yield _by("exact", releases, here.epsilon, delta)
        yield _exact(releases, format_input_up(at), format_up(max(here.delta, 1e-300)) if here.delta else "0")
        yield _by("rdp", releases, here.epsilon_rdp, delta)
    else:
        yield Claim("The ε of the answer", reason=_SECTIONS[section])


def _by(accountant: str, releases: Releases, epsilon: float, delta: float) -> Claim:
    """That releases keep the ε that an accountant says, as it is shown."""
    shown, most = format_up(epsilon), format_input_up(delta)
    if math.isinf(epsilon):
        return Claim(f"ε at δ = {most} by this accountant", reason="It has none.")
    if accountant == "exact":
        return _exact(releases, shown, most)
    if accountant == "basic" or epsilon >= _pure_sum(releases):
        return _added(releases, shown, most)
    return _renyi(accountant, releases, shown, most)


def _pure_sum(releases: Releases) -> float:
    """The sum of all ε; ∞ where a line has none without a δ for it."""
    if any(each.kind not in _PURE for each in releases):
        return math.inf
    return float(composition.basic_epsilon([each.numbers[0] for each in releases], [each.count for each in releases]))


def _exact(releases: Releases, epsilon: str, delta: str) -> Claim:
    """Of Gaussians and promises, and of one Laplace release, the least δ there is."""
    subject = f"δ({epsilon}) of the releases together"
    if len(releases) == 1 and releases[0].kind == "laplace" and releases[0].count == 1:
        given = {"epsilon": number(epsilon), "scale": 1, "l1_sensitivity": number(exact_text(releases[0].numbers[0]))}
        return Claim(subject, number(delta), "laplace_delta", given)
    if not {each.kind for each in releases} <= _EXACT:
        return Claim(subject, reason=_CERTIFIED if composition.is_known(releases) else _BOUNDS)
    return Claim(subject, number(delta), "composition_delta", {"epsilon": number(epsilon), "parts": _parts(releases)})


def _added(releases: Releases, epsilon: str, delta: str) -> Claim:
    subject = f"δ({epsilon}) of the releases by basic composition"
    if any(each.kind not in _PURE for each in releases):
        return Claim(subject, reason=_ADDED)
    pairs = [(*(number(exact_text(value)) for value in each.numbers), number("0"))[:2] for each in releases]
    parts = [("promise", pair, each.count) for pair, each in zip(pairs, releases, strict=True)]
    return Claim(subject, number(delta), "composition_delta", {"epsilon": number(epsilon), "parts": parts})


def _renyi(accountant: str, releases: Releases, epsilon: str, delta: str) -> Claim:
    """By Rényi divergences of the order that is best for what the accountant sees; any order gives a bound."""
    subject, parts, seen = f"δ({epsilon}) of the releases by RDP", _parts(releases), _unbroken(releases)
    if accountant == "zcdp":
        rho = composition.rho(seen)
        subject, seen = (
            f"δ({epsilon}) of the releases by zCDP with ρ = {exact_text(rho)}",
            (composition.zcdp_release(rho),),
        )
        broken = [(each.numbers[1], each.count) for each in releases if each.kind == "promise"]
        promised = [("promise", (number("0"), number(exact_text(each))), count) for each, count in broken]
        parts = [*promised, ("zcdp", (number(exact_text(rho)),), 1)]
    elif not {each.kind for each in releases} <= _RENYI:
        return Claim(subject, reason=_RDP)
    order = float(composition.rdp_epsilon(seen, float(number(delta))).order)
    given = {"epsilon": number(epsilon), "order": order, "parts": parts}
    return Claim(f"{subject} at order {order:.6g}", number(delta), "renyi_delta", given)


def _unbroken(releases: Releases) -> Releases:
    """The releases with promises that are never broken."""
    return tuple(
        composition.promise_release(each.numbers[0], 0.0, each.count) if each.kind == "promise" else each
        for each in releases
    )


def _parts(releases: Releases) -> list[tuple[str, tuple[Any, ...], int]]:
    return [(each.kind, tuple(number(exact_text(value)) for value in each.numbers), each.count) for each in releases]
