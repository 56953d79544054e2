"""The numbers of a column, and whether a point or a comma is their decimal mark: one decision for all readers.

An entry such as 1,200 means one thousand two hundred, or 1.2. Another entry of the column may settle it: 7.5 and
1,234,567 have a decimal point, 7,5 and 1.234.567 a decimal comma. Where none does, no reader guesses: it raises
`AmbiguousNumberError`, and reads the column when it gets the mark. Degrees and error rates need no question, since they
cannot be thousands.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np

from dpcore.checks import Array, option
from dpcore.readers.entries import short_text
from dpcore.readers.notes import DecimalMark

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


def other_mark_text(entry: str, mark: str) -> str:
    """Return that an entry is a number with the other decimal mark only.

    >>> other_mark_text("7,5", ".")
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
                reason = other_mark_text(entry, mark)
                reason += f", which {self._settled_by} has" if self._settled_by else ""
            raise ValueError(f"{self._where(*place)}: {reason}") from None
