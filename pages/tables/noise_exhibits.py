"""The exhibits of which noise a table takes: ± over cells per person, ± over ε, and the noises in numbers."""

import pandas as pd

from pages.shared.export import Colours, Exhibit
from pages.tables import noise_along, noise_figures, noise_words
from pages.tables.found import Found
from pages.tables.noise_along import Curve


def persons(found: Found, colour: Colours) -> Exhibit | None:
    """± of each noise over the number of cells per person."""
    curves, end = noise_along.over_persons(found), noise_along.persons_end(found)
    if not curves:
        return None
    before = [] if found.pinned is None else noise_along.over_persons(found.pinned)
    crossing, subtitle = noise_along.crossing(found), noise_words.persons_subtitle(found)
    figure = noise_figures.persons_figure(found, curves, end, crossing, subtitle, colour, before)
    said = noise_words.persons_alternative(found, crossing)
    return Exhibit("noise_persons", figure, said, lambda: _numbers("cells_per_person", curves), found.header)


def epsilons(found: Found, colour: Colours) -> Exhibit:
    """± of each noise over ε."""
    curves = noise_along.over_epsilon(found)
    before = [] if found.pinned is None else noise_along.over_epsilon(found.pinned)
    figure = noise_figures.epsilon_figure(found, curves, noise_words.epsilon_subtitle(found), colour, before)
    said = noise_words.alternative(found)
    return Exhibit("noise_epsilon", figure, said, lambda: _numbers("epsilon", curves), found.header)


def noises(found: Found, _: Colours) -> Exhibit:
    """The noises in numbers, each with its verdict."""
    html, said = noise_words.table_html(found), noise_words.alternative(found)
    return Exhibit("noises", html, said, lambda: noise_words.numbers(found), found.header)


def _numbers(x: str, curves: list[Curve]) -> pd.DataFrame:
    frames = [
        pd.DataFrame({x: curve.x, "noise": curve.rule.key, "half_width": curve.half_width, "status": curve.status})
        for curve in curves
    ]
    return pd.concat(frames, ignore_index=True)


ALL = (persons, epsilons, noises)
