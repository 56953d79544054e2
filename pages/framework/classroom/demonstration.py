"""The records of a classroom demonstration: steps, each a page at a setting, and a quiz before the next step."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pages.framework.layout.page_entry import PageEntry


@dataclass(frozen=True)
class Choice:
    """An answer of a quiz: it is right if the value lies above `low` and is at most `high`."""

    words: str
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class Quiz:
    """A question on what the next step shows, the value that answers it, and the answers to choose from."""

    question: str
    value: float
    choices: tuple[Choice, ...]

    @property
    def right(self) -> int:
        """Return the position of the right answer.

        >>> Quiz("Is δ at most 1e-5?", 2e-5, (Choice("Yes", high=1e-5), Choice("No", low=1e-5))).right
        1
        """
        return next(place for place, choice in enumerate(self.choices) if choice.low < self.value <= choice.high)


@dataclass(frozen=True)
class Step:
    """A page at a setting, whose `entries` differ from the defaults, and a sentence in Markdown on what it shows.

    `quiz` makes the question on the next step; it is None at the last one.
    """

    page: PageEntry
    entries: Mapping[str, str]
    sentence: Callable[[], str]
    quiz: Callable[[], Quiz] | None = None


@dataclass(frozen=True)
class Demonstration:
    """A sequence of steps under a title; `about` is a sentence on what a class sees."""

    key: str
    title: str
    about: str
    steps: tuple[Step, ...]
