"""The record of the site: everything that the framework needs to know about the product whose pages it serves.

The framework does not depend on the subject of the pages. The product describes itself in one record, `SITE`, in the
module that `SITE_MODULE` names; a worker process imports it by the same name.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import ModuleType

from pages.framework.parameters.parameter import Correct, Parameter


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
        """Return whether a section of a page is among them."""
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


SITE_MODULE = "pages.shared.site"


class Quiz:
    """A question on what the next step shows, the value that answers it, and the answers to choose from.

    An answer is its words and two limits: it is right if the value lies above the first one and is at most the second.
    `right` is the position of the right one.

    >>> Quiz("Is δ at most 1e-5?", 2e-5, ("Yes", 0, 1e-5), ("No", 1e-5, 1)).right
    1
    """

    def __init__(self, question: str, value: float, *choices: tuple[str, float, float]) -> None:
        self.question, self.value, self.choices = question, value, choices
        self.right = next(place for place, (_, low, high) in enumerate(choices) if low < value <= high)


Told = tuple[str, Quiz | None]
"""What a class reads at a step, in Markdown, and is then asked on the next one; nothing at the last step."""


@dataclass(frozen=True)
class Step:
    """A page at a setting, whose `entries` differ from the defaults, and the function that says what it shows and asks.

    `sweep` is the key of a parameter, and the text from which the browser can move it to that of the step. `hidden` are
    the curves that would tell what is asked. `picture` names the exhibit that the class sees, if it is not the page's
    first one, and `axes` returns the ends that its axes reach at least, by "xaxis" and "yaxis": those that it shares
    with other steps.
    """

    page: PageEntry
    entries: Mapping[str, str]
    told: Callable[[], Told]
    sweep: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    picture: str = ""
    axes: Callable[[], Mapping[str, tuple[float, float]]] = dict


@dataclass(frozen=True)
class Demonstration:
    """A sequence of steps under a title; `about` is a sentence on what a class sees."""

    key: str
    title: str
    about: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Site:
    """A product and its pages.

    `pages` begin with the start page, `groups` are their links in the navigation, and `report_page` is the page that
    collects items of the others. `parameters` are those of every page, and `correct` corrects those of them that cannot
    be used together; `travelling` are the keys of further parameters whose values the navigation carries from page to
    page, and `conditions` those of the conditions, which hold for one subject alone (see `Section`): each has what a
    confirmation becomes when its sentence changes with the setting, if that is not the default. `data_slots` name the
    kinds of the user's own data, and other secrets, that a tab of the browser stores. `colours` are the colours of
    the light and of the dark scheme, by name. `classroom` is the link of the list of demonstrations, without a slash,
    and `room_link` returns the relative link at which phones answer a question, of its words and its options.
    `package` is the library that computes, and `verifier` its module that says what an enclosure proves.
    `field_order` has the keys of fields that several pages fold under others, in their order, and `csv_columns` the
    words of the screen for columns that dpcore calls otherwise.
    """

    name: str
    version: str
    package: str
    pages: tuple[PageEntry, ...]
    groups: tuple[MenuGroup, ...]
    report_page: PageEntry
    parameters: tuple[Parameter, ...]
    correct: Correct
    travelling: frozenset[str]
    conditions: Mapping[str, Mapping[str, str]]
    data_slots: tuple[str, ...]
    colours: Mapping[str, dict[str, str]]
    demonstrations: tuple[Demonstration, ...]
    classroom: str
    room_link: Callable[[str, Sequence[str]], str]
    verifier: ModuleType
    field_order: tuple[str, ...] = ()
    csv_columns: Mapping[str, str] = field(default_factory=dict)

    def menu_entry(self, page: PageEntry, section: str) -> MenuEntry:
        """Return the entry of the navigation that a section of a page belongs to; the first of the page without one."""
        pairs = [(entry, tabs) for group in self.groups for entry in group.entries for tabs in entry.tabs]
        own = [(entry, tabs) for entry, tabs in pairs if tabs.page == page]
        return next((entry for entry, tabs in own if tabs.has(page, section)), own[0][0])


@cache
def site() -> Site:
    """Return the record of the product."""
    return import_module(SITE_MODULE).SITE
