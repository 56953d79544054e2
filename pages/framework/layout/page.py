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
from pages.shared.site_map import Page
from pages.shared.verify_panel import Claim

F = TypeVar("F")


def nothing(_: object) -> str:
    """How a page is computed that computes nothing of its own."""
    return ""


@dataclass(frozen=True)
class Offer(Generic[F]):
    """A button beside the answer, and what it opens below it: HTML of what was found, made when it is asked for."""

    name: str
    html: Callable[[F], str]


@dataclass(frozen=True)
class Topic(Generic[F]):
    """A page as functions of its link.

    `own` are its parameters beside the shared ones, and `correct` finds those that do not go together; `made` makes of
    the values of all parameters, and of files and pasted texts that no link has, what the page shows; `said` is its
    answer, and `exhibits` are all of its charts and tables, of which each section shows some; `explained` is how its
    numbers are computed, in Markdown with TeX; `claims` are the promises of the answer and of the open section, which
    "Verify" proves, and `snippets` the answer in lines of code. `files` are what can be saved of the page as a whole,
    by name, given the address at which the app is open. `naming` gives its parameters beside files and pasted texts
    that they may name.
    """

    page: Page
    own: tuple[Parameter, ...]
    made: Callable[..., F]
    sections: Sections
    said: Callable[[F], tuple[str, ...]]
    exhibits: Sequence[Callable[[F, Colours], Exhibit | None]] = ()
    correct: Correct = no_corrections
    explained: Callable[[F], str] = nothing
    claims: Callable[[F], Iterable[Claim]] | None = None
    snippets: Callable[[F], Sequence[Snippet]] | None = None
    files: Mapping[str, Callable[[F, str], bytes]] = field(default_factory=dict)
    naming: Callable[..., tuple[Parameter, ...]] | None = None

    def beside(self, held: tuple[Any, ...]) -> "Topic[F]":
        """The page beside files and pasted texts that no link has."""
        return self if self.naming is None or not held else replace(self, own=self.naming(*held))

    @property
    def offers(self) -> dict[str, Offer[F]]:
        """What the buttons beside the answer open, by key."""
        offered = {}
        if (claims := self.claims) is not None:
            offered["verify"] = Offer[F]("Verify", lambda found: verify_panel.panel(claims(found)))
        if (snippets := self.snippets) is not None:
            offered["code"] = Offer[F]("Code", lambda found: code_panel.html(snippets(found)))
        return offered


def topic_of(page: Page) -> Topic[Any]:
    """What a page is made of, imported when it is asked for."""
    return import_module(f"pages.{page.topic or 'start'}.topic").TOPIC
