"""A file of the user's own that proposes rows of the plan: how it is read, its fields, and the buttons that accept."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from zlib import crc32

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpcore import readers
from dpcore.readers import FileColumn, FileColumns, RowCounts
from pages.framework.layout import widgets
from pages.framework.layout.own_data import OwnData
from pages.framework.parameters import list_parameter
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import plural
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session import session_state
from pages.framework.session.data_files import ChoiceField, DataFiles, FileInput, ReadData
from pages.plan.parameters import GUARANTEE
from pages.plan.proposals import (
    NUMBER_OF_PEOPLE,
    TYPES,
    Proposal,
    categories,
    likely_columns,
    proposals,
    proposed_row,
)
from pages.plan.quantities import LEVEL
from pages.plan.queries import MAX_QUERIES, NAME_LENGTH, QUERIES, QueryItem, names_of
from pages.plan.query_kinds import KINDS
from pages.plan.release_call import EACH_ROW, PlanFile, list_csv, list_file, program_calls
from pages.shared.release_program.steps.lists import MONTH
from pages.shared.release_program.steps.options import replaced_words

CHOICES = {"person": None, "lists": (), "columns": (), "numbers": ()}
"""The choices on a file: the column that names the person, `EACH_ROW` where each row is one, None while it is open; the
public list of categories of each column that has one; the column of each query; and what is entered in the fields of
public numbers. The last three alternate a name and its text."""
_OPEN = "Choose it first"
_TYPES, _MOST_NAMED = {"number": "numbers", "text": "text", "date": "dates"}, 10
_MOST_COUNTED = 2  # columns that may name people, of which the people are counted
_REASONS = {"name": "by its name", "values": "many different values"}
_PERSON_HELP = "It decides whether a person can be in several rows, so that the noise must cover more than one."


def read_file(files: DataFiles, report: Progress) -> ReadData[PlanFile | None]:
    """Return the columns of a file; a file that cannot be read proposes nothing, and a sentence says why."""
    name, data = files.file
    read: FileColumns | None = files.memory.get("file")
    counts: RowCounts | None = files.memory.get("counts")
    try:
        read = read or readers.read_columns(data, report.report)
        likely = tuple(column.name for column in read.people[:_MOST_COUNTED])
        counts = counts or readers.count_rows(data, read.columns, likely, report.report)
    except ValueError as error:
        return ReadData(None, f"{excerpt(name)} can’t be read: {error}. It proposes no rows.")
    person = files.choices["person"]
    names = [column.name for column in read.columns]
    person = person if person in (EACH_ROW, *names) else None
    columns = tuple(column for column in read.columns if column.name != person)
    notes = _columns_text(read.columns), "" if counts is None else counts_text(counts, person)
    content = PlanFile(columns, person, name, counts is not None and any(counts.unusable.values()))
    return ReadData(content, notes=tuple(filter(None, notes)), memory={"file": read, "counts": counts})


def counts_text(counts: RowCounts, person: str | None) -> str:
    """Return how many rows and people a file has, and how many entries of each column the program could not use.

    >>> counts_text(RowCounts(20000, {"id": 0, "age": 80, "costs": 60}, {"id": 4128}), "id")
    '20,000 rows, 4,128 people. Entries that can’t be used: 80 of age, 60 of costs. These numbers stay in this tab.'
    """
    people = f", {counts.people[person]:,} people" if person in counts.people else ""
    bad = [f"{n:,} of {excerpt(name)}" for name, n in counts.unusable.items() if n]
    listed = f"{', '.join(bad[:_MOST_NAMED])}{', …' * (len(bad) > _MOST_NAMED)}" if bad else "none"
    return f"{counts.n_rows:,} rows{people}. Entries that can’t be used: {listed}. These numbers stay in this tab."


def _columns_text(columns: Sequence[FileColumn]) -> str:
    """Return how many columns there are, and the names and types of the first ten.

    >>> _columns_text([FileColumn("ward", "text"), FileColumn("cost", "number")])
    '2 columns: ward (text), cost (numbers).'
    """
    named = [f"{excerpt(column.name)} ({_TYPES[column.type]})" for column in columns[:_MOST_NAMED]]
    rest = ", …" if len(columns) > _MOST_NAMED else "."
    return f"{plural(len(columns), 'column')}: {', '.join(named)}{rest}"


def person_field(files: DataFiles) -> Iterator[ChoiceField]:
    """Yield the field for the column that names the person, the likely ones first."""
    read: FileColumns | None = files.memory.get("file")
    if read is None:
        return
    likely = {column.name: f"{column.name} ({_REASONS[column.reason]})" for column in read.people}
    others = [column.name for column in read.columns if column.name not in likely]
    labels = likely | {None: _OPEN, EACH_ROW: "None: each row is one person"}
    options = (None, *likely, EACH_ROW, *others)
    yield ChoiceField("person", "Column that names the person", files.choices["person"], options, labels, _PERSON_HELP)


SLOT = "plan"
_OUTCOME = "proposal_outcome"
_IN_LINK = (
    "A row that you add stands in the link: its name and the numbers that you enter for it. Nothing else of the file "
    "does. Its ± is a value to begin with."
)
_ONE_VALUE = (
    "Each person counts with one value. The program of the release adds them up for a sum; for a mean or a median it "
    "stops where they differ, until you say how to join them (--join). A row can count up to N records of a person "
    "instead."
)
_CALL = (
    "Columns of queries that were not added from one are guessed by their names: check them. With --join a person "
    "counts with the mean or the sum of several values, or same, which stops where they differ. --leave-out-bad-rows "
    "leaves out rows that a query can’t use; without it such a row stops all. These names and lists are here only, in "
    "no link."
)
_FIRST_MONTH = "plan_first_month"
_PUBLIC = "From public knowledge, never from the file: a number that is read from the data reveals people."


def _draw_proposals(file: PlanFile | None) -> None:
    """Draw the columns of a file, what each can become, and a button for each; nothing before the person is known."""
    if file is None or file.person is None:
        return
    st.text(_IN_LINK)
    _proposal_button(NUMBER_OF_PEOPLE, "proposal", {}, "Number of people")
    names = [column.name for column in file.columns]
    key = f"proposal_{crc32('|'.join(names).encode())}"  # fields of another file are other fields
    places = st.columns(3)
    place = places[0].selectbox("Column", range(len(names)), format_func=names.__getitem__, key=f"{key}_column")
    if place is not None:  # a file can have the column of the person alone
        _draw_column(file, file.columns[place], f"{key}_{place}", places[1:])
    if st.toggle("Show the call of the program with these columns", key="plan_call"):
        _draw_call(file, names)


def _draw_call(file: PlanFile, names: Sequence[str]) -> None:
    """Draw the call of the program, what the user must replace in it, and the public lists as files for it."""
    items = widgets.items_of(QUERIES)
    likely = likely_columns(items, names_of(items), {column.name: column.type for column in file.columns})
    columns = likely | _columns_of(names)
    lists = {column: text for column, text in _remembered("lists").items() if categories(text)}
    month = _draw_first_month() if any(KINDS[item.kind].published for item in items) else ""
    calls = program_calls(items, names_of(items), file, columns, lists, month)
    for call in calls:
        st.code(call, language=None, wrap_lines=True)
    st.text(f"{replaced_words(calls)} {_CALL}".strip())
    for place, name in enumerate(names_of(items), 1):
        column = columns.get(name, "")
        if column in lists and any(list_file(place) in call for call in calls):
            content = list_csv(column, lists[column])
            st.download_button(f"Save {list_file(place)}", content, list_file(place), "text/csv", on_click="ignore")


def _draw_first_month() -> str:
    """Draw the field of the first month of all series, and return it; empty where it is no month."""
    help_text = f"As 2026-01. Of a series of other dates leave it empty, and give the program their list. {_PUBLIC}"
    month = _draw_kept("First month of the series", _FIRST_MONTH, "", help_text).strip()
    is_month = bool(MONTH.fullmatch(month))
    problem = f"The first month must be one such as 2026-01; {excerpt(month)} was given." * bool(month and not is_month)
    widgets.show_problem(_FIRST_MONTH, problem)
    return month * is_month


def _draw_kept(label: str, key: str, entry: str, help_text: str, place: DeltaGenerator | None = None) -> str:
    """Draw a field whose text is kept with the file, also through a reload, and return that."""
    entry = _remembered("numbers").get(key, entry)
    keep = partial(_keep, key)
    return (place or st).text_input(label, entry, key=key, help=help_text, on_change=keep) or ""


def _keep(key: str) -> None:
    _remember("numbers", key, st.session_state[key])


def _columns_of(names: Sequence[str]) -> dict[str, str]:
    """Return the column of each query that was added from one, or that is named after one."""
    listed = names_of(widgets.items_of(QUERIES))
    by_name = {row: name for row in listed for name in names if row == name or row.startswith(f"{name}:")}
    return by_name | _remembered("columns")


def _remembered(choice: str) -> dict[str, str]:
    """Return what the session and the tab keep with the file, by name: `CHOICES` says what."""
    texts = () if OWN_FILE.held is None else OWN_FILE.held.files.choices[choice]
    return dict(zip(texts[::2], texts[1::2], strict=False))


def _remember(choice: str, name: str, entry: str) -> None:
    """Keep a text with the file, which is forgotten with it."""
    OWN_FILE.remember({choice: tuple(chain.from_iterable((_remembered(choice) | {name: entry}).items()))})


def _draw_column(file: PlanFile, column: FileColumn, key: str, places: Sequence[DeltaGenerator]) -> None:
    """Draw the type and the name of a column, the numbers that several proposals require, and a box for each."""
    types = list(TYPES)
    args = {"index": types.index(column.type), "key": f"{key}_type", "format_func": TYPES.__getitem__}
    column_type = places[0].selectbox("Treat it as", types, **args)
    places[1].text_input("Name in the link", column.name[:NAME_LENGTH], key=f"{key}_name", max_chars=NAME_LENGTH)
    if column_type == "number" and not file.is_row_person:
        st.text(_ONE_VALUE)
    offered = proposals(column_type, file.is_row_person)
    n_proposals = Counter(quantity.key for proposal in offered for quantity in proposal.quantities)
    numbers = {quantity.key: quantity for proposal in reversed(offered) for quantity in proposal.quantities}
    shared = [numbers[name] for name, n in n_proposals.items() if n > 1]  # they are entered once
    for place, quantity in zip(st.columns(3, vertical_alignment="bottom") if shared else (), shared, strict=False):
        _draw_number(place, quantity, key)
    for place, proposal in zip(st.columns(len(offered), border=True), offered, strict=True):
        with place:
            if proposal.asks_categories:
                _draw_categories(column.name, f"{key}_categories")
            for quantity in proposal.quantities:
                if n_proposals[quantity.key] == 1:
                    _draw_number(place, quantity, key)
            own = {quantity.key: f"{key}_{quantity.key}" for quantity in proposal.quantities}
            _proposal_button(proposal, key, own, column=column.name)


def _draw_number(place: DeltaGenerator, quantity: Quantity, key: str) -> None:
    """Draw the field of a number, which is empty until the user knows it."""
    entry = quantity.default if quantity == LEVEL else ""
    _draw_kept(quantity.label, f"{key}_{quantity.key}", entry, f"{quantity.help} {_PUBLIC}".strip(), place)


def _draw_categories(column: str, key: str) -> None:
    st.text_area(
        "Public list of categories",
        _remembered("lists").get(column, ""),
        key=key,
        height=90,
        placeholder="North\nSouth",
        help=f"One on each line. {_PUBLIC} The link has only how many they are; this tab keeps it with the file.",
        on_change=lambda: _remember("lists", column, st.session_state[key]),
    )


def _proposal_button(proposal: Proposal, key: str, fields: dict[str, str], name: str = "", column: str = "") -> None:
    """Draw the button that adds a row, and below it that the row was added, or what is still missing."""
    own = f"{key}_{proposal.kind}"
    is_full = len(widgets.items_of(QUERIES)) == MAX_QUERIES
    args = (proposal, key, fields, name, column)
    st.button(f"Add {proposal.phrase}", key=f"{own}_add", on_click=_accept, args=args, disabled=is_full)
    last, added, problem, listed = st.session_state.get(_OUTCOME, ("", "", "", ()))
    widgets.show_problem(own, _entered_row(proposal, key, fields, name)[1] if last == own and problem else "")
    if last == own and added and listed == _rows():
        st.text(added)
        if KINDS[proposal.kind].has_threshold and session_state.text_of(GUARANTEE) == "pure":
            st.text("It is left out of the total: its threshold requires δ.")
            delta_button(f"{own}_delta")


def delta_button(key: str) -> None:
    """Render the button that chooses the guarantee with δ, which a row of the list requires."""
    st.button("Choose (ε, δ)-DP", key=key, on_click=session_state.set_text, args=(GUARANTEE.key, "delta"))


def _entered_row(proposal: Proposal, key: str, fields: dict[str, str], name: str) -> tuple[QueryItem | None, str]:
    """Return the row of a proposal as it is entered, or None and what is missing."""
    entered = {quantity: st.session_state.get(field, "") for quantity, field in fields.items()}
    listed, own_name = (st.session_state.get(f"{key}_{part}", "") for part in ("categories", "name"))
    try:
        return proposed_row(proposal, entered, listed, name or own_name), ""
    except ValueError as error:
        return None, str(error)


def _accept(proposal: Proposal, key: str, fields: dict[str, str], name: str, column: str) -> None:
    """Add the row of a proposal to the list, in place of untouched examples; remember that, or what is missing."""
    row, problem = _entered_row(proposal, key, fields, name)
    added, items = "", widgets.items_of(QUERIES)
    if row is not None:
        is_first = tuple(items) == QUERIES.read(QUERIES.default)
        if is_first:
            widgets.set_list(QUERIES, list_parameter.with_chosen([row], 0))
        else:
            widgets.add_entry(QUERIES, row)
        n = len(widgets.items_of(QUERIES))
        added = f"Added as query {n}{', in place of the examples' if is_first else ''}."
        if column:
            _remember("columns", names_of(widgets.items_of(QUERIES))[n - 1], column)
    st.session_state[_OUTCOME] = (f"{key}_{proposal.kind}", added, problem, _rows())


def _rows() -> tuple[QueryItem, ...]:
    """Return the rows of the list, whichever of them is chosen."""
    return tuple(replace(item, chosen=False) for item in widgets.items_of(QUERIES))


OWN_FILE = OwnData[PlanFile | None](
    slot=SLOT,
    noun="file",
    label="Rows from a file",
    remove="Remove my file",
    inputs=(
        FileInput(
            "file",
            "A CSV with a row for each person or record",
            ("csv", "tsv", "tab", "txt"),
            "The first row names the columns. Only names and types of columns are read. The file goes to the computer "
            "that runs this page, which keeps it for this session alone.",
        ),
    ),
    choices=CHOICES,
    read=read_file,
    refused=lambda _: None,
    fields=person_field,
    draw_next=_draw_proposals,
)
"""The file, which stays in the session and in the tab: no link, answer or report contains it."""
