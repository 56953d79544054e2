"""The sentences on what keeps a file from being read as a table, and the names of the repairs that are offered."""

from collections.abc import Sequence
from types import MappingProxyType

from dpcore.readers import MOST_PROBLEMS, REPAIRS, TableProblem
from pages.framework.parameters.number_format import format_input_down, plural
from pages.framework.parameters.parameter import excerpt
from pages.shared.counts.parameters import OWN_TABLE_BOX

REPAIR_NAMES = MappingProxyType(
    {
        "lines": "Leave out titles and notes",
        "empty": "Read empty cells and dashes as 0",
        "suppressed": "Read suppressed counts as the largest value that they can have",
        "thousands": "Read a comma or point before three digits as a thousands separator",
        "totals": "Leave out all totals",
    }
)
ALL_REPAIRS = "Make all of these repairs"
_SUPPRESSION = (
    "Suppressed counts: suppression alone gives no privacy guarantee. The noise protects the numbers in this file, so "
    "use the counts before suppression if you have them, and publish only the noisy table. If you must go on from "
    "{entry}, it is read as {largest}. Where zeros are published as 0, one person can then change a cell from 0 to "
    "{largest}: set c to at least {largest}."
)


def too_little_noise_text(least: int, per_cell: float) -> str:
    """Return that the noise is too small, as suppressed counts require a larger c, and where to set it.

    >>> too_little_noise_text(4, 1.0)
    '✗ This is too little noise: between 0 and a suppressed count, one person can change a cell by 4, not by c = 1; \
[set c to 4](#own_table_box).'
    """
    return (
        f"✗ This is too little noise: between 0 and a suppressed count, one person can change a cell by {least}, not "
        f"by c = {format_input_down(per_cell)}; [set c to {least}](#{OWN_TABLE_BOX})."
    )


def problems_text(problems: Sequence[TableProblem]) -> str:
    """Return the list of all problems, a line for each, and what suppressed counts mean for privacy.

    >>> problems_text([TableProblem(5, "empty", 2, "Men")])
    'Line 5, column 2 (Men): the count is missing.'
    """
    lines = [problem_sentence(problem) for problem in problems]
    if len(problems) == MOST_PROBLEMS:
        lines.append(f"These are the first {MOST_PROBLEMS}; there may be more.")
    suppressed = [problem for problem in problems if problem.reason == "suppressed"]
    if suppressed:
        problem = max(suppressed, key=lambda problem: problem.largest)
        lines.append(_SUPPRESSION.format(entry=excerpt(problem.text), largest=problem.largest))
    return "\n".join(lines)


def problem_sentence(problem: TableProblem) -> str:
    """Return the sentence on one problem.

    >>> problem_sentence(TableProblem(8, "width", text="1", detail="6"))
    'Line 8 has 1 column; the table has 6.'
    """
    if problem.reason == "lines":
        return f"Line {problem.line} is a title or a note, not a row of the table: {excerpt(problem.text)}"
    if problem.reason == "width":
        n_columns = plural(problem.text, "column")
        return f"Line {problem.line} has {n_columns}; the table has {problem.detail}."
    name = f" ({excerpt(problem.name)})" if problem.name else ""
    reasons = {
        "empty": f"a dash ({problem.text}) stands for a count" if problem.text else "the count is missing",
        "suppressed": f"{excerpt(problem.text)} is a suppressed count",
        "thousands": problem.detail,
        "entry": problem.detail,
    }
    return f"Line {problem.line}, column {problem.column}{name}: {reasons[problem.reason]}."


def offered_repairs(problems: Sequence[TableProblem]) -> tuple[str, ...]:
    """Return the repairs that mend at least one of the problems, in the order of `REPAIRS`.

    >>> offered_repairs([TableProblem(5, "suppressed"), TableProblem(1, "lines"), TableProblem(3, "entry")])
    ('lines', 'suppressed')
    """
    needed = {problem.repair for problem in problems}
    return tuple(repair for repair in REPAIRS if repair in needed)


def refusal(name: str, problems: Sequence[TableProblem]) -> str:
    """Return the sentence that a file with several problems is not drawn, for the answer of the page.

    >>> refusal("a.csv", [TableProblem(1, "lines"), TableProblem(3, "empty")])
    'a.csv is not a table yet: 2 problems, in lines 1 and 3. Nothing is drawn in its place.'
    """
    lines = list(dict.fromkeys(str(problem.line) for problem in problems))
    place = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} and {lines[1]}"
    if len(lines) > 2:
        place = f"lines {lines[0]} to {lines[-1]}"
    count = plural(len(problems), "problem")
    more = "at least " if len(problems) == MOST_PROBLEMS else ""
    return f"{excerpt(name)} is not a table yet: {more}{count}, in {place}. Nothing is drawn in its place."
