"""A budget over several queries: the list as text for the link, its editor, and the words for what it gives.

An entry of the list is written `sensitivity,weight=name`, or `sensitivity,weight,epsilon=name` with an ε of its own;
entries apart by semicolons; `!` stands before the one that is edited. Only numbers that can be used are in the list; a
text that can't be used stays beside it as a draft, with its sentence, until it is mended.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, unquote
from zlib import crc32

import numpy as np
import pandas as pd
import streamlit as st

from dpcore import queries
from dpcore.accuracy import SENSITIVITY_RANGE
from dpcore.queries import Budget
from pages.shared import inputs, text
from pages.shared.inputs import MendedError, Quantity, mirror

MOST_QUERIES = 8
NAME_LENGTH = 30
DEFAULT = "!1,2=People;100,1=Sum of ages;1,1=Histogram of regions"
SENSITIVITY = Quantity(
    "query_sensitivity", "Δ", "Sensitivity Δ, in the query's own unit", "", SENSITIVITY_RANGE, "1", "", ()
)
WEIGHT = Quantity("weight", "weight", "Weight: its part of what is not locked", "", queries.WEIGHT_RANGE, "1", "", ())
LOCKED = Quantity("locked", "ε", "ε of this query, in nats", "", "[1e-12, 1e6]", "0.1", "", ())
_ENTRY = re.compile(r"(!?)([^=]*)(?:=(.*))?")


@dataclass(frozen=True)
class Item:
    """A query of the budget; `locked` is its own ε as text, empty if it shares by weight."""

    sensitivity: str = "1"
    weight: str = "1"
    locked: str = ""
    name: str = ""
    chosen: bool = False

    def written(self) -> str:
        """The entry as text."""
        numbers = [self.sensitivity, self.weight, *([self.locked] if self.locked else [])]
        return f"{'!' if self.chosen else ''}{','.join(numbers)}={quote(self.name, safe='')}"


@dataclass(frozen=True)
class Queries:
    """The list of queries as a parameter of the page."""

    key: str = "budget"
    symbol: str = "budget"
    default: str = DEFAULT

    @property
    def allowed(self) -> str:
        """The form in words."""
        return f"entries sensitivity,weight=name or sensitivity,weight,epsilon=name, 1 to {MOST_QUERIES} apart by ;"

    def read(self, entry: str) -> tuple[Item, ...]:
        """Return the queries that a text lists.

        Raises
        ------
        MendedError
            if parts of it can't be used: with a sentence for each, and the text that is used instead.
        """
        items, problems = [], []
        parts = [part.strip() for part in entry.split(";") if part.strip()]
        for place, part in enumerate(parts[:MOST_QUERIES], 1):
            item, wrong = _item(part)
            if item is None:
                problems.append(f"Query {place} of the budget: {wrong} It is left out.")
            else:
                items.append(item)
        if len(parts) > MOST_QUERIES:
            problems.append(f"The link lists {len(parts)} queries; only the first {MOST_QUERIES} are read.")
        if not items:
            problems = problems or [f"budget (budget) must be {self.allowed}; nothing was given."]
            raise MendedError(self.default, [*problems[:-1], f"{problems[-1]} The default queries are used instead."])
        items = _choose(items, next((place for place, item in enumerate(items) if item.chosen), 0))
        if problems:
            raise MendedError(_written(items), problems)
        return tuple(items)


def _item(part: str) -> tuple[Item | None, str]:
    """An entry of the list, or None and what is wrong with it."""
    found = _ENTRY.fullmatch(part)
    mark, listed, name = ((group or "") for group in found.groups()) if found else ("", "", "")
    numbers = [number.strip() for number in listed.split(",")]
    if len(numbers) not in (2, 3):
        return None, f"it must be sensitivity,weight or sensitivity,weight,epsilon; {inputs.shown(part)} was given."
    fields = zip((SENSITIVITY, WEIGHT, LOCKED), numbers, strict=False)
    wrong = next((said for quantity, entry in fields if (said := inputs.problem(quantity, entry))), None)
    if wrong:
        return None, wrong
    return Item(numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else "", _short(unquote(name)), mark == "!"), ""


def _short(name: str) -> str:
    return " ".join(name.split())[:NAME_LENGTH]


def _written(items: Sequence[Item]) -> str:
    return ";".join(item.written() for item in items)


def _choose(items: Sequence[Item], place: int) -> list[Item]:
    return [replace(item, chosen=at == place) for at, item in enumerate(items)]


def _place(items: Sequence[Item]) -> int:
    return next(place for place, item in enumerate(items) if item.chosen)


def names_of(items: Sequence[Item]) -> list[str]:
    """A name for every query."""
    return [item.name or f"Query {place}" for place, item in enumerate(items, 1)]


def spread(items: Sequence[Item], epsilon: float, delta: float, significance: float) -> Budget | None:
    """The budget over the queries; None where the locked ones ask for more than there is."""
    sizes, weights, locked = numbers_of(items).T
    try:
        return queries.budget(epsilon, delta, significance, sizes, weights, locked)
    except ValueError:
        return None


def numbers_of(items: Sequence[Item]) -> np.ndarray:
    """Sensitivity, weight and own ε (0 for none) of every query."""
    return np.array(
        [
            (
                SENSITIVITY.read(item.sensitivity),
                WEIGHT.read(item.weight),
                LOCKED.read(item.locked) if item.locked else 0.0,
            )
            for item in items
        ]
    )


def too_much(items: Sequence[Item], epsilon: float) -> str:
    """The sentence for locks beyond the budget."""
    asked = text.up(float(numbers_of(items)[:, 2].sum()))
    return (
        f"The locked queries ask for ε = {asked} together, and the budget is ε = {text.nearest(epsilon, 17)}. Unlock "
        "one, lower its ε, or raise ε at the side."
    )


def editor(items: tuple[Item, ...], found: Budget | None) -> None:
    """Draw the fields that change the list, when asked for; edits go to the session and so to the link."""
    if st.session_state.page_is_new and any(_kept().values()):
        st.session_state.budget_box = True  # what waits to be mended must be seen
    with st.expander("Change the queries", key="budget_box", on_change="rerun") as box:
        if box.open:
            _fields(items, found)


def _fields(items: tuple[Item, ...], found: Budget | None) -> None:
    place, names = _place(items), names_of(items)
    item = items[place]
    key = f"budget_chosen_{crc32('|'.join(names).encode())}"  # other labels need another widget: Streamlit matches them
    mirror(key, place)
    st.radio(
        "Queries; the chosen one is edited",
        range(len(items)),
        format_func=lambda at: text.plain(names[at]),
        key=key,
        on_change=_take_choice,
        args=(key,),
    )
    with st.container(horizontal=True):
        st.button("Add a query", key="budget_add", on_click=_add, disabled=len(items) == MOST_QUERIES)
        st.button("Remove it", key="budget_remove", on_click=_remove, disabled=len(items) == 1)
    mirror("budget_name", item.name)
    st.text_input(
        "Name, with its unit",
        key="budget_name",
        placeholder=names[place],
        help=f"At most {NAME_LENGTH} characters.",
        on_change=_take_name,
    )
    _number_field(SENSITIVITY, item.sensitivity)
    share = "" if found is None else text.down(float(found.epsilon[place])).replace(",", "")
    mirror("budget_lock", bool(item.locked))
    st.checkbox("Lock its ε", key="budget_lock", on_change=_take_lock, args=(share,))
    if item.locked:
        _number_field(LOCKED, item.locked)
    else:
        _number_field(WEIGHT, item.weight)


def _number_field(quantity: Quantity, used: str) -> None:
    entry, wrong = _drafts().get(quantity.key, (used, ""))
    mirror(f"budget_{quantity.key}", entry)
    st.text_input(quantity.label, key=f"budget_{quantity.key}", on_change=_take_number, args=(quantity,))
    if wrong:
        with st.container(key=f"problem_budget_{quantity.key}"):
            st.text(f"{wrong} {used} is used instead.")


def _items() -> list[Item]:
    return list(Queries().read(st.session_state.entered["budget"]))


def _enter(items: Sequence[Item]) -> None:
    inputs.enter("budget", _written(items))


def _kept() -> dict[int, dict[str, tuple[str, str]]]:
    """What was typed and can't be used, and its sentence, by place and field."""
    return st.session_state.setdefault("budget_drafts", {})


def _drafts() -> dict[str, tuple[str, str]]:
    return _kept().setdefault(_place(_items()), {})


def _take_choice(key: str) -> None:
    _enter(_choose(_items(), st.session_state[key]))


def _add() -> None:
    items = [*_items(), Item()]
    _enter(_choose(items, len(items) - 1))


def _remove() -> None:
    items = _items()
    place, kept = _place(items), _kept()
    del items[place]
    rest = {at - (at > place): typed for at, typed in kept.items() if at != place}
    kept.clear()
    kept.update(rest)
    _enter(_choose(items, min(place, len(items) - 1)))


def _change(**parts: Any) -> None:
    items = _items()
    place = _place(items)
    items[place] = replace(items[place], **parts)
    _enter(items)


def _take_name() -> None:
    _change(name=_short(st.session_state.budget_name))


def _take_lock(share: str) -> None:
    """Lock the query at its present share, or let it go."""
    usable = share and inputs.problem(LOCKED, share) is None
    _change(locked=(share if usable else LOCKED.default) if st.session_state.budget_lock else "")


def _take_number(quantity: Quantity) -> None:
    entry = st.session_state[f"budget_{quantity.key}"].strip()
    wrong, drafts = inputs.problem(quantity, entry), _drafts()
    if wrong is not None:
        drafts[quantity.key] = (entry, wrong)
        _change()
        return
    drafts.pop(quantity.key, None)
    _change(**{{SENSITIVITY.key: "sensitivity", WEIGHT.key: "weight", LOCKED.key: "locked"}[quantity.key]: entry})


def table_html(items: Sequence[Item], found: Budget, significance: float) -> str:
    """Every query's share and accuracies, and the totals, as an accessible HTML table."""
    level = f"<span>level {text.nearest(significance, 17)}</span>"
    heads = ["Query", "Sensitivity", "ε", "δ", f"Laplace ±, {level}", "Gaussian ±", "Gaussian ±, exact total"]
    body = []
    for place, (item, name) in enumerate(zip(items, names_of(items), strict=True)):
        cells = [text.up(SENSITIVITY.read(item.sensitivity))]
        cells += [text.down(float(found.epsilon[place])) + (" locked" if item.locked else "")]
        cells += [text.down(float(found.delta[place]))]
        cells += [_finite(float(part[place])) for part in (found.laplace, found.gaussian, found.shrunk)]
        body.append([name, *cells])
    epsilon, delta = text.up(float(found.total_epsilon)), text.up(float(found.total_delta))
    body.append(["Total, basic composition", "", epsilon, delta, "", "", ""])
    body.append(["Total of the Gaussians, exact", "", _finite(float(found.exact_epsilon)), delta, "", "", ""])
    return text.table_html("The budget", "readings", heads, body)


def _finite(value: float) -> str:
    return "–" if np.isinf(value) else text.up(value)


def summary(found: Budget) -> str:
    """What the queries spend together, basic and exact, in a sentence or two."""
    spent = f"ε = {text.up(float(found.total_epsilon))}, δ = {text.up(float(found.total_delta))}"
    lines = [f"**Together the queries spend {spent} by basic composition**, whatever the noise."]
    if np.isinf(found.exact_epsilon):
        lines.append("No Gaussian keeps so small a δ once it is shared.")
    elif found.exact_epsilon < found.total_epsilon:
        lines.append(
            f"If all are Gaussian, they really give ε = {text.up(float(found.exact_epsilon))} at that δ. With all "
            f"their noise at {text.percent_up(float(found.shrink))} the exact total still keeps the budget (last "
            "column; then only the total is promised, not each query's own ε)."
        )
    if (found.epsilon == 0).any():
        lines.append("A query whose ε is 0 has no Laplace noise: raise ε at the side, or lower a lock.")
    return " ".join(lines)


NOTE = (
    "Each query is one number of sensitivity Δ₁ = Δ₂, in its own unit, and so is its ±. Shares are rounded down and ± "
    "up to four digits."
)


def numbers(items: Sequence[Item], found: Budget) -> pd.DataFrame:
    """The table as a frame."""
    sizes, weights, locked = numbers_of(items).T
    return pd.DataFrame(
        {
            "query": names_of(items),
            "sensitivity": sizes,
            "weight": weights,
            "locked_epsilon": locked,
            "epsilon": found.epsilon,
            "delta": found.delta,
            "laplace_accuracy": found.laplace,
            "gaussian_accuracy": found.gaussian,
            "gaussian_accuracy_exact_total": found.shrunk,
        }
    )


def csv_header(items: Sequence[Item], values: dict[str, Any]) -> dict[str, str]:
    """The parameters and units for the top of a CSV."""
    return {
        **{key: str(values[key]) for key in ("epsilon", "delta", "significance")},
        "budget in the link": _written(items),
        "units": "sensitivity and accuracies in each query's own unit; epsilon in nats; delta a probability",
    }


def alternative(items: Sequence[Item], found: Budget) -> str:
    """What the picture of the shares shows, in a sentence."""
    parts = [
        f"{name} {text.down(float(share))}{' (locked)' if item.locked else ''}"
        for name, share, item in zip(names_of(items), found.epsilon, items, strict=True)
    ]
    return f"Bars of each query's share of ε = {text.up(float(found.total_epsilon))}: {'; '.join(parts)}."


def described(items: Sequence[Item], epsilon: float, delta: float) -> tuple[str, str]:
    """The parameters of the picture in two lines, as text."""
    locks = sum(bool(item.locked) for item in items)
    return (
        f"budget ε = {text.nearest(epsilon, 17)}, δ = {text.nearest(delta, 17)}",
        f"{len(items)} quer{'ies' if len(items) > 1 else 'y'}, {locks} locked (grey)",
    )
