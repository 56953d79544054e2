"""The files of a report: one that needs nothing else, and the numbers of all its items."""

from datetime import date
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import dpcore
from pages.framework.export.report_items import RebuiltItem
from pages.framework.parameters import number_format
from pages.report.document import PLOTLY, address_of, document
from pages.report.names import file_name
from pages.report.results import ReportResult


def archive(result: ReportResult, address: str, day: str) -> bytes:
    """The numbers of every chart and table as CSV, and what every item says as a text, in one zip."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as held:
        _write(held, "report.txt", _told(result, address, day), day)
        for place, each in enumerate(result.made):
            if each is not None and each.exhibit is not None:
                name = f"{file_name(place, each.item)}.csv"
                _write(held, name, each.exhibit.csv(address + each.link, day), day)
    return made.getvalue()


def _write(held: ZipFile, name: str, words: str, day: str) -> None:
    year, month, of_month = map(int, day.split("-"))
    held.writestr(ZipInfo(name, (year, month, of_month, 0, 0, 0)), words, ZIP_DEFLATED)


def _told(result: ReportResult, address: str, day: str) -> str:
    """The report in plain words: what its tables and charts are about."""
    head = (result.name, result.notes, f"DP Trade-off Explorer {dpcore.__version__}, {day}", address + result.link)
    items = (_item(result, place, each, address) for place, each in enumerate(result.made) if each is not None)
    return "\n\n".join(each for each in (*head, *items) if each) + "\n"


def _item(result: ReportResult, place: int, made: RebuiltItem, address: str) -> str:
    problems = (f"! {each}" for each in made.problems)
    said = (number_format.without_markdown(each) for each in made.answer)
    parameters = (f"{name}: {entry}" for name, entry in made.parameters)
    head = (f"{place + 1}. {made.heading} ({made.source})", result.items[place].note)
    return "\n".join(each for each in (*head, *problems, *said, *parameters, address + made.link) if each)


def _html(result: ReportResult, given: str) -> bytes:
    return document(result, address_of(given), date.today().isoformat(), PLOTLY).encode()


def _zip(result: ReportResult, given: str) -> bytes:
    return archive(result, address_of(given), date.today().isoformat())


FILES = {"report.html": _html, "report.zip": _zip}
