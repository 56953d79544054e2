"""The sentences on the cells of a table: how many are distinguishable from empty ones, and under which noise."""

import numpy as np

from dpcore.calibrations import FAILS, PROVED, PURE_DP
from dpcore.mechanism import Mechanism
from pages.framework.parameters.number_format import (
    chart_text,
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    table_html,
)
from pages.shared.error_text import LARGE_EPSILON, LITTLE, share
from pages.shared.formulas import in_words
from pages.shared.glossary_links import glossary_link
from pages.tables.mechanisms import text
from pages.tables.mechanisms.mechanism_text import share_of_count, unavailable_reasons
from pages.tables.parameters import NAMES
from pages.tables.results import TablesResult

WHY_NOISE = (
    "**Why noise at all?** Exact counts reveal single people: if 87 people have a property, and 86 without one person, "
    "this person has it (differencing); from many exact counts nearly all records can be computed (reconstruction). "
    f"More is in the glossary: {glossary_link('reconstruction', 'reconstruction and differencing')}. "
    "A table in which each person is in one cell costs ε once, not once for each cell (parallel composition)."
)
_MOST_ROWS = 100


def error_text(result: TablesResult) -> str:
    """Return the kind of error and how many releases it holds for."""
    if result.setting.error == "each":
        return f"for one cell in {share(result.setting.significance)} of releases"
    if result.n_cells == 1:
        return f"in {share(result.setting.significance)} of releases"
    return f"for all {result.n_cells:,} cells at once in {share(result.setting.significance)} of releases"


def subtitle(result: TablesResult) -> str:
    """Return the table and its noise, on one line."""
    source = "" if result.table is None else result.table.source.split(" (")[0]
    return (
        f"{chart_text(source)}: ±{format_up(result.half_width)} {error_text(result)}; {short_parameters_text(result)}"
    )


def answer_text(result: TablesResult) -> tuple[str, str]:
    """Return how many cells are distinguishable from an empty one, and under which noise."""
    if result.mechanism is None:
        return no_mechanism_text(result)
    n, n_visible = result.n_cells, int(np.sum(result.visible_share >= 0.5))
    n_cells = f"{n_visible:,} of {n:,} cells {'is' if n_visible == 1 else 'are'}"
    if n == 1:
        n_cells = f"the one cell is{'' if n_visible else ' not'}"
    first = (
        f"With {in_words(result.mechanism)} noise (±{format_up(result.half_width)}), {n_cells} distinguishable from"
        " empty cells at least half of the time."
    )
    return first, f"{half_width_meaning(result)}; {guarantee_text(result.mechanism, result.setting.epsilon)}."


def half_width_meaning(result: TablesResult) -> str:
    """Return what the half-width means, and at which parameters."""
    releases, half_width = share(result.setting.significance), f"±{format_up(result.half_width)}"
    cells = f"all {result.n_cells:,} cells are within {half_width} at once"
    if result.setting.error == "each" or result.n_cells == 1:
        cells = f"a cell is within {half_width}"
    return f"In {releases} of releases {cells} ({short_parameters_text(result)})"


def short_parameters_text(result: TablesResult) -> str:
    """Return ε, δ where the noise needs one, and what one person contributes, in few words."""
    setting, pure = result.setting, result.mechanism is not None and result.mechanism.guarantee == PURE_DP
    delta = "" if pure else f", δ = {format_input_up(setting.delta)}"
    contribution = f"k = {format_input_down(setting.per_person)}"
    contribution += "" if setting.per_cell == 1 else f", c = {format_input_down(setting.per_cell)}"
    contribution += "" if np.isnan(setting.per_total) else f", N = {format_input_down(setting.per_total)}"
    contribution += "" if setting.n_periods == 1 else f" in each of {format_input_down(setting.n_periods)} periods"
    contribution = "each person in one cell" if contribution == "k = 1" else contribution
    return f"ε = {format_input_up(setting.epsilon)}{delta}, {contribution}"


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
        return "Compared with the pin: one of the two settings has no noise."
    old, new = f"±{format_up(pinned.half_width)}", f"±{format_up(result.half_width)}"
    return text.pin_comparison(result, pinned, old, new, (in_words(pinned.mechanism), in_words(result.mechanism)))


def guarantee_text(mechanism: Mechanism, epsilon: float) -> str:
    """Return the guarantee of the noise at an ε, or that it violates it, as a part of a sentence."""
    if mechanism.status == FAILS:
        return f"✗ the noise violates {mechanism.guarantee}: its true δ is {format_up(mechanism.true_delta)}"
    caveat = "" if mechanism.status == PROVED else ", unproved here"
    little = f"; this {LITTLE}" if epsilon > LARGE_EPSILON else ""
    return f"the noise satisfies {mechanism.guarantee}{caveat}, if the conditions hold{little}"


def alternative_text(result: TablesResult) -> str:
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
    frame = result.table.frame.head(_MOST_ROWS)
    heads = ["Cell", "Count", "± ÷ count", "Released as positive", "Distinguishable from an empty cell"]
    rows = [
        [
            str(cell)[:80],
            f"{count:,.0f}",
            share_of_count(result.half_width / count) if count else "–",
            ("yes" if is_bar_positive else "yes, although its bar reaches 0") if is_positive else "no",
            f"{format_down(100 * share, 3)} % of releases",
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
