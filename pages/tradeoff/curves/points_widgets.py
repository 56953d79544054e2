"""The field of the points of a curve: typed, uploaded, and stored in the session."""

from dataclasses import replace
from functools import partial
from urllib.parse import parse_qsl, quote, urlencode

import streamlit as st

from pages.framework.layout import list_editor, widgets
from pages.framework.layout.own_data import OwnData
from pages.framework.layout.own_data_text import DATA_STAY
from pages.framework.parameters import list_parameter
from pages.framework.parameters.list_parameter import Listing
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering import render_jobs
from pages.framework.session import session_state
from pages.framework.session.data_files import MAX_FILES, DataFiles
from pages.tradeoff import curve_list
from pages.tradeoff.curve_list import CurveItem
from pages.tradeoff.points import (
    MAX_LINKED_POINTS,
    Points,
    is_session_name,
    linked_points,
    new_name,
    points_of,
    points_of_file,
    points_of_text,
    points_text,
    read_upload,
)

_MAX_STORED = MAX_FILES  # sets of points in a session; the oldest that no list names go first
OWN_POINTS = OwnData[dict[str, Points]](
    slot="points", noun="points", read=read_upload, refused=lambda _: {}, is_edited=True
)


def session_points() -> dict[str, Points]:
    """Return the user's own points that this session has, by their names in the list of curves."""
    OWN_POINTS.content()
    if session_state.request().get("exclude"):
        _exclude_all()
    return OWN_POINTS.content() or {}


def _store(points: Points) -> str:
    """Store the user's own points in the session, and return their name in a list."""
    name = new_name()
    stored = {**(OWN_POINTS.content() or {}), name: points}
    entered, used = session_state.entered_texts(), session_state.used_texts()
    lists = entered.get("curves", "") + used.get("curves", "") + used.get("pinned", "")
    unused = [other for other in stored if other != name and other not in lists]
    for other in unused[: max(len(stored) - _MAX_STORED, 0)]:
        del stored[other]
    OWN_POINTS.store(DataFiles({key: ("", points_text(value).encode()) for key, value in stored.items()}), stored)
    return name


def _exclude_all() -> None:
    """Move the user's own points from the list of curves and from a pinned setting into the session."""
    names: dict[str, str] = {}
    for key, entry in session_state.used_texts().items():
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
    entry, problem = list_editor.drafts_at(listing, position).get("points", (used, ""))
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
        list_editor.replace_chosen(
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
    items = list_editor.items_of(listing)
    position = list_parameter.chosen_position(items)
    drafts = list_editor.drafts_at(listing, position)
    try:
        item = replace(items[position], numbers=(_store_file(data),))
        item = replace(item, points=points_of(item.numbers[0], session_points()))
        problem = listing.refusal_in_list([*items[:position], *items[position + 1 :]], item)
    except ValueError as error:
        item, problem = items[position], str(error)
    drafts.pop("points", None)
    if problem is not None:
        subject = excerpt(entry) if entry.startswith("#") else "The list"
        drafts["points"] = (entry, f"{subject}: {problem.rstrip('.')}. The last good list is used instead.")
        item = items[position]
    list_editor.replace_chosen(listing, lambda _: item)


def _store_file(data: bytes) -> str:
    """Store the points of a text or file in the session, and return their name."""
    points = render_jobs.read_file(partial(points_of_file, data), lambda _: None)
    return _store(points_of_text(points_text(points)))
