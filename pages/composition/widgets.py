"""The editor of the list of releases, beside the answer and the picture where the screen is wide enough."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages.composition.results import EDITOR_KEY
from pages.framework.layout import widgets
from pages.framework.parameters import list_parameter
from pages.framework.session import session_state
from pages.shared.releases import (
    COUNT,
    LABELS,
    MAX_LINES,
    NAME_LENGTH,
    RELEASES,
    Item,
    default_numbers,
    description,
    labels,
)


def editor_content(items: Sequence[Item]) -> object:
    """Return what the editor shows: the list, and the entries that cannot be used."""
    return list(items), widgets.nonempty_drafts(RELEASES)


def render_releases_editor(items: Sequence[Item]) -> None:
    """Render the editor of the list, open until the user closes it."""
    widgets.render_box(RELEASES, "Add and edit releases", EDITOR_KEY, lambda: _render_fields(items))


def _render_fields(items: Sequence[Item]) -> None:
    place, names = list_parameter.chosen_position(items), labels(items)
    item = items[place]
    st.text("How often each is released; a name opens its other fields")
    summaries = [description(entry).split(" × ", 1)[1] for entry in items]
    labelled = list(zip(names, summaries, strict=True))
    widgets.rows(RELEASES, "release", items, labelled, lambda entry: (COUNT, entry.count))
    with st.container(horizontal=True, gap="xsmall", key="list_tools_release"):
        st.button("Add", key="release_add", on_click=_add_release, disabled=len(items) == MAX_LINES)
        widgets.render_move_buttons(RELEASES, "release", items)
    st.markdown(f"**Line {place + 1}**")
    widgets.dropdown("Kind", "release_kind", LABELS, item.kind, _store_kind)
    for quantity, used in item.fields[:-1]:  # the last one, how often, has its field in the row
        widgets.number_field(RELEASES, "release", quantity, used)
    widgets.name_field(RELEASES, "release", names, NAME_LENGTH)


def _add_release() -> None:
    widgets.add_entry(RELEASES, Item("gaussian", default_numbers("gaussian")))


def _store_kind(kind: str) -> None:
    """Change the kind; the numbers and drafts last used for that kind come back with it."""
    items = widgets.items_of(RELEASES)
    place = list_parameter.chosen_position(items)
    old, waiting = items[place], widgets.drafts_at(RELEASES, place)
    remembered = session_state.memory(RELEASES.key).setdefault(place, {})
    remembered[old.kind] = old.numbers, {key: typed for key, typed in waiting.items() if key != COUNT.key}
    numbers, drafts = remembered.get(kind, (default_numbers(kind), {}))
    for key in [key for key in waiting if key != COUNT.key]:
        del waiting[key]
    waiting.update(drafts)
    widgets.replace_chosen(RELEASES, lambda item: replace(item, kind=kind, numbers=numbers))
