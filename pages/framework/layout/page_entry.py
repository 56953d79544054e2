"""The entries of the site map: what the navigation and the links need to know of a page."""

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


@dataclass(frozen=True)
class SectionEntry:
    """The entry of a section that has a link of its own in the navigation, in place of a tab on its page."""

    page: PageEntry
    section: str
    name: str


@dataclass(frozen=True)
class PageGroup:
    """Links of the navigation under a heading; a group without a name has no heading."""

    name: str
    entries: tuple[PageEntry | SectionEntry, ...]
