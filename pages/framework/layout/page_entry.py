"""What the navigation and the link of a page need to know of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PageEntry:
    """A page: its script, its name in the navigation, the question that it answers, and what it shows.

    `topic` is the folder of what it is made of, and `about` is Markdown for the start page.
    """

    script: str
    name: str
    question: str
    topic: str = ""
    about: str = ""

    @property
    def path(self) -> str:
        """Its part of the address."""
        return "" if not self.topic else self.script.removeprefix("pages/").removesuffix(".py").split("_", 1)[1]
