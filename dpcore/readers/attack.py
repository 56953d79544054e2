"""The measured result of an attack, read from a file of scores or of counts."""

from array import array
from collections.abc import Callable, Sequence
from operator import itemgetter

import numpy as np

from dpcore.audit import MOST_TRIALS, Attack, attack_from_counts, attack_from_scores
from dpcore.readers.csv_file import MOST_ROWS, open_csv
from dpcore.readers.entries import short_text

_SCORES = ("member", "score")
_COUNTS = ("false_positives", "non_members", "false_negatives", "members")
_OLD_NAMES = {"false_alarms": "false_positives", "misses": "false_negatives"}  # of older files
_MEMBER_WORDS: dict[str, float] = {
    **dict.fromkeys(("1", "true", "yes", "member", "in"), 1.0),
    **dict.fromkeys(("0", "false", "no", "non-member", "nonmember", "out"), 0.0),
}


def read_attack(data: bytes) -> Attack:
    r"""Return the measured result of an attack from a text file.

    A file of scores has the columns `member` and `score`, a row for each record; a file of counts has the columns
    `false_positives`, `non_members`, `false_negatives` and `members`, a row for each operating point; older files call
    them `false_alarms` and `misses`. The header decides between the two; case, spaces and the order of columns do not
    matter, and other columns are ignored. `member` is 1/0, true/false, yes/no, in/out, member/non-member or
    member/nonmember. The text is as for `read_table`.

    Raises
    ------
    ValueError
        One sentence with the line and the reason: bytes that are no text or no CSV, a header that fits neither kind or
        both or repeats a column, a row of another length, an unknown word, a score that is no finite number, a count
        that is no whole number or above its trials, more than 1,000,000 rows, no rows, or scores of one group only.

    Examples
    --------
    >>> read_attack(b"member,score\n1,0.9\n0,0.4\n1,0.6\n").beta.tolist()
    [1.0, 0.5, 0.0, 0.0]
    """
    rows = open_csv(data).rows
    line, entries = next(rows, (1, []))
    try:
        header = [_OLD_NAMES.get(name, name) for name in (entry.strip().lower() for entry in entries)]
        names = _columns_in(header)
        pick = itemgetter(*(header.index(name) for name in names))
        parse: Callable[[Sequence[str]], Sequence[float]] = _parse_score if names is _SCORES else _parse_counts
        values = array("d")
        for row_line, row in rows:
            line = row_line
            if len(values) == MOST_ROWS * len(names):
                raise _LineError(f"more than {MOST_ROWS:,} rows")
            values.extend(parse(pick(row)))
        if not values:
            raise _LineError("there is no row under the header")
        columns = np.array(values).reshape(-1, len(names)).T
        if names is _COUNTS:
            return attack_from_counts(*columns)
        if np.ptp(columns[0]) == 0:
            group = "member" if columns[0][0] else "non-member"
            raise _LineError(f"every row is a {group}; scores of members and of non-members are both needed")
        return attack_from_scores(*columns)
    except _LineError as error:
        raise ValueError(f"line {line}: {error}") from None


class _LineError(ValueError):
    """The problem of the line that was read last, without its number."""


def _columns_in(header: list[str]) -> tuple[str, ...]:
    """Return the names of the columns of the one kind of file that a header fits."""
    content = f"it says {', '.join(header)[:80] or 'nothing'}"
    kinds = [kind for kind in (_SCORES, _COUNTS) if set(kind) <= set(header)]
    if len(kinds) != 1:
        needed = f"{' and '.join(_SCORES)}, or {', '.join(_COUNTS[:-1])} and {_COUNTS[-1]}"
        raise _LineError(f"the header needs the columns of one kind, {needed}; {content}")
    for name in kinds[0]:
        if header.count(name) > 1:
            n_columns = header.count(name)
            raise _LineError(f"the header has {n_columns} columns named {name}, only one is allowed; {content}")
    return kinds[0]


def _parse_score(entries: Sequence[str]) -> tuple[float, float]:
    word, entry = entries
    member = _MEMBER_WORDS.get(word.strip().lower())
    if member is None:
        word = _entry_text(word)
        raise _LineError(f"member is {word}, neither a word for yes (1, true, member, in) nor one for no (0)")
    score = _parse_float(entry)
    if not np.isfinite(score):
        raise _LineError(f"the score is {_entry_text(entry)}, not a finite number")
    return member, score


def _parse_counts(entries: Sequence[str]) -> list[float]:
    counts = [_parse_float(entry) for entry in entries]
    for name, entry, count, least in zip(_COUNTS, entries, counts, (0, 1, 0, 1), strict=True):
        if not (least <= count <= MOST_TRIALS and count == int(count)):
            allowed = f"a whole number from {least} to {MOST_TRIALS:,.0f}"
            raise _LineError(f"{name} is {_entry_text(entry)}, not {allowed}")
    for errors, trials in ((0, 1), (2, 3)):
        if counts[errors] > counts[trials]:
            above = f"{_COUNTS[errors]} is {counts[errors]:.0f}, above {_COUNTS[trials]}, {counts[trials]:.0f}"
            raise _LineError(f"{above}: two columns may be swapped")
    return counts


def _parse_float(entry: str) -> float:
    try:
        return float(entry)
    except ValueError:
        return np.nan


def _entry_text(entry: str) -> str:
    return short_text(entry) or "empty"
