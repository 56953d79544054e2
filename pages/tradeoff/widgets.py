"""The editor of the list of curves, the fields for the results of an attack, and the invented example."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.framework.layout import list_editor, widgets
from pages.framework.layout.own_data import OwnData
from pages.framework.parameters import list_parameter
from pages.framework.parameters.list_parameter import Listing
from pages.framework.session import session_state
from pages.framework.session.data_files import OWN, FileInput, TextInput
from pages.framework.session.data_slot import text_of
from pages.tradeoff import curve_list
from pages.tradeoff.attack.text import TRIALS
from pages.tradeoff.attack.upload import CHOICES, EXAMPLE, TYPED, MeasuredAttack, read_upload, typed_lines
from pages.tradeoff.curve_kinds import LABELS, POINT_KINDS, RELEASES
from pages.tradeoff.curve_list import COLOURS, MAX_CURVES, MAX_NAME_LENGTH, CurveItem
from pages.tradeoff.curves.points_widgets import points_field, session_points
from pages.tradeoff.parameters import ATTACK
from pages.tradeoff.results import TradeoffResult


def curve_box(listing: Listing[CurveItem], compute_result: Callable[[], TradeoffResult]) -> None:
    """Draw the box with the editor of the list of curves; the result is computed when somebody opens it."""
    if session_state.page_is_new() and any(session_state.drafts(listing.key).values()):
        st.session_state.curve_box = True  # a text with a problem must be visible
    with st.expander("Choose, add and edit curves", key="curve_box", on_change="rerun") as box:
        if box.open:
            result = compute_result()
            _curve_editor(listing, result.setting.curves, result.names)


def _curve_editor(listing: Listing[CurveItem], items: tuple[CurveItem, ...], names: list[str]) -> None:
    """Draw the list with the chosen curve's fields."""
    position = list_parameter.chosen_position(items)
    item = items[position]
    list_editor.chooser(listing, "curve", items, names, "Curves; the chosen one is read, quoted and edited")
    with st.container(horizontal=True, gap="xsmall", key="list_tools_curve"):
        st.button("Add", key="curve_add", on_click=lambda: _add_curve(listing), disabled=len(items) == MAX_CURVES)
        list_editor.render_move_buttons(listing, "curve", items)
    kinds = [kind for kind in LABELS if kind != "claim"]
    kind = "points" if item.kind in POINT_KINDS else item.kind
    st.selectbox(
        "Kind",
        kinds,
        format_func=LABELS.__getitem__,
        **widgets.mirror_value(
            "curve_kind", kind, lambda chosen: _set_kind(listing, chosen), "index", kinds.index(kind)
        ),
    )
    if item.kind in POINT_KINDS:
        _meaning_field(listing, item)
        points_field(listing, item, position)
    for quantity, used in item.fields:
        list_editor.number_field(listing, "curve", quantity, used)
    if item.kind != "sgm" and not item.follows_page:
        list_editor.number_field(listing, "curve", RELEASES, item.releases)
    _name_and_colour_fields(listing, item, names[position])


def _name_and_colour_fields(listing: Listing[CurveItem], item: CurveItem, placeholder: str) -> None:
    def replace_text(field: str, typed: str) -> None:
        entry = list_parameter.single_line(typed, MAX_NAME_LENGTH)
        list_editor.replace_chosen(listing, lambda item: replace(item, **{field: entry}))

    left, right = st.columns(2)
    with left:
        st.text_input(
            "Name",
            max_chars=MAX_NAME_LENGTH,
            placeholder=placeholder,
            help=f"At most {MAX_NAME_LENGTH} characters.",
            **widgets.mirror_value("curve_name", item.name, partial(replace_text, "name")),
        )
    with right:
        st.selectbox(
            "Colour",
            COLOURS,
            **widgets.mirror_value(
                "curve_colour", item.colour, partial(replace_text, "colour"), "index", COLOURS.index(item.colour)
            ),
        )


def _add_curve(listing: Listing[CurveItem]) -> None:
    used_colours = {item.colour for item in list_editor.items_of(listing)}
    colour = next(colour for colour in COLOURS if colour not in used_colours)
    list_editor.add_entry(listing, CurveItem("gdp", ("1",), colour=colour))


def _set_kind(listing: Listing[CurveItem], kind: str) -> None:
    """Change the kind; the last numbers of a kind, and its texts with a problem, come back with it."""
    items = list_editor.items_of(listing)
    position = list_parameter.chosen_position(items)
    old = items[position]
    memory, drafts = (
        session_state.memory(listing.key).setdefault(position, {}),
        list_editor.drafts_at(listing, position),
    )
    memory[old.kind] = old.numbers, dict(drafts)
    default_numbers = curve_list.default_numbers(kind)
    numbers, old_drafts = memory.get(kind, (default_numbers, {}))
    drafts.clear()
    drafts.update(old_drafts)
    new = curve_list.with_kind(old, kind, numbers, session_points())
    single = replace(new, releases="1")
    default = curve_list.with_kind(single, kind, default_numbers, session_points())
    other_items = [*items[:position], *items[position + 1 :]]
    choices = (single, default) if kind == "sgm" or new.follows_page else (new, single, default)
    usable = next(choice for choice in choices if listing.refusal_in_list(other_items, choice) is None)
    list_editor.replace_chosen(listing, lambda _: usable)


def _meaning_field(listing: Listing[CurveItem], item: CurveItem) -> None:
    """Draw the choice whether the points were reached or are guaranteed."""
    kinds = list(POINT_KINDS)
    st.radio(
        "These points are",
        kinds,
        format_func=POINT_KINDS.__getitem__,
        horizontal=True,
        help="Reached points are not a guarantee: another attack may do better. A claim says that none does.",
        **widgets.mirror_value(
            "curve_meaning",
            item.kind,
            lambda chosen: list_editor.replace_chosen(listing, lambda item: replace(item, kind=chosen)),
            "index",
            kinds.index(item.kind),
        ),
    )


def attack_fields(above_stage: DeltaGenerator) -> None:
    """Draw the fields for the results of an attack."""
    text = text_of(ATTACK)
    if text in (ATTACK.default, OWN):
        if not OWN_RESULTS.has_content:
            st.button("Use an invented example", key="attack_example", on_click=_use_example)
    elif not OWN_RESULTS.is_in_link:
        st.button("Remove the example", key="attack_example_away", on_click=OWN_RESULTS.forget)
    OWN_RESULTS.draw(above_stage)


def _use_example() -> None:
    OWN_RESULTS.forget()
    session_state.set_text(ATTACK.key, EXAMPLE)


def _shown_lines() -> str:
    """Return the counts in use as lines: those of the link, or those of the session."""
    text, reading = text_of(ATTACK), OWN_RESULTS.reading
    return typed_lines(reading.link_text if text == OWN and reading is not None else text)


OWN_RESULTS = OwnData[MeasuredAttack | None](
    slot="attack",
    noun="results",
    label="Enter the results of an attack",
    remove="Remove the attack",
    inputs=(
        TextInput(
            TYPED,
            "Counts, one line each: false positives, non-members, false negatives, members",
            f"One line per operating point of the attack, fixed before looking at these data. {TRIALS}",
            subject="The text",
            shown=_shown_lines,
        ),
        FileInput("file", "Or a CSV: member and score, or the four counts", ("csv", "txt"), TRIALS),
    ),
    choice=ATTACK,
    linked=ATTACK,
    choices=CHOICES,
    read=read_upload,
    refused=lambda _: None,
    is_edited=True,
)
