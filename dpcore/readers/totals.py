"""Totals of a table: each person is in them too, so they are no cells like the others."""

import numpy as np

from dpcore.checks import Array
from dpcore.readers.notes import EqualsTotal, NamedAsTotal, NamedTotalsLeftOut, TableNote, TotalLeftOut

_TOTALS = {
    *("total", "totals", "grand total", "subtotal", "sub-total", "sum", "all", "overall", "altogether"),
    *("gesamt", "insgesamt", "summe", "celkem", "razem", "totale", "ensemble"),
}


def is_total(label: str) -> bool:
    """Return whether a label names a total, as in a published table.

    >>> is_total("Grand total"), is_total("Totnes")
    (True, False)
    """
    return label.strip().rstrip(":.").lower() in _TOTALS


def without_totals(
    values: Array, labels: list[str], named: list[int], what: str, drop_named: bool = False, slack: float = 0.0
) -> tuple[Array, list[str], list[TableNote]]:
    """Return an array and its labels without the row that is named as a total and is the sum of the others, and notes.

    `named` are the indices of the rows with such a name, and `what` says what a row is. A row that only has the name of
    a total, or a last row that only equals the sum of the others, is kept, with a note. With `drop_named`, every row
    with the name of a total is left out.

    >>> without_totals(np.array([[1], [3], [4]]), ["N", "S", "Total"], [2], "cell")[1:]
    (['N', 'S'], [TotalLeftOut(what='cell', label='Total', is_exact=True)])
    """
    sums = values.sum(axis=0)
    excess = np.max(np.abs(2 * values - sums), axis=1)
    totals = [row for row in named if len(values) > 2 and excess[row] <= slack][:1]
    notes: list[TableNote] = [TotalLeftOut(what, labels[row], bool(excess[row] == 0)) for row in totals]
    others = [row for row in named if row not in totals]
    if others:
        other_labels = tuple(labels[row] for row in others)
        notes.append(NamedTotalsLeftOut(other_labels) if drop_named else NamedAsTotal(other_labels))
    last = len(values) - 1
    if not named and last >= 2 and np.all(2 * values[last] == sums) and sums.any():
        notes.append(EqualsTotal(what, labels[last]))
    left_out = {*totals, *(others if drop_named else ())}
    if not left_out:
        return values, labels, notes
    rows = [row for row in range(len(values)) if row not in left_out]
    return values[rows], [labels[row] for row in rows], notes
