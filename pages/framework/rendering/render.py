"""Rendering: every output of a page as bytes, a function of the page's setting alone, in this process or a worker."""

import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pages.framework import link
from pages.framework.chart import packing
from pages.framework.export import report_items
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.report_item import ANSWER
from pages.framework.layout.page import Page, load_page
from pages.framework.layout.section import Section, exhibits_in
from pages.framework.link import COMMON_PARAMETERS
from pages.framework.parameters.kinds import Reading, Values
from pages.framework.rendering import byte_cache
from pages.framework.rendering import stage as stages
from pages.framework.site import site

STAGE, CSV, PICTURE, REPORT_ITEM, PANEL, EXPLANATION = "stage", "csv", "light", "added", "offer", "explained"
FILE = "file"
_MAX_CACHE_BYTES = 8_000_000  # bytes of the outputs that are rendered from the same uploads


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
        return self._packed_stage(self.open_section, self.page.answer_text(self.result))

    def without_parts(self, sentences: tuple[str, ...]) -> bytes:
        """Return the stage of a page that exceeds its limits: sentences and the parameters, but no parts."""
        return self._packed_stage(replace(self.open_section, parts=lambda result, colours: ()), sentences)

    def _packed_stage(self, section: Section[Any], sentences: tuple[str, ...]) -> bytes:
        parameters, colours = (*COMMON_PARAMETERS, *self.page.own_parameters), site().colours[self.scheme]
        return stages.stage_bytes(
            section, self.page.sections, self.result, sentences, parameters, self.readings, colours
        )


def _render_csv(view: PageView, name: str, address: str) -> bytes:
    exhibit = view.exhibit(name, view.scheme)
    return b"" if exhibit is None else exhibit.csv(address).encode()


def _render_picture(view: PageView, name: str, _: str) -> bytes:
    exhibit = view.exhibit(name, "light")
    return b"" if exhibit is None else packing.pack(stages.exhibit_content(exhibit))


def _render_report_item(view: PageView, name: str, _: str) -> bytes:
    """Return the report item that the browser adds to its report: an exhibit of the page, or its answer."""
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
class UploadedFiles:
    """The files and pasted texts of one session, which no link contains; an empty `token` means that there are none.

    The token changes with the files. `cache` holds what was rendered from them, and is released together with them. A
    worker receives the files as bytes, which are pickled once.
    """

    token: str = ""
    _files: tuple[Any, ...] = field(default=(), compare=False)
    _packed: bytes = field(default=b"", compare=False)
    cache: byte_cache.ByteCache = field(default_factory=lambda: byte_cache.ByteCache(_MAX_CACHE_BYTES), compare=False)

    @cached_property
    def packed(self) -> bytes:
        """Return the files as pickled bytes."""
        return self._packed or pickle.dumps(self._files)

    @property
    def files(self) -> tuple[Any, ...]:
        """Return the files."""
        return pickle.loads(self._packed) if self._packed else self._files

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the files as bytes, so that a worker unpickles them only when it renders, within its limits."""
        return UploadedFiles, (self.token, (), self.packed if self.token else b"")


NO_UPLOADS = UploadedFiles()


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
