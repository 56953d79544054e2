"""The kinds of parameter. One is a text, typed in its field or held by the link; `read` makes its value of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pages.framework.parameters import number_format, number_parser

Values = dict[str, Any]  # the value of every parameter of a page, by key


class Parameter(Protocol):
    """What the link and the session hold a text of: `read` makes its value, or raises ValueError."""

    @property
    def key(self) -> str:
        """Its name in the link."""
        ...

    @property
    def symbol(self) -> str:
        """Its name in a sentence."""
        ...

    @property
    def default(self) -> str:
        """The text to begin with."""
        ...

    @property
    def allowed(self) -> str:
        """What it may be, in words."""
        ...

    def read(self, entry: str) -> Any:
        """Return the value that a text means; ValueError if it means none."""
        ...


@runtime_checkable
class HoldsData(Protocol):
    """A parameter whose text may hold data of the user's own, because the user included them in the link."""

    def data_in(self, entry: str) -> str:
        """Return what data of the user's own a text holds, in words; an empty text for none."""
        ...


class PartlyUsableError(ValueError):
    """Part of a text can't be used: the sentences that say so, and the text that is used instead."""

    def __init__(self, usable: str, problems: list[str]) -> None:
        super().__init__(usable)
        self.entry = usable
        self.problems = problems


class PartError(ValueError):
    """A part of a text can't be used, and so nothing of it: the sentence says which part, and what it may be."""


@dataclass(frozen=True)
class Reading:
    """A parameter as a run of the page has it: the text that is entered, the one that is used, and its value.

    `problem` is the sentence on what of the entered text can't be used, empty if all of it can.
    """

    entry: str
    used: str
    value: Any
    problem: str = ""


@dataclass(frozen=True)
class Correction:
    """What a page can't use together with its other parameters: the text used instead, and a sentence on that."""

    key: str
    used: str
    problem: str


Correct = Callable[[Values], list[Correction]]


def no_corrections(_: Values) -> list[Correction]:
    """What a page needs whose parameters all go together."""
    return []


def read_text(parameter: Parameter, entry: str, good: str) -> Reading:
    """Read a text; where it can't be used, the last good one is."""
    try:
        return Reading(entry, entry, parameter.read(entry))
    except ValueError as error:
        problem = f"{_refusal(parameter, entry, error)} {good} is used instead."
        return Reading(entry, good, parameter.read(good), problem)


def problem(parameter: Parameter, entry: str) -> str | None:
    """Say what is wrong with a text, or return None if it can be used."""
    try:
        parameter.read(entry)
    except ValueError as error:
        return _refusal(parameter, entry, error)
    return None


def _refusal(parameter: Parameter, entry: str, error: ValueError) -> str:
    name = f"{parameter.symbol} ({parameter.key})"
    if isinstance(error, (number_parser.AmbiguousError, PartError)):
        return f"{name}: {error}"
    return f"{name} must be {parameter.allowed}; {refused_text(entry, error)}."


def refused_text(entry: str, error: ValueError) -> str:
    """Say what was given, and why it is not a number that can be used, if that is what is wrong with it.

    >>> refused_text("7", ValueError()), refused_text("", number_parser.NumberError("is not a number"))
    ('7 was given', 'nothing was given')
    >>> refused_text("abc", number_parser.NumberError("is not a number"))
    'abc was given, which is not a number'
    """
    line = excerpt(entry)
    reason = f", which {error}" if line and isinstance(error, number_parser.NumberError) else ""
    return f"{line or 'nothing'} was given{reason}"


def excerpt(entry: str) -> str:
    """Return a stranger's text on one line and short enough to print."""
    line = " ".join(entry.split())
    return line if len(line) <= 40 else line[:40] + "…"


def is_inside(value: float, limits: str) -> bool:
    """Return whether a number lies in an interval, written as in a textbook; NaN lies in none.

    >>> is_inside(0, "[0, 1)"), is_inside(1, "[0, 1)"), is_inside(1e300, "(0, inf)"), is_inside(float("nan"), "[0, 1]")
    (True, False, True, False)
    """
    low, high = (float(end) for end in limits[1:-1].split(","))
    return low < value < high or (value == low and limits[0] == "[") or (value == high and limits[-1] == "]")


def steps(first: int, last: int, mantissas: tuple[str, ...]) -> tuple[str, ...]:
    """The texts of a rounded log scale from 10^first to 10^last."""
    values = [float(f"{mantissa}e{decade}") for decade in range(first, last) for mantissa in mantissas]
    return tuple(number_format.format_nearest(step).replace(",", "") for step in (*values, 10.0**last))


@dataclass(frozen=True)
class Quantity:
    """A number that is typed exactly or, if there are steps in `scale`, moved on a rounded log scale.

    `short` is its name beside its slider, where `symbol` is too long for that.
    """

    key: str
    symbol: str
    label: str
    limits: str
    default: str
    help: str = ""
    ends: str = ""
    scale: tuple[str, ...] = ()
    whole: bool = False
    short: str = ""

    @property
    def allowed(self) -> str:
        """The range in words."""
        return (
            f"a whole number {number_format.interval(self.limits)}"
            if self.whole
            else number_format.interval(self.limits)
        )

    def read(self, entry: str) -> float:
        """Return the number that a text means; ValueError if it is none or out of range."""
        value = number_parser.parse_number(entry)
        if not is_inside(value, self.limits) or (self.whole and not value.is_integer()):
            raise ValueError(entry)
        return value


@dataclass(frozen=True)
class Choice:
    """One of a few named options."""

    key: str
    symbol: str
    options: dict[str, str]
    default: str

    @property
    def allowed(self) -> str:
        """The options in words."""
        return "one of " + ", ".join(self.options)

    def read(self, entry: str) -> str:
        """Return the option that a text names; ValueError if there is none."""
        if entry not in self.options:
            raise ValueError(entry)
        return entry


@dataclass(frozen=True)
class NumberList:
    """Numbers of one quantity apart by commas or semicolons; each once, unless they may repeat."""

    key: str
    symbol: str
    quantity: Quantity
    default: str
    max_numbers: int
    may_repeat: bool = False

    @property
    def allowed(self) -> str:
        """The form in words."""
        different = "" if self.may_repeat else "different "
        return f"1 to {self.max_numbers} {different}numbers apart by commas, each {self.quantity.allowed}"

    def read(self, entry: str) -> tuple[float, ...]:
        """Return the numbers in the order given; ValueError if there are none, too many, or one can't be used."""
        parts = number_parser.split_list(entry)
        if len(parts) > self.max_numbers:
            raise ValueError(entry)
        if len(parts) == 1:
            return (self.quantity.read(entry),)
        values = tuple(self._number_at(place, part) for place, part in enumerate(parts, 1))
        for place, value in enumerate(values):
            if value in values[:place] and not self.may_repeat:
                raise PartError(f"number {place + 1} must differ from those before; {excerpt(parts[place])} was given.")
        return values

    def _number_at(self, place: int, part: str) -> float:
        try:
            return self.quantity.read(part)
        except number_parser.AmbiguousError as error:
            raise PartError(f"number {place}: {error}") from None
        except ValueError as error:
            raise PartError(f"number {place} must be {self.quantity.allowed}; {refused_text(part, error)}.") from None


@dataclass(frozen=True)
class FreeText:
    """A short text of the user's own, such as the unit of the query; with `lines` it may have several."""

    key: str
    symbol: str
    default: str
    most: int = 30
    least: int = 1
    lines: bool = False

    @property
    def allowed(self) -> str:
        """The form in words."""
        return f"a text of {self.least} to {self.most} printable characters"

    def read(self, entry: str) -> str:
        """Return the text without spaces around it; ValueError if it is too short or long or can't be printed."""
        words = entry.strip()
        printed = words.replace("\n", " ") if self.lines else words
        if not self.least <= len(words) <= self.most or not printed.isprintable():
            raise ValueError(entry)
        return words
