"""Values of the user's own: from a file or pasted, in the session; or a few of them in the link."""

from dataclasses import dataclass

import numpy as np

from dpcore import readers
from dpcore.checks import Array
from dpcore.readers import AmbiguousNumberError, PersonValues
from pages.framework.parameters.parameter import PartError, excerpt
from pages.shared.decimal_choice import chosen_entry, question_text
from pages.shared.file_notes import FILE_SENTENCES, sentences

OWN = "own"
"""The option of the parameter `source` that is the user's own values."""
MOST_LINKED, MOST_CHARACTERS = 100, 1000
NONE = "none"


@dataclass(frozen=True)
class ValuesFile:
    """A file or a pasted text, and the columns and the decimal mark that the user chose; "" is the reader's choice."""

    data: bytes
    name: str
    column: str = ""
    person: str = ""
    decimal: str = ""


@dataclass(frozen=True)
class ValuesUpload:
    """What was read from a file: the values of each person, or the sentence on why there are none.

    `ambiguous` is an entry with two readings of which the user chooses one, or has chosen one; empty without one.
    """

    values: PersonValues | None
    problem: str = ""
    ambiguous: str = ""


def read_upload(file: ValuesFile, _: object) -> ValuesUpload:
    """Return the values of a file, or why it cannot be read."""
    try:
        values = readers.read_values(file.data, file.column, file.person, file.decimal)
        return ValuesUpload(values, ambiguous=chosen_entry(values.notes))
    except AmbiguousNumberError as error:
        return ValuesUpload(None, question_text(file.name, error), error.entry)
    except ValueError as error:
        return ValuesUpload(None, f"{excerpt(file.name)} cannot be read: {error}.")


def reading_text(values: PersonValues) -> str:
    r"""Return the sentence on how a file was read.

    >>> reading_text(readers.read_values(b"miles\n2\n\n5\n"))
    '2 people with a number in column miles.'
    """
    people = f"{values.values.size:,} {'person' if values.values.size == 1 else 'people'}"
    rest = f" Rows without a number or a person are left out: {values.n_missing:,}." if values.n_missing else ""
    rest += "".join(f" {sentence}" for sentence in sentences(values.notes, FILE_SENTENCES))
    if values.person:
        return (
            f"{people}, named by column {excerpt(values.person)}, with the sum of column {excerpt(values.column)}."
            f"{rest}"
        )
    return f"{people} with a number in column {excerpt(values.column)}.{rest}"


def link_text(values: Array) -> str:
    """Return values as a text for the link; ValueError with the reason if they are too many.

    >>> link_text(np.array([12.0, 0.5]))
    '12;0.5'
    """
    if values.size > MOST_LINKED:
        raise ValueError(f"a link holds at most {MOST_LINKED} values, and there are {values.size:,}")
    text = ";".join(f"{value:.17g}" for value in values.tolist())
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"a link holds values of at most {MOST_CHARACTERS:,} characters")
    return text


def linked_values(values: Array) -> PersonValues:
    """Return the values of a link as those of people with one record each."""
    return PersonValues(values, np.ones(values.size), "", "", (), (), 0)


@dataclass(frozen=True)
class LinkedValues:
    """A parameter that holds a few values of the user's own where the user includes them in the link, else none."""

    key: str = "own"
    symbol: str = "own values"
    default: str = NONE

    @property
    def allowed(self) -> str:
        """The form in words."""
        return f"none, or 1 to {MOST_LINKED} numbers from −1e15 to 1e15, as 12;15.5;30"

    def read(self, entry: str) -> tuple[float, ...] | None:
        """Return the values, None for none; ValueError if the text has none or too many."""
        text = entry.strip()
        if text == NONE:
            return None
        parts = text.split(";")
        if len(parts) > MOST_LINKED or len(text) > MOST_CHARACTERS:
            raise PartError(f"at most {MOST_LINKED} numbers and {MOST_CHARACTERS:,} characters fit a link.")
        return tuple(_linked_value(part) for part in parts)

    def data_in(self, entry: str) -> str:
        """Return what a text holds in words, empty for no values.

        >>> LinkedValues().data_in("12;15"), LinkedValues().data_in("none")
        ('2 values', '')
        """
        values = self.read(entry)
        return "" if values is None else f"{len(values)} value{'' if len(values) == 1 else 's'}"


def _linked_value(part: str) -> float:
    if not part.isascii() or "_" in part or not abs(value := float(part)) <= 1e15:
        raise ValueError(part)
    return value
