"""The words on one release of a table, and on what repeated releases keep."""

import math

import numpy as np

from dpcore import tables
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from pages.framework.parameters.number_format import chart_text, format_nearest, format_up, percent, table_html
from pages.shared.formulas import in_words
from pages.tables.cells.text import meant, promise, without_noise
from pages.tables.release.figures import MOST_SHOWN, NAMES, shown_cells
from pages.tables.results import Kept, TablesResult

TRIAL = (
    "**For trial only: this is no release.** The noise comes from a seed that stands in the link, so whoever has the "
    "link can take it off again; and noise that is drawn in floating point tells more in its last digits than its "
    "promise allows. Libraries that make a release: OpenDP, Tumult Analytics, and Google’s differential-privacy "
    "library."
)
_SHOWN_ROWS = 20


def answer(result: TablesResult) -> tuple[str, str]:
    """What one release, or many, leave of the table."""
    if result.noise is None:
        return without_noise(result)
    if result.values["repeated"] == "on" and result.kept is not None:
        return _kept(result, result.kept, result.noise)
    wrong = np.abs(result.released - result.count)
    mean, most = format_nearest(float(wrong.mean()), 3), format_nearest(float(wrong.max()), 3)
    first = (
        f"At {result.drawn_place}, this release with {in_words(result.noise)} noise is off by {mean} on average and by "
        f"{most} at most."
    )
    rounded = result.values["rounded"] == "on" and not result.noise.whole
    reach = math.floor(result.half_width + 0.5) if rounded else result.half_width  # of what is rounded to whole numbers
    second = f"±{format_up(reach)} holds {meant(result)}; seed {result.values['seed']:.0f}."
    return first, f"{second} {promise(result, result.noise)}"


def _kept(result: TablesResult, kept: Kept, noise: Mechanism) -> tuple[str, str]:
    order, sign, told = (float(np.mean(each)) for each in (kept.order, kept.sign, kept.significance))
    first = (
        f"Over {kept.n_repeats:,} releases with {in_words(noise)} noise, a cell keeps its place in the order in "
        f"{percent(order, 3)}, its sign in {percent(sign, 3)}, and is told from an empty one, or not, as it should in "
        f"{percent(told, 3)} of them."
    )
    second = (
        f"Means over {_cells(result)}, at {result.drawn_place}; seed {result.values['seed']:.0f}. "
        f"{promise(result, noise)}{_fewer(kept.n_repeats)}"
    )
    return first, second


def _cells(result: TablesResult) -> str:
    return "the one cell" if result.count.size == 1 else f"the {result.count.size:,} cells"


def _fewer(n_repeats: int) -> str:
    return "" if n_repeats == 500 else f" A table of this size is released {n_repeats:,} times, not 500, in a moment."


def release_subtitle(result: TablesResult) -> str:
    """The parameters of the picture of a release, on one line."""
    source = "" if result.counts is None else result.counts.source.split(" (")[0]
    name = "" if result.noise is None else result.noise.name
    cut = f" The {MOST_SHOWN} largest of {result.count.size:,} cells." if result.count.size > MOST_SHOWN else ""
    return f"{chart_text(source)}: {name}; {result.drawn_place}; seed {result.values['seed']:.0f}.{cut}"


def release_alternative(result: TablesResult) -> str:
    """What the picture of a release shows, for those who can't see it."""
    wrong = np.abs(result.released - result.count)
    return (
        f"Bars of {len(shown_cells(result)):,} cells, each true count beside the released one, which differ by "
        f"{format_nearest(float(wrong.mean()), 3)} on average."
    )


def kept_alternative(result: TablesResult, kept: Kept) -> str:
    """What the picture of repeated releases shows, for those who can't see it."""
    parts = [f"{name} in {percent(float(np.mean(getattr(kept, key))), 3)}" for key, name in NAMES.items()]
    return f"Of {result.count.size:,} cells, over {kept.n_repeats:,} releases, a cell keeps {', '.join(parts)}."


def kept_meaning() -> str:
    """What order, sign and significance mean, in Markdown."""
    return (
        "A release keeps a cell’s **place in the order** when every cell of a larger count is released as a larger "
        "number than it, and every cell of a smaller count as a smaller one. It keeps the **sign** when the cell is "
        "released above 0 exactly if its count is above 0. It is **told from an empty cell, or not, as it "
        "should** when it is released as high as an empty cell seldom is, exactly if its count is above 0."
    )


def processing(result: TablesResult) -> str:
    """What post-processing does to the privacy, and to the bias, in Markdown."""
    if result.noise is None or not result.count.size:
        return ""
    clipped, rounded = result.values["clipped"] == "on", result.values["rounded"] == "on"
    below = int(np.sum(result.released < 0))
    if clipped:
        bias = _bias(result, result.noise)
    elif below:
        cells = "cell is" if below == 1 else "cells are"
        bias = (
            f"**No cell has a bias**: the noise is 0 on average. {below:,} {cells} released below 0 here; to clip them "
        )
        bias += "at 0 would lift every sum that is taken of them."
    else:
        bias = "**No cell has a bias**: the noise is 0 on average."
    if rounded:
        moves = "changes nothing here: this noise is whole" if result.noise.whole else "moves a release by at most 0.5"
        bias += f" Rounding to whole numbers {moves}."
    return f"{bias} Clipping and rounding look at the release only, so they cost no privacy."


def _bias(result: TablesResult, noise: Mechanism) -> str:
    values, places = np.unique(np.append(result.count, 0.0), return_inverse=True)  # an empty cell is always asked for
    lift = _lift(result, noise, values)[places]
    total, lifted = float(result.count.sum()), float(lift[:-1].sum())
    share = f", {percent(lifted / total, 3)} of the true total" if total else ""
    empty = format_nearest(float(lift[-1]), 3)
    return (
        f"**Clipping at 0 lifts small cells**: an empty one by {empty} on average, and the sum of the table by "
        f"{format_nearest(lifted, 3)}{share}. Without clipping no cell has a bias."
    )


def _lift(result: TablesResult, noise: Mechanism, values: Array) -> Array:
    """By how much clipping at 0, after which may come rounding, lifts cells of these counts on average."""
    rounded = result.values["rounded"] == "on" and not noise.whole
    if noise.family in ("laplace", "gaussian") and not rounded:
        p = 1 if noise.family == "laplace" else 2
        return tables.clipping_lift(values, p, noise.scale * (1 if p == 1 else 2**0.5))

    def draw(rng: np.random.Generator, size: tuple[int, ...]) -> Array:
        noisy = noise.sample(rng, size)
        return np.rint(noisy) if rounded else noisy  # counts are whole: a rounded release is the count and this

    return tables.simulated_clipping_lift(values, draw, np.random.default_rng(int(result.values["seed"])), 20_000)


def noisy_table(result: TablesResult) -> str:
    """The first cells of the release in numbers, as HTML."""
    if result.counts is None:
        return ""
    cells = result.counts.frame["cell"].head(_SHOWN_ROWS)
    rows = [
        [str(cell)[:80], f"{count:,.0f}", format_nearest(float(noisy), 6)]
        for cell, count, noisy in zip(cells, result.count, result.released, strict=False)
    ]
    return table_html("The release in numbers", "release", ["Cell", "True count", "Released, for trial only"], rows)
