"""The promises of one noise as claims: from the digits that are shown, and from all those that were computed."""

from pages.shared.common import Setting
from pages.shared.proofs import Claim
from pages.shared.text import entry_of, given_down, given_up


def number(shown: str) -> float:
    """The number that a text of `pages.shared.text` shows.

    >>> number("1,234"), number("1e-6"), number("−0.5")
    (1234.0, 1e-06, -0.5)
    """
    return float(shown.replace(",", "").replace("−", "-"))


def gaussian(
    now: Setting, sigma: str, name: str = "", notion: str = "δ", most: str = "", broken: bool = False
) -> Claim:
    """That a Gaussian whose σ is shown so keeps the ε and δ of a setting as they are shown, or a δ of its own, `most`.

    `notion` is "δ" of (ε, δ)-DP, or "pDP δ".
    """
    shown = given_up(now.epsilon), sigma, given_down(now.l2_sensitivity)
    return _gaussian(shown, most or given_up(now.delta), name, notion, broken)


def gaussian_computed(now: Setting, sigma: float, name: str = "", notion: str = "δ") -> Claim:
    """The same of the σ that was computed and of what was asked for, to the last digit."""
    shown = entry_of(now.epsilon), entry_of(sigma), entry_of(now.l2_sensitivity)
    return _gaussian(shown, entry_of(now.delta), f"{name}as computed, ", notion, False)


def _gaussian(shown: tuple[str, str, str], most: str, name: str, notion: str, broken: bool) -> Claim:
    epsilon, sigma, moved = shown
    subject = f"{name}{notion}({epsilon}) of σ = {sigma}{at_sensitivity(moved)}"
    function = "gaussian_pdp_delta" if notion == "pDP δ" else "gaussian_delta"
    given = {"epsilon": number(epsilon), "sigma": number(sigma), "l2_sensitivity": number(moved)}
    return Claim(subject, number(most), function, given, broken=broken)


def at_sensitivity(moved: str) -> str:
    """The sensitivity in words, where it is not 1."""
    return "" if moved == "1" else f" for sensitivity {moved}"
