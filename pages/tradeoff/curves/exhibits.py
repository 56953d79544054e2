"""The chart and the table of the curves."""

from functools import partial

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import format_input_down
from pages.tradeoff.curves import figures, tables
from pages.tradeoff.curves.text import alternative_text
from pages.tradeoff.figures import curve_traces
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.tables import csv_header
from pages.tradeoff.text import subtitle_text

PICKS = ("alpha", "")


def curves(result: TradeoffResult, colours: Colours) -> Exhibit:
    """Return the chart of the curves, each with its errors at α."""
    subtitle = subtitle_text(result, f"α = {format_input_down(result.setting.alpha)}")
    figure = figures.curves_figure(result, subtitle, colours)
    numbers = partial(tables.curves_frame, curve_traces(result, colours))
    header = csv_header(result, **_readings_at(result))
    return Exhibit("curves", figure, alternative_text(result), numbers, header, PICKS, result.confidential)


def readings(result: TradeoffResult, _: Colours) -> Exhibit:
    """Return the table of every curve in numbers."""
    html, numbers = tables.table_html(result), partial(tables.readings_frame, result.rows)
    header = csv_header(result, **_readings_at(result))
    return Exhibit("readings", html, alternative_text(result), numbers, header, confidential=result.confidential)


def _readings_at(result: TradeoffResult) -> dict[str, float]:
    setting = result.setting
    return {"epsilon": setting.epsilon, "delta": setting.delta, "alpha": setting.alpha, "prior": setting.prior}
