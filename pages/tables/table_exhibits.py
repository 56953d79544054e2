"""The cells of a table with the reach of their noise, drawn and in numbers."""

import pandas as pd

from pages.shared.export import Colours, Exhibit
from pages.tables import table_figures, table_words
from pages.tables.found import Found


def cells(found: Found, colour: Colours) -> Exhibit | None:
    """Every cell with its error bar; nothing where there is no table or no noise."""
    if found.counts is None or found.noise is None:
        return None
    figure = table_figures.cells_figure(found, table_words.subtitle(found), colour)
    return Exhibit("cells", figure, table_words.alternative(found), lambda: numbers(found), found.noise_header)


def listed(found: Found, _: Colours) -> Exhibit | None:
    """The first cells in numbers; their CSV has all."""
    if found.counts is None or found.noise is None:
        return None
    said = table_words.alternative(found)
    return Exhibit("cells_table", table_words.listed(found), said, lambda: numbers(found), found.noise_header)


def numbers(found: Found) -> pd.DataFrame:
    """The cells with the two ends of their error bars, and the answers to the questions about them."""
    if found.counts is None:
        return pd.DataFrame()
    count, reach = found.count, found.half_width
    return found.counts.frame.assign(
        low=count - reach, high=count + reach, stays_above_zero=found.stays, told_from_empty=found.told
    )


ALL = (cells, listed)
