"""How a file was read, in sentences from the notes of dpcore's readers, and what a mark before three digits means."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from dpcore.readers import DECIMAL_MARKS, AmbiguousNumberError, decimal_readings
from dpcore.readers.notes import CommentLines, DecimalMark, FileNote, TextFormat
from pages.framework.parameters.parameter import excerpt
from pages.framework.session.data_files import Offer

SentenceWriters = Mapping[type, str | Callable[[Any], str]]
"""For each type of note its sentence, or the function that writes it."""

_MARK_NAMES = {".": "point", ",": "comma"}
_SEPARATORS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas"}


def sentences(notes: Iterable[object], writers: SentenceWriters) -> tuple[str, ...]:
    """Return a sentence for each note."""
    pairs = ((note, writers[type(note)]) for note in notes)
    return tuple(writer if isinstance(writer, str) else writer(note) for note, writer in pairs)


def column_list(names: tuple[str, ...]) -> str:
    """Return the names of at most ten columns, separated by commas."""
    return ", ".join(map(excerpt, names[:10])) + (", …" if len(names) > 10 else "")


def _text_format(note: TextFormat) -> str:
    if not note.separator:
        return f"The text is {note.encoding} and has one column."
    return f"The text is {note.encoding}; its columns are separated by {_SEPARATORS[note.separator]}."


def _comment_lines(note: CommentLines) -> str:
    return f"Lines at the top that begin with # are skipped: {note.n_lines}."


def _decimal_mark(note: DecimalMark) -> str:
    reason = f"as {excerpt(note.settled_by)} shows" if note.settled_by else "as you chose"
    return f"The decimal mark is a {_MARK_NAMES[note.mark]}, {reason}: {excerpt(note.entry)} is {note.number:.15g}."


FILE_SENTENCES: Mapping[type[FileNote], Callable[[Any], str]] = MappingProxyType(
    {TextFormat: _text_format, CommentLines: _comment_lines, DecimalMark: _decimal_mark}
)


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
    """Return a button for each meaning of an entry but that by the decimal mark in use, "" while it is asked for."""
    readings = decimal_readings(entry)
    others = [other for other in readings if other != mark] if len(set(readings.values())) > 1 else []
    return tuple(
        Offer(f"decimal_{_MARK_NAMES[other]}", meaning_text(entry, other), {"decimal": other}, is_primary=not mark)
        for other in others
    )


def chosen_entry(notes: Iterable[object]) -> str:
    """Return the entry with two readings whose meaning the user chose, empty if there is none."""
    return next((note.entry for note in notes if isinstance(note, DecimalMark) and not note.settled_by), "")


def meaning_text(entry: str, mark: str) -> str:
    """Return what an entry means with a decimal mark.

    >>> meaning_text("1,200", "."), meaning_text("1,200", ",")
    ('1,200 means 1200: the comma separates thousands', '1,200 means 1.2: the comma is the decimal mark')
    """
    own = next(character for character in entry if character in DECIMAL_MARKS)
    role = "is the decimal mark" if own == mark else "separates thousands"
    return f"{excerpt(entry)} means {decimal_readings(entry)[mark]:.15g}: the {_MARK_NAMES[own]} {role}"
