"""The widgets that mirror the texts of the session: fields, the button for data in a link, and the editor of a list."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar
from zlib import crc32

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.framework.parameters import kinds, list_parameter, number_format
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.list_parameter import E, Listing
from pages.framework.parameters.parameter import Parameter
from pages.framework.session import session_state
from pages.framework.session.data_files import ChoiceField

TWO_COLUMNS, BESIDE_STAGE, ABOVE_STAGE = "two_columns", "beside_stage", "above_stage"
"""The keys of a container for all of a page, of one in it that stands beside the stage where the screen is wide, and of
one above the stage."""

EXPLANATION = "explanation"
"""The key of the expander on how the numbers of a page are computed."""


P = TypeVar("P")
NumberOf = Callable[[E], tuple[Quantity, str]]


def place_above_stage() -> DeltaGenerator:
    """Return a place above the stage that is drawn after it, to be called first: an empty one takes no room."""
    return st.container(key=ABOVE_STAGE)


def run_alone(open_page: Callable[[Callable[[P], None]], P], content_below: Callable[[P], object]) -> P:
    """Open a page in a fragment of its own, so that a request of the browser runs none of the widgets below it.

    All of the page runs where `content_below`, which returns what those widgets show, returns something else.
    `open_page` calls the function that it is given before it answers the request.
    """
    last_content: list[object] = []

    def rerun_if_changed(page: P) -> None:
        content = content_below(page)
        if last_content and last_content != [content]:
            st.rerun()
        last_content[:] = [content]

    return st.fragment(lambda: open_page(rerun_if_changed))()


def explained_view(view: str) -> str:
    """Return the key of the stage where the explanation is open, which depends on the whole setting; else nothing."""
    return view if st.session_state.get(EXPLANATION) else ""


def show_problem(key: str, sentence: str) -> None:
    """Render the sentence on what is wrong with a field below it, if there is one."""
    if sentence:
        with st.container(key=f"problem_{key}"):
            st.text(sentence)


def mirror_value(
    name: str, value: Any, on_change: Callable[[Any], object], argument: str = "value", initial: Any = None
) -> dict[str, Any]:
    """Return the arguments by which a widget shows a value of the session: its key, its callback and its value.

    `on_change` is called with what the user enters. Where the page itself changes the value, as after a link or with
    another entry of a list, the widget is replaced by a new one with a key of its own: the browser may still send the
    old value, with whatever the user does next, and that would count as an edit. What it sends for a widget that was
    replaced, or that the page no longer has, is ignored.

    Widgets of different pages are different widgets, even if they have the same key. At a session's first run, the
    browser may have an edit that was made when the server was lost: the value is then only the initial one. It is the
    initial one at every run: a browser that has missed a part of a run creates the widget again, and would otherwise
    send an empty entry, or the first option, as if the user had chosen it.
    """
    record = session_state.session().fields
    is_shown = not session_state.session().page_is_new and st.session_state.get(field_key(name)) == value
    if not is_shown and not session_state.session().is_new:
        if name not in record.edited:
            replace_field(name)
        st.session_state[field_key(name)] = value
    key = field_key(name)
    record.replacements.setdefault(name, 0)
    record.edited.discard(name)
    record.drawn_keys.add(key)

    def store() -> None:
        if key == field_key(name) and record.is_drawn(key):
            record.edited.add(name)
            on_change(st.session_state[key])

    return {"key": key, "on_change": store, argument: value if initial is None else initial}


def choice_field(place: Any, name: str, choice: ChoiceField, on_change: Callable[[Mapping[str, Any]], object]) -> None:
    """Draw the field for a choice on how data are read; `on_change` is called with what it makes of the choices."""

    def choose(chosen: Any) -> None:
        on_change({**choice.resets, choice.name: chosen})

    if choice.is_multiple:
        mirrored = mirror_value(name, list(choice.used), lambda chosen: choose(tuple(chosen)), "default")
        place.multiselect(choice.label, choice.options, help=choice.help, **mirrored)
    elif choice.options is None:
        place.text_input(choice.label, help=choice.help, **mirror_value(name, choice.used, choose))
    else:
        options = choice.options if choice.used in choice.options else (*choice.options, choice.used)
        position = options.index(choice.used)
        labels = [choice.labels.get(option, option) for option in options]
        mirrored = mirror_value(name, position, lambda chosen: choose(options[chosen]), "index", position)
        more = {"format_func": labels.__getitem__, "help": choice.help, **mirrored}
        place.selectbox(choice.label, list(range(len(labels))), **more)


def dropdown(label: str, name: str, labels: Mapping[str, str], used: str, on_change: Callable[[str], object]) -> None:
    """Render a dropdown whose options are the keys of `labels`, each with its label."""
    keys = list(labels)
    mirrored = mirror_value(name, used, on_change, "index", keys.index(used))
    st.selectbox(label, keys, format_func=labels.__getitem__, **mirrored)


def field_key(name: str) -> str:
    """Return the key of a field, which changes when the field is replaced by a new one (see `mirror_value`)."""
    times = session_state.session().fields.replacements.get(name, 0)
    return f"{name}-{times}" if times else name


def replace_field(name: str) -> None:
    """Replace a field by a new one, if it was drawn before: what the browser still sends for the old one is ignored."""
    replacements = session_state.session().fields.replacements
    if name in replacements:
        replacements[name] += 1


def empty_uploader(name: str) -> None:
    """Replace an upload field that has a file by an empty one, so that the server releases the file."""
    if st.session_state.get(field_key(name)) is not None:
        replacements = session_state.session().fields.replacements
        replacements[name] = replacements.get(name, 0) + 1


INCLUDE, EXCLUDE = "Include my data in the link", "Take my data out of the link"
_INCLUDE_HELP = (
    "Without this, the link opens the page without your data and says that they are missing. With it, the link and "
    "every file, citation and report that is made here contain your data, and whoever gets one of them can read them; "
    "the history of your browser and the logs of servers may keep them."
)


def reset_parameters(*parameters: Parameter) -> None:
    """Set parameters to their defaults, such as answers that new data make void."""
    for parameter in parameters:
        session_state.set_text(parameter.key, parameter.default)


def include_button(key: str, is_included: bool, on_change: Callable[[bool], None], problem: str = "") -> None:
    """Render the button that includes the user's own data in the link, or excludes them; `problem` disables it.

    It is a button, which has no state: the browser could send a ticked checkbox again with a later edit, and so include
    other data than those for which it was ticked.
    """
    if is_included:
        st.button(EXCLUDE, key=f"{key}_out", on_click=on_change, args=(False,))
    else:
        more = {"help": problem or _INCLUDE_HELP, "disabled": bool(problem), "args": (True,)}
        st.button(INCLUDE, key=key, on_click=on_change, **more)


_BOX_WIDTH = 72  # pixels
_ROW_KEY = "list_row_"  # by which the style sheet makes the rows of a list compact


def render_box(listing: Listing[Any], label: str, key: str, render_fields: Callable[[], None]) -> None:
    """Render the editor of a list in a box beside the stage, which is open until the user closes it."""
    if session_state.session().page_is_new and any(session_state.drafts(listing.key).values()):
        st.session_state[key] = True  # an invalid entry must be visible
    with st.container(key=BESIDE_STAGE), st.expander(label, expanded=True, key=key, on_change="rerun") as box:
        if box.open:
            render_fields()


def items_of(listing: Listing[E]) -> list[E]:
    """Return the entries of the list; those of the last usable text, if the entered text cannot be used."""
    try:
        return list(listing.read(session_state.session().entered[listing.key]))
    except ValueError:
        return list(listing.read(session_state.session().used[listing.key]))


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
        format_func=[literal(name) for name in names].__getitem__,
        **mirror_value(key, place, lambda chosen: choose_entry(listing, chosen), "index"),
    )


def rows(
    listing: Listing[E], prefix: str, items: Sequence[E], labels: Sequence[tuple[str, str]], number_of: NumberOf[E]
) -> None:
    """Render a row for each entry: a button with its name, which chooses it, the field of one number, and its summary.

    `labels` are the name and the summary of each entry, and `number_of` returns the number of an entry and its text.
    """
    for place, (item, (name, summary)) in enumerate(zip(items, labels, strict=True)):
        quantity, used = number_of(item)
        key = f"{_ROW_KEY}{prefix}_{place}"
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False, key=key):
            more = {"on_click": choose_entry, "args": (listing, place), "width": "stretch"}
            more |= {"type": "primary" if item.chosen else "secondary"}
            help_text = f"Edit {listing.entry_name.lower()} {place + 1} below"
            st.button(literal(name), key=f"{prefix}_choose_{place}", help=help_text, **more)
            key, label = f"{prefix}_{quantity.key}_{place}", literal(f"{name}: {quantity.label}")
            entry, problem = drafts_at(listing, place).get(quantity.key, (used, ""))
            mirrored = mirror_value(key, entry, partial(_set_and_choose, listing, quantity, used, place))
            st.text_input(label, label_visibility="collapsed", width=_BOX_WIDTH, **mirrored)
        st.text(summary)
        show_problem(key, listing.numbered_sentence(place + 1, problem))


def literal(name: str) -> str:
    """Return a name as Streamlit's Markdown shows it: as it is, and with no link in it."""
    return number_format.without_autolinks(number_format.escape_markdown(name))


def _set_and_choose(listing: Listing[E], quantity: Quantity, used: str, place: int, typed: str) -> None:
    """Store a number of an entry, and choose the entry, so that what moves or copies it is about it."""
    set_number(listing, quantity, typed.strip(), used, place)
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
    for by_position in (session_state.drafts(listing.key), session_state.memory(listing.key)):
        others = by_position.get(place + by, {}), by_position.get(place, {})
        by_position[place], by_position[place + by] = others
    set_list(listing, items)


def remove_entry(listing: Listing[E]) -> None:
    """Remove the chosen entry, together with its drafts."""
    items = items_of(listing)
    place = list_parameter.chosen_position(items)
    del items[place]
    for by_position in (session_state.drafts(listing.key), session_state.memory(listing.key)):
        remaining: dict[int, Any] = {at - (at > place): typed for at, typed in by_position.items() if at != place}
        by_position.clear()
        by_position.update(remaining)
    set_list(listing, list_parameter.with_chosen(items, min(place, len(items) - 1)))


def render_move_buttons(listing: Listing[E], prefix: str, items: Sequence[E]) -> None:
    """Render the buttons that move the chosen entry up or down and remove it; the last entry cannot be removed."""
    place, last = list_parameter.chosen_position(items), len(items) - 1
    for name, by, is_at_end in (("Up", -1, place == 0), ("Down", 1, place == last)):
        more = {"args": (listing, by), "disabled": is_at_end, "shortcut": f"Alt+{name}"}
        st.button(name, key=f"{prefix}_{name.lower()}", on_click=move_entry, **more)
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
    mirrored = mirror_value(key, entry, lambda typed: set_number(listing, quantity, typed.strip(), used))
    st.text_input(quantity.label, help=quantity.help or None, **mirrored)
    if not problem and (note := kinds.parsed_value_note(entry, quantity.read(entry))):
        st.text(note)
    show_problem(key, listing.numbered_sentence(place + 1, problem))


def name_field(
    listing: Listing[E], prefix: str, names: Sequence[str], length: int, label: str = "Name", note: str = ""
) -> None:
    """Render the field of the name of the chosen entry; `names` has what each entry is called without one."""
    items = items_of(listing)
    place = list_parameter.chosen_position(items)

    def store(typed: str) -> None:
        name = list_parameter.single_line(typed, length)
        replace_chosen(listing, lambda chosen: replace(chosen, name=name))

    more = {"max_chars": length, "placeholder": names[place], "help": f"At most {length} characters.{note}"}
    st.text_input(label, **more, **mirror_value(f"{prefix}_name", items[place].name, store))


def set_number(
    listing: Listing[E], quantity: Quantity, entry: str, used: str = "The last good value", place: int | None = None
) -> None:
    """Store a number of the chosen entry, or another one, and drafts that depend on it, if usable; else as a draft."""
    items = items_of(listing)
    place = list_parameter.chosen_position(items) if place is None else place
    drafts = drafts_at(listing, place)
    drafts.pop(quantity.key, None)
    draft_texts = {key: typed for key, (typed, _) in drafts.items()}
    problem, others = kinds.problem(quantity, entry), [*items[:place], *items[place + 1 :]]
    attempts = [{**draft_texts, quantity.key: entry}, {quantity.key: entry}] if problem is None else []
    for changes in attempts:
        candidate = listing.with_numbers(items[place], changes)
        problem = listing.refusal_in_list(others, candidate) or listing.refusal(candidate)
        if problem is None:
            for key in changes:
                drafts.pop(key, None)
            items[place] = candidate
            break
    if problem is not None:
        drafts[quantity.key] = (entry, f"{problem.rstrip('.')}. {used} is used instead.")
    set_list(listing, items)
