"""The sentences on the cells of a table: how many are distinguishable from empty ones, and under which noise."""

import numpy as np

from dpcore.calibrations import FAILS, PROVED
from dpcore.mechanism import Mechanism
from pages.framework.parameters.number_format import (
    chart_text,
    escape_markdown,
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    share,
    table_html,
)
from pages.shared.formulas import in_words
from pages.tables.mechanisms import text
from pages.tables.mechanisms.mechanism_text import share_of_count, unavailable_reasons
from pages.tables.parameters import NAMES
from pages.tables.results import TablesResult

_MOST_ROWS = 100


def error_text(result: TablesResult) -> str:
    """Return the kind of error and how many releases it holds for."""
    if result.setting.error == "each":
        return f"for {share(result.setting.significance)} of the releases of each cell"
    if result.n_cells == 1:
        return f"for {share(result.setting.significance)} of releases"
    return f"for all {result.n_cells:,} cells together in {share(result.setting.significance)} of releases"


def subtitle(result: TablesResult) -> str:
    """Return the parameters of the figure, on one line."""
    source = "" if result.table is None else result.table.source.split(" (")[0]
    name = "" if result.mechanism is None else result.mechanism.name
    return (
        f"{chart_text(source)}: {name} ±{format_up(result.half_width)} {error_text(result)};"
        f" {result.mechanism_parameters_text}"
    )


def answer_text(result: TablesResult) -> tuple[str, str]:
    """Return how many cells are distinguishable from an empty one, and under which noise."""
    if result.mechanism is None:
        return no_mechanism_text(result)
    n, n_visible = result.n_cells, int(np.sum(result.visible_share >= 0.5))
    cells = "cell" if n == 1 else "cells"
    first = (
        f"{n_visible:,} of {n:,} {cells} can still be told from an empty one, in at least half of their releases: "
        f"{in_words(result.mechanism)} noise, ±{format_up(result.half_width)}."
    )
    return (
        first,
        f"± holds {error_text(result)}, at {result.mechanism_parameters_text}."
        f" {guarantee_text(result, result.mechanism)} {_source_text(result)}".rstrip(),
    )


def no_mechanism_text(result: TablesResult) -> tuple[str, str]:
    """Return why there is no noise, and what to do about it."""
    choice = result.setting.mechanism
    if choice == "recommended":
        return text.answer_text(result)
    return f"{NAMES[choice]} noise has no answer here.", f"{unavailable_reasons(result)[choice]} Choose another noise."


def comparison_text(result: TablesResult) -> str:
    """Return how the noise differs from that of the pinned setting."""
    pinned = result.pinned
    if pinned is None or pinned.mechanism is None or result.mechanism is None:
        return "Since the pinned setting: one of the two has no noise."
    sizes = (
        f"±{format_up(pinned.half_width)} {error_text(pinned)} → ±{format_up(result.half_width)} {error_text(result)}"
    )
    return f"Since the pinned setting: {in_words(pinned.mechanism)} → {in_words(result.mechanism)} noise, {sizes}."


def guarantee_text(result: TablesResult, mechanism: Mechanism) -> str:
    """Return the guarantee of the noise, or that it violates it."""
    if mechanism.status == FAILS:
        target = format_input_up(result.setting.delta)
        return f"✗ This noise breaks its promise: its true δ is {format_up(mechanism.true_delta)}, not {target}."
    caveat = "" if mechanism.status == PROVED else ", which is not proved at this ε"
    return f"It keeps {mechanism.guarantee}{caveat}."


def _source_text(result: TablesResult) -> str:
    return "" if result.table is None else f"{escape_markdown(result.table.source)}."


def alternative_text(result: TablesResult) -> str:
    """Return what the figure of the cells shows, for those who can't see it."""
    return (
        f"{result.n_cells:,} cells from {format_nearest(float(result.counts.max(initial=0)))} down to"
        f" {format_nearest(float(result.counts.min(initial=0)))}, each with ±{format_up(result.half_width)}:"
        f" {int(result.bar_is_above_zero.sum()):,} of the error bars end above 0, and"
        f" {int(result.stays_above_zero.sum()):,} of the cells stay above 0, where only errors downwards count."
    )


def cells_html(result: TablesResult) -> str:
    """Return the first cells of the table in numbers, as an HTML table."""
    if result.table is None:
        return ""
    frame = result.table.frame.head(_MOST_ROWS)
    heads = ["Cell", "Count", "± ÷ count", "Stays above 0", "Told from an empty cell in"]
    rows = [
        [
            str(cell)[:80],
            f"{count:,.0f}",
            share_of_count(result.half_width / count) if count else "–",
            ("yes" if is_bar_positive else "yes, though its bar reaches 0") if is_positive else "no",
            f"{format_down(100 * share, 3)} % of releases",
        ]
        for cell, count, is_bar_positive, is_positive, share in zip(
            frame["cell"],
            frame["count"],
            result.bar_is_above_zero,
            result.stays_above_zero,
            result.visible_share,
            strict=False,
        )
    ]
    return table_html("The cells in numbers", "cells", heads, rows)
