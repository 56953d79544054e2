"""The files of a report: a self-contained HTML file, a PDF, a Word file, and a zip of the numbers of all its items."""

from collections.abc import Mapping
from datetime import date
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import dpcore
from pages.framework.export.csv_file import csv_text
from pages.framework.export.report_items import RebuiltItem
from pages.framework.parameters import number_format
from pages.report import text, typeset, word
from pages.report.document import PLOTLY, address_of, document
from pages.report.results import ReportResult, file_name

Pictures = Mapping[str, str]


def archive(result: ReportResult, address: str, day: str) -> bytes:
    """Return a zip with the numbers of every chart and table as CSV, and the answer of every item as text."""
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive_file:
        _write(archive_file, "report.txt", _report_text(result, address, day), day)
        for position, rebuilt in enumerate(result.rebuilt_items):
            if rebuilt is not None and rebuilt.exhibit is not None:
                name = f"{file_name(position, rebuilt.item)}.csv"
                _write(archive_file, name, csv_text(rebuilt.exhibit, rebuilt.link and address + rebuilt.link, day), day)
    return content.getvalue()


def _write(archive_file: ZipFile, name: str, content: str, day: str) -> None:
    year, month, day_of_month = map(int, day.split("-"))
    archive_file.writestr(ZipInfo(name, (year, month, day_of_month, 0, 0, 0)), content, ZIP_DEFLATED)


def _report_text(result: ReportResult, address: str, day: str) -> str:
    """Return the report as plain text, without its charts and tables."""
    origin = f"DP Trade-off Explorer {dpcore.__version__}, {day}"
    link = result.link and address + result.link
    head = (result.name, text.unprotected_text(result), result.notes, origin, link, text.session_items_text(result))
    items = (
        _item_text(position, result.items[position].note, rebuilt, address)
        for position, rebuilt in enumerate(result.rebuilt_items)
        if rebuilt is not None
    )
    return "\n\n".join(filter(None, (*head, *items))) + "\n"


def _item_text(position: int, note: str, rebuilt: RebuiltItem, address: str) -> str:
    head = (f"{position + 1}. {rebuilt.heading} ({rebuilt.source})", note)
    problems = (f"! {problem}" for problem in rebuilt.problems)
    answer = (number_format.without_markdown(sentence) for sentence in rebuilt.answer_below_heading)
    origin = text.origin_text(rebuilt) or (rebuilt.link and address + rebuilt.link)
    parameters = (f"{name}: {entry}" for name, entry in rebuilt.parameters)
    conditions = number_format.without_markdown(rebuilt.conditions)
    return "\n".join(filter(None, (*head, *problems, *answer, conditions, *parameters, origin)))


def _html_file(result: ReportResult, address: str, _: Pictures) -> bytes:
    return document(result, address_of(address), date.today().isoformat(), PLOTLY).encode()


def _pdf_file(result: ReportResult, address: str, pictures: Pictures) -> bytes:
    return typeset.pdf_file(result, address_of(address), date.today().isoformat(), pictures)


def _docx_file(result: ReportResult, address: str, pictures: Pictures) -> bytes:
    return word.docx_file(result, address_of(address), date.today().isoformat(), pictures)


def _zip_file(result: ReportResult, address: str, _: Pictures) -> bytes:
    return archive(result, address_of(address), date.today().isoformat())


FILES = {"report.html": _html_file, "report.pdf": _pdf_file, "report.docx": _docx_file, "report.zip": _zip_file}
