"""What a parameter is, and what a page knows of it at one run: its reading, and the corrections of its text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

Values = dict[str, Any]  # the value of every parameter of a page, by key


class Parameter(Protocol):
    """A parameter of a page, whose text the link and the session contain: `read` returns its value."""

    @property
    def key(self) -> str:
        """Return its name in the link."""
        ...

    @property
    def symbol(self) -> str:
        """Return its name in a sentence."""
        ...

    @property
    def default(self) -> str:
        """Return its default text."""
        ...

    @property
    def allowed(self) -> str:
        """Return its allowed values in words."""
        ...

    def read(self, entry: str) -> Any:
        """Return the value of a text; raise ValueError if it has none."""
        ...


class HoldsData(Parameter, Protocol):
    """A parameter whose text may contain the user's own data, because the user included them in the link."""

    def data_in(self, entry: str) -> str:
        """Return the name of the user's own data that a text contains; an empty text for none."""
        ...


def holds_data(parameter: Parameter) -> TypeGuard[HoldsData]:
    """Return whether the text of a parameter may contain the user's own data."""
    return hasattr(parameter, "data_in")  # of each parameter in each run; `isinstance` of a protocol is slow


class HasOlderDefault(Parameter, Protocol):
    """A parameter whose default once was another one, which citations and items of reports left out."""

    @property
    def older_default(self) -> str:
        """Return that default; an empty text where there is none."""
        ...


def has_older_default(parameter: Parameter) -> TypeGuard[HasOlderDefault]:
    """Return whether the default of a parameter once was another one."""
    return bool(getattr(parameter, "older_default", ""))


class HasRetiredKeys(Parameter, Protocol):
    """A parameter that names keys which its page once had: older links may have them, and they are ignored."""

    @property
    def retired_keys(self) -> tuple[str, ...]:
        """Return the keys."""
        ...


def has_retired_keys(parameter: Parameter) -> TypeGuard[HasRetiredKeys]:
    """Return whether a parameter names such keys."""
    return hasattr(parameter, "retired_keys")


class HasFormerTexts(Parameter, Protocol):
    """A parameter of which older links have texts that are now those of several parameters."""

    @property
    def former(self) -> Mapping[str, Mapping[str, str]]:
        """Return for each of these texts those that stand for it now, by the keys of their parameters."""
        ...


def has_former_texts(parameter: Parameter) -> TypeGuard[HasFormerTexts]:
    """Return whether older links have such texts of a parameter."""
    return hasattr(parameter, "former")


class HasFormerKey(Parameter, Protocol):
    """A parameter that older links have under another key, with another text for the same value."""

    @property
    def former_key(self) -> str:
        """Return that key."""
        ...

    def from_former(self, entry: str) -> str:
        """Return the text that now stands for a text of older links."""
        ...


def has_former_key(parameter: Parameter) -> TypeGuard[HasFormerKey]:
    """Return whether older links have a parameter under another key."""
    return hasattr(parameter, "former_key")


class PartlyUsableError(ValueError):
    """A part of a text cannot be used: `problems` are the sentences on it, and `entry` is used instead."""

    def __init__(self, usable: str, problems: list[str]) -> None:
        super().__init__(usable)
        self.entry = usable
        self.problems = problems


class PartError(ValueError):
    """A text cannot be used because of one part: the message says which part, and what it may be."""


@dataclass(frozen=True)
class Reading:
    """A parameter at one run of a page: the text that is entered, the text that is used, and its value.

    `problem` is the sentence on what of the entered text cannot be used, empty if all of it can.
    """

    entry: str
    used: str
    value: Any
    problem: str = ""


@dataclass(frozen=True)
class Correction:
    """A text that replaces that of a parameter which cannot be used together with others, and a sentence on that.

    What was entered comes back when the others change, unless the correction is one `of_entry`, which it replaces too.
    """

    key: str
    used: str
    problem: str
    of_entry: bool = False


Correct = Callable[[Values], list[Correction]]


def no_corrections(_: Values) -> list[Correction]:
    """Return no correction, for a page whose parameters can always be used together."""
    return []


@dataclass(frozen=True)
class Search:
    """A search by name for the text of a parameter that is a place, from 1 on, in a list of `n_items`.

    `n_shown` of them are in sight from that place on. `matches` returns the places and names that fit a typed text.
    """

    n_items: int
    n_shown: int
    matches: Callable[[str], list[tuple[str, str]]]


def excerpt(entry: str) -> str:
    """Return an untrusted text on one line, cut to a length that fits into a sentence."""
    line = " ".join(entry.split())
    return line if len(line) <= 40 else line[:40] + "…"
