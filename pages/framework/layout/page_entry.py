"""The entry of a page in the site map: what the navigation and the links need to know of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PageEntry:
    """The entry of a page: its script, its name in the navigation, and the question that it answers.

    `topic` is the folder of its modules, and `about` is a text in Markdown for the start page.
    """

    script: str
    name: str
    question: str
    topic: str = ""
    about: str = ""

    @property
    def path(self) -> str:
        """Return the path of the page in the address."""
        return "" if not self.topic else self.script.removeprefix("pages/").removesuffix(".py").split("_", 1)[1]
