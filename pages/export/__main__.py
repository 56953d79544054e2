"""Write every picture of a page, and the numbers behind each, or a report, into a folder."""

import argparse
import base64
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Playwright, sync_playwright
from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

import dpcore
from pages.export import exhibits_of, page_of
from pages.framework import link as links
from pages.framework.chart.theme import with_pinned_inside
from pages.framework.export import exhibit_files
from pages.framework.export.exhibit import Exhibit, Figure
from pages.framework.export.exhibit_files import csv_text
from pages.framework.export.report_items import readings_of
from pages.report.document import address_of, document
from pages.report.page import archive
from pages.report.results import ReportResult
from pages.shared.site_map import REPORT

SHELL = "chromium-headless-shell"  # Debian's Chromium without a window, which is quicker
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPLICATIONS = ("Google Chrome", "Chromium")
WINDOWS_PROGRAMS = (r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe")
# Without this, each tab takes 0.8 s more to draw the suggestions of an invisible address bar.
_ADDRESS_BAR = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"
QUIET = (
    *("--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-quic", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
    f"--disable-features={_ADDRESS_BAR},MediaRouter,OptimizationHints",
)
REMEDY = "There is no browser: install Chromium or Chrome, or set DP_BROWSER to the path of one."


def find_browser(playwright: Playwright) -> str:
    """Return the path of a Chromium or Chrome; install one if there is none; FileNotFoundError has the remedy.

    In this order: the one that `$DP_BROWSER` names; one that is installed; as root on Debian `apt-get install
    chromium-headless-shell`, or `chromium`; Playwright's own download.
    """
    with _only_process():
        return os.environ.get("DP_BROWSER") or _installed() or _from_apt() or _from_playwright(playwright)


@contextmanager
def _only_process() -> Iterator[None]:
    """Hold a lock, so that only one of several processes installs a browser; there is none on Windows."""
    try:
        import fcntl
    except ModuleNotFoundError:
        yield
        return
    with (Path(tempfile.gettempdir()) / f"find_browser_{os.getuid()}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _installed() -> str | None:
    on_path = [shutil.which(name) for name in NAMES]
    on_mac = [f"/Applications/{name}.app/Contents/MacOS/{name}" for name in MAC_APPLICATIONS]
    folders = [os.environ[name] for name in ("ProgramFiles", "ProgramFiles(x86)", "LocalAppData") if name in os.environ]
    on_windows = [rf"{folder}\{name}" for name in WINDOWS_PROGRAMS for folder in folders]
    return next((path for path in (*on_path, *on_mac, *on_windows) if path and Path(path).exists()), None)


def _from_apt() -> str | None:
    if not shutil.which("apt-get") or os.getuid() != 0:
        return None
    for arguments in (("update",), ("install", "-y", SHELL), ("install", "-y", "chromium")):
        if not _installed():
            subprocess.run(["apt-get", *arguments], check=False, capture_output=True)
    return _installed()


def _from_playwright(playwright: Playwright) -> str:
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    subprocess.run(command, check=False, capture_output=True)
    if not Path(playwright.chromium.executable_path).exists():
        raise FileNotFoundError(REMEDY)
    return playwright.chromium.executable_path


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

    A height of 0 is the one that suits the width. `arrangement` is that of several panels: "row", "column", or "" for
    as many in a row as fit.
    """

    format: str = "svg"
    width: float = 180.0
    height: float = 0.0
    type: float = 8.0
    typeface: str = "sans"
    titled: bool = True
    grey: bool = False
    transparent: bool = False
    arrangement: str = ""

    @property
    def options(self) -> dict[str, Any]:
        """The options of export.js."""
        size = {"widthMm": self.width, "heightMm": self.height, "typePt": self.type}
        look = {"typeface": self.typeface, "titled": self.titled, "greySafe": self.grey}
        look |= {"arrangement": self.arrangement}
        return size | look | {"format": self.format, "transparent": self.transparent}


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
    fonts = {name: base64.b64encode(exhibit_files.font(name)).decode() for name in exhibit_files.TYPEFACES}
    page.evaluate(_READY, [exhibit_files.script(), fonts])

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
    page.write_text(document(result, address, day, exhibit_files.plotly_script()), encoding="utf-8")
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


_DOCUMENT = "<!doctype html><meta charset='utf-8'><title>{title}</title><body style='font-family: sans-serif'>{body}"
_CHART = "<script>{plotly}</script><div id='chart'></div><script>Plotly.newPlot('chart', {figure})</script>"


def main(arguments: list[str] | None = None) -> int:
    """Export a page, and return 0 if the link had no problem, 1 if it had some, 2 if nothing was written."""
    options = _parser().parse_args(arguments)
    try:
        if page_of(options.link) == REPORT:
            result, address, problems = report_of(options.link)
            paths = write_files(result, address, options.directory, options.paper)
        else:
            exhibits, link, problems = exhibits_of(options.link)
            paths = _write_files(options, exhibits, link)  # each when it is requested
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    for problem in problems:
        print(problem, file=sys.stderr)
    options.directory.mkdir(parents=True, exist_ok=True)
    for path in paths:
        print(path)
    return 1 if problems else 0


def _write_files(options: argparse.Namespace, exhibits: list[Exhibit], link: str) -> Iterator[Path]:
    day = date.today().isoformat()
    size = (options.width, options.height, options.type, options.font)
    paper = Paper(options.format, *size, options.titled, options.grey, options.transparent)
    if options.html:
        for exhibit in exhibits:
            path = options.directory / f"{exhibit.name}.html"
            body = exhibit.picture if isinstance(exhibit.picture, str) else _chart_html(exhibit.picture)
            path.write_text(_DOCUMENT.format(title=exhibit.name, body=body), encoding="utf-8")
            yield path
    else:
        with saver() as save:
            for exhibit in exhibits:
                if isinstance(exhibit.picture, dict):  # a table has only a CSV
                    path = options.directory / f"{exhibit.name}.{paper.format}"
                    path.write_bytes(save(exhibit, paper, link, day))
                    yield path
    for exhibit in exhibits:
        path = options.directory / f"{exhibit.name}.csv"
        path.write_text(csv_text(exhibit, link, day), encoding="utf-8")
        yield path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m pages.export", description=__doc__)
    parser.add_argument("link", metavar="LINK", help="the address of a page, with or without its server")
    parser.add_argument(
        "directory", metavar="DIRECTORY", type=Path, help="where the files are written; created if it does not exist"
    )
    parser.add_argument("--format", choices=FORMATS, default="svg", help="format of the pictures (default svg)")
    parser.add_argument("--width", metavar="MM", type=_positive, default=180.0, help="width in mm (default 180)")
    parser.add_argument("--height", metavar="MM", type=_positive, default=0.0, help="height in mm (default automatic)")
    parser.add_argument("--type", metavar="PT", type=_positive, default=8.0, help="font size in pt (default 8)")
    fonts = exhibit_files.TYPEFACES
    parser.add_argument("--font", choices=fonts, default="sans", help="font; modern is Computer Modern (default sans)")
    parser.add_argument("--no-title", dest="titled", action="store_false", help="no title in the picture")
    parser.add_argument("--grey", action="store_true", help="shades and dashes that are distinguishable in greyscale")
    parser.add_argument("--transparent", action="store_true", help="transparent background")
    parser.add_argument("--paper", choices=PAPERS, default="A4", help="paper of the PDF of a report (default A4)")
    parser.add_argument("--html", action="store_true", help="write charts as self-contained HTML pages instead")
    return parser


def _positive(entry: str) -> float:
    value = float(entry)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be above 0; {entry} was given")
    return value


def _chart_html(figure: Figure) -> str:
    json = str(to_json_plotly(with_pinned_inside(figure))).replace("<", "\\u003c")  # a name must not end the script
    return _CHART.format(plotly=get_plotlyjs(), figure=json)


if __name__ == "__main__":
    sys.exit(main())
