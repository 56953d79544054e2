"""The table of the risks that the noise leaves, beside those of the detour's noise."""

import math

import pandas as pd

from dpcore import risk
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import percent_up
from pages.tradeoff.noise_from_risk.figures import detour_names
from pages.tradeoff.noise_from_risk.results import RiskNoise
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
