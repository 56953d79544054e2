"""The measured result of an attack, from a file of scores or counts, and points (α, β) of a trade-off curve."""

from array import array
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice

import numpy as np

from dpcore.audit import MOST_TRIALS, Attack, attack_from_counts, attack_from_scores
from dpcore.checks import Array
from dpcore.readers.csv_file import ANY_SEPARATOR, Row, chunks, open_csv
from dpcore.readers.file_columns import parse_numbers
from dpcore.readers.number_columns import NumberColumn, number_of, one_line, short_text
from dpcore.tradeoff.functions import MOST_POINTS

_SCORES = ("member", "score")
_LEAST = {"false_positives": 0, "non_members": 1, "false_negatives": 0, "members": 1}
_COUNTS = tuple(_LEAST)
_OLD_NAMES = {"false_alarms": "false_positives", "misses": "false_negatives"}  # of older files
_MEMBER_WORDS: dict[str, float] = {
    **dict.fromkeys(("1", "true", "yes", "member", "in"), 1.0),
    **dict.fromkeys(("0", "false", "no", "non-member", "nonmember", "out"), 0.0),
}


def read_attack(data: bytes, decimal: str = "") -> Attack:
    r"""Return the measured result of an attack from a text file.

    A file of scores has the columns `member` and `score`, a row for each record; a file of counts has the columns
    `false_positives`, `non_members`, `false_negatives` and `members`, a row for each operating point; older files call
    them `false_alarms` and `misses`. The header decides between the two; case, spaces and the order of columns do not
    matter, and other columns are ignored. `member` is 1/0, true/false, yes/no, in/out, member/non-member or
    member/nonmember. The text is as for `read_table`.

    Parameters
    ----------
    data : at most 40 MB.
    decimal : the decimal mark of scores and counts, as for `read_values`.

    Raises
    ------
    ValueError
        One sentence with the line and the reason: bytes that are no text or no CSV, a header that fits neither kind or
        both or repeats a column, a row of another length, an unknown word, a score that is no finite number, a count
        that is no whole number or above its trials, more than 1,000,000 rows, no rows, or scores of one group only.
        An `AmbiguousNumberError` where `decimal` is needed.

    Examples
    --------
    >>> read_attack(b"member,score\n1,0.9\n0,0.4\n1,0.6\n").beta.tolist()
    [1.0, 0.5, 0.0, 0.0]
    """
    rows = open_csv(data).rows
    line, entries = next(rows, (1, []))
    header = [_OLD_NAMES.get(name, name) for name in (entry.strip().lower() for entry in entries)]
    names = _columns_in(header, line)
    read = _read_scores if names is _SCORES else _read_counts
    first = next(rows, None)
    if first is None:
        raise ValueError(f"line {line}: there is no row under the header")
    return read(chunks(chain([first], rows)), [header.index(name) for name in names], decimal)


def _where(line: int, _: int) -> str:
    return f"line {line}"


def _read_scores(pieces: Iterator[list[Row]], columns: list[int], decimal: str) -> Attack:
    member_column, score_column = columns
    scores = NumberColumn(_parse_score, _quick_scores, _where, decimal)
    members, line = array("d"), 0
    for piece in pieces:
        for line, row in piece:
            members.append(_member(row[member_column], line))
        scores.add([row[score_column] for _, row in piece], [(line, score_column) for line, _ in piece])
    score, member = scores.numbers(), np.array(members)
    if np.ptp(member) == 0:
        group = "member" if member[0] else "non-member"
        raise ValueError(f"line {line}: every row is a {group}; scores of members and of non-members are both needed")
    return attack_from_scores(member, score)


def _member(word: str, line: int) -> float:
    member = _MEMBER_WORDS.get(word.strip().lower())
    if member is None:
        reason = f"member is {_entry_text(word)}, neither a word for yes (1, true, member, in) nor one for no (0)"
        raise ValueError(f"line {line}: {reason}")
    return member


def _read_counts(pieces: Iterator[list[Row]], columns: list[int], decimal: str) -> Attack:
    counts = [
        NumberColumn(partial(_parse_count, name), partial(_quick_counts, name), _where, decimal) for name in _COUNTS
    ]
    lines: list[int] = []
    for piece in pieces:
        lines += [line for line, _ in piece]
        for numbers, column in zip(counts, columns, strict=True):
            numbers.add([row[column] for _, row in piece], [(line, column) for line, _ in piece])
    values = [numbers.numbers() for numbers in counts]
    for errors, trials in ((0, 1), (2, 3)):
        above = np.flatnonzero(values[errors] > values[trials])
        if above.size:
            row = above[0]
            sizes = f"{values[errors][row]:.0f}, above {_COUNTS[trials]}, {values[trials][row]:.0f}"
            raise ValueError(f"line {lines[row]}: {_COUNTS[errors]} is {sizes}: two columns may be swapped")
    return attack_from_counts(*values)


def _columns_in(header: list[str], line: int) -> tuple[str, ...]:
    """Return the names of the columns of the one kind of file that a header fits."""
    content = f"it says {one_line(', '.join(header))[:80] or 'nothing'}"
    kinds = [kind for kind in (_SCORES, _COUNTS) if set(kind) <= set(header)]
    if len(kinds) != 1:
        needed = f"{' and '.join(_SCORES)}, or {', '.join(_COUNTS[:-1])} and {_COUNTS[-1]}"
        raise ValueError(f"line {line}: the header needs the columns of one kind, {needed}; {content}")
    for name in kinds[0]:
        if header.count(name) > 1:
            n_columns = header.count(name)
            raise ValueError(
                f"line {line}: the header has {n_columns} columns named {name}, only one is allowed; {content}"
            )
    return kinds[0]


def _parse_score(entry: str, mark: str) -> float:
    score = number_of(entry, mark)
    if score is None or not np.isfinite(score):
        raise ValueError(f"the score is {_entry_text(entry)}, not a finite number")
    return score


def _quick_scores(entries: list[str]) -> Array | None:
    scores = parse_numbers(entries)
    return scores if scores is not None and np.all(np.isfinite(scores)) else None


def _parse_count(name: str, entry: str, mark: str) -> float:
    count, least = number_of(entry, mark), _LEAST[name]
    if count is None or not (least <= count <= MOST_TRIALS and count == int(count)):
        allowed = f"a whole number from {least} to {MOST_TRIALS:,.0f}"
        raise ValueError(f"{name} is {_entry_text(entry)}, not {allowed}")
    return count


def _quick_counts(name: str, entries: list[str]) -> Array | None:
    counts = parse_numbers(entries)
    if counts is None or not np.all((counts >= _LEAST[name]) & (counts <= MOST_TRIALS) & (counts == np.floor(counts))):
        return None
    return counts


def _entry_text(entry: str) -> str:
    return short_text(entry) or "empty"


def read_curve_points(data: bytes) -> tuple[Array, Array]:
    r"""Return α and β from text with a point on each line; commas, semicolons, tabs or spaces separate the numbers.

    The text is UTF-8 or UTF-16, and entries may stand within double quotes. A header with the names alpha and beta, in
    any case and order, may stand on top; without one the first number is α. Blank lines are left out, and so are lines
    at the top that begin with "# ".

    Raises
    ------
    ValueError
        One sentence with the line and the reason: bytes that are no text, a line without two numbers, a number outside
        [0, 1], a β above 1 − α, fewer than two points, more than 10⁶, a header without alpha and beta, or columns that
        seem to be swapped and have no header to settle it.

    Examples
    --------
    >>> alpha, beta = read_curve_points(b"alpha,beta\n0.1,0.6\n0.4,0.2\n")
    >>> alpha.tolist(), beta.tolist()
    ([0.1, 0.4], [0.6, 0.2])
    """
    rows = list(islice(open_csv(data, separator=ANY_SEPARATOR, same_width=False).rows, MOST_POINTS + 2))
    columns, width = (0, 1), 2
    has_header = bool(rows) and _parse_float(rows[0][1][0]) is None
    if has_header:
        line, header = rows.pop(0)
        columns, width = _columns(line, header), len(header)
    if len(rows) > MOST_POINTS:
        raise ValueError(f"line {rows[MOST_POINTS][0]}: more than {MOST_POINTS:,} points")
    if len(rows) < 2:
        raise ValueError(f"there must be at least 2 points, and {len(rows)} can be read")
    alpha, beta = np.array([_point(line, entries, columns, width) for line, entries in rows]).T
    if not has_header and len(rows) > 2 and np.all(np.diff(alpha) <= 0) and np.all(np.diff(beta) >= 0):
        raise ValueError(
            f"line {rows[0][0]}: the first column falls while the second rises, so the two may be swapped; name them "
            "alpha and beta in a first line"
        )
    return alpha, beta


def _columns(line: int, header: list[str]) -> tuple[int, int]:
    """Return the indices of the columns alpha and beta."""
    names = [name.strip("'").lower() for name in header]
    if names.count("alpha") != 1 or names.count("beta") != 1:
        content = short_text(" ".join(header))
        raise ValueError(f"line {line}: the header must name alpha and beta once each; it says {content}")
    return names.index("alpha"), names.index("beta")


def _point(line: int, entries: list[str], columns: tuple[int, int], width: int) -> tuple[float, float]:
    if len(entries) != width:
        needed = "two numbers, alpha and beta, are" if width == 2 else f"{width} entries, as in the header, are"
        raise ValueError(f"line {line}: {needed} needed, not {len(entries)}")
    alpha, beta = (
        _parse_rate(line, name, entries[column]) for name, column in zip(("alpha", "beta"), columns, strict=True)
    )
    if beta > 1 - alpha + 1e-12:
        raise ValueError(
            f"line {line}: beta is {beta:.12g}, above 1 − alpha = {1 - alpha:.12g}, worse than guessing; is it the "
            "power 1 − beta?"
        )
    return alpha, beta


def _parse_rate(line: int, name: str, entry: str) -> float:
    rate = _parse_float(entry)
    if rate is None or not 0 <= rate <= 1:
        raise ValueError(f"line {line}: {name} is {short_text(entry)}, not a number from 0 to 1")
    return rate


def _parse_float(entry: str) -> float | None:
    try:
        return float(entry)
    except ValueError:
        return None
