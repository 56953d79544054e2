"""The section on several quantiles."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from dpcore.mechanism import NoiseDistribution
from pages.framework.chart.theme import decades, layout, log_axis, markers
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Claim, Conditions, Field, Fold, Part, Section, Snippet
from pages.framework.parameters.number_format import (
    capitalized,
    chart_text,
    escape_markdown,
    exact_text,
    format_down,
    format_input_up,
    format_up,
    table_html,
)
from pages.framework.parameters.parameter import Parameter
from pages.median.parameters import HIGH, LOW, MEDIAN, N_RECORDS, P90, QUANTILES, QUANTILES_HELP, UNIT_FIELD
from pages.median.quantile.text import MISSING, WIDER, epsilon_code, keep_text, pin_text, values_text
from pages.median.results import MOST_DRAWN, N_DRAWS, SEED, MedianResult, SeveralResult, conditions_of_range
from pages.shared.counts.table import NEIGHBOURS
from pages.shared.formulas import SAMPLER, share
from pages.shared.other_libraries import DIFFPRIVLIB, DPCORE, PEERS
from pages.shared.release_program.program import (
    Choice,
    Statistic,
    quantiles_level,
    quantiles_statistic,
    release_downloads,
    series_statistic,
    with_records,
)
from pages.shared.shared_parameters import EPSILON, SIGNIFICANCE
from pages.shared.statements import Release, in_full, off_by, release_statements, steps_text
from pages.shared.values.parameters import (
    SHAPE,
    SOURCE_FIELD,
    amount,
    amount_up,
    entered_amount,
    in_unit,
    quantile_name,
    unit_after,
)

NAMES = {
    "single": "each by itself",
    "recursive": "one after the other",
    "histogram": "from a noisy histogram",
    "alone": "one alone",
}
_OF_ONE = ", counted for one value of a person"
_NOISY_SUMS = {"per_period": "each count", "tree": "each sum of a binary tree over the counts"}
EXPLANATION = r"""
**Each by itself.** Each of m quantiles is released by the exponential mechanism on the range with ε/m, so that all
together satisfy ε-DP. Its ± is exact.

**One after the other** (Kaplan, Schnapp & Stemmer 2022): the middle quantile is released, the values are split there,
and both halves go on in the same way. A person is in one part of a level, so that $\lfloor\log_2 m\rfloor+1$ levels
share ε. If one person is replaced, it may be in two parts, which costs twice as much: the page does not offer it then.

**From a noisy histogram.** The people in each of 16, 32, 64 or 128 equal parts of the range are counted, and their
running totals get Laplace noise by the best strategy of a series. Each quantile is read off where the totals, made to
rise, reach its share of the last one, so that more quantiles cost nothing. The number of parts is that with the least ±
of the farthest quantile.

The ± of both is estimated from 400 draws, not too small with 99 % confidence.

**One alone** has all of ε. Each ± holds for its quantile alone in the stated share of releases, not for all of them at
once. Public figures stand for a typical sample, of values that are not rounded: equal values would be bad for a release
of any number of the range.
"""
_FEW = (
    f"The method that releases one after the other is tried for at most {MOST_DRAWN:,} people of whom one is added or "
    "removed."
)
_PROOFS = {
    "single": "the exponential mechanism (McSherry & Talwar 2007; Smith 2011) for each, whose ε add up",
    "recursive": "Kaplan, Schnapp & Stemmer 2022",
    "histogram": "the Laplace mechanism (Dwork et al. 2006); all that is read off the noisy sums costs nothing",
}
_CHOSEN = "The method was chosen from the values, and ε does not cover that choice."
_CHOSEN_FROM_DATA = "Your values chose this method, and ε does not cover that choice: choose it with public figures."


def answer_text(result: MedianResult) -> tuple[str, ...]:
    """Return how far off the farthest of several quantiles is, by the better method, and which that is."""
    if problem := several_problem(result):
        return escape_markdown(problem), MISSING if result.has_no_values else WIDER
    several, setting = result.several, result.setting
    error = amount_up(several.largest_errors[several.best_method])
    people = several.release.counted(several.ordered.size)
    n, best = len(several.levels), several.best_method
    within = f"within **±{error}** {unit_after(error, escape_markdown(setting.unit))}".rstrip()
    first = (
        f"Each of {n} quantiles is {within} of the true one in {share(setting.significance)} of releases "
        f"(ε = {format_input_up(setting.epsilon)}, {people})."
    )
    worst = several.levels[int(several.frame[several.best_method].to_numpy().argmax())]
    others = [f"{NAMES[name]}: ±{amount_up(error)}" for name, error in several.largest_errors.items() if name != best]
    released = f"Released {NAMES[best]}"
    second = "; ".join((released, f"worst: {quantile_name(worst)}", *others))
    if result.compared is None or several_problem(result.compared):
        return first, f"{second}."
    pinned = pin_text(result, lambda part: part.several.largest_errors[part.several.best_method])
    return first, f"{second}.", *pinned


def several_problem(result: MedianResult) -> str:
    """Return the sentence on why there is no answer; empty where there is one."""
    if result.values_problem:
        return result.values_problem
    setting, several = result.setting, result.several
    truths = zip(several.levels, several.truths.tolist(), strict=True)
    return next((found for level, truth in truths if (found := setting.range_problem(level, truth))), "")


def several_steps_text(result: MedianResult) -> str:
    """Return what to do in three steps; the ± is not among what is published, as it depends on the values."""
    several, release = result.several, result.several.release
    if several.best_method == "histogram":
        scale = format_up(several.noise_scale)
        drawn = (
            f"**Count the {release.noun} in {several.n_parts} equal parts of the range**, add Laplace noise, "
            f"b = {scale} to {_NOISY_SUMS[several.strategy.strategy]}, and read the quantiles off the running totals."
        )
    else:
        shared = "for each" if several.best_method == "single" else "for each level of halves"
        drawn = (
            f"**Draw the quantiles {NAMES[several.best_method]}**, once, by the exponential mechanism on the range, "
            f"with ε = {format_down(several.epsilon_each, 6)} {shared}{_OF_ONE * (release.n_own > 1)}."
        )
    return steps_text(
        f"{keep_text(release.n_own)}, and choose the range and the quantiles without the data.",
        drawn,
        f"Publish them with ε = {format_input_up(release.epsilon)} for all together, the range and the conditions.",
    )


def several_statements(result: MedianResult) -> Statements | None:
    """Return the statements on the quantiles; None without an answer."""
    if several_problem(result):
        return None
    several, setting, chosen = result.several, result.setting, result.several.best_method
    n, low, high = len(several.levels), *(in_full(entered_amount(end)) for end in (setting.low, setting.high))
    noise = f"The {n} published quantiles are drawn at random from {low} to {high}, more probably near the exact ones"
    mechanism = f"the exponential mechanism on the range, ε = {format_down(several.epsilon_each, 6)} for each quantile"
    if chosen == "recursive":
        mechanism = f"{mechanism.removesuffix('quantile')}level of halves"
    mechanism += _OF_ONE * (setting.n_own > 1)
    if chosen == "histogram":
        counted = f"The {several.release.noun} in {several.n_parts} equal parts from {low} to {high} are counted"
        noise = f"{counted}, and random noise is added to sums of these counts, off which {n} quantiles are read"
        scale = format_up(several.noise_scale)
        sums = _NOISY_SUMS[several.strategy.strategy]
        mechanism = f"Laplace noise, b = {scale}, on {sums} in {several.n_parts} parts"
    levels = ", ".join(map(exact_text, several.levels))
    public, numbers, what = "", "", "for values as assumed, each published quantile taken alone"
    if not setting.is_own:
        error = several.largest_errors[chosen]
        public, numbers = off_by(what, error, setting.significance, setting.unit, is_at_least=True)
    estimated = "" if chosen == "single" else f"; estimated from {N_DRAWS} draws"
    assumed = f" (assumed: {values_text(result).partition(', ')[2]}{estimated})" if numbers else ""
    release = Release(
        noise=noise,
        error=(public, f"{numbers}{assumed}"),
        mechanism=f"{mechanism}; quantiles {levels}",
        proof=_PROOFS[chosen],
        epsilon=format_input_up(setting.epsilon),
        neighbours=setting.neighbours,
        caution=_CHOSEN if setting.is_own and len(several.largest_errors) > 1 else "",
    )
    return release_statements(release, conditions_of_range(result))


def method_note(result: MedianResult) -> str:
    """Return that the user's own values chose the method, and why one is not shown; else empty."""
    several = result.several
    if not several.has_draws:
        return "The ± of other methods is estimated from draws, of which the page has too few for so rare errors."
    chosen = _CHOSEN_FROM_DATA if result.setting.is_own else ""
    tried = "" if several.is_recursive_drawn else _FEW
    return " ".join(filter(None, (chosen, tried)))


def _alternative(several: SeveralResult) -> str:
    """Return what the chart and the table show."""
    errors = "; ".join(f"{NAMES[name]}: at most ±{amount_up(error)}" for name, error in several.largest_errors.items())
    return f"The ± of each of {len(several.levels)} quantiles within one ε. {capitalized(errors)}."


_LOOKS = {
    "single": ("analytic", "circle"),
    "recursive": ("orange", "diamond"),
    "histogram": ("green", "square"),
    "alone": ("quiet", "line-ew-open"),
}
_SINGLE = "It releases quantiles one by one: see the section on one quantile, with ε/m for each."
_REASON_READ = "Laplace noise on sums satisfies ε-DP, and so does all that is read off them: both are theorems."
_REASON = "Each density changes by at most its factor: that is a theorem; what is enclosed are probabilities on steps."


def quantiles_figure(several: SeveralResult, unit: str, subtitle: str, colours: Colours) -> Figure:
    """Draw the ± of each quantile by method."""
    frame = several.frame
    names = [name for name in NAMES if name in frame]
    errors = frame[names].to_numpy()
    y = log_axis(in_unit("±", chart_text(unit)), *decades(99, -99, float(errors.min()), float(errors.max())))
    x: dict[str, Any] = {"range": [0, 1], "title": {"text": "quantile"}}
    figure = layout(colours, "The errors of several quantiles", subtitle, x, y)
    traces = []
    for name in names:
        shade, symbol = _LOOKS[name]
        edge = {"color": colours[shade], "width": 3 if symbol.endswith("open") else 0}
        mark = {"color": colours[shade], "symbol": symbol, "size": 11, "line": edge}
        traces.append(markers(frame["quantile"], frame[name], NAMES[name], mark, hovertemplate="±%{y:.4~g}"))
    return {"data": traces, "layout": figure}


def quantiles_chart(result: MedianResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the errors of the quantiles."""
    if several_problem(result):
        return None
    several, setting, header = result.several, result.setting, csv_header(result)
    figure = quantiles_figure(several, setting.unit, chart_text(values_text(result)), colours)
    alternative, numbers = _alternative(several), several.frame
    return Exhibit("quantiles", figure, alternative, numbers, header, confidential=setting.confidential)


def quantiles_table(result: MedianResult, _: Colours) -> Exhibit | None:
    """Return the table of the errors of the quantiles."""
    if several_problem(result):
        return None
    several, header = result.several, csv_header(result)
    methods = [name for name in NAMES if name in several.frame]
    heads = ["Quantile", "True value", *(capitalized(NAMES[name]) for name in methods)]
    errors = [several.frame[name].tolist() for name in methods]
    rows = [
        [quantile_name(level), amount(truth), *(f"±{amount_up(error)}" for error in row)]
        for level, truth, *row in zip(several.levels, several.truths.tolist(), *errors, strict=True)
    ]
    html, alternative = table_html("The errors of several quantiles", "readings", heads, rows), _alternative(several)
    confidential = result.setting.confidential
    return Exhibit("quantiles_table", html, alternative, several.frame, header, confidential=confidential)


def csv_header(result: MedianResult) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV."""
    setting = result.setting
    keys = ("epsilon", "significance", "low", "high", "neighbours", "per_total", "unit")
    keys += () if setting.is_own else ("shape", "median", "p90", "n_records")
    entries = setting.texts(*keys)
    levels = ", ".join(map(exact_text, result.several.levels))
    entries |= {"histogram_parts": str(result.several.n_parts)} if result.several.has_draws else {}
    return entries | {"quantiles": levels, "units": "values and errors in the unit of the values; epsilon in nats"}


def controls(result: MedianResult) -> Sequence[Field | Parameter]:
    """Return the quantiles, the values, the range and ε."""
    if result.has_no_values:
        return (SOURCE_FIELD,)
    figures = (SOURCE_FIELD,) if result.setting.is_own else (MEDIAN, P90, N_RECORDS)
    high = () if result.limit_fields else (HIGH,)  # which is then folded: a page has six fields at most
    return Field(QUANTILES, "Quantiles", QUANTILES_HELP), *figures, *result.limit_fields, *high, EPSILON


def more_settings(result: MedianResult) -> Sequence[Field | Parameter]:
    """Return the parameters that are seldom changed."""
    if result.has_no_values:
        return ()
    figures = () if result.setting.is_own else (SOURCE_FIELD, Field(SHAPE, "Shape of the values"))
    high = (HIGH,) if result.limit_fields else ()
    return (UNIT_FIELD, *figures, LOW, *high, Field(NEIGHBOURS, "Neighbours"), SIGNIFICANCE)


def several_conditions(result: MedianResult) -> Conditions | None:
    """Return the conditions of the quantiles; None without an answer."""
    return None if several_problem(result) else conditions_of_range(result)


def downloads(result: MedianResult) -> Downloads | None:
    """Return the program of the best method; None where own values chose it."""
    setting = result.setting
    if several_problem(result) or setting.is_own:
        return None
    several, alpha = result.several, setting.significance
    half_widths = several.frame[several.best_method].to_list()
    assumed = values_text(result).partition(", ")[2]
    if several.best_method == "histogram":
        statistic = _of_histogram(several, half_widths, alpha, assumed)
    else:
        is_replaced, is_recursive = setting.neighbours == "replace", several.best_method == "recursive"
        draw = Choice("exponential", setting.epsilon, is_replaced, is_recursive=is_recursive)
        choice = draw.among(setting.low, setting.high, None, lambda: 0)
        statistic = quantiles_statistic(choice, several.levels, half_widths, alpha, assumed)
    return release_downloads(
        (replace(with_records(statistic, setting.n_own), unit=setting.unit),),
        (setting.epsilon, 0.0),
        setting.neighbours,
        several_conditions(result),
        lambda: several_statements(result),
    )


def _of_histogram(several: SeveralResult, half_widths: list[float], alpha: float, assumed: str) -> Statistic:
    """Return the quantiles that are read off a noisy histogram."""
    release = several.release
    noise = NoiseDistribution("laplace", (several.noise_scale,), several.noise_scale)
    moved = float(several.strategy.sensitivity) * release.n_own
    return replace(
        series_statistic("Quantiles", several.strategy, noise, max(half_widths), alpha),
        kind="quantiles",
        l1=moved,
        l2=moved,
        level=quantiles_level(alpha, assumed),
        assumed=f"values as assumed ({assumed})",
        low=release.low,
        high=release.high,
        levels=several.levels,
        half_widths=tuple(half_widths),
    )


def claims(result: MedianResult) -> Iterator[Claim]:
    """Yield why the guarantee is not enclosed."""
    if not several_problem(result):
        reason = _REASON_READ if result.several.best_method == "histogram" else _REASON
        yield Claim(f"δ({format_input_up(result.setting.epsilon)}) of all quantiles together", reason=reason)


def snippets(result: MedianResult) -> tuple[Snippet, ...]:
    """Return the program of the errors of quantiles by the best method."""
    if several_problem(result):
        return ()
    setting, several = result.setting, result.several
    levels = ", ".join(map(number, several.levels))
    values, printed = "[12.0, 15.0, 30.0]  # your own", ()
    if not setting.is_own:
        values = "people.quantile((np.arange(people.n) + 0.5) / people.n)"
        printed = (several.largest_errors[several.best_method],)
    name, (first, second) = setting.distribution.name, setting.distribution.parameters
    code = program(
        "import numpy as np",
        "from dpcore import clipping, quantiles",
        "",
        f"people = clipping.{name}({number(first)}, {number(second)}, {setting.distribution.n})",
        f"values = {values}",
        f"levels, outputs = [{levels}], quantiles.Range({number(setting.low)}, {number(setting.high)})",
        f"epsilon = {epsilon_code(several.release)}",
        *_errors_code(several),
        "print(max(errors))",
    )
    own = Snippet(DPCORE, code, f"The largest ± of quantiles that are released {NAMES[several.best_method]}.", printed)
    others = dict.fromkeys((peer for peer in PEERS if peer != DIFFPRIVLIB), _SINGLE)
    return own, _diffprivlib_snippet(result), *unavailable(others)


def _errors_code(several: SeveralResult) -> tuple[str, str]:
    """Return the lines of a program that compute the ± of each quantile by the best method."""
    alpha, neighbours = number(several.significance), repr(several.release.neighbours)
    if several.best_method == "single":
        own = "own = quantiles.single_epsilon(epsilon, len(levels))"
        return own, f"errors = quantiles.half_width(values, levels, own, outputs, {alpha}, {neighbours})"
    parts = "" if several.best_method == "recursive" else f"{several.n_parts}, 0.0, {neighbours}, "
    known = f"np.random.default_rng({SEED}), values, levels, epsilon, outputs"
    draws = f"draws = quantiles.sample_{several.best_method}({known}, {parts}{N_DRAWS})"
    return draws, f"errors = quantiles.drawn_half_widths(draws, values, levels, outputs, {alpha})"


def _diffprivlib_snippet(result: MedianResult) -> Snippet:
    """Return the release with diffprivlib, which states no error."""
    setting = result.setting
    levels = ", ".join(map(number, result.several.levels))
    code = program(
        "from diffprivlib import tools",
        "",
        "values = [12.0, 15.0, 30.0]  # your own",
        f"levels, bounds = [{levels}], ({number(setting.low)}, {number(setting.high)})",
        f"print(*tools.quantile(values, levels, epsilon={epsilon_code(result.several.release)}, bounds=bounds))",
    )
    note = (
        f"It draws each by itself with ε/{len(result.several.levels)}, any number of the range, with the noise for a "
        "person who is replaced, and states no error."
    )
    return Snippet(DIFFPRIVLIB, code, note)


def parts(result: MedianResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors of the quantiles, as a picture and as a table."""
    if several_problem(result):
        return
    yield quantiles_chart(result, colours)
    yield several_steps_text(result)
    yield method_note(result)
    yield Fold(lambda: (quantiles_table(result, colours),), "The quantiles in numbers")
    yield Fold((SAMPLER,), "How to draw the noise")


SECTION = Section[MedianResult](
    key="several",
    name="Several quantiles",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=answer_text,
    explanation=lambda _: EXPLANATION,
    conditions=several_conditions,
    exhibits=(quantiles_chart, quantiles_table),
    claims=claims,
    snippets=snippets,
    statements=several_statements,
    has_statements=lambda result: not several_problem(result),
    downloads=downloads,
)
