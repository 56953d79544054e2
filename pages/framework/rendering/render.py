"""Rendering: every output of a page as bytes, a function of the page's setting alone, in this process or a worker."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pages.framework import link
from pages.framework.export import report_items
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.report_item import ANSWER
from pages.framework.layout.page import Page, load_page
from pages.framework.layout.section import Section, exhibits_in
from pages.framework.link import COMMON_PARAMETERS
from pages.framework.parameters.kinds import Reading, Values
from pages.framework.rendering import packing
from pages.framework.rendering import stage as stages
from pages.framework.rendering.uploaded_files import NO_UPLOADS, UploadedFiles
from pages.framework.site import site

STAGE, CSV, PICTURE, REPORT_ITEM, PANEL, EXPLANATION = "stage", "csv", "light", "added", "offer", "explained"
FILE = "file"


@dataclass(frozen=True)
class PageView:
    """A page at a setting; `uploads` are files and pasted texts that the link does not contain."""

    page: Page[Any]
    readings: dict[str, Reading]
    scheme: str
    uploads: tuple[Any, ...] = ()

    @property
    def values(self) -> Values:
        """Return the value of each parameter, by key."""
        return link.values(self.readings)

    @cached_property
    def result(self) -> Any:
        """Return the result that the page computes at this setting."""
        return self.page.compute(self.values, *self.uploads)

    @property
    def section(self) -> str:
        """Return the key of the open section."""
        return self.values.get("section", self.page.sections[0].key)

    @property
    def open_section(self) -> Section[Any]:
        """Return the open section."""
        return self.page.section_by_key[self.section]

    def exhibit(self, name: str, scheme: str) -> Exhibit | None:
        """Return an exhibit of the open section, by name; None if the section has none of that name."""
        parts = self.open_section.parts(self.result, site().colours[scheme])
        return next((exhibit for exhibit in exhibits_in(parts) if exhibit.name == name), None)

    def stage(self) -> bytes:
        """Return the stage of the page: what the browser draws, as bytes."""
        return self._packed_stage(self.open_section, self.page.answer_text(self.result), self.page.offers(self.result))

    def without_parts(self, sentences: tuple[str, ...]) -> bytes:
        """Return the stage of a page that exceeds its limits: sentences and the parameters, but no parts."""
        return self._packed_stage(replace(self.open_section, parts=lambda result, colours: ()), sentences, {})

    def _packed_stage(self, section: Section[Any], sentences: tuple[str, ...], offers: dict[str, str]) -> bytes:
        parameters, colours = (*COMMON_PARAMETERS, *self.page.own_parameters), site().colours[self.scheme]
        return stages.stage_bytes(
            section, self.page.sections, self.result, sentences, parameters, self.readings, colours, offers
        )


def _render_csv(view: PageView, name: str, address: str) -> bytes:
    exhibit = view.exhibit(name, view.scheme)
    return b"" if exhibit is None else exhibit.csv(address).encode()


def _render_picture(view: PageView, name: str, _: str) -> bytes:
    exhibit = view.exhibit(name, "light")
    return b"" if exhibit is None else packing.pack(stages.exhibit_content(exhibit))


def _render_report_item(view: PageView, name: str, _: str) -> bytes:
    """Return the report item for an exhibit of the page or for its answer, and whether its text rebuilds it."""
    topic, light = view.page, None if name == ANSWER else view.exhibit(name, "light")
    every, sentences = (*COMMON_PARAMETERS, *topic.own_parameters), topic.answer_text(view.result)
    return json.dumps(report_items.item_to_add(topic.entry, name, every, view.readings, sentences, light)).encode()


def _render_panel(view: PageView, name: str, _: str) -> bytes:
    """Return the HTML of the panel that a button beside the answer opens."""
    return view.page.answer_buttons[name].html(view.result).encode()


def _render_file(view: PageView, name: str, address: str) -> bytes:
    """Return a file of the page as a whole, for the address at which the app is open."""
    return view.page.files[name](view.result, address)


RENDERERS: dict[str, Callable[[PageView, str, str], bytes]] = {
    STAGE: lambda view, *_: view.stage(),
    CSV: _render_csv,
    PICTURE: _render_picture,
    REPORT_ITEM: _render_report_item,
    PANEL: _render_panel,
    FILE: _render_file,
    EXPLANATION: lambda view, *_: view.page.explanation_text(view.result).encode(),
}
"""The function that renders each kind of output, given a view, a name and an address (the page's link, or the app's).

It returns b"" where the page has no such output.
"""


@dataclass(frozen=True)
class RenderRequest:
    """A request for one output of a page at a setting; `entries` are the texts of the page's parameters."""

    script: str
    entries: tuple[tuple[str, str], ...]
    scheme: str
    output: str = STAGE
    name: str = ""
    address: str = ""
    uploads: UploadedFiles = NO_UPLOADS

    def __call__(self, _: object = None) -> bytes:
        """Render the output."""
        files = self.uploads.files
        topic = load_page(next(page for page in site().pages if page.script == self.script)).with_uploads(files)
        readings = link.read_parameters(
            (*COMMON_PARAMETERS, *topic.own_parameters), dict(self.entries), {}, topic.correct
        )
        return RENDERERS[self.output](PageView(topic, readings, self.scheme, files), self.name, self.address)
