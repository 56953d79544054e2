"""The guarantees of noise and of lists of releases as claims: from the displayed digits, or from all of them."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from dpcore import composition, verify
from dpcore.discrete_gaussian import MOST_SQUARED
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_down, format_input_up
from pages.shared.releases import Releases, own_guarantees

Enclose = Callable[..., verify.Enclosure]
"""A function of `dpcore.verify` that encloses a probability."""


def number(text: str) -> Decimal:
    """Return the number of a displayed text."""
    return Decimal(text.replace(",", "").replace("−", "-"))


@dataclass(frozen=True)
class Target:
    """ε, δ and the sensitivity of a guarantee, as texts; `name` begins the subject of its claims.

    `doubles` says that the texts mean the nearest doubles, and not the decimal numbers.
    """

    epsilon: str
    delta: str
    sensitivity: str
    name: str = ""
    doubles: bool = False

    def read(self, text: str) -> Decimal:
        """Return the number that a text means."""
        return Decimal(float(number(text))) if self.doubles else number(text)

    @property
    def sensitivity_text(self) -> str:
        """The sensitivity in words, where it is not 1."""
        return "" if self.sensitivity == "1" else f" for sensitivity {self.sensitivity}"

    @property
    def whole_sensitivity(self) -> int:
        """The sensitivity of whole numbers."""
        return int(number(self.sensitivity))


def displayed_target(epsilon: float, delta: float, sensitivity: float) -> Target:
    """Return the target as it is displayed: ε and δ rounded up, the sensitivity down, where they have many digits."""
    return Target(format_input_up(epsilon), format_input_up(delta), format_input_down(sensitivity))


def computed_target(epsilon: float, delta: float, sensitivity: float) -> Target:
    """Return the target to its last digit."""
    return Target(exact_text(epsilon), exact_text(delta), exact_text(sensitivity), "as computed, ", doubles=True)


def gaussian(target: Target, sigma: str, notion: str = "δ", delta_bound: str = "", *, violated: bool = False) -> Claim:
    """Claim that Gaussian noise satisfies ε with δ, or with `delta_bound`; `notion` is "pDP δ" for probabilistic DP."""
    numbers = {"sigma": sigma, "l2_sensitivity": target.sensitivity}
    noise = f"σ = {sigma}{target.sensitivity_text}"
    function = verify.gaussian_pdp_delta if notion == "pDP δ" else verify.gaussian_delta
    claim = _claim(target, noise, function, numbers, delta_bound, stated=f"{notion}({target.epsilon})")
    return replace(claim, is_violated=violated)


def laplace(target: Target, scale: str) -> Claim:
    """Claim that Laplace noise satisfies ε with δ = 0."""
    noise = f"Laplace noise with b = {scale}{target.sensitivity_text}"
    return _claim(target, noise, verify.laplace_delta, {"scale": scale, "l1_sensitivity": target.sensitivity}, "0")


def geometric(target: Target, scale: str) -> Claim:
    """Claim that geometric noise satisfies ε with δ = 0, for an integer sensitivity."""
    noise = f"geometric noise with s = {scale}{target.sensitivity_text}"
    return _claim(
        target, noise, verify.geometric_delta, {"scale": scale, "l1_sensitivity": target.whole_sensitivity}, "0"
    )


def discrete(target: Target, sigma: str) -> Claim:
    """Claim that discrete Gaussian noise satisfies ε with δ, for one cell and an integer sensitivity."""
    noise = f"discrete Gaussian noise with σ = {sigma}{target.sensitivity_text}"
    return _claim(
        target, noise, verify.discrete_gaussian_delta, {"sigma": sigma, "sensitivity": target.whole_sensitivity}
    )


def discrete_sums(target: Target, sigma: str, squared: int) -> Claim:
    """Claim that discrete Gaussian noise in several sums satisfies ε with δ, for any whole change of a squared length.

    Of a short change δ is enclosed as it is; of a longer one, whose σ is that of zCDP, by its Rényi divergence.
    """
    stated = f"δ({target.epsilon}){'' if squared <= MOST_SQUARED else ' by zCDP'}"
    noise = f"discrete Gaussian noise with σ = {sigma} for Δ₂² = {squared:,}"
    numbers = {"sigma": sigma, "squared": squared}
    return _claim(target, noise, verify.discrete_gaussian_sums_delta, numbers, stated=stated)


def truncated_laplace(target: Target, bound: str, scale: str) -> Claim:
    """Claim that Laplace noise that ends at ±A satisfies ε with δ."""
    noise = f"truncated Laplace noise with A = {bound}, b = {scale}{target.sensitivity_text}"
    numbers = {"bound": bound, "scale": scale, "sensitivity": target.sensitivity}
    return _claim(target, noise, verify.truncated_laplace_delta, numbers)


def truncated_geometric(target: Target, bound: str, scale: str, n_moved: int = 1) -> Claim:
    """Claim that geometric noise that ends at ±N satisfies ε with δ, in each of several numbers that move alike."""
    numbers_text = "" if n_moved == 1 else f" in {n_moved:,} numbers"
    noise = f"truncated geometric noise with N = {bound}, s = {scale}{target.sensitivity_text}{numbers_text}"
    whole = {"bound": int(number(bound)), "sensitivity": target.whole_sensitivity, "n_moved": n_moved}
    return _claim(target, noise, verify.truncated_geometric_delta, {"scale": scale, **whole})


def generalized_gaussian(target: Target, scale: str, p: str, notion: str = "δ") -> Claim:
    """Claim that generalized Gaussian noise satisfies ε with δ."""
    function = verify.generalized_gaussian_pdp_delta if notion == "pDP δ" else verify.generalized_gaussian_delta
    numbers = {"scale": scale, "p": p, "sensitivity": target.sensitivity}
    noise = f"p = {p} with b = {scale}{target.sensitivity_text}"
    return _claim(target, noise, function, numbers, stated=f"{notion}({target.epsilon})")


def _claim(
    target: Target, noise: str, function: Enclose, numbers: Mapping[str, str | int], delta: str = "", stated: str = ""
) -> Claim:
    """Return the claim that noise satisfies ε with a δ, by default that of the target; `stated` names it, as δ(1)."""
    numbers = {"epsilon": target.epsilon, **numbers}
    arguments = {key: value if isinstance(value, int) else target.read(value) for key, value in numbers.items()}
    bound = number(delta or target.delta)
    subject = f"{target.name}{stated or f'δ({target.epsilon})'} of {noise}"
    return Claim(subject, float(bound) if target.doubles else bound, function, arguments)


_NAMES = {"σ": "sigma", "b": "scale", "s": "scale", "p": "p", "N": "bound"}  # in `dpcore.verify`, by symbol


def half_width_claim(tail: Enclose, noise: Mapping[str, str], half_width: str, level: str, n_cells: int = 1) -> Claim:
    """Claim that all but the share `level` of releases is within ±`half_width`, in all cells simultaneously.

    `tail` encloses the chance that noise of some numbers, their texts by symbol, exceeds the half-width.
    """
    words = ", ".join(f"{symbol} = {text}" for symbol, text in noise.items())
    cells = "" if n_cells == 1 else f" in at least one of {n_cells:,} cells"
    numbers = {_NAMES[symbol]: int(number(text)) if symbol == "N" else number(text) for symbol, text in noise.items()}
    arguments = {"half_width": number(half_width), **numbers, "n_cells": n_cells}
    return Claim(f"The chance that noise of {words} exceeds ±{half_width}{cells}", number(level), tail, arguments)


_EXACT_KINDS = {"gaussian", "guarantee"}
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
        return Claim(subject, number(delta), verify.laplace_delta, arguments)
    if not {release.kind for release in releases} <= _EXACT_KINDS:
        return Claim(subject, reason=_COMPUTED if composition.is_known(releases) else _BOUNDS)
    return _composition_claim(subject, epsilon, delta, claim_parts(releases))


def claim_parts(releases: Releases) -> list[tuple[str, tuple[Any, ...], int]]:
    """Return the releases as the verifier takes them: of each its kind, its numbers and how often."""
    return [
        (release.kind, tuple(number(exact_text(value)) for value in release.numbers), release.count)
        for release in releases
    ]


def _composition_claim(subject: str, epsilon: str, delta: str, parts: list[tuple[str, tuple[Any, ...], int]]) -> Claim:
    return Claim(subject, number(delta), verify.composition_delta, {"epsilon": number(epsilon), "parts": parts})
