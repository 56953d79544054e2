"""The record of a page: its parameters, its computation and its sections."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Generic, TypeVar

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout import code_panel, verify_panel
from pages.framework.layout.code_panel import Snippet
from pages.framework.layout.page_entry import PageEntry
from pages.framework.layout.section import (
    MovedSection,
    Section,
    SectionChoice,
    SectionResult,
    no_claims,
    no_snippets,
)
from pages.framework.layout.verify_panel import Claim
from pages.framework.link import COMMON_PARAMETERS
from pages.framework.parameters.kinds import Correct, Parameter, no_corrections
from pages.framework.parameters.pin import Pin

F = TypeVar("F")


@dataclass(frozen=True)
class AnswerButton(Generic[F]):
    """A button beside the answer, the HTML of its panel, rendered on demand, and whether that has any content."""

    name: str
    html: Callable[[F], str]
    has_content: Callable[[F], bool]


@dataclass(frozen=True)
class Page(Generic[F]):
    """A page as functions of its link.

    `parameters` are those that its sections have beside the parameters of every page, and `correct` corrects those
    that do not go together. `compute` returns the result for the values of all parameters, and for files and pasted
    texts that no link contains. `sections` are its sections in their order. `files` render the files of the page as a
    whole, by name, given the address at which the app is open. `parameters_with_data` returns the parameters of a page
    with uploads, which they may name. `moved_sections` has, for each key that older links use for a section that moved
    to another page, that page: such a link opens it at the same setting.
    """

    entry: PageEntry
    parameters: tuple[Parameter, ...]
    compute: Callable[..., F]
    sections: Sequence[Section[F]]
    correct: Correct = no_corrections
    files: Mapping[str, Callable[[F, str], bytes]] = field(default_factory=dict)
    parameters_with_data: Callable[..., tuple[Parameter, ...]] | None = None
    moved_sections: Mapping[str, MovedSection] = field(default_factory=dict)

    @property
    def own_parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters that not every page has: the open section, and the parameters of the sections."""
        if len(self.sections) < 2:
            return self.parameters
        retired = {key: sentence for section in self.sections for key, sentence in section.retired.items()}
        names = {section.key: section.name for section in self.sections}
        return (SectionChoice("section", "section", names, self.sections[0].key, retired), *self.parameters)

    @property
    def section_by_key(self) -> Mapping[str, Section[F]]:
        """Return the sections by their keys."""
        return {section.key: section for section in self.sections}

    def open_section(self, result: F) -> Section[F]:
        """Return the section that is open where a result was computed."""
        key = result.section if isinstance(result, SectionResult) else self.sections[0].key
        return self.section_by_key[key]

    def answer_text(self, result: F) -> tuple[str, ...]:
        """Return the sentences that answer the question of the open section."""
        return self.open_section(result).answer_text(result)

    def explanation_text(self, result: F) -> str:
        """Return how the numbers of the open section are computed, in Markdown with TeX."""
        return self.open_section(result).explanation(result)

    def claims_of(self, result: F) -> tuple[Claim, ...]:
        """Return the guarantees of the answer of the open section, which "Verify" proves."""
        return tuple(self.open_section(result).claims(result))

    def snippets_of(self, result: F) -> tuple[Snippet, ...]:
        """Return the answer of the open section in lines of code."""
        return tuple(self.open_section(result).snippets(result))

    def all_exhibits(self) -> tuple[Callable[[F, Colours], Exhibit | None], ...]:
        """Return the functions that make the charts and tables of the page, of all sections."""
        return tuple(dict.fromkeys(exhibit for section in self.sections for exhibit in section.exhibits))

    def with_uploads(self, uploads: tuple[Any, ...]) -> "Page[F]":
        """Return the page with the parameters that it has for these uploads."""
        if self.parameters_with_data is None or not uploads:
            return self
        return replace(self, parameters=self.parameters_with_data(*uploads))

    @property
    def has_claims(self) -> bool:
        """Whether a section of the page states guarantees that "Verify" proves."""
        return any(section.claims is not no_claims for section in self.sections)

    @property
    def has_snippets(self) -> bool:
        """Whether a section of the page has its answer in lines of code."""
        return any(section.snippets is not no_snippets for section in self.sections)

    @property
    def answer_buttons(self) -> dict[str, AnswerButton[F]]:
        """Return the buttons beside the answer, by key."""
        buttons = {}
        if self.has_claims:
            buttons["verify"] = AnswerButton[F](
                "Verify",
                lambda result: verify_panel.panel(self.claims_of(result)),
                lambda result: bool(self.claims_of(result)),
            )
        if self.has_snippets:
            buttons["code"] = AnswerButton[F](
                "Code",
                lambda result: code_panel.html(self.snippets_of(result)),
                lambda result: any(snippet.code for snippet in self.snippets_of(result)),
            )
        return buttons

    def offers(self, result: F) -> dict[str, str]:
        """Return the names of the buttons beside the answer that have something to open, by key."""
        return {key: button.name for key, button in self.answer_buttons.items() if button.has_content(result)}


def load_page(entry: PageEntry) -> Page[Any]:
    """Return the record of a page, whose modules are imported when it is first needed."""
    return import_module(f"pages.{entry.topic or 'start'}.page").PAGE


Query = Mapping[str, list[str]]
"""The texts of each parameter in a link, by key."""


def redirected_link(page: PageEntry, query: Query) -> tuple[PageEntry, Query]:
    """Return the page and the parameters that a link opens: its own, or those of the page to which its section moved.

    Parameters of other sections of the old page are left out, in the pinned setting too.
    """
    moved = load_page(page).moved_sections.get(query.get("section", [""])[-1].strip())
    if moved is None:
        return page, query
    keys = {*moved.keys, *(parameter.key for parameter in COMMON_PARAMETERS)}
    entries = {key: texts for key, texts in query.items() if key in keys}
    for pin in load_page(moved.page).own_parameters:
        if isinstance(pin, Pin) and pin.key in query:
            entries[pin.key] = [pin.known_text(entry) for entry in query[pin.key]]
    return moved.page, entries | {"section": [moved.section]}
