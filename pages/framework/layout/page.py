"""What a page is made of: its parameters, what follows from them, and how that is shown, said and saved."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Generic, TypeVar

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout import code_panel, verify_panel
from pages.framework.layout.code_panel import Snippet
from pages.framework.layout.page_entry import PageEntry
from pages.framework.layout.section import Section, SectionChoice, SectionResult, Sections
from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.kinds import Correct, Parameter, no_corrections

F = TypeVar("F")


@dataclass(frozen=True)
class AnswerButton(Generic[F]):
    """A button beside the answer, and what it opens below it: HTML of what was found, made when it is asked for."""

    name: str
    html: Callable[[F], str]


@dataclass(frozen=True)
class Page(Generic[F]):
    """A page as functions of its link.

    `parameters` are its own parameters beside those of every page, and `correct` finds those that do not go together.
    `compute` makes the result from the values of all parameters, and from files and pasted texts that no link has.
    `sections` are its sections in their order. `files` are what can be saved of the page as a whole, by name, given the
    address at which the app is open. `parameters_with_data` gives the parameters where files and pasted texts are
    there that they may name.
    """

    entry: PageEntry
    parameters: tuple[Parameter, ...]
    compute: Callable[..., F]
    sections: Sequence[Section[F]] | Sections
    answer: Callable[[F], tuple[str, ...]] | None = None
    exhibits: Sequence[Callable[[F, Colours], Exhibit | None]] = ()
    correct: Correct = no_corrections
    explanation: Callable[[F], str] | None = None
    claims: Callable[[F], Iterable[Claim]] | None = None
    snippets: Callable[[F], Sequence[Snippet]] | None = None
    files: Mapping[str, Callable[[F, str], bytes]] = field(default_factory=dict)
    parameters_with_data: Callable[..., tuple[Parameter, ...]] | None = None

    @property
    def own_parameters(self) -> tuple[Parameter, ...]:
        """The parameters that this page has and not every page: which section is open, and those of the sections."""
        return (*((choice,) if (choice := self._section_choice()) else ()), *self.parameters)

    @property
    def section_by_key(self) -> Mapping[str, Section[F]]:
        """The sections by their keys."""
        if isinstance(self.sections, Mapping):
            return self.sections
        return {section.key: section for section in self.sections}

    def answer_text(self, result: F) -> tuple[str, ...]:
        """Return the sentences that answer the question of the open section."""
        return self.answer(result) if self.answer is not None else self._open_section(result).answer_text(result)

    def explanation_text(self, result: F) -> str:
        """Return how the numbers of the open section are computed, in Markdown with TeX."""
        if self.explanation is not None:
            return self.explanation(result)
        return "" if self.answer is not None else self._open_section(result).explanation(result)

    def claims_of(self, result: F) -> tuple[Claim, ...]:
        """Return the guarantees of the answer and of the open section, which "Verify" proves."""
        claims = self.claims or self._open_section(result).claims
        return () if claims is None else tuple(claims(result))

    def snippets_of(self, result: F) -> tuple[Snippet, ...]:
        """Return the answer of the open section in lines of code."""
        snippets = self.snippets or self._open_section(result).snippets
        return () if snippets is None else tuple(snippets(result))

    def all_exhibits(self) -> tuple[Callable[[F, Colours], Exhibit | None], ...]:
        """Return what makes each chart and table of the page, of every section."""
        in_sections = (exhibit for section in self.section_by_key.values() for exhibit in section.exhibits)
        return tuple(dict.fromkeys((*self.exhibits, *in_sections)))

    def with_uploads(self, uploads: tuple[Any, ...]) -> "Page[F]":
        """Return the page beside files and pasted texts that no link has."""
        if self.parameters_with_data is None or not uploads:
            return self
        return replace(self, parameters=self.parameters_with_data(*uploads))

    @property
    def has_claims(self) -> bool:
        """Whether a section of the page states guarantees that "Verify" proves."""
        return self.claims is not None or any(section.claims for section in self.section_by_key.values())

    @property
    def has_snippets(self) -> bool:
        """Whether a section of the page has its answer in lines of code."""
        return self.snippets is not None or any(section.snippets for section in self.section_by_key.values())

    @property
    def answer_buttons(self) -> dict[str, AnswerButton[F]]:
        """The buttons beside the answer, by key."""
        buttons = {}
        if self.has_claims:
            buttons["verify"] = AnswerButton[F]("Verify", lambda result: verify_panel.panel(self.claims_of(result)))
        if self.has_snippets:
            buttons["code"] = AnswerButton[F]("Code", lambda result: code_panel.html(self.snippets_of(result)))
        return buttons

    def _section_choice(self) -> SectionChoice | None:
        sections = () if isinstance(self.sections, Mapping) else self.sections
        if len(sections) < 2:
            return None
        retired = {key: sentence for section in sections for key, sentence in section.retired.items()}
        names = {section.key: section.name for section in sections}
        return SectionChoice("section", "section", names, sections[0].key, retired)

    def _open_section(self, result: F) -> Section[F]:
        key = result.section if isinstance(result, SectionResult) else next(iter(self.section_by_key))
        return self.section_by_key[key]


def load_page(entry: PageEntry) -> Page[Any]:
    """Return the record of a page, whose modules are imported when it is first needed."""
    return import_module(f"pages.{entry.topic or 'start'}.page").PAGE
