"""What a mark before three digits means in a user's data: the question, and its answers in words."""

from collections.abc import Iterable, Iterator

from dpcore.readers import DECIMAL_MARKS, AmbiguousNumberError, decimal_readings
from dpcore.readers.notes import DecimalMark
from pages.framework.parameters.parameter import excerpt
from pages.framework.session.data_files import Offer

_MARK_NAMES = {".": "point", ",": "comma"}


def question_text(name: str, error: AmbiguousNumberError) -> str:
    """Return the question about the data with a name.

    >>> question_text("a.csv", AmbiguousNumberError("line 2", "1,200"))
    'a.csv is not read yet: 1,200 in line 2 can be 1200 or 1.2. Choose which one it means.'
    """
    numbers = " or ".join(f"{number:.15g}" for number in sorted(error.readings.values(), key=abs, reverse=True))
    return (
        f"{excerpt(name)} is not read yet: {excerpt(error.entry)} in {error.place} can be {numbers}. Choose which one "
        "it means."
    )


def mark_offers(entry: str, mark: str) -> tuple[Offer, ...]:
    """Return a button for each meaning of an entry but the one in use; none without an entry.

    `mark` is the decimal mark in use, empty where the question is open.
    """
    return tuple(_mark_offers(entry, mark))


def _mark_offers(entry: str, mark: str) -> Iterator[Offer]:
    readings = decimal_readings(entry)
    for other in readings if len(set(readings.values())) > 1 else ():
        if other != mark:
            name = f"decimal_{'point' if other == '.' else 'comma'}"
            yield Offer(name, meaning_text(entry, other), {"decimal": other}, is_primary=not mark)


def chosen_entry(notes: Iterable[object]) -> str:
    """Return the entry with two readings whose meaning the user chose, empty if there is none.

    >>> chosen_entry([DecimalMark(".", "1,200", 1200.0)]), chosen_entry([DecimalMark(".", "1,200", 1200.0, "7.5")])
    ('1,200', '')
    """
    return next((note.entry for note in notes if isinstance(note, DecimalMark) and not note.settled_by), "")


def meaning_text(entry: str, mark: str) -> str:
    """Return what an entry means with a decimal mark.

    >>> meaning_text("1,200", "."), meaning_text("1,200", ",")
    ('1,200 means 1200: the comma separates thousands', '1,200 means 1.2: the comma is the decimal mark')
    """
    own = next(character for character in entry if character in DECIMAL_MARKS)
    role = "is the decimal mark" if own == mark else "separates thousands"
    return f"{excerpt(entry)} means {decimal_readings(entry)[mark]:.15g}: the {_MARK_NAMES[own]} {role}"
