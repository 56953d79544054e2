"""Totals of a table: a person is in them too, so they are no cells like the others."""

import numpy as np

from dpcore.checks import Array
from dpcore.readers.csv_file import short_text

_TOTALS = {
    *("total", "totals", "grand total", "subtotal", "sub-total", "sum", "all", "overall", "altogether"),
    *("gesamt", "insgesamt", "summe", "celkem", "razem", "totale", "ensemble"),
}


def is_total(label: str) -> bool:
    """Whether a label names a total, as in a published table.

    >>> is_total("Grand total"), is_total("Totnes")
    (True, False)
    """
    return label.strip().rstrip(":.").lower() in _TOTALS


def without_totals(values: Array, labels: list[str], named: list[int], what: str) -> tuple[Array, list[str], list[str]]:
    """Leave out the rows of an array that are named as totals and are the sums of the others; say so.

    `named` are the places with such a name and `what` says what a row is. What is only named so, or only equals the
    sums in the last place, is kept, with a sentence.
    """
    sums = values.sum(axis=0)
    out = [place for place in named if len(values) > 2 and bool(np.all(2 * values[place] == sums))][:1]
    said = [
        f"The {what} {short_text(labels[place])} is the sum of the others and is left out. If it is released with "
        "noise of its own, a person moves it too: count it as one more set of totals (margins)."
        for place in out
    ]
    rest = [short_text(labels[place]) for place in named if place not in out]
    if rest:
        few = ", ".join(rest[:3]) + (", …" if len(rest) > 3 else "")
        said.append(
            f"Named as a total, but not the sum of all others: {few}. It is kept as any other; if it is a total, "
            "take it out, or count it among the cells that a person is in."
        )
    last = len(values) - 1
    if not named and last >= 2 and np.all(2 * values[last] == sums) and sums.any():
        said.append(
            f"The last {what}, {short_text(labels[last])}, equals the sum of the others. It is kept; if it is a "
            "total, take it out, or count it among the cells that a person is in."
        )
    if not out:
        return values, labels, said
    keep = [place for place in range(len(values)) if place not in out]
    return values[keep], [labels[place] for place in keep], said
