"""A page as it is open in a session, and what is made of it."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar

from pages.framework import link
from pages.framework.layout.page import Topic
from pages.framework.link import COMMON
from pages.framework.parameters.kinds import Parameter, Reading, Values
from pages.framework.rendering import render, render_jobs
from pages.framework.rendering.render import Held, Shown, Wish
from pages.framework.rendering.render_jobs import Waited
from pages.framework.session import session_state
from pages.shared.classroom.demonstrations import DEMO
from pages.shared.shared_parameters import PICTURE, PRESENT
from pages.shared.site_map import Page

F = TypeVar("F")
_LOOKS = (PICTURE.key, PRESENT.key, DEMO.key)  # which change nothing of what is made


@dataclass(frozen=True)
class Opened(Generic[F]):
    """A page at its setting: its parameters and their values.

    `held` are files and pasted texts that no link has; what is made of them is not kept for others.
    """

    topic: Topic[F]
    values: Values
    readings: dict[str, Reading]
    held: Held
    scheme: str

    @property
    def page(self) -> Page:
        """Which page it is."""
        return self.topic.page

    @property
    def every(self) -> tuple[Parameter, ...]:
        """The parameters of the page, those of every page first."""
        return (*COMMON, *self.topic.own)

    @property
    def section(self) -> str:
        """The key of the open section."""
        return self.shown.section

    @cached_property
    def link(self) -> str:
        """The address of the page with every parameter."""
        return link.address(self.page.path, self.readings)

    @cached_property
    def view(self) -> str:
        """The part of the address that changes what is shown, and what no address has."""
        own = {key: each for key, each in self.readings.items() if key not in _LOOKS}
        return link.address(self.page.path, own) + (f"&held={self.held.mark}" if self.held.mark else "")

    @cached_property
    def shown(self) -> Shown:
        """The page apart from this session."""
        return Shown(self.topic, self.readings, self.scheme, self.held.files)

    @property
    def found(self) -> F:
        """What the page's parameters ask for."""
        return self.shown.found

    def wish(self, wanted: str = render.STAGE, name: str = "", address: str = "") -> Wish:
        """Something of the page at its setting, for whoever asks for it."""
        own = {key: each.used for key, each in self.readings.items() if key not in _LOOKS}
        return Wish(self.page.script, tuple(own.items()), self.scheme, wanted, name, address, self.held)

    def stage(self, stop: bool = False) -> Waited:
        """What the browser draws."""
        if session_state.stopped(self.view, stop) and not stop:
            return Waited(refused=render_jobs.STOPPED)
        return render_jobs.stage(self.wish(), session_state.told(), stop)

    def made(self, wanted: str, name: str = "", address: str = "") -> Waited:
        """What is asked for once, of an exhibit, an offer or a file by its name."""
        wish = self.wish(wanted, name, self.link if wanted == render.NUMBERS else address)
        return render_jobs.once(wish, session_state.told())

    def at(self, edits: dict[str, str]) -> "Opened[F]":
        """The page at another setting."""
        used = {key: each.used for key, each in self.readings.items()}
        readings = link.read(self.every, used | edits, used, self.topic.correct)
        return replace(self, readings=readings, values=link.values(readings))
