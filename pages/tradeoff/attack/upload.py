"""The results of an attack: the user's own counts or scores, which stay in the session, or counts in the link."""

import re
from dataclasses import dataclass, replace

from dpcore import readers
from dpcore.audit import Attack
from dpcore.checks import Array
from dpcore.readers import AmbiguousNumberError, decimal_readings
from dpcore.tradeoff import readings
from pages.framework.parameters.parameter import Parameter
from pages.framework.session.data_files import LINKED, OWN, DataFiles, Offer, ReadData
from pages.shared.classroom.membership_inference import INVENTED_COUNTS
from pages.shared.file_notes import mark_offers, question_text

MAX_LINKED_COUNTS = 20
EXAMPLE = "3_1000_930_1000~25_1000_760_1000~120_1000_520_1000"
_INVENTED = (EXAMPLE, INVENTED_COUNTS)  # of the page and of the classroom
TYPED = "counts"
"""The field of `DataFiles` of typed counts."""
CHOICES = {"decimal": "", "ambiguous": ""}
"""The choices on how to read a file: the decimal mark, and the entry with two readings for which it was chosen."""
_UNLINKABLE = "a link holds counts that are typed, and no file of results"
SESSION_SOURCE = "your results"
_HEADER, _OLD_HEADER = "false_positives,non_members,false_negatives,members", "false_alarms,non_members,misses,members"


@dataclass(frozen=True)
class MeasuredAttack:
    """The results of an attack, their source, and whether they are the user's own."""

    measurements: Attack
    source: str
    is_own: bool = True

    @property
    def points_and_hull(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """α and β of the measured points, and of the corners of their hull, which random mixtures of them reach."""
        points = self.measurements.alpha, self.measurements.beta
        corners = readings.point_readings(*points)
        return points, (corners["alpha"].to_numpy(), corners["beta"].to_numpy())


@dataclass(frozen=True)
class AttackCounts(Parameter):
    """Counts of an attack as text: false positives, non-members, false negatives, members, joined by _, points by ~.

    "none" means no attack, and "own" results of the session that the link does not contain.
    """

    key: str = "attack"
    symbol: str = "attack"
    default: str = "none"

    @property
    def allowed(self) -> str:
        """The form in words."""
        points = "falsepositives_nonmembers_falsenegatives_members"
        return f"none, own, or at most {MAX_LINKED_COUNTS} points {points} joined by ~"

    def read(self, entry: str) -> MeasuredAttack | str | None:
        """Return the attack, None for none, or "own"; ValueError if the counts can't be used."""
        if entry in ("none", OWN):
            return OWN if entry == OWN else None
        if entry.count("~") >= MAX_LINKED_COUNTS:
            raise ValueError(entry)
        return MeasuredAttack(_attack(entry.replace("_", ",").split("~")), "the counts", entry not in _INVENTED)

    def data_in(self, entry: str) -> str:
        """Return in words which data a text has, empty for no results and for the invented examples.

        >>> AttackCounts().data_in("5_100_60_100"), AttackCounts().data_in("own"), AttackCounts().data_in(EXAMPLE)
        ('the results of an attack', '', '')
        """
        return "" if entry in ("none", OWN, *_INVENTED) else "the results of an attack"


def read_upload(files: DataFiles, _: object = None) -> ReadData[MeasuredAttack | None]:
    """Return the results in a file, in typed lines or in the text of a link; ValueError if they can't be read."""
    (source, (name, data)), decimal = next(iter(files.files.items())), files.choices["decimal"]
    try:
        if source in (TYPED, LINKED):
            counts = data.decode() if source == LINKED else counts_of_lines(data.decode(), decimal)
            if counts == "none":
                raise ValueError("there are no counts")
            return ReadData(attack_of_counts(counts), link_text=counts)
        content = MeasuredAttack(readers.read_attack(data, decimal), SESSION_SOURCE)
    except AmbiguousNumberError as error:
        return ReadData(None, question_text(name, error), offers=_mark_offers(error.entry, ""))
    return ReadData(content, offers=_mark_offers(files.choices["ambiguous"], decimal), unlinkable=_UNLINKABLE)


def _mark_offers(entry: str, mark: str) -> tuple[Offer, ...]:
    """Return the buttons for the meanings of an entry, which stay when one is chosen."""
    return tuple(replace(offer, choices={**offer.choices, "ambiguous": entry}) for offer in mark_offers(entry, mark))


def attack_of_counts(counts: str) -> MeasuredAttack:
    """Return the results in the text of a link as those of the session; ValueError if it has none or too many."""
    if counts.count("~") >= MAX_LINKED_COUNTS:
        raise ValueError(f"at most {MAX_LINKED_COUNTS} points fit a link")
    return MeasuredAttack(_attack(counts.replace("_", ",").split("~")), SESSION_SOURCE)


def _attack(lines: list[str], decimal: str = ".") -> Attack:
    """Return the results in lines of counts; those of a link have a decimal point, as older links do."""
    return readers.read_attack("\n".join([_HEADER, *lines]).encode(), decimal)


def typed_lines(counts: str) -> str:
    """Return the counts of a link as lines for the text field."""
    return "" if counts in ("none", OWN) else counts.replace("_", ", ").replace("~", "\n")


def counts_of_lines(typed: str, decimal: str = "") -> str:
    """Return the counts of typed lines as text for the link; ValueError with a sentence if they are none.

    `decimal` is the decimal mark that the user chose; AmbiguousNumberError where the counts need one.

    >>> counts_of_lines("5, 100, 60, 100"), counts_of_lines("5 100; 60 100"), counts_of_lines("")
    ('5_100_60_100', '5_100_60_100', 'none')
    """
    rows = [re.split(r"[\s,;]+", line.strip(" \t,;")) for line in typed.splitlines() if line.strip(" \t,;")]
    if rows and ",".join(rows[0]) in (_HEADER, _OLD_HEADER):
        del rows[0]
    if not rows:
        return "none"
    if len(rows) > MAX_LINKED_COUNTS:
        raise ValueError(
            f"at most {MAX_LINKED_COUNTS} lines fit a link, and there are {len(rows)}; upload them as a file"
        )
    for number, row in enumerate(rows, 1):
        if len(row) != 4:
            raise ValueError(f"line {number}: four numbers are needed, and {len(row)} were given")
    rows = [[_count_text(entry, line, decimal) for entry in row] for line, row in enumerate(rows, 1)]
    try:
        _attack([",".join(row) for row in rows])
    except ValueError as error:
        raise ValueError(_without_header(str(error))) from None
    return "~".join("_".join(row) for row in rows)


def _count_text(entry: str, line: int, decimal: str) -> str:
    """Return a typed count as text for the link: without a mark, where it has one and means a number."""
    numbers = decimal_readings(entry)
    if len(set(numbers.values())) > 1 and not decimal:
        raise AmbiguousNumberError(f"line {line}", entry)
    return f"{numbers[decimal or '.']:.15g}" if "." in entry and (decimal or ".") in numbers else entry


def _without_header(error: str) -> str:
    """Return a sentence on line n of a file as one on line n − 1 of the field, which has no header."""
    word, _, rest = error.partition(" ")
    number, colon, words = rest.partition(":")
    return f"line {int(number) - 1}:{words}" if word == "line" and colon and number.isdigit() else error
