"""The one section of the page of a report: its files, its title and notes, and every item as it will be printed."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.export.report_items import RebuiltItem
from pages.framework.layout.section import Field, Fields, Files, Part, ReportEntry, Section
from pages.framework.parameters import number_format
from pages.report import files, text
from pages.report.parameters import NOTES, TITLE
from pages.report.results import ReportResult, file_name


def parts(result: ReportResult, _: Colours) -> Iterator[Part]:
    """Yield the files, the title and notes, and the items, these in the colours of paper in both schemes."""
    yield Files(tuple(files.FILES) if result.items else (), text.WAITING if result.missing else "")
    yield f"**{unprotected}**" if (unprotected := text.unprotected_text(result)) else ""
    if result.items:
        yield Fields((Field(TITLE, "Title of the report"), Field(NOTES, "Introduction")))
    for position, rebuilt in enumerate(result.rebuilt_items):
        yield _report_entry(result, position, rebuilt)


def _report_entry(result: ReportResult, position: int, rebuilt: RebuiltItem | None) -> ReportEntry:
    item, total = result.items[position], len(result.items)
    if rebuilt is None:
        reason = (text.missing_item_text(result, item),)
        return ReportEntry(position, total, item.page.name, item.page.name, item.address, item.note, reason)
    problems = tuple(f"**! {number_format.escape_markdown(problem)}**" for problem in rebuilt.problems)
    exhibits = () if rebuilt.exhibit is None else (_without_handles(rebuilt.exhibit, file_name(position, item)),)
    answer = "\n\n".join(rebuilt.answer_below_heading)
    contents = (*problems, *exhibits, answer, text.parameters_text(rebuilt), text.origin_text(rebuilt))
    return ReportEntry(position, total, rebuilt.heading, rebuilt.source, rebuilt.link, item.note, contents)


def _without_handles(exhibit: Exhibit, name: str) -> Exhibit:
    """Return a chart or table under another name, without handles that the user can drag."""
    if isinstance(exhibit.picture, str):
        return replace(exhibit, name=name)
    layout = exhibit.picture["layout"]
    unnamed = {key: [_without_name(mark) for mark in layout[key]] for key in ("shapes", "annotations")}
    figure: Figure = exhibit.picture | {"layout": layout | unnamed}
    return replace(exhibit, name=name, picture=figure)


def _without_name(mark: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in mark.items() if key != "name"}


SECTION = Section[ReportResult](
    key="report", name="Report", controls=lambda _: (), parts=parts, answer_text=text.answer_text
)
