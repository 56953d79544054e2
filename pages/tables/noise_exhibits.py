"""The exhibits of which noise a table takes: ± over cells per person, ± over ε, and the noises in numbers."""

from functools import partial

from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, Colours, Exhibit
from pages.tables import mechanism_words, noise_along, noise_figures, noise_numbers
from pages.tables.found import Found


def reach(found: Found, colour: Colours) -> Exhibit | None:
    """± over what the user chose, k or ε."""
    return epsilons(found, colour) if found.values["against"] == "epsilon" else persons(found, colour)


def persons(found: Found, colour: Colours) -> Exhibit | None:
    """± of each noise over the number of cells per person."""
    curves, end = noise_along.over_persons(found), noise_along.persons_end(found)
    if not curves:
        return None
    before = [] if found.pinned is None else noise_along.over_persons(found.pinned)
    narrower = mechanism_words.narrower(found)
    subtitle = f"{mechanism_words.persons_subtitle(found)}. {narrower}".rstrip(". ")
    figure = noise_figures.persons_figure(found, curves, end, subtitle, colour, before)
    said = f"{mechanism_words.alternative(found)} {narrower}".rstrip()
    return Exhibit("noise_persons", figure, said, lambda: noise_numbers.along("cells_per_person", curves), found.header)


def epsilons(found: Found, colour: Colours) -> Exhibit:
    """± of each noise over ε."""
    curves = noise_along.over_epsilon(found)
    before = [] if found.pinned is None else noise_along.over_epsilon(found.pinned)
    figure = noise_figures.epsilon_figure(found, curves, mechanism_words.epsilon_subtitle(found), colour, before)
    said = mechanism_words.alternative(found)
    return Exhibit("noise_epsilon", figure, said, lambda: noise_numbers.along("epsilon", curves), found.header)


def mechanisms(found: Found, _: Colours) -> Exhibit:
    """The noises in numbers, each with its verdict."""
    html, said = mechanism_words.table_html(found), mechanism_words.alternative(found)
    confidential = found.confidential(CONFIDENTIAL_FIGURES)  # the median of the counts
    numbers = partial(noise_numbers.side_by_side, found)
    return Exhibit("mechanisms", html, said, numbers, found.header, confidential=confidential)


ALL = (persons, epsilons, mechanisms)
