"""The table of the curves in numbers, and the data frames of the section."""

import math
from collections.abc import Sequence

import pandas as pd

from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_up,
    odds,
    percent_down,
    percent_up,
)
from pages.tradeoff.curve_rows import CurveRow
from pages.tradeoff.figures import CurveTrace
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.text import odds_down, power_text, share_of


def table_html(result: TradeoffResult) -> str:
    """Return every curve at the chosen α, prior and δ as an accessible HTML table, beside those of a pinned setting."""
    setting, pinned_rows = result.setting, result.pinned_rows
    heads = [
        "Curve",
        f"True positive rate at <span>α = {format_input_down(setting.alpha)}</span>",
        *([] if pinned_rows is None else ["True positive rate, <span>pinned</span>"]),
        f"Posterior and odds, <span>prior {share_of(setting.prior)}</span>",
        f"ε at <span>δ = {format_input_up(setting.delta)}</span>",
        "Smallest μ",
        "Advantage",
        "Bayes accuracy",
        "Bayes error",
        "Posterior ÷ prior",
    ]
    body = []
    for position, row in enumerate(result.rows):
        number, share, error = (
            (format_down, percent_down, percent_up) if row.is_reached else (format_up, percent_up, percent_down)
        )
        odds_text = (odds_down if row.is_reached else odds)(row.odds) if row.power > 0 else odds(row.odds)
        cells = [power_text(row)]
        if pinned_rows is not None:
            pinned_row = pinned_rows[position]
            cells.append("–" if pinned_row is None else power_text(pinned_row))
        cells.append(f"{share(row.posterior)}, {odds_text}")
        cells += ["none" if math.isinf(value) else number(value) for value in (row.epsilon, row.mu)]
        cells += [share(row.advantage), share(row.bayes_accuracy), error(row.bayes_error), f"{number(row.risk)} ×"]
        body.append([row.display_name, *cells])
    return number_format.table_html("The curves in numbers", "readings", heads, body)


def readings_frame(rows: Sequence[CurveRow]) -> pd.DataFrame:
    """Return the numbers of the table."""
    names = ("power", "posterior", "odds", "epsilon", "mu", "advantage", "bayes_accuracy", "bayes_error", "risk")
    readings = {name: [getattr(row, name) for row in rows] for name in names}
    return pd.DataFrame({"curve": [row.display_name for row in rows]} | readings)


def curves_frame(curves: Sequence[CurveTrace]) -> pd.DataFrame:
    """Return the points of all curves, one curve below the other, under their names."""
    frames = {curve.name: pd.DataFrame(curve.points) for curve in curves}
    return pd.concat(frames, names=["curve"]).reset_index(level=0)
