"""The editor of the list of curves: choose one, change it, add, move and remove."""

from dataclasses import replace
from hashlib import sha256
from typing import Any
from zlib import crc32

import streamlit as st

from dpcore import tradeoff
from dpcore.tradeoff.tables import points_from_csv
from pages.shared import curves, inputs, text
from pages.shared.curves import COLOURS, KINDS, MOST_CURVES, RELEASES, Item
from pages.shared.inputs import Quantity, mirror

Drafts = dict[str, tuple[str, str]]  # what was typed and can't be used, and its sentence, by field


def editor(items: tuple[Item, ...], names: list[str]) -> None:
    """Draw the list with the chosen curve's fields; edits go to the session and so to the link."""
    place = curves.chosen_place(items)
    item = items[place]
    key = f"curve_chosen_{crc32('|'.join(names).encode())}"  # other labels need another widget: Streamlit matches them
    mirror(key, place)
    st.radio(
        "Curves; the chosen one is read, quoted and edited",
        range(len(items)),
        format_func=lambda at: text.plain(names[at]),
        key=key,
        on_change=_choose,
        args=(key,),
    )
    with st.container(horizontal=True):
        st.button("Add", key="curve_add", on_click=_add, disabled=len(items) == MOST_CURVES)
        st.button("Up", key="curve_up", on_click=_move, args=(-1,), disabled=place == 0)
        st.button("Down", key="curve_down", on_click=_move, args=(1,), disabled=place == len(items) - 1)
        st.button("Remove", key="curve_remove", on_click=_remove, disabled=len(items) == 1)
    mirror("curve_kind", item.kind)
    st.selectbox(
        "Kind", list(KINDS), format_func=lambda kind: KINDS[kind].label, key="curve_kind", on_change=_take_kind
    )
    if item.kind == "points":
        _points_fields(item, _drafts(place, item.kind))
    else:
        for at, quantity in enumerate(KINDS[item.kind].quantities):
            _number_field(quantity, item.numbers[at], _drafts(place, item.kind))
    if item.kind != "sgm":
        _number_field(RELEASES, item.releases, _drafts(place, item.kind))
    left, right = st.columns(2)
    with left:
        mirror("curve_name", item.name)
        st.text_input(
            "Name",
            key="curve_name",
            placeholder=names[place],
            help=f"At most {curves.NAME_LENGTH} characters.",
            on_change=_take_look,
            args=("name",),
        )
    with right:
        mirror("curve_colour", item.colour)
        st.selectbox("Colour", COLOURS, key="curve_colour", on_change=_take_look, args=("colour",))


def _drafts(place: int, kind: str) -> Drafts:
    return _kept()[0].setdefault(place, {}).setdefault(kind, {})


def _number_field(quantity: Quantity, used: str, drafts: Drafts) -> None:
    entry, wrong = drafts.get(quantity.key, (used, ""))
    mirror(f"curve_{quantity.key}", entry)
    st.text_input(quantity.label, key=f"curve_{quantity.key}", on_change=_take_number, args=(quantity,))
    _problem(quantity.key, wrong, used)


def _problem(key: str, wrong: str, used: str) -> None:
    if wrong:
        with st.container(key=f"problem_curve_{key}"):
            st.text(f"{wrong} {used} is used instead.")


def _points_fields(item: Item, drafts: Drafts) -> None:
    numbers = item.numbers[0]
    used = _lines_of(numbers)
    entry, wrong = drafts.get("points", (used, ""))
    mirror("curve_points", entry)
    st.text_area(
        "Points, a line each: α, β",
        key="curve_points",
        height=150,
        help="Type I error, then type II error. The curve is their lower convex hull, with (0, 1) and (1, 0). Each "
        "point also counts with its errors exchanged, as neighbouring data sets can be.",
        on_change=_take_points,
    )
    _problem("points", wrong, "The last good list")
    with st.expander("Upload points", key="point_file_box", on_change="rerun") as box:
        if box.open:
            st.file_uploader(
                "A CSV with columns alpha and beta",
                ["csv", "txt"],
                key="point_file",
                on_change=_take_file,
            )
    if numbers.startswith("file"):
        st.text("These points are too many for a link: they are in this session only.")


def _lines_of(numbers: str) -> str:
    if numbers.startswith("file"):
        return "# from a file"
    return "\n".join(pair.replace("_", ", ") for pair in numbers.split("~"))


def _items() -> list[Item]:
    return list(curves.Curves().read(st.session_state.entered["curves"]))


def _enter(items: list[Item]) -> None:
    inputs.enter("curves", curves.written(items))


def _choose(key: str) -> None:
    _enter(curves.choose(_items(), st.session_state[key]))


def _add() -> None:
    items = _items()
    taken = {item.colour for item in items}
    colour = next((colour for colour in COLOURS if colour not in taken), COLOURS[0])
    items.append(Item("gdp", ("1",), colour=colour))
    _enter(curves.choose(items, len(items) - 1))


def _move(by: int) -> None:
    items = _items()
    place = curves.chosen_place(items)
    items[place], items[place + by] = items[place + by], items[place]
    for kept in _kept():
        kept[place], kept[place + by] = kept.get(place + by, {}), kept.get(place, {})
    _enter(items)


def _remove() -> None:
    items = _items()
    place = curves.chosen_place(items)
    del items[place]
    for kept in _kept():
        rest = {at - (at > place): texts for at, texts in kept.items() if at != place}
        kept.clear()
        kept.update(rest)
    _enter(curves.choose(items, min(place, len(items) - 1)))


def _take_kind() -> None:
    """Change the kind; the numbers last used for a kind come back with it."""
    items = _items()
    place = curves.chosen_place(items)
    item, kind = items[place], st.session_state.curve_kind
    _, memory = (kept.setdefault(place, {}) for kept in _kept())
    memory[item.kind] = item.numbers
    changed = replace(item, kind=kind, numbers=memory.get(kind, curves.default_numbers(kind)))
    if kind == "sgm" or curves.refused(changed):
        changed = replace(changed, releases="1")
    items[place] = changed
    _enter(items)


def _take_look(field: str) -> None:
    items = _items()
    place = curves.chosen_place(items)
    items[place] = replace(items[place], **{field: curves.short(st.session_state[f"curve_{field}"])})
    _enter(items)


def _kept() -> tuple[dict[int, dict[str, Any]], dict[int, dict[str, Any]]]:
    """What the session keeps of each place of the list: texts that can't be used, and the numbers of other kinds."""
    state = st.session_state
    return state.setdefault("curve_drafts", {}), state.setdefault("curve_numbers", {})


def _take_number(quantity: Quantity) -> None:
    """Take a number, with the drafts that wait for it, if a curve can be made of them; otherwise keep it as a draft."""
    items = _items()
    place = curves.chosen_place(items)
    drafts = _drafts(place, items[place].kind)
    entry = st.session_state[f"curve_{quantity.key}"].strip()
    drafts.pop(quantity.key, None)
    waiting = {key: typed for key, (typed, _) in drafts.items()}
    wrong = None
    for changes in ({**waiting, quantity.key: entry}, {quantity.key: entry}):
        candidate = _with_numbers(items[place], changes)
        wrong = inputs.problem(quantity, entry) or curves.unreadable(candidate) or curves.refused(candidate)
        if wrong is None:
            for key in changes:
                drafts.pop(key, None)
            items[place] = candidate
            break
    if wrong is not None:
        drafts[quantity.key] = (entry, wrong if wrong.endswith(".") else f"{wrong}.")
    _enter(items)


def _with_numbers(item: Item, entries: dict[str, str]) -> Item:
    quantities = KINDS[item.kind].quantities
    numbers = tuple(entries.get(q.key, used) for q, used in zip(quantities, item.numbers, strict=False))
    return replace(item, numbers=numbers or item.numbers, releases=entries.get(RELEASES.key, item.releases))


def _take_points() -> None:
    entry = st.session_state.curve_points
    _hold_points(entry.encode(), entry)


def _take_file() -> None:
    file = st.session_state.point_file
    if file is not None:
        _hold_points(file.getvalue(), f"# {inputs.shown(file.name)}")


def _hold_points(data: bytes, entry: str) -> None:
    """Make the points of a text or file the chosen curve: its corners go into the link if they are few enough."""
    items = _items()
    place = curves.chosen_place(items)
    drafts = _drafts(place, items[place].kind)
    try:
        alpha, beta = points_from_csv(data)
        curve = tradeoff.points_curve(alpha, beta, "the points", hull=True)
    except ValueError as error:
        drafts["points"] = (entry, f"{inputs.shown(entry) if entry.startswith('#') else 'The list'}: {error}.")
        _enter(items)
        return
    drafts.pop("points", None)
    if alpha.size > curves.MOST_LINKED_POINTS and curve.lines is not None:  # only the corners of the hull matter
        alpha, _, beta, _ = curve.lines.vertices()
    if alpha.size <= curves.MOST_LINKED_POINTS:
        numbers = "~".join(f"{a!r}_{b!r}" for a, b in zip(alpha.tolist(), beta.tolist(), strict=True))
    else:
        numbers = f"file{sha256(alpha.tobytes() + beta.tobytes()).hexdigest()[:16]}"  # what is cached goes by it
        st.session_state.setdefault("point_files", {})[numbers] = (alpha, beta)
    items[place] = replace(items[place], numbers=(numbers,))
    _enter(items)
