"""The section on the list of releases: its picture, its tables, and what stands beside them."""

from typing import Any

from pages.composition.results import CompositionResult, header
from pages.composition.total_epsilon import figures, text
from pages.composition.total_epsilon.results import cost
from pages.framework.export.exhibit import Colours, Exhibit


def costs(result: CompositionResult, colour: Colours) -> Exhibit:
    """A bar for each line: what leaving it out saves, and what it costs alone."""
    figure = figures.costs_figure(
        result.names,
        cost(result),
        result.setting.epsilon,
        result.pinned and cost(result.pinned),
        text.subtitle(result),
        colour,
    )
    said = text.alternative(result)
    return Exhibit("costs", figure, said, lambda: text.lines_frame(result), _header(result))


def lines(result: CompositionResult, _: Colours) -> Exhibit:
    """What each line is and costs, in numbers."""
    html, said = text.table_html(result), text.alternative(result)
    return Exhibit("lines", html, said, lambda: text.lines_frame(result), _header(result))


def periods(result: CompositionResult, _: Colours) -> Exhibit:
    """What the list costs when it is run every day of a week, a month or a year."""
    html = text.periods_html(result)
    said = "What the whole list costs when it is released once, and on each day of a week, a month and a year."
    return Exhibit("periods", html, said, lambda: text.periods_frame(result), _header(result))


def _header(result: CompositionResult) -> dict[str, Any]:
    units = "exact ones to 9 digits and rounded up, or certified; RDP, zCDP and basic composition upper bounds"
    return header(result, units, accountant=result.setting.accountant)
