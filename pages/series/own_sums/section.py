"""The section on published sums of the user's own, and its sentences."""

from collections.abc import Iterator, Sequence

import pandas as pd

from dpcore.families import FAMILIES
from pages.framework.chart.theme import ghost, hover_head, layout, line, round_axis_end
from pages.framework.export.exhibit import CONFIDENTIAL_TABLE, Colours, Exhibit, Figure
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Claim, Conditions, Field, Fold, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    capitalized,
    chart_text,
    escape_markdown,
    format_input_up,
    format_up,
    pin_sentence,
    plural,
    table_html,
)
from pages.framework.parameters.parameter import Parameter
from pages.framework.session.data_files import box_key
from pages.series.methods import EQUAL, ends_text, has_delta, options_text, person_text, rows_of
from pages.series.over_time.figures import LOOKS
from pages.series.over_time.text import CLOSE
from pages.series.own_sums.results import CELLS_ALONE, OwnSums
from pages.series.parameters import (
    CELLS_PER_PERSON,
    LENGTH,
    OF_SERIES,
    PUBLISHED,
    SUM_NOISE,
    SUMS_FIELD,
    SUMS_SLOT,
    WINDOW,
)
from pages.series.results import SeriesResult
from pages.series.statements import noise_claims, numbers_downloads
from pages.shared import statements as shared_statements
from pages.shared.counts.table import NEIGHBOURS, PER_CELL, PER_TOTAL, limit_text, table_conditions
from pages.shared.formulas import share
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE
from pages.shared.statements import Release, off_by, release_statements

NAMES = {
    CELLS_ALONE: "noise in each cell",
    "per_number": "noise in each number",
    "tree": "a binary tree, least squares",
    "binary_tree": "a plain binary tree",
    "square_root": "the square root",
    "normalized_square_root": "the normalised square root",
    "optimum": "the numerical optimum",
}
"""The ways to add the noise, in legends and tables."""
MISSING = "Your own sums are missing: the link does not contain them."
INSTEAD = f"[Upload or paste them](#{box_key(SUMS_SLOT)}), or choose the months of a year."
SHORTER = "Choose a shorter series, or see [Over time](./A_series)."


def noise_name(noise: str) -> str:
    """Return the name of a noise within a sentence."""
    return f"{FAMILIES[noise].words} noise"


def guarantee_words(found: OwnSums) -> str:
    """Return ε, and δ of the noises that have one."""
    epsilon = f"ε = {format_input_up(found.epsilon)}"
    return f"{epsilon}, δ = {format_input_up(found.delta)}" if has_delta(found.noise) else f"{epsilon}, no δ"


def noise_words(found: OwnSums) -> str:
    """Return the noise with its scale."""
    return f"{noise_name(found.noise)}, {FAMILIES[found.noise].symbol} = {format_up(found.noise_scale)}"


def subtitle(result: SeriesResult) -> str:
    """Return the noise, the guarantee, the sums and the person in a line."""
    found = result.own_sums
    person = person_text(found.series, plural(found.series.contributions, "cell"))
    sums = f"{plural(found.n_sums, 'sum')} of {plural(found.series.n, 'cell')}"
    return f"{noise_name(found.noise)}, {guarantee_words(found)}, {sums}, {person}"


def answer_text(result: SeriesResult) -> tuple[str, ...]:
    """Return the largest error of a sum by the best way, and which other noise has a smaller one."""
    if result.are_sums_missing:
        return escape_markdown(result.sums_problem) or MISSING, INSTEAD if result.setting.are_sums_own else SHORTER
    found = result.own_sums
    first = (
        f"Each of {plural(found.n_sums, 'sum')} is within **±{format_up(found.half_width)}** in "
        f"{share(found.significance)} of releases by {NAMES[found.method]}."
    )
    noise = noise_words(found)
    real = (
        "" if found.noise == result.setting.sum_noise else " in place of noise in whole numbers, as c or N is not whole"
    )
    rest = "; ".join(filter(None, (_rival_text(found), _other_noise_text(found))))
    second = f"{capitalized(noise)}{real} ({guarantee_words(found)}); {rest}."
    if result.pinned is None or result.pinned.are_sums_missing:
        return first, second
    old = result.pinned.own_sums.half_width
    return first, second, pin_sentence(f"±{format_up(old)} → ±{format_up(found.half_width)}")


def _rival_text(found: OwnSums) -> str:
    """Return the error of noise in each cell, or of the best of the other ways; empty where it is the same."""
    other = found.largest[found.rival]
    return f"{NAMES[found.rival]}: ±{format_up(other)}" if other > found.half_width * EQUAL else ""


def _other_noise_text(found: OwnSums) -> str:
    """Return which other noise has the least error, or that none has a smaller one."""
    others = [row for row in found.best_of_noises.to_dict("records") if row["noise"] != found.noise]
    least = min(others, key=lambda row: row["largest"])
    if least["largest"] * CLOSE < found.half_width:
        without = "" if has_delta(least["noise"]) else ", without a δ"
        return f"better: {noise_name(least['noise'])} ±{format_up(least['largest'])}{without}"
    return f"no other noise is better ({noise_name(least['noise'])}: ±{format_up(least['largest'])})"


def sums_steps_text(result: SeriesResult) -> str:
    """Return what to do in three steps."""
    found = result.own_sums
    scale = f"**{FAMILIES[found.noise].symbol} = {format_up(found.noise_scale)}**"
    return shared_statements.steps_text(
        f"Make sure that {limit_text(result.sums_values)}.",
        f"Add {noise_name(found.noise)} with {scale} to each noisy sum ({NAMES[found.method]}), once.",
        f"Make all published numbers of these sums, at the end, and publish each with ±{format_up(found.half_width)} "
        f"in {share(found.significance)} of releases, {guarantee_words(found)} and the conditions.",
    )


def explanation(result: SeriesResult) -> str:
    """Return how the numbers are computed."""
    if result.are_sums_missing:
        return _EXPLANATION
    found = result.own_sums
    size = number_format.tex(format_up(found.answer_errors.sensitivity))
    kind = "largest change" if found.answer_errors.is_exact else "upper bound of the change"
    return f"{_EXPLANATION}\nHere the {kind} by one person is ${size}$ by {NAMES[found.method]}."


_EXPLANATION = r"""
**One form for every way.** The published numbers are $Wx$ of the cells $x$, with a row of zeros and ones for each
number. A way chooses sums $Rx$, gives each of them noise of the same scale, and publishes $L(Rx+\text{noise})$ with
$LR=W$: noise in each cell is $R=I$, noise in each number is $R=W$; a tree has the sums of 1, 2, 4, … neighbouring
cells; the square root is that of running totals (see *Over time*), and the optimum is sought for up to 64 cells.

**The noise.** One person changes $Rx$ by at most $\Delta_1=\max\lVert Rx\rVert_1$ and
$\Delta_2=\max\lVert Rx\rVert_2$. Gaussian noise has the least σ for $\Delta_2$ (Balle & Wang 2018); discrete Gaussian
noise, for sums of whole cells, the least σ for each whole change of a length up to $\sqrt{30}$, and beyond that the σ
of zCDP (Canonne, Kamath & Steinke 2020); Laplace and geometric noise have the scale $\Delta_1/\varepsilon$, and no δ.

**The ±** of a number is the $1-\alpha$ quantile of the noise that it has: exact of Gaussian noise, and of sums of other
noise by their characteristic function; of noise in whole numbers with weights that are not multiples of one of them, or
of a very large scale, a bound that is a little larger.
"""


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
    alternative = f"The ± of each published number by {noise_name(found.noise)}, at most: {words}."
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
        name, size = noise_name(noise), f"±{format_up(largest)}"
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
    yield sums_steps_text(result)
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
        yield from noise_claims(result.own_sums, NAMES[result.own_sums.method])


def statements(result: SeriesResult) -> Statements | None:
    """Return the statements on the sums; None without an answer."""
    if result.are_sums_missing:
        return None
    found = result.own_sums
    release = Release(
        noise="Random noise is added before any of the sums is published",
        error=off_by("a published sum", found.half_width, found.significance),
        mechanism=f"{noise_words(found)}, in each noisy sum ({NAMES[found.method]}); each published number "
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
    answer_text=answer_text,
    explanation=explanation,
    exhibits=(each, ways, noises),
    claims=claims,
    snippets=snippets,
    statements=statements,
    downloads=downloads,
    has_statements=lambda result: not result.are_sums_missing,
    conditions=sums_conditions,
    subject="sums",
)
