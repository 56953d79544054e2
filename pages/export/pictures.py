"""Charts as files for paper, drawn by a browser without a window with the page's own script."""

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
    """How a chart is set for paper: its format, its width in mm, its type in pt, and what an author may choose."""

    format: str = "svg"
    width: float = 180.0
    type: float = 8.0
    titled: bool = True
    grey: bool = False
    transparent: bool = False

    @property
    def asked(self) -> dict[str, Any]:
        """As export.js asks for it."""
        size = {"format": self.format, "widthMm": self.width, "typePt": self.type}
        return size | {"titled": self.titled, "greySafe": self.grey, "transparent": self.transparent}


Save = Callable[[Exhibit, Paper, str, str], bytes]
"""The file of a chart for a paper, with the link and the day (YYYY-MM-DD) that it carries."""


@contextmanager
def saver() -> Iterator[Save]:
    """A browser that makes files of charts."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(playwright), args=list(QUIET))
        yield saver_in(browser.new_page())
        browser.close()


def saver_in(page: Page) -> Save:
    """An empty page made ready to make files of charts."""
    page.add_script_tag(content=get_plotlyjs())
    page.evaluate(_READY, [export_scripts.script(), base64.b64encode(export_scripts.font()).decode()])

    def save(exhibit: Exhibit, paper: Paper, link: str, day: str) -> bytes:
        told = {"name": exhibit.name, "alternative": exhibit.alternative, "link": link, "date": day}
        asked = paper.asked | told | {"version": dpcore.__version__}
        return base64.b64decode(page.evaluate(_SAVE, [str(to_json_plotly(exhibit.picture)), asked]))

    return save
