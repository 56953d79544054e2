"""The section on ranges of ordered cells."""

from collections.abc import Iterator, Sequence

from pages.framework.chart.theme import ghost, hairline, hover_head, layout, line, round_axis_end
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Claim, Conditions, Done, Field, Fields, Fold, Part, Row, Section, Snippet
from pages.framework.parameters.number_format import table_html
from pages.framework.parameters.parameter import Parameter
from pages.series.methods import ends_text, errors_of, options_text, rows_of
from pages.series.over_time.figures import LOOKS
from pages.series.over_time.section import largest_line, least_epsilon_lines
from pages.series.parameters import (
    ACCEPTED,
    CELLS_PER_PERSON,
    ERROR_FIELD,
    KNOWN_FIELD,
    N_CELLS,
    NOISE_FIELD,
    SERIES_NOISE,
)
from pages.series.ranges import text
from pages.series.ranges.results import BRANCHINGS, AllRanges, column_of
from pages.series.ranges.text import METHOD_WORDS, cells_words
from pages.series.results import SeriesResult
from pages.series.statements import noise_claims, range_downloads, range_statements
from pages.shared.counts.table import NEIGHBOURS, PER_CELL, PER_TOTAL, table_conditions
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE

_OTHERS = {
    DP_ACCOUNTING: "It accounts for privacy, and publishes no numbers.",
    DIFFPRIVLIB: "It adds noise to each cell of a histogram.",
    OPACUS: "It trains models.",
}


_MOST_MOVED = 1e6  # of counts in 32 bits


def snippets(result: SeriesResult) -> tuple[Snippet, ...]:
    """Return the program that computes the largest half-width of a range and the noise."""
    setting, found = result.setting, result.ranges
    cells, method = found.series, found.best_method
    noise = None if found.is_gaussian else found.noise
    options = options_text(cells, noise=noise, branching=method.branching)
    guarantee = ", ".join(map(number, found.guarantee))
    least, enough = least_epsilon_lines(setting, found, "ages")
    code = program(
        "from dpcore import linear_queries",
        "",
        f"ages = linear_queries.error('ranges', {method.strategy!r}, {cells.n}, {cells.contributions}"
        f"{', ' if options else ''}{options})",
        largest_line(found, "ages", "half_widths({}).max()"),
        f"print(linear_queries.noise_scale(ages, {guarantee}))",
        *least,
    )
    printed = found.half_width, found.noise_scale, *enough
    ours = Snippet(
        DPCORE, code, f"The largest ± of a range, and the {setting.noise.symbol} of each noisy sum.", printed
    )
    return ours, _opendp_tree(found), *unavailable(_OTHERS)


def _opendp_tree(found: AllRanges) -> Snippet:
    """Return the tree with the least mean error with Laplace noise as OpenDP has it, which prints the scale."""
    cells = found.series
    most = cells.contributions * cells.per_cell if cells.total is None else cells.total
    moved = min(most, cells.contributions * cells.per_cell) * (1 if cells.neighbours == "add_remove" else 2)
    if not float(cells.per_cell).is_integer() or moved > _MOST_MOVED:
        return Snippet(
            OPENDP, "", "Its tree is of whole counts: what a person adds has to be a whole number up to 1e6."
        )
    trees = [errors_of(cells._replace(noise="laplace"), "tree", branching) for branching in BRANCHINGS]
    tree = min(trees, key=lambda errors: errors.root_mean_square)
    branching, n_levels, size = tree.options.branching, 1, 1
    while size < cells.n:
        n_levels, size = n_levels + 1, size * branching
    code = program(
        "import opendp.prelude as dp",
        "",
        'dp.enable_features("contrib")',
        "space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)",
        f"tree = dp.t.make_b_ary_tree(*space, leaf_count={cells.n}, branching_factor={branching})",
        f"cells = dp.t.make_consistent_b_ary_tree(branching_factor={branching}, TIA=int, TOA=float)",
        "noisy = lambda scale: tree >> dp.m.then_laplace(scale) >> cells",
        f"print(dp.binary_search_param(noisy, {int(moved)}, {number(found.epsilon)}))",
    )
    note = (
        "It prints the scale of whole-number Laplace noise, for ε without δ; noisy(scale)(counts) draws the cells, of "
        f"which a range is the sum. Its tree has {n_levels} levels, with sums that are not full, and states no error."
    )
    return within(
        Snippet(OPENDP, code, note, (n_levels * moved / found.epsilon,), 1 - 1e-9, 1 + 1e-9),
        Limit("ε", found.epsilon, 0.01, 10),
    )


_TREES = {4: ("purple", "dash"), 8: ("rose", "dot"), 16: ("ochre", "dot")}
_ROOM = 1.02  # beyond n, so that its line is no edge


def lengths_figure(result: SeriesResult, colours: Colours) -> Figure:
    """Draw the largest half-width over the length of a range, by method, with the limit of all methods."""
    found = result.ranges
    pinned = None if result.pinned is None else result.pinned.ranges
    highest = found.lengths.drop(columns="length").to_numpy().max()
    last = found.series.n if pinned is None else max(found.series.n, pinned.series.n)
    x = {"range": [0, round_axis_end(last * _ROOM)], "title": {"text": "cells in a range"}} | hover_head("length")
    y = {"range": [0, round_axis_end(float(highest))], "title": {"text": result.setting.size_text("± at most,")}}
    figure = layout(colours, "Error of a range, by its length", cells_words(result), x, y)
    traces = []
    if pinned is not None:
        values = pinned.by_length(pinned.best_method)
        traces.append(line(range(1, values.size + 1), values, "pinned", "", "") | ghost(colours))
    for method in found.drawn:
        shade, dash = _TREES.get(method.branching or 0, LOOKS[method.strategy])
        x, y, name = found.lengths["length"], found.lengths[column_of(method)], METHOD_WORDS[column_of(method)]
        trace = line(x, y, name, colours[shade], dash, hovertemplate="±%{y:.4~g}")
        traces.append(trace | {"line": trace["line"] | {"width": 4 if method == found.best_method else 2}})
    if found.limit is not None:
        ends, lowest = [1, found.series.n], [found.limit] * 2
        name = f"limit of the worst range{', k = 1' if found.series.contributions > 1 else ''}"
        limit = line(ends, lowest, name, colours["text"], "solid", hovertemplate="±%{y:.4~g}")
        traces.append(limit | {"line": limit["line"] | {"width": 1}})
    hairline(figure, colours, found.series.n, f"n = {found.series.n:,}", "n_cells")
    return {"data": traces, "layout": figure}


def lengths(result: SeriesResult, colours: Colours) -> Exhibit:
    """Return the error of a range by its length."""
    figure, alternative = lengths_figure(result, colours), text.lengths_alternative_text(result)
    return Exhibit("lengths", figure, alternative, result.ranges.lengths, result.ranges_header)


def range_methods(result: SeriesResult, _: Colours) -> Exhibit:
    """Return the table of all methods."""
    frame, words = result.ranges.range_methods, text.METHOD_WORDS
    root_mean_square = f"Root mean square error{'' if result.ranges.is_gaussian else ' with Gaussian noise'}"
    heads = ["Method", "Largest ±", root_mean_square, "The same with Laplace noise, without δ"]
    html = table_html("The error of each method for ranges", "cells", heads, rows_of(frame, words))
    return Exhibit("range_methods", html, ends_text(frame, words, "methods"), frame, result.ranges_header)


def controls(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture."""
    persons = () if result.setting.counts_once else (CELLS_PER_PERSON,)
    delta = () if result.setting.noise.pure else (DELTA,)
    return *persons, N_CELLS, KNOWN_FIELD, ACCEPTED if result.setting.wanted else EPSILON, *delta, NOISE_FIELD


def more_settings(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the parameters that are seldom changed."""
    limits = () if result.setting.counts_once else (PER_CELL, PER_TOTAL)
    return SIGNIFICANCE, ERROR_FIELD, *limits, Field(NEIGHBOURS, "Neighbours")


def parts(result: SeriesResult, colours: Colours) -> Iterator[Part]:
    """Yield the error by the length of a range and what to do; folded, whether a tree pays, and all methods."""
    yield lengths(result, colours)
    if better := result.better_ranges:
        yield Row([Fields((), Done(SERIES_NOISE, other.noise, text.offer_text(other))) for other in better])
    yield text.range_steps_text(result)
    yield Fold((text.tree_text(result),), "Does a tree pay")
    yield Fold(lambda: (range_methods(result, colours), text.lowest_text(result)), "Compare all methods in numbers")


def conditions(result: SeriesResult) -> Conditions:
    """Return the conditions of the answer: those of a table."""
    return table_conditions(result.table_values)


def claims(result: SeriesResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise at the sensitivity of the noisy sums, and this sensitivity."""
    return noise_claims(result.ranges, text.METHOD_WORDS[column_of(result.ranges.best_method)])


SECTION = Section[SeriesResult](
    key="ranges",
    name="Ranges",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=text.range_explanation,
    exhibits=(lengths, range_methods),
    claims=claims,
    snippets=snippets,
    statements=range_statements,
    downloads=range_downloads,
    conditions=conditions,
    subject="ranges",
)
