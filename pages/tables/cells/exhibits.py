"""The chart and the table of the cells with their error bars."""

from typing import Any

import pandas as pd

from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_TABLE, Colours, Exhibit
from pages.tables.cells import figures, text
from pages.tables.results import TablesResult


def cells(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return every cell with its error bar; nothing where there is no table or no mechanism."""
    if result.table is None or result.mechanism is None:
        return None
    figure = figures.cells_figure(result, text.subtitle(result), colours)
    alternative, confidential = text.alternative_text(result), result.confidential_note(CONFIDENTIAL_PICTURE)
    return Exhibit(
        "cells", figure, alternative, lambda: cells_frame(result), _csv_header(result), confidential=confidential
    )


def cells_table(result: TablesResult, _: Colours) -> Exhibit | None:
    """Return the first cells in numbers; their CSV has all."""
    if result.table is None or result.mechanism is None:
        return None
    alternative, html, header = text.alternative_text(result), text.cells_html(result), _csv_header(result)
    confidential = result.confidential_note(CONFIDENTIAL_TABLE)
    return Exhibit("cells_table", html, alternative, lambda: cells_frame(result), header, confidential=confidential)


def _csv_header(result: TablesResult) -> dict[str, Any]:
    """Return the parameters of the noise, and which errors the columns of `cells_frame` count."""
    return result.mechanism_csv_header | {
        "low and high": "count − accuracy and count + accuracy: errors in both directions count",
        "distinguishable_from_empty": "share of releases in which the cell reaches the threshold for empty cells",
        "stays_above_zero": "only errors downwards count, so it may be True where low is 0 or less",
    }


def cells_frame(result: TablesResult) -> pd.DataFrame:
    """Return the cells with the two ends of their error bars, and how distinguishable they are, as a data frame."""
    if result.table is None:
        return pd.DataFrame()
    counts, half_width = result.counts, result.half_width
    return result.table.frame.assign(
        low=counts - half_width,
        high=counts + half_width,
        stays_above_zero=result.stays_above_zero,
        distinguishable_from_empty=result.visible_share,
    )
