"""The cells of a table with the reach of their noise, drawn and in numbers."""

from typing import Any

import pandas as pd

from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_TABLE, Colours, Exhibit
from pages.tables.cells import figures, text
from pages.tables.results import TablesResult


def cells(result: TablesResult, colour: Colours) -> Exhibit | None:
    """Every cell with its error bar; nothing where there is no table or no noise."""
    if result.counts is None or result.noise is None:
        return None
    figure = figures.cells_figure(result, text.subtitle(result), colour)
    said, confidential = text.alternative(result), result.confidential(CONFIDENTIAL_PICTURE)
    return Exhibit("cells", figure, said, lambda: numbers(result), _header(result), confidential=confidential)


def listed(result: TablesResult, _: Colours) -> Exhibit | None:
    """The first cells in numbers; their CSV has all."""
    if result.counts is None or result.noise is None:
        return None
    said, html, header = text.alternative(result), text.listed(result), _header(result)
    confidential = result.confidential(CONFIDENTIAL_TABLE)
    return Exhibit("cells_table", html, said, lambda: numbers(result), header, confidential=confidential)


def _header(result: TablesResult) -> dict[str, Any]:
    """The parameters of the drawn noise, and which errors the columns of `numbers` count."""
    return result.noise_header | {
        "low and high": "count − accuracy and count + accuracy: errors in both directions count",
        "stays_above_zero": "only errors downwards count, so it may be True where low is 0 or less",
    }


def numbers(result: TablesResult) -> pd.DataFrame:
    """The cells with the two ends of their error bars, and the answers to the questions about them."""
    if result.counts is None:
        return pd.DataFrame()
    count, reach = result.count, result.half_width
    return result.counts.frame.assign(
        low=count - reach, high=count + reach, stays_above_zero=result.stays, told_from_empty=result.told
    )


ALL = (cells, listed)
