"""The editor of the list of curves, folded until it is wanted."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qsl, quote, urlencode

import streamlit as st

from pages.framework.layout import list_editor, widgets
from pages.framework.parameters import list_parameter
from pages.framework.parameters.kinds import shown
from pages.framework.parameters.list_parameter import Listing
from pages.framework.rendering import render_jobs
from pages.framework.session import own_data, session_state
from pages.framework.session.own_data import OwnData
from pages.tradeoff import curves
from pages.tradeoff.curve_kinds import LABELS, OF_POINTS, RELEASES, quantities
from pages.tradeoff.curves import COLOURS, MOST_CURVES, NAME_LENGTH, Item
from pages.tradeoff.exhibits import TradeoffResult
from pages.tradeoff.points import (
    MOST_LINKED_POINTS,
    Points,
    is_in_session,
    linked_points,
    new_name,
    points_of,
    points_of_copy,
    points_of_file,
    points_of_text,
    written_points,
)

_POINTS = "points"
_MOST_HELD = 16  # lots of points that a session keeps; the oldest that no list names go first


def points_held() -> dict[str, Points]:
    """The points of the user's own that this session has, by their names in the list of curves."""
    copy = own_data.take_restored(_POINTS)
    if copy is not None and not session_state.uploads().get(_POINTS):
        session_state.uploads()[_POINTS] = _restored(copy)
    if session_state.request().get("exclude"):
        _exclude_all()
    return session_state.uploads().setdefault(_POINTS, {})


def _restored(copy: OwnData) -> dict[str, Points]:
    """The points of the browser's copy; none of what the page did not write."""
    try:
        texts = {name: str(text) for name, text in list(copy.options.items())[:_MOST_HELD] if is_in_session(name)}
        return render_jobs.read_file(partial(points_of_copy, texts), lambda _: None)
    except ValueError:
        return {}


def _hold(points: Points) -> str:
    """Keep points of the user's own in the session, and return the name under which a list has them."""
    held, name = session_state.uploads().setdefault(_POINTS, {}), new_name()
    session_state.uploads()[_POINTS] = held = {**held, name: points}
    named = (
        session_state.entered().get("curves", "")
        + session_state.used().get("curves", "")
        + session_state.used().get("pinned", "")
    )
    for other in [each for each in held if each != name and each not in named][: max(len(held) - _MOST_HELD, 0)]:
        del held[other]
    own_data.store(_POINTS, OwnData(options={each: written_points(lot) for each, lot in held.items()}))
    return name


def _exclude_all() -> None:
    """Take the points of the user's own out of the list of curves and out of a kept setting, into the session."""
    names: dict[str, str] = {}
    for key, entry in session_state.used().items():
        if key == "curves":
            session_state.set_text(key, _excluded(entry, names))
        elif key == "pinned" and "curves=" in entry:
            texts = dict(parse_qsl(entry, keep_blank_values=True))
            session_state.set_text(
                key, urlencode(texts | {"curves": _excluded(texts["curves"], names)}, quote_via=quote)
            )


def _excluded(listed: str, names: dict[str, str]) -> str:
    """A list of curves in which points of the user's own are named; `names` are those that have a name already."""
    items = curves.listing(session_state.uploads().get(_POINTS, {})).read(listed)
    made = [
        replace(item, numbers=(names.setdefault(item.numbers[0], "") or _named_points(item.numbers[0], names),))
        if curves.is_own_points(item) and not is_in_session(item.numbers[0])
        else item
        for item in items
    ]
    return list_parameter.list_text(made)


def _named_points(listed: str, names: dict[str, str]) -> str:
    names[listed] = _hold(linked_points(listed))
    return names[listed]


def curve_box(listing: Listing[Item], found: Callable[[], TradeoffResult]) -> None:
    """Offer the editor of the list of curves; what it needs of the page is found when somebody opens it."""
    if session_state.page_is_new() and any(session_state.drafts(listing.key).values()):
        st.session_state.curve_box = True  # what waits to be mended must be seen
    with st.expander("Choose, add and edit curves", key="curve_box", on_change="rerun") as box:
        if box.open:
            _curve_editor(listing, found().setting.curves, found().names)


def _curve_editor(listing: Listing[Item], items: tuple[Item, ...], names: list[str]) -> None:
    """Draw the list with the chosen curve's fields."""
    place = list_parameter.chosen_position(items)
    item = items[place]
    list_editor.chooser(listing, "curve", items, names, "Curves; the chosen one is read, quoted and edited")
    with st.container(horizontal=True):
        full, last = len(items) == MOST_CURVES, place == len(items) - 1
        st.button("Add", key="curve_add", on_click=lambda: _add(listing), disabled=full)
        st.button("Up", key="curve_up", on_click=lambda: list_editor.move_entry(listing, -1), disabled=place == 0)
        st.button("Down", key="curve_down", on_click=lambda: list_editor.move_entry(listing, 1), disabled=last)
        st.button(
            "Remove", key="curve_remove", on_click=lambda: list_editor.remove_entry(listing), disabled=len(items) == 1
        )
    kinds = [kind for kind in LABELS if kind != "claim"]
    kind = "points" if item.kind in OF_POINTS else item.kind
    st.selectbox(
        "Kind",
        kinds,
        format_func=LABELS.__getitem__,
        key="curve_kind",
        on_change=lambda: _take_kind(listing, st.session_state.curve_kind),
        **widgets.mirror_value("curve_kind", kind, "index", kinds.index(kind)),
    )
    if item.kind in OF_POINTS:
        _meaning_field(listing, item)
        _points_field(listing, item, place)
    for quantity, used in zip(quantities(item.kind), item.numbers, strict=False):
        list_editor.number_field(listing, "curve", quantity, used)
    if item.kind != "sgm" and not item.follows:
        list_editor.number_field(listing, "curve", RELEASES, item.releases)
    _looks_fields(listing, item, names[place])


def _looks_fields(listing: Listing[Item], item: Item, placeholder: str) -> None:
    def take(field: str) -> None:
        entry = list_parameter.shortened(st.session_state[f"curve_{field}"], NAME_LENGTH)
        list_editor.replace_chosen(listing, lambda item: replace(item, **{field: entry}))

    left, right = st.columns(2)
    with left:
        st.text_input(
            "Name",
            key="curve_name",
            max_chars=NAME_LENGTH,
            placeholder=placeholder,
            help=f"At most {NAME_LENGTH} characters.",
            on_change=lambda: take("name"),
            **widgets.mirror_value("curve_name", item.name),
        )
    with right:
        st.selectbox(
            "Colour",
            COLOURS,
            key="curve_colour",
            on_change=lambda: take("colour"),
            **widgets.mirror_value("curve_colour", item.colour, "index", COLOURS.index(item.colour)),
        )


def _add(listing: Listing[Item]) -> None:
    taken = {item.colour for item in list_editor.items_of(listing)}
    list_editor.add_entry(
        listing, Item("gdp", ("1",), colour=next(colour for colour in COLOURS if colour not in taken))
    )


def _take_kind(listing: Listing[Item], kind: str) -> None:
    """Change the kind; the numbers last used for a kind, and what waits to be mended there, come back with it."""
    items = list_editor.items_of(listing)
    place = list_parameter.chosen_position(items)
    old = items[place]
    kept, waiting = session_state.memory(listing.key).setdefault(place, {}), list_editor.drafts_at(listing, place)
    kept[old.kind] = old.numbers, dict(waiting)
    usual = curves.default_numbers(kind)
    numbers, drafts = kept.get(kind, (usual, {}))
    waiting.clear()
    waiting.update(drafts)
    new = curves.of_kind(old, kind, numbers, points_held())
    once = replace(new, releases="1")
    plain = curves.of_kind(once, kind, usual, points_held())
    others = [*items[:place], *items[place + 1 :]]
    wanted = (once, plain) if kind == "sgm" or new.follows else (new, once, plain)
    list_editor.replace_chosen(
        listing, lambda _: next(each for each in wanted if listing.together(others, each) is None)
    )


def _meaning_field(listing: Listing[Item], item: Item) -> None:
    """Ask whether the points were reached or are promised."""
    kinds = list(OF_POINTS)
    st.radio(
        "These points are",
        kinds,
        format_func=OF_POINTS.__getitem__,
        key="curve_meaning",
        horizontal=True,
        help="What was reached is no guarantee: another attack may do better. A claim says that none does.",
        on_change=lambda: list_editor.replace_chosen(
            listing, lambda item: replace(item, kind=st.session_state.curve_meaning)
        ),
        **widgets.mirror_value("curve_meaning", item.kind, "index", kinds.index(item.kind)),
    )


def _points_field(listing: Listing[Item], item: Item, place: int) -> None:
    numbers = item.numbers[0]
    in_session = is_in_session(numbers)
    points = points_of(numbers, points_held())
    few = points.alpha.size <= MOST_LINKED_POINTS
    text = written_points(points) if in_session and few else numbers
    used = "# from a file" if in_session and not few else "\n".join(pair.replace("_", ", ") for pair in text.split("~"))
    entry, wrong = list_editor.drafts_at(listing, place).get("points", (used, ""))
    st.text_area(
        "Points, a line each: α, β",
        key="curve_points",
        height=150,
        help="Type I error, then type II error. The curve is their lower convex hull, with (0, 1) and (1, 0). Each "
        "point also counts with its errors exchanged, as neighbouring data sets can be.",
        on_change=lambda: _take_points(listing, st.session_state.curve_points.encode(), st.session_state.curve_points),
        **widgets.mirror_value("curve_points", entry),
    )
    widgets.show_problem("curve_points", listing.named(place + 1, wrong))
    with st.expander("Upload points", key="point_file_box", on_change="rerun") as box:
        if box.open:
            st.file_uploader(
                "A CSV with columns alpha and beta",
                ["csv", "txt"],
                key="point_file",
                on_change=lambda: _take_point_file(listing),
            )
    if curves.is_own_points(item):
        problem = (
            "" if few else f"A link holds at most {MOST_LINKED_POINTS} points, and these are {points.alpha.size:,}."
        )
        widgets.include_button("points_include", not in_session, lambda wanted: _include(listing, wanted), problem)


def _include(listing: Listing[Item], wanted: bool) -> None:
    """Put the points of the chosen curve into the link, or take all of the user's own out of it."""
    held = points_held()
    if wanted:
        list_editor.replace_chosen(
            listing, lambda item: replace(item, numbers=(written_points(points_of(item.numbers[0], held)),))
        )
    else:
        _exclude_all()


def _take_point_file(listing: Listing[Item]) -> None:
    file = st.session_state.point_file
    if file is not None:
        _take_points(listing, file.getvalue(), f"# {shown(file.name)}")


def _take_points(listing: Listing[Item], data: bytes, entry: str) -> None:
    """Make the points of a text or file the chosen curve: the session has them, and the link their name."""
    items = list_editor.items_of(listing)
    place = list_parameter.chosen_position(items)
    drafts = list_editor.drafts_at(listing, place)
    try:
        item = replace(items[place], numbers=(_named(data),))
        item = replace(item, points=points_of(item.numbers[0], points_held()))
        wrong = listing.together([*items[:place], *items[place + 1 :]], item)
    except ValueError as error:
        item, wrong = items[place], str(error)
    drafts.pop("points", None)
    if wrong is not None:
        which = shown(entry) if entry.startswith("#") else "The list"
        drafts["points"] = (entry, f"{which}: {wrong.rstrip('.')}. The last good list is used instead.")
        item = items[place]
    list_editor.replace_chosen(listing, lambda _: item)


def _named(data: bytes) -> str:
    """The name of the points of a text or file, under which the session then has them."""
    points = render_jobs.read_file(partial(points_of_file, data), lambda _: None)
    return _hold(points_of_text(written_points(points)))
