"""Rendering: every output of a page as bytes, a function of its setting alone; `prepare` renders each page once."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from types import MappingProxyType

from pages.framework import link
from pages.framework.export.exhibit_files import csv_text, file_stem
from pages.framework.export.plot_script import plot_script
from pages.framework.layout import offers, panels
from pages.framework.layout.page import PageView, load_page
from pages.framework.layout.section import Conditions, Field, Section, is_always_available
from pages.framework.link import COMMON_PARAMETERS
from pages.framework.rendering import stage
from pages.framework.rendering.uploaded_files import NO_UPLOADS, UploadedFiles, kept
from pages.framework.site import PageEntry, site

_MOST_FOUND, _MOST_TYPED = 6, 200  # names in a list that needs no scrolling; characters
Renderer = Callable[[PageView, str, str], bytes]
"""A function that renders one output of a page, given its name and an address: the page's link, or that of the app.

It returns b"" where the page has no such output.
"""


def stage_of_page(view: PageView, _name: str = "", _address: str = "") -> bytes:
    """Return the stage of a page, which the browser draws."""
    page, result = view.page, view.result
    conditions = page.conditions_of(result)
    return _stage_bytes(
        view, view.open_section, page.answer_text(result), page.answer_buttons(result), conditions=conditions
    )


def stage_without_parts(view: PageView, sentences: tuple[str, ...]) -> bytes:
    """Return the stage of a page that exceeds its limits: sentences and the parameters, but no parts."""
    return _stage_bytes(view, replace(view.open_section, parts=lambda result, colours: ()), sentences, {})


def _stage_bytes(
    view: PageView,
    section: Section,
    sentences: tuple[str, ...],
    answer_buttons: dict[str, str],
    conditions: Conditions | None = None,
) -> bytes:
    parameters, colours = (*COMMON_PARAMETERS, *view.page.own_parameters), site().colours[view.scheme]
    return stage.stage_bytes(
        *(section, tabs_of(view), view.result, sentences, parameters, view.readings, colours, answer_buttons),
        conditions,
        view.page.entry.path,
    )


def tabs_of(view: PageView) -> list[tuple[str | None, str, str]]:
    """Return the tabs beside the open section: the path of the page, None for the open one, the key and the name.

    The key is empty where another page has one section alone, and so no parameter for it. Of another page there are
    those sections that a link without its own parameters opens.
    """
    tabs: list[tuple[str | None, str, str]] = []
    for entry in site().menu_entry(view.page.entry, view.section).tabs:
        is_own = entry.page == view.page.entry
        page = view.page if is_own else load_page(entry.page)
        sections = (page.section_by_key[key] for key in entry.keys) if entry.keys else page.sections
        tabs += [
            (
                None if is_own else entry.page.path,
                section.key if is_own or len(page.sections) > 1 else "",
                section.name,
            )
            for section in sections
            if (section.is_available(view.result) if is_own else kept(_is_available_at_first, entry.page, section.key))
        ]
    return tabs if len(tabs) > 1 else []


def _is_available_at_first(entry: PageEntry, key: str) -> bool:
    """Return whether a section of a page is there at the default of every parameter."""
    page = load_page(entry)
    section = page.section_by_key[key]
    if section.is_available is is_always_available:
        return True
    readings = link.read_parameters((*COMMON_PARAMETERS, *page.own_parameters), {}, {}, page.correct)
    return section.is_available(page.compute(link.values(readings)))


def csv_file(view: PageView, name: str, address: str) -> bytes:
    """Return the numbers of an exhibit of the open section as CSV, packed with the name of the file."""
    exhibit = view.exhibit(name, view.scheme)
    return b"" if exhibit is None else stage.pack({"file": _stem(view, name), "text": csv_text(exhibit, address)})


def picture(view: PageView, name: str, _address: str) -> bytes:
    """Return a chart of the open section in light colours, from which the browser makes a file, and the file's name."""
    exhibit = view.exhibit(name, "light")
    return b"" if exhibit is None else stage.pack(stage.exhibit_content(exhibit) | {"file": _stem(view, name)})


def plot_program(view: PageView, name: str, address: str) -> bytes:
    """Return the program that draws a chart of the open section from its CSV, packed with the name of its file.

    Its text is empty where the kind of chart is not supported.
    """
    exhibit = view.exhibit(name, "light")
    if exhibit is None:
        return b""
    stem, maker = _stem(view, name), f"{site().name} {site().version}"
    return stage.pack({"file": stem, "text": plot_script(exhibit, csv_text(exhibit, address), stem, maker)})


def _stem(view: PageView, name: str) -> str:
    parameters = stage.section_parameters(view.open_section, view.result)
    return file_stem(view.page.entry.path, name, parameters, view.readings)


def panel(view: PageView, name: str, _address: str) -> bytes:
    """Return the HTML of the panel that a button beside the answer opens."""
    if name == "say":
        is_report = view.page.entry == site().report_page
        return offers.statements_html(view.page.statements_of(view.result), can_be_added=not is_report).encode()
    conditions = view.page.conditions_text(view.result)
    if name == "verify":
        return panels.proofs_html(view.page.claims_of(view.result), conditions).encode()
    return panels.code_html(view.page.snippets_of(view.result), conditions).encode() if name == "code" else b""


def matches(view: PageView, name: str, _address: str) -> bytes:
    """Return what the search of the open section finds by a typed text: the first places and names, and how many."""
    controls = view.open_section.all_controls(view.result)
    search = next((item.search for item in controls if isinstance(item, Field) and item.search is not None), None)
    if search is None:
        return b""
    cells = search.matches(name[:_MOST_TYPED])
    return stage.pack({"text": name, "found": cells[:_MOST_FOUND], "total": len(cells)})


def download(view: PageView, name: str, address: str) -> bytes:
    """Return a file that the open section offers, for the address at which the app is open.

    The link in it opens the same setting, but has none of the user's own data, even where that of the page has.
    """
    files = view.open_section.downloads(view.result)
    texts = {key: reading.used for key, reading in view.readings.items()}
    data = link.keys_with_data(view.page.own_parameters, texts)
    shared = {key: reading for key, reading in view.readings.items() if key not in data}
    setting = f"{address}{link.address(view.page.entry.path, shared)}"
    contents = {} if files is None else {file.name: file.content for file in files.files}
    return contents[name](setting) if name in contents else b""


def file(view: PageView, name: str, address: str, pictures: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """Return a file of the page as a whole, for the address at which the app is open.

    `pictures` are its charts by name, as the browser has drawn them for this file: SVG, or PNG in addresses `data:`.
    """
    return view.page.files[name](view.result, address, pictures)


def explanation(view: PageView, _name: str, _address: str) -> bytes:
    """Return how the numbers of the open section are computed, in Markdown with TeX."""
    return view.page.explanation_text(view.result).encode()


@dataclass(frozen=True)
class RenderRequest:
    """A request for one output of a page at a setting; `entries` are the texts of the page's parameters."""

    script: str
    entries: tuple[tuple[str, str], ...]
    scheme: str
    renderer: Renderer = stage_of_page
    name: str = ""
    address: str = ""
    uploads: UploadedFiles = NO_UPLOADS

    @property
    def links_data(self) -> bool:
        """Whether the texts of the parameters have data of the user's own."""
        topic = load_page(next(page for page in site().pages if page.script == self.script))
        return bool(link.texts_with_data(topic.own_parameters, dict(self.entries)))

    def __call__(self, _: object = None) -> bytes:
        """Render the output."""
        files = self.uploads.files
        topic = load_page(next(page for page in site().pages if page.script == self.script)).with_uploads(files)
        readings = link.read_parameters(
            (*COMMON_PARAMETERS, *topic.own_parameters), dict(self.entries), {}, topic.correct
        )
        return self.renderer(PageView(topic, readings, self.scheme, files), self.name, self.address)


def prepare() -> None:
    """Import and render all pages, which takes seconds, and import what the site says."""
    for page in site().pages:
        RenderRequest(page.script, (), "light")()  # the first rendering takes three times as long
    for module in site().preloaded:
        with suppress(ImportError):  # it may require a library that is not installed
            import_module(module)
