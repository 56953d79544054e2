"""Charts as files for paper, drawn by a headless browser with the script of the page."""

import base64
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, sync_playwright
from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

import dpcore
from pages.export.browser import QUIET, find_browser
from pages.framework.chart import export_scripts
from pages.framework.chart.pinned_range import with_pinned_inside
from pages.framework.export.exhibit import Exhibit

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
