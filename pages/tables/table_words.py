"""The words on the cells of a table: how many say something, under which question."""

from html import escape

import numpy as np

from dpcore.calibrations import FAILS, PROVED
from dpcore.tables import Noise
from pages.shared.text import down, given_up, nearest, share, table_html, up
from pages.tables.found import Found
from pages.tables.mechanism_words import in_words

MOST_LISTED = 100


def meant(found: Found) -> str:
    """The error that is meant, in words."""
    if found.setting.error == "each":
        return f"for {share(found.setting.significance)} of the releases of each cell"
    return f"for all {found.n_cells:,} cells together in {share(found.setting.significance)} of releases"


def subtitle(found: Found) -> str:
    """The parameters of the picture, on one line."""
    source = "" if found.counts is None else found.counts.source.split(" (")[0]
    name = "" if found.noise is None else found.noise.name
    return f"{escape(source)}: {name} ±{up(found.half_width)} {meant(found)}; {found.drawn_place}"


def answer(found: Found) -> tuple[str, str]:
    """How many cells of the table still say something, and under which noise."""
    if found.noise is None:
        return "No noise that is offered keeps the promise here.", "Choose another promise, or another ε."
    n, told = found.n_cells, int(np.sum(found.told >= 0.5))
    first = (
        f"At {found.drawn_place}, {in_words(found.noise)} noise of ±{up(found.half_width)} leaves {told:,} of {n:,} "
        "cells that are told from an empty one in at least half of their releases."
    )
    return first, f"± holds {meant(found)}. {promise(found, found.noise)} {_source(found)}".rstrip()


def promise(found: Found, noise: Noise) -> str:
    """What the drawn noise promises, or that it breaks that promise."""
    if noise.status == FAILS:
        given = given_up(found.setting.delta)
        return f"✗ This noise breaks its promise: its true δ is {up(noise.true_delta)}, not {given}."
    unproved = "" if noise.status == PROVED else ", which is not proved at this ε"
    return f"It keeps {noise.promise}{unproved}."


def _source(found: Found) -> str:
    return "" if found.counts is None else f"{found.counts.source}."


def percent_up_of(ratio: float) -> str:
    """A ratio as a percentage, never too small.

    >>> percent_up_of(0.4141)
    '41.41 %'
    """
    return f"{up(100 * ratio)} %"


def alternative(found: Found) -> str:
    """What the picture of the cells shows, for those who can't see it."""
    return (
        f"{found.n_cells:,} cells from {nearest(float(found.count.max(initial=0)))} down to "
        f"{nearest(float(found.count.min(initial=0)))}, each with ±{up(found.half_width)}: "
        f"{int(found.stays.sum()):,} of them stay above 0."
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
            percent_up_of(found.half_width / count) if count else "–",
            "yes" if stays else "no",
            f"{down(100 * told, 3)} % of releases",
        ]
        for cell, count, stays, told in zip(frame["cell"], frame["count"], found.stays, found.told, strict=False)
    ]
    return table_html("The cells in numbers", "cells", heads, rows)
