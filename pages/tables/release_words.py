"""The words on one release of a table, and on what repeated releases keep."""

import math

import numpy as np

from dpcore import tables
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from pages.framework.parameters.number_format import chart_text, format_nearest, format_up, percent, table_html
from pages.shared.formulas import in_words
from pages.tables.found import Found, Kept
from pages.tables.release_figures import MOST_SHOWN, NAMES, shown_cells
from pages.tables.table_words import meant, promise, without_noise

TRIAL = (
    "**For trial only: this is no release.** The noise comes from a seed that stands in the link, so whoever has the "
    "link can take it off again; and noise that is drawn in floating point tells more in its last digits than its "
    "promise allows. Libraries that make a release: OpenDP, Tumult Analytics, and Google’s differential-privacy "
    "library."
)
_SHOWN_ROWS = 20


def answer(found: Found) -> tuple[str, str]:
    """What one release, or many, leave of the table."""
    if found.noise is None:
        return without_noise(found)
    if found.values["repeated"] == "on" and found.kept is not None:
        return _kept(found, found.kept, found.noise)
    wrong = np.abs(found.released - found.count)
    mean, most = format_nearest(float(wrong.mean()), 3), format_nearest(float(wrong.max()), 3)
    first = (
        f"At {found.drawn_place}, this release with {in_words(found.noise)} noise is off by {mean} on average and by "
        f"{most} at most."
    )
    rounded = found.values["rounded"] == "on" and not found.noise.whole
    reach = math.floor(found.half_width + 0.5) if rounded else found.half_width  # of what is rounded to whole numbers
    second = f"±{format_up(reach)} holds {meant(found)}; seed {found.values['seed']:.0f}."
    return first, f"{second} {promise(found, found.noise)}"


def _kept(found: Found, kept: Kept, noise: Mechanism) -> tuple[str, str]:
    order, sign, told = (float(np.mean(each)) for each in (kept.order, kept.sign, kept.significance))
    first = (
        f"Over {kept.n_repeats:,} releases with {in_words(noise)} noise, a cell keeps its place in the order in "
        f"{percent(order, 3)}, its sign in {percent(sign, 3)}, and is told from an empty one, or not, as it should in "
        f"{percent(told, 3)} of them."
    )
    second = (
        f"Means over {_cells(found)}, at {found.drawn_place}; seed {found.values['seed']:.0f}. "
        f"{promise(found, noise)}{_fewer(kept.n_repeats)}"
    )
    return first, second


def _cells(found: Found) -> str:
    return "the one cell" if found.count.size == 1 else f"the {found.count.size:,} cells"


def _fewer(n_repeats: int) -> str:
    return "" if n_repeats == 500 else f" A table of this size is released {n_repeats:,} times, not 500, in a moment."


def release_subtitle(found: Found) -> str:
    """The parameters of the picture of a release, on one line."""
    source = "" if found.counts is None else found.counts.source.split(" (")[0]
    name = "" if found.noise is None else found.noise.name
    cut = f" The {MOST_SHOWN} largest of {found.count.size:,} cells." if found.count.size > MOST_SHOWN else ""
    return f"{chart_text(source)}: {name}; {found.drawn_place}; seed {found.values['seed']:.0f}.{cut}"


def release_alternative(found: Found) -> str:
    """What the picture of a release shows, for those who can't see it."""
    wrong = np.abs(found.released - found.count)
    return (
        f"Bars of {len(shown_cells(found)):,} cells, each true count beside the released one, which differ by "
        f"{format_nearest(float(wrong.mean()), 3)} on average."
    )


def kept_alternative(found: Found, kept: Kept) -> str:
    """What the picture of repeated releases shows, for those who can't see it."""
    parts = [f"{name} in {percent(float(np.mean(getattr(kept, key))), 3)}" for key, name in NAMES.items()]
    return f"Of {found.count.size:,} cells, over {kept.n_repeats:,} releases, a cell keeps {', '.join(parts)}."


def kept_meaning() -> str:
    """What order, sign and significance mean, in Markdown."""
    return (
        "A release keeps a cell’s **place in the order** when every cell of a larger count is released as a larger "
        "number than it, and every cell of a smaller count as a smaller one. It keeps the **sign** when the cell is "
        "released above 0 exactly if its count is above 0. It is **told from an empty cell, or not, as it "
        "should** when it is released as high as an empty cell seldom is, exactly if its count is above 0."
    )


def processing(found: Found) -> str:
    """What post-processing does to the privacy, and to the bias, in Markdown."""
    if found.noise is None or not found.count.size:
        return ""
    clipped, rounded = found.values["clipped"] == "on", found.values["rounded"] == "on"
    below = int(np.sum(found.released < 0))
    if clipped:
        bias = _bias(found, found.noise)
    elif below:
        cells = "cell is" if below == 1 else "cells are"
        bias = (
            f"**No cell has a bias**: the noise is 0 on average. {below:,} {cells} released below 0 here; to clip them "
        )
        bias += "at 0 would lift every sum that is taken of them."
    else:
        bias = "**No cell has a bias**: the noise is 0 on average."
    if rounded:
        moves = "changes nothing here: this noise is whole" if found.noise.whole else "moves a release by at most 0.5"
        bias += f" Rounding to whole numbers {moves}."
    return f"{bias} Clipping and rounding look at the release only, so they cost no privacy."


def _bias(found: Found, noise: Mechanism) -> str:
    values, places = np.unique(np.append(found.count, 0.0), return_inverse=True)  # an empty cell is always asked for
    lift = _lift(found, noise, values)[places]
    total, lifted = float(found.count.sum()), float(lift[:-1].sum())
    share = f", {percent(lifted / total, 3)} of the true total" if total else ""
    empty = format_nearest(float(lift[-1]), 3)
    return (
        f"**Clipping at 0 lifts small cells**: an empty one by {empty} on average, and the sum of the table by "
        f"{format_nearest(lifted, 3)}{share}. Without clipping no cell has a bias."
    )


def _lift(found: Found, noise: Mechanism, values: Array) -> Array:
    """By how much clipping at 0, after which may come rounding, lifts cells of these counts on average."""
    rounded = found.values["rounded"] == "on" and not noise.whole
    if noise.family in ("laplace", "gaussian") and not rounded:
        p = 1 if noise.family == "laplace" else 2
        return tables.clipping_lift(values, p, noise.scale * (1 if p == 1 else 2**0.5))

    def draw(rng: np.random.Generator, size: tuple[int, ...]) -> Array:
        noisy = noise.sample(rng, size)
        return np.rint(noisy) if rounded else noisy  # counts are whole: a rounded release is the count and this

    return tables.simulated_clipping_lift(values, draw, np.random.default_rng(int(found.values["seed"])), 20_000)


def noisy_table(found: Found) -> str:
    """The first cells of the release in numbers, as HTML."""
    if found.counts is None:
        return ""
    cells = found.counts.frame["cell"].head(_SHOWN_ROWS)
    rows = [
        [str(cell)[:80], f"{count:,.0f}", format_nearest(float(noisy), 6)]
        for cell, count, noisy in zip(cells, found.count, found.released, strict=False)
    ]
    return table_html("The release in numbers", "release", ["Cell", "True count", "Released, for trial only"], rows)
