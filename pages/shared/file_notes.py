"""The sentences on how a file was read, written from the notes of dpcore's readers."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from dpcore.readers.notes import CommentLines, DecimalMark, FileNote, TextFormat
from pages.framework.parameters.parameter import excerpt

SentenceWriters = Mapping[type, Callable[[Any], str]]
"""For each type of note, the function that writes its sentence."""

_SEPARATORS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas"}


def sentences(notes: Iterable[object], writers: SentenceWriters) -> tuple[str, ...]:
    """Return a sentence for each note.

    >>> sentences([CommentLines(2)], FILE_SENTENCES)
    ('Lines at the top that begin with # are skipped: 2.',)
    """
    return tuple(writers[type(note)](note) for note in notes)


def column_list(names: tuple[str, ...]) -> str:
    """Return the names of at most ten columns, separated by commas.

    >>> column_list(tuple("abcdefghijkl"))
    'a, b, c, d, e, f, g, h, i, j, …'
    """
    return ", ".join(map(excerpt, names[:10])) + (", …" if len(names) > 10 else "")


def _text_format(note: TextFormat) -> str:
    if not note.separator:
        return f"The text is {note.encoding} and has one column."
    return f"The text is {note.encoding}; its columns are separated by {_SEPARATORS[note.separator]}."


def _comment_lines(note: CommentLines) -> str:
    return f"Lines at the top that begin with # are skipped: {note.n_lines}."


def _decimal_mark(note: DecimalMark) -> str:
    mark = "point" if note.mark == "." else "comma"
    reason = f"as {excerpt(note.settled_by)} shows" if note.settled_by else "as you chose"
    return f"The decimal mark is a {mark}, {reason}: {excerpt(note.entry)} is {note.number:.15g}."


FILE_SENTENCES: Mapping[type[FileNote], Callable[[Any], str]] = MappingProxyType(
    {TextFormat: _text_format, CommentLines: _comment_lines, DecimalMark: _decimal_mark}
)
