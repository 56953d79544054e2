"""The record of a kind of query, with all that a page has to know of it; `query_kinds.KINDS` has one for each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, cast

from dpcore import plan
from pages.framework.parameters.kinds import Quantity
from pages.framework.site import PageEntry
from pages.plan import programs
from pages.plan.quantities import CAP, MOST_IN_GROUPS, MOST_RECORDS
from pages.shared.release_program.program import Statistic

Numbers = Mapping[str, float]
"""The numbers of a row, by the names that they have in its kind."""


@dataclass(frozen=True)
class OwnPage:
    """The page that answers a query of a kind alone, the entries that open it there, and the keys of its numbers there.

    `keys` are in the order of the numbers of the kind, and empty for one that the page does not have. Where
    `has_guarantee`, the page has the guarantee of the noise, and one number of the query has its error.
    """

    page: PageEntry
    entries: dict[str, str]
    keys: tuple[str, ...]
    has_guarantee: bool = False


@dataclass(frozen=True)
class Places:
    """In what one person can be: its `noun`, and the names of the numbers that limit in how many, and by how much each.

    `often` is empty where a person can be in all of them, and `most` where a person counts once in each.
    """

    noun: str
    often: str = ""
    most: str = ""


@dataclass(frozen=True)
class Column:
    """The column of a file that a query is of.

    Attributes
    ----------
    type : "number", "text" or "date", as `dpcore.readers` has it.
    phrase : what the query is called where such a column can become one; empty where that is not proposed.
    rows : the files of which it is proposed: those where a person has "one" row or "several", or "any".
    has_list : whether the program takes a public list of categories, or of a series the first month.
    is_joined : whether it has one value of a person, so that several are joined.
    """

    type: Literal["number", "text", "date"]
    phrase: str = ""
    rows: Literal["any", "one", "several"] = "any"
    has_list: bool = False
    is_joined: bool = False


@dataclass(frozen=True)
class Amount:
    """What one person adds to one number at most, below which ± makes no sense."""

    of: Callable[[Numbers], float]


@dataclass(frozen=True)
class Range:
    """The width of the range of the answer, of which ± must be less than half."""

    of: Callable[[Numbers], float]


@dataclass(frozen=True)
class Kind:
    """A kind of query. What has no default is to be decided for each; `tests/pages/plan/test_kinds.py` looks at it.
    What its record says by the names of its arguments is read from there.

    Attributes
    ----------
    label : its name on the screen.
    record : the class of dpcore that it is.
    half_width : the wanted ± of a new row.
    numbers : its quantities, by the arguments of `record`, or of `arguments` where that makes those.
    words : a part of a sentence, with a place for each of its numbers.
    size : what ± is compared with.
    own_page : where it is answered alone, None where nowhere.
    program : the function that makes it a statistic of the program of a release, of its record, its noise and what
        else is released (`programs.Released`).
    column : the column of a file that it is of, None where it has none.
    places : in what one person can be several times, which the conditions say; None where that has no numbers.
    most_in_list : how many a list may have, since a plan of more takes too long; None for any number.
    published : what a series publishes.
    error : what ± is where it is no half-width, and `error_words` the error that is reached.
    """

    label: str
    record: type[plan.Statistic]
    half_width: str
    numbers: Mapping[str, Quantity]
    words: str
    size: Amount | Range
    own_page: OwnPage | None
    program: Callable[[Any, Any, programs.Released], Statistic]
    column: Column | None
    places: Places | None
    most_in_list: int | None = None
    published: str = ""
    error: str = ""
    error_words: str = "±{}"
    arguments: Callable[[Numbers], dict[str, Any]] = dict

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Its quantities, in the order of a row."""
        return tuple(self.numbers.values())

    def _knows(self, *names: str) -> bool:
        """Return whether its record has all of these arguments."""
        return {*names} <= {field.name for field in fields(cast(Any, self.record))}

    @property
    def is_clipped(self) -> bool:
        """Whether values beyond a range count as its end."""
        return not self.record.is_choice and self._knows("low")

    @property
    def has_record_number(self) -> bool:
        """Whether the guarantee assumes that the number of records is no secret, unless a row hides it."""
        return not self.record.is_choice and self._knows("n_records")

    @property
    def may_hide_records(self) -> bool:
        """Whether a row may say that its number of records is not public."""
        return self._knows("is_n_public")

    @property
    def has_cells(self) -> bool:
        """Whether its first number is that of its cells, which can have a joint error."""
        return self._knows("n_cells", "is_joint") and "n_cells" in self.numbers

    @property
    def cap(self) -> Quantity | None:
        """The limit on what a person adds in all, or in each of several years; None where there is none."""
        if self._knows("records_per_person"):
            return MOST_RECORDS
        return (MOST_IN_GROUPS if self.has_threshold else CAP) if self._knows("cap") else None

    @property
    def counts_records(self) -> bool:
        """Whether a limit in all is one on records, of each of which the statistic has one value."""
        return self.cap is MOST_RECORDS

    @property
    def has_years_of_records(self) -> bool:
        """Whether a record, and not the cell that it is in, says of which year it is."""
        return self.counts_records or self.record in (plan.Histogram, plan.UnknownGroups)

    @property
    def is_computed(self) -> bool:
        """Whether its numbers are those that the user computes, and not counted in a file."""
        return self.program is programs.own

    @property
    def has_threshold(self) -> bool:
        """Whether a part of δ is for its threshold."""
        return self._knows("threshold_delta")
