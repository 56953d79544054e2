"""The results of an attack: counts or scores of the user's own, which stay in the session, or counts in the link."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dpcore import readers
from dpcore.audit import Attack
from dpcore.checks import Array
from dpcore.tradeoff import readings
from pages.shared.classroom.attacker import INVENTED_COUNTS

MOST_LINKED = 20
EXAMPLE = "3_1000_930_1000~25_1000_760_1000~120_1000_520_1000"
_INVENTED = (EXAMPLE, INVENTED_COUNTS)  # of the page and of the classroom: they are nobody's
OWN = "own"
"""The text of the link for results that the session has: nothing of them."""
YOURS = "your results"
_HEADER = "false_alarms,non_members,misses,members"


@dataclass(frozen=True)
class Measured:
    """What an attack reached, where it is from, and whether it is the user's own."""

    attack: Attack
    source: str
    is_own: bool = True

    @cached_property
    def reached(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """α and β of the measured points, and of the corners of what they reach if mixed at random."""
        points = self.attack.alpha, self.attack.beta
        corners = readings.reached(*points)
        return points, (corners["alpha"].to_numpy(), corners["beta"].to_numpy())


@dataclass(frozen=True)
class Counts:
    """Counts of an attack as text: false alarms, non-members, misses, members, joined by _, points by ~.

    "none" stands for no attack, and "own" for results that the session has and the link does not.
    """

    key: str = "attack"
    symbol: str = "attack"
    default: str = "none"

    @property
    def allowed(self) -> str:
        """The form in words."""
        return f"none, own, or at most {MOST_LINKED} points falsealarms_nonmembers_misses_members joined by ~"

    def read(self, entry: str) -> Measured | str | None:
        """Return the attack, None for none, or "own"; ValueError if the counts can't be used."""
        if entry in ("none", OWN):
            return OWN if entry == OWN else None
        if entry.count("~") >= MOST_LINKED:
            raise ValueError(entry)
        return Measured(_attack(entry.replace("_", ",").split("~")), "the counts", entry not in _INVENTED)

    def data_in(self, entry: str) -> str:
        """Return what a text holds in words, empty for no results and for the invented example.

        >>> Counts().data_in("5_100_60_100"), Counts().data_in("own"), Counts().data_in(EXAMPLE)
        ('the results of an attack', '', '')
        """
        return "" if entry in ("none", OWN, *_INVENTED) else "the results of an attack"


def of_file(data: bytes, _: object) -> Measured:
    """The results in a file; ValueError with a sentence if it can't be read."""
    return Measured(readers.read_attack(data), YOURS)


def of_counts(counts: str) -> Measured:
    """The results that the text of a link holds, as those of the session; ValueError if it holds none or too many."""
    if counts.count("~") >= MOST_LINKED:
        raise ValueError(f"at most {MOST_LINKED} points fit a link")
    return Measured(_attack(counts.replace("_", ",").split("~")), YOURS)


def missing(values: Mapping[str, Any], uploaded: Measured | None) -> bool:
    """Whether the link is for results of the user's own, and this session does not have them."""
    return values["attack"] == OWN and uploaded is None


def _attack(lines: list[str]) -> Attack:
    return readers.read_attack("\n".join([_HEADER, *lines]).encode())


def typed_lines(counts: str) -> str:
    """The counts of a link as lines to type."""
    return "" if counts in ("none", OWN) else counts.replace("_", ", ").replace("~", "\n")


def counts_of(typed: str) -> str:
    """The counts of typed lines as text for the link; ValueError with a sentence if they are none.

    >>> counts_of("5, 100, 60, 100"), counts_of("5 100; 60 100"), counts_of("")
    ('5_100_60_100', '5_100_60_100', 'none')
    """
    rows = [re.split(r"[\s,;]+", line.strip(" \t,;")) for line in typed.splitlines() if line.strip(" \t,;")]
    if rows and rows[0] == _HEADER.split(","):
        del rows[0]
    if not rows:
        return "none"
    if len(rows) > MOST_LINKED:
        raise ValueError(f"at most {MOST_LINKED} lines fit a link, and there are {len(rows)}; upload them as a file")
    for place, row in enumerate(rows, 1):
        if len(row) != 4:
            raise ValueError(f"line {place}: four numbers are needed, and {len(row)} were given")
    try:
        _attack([",".join(row) for row in rows])
    except ValueError as error:
        raise ValueError(_without_header(str(error))) from None
    return "~".join("_".join(row) for row in rows)


def _without_header(error: str) -> str:
    """A sentence about line n of a file as one about line n − 1 of the field, which has no header."""
    word, _, rest = error.partition(" ")
    number, colon, words = rest.partition(":")
    return f"line {int(number) - 1}:{words}" if word == "line" and colon and number.isdigit() else error
