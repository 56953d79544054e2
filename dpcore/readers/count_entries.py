"""Counts as people write them: 12, 1,203, 1 203, 1e+05. Their column settles their decimal mark."""

import numpy as np

from dpcore.checks import Array
from dpcore.readers.entries import looks_numeric, short_text
from dpcore.readers.number_columns import is_ambiguous, is_number, number_of, other_mark_text

MOST_COUNT = 1e15
_SUPPRESSION_MARKS = ("*", "**", ".", "..", ":", "#", "x", "c", "s")


def are_plain(entries: list[str]) -> bool:
    """Return whether all entries are digits alone, at most 15 of them, so that each is its count.

    >>> are_plain(["12", "0"]), are_plain(["12", ""]), are_plain(["12", "1,203"])
    (True, False, False)
    """
    digits = "".join(entries)
    return digits.isascii() and digits.isdigit() and all(entries) and len(max(entries, key=len)) <= 15


def plain_counts(entries: list[str]) -> Array | None:
    """Return the counts of entries that are digits alone; None where one is not.

    >>> plain_counts(["12", "0"]), plain_counts(["12", "1,203"])
    (array([12.,  0.]), None)
    """
    return np.array(list(map(float, entries))) if are_plain(entries) else None


def without_thousands_mark(entry: str) -> str | None:
    """Return an entry with two readings, such as 1.203, as the one with thousands; None for another entry.

    >>> without_thousands_mark("1.203"), without_thousands_mark("1,203"), without_thousands_mark("1203")
    ('1203', '1203', None)
    """
    return entry.strip().removeprefix("+").replace(".", "").replace(",", "") if is_ambiguous(entry) else None


def parse_count(entry: str, mark: str) -> float:
    """Return the count that an entry means with a decimal mark; ValueError with the reason if it means none.

    >>> parse_count("12", "."), parse_count("1,203", "."), parse_count("1e+05", ".")
    (12.0, 1203.0, 100000.0)
    """
    text = entry.strip()
    if text.isascii() and text.isdigit() and len(text) <= 15:
        return float(text)
    value = number_of(text, mark)
    if value is None and is_number(text):
        raise ValueError(other_mark_text(text, mark))
    if value is not None and value > MOST_COUNT and text[-1].isdigit():
        raise ValueError(f"{short_text(text)} is above 1e15")
    if value is None or value < 0 or not value.is_integer():
        raise ValueError(_reason(text.removeprefix("+")))
    return value


def _reason(text: str) -> str:
    if not text:
        return "the count is missing; write 0 where nobody is"
    if text.startswith("="):
        return f"{short_text(text)} is a formula; put its value there"
    if looks_numeric(text) and text.endswith("%"):
        return f"{short_text(text)} is a share, not a count; give counts"
    if looks_numeric(text) and text[0] in "-−":
        return f"{short_text(text)} is negative; a count is a whole number from 0 to 1e15"
    if looks_numeric(text) and text[0].lower() not in "ni":
        return f"{short_text(text)} is not a whole number; give counts, not shares or means"
    if text.lower() in _SUPPRESSION_MARKS:
        advice = "if it stands for a suppressed one, write the number that it is below, such as <5"
        return f"{text} is not a count; {advice}"
    return f"{short_text(text)} is not a count; a count is a whole number from 0 to 1e15"
