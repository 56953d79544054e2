"""People in raw records: the columns that may identify them, and how often the same person occurs."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.readers.csv_file import Row
from dpcore.readers.notes import PersonRows

_PERSON_STEMS = (
    "patient pacient paziente person personal personne people member mitglied membre miembro customer kund client "
    "klient user usuari utente utilisat benutzer nutzer anwender pseudonym pseudonim subject participant teilnehm "
    "respondent befragt proband versichert insured assure employee mitarbeit angestellt student studierend pupil "
    "schuler eleve alumn rider driver passenger citizen burger resident einwohn account konto email phone telefon pat "
    "cust"
)
_NUMBER_WORDS = (
    "id ids nr nrs num number numbers nummer numero numer identifier identifiant identificador kennung kennziffer key "
    "schlussel uuid guid hash pid uid ssn ahv"
)
_STEMS, _NUMBERS = "|".join(_PERSON_STEMS.split()), "|".join(_NUMBER_WORDS.split())
_PERSON = re.compile(
    rf"(?:{_STEMS})(?:[aeio]|[ae]?[nrs]|in|innen|eur|ant|ende|er[ns]?|ierte[nr]?)?(?:{_NUMBERS}|code)?"
)
_NUMBER = re.compile(_NUMBERS)
_ENDS_IN_NUMBER = re.compile(rf"(?:{_NUMBERS})(?: |$)")
_FILLERS = ("code", "in", "innen", "of", "the", "der", "des", "de", "la", "du", "del", "di")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def name_rank(name: str) -> int:
    """Return 0 for a name of people, 1 for one of numbers that may be theirs, 2 for any other.

    >>> name_rank("PatientenNr"), name_rank("id"), name_rank("patient_age")
    (0, 1, 2)
    """
    words = _words(name)
    is_person = [_PERSON.fullmatch(word) is not None for word in words]
    is_number = [_NUMBER.fullmatch(word) is not None for word in words]
    if not words or not all(map(max, is_person, is_number)):
        return 2
    return 0 if any(is_person) else 1


def identifies_people(name: str, is_numeric: bool) -> bool:
    """Return whether a column identifies people by its name; one of numbers must say so, as it may count them.

    >>> identifies_people("Kundennummer", True), identifies_people("patient", False)
    (True, True)
    >>> identifies_people("patients", True), identifies_people("id", True), identifies_people("id", False)
    (False, False, False)
    """
    return name_rank(name) == 0 and (not is_numeric or _ENDS_IN_NUMBER.search(" ".join(_words(name))) is not None)


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case and without accents, except those that say nothing."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return [word.lower() for word in _WORD.findall(plain) if word.lower() not in _FILLERS]


_FRACTION_OR_DATE = re.compile(r"[-−+]?\d*[.,]\d+|\d{1,4}([-./])\d{1,2}\1\d{1,4}.*|\d{1,2}:\d.*")
_LEAST_ROWS = 20  # With fewer rows, the number of different entries says nothing on what a column is.
_MOST_PER_ENTRY = 10  # A column whose entries occur more often on average is not taken for one of people.
_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)|(?:\.0+)+$")
_NOBODY = ("", "na", "n/a", "nan", "null", "none", "nil", "-", "–", "—", "?", ".", "unknown", "unbekannt", "missing")


@dataclass(frozen=True)
class PersonCandidate:
    """A column of raw records that may identify people, and why: for its "name", or only for its "values"."""

    name: str
    reason: str


def person_columns(first: list[Row], names: Sequence[str], are_named: bool = True) -> tuple[PersonCandidate, ...]:
    """Return the columns that may identify people, the best first, from the first rows under the header.

    `are_named` says whether the names are those of the file.

    A column is one for its name (patient_id, Kundennummer, user, nr), or for its values: on average an entry occurs in
    at most 10 rows, and few entries are dates or fractions. Names of people stand before names of numbers, these before
    mere values; then columns with repeated entries before those without, which may only number the rows.

    >>> rows = [(2, ["1", "A7", "F"]), (3, ["2", "A7", "F"])]
    >>> [column.name for column in person_columns(rows, ("nr", "patient", "sex"))]
    ['patient', 'nr']
    """
    ranked = []
    for place, name in enumerate(names):
        entries = [person_key(row[place]) for _, row in first]
        present = [entry for entry in entries if entry not in _NOBODY]
        n_people = len(set(present))
        rank = name_rank(name) if are_named else 2
        if n_people > (rank > 0) and (rank < 2 or _has_values_of_people(present, n_people)):
            column = PersonCandidate(name, "values" if rank == 2 else "name")
            ranked.append((rank, n_people == len(present), place, column))
    return tuple(column for *_, column in sorted(ranked, key=lambda item: item[:3]))


def person_key(entry: str) -> str:
    """Return what identifies a person in an entry: its text without spaces, upper case and leading zeros.

    Entries that differ only so are mostly the same person, written differently; counted as one person, nobody has
    fewer rows than in truth.

    >>> person_key(" P-007 "), person_key("p-7"), person_key("12.0"), person_key("0")
    ('p-7', 'p-7', '12', '0')
    """
    text = entry if entry.isascii() else unicodedata.normalize("NFKC", entry)
    return _ZEROS.sub("", "".join(text.split()).lstrip("'").casefold())


class PersonNumbers:
    """A number for each person of a column, −1 for an entry that names nobody.

    >>> numbers = PersonNumbers()
    >>> [numbers.of(entry) for entry in ("P-007", "", "Bob", "p-7")], len(numbers)
    ([0, -1, 1, 0], 2)
    """

    def __init__(self) -> None:
        self._by_key: dict[str, int] = {}
        self._by_entry = {"": -1}

    def __len__(self) -> int:
        return len(self._by_key)

    def of(self, entry: str) -> int:
        """Return the number of the person whom an entry names; entries with the same `person_key` are one person."""
        number = self._by_entry.get(entry)
        if number is None:
            key = person_key(entry)
            number = self._by_entry[entry] = self._by_key.setdefault(key, len(self._by_key)) if key else -1
        return number


def count_person_rows(
    column: str, people: NDArray[np.int32], keys: list[str], cells: NDArray[np.int64], n_entries: int
) -> PersonRows:
    """Return how often the same person occurs in cells, given the index of each row's person among `keys`.

    `n_entries` is the number of different entries that the keys stand for.

    >>> count_person_rows("id", np.array([0, 0, 0, 1], np.int32), ["a", ""], np.array([5, 5, 6, 5]), 2)
    PersonRows(column='id', n_people=1, most_rows=3, most_cells=2, most_per_cell=2, n_nobody=1, has_spellings=False)
    """
    is_nobody = np.array([key in _NOBODY for key in keys])
    known = ~is_nobody[people]
    owners = people[known].astype(np.int64)
    n_cells = int(cells.max()) + 1
    pairs, per_cell = np.unique(owners * n_cells + cells[known], return_counts=True)
    return PersonRows(
        column,
        len(keys) - int(is_nobody.sum()),
        int(np.bincount(owners, minlength=1).max()),
        int(np.bincount(pairs // n_cells, minlength=1).max()),
        int(per_cell.max(initial=0)),
        int(np.sum(~known)),
        n_entries > len(keys),
    )


def _has_values_of_people(present: list[str], n_people: int) -> bool:
    if len(present) < _LEAST_ROWS or n_people * _MOST_PER_ENTRY < len(present):
        return False
    return 10 * sum(_FRACTION_OR_DATE.fullmatch(entry) is not None for entry in present) < len(present)
