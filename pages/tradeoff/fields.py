"""The editor of the list of curves, folded until it is wanted."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256

import streamlit as st

from pages.shared import entries, fields, listings, session, waiting
from pages.shared.listings import Listing
from pages.shared.parameters import shown
from pages.tradeoff import curves
from pages.tradeoff.curves import COLOURS, MOST_CURVES, NAME_LENGTH, Item
from pages.tradeoff.exhibits import Found
from pages.tradeoff.kinds import LABELS, OF_POINTS, RELEASES, quantities
from pages.tradeoff.points import MOST_LINKED_POINTS, Points, points_of, points_of_file

_POINTS = "points"


def points_held() -> dict[str, Points]:
    """The points of this session's files, by their names in the list of curves."""
    return session.held().setdefault(_POINTS, {})


def curve_box(listing: Listing[Item], found: Callable[[], Found]) -> None:
    """Offer the editor of the list of curves; what it needs of the page is found when somebody opens it."""
    if session.page_is_new() and any(session.drafts(listing.key).values()):
        st.session_state.curve_box = True  # what waits to be mended must be seen
    with st.expander("Choose, add and edit curves", key="curve_box", on_change="rerun") as box:
        if box.open:
            _curve_editor(listing, found().setting.curves, found().names)


def _curve_editor(listing: Listing[Item], items: tuple[Item, ...], names: list[str]) -> None:
    """Draw the list with the chosen curve's fields."""
    place = listings.chosen_place(items)
    item = items[place]
    entries.chooser(listing, "curve", items, names, "Curves; the chosen one is read, quoted and edited")
    with st.container(horizontal=True):
        full, last = len(items) == MOST_CURVES, place == len(items) - 1
        st.button("Add", key="curve_add", on_click=lambda: _add(listing), disabled=full)
        st.button("Up", key="curve_up", on_click=lambda: entries.move(listing, -1), disabled=place == 0)
        st.button("Down", key="curve_down", on_click=lambda: entries.move(listing, 1), disabled=last)
        st.button("Remove", key="curve_remove", on_click=lambda: entries.remove(listing), disabled=len(items) == 1)
    kinds = [kind for kind in LABELS if kind != "claim"]
    kind = "points" if item.kind in OF_POINTS else item.kind
    st.selectbox(
        "Kind",
        kinds,
        format_func=LABELS.__getitem__,
        key="curve_kind",
        on_change=lambda: _take_kind(listing, st.session_state.curve_kind),
        **fields.mirrored("curve_kind", kind, "index", kinds.index(kind)),
    )
    if item.kind in OF_POINTS:
        _meaning_field(listing, item)
        _points_field(listing, item, place)
    for quantity, used in zip(quantities(item.kind), item.numbers, strict=False):
        entries.number_field(listing, "curve", quantity, used)
    if item.kind != "sgm" and not item.follows:
        entries.number_field(listing, "curve", RELEASES, item.releases)
    _looks_fields(listing, item, names[place])


def _looks_fields(listing: Listing[Item], item: Item, placeholder: str) -> None:
    def take(field: str) -> None:
        entry = listings.short(st.session_state[f"curve_{field}"], NAME_LENGTH)
        entries.change(listing, lambda item: replace(item, **{field: entry}))

    left, right = st.columns(2)
    with left:
        st.text_input(
            "Name",
            key="curve_name",
            max_chars=NAME_LENGTH,
            placeholder=placeholder,
            help=f"At most {NAME_LENGTH} characters.",
            on_change=lambda: take("name"),
            **fields.mirrored("curve_name", item.name),
        )
    with right:
        st.selectbox(
            "Colour",
            COLOURS,
            key="curve_colour",
            on_change=lambda: take("colour"),
            **fields.mirrored("curve_colour", item.colour, "index", COLOURS.index(item.colour)),
        )


def _add(listing: Listing[Item]) -> None:
    taken = {item.colour for item in entries.items_of(listing)}
    entries.add(listing, Item("gdp", ("1",), colour=next(colour for colour in COLOURS if colour not in taken)))


def _take_kind(listing: Listing[Item], kind: str) -> None:
    """Change the kind; the numbers last used for a kind, and what waits to be mended there, come back with it."""
    items = entries.items_of(listing)
    place = listings.chosen_place(items)
    old = items[place]
    kept, waiting = session.memory(listing.key).setdefault(place, {}), entries.drafts_at(listing, place)
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
    entries.change(listing, lambda _: next(each for each in wanted if listing.together(others, each) is None))


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
        on_change=lambda: entries.change(listing, lambda item: replace(item, kind=st.session_state.curve_meaning)),
        **fields.mirrored("curve_meaning", item.kind, "index", kinds.index(item.kind)),
    )


def _points_field(listing: Listing[Item], item: Item, place: int) -> None:
    numbers = item.numbers[0]
    in_file = numbers.startswith("file")
    used = "# from a file" if in_file else "\n".join(pair.replace("_", ", ") for pair in numbers.split("~"))
    entry, wrong = entries.drafts_at(listing, place).get("points", (used, ""))
    st.text_area(
        "Points, a line each: α, β",
        key="curve_points",
        height=150,
        help="Type I error, then type II error. The curve is their lower convex hull, with (0, 1) and (1, 0). Each "
        "point also counts with its errors exchanged, as neighbouring data sets can be.",
        on_change=lambda: _take_points(listing, st.session_state.curve_points.encode(), st.session_state.curve_points),
        **fields.mirrored("curve_points", entry),
    )
    fields.problem("curve_points", listing.named(place + 1, wrong))
    with st.expander("Upload points", key="point_file_box", on_change="rerun") as box:
        if box.open:
            st.file_uploader(
                "A CSV with columns alpha and beta",
                ["csv", "txt"],
                key="point_file",
                on_change=lambda: _take_point_file(listing),
            )
    if in_file:
        st.text("These points are too many for a link: they are in this session only.")


def _take_point_file(listing: Listing[Item]) -> None:
    file = st.session_state.point_file
    if file is not None:
        _take_points(listing, file.getvalue(), f"# {shown(file.name)}")


def _take_points(listing: Listing[Item], data: bytes, entry: str) -> None:
    """Make the points of a text or file the chosen curve: its corners go into the link if they are few enough."""
    items = entries.items_of(listing)
    place = listings.chosen_place(items)
    drafts = entries.drafts_at(listing, place)
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
    entries.change(listing, lambda _: item)


def _named(data: bytes) -> str:
    """Points as text for the link or, where they are too many, the name under which the session then holds them."""
    points = waiting.read(partial(points_of_file, data), lambda _: None)
    alpha, beta = points.alpha, points.beta
    if alpha.size <= MOST_LINKED_POINTS:
        return "~".join(f"{a!r}_{b!r}" for a, b in zip(alpha.tolist(), beta.tolist(), strict=True))
    name = f"file{sha256(alpha.tobytes() + beta.tobytes()).hexdigest()[:16]}"
    session.held()[_POINTS] = {name: points, **points_held()}
    return name
