"""Counts as people write them: 12, 1,203, 1 203, 1e+05. An entry with two readings is refused, never guessed."""

import re

from dpcore.readers.entries import looks_numeric, short_text

MOST_COUNT = 1e15
_WHOLE = re.compile(r"[0-9]+(?:\.0*|,0{1,2})?")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:([,.'’ \u00a0\u202f\u2009])[0-9]{3})(?:\1[0-9]{3})*(?:(?!\1)[.,]0{1,2})?")
_POWER = re.compile(r"[0-9](?:\.[0-9]+)?[eE]\+?[0-9]{1,2}")
_TWO_READINGS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
_SUPPRESSION_MARKS = ("*", "**", ".", "..", ":", "#", "x", "c", "s")
_NO_DIGIT = re.compile(r"[^0-9]")


def are_plain(entries: list[str]) -> bool:
    """Return whether all entries are digits alone, at most 15 of them, so that each is its count.

    >>> are_plain(["12", "0"]), are_plain(["12", ""]), are_plain(["12", "1,203"])
    (True, False, False)
    """
    digits = "".join(entries)
    return digits.isascii() and digits.isdigit() and all(entries) and len(max(entries, key=len)) <= 15


def has_thousands(entry: str) -> bool:
    """Return whether the digits of a count stand in groups of three.

    >>> has_thousands("1,203"), has_thousands("1203")
    (True, False)
    """
    text = entry.strip().removeprefix("+")
    return not text.isdigit() and _GROUPED.fullmatch(text) is not None


def without_thousands_point(entry: str) -> str | None:
    """Return an entry with two readings, such as 1.203, with its point as a thousands separator; None for another one.

    >>> without_thousands_point("1.203"), without_thousands_point("1203")
    ('1203', None)
    """
    text = entry.strip().removeprefix("+")
    return text.replace(".", "") if _TWO_READINGS.fullmatch(text) else None


def parse_count(entry: str) -> float:
    """Return the count that an entry means; ValueError with the reason if it means none, or may mean two.

    >>> parse_count("12"), parse_count("1,203"), parse_count("1e+05")
    (12.0, 1203.0, 100000.0)
    """
    text = entry.strip()
    if text.isascii() and text.isdigit() and len(text) <= 15:
        return float(text)
    text = text.removeprefix("+")
    if (count := without_thousands_point(text)) is not None:
        raise ValueError(f"{text} can be read as {count} or as a fraction; write {count}")
    value = _value(text)
    if value is not None and value > MOST_COUNT:
        raise ValueError(f"{short_text(text)} is above 1e15")
    if value is None or not value.is_integer():
        raise ValueError(_reason(text))
    return value


def _value(text: str) -> float | None:
    if _POWER.fullmatch(text):
        return float(text)
    if _WHOLE.fullmatch(text):
        return float(re.split("[.,]", text)[0])
    if _GROUPED.fullmatch(text):
        return float(_NO_DIGIT.sub("", re.sub(r"[.,]0{1,2}$", "", text)))
    return None


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
