"""The widgets that edit a list parameter: they choose, change, add, move and remove its entries.

The list contains only usable entries; a text that cannot be used is stored beside it as a draft, with its sentence,
until it is corrected.
"""

from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import streamlit as st

from pages.framework.layout import widgets
from pages.framework.parameters import kinds, list_parameter, number_format
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.list_parameter import E, Listing
from pages.framework.session import session_state

_BOX_WIDTH = 72  # pixels
_ROW_KEY = "list_row_"  # by which the style sheet makes the rows of a list compact


def render_box(listing: Listing[Any], label: str, key: str, render_fields: Callable[[], None]) -> None:
    """Render the editor of a list in a box beside the stage, which is open until the user closes it."""
    if session_state.page_is_new() and any(session_state.drafts(listing.key).values()):
        st.session_state[key] = True  # an invalid entry must be visible
    with st.container(key=widgets.BESIDE_STAGE), st.expander(label, expanded=True, key=key, on_change="rerun") as box:
        if box.open:
            render_fields()


def items_of(listing: Listing[E]) -> list[E]:
    """Return the entries of the list; those of the last usable text, if the entered text cannot be used."""
    try:
        return list(listing.read(session_state.entered_texts()[listing.key]))
    except ValueError:
        return list(listing.read(session_state.used_texts()[listing.key]))


def set_list(listing: Listing[E], items: Sequence[E]) -> None:
    """Store a list as the entered text of its parameter."""
    session_state.set_text(listing.key, list_parameter.list_text(items))


def choose_entry(listing: Listing[E], place: int) -> None:
    """Choose the entry at a position."""
    set_list(listing, list_parameter.with_chosen(items_of(listing), place))


def replace_chosen(listing: Listing[E], change: Callable[[E], E]) -> None:
    """Replace the chosen entry by what a function makes of it."""
    items = items_of(listing)
    place = list_parameter.chosen_position(items)
    items[place] = change(items[place])
    set_list(listing, items)


def chooser(listing: Listing[E], prefix: str, items: Sequence[E], names: list[str], label: str) -> None:
    """Render the radio buttons with the names of the entries, of which one is chosen."""
    place = list_parameter.chosen_position(items)
    key = f"{prefix}_chosen_{crc32('|'.join(names).encode())}"  # Streamlit identifies choices by label
    st.radio(
        label,
        range(len(items)),
        format_func=[_markdown(name) for name in names].__getitem__,
        **widgets.mirror_value(key, place, lambda chosen: choose_entry(listing, chosen), "index"),
    )


def rows(
    listing: Listing[E],
    prefix: str,
    items: Sequence[E],
    labels: Sequence[tuple[str, str]],
    number_of: Callable[[E], tuple[Quantity, str]],
) -> None:
    """Render a row for each entry: a button with its name, which chooses it, the field of one number, and its summary.

    `labels` are the name and the summary of each entry, and `number_of` returns the number of an entry and its text.
    """
    for place, (item, (name, summary)) in enumerate(zip(items, labels, strict=True)):
        quantity, used = number_of(item)
        with st.container(
            horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False, key=f"{_ROW_KEY}{prefix}_{place}"
        ):
            st.button(
                _markdown(name),
                key=f"{prefix}_choose_{place}",
                type="primary" if item.chosen else "secondary",
                help=f"Edit {listing.entry_name.lower()} {place + 1} below",
                on_click=choose_entry,
                args=(listing, place),
                width="stretch",
            )
            _number_box(
                listing,
                f"{prefix}_{quantity.key}_{place}",
                place,
                quantity,
                used,
                _markdown(f"{name}: {quantity.label}"),
            )
        st.text(summary)
        _, problem = drafts_at(listing, place).get(quantity.key, ("", ""))
        widgets.show_problem(f"{prefix}_{quantity.key}_{place}", listing.numbered_sentence(place + 1, problem))


def _markdown(name: str) -> str:
    """Return a name as Streamlit's Markdown shows it: as it is, and with no link in it."""
    return number_format.without_autolinks(number_format.escape_markdown(name))


def _number_box(listing: Listing[E], key: str, place: int, quantity: Quantity, used: str, label: str) -> None:
    """Render the box of one number of an entry in its row."""
    entry, _ = drafts_at(listing, place).get(quantity.key, (used, ""))
    st.text_input(
        label,
        label_visibility="collapsed",
        width=_BOX_WIDTH,
        **widgets.mirror_value(
            key, entry, lambda typed: _set_and_choose(listing, quantity, typed.strip(), used, place)
        ),
    )


def _set_and_choose(listing: Listing[E], quantity: Quantity, entry: str, used: str, place: int) -> None:
    """Store a number of an entry, and choose the entry, so that what moves or copies it is about it."""
    set_number(listing, quantity, entry, used, place)
    choose_entry(listing, place)


def add_entry(listing: Listing[E], new: E) -> None:
    """Add a new entry at the end, and choose it."""
    items = [*items_of(listing), new]
    set_list(listing, list_parameter.with_chosen(items, len(items) - 1))


def move_entry(listing: Listing[E], by: int) -> None:
    """Move the chosen entry up or down, together with its drafts."""
    items = items_of(listing)
    place = list_parameter.chosen_position(items)
    items[place], items[place + by] = items[place + by], items[place]
    for entries_by_position in (session_state.drafts(listing.key), session_state.memory(listing.key)):
        entries_by_position[place], entries_by_position[place + by] = (
            entries_by_position.get(place + by, {}),
            entries_by_position.get(place, {}),
        )
    set_list(listing, items)


def remove_entry(listing: Listing[E]) -> None:
    """Remove the chosen entry, together with its drafts."""
    items = items_of(listing)
    place = list_parameter.chosen_position(items)
    del items[place]
    for entries_by_position in (session_state.drafts(listing.key), session_state.memory(listing.key)):
        remaining: dict[int, Any] = {
            position - (position > place): typed for position, typed in entries_by_position.items() if position != place
        }
        entries_by_position.clear()
        entries_by_position.update(remaining)
    set_list(listing, list_parameter.with_chosen(items, min(place, len(items) - 1)))


def render_move_buttons(listing: Listing[E], prefix: str, items: Sequence[E]) -> None:
    """Render the buttons that move the chosen entry up or down and remove it; the last entry cannot be removed."""
    place, last = list_parameter.chosen_position(items), len(items) - 1
    for name, by, is_at_end in (("Up", -1, place == 0), ("Down", 1, place == last)):
        st.button(
            name,
            key=f"{prefix}_{name.lower()}",
            on_click=move_entry,
            args=(listing, by),
            disabled=is_at_end,
            shortcut=f"Alt+{name}",
        )
    st.button("Remove", key=f"{prefix}_remove", on_click=remove_entry, args=(listing,), disabled=last == 0)


def drafts_at(listing: Listing[E], place: int) -> dict[str, tuple[str, str]]:
    """Return the drafts of an entry by field: each a text that cannot be used, and its sentence."""
    return session_state.drafts(listing.key).setdefault(place, {})


def nonempty_drafts(listing: Listing[E]) -> dict[int, dict[str, tuple[str, str]]]:
    """Return a copy of the drafts of the entries that have any, by position."""
    return {place: dict(fields) for place, fields in session_state.drafts(listing.key).items() if fields}


def number_field(listing: Listing[E], prefix: str, quantity: Quantity, used: str) -> None:
    """Render the field of one number of the chosen entry, and a sentence if its text cannot be used."""
    place, key = list_parameter.chosen_position(items_of(listing)), f"{prefix}_{quantity.key}"
    entry, problem = drafts_at(listing, place).get(quantity.key, (used, ""))
    st.text_input(
        quantity.label,
        help=quantity.help or None,
        **widgets.mirror_value(key, entry, lambda typed: set_number(listing, quantity, typed.strip(), used)),
    )
    if not problem and (note := kinds.parsed_value_note(entry, quantity.read(entry))):
        st.text(note)
    widgets.show_problem(key, listing.numbered_sentence(place + 1, problem))


def set_number(
    listing: Listing[E],
    quantity: Quantity,
    entry: str,
    used: str = "The last good value",
    place: int | None = None,
) -> None:
    """Store a number, and the drafts that depend on it, if they make a usable entry; else store it as a draft.

    The entry is that at a position, the chosen one where it is None.
    """
    items = items_of(listing)
    place = list_parameter.chosen_position(items) if place is None else place
    drafts = drafts_at(listing, place)
    drafts.pop(quantity.key, None)
    draft_texts = {key: typed for key, (typed, _) in drafts.items()}
    problem = kinds.problem(quantity, entry)
    for changes in ({**draft_texts, quantity.key: entry}, {quantity.key: entry}):
        if kinds.problem(quantity, entry) is None:
            candidate = listing.with_numbers(items[place], changes)
            problem = listing.refusal_in_list([*items[:place], *items[place + 1 :]], candidate) or listing.refusal(
                candidate
            )
            if problem is None:
                for key in changes:
                    drafts.pop(key, None)
                items[place] = candidate
                break
    if problem is not None:
        drafts[quantity.key] = (entry, f"{problem.rstrip('.')}. {used} is used instead.")
    set_list(listing, items)
