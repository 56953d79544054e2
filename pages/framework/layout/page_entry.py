"""The entries of the site map: what the navigation and the links need to know of a page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PageEntry:
    """The entry of a page: its script, its name, the question that it answers, and the folder of its modules."""

    script: str
    name: str
    question: str
    topic: str = ""

    @property
    def path(self) -> str:
        """Return the path of the page in the address."""
        return "" if not self.topic else self.script.removeprefix("pages/").removesuffix(".py").split("_", 1)[1]


@dataclass(frozen=True)
class Tabs:
    """Sections of a page in a row of tabs, by their keys; without keys all of its sections.

    `question` is the one that they answer, where it is not that of the whole row.
    """

    page: PageEntry
    keys: tuple[str, ...] = ()
    question: str = ""

    def has(self, page: PageEntry, section: str) -> bool:
        """Return whether a section of a page is among them.

        >>> start = PageEntry("app.py", "Start", "Where to begin?")
        >>> Tabs(start, ("pages",)).has(start, "pages"), Tabs(start, ("pages",)).has(start, "class")
        (True, False)
        """
        return self.page == page and section in (self.keys or (section,))


@dataclass(frozen=True)
class MenuEntry:
    """A link of the navigation: the question of sections, of one page or several, that share a row of tabs."""

    name: str
    question: str
    tabs: tuple[Tabs, ...]

    def question_of(self, page: PageEntry, section: str) -> str:
        """Return the question that a section answers."""
        return next((tabs.question for tabs in self.tabs if tabs.has(page, section)), "") or self.question


@dataclass(frozen=True)
class MenuGroup:
    """Links of the navigation under a heading; a group without a name has no heading."""

    name: str
    entries: tuple[MenuEntry, ...]
