"""A row that becomes one of another kind: which of its numbers stay, and whether its wanted ± still makes sense."""

from dataclasses import replace

from dpcore.plan import possible_mechanisms
from pages.framework.parameters.list_parameter import linkable
from pages.framework.parameters.number_format import format_nearest
from pages.plan.queries import QueryItem, dpcore_query, item_problem, new_item
from pages.plan.query_kinds import KINDS, LABELS, STEP

_MOST_OF_ONE = ("own_l1", "per_cell", "per_candidate", "per_group", "per_period")
"""The keys of what one person adds to one number, where it is not 1."""
_DELTA, _SIGNIFICANCE = 1e-6, 0.05  # at which a kind must have noise of an error


def with_kind(item: QueryItem, kind: str) -> QueryItem:
    """Return a row as one of another kind: what both kinds have stays, and the wanted ± if it still makes sense.

    >>> with_kind(replace(new_item("sum"), half_width="5000", numbers=("0", "500")), "mean").link_text()
    'mean:5,0,500,1000='
    >>> with_kind(replace(new_item("mean"), half_width="3"), "quantile").link_text()
    'quantile:3,0.5,0,100,1,30,84,1000='
    """
    known, new = {quantity.key: text for quantity, text in item.fields}, new_item(kind)
    places = zip(KINDS[kind].quantities, new.numbers, strict=True)
    same = replace(new, name=item.name, group=item.group, size=item.size, times=item.times, chosen=item.chosen)
    moved = replace(same, numbers=tuple(known.get(quantity.key, text) for quantity, text in places))
    moved = same if item_problem(moved) else moved
    moved = replace(moved, half_width=first_half_width(moved))
    locked = replace(moved, lock=item.lock, lock_number=item.lock_number)
    moved = moved if item_problem(locked) else locked
    kept = replace(moved, half_width=item.half_width)
    return moved if half_width_problem(kept) else kept


def change_note(before: QueryItem, after: QueryItem) -> str:
    """Return why the wanted ± of a row is another one after its kind has changed; empty where it is not."""
    if before.half_width == after.half_width or after.is_fixed:
        return ""
    reason = half_width_problem(replace(after, half_width=before.half_width))
    return f"± was {before.half_width} and is now {after.half_width}, a value to begin with: {reason}."


def half_width_problem(item: QueryItem) -> str:
    """Return why the wanted ± of a row makes no sense, as a clause; empty where it does, or where noise is fixed.

    It must be less than half the range of a mean, a quantile or a share, and at least what one person adds otherwise.
    """
    if item.is_fixed:
        return ""
    subject = f"±{item.half_width} {{}} {LABELS[item.kind].lower()}"
    numbers = {quantity.key: quantity.read(text) for quantity, text in item.fields}
    if item.kind in ("mean", "quantile", "proportion"):
        width = numbers["high"] - numbers["low"] if "high" in numbers else 1.0
        return "" if item.target < width / 2 else f"{subject.format('would leave nothing to say of a')} in its range"
    amounts = (numbers[key] for key in _MOST_OF_ONE if key in numbers)
    most = max(abs(numbers["low"]), abs(numbers["high"])) if item.kind == "sum" else next(amounts, 1.0)
    if item.target < most:
        return f"{subject.format('is less than one person adds to a')}"
    query = dpcore_query(item, "it", _SIGNIFICANCE, "add_remove")
    return "" if possible_mechanisms(query, _DELTA) else f"no noise has {subject.format('for')}"


def first_half_width(item: QueryItem) -> str:
    """Return the wanted ± of a new row, in proportion to the range of a person's values; at least a quantile's step.

    >>> first_half_width(new_item("sum")), first_half_width(replace(new_item("sum"), numbers=("0", "5000")))
    ('200', '10000')
    """
    new = new_item(item.kind)
    width, usual = _value_range(item), _value_range(new)
    if not usual:
        return new.half_width
    step = max((quantity.read(text) for quantity, text in item.fields if quantity == STEP), default=0.0)
    return linkable(format_nearest(max(float(new.half_width) * width / usual, step), 2))


def _value_range(item: QueryItem) -> float:
    """Return the most that a person adds to a sum, or the width of the range of other values; 0 of what has none."""
    numbers = {quantity.key: quantity.read(text) for quantity, text in item.fields}
    if "low" not in numbers:
        return 0.0
    low, high = numbers["low"], numbers["high"]
    return max(abs(low), abs(high)) if item.kind == "sum" else high - low
