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
from pages.tables import noise_words
from pages.tables.found import Found
from pages.tables.mechanism_words import left_out, part
from pages.tables.parameters import NAMES

MOST_LISTED = 100


def meant(found: Found) -> str:
    """The error that is meant, in words."""
    if found.setting.error == "each":
        return f"for {share(found.setting.significance)} of the releases of each cell"
    if found.n_cells == 1:
        return f"for {share(found.setting.significance)} of releases"
    return f"for all {found.n_cells:,} cells together in {share(found.setting.significance)} of releases"


def subtitle(found: Found) -> str:
    """The parameters of the picture, on one line."""
    source = "" if found.counts is None else found.counts.source.split(" (")[0]
    name = "" if found.noise is None else found.noise.name
    return f"{chart_text(source)}: {name} ±{format_up(found.half_width)} {meant(found)}; {found.drawn_place}"


def answer(found: Found) -> tuple[str, str]:
    """How many cells of the table still say something, and under which noise."""
    if found.noise is None:
        return without_noise(found)
    n, told = found.n_cells, int(np.sum(found.told >= 0.5))
    cells = "cell" if n == 1 else "cells"
    first = (
        f"{told:,} of {n:,} {cells} can still be told from an empty one, in at least half of their releases: "
        f"{in_words(found.noise)} noise, ±{format_up(found.half_width)}."
    )
    return first, (
        f"± holds {meant(found)}, at {found.drawn_place}. {promise(found, found.noise)} {_source(found)}".rstrip()
    )


def without_noise(found: Found) -> tuple[str, str]:
    """Why no noise is drawn, and what to do about it."""
    chosen = found.setting.mechanism
    if chosen == "recommended":
        return noise_words.answer(found)
    return f"{NAMES[chosen]} noise has no answer here.", f"{left_out(found)[chosen]} Choose another noise."


def compared(found: Found) -> str:
    """What of the drawn noise has changed since a setting was pinned."""
    kept = found.pinned
    if kept is None or kept.noise is None or found.noise is None:
        return "Since the pinned setting: one of the two has no noise."
    sizes = f"±{format_up(kept.half_width)} {meant(kept)} → ±{format_up(found.half_width)} {meant(found)}"
    return f"Since the pinned setting: {in_words(kept.noise)} → {in_words(found.noise)} noise, {sizes}."


def promise(found: Found, noise: Mechanism) -> str:
    """What the drawn noise promises, or that it breaks that promise."""
    if noise.status == FAILS:
        given = format_input_up(found.setting.delta)
        return f"✗ This noise breaks its promise: its true δ is {format_up(noise.true_delta)}, not {given}."
    unproved = "" if noise.status == PROVED else ", which is not proved at this ε"
    return f"It keeps {noise.guarantee}{unproved}."


def _source(found: Found) -> str:
    return "" if found.counts is None else f"{escape_markdown(found.counts.source)}."


def alternative(found: Found) -> str:
    """What the picture of the cells shows, for those who can't see it."""
    return (
        f"{found.n_cells:,} cells from {format_nearest(float(found.count.max(initial=0)))} down to "
        f"{format_nearest(float(found.count.min(initial=0)))}, each with ±{format_up(found.half_width)}: "
        f"{int(found.bar_above_zero.sum()):,} of the error bars end above 0, and {int(found.stays.sum()):,} of the "
        "cells stay above 0, where only errors downwards count."
    )


def listed(found: Found) -> str:
    """The first cells of the table in numbers, as HTML."""
    if found.counts is None:
        return ""
    frame = found.counts.frame.head(MOST_LISTED)
    heads = ["Cell", "Count", "± ÷ count", "Stays above 0", "Told from an empty cell in"]
    rows = [
        [
            str(cell)[:80],
            f"{count:,.0f}",
            part(found.half_width / count) if count else "–",
            ("yes" if clear else "yes, though its bar reaches 0") if stays else "no",
            f"{format_down(100 * told, 3)} % of releases",
        ]
        for cell, count, clear, stays, told in zip(
            frame["cell"], frame["count"], found.bar_above_zero, found.stays, found.told, strict=False
        )
    ]
    return table_html("The cells in numbers", "cells", heads, rows)
