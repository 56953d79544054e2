"""The fields for a table of the user's own, and its reader, for a file or pasted text, with offers to repair it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dpcore import readers
from dpcore.readers import REPAIRS, ReadTable, TableProblem, notes
from pages.framework.layout.own_data import OwnData
from pages.framework.parameters.kinds import Choice
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session import session_state
from pages.framework.session.data_files import (
    LINKED,
    ChoiceField,
    DataFiles,
    FileInput,
    Offer,
    ReadData,
    TextInput,
    for_link,
    unreadable_text,
)
from pages.shared.conditions import CATEGORIES, CONTRIBUTION, LIMITED
from pages.shared.counts import table_notes
from pages.shared.counts.linked_table import MOST_COUNT, cells_frame, parse_table, table_text
from pages.shared.counts.table import OWN_TABLE, PER_CELL, SLOT, YOURS, Counts, Upload

EACH_ROW = ""
CHOICES: dict[str, Any] = {"kind": "", "columns": (), "repairs": (), "person": None, "counts": ""}
"""The choices on how to read a file: its kind, "" for the reader's own, columns to cross-tabulate, some of `REPAIRS`,
the column of raw records that identifies people, `EACH_ROW` where the user says that there is none, or None, and the
column of counts, "" for the reader's own."""
ROWS = "rows"
"""The field of `DataFiles` of the cells of a table whose file is too large for the tab of the browser."""
_CHANGES = notes.EmptyAsZero | notes.TotalLeftOut | notes.GrandTotal | notes.NamedTotalsLeftOut
"""The notes on counts that are other ones than in the file, or no cells: they stand with the answer."""
_MOST_RAW = 4_000_000  # bytes of a file that the browser keeps as it is; of a larger one it keeps the table alone
_MOST_CELLS = 100_000
_MOST_TEXT = 6_000_000  # bytes of the cells of a table
_KINDS = {
    "": "Detect the format",
    "column": "A column of counts",
    "cross_table": "A cross-table",
    "records": "Raw records, to be counted",
}
_PERSON_NAMES = {None: "Not checked", EACH_ROW: "Each row is one person (no such column)"}
_PERSON_HELP = (
    "A number, pseudonym or name that is the same in all rows of a person. It shows how many rows a person has; it is "
    "not cross-tabulated."
)


def read_upload(files: DataFiles, report: Progress) -> ReadData[Upload]:
    """Read the table of a file, of a link, or of a copy of cells, and report the share that is read."""
    if LINKED in files.files:
        cells, least = parse_table(files.file[1].decode())
        return _data(Counts(cells_frame(cells), YOURS, least))
    if ROWS in files.files:
        return _data(_counts_of_rows(files.file[1]))
    name, data = files.file
    try:
        table, person = _read_with_proposal(files, report)
    except ValueError as error:
        return _refused(files, error)
    memory = {"kind": table.kind, "columns": table.columns, "people": table.person_columns, "person": person}
    memory |= {"counts": table.count_columns, "count": _count_column(table)}
    shared = {"notes": _sentences(table, person), "memory": memory}
    if table.frame.empty:
        problem = f"{excerpt(name)} has raw records: choose the columns to cross-tabulate."
        return ReadData(Upload(None, problem), problem, offers=_repair_offers(files, ()), **shared)
    named_totals = ("totals",) if any(isinstance(note, notes.NamedAsTotal) for note in table.notes) else ()
    suppressed = [note.largest for note in table.notes if isinstance(note, notes.SuppressedCounts) and note.has_zeros]
    people = next((note for note in table.notes if isinstance(note, notes.PersonRows)), None)
    is_from_records = any(isinstance(note, notes.ObservedLevels) for note in table.notes)
    changed = " ".join(table_notes.published_sentences(note for note in table.notes if isinstance(note, _CHANGES)))
    counts = Counts(table.frame, YOURS, max(suppressed, default=1), people, is_from_records, changed)
    copy = _rows_of_counts(counts) if len(data) > _MOST_RAW else None
    return _data(counts, offers=_repair_offers(files, named_totals), copy=copy, **shared)


def choice_fields(files: DataFiles) -> Iterator[ChoiceField]:
    """Yield the fields for the kind of a file, for its column of counts or, where it has raw records, their columns."""
    if LINKED in files.files or ROWS in files.files:
        return
    chosen, known = files.choices["kind"], files.memory
    resets = {"columns": (), "person": None, "counts": ""}
    yield ChoiceField("kind", "Read it as", chosen, tuple(_KINDS), _KINDS, resets=resets)
    countable = known.get("counts", ())
    if (chosen or known.get("kind")) == "column" and len(countable) > 1:
        yield ChoiceField("counts", "Column of counts", files.choices["counts"] or known["count"], countable)
    if (chosen or known.get("kind")) != "records" or "columns" not in known:
        return
    person = known["person"] if files.choices["person"] is None else files.choices["person"]
    likely = [column.name for column in known["people"]]
    options = [*likely, *(name for name in known["columns"] if name not in likely), EACH_ROW]
    if not any(column.reason == "name" for column in known["people"]):
        options.insert(0, None)
    yield ChoiceField("person", "Column that identifies people", person, tuple(options), _PERSON_NAMES, _PERSON_HELP)
    columns = tuple(name for name in known["columns"] if name != person)
    used = tuple(name for name in files.choices["columns"] if name != person)
    yield ChoiceField("columns", "Columns to cross-tabulate", used, columns, is_multiple=True)


def _read_with_proposal(files: DataFiles, report: Progress) -> tuple[ReadTable, str | None]:
    """Return the table, and the column of people: where nobody chose yet, one that is named so, if there is one."""
    kind, chosen, repairs, person, counts = (files.choices[name] for name in CHOICES)
    columns = tuple(name for name in chosen if name != person)
    repairs = tuple(repair for repair in REPAIRS if repair in repairs)

    def table_by(person: str | None) -> ReadTable:
        person = person or "" if columns else ""
        return readers.read_table(files.file[1], columns, kind, report.report, repairs, person, counts)

    table = table_by(person)
    names = [column.name for column in table.person_columns if column.reason == "name"]
    proposal = next((name for name in names if name not in columns), None)
    if person is not None or proposal is None:
        return table, person
    return table_by(proposal) if columns else table, proposal


def _count_column(table: ReadTable) -> str:
    """Return the name of the column of counts that a table was read from; empty for another kind of file."""
    used = next((note for note in table.notes if isinstance(note, notes.CountColumn)), None)
    return "" if used is None else used.name or f"column {used.number}"


def _sentences(table: ReadTable, person: str | None) -> tuple[str, ...]:
    """Return the sentences on how a file was read, those on the people in it first."""
    people = [note for note in table.notes if isinstance(note, notes.PersonRows)]
    others = [note for note in table.notes if not isinstance(note, notes.PersonRows)]
    likely = " and ".join(excerpt(column.name) for column in table.person_columns[:2])
    hint = f"Many different values: {likely}. If such a column identifies people, choose it."
    hints = (hint,) if table.kind == "records" and person is None and likely else ()
    return *hints, *table_notes.table_sentences(people), *table_notes.table_sentences(others)


def _refused(files: DataFiles, error: ValueError) -> ReadData[Upload]:
    """Return all the problems of a file with offers to repair them, or the reader's error where none is listed."""
    kind, columns, repairs, _, counts = (files.choices[name] for name in CHOICES)
    name, data = files.file
    try:
        problems = readers.table_problems(data, columns, kind, repairs, counts)
        countable = readers.countable_columns(data)
    except ValueError:
        problems = countable = ()
    memory = {**files.memory, "counts": countable, "count": countable[-1] if countable else ""}
    repairs = table_notes.offered_repairs(problems)
    offers = _repair_offers(files, repairs, problems)
    if len(problems) < 2 and not repairs:
        problem = unreadable_text(name, error)
        return ReadData(Upload(None, problem), problem, offers=offers, memory=memory)
    problem, details = table_notes.refusal(name, problems), table_notes.problems_text(problems)
    return ReadData(Upload(None, problem), problem, details, offers, memory=memory)


def _repair_offers(
    files: DataFiles, repairs: tuple[str, ...], problems: tuple[TableProblem, ...] = ()
) -> tuple[Offer, ...]:
    """Return a button for all of these repairs, one for each, and one to undo those that were made."""
    applied = files.choices["repairs"]
    names = {name: table_notes.repair_name(name, problems) for name in repairs}
    offers = [Offer(f"repair_{name}", label, {"repairs": (*applied, name)}) for name, label in names.items()]
    certain = tuple(repair for repair in repairs if repair not in table_notes.ANSWERS)
    if len(certain) > 1:
        name = table_notes.ALL_WITH_EMPTY if "empty" in certain else table_notes.ALL_REPAIRS
        offers.insert(0, Offer("repair_all", name, {"repairs": (*applied, *certain)}, is_primary=True))
    return (*offers, Offer("repair_none", "Undo the repairs", {"repairs": ()})) if applied else tuple(offers)


def _data(counts: Counts, **details: Any) -> ReadData[Upload]:
    """Return what was read of a table, with its text for the link or why there is none."""
    return ReadData(Upload(counts), **for_link(lambda: table_text(counts.frame, counts.least_per_cell)), **details)


def _rows_of_counts(counts: Counts) -> DataFiles | None:
    """Return the cells of a table for the tab of the browser; None if they are too many."""
    frame, people = counts.frame, counts.people
    if len(frame) > _MOST_CELLS:
        return None
    rows = list(zip(frame["cell"].astype(str), frame["count"].astype(int).tolist(), strict=True))
    most = people and [people.most_rows, people.most_cells, people.most_per_cell]
    head = {"rows": rows, "least": counts.least_per_cell, "people": most, "records": counts.is_from_records}
    head["changed"] = counts.changed
    return DataFiles({ROWS: (YOURS, json.dumps(head).encode())})


def _counts_of_rows(content: bytes) -> Counts:
    """Return the table of a copy, which may hold anything; ValueError if it holds none."""
    damage = ValueError("the copy in this tab is damaged")
    try:
        head = json.loads(content[:_MOST_TEXT])
        least, most, rows = head["least"], head["people"] or [], head["rows"]
        changed = str(head.get("changed", ""))
        cells, counts = [str(cell) for cell, _ in rows], [int(count) for _, count in rows]
        is_whole = all(isinstance(number, int) for number in (least, *most))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise damage from error
    is_filled = 1 <= len(rows) <= _MOST_CELLS and min(counts) >= 0 and max(counts) <= MOST_COUNT
    if not is_whole or not is_filled or len(most) not in (0, 3):
        raise damage
    frame = cells_frame(tuple(zip(cells, counts, strict=True)))
    people = notes.PersonRows("", 0, *most) if most else None
    return Counts(frame, YOURS, least, people, head.get("records") is True, changed)


def own_table(table: Choice) -> OwnData[Upload]:
    """Return the flow of a table of the user's own on a page; `table` is its parameter that chooses a table."""
    return replace(_OWN_TABLE, choice=table)


def _limit_offers(upload: Upload) -> Iterator[Offer]:
    """Yield the buttons for the limits on a person that the table requires and the page does not have yet.

    Only the number that suppression states is entered: those of the records are confidential, and a link has the limit.
    """
    readings, counts = session_state.session().readings, upload.counts
    if counts is None or CONTRIBUTION.key not in readings:
        return
    least, is_limited = counts.least_per_cell, readings[CONTRIBUTION.key].used in LIMITED
    limited = {} if is_limited else {CONTRIBUTION.key: "entering"}
    if PER_CELL.key in readings and least > PER_CELL.read(readings[PER_CELL.key].used):
        label = f"Set c to {least}, as the suppressed counts require"
        yield Offer("per_cell", label, texts={PER_CELL.key: str(least), **limited}, is_primary=True)
    if counts.people is not None and counts.people.most_rows > 1 and not is_limited:
        yield Offer("limit", "Limit how often a person counts", texts=limited)


_OWN_TABLE = OwnData[Upload](
    slot=SLOT,
    noun="table",
    label="Use your own table",
    remove="Back to the sample table",
    inputs=(
        FileInput(
            "file",
            "File: CSV, TSV or other text with a separator",
            ("csv", "tsv", "tab", "txt"),
            "Counts with or without labels, a cross-table, or raw records, whose rows are counted.",
        ),
        TextInput(
            "pasted",
            "Or paste a table",
            "Copied from a spreadsheet, or in the format of a CSV file.",
            "North; 12\nSouth; 3",
        ),
    ),
    linked=OWN_TABLE,
    conditions=(CONTRIBUTION, CATEGORIES),
    choices=CHOICES,
    read=read_upload,
    refused=lambda problem: Upload(None, problem),
    fields=choice_fields,
    offers=_limit_offers,
)
