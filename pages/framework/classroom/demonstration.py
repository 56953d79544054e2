"""What a demonstration is made of: settings of pages, a sentence on each, and a question before the next."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pages.framework.layout.page_entry import PageEntry


@dataclass(frozen=True)
class Choice:
    """An answer that may be chosen: it is right where the value lies above `low` and is at most `high`."""

    words: str
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class Quiz:
    """A question on what the next step reveals, the value that answers it, and the answers to choose from."""

    question: str
    value: float
    choices: tuple[Choice, ...]

    @property
    def right(self) -> int:
        """The place of the right answer.

        >>> Quiz("Is δ at most 1e-5?", 2e-5, (Choice("Yes", high=1e-5), Choice("No", low=1e-5))).right
        1
        """
        return next(place for place, choice in enumerate(self.choices) if choice.low < self.value <= choice.high)


@dataclass(frozen=True)
class Step:
    """A setting of a page, of which `entries` differ from the defaults, and what it shows, in a sentence of Markdown.

    `asks` makes the question on the step that follows, None at the last one.
    """

    page: PageEntry
    entries: Mapping[str, str]
    sentence: Callable[[], str]
    quiz: Callable[[], Quiz] | None = None


@dataclass(frozen=True)
class Demonstration:
    """A sequence of steps under a title; `about` says in a sentence what a class sees."""

    key: str
    title: str
    about: str
    steps: tuple[Step, ...]
