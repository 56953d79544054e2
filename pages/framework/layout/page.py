"""The record of a page: its parameters, its computation and its sections."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from importlib import import_module
from itertools import chain
from typing import Any, Generic, TypeVar

from pages.framework import link
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.offers import Statements, no_offer
from pages.framework.layout.section import (
    Claim,
    Conditions,
    Field,
    Fold,
    MovedSection,
    Part,
    Row,
    Section,
    Snippet,
    exhibits_in,
    no_entries,
)
from pages.framework.parameters.kinds import Choice, Pin
from pages.framework.parameters.number_format import uncapitalized
from pages.framework.parameters.parameter import (
    Correct,
    Parameter,
    PartlyUsableError,
    Reading,
    Values,
    excerpt,
    no_corrections,
)
from pages.framework.rendering.uploaded_files import NO_UPLOADS, UploadedFiles
from pages.framework.site import PageEntry, site

F = TypeVar("F")
R = TypeVar("R")
NO_GUARANTEE = (
    "**✗ All that this page shows is for the case that the conditions hold.** One of them does not hold: nothing here "
    "is a guarantee for your release."
)


@dataclass(frozen=True)
class SectionChoice(Choice):
    """The parameter that says which section is open.

    `retired` has a sentence for each key of older links, and `former` what a link to a section that was merged opens.
    """

    retired: Mapping[str, str] = field(default_factory=dict)
    former: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def read(self, entry: str) -> str:
        """Return the key of a section; PartlyUsableError says if only older links have it, or no section ever had."""
        if entry in self.retired:
            raise PartlyUsableError(self.default, [self.retired[entry]])
        if entry not in self.options:
            name = excerpt(entry) or "without a name"
            problem = f"This page has no section {name}; “{self.options[self.default]}” is open."
            raise PartlyUsableError(self.default, [problem])
        return super().read(entry)


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
    files: Mapping[str, Callable[[F, str, Mapping[str, str]], bytes]] = field(default_factory=dict)
    parameters_with_data: Callable[..., tuple[Parameter, ...]] | None = None
    moved_sections: Mapping[str, MovedSection] = field(default_factory=dict)

    @property
    def own_parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters that not every page has: the open section, and the parameters of the sections."""
        former = {key: {**texts, "section": s.key} for s in self.sections for key, texts in s.former.items()}
        if len(self.sections) < 2 and not former:
            return self.parameters
        retired = {key: sentence for section in self.sections for key, sentence in section.retired.items()}
        names = {section.key: section.name for section in self.sections}
        return (SectionChoice("section", "section", names, self.sections[0].key, retired, former), *self.parameters)

    @property
    def all_parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters of the page, those of every page first."""
        return (*link.COMMON_PARAMETERS, *self.own_parameters)

    def readings(self, texts: Mapping[str, str]) -> dict[str, Reading]:
        """Return the reading of every parameter at these texts, and at the default of the others."""
        return link.read_parameters(self.all_parameters, texts, {}, self.correct)

    @property
    def section_by_key(self) -> Mapping[str, Section[F]]:
        """Return the sections by their keys."""
        return {section.key: section for section in self.sections}

    @property
    def subjects(self) -> Mapping[str, str]:
        """Return what the conditions of each section are about, by its key."""
        return {section.key: section.subject for section in self.sections}

    def merged_key(self, key: str) -> str:
        """Return the key of the section that a key of links opens."""
        return next((section.key for section in self.sections if key in section.former), key)

    @property
    def keys_of_links(self) -> tuple[str, ...]:
        """Return the keys with which links open its sections, and each picture of those that were merged."""
        return tuple(key for section in self.sections for key in (section.key, *section.former))

    def open_section(self, result: F) -> Section[F]:
        """Return the section that is open where a result was computed, as its conditions leave it."""
        key = getattr(result, "section", self.sections[0].key)
        return under_conditions(self.section_by_key[key], result)

    def conditions_of(self, result: F) -> Conditions | None:
        """Return the conditions of the answer of the open section, None where it has none."""
        return self.open_section(result).conditions(result)

    def conditions_text(self, result: F) -> str:
        """Return the conditions of an answer in a sentence; empty where there are none, or no answer yet."""
        conditions = self.conditions_of(result)
        return "" if conditions is None or conditions.questions else conditions.sentence

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

    def statements_of(self, result: F) -> Statements | None:
        """Return the answer of the open section in three lengths, None where nothing can be stated."""
        return self.open_section(result).statements(result)

    def all_exhibits(self) -> tuple[Callable[[F, Colours], Exhibit | None], ...]:
        """Return the functions that make the charts and tables of the page, of all sections."""
        return tuple(dict.fromkeys(exhibit for section in self.sections for exhibit in section.exhibits))

    def with_uploads(self, uploads: tuple[Any, ...]) -> "Page[F]":
        """Return the page with the parameters that it has for these uploads."""
        if self.parameters_with_data is None or not uploads:
            return self
        return replace(self, parameters=self.parameters_with_data(*uploads))

    def answer_buttons(self, result: F) -> dict[str, str]:
        """Return the names of the buttons beside the answer that have something to open, by key."""
        section = self.open_section(result)  # whose claims and snippets are made until one has something to open
        buttons = {"say": "Say it"} if section.can_state(result) else {}
        buttons |= {"verify": "Verify"} if any(claim.function for claim in section.claims(result)) else {}
        return buttons | ({"code": "Code"} if any(snippet.code for snippet in section.snippets(result)) else {})


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
    query = moved.entries(query)
    keys = {*moved.keys, *(parameter.key for parameter in link.COMMON_PARAMETERS)}
    entries = {key: texts for key, texts in query.items() if key in keys}
    for pin in load_page(moved.page).own_parameters:
        if isinstance(pin, Pin) and pin.key in query:
            entries[pin.key] = [pin.known_text(entry) for entry in query[pin.key]]
    return moved.page, entries | {"section": [moved.section]}


def under_conditions(section: Section[F], result: F) -> Section[F]:
    """Return a section as its conditions leave it at a result.

    While its questions are open, it has these questions alone. Otherwise its first sentence and the CSV files of its
    exhibits have the conditions; where one is denied, its answer stands behind the reason, claims and states nothing,
    and a sentence after its lead picture says the same of all that follows.
    """
    conditions = section.conditions(result)
    if conditions is None:
        return section
    if conditions.questions or conditions.refusal:
        silent = {"claims": no_entries, "snippets": no_entries, "statements": no_offer, "has_statements": None}
        section = replace(section, **silent, downloads=no_offer)
    if conditions.questions:
        parts, answer = conditions.questions, conditions.request
        asking = {"controls": no_entries, "more_settings": no_entries, "exhibits": ()}
        return replace(section, **asking, parts=lambda _, __: parts, answer_text=lambda _: answer)
    return replace(
        section,
        parts=lambda result, colours: _conditional_parts(section.parts(result, colours), conditions),
        answer_text=lambda result: _conditional_text(section.answer_text(result), conditions),
    )


def _conditional_text(sentences: tuple[str, ...], conditions: Conditions) -> tuple[str, ...]:
    """Return an answer with its conditions in the first sentence, or behind the reason against it."""
    if not sentences:
        return sentences
    first, *others = sentences
    ending = next((mark for mark in (".", ":") if first.endswith(mark)), "")
    qualified = f"{first.removesuffix(ending)}{conditions.qualifier}{ending}"
    if conditions.refusal is None:
        return (qualified, *others, *([conditions.note] if conditions.note else []))
    reason, remedy = conditions.refusal
    return reason, f"{remedy} {uncapitalized(qualified)}"


def _conditional_parts(parts: Iterable[Part], conditions: Conditions) -> Iterator[Part]:
    """Yield parts with their conditions, and after the first one, where a condition is denied, what that means."""
    for place, part in enumerate(parts):
        yield _with_conditions(part, conditions)
        if place == 0 and conditions.refusal is not None:
            yield NO_GUARANTEE


def _with_conditions(part: Part, conditions: Conditions) -> Part:
    """Return a part whose exhibits name the conditions in their CSV files."""
    if isinstance(part, Exhibit):
        return replace(part, header=part.header | {"conditions": conditions.sentence})
    if isinstance(part, Row):
        return replace(part, parts=[_with_conditions(inner, conditions) for inner in part.parts])
    if isinstance(part, Fold) and callable(part.content):
        return replace(part, content=lambda: [_with_conditions(inner, conditions) for inner in part.parts])
    return part


@dataclass(frozen=True)
class PageView(Generic[F]):
    """A page at a setting; `uploads` are files and pasted texts that the link does not contain."""

    page: Page[F]
    readings: dict[str, Reading]
    scheme: str
    uploads: UploadedFiles = NO_UPLOADS

    @cached_property
    def values(self) -> Values:
        """Return the value of each parameter, by key."""
        return link.values(self.readings)

    @cached_property
    def result(self) -> F:
        """Return the result that the page computes at this setting."""
        return self.page.compute(self.values, *self.uploads.files)

    @property
    def section(self) -> str:
        """Return the key of the open section."""
        return self.values.get("section", self.page.sections[0].key)

    @property
    def open_section(self) -> Section[F]:
        """Return the open section, as its conditions leave it."""
        return self.page.open_section(self.result)

    def exhibit(self, name: str, scheme: str) -> Exhibit | None:
        """Return an exhibit of the open section, by name; None if the section has none of that name."""
        parts = self.open_section.parts(self.result, site().colours[scheme])
        return next((exhibit for exhibit in exhibits_in(parts) if exhibit.name == name), None)


def picture_choice(key: str, names: Mapping[str, str], older_default: str = "") -> Choice:
    """Return the parameter that says which picture of a section is open, by the key of the section that it was."""
    return Choice(key, "picture", dict(names), next(iter(names)), older_default=older_default)


def merged_section(
    name: str,
    choice: Choice,
    sections: Sequence[Section[F]],
    chosen: Callable[[F], str],
    key: str = "",
    *,
    is_folded: bool = False,
) -> Section[F]:
    """Return the section that has one of several at a time: the one that the parameter `choice` names by its key.

    Its own key is that of the first, or `key`; links of the others open it at their picture. `chosen` returns the text
    of the parameter at a result: a text that is no key stands for a view of the first section. The field is among the
    more settings where it `is_folded`.
    """
    by_key, show = {section.key: section for section in sections}, (Field(choice, "Show"),)
    first = sections[0]

    def open_one(result: F) -> Section[F]:
        return by_key.get(chosen(result), first)

    def of(made: Callable[[Section[F]], Callable[[F], R]]) -> Callable[[F], R]:
        return lambda result: made(open_one(result))(result)

    def controls(result: F) -> Sequence[Any]:
        return *open_one(result).controls(result), *(() if is_folded else show)

    def more_settings(result: F) -> Sequence[Any]:
        return *open_one(result).more_settings(result), *(show if is_folded else ())

    @wraps(first.parts)
    def parts(result: F, colours: Colours) -> Iterable[Part]:
        return open_one(result).parts(result, colours)

    states = any(section.statements is not no_offer for section in sections)
    return Section[F](
        key=key or first.key,
        name=name,
        controls=controls,
        parts=parts,
        more_settings=more_settings,
        idle=of(lambda section: section.idle),
        answer_text=of(lambda section: section.answer_text),
        explanation=of(lambda section: section.explanation),
        exhibits=tuple(dict.fromkeys(chain.from_iterable(section.exhibits for section in sections))),
        claims=of(lambda section: section.claims),
        snippets=of(lambda section: section.snippets),
        statements=of(lambda section: section.statements) if states else no_offer,
        has_statements=(lambda result: open_one(result).can_state(result)) if states else None,
        conditions=of(lambda section: section.conditions),
        downloads=of(lambda section: section.downloads),
        aim=first.aim,
        subject=first.subject,
        retired={old: sentence for section in sections for old, sentence in section.retired.items()},
        former={old: {choice.key: old} for old in by_key if old != (key or first.key)},
    )
