"""The sentences on how a table of counts was read, on why it was not, and the names of the repairs that are offered."""

from collections.abc import Iterable, Sequence
from math import prod
from types import MappingProxyType

from dpcore.readers import MOST_PROBLEMS, REPAIRS, TableProblem, notes
from pages.framework.parameters.number_format import format_input_down, plural
from pages.framework.parameters.parameter import excerpt
from pages.shared.counts.table import OWN_TABLE_BOX
from pages.shared.file_notes import FILE_SENTENCES, column_list

_KINDS = {"column": "a column of counts", "cross_table": "a cross-table", "records": "raw records"}
_MOST_EMPTY = 10  # labels of empty counts that are named
_REASONS = {
    "requested": "you chose that",
    "chosen columns": "you chose columns to cross-tabulate",
    "count name": "a column is named {}",
    "one column": "it has one column",
    "numbered rows": "the first column only numbers the rows",
    "people": "the column {} identifies people",
    "numeric columns": "the first column has a different label in each row and the others are numbers",
    "numeric column": "one column is numbers and the labels in the others differ in each row",
    "two columns": "the first column has a different label in each row and the second is numbers",
    "all combinations": "the last column is numbers and the others list every combination once",
    "nothing else": "its first rows are neither a column of counts nor a cross-table",
}


def table_sentences(table: Iterable[notes.TableNote]) -> tuple[str, ...]:
    """Return a sentence for each note on a table.

    >>> table_sentences([notes.HeaderRow(True), notes.Thousands("1,203", 1203.0)])
    ('The first row is the header.', 'A separator before three digits separates thousands: 1,203 is 1203.')
    """
    sentences = (f"{_table_sentence(note)} {_ADVICE.get(type(note), '')}".strip() for note in table)
    return tuple(dict.fromkeys(sentences))


def published_sentences(table: Iterable[notes.TableNote]) -> tuple[str, ...]:
    """Return what was read, without what to do on the page: it stands in what is handed in.

    >>> published_sentences([notes.TotalLeftOut("cell", "Total")])
    ('The cell “Total” is the sum of the others and is left out.',)
    """
    return tuple(dict.fromkeys(map(_table_sentence, table)))


_ADVICE: dict[type, str] = {
    notes.TotalLeftOut: "To release it with noise of its own, count it under “sets of totals”.",
    notes.GrandTotal: "Released with noise of its own, it is one more set of totals.",
    notes.NamedTotalsLeftOut: "To release totals with noise of their own, count them under “sets of totals”.",
}


def _table_sentence(note: notes.TableNote) -> str:
    match note:
        case notes.TableKind():
            return f"The file is read as {_KINDS[note.kind]}: {_REASONS[note.reason].format(note.column)}."
        case notes.HeaderRow():
            present, missing = "The first row is the header.", "The file has no header: the first row is data."
            return present if note.is_present else missing
        case notes.CountColumn():
            return _count_column(note)
        case notes.ColumnsLeftOut():
            verb = "is" if len(note.names) == 1 else "are"
            why = "exact numbers beside the noisy counts could reveal them"
            return f"{column_list(note.names)} {verb} left out: {why}."
        case notes.EmptyColumns():
            return f"{column_list(note.names)} {'is' if len(note.names) == 1 else 'are'} empty and left out."
        case notes.Thousands():
            return f"A separator before three digits separates thousands: {note.entry} is {note.count:.0f}."
        case notes.TotalLeftOut():
            sums = "is the sum of the others" if note.is_exact else "can be the sum of the others before suppression"
            return f"The {note.part} “{excerpt(note.label)}” {sums} and is left out."
        case notes.GrandTotal():
            return "The grand total is left out too."
        case notes.NamedAsTotal():
            return (
                f"Named as a total, but not the sum of the others: {_first_labels(note.labels)}. It counts as a cell "
                "of the table. If it is a total, leave it out, or raise k by one."
            )
        case notes.EqualsTotal():
            return (
                f"The last {note.part}, {excerpt(note.label)}, equals the sum of the others. It counts as a cell of "
                "the table. If it is a total, delete it from the file, or raise k by one."
            )
        case notes.AddUpToHundred():
            where = "" if note.part == "table" else f" of each {note.part}"
            return f"The counts{where} add up to about 100. If they are percentages, give the counts instead."
        case notes.TableSize():
            return f"The table has {plural(note.n_cells, 'cell')}, {note.n_empty:,} empty."
        case notes.NumberedNames():
            cells = plural(note.n_cells, "cell has", "cells have")
            return f"{cells} the name of another cell, and a number in parentheses to distinguish them."
        case notes.ChooseColumns():
            return "Choose the columns to cross-tabulate."
        case notes.CrossTabulation():
            sizes = zip(note.columns, note.n_levels, strict=True)
            levels = ", ".join(f"{excerpt(name)} ({n_levels:,})" for name, n_levels in sizes)
            return (
                f"{note.n_rows:,} rows are counted by {levels}: {prod(note.n_levels):,} cells, {note.n_empty:,} of "
                "them empty. Empty cells get noise too: leaving them out would reveal that nobody is in them."
            )
        case notes.ObservedLevels():
            return (
                "Categories are taken from the data: those that nobody has are missing, and listing the others reveals "
                "that somebody has them. Fix the categories in advance."
            )
        case notes.UncheckedPeople():
            return (
                "Each row is counted; nobody checked whether a person has several rows. If a person can have several, "
                "limit how many, and enforce the limit before counting."
            )
        case notes.PersonRows():
            return _person_rows(note)
        case notes.LinesLeftOut():
            lines = "; ".join(f"line {line} ({excerpt(text)})" for line, text in note.lines[:5])
            return f"Titles and notes are left out: {lines}{'; …' if len(note.lines) > 5 else ''}."
        case notes.EmptyAsZero():
            counts = plural(note.n_cells, "count that is empty or a dash is", "empty counts or dashes are")
            labels = f": {_first_labels(note.labels, _MOST_EMPTY)}" if note.labels else ""
            return f"{counts} read as 0{labels}."
        case notes.SuppressedCounts():
            counts, largest = plural(note.n_cells, "suppressed count is", "suppressed counts are"), f"{note.largest:,}"
            why = "If the rule leaves zeros visible,"
            if note.has_zeros:
                why = f"The table also has zeros, so one person can change a cell from 0 to {largest}:"
            return (
                f"{counts} read as the largest possible value, at most {largest}. {why} set c to at least {largest}. "
                "Better: use the counts before suppression."
            )
        case notes.NamedTotalsLeftOut():
            return f"Totals are left out although they are not the sum of the others: {_first_labels(note.labels)}."
        case _:
            return FILE_SENTENCES[type(note)](note)


def _first_labels(labels: Sequence[str], most: int = 3) -> str:
    """Return at most so many labels of a file as a list in a sentence."""
    return ", ".join(map(excerpt, labels[:most])) + (", …" if len(labels) > most else "")


def _count_column(note: notes.CountColumn) -> str:
    counts = f"The counts are in column {note.number}{f', {excerpt(note.name)}' if note.name else ''}"
    if not note.labels:
        return f"{counts}; the cells are numbered."
    labels = column_list(note.labels)
    return f"{counts}; the cells are named by {labels}. Combinations that the file omits are not cells."


def _person_rows(note: notes.PersonRows) -> str:
    column = excerpt(note.column)
    parts = [_most_rows_text(note, column)]
    if note.n_nobody:
        rows = plural(note.n_nobody, "row has", "rows have")
        parts.append(f"{rows} no entry in {column}: nobody knows whose they are.")
    if note.has_spellings:
        parts.append("Entries that differ only in spaces, upper case or leading zeros are one person.")
    return " ".join(parts)


def _most_rows_text(note: notes.PersonRows, column: str) -> str:
    if not note.most_rows:
        return f"No row has an entry in {column}, so nobody checked whether a person has several rows."
    if note.most_rows == 1:
        row = "" if note.n_nobody else ": a row for each person in this file, if it numbers people and not rows"
        return f"No entry of {column} occurs in two rows{row}."
    cells = plural(note.most_cells, "cell")
    return (
        f"In this file a person has up to {note.most_rows:,} rows, in up to {cells}, up to {note.most_per_cell:,} in "
        "one cell. These numbers are confidential themselves: do not publish them, and set the limit from what you "
        "know, not from them."
    )


REPAIR_NAMES = MappingProxyType(
    {
        "lines": "Leave out titles and notes",
        "columns": "Leave out {}",
        "shares": "Read {} as counts",
        "header": "The first row is the header",
        "empty": "Read empty cells and dashes as 0",
        "suppressed": "Read suppressed counts as the largest value that they can have",
        "thousands": "Read a comma or point before three digits as a thousands separator",
        "totals": "Leave out all totals",
    }
)
ANSWERS = frozenset({"shares", "header"})
"""The repairs that answer a question to which another answer may be right: nobody makes them with all others."""
ALL_REPAIRS = "Make all of these repairs"
ALL_WITH_EMPTY = f"{ALL_REPAIRS}, and read empty cells and dashes as 0"
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
    """Return the list of all problems, a line for those of one kind, and what suppressed counts mean for privacy.

    >>> problems_text([TableProblem(line, "empty", 2, "Men") for line in (5, 6, 7, 9)])
    '4 lines (5, 6, 7, …), column 2 (Men): the count is missing.'
    """
    groups: dict[tuple[str, ...], list[TableProblem]] = {}
    for problem in problems:
        groups.setdefault(_kind_of(problem), []).append(problem)
    lines = [_group_sentence(group) for group in groups.values()]
    if len(problems) == MOST_PROBLEMS:
        lines.append(f"These are the first {MOST_PROBLEMS}; there may be more.")
    suppressed = [problem for problem in problems if problem.reason == "suppressed"]
    if suppressed:
        problem = max(suppressed, key=lambda problem: problem.largest)
        lines.append(_SUPPRESSION.format(entry=excerpt(problem.text), largest=problem.largest))
    return "\n".join(lines)


def _kind_of(problem: TableProblem) -> tuple[str, ...]:
    """Return what problems that are listed together have in common."""
    if problem.reason in ("width", "lines"):
        return problem.reason, problem.text if problem.reason == "width" else ""
    why = problem.detail.removeprefix(problem.text) if problem.reason == "entry" else ""
    return problem.reason, str(problem.column), why


_MOST_LINES = 3  # lines that are named


def _group_sentence(problems: Sequence[TableProblem]) -> str:
    """Return the sentence on problems of one kind."""
    first, n = problems[0], len(problems)
    if n == 1:
        return problem_sentence(first)
    named = ", ".join(str(problem.line) for problem in problems[:_MOST_LINES])
    place = f"{n} lines ({named}{', …' if n > _MOST_LINES else ''})"
    if first.reason == "lines":
        return f"{place} are titles or notes, not rows of the table. The first: {excerpt(first.text)}"
    if first.reason == "width":
        return f"{place} have {plural(first.text, 'column')}; the table has {first.detail}."
    return f"{place}, {_entry_text(first)}"


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
    return f"Line {problem.line}, {_entry_text(problem)}"


def _entry_text(problem: TableProblem) -> str:
    """Return the column of a problem, and what is wrong with its entry."""
    name = f" ({excerpt(problem.name)})" if problem.name else ""
    reasons = {
        "empty": f"a dash ({problem.text}) stands for a count" if problem.text else "the count is missing",
        "suppressed": f"{excerpt(problem.text)} is a suppressed count",
        "thousands": problem.detail,
        "entry": problem.detail,
        "columns": f"{problem.detail.split(';')[0]}, like most numbers of this column",
        "shares": problem.detail,
        "header": f"the first row, {excerpt(problem.text)}, has no count; it may be a header",
    }
    return f"column {problem.column}{name}: {reasons[problem.reason]}."


def offered_repairs(problems: Sequence[TableProblem]) -> tuple[str, ...]:
    """Return the repairs that mend at least one of the problems, in the order of `REPAIRS`."""
    needed = {repair for problem in problems for repair in problem.repairs}
    return tuple(repair for repair in REPAIRS if repair in needed)


def repair_name(repair: str, problems: Sequence[TableProblem]) -> str:
    """Return the name of a repair on its button; of columns that are left out, or read, it has the names.

    >>> repair_name("columns", [TableProblem(5, "columns", 3, "Share")])
    'Leave out the column “Share”'
    """
    columns = [problem for problem in problems if repair in problem.repairs and problem.reason in ("columns", "shares")]
    named = [f"“{excerpt(problem.name)}”" if problem.name else str(problem.column) for problem in columns]
    noun = "column" if len(named) == 1 else "columns"
    return REPAIR_NAMES[repair].format(f"the {noun} {', '.join(named[:3])}{', …' * (len(named) > 3)}")


def refusal(name: str, problems: Sequence[TableProblem]) -> str:
    """Return the sentence that a file with several problems is not drawn, for the answer of the page.

    >>> refusal("a.csv", [TableProblem(1, "lines", text="Table 3"), TableProblem(3, "empty")])
    'a.csv is not a table yet: 2 problems, in lines 1 and 3. The first: Line 1 is a title or a note, not a row of the \
table: Table 3. Nothing is drawn in its place.'
    """
    first, *others = dict.fromkeys(str(problem.line) for problem in problems)
    place = f"lines {first} {'to' if others[1:] else 'and'} {others[-1]}" if others else f"line {first}"
    count = plural(len(problems), "problem")
    more = "at least " if len(problems) == MOST_PROBLEMS else ""
    first = f" The first: {problem_sentence(problems[0]).rstrip('.')}." if len(problems) > 1 else ""
    return f"{excerpt(name)} is not a table yet: {more}{count}, in {place}.{first} Nothing is drawn in its place."
