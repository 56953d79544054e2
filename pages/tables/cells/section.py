"""The section on the cells of a table, each with the error that the noise brings."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_TABLE, Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.fields import TABLE_FIELD
from pages.shared.counts.table import contribution_fields
from pages.shared.shared_parameters import EPSILON
from pages.tables import claims, code
from pages.tables.cells import figures, text
from pages.tables.explanation import explanation_text
from pages.tables.fields import (
    ERROR_FIELD,
    MECHANISM_FIELD,
    delta_fields,
    guarantee_and_sensitivity,
)
from pages.tables.mechanisms.questions_text import cell_questions_with_bars
from pages.tables.parameters import AXIS, NAMES_OF_CELL_SECTIONS, SHARE, SMALLEST
from pages.tables.results import TablesResult
from pages.tables.text import conditions, sample_text, table_answer_text


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


def controls(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture; without a table only its choice."""
    if result.is_missing:
        return (TABLE_FIELD,)
    return (
        EPSILON,
        *delta_fields(result),
        *contribution_fields(result.values),
        MECHANISM_FIELD,
        ERROR_FIELD,
        TABLE_FIELD,
        Field(AXIS, "Axis"),
    )


def parts(result: TablesResult, colours: Colours) -> Iterator[Part]:
    """Yield the cells with their error bars, what the noise leaves of them, and the first of them in numbers."""
    if result.is_missing:
        return
    yield cells(result, colours)
    yield sample_text(result)
    yield guarantee_and_sensitivity(result)
    if result.mechanism is not None:
        yield cell_questions_with_bars(result, result.mechanism)
    yield Fields((SHARE, SMALLEST))
    yield text.WHY_NOISE
    yield cells_table(result, colours)


SECTION = Section[TablesResult](
    key="table",
    name=NAMES_OF_CELL_SECTIONS["table"],
    controls=controls,
    parts=parts,
    is_available=lambda result: result.has_cells,
    answer_text=lambda result: table_answer_text(result, text.answer_text, text.comparison_text),
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(cells, cells_table),
    claims=claims.mechanism_claims,
    snippets=code.snippets,
)
