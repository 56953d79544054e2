"""The words on the cells of a table: how many say something, under which question."""

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
from pages.tables.mechanisms.mechanism_text import left_out, part
from pages.tables.parameters import NAMES
from pages.tables.results import TablesResult

MOST_LISTED = 100


def meant(result: TablesResult) -> str:
    """The error that is meant, in words."""
    if result.setting.error == "each":
        return f"for {share(result.setting.significance)} of the releases of each cell"
    if result.n_cells == 1:
        return f"for {share(result.setting.significance)} of releases"
    return f"for all {result.n_cells:,} cells together in {share(result.setting.significance)} of releases"


def subtitle(result: TablesResult) -> str:
    """The parameters of the picture, on one line."""
    source = "" if result.counts is None else result.counts.source.split(" (")[0]
    name = "" if result.noise is None else result.noise.name
    return f"{chart_text(source)}: {name} ±{format_up(result.half_width)} {meant(result)}; {result.drawn_place}"


def answer(result: TablesResult) -> tuple[str, str]:
    """How many cells of the table still say something, and under which noise."""
    if result.noise is None:
        return without_noise(result)
    n, told = result.n_cells, int(np.sum(result.told >= 0.5))
    cells = "cell" if n == 1 else "cells"
    first = (
        f"{told:,} of {n:,} {cells} can still be told from an empty one, in at least half of their releases: "
        f"{in_words(result.noise)} noise, ±{format_up(result.half_width)}."
    )
    return first, (
        f"± holds {meant(result)}, at {result.drawn_place}. {promise(result, result.noise)} {_source(result)}".rstrip()
    )


def without_noise(result: TablesResult) -> tuple[str, str]:
    """Why no noise is drawn, and what to do about it."""
    chosen = result.setting.mechanism
    if chosen == "recommended":
        return text.answer(result)
    return f"{NAMES[chosen]} noise has no answer here.", f"{left_out(result)[chosen]} Choose another noise."


def compared(result: TablesResult) -> str:
    """What of the drawn noise has changed since a setting was pinned."""
    kept = result.pinned
    if kept is None or kept.noise is None or result.noise is None:
        return "Since the pinned setting: one of the two has no noise."
    sizes = f"±{format_up(kept.half_width)} {meant(kept)} → ±{format_up(result.half_width)} {meant(result)}"
    return f"Since the pinned setting: {in_words(kept.noise)} → {in_words(result.noise)} noise, {sizes}."


def promise(result: TablesResult, noise: Mechanism) -> str:
    """What the drawn noise promises, or that it breaks that promise."""
    if noise.status == FAILS:
        given = format_input_up(result.setting.delta)
        return f"✗ This noise breaks its promise: its true δ is {format_up(noise.true_delta)}, not {given}."
    unproved = "" if noise.status == PROVED else ", which is not proved at this ε"
    return f"It keeps {noise.guarantee}{unproved}."


def _source(result: TablesResult) -> str:
    return "" if result.counts is None else f"{escape_markdown(result.counts.source)}."


def alternative(result: TablesResult) -> str:
    """What the picture of the cells shows, for those who can't see it."""
    return (
        f"{result.n_cells:,} cells from {format_nearest(float(result.count.max(initial=0)))} down to "
        f"{format_nearest(float(result.count.min(initial=0)))}, each with ±{format_up(result.half_width)}: "
        f"{int(result.bar_above_zero.sum()):,} of the error bars end above 0, and {int(result.stays.sum()):,} of the "
        "cells stay above 0, where only errors downwards count."
    )


def listed(result: TablesResult) -> str:
    """The first cells of the table in numbers, as HTML."""
    if result.counts is None:
        return ""
    frame = result.counts.frame.head(MOST_LISTED)
    heads = ["Cell", "Count", "± ÷ count", "Stays above 0", "Told from an empty cell in"]
    rows = [
        [
            str(cell)[:80],
            f"{count:,.0f}",
            part(result.half_width / count) if count else "–",
            ("yes" if clear else "yes, though its bar reaches 0") if stays else "no",
            f"{format_down(100 * told, 3)} % of releases",
        ]
        for cell, count, clear, stays, told in zip(
            frame["cell"], frame["count"], result.bar_above_zero, result.stays, result.told, strict=False
        )
    ]
    return table_html("The cells in numbers", "cells", heads, rows)
