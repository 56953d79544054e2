"""The state of a page that is open in a session, and the requests to render its outputs."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar

from pages.framework import link
from pages.framework.classroom.demonstrations import DEMO
from pages.framework.layout.page import Page
from pages.framework.layout.page_entry import PageEntry
from pages.framework.link import COMMON_PARAMETERS
from pages.framework.parameters.appearance import PICTURE, PRESENT
from pages.framework.parameters.kinds import Parameter, Reading, Values
from pages.framework.rendering import render, render_jobs
from pages.framework.rendering.render import PageView, RenderRequest
from pages.framework.rendering.render_jobs import RenderOutcome
from pages.framework.rendering.uploaded_files import UploadedFiles
from pages.framework.session import session_state

F = TypeVar("F")
_APPEARANCE_KEYS = (PICTURE.key, PRESENT.key, DEMO.key)  # they do not change the rendered bytes


@dataclass(frozen=True)
class PageState(Generic[F]):
    """A page at its setting in a session: its parameters and their values.

    `uploads` are files and pasted texts that no link contains; their outputs are not cached for other sessions.
    """

    page: Page[F]
    values: Values
    readings: dict[str, Reading]
    uploads: UploadedFiles
    scheme: str

    @property
    def entry(self) -> PageEntry:
        """Return the entry of the page."""
        return self.page.entry

    @property
    def all_parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters of the page, those of every page first."""
        return (*COMMON_PARAMETERS, *self.page.own_parameters)

    @property
    def section(self) -> str:
        """Return the key of the open section."""
        return self.page_view.section

    @cached_property
    def link(self) -> str:
        """Return the address of the page with every parameter."""
        return link.address(self.entry.path, self.readings)

    @cached_property
    def view(self) -> str:
        """Return the key of the stage: the part of the address that changes it, and the token of the uploads."""
        own = {key: reading for key, reading in self.readings.items() if key not in _APPEARANCE_KEYS}
        return link.address(self.entry.path, own) + (f"&held={self.uploads.token}" if self.uploads.token else "")

    @cached_property
    def page_view(self) -> PageView:
        """Return the view of the page, which does not depend on this session."""
        return PageView(self.page, self.readings, self.scheme, self.uploads.files)

    @property
    def result(self) -> F:
        """Return the result that the page computes at its setting."""
        return self.page_view.result

    def render_request(self, output: str = render.STAGE, name: str = "", address: str = "") -> RenderRequest:
        """Return the request for one output of the page at its setting."""
        own = {key: reading.used for key, reading in self.readings.items() if key not in _APPEARANCE_KEYS}
        return RenderRequest(self.entry.script, tuple(own.items()), self.scheme, output, name, address, self.uploads)

    def render_stage(self, stop: bool = False) -> RenderOutcome:
        """Return the outcome of rendering the stage, which the browser draws."""
        if session_state.is_stopped(self.view, stop) and not stop:
            return RenderOutcome(refusal=render_jobs.STOPPED)
        return render_jobs.render_stage(self.render_request(), session_state.session_id(), stop)

    def render(self, output: str, name: str = "", address: str = "") -> RenderOutcome:
        """Return the outcome of rendering another output, which is not cached, by its kind and name."""
        request = self.render_request(output, name, self.link if output == render.CSV else address)
        return render_jobs.render_uncached(request, session_state.session_id())

    def with_edits(self, edits: dict[str, str]) -> "PageState[F]":
        """Return the state of the page at another setting."""
        used = {key: reading.used for key, reading in self.readings.items()}
        readings = link.read_parameters(self.all_parameters, used | edits, used, self.page.correct)
        return replace(self, readings=readings, values=link.values(readings))
