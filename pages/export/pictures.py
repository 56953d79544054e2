"""Charts as files for paper, drawn by a headless browser with the script of the page."""

import base64
from collections.abc import Callable, Iterator
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
_READY = """async ([script, font]) => {
    const {pictureFile} = await import(URL.createObjectURL(new Blob([script], {type: "text/javascript"})));
    const bytes = Uint8Array.from(atob(font), (letter) => letter.charCodeAt(0));
    window.saved = async (figure, asked) => {
        const {blob} = await pictureFile(Plotly, figure, {...asked, font: bytes});
        const reader = new FileReader();
        return new Promise((resolve) => {
            reader.onload = () => resolve(reader.result.split(",")[1]);
            reader.readAsDataURL(blob);
        });
    };
}"""
_SAVE = "([figure, asked]) => saved(JSON.parse(figure), asked)"


@dataclass(frozen=True)
class Paper:
    """The format of a chart on paper: its file type, its width in mm, its type size in pt, and further options."""

    format: str = "svg"
    width: float = 180.0
    type: float = 8.0
    titled: bool = True
    grey: bool = False
    transparent: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """The options of export.js."""
        size = {"format": self.format, "widthMm": self.width, "typePt": self.type}
        return size | {"titled": self.titled, "greySafe": self.grey, "transparent": self.transparent}


Save = Callable[[Exhibit, Paper, str, str], bytes]
"""Returns the file of a chart for a paper, with its link and its day (YYYY-MM-DD)."""


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
    page.evaluate(_READY, [export_scripts.script(), base64.b64encode(export_scripts.font()).decode()])

    def save(exhibit: Exhibit, paper: Paper, link: str, day: str) -> bytes:
        origin = {"name": exhibit.name, "alternative": exhibit.alternative, "link": link, "date": day}
        figure = with_pinned_inside(exhibit.picture) if isinstance(exhibit.picture, dict) else {}
        options = paper.options | origin | {"version": dpcore.__version__}
        return base64.b64decode(page.evaluate(_SAVE, [str(to_json_plotly(figure)), options]))

    return save
