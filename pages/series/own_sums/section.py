"""The section on published sums of the user's own."""

from collections.abc import Iterator, Sequence

import pandas as pd

from dpcore.families import FAMILIES
from pages.framework.chart.theme import ghost, hover_head, layout, line, round_axis_end
from pages.framework.export.exhibit import CONFIDENTIAL_TABLE, Colours, Exhibit, Figure
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Claim, Conditions, Field, Fold, Part, Section, Snippet
from pages.framework.parameters.number_format import capitalized, chart_text, format_input_up, format_up, table_html
from pages.framework.parameters.parameter import Parameter
from pages.series.methods import ends_text, has_delta, options_text, rows_of
from pages.series.over_time.figures import LOOKS
from pages.series.own_sums import text
from pages.series.own_sums.text import NAMES, subtitle
from pages.series.parameters import CELLS_PER_PERSON, LENGTH, OF_SERIES, PUBLISHED, SUM_NOISE, SUMS_FIELD, WINDOW
from pages.series.results import SeriesResult
from pages.series.statements import noise_claims, numbers_downloads
from pages.shared.counts.table import NEIGHBOURS, PER_CELL, PER_TOTAL, table_conditions
from pages.shared.formulas import share
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE
from pages.shared.statements import Release, off_by, release_statements

_OTHERS = {
    OPENDP: "It adds noise to sums that you compute (make_laplace, make_gaussian), and chooses no sums.",
    DP_ACCOUNTING: "It accounts for privacy, and publishes no numbers.",
    DIFFPRIVLIB: "It adds noise to single numbers.",
    OPACUS: "It trains models.",
}
_YEAR = (
    "month = np.arange(12)",
    "quarters = [month // 3 == place for place in range(4)]",
    "halves = [month // 6 == place for place in range(2)]",
    "sums = np.array([*np.eye(12), *quarters, *halves, np.ones(12)])",
)
_OWN = ("sums = np.array([[1, 1, 0], [1, 1, 1]])  # your own",)


def snippets(result: SeriesResult) -> tuple[Snippet, ...]:
    """Return the program that computes the largest half-width and the noise; nothing without sums."""
    if result.are_sums_missing:
        return ()
    found, is_own = result.own_sums, result.setting.are_sums_own
    guarantee = ", ".join(map(number, found.guarantee))
    way = "per_period" if is_own and found.method == "optimum" else found.method  # of three cells, one that all have
    code = program(
        *(() if result.setting.sums == OF_SERIES else ("import numpy as np",)),
        "from dpcore import linear_queries",
        "",
        *_sums_lines(result),
        f"known = sums, {way!r}, sums.shape[1], {found.series.contributions}",
        f"errors = linear_queries.error(*known, {options_text(found.series, noise=found.noise)})",
        f"print(linear_queries.half_widths(errors, {guarantee}, {number(found.significance)}).max())",
        f"print(linear_queries.noise_scale(errors, {guarantee}))",
    )
    note, printed = "The largest ±, and the scale of each noisy sum.", (found.half_width, found.noise_scale)
    if is_own:
        note, printed = f"{note} Your own sums are in no program: enter them in the place of these.", ()
    return Snippet(DPCORE, code, note, printed), *unavailable(_OTHERS)


def _sums_lines(result: SeriesResult) -> tuple[str, ...]:
    """Return the lines that make the sums."""
    if result.setting.sums == OF_SERIES:
        series = result.setting.series
        known = f"{series.workload!r}, {series.n}{'' if series.window is None else f', {series.window}'}"
        return (f"sums = linear_queries.workload({known}).matrix()",)
    return _OWN if result.setting.are_sums_own else _YEAR


_MOST_NAMED = 20  # numbers whose names stand below the axis
_NAME = 14  # characters of a name there
_SYMBOLS = ("circle", "square", "diamond", "triangle-up")


def each_figure(result: SeriesResult, colours: Colours) -> Figure:
    """Draw the half-width of each published number, by way."""
    found = result.own_sums
    frame = found.each
    pinned = None if result.pinned is None or result.pinned.are_sums_missing else result.pinned.own_sums
    sizes = [] if pinned is None else pinned.half_widths_of(pinned.method).tolist()
    highest = max([float(frame[list(found.drawn)].to_numpy().max()), *sizes])
    x = {"range": [0.4, max(found.n_sums, len(sizes)) + 0.6], "title": {"text": "published number"}}
    if found.n_sums <= _MOST_NAMED:
        x |= {"tickvals": frame["number"].tolist(), "ticktext": [chart_text(name, _NAME) for name in found.names]}
    y = {"range": [0, round_axis_end(highest)], "title": {"text": f"± in {share(found.significance)} of releases"}}
    figure = layout(colours, "Error of each published number", subtitle(result), x | hover_head("number"), y)
    traces = []
    if pinned is not None:
        pin = line(range(1, len(sizes) + 1), sizes, "pinned", "", "") | ghost(colours)
        traces.append(pin | {"mode": "markers", "marker": {"color": colours["ghost"], "size": 12}})
    for method, symbol in zip(found.drawn, _SYMBOLS, strict=False):
        shade, dash = LOOKS.get(method, ("rose", "dash"))
        marker = {"color": colours[shade], "symbol": symbol, "size": 10 if method == found.method else 7}
        trace = line(frame["number"], frame[method], NAMES[method], colours[shade], dash, hovertemplate="±%{y:.4~g}")
        traces.append(trace | {"mode": "markers", "marker": marker})
    return {"data": traces, "layout": figure}


def each(result: SeriesResult, colours: Colours) -> Exhibit | None:
    """Return the error of each published number; None without sums."""
    if result.are_sums_missing:
        return None
    found = result.own_sums
    words = "; ".join(f"{NAMES[method]} ±{format_up(found.each[method].to_numpy().max())}" for method in found.drawn)
    alternative = f"The ± of each published number by {text.noise_name(found.noise)}, at most: {words}."
    return _exhibit(result, "own_sums", each_figure(result, colours), alternative, found.each)


def ways(result: SeriesResult, _: Colours) -> Exhibit | None:
    """Return the table of the ways to add the noise; None without sums."""
    if result.are_sums_missing:
        return None
    found = result.own_sums
    heads = ["Way", "Largest ±", "Root mean square of all ±", f"{FAMILIES[found.noise].symbol} of each noisy sum"]
    html = table_html("The error of each way to add the noise", "cells", heads, rows_of(found.ways, NAMES))
    return _exhibit(result, "sum_ways", html, ends_text(found.ways, NAMES, "ways"), found.ways)


def noises(result: SeriesResult, _: Colours) -> Exhibit | None:
    """Return the table of the noises, each by its best way; None without sums."""
    if result.are_sums_missing:
        return None
    frame, rows, words = result.own_sums.best_of_noises, [], []
    for noise, way, scale, largest in frame.itertuples(index=False):
        name, size = text.noise_name(noise), f"±{format_up(largest)}"
        scaled, has = f"{FAMILIES[noise].symbol} = {format_up(scale)}", "yes" if has_delta(noise) else "no"
        rows.append([capitalized(name), NAMES[way], scaled, size, has])
        words.append(f"{name} {size}")
    html = table_html("The error of each noise", "cells", ["Noise", "Best way", "Scale", "Largest ±", "Has a δ"], rows)
    alternative = f"The largest ± by the best way of each noise: {', '.join(words)}."
    return _exhibit(result, "sum_noises", html, alternative, frame)


def _exhibit(result: SeriesResult, name: str, picture: Figure | str, alternative: str, frame: pd.DataFrame) -> Exhibit:
    confidential = CONFIDENTIAL_TABLE if result.setting.are_sums_own else ""
    return Exhibit(name, picture, alternative, frame, result.sums_header, confidential=confidential)


def controls(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture."""
    if result.are_sums_missing:
        return (SUMS_FIELD, LENGTH) if result.setting.sums == OF_SERIES else (SUMS_FIELD,)
    persons = () if result.setting.counts_once else (CELLS_PER_PERSON,)
    delta = (DELTA,) if has_delta(result.own_sums.noise) else ()
    length = (LENGTH,) if result.setting.sums == OF_SERIES else ()
    return SUMS_FIELD, *length, *persons, EPSILON, *delta, Field(SUM_NOISE, "Noise")


def more_settings(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the parameters that are seldom changed."""
    if result.are_sums_missing:
        return ()
    limits = () if result.setting.counts_once else (PER_CELL, PER_TOTAL)
    window = (WINDOW,) if result.setting.series.window is not None else ()
    published = (Field(PUBLISHED, "Published"), *window) if result.setting.sums == OF_SERIES else ()
    return *published, SIGNIFICANCE, *limits, Field(NEIGHBOURS, "Neighbours")


def parts(result: SeriesResult, colours: Colours) -> Iterator[Part]:
    """Yield the error of each number and what to do; folded, the noises and the ways."""
    if result.are_sums_missing:
        return
    yield each(result, colours)
    yield text.sums_steps_text(result)
    yield Fold(lambda: (noises(result, colours),), "Compare the noises")
    yield Fold(lambda: (ways(result, colours),), "Compare the ways in numbers")


def sums_conditions(result: SeriesResult) -> Conditions | None:
    """Return the conditions of the answer, those of a table; None without sums."""
    if result.are_sums_missing:
        return None
    return table_conditions(result.sums_values, (SUMS_FIELD,), is_own=False)


def claims(result: SeriesResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise at the sensitivity of the noisy sums, and this sensitivity."""
    if not result.are_sums_missing:
        yield from noise_claims(result.own_sums, text.NAMES[result.own_sums.method])


def statements(result: SeriesResult) -> Statements | None:
    """Return the statements on the sums; None without an answer."""
    if result.are_sums_missing:
        return None
    found = result.own_sums
    release = Release(
        noise="Random noise is added before any of the sums is published",
        error=off_by("a published sum", found.half_width, found.significance),
        mechanism=f"{text.noise_words(found)}, in each noisy sum ({text.NAMES[found.method]}); each published number "
        "is made of these sums",
        proof=f"{FAMILIES[found.noise].calibration.theorem}, at the largest change of all noisy sums by one person, "
        f"{format_up(found.answer_errors.sensitivity)}",
        epsilon=format_input_up(found.epsilon),
        delta=format_input_up(found.delta) if has_delta(found.noise) else "",
        neighbours=found.series.neighbours,
    )
    return release_statements(release, sums_conditions(result))


def downloads(result: SeriesResult) -> Downloads | None:
    """Return the program that publishes the sums; None without sums, or without a way to their noise."""
    if result.are_sums_missing:
        return None
    note = "It says which cells each sum adds up, without their names: that must be public."
    conditions = sums_conditions(result)
    return numbers_downloads(result, result.own_sums, "Sums", conditions, lambda: statements(result), note)


SECTION = Section[SeriesResult](
    key="sums",
    name="Own sums",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=text.explanation,
    exhibits=(each, ways, noises),
    claims=claims,
    snippets=snippets,
    statements=statements,
    downloads=downloads,
    has_statements=lambda result: not result.are_sums_missing,
    conditions=sums_conditions,
    subject="sums",
)
