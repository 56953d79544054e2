"""The sentences that the sections on the page's table have in common."""

import math
from collections.abc import Callable

from dpcore.calibrations import PROVED, PURE_DP
from pages.framework.layout.section import Conditions
from pages.framework.parameters.number_format import escape_markdown, exact_text, format_input_up, format_up
from pages.shared import release_steps
from pages.shared.conditions import CATEGORIES, CONDITION_PARAMETERS
from pages.shared.counts.parameters import TABLE_FIELD
from pages.shared.counts.problem_text import too_little_noise_text
from pages.shared.counts.table import limit_fields, limit_text, table_conditions
from pages.shared.page_links import Link
from pages.shared.site_map import TABLES
from pages.shared.statements import mechanism_text
from pages.tables.mechanisms.mechanism_text import error_text
from pages.tables.results import TablesResult

MISSING = (
    "Your own table is missing: the link does not contain it.",
    "[Upload or paste your table](#own_table_box), choose a sample table, or enter only the number of cells.",
)
MENDING = "[Correct it or bring another one](#own_table_box), or choose a sample table."
_FIXED_LIST = "with those categories that nobody is in, and one cell “other” for the rest. With a fixed list:"
SAMPLE = "This is a sample table: [use my own table](#own_table_box)."


def table_answer_text(
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
    if result.pinned is None or result.pinned.is_missing:
        return sentences
    return *sentences, comparison_text(result)


def steps_text(result: TablesResult) -> str:
    """Return what to do with the noise of the open section, in three steps; nothing where it is too little."""
    mechanism, setting = result.section_mechanism, result.setting
    if mechanism is None or result.least_per_cell > setting.per_cell:
        return ""
    if mechanism.status != PROVED:
        return "**What to do:** choose another noise. That this one satisfies its guarantee is not proved here."
    terms = f"ε = {format_input_up(setting.epsilon)}"
    terms += "" if mechanism.guarantee == PURE_DP else f", δ = {format_input_up(setting.delta)}"
    is_list_open = result.values[CATEGORIES.key] in ("some", "no")
    link = _appearance_link(result, "Which groups")
    listed = f"Publish a fixed list of categories; {link} says what may appear without one. " if is_list_open else ""
    return release_steps.steps_text(
        f"{listed}Make sure that {limit_text(result.values)}.",
        f"**Add {mechanism_text(mechanism)}** to every cell, the empty ones too, drawn anew for each.",
        f"Publish all cells with ±{format_up(mechanism.half_width(result.significance))} for {error_text(result)}, "
        f"with {terms} and the conditions.",
    )


def sample_text(result: TablesResult) -> str | None:
    """Return where to bring a table, while one that ships with the page is shown."""
    return SAMPLE if result.setting.table in ("czech", "mildew") else None


def _appearance_link(result: TablesResult, name: str) -> str:
    """Return the link to the groups that may appear, with the setting; the user's own table stays in the session."""
    values = result.values
    numbers = {
        key: values[key] for key in ("epsilon", "delta", *(field.key for field in limit_fields(values)), "cells")
    }
    entries = {key: exact_text(number) for key, number in numbers.items() if not math.isnan(number)}
    entries |= {key: str(values[key]) for key in (*(parameter.key for parameter in CONDITION_PARAMETERS), "table")}
    return Link(TABLES, name, entries | {"section": "appear"}).markdown


def conditions(result: TablesResult) -> Conditions | None:
    """Return the conditions of the answer, which are asked for where the table is the user's own."""
    if result.is_missing:
        return None
    is_own = result.setting.table == "own"
    link = _appearance_link(result, "Find which groups may appear")
    remedy = f"{link} without a fixed list. Or publish a fixed list, {_FIXED_LIST}"
    answer_conditions = table_conditions(
        result.values, (TABLE_FIELD,), is_own=is_own, counts=result.table, remedy=remedy
    )
    return answer_conditions if answer_conditions.questions or result.section_mechanism is not None else None
