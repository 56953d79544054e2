"""The chart of a quotation."""

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import without_markdown
from pages.tradeoff.curves.exhibits import PICKS
from pages.tradeoff.quotation import text
from pages.tradeoff.quotation.figures import quotation_figure
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.tables import csv_header


def quotation(result: TradeoffResult, colours: Colours) -> Exhibit | None:
    """Return the chart of one (ε, δ) and one μ beside the chosen curve; None where no ε goes with the δ."""
    pair, conceded = result.quotation
    if pair is None or conceded is None:
        return None
    subtitle, names = text.chart_texts(result.chosen_row, pair, result.setting)
    figure = quotation_figure(result, pair, conceded, names, subtitle, colours)
    entries = {"curve": result.chosen_row.display_name, "quoted epsilon": pair.epsilon, "quoted delta": pair.delta}
    header = csv_header(result, **entries, **{"smallest mu": pair.limited_mu.mu})
    alternative = without_markdown(" ".join(text.quotation_sentences(result)))
    return Exhibit("quotation", figure, alternative, conceded, header, PICKS, result.confidential)
