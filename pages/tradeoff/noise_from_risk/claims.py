"""The limit of the risk under the displayed noise, which "Verify" proves."""

import math
from collections.abc import Iterator
from decimal import ROUND_FLOOR, Context, Decimal
from typing import Any

from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_up
from pages.shared.guarantee_claims import number
from pages.tradeoff.noise_from_risk.answer_text import scale_text
from pages.tradeoff.noise_from_risk.figures import NOISE_NAMES
from pages.tradeoff.noise_from_risk.results import RiskNoise
from pages.tradeoff.noise_from_risk.setting_data import OUTCOME, RiskSetting
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.text import share_of

_DOWN = 1 - Decimal("1e-25")  # of a logarithm with 28 digits
_COMPOSED_REASON = "Its losses are composed on a grid by Fourier transforms, each step rounded up."


def claims(result: TradeoffResult) -> Iterator[Claim]:
    """Yield the claim that the displayed noise keeps the risk at its limit."""
    noise = result.risk_noise
    if noise is None:
        return
    setting = noise.setting
    subject = f"{_subject(setting)} ({NOISE_NAMES[setting.noise]}, {scale_text(noise)})"
    if setting.is_composed:
        yield Claim(subject, reason=_COMPOSED_REASON)
    elif setting.kind == OUTCOME:
        prior = number(exact_text(setting.conditions[0]))
        arguments = {"alpha": _rare(noise.calibration.loss), **_power_arguments(noise), "prior": prior}
        yield Claim(subject, number(exact_text(setting.limit)), f"{setting.noise}_power", arguments)
    elif setting.kind == "success":
        epsilon, delta = _success_point(number(exact_text(setting.limit)), number(exact_text(setting.conditions[0])))
        yield Claim(subject, delta, f"{setting.noise}_delta", {"epsilon": epsilon, **_noise_arguments(noise)})
    elif setting.kind == "advantage":
        arguments = {"epsilon": Decimal(0), **_noise_arguments(noise)}
        yield Claim(subject, number(exact_text(setting.limit)), f"{setting.noise}_delta", arguments)
    else:
        *prior, alpha = setting.conditions
        arguments: dict[str, Any] = {"alpha": number(exact_text(alpha)), **_power_arguments(noise)}
        arguments |= {"prior": number(exact_text(prior[0]))} if prior else {}
        yield Claim(subject, number(exact_text(setting.limit)), f"{setting.noise}_power", arguments)


def _subject(setting: RiskSetting) -> str:
    """Return what is bounded, in words."""
    return {
        OUTCOME: "The posterior after any outcome, prior {}: after the rarest positive test it is largest",
        "power": "The share of members found at {} false positives",
        "advantage": "The advantage of the best attack",
        "posterior": "The posterior after a positive test, prior {}, at {} false positives",
        "success": f"The δ that decides whether at most {share_of(setting.limit)} of guesses are right, at ε = the "
        "logarithm of others per member where {} are members",
        "reconstruction": "The probability of a correct guess of a record, {} without the release",
    }[setting.kind].format(*map(share_of, setting.conditions))


def _rare(theta: float) -> Decimal:
    """Return a false positive rate below e^{−θ}/2, up to which the posterior after a test is as large as any."""
    return Decimal(10) ** -math.ceil(theta / math.log(10) + 1)


def _noise_arguments(noise: RiskNoise) -> dict[str, Any]:
    """Return the noise as it is displayed, under the names of the verifier."""
    scale, sensitivity = number(format_up(noise.calibration.scale)), number(exact_text(noise.setting.sensitivity))
    if noise.setting.noise == "gaussian":
        return {"sigma": scale, "l2_sensitivity": sensitivity}
    return {"scale": scale, "l1_sensitivity": int(sensitivity) if noise.setting.noise == "geometric" else sensitivity}


def _power_arguments(noise: RiskNoise) -> dict[str, Any]:
    arguments = _noise_arguments(noise)
    if noise.setting.noise != "laplace":
        return arguments
    return {"theta": _quotient_up(arguments["l1_sensitivity"], arguments["scale"])}


def _quotient_up(sensitivity: Decimal, scale: Decimal) -> Decimal:
    """Return Δ/b to 28 digits, not below it: a larger θ gives an attacker more."""
    return sensitivity / scale * (1 + Decimal("1e-25"))


def _success_point(success: Decimal, prior: Decimal) -> tuple[Decimal, Decimal]:
    """Return ε and δ, both rounded down: noise that satisfies them has at most this share of correct guesses.

    With the smaller π of the prior and 1 − prior, the share is 1 − π + πδ(ε) at ε = ln((1 − π)/π), and δ(ε) falls.
    """
    small = min(prior, 1 - prior)
    delta = Context(28, ROUND_FLOOR).divide(success - 1 + small, small)
    return max((1 - small) / small, Decimal(1)).ln() * _DOWN, delta
