"""The section on the cells of a table: which the noise leaves unusable, and the ways out."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any
from unicodedata import combining, normalize

import numpy as np
import pandas as pd

from dpcore import tables
from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_TABLE, Colours, Exhibit
from pages.framework.layout.section import Field, Fold, Part, Section
from pages.framework.parameters.number_format import format_input_up, format_up, plural, table_html
from pages.framework.parameters.parameter import Parameter, Search
from pages.shared.counts.parameters import TABLE_FIELD
from pages.tables import claims, code
from pages.tables.cells import figures, text
from pages.tables.explanation import explanation_text
from pages.tables.fields import MOST_FIELDS, folded_fields, known_fields, noise_fields
from pages.tables.mechanisms.results import mechanism_with
from pages.tables.mechanisms.text import cell_questions_with_bars
from pages.tables.parameters import AXIS, FIRST, N_DRAWN, NAMES_OF_CELL_SECTIONS, ORDER, SHARE, SMALLEST
from pages.tables.results import TablesResult
from pages.tables.statements import downloads, has_statements, statements
from pages.tables.text import conditions, sample_text, steps_text, table_answer_text

_MOST_ROWS = 100
MERGES_NAME = "Which cells to merge"
_CAUTION = (
    "Decide on a merge before anybody looks at the counts, such as from an older table: categories that follow the "
    "counts reveal something about them."
)


def ways_out_text(result: TablesResult) -> str:
    """Return how many cells look like empty ones, and what would change that, in Markdown."""
    n, n_unusable = result.n_cells, int(np.sum(~result.is_usable))
    if result.mechanism is None:
        return ""
    if not n_unusable:
        sentence = "each is distinguishable from an empty one in at least half of the releases"
        return f"**All {n:,} cells are usable**: {sentence}."
    verb = "looks" if n_unusable == 1 else "look"
    head = (
        f"**{n_unusable:,} of {plural(n, 'cell')} {verb} like empty ones**: in most releases a count below "
        f"{format_up(result.detection_threshold)} is not distinguishable from 0."
    )
    ways = filter(None, (_epsilon_way(result), _merge_way(result)))
    return "\n".join([f"{head} Ways out:\n", *(f"- {way}" for way in ways)])


def _epsilon_way(result: TablesResult) -> str:
    """Return what twice the ε would do; nothing where the noise has no guarantee there."""
    mechanism = result.mechanism and mechanism_with(result, result.mechanism, epsilon=2)
    if mechanism is None:
        return ""
    n_usable = int(np.sum(result.counts >= tables.detection_threshold(mechanism, result.significance)))
    size = format_up(mechanism.half_width(result.significance))
    return (
        f"**Twice the ε**, {format_input_up(mechanism.epsilon)}: {n_usable:,} of {result.n_cells:,} cells are usable, "
        f"with ±{size}; each person is protected less."
    )


def _merge_way(result: TablesResult) -> str:
    """Return into how many categories the cells can be merged, of which each is usable."""
    if result.counts.sum() < result.detection_threshold:
        return "**Merging** does not help: even all cells together look like an empty one."
    n = int(result.merged_groups.max()) + 1
    several = " Let a person add no more to a merged category than to a cell." if result.setting.per_person > 1 else ""
    return (
        f"**Merge neighbouring cells** into {plural(n, 'category', 'categories')}, all of them usable at this ε: see "
        f"“{MERGES_NAME}”.{several} {_CAUTION}"
    )


def merges_frame(result: TablesResult) -> pd.DataFrame:
    """Return each cell with its count and the number of the category that it is merged into, from 1 on."""
    frame = pd.DataFrame({"cell": [], "count": []}) if result.table is None else result.table.frame
    return frame[["cell", "count"]].assign(category=result.merged_groups + 1)


def merges_table(result: TablesResult, _: Colours) -> Exhibit | None:
    """Return the categories that several cells are merged into; nothing where there is nothing to merge."""
    if result.mechanism is None or result.is_usable.all() or result.counts.sum() < result.detection_threshold:
        return None
    groups = [part for _, part in merges_frame(result).groupby("category") if len(part) > 1]
    rows = [[_category_name(part), f"{len(part):,}", f"{part['count'].sum():,.0f}"] for part in groups[:_MOST_ROWS]]
    html = table_html(MERGES_NAME, "cells", ["Merged category", "Cells", "Count together"], rows)
    least = format_up(result.detection_threshold)
    alternative = f"{plural(len(groups), 'category', 'categories')} of neighbouring cells, each with at least {least}."
    header: dict[str, Any] = result.mechanism_csv_header
    confidential = result.confidential_note(CONFIDENTIAL_TABLE)
    return Exhibit("merges", html, alternative, lambda: merges_frame(result), header, confidential=confidential)


def _category_name(part: pd.DataFrame) -> str:
    """Return the names of two cells, or the first and the last of more."""
    first, last = str(part["cell"].iloc[0])[:60], str(part["cell"].iloc[-1])[:60]
    return f"{first} + {last}" if len(part) == 2 else f"{first} … {last}"


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
    """Return the fields that an analyst knows, and a search where not all cells are in sight."""
    if result.is_missing:
        return (TABLE_FIELD,)
    known = known_fields(result)
    return (*known, *_search_fields(result)) if len(known) < MOST_FIELDS else known


def _search_fields(result: TablesResult) -> tuple[Field, ...]:
    """Return the search for a cell by its name, where there are more cells than are drawn at once."""
    if result.n_cells <= N_DRAWN:
        return ()
    return (Field(FIRST, "Find a cell", search=Search(result.n_cells, N_DRAWN, partial(cells_named, result))),)


def cells_named(result: TablesResult, text: str) -> list[tuple[str, str]]:
    """Return the places and names of the cells whose names have all words of a text: first those that begin with it.

    Large and small letters, and letters with and without accents, are alike.
    """
    typed, order = _plain(text), result.order
    names = [] if result.table is None else [str(name) for name in result.table.frame["cell"].to_numpy()[order]]
    plain_names = enumerate(map(_plain, names), 1)
    found = [(place, name) for place, name in plain_names if all(word in name for word in typed.split())]
    found.sort(key=lambda match: (match[1] != typed, not match[1].startswith(typed), typed not in match[1]))
    return [(str(place), names[place - 1]) for place, _ in found]


def _plain(text: str) -> str:
    text = " ".join(text.casefold().split())
    return text if text.isascii() else "".join(c for c in normalize("NFKD", text) if not combining(c))


def more_settings(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the fields that few users change: the noise and its guarantee, and what is drawn."""
    if result.is_missing:
        return ()
    known = known_fields(result)
    folded, search = folded_fields(result, known), _search_fields(result) if len(known) == MOST_FIELDS else ()
    drawn = *search, Field(ORDER, "Order of the cells"), Field(AXIS, "Axis")
    return *drawn, *folded, *noise_fields(result), SHARE, SMALLEST


def parts(result: TablesResult, colours: Colours) -> Iterator[Part]:
    """Yield the cells with their error bars, what the noise leaves of them, and the first of them in numbers."""
    if result.is_missing:
        return
    yield cells(result, colours)
    yield ways_out_text(result)
    yield sample_text(result)
    yield steps_text(result)
    if result.mechanism is not None:
        yield Fold((cell_questions_with_bars(result, result.mechanism),), "Which counts are large enough")
    if (merges := merges_table(result, colours)) is not None:
        yield Fold((merges,), MERGES_NAME)
    yield Fold((cells_table(result, colours),), "The cells in numbers")
    yield Fold((text.WHY_NOISE,), "Why noise at all")


SECTION = Section[TablesResult](
    key="table",
    name=NAMES_OF_CELL_SECTIONS["table"],
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    is_available=lambda result: result.has_cells,
    answer_text=lambda result: table_answer_text(result, text.answer_text, text.comparison_text),
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(cells, cells_table, merges_table),
    claims=claims.mechanism_claims,
    snippets=code.snippets,
    statements=statements,
    has_statements=has_statements,
    downloads=downloads,
)
