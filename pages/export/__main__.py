"""Write every picture of a page, and the numbers behind each, or a report, into a folder."""

import argparse
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

from pages.export import exhibits_of, files, page_of
from pages.export.files import FORMATS, Paper, saver
from pages.framework.chart import export_scripts
from pages.framework.chart.pinned_range import with_pinned_inside
from pages.framework.export.csv_file import csv_text
from pages.framework.export.exhibit import Exhibit, Figure
from pages.shared.site_map import REPORT

_DOCUMENT = "<!doctype html><meta charset='utf-8'><title>{title}</title><body style='font-family: sans-serif'>{body}"
_CHART = "<script>{plotly}</script><div id='chart'></div><script>Plotly.newPlot('chart', {figure})</script>"


def main(arguments: list[str] | None = None) -> int:
    """Export a page, and return 0 if the link had no problem, 1 if it had some, 2 if nothing was written."""
    options = _parser().parse_args(arguments)
    try:
        problems, paths = (_export_report if page_of(options.link) == REPORT else _export_page)(options)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    for problem in problems:
        print(problem, file=sys.stderr)
    options.directory.mkdir(parents=True, exist_ok=True)
    for path in paths:
        print(path)
    return 1 if problems else 0


def _export_report(options: argparse.Namespace) -> tuple[list[str], Iterator[Path]]:
    """Return the problems of the link of a report, and the paths of its files, each written when it is requested."""
    result, address, problems = files.report_of(options.link)
    return problems, files.write_files(result, address, options.directory, options.paper)


def _export_page(options: argparse.Namespace) -> tuple[list[str], Iterator[Path]]:
    """Return the problems of the link of a page, and the paths of its files, each written when it is requested."""
    exhibits, link, problems = exhibits_of(options.link)
    return problems, _write_files(options, exhibits, link)


def _write_files(options: argparse.Namespace, exhibits: list[Exhibit], link: str) -> Iterator[Path]:
    day = date.today().isoformat()
    size = (options.width, options.height, options.type, options.font)
    paper = Paper(options.format, *size, options.titled, options.grey, options.transparent)
    if options.html:
        yield from _write_html(exhibits, options.directory)
    else:
        yield from _write_pictures(exhibits, options.directory, paper, link, day)
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
    fonts = export_scripts.TYPEFACES
    parser.add_argument("--font", choices=fonts, default="sans", help="font; modern is Computer Modern (default sans)")
    parser.add_argument("--no-title", dest="titled", action="store_false", help="no title in the picture")
    parser.add_argument("--grey", action="store_true", help="shades and dashes that are distinguishable in greyscale")
    parser.add_argument("--transparent", action="store_true", help="transparent background")
    parser.add_argument("--paper", choices=files.PAPERS, default="A4", help="paper of the PDF of a report (default A4)")
    parser.add_argument("--html", action="store_true", help="write charts as self-contained HTML pages instead")
    return parser


def _positive(entry: str) -> float:
    value = float(entry)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be above 0; {entry} was given")
    return value


def _write_html(exhibits: list[Exhibit], directory: Path) -> Iterator[Path]:
    for exhibit in exhibits:
        path = directory / f"{exhibit.name}.html"
        body = exhibit.picture if isinstance(exhibit.picture, str) else _chart_html(exhibit.picture)
        path.write_text(_DOCUMENT.format(title=exhibit.name, body=body), encoding="utf-8")
        yield path


def _chart_html(figure: Figure) -> str:
    json = str(to_json_plotly(with_pinned_inside(figure))).replace(
        "<", "\\u003c"
    )  # an untrusted name must not end the script
    return _CHART.format(plotly=get_plotlyjs(), figure=json)


def _write_pictures(exhibits: list[Exhibit], directory: Path, paper: Paper, link: str, day: str) -> Iterator[Path]:
    """Write the charts as files for paper, and yield their paths; a table has only a CSV."""
    with saver() as save:
        for exhibit in exhibits:
            if isinstance(exhibit.picture, dict):
                path = directory / f"{exhibit.name}.{paper.format}"
                path.write_bytes(save(exhibit, paper, link, day))
                yield path


if __name__ == "__main__":
    sys.exit(main())
