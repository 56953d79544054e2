"""The charts of the section "Noise from risk", the risks that both noises leave, and the limit that is proved."""

import math
from collections.abc import Iterator
from decimal import ROUND_FLOOR, Context, Decimal
from functools import partial
from typing import Any

import pandas as pd

from dpcore import risk
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Claim
from pages.framework.parameters import number_format
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.number_format import chart_text, exact_text, format_up, percent_up, without_markdown
from pages.shared.guarantee_claims import number
from pages.tradeoff import figures
from pages.tradeoff.figures import HANDLES, NOISE_NAMES, detour_names
from pages.tradeoff.noise_from_risk import text
from pages.tradeoff.noise_from_risk.parameters import least_limit, limit_of
from pages.tradeoff.noise_from_risk.results import OF_NUMBERS, OUTCOME, RiskNoise, RiskSetting, limits_between
from pages.tradeoff.noise_from_risk.text import scale_text
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.text import share_of

Conditions = dict[str, float]
_ROWS = {
    "outcome": "Belief after any outcome (posterior), prior {prior}",
    "power": "Members found at {alpha} false positives",
    "advantage": "Advantage of the best attack over guessing",
    "posterior": "Belief after one positive test (posterior) at {alpha} false positives, prior {prior}",
    "success": "Right guesses of who is in it, where {prior} are members",
    "reconstruction": "Right guesses of a value (record or attribute), {baseline} without the release",
}


Risks = list[tuple[str, float, float]]


def _reached_risks(noise: RiskNoise, conditions: Conditions) -> Risks:
    """Return for each kind of risk what is reached under the noise, and under the detour's (NaN without one)."""
    rows, detour = [], noise.detour_curve
    for kind, names in risk.CONDITIONS.items():
        numbers = [conditions[name] for name in names]
        detour_risk = math.nan if detour is None else risk.reached_risk(kind, detour, *numbers)
        rows.append((kind, noise.reached(kind, *numbers), detour_risk))
    return rows


def table_html(noise: RiskNoise, risks: Risks, conditions: Conditions, pinned: RiskNoise | None) -> str:
    """Return the risks in words as an accessible HTML table."""
    words = {name: share_of(value) for name, value in conditions.items()}
    detour = detour_names(noise)[1].capitalize() if noise.has_detour else "Noise for (ε, δ)"
    before = [] if pinned is None else _reached_risks(pinned, conditions)
    heads = ["Risk, at most", "This noise", *(["Pinned"] if before else []), detour]
    body = []
    for place, (kind, reached, detour) in enumerate(risks):
        cells = [_share_text(reached)]
        cells += [_share_text(value) for _, value, _ in before[place : place + 1]]
        cells += [_share_text(detour)]
        name = _ROWS[kind].format(**words)
        body.append([f"{name}{' (chosen)' if kind == noise.setting.kind else ''}", *cells])
    return number_format.table_html("What an attacker can reach, by kind of risk", "readings", heads, body)


def _share_text(risk: float) -> str:
    """Return a risk in per cent; a dash where there is none to state."""
    if math.isnan(risk):
        return "–"
    return "no bound" if risk == 1 else percent_up(risk)


def noise_curve(result: TradeoffResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the noise's trade-off curve with the limit, and the detour's in grey."""
    noise, view = result.risk_noise, result.setting.view
    if noise is None:
        return None
    figure = figures.curve_figure(noise, view, _pinned(result), _subtitle(noise), colours)
    kind = noise.setting.kind
    picks = HANDLES.get(kind, ""), limit_of(kind).key if figures.is_height(kind, view) else ""
    alternative, numbers = text.alternative_text(noise), partial(pd.DataFrame, noise.points)
    return Exhibit("noise_curve", figure, alternative, numbers, _header(result, noise), picks)


def noise_scale(result: TradeoffResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the noise against the limit, calibrated directly and by the detour.

    There is none where the rough curves, by which composed noise is swept, bound no risk: at errors of 1e-50.
    """
    noise = result.risk_noise
    if noise is None:
        return None
    setting, limit = noise.setting, limit_of(noise.setting.kind)
    ends = least_limit(setting.kind, setting.conditions)
    columns = noise.swept_scales() if setting.is_composed else noise.scales(limits_between(*ends))
    if not columns["limit"].size:
        return None
    label = f"{limit.symbol}, acceptable limit"
    figure = figures.scale_figure(noise, columns, (limit.key, label), _subtitle(noise), colours)
    alternative = without_markdown(" ".join(text.answer_sentences(noise)[:2]))
    numbers = partial(pd.DataFrame, columns)
    return Exhibit("noise_scale", figure, alternative, numbers, _header(result, noise), (limit.key, ""))


def risks(result: TradeoffResult, _: Colours) -> Exhibit | None:
    """Return the table of the risks under the noise, in words."""
    noise = result.risk_noise
    if noise is None:
        return None
    rows = _reached_risks(noise, _conditions(result))
    html = table_html(noise, rows, _conditions(result), _pinned(result))
    numbers = pd.DataFrame(rows, columns=["risk", "reached", "detour"])
    return Exhibit("risks", html, text.alternative_text(noise), numbers, _header(result, noise))


def _pinned(result: TradeoffResult) -> RiskNoise | None:
    return None if result.pinned is None else result.pinned.risk_noise


def _conditions(result: TradeoffResult) -> dict[str, float]:
    setting = result.setting
    return {"alpha": setting.alpha, "prior": setting.prior, "baseline": setting.baseline}


def _subtitle(noise: RiskNoise) -> str:
    name = figures.NOISE_NAMES[noise.setting.noise]
    return chart_text(f"{name}, {text.scale_text(noise)}, {text.limit_text(noise.setting)}")


def _header(result: TradeoffResult, noise: RiskNoise) -> dict[str, str]:
    setting, calibration = noise.setting, noise.calibration
    entries = {"risk": setting.kind, "limit": setting.limit, **_conditions(result), "noise": setting.noise}
    entries |= {"sensitivity": setting.sensitivity, "delta": setting.delta, "scale": calibration.scale}
    if not setting.is_composed:
        entries |= {"most per cell": setting.per_cell, "cells per person": setting.per_person, "cells": setting.cells}
        entries |= {"half-width of one cell": calibration.half_width}
        entries |= {"half-width of all cells": setting.half_width(calibration.scale, setting.cells)}
    if setting.kind == OUTCOME:
        entries |= {"pure epsilon": setting.stated_epsilon}
    if setting.noise == "dp_sgd":
        entries |= dict(zip(("sampling rate", "steps"), setting.training, strict=True))
    if setting.noise == "releases":
        entries |= {"releases": list_text(result.setting.releases)}
    entries |= {"detour epsilon": calibration.detour_epsilon, "detour scale": calibration.detour_scale}
    units = "alpha, power, risks and limit are probabilities; scales, half-widths and sensitivity in query units; "
    units += "epsilon in nats"
    return {key: str(value) for key, value in entries.items()} | {"units": units}


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
        return
    limit, conditions = _exact(setting.limit), [_exact(value) for value in setting.conditions]
    arguments: dict[str, Any] = {}
    if setting.kind in ("success", "advantage"):
        epsilon = Decimal(0)
        if setting.kind == "success":
            epsilon, limit = _success_point(limit, *conditions)
        arguments |= {"epsilon": epsilon, **_noise_arguments(noise)}
        yield Claim(subject, limit, OF_NUMBERS[setting.noise].true_delta, arguments)
        return
    if setting.kind == OUTCOME:
        conditions.append(_rare_rate(noise.calibration.loss))
    *prior, alpha = conditions
    arguments |= {"alpha": alpha, **_power_arguments(noise)} | ({"prior": prior[0]} if prior else {})
    yield Claim(subject, limit, OF_NUMBERS[setting.noise].power, arguments)


def _exact(value: float) -> Decimal:
    return number(exact_text(value))


def _subject(setting: RiskSetting) -> str:
    """Return what is bounded, in words."""
    return {
        OUTCOME: "The largest posterior after any outcome, which the rarest positive test has, prior {}",
        "power": "The share of members found at {} false positives",
        "advantage": "The advantage of the best attack",
        "posterior": "The posterior after a positive test, prior {}, at {} false positives",
        "success": f"The δ that decides whether at most {share_of(setting.limit)} of guesses are right, at ε = the "
        "logarithm of others per member where {} are members",
        "reconstruction": "The probability of a correct guess of a record, {} without the release",
    }[setting.kind].format(*map(share_of, setting.conditions))


def _rare_rate(theta: float) -> Decimal:
    """Return a false positive rate below e^{−θ}/2, up to which the posterior after a test is as large as any."""
    return Decimal(10) ** -math.ceil(theta / math.log(10) + 1)


def _noise_arguments(noise: RiskNoise) -> dict[str, Any]:
    """Return the noise as it is displayed, under the names of the verifier."""
    scale, sensitivity = number(format_up(noise.calibration.scale)), _exact(noise.setting.sensitivity)
    if noise.setting.noise == "gaussian":
        return {"sigma": scale, "l2_sensitivity": sensitivity}
    return {"scale": scale, "l1_sensitivity": int(sensitivity) if noise.setting.noise == "geometric" else sensitivity}


def _power_arguments(noise: RiskNoise) -> dict[str, Any]:
    arguments = _noise_arguments(noise)
    if noise.setting.noise != "laplace":
        return arguments
    quotient = arguments["l1_sensitivity"] / arguments["scale"]
    return {"theta": quotient * (1 + Decimal("1e-25"))}  # not below Δ/b: a larger θ gives an attacker more


def _success_point(success: Decimal, prior: Decimal) -> tuple[Decimal, Decimal]:
    """Return ε and δ, both rounded down: noise that satisfies them has at most this share of correct guesses.

    With the smaller π of the prior and 1 − prior, the share is 1 − π + πδ(ε) at ε = ln((1 − π)/π), and δ(ε) falls.
    """
    small = min(prior, 1 - prior)
    delta = Context(28, ROUND_FLOOR).divide(success - 1 + small, small)
    return max((1 - small) / small, Decimal(1)).ln() * _DOWN, delta
