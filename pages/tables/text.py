"""The sentences that the sections on the page's table have in common."""

from collections.abc import Callable

from pages.framework.layout.section import Conditions
from pages.framework.parameters.number_format import escape_markdown
from pages.shared.counts.fields import TABLE_FIELD
from pages.shared.counts.problem_text import too_little_noise_text
from pages.shared.counts.table import table_conditions
from pages.tables.results import TablesResult

MISSING = (
    "Your own table is missing: the link does not contain it.",
    "[Upload or paste your table](#own_table_box), choose a sample table, or enter only the number of cells.",
)
MENDING = "[Correct it or bring another one](#own_table_box), or choose a sample table."
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


def sample_text(result: TablesResult) -> str | None:
    """Return where to bring a table, while one that ships with the page is shown."""
    return SAMPLE if result.setting.table in ("czech", "mildew") else None


def conditions(result: TablesResult) -> Conditions | None:
    """Return the conditions of the answer, which are asked for where the table is the user's own."""
    if result.is_missing:
        return None
    answer_conditions = table_conditions(
        result.values, (TABLE_FIELD,), is_own=result.setting.table == "own", counts=result.table
    )
    return answer_conditions if answer_conditions.questions or result.section_mechanism is not None else None
