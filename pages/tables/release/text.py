"""The sentences on one release of a table, and on what repeated releases preserve."""

import math

import numpy as np

from dpcore import tables
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from pages.framework.parameters.number_format import chart_text, format_nearest, format_up, percent, table_html
from pages.shared.formulas import in_words
from pages.tables.cells.text import error_text, guarantee_text, no_mechanism_text
from pages.tables.release.figures import MOST_BARS, STATISTIC_NAMES, largest_cells
from pages.tables.results import ReleaseStatistics, TablesResult

TRIAL = (
    "**For trial only: this is no release.** The noise comes from a seed that stands in the link, so whoever has the "
    "link can take it off again; and noise that is drawn in floating point tells more in its last digits than its "
    "promise allows. Libraries that make a release: OpenDP, Tumult Analytics, and Google’s differential-privacy "
    "library."
)
_NO_BIAS = "**No cell has a bias**: the noise is 0 on average."
_MOST_ROWS = 20


def answer_text(result: TablesResult) -> tuple[str, str]:
    """Return how far one release is off, or what repeated releases preserve of the table."""
    if result.mechanism is None:
        return no_mechanism_text(result)
    if result.values["repeated"] == "on" and result.release_statistics is not None:
        return _repeated_answer(result, result.release_statistics, result.mechanism)
    error = np.abs(result.released - result.counts)
    mean, most = format_nearest(float(error.mean()), 3), format_nearest(float(error.max()), 3)
    first = (
        f"At {result.mechanism_parameters_text}, this release with {in_words(result.mechanism)} noise is off by {mean}"
        f" on average and by {most} at most."
    )
    rounded = result.values["rounded"] == "on" and not result.mechanism.whole
    half_width = math.floor(result.half_width + 0.5) if rounded else result.half_width
    second = f"±{format_up(half_width)} holds {error_text(result)}; seed {result.values['seed']:.0f}."
    return first, f"{second} {guarantee_text(result, result.mechanism)}"


def _repeated_answer(result: TablesResult, statistics: ReleaseStatistics, mechanism: Mechanism) -> tuple[str, str]:
    columns = statistics.order, statistics.sign, statistics.significance
    order, sign, significance = (percent(float(np.mean(column)), 3) for column in columns)
    first = (
        f"Over {statistics.n_repeats:,} releases with {in_words(mechanism)} noise, a cell keeps its place in the order"
        f" in {order}, its sign in {sign}, and is told from an empty one, or not, as it should in {significance} of"
        " them."
    )
    second = f"Means over {_n_cells_phrase(result)}, at {result.mechanism_parameters_text}; seed"
    guarantee = f"{guarantee_text(result, mechanism)}{_fewer_repeats_text(statistics.n_repeats)}"
    return first, f"{second} {result.values['seed']:.0f}. {guarantee}"


def _n_cells_phrase(result: TablesResult) -> str:
    return "the one cell" if result.counts.size == 1 else f"the {result.counts.size:,} cells"


def _fewer_repeats_text(n_repeats: int) -> str:
    return "" if n_repeats == 500 else f" A table of this size is released {n_repeats:,} times, not 500, in a moment."


def subtitle(result: TablesResult) -> str:
    """Return the parameters of the figures, on one line."""
    source = "" if result.table is None else result.table.source.split(" (")[0]
    name = "" if result.mechanism is None else result.mechanism.name
    cut = f" The {MOST_BARS} largest of {result.counts.size:,} cells." if result.counts.size > MOST_BARS else ""
    return f"{chart_text(source)}: {name}; {result.mechanism_parameters_text}; seed {result.values['seed']:.0f}.{cut}"


def release_alternative_text(result: TablesResult) -> str:
    """Return what the figure of a release shows, for those who can't see it."""
    error = np.abs(result.released - result.counts)
    return (
        f"Bars of {len(largest_cells(result)):,} cells, each true count beside the released one, which differ by "
        f"{format_nearest(float(error.mean()), 3)} on average."
    )


def repeated_alternative_text(result: TablesResult, statistics: ReleaseStatistics) -> str:
    """Return what the figure of repeated releases shows, for those who can't see it."""
    parts = [
        f"{name} in {percent(float(np.mean(getattr(statistics, key))), 3)}" for key, name in STATISTIC_NAMES.items()
    ]
    return f"Of {result.counts.size:,} cells, over {statistics.n_repeats:,} releases, a cell keeps {', '.join(parts)}."


def statistics_meaning() -> str:
    """Return what order, sign and significance mean, in Markdown."""
    return (
        "A release keeps a cell’s **place in the order** when every cell of a larger count is released as a larger "
        "number than it, and every cell of a smaller count as a smaller one. It keeps the **sign** when the cell is "
        "released above 0 exactly if its count is above 0. It is **told from an empty cell, or not, as it "
        "should** when it is released as high as an empty cell seldom is, exactly if its count is above 0."
    )


def post_processing_text(result: TablesResult) -> str:
    """Return what post-processing does to the guarantee and to the bias, in Markdown."""
    if result.mechanism is None or not result.counts.size:
        return ""
    clipped, rounded = result.values["clipped"] == "on", result.values["rounded"] == "on"
    below = int(np.sum(result.released < 0))
    if clipped:
        bias = _clipping_bias_text(result, result.mechanism)
    elif below:
        cells = "cell is" if below == 1 else "cells are"
        bias = f"{_NO_BIAS} {below:,} {cells} released below 0 here; to clip them "
        bias += "at 0 would lift every sum that is taken of them."
    else:
        bias = _NO_BIAS
    if rounded:
        whole = "changes nothing here: this noise is whole"
        bias += f" Rounding to whole numbers {whole if result.mechanism.whole else 'moves a release by at most 0.5'}."
    return f"{bias} Clipping and rounding look at the release only, so they cost no privacy."


def _clipping_bias_text(result: TablesResult, mechanism: Mechanism) -> str:
    with_empty_cell = np.append(result.counts, 0.0)
    values, places = np.unique(with_empty_cell, return_inverse=True)
    lifts = _clipping_lift(result, mechanism, values)[places]
    total, lifted = float(result.counts.sum()), float(lifts[:-1].sum())
    share = f", {percent(lifted / total, 3)} of the true total" if total else ""
    empty = format_nearest(float(lifts[-1]), 3)
    return (
        f"**Clipping at 0 lifts small cells**: an empty one by {empty} on average, and the sum of the table by "
        f"{format_nearest(lifted, 3)}{share}. Without clipping no cell has a bias."
    )


def _clipping_lift(result: TablesResult, mechanism: Mechanism, values: Array) -> Array:
    """Return by how much clipping at 0, and rounding where that is on, lifts cells of these counts on average."""
    rounded = result.values["rounded"] == "on" and not mechanism.whole
    if mechanism.family in ("laplace", "gaussian") and not rounded:
        p = 1 if mechanism.family == "laplace" else 2
        return tables.clipping_lift(values, mechanism.scale * (1 if p == 1 else 2**0.5), p)

    def draw(rng: np.random.Generator, size: tuple[int, ...]) -> Array:
        noisy = mechanism.sample(rng, size)
        return np.rint(noisy) if rounded else noisy  # counts are whole: a rounded release is the count and this

    return tables.simulated_clipping_lift(np.random.default_rng(int(result.values["seed"])), values, draw, 20_000)


def release_html(result: TablesResult) -> str:
    """Return the first cells of the release as an HTML table."""
    if result.table is None:
        return ""
    cells = result.table.frame["cell"].head(_MOST_ROWS)
    rows = [
        [str(cell)[:80], f"{count:,.0f}", format_nearest(float(noisy), 6)]
        for cell, count, noisy in zip(cells, result.counts, result.released, strict=False)
    ]
    return table_html("The release in numbers", "release", ["Cell", "True count", "Released, for trial only"], rows)
