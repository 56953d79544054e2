"""What noise promises, as claims: from the digits that are shown, or from all those that were computed."""

from dataclasses import dataclass
from decimal import Decimal

from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.number_format import exact_text, format_input_down, format_input_up


def number(shown: str) -> Decimal:
    """The number that a text of `pages.shared.text` shows.

    >>> number("1,234"), number("1e-6"), number("−0.5")
    (Decimal('1234'), Decimal('0.000001'), Decimal('-0.5'))
    """
    return Decimal(shown.replace(",", "").replace("−", "-"))


@dataclass(frozen=True)
class Target:
    """ε, δ and the sensitivity of a promise, as texts; `name` stands before what is said of noise that keeps it.

    `doubles` says that the texts stand for the doubles that they name, and not for themselves.
    """

    epsilon: str
    delta: str
    sensitivity: str
    name: str = ""
    doubles: bool = False

    def read(self, text: str) -> Decimal:
        """The number that a text stands for."""
        return Decimal(float(number(text))) if self.doubles else number(text)

    @property
    def place(self) -> str:
        """The sensitivity in words, where it is not 1."""
        return "" if self.sensitivity == "1" else f" for sensitivity {self.sensitivity}"


def displayed_target(epsilon: float, delta: float, moved: float) -> Target:
    """What is asked for as it is shown: ε and δ rounded up, the sensitivity down, where they have many digits."""
    return Target(format_input_up(epsilon), format_input_up(delta), format_input_down(moved))


def computed_target(epsilon: float, delta: float, moved: float) -> Target:
    """What is asked for to its last digit."""
    return Target(exact_text(epsilon), exact_text(delta), exact_text(moved), "as computed, ", doubles=True)


def gaussian(asked: Target, sigma: str, notion: str = "δ", most: str = "", *, broken: bool = False) -> Claim:
    """That Gaussian noise keeps ε with δ, or with another δ, `most`; `notion` is "pDP δ" for probabilistic DP."""
    function = "gaussian_pdp_delta" if notion == "pDP δ" else "gaussian_delta"
    subject = f"{asked.name}{notion}({asked.epsilon}) of σ = {sigma}{asked.place}"
    given = {"epsilon": asked.epsilon, "sigma": sigma, "l2_sensitivity": asked.sensitivity}
    return _claim(asked, subject, most or asked.delta, function, given, broken=broken)


def laplace(asked: Target, scale: str) -> Claim:
    """That Laplace noise keeps ε with no δ."""
    subject = f"{asked.name}δ({asked.epsilon}) of Laplace noise with b = {scale}{asked.place}"
    given = {"epsilon": asked.epsilon, "scale": scale, "l1_sensitivity": asked.sensitivity}
    return _claim(asked, subject, "0", "laplace_delta", given)


def geometric(asked: Target, scale: str) -> Claim:
    """That geometric noise keeps ε with no δ, of a whole sensitivity."""
    subject = f"{asked.name}δ({asked.epsilon}) of geometric noise with s = {scale}{asked.place}"
    given = {"epsilon": asked.epsilon, "scale": scale}
    return _claim(asked, subject, "0", "geometric_delta", given, l1_sensitivity=int(number(asked.sensitivity)))


def discrete(asked: Target, sigma: str) -> Claim:
    """That discrete Gaussian noise keeps ε with δ, of one cell and a whole sensitivity."""
    subject = f"{asked.name}δ({asked.epsilon}) of discrete Gaussian noise with σ = {sigma}{asked.place}"
    given = {"epsilon": asked.epsilon, "sigma": sigma}
    return _claim(
        asked, subject, asked.delta, "discrete_gaussian_delta", given, sensitivity=int(number(asked.sensitivity))
    )


def generalized_gaussian(asked: Target, scale: str, p: str, notion: str = "δ") -> Claim:
    """That generalized Gaussian noise keeps ε with δ."""
    function = "generalized_gaussian_pdp_delta" if notion == "pDP δ" else "generalized_gaussian_delta"
    subject = f"{asked.name}{notion}({asked.epsilon}) of p = {p} with b = {scale}{asked.place}"
    given = {"epsilon": asked.epsilon, "scale": scale, "p": p, "sensitivity": asked.sensitivity}
    return _claim(asked, subject, asked.delta, function, given)


def within(family: str, symbol: str, scale: str, reach: str, level: str, n_cells: int = 1, p: str = "") -> Claim:
    """That all but a share, `level`, of releases falls within ±reach, in all of so many cells together."""
    noise = f"p = {p} with {symbol} = {scale}" if p else f"{symbol} = {scale}"
    cells = "" if n_cells == 1 else f" in some of {n_cells:,} cells"
    subject = f"The chance that noise of {noise} exceeds ±{reach}{cells}"
    given = {"half_width": number(reach), "sigma" if symbol == "σ" else "scale": number(scale)}
    given |= {"p": number(p)} if p else {}
    return Claim(subject, number(level), f"{family}_tail", {**given, "n_cells": n_cells})


def _claim(
    asked: Target, subject: str, most: str, function: str, given: dict[str, str], *, broken: bool = False, **more: int
) -> Claim:
    read = {key: asked.read(text) for key, text in given.items()}
    return Claim(
        subject, float(number(most)) if asked.doubles else number(most), function, {**read, **more}, is_violated=broken
    )
