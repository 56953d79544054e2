"""The editor of the list of releases, folded until it is wanted."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages.composition.found import BOX
from pages.composition.kinds import COUNT, KINDS, LABELS
from pages.composition.releases import MOST_LINES, NAME_LENGTH, RELEASES, Item, default_numbers, labels
from pages.shared import entries, fields, listings, session


def releases_box(items: Sequence[Item]) -> None:
    """Offer the editor of the list."""
    if session.page_is_new() and any(session.drafts(RELEASES.key).values()):
        st.session_state[BOX] = True  # what waits to be mended must be seen
    with st.expander("Add and edit releases", key=BOX, on_change="rerun") as box:
        if box.open:
            _editor(items)


def _editor(items: Sequence[Item]) -> None:
    place, names = listings.chosen_place(items), labels(items)
    item = items[place]
    entries.chooser(RELEASES, "release", items, names, "Releases; the chosen one is edited")
    with st.container(horizontal=True):
        full, last = len(items) == MOST_LINES, len(items) == 1
        st.button("Add", key="release_add", on_click=_add, disabled=full)
        st.button("Up", key="release_up", on_click=lambda: entries.move(RELEASES, -1), disabled=place == 0)
        st.button(
            "Down", key="release_down", on_click=lambda: entries.move(RELEASES, 1), disabled=place == len(items) - 1
        )
        st.button("Remove", key="release_remove", on_click=lambda: entries.remove(RELEASES), disabled=last)
    kinds = list(KINDS)
    st.selectbox(
        "Kind",
        kinds,
        format_func=LABELS.__getitem__,
        key="release_kind",
        on_change=lambda: _take_kind(st.session_state.release_kind),
        **fields.mirrored("release_kind", item.kind, "index", kinds.index(item.kind)),
    )
    for quantity, used in item.fields:
        entries.number_field(RELEASES, "release", quantity, used)
    st.text_input(
        "Name",
        key="release_name",
        max_chars=NAME_LENGTH,
        placeholder=names[place],
        help=f"At most {NAME_LENGTH} characters.",
        on_change=_take_name,
        **fields.mirrored("release_name", item.name),
    )


def _add() -> None:
    entries.add(RELEASES, Item("gaussian", default_numbers("gaussian")))


def _take_name() -> None:
    name = listings.short(st.session_state.release_name, NAME_LENGTH)
    entries.change(RELEASES, lambda item: replace(item, name=name))


def _take_kind(kind: str) -> None:
    """Change the kind; the numbers last used for a kind, and what waits to be mended there, come back with it."""
    items = entries.items_of(RELEASES)
    place = listings.chosen_place(items)
    old, waiting = items[place], entries.drafts_at(RELEASES, place)
    kept = session.memory(RELEASES.key).setdefault(place, {})
    kept[old.kind] = old.numbers, {key: typed for key, typed in waiting.items() if key != COUNT.key}
    numbers, drafts = kept.get(kind, (default_numbers(kind), {}))
    for key in [key for key in waiting if key != COUNT.key]:
        del waiting[key]
    waiting.update(drafts)
    entries.change(RELEASES, lambda item: replace(item, kind=kind, numbers=numbers))
