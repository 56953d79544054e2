"""The section on one release of a table, for trial, or on many, and what they preserve."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import tables
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from pages.framework.chart.theme import compact, hover_head, layout, line, round_axis_end
from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_RELEASE, Colours, Exhibit
from pages.framework.layout.section import Field, Fold, Part, Section
from pages.framework.parameters.number_format import (
    chart_text,
    format_nearest,
    format_up,
    percent,
    plural,
    random_percent,
    table_html,
    without_markdown,
)
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.table import TABLE_FIELD
from pages.shared.formulas import in_words
from pages.shared.shared_parameters import SEED
from pages.tables import code
from pages.tables.cells.section import cell_names, cells_axis, mechanism_colour
from pages.tables.parameters import CLIPPED, NAMES_OF_CELL_SECTIONS, REPEATED, ROUNDED
from pages.tables.results import ReleaseStatistics, TablesResult
from pages.tables.statements import steps_text
from pages.tables.text import (
    comparison_text,
    error_text,
    folded_fields,
    guarantee_text,
    known_fields,
    no_mechanism_text,
    noise_fields,
    section_answer_text,
    short_parameters_text,
)

MOST_BARS = 200  # more bars are not distinguishable in the figure
_STATISTICS = (("order", "text", "circle"), ("sign", "quiet", "diamond"), ("significance", "purple", "square"))
STATISTIC_NAMES = {"order": "rank", "sign": "above 0 or not", "significance": "classified correctly"}


def largest_cells(result: TablesResult) -> NDArray[np.intp]:
    """Return the positions of the cells that have bars, the largest first."""
    return np.argsort(-result.counts, kind="stable")[:MOST_BARS]


def release(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return each cell's true count beside the released one; nothing where there is no table or no mechanism."""
    if not result.released.size or result.table is None:
        return None
    order, half_width = largest_cells(result), result.half_width
    low = 0.0 if result.values["clipped"] == "on" else -round_axis_end(half_width)
    top = round_axis_end(max(float(result.counts.max(initial=0)) + half_width, 1.0))
    x_axis, y_axis = cells_axis(result, order) | hover_head("cell"), {"range": [low, top], "title": {"text": "count"}}
    figure = layout(colours, "True counts and one release", subtitle(result), x_axis, y_axis)
    figure |= {"barmode": "group", "bargap": 0.25, "bargroupgap": 0}
    names, bars, shade = cell_names(result, order), [], mechanism_colour(result, colours)
    both = ("true count", result.counts, colours["quiet"]), ("released", result.released, shade)
    for name, height, shade in both:
        bar = {"type": "bar", "name": name, "x": compact(np.arange(1, len(order) + 1)), "y": compact(height[order])}
        bar |= {"marker": {"color": shade}, "text": "", "hovertext": names}
        bars.append(bar | {"hovertemplate": "%{hovertext}: %{y:,.4~g}"})
    numbers, header = result.table.frame.assign(released=result.released), _csv_header(result)
    alternative, confidential = release_alternative_text(result), result.confidential_note(CONFIDENTIAL_PICTURE)
    picture = {"data": bars, "layout": figure}
    return Exhibit("release", picture, alternative, numbers, header, confidential=confidential)


def release_table(result: TablesResult, _: Colours) -> Exhibit | None:
    """Return the release in numbers; its CSV has the names of the cells and the released numbers alone."""
    if not result.released.size or result.table is None:
        return None
    numbers = pd.DataFrame({"cell": result.table.frame["cell"], "released": result.released})
    html, alternative = release_html(result), release_alternative_text(result)
    confidential = result.confidential_note(CONFIDENTIAL_RELEASE)
    return Exhibit("noisy_table", html, alternative, numbers, _csv_header(result), confidential=confidential)


def repeated_releases(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return for each cell the share of releases that preserve its order, its sign and its significance.

    There is nothing where there is no table or no mechanism.
    """
    statistics = result.release_statistics
    if statistics is None or result.table is None:
        return None
    order = np.argsort(-result.counts, kind="stable")
    places = np.arange(1, order.size + 1)
    if order.size > 2000:
        sample = np.unique(np.linspace(0, order.size - 1, 2000).astype(np.intp))
        order, places = order[sample], places[sample]
    y_axis = {"range": [-0.03, 1.03], "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1], "title": {"text": "share of releases"}}
    y_axis |= {"ticktext": [f"{part} %" for part in range(0, 101, 20)]}
    title = "How often each cell keeps its rank and sign"
    figure = layout(colours, title, subtitle(result), cells_axis(result, order), y_axis)
    traces = []
    for measure, shade, symbol in _STATISTICS:
        marker = {"color": colours[shade], "symbol": symbol, "size": 7}
        share = getattr(statistics, measure)[order]
        more = {"mode": "markers", "marker": marker, "hovertemplate": "%{y:.1~%}"}
        traces.append(line(places, share, STATISTIC_NAMES[measure], colours[shade], "solid", **more))
    columns = {f"keeps_{measure}": getattr(statistics, measure) for measure, _, _ in _STATISTICS}
    alternative, header = repeated_alternative_text(result, statistics), _csv_header(result)
    about = result.table.frame.assign(**columns), header | {"repeats": statistics.n_repeats}
    picture, confidential = {"data": traces, "layout": figure}, result.confidential_note(CONFIDENTIAL_PICTURE)
    return Exhibit("kept", picture, alternative, *about, confidential=confidential)


def _csv_header(result: TablesResult) -> dict[str, Any]:
    drawn = {key: result.values[key] for key in ("seed", "clipped", "rounded")}
    return {"warning": without_markdown(TRIAL)} | result.mechanism_csv_header | drawn


TRIAL = (
    "**For trial only: do not publish this.** The noise comes from a seed in the link, so whoever has the link can "
    "subtract it. Noise in floating-point numbers can reveal more in its last digits than the guarantee allows, and "
    "the time of a computation can reveal data too. For a real release take the program under “Make the "
    "release” or a library: OpenDP, Tumult Analytics, or Google’s differential-privacy library."
)
_NO_BIAS = "**The release is unbiased**: the noise has mean 0."
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
        f"For trial only, do not publish: with {in_words(result.mechanism)} noise the mean error is {mean}, the "
        f"largest {most}."
    )
    half_width = result.published_half_width(result.half_width)
    beyond = int(np.sum(error > half_width * (1 + 1e-12)))
    second = f"±{format_up(half_width)} holds {error_text(result)}{_beyond_text(result, beyond)}"
    second = f"{second} ({short_parameters_text(result)})"
    return first, f"{second}; {guarantee_text(result, result.mechanism)}."


def _beyond_text(result: TablesResult, beyond: int) -> str:
    """Return in how many cells of this release a bound on all cells at once does not hold, where there are any."""
    if not beyond or (result.setting.error != "all" and result.n_cells != 1):
        return ""
    if result.n_cells == 1:
        return ", not in this one"
    return f", not for {plural(beyond, 'cell')} of this one"


def _repeated_answer(result: TablesResult, statistics: ReleaseStatistics, mechanism: Mechanism) -> tuple[str, str]:
    columns = statistics.order, statistics.sign, statistics.significance
    order, sign, significance = (random_percent(float(np.mean(column)), 3) for column in columns)
    first = (
        f"With {in_words(mechanism)} noise, about {order} of cells retain their rank, {sign} their sign, and "
        f"{significance} are classified correctly."
    )
    cells = "the one cell" if result.counts.size == 1 else f"the {result.counts.size:,} cells"
    fewer = "" if statistics.n_repeats == 500 else " (fewer than 500, for so large a table)"
    second = f"Means over {statistics.n_repeats:,} releases{fewer} and {cells}"
    return first, f"{second} ({short_parameters_text(result)}); {guarantee_text(result, mechanism)}."


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
        f"{name} in {random_percent(float(np.mean(getattr(statistics, key))), 3)}"
        for key, name in STATISTIC_NAMES.items()
    ]
    return f"Of {result.counts.size:,} cells over {statistics.n_repeats:,} releases: {', '.join(parts)}."


_MEANING = (
    "A cell keeps its **rank** if all larger cells are released as larger numbers, and all smaller cells as smaller "
    "numbers. It keeps its **sign** if it is released above 0 exactly when its count is above 0. It is **classified "
    "correctly** if its released number reaches the threshold that distinguishes it from an empty cell exactly when "
    "its count is above 0. The numbers are simulated, so they are approximate."
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
        cells = plural(below, "cell is", "cells are")
        bias = f"{_NO_BIAS} {cells} released below 0 here; clipping them at 0 would bias every sum of cells upwards."
    else:
        bias = _NO_BIAS
    if rounded:
        change = "changes a released number by at most 0.5"
        change = "changes nothing here: this noise is an integer" if result.mechanism.whole else change
        bias += f" Rounding to whole numbers {change}."
    return f"{bias} Clipping and rounding are post-processing: they use the released numbers only and cost no privacy."


def _clipping_bias_text(result: TablesResult, mechanism: Mechanism) -> str:
    values, places = np.unique(np.append(result.counts, 0.0), return_inverse=True)  # with an empty cell
    lifts = _clipping_lift(result, mechanism, values)[places]
    total, lifted = float(result.counts.sum()), float(lifts[:-1].sum())
    share = f", {percent(lifted / total, 3)} of the true total" if total else ""
    empty = format_nearest(float(lifts[-1]), 3)
    return (
        f"**Clipping at 0 biases small cells upwards**: an empty cell by {empty} on average, and the sum of the table "
        f"by {format_nearest(lifted, 3)}{share}. Without clipping the release is unbiased."
    )


def _clipping_lift(result: TablesResult, mechanism: Mechanism, values: Array) -> Array:
    """Return by how much clipping at 0, and rounding where that is on, lifts cells of these counts on average."""
    if mechanism.family in ("laplace", "gaussian") and not result.is_rounded:
        p = 1 if mechanism.family == "laplace" else 2
        return tables.clipping_lift(values, mechanism.scale * (1 if p == 1 else 2**0.5), p)

    def draw(rng: np.random.Generator, size: tuple[int, ...]) -> Array:
        noisy = mechanism.sample(rng, size)  # counts are whole: a rounded release is the count and this, rounded
        return np.rint(noisy) if result.is_rounded else noisy

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
    heads = ["Cell", "True count", "Released number, for trial only"]
    return table_html("The release in numbers", "release", heads, rows)


REPEATED_FIELD = Field(REPEATED, "Show")


def controls(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the fields that an analyst knows, and what is drawn; without a table only its choice."""
    if result.is_missing:
        return (TABLE_FIELD,)
    return known_fields(result, REPEATED_FIELD)


def more_settings(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the fields that few users change: rounding only where the noise is not an integer."""
    if result.is_missing:
        return ()
    known, whole = known_fields(result, REPEATED_FIELD), result.mechanism is not None and result.mechanism.whole
    processing = SEED, Field(CLIPPED, "Clip at 0"), *(() if whole else (Field(ROUNDED, "Round"),))
    repeated = () if REPEATED_FIELD in known else (REPEATED_FIELD,)
    return *repeated, *processing, *folded_fields(result, known), *noise_fields(result)


def parts(result: TablesResult, colours: Colours) -> Iterator[Part]:
    """Yield one release beside the true counts, or how often many preserve their order, and what to do."""
    if result.is_missing:
        return
    if result.values["repeated"] == "on":
        yield repeated_releases(result, colours)
        yield _MEANING
    else:
        yield release(result, colours)
        yield post_processing_text(result)
    yield TRIAL
    yield steps_text(result)
    yield Fold(lambda: (release_table(result, colours),), "The release in numbers")


SECTION = Section[TablesResult](
    key="release",
    name=NAMES_OF_CELL_SECTIONS["release"],
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    is_available=lambda result: result.has_cells,
    answer_text=lambda result: section_answer_text(result, answer_text, comparison_text),
    exhibits=(release, release_table, repeated_releases),
    claims=code.release_claims,
    **code.TABLE_ANSWER,
)
