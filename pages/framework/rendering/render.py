"""Rendering: every output of a page as bytes, a function of its setting alone; `prepare` renders each page once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from pages.framework import link
from pages.framework.export.exhibit_files import csv_text, file_stem, zipped
from pages.framework.export.plot_paper import USUAL_PAPER, PlotPaper
from pages.framework.export.plot_script import PlotPanel, plot_script
from pages.framework.layout import offers, panels
from pages.framework.layout.page import Page, PageView, load_page
from pages.framework.layout.section import Field, is_always_available
from pages.framework.rendering import stage
from pages.framework.rendering.uploaded_files import NO_UPLOADS, UploadedFiles, kept
from pages.framework.site import PageEntry, site

MAX_PANELS = 26  # of a picture, which have a letter each
_MOST_FOUND, _MOST_TYPED = 6, 200  # names in a list that needs no scrolling; characters
Renderer = Callable[[PageView, str, str], bytes]
"""A function that renders one output of a page, given its name and an address: the page's link, or that of the app.

It returns b"" where the page has no such output.
"""


def stage_of_page(view: PageView, name: str = "", _address: str = "") -> bytes:
    """Return the stage of a page, which the browser draws; `name` has the names of the open folds, one a line."""
    page, result = view.page, view.result
    answer = stage.Answer(page.answer_text(result), page.answer_buttons(result), page.conditions_of(result))
    return stage.stage_bytes(_setting(view), view.open_section, answer, tabs_of(view), name.split("\n"))


def stage_without_parts(view: PageView, sentences: tuple[str, ...]) -> bytes:
    """Return the stage of a page that exceeds its limits: sentences and the parameters, but no parts."""
    section = replace(view.open_section, parts=lambda result, colours: ())
    return stage.stage_bytes(_setting(view), section, stage.Answer(sentences), tabs_of(view), ())


def _setting(view: PageView) -> stage.Setting:
    page, colours = view.page, site().colours[view.scheme]
    return stage.Setting(view.result, page.all_parameters, view.readings, colours, page.entry.path)


def tabs_of(view: PageView) -> list[tuple[str | None, str, str, list[str]]]:
    """Return the tabs beside the open section: the path of the page, None for the open one, the key and the name.

    The last item of each are the keys of the parameters that its link leaves out: the conditions of another subject.

    The key is empty where another page has one section alone, and so no parameter for it. Of another page there are
    those sections that a link without its own parameters opens.
    """
    tabs: list[tuple[str | None, str, str, list[str]]] = []
    subject = view.page.subjects[view.section]
    for entry in site().menu_entry(view.page.entry, view.section).tabs:
        is_own = entry.page == view.page.entry
        page = view.page if is_own else load_page(entry.page)
        path, has_key = None if is_own else entry.page.path, is_own or len(page.sections) > 1
        sections = (page.section_by_key[key] for key in entry.keys) if entry.keys else page.sections
        left_out = sorted(parameter.key for parameter in page.parameters_of_subject) if is_own else []
        tabs += [
            (path, section.key if has_key else "", section.name, left_out if section.subject != subject else [])
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
    return section.is_available(page.compute(link.values(page.readings({}))))


def csv_file(view: PageView, names: str, address: str) -> bytes:
    """Return the numbers of an exhibit of the open section as CSV, packed with the name of the file.

    `names` are one a line; the CSV of several, which are the panels of a picture, are zipped.
    """
    panels = _panels(view, names, view.scheme, address)
    return stage.pack(_text_or_zip(panels, "csv", panels[0].csv_text)) if panels else b""


def picture(view: PageView, name: str, _address: str) -> bytes:
    """Return a chart of the open section in light colours, from which the browser makes a file, and the file's name."""
    exhibit = view.exhibit(name, "light")
    return b"" if exhibit is None else stage.pack(stage.exhibit_content(exhibit) | {"file": _stem(view, name)})


def plot_program(view: PageView, names: str, address: str, paper: PlotPaper = USUAL_PAPER) -> bytes:
    """Return the program that draws a chart of the open section from its CSV, as `plot_script`, and its file's name.

    `names` are one a line; of several, which are the panels of a picture, the program and each CSV are zipped.
    """
    panels = _panels(view, names, "light", address)
    if not panels:
        return b""
    text = plot_script(panels, _name_of(panels), f"{site().name} {site().version}", paper)
    return stage.pack(_text_or_zip(panels, "py", text))


def _panels(view: PageView, names: str, scheme: str, address: str) -> list[PlotPanel]:
    """Return exhibits of the open section with their CSV; none where one of them is not there."""
    exhibits = {name: view.exhibit(name, scheme) for name in names.split("\n")[:MAX_PANELS]}
    found = [(name, exhibit) for name, exhibit in exhibits.items() if exhibit is not None]
    panels = [PlotPanel(exhibit, csv_text(exhibit, address), _stem(view, name)) for name, exhibit in found]
    return panels if len(panels) == len(exhibits) else []


def _name_of(panels: Sequence[PlotPanel]) -> str:
    """Return the name of a picture's files, without ending, as `fileName` in picture_form.js."""
    return panels[0].stem if len(panels) == 1 else f"{panels[0].stem}_panels"


def _text_or_zip(panels: Sequence[PlotPanel], ending: str, text: str) -> dict[str, Any]:
    """Return a text with the name of its file or, of several panels, a zip of each CSV and of the program."""
    name = _name_of(panels)
    if len(panels) == 1 or not text:
        return {"file": f"{name}.{ending}", "text": text}
    program = {f"{name}.py": text} if ending == "py" else {}
    return {"file": f"{name}.zip", "zip": zipped(program | {f"{panel.stem}.csv": panel.csv_text for panel in panels})}


def _stem(view: PageView, name: str) -> str:
    parameters = stage.section_parameters(view.open_section, view.result)
    return file_stem(view.page.entry.path, name, parameters, view.readings)


def panel(view: PageView, name: str, _address: str) -> bytes:
    """Return the HTML of the panel that a button beside the answer opens."""
    page, result = view.page, view.result
    if name == "say":
        can_be_added = page.entry != site().report_page
        return offers.statements_html(page.statements_of(result), can_be_added).encode()
    if name == "verify":
        return panels.proofs_html(page.claims_of(result), page.conditions_text(result)).encode()
    if name == "code":
        return panels.code_html(page.snippets_of(result), page.conditions_text(result)).encode()
    return b""


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
    """Return a file of the whole page; `pictures` are its charts by name as the browser has drawn them: SVG or PNG."""
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
        return bool(link.texts_with_data(self._page.own_parameters, dict(self.entries)))

    @property
    def _page(self) -> Page[Any]:
        return load_page(next(page for page in site().pages if page.script == self.script))

    def __call__(self, _: object = None) -> bytes:
        """Render the output."""
        page = self._page.with_uploads(self.uploads.files)
        view = PageView(page, page.readings(dict(self.entries)), self.scheme, self.uploads)
        return self.renderer(view, self.name, self.address)


def prepare() -> None:
    """Import and render all pages, which takes seconds."""
    for page in site().pages:
        RenderRequest(page.script, (), "light", name=stage.ALL_FOLDS)()  # the first takes three times as long
