"""The files of a report from its link: a self-contained HTML file, the same as a PDF, and its numbers."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, sync_playwright

from pages.export.browser import QUIET, find_browser
from pages.framework import link as links
from pages.framework.chart import export_scripts
from pages.framework.export.report_items import readings_of
from pages.report.document import address_of, document
from pages.report.files import archive
from pages.report.results import ReportResult
from pages.shared.site_map import REPORT

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
