"""What a page is made of: its parameters, what follows from them, and how that is shown, said and saved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, TypeVar

from pages.shared.contents import Page
from pages.shared.export import Colours, Exhibit
from pages.shared.parameters import Correct, Parameter, no_corrections
from pages.shared.sections import Sections

F = TypeVar("F")


def nothing(_: object) -> str:
    """How a page is computed that computes nothing of its own."""
    return ""


@dataclass(frozen=True)
class Topic(Generic[F]):
    """A page as functions of its link.

    `own` are its parameters beside the shared ones, and `correct` finds those that do not go together; `made` makes of
    the values of all parameters, and of files and pasted texts that no link has, what the page shows; `said` is its
    answer, and `exhibits` are all of its charts and tables, of which each section shows some; `explained` is how its
    numbers are computed, in Markdown with TeX. `files` are what can be saved of the page as a whole, by name, given the
    address at which the app is open.
    """

    page: Page
    own: tuple[Parameter, ...]
    made: Callable[..., F]
    sections: Sections
    said: Callable[[F], tuple[str, ...]]
    exhibits: Sequence[Callable[[F, Colours], Exhibit | None]] = ()
    correct: Correct = no_corrections
    explained: Callable[[F], str] = nothing
    files: Mapping[str, Callable[[F, str], bytes]] = field(default_factory=dict)


def topic_of(page: Page) -> Topic[Any]:
    """What a page is made of, imported when it is asked for."""
    return import_module(f"pages.{page.topic or 'start'}.topic").TOPIC
