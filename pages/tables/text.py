"""The sentences, statements, programs and fields that the sections on the page's table have in common."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpcore.calibrations import FAILS, PROVED, PURE_DP
from dpcore.families import FAMILIES
from dpcore.mechanism import Mechanism
from dpcore.rounding import round_up
from pages.framework.layout.section import Field
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import (
    escape_markdown,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
    plural,
    random_percent,
    table_html,
)
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import CONTRIBUTION, LIMITED, satisfied_text
from pages.shared.counts.table import TABLE_FIELD, contribution_fields
from pages.shared.counts.table_notes import too_little_noise_text
from pages.shared.formulas import LARGE_EPSILON, LITTLE, NO_SAMPLER, in_words, share
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE, and_delta, glossary_link
from pages.tables.mechanisms import text
from pages.tables.mechanisms.text import for_all_years, share_of_count, unavailable_reasons
from pages.tables.parameters import CELLS, ERROR, GUARANTEE, MARGINS, MECHANISM, NAMES, NEIGHBOURS, PER_CELL, UNSAMPLED
from pages.tables.results import TablesResult

MISSING = (
    "Your own table is missing: the link does not contain it.",
    "[Upload or paste your table](#own_table_box), choose a sample table, or enter only the number of cells.",
)
MENDING = "[Correct it or bring another one](#own_table_box), or choose a sample table."
MOST_ROWS = 100
SAMPLE = "This is a sample table: [use my own table](#own_table_box)."


def section_answer_text(
    result: TablesResult,
    answer_text: Callable[[TablesResult], tuple[str, ...]],
    comparison_text: Callable[[TablesResult], str],
) -> tuple[str, ...]:
    """Return the answer of a section and, beside a pinned setting, what has changed; without a table, what to do."""
    if result.is_missing:
        return (escape_markdown(result.problem), MENDING) if result.problem else MISSING
    sentences = answer_text(result)
    if result.least_per_cell > result.setting.per_cell and result.section_mechanism is not None:
        sentences = sentences[0], too_little_noise_text(result.least_per_cell, result.setting.per_cell)
    sentences = tuple(filter(None, (*sentences, years_text(result))))
    if result.pinned is None or result.pinned.is_missing:
        return sentences
    return *sentences, comparison_text(result)


def sample_text(result: TablesResult) -> str | None:
    """Return where to bring a table, while one that ships with the page is shown."""
    return SAMPLE if result.setting.table in ("czech", "mildew") else None


WHY_NOISE = (
    "**Why noise at all?** Exact counts reveal single people: if 87 people have a property, and 86 without one person, "
    "this person has it (differencing); from many exact counts nearly all records can be computed (reconstruction). "
    f"More is in the glossary: {glossary_link('reconstruction', 'reconstruction and differencing')}. "
    "A table in which each person is in one cell costs ε once, not once for each cell (parallel composition)."
)


def error_text(result: TablesResult) -> str:
    """Return the kind of error and how many releases it holds for."""
    if result.setting.error == "each":
        return f"for one cell in {share(result.setting.significance)} of releases"
    if result.n_cells == 1:
        return f"in {share(result.setting.significance)} of releases"
    return f"for all {result.n_cells:,} cells at once in {share(result.setting.significance)} of releases"


def half_width_meaning(result: TablesResult) -> str:
    """Return what the half-width means, and at which ε and δ."""
    size, cells = f"±{format_up(result.half_width)}", f"All {result.n_cells:,} cells are"
    where = "" if result.setting.error == "each" or result.n_cells == 1 else " at once"
    cells = cells if where else "The one cell is" if result.n_cells == 1 else "Each cell by itself is"
    releases = share(result.setting.significance)
    delta, years = and_delta(result.mechanism_delta), for_all_years(result.setting.n_periods)
    epsilon = f"ε = {format_input_up(result.setting.epsilon)}{delta}{years}"
    return f"{cells} within {size}{where} in {releases} of releases ({epsilon})"


def short_parameters_text(result: TablesResult) -> str:
    """Return ε, δ where the noise needs one, and what one person contributes, in few words."""
    setting = result.setting
    contribution = f"k = {plural(format_input_down(setting.per_person), 'cell')} per person"
    contribution += "" if setting.per_cell == 1 else f", c = {format_input_down(setting.per_cell)} in each"
    contribution += "" if np.isnan(setting.per_total) else f", N = {format_input_down(setting.per_total)} in all"
    contribution += "" if setting.n_periods == 1 else " a year"
    contribution = "each person in one cell" if contribution == "k = 1 cell per person" else contribution
    years = for_all_years(setting.n_periods)
    return f"ε = {format_input_up(setting.epsilon)}{and_delta(result.mechanism_delta)}{years}, {contribution}"


def years_text(result: TablesResult) -> str:
    """Return that ε is for all years in the table, what of it each year has, and the ± of a table of one year."""
    mechanism, setting = result.section_mechanism, result.setting
    yearly = replace(result, setting=replace(setting, n_periods=1.0), pinned=None)
    alone = yearly.section_mechanism
    if setting.n_periods == 1 or mechanism is None or alone is None or result.section == "appear":
        return ""
    share_of_year = float(yearly.sensitivity.l1) / float(result.sensitivity.l1)
    pure = mechanism.guarantee == PURE_DP
    year = f", {format_up(float(round_up(setting.epsilon * share_of_year)))} for each" if pure else ""
    return (
        f"ε = {format_input_up(setting.epsilon)} is{for_all_years(setting.n_periods)} together{year}; a table of one "
        f"year alone, P = 1, has ±{format_up(alone.half_width(result.significance))}."
    )


def no_mechanism_text(result: TablesResult) -> tuple[str, str]:
    """Return why there is no noise, and what to do about it."""
    choice = result.setting.mechanism
    if choice == "recommended":
        return text.answer_text(result)
    return (
        f"{NAMES[choice]} noise is not available at this setting.",
        f"{unavailable_reasons(result)[choice].rstrip('.')}: choose another noise.",
    )


def comparison_text(result: TablesResult) -> str:
    """Return how the noise differs from that of the pinned setting."""
    pinned = result.pinned
    if pinned is None or pinned.mechanism is None or result.mechanism is None:
        return pin_sentence("one of the two settings has no noise")
    old, new = f"±{format_up(pinned.half_width)}", f"±{format_up(result.half_width)}"
    return text.pin_comparison(result, pinned, old, new, (in_words(pinned.mechanism), in_words(result.mechanism)))


def guarantee_text(result: TablesResult, mechanism: Mechanism) -> str:
    """Return the guarantee of the noise, or that it violates it, as a part of a sentence."""
    if mechanism.status == FAILS:
        return f"✗ the noise violates {mechanism.guarantee}: its true δ is {format_up(mechanism.true_delta)}"
    caveat = "" if mechanism.status == PROVED else ", unproved here"
    little = f", which {LITTLE}" if result.setting.epsilon > LARGE_EPSILON else ""
    return satisfied_text(result.values, f"{mechanism.guarantee}{caveat}{little}")


def cells_alternative_text(result: TablesResult) -> str:
    """Return what the figure of the cells shows, for those who can't see it."""
    return (
        f"{result.n_cells:,} cells from {format_nearest(float(result.counts.max(initial=0)))} down to"
        f" {format_nearest(float(result.counts.min(initial=0)))}, each with ±{format_up(result.half_width)}:"
        f" {int(result.bar_is_above_zero.sum()):,} of the error bars end above 0, and"
        f" {int(result.stays_above_zero.sum()):,} of the cells are released as positive numbers in that share of "
        "releases."
    )


def cells_html(result: TablesResult) -> str:
    """Return the first cells of the table in numbers, as an HTML table."""
    if result.table is None:
        return ""
    frame = result.table.frame.head(MOST_ROWS)
    confidence, half_width = share(result.setting.significance), f"±{format_up(result.half_width)}"
    positive = f"Above 0 in {confidence} of releases"
    heads = ["Cell", "Count", "±", "± ÷ count", positive, "Told from an empty cell"]
    rows = [
        [
            str(cell)[:80],
            f"{count:,.0f}",
            half_width,
            share_of_count(result.half_width / count) if count else "–",
            ("yes" if is_bar_positive else "yes, although its bar reaches 0") if is_positive else "no",
            f"{random_percent(share, 3)} of releases",
        ]
        for cell, count, is_bar_positive, is_positive, share in zip(
            frame["cell"],
            frame["count"],
            result.bar_is_above_zero,
            result.stays_above_zero,
            result.visible_share,
            strict=False,
        )
    ]
    return table_html("The cells in numbers", "cells", heads, rows)


ERROR_FIELD, GUARANTEE_FIELD = Field(ERROR, "Error bound for"), Field(GUARANTEE, "Guarantee")
_NOT_OFFERED = f"Not offered: {', '.join(NAMES[key] for key in UNSAMPLED)}. Of them there is {NO_SAMPLER}."
MECHANISM_FIELD = Field(MECHANISM, "Noise", help=_NOT_OFFERED)


MOST_FIELDS = 6
"""The most fields beside the picture; the others are folded under them."""


def known_fields(result: TablesResult, extra: Field = ERROR_FIELD) -> tuple[Field | Parameter, ...]:
    """Return the table, what one person adds to it, and ε, as far as there is room; and a further field if there is."""
    size = (CELLS,) if result.setting.table == "size" else ()
    limits = contribution_fields(result.values)[: MOST_FIELDS - 2 - len(size)]
    fields = TABLE_FIELD, *size, *limits, EPSILON
    return fields if len(fields) == MOST_FIELDS else (*fields, extra)


def folded_fields(result: TablesResult, known: tuple[Field | Parameter, ...]) -> tuple[Field | Parameter, ...]:
    """Return the fields of the contribution and of the error that have no room among those in sight."""
    return tuple(field for field in (*contribution_fields(result.values), ERROR_FIELD) if field not in known)


def sensitivity_fields(result: TablesResult) -> tuple[Field | Parameter, ...]:
    """Return the other fields of the sensitivity, and the confidence."""
    per_cell = () if result.values[CONTRIBUTION.key] in ("once", *LIMITED) else (PER_CELL,)
    return *per_cell, Field(NEIGHBOURS, "Neighbours"), Field(MARGINS), SIGNIFICANCE


def noise_fields(result: TablesResult) -> tuple[Field | Parameter, ...]:
    """Return the fields of the noise, of its guarantee, which only the recommended one depends on, and of the rest."""
    guarantee = (GUARANTEE_FIELD,) if result.values[MECHANISM.key] == "recommended" else ()
    return MECHANISM_FIELD, *guarantee, *delta_fields(result), *sensitivity_fields(result)


def delta_fields(result: TablesResult) -> tuple[Quantity, ...]:
    """Return the field of δ where the chosen noise may depend on it: not of noise that satisfies pure ε-DP."""
    mechanism, is_pure = result.values[MECHANISM.key], result.values[GUARANTEE.key] == "pure"
    if mechanism != "recommended":
        is_pure = mechanism in FAMILIES and FAMILIES[mechanism].pure
    return () if is_pure else (DELTA,)
