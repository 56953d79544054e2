"""The entries of a column: which are numbers or counts, what they mean, and how a sentence names their place.

Whether a point or a comma is the decimal mark is one decision for all readers. An entry such as 1,200 means one
thousand two hundred, or 1.2. Another entry of the column may settle it: 7.5 and 1,234,567 have a decimal point, 7,5 and
1.234.567 a decimal comma. Where none does, no reader guesses: it raises `AmbiguousNumberError`, and reads the column
when it gets the mark. Degrees and error rates need no question, since they cannot be thousands.
"""

import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from dpcore.checks import Array, option
from dpcore.readers.notes import DecimalMark

_NUMERIC = re.compile(
    r"=.*|[-−+]?(?:[.,]?[0-9][0-9.,'’ \u00a0\u202f\u2009]*(?:e[-+]?[0-9]+)?%?|nan|inf(?:inity)?)", re.I
)


def n_columns_text(n_columns: int) -> str:
    """Return a number of columns in words.

    >>> n_columns_text(1), n_columns_text(6)
    ('1 column', '6 columns')
    """
    return f"{n_columns:,} column" + ("" if n_columns == 1 else "s")


def place_in_file(line: int, column: int, name: str = "") -> str:
    """Return line, column (counted from 0 here, from 1 in the text) and the column's name, where it has one.

    >>> place_in_file(3, 0, "lat")
    'line 3, column 1 (lat)'
    """
    return f"line {line}, column {column + 1}" + (f" ({short_text(name)})" if name else "")


def looks_numeric(entry: str) -> bool:
    """Return whether an entry looks like a number or a formula, so that its column may be one of counts.

    >>> looks_numeric("-3.5"), looks_numeric("12 %"), looks_numeric("=SUM(A1:A3)"), looks_numeric("2020-01-01")
    (True, True, True, False)
    """
    return _NUMERIC.fullmatch(entry.strip()) is not None


def mostly_numeric(column: Iterable[str]) -> bool:
    """Return whether at least half of the entries that are not missing look like numbers.

    An entry that is no number is then found at its place.

    >>> mostly_numeric(["1", "", "x"]), mostly_numeric(["", ""])
    (True, False)
    """
    present = [entry for entry in column if entry.strip()]
    return bool(present) and 2 * sum(map(looks_numeric, present)) >= len(present)


def numbers_rows(column: list[str], starts: Iterable[int]) -> bool:
    """Return whether a column only numbers the rows, beginning with one of `starts`.

    >>> numbers_rows(["1", "2", "3"], (0, 1)), numbers_rows(["3", "4"], (0, 1))
    (True, False)
    """
    return any(column == [str(number) for number in range(start, start + len(column))] for start in starts)


def unique_names(names: list[str]) -> tuple[list[str], int]:
    """Return names on one line each, all different, and how many got a number for that.

    >>> unique_names(["North", "South", "North"])
    (['North', 'South', 'North (2)'], 1)
    """
    result = [name if name.isprintable() and "  " not in name else one_line(name) for name in names]
    if len(set(result)) == len(result):
        return result, 0
    used, known, n_changed = dict[str, int](), set(result), 0
    for index, name in enumerate(result):
        number = used[name] = used.get(name, 0) + 1
        if number == 1:
            continue
        while f"{name} ({number})" in known:
            number += 1
        used[name], n_changed = number, n_changed + 1
        result[index] = f"{name} ({number})"
        known.add(result[index])
    return result, n_changed


def one_line(text: str) -> str:
    r"""Return a text on one line: what cannot be printed, and runs of spaces, are one space.

    >>> one_line("North\n\x07 East")
    'North East'
    """
    if text.isprintable() and "  " not in text:  # most are, and this is fast
        return text.strip()
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def short_text(text: str) -> str:
    """Return a text from a file on one line, short enough for a sentence.

    >>> short_text("a" * 50) == "a" * 40 + "…"
    True
    """
    line = one_line(text)
    return line if len(line) <= 40 else line[:40] + "…"


DECIMAL_MARKS = (".", ",")
"""The marks that can stand before the decimals of a number; the other one then separates thousands."""
_NAMES = {".": "point", ",": "comma"}
_AMBIGUOUS = re.compile(r"[-−+]?[1-9][0-9]{0,2}[.,][0-9]{3}")
_AMBIGUOUS_LINE = re.compile(rf"^\s*{_AMBIGUOUS.pattern}\s*$", re.MULTILINE)
_GROUPS = r"[1-9][0-9]{{0,2}}(?P<group>[{other}'’ \u00a0\u202f\u2009])[0-9]{{3}}(?:(?P=group)[0-9]{{3}})*"
_NUMBERS = {
    mark: re.compile(
        rf"(?P<whole>(?:{_GROUPS.format(other=re.escape(other))})|[0-9]*)"
        rf"(?:{re.escape(mark)}(?P<fraction>[0-9]*))?(?P<power>e[-+]?[0-9]+)?",
        re.IGNORECASE,
    )
    for mark, other in zip(DECIMAL_MARKS, reversed(DECIMAL_MARKS), strict=True)
}
_INFINITE = re.compile(r"inf(?:inity)?", re.IGNORECASE)
_NO_DIGIT = re.compile(r"[^0-9]")


def number_of(entry: str, mark: str) -> float | None:
    """Return the number that an entry means with this decimal mark; None if it means none.

    >>> number_of("1,200", "."), number_of("1,200", ","), number_of("1,234,567", ",")
    (1200.0, 1.2, None)
    """
    sign, digits = _sign_and_digits(entry)
    if _INFINITE.fullmatch(digits):
        return float(sign + digits)
    match = _NUMBERS[mark].fullmatch(digits)
    if match is None or not (match["whole"] or match["fraction"]):
        return None
    return float(f"{sign}{_NO_DIGIT.sub('', match['whole'])}.{match['fraction'] or 0}{match['power'] or ''}")


def _sign_and_digits(entry: str) -> tuple[str, str]:
    text = entry.strip()
    return ("-", text[1:]) if text[:1] in ("-", "−") else ("", text.removeprefix("+"))


def has_groups(entry: str, mark: str) -> bool:
    """Return whether the digits of a number stand in groups of three, with this decimal mark.

    >>> has_groups("1,203", "."), has_groups("1,203", ","), has_groups("1203", ".")
    (True, False, False)
    """
    match = _NUMBERS[mark].fullmatch(_sign_and_digits(entry)[1])
    return match is not None and match["group"] is not None


def is_number(entry: str) -> bool:
    """Return whether an entry is a number with a decimal point or with a decimal comma.

    >>> is_number("1,200"), is_number("1,2,3")
    (True, False)
    """
    return any(number_of(entry, mark) is not None for mark in DECIMAL_MARKS)


def is_ambiguous(entry: str) -> bool:
    """Return whether an entry has two readings, because its only mark stands before three digits.

    >>> is_ambiguous("1,200"), is_ambiguous("0,200"), is_ambiguous("1,20"), is_ambiguous("1,200,000")
    (True, False, False, False)
    """
    return _AMBIGUOUS.fullmatch(entry.strip()) is not None


def settled_mark(entry: str) -> str:
    """Return the only decimal mark with which an entry is a number; empty if there are both or none.

    >>> settled_mark("7,5"), settled_mark("1,234,567"), settled_mark("1,200")
    (',', '.', '')
    """
    if not _has_mark(entry) or is_ambiguous(entry):
        return ""
    marks = [mark for mark in DECIMAL_MARKS if number_of(entry, mark) is not None]
    return marks[0] if len(marks) == 1 else ""


def _has_mark(entry: str) -> bool:
    return "," in entry or "." in entry


def _other_mark_text(entry: str, mark: str) -> str:
    """Return that an entry is a number with the other decimal mark only.

    >>> _other_mark_text("7,5", ".")
    '7,5 is no number with a decimal point'
    """
    return f"{short_text(entry)} is no number with a decimal {_NAMES[mark]}"


def ambiguity_text(entry: str) -> str:
    """Return the two readings of an ambiguous entry in words.

    >>> ambiguity_text("1,200")
    '1,200 can be read as 1200 or as 1.2; write 1200 or 1.2'
    """
    thousands, decimal = (
        f"{number:.15g}" for number in sorted(decimal_readings(entry).values(), key=abs, reverse=True)
    )
    return f"{short_text(entry)} can be read as {thousands} or as {decimal}; write {thousands} or {decimal}"


def decimal_readings(entry: str) -> dict[str, float]:
    """Return the numbers that an entry can mean, by the decimal mark, "." or ",", that it has then.

    Examples
    --------
    >>> decimal_readings("1,200"), decimal_readings("7,5")
    ({'.': 1200.0, ',': 1.2}, {',': 7.5})
    """
    return {mark: number for mark in DECIMAL_MARKS if (number := number_of(entry, mark)) is not None}


class AmbiguousNumberError(ValueError):
    """A column can be read with a decimal point and with a decimal comma, and the numbers differ.

    Attributes
    ----------
    place : the line and the column of the first such entry, as in "line 2, column 1 (income)".
    entry : that entry.
    readings : the number that it means, by the decimal mark: the reader takes one of these marks as `decimal`.
    """

    def __init__(self, place: str, entry: str) -> None:
        """Name the place and the entry."""
        super().__init__(place, entry)
        self.place, self.entry, self.readings = place, entry.strip(), decimal_readings(entry)

    def __str__(self) -> str:
        """Return the sentence."""
        return f"{self.place}: {ambiguity_text(self.entry)}"


class NumberColumn:
    """The numbers of a column, added piece by piece: a later piece may settle its decimal mark.

    `mark` is the decimal mark, empty as long as it is not settled; `ambiguous` is the first entry with two readings.
    """

    def __init__(
        self,
        parse: Callable[[str, str], float],
        quick: Callable[[list[str]], Array | None],
        where: Callable[[int, int], str],
        decimal: str = "",
    ) -> None:
        """Begin a column.

        Parameters
        ----------
        parse : returns the number of an entry with a decimal mark; ValueError with the reason if it is none.
        quick : returns all numbers of a piece in which no comma stands and a point is the decimal mark; None if it
            cannot.
        where : the place of an entry in words, from its line and its column.
        decimal : the decimal mark, where it is known.
        """
        option("decimal", decimal, ("", *DECIMAL_MARKS))
        self._parse, self._quick, self._where = parse, quick, where
        self.mark, self.ambiguous, self._settled_by = decimal, "", ""
        self._place_of_ambiguous = 0, 0
        self._pieces: list[Array | tuple[list[str], list[tuple[int, int]]]] = []

    def add(self, entries: list[str], places: Sequence[tuple[int, int]]) -> None:
        """Add entries, given the line and the column of each; ValueError for the first that is no number."""
        text = "\n".join(entries)
        if not _has_mark(text):
            self._pieces.append(self._numbers(entries, places, "."))
            return
        if not self.mark or (not self.ambiguous and _AMBIGUOUS_LINE.search(text)):
            self._settle(entries, places)
        self._pieces.append(
            self._numbers(entries, places, self.mark) if self.mark else (list(entries), list(places)),
        )

    def notes(self) -> list[DecimalMark]:
        """Return a note on how the first entry with two readings is read; none where no entry has two."""
        number = number_of(self.ambiguous, self.mark) if self.mark else None
        return [] if number is None else [DecimalMark(self.mark, self.ambiguous, number, self._settled_by)]

    def numbers(self) -> Array:
        """Return all numbers; AmbiguousNumberError if no entry has settled the mark that an entry needs."""
        if self.ambiguous and not self.mark:
            raise AmbiguousNumberError(self._where(*self._place_of_ambiguous), self.ambiguous)
        mark = self.mark or "."
        pieces = [self._numbers(*piece, mark) if isinstance(piece, tuple) else piece for piece in self._pieces]
        return np.concatenate([np.empty(0), *pieces])

    def _settle(self, entries: list[str], places: Sequence[tuple[int, int]]) -> None:
        for entry, place in zip(entries, places, strict=True):
            if not _has_mark(entry):
                continue
            if is_ambiguous(entry):
                if not self.ambiguous:
                    self.ambiguous, self._place_of_ambiguous = entry.strip(), place
            elif not self.mark and (mark := settled_mark(entry)):
                self.mark, self._settled_by = mark, f"{short_text(entry)} in line {place[0]}"

    def _numbers(self, entries: list[str], places: Sequence[tuple[int, int]], mark: str) -> Array:
        if mark == "." and (numbers := self._quick(entries)) is not None:
            return numbers
        return np.array([self._number(entry, place, mark) for entry, place in zip(entries, places, strict=True)])

    def _number(self, entry: str, place: tuple[int, int], mark: str) -> float:
        try:
            return self._parse(entry, mark)
        except ValueError as error:
            reason = str(error)
            if number_of(entry, mark) is None and is_number(entry):
                reason = _other_mark_text(entry, mark)
                reason += f", which {self._settled_by} has" if self._settled_by else ""
            raise ValueError(f"{self._where(*place)}: {reason}") from None


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
        raise ValueError(_other_mark_text(text, mark))
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
