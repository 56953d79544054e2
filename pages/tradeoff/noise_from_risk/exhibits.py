"""The charts of the section "Noise from risk", and the risks that its noise and the detour's leave."""

import math
from functools import partial

import pandas as pd

from dpcore import risk
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters import number_format
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.number_format import chart_text, percent_up, without_markdown
from pages.tradeoff.noise_from_risk import answer_text, figures, text
from pages.tradeoff.noise_from_risk.figures import HANDLES, detour_names
from pages.tradeoff.noise_from_risk.limit_parameters import least_limit
from pages.tradeoff.noise_from_risk.parameters import limit_of
from pages.tradeoff.noise_from_risk.results import RiskNoise, limits_between
from pages.tradeoff.noise_from_risk.setting_data import OUTCOME
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.text import share_of

Conditions = dict[str, float]
_ROWS = {
    "outcome": "Posterior after any outcome, prior {prior}",
    "power": "Members found at {alpha} false positives",
    "advantage": "Advantage of the best attack over guessing",
    "posterior": "Posterior after a positive test at {alpha} false positives, prior {prior}",
    "success": "Correct guesses of membership where {prior} are members",
    "reconstruction": "Correct guess of a record or attribute, {baseline} without the release",
}


def risks_frame(noise: RiskNoise, conditions: Conditions) -> pd.DataFrame:
    """Return the risks at the conditions of the page, under the noise and under the detour's."""
    return pd.DataFrame(_reached_risks(noise, conditions), columns=["risk", "reached", "detour"])


def _reached_risks(noise: RiskNoise, conditions: Conditions) -> list[tuple[str, float, float]]:
    """Return for each kind of risk what is reached under the noise, and under the detour's (NaN without one)."""
    rows, detour = [], noise.detour_curve
    for kind, names in risk.CONDITIONS.items():
        numbers = [conditions[name] for name in names]
        detour_risk = math.nan if detour is None else risk.reached_risk(kind, detour, *numbers)
        rows.append((kind, _reached(noise, kind, numbers), detour_risk))
    return rows


def _reached(noise: RiskNoise, kind: str, numbers: list[float]) -> float:
    """Return a risk under the noise: the chosen one is proved to be within its limit, which the drawn curve may exceed.

    The curves of DP-SGD and of lists are rounded up at each of their points.
    """
    reached, setting = risk.reached_risk(kind, noise.curve, *numbers), noise.setting
    return min(reached, setting.limit) if (kind, tuple(numbers)) == (setting.kind, setting.conditions) else reached


def table_html(noise: RiskNoise, conditions: Conditions, pinned: RiskNoise | None) -> str:
    """Return the risks in words as an accessible HTML table."""
    words = {name: share_of(value) for name, value in conditions.items()}
    detour = detour_names(noise)[1].capitalize() if noise.has_detour else "Noise for (ε, δ)"
    before = [] if pinned is None else _reached_risks(pinned, conditions)
    heads = ["Risk, at most", "This noise", *(["Pinned"] if before else []), detour]
    body = []
    for place, (kind, reached, detour) in enumerate(_reached_risks(noise, conditions)):
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
    picks = (HANDLES.get(noise.setting.kind, ""), _picked_limit(noise, view))
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
    alternative = without_markdown(" ".join(answer_text.answer_sentences(noise)[:2]))
    numbers = partial(pd.DataFrame, columns)
    return Exhibit("noise_scale", figure, alternative, numbers, _header(result, noise), (limit.key, ""))


def risks(result: TradeoffResult, _: Colours) -> Exhibit | None:
    """Return the table of the risks under the noise, in words."""
    noise = result.risk_noise
    if noise is None:
        return None
    html = table_html(noise, _conditions(result), _pinned(result))
    numbers = partial(risks_frame, noise, _conditions(result))
    return Exhibit("risks", html, text.alternative_text(noise), numbers, _header(result, noise))


def _pinned(result: TradeoffResult) -> RiskNoise | None:
    return None if result.pinned is None else result.pinned.risk_noise


def _conditions(result: TradeoffResult) -> dict[str, float]:
    setting = result.setting
    return {"alpha": setting.alpha, "prior": setting.prior, "baseline": setting.baseline}


def _picked_limit(noise: RiskNoise, view: str) -> str:
    """Return the key of the limit that a click's height sets, where the height is that of a limit."""
    return limit_of(noise.setting.kind).key if figures.is_height(noise.setting.kind, view) else ""


def _subtitle(noise: RiskNoise) -> str:
    name = figures.NOISE_NAMES[noise.setting.noise]
    return chart_text(f"{name}, {answer_text.scale_text(noise)}, {answer_text.limit_text(noise.setting)}")


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
