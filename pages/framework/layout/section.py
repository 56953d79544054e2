"""The sections of a page: what each shows at one setting, as a list of parts. No Streamlit, no layout of its own."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar, runtime_checkable

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.code_panel import Snippet
from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.kinds import Choice, Parameter, PartlyUsableError

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


def is_always_available(_: object) -> bool:
    """Return True: most sections have something to show at every setting."""
    return True


def no_answer(_: object) -> tuple[str, ...]:
    """Return no sentence, for a section without an answer."""
    return ()


def no_explanation(_: object) -> str:
    """Return no explanation, for a section that computes nothing of its own."""
    return ""


def no_claims(_: object) -> tuple[Claim, ...]:
    """Return no guarantee, for a section that states none."""
    return ()


def no_snippets(_: object) -> tuple[Snippet, ...]:
    """Return no program, for a section whose answer has none."""
    return ()


@runtime_checkable
class SectionResult(Protocol):
    """What a page computes at one setting: it knows the key of the section that is open."""

    @property
    def section(self) -> str:
        """The key of the open section."""
        ...


@dataclass(frozen=True, kw_only=True)
class Section(Generic[F]):
    """One section of a page, as functions of the result that the page computes at one setting.

    `key` names the section in the link and `name` on the screen. `controls` are the parameters that change its lead
    picture, and `parts` is what it shows, the lead picture first. `answer_text` is its answer, `explanation` says in
    Markdown with TeX how its numbers are computed, and `exhibits` makes each of its charts and tables, for exports.
    `claims` are the guarantees that "Verify" proves, and `snippets` the answer in lines of code. A section that is not
    available has no link. `retired` has, for each key that older links use for it, the sentence that tells so.
    """

    key: str
    name: str
    controls: Callable[[F], Sequence[Field | Parameter]]
    parts: Callable[[F, Colours], Iterable[Part]]
    is_available: Callable[[F], bool] = is_always_available
    answer_text: Callable[[F], tuple[str, ...]] = no_answer
    explanation: Callable[[F], str] = no_explanation
    exhibits: Sequence[Callable[[F, Colours], Exhibit | None]] = ()
    claims: Callable[[F], Iterable[Claim]] = no_claims
    snippets: Callable[[F], Sequence[Snippet]] = no_snippets
    retired: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SectionChoice(Choice):
    """The parameter that says which section is open; `retired` has a sentence for each key of older links."""

    retired: Mapping[str, str] = field(default_factory=dict)

    def read(self, entry: str) -> str:
        """Return the key of a section.

        Raises
        ------
        PartlyUsableError
            if the key is one that only older links have: with the sentence that tells so.
        ValueError
            if no section ever had this key.
        """
        if entry in self.retired:
            raise PartlyUsableError(self.default, [self.retired[entry]])
        return super().read(entry)
