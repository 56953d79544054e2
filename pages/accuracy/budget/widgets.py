"""The editor of the queries of a budget."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dpcore.queries import Budget
from pages.accuracy.budget.parameters import (
    BUDGET,
    LOCKED,
    MOST_QUERIES,
    NAME_LENGTH,
    SENSITIVITY,
    WEIGHT,
    BudgetItem,
    item_names,
)
from pages.framework.layout import list_editor, widgets
from pages.framework.parameters import list_parameter, number_format
from pages.framework.parameters.kinds import problem
from pages.framework.session import session_state


def budget_editor(items: Sequence[BudgetItem], shares: Budget | None) -> None:
    """Draw the fields that change the list, which open on request."""
    if session_state.page_is_new() and any(session_state.drafts(BUDGET.key).values()):
        st.session_state.budget_box = True  # a draft that is to be corrected must be visible
    with st.expander("Change the queries", key="budget_box", on_change="rerun") as box:
        if box.open:
            _item_fields(items, shares)


def _item_fields(items: Sequence[BudgetItem], shares: Budget | None) -> None:
    place, names = list_parameter.chosen_position(items), item_names(items)
    item = items[place]
    list_editor.chooser(BUDGET, "budget", items, names, "Queries; the chosen one is edited")
    with st.container(horizontal=True):
        full, last = len(items) == MOST_QUERIES, len(items) == 1
        st.button(
            "Add a query", key="budget_add", on_click=lambda: list_editor.add_entry(BUDGET, BudgetItem()), disabled=full
        )
        st.button("Remove it", key="budget_remove", on_click=lambda: list_editor.remove_entry(BUDGET), disabled=last)
    st.text_input(
        "Name, with its unit",
        key="budget_name",
        max_chars=NAME_LENGTH,
        placeholder=names[place],
        help=f"At most {NAME_LENGTH} characters.",
        on_change=_set_name,
        **widgets.mirror_value("budget_name", item.name),
    )
    list_editor.number_field(BUDGET, "budget", SENSITIVITY, item.sensitivity)
    share = "" if shares is None else number_format.format_down(float(shares.epsilon[place])).replace(",", "")
    locked = bool(item.locked)
    st.checkbox(
        "Lock its ε",
        key="budget_lock",
        on_change=lambda: _set_lock(share),
        **widgets.mirror_value("budget_lock", locked),
    )
    if locked:
        list_editor.number_field(BUDGET, "budget", LOCKED, item.locked)
    else:
        list_editor.number_field(BUDGET, "budget", WEIGHT, item.weight)


def _set_name() -> None:
    name = list_parameter.single_line(st.session_state.budget_name, NAME_LENGTH)
    list_editor.replace_chosen(BUDGET, lambda item: replace(item, name=name))


def _set_lock(share: str) -> None:
    """Lock the query at its present share, or unlock it, and drop the draft of the field that goes."""
    epsilon = share if share and problem(LOCKED, share) is None else LOCKED.default
    locked = epsilon if st.session_state.budget_lock else ""
    drafts = list_editor.drafts_at(BUDGET, list_parameter.chosen_position(list_editor.items_of(BUDGET)))
    for quantity in (WEIGHT, LOCKED):
        drafts.pop(quantity.key, None)
    list_editor.replace_chosen(BUDGET, lambda item: replace(item, locked=locked))
