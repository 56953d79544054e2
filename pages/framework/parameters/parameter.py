"""What a parameter is, and what a page knows of it at one run: its reading, and the corrections of its text."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

Values = dict[str, Any]  # the value of every parameter of a page, by key


class Parameter(ABC):
    """A kind of parameter: `key` is its name in the link, `symbol` that in a sentence, and `default` its first text.

    What older links have of it: `older_default` is the default that it once had, which citations and items of reports
    left out; `former` has texts which now are those of several parameters, with these by key; `former_key` is another
    key, under which `from_former` reads its text; `retired_keys` are keys that its page once had, which are ignored.
    """

    key: str
    symbol: str
    default: str
    older_default: str = ""
    former: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    former_key: str = ""
    retired_keys: tuple[str, ...] = ()

    @property
    @abstractmethod
    def allowed(self) -> str:
        """Return its allowed values in words."""

    @abstractmethod
    def read(self, entry: str) -> Any:
        """Return the value of a text; raise ValueError if it has none."""

    def from_former(self, entry: str) -> str:
        """Return the text that now stands for a text under the former key."""
        return entry

    def data_in(self, _entry: str) -> str:
        """Return the name of the user's own data that a text contains, as they asked for; an empty text for none."""
        return ""


def holds_data(parameter: Parameter) -> bool:
    """Return whether the text of a parameter may contain the user's own data."""
    return type(parameter).data_in is not Parameter.data_in


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
