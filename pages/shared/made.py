"""What the browser gets of a page, as a function of its setting alone: made wherever there is time for it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pages.shared import chart, contents, link, theme
from pages.shared import stage as stages
from pages.shared.export import Exhibit
from pages.shared.link import COMMON
from pages.shared.parameters import Reading
from pages.shared.sections import Beside
from pages.shared.topics import Topic, topic_of

STAGE, NUMBERS, PICTURE = "stage", "csv", "light"


@dataclass(frozen=True)
class Wish:
    """The stage of a page, or an exhibit of it as numbers or as a picture for paper, at a setting.

    `entries` are the texts that are used of its parameters; `address` is the link that numbers carry.
    """

    script: str
    entries: tuple[tuple[str, str], ...]
    scheme: str
    wanted: str = STAGE
    exhibit: str = ""
    address: str = ""

    def __call__(self, _: object = None) -> bytes:
        """Make it; b"" if there is no such exhibit."""
        topic = topic_of(next(page for page in contents.PAGES if page.script == self.script))
        readings = link.read((*COMMON, *topic.own), dict(self.entries), {}, topic.correct)
        found = topic.made(link.values(readings))
        if self.wanted == STAGE:
            return stage(topic, found, readings, self.scheme)
        made = exhibit(topic, found, link.values(readings), self.exhibit, self.scheme)
        return written(made, self.wanted, self.address)


def stage(topic: Topic[Any], found: Any, readings: dict[str, Reading], scheme: str) -> bytes:
    """What the browser draws."""
    every, section = (*COMMON, *topic.own), open_section(topic, link.values(readings))
    return stages.stage(section, topic.sections, found, topic.said(found), every, readings, theme.COLOURS[scheme])


def without_parts(
    topic: Topic[Any], found: Any, readings: dict[str, Reading], scheme: str, said: tuple[str, ...]
) -> bytes:
    """What the browser draws where the page itself would take too much: words in its place, and the parameters."""
    section = open_section(topic, link.values(readings))
    empty = {**topic.sections, section: replace(topic.sections[section], parts=lambda found, colour: ())}
    every = (*COMMON, *topic.own)
    return stages.stage(section, empty, found, said, every, readings, theme.COLOURS[scheme])


def open_section(topic: Topic[Any], values: Mapping[str, Any]) -> str:
    """The key of the open section."""
    return values.get("section", next(iter(topic.sections)))


def exhibit(topic: Topic[Any], found: Any, values: Mapping[str, Any], name: str, scheme: str) -> Exhibit | None:
    """An exhibit of the open section, by name."""
    for part in topic.sections[open_section(topic, values)].parts(found, theme.COLOURS[scheme]):
        for each in part.parts if isinstance(part, Beside) else (part,):
            if isinstance(each, Exhibit) and each.name == name:
                return each
    return None


def written(made: Exhibit | None, wanted: str, address: str) -> bytes:
    """An exhibit as numbers with a link, or as a picture; b"" if there is none."""
    if made is None:
        return b""
    return chart.pack(stages.exhibit(made)) if wanted == PICTURE else made.csv(address).encode()
