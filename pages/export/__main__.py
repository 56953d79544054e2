"""Write every picture of a page, and the numbers behind each, into a folder."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from playwright.sync_api import Page, sync_playwright
from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

from pages.export import exhibits_of
from pages.export.browser import QUIET, find_browser
from pages.shared.export import Exhibit, Figure

WIDTH = 900  # pixels
_DRAW = "([figure, size]) => Plotly.toImage(JSON.parse(figure), {format: 'svg', ...size})"
_DOCUMENT = "<!doctype html><meta charset='utf-8'><title>{title}</title><body style='font-family: sans-serif'>{body}"
_CHART = "<script>{plotly}</script><div id='chart'></div><script>Plotly.newPlot('chart', {figure})</script>"


def main(arguments: list[str] | None = None) -> int:
    """Export a page; 0 if every part of the link could be used, 1 if some could not, 2 if nothing was written."""
    parser = argparse.ArgumentParser("python -m pages.export", description=__doc__)
    parser.add_argument("link", metavar="LINK", help="the address of a page, with or without its server")
    parser.add_argument("directory", metavar="DIRECTORY", type=Path, help="where the files go; made if it is not there")
    parser.add_argument("--html", action="store_true", help="charts as pages that need nothing else, instead of SVG")
    parser.add_argument("--dark", action="store_true", help="the colours of the dark theme")
    asked = parser.parse_args(arguments)
    try:
        exhibits, link, problems = exhibits_of(asked.link, "dark" if asked.dark else "light")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    for problem in problems:
        print(problem, file=sys.stderr)
    asked.directory.mkdir(parents=True, exist_ok=True)
    for path in (_as_html if asked.html else _as_svg)(exhibits, asked.directory):
        print(path)
    for exhibit in exhibits:
        path = asked.directory / f"{exhibit.name}.csv"
        path.write_text(exhibit.csv(link), encoding="utf-8")
        print(path)
    return 1 if problems else 0


def _as_html(exhibits: list[Exhibit], directory: Path) -> Iterator[Path]:
    for exhibit in exhibits:
        path = directory / f"{exhibit.name}.html"
        body = exhibit.picture if isinstance(exhibit.picture, str) else _chart(exhibit.picture)
        path.write_text(_DOCUMENT.format(title=exhibit.name, body=body), encoding="utf-8")
        yield path


def _chart(figure: Figure) -> str:
    json = str(to_json_plotly(figure)).replace("<", "\\u003c")  # names are a stranger's words: none may end the script
    return _CHART.format(plotly=get_plotlyjs(), figure=json)


def _as_svg(exhibits: list[Exhibit], directory: Path) -> Iterator[Path]:
    """Charts as SVG; a table has its numbers alone."""
    with _browser() as page:
        for exhibit in exhibits:
            if isinstance(exhibit.picture, dict):
                path = directory / f"{exhibit.name}.svg"
                path.write_text(_svg(page, exhibit.picture), encoding="utf-8")
                yield path


@contextmanager
def _browser() -> Iterator[Page]:
    """A page that has Plotly."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(playwright), args=list(QUIET))
        page = browser.new_page()
        page.add_script_tag(content=get_plotlyjs())
        yield page
        browser.close()


def _svg(page: Page, figure: Figure) -> str:
    size: dict[str, Any] = {"width": WIDTH, "height": figure["layout"]["height"]}
    return unquote(page.evaluate(_DRAW, [to_json_plotly(figure), size]).removeprefix("data:image/svg+xml,"))


if __name__ == "__main__":
    sys.exit(main())
