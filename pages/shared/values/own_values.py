"""Values of the user's own: from a file or pasted, in the session; or a few of them in the link."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpcore import readers
from dpcore.checks import Array
from dpcore.readers import AmbiguousNumberError, PersonValues
from pages.framework.parameters.number_format import plural
from pages.framework.parameters.parameter import PartError, excerpt
from pages.framework.session.data_files import LINKED, ChoiceField, DataFiles, ReadData
from pages.shared.file_notes import FILE_SENTENCES, chosen_entry, mark_offers, question_text, sentences

MOST_LINKED, MOST_CHARACTERS = 100, 1000
NONE = "none"
CHOICES = {"column": "", "person": "", "decimal": ""}
"""The choices on how to read a file, "" for the reader's own: the columns of the values and of the people, the mark."""
_EACH_ROW, _NONE = {"": "None: each row is a person"}, np.empty(0)


@dataclass(frozen=True)
class ValuesUpload:
    """What was read from a file: the values of each person, or the sentence on why there are none."""

    values: PersonValues | None
    problem: str = ""


def read_upload(files: DataFiles, _: object = None) -> ReadData[ValuesUpload]:
    """Return the values of a file, or of a link, or the question what a number in the file means."""
    name, data = files.file
    if LINKED in files.files:
        values = np.array(LinkedValues().read(data.decode()), np.float64)
        return ReadData(ValuesUpload(linked_values(values)), link_text=link_text(values))
    column, person, decimal = (files.choices[choice] for choice in CHOICES)
    try:
        values = readers.read_values(data, column, person, decimal)
    except AmbiguousNumberError as error:
        question = question_text(name, error)
        return ReadData(ValuesUpload(None, question), question, offers=mark_offers(error.entry, ""))
    linkable = {}
    try:
        linkable["link_text"] = link_text(values.values)
    except ValueError as error:
        linkable["unlinkable"] = str(error)
    return ReadData(
        ValuesUpload(values),
        offers=mark_offers(chosen_entry(values.notes), decimal),
        notes=(reading_text(values),),
        memory={"values": replace(values, values=_NONE, records=_NONE)},
        **linkable,
    )


def choice_fields(files: DataFiles) -> Iterator[ChoiceField]:
    """Yield the fields for the columns of a file that has several."""
    values: PersonValues | None = files.memory.get("values")
    if values is None or len(values.columns) < 2:
        return
    yield ChoiceField("column", "Column of the values", values.column, values.numbers)
    label = "Column that names the person: their rows are summed"
    yield ChoiceField("person", label, values.person, ("", *values.columns), _EACH_ROW)


def reading_text(values: PersonValues) -> str:
    r"""Return the sentence on how a file was read.

    >>> reading_text(readers.read_values(b"miles\n2\n\n5\n"))
    '2 people with a number in column miles.'
    """
    people = plural(values.values.size, "person", "people")
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
        return "" if values is None else plural(len(values), "value")


def _linked_value(part: str) -> float:
    if not part.isascii() or "_" in part or not abs(value := float(part)) <= 1e15:
        raise ValueError(part)
    return value
