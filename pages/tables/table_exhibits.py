"""The cells of a table with the reach of their noise, drawn and in numbers."""

from typing import Any

import pandas as pd

from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_TABLE, Colours, Exhibit
from pages.tables import table_figures, table_words
from pages.tables.found import Found


def cells(found: Found, colour: Colours) -> Exhibit | None:
    """Every cell with its error bar; nothing where there is no table or no noise."""
    if found.counts is None or found.noise is None:
        return None
    figure = table_figures.cells_figure(found, table_words.subtitle(found), colour)
    said, confidential = table_words.alternative(found), found.confidential(CONFIDENTIAL_PICTURE)
    return Exhibit("cells", figure, said, lambda: numbers(found), _header(found), confidential=confidential)


def listed(found: Found, _: Colours) -> Exhibit | None:
    """The first cells in numbers; their CSV has all."""
    if found.counts is None or found.noise is None:
        return None
    said, html, header = table_words.alternative(found), table_words.listed(found), _header(found)
    confidential = found.confidential(CONFIDENTIAL_TABLE)
    return Exhibit("cells_table", html, said, lambda: numbers(found), header, confidential=confidential)


def _header(found: Found) -> dict[str, Any]:
    """The parameters of the drawn noise, and which errors the columns of `numbers` count."""
    return found.noise_header | {
        "low and high": "count − accuracy and count + accuracy: errors in both directions count",
        "stays_above_zero": "only errors downwards count, so it may be True where low is 0 or less",
    }


def numbers(found: Found) -> pd.DataFrame:
    """The cells with the two ends of their error bars, and the answers to the questions about them."""
    if found.counts is None:
        return pd.DataFrame()
    count, reach = found.count, found.half_width
    return found.counts.frame.assign(
        low=count - reach, high=count + reach, stays_above_zero=found.stays, told_from_empty=found.told
    )


ALL = (cells, listed)
