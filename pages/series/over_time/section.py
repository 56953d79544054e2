"""The section on the numbers of a series over time."""

from collections.abc import Iterator, Sequence

import pandas as pd

from dpcore import linear_queries
from pages.framework.export.exhibit import CONFIDENTIAL_RELEASE, Colours, Exhibit, Figure
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Claim, Done, Field, Fields, Fold, Part, Row, Section, Snippet
from pages.framework.parameters.number_format import escape_markdown, exact_text, format_input_down, table_html
from pages.framework.parameters.parameter import Parameter
from pages.framework.rendering.uploaded_files import kept
from pages.framework.session.data_files import box_key
from pages.series.methods import EPSILONS, ends_text, options_text, rows_of
from pages.series.over_time import figures, text
from pages.series.over_time.results import ALONE, OverTime
from pages.series.parameters import (
    ACCEPTED,
    ARRIVED,
    ERROR_FIELD,
    IN_PERIODS,
    KNOWN_FIELD,
    LENGTH,
    METHOD,
    MOST_PER_PERIOD,
    NOISE_FIELD,
    PERIOD,
    PUBLICATION,
    PUBLISHED,
    SERIES_FIELD,
    SERIES_NOISE,
    SERIES_SLOT,
    WINDOW,
)
from pages.series.ranges.results import AllRanges
from pages.series.results import SeriesResult, SeriesSetting, series_conditions
from pages.series.statements import noise_claims, series_downloads, series_statements
from pages.shared.counts.table import NEIGHBOURS, PER_TOTAL
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, JAX_PRIVACY, OPACUS, OPENDP
from pages.shared.shared_parameters import DELTA, EPSILON, SEED, SIGNIFICANCE

_TOEPLITZ = {ALONE: "", "square_root": "", "banded": "[:8]"}
"""The methods whose sums are a Toeplitz matrix, with which of the coefficients."""
_PERSON = None, "add_remove"
"""No limit in all, and the neighbours of JAX Privacy."""
_NOT_IN_JAX_PRIVACY = (
    "It has running totals with Gaussian noise, by square roots and by sums of noisy periods, for a person who is "
    "added or removed and has no limit N; normalised for one period of a person."
)
_OTHERS = {
    OPENDP: "It has the sums of a tree (make_b_ary_tree) with least squares for all of them at the end, and no numbers "
    "that are published as they go.",
    DP_ACCOUNTING: "It accounts for a tree of sums, and publishes no numbers.",
    DIFFPRIVLIB: "It adds noise to single numbers.",
    OPACUS: "It trains models.",
}


def snippets(result: SeriesResult) -> tuple[Snippet, ...]:
    """Return the program that computes the largest half-width and the noise."""
    setting, found = result.setting, result.over_time
    series = found.series
    noise = None if found.is_gaussian else found.noise
    options = options_text(series, publication=series.publication, noise=noise)
    guarantee = ", ".join(map(number, found.guarantee))
    least, enough = least_epsilon_lines(setting, found, "months")
    code = program(
        "from dpcore import linear_queries",
        "",
        f"options = dict({options})",
        f"months = linear_queries.error({series.workload!r}, {found.answer_errors.strategy!r}, {series.n}, "
        f"{series.contributions}, **options)",
        largest_line(found, "months", "largest_half_width({})"),
        f"print(linear_queries.noise_scale(months, {guarantee}))",
        *least,
    )
    symbol = setting.noise.symbol
    note = f"The largest ±, and the {symbol} of each noisy sum. sample() in the same module draws a trial."
    printed = found.half_width, found.noise_scale, *enough
    return Snippet(DPCORE, code, note, printed), _jax_privacy(found), *unavailable(_OTHERS)


def _jax_privacy(found: OverTime) -> Snippet:
    """Return the error of the worst running total as JAX Privacy has it, for the methods that it has."""
    series, method = found.series, found.answer_errors.strategy
    n, k = series.n, series.contributions
    is_known = series.workload == "running_totals" and series.noise == "gaussian"
    is_normalized = method == "normalized_square_root" and k == 1
    if not is_known or not (is_normalized or method in _TOEPLITZ) or (series.total, series.neighbours) != _PERSON:
        return Snippet(JAX_PRIVACY, "", _NOT_IN_JAX_PRIVACY)
    roots = f"toeplitz.optimal_max_error_strategy_coefs({n})"
    if is_normalized:
        lines = (
            f"root = toeplitz.materialize_lower_triangular({roots})",
            "matrix = root / jnp.linalg.norm(root, axis=0)  # of sensitivity 1",
            "print(jnp.sqrt(dense.per_query_error(strategy_matrix=matrix).max()))",
        )
    else:
        lines = (
            f"coefs = {'jnp.ones(1)' if method == ALONE else f'{roots}{_TOEPLITZ[method]}'}",
            f"size = toeplitz.minsep_sensitivity_squared(coefs, 1, {k}, n={n})",
            f"print(jnp.sqrt(size * toeplitz.per_query_error(strategy_coef=coefs, n={n}).max()))",
        )
    code = program(
        "import jax",
        "import jax.numpy as jnp",
        f"from jax_privacy.matrix_factorization import {'dense, ' if is_normalized else ''}toeplitz",
        "",
        'jax.config.update("jax_enable_x64", True)',
        *lines,
    )
    note = (
        "It prints the standard error of the worst total, over the σ that one number needs which a person changes by "
        f"{format_input_down(series.per_cell)}. The library draws such noise for the steps of a training."
    )
    snippet = Snippet(JAX_PRIVACY, code, note, (found.answer_errors.largest / series.per_cell,), 1 - 1e-9, 1 + 1e-9)
    return within(snippet, Limit("T", n, 1, 400))


def largest_line(found: OverTime | AllRanges, name: str, function: str) -> str:
    """Return the line that computes the largest ± by a function of one number, or of all at once."""
    terms = ", ".join(map(number, found.terms))
    if found.is_joint:
        return f"print(linear_queries.simultaneous_half_widths({name}, {terms}).half_widths.max())"
    return f"print(linear_queries.{function.format(f'{name}, {terms}')})"


def least_epsilon_lines(
    setting: SeriesSetting, found: OverTime | AllRanges, name: str
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the line that computes the least ε for the ± that is accepted, and what it prints; nothing without one."""
    if setting.wanted is None or setting.epsilon in EPSILONS:
        return (), ()
    known = setting.wanted, *found.terms[1:]
    joint = ", simultaneous=True" if found.is_joint else ""
    line = f"print(linear_queries.least_epsilon({name}, {', '.join(map(number, known))}{joint}))"
    least = kept(linear_queries.least_epsilon, found.answer_errors, *known, simultaneous=found.is_joint)
    return (line,), (least,)


MAP_PICKS = "length", "in_periods"
"""The parameters that a click on the map sets."""


def over_time(result: SeriesResult, colours: Colours) -> Exhibit:
    """Return the error of each number over time, by method."""
    figure, alternative = figures.over_time_figure(result, colours), text.over_time_alternative_text(result)
    return Exhibit("over_time", figure, alternative, result.over_time.frame, result.csv_header)


def over_persons(result: SeriesResult, colours: Colours) -> Exhibit:
    """Return the largest error over the number of periods that a person can be in."""
    figure, alternative = figures.over_persons_figure(result, colours), text.over_persons_alternative_text(result)
    return Exhibit(
        "over_persons", figure, alternative, result.over_time.over_persons, result.csv_header, ("in_periods", "")
    )


def trial(result: SeriesResult, colours: Colours) -> Exhibit | None:
    """Return a trial series with its band; None without its numbers."""
    frame = result.trial
    if frame is None:
        return None
    figure, alternative = figures.trial_figure(result, frame, colours), text.trial_alternative_text(result, frame)
    return _of_trial(result, "trial", figure, alternative, frame)


def trial_errors(result: SeriesResult, colours: Colours) -> Exhibit | None:
    """Return by how much the trial is off; None without its numbers."""
    frame = result.trial
    if frame is None:
        return None
    figure, alternative = figures.trial_errors_figure(result, frame, colours), text.trial_errors_text(result, frame)
    return _of_trial(result, "trial_errors", figure, alternative, frame)


def _of_trial(result: SeriesResult, name: str, figure: Figure, alternative: str, frame: pd.DataFrame) -> Exhibit:
    header = result.csv_header | {"seed": exact_text(result.setting.seed)}
    return Exhibit(name, figure, alternative, frame, header, confidential=CONFIDENTIAL_RELEASE if result.is_own else "")


def best_map(result: SeriesResult, colours: Colours) -> Exhibit:
    """Return the best method over T and k."""
    figure, alternative = figures.map_figure(result, colours), text.map_alternative_text(result)
    return Exhibit("best_map", figure, alternative, result.over_time.best_methods, result.csv_header, MAP_PICKS)


def methods(result: SeriesResult, _: Colours) -> Exhibit:
    """Return the table of all methods."""
    frame, names = result.over_time.methods, text.LINE_NAMES
    heads = ["Method", "Largest ±", "Root mean square, as ±", "Largest ±, all at the end", "Sensitivity of its sums"]
    html = table_html("The error of each method", "cells", heads, rows_of(frame, names))
    return Exhibit("methods", html, ends_text(frame, names, "methods"), frame, result.csv_header)


def controls(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture: first those without which a phone would show another question.

    Of periods alone the limit on a person in all matters more than what the ± is for.
    """
    setting = result.setting
    persons = () if setting.counts_once else (IN_PERIODS,)
    window = (WINDOW,) if setting.totals in ("window", "year_to_date") else ()
    known = () if _is_crowded(result) else (KNOWN_FIELD,)
    last = PER_TOTAL if _has_limit_in_all(result) else ERROR_FIELD
    first = Field(PUBLISHED, "Published"), *window, *persons, LENGTH
    return *first, *known, ACCEPTED if setting.wanted else EPSILON, last


def _has_limit_in_all(result: SeriesResult) -> bool:
    """Return whether N has a field in sight, in place of what the ± is for."""
    return result.setting.totals == "each" and not result.setting.counts_once


def _is_crowded(result: SeriesResult) -> bool:
    """Return whether the fields would be more than six with the choice of what is known."""
    return not result.setting.counts_once and result.setting.series.window is not None


def more_settings(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the parameters that are seldom changed."""
    limits = () if result.setting.counts_once else (MOST_PER_PERIOD, PER_TOTAL)
    limits, error = ((MOST_PER_PERIOD,), (ERROR_FIELD,)) if _has_limit_in_all(result) else (limits, ())
    return (
        *limits,
        *((KNOWN_FIELD,) if _is_crowded(result) else ()),
        NOISE_FIELD,
        *(() if result.setting.noise.pure else (DELTA,)),
        SIGNIFICANCE,
        *error,
        Field(METHOD, "Method"),
        Field(PUBLICATION, "When"),
        Field(NEIGHBOURS, "Neighbours"),
        Field(PERIOD, "A period is one of the"),
    )


def parts(result: SeriesResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors over time and what to do; what else matters is folded, but a trial of the user's own series."""
    yield over_time(result, colours)
    if noises := result.better_noises:
        yield Row([Fields((), Done(SERIES_NOISE, noise, text.offer_text(result, noise))) for noise in noises])
    trial_fields = Fields((SERIES_FIELD, *_arrived_field(result), SEED))
    if result.is_own:
        yield own_series_text(result) or None
        yield Row((trial(result, colours), trial_errors(result, colours)))
        yield trial_fields
    yield text.series_steps_text(result)
    if not result.is_own:
        yield Fold(lambda: (trial_fields, trial(result, colours), trial_errors(result, colours)), "A trial")
    yield Fold(lambda: (over_persons(result, colours), text.turn_text(result) or None), "How often one person counts")
    yield Fold((text.year_text(result),), "What ε covers")
    yield Fold(lambda: (text.publication_text(result),), "As it goes, or all at the end")
    yield Fold(lambda: (methods(result, colours), text.limit_note(result) or None), "Compare all methods in numbers")
    yield Fold(lambda: (best_map(result, colours),), "The best method of other series")
    yield Fold((text.SAMPLER,), "How to draw the noise")


def own_series_text(result: SeriesResult) -> str:
    """Return what of the user's own series is not drawn, and why; empty without one."""
    setting, counts = result.setting, result.own_counts
    if not result.is_own:
        return ""
    if counts is None:
        missing = escape_markdown(result.problem) or "Your own series is missing: the link does not contain it."
        return f"{missing} [Upload or paste it](#{box_key(SERIES_SLOT)}), or choose invented counts."
    given, all_of = setting.periods(counts.size), setting.periods(setting.n_periods)
    if counts.size > setting.n_periods:
        return f"Your series has {given}, and T is {setting.n_periods:,}: the first {all_of} are drawn."
    if setting.noise.whole and not result.are_counts_whole:
        name = setting.noise.name
        return f"{name} noise needs whole numbers, and your series has others: choose a noise that is not whole."
    if result.counts is None:
        return f"Your series has {given}. All at the end, nothing appears before all {all_of} have ended."
    return ""


def _arrived_field(result: SeriesResult) -> Sequence[Field]:
    """Return the field of the periods that have ended, where numbers appear one by one."""
    if result.setting.publication == "once" or result.counts is None:
        return ()
    return (Field(ARRIVED, value=float(result.counts.size)),)


def claims(result: SeriesResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise at the sensitivity of the noisy sums, and this sensitivity."""
    return noise_claims(result.over_time, text.LINE_NAMES[result.over_time.answer_errors.strategy])


SECTION = Section[SeriesResult](
    key="time",
    name="Over time",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=text.explanation,
    exhibits=(over_time, over_persons, trial, trial_errors, best_map, methods),
    claims=claims,
    snippets=snippets,
    statements=series_statements,
    downloads=series_downloads,
    conditions=series_conditions,
)
