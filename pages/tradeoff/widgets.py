"""The editor of the list of curves and of their points, the fields for results of an attack, the invented example."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qsl, quote, urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.framework.layout import widgets
from pages.framework.layout.own_data import DATA_STAY, OwnData
from pages.framework.parameters import list_parameter
from pages.framework.parameters.list_parameter import Listing
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering import render_jobs
from pages.framework.session import session_state
from pages.framework.session.data_files import MAX_FILES, OWN, DataFiles, FileInput, TextInput
from pages.framework.session.session_state import text_of
from pages.tradeoff import curve_list
from pages.tradeoff.attack.upload import CHOICES, EXAMPLE, TYPED, MeasuredAttack, read_upload, typed_lines
from pages.tradeoff.curve_kinds import (
    LABELS,
    MAX_LINKED_POINTS,
    POINT_KINDS,
    RELEASES,
    Points,
    is_session_name,
    linked_points,
    new_name,
    points_of,
    points_of_file,
    points_of_text,
    points_text,
)
from pages.tradeoff.curve_kinds import read_upload as read_points
from pages.tradeoff.curve_list import COLOURS, MAX_CURVES, MAX_NAME_LENGTH, CurveItem
from pages.tradeoff.results import ATTACK, TradeoffResult
from pages.tradeoff.text import TRIALS

_MAX_STORED = MAX_FILES  # sets of points in a session; the oldest that no list names go first
OWN_POINTS = OwnData[dict[str, Points]](
    slot="points", noun="points", read=read_points, refused=lambda _: {}, is_edited=True
)


def session_points() -> dict[str, Points]:
    """Return the user's own points that this session has, by their names in the list of curves."""
    OWN_POINTS.content()
    if session_state.session().request.get("exclude"):
        _exclude_all()
    return OWN_POINTS.content() or {}


def _store(points: Points) -> str:
    """Store the user's own points in the session, and return their name in a list."""
    name = new_name()
    stored = {**(OWN_POINTS.content() or {}), name: points}
    entered, used = session_state.session().entered, session_state.session().used
    lists = entered.get("curves", "") + used.get("curves", "") + used.get("pinned", "")
    unused = [other for other in stored if other != name and other not in lists]
    for other in unused[: max(len(stored) - _MAX_STORED, 0)]:
        del stored[other]
    OWN_POINTS.store(DataFiles({key: ("", points_text(value).encode()) for key, value in stored.items()}), stored)
    return name


def _exclude_all() -> None:
    """Move the user's own points from the list of curves and from a pinned setting into the session."""
    names: dict[str, str] = {}
    for key, entry in session_state.session().used.items():
        if key == "curves":
            session_state.set_text(key, _without_points(entry, names))
        elif key == "pinned" and "curves=" in entry:
            texts = dict(parse_qsl(entry, keep_blank_values=True))
            texts |= {"curves": _without_points(texts["curves"], names)}
            session_state.set_text(key, urlencode(texts, quote_via=quote))


def _without_points(entry: str, names: dict[str, str]) -> str:
    """Return a list of curves with names in the place of the user's own points; `names` are those of stored points."""
    items = []
    for item in curve_list.curves_parameter(OWN_POINTS.content() or {}).read(entry):
        text = item.numbers[0] if item.numbers else ""
        if curve_list.has_own_points(item) and not is_session_name(text):
            if text not in names:
                names[text] = _store(linked_points(text))
            item = replace(item, numbers=(names[text],))
        items.append(item)
    return list_parameter.list_text(items)


def points_field(listing: Listing[CurveItem], item: CurveItem, position: int) -> None:
    """Render the field of the points of a curve, and the button that includes them in the link."""
    numbers = item.numbers[0]
    in_session = is_session_name(numbers)
    points = points_of(numbers, session_points())
    few = points.alpha.size <= MAX_LINKED_POINTS
    text = points_text(points) if in_session and few else numbers
    used = "# from a file" if in_session and not few else "\n".join(pair.replace("_", ", ") for pair in text.split("~"))
    entry, problem = widgets.drafts_at(listing, position).get("points", (used, ""))
    st.text_area(
        "Points, a line each: α, β",
        height=150,
        help="Type I error, then type II error. The curve is their lower convex hull, with (0, 1) and (1, 0). Each "
        f"point also counts with its errors exchanged, as neighbouring data sets can be. {DATA_STAY}",
        **widgets.mirror_value("curve_points", entry, lambda typed: _replace_points(listing, typed.encode(), typed)),
    )
    widgets.show_problem("curve_points", listing.numbered_sentence(position + 1, problem))
    with st.expander("Upload points", key="point_file_box", on_change="rerun") as box:
        if box.open:
            st.file_uploader(
                "A CSV with columns alpha and beta",
                ["csv", "txt"],
                key="point_file",
                help=DATA_STAY,
                on_change=lambda: _replace_points_by_file(listing),
            )
    if curve_list.has_own_points(item):
        reason = f"a link holds at most {MAX_LINKED_POINTS} points, and these are {points.alpha.size:,}"
        OWN_POINTS.draw_inclusion(not in_session, partial(_set_included, listing), "" if few else reason)


def _set_included(listing: Listing[CurveItem], included: bool) -> None:
    """Put the points of the chosen curve into the link, or take all of the user's own points out of it."""
    stored = session_points()
    if included:
        widgets.replace_chosen(
            listing, lambda item: replace(item, numbers=(points_text(points_of(item.numbers[0], stored)),))
        )
    else:
        _exclude_all()


def _replace_points_by_file(listing: Listing[CurveItem]) -> None:
    file = st.session_state.point_file
    if file is not None:
        _replace_points(listing, file.getvalue(), f"# {excerpt(file.name)}")


def _replace_points(listing: Listing[CurveItem], data: bytes, entry: str) -> None:
    """Replace the points of the chosen curve by those of a text or file, which the session stores under a name."""
    items = widgets.items_of(listing)
    position = list_parameter.chosen_position(items)
    drafts = widgets.drafts_at(listing, position)
    try:
        points = render_jobs.read_file(partial(points_of_file, data), lambda _: None)
        item = replace(items[position], numbers=(_store(points_of_text(points_text(points))),))
        item = replace(item, points=points_of(item.numbers[0], session_points()))
        problem = listing.refusal_in_list([*items[:position], *items[position + 1 :]], item)
    except ValueError as error:
        item, problem = items[position], str(error)
    drafts.pop("points", None)
    if problem is not None:
        subject = excerpt(entry) if entry.startswith("#") else "The list"
        drafts["points"] = (entry, f"{subject}: {problem.rstrip('.')}. The last good list is used instead.")
        item = items[position]
    widgets.replace_chosen(listing, lambda _: item)


def curve_box(listing: Listing[CurveItem], compute_result: Callable[[], TradeoffResult]) -> None:
    """Draw the box with the editor of the list of curves; the result is computed when somebody opens it."""
    if session_state.session().page_is_new and any(session_state.drafts(listing.key).values()):
        st.session_state.curve_box = True  # a text with a problem must be visible
    with st.expander("Choose, add and edit curves", key="curve_box", on_change="rerun") as box:
        if box.open:
            result = compute_result()
            _curve_editor(listing, result.setting.curves, result.names)


def _curve_editor(listing: Listing[CurveItem], items: tuple[CurveItem, ...], names: list[str]) -> None:
    """Draw the list with the chosen curve's fields."""
    position = list_parameter.chosen_position(items)
    item = items[position]
    widgets.chooser(listing, "curve", items, names, "Curves; the chosen one is read, quoted and edited")
    with st.container(horizontal=True, gap="xsmall", key="list_tools_curve"):
        st.button("Add", key="curve_add", on_click=lambda: _add_curve(listing), disabled=len(items) == MAX_CURVES)
        widgets.render_move_buttons(listing, "curve", items)
    kinds = {kind: label for kind, label in LABELS.items() if kind != "claim"}
    kind = "points" if item.kind in POINT_KINDS else item.kind
    widgets.dropdown("Kind", "curve_kind", kinds, kind, partial(_set_kind, listing))
    if item.kind in POINT_KINDS:
        _meaning_field(listing, item)
        points_field(listing, item, position)
    for quantity, used in item.fields:
        widgets.number_field(listing, "curve", quantity, used)
    if item.kind != "sgm" and not item.follows_page:
        widgets.number_field(listing, "curve", RELEASES, item.releases)
    left, right = st.columns(2)
    with left:
        widgets.name_field(listing, "curve", names, MAX_NAME_LENGTH)
    with right:
        colours: dict[str, str] = {colour: colour for colour in COLOURS}
        widgets.dropdown("Colour", "curve_colour", colours, item.colour, partial(_set_colour, listing))


def _set_colour(listing: Listing[CurveItem], colour: str) -> None:
    widgets.replace_chosen(listing, lambda item: replace(item, colour=colour))


def _add_curve(listing: Listing[CurveItem]) -> None:
    used_colours = {item.colour for item in widgets.items_of(listing)}
    colour = next(colour for colour in COLOURS if colour not in used_colours)
    widgets.add_entry(listing, CurveItem("gdp", ("1",), colour=colour))


def _set_kind(listing: Listing[CurveItem], kind: str) -> None:
    """Change the kind; the last numbers of a kind, and its texts with a problem, come back with it."""
    items = widgets.items_of(listing)
    position = list_parameter.chosen_position(items)
    old = items[position]
    memory, drafts = session_state.memory(listing.key).setdefault(position, {}), widgets.drafts_at(listing, position)
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
    widgets.replace_chosen(listing, lambda _: usable)


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
            lambda chosen: widgets.replace_chosen(listing, lambda item: replace(item, kind=chosen)),
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


def _lines_in_use() -> str:
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
            text_in_use=_lines_in_use,
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
