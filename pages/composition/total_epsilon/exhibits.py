"""The chart and the tables of the section "My releases"."""

from typing import Any

from pages.composition.results import CompositionResult, csv_header
from pages.composition.total_epsilon import figures, tables, text
from pages.composition.total_epsilon.results import cost_at
from pages.framework.export.exhibit import Colours, Exhibit


def costs_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart with a bar for each line: what leaving it out saves, and its ε alone."""
    figure = figures.costs_figure(
        result.names,
        cost_at(result),
        result.setting.epsilon,
        result.pinned and cost_at(result.pinned),
        text.subtitle(result),
        colours,
    )
    alternative = text.alternative_text(result)
    return Exhibit("costs", figure, alternative, lambda: tables.lines_frame(result), _costs_csv_header(result))


def lines_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of what each line is and costs."""
    html, alternative = tables.lines_table_html(result), text.alternative_text(result)
    return Exhibit("lines", html, alternative, lambda: tables.lines_frame(result), _costs_csv_header(result))


def periods_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε when the list is run every day of a week, a month or a year."""
    html = tables.periods_table_html(result)
    alternative = "ε of the whole list when it is released once, and daily for a week, for 30 days and for a year."
    return Exhibit("periods", html, alternative, lambda: tables.periods_frame(result), _costs_csv_header(result))


def _costs_csv_header(result: CompositionResult) -> dict[str, Any]:
    units = "exact ones to 9 digits and rounded up, or certified; RDP, zCDP and basic composition upper bounds"
    return csv_header(result, units, accountant=result.setting.accountant)
