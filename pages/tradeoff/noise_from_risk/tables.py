"""The table of the five risks that the noise leaves, beside those of the detour's noise."""

import pandas as pd

from dpcore import risk
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import percent_up
from pages.tradeoff.noise_from_risk.results import RiskNoise
from pages.tradeoff.text import share_of

Conditions = dict[str, float]
_ROWS = {
    "power": "Members identified at {alpha} false positives",
    "advantage": "Advantage of the best attack over guessing",
    "posterior": "Posterior after a positive test at {alpha} false positives, prior {prior}",
    "success": "Correct guesses of membership where {prior} are members",
    "reconstruction": "Correct guess of a record or attribute, {baseline} without the release",
}


def risks_frame(noise: RiskNoise, conditions: Conditions) -> pd.DataFrame:
    """Return the five risks at the conditions of the page, under the noise and under the detour's."""
    rows = []
    for kind, names in risk.CONDITIONS.items():
        numbers, detour = [conditions[name] for name in names], noise.detour_curve
        detour_risk = float("nan") if detour is None else risk.reached_risk(kind, detour, *numbers)
        rows.append((kind, risk.reached_risk(kind, noise.curve, *numbers), detour_risk))
    return pd.DataFrame(rows, columns=["risk", "reached", "detour"])


def table_html(noise: RiskNoise, conditions: Conditions, pinned: RiskNoise | None) -> str:
    """Return the five risks in words as an accessible HTML table."""
    frame, words = risks_frame(noise, conditions), {name: share_of(value) for name, value in conditions.items()}
    before = None if pinned is None else risks_frame(pinned, conditions)
    heads = ["Risk, at most", "This noise", *(["Pinned"] if before is not None else []), "Noise via (ε, δ)"]
    body = []
    pinned_values = [] if before is None else before["reached"].tolist()
    columns = (frame[key].tolist() for key in ("risk", "reached", "detour"))
    for place, (kind, reached, detour) in enumerate(zip(*columns, strict=True)):
        cells = [percent_up(reached)]
        cells += [percent_up(value) for value in pinned_values[place : place + 1]]
        cells += ["–" if pd.isna(detour) else percent_up(detour)]
        name = _ROWS[kind].format(**words)
        body.append([f"{name}{' (chosen)' if kind == noise.setting.kind else ''}", *cells])
    return number_format.table_html("What an attacker can reach, by kind of risk", "readings", heads, body)
