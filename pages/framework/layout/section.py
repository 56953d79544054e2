"""The record of a section of a page, and the parts of which its layout consists. It does not depend on Streamlit."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Generic, TypeVar

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.offers import Downloads, Invitation, Statements, no_offer
from pages.framework.parameters.parameter import Parameter, Search
from pages.framework.site import PageEntry

F = TypeVar("F")


@dataclass(frozen=True)
class FieldLink:
    """A link beside a field to the fields for the user's own data below: its label, and the key of those fields.

    They open too when the user chooses `option` while the session has no own data in `slot`.
    """

    label: str
    key: str
    option: str
    slot: str


@dataclass(frozen=True)
class Field:
    """A field that changes a parameter, with a label of its own if the parameter has none.

    `options` are the names of a choice in this field, where they differ from those of its parameter. A question is a
    choice without a default, which is not among the options. A `search` finds the text of the parameter by a name.
    `instead` is what is used in the place of a text that cannot be used here, with that text, as a report says it.
    """

    parameter: Parameter
    label: str = ""
    help: str = ""
    link: FieldLink | None = None
    value: float | None = None
    options: Mapping[str, str] | None = None
    is_question: bool = False
    search: Search | None = None
    instead: str = ""


@dataclass(frozen=True)
class Done:
    """A button below fields that sets a parameter to a text: what the fields ask for has been entered."""

    parameter: Parameter
    text: str
    name: str


@dataclass(frozen=True)
class Fields:
    """Fields side by side between the exhibits, whose parameters change only the parts below them, and their button."""

    fields: Sequence[Field | Parameter]
    done: Done | None = None


@dataclass(frozen=True)
class Row:
    """Parts that stand side by side if there is room; those that are None are omitted."""

    parts: Sequence[Exhibit | Fields | Invitation | str | None]


@dataclass(frozen=True)
class Fold:
    """Parts under one another which are one click away, under a name: what few readers want at first.

    `content` is those parts, or with charts and tables the function that makes them when the fold is opened.
    """

    content: Sequence[Fields | str | None] | Callable[[], Sequence[Exhibit | Fields | str | None]]
    name: str = ""

    @property
    def parts(self) -> Sequence[Exhibit | Fields | str | None]:
        """The parts, made now where they are not yet."""
        return self.content() if callable(self.content) else self.content


@dataclass(frozen=True)
class ReportEntry:
    """An item of a report, which can be moved and removed where it stands: its position from 0, its note and its parts.

    `heading` is its title, `source` names its page, and `link` is the address of that page.
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
    """The downloads of a page as a whole: the names of its files, or a sentence on why there are none at present."""

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
    """A grid of cards, and of texts in Markdown that have the place of a card."""

    cards: Sequence[Card | str]


@dataclass(frozen=True)
class Article:
    """A short text in Markdown under a name, and `more`, which is folded; a search finds it by `other_names` too."""

    key: str
    name: str
    text: str
    more: str = ""
    other_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Articles:
    """Articles with a search and an index; the parameter of the key `parameter` holds the key of the open one."""

    articles: Sequence[Article]
    parameter: str
    open_key: str = ""


Part = Exhibit | Fields | Invitation | Row | Fold | Cards | Articles | ReportEntry | Files | str | None
"""A chart or table, fields, a text in Markdown, articles, a report item, files, or several; None is omitted."""


def exhibits_in(parts: Iterable[Part]) -> Iterator[Exhibit]:
    """Yield the charts and tables of a section, including those in rows, cards and report items."""
    for part in parts:
        if isinstance(part, Exhibit):
            yield part
        elif isinstance(part, Row | Fold | ReportEntry):
            yield from exhibits_in(part.parts)
        elif isinstance(part, Cards):
            yield from (card.picture for card in part.cards if isinstance(card, Card))


@dataclass(frozen=True)
class Claim:
    """A guarantee: a probability that a page states to be at most `upper_bound`.

    `subject` names it in words, with the displayed digits, as in "δ(1) of σ = 4.225". `function` encloses it with
    `arguments`, those digits; without one, `reason` is a sentence on why it cannot be enclosed.
    `is_violated` means that the page itself says that it does not hold.
    """

    subject: str
    upper_bound: Decimal | float = 1.0
    function: Callable[..., Any] | None = field(default=None, repr=False)
    arguments: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    is_violated: bool = False


STEPS = "**What to do"
"""How a text begins that says what to do by the answer: a report has it below the answer."""


@dataclass(frozen=True)
class Snippet:
    """The program that computes the answer with one library.

    `code` is a complete program, empty if the library cannot express the question. `note` says what the program assumes
    and how it differs, or why there is none. `page_values` are this page's values of the numbers that it prints, one a
    line, if they are compared; in the tests each printed one was `min_ratio` to `max_ratio` times the page's value.
    """

    library: str
    code: str
    note: str
    page_values: tuple[float, ...] = ()
    min_ratio: float = 1.0
    max_ratio: float = 1.0


@dataclass(frozen=True)
class Condition:
    """A condition of an answer: the choice that changes it, its words, and whether it is known to be met.

    `state` is "assumed", "confirmed" or "denied"; `options` are the names of the choice in the menu of the words.
    """

    parameter: Parameter
    words: str
    state: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class Conditions:
    """What an answer rests on: conditions that are shown with it wherever it stands.

    `qualifier` ends the first sentence of the answer, such as ", if each person counts once". `refusal` has a headline,
    and a remedy that ends in the words before what the answer then is, where a condition is denied: the answer is not
    given as a guarantee. `note` is a further sentence.
    `questions`, in groups, are asked before there is an answer, under the sentences of `request`. `assumptions` are
    the words of further conditions, which no choice confirms.
    """

    items: tuple[Condition, ...]
    qualifier: str = ""
    refusal: tuple[str, str] | None = None
    note: str = ""
    questions: tuple[Fields, ...] = ()
    request: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()

    @property
    def words_by_state(self) -> tuple[tuple[str, str], ...]:
        """Return the words of every condition with its state: those of the choices, and then what is assumed."""
        return *((item.words, item.state) for item in self.items), *((words, "assumed") for words in self.assumptions)

    @property
    def lead(self) -> str:
        """Return the words before the list of conditions."""
        states = {state for _, state in self.words_by_state}
        return "Conditions:" if "denied" in states else "Holds only if" if "assumed" in states else "You confirmed:"

    @property
    def sentence(self) -> str:
        """Return the conditions in one sentence, for files, reports and programs.

        >>> from pages.shared.conditions import CURATOR
        >>> Conditions((Condition(CURATOR, "a trusted office adds the noise", "assumed", {}),)).sentence
        'Holds only if a trusted office adds the noise (assumed).'
        """
        if all(state == "confirmed" for _, state in self.words_by_state):  # as the lead says already
            return f"{self.lead} {'; '.join(words for words, _ in self.words_by_state)}."
        names = {"denied": "not met"}
        return (
            f"{self.lead} {'; '.join(f'{words} ({names.get(state, state)})' for words, state in self.words_by_state)}."
        )


def is_always_available(_: object) -> bool:
    """Return True: most sections have something to show at every setting."""
    return True


def no_entries(_: object) -> tuple[()]:
    """Return nothing, for a section without an answer, without more settings, or that states no guarantee."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Section(Generic[F]):
    """One section of a page, as functions of the result that the page computes at one setting.

    `key` names the section in the link and `name` on the screen. `controls` are the parameters that change its lead
    picture, and `more_settings` those of them that few users change: their fields are folded under the others. `idle`
    are parameters whose texts it does not use, as it solves for them: a report does not list them. `parts` is what it
    shows, the lead picture first. `answer_text` is its answer, `explanation` says in Markdown with TeX how its numbers
    are computed, and `exhibits` makes each of its charts and tables, for exports. `claims` are the
    guarantees that "Verify" proves, `snippets` the answer in lines of code, and `statements` the answer in three
    lengths for "Say it", None where nothing can be stated; `has_statements` says whether there are any, where making
    them takes long. `conditions` are those of its answer, None where it has no answer, and `aim` is a sentence below
    the answer on what the section is for. `downloads` are files that it offers at its end. A section has a tab where it
    is available. Its conditions are about its `subject`: what was answered on those of another page, or of a section
    with another subject, does not hold for it. `retired` has, for each key that older links use for it, the sentence
    that says so, and `former` for each section that became a part of it the texts of parameters that open that part.
    """

    key: str
    name: str
    controls: Callable[[F], Sequence[Field | Parameter]]
    parts: Callable[[F, Colours], Iterable[Part]]
    more_settings: Callable[[F], Sequence[Field | Parameter]] = no_entries
    idle: Callable[[F], Sequence[Parameter]] = no_entries
    is_available: Callable[[F], bool] = is_always_available
    answer_text: Callable[[F], tuple[str, ...]] = no_entries
    explanation: Callable[[F], str] = lambda _: ""
    exhibits: Sequence[Callable[[F, Colours], Exhibit | None]] = ()
    claims: Callable[[F], Iterable[Claim]] = no_entries
    snippets: Callable[[F], Iterable[Snippet]] = no_entries
    statements: Callable[[F], Statements | None] = no_offer
    has_statements: Callable[[F], bool] | None = None
    conditions: Callable[[F], Conditions | None] = no_offer
    downloads: Callable[[F], Downloads | None] = no_offer
    aim: str = ""
    subject: str = ""
    retired: Mapping[str, str] = field(default_factory=dict)
    former: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def all_controls(self, result: F) -> tuple[Field | Parameter, ...]:
        """Return the controls and then the more settings: all fields beside the lead picture."""
        return (*self.controls(result), *self.more_settings(result))

    def can_state(self, result: F) -> bool:
        """Return whether it has statements, without making them where that takes long."""
        return self.statements(result) is not None if self.has_statements is None else self.has_statements(result)


@dataclass(frozen=True)
class MovedSection:
    """The page to which a section has moved, the key that it has there, and the keys of its parameters there.

    `entries` turns the parameters of an old link into those of the new page, where they are not the same; `exhibits`
    has the new names of exhibits. The other parameters of an old link are those of sections that have not moved, except
    for those of every page.
    """

    page: PageEntry
    section: str
    keys: tuple[str, ...] = ()
    entries: Callable[[Mapping[str, list[str]]], Mapping[str, list[str]]] = dict
    exhibits: Mapping[str, str] = field(default_factory=dict)
