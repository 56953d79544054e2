"""A file of the user's own that proposes rows of the plan: its columns, and which of them names the person."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpcore import readers
from dpcore.readers import FileColumn, FileColumns
from pages.framework.parameters.number_format import plural
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session.data_files import ChoiceField, DataFiles, ReadData

EACH_ROW = ""
CHOICES = {"person": None}
"""The choice on a file: the column that names the person, `EACH_ROW` where each row is one, None while it is open."""
_OPEN = "Choose it first"
_TYPES, _MOST_NAMED = {"number": "numbers", "text": "text", "date": "dates"}, 10
_REASONS = {"name": "by its name", "values": "many different values"}
_PERSON_HELP = "It decides whether a person can be in several rows, so that the noise must cover more than one."


@dataclass(frozen=True)
class PlanFile:
    """The columns of a file but the one that names the person, None as long as nobody has said which one does."""

    columns: tuple[FileColumn, ...]
    person: str | None

    @property
    def is_row_person(self) -> bool:
        """Whether each row is one person."""
        return self.person == EACH_ROW


def read_file(files: DataFiles, report: Progress) -> ReadData[PlanFile | None]:
    """Return the columns of a file; a file that cannot be read proposes nothing, and a sentence says why."""
    name, data = files.file
    read: FileColumns | None = files.memory.get("file")
    try:
        read = read or readers.read_columns(data, report.report)
    except ValueError as error:
        return ReadData(None, f"{excerpt(name)} can’t be read: {error}. It proposes no rows.")
    person = files.choices["person"]
    names = [column.name for column in read.columns]
    person = person if person in (EACH_ROW, *names) else None
    columns = tuple(column for column in read.columns if column.name != person)
    return ReadData(PlanFile(columns, person), notes=(_columns_text(read.columns),), memory={"file": read})


def _columns_text(columns: Sequence[FileColumn]) -> str:
    """Return how many columns there are, and the names and types of the first ten.

    >>> _columns_text([FileColumn("ward", "text"), FileColumn("cost", "number")])
    '2 columns: ward (text), cost (numbers).'
    """
    named = [f"{excerpt(column.name)} ({_TYPES[column.type]})" for column in columns[:_MOST_NAMED]]
    rest = ", …" if len(columns) > _MOST_NAMED else "."
    return f"{plural(len(columns), 'column')}: {', '.join(named)}{rest}"


def person_field(files: DataFiles) -> Iterator[ChoiceField]:
    """Yield the field for the column that names the person, the likely ones first."""
    read: FileColumns | None = files.memory.get("file")
    if read is None:
        return
    likely = {column.name: f"{column.name} ({_REASONS[column.reason]})" for column in read.people}
    others = [column.name for column in read.columns if column.name not in likely]
    labels = likely | {None: _OPEN, EACH_ROW: "None: each row is one person"}
    options = (None, *likely, EACH_ROW, *others)
    yield ChoiceField("person", "Column that names the person", files.choices["person"], options, labels, _PERSON_HELP)
