"""What a page is made of: its parameters, what follows from them, and how that is shown, said and saved."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Generic, TypeVar

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Sections
from pages.framework.parameters.kinds import Correct, Parameter, no_corrections
from pages.shared import code_panel, verify_panel
from pages.shared.code_panel import Snippet
from pages.shared.site_map import PageEntry
from pages.shared.verify_panel import Claim

F = TypeVar("F")


def no_explanation(_: object) -> str:
    """How a page is computed that computes nothing of its own."""
    return ""


@dataclass(frozen=True)
class AnswerButton(Generic[F]):
    """A button beside the answer, and what it opens below it: HTML of what was found, made when it is asked for."""

    name: str
    html: Callable[[F], str]


@dataclass(frozen=True)
class Page(Generic[F]):
    """A page as functions of its link.

    `own` are its parameters beside the shared ones, and `correct` finds those that do not go together; `made` makes of
    the values of all parameters, and of files and pasted texts that no link has, what the page shows; `said` is its
    answer, and `exhibits` are all of its charts and tables, of which each section shows some; `explained` is how its
    numbers are computed, in Markdown with TeX; `claims` are the promises of the answer and of the open section, which
    "Verify" proves, and `snippets` the answer in lines of code. `files` are what can be saved of the page as a whole,
    by name, given the address at which the app is open. `naming` gives its parameters beside files and pasted texts
    that they may name.
    """

    entry: PageEntry
    parameters: tuple[Parameter, ...]
    compute: Callable[..., F]
    sections: Sections
    answer: Callable[[F], tuple[str, ...]]
    exhibits: Sequence[Callable[[F, Colours], Exhibit | None]] = ()
    correct: Correct = no_corrections
    explanation: Callable[[F], str] = no_explanation
    claims: Callable[[F], Iterable[Claim]] | None = None
    snippets: Callable[[F], Sequence[Snippet]] | None = None
    files: Mapping[str, Callable[[F, str], bytes]] = field(default_factory=dict)
    parameters_with_data: Callable[..., tuple[Parameter, ...]] | None = None

    def with_uploads(self, held: tuple[Any, ...]) -> "Page[F]":
        """The page beside files and pasted texts that no link has."""
        return (
            self
            if self.parameters_with_data is None or not held
            else replace(self, parameters=self.parameters_with_data(*held))
        )

    @property
    def answer_buttons(self) -> dict[str, AnswerButton[F]]:
        """What the buttons beside the answer open, by key."""
        offered = {}
        if (claims := self.claims) is not None:
            offered["verify"] = AnswerButton[F]("Verify", lambda found: verify_panel.panel(claims(found)))
        if (snippets := self.snippets) is not None:
            offered["code"] = AnswerButton[F]("Code", lambda found: code_panel.html(snippets(found)))
        return offered


def load_page(page: PageEntry) -> Page[Any]:
    """What a page is made of, imported when it is asked for."""
    return import_module(f"pages.{page.topic or 'start'}.page").PAGE
