"""The sections of a page: what each shows at one setting, as a list of parts. No Streamlit, no layout of its own."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.kinds import Parameter

F = TypeVar("F")


@dataclass(frozen=True)
class Field:
    """A parameter that can be changed where it stands, with a label of its own where the parameter has none."""

    parameter: Parameter
    label: str = ""
    help: str = ""


@dataclass(frozen=True)
class Fields:
    """Fields between the exhibits, beside each other: what changes only what stands below them."""

    fields: Sequence[Field | Parameter]


@dataclass(frozen=True)
class Row:
    """Parts that stand beside each other where there is room; those that are None are left out."""

    parts: Sequence[Exhibit | str | None]


@dataclass(frozen=True)
class ReportEntry:
    """An item of a list that is put in order where it stands: its place of so many from 0, its note, what it shows.

    `heading` says what it is, `source` where it is from, and `link` is the address of that.
    """

    position: int
    total: int
    heading: str
    source: str
    link: str
    note: str
    parts: Sequence["Part"]


@dataclass(frozen=True)
class Files:
    """What can be saved of a page as a whole: the names of its files, or a sentence why there are none now."""

    names: Sequence[str]
    missing: str = ""


@dataclass(frozen=True)
class Card:
    """A question with one small picture and the sentence that answers it; all of it is a link to another page."""

    question: str
    link: str
    answer: str
    picture: Exhibit


@dataclass(frozen=True)
class Cards:
    """Cards in a grid, and words in Markdown that stand like one."""

    cards: Sequence[Card | str]


Part = Exhibit | Fields | Row | Cards | ReportEntry | Files | str | None
"""A picture or table, fields, words in Markdown, an item of a list, files, or several together; None is nothing."""


def exhibits_in(parts: Iterable[Part]) -> Iterator[Exhibit]:
    """The charts and tables of a section, those beside each other, in cards and in a list too."""
    for part in parts:
        if isinstance(part, Exhibit):
            yield part
        elif isinstance(part, Row | ReportEntry):
            yield from exhibits_in(part.parts)
        elif isinstance(part, Cards):
            yield from (card.picture for card in part.cards if isinstance(card, Card))


def always(_: object) -> bool:
    """Whether a section is there that is, whatever the setting."""
    return True


@dataclass(frozen=True)
class Section(Generic[F]):
    """One view of a page; its key and name are an option of the page's parameter `section`.

    `strip` are the parameters that change what it shows, `parts` what it shows, the lead picture first, and `there`
    whether it has anything to show: without that its link is not drawn.
    """

    controls: Callable[[F], Sequence[Field | Parameter]]
    parts: Callable[[F, Colours], Iterable[Part]]
    is_available: Callable[[F], bool] = always


Sections = Mapping[str, Section[Any]]
