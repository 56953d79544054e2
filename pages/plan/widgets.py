"""The editor of the list of queries, beside the answer and the picture where the screen is wide enough."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.framework.layout import widgets
from pages.framework.parameters import list_parameter
from pages.framework.parameters.kinds import Quantity
from pages.framework.session import session_state
from pages.plan.file_widgets import OWN_FILE, delta_button
from pages.plan.proposals import COLUMNS, MAX_LENGTH, change_note, read_rows, with_kind
from pages.plan.quantities import CAP_PERIODS, GROUPS, HALF_WIDTH, LOCKS, SIZE, TIMES, lock_quantity
from pages.plan.queries import MAX_QUERIES, NAME_LENGTH, QUERIES, QueryItem, item_problem, names_of, new_item
from pages.plan.query_kinds import KINDS, LABELS
from pages.plan.results import EDITOR_KEY, PlanResult

_PASTE_KEY = "queries_pasted"
_NOTE = "kind_note"


def editor_content(result: PlanResult) -> object:
    """Return what the editor shows: the list, what of it cannot be used or is left out, and the columns of a file."""
    row = result.row_at(result.chosen_position)
    return result.setting.queries, widgets.nonempty_drafts(QUERIES), row.reason, OWN_FILE.content()


def render_queries_editor(result: PlanResult, above_stage: DeltaGenerator) -> None:
    """Render the editor of the list, open until the user closes it; the form of a file stands above the stage."""
    widgets.render_box(QUERIES, "Add and edit queries", EDITOR_KEY, lambda: _render_fields(result, above_stage))


def _render_fields(result: PlanResult, above_stage: DeltaGenerator) -> None:
    items = result.setting.queries
    place, names = list_parameter.chosen_position(items), names_of(items)
    item = items[place]
    st.text("Wanted ±")
    summaries = [entry.summary for entry in items]
    labels = list(zip(names, summaries, strict=True))
    widgets.rows(QUERIES, "query", items, labels, _row_number)
    _buttons(items)
    with st.expander("Paste rows", key="query_paste_box", on_change="rerun") as box:
        if box.open:
            _paste_fields()
    OWN_FILE.draw(above_stage)
    st.markdown(f"**Query {place + 1}**")
    widgets.dropdown("Kind", "query_kind", LABELS, item.kind, _store_kind)
    if note := _kind_note(item, place):
        st.text(note)
    in_link = " It stands in the link."
    widgets.name_field(QUERIES, "query", names, NAME_LENGTH, "Name, with its unit", in_link)
    _number_fields(item)
    if reason := result.row_at(place).reason:
        widgets.show_problem("query_left_out", f"Query {place + 1} is left out of the total: {reason}.")
        if result.setting.promise == "pure" and result.with_delta.row_at(place).query is not None:
            delta_button("query_delta")


def _row_number(item: QueryItem) -> tuple[Quantity, str]:
    """Return the number of a row in the list: its wanted error, which has no effect where ε or a scale is fixed."""
    fixed = lock_quantity(item.lock)
    return (HALF_WIDTH, item.half_width) if fixed is None else (fixed, item.lock_number)


def _buttons(items: Sequence[QueryItem]) -> None:
    """Render the buttons that add, copy, move and remove a row."""
    is_full = len(items) == MAX_QUERIES
    with st.container(horizontal=True, gap="xsmall", key="list_tools_query"):
        st.button(
            "Add", key="query_add", on_click=lambda: widgets.add_entry(QUERIES, new_item("count")), disabled=is_full
        )
        st.button("Duplicate", key="query_copy", on_click=_duplicate, disabled=is_full, shortcut="Alt+D")
        widgets.render_move_buttons(QUERIES, "query", items)


def _number_fields(item: QueryItem) -> None:
    """Render the fields of the numbers of a row but its wanted error, and the choices that it has."""
    if KINDS[item.kind].error:
        st.caption(f"± means: {KINDS[item.kind].error}")
    for quantity, used in zip(item.labelled_quantities, item.numbers, strict=True):
        widgets.number_field(QUERIES, "query", quantity, used)
    if cap := KINDS[item.kind].cap:
        _optional_field(cap, "cap", item.cap)
        if item.cap:
            widgets.number_field(QUERIES, "query", CAP_PERIODS, item.cap_periods or CAP_PERIODS.default)
    if KINDS[item.kind].has_cells:
        _flag("± of all cells at once", "query_joint", item.is_joint, "is_joint")
    if KINDS[item.kind].may_hide_records:
        _flag("The number of records is not public", "query_hidden", item.is_hidden, "is_hidden")
    widgets.dropdown("Noise", "query_lock", LOCKS, item.lock, _store_lock)
    fixed = lock_quantity(item.lock)
    if fixed is not None:
        widgets.number_field(QUERIES, "query", fixed, item.lock_number)
    group = partial(_store_field, "group")
    widgets.dropdown("Group of queries on disjoint people", "query_group", GROUPS, item.group, group)
    _optional_field(TIMES, "times", item.times)
    _optional_field(SIZE, "size", item.size)


def _flag(label: str, key: str, is_set: bool, name: str) -> None:
    """Render the box of a flag: `name` is that of its field in a row."""
    st.checkbox(label, **widgets.mirror_value(key, is_set, partial(_store_field, name)))


def _store_field(name: str, value: str | bool) -> None:
    """Replace one field of the chosen row."""
    widgets.replace_chosen(QUERIES, lambda item: replace(item, **{name: value}))


def _optional_field(quantity: Quantity, name: str, used: str) -> None:
    """Render the field of a number that may be empty: `name` is that of its text in a row."""
    key = f"query_{name}"
    store = partial(_store_optional, quantity, name)
    st.text_input(quantity.label, help=quantity.help, **widgets.mirror_value(key, used, store))
    place = list_parameter.chosen_position(widgets.items_of(QUERIES))
    _, problem = widgets.drafts_at(QUERIES, place).get(quantity.key, ("", ""))
    widgets.show_problem(key, QUERIES.numbered_sentence(place + 1, problem))


def _store_optional(quantity: Quantity, name: str, typed: str) -> None:
    entry = typed.strip()
    if entry:
        widgets.set_number(QUERIES, quantity, entry)
        return
    place = list_parameter.chosen_position(widgets.items_of(QUERIES))
    widgets.drafts_at(QUERIES, place).pop(quantity.key, None)
    empty = {name: ""} | ({"cap_periods": ""} if name == "cap" else {})  # periods are those of the cap
    widgets.replace_chosen(QUERIES, lambda item: replace(item, **empty))


def _store_kind(kind: str) -> None:
    """Change the kind, and remember why the wanted error of the row had to change with it."""
    items = widgets.items_of(QUERIES)
    place = list_parameter.chosen_position(items)
    widgets.drafts_at(QUERIES, place).clear()  # the fields of the row go
    new = with_kind(items[place], kind)
    session_state.memory(QUERIES.key)[place] = {_NOTE: (replace(new, chosen=True), change_note(items[place], new))}
    widgets.replace_chosen(QUERIES, lambda _: new)


def _kind_note(item: QueryItem, place: int) -> str:
    """Return why a chosen row has another wanted error since its kind has changed, until the row is edited."""
    row, note = session_state.memory(QUERIES.key).get(place, {}).get(_NOTE, (None, ""))
    return note if row == item else ""


def _store_lock(lock: str) -> None:
    """Fix what of the noise is chosen; nothing changes where the query cannot have that noise."""
    fixed = lock_quantity(lock)

    def changed(item: QueryItem) -> QueryItem:
        locked = replace(item, lock=lock, lock_number=fixed.default if fixed else "")
        return item if item_problem(locked) else locked

    widgets.replace_chosen(QUERIES, changed)


def _duplicate() -> None:
    """Add a copy of the chosen row at the end, and choose it."""
    items = widgets.items_of(QUERIES)
    widgets.add_entry(QUERIES, items[list_parameter.chosen_position(items)])


def _paste_fields() -> None:
    """Render the field for rows of a spreadsheet, and what of them cannot be used."""
    st.text_area(
        "One row for each query",
        key=_PASTE_KEY,
        max_chars=MAX_LENGTH,
        placeholder="Age; mean; 1; 0; 100; 2000",
        help=f"Cells separated by tabs, semicolons or commas: {COLUMNS}. "
        "“all” means that the error is that of all cells at once; “N = 4” limits what one person "
        "adds in all, or the records of one, and “P = 3” says that this is the limit in each of 3 years.",
    )
    items, sentences = read_rows(st.session_state.get(_PASTE_KEY) or "")
    widgets.show_problem(_PASTE_KEY, "\n".join(sentences))
    with st.container(horizontal=True):
        st.button(
            "Replace the list",
            key="query_paste_replace",
            disabled=not items,
            on_click=lambda: _use_rows(items, append=False),
        )
        st.button(
            "Add to the list", key="query_paste_add", disabled=not items, on_click=lambda: _use_rows(items, append=True)
        )


def _use_rows(items: Sequence[QueryItem], *, append: bool) -> None:
    """Replace the list by pasted rows, or add them as far as there is room."""
    before = widgets.items_of(QUERIES) if append else []
    if not append:
        session_state.drafts(QUERIES.key).clear()
    listed = [*before, *items][:MAX_QUERIES]
    widgets.set_list(QUERIES, list_parameter.with_chosen(listed, min(len(before), len(listed) - 1)))
