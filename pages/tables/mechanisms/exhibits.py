"""The exhibits of which noise a table takes: ± over cells per person, ± over ε, and the noises in numbers."""

from functools import partial

from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, Colours, Exhibit
from pages.tables.mechanisms import figures, mechanism_text, results, tables
from pages.tables.results import TablesResult


def reach(result: TablesResult, colour: Colours) -> Exhibit | None:
    """± over what the user chose, k or ε."""
    return epsilons(result, colour) if result.values["against"] == "epsilon" else persons(result, colour)


def persons(result: TablesResult, colour: Colours) -> Exhibit | None:
    """± of each noise over the number of cells per person."""
    curves, end = results.over_persons(result), results.persons_end(result)
    if not curves:
        return None
    before = [] if result.pinned is None else results.over_persons(result.pinned)
    narrower = mechanism_text.narrower(result)
    subtitle = f"{mechanism_text.persons_subtitle(result)}. {narrower}".rstrip(". ")
    figure = figures.persons_figure(result, curves, end, subtitle, colour, before)
    said = f"{mechanism_text.alternative(result)} {narrower}".rstrip()
    return Exhibit("noise_persons", figure, said, lambda: tables.along("cells_per_person", curves), result.header)


def epsilons(result: TablesResult, colour: Colours) -> Exhibit:
    """± of each noise over ε."""
    curves = results.over_epsilon(result)
    before = [] if result.pinned is None else results.over_epsilon(result.pinned)
    figure = figures.epsilon_figure(result, curves, mechanism_text.epsilon_subtitle(result), colour, before)
    said = mechanism_text.alternative(result)
    return Exhibit("noise_epsilon", figure, said, lambda: tables.along("epsilon", curves), result.header)


def mechanisms(result: TablesResult, _: Colours) -> Exhibit:
    """The noises in numbers, each with its verdict."""
    html, said = mechanism_text.table_html(result), mechanism_text.alternative(result)
    confidential = result.confidential(CONFIDENTIAL_FIGURES)  # the median of the counts
    numbers = partial(tables.side_by_side, result)
    return Exhibit("mechanisms", html, said, numbers, result.header, confidential=confidential)


ALL = (persons, epsilons, mechanisms)
