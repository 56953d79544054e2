"""The editor of a list: choose an entry, change it, add, move and remove; edits go to the session and so to the link.

Only what can be used is in the list; a text that can't be stays beside it as a draft, with its sentence, until it is
mended.
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


def items_of(listing: Listing[E]) -> list[E]:
    """The entries of the list as it stands: the last good one, where what is entered can't be used."""
    try:
        return list(listing.read(session_state.entered_texts()[listing.key]))
    except ValueError:
        return list(listing.read(session_state.used_texts()[listing.key]))


def set_list(listing: Listing[E], items: Sequence[E]) -> None:
    """Take a list as what the user now wants."""
    session_state.set_text(listing.key, list_parameter.list_text(items))


def replace_chosen(listing: Listing[E], made: Callable[[E], E]) -> None:
    """Put something in the place of the chosen entry."""
    items = items_of(listing)
    place = list_parameter.chosen_position(items)
    items[place] = made(items[place])
    set_list(listing, items)


def chooser(listing: Listing[E], prefix: str, items: Sequence[E], names: list[str], label: str) -> None:
    """Draw the entries' names, of which one is chosen."""
    place = list_parameter.chosen_position(items)
    key = (
        f"{prefix}_chosen_{crc32('|'.join(names).encode())}"  # other labels need another widget: Streamlit matches them
    )
    st.radio(
        label,
        range(len(items)),
        format_func=[
            number_format.without_autolinks(number_format.escape_markdown(name)) for name in names
        ].__getitem__,
        key=key,
        on_change=lambda: set_list(listing, list_parameter.with_chosen(items_of(listing), st.session_state[key])),
        **widgets.mirror_value(key, place, "index"),
    )


def add_entry(listing: Listing[E], new: E) -> None:
    """Put a new entry at the end, and choose it."""
    items = [*items_of(listing), new]
    set_list(listing, list_parameter.with_chosen(items, len(items) - 1))


def move_entry(listing: Listing[E], by: int) -> None:
    """Move the chosen entry up or down, with what was typed beside it."""
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
    """Take the chosen entry away, with what was typed beside it."""
    items = items_of(listing)
    place = list_parameter.chosen_position(items)
    del items[place]
    for entries_by_position in (session_state.drafts(listing.key), session_state.memory(listing.key)):
        remaining: dict[int, Any] = {
            at - (at > place): typed for at, typed in entries_by_position.items() if at != place
        }
        entries_by_position.clear()
        entries_by_position.update(remaining)
    set_list(listing, list_parameter.with_chosen(items, min(place, len(items) - 1)))


def drafts_at(listing: Listing[E], place: int) -> dict[str, tuple[str, str]]:
    """What was typed at a place of the list and can't be used, and its sentence, by field."""
    return session_state.drafts(listing.key).setdefault(place, {})


def number_field(listing: Listing[E], prefix: str, quantity: Quantity, used: str) -> None:
    """Draw the field of one number of the chosen entry, and a sentence if its text can't be used."""
    place, key = list_parameter.chosen_position(items_of(listing)), f"{prefix}_{quantity.key}"
    entry, wrong = drafts_at(listing, place).get(quantity.key, (used, ""))
    st.text_input(
        quantity.label,
        key=key,
        help=quantity.help or None,
        on_change=lambda: set_number(listing, quantity, st.session_state[key].strip(), used),
        **widgets.mirror_value(key, entry),
    )
    if not wrong and (note := number_format.parsed_value_note(entry, quantity.read(entry))):
        st.text(note)
    widgets.show_problem(key, listing.numbered_sentence(place + 1, wrong))


def set_number(listing: Listing[E], quantity: Quantity, entry: str, used: str = "The last good value") -> None:
    """Take a number, with the drafts that wait for it, if an entry can be made of them; else keep it as a draft."""
    items = items_of(listing)
    place = list_parameter.chosen_position(items)
    drafts = drafts_at(listing, place)
    drafts.pop(quantity.key, None)
    waiting = {key: typed for key, (typed, _) in drafts.items()}
    wrong = kinds.problem(quantity, entry)
    for changes in ({**waiting, quantity.key: entry}, {quantity.key: entry}):
        if kinds.problem(quantity, entry) is None:
            candidate = listing.with_numbers(items[place], changes)
            wrong = listing.refusal_in_list([*items[:place], *items[place + 1 :]], candidate) or listing.refusal(
                candidate
            )
            if wrong is None:
                for key in changes:
                    drafts.pop(key, None)
                items[place] = candidate
                break
    if wrong is not None:
        drafts[quantity.key] = (entry, f"{wrong.rstrip('.')}. {used} is used instead.")
    set_list(listing, items)
