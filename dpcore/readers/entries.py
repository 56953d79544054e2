"""The entries of a table as text: which look like numbers, how columns are named, and where an entry stands."""

import re
from collections.abc import Iterable

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
