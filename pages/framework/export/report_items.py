"""What an item of a report shows, made of its text alone, so that whoever has the link has the same."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from html import unescape
from typing import Any

from pages.framework import link
from pages.framework.chart import packing
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.report_item import ANSWER, Item, report_item
from pages.framework.layout.page import Page, load_page
from pages.framework.layout.page_entry import PageEntry
from pages.framework.layout.section import Field, Fields, Part, Row, exhibits_in
from pages.framework.layout.verify_panel import INSTALL, Claim, panel
from pages.framework.parameters.appearance import PICTURE, PRESENT
from pages.framework.parameters.kinds import Choice, HoldsData, Parameter, Quantity, Reading
from pages.framework.site import site

NEEDS_SESSION_DATA = (
    "This is not added: it is made of data or of an experiment of this session, which the link does not contain, and "
    "a report is rebuilt from links. To add a small table or typed counts, press “Include my data in the link” first."
)
_ON_PAGE = re.compile(r"\[[^]]*\]\(#[^)]*\)")  # words that lead to a box of the page and say nothing else
_HIDDEN = ("section", PICTURE.key, PRESENT.key)


@dataclass(frozen=True, eq=False)
class RebuiltItem:
    """An item with all that a report says of it.

    `link` has every parameter; `heading` says what is shown, `source` is its page and section, `said` the answer of
    that page, and `words` are what stands beside it and how it is computed, all in Markdown; `parameters` are names,
    with units, and texts; `problems` are the sentences on what of the item can't be used, and `claims` its promises.
    """

    item: Item
    link: str
    heading: str
    source: str
    answer: tuple[str, ...]
    exhibit: Exhibit | None
    parameters: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    problems: tuple[str, ...]
    claims: tuple[Claim, ...] = ()

    @cached_property
    def proofs(self) -> str:
        """What its promises are proved to be, as HTML; empty where it has none, or nothing here can prove them."""
        proved = panel(self.claims) if self.claims else ""
        return proved if INSTALL not in unescape(re.sub("</?code>", "`", proved)) else ""

    @property
    def size(self) -> int:
        """Bytes of its picture and its numbers, about."""
        if self.exhibit is None:
            return 0
        return len(packing.pack({"picture": self.exhibit.picture})) + len(self.exhibit.csv())


def readings_of(page: PageEntry, entries: dict[str, list[str]]) -> tuple[Page[Any], dict[str, Reading], list[str]]:
    """What a page is made of, its parameters as a link gives them, and what of the link can't be used."""
    topic = load_page(page)
    every = (*link.COMMON_PARAMETERS, *topic.own_parameters)
    entered, problems = link.parse_link(link.with_demo_defaults(entries, page.path, every), every)
    read = link.read_parameters(every, entered, {}, topic.correct)
    problems += dict.fromkeys(each.problem for each in read.values() if each.problem)
    return topic, read, problems


@lru_cache(96)
def rebuild(item: Item) -> RebuiltItem:
    """What an item shows, with its numbers, which a page makes only when they are asked for."""
    topic, read, problems = readings_of(item.page, {key: [entry] for key, entry in item.entries})
    found = topic.compute(link.values(read))
    section = topic.section_by_key[read["section"].value]
    parts = tuple(section.parts(found, site().colours["light"]))
    shown = None if item.name == ANSWER else _named(item.name, parts, topic, found)
    if item.name != ANSWER and shown is None:
        problems.append(f"Its page has nothing named {item.name} at this setting.")
    fields = (*section.controls(found), *(each for part in parts if isinstance(part, Fields) for each in part.fields))
    beside = tuple(part for part in _flat(parts) if isinstance(part, str) and part and not _ON_PAGE.fullmatch(part))
    said = topic.answer_text(found)
    return RebuiltItem(
        item,
        link.address(item.page.path, read),
        _heading(item.page, shown),
        _source(topic, read),
        said,
        shown,
        tuple(_parameters((*link.COMMON_PARAMETERS, *topic.own_parameters), fields, read)),
        (*(beside if item.name != ANSWER else ()), topic.explanation_text(found)),
        tuple(problems),
        topic.claims_of(found),
    )


def _named(name: str, parts: Sequence[Part], topic: Page[Any], found: Any) -> Exhibit | None:
    """An exhibit of the open section or, where it has none of that name, of the page; with its numbers."""
    shown = next((each for each in exhibits_in(parts) if each.name == name), None)
    if shown is None:
        made = (each(found, site().colours["light"]) for each in topic.all_exhibits())
        shown = next((each for each in made if each is not None and each.name == name), None)
    return shown and replace(shown, numbers=shown.table, picks=("", ""))


def _flat(parts: Sequence[Part]) -> Iterator[Part]:
    for part in parts:
        yield from part.parts if isinstance(part, Row) else (part,)


def _source(topic: Page[Any], read: dict[str, Reading]) -> str:
    """The page and its section."""
    asked = next((each for each in topic.own_parameters if isinstance(each, Choice) and each.key == "section"), None)
    return topic.entry.name if asked is None else f"{topic.entry.name}: {asked.options[read[asked.key].value]}"


def _heading(page: PageEntry, shown: Exhibit | None) -> str:
    """What the item is: the title of its chart, or the question of its page."""
    if shown is None or isinstance(shown.picture, str):
        return page.question
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", shown.picture["layout"]["title"]["text"])).split())


def _parameters(
    every: Sequence[Parameter], fields: Sequence[Field | Parameter], read: dict[str, Reading]
) -> Iterator[tuple[str, str]]:
    """The names, with units, and the texts of what can be changed where the item stands, and of what was changed."""
    asked = [each if isinstance(each, Field) else Field(each) for each in fields]
    shown = {each.parameter.key for each in asked}
    changed = [Field(each) for each in every if read[each.key].used != each.default and each.key not in shown]
    for key, each in {field.parameter.key: field for field in (*asked, *changed)}.items():
        if key not in _HIDDEN:
            yield _name(each), _text(each.parameter, read[key])


def _name(field: Field) -> str:
    asked = field.parameter
    return (asked.label if isinstance(asked, Quantity) else field.label) or asked.symbol


def _text(asked: Parameter, reading: Reading) -> str:
    """The value of a parameter in words; data of the user's own that the link holds are named, not listed."""
    if isinstance(asked, HoldsData) and (data := asked.data_in(reading.used)):
        return f"{data} (in the link)"
    return asked.options[reading.used] if isinstance(asked, Choice) else reading.used


def item_to_add(
    page: PageEntry,
    name: str,
    every: Sequence[Parameter],
    readings: dict[str, Reading],
    said: tuple[str, ...],
    light: Any,
) -> dict[str, str]:
    """What the browser is told where something is added to a report: the item, or why it is refused.

    It is refused where its text alone does not rebuild what is shown, `said` and the exhibit `light`.
    """
    item = report_item(page, name, every, {key: each.used for key, each in readings.items()})
    made = rebuild(item)
    if made.problems or made.answer != said or not _same(made.exhibit, light):
        return {"refused": NEEDS_SESSION_DATA}
    return {"item": item.text(), "heading": made.heading}


def _same(made: Exhibit | None, shown: Exhibit | None) -> bool:
    if made is None or shown is None:
        return made is shown
    packed = [packing.pack({"picture": each.picture}) for each in (made, shown)]
    return packed[0] == packed[1] and made.csv("", "-") == shown.csv("", "-")
