"""The section on the cells of a table: which the noise leaves unusable, and the ways out."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import Any
from unicodedata import combining, normalize

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import tables
from dpcore.checks import Array
from pages.framework.chart.theme import TYPE, compact, decades, layout, log_axis, markers, round_axis_end
from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_TABLE, Colours, Exhibit, Figure
from pages.framework.layout.section import Field, Fold, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    chart_text,
    format_input_up,
    format_up,
    percent_up,
    plural,
    table_html,
)
from pages.framework.parameters.parameter import Parameter, Search
from pages.shared.counts.table import TABLE_FIELD
from pages.shared.formulas import in_words
from pages.tables import code, text
from pages.tables.mechanisms.results import doubled
from pages.tables.mechanisms.text import TOLD_FROM_EMPTY, cell_questions, error_bar_note
from pages.tables.parameters import AXIS, FIRST, N_DRAWN, NAMES_OF_CELL_SECTIONS, ORDER, SHARE, SMALLEST
from pages.tables.results import TablesResult
from pages.tables.statements import steps_text
from pages.tables.text import (
    MOST_FIELDS,
    MOST_ROWS,
    folded_fields,
    known_fields,
    noise_fields,
    sample_text,
)

_MOST_NAMES = 24  # names of more cells have no room on the axis
_MOST_ON_AXIS, _MOST_IN_HOVER = 22, 80  # characters of a name
_POINT = 0.012  # the width of a point as a share of the axis
_ROW = 17  # px, of a cell with its name
USABLE, LIKE_EMPTY = "can be told from an empty cell", "looks like an empty cell"


def cells(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return cells under one another, each as a point with its interval, or its half-width over its count.

    There is nothing where there is no table or no mechanism.
    """
    if result.table is None or result.mechanism is None:
        return None
    axis, relative, order = result.values["axis"], result.values["axis"] == "relative", result.drawn_order
    order = order[result.counts[order] > 0] if relative else order
    places, count, half_width = np.arange(1, len(order) + 1), result.counts[order], result.half_width
    reach = half_width / count if relative else np.maximum(count, 0.5) if axis == "log" else count
    names, common = axis_names(result, order)
    title = "Error as a share of the count" if relative else "Your cells, and where a release falls"
    cells_by = f"{subtitle(result)}{drawn_text(result)}{f'; cells by {common}' if common else ''}"
    across, ticks = _count_axis(axis, result) | {"side": "top"}, {"tickvals": [*range(1, len(names) + 1)]}
    down = {"range": [max(len(order), 1) + 0.7, 0.3], "showgrid": False, "fixedrange": True}  # the first one on top
    figure = layout(colours, title, cells_by, across, down | ticks | {"ticktext": names})
    least = 60 + _ROW * len(order)
    figure |= {"hovermode": "closest", "height": max(figure["height"], least), "meta": {"leastHeight": least}}
    if not relative and _are_bars_hidden(reach, half_width, figure["xaxis"]):
        figure["title"]["subtitle"]["text"] += "; intervals narrower than the points"
    traces, is_usable = [], result.is_usable[order]
    classes = (
        (is_usable, USABLE, mechanism_colour(result, colours), "circle"),
        (~is_usable, LIKE_EMPTY, colours["quiet"], "diamond-open"),
    )
    for in_class, name, shade, symbol in classes:
        if in_class.any():
            marker = {"color": shade, "symbol": symbol, "size": 7}
            trace = markers(reach[in_class], places[in_class], name, marker)
            trace |= {"text": cell_names(result, order[in_class]), "customdata": compact(count[in_class])}
            trace |= {"hovertemplate": "%{text}<br>count %{customdata:,}<extra></extra>"}
            trace |= {} if relative else {"error_x": _error_bars(reach[in_class], half_width, axis, shade)}
            traces.append(trace)
    if axis == "linear":
        zero = {"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1}
        figure["shapes"].append(zero | {"line": {"color": colours["quiet"], "width": 1}})
    if relative:
        _mark_accepted_share(figure, result.values["share"], colours)
    return _cells_exhibit(result, "cells", {"data": traces, "layout": figure}, CONFIDENTIAL_PICTURE)


def cells_table(result: TablesResult, _: Colours) -> Exhibit | None:
    """Return the first cells in numbers; their CSV has all."""
    if result.table is None or result.mechanism is None:
        return None
    return _cells_exhibit(result, "cells_table", text.cells_html(result), CONFIDENTIAL_TABLE)


def _cells_exhibit(result: TablesResult, name: str, picture: Figure | str, sentence: str) -> Exhibit:
    """Return an exhibit of the cells; the header says which errors the columns of `cells_frame` count."""
    header = result.mechanism_csv_header | {
        "low and high": "count − accuracy and count + accuracy: errors in both directions count",
        "distinguishable_from_empty": "share of releases in which the cell reaches the threshold for empty cells",
        "stays_above_zero": "only errors downwards count, so it may be True where low is 0 or less",
    }
    alternative, confidential = text.cells_alternative_text(result), result.confidential_note(sentence)
    return Exhibit(name, picture, alternative, partial(cells_frame, result), header, confidential=confidential)


def _are_bars_hidden(reach: Array, half_width: float, axis: dict[str, Any]) -> bool:
    """Return whether every interval is narrower than its point, on an axis of which a point takes a hundredth."""
    ends = reach + half_width
    widths = np.log10(ends / reach) if axis.get("type") == "log" else ends - reach
    low, high = axis["range"]
    return bool(np.all(2 * widths < _POINT * (high - low)))


def mechanism_colour(result: TablesResult, colours: Colours) -> str:
    """Return the colour of the mechanism, as on every page."""
    return colours["quiet" if result.mechanism is None else result.mechanism.key]


def cells_axis(result: TablesResult, order: NDArray[np.intp]) -> dict[str, Any]:
    """Return the axis of cells: their short names if they are few and differ, else their places alone."""
    n_cells, (names, common) = result.counts.size, axis_names(result, order)
    axis: dict[str, Any] = {"range": [0.3, max(n_cells, 1) + 0.7]}
    if n_cells > _MOST_NAMES or len({*names}) < len(names):
        return axis | {"title": {"text": "cells, largest first"}}
    title = {"title": {"text": common}} if common else {}
    return axis | {"tickvals": [*range(1, len(names) + 1)], "ticktext": names, "autotickangles": [0, -60, 90]} | title


def cell_names(result: TablesResult, order: NDArray[np.intp]) -> list[str]:
    """Return the names of cells as text of a chart."""
    return [number_format.chart_text(name, _MOST_IN_HOVER) for name in _names(result, order)]


def axis_names(result: TablesResult, order: NDArray[np.intp]) -> tuple[list[str], str]:
    """Return the names of cells for an axis, and the words that all of them have in common, if they were left out.

    They are left out where the names, cut to the length that the axis has room for, are not different.
    """
    names = _names(result, order)
    parts = [name.split(", ") for name in names]
    common = [""]
    if len({name[: _MOST_ON_AXIS - 1] for name in names}) < len(names) and len({*map(len, parts)}) == 1:
        common = [_common_words(column) for column in zip(*parts, strict=True)]
        rests = ([part.removeprefix(f"{word} ") for part, word in zip(words, common, strict=True)] for words in parts)
        names = [", ".join(rest) for rest in rests]
    short = [number_format.chart_text(name, _MOST_ON_AXIS) for name in names]
    return short, number_format.chart_text(", ".join(filter(None, common)), _MOST_IN_HOVER)


def _common_words(names: Sequence[str]) -> str:
    """Return the words with which all names begin, without the last word of any."""
    words = zip(*(name.split(" ")[:-1] for name in names), strict=False)
    return " ".join(alike[0] for alike in takewhile(lambda column: len({*column}) == 1, words))


def _names(result: TablesResult, order: NDArray[np.intp]) -> list[str]:
    return [] if result.table is None else [*map(str, result.table.frame["cell"].to_numpy()[order])]


def _count_axis(axis: str, result: TablesResult) -> dict[str, Any]:
    """Return the axis of counts, over a range that seldom changes."""
    half_width, top = result.half_width, max(float(result.counts.max(initial=0)), 1.0)
    if axis == "linear":
        low, high = round_axis_end(half_width), round_axis_end(top + half_width)
        pad = 0.02 * (low + high)  # so that the end of a bar is visible
        return {"range": [-low - pad, high + pad], "title": {"text": "count"}}
    if axis == "log":
        low, high = decades(0, 1, top + half_width)
        return log_axis("count; an empty cell at 0.5", low, high) | {"range": [np.log10(0.4), high]}
    least = float(result.counts[result.counts > 0].min(initial=top))
    low, high = decades(-1, 0, half_width / top, half_width / least)
    return log_axis("± ÷ count", low, high)


def _error_bars(reach: Array, half_width: float, axis: str, shade: str) -> dict[str, Any]:
    if axis == "linear":
        return {"type": "constant", "value": half_width, "color": shade, "thickness": 1.5, "width": 3}
    down = np.minimum(half_width, reach - 0.4)  # a log axis has no place for 0
    shape = {"type": "data", "symmetric": False, "color": shade, "thickness": 1.5, "width": 3}
    return shape | {"array": compact(np.full(reach.size, half_width)), "arrayminus": compact(np.maximum(down, 0))}


def _mark_accepted_share(figure: Figure, share: float, colours: Colours) -> None:
    """Mark the share of the count that the error may be."""
    style = {"color": colours["quiet"], "dash": "dash", "width": 1}
    figure["shapes"].append(
        {"type": "line", "x0": share, "x1": share, "yref": "paper", "y0": 0, "y1": 1, "line": style}
    )
    note = {"text": "accepted", "showarrow": False, "yref": "paper", "y": 1, "xanchor": "left", "yanchor": "bottom"}
    figure["annotations"].append(note | {"x": float(np.log10(share)), "font": {"size": TYPE}})


MERGES_NAME = "Which cells to merge"
_CAUTION = (
    "Decide on a merge before anybody looks at the counts, such as from an older table: categories that follow the "
    "counts reveal something about them."
)
_FOLLOWS_COUNTS = (
    "**This merge follows your counts.** It is a way out only if they are those of an older table, or public: which "
    "cells to merge must be decided before anybody looks at the counts that are published."
)


def ways_out_text(result: TablesResult) -> str:
    """Return how many cells look like empty ones, what the others are usable for, and what would help, in Markdown."""
    n, n_unusable = result.n_cells, int(np.sum(~result.is_usable))
    if result.mechanism is None:
        return ""
    if not n_unusable:
        sentence = "each can be told from an empty one in at least half of the releases"
        return f"**All {n:,} cells are usable**: {sentence}. {_within_text(result)}"
    like = "looks like an empty one" if n_unusable == 1 else "look like empty ones"
    head = (
        f"**{n_unusable:,} of {plural(n, 'cell')} {like}**: in most releases a count below "
        f"{format_up(result.detection_threshold)} cannot be told from 0. The others are usable in this sense. "
        f"{_within_text(result)}"
    )
    ways = [way for way in (_epsilon_way(result, n - n_unusable), _merge_way(result)) if way]
    return "\n".join([f"{head} Ways out:\n", *(f"- {way}" for way in ways)]) if ways else head


def _within_text(result: TablesResult) -> str:
    """Return how many cells are within the error that is accepted, as a share of their counts."""
    part = result.values["share"]
    n_within = 0 if result.mechanism is None else int(np.sum(result.half_width <= part * result.counts))
    return f"{n_within:,} of {result.n_cells:,} are within {percent_up(part)} of their count."


def _epsilon_way(result: TablesResult, n_before: int) -> str:
    """Return what twice the ε would do; nothing where no more cells are usable, or the noise has no guarantee there."""
    mechanism = result.mechanism and doubled(result, result.mechanism, "epsilon")
    if mechanism is None:
        return ""
    n_usable = int(np.sum(result.counts >= tables.detection_threshold(mechanism, result.significance)))
    if n_usable <= n_before:
        return ""
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
        f"**Merge cells that follow each other in the table** into {plural(n, 'category', 'categories')}, all of them "
        f"usable at this ε: see “{MERGES_NAME}”.{several} {_FOLLOWS_COUNTS if result.is_own else _CAUTION}"
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
    rows = [[_category_name(part), f"{len(part):,}", f"{part['count'].sum():,.0f}"] for part in groups[:MOST_ROWS]]
    html = table_html(MERGES_NAME, "cells", ["Merged category", "Cells", "Count together"], rows)
    least = format_up(result.detection_threshold)
    alternative = f"{plural(len(groups), 'category', 'categories')} of neighbouring cells, each with at least {least}."
    about = partial(merges_frame, result), result.mechanism_csv_header
    return Exhibit("merges", html, alternative, *about, confidential=result.confidential_note(CONFIDENTIAL_TABLE))


def _category_name(part: pd.DataFrame) -> str:
    """Return the names of two cells, or the first and the last of more."""
    first, last = str(part["cell"].iloc[0])[:60], str(part["cell"].iloc[-1])[:60]
    return f"{first} + {last}" if len(part) == 2 else f"{first} … {last}"


def subtitle(result: TablesResult) -> str:
    """Return the table and its noise, on one line."""
    source = "" if result.table is None else result.table.source.split(" (")[0]
    error = f"±{format_up(result.half_width)} {text.error_text(result)}"
    return f"{chart_text(source)}: {error}; {text.short_parameters_text(result)}"


def drawn_text(result: TablesResult) -> str:
    """Return which cells are drawn, after a semicolon, and how many of the others look like an empty one; or nothing.

    Reports and saved pictures have no field beside them that says so.
    """
    n, drawn = result.n_cells, result.drawn_order
    if drawn.size == n:
        return ""
    first = min(int(result.values["first_cell"]), n)
    order = "the largest first" if result.values["cell_order"] == "size" else "as in the table"
    is_left_out = np.ones(n, dtype=np.bool_)
    is_left_out[drawn] = False
    n_like_empty = int(np.sum(is_left_out & ~result.is_usable))
    others = f"; {n_like_empty:,} of the others {'looks' if n_like_empty == 1 else 'look'} like an empty cell"
    place = f"{first:,}–{first + drawn.size - 1:,} of {n:,}" if drawn.size > 1 else f"{first:,} of {n:,}"
    return f"; drawn: {place}, {order}{others if n_like_empty else ''}"


def cells_frame(result: TablesResult) -> pd.DataFrame:
    """Return the cells with the ends of their error bars, and how often they are told from empty ones, as a frame."""
    if result.table is None:
        return pd.DataFrame()
    counts, half_width = result.counts, result.half_width
    return result.table.frame.assign(
        low=counts - half_width,
        high=counts + half_width,
        stays_above_zero=result.stays_above_zero,
        distinguishable_from_empty=result.visible_share,
    )


def answer_text(result: TablesResult) -> tuple[str, str]:
    """Return within which ± the cells are, and under which noise how many can be told from an empty one."""
    if result.mechanism is None:
        return text.no_mechanism_text(result)
    n, n_visible = result.n_cells, int(np.sum(result.is_usable))
    n_cells = f"{n_visible:,} of {n:,} cells {'is' if n_visible == 1 else 'are'}"
    if n == 1:
        n_cells = f"the one cell is{'' if n_visible else ' not'}"
    usable = f"With {in_words(result.mechanism)} noise, {n_cells} {TOLD_FROM_EMPTY}"
    guarantee = text.guarantee_text(result, result.mechanism)
    return f"{text.half_width_meaning(result)}.", f"{usable}; {guarantee}."


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
    matches = [(place, name) for place, name in plain_names if all(word in name for word in typed.split())]
    matches.sort(key=lambda match: (match[1] != typed, not match[1].startswith(typed), typed not in match[1]))
    return [(str(place), names[place - 1]) for place, _ in matches]


def _plain(text: str) -> str:
    text = " ".join(text.casefold().split())
    return text if text.isascii() else "".join(c for c in normalize("NFKD", text) if not combining(c))


def more_settings(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the fields that few users change: the noise and its guarantee, and what is drawn."""
    if result.is_missing:
        return ()
    known = known_fields(result)
    folded, search = folded_fields(result, known), _search_fields(result) if len(known) == MOST_FIELDS else ()
    picture_fields = *search, Field(ORDER, "Order of the cells"), Field(AXIS, "Axis")
    return *picture_fields, *folded, *noise_fields(result), SHARE, SMALLEST


def parts(result: TablesResult, colours: Colours) -> Iterator[Part]:
    """Yield the cells with their error bars, what the noise leaves of them, and the first of them in numbers."""
    if result.is_missing:
        return
    yield cells(result, colours)
    yield ways_out_text(result)
    yield sample_text(result)
    yield steps_text(result)
    if result.mechanism is not None:
        yield Fold(
            (cell_questions(result, result.mechanism, error_bar_note(result, result.mechanism)),),
            "Which counts are large enough",
        )
    if (merges := merges_table(result, colours)) is not None:
        yield Fold(lambda: (_FOLLOWS_COUNTS if result.is_own else _CAUTION, merges), MERGES_NAME)
    yield Fold(lambda: (cells_table(result, colours),), "The cells in numbers")
    yield Fold((text.WHY_NOISE,), "Why noise at all")


SECTION = Section[TablesResult](
    key="table",
    name=NAMES_OF_CELL_SECTIONS["table"],
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    is_available=lambda result: result.has_cells,
    answer_text=lambda result: text.section_answer_text(result, answer_text, text.comparison_text),
    exhibits=(cells, cells_table, merges_table),
    claims=code.mechanism_claims,
    **code.TABLE_ANSWER,
)
