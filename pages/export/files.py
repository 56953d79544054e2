"""Files that a headless browser makes: charts for paper, and those of a report from its link."""

import base64
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, sync_playwright
from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

import dpcore
from pages.export.browser import QUIET, find_browser
from pages.framework import link as links
from pages.framework.chart import export_scripts
from pages.framework.chart.pinned_range import with_pinned_inside
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.report_items import readings_of
from pages.report.document import address_of, document
from pages.report.files import archive
from pages.report.results import ReportResult
from pages.shared.site_map import REPORT

FORMATS = ("svg", "png", "pdf")
_READY = """async ([script, fonts]) => {
    const {pictureFile} = await import(URL.createObjectURL(new Blob([script], {type: "text/javascript"})));
    const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    window.saved = async (figures, asked) => {
        const options = {...asked, font: bytesOf(fonts[asked.typeface])};
        const {blob} = await pictureFile(Plotly, figures.map((figure) => ({figure})), options);
        const reader = new FileReader();
        return new Promise((resolve) => {
            reader.onload = () => resolve(reader.result.split(",")[1]);
            reader.readAsDataURL(blob);
        });
    };
}"""
_SAVE = "([figures, asked]) => saved(figures.map((text) => JSON.parse(text)), asked)"


@dataclass(frozen=True)
class Paper:
    """The format of a chart on paper: its file type, width and height in mm, its type size in pt, and further options.

    A height of 0 is the one that suits the width.
    """

    format: str = "svg"
    width: float = 180.0
    height: float = 0.0
    type: float = 8.0
    typeface: str = "sans"
    titled: bool = True
    grey: bool = False
    transparent: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """The options of export.js."""
        size = {
            "format": self.format,
            "widthMm": self.width,
            "heightMm": self.height,
            "typePt": self.type,
            "typeface": self.typeface,
        }
        return size | {"titled": self.titled, "greySafe": self.grey, "transparent": self.transparent}


Save = Callable[[Exhibit | Sequence[Exhibit], Paper, str, str], bytes]
"""Returns the file of a chart, or of several as its panels, for a paper, with its link and its day (YYYY-MM-DD)."""


@contextmanager
def saver() -> Iterator[Save]:
    """Open a browser, and return the function that makes a file of a chart."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(playwright), args=list(QUIET))
        yield saver_in(browser.new_page())
        browser.close()


def saver_in(page: Page) -> Save:
    """Prepare an empty page, and return the function that makes a file of a chart in it."""
    page.add_script_tag(content=get_plotlyjs())
    fonts = {name: base64.b64encode(export_scripts.font(name)).decode() for name in export_scripts.TYPEFACES}
    page.evaluate(_READY, [export_scripts.script(), fonts])

    def save(exhibits: Exhibit | Sequence[Exhibit], paper: Paper, link: str, day: str) -> bytes:
        panels = [exhibits] if isinstance(exhibits, Exhibit) else exhibits
        words = " ".join(exhibit.alternative for exhibit in panels)
        pictures = [exhibit.picture for exhibit in panels if isinstance(exhibit.picture, dict)]
        figures = [str(to_json_plotly(with_pinned_inside(picture))) for picture in pictures]
        origin = {"alternative": words, "link": link, "date": day, "version": dpcore.__version__}
        return base64.b64decode(page.evaluate(_SAVE, [figures, paper.options | origin]))

    return save


PAPERS = ("A4", "Letter")
DRAWN = "html[data-drawn=yes]"
_TIMEOUT = 60_000  # ms that a browser may take to draw all charts


def report_of(link: str) -> tuple[ReportResult, str, list[str]]:
    """Return the report of a link, the address of its app (empty if the link has none), and the link's problems."""
    parts = urlsplit(link)
    page, readings, problems = readings_of(REPORT, parse_qs(parts.query, keep_blank_values=True))
    result: ReportResult = page.compute(links.values(readings))
    if not result.items:
        raise ValueError("LINK is that of a report without items.")
    for number, rebuilt in enumerate(result.rebuilt_items, 1):
        problems += [f"Item {number}: {problem}" for problem in (rebuilt.problems if rebuilt else ())]
    return result, address_of(link.partition(f"/{REPORT.path}")[0]), problems


def write_files(result: ReportResult, address: str, directory: Path, paper: str) -> Iterator[Path]:
    """Write the files of a report into a folder, and yield the path of each."""
    day = date.today().isoformat()
    page = directory / "report.html"
    page.write_text(document(result, address, day, export_scripts.plotly_script()), encoding="utf-8")
    yield page
    pdf = directory / "report.pdf"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(playwright), args=list(QUIET))
        with browser.new_context(offline=True) as context:
            tab = context.new_page()
            open_file(tab, page)
            print_to(tab, pdf, paper)
        browser.close()
    yield pdf
    numbers = directory / "report.zip"
    numbers.write_bytes(archive(result, address, day))
    yield numbers


def open_file(tab: Page, file: Path) -> None:
    """Open the file of a report, and wait until all of its charts are drawn."""
    tab.goto(file.resolve().as_uri())
    tab.locator(DRAWN).wait_for(state="attached", timeout=_TIMEOUT)  # the file's policy forbids to evaluate a condition


def print_to(tab: Page, pdf: Path, paper: str) -> None:
    """Print a report that is open."""
    tab.pdf(path=pdf, format=paper, print_background=True, tagged=True, outline=True)
