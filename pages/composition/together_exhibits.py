"""The section on the list of releases: its picture, its tables, and what stands beside them."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.composition import together_figures, together_words
from pages.composition.found import EDIT, CompositionResult, header
from pages.composition.parameters import ACCOUNTANT, RUNS
from pages.composition.together import cost
from pages.composition.together_words import answer
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Part
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

__all__ = ["ALL", "answer", "explanation", "parts", "strip"]


def strip(_: CompositionResult) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    return EPSILON, DELTA, RUNS, Field(ACCOUNTANT, "Accountant")


def parts(result: CompositionResult, colour: Colours) -> Iterator[Part]:
    """What each line costs, in a picture and a table, and what the list costs over a year."""
    yield costs(result, colour)
    yield EDIT
    yield lines(result, colour)
    yield periods(result, colour)
    yield together_words.advice(result)


def explanation(_: CompositionResult) -> str:
    """How the total is computed."""
    return together_words.EXPLANATION


def costs(result: CompositionResult, colour: Colours) -> Exhibit:
    """A bar for each line: what leaving it out saves, and what it costs alone."""
    figure = together_figures.costs_figure(
        result.names,
        cost(result),
        result.setting.epsilon,
        result.pinned and cost(result.pinned),
        together_words.subtitle(result),
        colour,
    )
    said = together_words.alternative(result)
    return Exhibit("costs", figure, said, lambda: together_words.lines_frame(result), _header(result))


def lines(result: CompositionResult, _: Colours) -> Exhibit:
    """What each line is and costs, in numbers."""
    html, said = together_words.table_html(result), together_words.alternative(result)
    return Exhibit("lines", html, said, lambda: together_words.lines_frame(result), _header(result))


def periods(result: CompositionResult, _: Colours) -> Exhibit:
    """What the list costs when it is run every day of a week, a month or a year."""
    html = together_words.periods_html(result)
    said = "What the whole list costs when it is released once, and on each day of a week, a month and a year."
    return Exhibit("periods", html, said, lambda: together_words.periods_frame(result), _header(result))


def _header(result: CompositionResult) -> dict[str, Any]:
    units = "exact ones to 9 digits and rounded up, or certified; RDP, zCDP and basic composition upper bounds"
    return header(result, units, accountant=result.setting.accountant)


ALL = (costs, lines, periods)
