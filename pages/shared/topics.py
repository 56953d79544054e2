"""What a page is made of: its parameters, what follows from them, and how that is shown, said and saved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, TypeVar

from pages.shared.contents import Page
from pages.shared.export import Colours, Exhibit
from pages.shared.parameters import Correct, Parameter, no_corrections
from pages.shared.sections import Sections

F = TypeVar("F")


@dataclass(frozen=True)
class Topic(Generic[F]):
    """A page as functions of its link.

    `own` are its parameters beside the shared ones, and `correct` finds those that do not go together; `made` makes of
    the values of all parameters, and of files and pasted texts that no link has, what the page shows; `said` is its
    answer, and `exhibits` are all of its charts and tables, of which each section shows some.
    """

    page: Page
    own: tuple[Parameter, ...]
    made: Callable[..., F]
    sections: Sections
    said: Callable[[F], tuple[str, ...]]
    exhibits: Sequence[Callable[[F, Colours], Exhibit | None]] = ()
    correct: Correct = no_corrections


def topic_of(page: Page) -> Topic[Any]:
    """What a page is made of, imported when it is asked for."""
    return import_module(f"pages.{page.topic or 'start'}.topic").TOPIC
