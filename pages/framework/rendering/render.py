"""What the browser gets of a page, as a function of its setting alone: made wherever there is time for it."""

import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pages.framework import link
from pages.framework.chart import packing, theme
from pages.framework.export import report_items
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.report_item import ANSWER
from pages.framework.layout.page import Topic, topic_of
from pages.framework.layout.section import exhibits_in
from pages.framework.link import COMMON
from pages.framework.parameters.kinds import Reading, Values
from pages.framework.rendering import stage as stages
from pages.shared import site_map

STAGE, NUMBERS, PICTURE, ADDED, OFFER, EXPLAINED = "stage", "csv", "light", "added", "offer", "explained"
FILE = "file"
_MOST_KEPT = 8_000_000  # bytes of pages that are made of the same files


@dataclass(frozen=True)
class Shown:
    """A page at a setting; `held` are files and pasted texts that no link has."""

    topic: Topic[Any]
    readings: dict[str, Reading]
    scheme: str
    held: tuple[Any, ...] = ()

    @property
    def values(self) -> Values:
        """The value of each parameter."""
        return link.values(self.readings)

    @cached_property
    def found(self) -> Any:
        """What the page's parameters ask for."""
        return self.topic.made(self.values, *self.held)

    @property
    def section(self) -> str:
        """The key of the open section."""
        return self.values.get("section", next(iter(self.topic.sections)))

    def exhibit(self, name: str, scheme: str) -> Exhibit | None:
        """An exhibit of the open section, by name."""
        parts = self.topic.sections[self.section].parts(self.found, theme.COLOURS[scheme])
        return next((each for each in exhibits_in(parts) if each.name == name), None)

    def stage(self) -> bytes:
        """What the browser draws."""
        return self._stage(self.topic, self.topic.said(self.found))

    def without_parts(self, said: tuple[str, ...]) -> bytes:
        """What the browser draws where the page would take too much: words in its place, and the parameters."""
        section = replace(self.topic.sections[self.section], parts=lambda found, colour: ())
        return self._stage(replace(self.topic, sections={**self.topic.sections, self.section: section}), said)

    def _stage(self, topic: Topic[Any], said: tuple[str, ...]) -> bytes:
        every, colour = (*COMMON, *topic.own), theme.COLOURS[self.scheme]
        return stages.stage(self.section, topic.sections, self.found, said, every, self.readings, colour)


def _numbers(shown: Shown, name: str, address: str) -> bytes:
    found = shown.exhibit(name, shown.scheme)
    return b"" if found is None else found.csv(address).encode()


def _picture(shown: Shown, name: str, _: str) -> bytes:
    found = shown.exhibit(name, "light")
    return b"" if found is None else packing.pack(stages.exhibit(found))


def _added(shown: Shown, name: str, _: str) -> bytes:
    """What the browser adds to its report: an exhibit of the page, or its answer."""
    topic, light = shown.topic, None if name == ANSWER else shown.exhibit(name, "light")
    every, said = (*COMMON, *topic.own), topic.said(shown.found)
    return json.dumps(report_items.added(topic.page, name, every, shown.readings, said, light)).encode()


def _offer(shown: Shown, name: str, _: str) -> bytes:
    """The HTML that a button beside the answer opens."""
    return shown.topic.offers[name].html(shown.found).encode()


def _file(shown: Shown, name: str, address: str) -> bytes:
    """A file of the page as a whole, for the address at which the app is open."""
    return shown.topic.files[name](shown.found, address)


MADE: dict[str, Callable[[Shown, str, str], bytes]] = {
    STAGE: lambda shown, *_: shown.stage(),
    NUMBERS: _numbers,
    PICTURE: _picture,
    ADDED: _added,
    OFFER: _offer,
    FILE: _file,
    EXPLAINED: lambda shown, *_: shown.topic.explained(shown.found).encode(),
}
"""What there is to ask for, given its name and an address: the page's link, or the app's; b"" is nothing."""


@dataclass(frozen=True)
class Held:
    """Files and pasted texts that no link has and one session holds, by their name `mark`; without one there are none.

    `kept` has what was made of them, and goes when they go. A worker is sent them as bytes, packed once.
    """

    mark: str = ""
    _files: tuple[Any, ...] = field(default=(), compare=False)
    _packed: bytes = field(default=b"", compare=False)
    kept: stages.Kept = field(default_factory=lambda: stages.Kept(_MOST_KEPT), compare=False)

    @cached_property
    def packed(self) -> bytes:
        """The files as bytes."""
        return self._packed or pickle.dumps(self._files)

    @property
    def files(self) -> tuple[Any, ...]:
        """The files themselves."""
        return pickle.loads(self._packed) if self._packed else self._files

    def __reduce__(self) -> tuple[Any, ...]:
        """What a worker is sent: it unpacks the files when it makes something of them, within its limits."""
        return Held, (self.mark, (), self.packed if self.mark else b"")


NOTHING = Held()


@dataclass(frozen=True)
class Wish:
    """Something of a page at a setting; `entries` are the texts that are used of its parameters."""

    script: str
    entries: tuple[tuple[str, str], ...]
    scheme: str
    wanted: str = STAGE
    name: str = ""
    address: str = ""
    held: Held = NOTHING

    def __call__(self, _: object = None) -> bytes:
        """Make it."""
        files = self.held.files
        topic = topic_of(next(page for page in site_map.PAGES if page.script == self.script)).beside(files)
        readings = link.read((*COMMON, *topic.own), dict(self.entries), {}, topic.correct)
        return MADE[self.wanted](Shown(topic, readings, self.scheme, files), self.name, self.address)
